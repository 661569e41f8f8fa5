"""NBoard: the session of its document, GGF both ways, clocks, and what a client understands."""

import pytest
from engine_sessions import answers
from hypothesis import given, settings
from hypothesis import strategies as st

import boyi
from boyi.players import Limit
from boyi.protocols.errors import EngineFailure
from boyi.protocols.nboard import Client, read_ggf, write_ggf

OTHELLO = boyi.game("othello")
RECORD = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)
MOVES = ["f5", "f6", "d3", "c5", "e6", "f7", "e7", "f4"]


def after(*moves: str) -> boyi.Position:
    position = OTHELLO.start()
    for move in moves:
        position = position.play(move)
    return position


def test_the_session_of_the_document() -> None:
    found = answers(
        "nboard", "othello", "nboard 2", f"set game {RECORD}", "set depth 6", "ping 1", "go", player="strongest"
    )
    assert found[:4] == ["set myname Boyi", "set myname Boyi6", "pong 1", "status Boyi is thinking"]
    assert found[4].startswith("nodestats ")
    move, evaluation, seconds = found[5].removeprefix("=== ").split("/")
    assert move.lower() in after(*MOVES).moves
    assert -64 <= float(evaluation) <= 64
    assert float(seconds) >= 0
    assert found[6] == "status"


def test_go_does_not_play_the_move() -> None:
    lines = (
        "move F5/1.0/0.5",
        "go",
        "move d6",
        "move zz",
        "nonsense",
        "set game (;)",
        "ping 3",
        "learn",
        "quit",
        "ping 4",
    )
    found = answers("nboard", "othello", *lines)
    assert found[2].removeprefix("=== ")[:2].lower() in after("f5").moves
    assert [line for line in found if line.startswith("status illegal")]
    assert [line for line in found if line.startswith("status the game has no BO")]
    assert found[-2:] == ["pong 3", "learned"]


def test_hints_are_sorted_lines() -> None:
    found = answers("nboard", "othello", "set depth 3", f"set game {RECORD}", "hint 3", player="strongest")
    lines = [line.split() for line in found if line.startswith("search")][-3:]
    values = [float(line[2]) for line in lines]
    assert values == sorted(values, reverse=True)
    position = after(*MOVES)
    for line in lines:
        assert line[1][:2].lower() in position.moves
        assert line[3] == "0"
        assert line[4] == "3"
    assert len({line[1][:2] for line in lines}) == 3


def test_analysis_of_a_game() -> None:
    found = answers("nboard", "othello", "set depth 1", f"set game {RECORD}", "analyze", player="strongest")
    assert [line.split()[:2] for line in found[1:]] == [["analysis", str(made)] for made in range(9)]


def test_ggf_is_read() -> None:
    record = read_ggf(OTHELLO, RECORD)
    assert record.position == after(*MOVES)
    assert record.left_s == (900.0, 900.0)
    timed = (
        "(;GM[Othello]TI[05:00//02:00]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
    )
    record = read_ggf(OTHELLO, f"{timed}B[d3//0.01]W[c5/1.5/10]B[f6//2];)")
    assert record.position == after("d3", "c5", "f6")
    assert record.left_s == (300.0 - 2.01, 290.0)
    position = read_ggf(OTHELLO, f"(;BO[8 XO{'-' * 62} O]W[pass]B[c1];)".replace("X", "*")).position
    assert position.outcome == boyi.Outcome(0, 64, "discs")
    assert read_ggf(OTHELLO, f"(;BO[8 *O{'-' * 62} O]B[c1];)").position == position


@pytest.mark.parametrize("moves", [(), ("f5",), tuple(MOVES)])
def test_ggf_round_trips(moves: tuple[str, ...]) -> None:
    position = after(*moves)
    record = read_ggf(OTHELLO, write_ggf(position, 90.0))
    assert record.position == position
    assert record.position.history == moves
    assert record.left_s == (90.0, 90.0)
    assert read_ggf(OTHELLO, write_ggf(OTHELLO.position(position.key))).position.cells == position.cells


@pytest.mark.parametrize("text", ["", "(;)", "(;BO[8 *];)", "(;BO[10 ---- *];)", RECORD.replace("F5", "A1")])
def test_bad_ggf(text: str) -> None:
    with pytest.raises(boyi.GameError):
        read_ggf(OTHELLO, text)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.text(max_size=30), st.text(max_size=30).map("set game {}".format)), max_size=6))
def test_any_input_is_survived(lines: list[str]) -> None:
    clean = [line.replace("\n", " ").replace("\r", " ") for line in lines if "quit" not in line and "hint" not in line]
    assert answers("nboard", "othello", *clean, "ping 9")[-1] == "pong 9"


class Scripted(Client):
    """A client whose engine always gives the same answer."""

    def __init__(self, answer: str) -> None:
        super().__init__(OTHELLO, ["none"])
        self.answer, self.said = answer, list[str]()

    def tell(self, *lines: str) -> None:
        self.said += lines

    def line(self) -> str:
        return f"pong {self.pings}" if self.said[-1].startswith("ping") else self.answer


@pytest.mark.parametrize("answer", ["=== d6 -1.00 0.0", "=== D6/-1.00/0.0", "===D6", "=== d6"])
def test_answers_of_edax_and_ntest(answer: str) -> None:
    client = Scripted(answer)
    (choice,) = client.choose(after(*MOVES), Limit(seconds=2))
    assert choice.move == "d6"
    assert choice.value == (-1 / 64 if "-1" in answer else None)
    assert client.said[0].startswith("set game (;GM[Othello]")
    assert client.said[0].endswith("B[E7]W[F4];)")
    assert read_ggf(OTHELLO, client.said[0]).position == after(*MOVES)
    assert client.said[1:] == ["ping 1", "go"]


def test_a_pass_is_understood() -> None:
    (choice,) = Scripted("=== PA").choose(OTHELLO.position("XO" + "-" * 62 + " O"), Limit())
    assert choice.move == "pass"


def test_no_move_is_garbage() -> None:
    client = Scripted("=== sorry")

    class Engine:
        def failure(self, *facts: str) -> EngineFailure:
            return EngineFailure(*facts, "none")  # type: ignore[arg-type]

    client.engine = Engine()  # type: ignore[assignment]
    with pytest.raises(EngineFailure, match="is no move"):
        list(client.choose(OTHELLO.start(), Limit()))
