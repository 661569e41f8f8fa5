"""`boyi study` from outside."""

import json
from pathlib import Path

import pytest

import boyi
from boyi.cli.main import main
from boyi.cli.study import study
from boyi.players.patterns import PatternPlayer, read_table

FEW = ["study", "patterns", "--games=500", "--generations=2"]


def test_a_learnt_table_is_written_and_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for file in files:
        assert main([*FEW, "--seed", "4", "--out", str(file), "--json"]) == 0
        result = json.loads(capsys.readouterr().out)
        assert result["file"] == str(file)
        assert result["bytes"] == file.stat().st_size
        assert [row["number"] for row in result["rows"]] == [0, 1]
        assert result["codes"] == (read_table(file) > 0).sum() > 1000
        assert 0.6 < result["beats_random"] < 1
    assert files[0].read_bytes() == files[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == files
    einstein = boyi.game("einstein")
    position = einstein.start(seed=1).play("3")
    assert PatternPlayer(einstein, table=str(files[0]), sims=50).choose(position).move in position.moves


def test_the_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(FEW) == 0
    header, first, second = capsys.readouterr().out.splitlines()
    assert "beats random" in header
    assert first.split()[:2] == ["0", "500"]
    assert second.split()[:2] == ["1", "500"]
    assert second.split()[3].endswith("%")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "nowhere/x.npz"], "there is no folder"),
        (["--out", "."], "is a folder"),
        (["--games=0"], "games=0 is not possible"),
        (["--generations=-1"], "generations=-1 is not possible"),
    ],
)
def test_bad_options(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["study", "patterns", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_an_unknown_study(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "nothing"]) == 2
    assert "patterns" in capsys.readouterr().err


def test_every_study_has_json_and_seed(capsys: pytest.CaptureFixture[str]) -> None:
    """As the help of the verb says."""
    names = [name for name in study if not name.startswith("-")]
    assert "patterns" in names
    for name in names:
        assert main(["study", name, "--help"]) == 0
        printed = capsys.readouterr().out
        assert "--json" in printed
        assert "--seed" in printed
