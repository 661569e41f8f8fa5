"""Our own JSON lines: many positions in flight, partial results, priorities, termination, errors."""

import json
from typing import Any

import pytest
from engine_sessions import Session, answers
from hypothesis import given, settings
from hypothesis import strategies as st

import boyi


def ask(*queries: dict[str, Any] | str, game: str = "tictactoe", player: str = "alphabeta", **extras: Any) -> list[Any]:
    lines = [query if isinstance(query, str) else json.dumps(query) for query in queries]
    return [json.loads(line) for line in answers("json", game, *lines, player=player, **extras)]


def test_a_query_is_answered_as_the_player_thinks() -> None:
    (found,) = ask({"id": "a", "moves": ["b2", "a1"], "lines": 2})
    position = boyi.game("tictactoe").start().play("b2").play("a1")
    direct = boyi.player("alphabeta", position.game).choose(position)
    assert (found["id"], found["ply"], found["turn"], found["key"]) == ("a", 2, 0, position.key)
    assert (found["move"], found["value"], found["exact"]) == (direct.move, direct.value, True)
    assert found["during"] is False
    assert found["lines"][0]["moves"] == list(direct.lines[0].moves)
    assert set(found) >= {"wdl", "score", "simulations", "nodes", "depth", "seconds", "stopped"}


def test_every_ply_of_a_game() -> None:
    found = ask({"id": "g", "moves": ["b2", "a1", "c3", "b1"], "plies": [0, 2, 4]})
    assert sorted(reply["ply"] for reply in found) == [0, 2, 4]


def test_many_in_flight_with_two_workers() -> None:
    queries = [{"id": f"q{number}", "moves": ["b2"], "nodes": 50} for number in range(40)]
    found = ask(*queries, workers=2)
    assert sorted(reply["id"] for reply in found) == sorted(query["id"] for query in queries)


def test_other_games_dice_and_ends() -> None:
    dice, end, other = ask(
        {"id": "dice", "game": "einstein"},
        {"id": "end", "moves": ["a1", "b1", "a2", "b2", "a3"]},
        {"id": "other", "game": "gomoku:size=5", "position": "5/5/5/5/5 X", "nodes": 10},
    )
    assert dice["chances"]["6"] == pytest.approx(1 / 6)
    assert dice["turn"] == boyi.CHANCE
    assert end["outcome"] == {"winner": 0, "score": 1, "reason": "line"}
    assert other["move"] in boyi.game("gomoku:size=5").start().moves


@pytest.mark.parametrize(
    ("query", "field", "part"),
    [
        ("nonsense", None, "Expecting value"),
        ("[]", "id", "a line is an object with an id"),
        ({"id": 3}, "id", "a line is an object with an id"),
        ({"id": "a", "speed": 1}, "speed", "no field 'speed'"),
        ({"id": "a", "seconds": "1"}, "seconds", "not of the type float"),
        ({"id": "a", "lines": True}, "lines", "not of the type int"),
        ({"id": "a", "lines": -1}, "lines", "0 or more"),
        ({"id": "a", "every_s": -1}, "every_s", "0 or more"),
        ({"id": "a", "seconds": -1}, None, "seconds=-1 is not possible"),
        ({"id": "a", "game": "chess"}, "game", "unknown game 'chess'"),
        ({"id": "a", "game": "/etc/passwd.py"}, "game", "unknown game"),
        ({"id": "a", "position": "nowhere"}, None, "nowhere"),
        ({"id": "a", "moves": ["z9"]}, None, "illegal move 'z9'"),
        ({"id": "a", "moves": [9]}, None, "illegal move"),
        ({"id": "a", "plies": [1]}, "plies", "no ply '1'"),
        ({"id": "a", "action": "dance"}, "action", "no action 'dance'"),
        ("[" * 5000, None, ""),
    ],
)
def test_errors_name_the_field(query: Any, field: str | None, part: str) -> None:
    found, version = ask(query, {"id": "v", "action": "version"})
    assert part in found["error"]
    assert found.get("field") == field
    assert found.get("id") == (query["id"] if isinstance(query, dict) and query["id"] == "a" else None)
    assert version["version"] == boyi.__version__


def test_partial_results_and_termination() -> None:
    """Thinking for an hour, until it is told not to; the others of the queue go on."""
    with Session("json", "othello", "mcts") as session:
        session.send('{"id": "a", "seconds": 3600, "every_s": 0.05}', '{"id": "b", "simulations": 10}')
        first, second = json.loads(session.line()), json.loads(session.line())
        assert (first["id"], first["during"], second["during"]) == ("a", True, True)
        assert second["simulations"] > first["simulations"] > 0
        session.send('{"id": "s", "action": "terminate", "target": "a"}')
        last = json.loads(
            session.until(
                '{"id": "a", "ply": 0, "turn": 0, "key": "' + boyi.game("othello").start().key + '", "during": false'
            )
        )
        assert last["terminated"] is True
        assert last["move"] in boyi.game("othello").start().moves
        assert json.loads(session.line())["id"] == "b"


def test_what_waits_can_be_terminated() -> None:
    with Session("json", "othello", "mcts") as session:
        session.send('{"id": "a", "seconds": 3600, "every_s": 0.05}')
        session.line()
        session.send('{"id": "b", "seconds": 3600}', '{"id": "s", "action": "terminate_all"}')
        session.until('{"id": "s"')
        found = [json.loads(session.until('{"id": "a"')), json.loads(session.until('{"id": "b"'))]
        assert found[1]["move"] is None
        assert found[1]["terminated"] is True


def test_higher_priorities_go_first() -> None:
    with Session("json", "othello", "mcts") as session:
        session.send('{"id": "a", "seconds": 3600, "every_s": 0.02}')
        session.line()
        session.send('{"id": "low", "simulations": 1}', '{"id": "high", "simulations": 1, "priority": 5}')
        session.send('{"id": "v", "action": "version"}', '{"id": "s", "action": "terminate", "target": "a"}')
        rest = [json.loads(line)["id"] for line in (session.until('{"id": "high'), session.until('{"id": "low'))]
        assert rest == ["high", "low"]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.one_of(st.text(max_size=30), st.dictionaries(st.text(max_size=5), st.integers()).map(json.dumps)), max_size=6
    )
)
def test_any_input_is_answered(lines: list[str]) -> None:
    clean = [line.replace("\n", " ").replace("\r", " ") for line in lines]
    assert ask(*clean, {"id": "v", "action": "version"}, player="random")[-1]["id"] == "v"
