"""The commands: what they print where, their exit codes, and a whole game typed at the terminal."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import boyi
from boyi import Position
from boyi.cli.main import VERBS, main

EXAMPLE = str(Path(__file__).resolve().parents[2] / "examples" / "connect_four.py")


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one line of JSON on standard output."""
        assert self.code == 0, self.err
        (line,) = self.out.splitlines()
        return json.loads(line)


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process, with lines typed at it."""
    monkeypatch.setenv("COLUMNS", "200")

    def command(*arguments: str, typed: tuple[str, ...] = ()) -> Done:
        lines = iter(typed)

        def answer(*_: object) -> str:
            for line in lines:
                return line
            raise EOFError

        monkeypatch.setattr("builtins.input", answer)
        capsys.readouterr()
        code = main(arguments)
        return Done(code, *capsys.readouterr())

    return command


def test_perft_counts(run: Run) -> None:
    found = run("perft", "othello", "4", "--json").json
    assert set(found) == {"game", "position", "depth", "nodes", "finished", "leaves", "levels", "seconds"}
    assert (found["game"], found["depth"], found["nodes"]) == ("othello", 4, 244)
    assert found["position"] == boyi.game("othello").start().key
    assert [level["nodes"] for level in found["levels"]] == [4, 12, 56, 244]
    assert found["seconds"] >= 0


def test_perft_counts_finished_games(run: Run) -> None:
    found = run("perft", "tictactoe", "9", "--json").json
    assert (found["nodes"], found["finished"], found["leaves"]) == (127872, 127296, 255168)


def test_perft_takes_parameters_keys_seeds_and_files(run: Run) -> None:
    assert run("perft", "gomoku:size=5,win=3", "2", "--json").json["nodes"] == 600
    assert run("perft", "tictactoe", "1", "--position", "XOX/OXO/3", "--json").json["nodes"] == 3
    assert run("perft", EXAMPLE, "5", "--json").json["nodes"] == 16807
    seeded = run("perft", "einstein", "1", "--seed", "7", "--json").json
    assert seeded["position"] == boyi.game("einstein").start(seed=7).key
    assert seeded["nodes"] == 18


def test_perft_prints_a_table(run: Run) -> None:
    done = run("perft", "othello", "5")
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[0][0] == "depth"
    assert rows[-1] == ["5", "1,396", "0", "1,396"]


def test_bench_playouts(run: Run) -> None:
    results = run("bench", "playouts", "--json", "--seconds", "0.2").json["results"]
    assert [result["name"] for result in results] == list(boyi.games())
    for result in results:
        assert set(result) == {"name", "value", "unit", "peer", "peer_value", "ratio"}
        assert result["unit"] == "games/s"
        assert result["value"] > 0
        if result["peer"] is None:
            assert result["peer_value"] is None
            assert result["ratio"] is None
        else:
            assert result["ratio"] == pytest.approx(result["value"] / result["peer_value"])


def test_bench_quick(run: Run) -> None:
    results = run("bench", "quick", "--json", "--seconds", "0.05").json["results"]
    games = ("othello", "einstein", "gomoku", "connect6")
    assert [result["name"] for result in results] == [
        f"{game} {of}" for game in games for of in ("evaluations", "search")
    ]
    assert all(result["value"] > 1000 for result in results)


def test_doctor(run: Run) -> None:
    report = run("doctor", "--json").json
    assert report["boyi"] == boyi.__version__
    assert report["python"].startswith(".".join(map(str, sys.version_info[:3])))
    assert report["cores"] >= 1
    assert report["packages"]["numba"]["version"]
    for package in report["packages"].values():
        assert bool(package["version"]) != bool(package["remedy"])
    assert set(report["cache"]) == {"folder", "writable", "files", "megabytes", "remedy"}
    assert report["cache"]["writable"] != bool(report["cache"]["remedy"])
    table = run("doctor")
    assert table.code == 0
    assert "numba" in table.out
    assert report["cache"]["folder"] in table.out


def play(run: Run, *typed: str, game: str = "tictactoe", options: tuple[str, ...] = ()) -> Done:
    """A seeded game against the random player."""
    return run("play", game, "--against", "random", "--seed", "3", *options, typed=typed)


def replay(game: str, moves: list[str], seed: int = 3) -> Position:
    position = boyi.game(game).start(seed=seed)
    for move in moves:
        position = position.play(move)
    return position


def test_play_a_whole_game(run: Run) -> None:
    """Moves typed blindly, illegal ones included; then the same game with the legal ones only."""
    squares = boyi.game("tictactoe").squares
    found = play(run, *squares, options=("--json",)).json
    end = replay("tictactoe", found["moves"])
    assert end.outcome is not None
    assert end.key == found["key"]
    assert (found["finished"], found["winner"], found["score"]) == (True, end.outcome.winner, end.outcome.score)
    again = play(run, *found["moves"][::2])
    assert again.code == 0
    assert again.out.splitlines()[-1] == end.caption
    assert [line for line in again.out.splitlines() if "plays" in line] == [
        f"> O plays {move}" for move in found["moves"][1::2]
    ]


def test_play_second(run: Run) -> None:
    done = play(run, "quit", options=("--second", "--json"))
    (move,) = done.json["moves"]
    assert f"X plays {move}" in done.err


def test_play_undo(run: Run) -> None:
    found = play(run, "b2", "undo", "c3", "quit", options=("--json",)).json
    assert found["moves"][0] == "c3"
    assert len(found["moves"]) == 2
    at_the_start = play(run, "undo", "undo", "quit", options=("--json",))
    assert at_the_start.json["moves"] == []


def test_play_undo_takes_back_rolls(run: Run) -> None:
    """In EinStein an undone move is the human's; the dice that followed are gone with it."""
    (roll,) = play(run, "quit", game="einstein", options=("--json",)).json["moves"]
    move = replay("einstein", [roll]).moves[0]
    after = play(run, move, "quit", game="einstein", options=("--json",)).json["moves"]
    assert after[:2] == [roll, move]
    assert len(after) == 5
    undone = play(run, move, "undo", "quit", game="einstein", options=("--json",))
    assert undone.json["moves"] == [roll]


def test_play_illegal_moves_and_the_list_of_moves(run: Run) -> None:
    position = replay("tictactoe", play(run, "b2", "quit", options=("--json",)).json["moves"])
    done = play(run, "b2", "b2", "z9", "", "moves", "quit")
    assert done.code == 0
    for wrong in ("b2", "z9", ""):
        assert f"illegal move '{wrong}'; legal are {', '.join(position.moves)}" in done.out
    assert f"> {' '.join(position.moves)}\n" in done.out
    assert done.out.endswith(f"{position}\n")


@pytest.mark.parametrize("typed", [(), ("quit",), ("b2",)], ids=["nothing", "quit", "one move"])
def test_play_ends_early(run: Run, typed: tuple[str, ...]) -> None:
    found = play(run, *typed, options=("--json",)).json
    assert set(found) >= {"game", "key", "moves", "finished", "winner", "score"}
    assert found["game"] == "tictactoe"
    assert (found["finished"], found["winner"], found["score"]) == (False, None, None)
    assert len(found["moves"]) == (2 if typed == ("b2",) else 0)


def test_play_a_rules_file(run: Run) -> None:
    found = play(run, "d", "quit", game=EXAMPLE, options=("--json",)).json
    assert found["game"] == "connect_four"
    assert found["moves"][0] == "d"


@pytest.mark.parametrize(
    ("arguments", "texts"),
    [
        (["perft", "chess", "3"], ["'chess'", *boyi.games()]),
        (["perft", "nowhere.py", "3"], ["'nowhere.py'", *boyi.games()]),
        (["perft", "gomoku:size=99", "3"], ["size=99", "4..20"]),
        (["perft", "othello", "0"], ["depth", "0", "at least 1"]),
        (["perft", "othello", "-3"], ["-3"]),
        (["perft", "othello", "deep"], ["deep"]),
        (["perft", "othello"], ["depth"]),
        (["perft", "othello", "3", "--position", "nonsense"], ["'nonsense'", "X or O"]),
        (["perft", "othello", "3", "--seed", "x"], ["x"]),
        (["perft", "othello", "3", "--fast"], ["--fast"]),
        (["bench", "cooking"], ["'cooking'", "playouts"]),
        (["bench", "playouts", "--seconds", "0"], ["--seconds", "above 0"]),
        (["bench", "playouts", "--seconds", "nan"], ["--seconds", "above 0"]),
        (["bench", "playouts", "--seconds", "soon"], ["soon"]),
        (["play", "chess"], ["'chess'", *boyi.games()]),
        (["play", "tictactoe", "--against", "nobody"], ["'nobody'", "random"]),
        (["doctor", "--loud"], ["--loud"]),
        (["dance"], ["dance"]),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("style", [[], ["--json"]], ids=["", "json"])
def test_wrong_usage(run: Run, arguments: list[str], texts: list[str], style: list[str]) -> None:
    done = run(*arguments, *style)
    assert done.code == 2
    assert done.out == ""
    assert not [text for text in texts if text not in done.err]
    assert "Traceback" not in done.err


def test_a_failure_is_not_wrong_usage(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("the disk is on fire")

    monkeypatch.setattr("boyi.cli.perft.count", broken)
    done = run("perft", "tictactoe", "2")
    assert (done.code, done.out) == (1, "")
    assert "the disk is on fire" in done.err


def test_stopping_is_a_failure(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("boyi.cli.perft.count", stopped)
    done = run("perft", "tictactoe", "2")
    assert (done.code, done.out) == (1, "")
    assert "stopped" in done.err


def test_help_lists_every_verb(run: Run) -> None:
    done = run("--help")
    assert done.code == 0
    assert not [verb for verb in VERBS if verb not in done.out]
    assert run("--version").out.strip() == boyi.__version__


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_json_and_seed(run: Run, verb: str) -> None:
    done = run(verb, "--help")
    assert done.code == 0
    assert "--json" in done.out
    assert "--seed" in done.out


def process(*arguments: str, typed: str = "") -> Done:
    """A command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "from boyi.cli.main import run; run()", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "200"},
    )
    return Done(done.returncode, done.stdout, done.stderr)


def test_a_process_counts() -> None:
    assert process("perft", "tictactoe", "3", "--json").json["nodes"] == 504


def test_a_process_plays_from_a_pipe() -> None:
    found = process("play", "tictactoe", "--against", "random", "--seed", "3", "--json", typed="b2\nnonsense\n").json
    assert found["moves"][0] == "b2"
    assert len(found["moves"]) == 2


def test_a_process_says_what_is_wrong() -> None:
    done = process("play", "chess")
    assert (done.code, done.out) == (2, "")
    assert "unknown game 'chess'" in done.err
    assert "Traceback" not in done.err
