"""`boyi match` from outside."""

import json
from pathlib import Path

import pytest

from boyi.cli.main import main


def test_json_has_the_agreed_shape(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "match",
                "random",
                "random",
                "--game",
                "einstein",
                "--games",
                "5",
                "--seed",
                "3",
                "--json",
                "--workers",
                "1",
            ]
        )
        == 0
    )
    result = json.loads(capsys.readouterr().out)
    assert {"games", "wins", "draws", "losses", "score", "low", "high"} <= set(result)
    assert result["games"] == result["wins"] + result["draws"] + result["losses"] == 5
    assert result["score"] == (result["wins"] + result["draws"] / 2) / 5
    assert 0 <= result["low"] <= result["score"] <= result["high"] <= 1
    assert result["first_seconds_per_move"] > 0
    assert result["second_seconds_per_move"] > 0
    assert [row["seat"] for row in result["rows"]] == [0, 1, 0, 1, 0]
    assert result["rows"][0]["seed"] == result["rows"][1]["seed"]
    assert not result["stopped"]


def test_infinite_elo_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "random", "random", "--game", "einstein", "--games", "1", "--workers", "1", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["score"] in (0, 1)
    assert result["elo"] is None


def test_the_table_shows_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--games", "6", "--openings", "2", "--simulations", "5", "--workers", "1"]
    assert main(["match", "random", "random", "--game", "tictactoe", *options]) == 0
    printed = capsys.readouterr()
    rows = {line[:13].strip(): line[13:].split() for line in printed.out.splitlines()}
    assert rows["games"] == ["6"]
    wins, draws = rows["wins"], rows["draws"]
    assert int(wins[0]) + int(wins[1]) + int(draws[0]) == 6
    assert float(rows["score"][0][:-1]) + float(rows["score"][1][:-1]) == pytest.approx(100)


def test_a_test_decides_and_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--game", "tictactoe", "--games", "400", "--sprt", "0", "200", "--workers", "1"]
    assert main(["match", "mcts:sims=100", "weakest:sims=30", *options, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["sprt"]["accepted"] == 200
    assert result["sprt"]["ratio"] >= result["sprt"]["bounds"][1] == pytest.approx(2.944, abs=1e-3)
    assert result["state"] == "decided"
    assert not result["stopped"]
    assert result["games"] < 100
    assert sum(result["pentanomial"]) == result["games"] // 2
    assert result["superiority"] > 0.95


def test_a_match_is_kept_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = ["match", "random", "greedy", "--game", "tictactoe", "--workers", "1", "--dir", str(tmp_path), "--json"]
    assert main([*match, "--games", "4"]) == 0
    four = json.loads(capsys.readouterr().out)["rows"]
    assert main([*match, "--games", "6"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][:4] == four
    assert main(["match", "--resume", str(tmp_path), "--json", "--workers", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 6
    assert main([*match, "--games", "6", "--seed", "8"]) == 2
    assert "seed is 0 there, 8 here" in capsys.readouterr().err


def test_clocks_and_verdicts_reach_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--game", "tictactoe", "--games", "2", "--workers", "1", "--json", "--openings", "0"]
    assert main(["match", "random", "random", *options, "--adjudicate", "10000"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert all(row["reason"].startswith("adjudicated") and row["winner"] is None for row in rows)
    assert main(["match", "mcts:sims=3000", "random", *options, "--game-seconds", "0.0001"]) == 0
    assert json.loads(capsys.readouterr().out)["first_forfeits"] >= 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["nobody", "random", "--game", "tictactoe"], "unknown player 'nobody'"),
        (["random", "random:depth=3", "--game", "tictactoe"], "random has no option 'depth=3'"),
        (["random", "random", "--game", "chess"], "unknown game 'chess'"),
        (["random", "random", "--game", "tictactoe", "--games", "0"], "games=0"),
        (["random", "random", "--game", "tictactoe", "--openings", "12"], "openings=12"),
        (["random", "random", "--game", "tictactoe", "--workers", "0"], "workers=0"),
        (["random", "random", "--game", "tictactoe", "--seconds", "-1"], "seconds=-1"),
        (["random", "random", "--game", "tictactoe", "--games", "many"], "many"),
        (["random", "random"], "takes two players and --game"),
        (["random", "--game", "tictactoe"], "takes two players and --game"),
        (["random", "random", "--game", "tictactoe", "--sprt", "5", "0"], "sprt 5 0"),
        (["random", "random", "--game", "tictactoe", "--adjudicate", "-1"], "adjudicate=-1"),
        (["random", "random", "--game", "tictactoe", "--openings", "absent"], "nor a file of openings"),
        (["random", "random", "--game", "tictactoe", "--openings=--5"], "nor a file of openings"),
        (["random", "random", "--game", "tictactoe", "--openings=-5"], "openings=-5"),
        (["random", "random", "--game", "tictactoe", "--game-seconds", "nan"], "game seconds nan"),
        (["--resume", "/nowhere"], "no directory of a match"),
        (["random", "--resume", "/nowhere"], "leave them and --dir away"),
    ],
)
def test_wrong_usage_names_the_value(arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", *arguments]) == 2
    printed = capsys.readouterr()
    assert named in printed.err
    assert printed.out == ""
