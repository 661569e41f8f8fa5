"""The EinStein cups' protocol, the Connect6 platforms' and Botzone's: their transcripts, both sides."""

import json
from typing import Any

import pytest
from engine_sessions import answers
from hypothesis import given, settings
from hypothesis import strategies as st

import boyi
from boyi.players import Limit
from boyi.protocols import botzone, connect6, ewn
from boyi.protocols.calling import Client
from boyi.quick.einstein_setup import read_book

SIX = boyi.game("connect6")
LINES = st.lists(st.text(max_size=40), max_size=6)


def clean(lines: list[str], *ends: str) -> list[str]:
    flat = [line.replace("\n", " ").replace("\r", " ") for line in lines]
    return [line for line in flat if line.strip().split()[:1] not in [[end] for end in ends]]


class Heard:
    """Stands in front of a client: what it was told, and what the engine answers, in order."""

    def __init__(self, client: Client, *answers: str) -> None:
        self.client, self.said, self.answers = client, list[str](), list(answers)
        client.tell = lambda *lines: self.said.extend(lines)  # type: ignore[method-assign]
        client.line = lambda: self.answers.pop(0)  # type: ignore[method-assign]

    def move(self, position: boyi.Position, limit: Limit | None = None) -> str:
        self.said.clear()
        return list(self.client.choose(position, limit or Limit()))[-1].move


# EinStein

START = "E5 D5 E4 C5 D4 E3 A1 B1 C1 A2 B2 A3"


def test_an_ewn_session() -> None:
    found = answers(
        "ewn", "einstein", "name", "version", "time_setting 240", "board_setting 5 6", "ini R", "ini B",
        f"get R 5 {START}", "exit", "name",
    )  # fmt: skip
    assert found[0] == "Boyi"
    assert found[1] == boyi.__version__
    assert found[2:4] == ["1", "1"]
    for line, corner, side in ((found[4], "A1 B1 C1 A2 B2 A3", 0), (found[5], "E5 D5 E4 C5 D4 E3", 1)):
        assert sorted(line.split()) == sorted(corner.split())
        numbers = ["ABCDE".index(word[0]) + 5 * int(word[1]) - 4 for word in line.split()]
        own = [number if side == 0 else 26 - number for number in numbers]
        assert {" ".join(map(str, own)), " ".join(map(str, reversed(own)))} & set(read_book()[side])
    assert found[6] in ("B2 C2", "B2 B3", "B2 C3")
    assert len(found) == 7


def test_a_captured_stone_is_a_zero() -> None:
    """The thesis's squares 1..25 as this protocol writes them: Red 1 alone at c3 runs for the corner."""
    lines = "get R 4 A3 0 0 0 0 0 D4 0 0 0 0 0", "get B 6 D3 0 0 0 0 0 C3 0 0 0 0 0"
    assert answers("ewn", "einstein", *lines, player="expectimax:depth=1") == ["D4 E5", "D3 C3"]


RECORDED = """
(R)(4)(15 24 19 20 25 23)(7 3 6 1 11 2)(1)(6)
(B)(6)(15 24 19 20 25 23)(7 3 0 6 11 2)(23)(17)
(R)(5)(15 24 19 20 25 17)(7 3 0 6 11 2)(11)(16)
(B)(6)(15 24 19 20 25 17)(7 3 0 6 16 2)(17)(11)
(R)(6)(15 24 19 20 25 11)(7 3 0 6 16 2)(2)(3)
(B)(6)(15 24 19 20 25 11)(7 0 0 6 16 3)(11)(6)
(R)(4)(15 24 19 20 25 6)(7 0 0 0 16 3)(16)(22)
(B)(2)(15 24 19 20 25 6)(7 0 0 0 22 3)(24)(19)
(R)(3)(15 19 0 20 25 6)(7 0 0 0 22 3)(7)(12)
(B)(5)(15 19 0 20 25 6)(12 0 0 0 22 3)(25)(19)
(R)(4)(15 0 0 20 19 6)(12 0 0 0 22 3)(22)(23)
(B)(6)(15 0 0 20 19 6)(12 0 0 0 23 3)(6)(1)
"""
"""A game as the thesis writes it, which puts Blue first as well: side, die, Blue, Red, from, to."""


def test_a_recorded_game_both_ways() -> None:
    """Every position is sent as the referee sends it; the answer is legal, and the recorded one is understood."""
    game = boyi.game("einstein")

    def square(number: str) -> str:
        return "0" if number == "0" else "ABCDE"[(int(number) - 1) % 5] + str((int(number) - 1) // 5 + 1)

    for line in RECORDED.split("\n")[1:-1]:
        side, die, blue, red, source, target = line[1:-1].split(")(")
        command = f"get {side} {die} {' '.join(square(n) for n in f'{blue} {red}'.split())}"
        position = game.position(f"{red} / {blue} {'red' if side == 'R' else 'blue'} {die}")
        (answer,) = answers("ewn", "einstein", command)
        assert "-".join(word.lower()[0] + str(6 - int(word[1])) for word in answer.split()) in position.moves
        referee = Heard(ewn.Client(game, ["none"]), "A1 B1 C1 A2 B2 A3", f"{square(source)} {square(target)}")
        assert referee.move(position) in position.moves
        assert referee.said == [f"ini {side}", command]


@pytest.mark.parametrize(
    "line",
    ["get", f"get X 5 {START}", f"get R 7 {START}", f"get R 5 {START} A1", f"get R 5 {START.replace('A1', 'F1')}",
     f"get R 5 {START.replace('A1', 'B1')}", "board_setting 6 6", "ini G", "time_setting soon", "hello",
     "get R 1 0 0 0 0 0 0 A1 0 0 0 0 0"],
)  # fmt: skip
def test_ewn_errors_are_one_line(line: str) -> None:
    (found,) = answers("ewn", "einstein", line)
    assert found.startswith("error ")


def test_what_the_ewn_referee_says() -> None:
    game = boyi.game("einstein")
    referee = Heard(ewn.Client(game, ["none"]), "1", "A1 B1 C1 A2 B2 A3", "B2 C3", "E5 D4")
    position = game.start().play("5")
    assert referee.move(position, Limit(seconds=2)) == "b4-c3"
    assert referee.said == ["time_setting 20", "ini R", f"get R 5 {START}"]
    position = position.play("b4-c3").play("1")
    assert referee.move(position, Limit(seconds=2)) == "e1-d2"
    assert referee.said == ["get B 1 E5 D5 E4 C5 D4 E3 A1 B1 C1 A2 C3 A3"]


@settings(max_examples=40, deadline=None)
@given(LINES)
def test_ewn_survives_any_input(lines: list[str]) -> None:
    assert answers("ewn", "einstein", *clean(lines, "exit"), "name")[-1] == "Boyi"


# Connect6


def test_a_connect6_session() -> None:
    found = answers(
        "connect6", "connect6", "name?", "new white", "move JJ@@", "error", "end", "new black", "quit", "name?"
    )
    assert found[0] == "name Boyi"
    assert found[1][:5] == "move "
    assert len(set(connect6.read_turn(SIX, found[1][5:]))) == 2
    assert found[2][7:] == "@@"
    assert found[3:] == ["Quit!"]


def test_connect6_points() -> None:
    assert connect6.read_turn(SIX, "JJ@@") == connect6.read_turn(SIX, "JJJJ") == connect6.read_turn(SIX, "JJ") == [180]
    assert connect6.read_turn(SIX, "AASS") == [0, 360]
    start = SIX.start()
    assert connect6.write_turn(start, [180]) == "JJ@@"
    assert connect6.write_turn(start.play("j10"), [0, 360]) == "AASS"
    assert connect6.write_turn(start.play("j10"), [5]) == "FAAA"  # a stone that wins alone gets company


@pytest.mark.parametrize("turn", ["", "J", "JJJ", "jjkk", "TTAA", "@@JJ", "JJKKLL"])
def test_connect6_turns_that_are_none(turn: str) -> None:
    assert answers("connect6", "connect6", "new white", f"move {turn}")[0].startswith("error ")


def test_connect6_turns_are_whole() -> None:
    found = answers("connect6", "connect6", "new white", "move JJKK", "move JJ@@", "move AA@@")
    assert [line.split()[0] for line in found] == ["error", "move", "error"]


def test_the_end_of_a_connect6_game() -> None:
    """The engine completes its four; afterwards there is nothing to play, and it says so."""
    game = boyi.game("connect6:size=12")
    server = connect6.Server(game, "alphabeta:nodes=300")
    said: list[str] = []
    server.say = lambda *lines: said.extend(lines)  # type: ignore[method-assign]
    server.position = game.position(f"XXXX8/{'12/' * 10}OOOO8 O 2")
    server.obey("move AKBK")
    assert sorted(connect6.read_turn(game, said[0].removeprefix("move "))) == [4, 5]
    assert server.position.outcome == boyi.Outcome(0, 1, "line")
    server.obey("move LLKL")
    assert said[1].startswith("error")


def test_stones_after_the_end_do_not_count() -> None:
    game = boyi.game("connect6:size=12")
    position = game.position(f"XXXXX7/{'12/' * 10}OOOO8 X 2")
    assert connect6.play_turn(position, [5, 5]).outcome == boyi.Outcome(0, 1, "line")


def test_what_the_connect6_platform_says() -> None:
    platform = Heard(connect6.Client(SIX, ["none"]), "move JJ@@", "move AABA", "", "move CACB")
    assert platform.move(SIX.start()) == "j10"
    assert platform.said == ["new black"]
    position = SIX.start().play("j10").play("k10").play("k11")
    first = platform.move(position)
    assert platform.said == ["move KJKI"]
    position = position.play(first)
    assert platform.move(position) == "b19"
    assert platform.said == []
    assert platform.move(SIX.start().play("j10")) == "c19"
    assert platform.said == ["new white", "move JJ@@"]
    with pytest.raises(boyi.GameError, match="no set-ups"):
        platform.move(SIX.start().play("a1").play("b1").play("c1"))


@settings(max_examples=40, deadline=None)
@given(LINES)
def test_connect6_survives_any_input(lines: list[str]) -> None:
    assert answers("connect6", "connect6", *clean(lines, "quit", "new", "move"), "name?")[-1] == "name Boyi"


# Botzone


def bot(game: str, data: Any, **extras: Any) -> dict[str, Any]:
    line = data if isinstance(data, str) else json.dumps(data)
    found: dict[str, Any] = json.loads(answers("botzone", game, line, **extras)[0])
    return found


def points(*squares: tuple[int, int]) -> list[dict[str, int]]:
    return [{"x": x, "y": y} for x, y in squares]


def test_reversi() -> None:
    """Black begins; x is the column, so that the first moves are d3, c4, f5 and e6."""
    first = bot("othello", {"requests": points((-1, -1)), "responses": []})
    assert tuple(first["response"].values()) in {(3, 2), (2, 3), (5, 4), (4, 5)}
    white = bot("othello", {"requests": points((3, 2)), "responses": [], "time_limit": 1})
    assert tuple(white["response"].values()) in {(2, 2), (4, 2), (2, 4)}
    later = bot("othello", {"requests": points((-1, -1), (2, 2)), "responses": points((3, 2))})
    assert boyi.game("othello").start().play("d3").play("c3").moves.count(later["debug"]) == 1


def test_gomoku_and_tictactoe() -> None:
    taken = bot("tictactoe", {"requests": points((0, 0), (0, 1)), "responses": points((1, 1))}, player="alphabeta")
    assert taken["response"] == {"x": 0, "y": 2}
    assert bot("gomoku", {"requests": points((7, 7)), "responses": []})["response"] != {"x": 7, "y": 7}


def test_renju_with_one_swap() -> None:
    """White's second answer may be the exchange; after it the other side puts White's stone, and nobody swaps again."""
    black = points((-1, -1), (0, 0))
    strong = {"requests": black, "responses": points((7, 7))}
    after_ours = {"requests": points((7, 7), (8, 8)), "responses": points((0, 0))}
    swapped = bot("gomoku", after_ours, swap=True, player="strongest")
    assert swapped["response"] == botzone.NOWHERE
    assert bot("gomoku", after_ours, player="strongest")["response"] != botzone.NOWHERE
    theirs = {"requests": [*strong["requests"], botzone.NOWHERE], "responses": points((7, 7), (8, 8))}
    answer = bot("gomoku", theirs, swap=True, player="strongest")
    assert answer["response"] != botzone.NOWHERE
    ours = {"requests": points((7, 7), (8, 8), (9, 8)), "responses": [*points((0, 0)), botzone.NOWHERE]}
    assert bot("gomoku", ours, swap=True)["response"]["x"] >= 0


@pytest.mark.parametrize(
    "data",
    ["", "nonsense", "[]", "{}", '{"requests": []}', '{"requests": [{"x": 1}]}', '{"requests": [{"x": 9, "y": 9}]}',
     '{"requests": [{"x": 0, "y": 0}], "responses": []}', "[" * 5000],
)  # fmt: skip
def test_a_bot_says_what_is_wrong(data: str) -> None:
    found = answers("botzone", "othello", data)
    if data:
        assert json.loads(found[0])["debug"].startswith("error")


def test_a_bot_that_keeps_running() -> None:
    found = answers(
        "botzone", "tictactoe", json.dumps({"requests": points((1, 1)), "responses": []}), json.dumps({"x": 9, "y": 9}),
        keep_running=True,
    )  # fmt: skip
    assert found[1] == found[3] == botzone.KEEP
    assert json.loads(found[0])["response"]["x"] in (0, 1, 2)
    assert json.loads(found[2])["debug"].startswith("error: 9, 9 is no point")


def test_what_botzone_has_not() -> None:
    for name in ("othello:size=6", "gomoku:variant=renju", "gomoku:size=19"):
        with pytest.raises(boyi.GameError, match="Botzone"):
            answers("botzone", name, "{}")
