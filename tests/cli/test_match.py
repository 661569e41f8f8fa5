"""`boyi match` from outside."""

import json

import pytest

from boyi.cli.main import main


def test_json_has_the_agreed_shape(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "random", "random", "--game", "einstein", "--games", "5", "--seed", "3", "--json"]) == 0
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
    assert main(["match", "random", "random", "--game", "einstein", "--games", "1", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["score"] in (0, 1)
    assert result["elo"] is None


def test_the_table_shows_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--games", "6", "--openings", "2", "--simulations", "5"]
    assert main(["match", "random", "random", "--game", "tictactoe", *options]) == 0
    printed = capsys.readouterr()
    rows = {line[:13].strip(): line[13:].split() for line in printed.out.splitlines()}
    assert rows["games"] == ["6"]
    wins, draws = rows["wins"], rows["draws"]
    assert int(wins[0]) + int(wins[1]) + int(draws[0]) == 6
    assert float(rows["score"][0][:-1]) + float(rows["score"][1][:-1]) == pytest.approx(100)


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
        (["random", "random"], "game"),
    ],
)
def test_wrong_usage_names_the_value(arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", *arguments]) == 2
    printed = capsys.readouterr()
    assert named in printed.err
    assert printed.out == ""
