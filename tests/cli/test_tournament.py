"""`boyi tournament`, `boyi levels` and `boyi openings` from outside."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from boyi.cli.main import main

THREE = ["tournament", "random", "greedy", "mc:sims=30", "--game", "tictactoe", "--games", "4", "--workers", "1"]


def test_json_has_the_whole_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*THREE, "--json", "--anchor", "random"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["games"], result["wanted"], result["state"]) == (12, 12, "done")
    players = result["players"]
    assert {entry["player"] for entry in players} == {"random", "greedy", "mc:sims=30"}
    assert [entry["elo"] for entry in players] == sorted((entry["elo"] for entry in players), reverse=True)
    for place, entry in enumerate(players):
        assert entry["wins"] + entry["draws"] + entry["losses"] == entry["games"] == 8
        assert entry["points"] == entry["wins"] + entry["draws"] / 2 == sum(points for points, _ in entry["against"])
        assert entry["low"] <= entry["elo"] <= entry["high"]
        for other, (points, games) in enumerate(entry["against"]):
            assert games == (0 if other == place else 4)
            assert points + players[other]["against"][place][0] == games
            assert entry["superior_to"][other] + players[other]["superior_to"][place] == pytest.approx(1)
        if entry["player"] == "random":
            assert entry["elo"] == entry["low"] == entry["high"] == 0


def test_a_directory_has_everything_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "cup"
    assert main([*THREE, "--dir", str(folder), "--kind", "gauntlet"]) == 0
    printed = capsys.readouterr().out
    assert "better than next" in printed
    assert sorted(file.name for file in folder.iterdir()) == [
        "games.jsonl", "plan.json", "ratings.png", "ratings.svg", "results.json", "results.md",
    ]  # fmt: skip
    picture = ElementTree.fromstring((folder / "ratings.svg").read_text())
    texts = [node.text for node in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"random", "greedy", "mc:sims=30"} < set(texts)
    assert (folder / "ratings.png").read_bytes().startswith(b"\x89PNG")
    page = (folder / "results.md").read_text()
    assert "| 1 | " in page
    assert "0 / 4" in page or "/ 4 |" in page
    lines = (folder / "games.jsonl").read_text()
    (folder / "games.jsonl").write_text("".join(lines.splitlines(keepends=True)[:3]))
    assert main(["tournament", "--resume", str(folder), "--workers", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 8
    assert len((folder / "games.jsonl").read_text().splitlines()) == 8


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["tournament", "random", "greedy"], "takes --game"),
        (["tournament", "random", "--game", "tictactoe"], "1 players are too few"),
        (["tournament", "random", "greedy", "--game", "chess"], "unknown game 'chess'"),
        (["tournament", "random", "nobody", "--game", "tictactoe"], "unknown player 'nobody'"),
        ([*THREE, "--kind", "swiss"], "kind='swiss'"),
        ([*THREE, "--anchor", "nobody"], "anchor 'nobody' does not take part"),
        ([*THREE[:-1], "0"], "workers=0"),
        ([*THREE, "--increment", "1"], "increment 1.0 needs a clock"),
        ([*THREE, "--game-seconds", "0"], "game seconds 0"),
        ([*THREE, "--openings", "/nowhere/file"], "nor a file of openings"),
        (["tournament", "--resume", "/nowhere"], "no directory of a match"),
        (["tournament", "random", "--resume", "/nowhere"], "leave them and --dir away"),
        (["levels", "chess"], "unknown game"),
        (["levels", "gomoku:size=9", "--calibrate"], "usual parameters"),
        (["openings", "gomoku:size=9"], "no balanced set"),
        (["openings", "gomoku:size=9", "--make"], "--out FILE"),
        (["openings", "tictactoe", "--make", "--count", "0", "--out", "/nowhere/x"], "count=0"),
    ],
)
def test_wrong_usage_names_the_value(arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert named in printed.err
    assert printed.out == ""


def test_openings_are_made_and_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "own"
    options = ["--count", "3", "--tries", "40", "--nodes", "2000", "--plies", "3", "--out", str(file), "--json"]
    assert main(["openings", "tictactoe", "--make", *options]) == 0
    assert json.loads(capsys.readouterr().out)["openings"] == 3
    lines = file.read_text().splitlines()
    assert lines[0].startswith("# boyi openings tictactoe --make --count 3")
    assert main(["match", "random", "random", "--game", "tictactoe", "--games", "6", "--openings", str(file),
                 "--workers", "1", "--json"]) == 0  # fmt: skip
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {" ".join(row["history"][:3]) for row in rows} == set(lines[1:])
    assert main(["openings", "tictactoe", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["openings"]) >= 10


def test_levels_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["levels", "othello", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [level["number"] for level in found["levels"]] == list(range(11))
    assert main(["levels", "othello"]) == 0
    assert "strongest" in capsys.readouterr().out


def test_levels_can_be_measured_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--games", "1", "--nodes", "200", "--out", str(tmp_path), "--workers", "1", "--json"]
    assert main(["levels", "tictactoe", "--calibrate", *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert json.loads((tmp_path / "levels_tictactoe.json").read_text()) == found
    assert found["levels"][0]["player"].endswith("weakest")
    assert found["command"].startswith("boyi levels tictactoe --calibrate --games 1")
