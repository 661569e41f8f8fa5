"""`boyi analyse`, and what `boyi play` tells of a player's thoughts, with a scripted player."""

import io
import json
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

import boyi
from boyi.cli.main import main
from boyi.players import Choice, Limit, Line, Player, registry


class Oracle(Player):
    """Has the same opinion of every position: the first moves are the best ones for the side to move."""

    def think(self, position: boyi.Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        sign = 1 if position.turn == 0 else -1
        moves = position.moves
        yield Choice(moves[-1], 0.0, lines=(Line(moves[-1], 0.0, 1),))
        lines = [Line(m, sign * (0.5 - n / 4), 100 - n, 0.1, (m, *moves[-1:])) for n, m in enumerate(moves[:4])]
        yield Choice(moves[0], sign * 0.5, lines=tuple(lines), simulations=limit.simulations or 400, seconds=0.1)


@pytest.fixture(autouse=True)
def _oracle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._KINDS, "oracle", Oracle)


def analyse(*arguments: str) -> int:
    return main(["analyse", *arguments, "--player", "oracle"])


def test_json_has_values_of_both_views(capsys: pytest.CaptureFixture[str]) -> None:
    assert analyse("tictactoe", "--moves", "b2", "--json", "--lines", "3", "--simulations", "50") == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["position"], result["turn"], result["player"]) == ("3/1X1/3 b2", 1, "oracle")
    assert (result["move"], result["value"], result["win"], result["simulations"]) == ("a3", -0.5, 0.75, 50)
    assert [(line["move"], line["value"], line["win"], line["visits"]) for line in result["lines"]] == [
        ("a3", -0.5, 0.75, 100),
        ("b3", -0.25, 0.625, 99),
        ("c3", 0, 0.5, 98),
    ]
    assert result["lines"][0]["moves"] == ["a3", "c1"]


def test_the_table_is_for_the_side_to_move(capsys: pytest.CaptureFixture[str]) -> None:
    assert analyse("tictactoe", "--position", "3/1X1/3 b2") == 0
    printed = capsys.readouterr().out
    assert re.search(r"^a3 +75 +-0\.500 +100 +10\.0 +a3 c1 *$", printed, re.MULTILINE)
    assert "O plays a3; wins 75 %; value -0.500 for X; 400 simulations" in printed


def test_a_player_without_opinion_still_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "tictactoe", "--player", "random", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["move"] in boyi.game("tictactoe").start().moves
    assert (result["value"], result["win"], result["lines"]) == (None, None, [])


def test_pictures_carry_the_values(tmp_path: Path) -> None:
    svg, png = tmp_path / "board.svg", tmp_path / "board.png"
    assert analyse("tictactoe", "--moves", "b2", "--svg", str(svg), "--png", str(png), "--theme", "dark") == 0
    texts = [element.text for element in ET.parse(svg).iter() if element.tag.endswith("text")]
    assert {"75", "62", "50", "38"} <= set(texts)
    assert png.read_bytes().startswith(b"\x89PNG")


def test_at_dice_the_outcomes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert analyse("einstein", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["turn"] == boyi.CHANCE
    assert result["chances"] == pytest.approx({str(n): 1 / 6 for n in range(1, 7)})
    assert analyse("einstein") == 0
    printed = capsys.readouterr().out
    assert "the dice decide" in printed
    assert '--moves "6"' in printed
    assert analyse("einstein", "--moves", "6", "--json") == 0
    assert json.loads(capsys.readouterr().out)["move"].startswith("a3-")


def test_a_finished_game_says_how_it_ended(capsys: pytest.CaptureFixture[str]) -> None:
    assert analyse("tictactoe", "--moves", "a1 a2 b1, b2 c1", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["turn"] is None
    assert result["outcome"] == {"winner": 0, "score": 1, "reason": "line"}


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (["tictactoe", "--moves", "b2 b2"], 2, "illegal move 'b2'"),
        (["tictactoe", "--position", "XXX/3/3"], 2, "XXX/3/3"),
        (["tictactoe", "--lines", "0"], 2, "--lines must be at least 1, not 0"),
        (["tictactoe", "--theme", "pink"], 2, "pink"),
        (["chess"], 2, "unknown game 'chess'"),
        (["tictactoe", "--svg", "/no/such/folder/x.svg"], 1, "there is no folder '/no/such/folder'"),
        (["tictactoe", "--png", "/"], 1, "cannot write '/'"),
        (["tictactoe", "--svg", "/proc/x.svg"], 1, "/proc/x.svg"),
    ],
)
def test_errors_name_the_value(arguments: list[str], code: int, named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert analyse(*arguments) == code
    assert named in capsys.readouterr().err


def play(monkeypatch: pytest.MonkeyPatch, typed: str, *options: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return main(["play", "tictactoe", *options])


def test_play_shows_opinions_and_hints(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(monkeypatch, "hint\nb2\nquit\n", "--against", "oracle", "--terminal") == 0
    printed = capsys.readouterr().out
    assert "Hint: a3 (X 75%), then c1" in printed
    assert "O plays a3 (O 75%)" in printed


def test_who_resigns_has_lost(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(monkeypatch, "b2\nresign\n", "--against", "oracle", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["finished"], result["winner"], result["resigned"]) == (True, 1, True)
    assert result["moves"] == ["b2", "a3"]


def test_the_default_player_values_many_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "tictactoe", "--moves", "b2", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["player"], result["stopped"], result["exact"]) == ("alphabeta:lines=0", "proven", True)
    assert len(result["lines"]) == 8
    assert {line["value"] for line in result["lines"]} == {0.0, 1.0}


def test_a_margin_and_a_full_memory_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ["--player", "mcts:memory_mb=0", "--simulations", "20000"]
    assert main(["analyse", "othello:size=6", *wanted]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"; expected margin [+-]\d+\.\d for Black; 20,000 simulations; ", printed)
    assert printed.rstrip().endswith("s (the tree filled its memory)")
    assert main(["analyse", "othello:size=6", *wanted, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["stopped"] == "memory"
    assert -36 < result["score"] < 36


SLOW = """
import sys, time
from boyi.cli.main import main
from boyi.players import Choice, Line, Player, registry

class Slow(Player):
    def think(self, position, limit, every_s):
        {before}
        yield Choice("c1", 0.5, lines=(Line("c1", 0.5, 7, moves=("c1",)),), seconds=1.0)
        print("reported", file=sys.stderr, flush=True)
        {after}
        yield Choice("a1", -1.0)

registry._KINDS["slow"] = Slow
sys.exit(main(["analyse", "tictactoe", "--player", "slow", "--json"]))
"""
WAIT = "print('waiting', file=sys.stderr, flush=True); time.sleep({seconds})"


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [("pass", WAIT.format(seconds=60), "waiting"), (WAIT.format(seconds=1), "time.sleep(60)", "waiting")],
    ids=["after a report", "before the first report"],
)
def test_interruption_prints_the_answer_so_far(before: str, after: str, word: str) -> None:
    code = SLOW.format(before=before, after=after)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.strip() == word:
                break
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, rest = process.communicate(timeout=30)
    assert process.returncode == 0, rest
    assert time.monotonic() - began < 20
    result = json.loads(out)
    assert (result["move"], result["value"], result["lines"][0]["visits"]) == ("c1", 0.5, 7)
