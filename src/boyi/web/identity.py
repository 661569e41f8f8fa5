"""Who asks: a visitor is whoever holds a secret token, in a cookie or as `Authorization: Bearer`.

There are no accounts. A browser gets its token with the first page, a program from `POST /api/v1/visitors`.
"""

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boyi.service.service import Service

COOKIE = "boyi_visitor"
YEAR_S = 365 * 24 * 3600
TOKEN = re.compile(r"[A-Za-z0-9_-]{20,200}")


def token_of(connection: HTTPConnection) -> str | None:
    """The token a request carries; None without one, or with one that the service never gave out."""
    scheme, _, bearer = connection.headers.get("authorization", "").partition(" ")
    token = bearer.strip() if scheme.lower() == "bearer" else connection.cookies.get(COOKIE, "")
    return token if TOKEN.fullmatch(token) else None


def remember(response: Response, token: str, connection: HTTPConnection) -> None:
    """Give the browser its token, out of reach of scripts and of other sites."""
    response.set_cookie(
        COOKIE, token, max_age=YEAR_S, httponly=True, samesite="lax", secure=connection.url.scheme in ("https", "wss")
    )


class Visitors:
    """ASGI middleware for the pages: `request.state.visitor` is the id of who asks, a first-time visitor's too."""

    def __init__(self, app: ASGIApp, *, service: Service) -> None:
        self.app, self.service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(("/api/", "/_nicegui")):
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        token = token_of(connection) or await self.service.new_visitor()
        scope.setdefault("state", {})["visitor"] = self.service.visitor(token)

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_page(Headers(raw=message.get("headers", []))):
                carrier = Response()
                remember(carrier, token, connection)
                MutableHeaders(scope=message).append("set-cookie", carrier.headers["set-cookie"])
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def _is_page(headers: Headers) -> bool:
    return headers.get("content-type", "").startswith("text/html")
