"""The password of a server that others can reach: one for everybody, asked for once a browser.

`Gate` knows the password, `GateKeeper` lets nobody past without a ticket (WebSockets included), `login_routes` is the
form, which works without scripts. Wrong passwords make the same address wait, twice as long each time.
"""

import hashlib
import hmac
import html
import ipaddress
import time
from collections import OrderedDict
from urllib.parse import parse_qs, quote

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from boyi.web.security import Refused, error_body, refuse

COOKIE = "boyi_login"
PATH = "/login"
OPEN_PATHS = (PATH, "/api/v1/login")
TICKET_S = 30 * 24 * 3600
FREE_FAILURES = 3
LONGEST_WAIT_S = 900.0
ADDRESSES = 10_000


class Gate:
    """The password, the tickets of those who knew it, and the failures of those who did not."""

    def __init__(self, password: str, secret: str) -> None:
        self._password = hashlib.sha256(password.encode()).digest()
        self._key = hmac.digest(secret.encode(), b"ticket" + self._password, "sha256")
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait_s(self, address: str) -> float:
        """How long an address has to wait before its next attempt."""
        return max(0.0, self._failures.get(_network(address), (0, 0.0))[1] - time.monotonic())

    def attempt(self, address: str, password: str) -> bool:
        """Whether the password is right; every failure is remembered."""
        network = _network(address)
        given = hashlib.sha256(password.encode("utf-8", "surrogatepass")).digest()
        if hmac.compare_digest(given, self._password):
            self._failures.pop(network, None)
            return True
        count = self._failures.pop(network, (0, 0.0))[0] + 1
        wait = min(LONGEST_WAIT_S, 2.0 ** (count - FREE_FAILURES)) if count >= FREE_FAILURES else 0.0
        self._failures[network] = count, time.monotonic() + wait
        if len(self._failures) > ADDRESSES:
            self._failures.popitem(last=False)
        return False

    def ticket(self) -> str:
        """A signed text that says until when its holder may pass."""
        until = str(int(time.time()) + TICKET_S)
        return f"{until}.{self._sign(until)}"

    def admits(self, connection: HTTPConnection) -> bool:
        """Whether a request carries a ticket that holds."""
        until, _, signature = connection.cookies.get(COOKIE, "").partition(".")
        right = hmac.compare_digest(signature.encode(), self._sign(until).encode())
        return right and until.isdecimal() and int(until) > time.time()

    def admit(self, response: Response, connection: HTTPConnection) -> None:
        """Hand out a ticket."""
        secure = connection.url.scheme == "https"
        response.set_cookie(COOKIE, self.ticket(), max_age=TICKET_S, httponly=True, samesite="lax", secure=secure)

    def _sign(self, until: str) -> str:
        return hmac.new(self._key, until.encode(), "sha256").hexdigest()


def _network(address: str) -> str:
    """What counts as one address: one of IPv4, a /64 of IPv6, which one customer has whole."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(found) if found.version == 4 else str(ipaddress.ip_network((found, 64), strict=False))


class GateKeeper:
    """ASGI middleware: without a ticket there is the login, and nothing else."""

    def __init__(self, app: ASGIApp, *, gate: Gate) -> None:
        self.app, self.gate = app, gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or scope["path"] in OPEN_PATHS or self.gate.admits(HTTPConnection(scope)):
            await self.app(scope, receive, send)
            return
        wants_page = (
            scope["type"] == "http"
            and scope["method"] == "GET"
            and "text/html" in HTTPConnection(scope).headers.get("accept", "")
        )
        if wants_page:
            query = "?" + scope["query_string"].decode("latin-1") if scope["query_string"] else ""
            there = quote(scope["path"] + query, safe="/")
            await RedirectResponse(f"{PATH}?next={there}", 303)(scope, receive, send)
        else:
            refusal = Refused(401, "login_needed", "this server asks for a password: POST /api/v1/login")
            await refuse(scope, receive, send, refusal)


def client_address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


def too_many(wait_s: float) -> JSONResponse:
    """The answer to an attempt that comes too early."""
    seconds = int(wait_s) + 1
    body = error_body("too_many_attempts", f"too many wrong passwords; try again in {seconds} s")
    return JSONResponse(body, 429, {"Retry-After": str(seconds)})


def login_routes(gate: Gate) -> list[Route]:
    """The login page, as a plain form."""

    async def form(request: Request) -> Response:
        return _page(request, there=safe_target(request.query_params.get("next", "/")))

    async def enter(request: Request) -> Response:
        body = (await request.body())[:4096].decode("utf-8", "replace")
        fields = parse_qs(body, keep_blank_values=True, max_num_fields=None)
        there = safe_target(fields.get("next", ["/"])[0])
        address = client_address(request)
        if wait := gate.wait_s(address):
            seconds = int(wait) + 1
            return _page(request, there=there, wait_s=seconds, status=429)
        if not gate.attempt(address, fields.get("password", [""])[0]):
            return _page(request, there=there, wrong=True, status=401)
        response = RedirectResponse(there, 303)
        gate.admit(response, request)
        return response

    return [Route(PATH, form, methods=["GET"]), Route(PATH, enter, methods=["POST"])]


def safe_target(path: str) -> str:
    """Where to go after the login: a path of this server, whatever was asked for."""
    plain = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if plain else "/"


WORDS = {
    "en": ("Password", "Enter", "That is not the password.", "Too many attempts. Try again in {} s."),
    "zh-Hant": ("密碼", "進入", "密碼不正確。", "嘗試次數過多，請於 {} 秒後再試。"),
    "zh-Hans": ("密码", "进入", "密码不正确。", "尝试次数过多，请在 {} 秒后再试。"),
}


def language_of(accepted: str) -> str:
    """The language of the form: the first known one a browser asks for."""
    for wish in accepted.lower().split(","):
        tag = wish.partition(";")[0].strip()
        if tag.startswith("zh"):
            return "zh-Hant" if any(part in tag for part in ("hant", "tw", "hk", "mo")) else "zh-Hans"
        if tag.startswith("en"):
            break
    return "en"


def _page(request: Request, *, there: str, wrong: bool = False, wait_s: int = 0, status: int = 200) -> Response:
    language = language_of(request.headers.get("accept-language", ""))
    label, button, refusal, patience = WORDS[language]
    note = patience.format(wait_s) if wait_s else refusal if wrong else ""
    page = f"""<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>Boyi 博弈</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {{ color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif; }}
body {{ display: grid; place-items: center; min-height: 90vh; margin: 0; }}
form {{ display: grid; gap: .8rem; width: min(18rem, 90vw); }}
h1 {{ margin: 0; font-weight: 600; }}
input, button {{ font: inherit; padding: .5rem .7rem; }}
p {{ margin: 0; color: light-dark(#a11, #f88); }}
</style></head><body><form method="post" action="{PATH}"><h1>Boyi 博弈</h1>
<label for="password">{label}</label>
<input id="password" name="password" type="password" autocomplete="current-password" autofocus required>
<input name="next" type="hidden" value="{html.escape(there)}">
<button>{button}</button><p role="alert">{note}</p></form></body></html>"""
    headers = {"Cache-Control": "no-store"} | ({"Retry-After": str(wait_s)} if wait_s else {})
    return HTMLResponse(page, status, headers)
