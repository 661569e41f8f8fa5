"""`boyi train --method quick`: a run directory that survives a kill, and the players over its nets."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import boyi
from boyi.cli.main import main
from boyi.models.cards import BadModel
from boyi.players import Limit
from boyi.quick.store import load
from boyi.train.config import BadConfig
from boyi.train.quick import QuickConfig, is_quick, quick_config, train_quick, write_quick_toml
from boyi.train.run import BadRun

GAME = boyi.game("tictactoe")
SHORT = ["minutes=0.02", "measure_games=4", "measure_nodes=50", "anchors=['random']"]


def test_options_round_trip(tmp_path: Path) -> None:
    config = quick_config("othello:size=6", None, ["minutes=2", "seed=7", "anchors=['random', 'mc']"])
    (tmp_path / "config.toml").write_text(write_quick_toml(config))
    assert quick_config(None, tmp_path / "config.toml", []) == config
    assert is_quick(tmp_path)
    assert quick_config(None, tmp_path / "config.toml", ["minutes=3"]).minutes == 3
    assert QuickConfig("othello").plan.minutes == 15


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("minutes=-1", "minutes"),
        ("minutes=soon", "minutes"),
        ("depth=3", "unknown option 'depth'"),
        ("generations=0", "generations"),
        ("workers=0", "workers"),
        ("method=deep", "method"),
        ("minutes", "no change"),
    ],
)
def test_wrong_options_are_named(change: str, named: str) -> None:
    with pytest.raises(BadConfig, match=named):
        quick_config("tictactoe", None, [change])


def test_a_run_and_its_continuation(tmp_path: Path) -> None:
    config = quick_config("tictactoe", None, SHORT)
    first = train_quick(config, tmp_path, stop_after=2)
    assert [row["generation"] for row in first] == [0, 1, 2]
    rows = train_quick(config, tmp_path)
    assert rows[: len(first)] == first
    assert rows[-1]["elapsed_s"] >= 60 * 0.02
    assert rows[-1]["anchor"] == "random"
    assert rows[-1]["anchor_score"] > 0.5
    card, arrays = load(tmp_path / "checkpoints" / f"{rows[-1]['generation']:06}" / "model", GAME, ("tuples",))
    assert card.training["rows"] == rows[-1]["rows_total"] == sum(row.get("rows", 0) for row in rows)
    assert card.elo is not None
    assert abs(arrays["weights"]).max() > 0
    assert train_quick(config, tmp_path) == rows


def test_another_game_is_refused(tmp_path: Path) -> None:
    train_quick(quick_config("tictactoe", None, SHORT), tmp_path, stop_after=1)
    with pytest.raises(BadRun, match="own game"):
        train_quick(quick_config("othello:size=4", None, SHORT), tmp_path)


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    """What was done counts; the rest is done anew."""
    program = [sys.executable, "-c", "from boyi.cli.main import run; run()"]
    words = ["train", "tictactoe", "--method", "quick", "--minutes", "0.5", "--dir", str(tmp_path)]
    process = subprocess.Popen([*program, *words], stderr=subprocess.DEVNULL, env={**os.environ})
    begun = time.monotonic()
    while not (tmp_path / "checkpoints" / "000001").is_dir():
        assert process.poll() is None
        assert time.monotonic() - begun < 600
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = len((tmp_path / "metrics.jsonl").read_text().splitlines())
    config = quick_config(None, tmp_path / "config.toml", ["minutes=0.05", "measure_games=0"])
    rows = train_quick(config, tmp_path, stop_after=1)
    assert len(rows) >= before
    assert rows[1]["generation"] == 1


class TestCommand:
    def test_trains_and_says_where(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        words = ["tictactoe", "--method", "quick", "--minutes", "0.01", "--dir", str(tmp_path), "--json"]
        assert main(["train", *words, "--set", "measure_games=0", "--seed", "4"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["dir"] == str(tmp_path)
        assert found["rows_total"] > 0
        assert main(["train", "--resume", str(tmp_path), "--method", "deep"]) != 0
        assert "quick net" in capsys.readouterr().err
        assert main(["train", "--resume", str(tmp_path), "--minutes", "0.012", "--json"]) == 0

    @pytest.mark.parametrize("words", [["--method", "slow"], ["--method", "quick", "--from-records", "games.txt"]])
    def test_wrong_usage(self, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["train", "tictactoe", *words]) != 0
        assert words[-2] in capsys.readouterr().err


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a net trained for a second."""
    folder = tmp_path_factory.mktemp("run")
    rows = train_quick(quick_config("tictactoe", None, [*SHORT, "measure_games=0"]), folder)
    return str(folder / "checkpoints" / f"{rows[-1]['generation']:06}" / "model")


class TestPlayer:
    def test_chooses_and_says_why(self, model: str) -> None:
        player = boyi.player(f"quick:model={model},depth=2,exact=no", GAME)
        choice = player.choose(GAME.start())
        assert choice.move in GAME.start().moves
        assert choice.value is not None
        assert choice.stopped == "depth"
        assert player.choose(GAME.start(), Limit(nodes=30)).nodes <= 60

    def test_takes_what_is_known(self, model: str) -> None:
        choice = boyi.player(f"quick:model={model}", GAME).choose(GAME.start(), Limit(seconds=60))
        assert choice.exact
        assert choice.value == 0.0

    def test_a_wrong_model_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(BadModel, match="cannot be read"):
            boyi.player(f"quick:model={tmp_path}/none", GAME)
