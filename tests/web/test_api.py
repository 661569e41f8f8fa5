"""Everything by the API: whole games, analysis, streams, and what belongs to whom."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

import boyi
from boyi.games import games
from boyi.web.process import ServerProcess

WAIT_S = 30
SMALL = {"connect6": "connect6:size=9", "gomoku": "gomoku:size=9,variant=renju"}


@contextmanager
def socket(server: ServerProcess, client: httpx.Client, path: str) -> Iterator[ClientConnection]:
    headers = {"Authorization": client.headers["Authorization"]}
    with connect(server.api.replace("http", "ws", 1) + path, additional_headers=headers) as made:
        yield made


def messages(stream: ClientConnection) -> Iterator[dict[str, Any]]:
    """Every message until the server closes."""
    try:
        while True:
            yield json.loads(stream.recv(WAIT_S))
    except ConnectionClosed:
        return


def ok(response: httpx.Response, status: int = 200) -> Any:
    assert response.status_code == status, response.text
    return response.json()


def start(client: httpx.Client, rules: str = "tictactoe", **wanted: Any) -> dict[str, Any]:
    return ok(client.post("/games", json={"rules": rules, "seats": ["human", "human"]} | wanted), 201)


def move(client: httpx.Client, game: dict[str, Any], text: str) -> httpx.Response:
    return client.post(f"/games/{game['id']}/moves", json={"move": text, "ply": len(game["moves"])})


def refused(response: httpx.Response, status: int, code: str) -> str:
    """The message of an error."""
    assert (response.status_code, response.json()["error"]) == (status, code), response.text
    assert set(response.json()) == {"error", "message"}
    return response.json()["message"]


def turn_of_human(client: httpx.Client, view: dict[str, Any], seat: int) -> dict[str, Any]:
    """The game when the human has something to do, or when it is over."""
    while view["status"] == "running" and view["position"]["mover"] != seat:
        path = f"/games/{view['id']}/watch"
        view = ok(client.get(path, params={"after": view["version"], "seconds": WAIT_S}))
    return view


@pytest.mark.parametrize("rules", [SMALL.get(name, name) for name in games()])
def test_a_whole_game_against_an_opponent(client: httpx.Client, rules: str) -> None:
    """Played at random; at the end the library, given the moves, sees the same."""
    draw = random.Random(5)
    view = start(client, rules, seats=["human", "random"], start="random" if rules == "einstein" else "usual")
    for _ in range(500):
        view = turn_of_human(client, view, 0)
        if view["status"] == "over":
            break
        if view["position"]["turn"] == -1:
            path = f"/games/{view['id']}/roll"
            view = ok(client.post(path, json={"ply": len(view["moves"])}))
        else:
            view = ok(move(client, view, draw.choice(view["position"]["moves"])["move"]))
    assert view["status"] == "over"
    position = boyi.game(rules).position(view["start"])
    for played in view["moves"]:
        assert position.turn == played["player"]
        position = position.play(played["move"])
    assert position.outcome
    assert view["outcome"]["winner"] == position.outcome.winner
    assert view["position"]["key"] == position.key
    assert view["position"]["cells"] == [list(row) for row in position.cells]


def test_two_humans_undo_rematch_swap(client: httpx.Client) -> None:
    view = start(client, name="Sunday")
    for text in ("a1", "b2"):
        view = ok(move(client, view, text))
    assert [played["move"] for played in view["moves"]] == ["a1", "b2"]
    assert view["can_undo"]
    view = ok(client.post(f"/games/{view['id']}/undo"))
    assert [played["move"] for played in view["moves"]] == ["a1"]
    view = ok(client.post(f"/games/{view['id']}/resign"))
    assert view["status"] == "over"
    assert view["outcome"]["reason"] == "resigned"
    refused(move(client, view, "c3"), 409, "conflict")
    again = ok(client.post(f"/games/{view['id']}/rematch", json={"swap": True}), 201)
    assert (again["id"] != view["id"], again["moves"], again["status"]) == (True, [], "running")
    listed = ok(client.get("/games"))["games"]
    assert [game["id"] for game in listed] == [again["id"], view["id"]]
    assert ok(client.patch(f"/games/{view['id']}", json={"name": "Monday"}))["name"] == "Monday"
    assert client.delete(f"/games/{view['id']}").status_code == 204
    refused(client.get(f"/games/{view['id']}"), 404, "not_found")
    assert [game["id"] for game in ok(client.get("/games"))["games"]] == [again["id"]]


def test_pages_of_games(client: httpx.Client) -> None:
    made = [start(client, rules)["id"] for rules in ("tictactoe", "othello", "tictactoe")]
    seen, after = [], None
    for _ in range(3):
        page = ok(client.get("/games", params={"limit": 1} | ({"after": after} if after else {})))
        seen += [game["id"] for game in page["games"]]
        after = page["next"]
    assert seen == made[::-1]
    kinds = ok(client.get("/games", params={"rules": "othello"}))["games"]
    assert [game["id"] for game in kinds] == [made[1]]


def test_swap_sides_and_pause(client: httpx.Client) -> None:
    view = start(client, seats=["human", "random"])
    swapped = ok(client.post(f"/games/{view['id']}/swap"))
    assert swapped["seats"] == ["random", "human"]
    view = turn_of_human(client, swapped, 1)
    assert len(view["moves"]) == 1
    engines = start(client, "othello", seats=["random", "random"])
    paused = ok(client.post(f"/games/{engines['id']}/pause"))
    assert paused["paused"]
    plies = len(paused["moves"])
    assert len(ok(client.get(f"/games/{engines['id']}"))["moves"]) == plies
    assert not ok(client.post(f"/games/{engines['id']}/go-on"))["paused"]


def test_a_move_sent_twice_is_played_once_and_one_for_the_past_is_refused(client: httpx.Client) -> None:
    view = start(client)
    first = ok(move(client, view, "a1"))
    again = ok(move(client, view, "a1"))
    assert again["moves"] == first["moves"]
    refused(move(client, view, "b2"), 409, "conflict")
    assert "b2" in refused(move(client, first, "a1"), 422, "illegal_move")


def test_dice_by_hand(client: httpx.Client) -> None:
    view = start(client, "einstein", dice="hand")
    assert view["position"]["turn"] == -1
    refused(client.post(f"/games/{view['id']}/roll", json={"ply": 0}), 409, "conflict")
    view = ok(move(client, view, "4"))
    assert view["moves"][0]["move"] == "4"
    assert view["moves"][0]["player"] == -1
    assert view["position"]["turn"] == 0


def test_clock_in_views(client: httpx.Client) -> None:
    view = start(client, clock={"minutes": 5, "increment_s": 2})
    assert view["clock"] == {"minutes": 5, "increment_s": 2}
    assert all(290 < left <= 300 for left in view["remaining_s"])


def test_watch_stream(server: ServerProcess, client: httpx.Client) -> None:
    view = start(client)
    with socket(server, client, f"/games/{view['id']}/watch") as stream:
        assert json.loads(stream.recv(WAIT_S))["moves"] == []
        ok(move(client, view, "b2"))
        while not (seen := json.loads(stream.recv(WAIT_S))["moves"]):
            pass
        assert seen[0]["move"] == "b2"


def test_long_poll_times_out_with_what_is_there(client: httpx.Client) -> None:
    view = start(client)
    path = f"/games/{view['id']}/watch"
    assert ok(client.get(path))["version"] == view["version"]
    assert ok(client.get(path, params={"after": view["version"], "seconds": 0.2}))["version"] == view["version"]


def test_share(client: httpx.Client, stranger: httpx.Client) -> None:
    view = ok(move(client, start(client), "b2"))
    token = ok(client.post(f"/games/{view['id']}/share"))["share"]
    assert token != view["id"]
    for response in (stranger.get(f"/shared/{token}"), httpx.get(f"{client.base_url}shared/{token}", timeout=60)):
        seen = ok(response)
        assert (seen["moves"][0]["move"], seen["mine"]) == ("b2", False)
    refused(client.get(f"/shared/{token[:-1]}x"), 404, "not_found")


def test_other_peoples_games(server: ServerProcess, client: httpx.Client, stranger: httpx.Client) -> None:
    """Somebody else's game looks like none, whatever is tried."""
    view = start(client)
    path = f"/games/{view['id']}"
    tries = [
        stranger.get(path),
        stranger.delete(path),
        stranger.patch(path, json={"name": "mine"}),
        stranger.get(f"{path}/watch"),
        move(stranger, view, "a1"),
        stranger.post(f"{path}/roll", json={"ply": 0}),
        *(
            stranger.post(f"{path}/{action}")
            for action in ("undo", "resign", "swap", "pause", "go-on", "share", "hint")
        ),
        stranger.post(f"{path}/rematch", json={}),
        stranger.get(f"{path}/export/json"),
        stranger.get(f"{path}/review"),
        stranger.post(f"{path}/review", json={}),
    ]
    messages_ = {refused(response, 404, "not_found").replace(view["id"], "?") for response in tries}
    forged = stranger.get("/games/" + "0" * len(view["id"]))
    assert refused(forged, 404, "not_found").replace("0" * len(view["id"]), "?") in messages_
    assert ok(stranger.get("/games"))["games"] == []
    with socket(server, stranger, f"{path}/watch") as stream:
        assert json.loads(stream.recv(WAIT_S))["error"] == "not_found"
    assert ok(client.get(path))["moves"] == []


def test_without_a_visitor(server: ServerProcess) -> None:
    with httpx.Client(base_url=server.api, timeout=60) as nobody:
        refused(nobody.get("/games"), 401, "no_visitor")
        for token in ("x", "../../etc/passwd", "' OR 1=1 --", "A" * 5000):
            refused(nobody.get("/games", headers={"Authorization": f"Bearer {token}"}), 401, "no_visitor")
        forged = nobody.get("/games", headers={"Authorization": "Bearer " + "A" * 43})
        assert ok(forged)["games"] == []
        with connect(server.api.replace("http", "ws", 1) + "/analysis") as stream:
            assert json.loads(stream.recv(WAIT_S))["error"] == "no_visitor"


def test_cookie_or_bearer(server: ServerProcess) -> None:
    with httpx.Client(base_url=server.api, timeout=60) as browser:
        made = browser.post("/visitors")
        cookie = made.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        game = start(browser)
        token = made.json()["token"]
        assert "set-cookie" not in browser.post("/visitors").headers
        with httpx.Client(base_url=server.api, timeout=60, headers={"Authorization": f"Bearer {token}"}) as program:
            assert ok(program.get(f"/games/{game['id']}"))["mine"]


def test_preferences(client: httpx.Client, stranger: httpx.Client) -> None:
    assert ok(client.get("/preferences"))["language"] == "en"
    wanted = {"language": "zh-Hant", "theme": "dark"}
    assert ok(client.put("/preferences", json=wanted))["theme"] == "dark"
    assert ok(client.get("/preferences"))["language"] == "zh-Hant"
    assert ok(stranger.get("/preferences"))["language"] == "en"
    refused(client.put("/preferences", json={"language": "tlh"}), 422, "invalid")


def test_status_and_catalogue(client: httpx.Client) -> None:
    found = ok(client.get("/catalogue"))
    assert {game["name"] for game in found["games"]} == set(games())
    assert "random" in [opponent["name"] for opponent in found["opponents"]]
    assert ok(client.get("/status"))["workers"] == 2


def test_positions(client: httpx.Client) -> None:
    shown = ok(client.post("/positions", json={"rules": "othello", "moves": ["d3"]}))
    assert shown["key"] == boyi.game("othello").start().play("d3").key
    cells = [["X", "X", ""], ["O", "", ""], ["", "", "O"]]
    composed = ok(client.post("/positions/compose", json={"rules": "tictactoe", "cells": cells, "turn": 0}))
    assert composed["cells"] == cells
    wanted = {"rules": "tictactoe", "key": composed["key"]}
    drawn = client.post("/positions/picture", json=wanted)
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert drawn.content.lstrip().startswith(b"<svg")
    assert client.post("/positions/picture", json=wanted | {"format": "png"}).content.startswith(b"\x89PNG")
    refused(client.post("/positions", json={"rules": "othello", "key": "nonsense"}), 422, "bad_position")


def test_analysis(server: ServerProcess, client: httpx.Client) -> None:
    """At once, known afterwards, and as a stream."""
    wanted = {"rules": "tictactoe", "key": "XX1/OO1/3", "seconds": 0.5}
    once = ok(client.post("/analysis", json=wanted))
    assert once["finished"]
    assert (once["move"], once["value"]) == ("c3", 1.0)
    known = ok(client.get("/analysis", params={"rules": wanted["rules"], "key": wanted["key"]}))
    assert known["move"] == "c3"
    fresh = {"rules": "othello", "key": boyi.game("othello").start().key}
    with socket(server, client, "/analysis") as stream:
        stream.send(json.dumps(fresh | {"seconds": 1}))
        views = list(messages(stream))
    assert len(views) > 1
    assert [view["finished"] for view in views[-2:]] == [False, True]
    assert views[-1]["simulations"] > 0
    with socket(server, client, "/analysis") as stream:
        stream.send('{"rules": "othello", "key": "x", "seconds": 1e9}')
        assert [view["error"] for view in messages(stream)] == ["invalid"]
    with socket(server, client, "/analysis") as stream:
        stream.send("[" * 60000)
        assert [view["error"] for view in messages(stream)] == ["bad_json"]


def test_leaving_an_analysis_frees_its_engine(server: ServerProcess, client: httpx.Client) -> None:
    """Ten clients one after the other ask for ten minutes, look once and leave."""
    key = boyi.game("gomoku").start().key
    for _ in range(10):
        with socket(server, client, "/analysis") as stream:
            stream.send(json.dumps({"rules": "gomoku", "key": key, "seconds": 600}))
            assert "lines" in json.loads(stream.recv(WAIT_S))
    with pytest.raises(httpx.ReadTimeout):
        client.post("/analysis", json={"rules": "gomoku", "key": key, "seconds": 600}, timeout=0.5)
    view = start(client, seats=["random", "human"])
    assert len(turn_of_human(client, view, 1)["moves"]) == 1


def test_hint_and_review(server: ServerProcess, client: httpx.Client) -> None:
    view = start(client)
    for text in ("a1", "b2", "a2"):
        view = ok(move(client, view, text))
    hint = ok(client.post(f"/games/{view['id']}/hint"))
    assert hint["move"] == "a3"
    assert client.get(f"/games/{view['id']}/review").json() is None
    review = ok(client.post(f"/games/{view['id']}/review", json={"seconds_per_move": 0.05}))
    assert review["finished"]
    assert len(review["points"]) == 4
    assert ok(client.get(f"/games/{view['id']}/review"))["points"] == review["points"]
    with socket(server, client, f"/games/{view['id']}/review") as stream:
        stream.send('{"seconds_per_move": 0.05}')
        assert list(messages(stream))[-1]["finished"]


def test_export(client: httpx.Client) -> None:
    view = ok(move(client, start(client, name='../../<svg onload="x">\u202e.exe'), "b2"))
    path = f"/games/{view['id']}/export"
    assert client.get(f"{path}/key").text.strip() == view["position"]["key"]
    assert "b2" in client.get(f"{path}/moves").text
    assert client.get(f"{path}/json").json()
    assert client.get(f"{path}/svg", params={"theme": "dark"}).content.lstrip().startswith(b"<svg")
    picture = client.get(f"{path}/png")
    assert picture.content.startswith(b"\x89PNG")
    disposition = picture.headers["content-disposition"]
    assert disposition.startswith("attachment; filename*=UTF-8''")
    assert not set(disposition) & set('<>"/\\')
    refused(client.get(f"{path}/exe"), 422, "invalid")
    refused(client.get(f"{path}/svg", params={"theme": "../x"}), 422, "invalid")


def test_websocket_path_ids_are_checked(server: ServerProcess, client: httpx.Client) -> None:
    with pytest.raises(InvalidStatus), socket(server, client, "/games/a'b/watch"):
        pass


def test_training_options_of_either_net(client: httpx.Client) -> None:
    quick = ok(client.get("/training/options", params={"rules": "tictactoe", "method": "quick"}))
    assert (quick["method"], quick["minutes"], quick["simulations"]) == ("quick", 10, None)
    deep = ok(client.get("/training/options", params={"rules": "tictactoe"}))
    assert deep["method"] == "deep"
    assert deep["simulations"] > 0
    wrong = client.post("/runs", json={"rules": "tictactoe", "method": "quick", "simulations": 8})
    assert (wrong.status_code, wrong.json()["error"]) == (422, "bad_parameter")
    assert "simulations is no option of a quick net" in wrong.json()["message"]


def test_own_games_are_names_only(server: ServerProcess, client: httpx.Client) -> None:
    found = ok(client.get("/own-games"))
    assert (found["allowed"], found["games"]) == (True, [])
    assert found["folder"] == str(server.folder / "games")
    assert client.post("/own-games/nothing/check").status_code == 404
    for path in ("/own-games/..%2Fup/check", "/own-games/a.py/check"):
        assert client.post(path).status_code in (404, 422)
