"""Users' own games by name: the folder that `BOYI_GAMES` names."""

import subprocess
import sys
from pathlib import Path

import pytest

import boyi
from boyi.games.registry import OWN_GAMES, built_in_games, own_file, own_games

TEXT = (Path(__file__).resolve().parents[2] / "examples" / "connect_four.py").read_text()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(OWN_GAMES, str(tmp_path))
    return tmp_path


def put(folder: Path, name: str, text: str = TEXT) -> None:
    (folder / name).mkdir()
    (folder / name / f"{name}.py").write_text(text)


def test_own_games_have_a_name(folder: Path) -> None:
    assert own_games() == ()
    put(folder, "connect_four")
    assert boyi.games() == (*built_in_games(), "connect_four")
    game = boyi.game("connect_four:rows=5", columns=6)
    assert (game.name, game.shape) == ("connect_four", (5, 6))
    assert boyi.game("connect_four") == boyi.game("connect_four")
    found = subprocess.run(
        [sys.executable, "-c", "import boyi; print(boyi.game('connect_four').title)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == "Connect Four\n"


def test_a_changed_text_is_another_game(folder: Path) -> None:
    put(folder, "connect_four")
    before = boyi.game("connect_four")
    (folder / "connect_four" / "connect_four.py").write_text(TEXT.replace('"Connect Four"', '"Other Four"'))
    after = boyi.game("connect_four")
    assert (before.title, after.title) == ("Connect Four", "Other Four")
    assert before != after


def test_nothing_else_is_found(folder: Path) -> None:
    """No game of the package is replaced, no path is followed, and a file that calls itself otherwise is refused."""
    put(folder, "othello")
    put(folder, "Capital")
    put(folder, "other")
    (folder / "empty").mkdir()
    (folder / "file").write_text(TEXT)
    assert own_games() == ("other",)
    assert boyi.game("othello").title == "Othello"
    with pytest.raises(boyi.GameError, match="give it the name of its file"):
        boyi.game("other")
    for name in ("Capital", "empty", "file", "../other", "other/other", "", ".", "x" * 5000):
        assert own_file(name) is None
        with pytest.raises(boyi.UnknownGame):
            boyi.game(name)


def test_a_folder_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for value in (str(tmp_path / "none"), ""):
        monkeypatch.setenv(OWN_GAMES, value)
        assert boyi.games() == built_in_games()
        with pytest.raises(boyi.UnknownGame, match="known are connect6"):
            boyi.game("connect_four")
