"""Bad input, other sites, other hosts, the password: clear refusals, nothing executed, nothing leaked."""

import functools
import gzip
import json
import socket as sockets
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from boyi.web import login
from boyi.web.binding import is_loopback
from boyi.web.login import Gate, language_of, safe_target
from boyi.web.process import ServerProcess
from boyi.web.security import API_BODY_BYTES, Refused, parse_json

JSON = {"Content-Type": "application/json"}
get = functools.partial(httpx.get, timeout=60)
post = functools.partial(httpx.post, timeout=60)
PASSWORD = "correct horse 博弈"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"{", 400),
        (b"null", 422),
        (b"[]", 422),
        (b'"text"', 422),
        (b"{} {}", 400),
        (b"[" * 60_000, 400),
        (b"[" * 500 + b"]" * 500, 400),
        (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, 400),
        (b'{"rules": "tictactoe", "clock": {"minutes": NaN}}', 400),
        (b'{"rules": "tictactoe", "clock": {"minutes": Infinity}}', 400),
        (b'{"rules": "tictactoe", "clock": {"minutes": 1e999}}', 400),
        (b'{"rules": "tictactoe", "clock": {"minutes": ' + b"9" * 5000 + b"}}", 400),
        (b'{"rules": "tictactoe", "clock": {"minutes": ' + b"9" * 50 + b"}}", 400),
        (b'{"rules": "tictactoe\\u0000"}', 400),
        (b'{"rules": "\\ud800"}', 400),
        (b'{"\\udfff": 1}', 400),
        (b'{"rules": "\xff\xfe"}', 400),
        (b'{"rules": "tictactoe", "extra": 1}', 422),
        (b'{"rules": "/etc/passwd"}', 422),
        (b'{"rules": "examples/connect_four.py"}', 422),
        (b'{"rules": "tictactoe", "seats": ["human", "cmd:gtp:touch /tmp/x"]}', 404),
        (b'{"rules": "tictactoe", "seats": ["human", "mcts:sims=1000000000"]}', 404),
        (b'{"rules": "gomoku:size=1000000"}', 422),
        (b'{"rules": "tictactoe", "start": "../../../etc/passwd"}', 422),
        (b'{"rules": "tictactoe", "moves": [' + b'"a1",' * 1500 + b'"a1"]}', 422),
        (b'{"rules": "' + b"x" * API_BODY_BYTES + b'"}', 413),
    ],
)
def test_hostile_bodies(client: httpx.Client, body: bytes, status: int) -> None:
    response = client.post("/games", content=body, headers=JSON)
    assert response.status_code == status, response.text
    assert set(response.json()) == {"error", "message"}
    assert len(response.text) < 2000
    assert "Traceback" not in response.text
    assert client.get("/games").json()["games"] == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": ""},
        {},
    ],
)
def test_wrong_content_types(client: httpx.Client, headers: dict[str, str]) -> None:
    response = client.post("/games", content=b'{"rules": "tictactoe"}', headers=headers)
    assert (response.status_code, response.json()["error"]) == (415, "not_json")


def test_compressed_bodies_are_refused(client: httpx.Client) -> None:
    bomb = gzip.compress(b" " * 2_000_000)
    response = client.post("/games", content=bomb, headers=JSON | {"Content-Encoding": "gzip"})
    assert response.status_code == 415


def test_an_endless_body_is_cut_off(server: ServerProcess) -> None:
    """The limit holds while reading: a body without an end gets its answer."""

    def endless() -> Iterator[bytes]:
        for _ in range(1000):
            yield b" " * 65536

    for path, limit in (("/api/v1/games", "65,536"), ("/", "1,048,576")):
        try:
            response = post(server.url + path, content=endless(), headers=JSON)
        except httpx.WriteError:
            continue  # the connection went before all was sent, which is as good
        assert response.status_code == 413
        assert limit in response.json()["message"]


@pytest.mark.parametrize(
    "path",
    [
        "/games/../../../../etc/passwd",
        "/games/..%2f..%2f..%2fetc%2fpasswd",
        "/games/%2e%2e/%2e%2e/secret",
        "/games/%00",
        "/games/a%27%20OR%201%3D1",
        "/games?rules=%00",
        "/shared/..%5c..%5cboyi.db",
        "/games/x/export/..%2fsecret",
        "/../secret",
        "//etc/passwd",
        "/games/" + "a" * 5000,
        "/games/%ff%fe",
        "/nothing",
    ],
)
def test_path_tricks(server: ServerProcess, client: httpx.Client, path: str) -> None:
    """Sent as they are, without a client that tidies up."""
    address = urlsplit(server.url)
    assert address.hostname
    assert address.port
    with sockets.create_connection((address.hostname, address.port), timeout=20) as raw:
        head = (
            f"GET /api/v1{path} HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: close\r\n"
            f"Authorization: {client.headers['Authorization']}\r\n\r\n"
        )
        raw.sendall(head.encode())
        answer = b""
        while part := raw.recv(65536):
            answer += part
    status = int(answer.split(b" ", 2)[1])
    assert status in (400, 404, 422), answer[:500]
    assert b"root:" not in answer


def test_script_in_names(server: ServerProcess, client: httpx.Client) -> None:
    """A name is a text wherever it shows: quoted in JSON, escaped in pictures, never HTML."""
    name = "<script>alert(1)</script><img src=x onerror=alert(1)>&\"'"
    made = client.post("/games", json={"rules": "tictactoe", "seats": ["human", "human"], "name": name}).json()
    shown = client.get(f"/games/{made['id']}")
    assert shown.json()["name"] == name
    assert shown.headers["content-type"] == "application/json"
    picture = client.get(f"/games/{made['id']}/export/svg").text
    assert "<script" not in picture
    assert "<img" not in picture
    token = client.post(f"/games/{made['id']}/share").json()["share"]
    for path in (f"/shared/{token}", f"/game/{made['id']}"):
        page = get(server.url + path, headers={"Accept": "text/html", **client.headers})
        assert page.status_code == 200
        assert "<script>alert(1)" not in page.text
        assert "<img src=x" not in page.text


def test_safe_headers(server: ServerProcess, client: httpx.Client) -> None:
    for response in (client.get("/status"), client.get("/nothing"), get(server.url), client.post("/games")):
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "same-origin"
        assert "frame-ancestors 'none'" in response.headers["content-security-policy"]
        assert "access-control-allow-origin" not in response.headers
        assert "server" not in response.headers
    assert "default-src 'none'" in client.get("/status").headers["content-security-policy"]
    assert client.get("/games").headers["cache-control"] == "no-store"
    page = get(server.url)
    assert "httponly" in page.headers["set-cookie"].lower()
    assert "http://" not in page.text.replace("http://www.w3.org", "")
    assert "https://" not in page.text


def test_wrong_methods(client: httpx.Client) -> None:
    for method, path in (("PUT", "/games"), ("POST", "/status"), ("TRACE", "/status"), ("DELETE", "/catalogue")):
        response = client.request(method, path)
        assert (response.status_code, response.json()["error"]) == (405, "method_not_allowed")


def test_other_sites(server: ServerProcess, client: httpx.Client) -> None:
    """Neither a form nor a script nor a socket of another site gets through, with whatever it looks like."""
    wanted = {"rules": "tictactoe"}
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": server.url.replace("127.0.0.1", "127.0.0.1.evil.example")},
        {"Origin": "http://[" + "x"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        response = client.post("/games", json=wanted, headers=headers)
        assert (response.status_code, response.json()["error"]) == (403, "wrong_origin")
    assert client.get("/games").json()["games"] == []
    own = {"Origin": server.url, "Sec-Fetch-Site": "same-origin"}
    assert client.post("/games", json=wanted, headers=own).status_code == 201
    for path in ("/api/v1/analysis", "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"):
        address = server.url.replace("http", "ws", 1) + path
        with pytest.raises(InvalidStatus, match="403"), connect(address, origin="https://evil.example"):  # type: ignore[arg-type]
            pass
    polling = server.url + "/_nicegui_ws/socket.io/?EIO=4&transport=polling"
    assert get(polling, headers={"Origin": "https://evil.example"}).status_code == 403
    link = get(server.url, headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})
    assert link.status_code == 200


def test_other_host_names(server: ServerProcess, client: httpx.Client) -> None:
    """A name of somebody else's that points here (DNS rebinding) is refused."""
    port = urlsplit(server.url).port
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "192.168.0.1", ""):
        response = client.get("/status", headers={"Host": host})
        assert (response.status_code, response.json()["error"]) == (403, "wrong_host")
    for host in (f"localhost:{port}", f"127.0.0.1:{port}", "localhost", f"[::1]:{port}"):
        assert client.get("/status", headers={"Host": host}).status_code == 200


def test_loopback() -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost")] == [True] * 5
    assert [is_loopback(host) for host in ("0.0.0.0", "::", "", "10.0.0.1", "localhost.evil.example")] == [False] * 5


def parsed(text: str | bytes) -> list[object]:
    """The value in a list, or nothing where it is refused."""
    try:
        return [parse_json(text)]
    except Refused as refusal:
        if (refusal.status, refusal.code) != (400, "bad_json"):
            raise
        return []


@settings(max_examples=40, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=20))
def test_json_is_parsed_or_refused(value: object) -> None:
    assert parsed(json.dumps(value)) in ([value], [])


@settings(max_examples=40, deadline=None)
@given(st.recursive(st.integers(0, 9) | st.text("abcdé漢"), lambda inner: st.dictionaries(st.text("ab"), inner)))
def test_honest_json_is_parsed(value: object) -> None:
    assert parsed(json.dumps(value)) == [value]


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=200))
def test_bytes_are_parsed_or_refused(body: bytes) -> None:
    assert len(parsed(body)) <= 1


# The password


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that asks for a password; it listens everywhere, as only such a server may."""
    folder = tmp_path_factory.mktemp("locked")
    (folder / "password").write_text(f"{PASSWORD}\n", encoding="utf-8")
    arguments = ("--host", "0.0.0.0", "--workers", "1", "--password-file", str(folder / "password"))
    with ServerProcess(folder, *arguments) as running:
        yield running


def test_nothing_is_open_without_the_password(locked: ServerProcess) -> None:
    for path in ("/api/v1/status", "/api/v1/openapi.json", "/_nicegui_ws/socket.io/?EIO=4&transport=polling", "/x"):
        response = get(locked.url + path)
        assert (response.status_code, response.json()["error"]) == (401, "login_needed")
    for path in ("/api/v1/analysis", "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"):
        with pytest.raises(InvalidStatus, match="403"), connect(locked.url.replace("http", "ws", 1) + path):
            pass
    page = get(locked.url + "/games?rules=othello", headers={"Accept": "text/html"})
    assert page.status_code == 303
    assert page.headers["location"] == "/login?next=/games%3Frules%3Dothello"
    assert 'value="/games?rules=othello"' in get(locked.url + page.headers["location"]).text
    forged = get(locked.api + "/status", cookies={"boyi_login": "99999999999.deadbeef"})
    assert forged.status_code == 401


def test_the_form_lets_in(locked: ServerProcess) -> None:
    with httpx.Client(base_url=locked.url, timeout=60) as browser:
        wrong = browser.post("/login", data={"password": "wrong", "next": "/games"})
        assert wrong.status_code == 401
        assert "That is not the password." in wrong.text
        right = browser.post("/login", data={"password": PASSWORD, "next": "/games"})
        assert (right.status_code, right.headers["location"]) == (303, "/games")
        cookie = right.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert browser.get("/api/v1/status").status_code == 200
        assert browser.get("/", headers={"Accept": "text/html"}).status_code == 200
        ticket = f"boyi_login={browser.cookies['boyi_login']}"
        with connect(locked.url.replace("http", "ws", 1) + "/api/v1/analysis", additional_headers={"Cookie": ticket}):
            pass


def test_the_api_lets_in(locked: ServerProcess, server: ServerProcess) -> None:
    with httpx.Client(base_url=locked.api, timeout=60) as program:
        assert program.post("/login", json={"password": ""}).json()["error"] == "wrong_password"
        assert program.post("/login", json={"password": PASSWORD}).status_code == 204
        assert program.get("/status").status_code == 200
    open_server = post(server.api + "/login", json={"password": "whatever"})
    assert (open_server.status_code, open_server.headers.get("set-cookie")) == (204, None)


def refused(locked: ServerProcess, send: Callable[[], httpx.Response]) -> httpx.Response:
    """The answer to somebody who has to wait. On a busy computer a wait can be over when they ask: then once more."""
    for _ in range(10):
        guesses = (post(locked.api + "/login", json={"password": f"guess {i}"}).status_code for i in range(20))
        assert 429 in guesses
        if (answer := send()).status_code == 429:
            return answer
    raise AssertionError("nobody has to wait")


def test_wrong_passwords_make_wait(locked: ServerProcess) -> None:
    """Three for nothing; then 429 with the time to wait, for the right password too."""
    assert [post(locked.api + "/login", json={"password": f"{i}"}).status_code for i in range(3)] == [401] * 3
    late = refused(locked, lambda: post(locked.api + "/login", json={"password": PASSWORD}))
    assert int(late.headers["retry-after"]) >= 1
    chinese = {"Accept-Language": "zh-TW"}
    form = refused(locked, lambda: post(locked.url + "/login", data={"password": PASSWORD}, headers=chinese))
    assert "請於" in form.text


def test_waits_double_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 1000.0
    monkeypatch.setattr(login.time, "monotonic", lambda: clock)
    gate = Gate("right", "secret")
    waits = []
    for _ in range(20):
        assert not gate.attempt("10.0.0.1", "wrong")
        waits.append(gate.wait_s("10.0.0.1"))
    assert waits[:7] == [0, 0, 1, 2, 4, 8, 16]
    assert waits[-1] == 900
    assert gate.wait_s("10.0.0.2") == 0
    clock += 901
    assert gate.wait_s("10.0.0.1") == 0
    assert gate.attempt("10.0.0.1", "right")
    assert not gate.attempt("2001:db8::1", "wrong")
    for _ in range(3):
        gate.attempt("2001:db8::ffff", "wrong")
    assert gate.wait_s("2001:db8::1") > 0


def test_tickets_end_with_time_secret_and_password(monkeypatch: pytest.MonkeyPatch) -> None:
    def admits(gate: Gate, ticket: str) -> bool:
        from starlette.requests import HTTPConnection

        cookie = [(b"cookie", f"boyi_login={ticket}".encode())]
        return gate.admits(HTTPConnection({"type": "http", "headers": cookie}))

    gate = Gate("right", "secret")
    ticket = gate.ticket()
    assert admits(gate, ticket)
    assert admits(Gate("right", "secret"), ticket)
    assert not admits(Gate("other", "secret"), ticket)
    assert not admits(Gate("right", "other"), ticket)
    until, _, signature = ticket.partition(".")
    assert not admits(gate, f"{int(until) + 1}.{signature}")
    monkeypatch.setattr(login.time, "time", lambda: float(until) + 1)
    assert not admits(gate, ticket)


def test_where_a_login_leads() -> None:
    assert [safe_target(path) for path in ("/", "/games?a=1", "/遊戲")] == ["/", "/games?a=1", "/遊戲"]
    for path in ("//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "", "/\r\nX: y"):
        assert safe_target(path) == "/"


def test_language_of_the_form() -> None:
    asked = ("", "de,en;q=0.5", "zh-TW,zh;q=0.9", "zh-CN", "zh-Hant-HK", "en,zh")
    assert [language_of(a) for a in asked] == ["en", "en", "zh-Hant", "zh-Hans", "zh-Hant", "en"]
