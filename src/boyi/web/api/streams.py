"""The WebSockets: a game, an analysis, a review, a contest and a run as they change, one JSON message a view.

A client closes the socket to stop the work. The server closes it with 1000 when there is no more to come, and with 1008
after a last message `{"error": ..., "message": ...}` when something is refused.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError

from boyi.service import views
from boyi.web.api.asked import GameId, RunId, Serving, closing, visitor_behind, while_connected
from boyi.web.api.errors import refusal_of
from boyi.web.security import API_BODY_BYTES, Refused, error_body, parse_json

router = APIRouter()

REQUEST_S = 30.0
Asked = TypeVar("Asked", bound=BaseModel)
Open = Callable[[str], Awaitable[AsyncIterator[BaseModel]]]
"""From the visitor to the stream."""


@router.websocket("/games/{game}/watch")
async def watch_game(websocket: WebSocket, service: Serving, game: GameId) -> None:
    """Sends the `GameView`, and again after every change and while an opponent thinks."""

    async def begin(visitor: str) -> AsyncIterator[BaseModel]:
        return service.watch_game(visitor, game)

    await serve(websocket, begin)


@router.websocket("/games/{game}/review")
async def review_game(websocket: WebSocket, service: Serving, game: GameId) -> None:
    """Takes a `ReviewRequest`, sends a `ReviewView` for every position analysed."""

    async def begin(visitor: str) -> AsyncIterator[BaseModel]:
        return service.review_game(visitor, game, await first_message(websocket, views.ReviewRequest))

    await serve(websocket, begin)


@router.websocket("/analysis")
async def analyse(websocket: WebSocket, service: Serving) -> None:
    """Takes an `AnalysisRequest`, sends an `AnalysisView` several times a second until it is finished."""

    async def begin(visitor: str) -> AsyncIterator[BaseModel]:
        return service.analyse(visitor, await first_message(websocket, views.AnalysisRequest))

    await serve(websocket, begin)


@router.websocket("/contests/{contest}/watch")
async def watch_contest(websocket: WebSocket, service: Serving, contest: RunId) -> None:
    """Sends the `ContestView`, and again after every change."""

    async def begin(visitor: str) -> AsyncIterator[BaseModel]:
        return service.watch_contest(contest)

    await serve(websocket, begin)


@router.websocket("/runs/{run}/watch")
async def watch_run(websocket: WebSocket, service: Serving, run: RunId) -> None:
    """Sends the `RunView`, and again after every change."""

    async def begin(visitor: str) -> AsyncIterator[BaseModel]:
        return service.watch_run(run)

    await serve(websocket, begin)


async def serve(websocket: WebSocket, begin: Open) -> None:
    """Send a stream until it ends or the client leaves; say what is refused."""
    await websocket.accept()
    with suppress(WebSocketDisconnect):
        try:
            stream = await begin(visitor_behind(websocket))
            await while_connected(send_all(websocket, stream), until_closed(websocket))
        except WebSocketDisconnect:
            raise
        except Exception as error:
            refusal = refusal_of(error)
            if refusal is None:
                await websocket.close(1011)
                raise
            if refusal.code != "gone":
                await websocket.send_json(error_body(refusal.code, str(refusal)))
                await websocket.close(1008)
        else:
            await websocket.close(1000)


async def send_all(websocket: WebSocket, stream: AsyncIterator[BaseModel]) -> None:
    async with closing(stream) as views_:
        async for view in views_:
            await websocket.send_text(view.model_dump_json())


async def until_closed(websocket: WebSocket) -> None:
    """Wait until the client has left; whatever else it sends is ignored."""
    while (await websocket.receive())["type"] != "websocket.disconnect":
        pass


async def first_message(websocket: WebSocket, kind: type[Asked]) -> Asked:
    """The request that opens a stream."""
    try:
        async with asyncio.timeout(REQUEST_S):
            message = await websocket.receive()
    except TimeoutError:
        raise Refused(400, "too_slow", f"no request within {REQUEST_S:.0f} seconds") from None
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    text = message.get("text")
    if text is None or len(text) > API_BODY_BYTES:
        raise Refused(400, "bad_json", f"a request is a text message of JSON, at most {API_BODY_BYTES:,} letters")
    try:
        return kind.model_validate(parse_json(text))
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None
