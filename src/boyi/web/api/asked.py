"""What operations have in common: the service, who asks, ids in paths, and streams that end when the client leaves."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Annotated, TypeVar, cast

from fastapi import Depends, Path, Request
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.requests import HTTPConnection

from boyi.service.service import Service
from boyi.web import identity
from boyi.web.security import Refused

View = TypeVar("View")

SCHEMES = [
    Depends(HTTPBearer(auto_error=False, description="The token of POST /visitors")),
    Depends(APIKeyCookie(name=identity.COOKIE, auto_error=False, description="The same token, as browsers send it")),
]
"""Only for the description of the API: `visitor_of` reads both."""


def served_by(connection: HTTPConnection) -> Service:
    return cast(Service, connection.app.state.service)


def visitor_behind(connection: HTTPConnection) -> str:
    """The id of who asks."""
    token = identity.token_of(connection)
    if token is None:
        raise Refused(
            401, "no_visitor", "send the token of POST /api/v1/visitors as Authorization: Bearer, or its cookie"
        )
    return served_by(connection).visitor(token)


# Coroutines, as FastAPI would run plain functions in threads.
async def service_of(connection: HTTPConnection) -> Service:
    return served_by(connection)


async def visitor_of(connection: HTTPConnection) -> str:
    return visitor_behind(connection)


Serving = Annotated[Service, Depends(service_of)]
Visitor = Annotated[str, Depends(visitor_of)]
RunId = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9._=,-]{0,99}$", description="The id of a run")]
GameId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="The id of a game")]


@asynccontextmanager
async def closing(stream: AsyncIterator[View]) -> AsyncIterator[AsyncIterator[View]]:
    """A stream of the service that is closed, and so cancelled, on the way out."""
    try:
        yield stream
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()


async def while_connected(work: Awaitable[View], gone: Awaitable[None]) -> View:
    """The result of the work, which is cancelled when the client has gone."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(gone)
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise Refused(400, "gone", "the client has left")
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def until_gone(request: Request) -> None:
    """Wait until the client of a request has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def last(stream: AsyncIterator[View], wanted: Callable[[View], bool] = lambda _: False) -> View:
    """The first view that is wanted, or the last one of a stream."""
    found: View | None = None
    async with closing(stream) as views:
        async for found in views:
            if wanted(found):
                break
    if found is None:
        raise Refused(404, "not_found", "there is nothing to show")
    return found
