"""What every request passes first: the right host, the right origin, a body that is small and honest; and safe headers.

`Guard` is plain ASGI, so that WebSockets pass it too.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boyi.web.binding import is_loopback

API = "/api/"
API_BODY_BYTES = 64 * 1024
PAGE_BODY_BYTES = 1024 * 1024
FILE_BODY_BYTES = 1_400_000
FILE_PATHS = ("/api/v1/records", "/api/v1/records/read")
"""Where a body carries a file: as base64, a third longer than the file."""
PICTURE_BODY_BYTES = 16_200_000
PICTURE_PATHS = ("/api/v1/pictures/read", "/api/v1/pictures/look")
BODY_S = 20.0
DEPTH = 32
HUGE = 2**63
READING = ("GET", "HEAD", "OPTIONS")

COMMON_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# NiceGUI compiles its templates in the browser and starts from an inline script.
PAGE_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'none'"
)
API_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


class Refused(Exception):
    """A request that goes no further."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


def error_body(code: str, message: str) -> dict[str, str]:
    """The JSON of every error."""
    return {"error": code, "message": message}


class Guard:
    """The outermost ASGI middleware. `loopback_only`: refuse requests for any other host name (DNS rebinding)."""

    def __init__(self, app: ASGIApp, *, loopback_only: bool) -> None:
        self.app, self.loopback_only = app, loopback_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        in_api = scope["path"].startswith(API)

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                for name, value in COMMON_HEADERS.items():
                    sent.setdefault(name, value)
                sent.setdefault("Content-Security-Policy", API_POLICY if in_api else PAGE_POLICY)
                if in_api:
                    sent.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            self.check(scope, headers)
            if scope["type"] == "http":
                body, receive = await read_body(receive, body_limit(scope["path"]))
                if in_api and body:
                    check_content_type(headers)
                    parse_json(body)
            await self.app(scope, receive, send_safely)
        except Refused as refusal:
            await refuse(scope, receive, send_safely, refusal)

    def check(self, scope: Scope, headers: Headers) -> None:
        """Host, origin and address of a request."""
        host = headers.get("host", "")
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        if self.loopback_only and not is_loopback(name):
            raise Refused(403, "wrong_host", f"this server answers to localhost and 127.0.0.1, not to {host[:100]!r}")
        origin = headers.get("origin")
        if origin is not None and urlsplit_host(origin) != host.lower():
            raise Refused(403, "wrong_origin", "requests from other sites are refused")
        changes = scope["type"] == "websocket" or scope["method"] not in READING
        if changes and origin is None and headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            raise Refused(403, "wrong_origin", "requests from other sites are refused")
        if any(letter < " " for letter in scope["path"]) or b"%00" in scope["query_string"]:
            raise Refused(400, "bad_request", "an address holds no control characters")


def body_limit(path: str) -> int:
    """How long the body of a request may be."""
    if path in FILE_PATHS:
        return FILE_BODY_BYTES
    if path in PICTURE_PATHS:
        return PICTURE_BODY_BYTES
    return API_BODY_BYTES if path.startswith(API) else PAGE_BODY_BYTES


def urlsplit_host(origin: str) -> str | None:
    """Host and port of an `Origin`; None where it has none."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


async def refuse(scope: Scope, receive: Receive, send: Send, refusal: Refused) -> None:
    """Answer a refused request: an error as JSON, or a WebSocket closed before it opens."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": str(refusal)[:120]})
    else:
        response = JSONResponse(error_body(refusal.code, str(refusal)), refusal.status, {"Connection": "close"})
        await response(scope, receive, send)


async def read_body(receive: Receive, limit: int) -> tuple[bytes, Receive]:
    """Read the body of a request, no more than allowed; return it and a `receive` that plays it again."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return b"", once(message, receive)
                body += message.get("body", b"")
                if len(body) > limit:
                    raise Refused(413, "too_large", f"a body has at most {limit:,} bytes")
                more = message.get("more_body", False)
    except TimeoutError:
        raise Refused(400, "too_slow", f"the body did not arrive within {BODY_S:.0f} seconds") from None
    return bytes(body), once({"type": "http.request", "body": bytes(body), "more_body": False}, receive)


def once(first: Message, receive: Receive) -> Receive:
    """A `receive` that gives one message, then whatever comes."""
    waiting = [first]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


def check_content_type(headers: Mapping[str, str]) -> None:
    """A body is JSON, in UTF-8, not packed."""
    kind, *parameters = (part.strip().lower() for part in headers.get("content-type", "").split(";"))
    if kind != "application/json" or any(p not in ("", "charset=utf-8", 'charset="utf-8"') for p in parameters):
        raise Refused(415, "not_json", "a body is JSON: send Content-Type: application/json")
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise Refused(415, "not_json", "a body is not compressed: send no Content-Encoding")


def parse_json(body: bytes | str) -> Any:
    """JSON that means the same to everybody: UTF-8, no NaN, no endless nesting or numbers, no half characters."""
    try:
        text = body.decode() if isinstance(body, bytes) else body
        value = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise Refused(400, "bad_json", f"JSON nests at most {DEPTH} deep") from None
    except ValueError as error:
        raise Refused(400, "bad_json", f"not JSON: {str(error)[:120]}") from None
    level: Iterable[Any] = [value]
    for _ in range(DEPTH):
        level = [inner for item in level for inner in _children(item)]
        if not level:
            return value
    raise Refused(400, "bad_json", f"JSON nests at most {DEPTH} deep")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")


def _children(item: Any) -> Iterable[Any]:
    """Check one value and return what it holds."""
    if isinstance(item, str):
        if "\0" in item or (not item.isascii() and any("\ud800" <= letter <= "\udfff" for letter in item)):
            raise Refused(400, "bad_json", "a text holds no NUL and no half of a surrogate pair")
    elif isinstance(item, int | float):
        if abs(item) >= HUGE:
            raise Refused(400, "bad_json", "a number is below 2**63")
    elif isinstance(item, list):
        return item
    elif isinstance(item, dict):
        return [*item, *item.values()]
    return ()
