"""`boyi convert`: what it writes, what it reports, and how it fails."""

import json
from pathlib import Path

import pytest

from boyi.cli.main import main
from boyi.records import FORMATS, Record, read_records

GAMES = "F5D6C3D3C4\nf5f5\nF5F6E6\n"


def test_report_names_what_was_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "games.txt", tmp_path / "games.sgf"
    source.write_text(GAMES)
    assert main(["convert", str(source), str(out)]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"2 games written to {out}, 1 left out\n"
    assert f"{source}:2: move 2: illegal move 'f5'" in printed.err
    assert [record.moves for record in read_records(out) if isinstance(record, Record)] == [
        ("f5", "d6", "c3", "d3", "c4"),
        ("f5", "f6", "e6"),
    ]


def test_json_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, out = tmp_path / "a.sgf", tmp_path / "b.txt", tmp_path / "games.ggf"
    first.write_text("(;GM[2];B[f5]C[a comment])")
    second.write_text(GAMES)
    assert main(["convert", str(first), str(second), str(out), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["read"], report["written"], report["skipped"], report["lost"]) == (3, 3, 1, {"comments": 1})
    assert report["reasons"][0]["file"] == str(second)
    assert report["reasons"][0]["line"] == 2
    assert report["reasons"][0]["reason"].startswith("move 2: illegal move")


def test_formats_and_game_by_name(tmp_path: Path) -> None:
    source, out = tmp_path / "games", tmp_path / "out"
    source.write_text("e5 d4 e6 1-0\n")
    assert main(["convert", str(source), str(out), "--to", "jsonl", "--game", "gomoku:size=9"]) == 0
    (record,) = read_records(out, "jsonl")
    assert isinstance(record, Record)
    assert (record.game, record.moves) == ("gomoku:size=9", ("e5", "d4", "e6"))
    again = tmp_path / "again"
    assert main(["convert", str(out), str(again), "--from", "jsonl", "--to", "moves"]) == 0
    assert again.read_text() == "e5 d4 e6 1-0\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["{source}"], 2, "files to read and one to write"),
        (["{source}", "{out}.txt"], 2, "name one of c5, c6"),
        (["{source}", "{out}", "--to", "pgn"], 2, "unknown format 'pgn'; known are c5"),
        (["{source}", "{out}.sgf", "--from", "pgn"], 2, "unknown format 'pgn'"),
        (["{source}", "{out}.sgf", "--game", "chess"], 2, "unknown game 'chess'"),
        (["{source}", "{out}.c6"], 1, "no game could be converted"),
        (["{source}", "{source}/x/y.sgf"], 1, "Not a directory"),
        (["{out}", "{out}.sgf"], 1, "No such file"),
        (["/dev/zero", "{out}.sgf"], 2, "is no file of games"),
        (["{empty}", "{out}.sgf"], 2, "of no known format"),
    ],
)
def test_failures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    source, empty = tmp_path / "games.txt", tmp_path / "empty"
    source.write_text(GAMES)
    empty.touch()
    names = {"source": str(source), "out": str(tmp_path / "out"), "empty": str(empty)}
    assert main(["convert", *(argument.format(**names) for argument in arguments)]) == code
    assert message in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "games.txt"]


def test_many_skipped_games_are_not_all_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "games.txt", tmp_path / "out.sgf"
    source.write_text(GAMES + "a1a1\n" * 50)
    assert main(["convert", str(source), str(out), "--from", "transcript"]) == 0
    printed = capsys.readouterr().err
    assert printed.count("illegal move") == 20
    assert "and 31 more" in printed


def test_list_of_formats(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "--formats", "--json"]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["formats"]] == list(FORMATS)
    assert main(["convert", "--formats"]) == 0
    printed = capsys.readouterr().out
    assert all(f"\n{name} " in printed for name in FORMATS)
