"""`boyi check`: kept promises, broken ones with file and line, and wrong usage."""

import json
from pathlib import Path

import pytest

from boyi.cli.main import main
from boyi.service.conformance import CHECKS

TEXT = (Path(__file__).resolve().parents[2] / "examples" / "connect_four.py").read_text()


def test_a_game_that_keeps_its_promises(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "tictactoe", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["passed"], found["title"]) == ("tictactoe", True, "Tic-tac-toe")
    assert [(row["name"], row["kept"]) for row in found["promises"]] == [(name, True) for name in CHECKS]
    assert found["promises"][-1]["promise"] == "Search finds a legal move."


def test_a_broken_promise_has_file_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "connect_four.py"
    beyond = "rows * rules.columns + 9):"
    text = TEXT.replace("rows * rules.columns):", beyond)
    file.write_text(text)
    line = 2 + text[: text.index(beyond)].count("\n") + 1
    assert main(["check", str(file), "--json"]) == 1
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert (found["passed"], found["stage"], found["file"], found["line"]) == (False, "rules", file.name, line)
    kept = {row["name"]: row["kept"] for row in found["promises"]}
    assert (kept.pop("facts"), kept.pop("rules"), set(kept.values())) == (True, False, {None})
    assert f"{file}, line {line}: IndexError" in err
    assert "promised is: Run as plain Python" in err

    file.write_text(TEXT + "\ndef unfinished(:\n")
    assert main(["check", str(file)]) == 1
    out, err = capsys.readouterr()
    assert f"connect_four.py, line {TEXT.count(chr(10)) + 2}: " in err
    assert "is no Python" in err
    assert [(row.split()[0], row.split()[-1]) for row in out.splitlines()[1:]] == [(name, "-") for name in CHECKS]


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("nothing", "unknown game 'nothing'"),
        ("none.py", "no rules file 'none.py'"),
        ("gomoku:size=99", "size=99 is not possible"),
        ("examples/connect_four.py:rows=99", "rows=99 is not possible"),
        ("x" * 5000 + ".py", "no rules file"),
    ],
)
def test_wrong_usage(game: str, told: str, at_root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", game]) == 2
    assert told in capsys.readouterr().err
