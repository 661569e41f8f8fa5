"""The loop: a tiny run end to end, killed, corrupted, locked, stopped for want of space, and always continued."""

import dataclasses
import errno
import functools
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from dying_jobs import suicide_once

import boyi
from boyi.arena import estimate
from boyi.cli.main import main
from boyi.cli.train import _usual_folder
from boyi.games.position import Position
from boyi.nets.config import NetConfig
from boyi.nets.files import read_card
from boyi.players.net import NetPlayer, PolicyPlayer
from boyi.train import files
from boyi.train.config import LearnConfig, MeasureConfig, SelfPlayConfig, TrainConfig, changed, find_config, write_toml
from boyi.train.display import strength
from boyi.train.loop import Stages, player_model, train
from boyi.train.measure import measured, next_anchor, plateau, silence
from boyi.train.report import Silence
from boyi.train.run import BadRun, Busy, Run
from boyi.train.workers import InlinePool, LocalPool, read_model

TINY = TrainConfig(
    game="tictactoe",
    generations=4,
    workers=1,
    net=NetConfig(kind="mlp", blocks=1, hidden=16),
    selfplay=SelfPlayConfig(games=8, shards=2, parallel=4, simulations=4, considered=4, opening=2),
    learn=LearnConfig(batch=16, threads=1),
    measure=MeasureConfig(every=0),
)
TIMES = (
    "elapsed_s",
    "play_s",
    "learn_s",
    "measure_s",
    "games_per_hour",
    "positions_per_s",
    "evaluations_per_s",
    "efficiency",
)


def timeless(rows):
    """Metrics without what depends on the clock, or on whether a shard was there already."""
    return [{key: value for key, value in row.items() if key not in (*TIMES, "batch")} for row in rows]


class Listener(Silence):
    def __init__(self):
        self.notes, self.stages = [], []

    def note(self, text):
        self.notes.append(text)

    def stage(self, name, done, total):
        self.stages.append(name)


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """An undisturbed run: its directory and its metrics."""
    folder = tmp_path_factory.mktemp("reference")
    return folder, train(TINY, folder)


def test_a_run_is_a_directory(reference):
    folder, rows = reference
    assert [row["generation"] for row in rows] == [0, 1, 2, 3, 4]
    assert [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()] == rows
    assert sorted(file.name for file in (folder / "games").iterdir()) == [
        f"{generation:06}-{shard:03}.npz" for generation in (1, 2, 3, 4) for shard in (0, 1)
    ]
    assert sorted(f.name for f in (folder / "checkpoints").iterdir()) == ["000000", "000002", "000003", "000004"]
    assert not list(folder.rglob("*.pkl")) + list(folder.rglob("*.pt"))
    card = read_card(folder / "checkpoints" / "000004" / "model", boyi.game("tictactoe"))
    assert card.training["generations"] == 4
    assert {"loss_policy", "loss_value", "entropy", "first_player", "window"} <= set(rows[-1])


def test_a_stopped_run_goes_on_exactly(reference, tmp_path):
    folder, rows = reference
    for _ in range(3):
        train(TINY, tmp_path, stop_after=1)
    assert timeless(train(TINY, tmp_path)) == timeless(rows)
    for shard in (folder / "games").iterdir():
        assert (tmp_path / "games" / shard.name).read_bytes() == shard.read_bytes()
    last = Path("checkpoints/000004/model.safetensors")
    assert (tmp_path / last).read_bytes() == (folder / last).read_bytes()


def test_two_workers_make_the_same_games(reference, tmp_path):
    folder, rows = reference
    assert timeless(train(dataclasses.replace(TINY, workers=2), tmp_path, stop_after=1)) == timeless(rows[:2])
    for shard in (0, 1):
        name = f"games/000001-00{shard}.npz"
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_games_in_8_bits(tmp_path):
    """The games come from another graph than the checkpoint's, the same one after a stop and in every worker."""
    net = NetConfig(blocks=1, channels=8, hidden=8)
    config = changed(dataclasses.replace(TINY, generations=2, net=net), ["selfplay.precision=int8"])
    rows = train(config, tmp_path / "whole")
    train(config, tmp_path / "stopped", stop_after=1)
    assert timeless(train(dataclasses.replace(config, workers=2), tmp_path / "stopped")) == timeless(rows)
    for shard in (tmp_path / "whole" / "games").iterdir():
        assert (tmp_path / "stopped" / "games" / shard.name).read_bytes() == shard.read_bytes()
    stored = read_model(tmp_path / "whole" / "checkpoints" / "000001" / "model")
    assert b"QuantizeLinear" not in stored[".onnx"]
    with Run(tmp_path / "whole") as run:
        stages = Stages(config, run, InlinePool(), Silence())
        in_bits = player_model(stages, 2, model=1)
        assert b"QuantizeLinear" in in_bits[".onnx"]
        assert {**in_bits, ".onnx": b""} == {**stored, ".onnx": b""}
        stages = Stages(dataclasses.replace(config, selfplay=TINY.selfplay), run, InlinePool(), Silence())
        assert player_model(stages, 2, model=1) == stored


def test_the_minutes_end_a_run_in_the_middle_of_a_generation(tmp_path):
    short = dataclasses.replace(TINY, minutes=1e-9)
    rows = train(short, tmp_path)
    assert [(row["generation"], row.get("games")) for row in rows] == [(0, None), (1, 4)]
    assert [file.name for file in (tmp_path / "games").iterdir()] == ["000001-000.npz"]
    read_card(tmp_path / "checkpoints" / "000001" / "model", boyi.game("tictactoe"))
    assert train(short, tmp_path) == rows
    assert [row["games"] for row in train(TINY, tmp_path, stop_after=1)[1:]] == [4, 8]


def test_the_minutes_are_those_of_the_clock_given(tmp_path):
    hours = itertools.count(0.0, 3600.0)
    rows = train(dataclasses.replace(TINY, minutes=2.0), tmp_path, clock=lambda: next(hours))
    assert [row["generation"] for row in rows] == [0, 1]
    assert rows[1]["elapsed_s"] >= 3600


def test_workers_without_a_shard_are_told(tmp_path):
    pool, told = InlinePool(), Listener()
    pool.workers = 5
    train(TINY, tmp_path, pool=pool, report=told, stop_after=0)
    assert [note for note in told.notes if "only 2 of 5 workers" in note and "selfplay.shards=5" in note]


def test_a_deep_net_without_its_packages(monkeypatch, capsys):
    monkeypatch.setattr("boyi.train.packages.DEEP", ("no_such_package",))
    assert main(["train", "tictactoe"]) == 2
    told = capsys.readouterr().err
    assert "(no_such_package)" in told
    assert "--method quick" in told


def test_a_run_without_a_name_can_stand_in_the_name_of_a_player():
    for method, game, begins in (
        ("deep", "/far/away/my_game.py:rows=5,columns=6", "runs/my_game-rows=5-columns=6-2"),
        ("quick", "gomoku:size=9,win=4", "runs/quick-gomoku-size=9-win=4-2"),
        ("deep", "othello", "runs/othello-2"),
    ):
        assert str(_usual_folder(method, game)).startswith(begins)


def test_the_job_of_a_dead_worker_is_done_again(tmp_path):
    notes: list[str] = []
    pool = LocalPool(2, on_death=notes.append)
    try:
        answers = dict(pool.run(suicide_once, [0, 1, 2], str(tmp_path / "marker")))
    finally:
        pool.close()
    assert answers == {0: 0, 1: 10, 2: 20}
    assert notes == ["a worker died; its games are played again"]


def start(folder, config):
    """A run in a process of its own."""
    (folder.parent / "tiny.toml").write_text(write_toml(config))
    arguments = ["train", "--config", str(folder.parent / "tiny.toml"), "--dir", str(folder)]
    code = f"import sys; sys.argv[1:] = {arguments!r}; from boyi.cli.main import run; run()"
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


KILLED_IN_PROCESS = """
import os, random, signal, sys, threading, time
from pathlib import Path
from boyi.train.config import read_config
from boyi.train.loop import train

config, folder, seed = read_config(Path(sys.argv[1])), Path(sys.argv[2]), int(sys.argv[3])
train(config, folder.with_name("warm"), stop_after=1)
for number in range(int(sys.argv[4])):
    child = os.fork()
    if child == 0:
        delay = random.Random(seed + number).uniform(0.0, 0.35)
        threading.Thread(target=lambda: (time.sleep(delay), os.kill(os.getpid(), signal.SIGKILL)), daemon=True).start()
        train(config, folder)
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)
"""


def test_killed_twenty_times(reference, tmp_path):
    """SIGKILL at random moments: every resume works, no generation counts twice, the metrics are those of a run that
    nobody disturbed. Processes are forked after a first run, so that kills hit training and not the start of Python."""
    config = dataclasses.replace(TINY, generations=80)  # a fast computer makes thirty before it was killed ten times
    (tmp_path / "tiny.toml").write_text(write_toml(config))
    folder = tmp_path / "run"
    script = [sys.executable, "-c", KILLED_IN_PROCESS, str(tmp_path / "tiny.toml"), str(folder), "1", "20"]
    killed = subprocess.run(
        script, capture_output=True, text=True, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    signals = [int(word) for word in killed.stdout.split()]
    assert signals.count(signal.SIGKILL) >= 10, killed
    assert set(signals) <= {0, signal.SIGKILL}
    notes = Listener()
    rows = train(config, folder, report=notes)
    assert notes.notes == []
    assert [row["generation"] for row in rows] == list(range(81))
    clean = train(config, tmp_path / "clean")
    assert timeless(rows) == timeless(clean)
    assert all(later["elapsed_s"] >= row["elapsed_s"] for row, later in itertools.pairwise(rows))


def test_a_flipped_byte_is_refused_by_name(tmp_path):
    train(TINY, tmp_path, stop_after=3)
    for name in ("learner.safetensors", "model.onnx"):
        newest = max(f for f in (tmp_path / "checkpoints").iterdir() if f.name.isdecimal())
        damaged = newest / name
        content = bytearray(damaged.read_bytes())
        content[len(content) // 2] ^= 4
        damaged.write_bytes(content)
        listener = Listener()
        rows = train(TINY, tmp_path, report=listener, stop_after=1)
        assert str(damaged) in listener.notes[0]
        assert "going back" in listener.notes[0]
        assert [row["generation"] for row in rows] == list(range(len(rows)))
        assert len(rows) == 4


def test_damaged_games_are_played_again(tmp_path):
    rows = train(TINY, tmp_path, stop_after=2)
    shard = tmp_path / "games" / "000002-001.npz"
    content = shard.read_bytes()
    shard.write_bytes(content[:-40])
    listener = Listener()
    more = train(TINY, tmp_path, report=listener, stop_after=1)
    assert any("000002-001.npz" in note for note in listener.notes)
    assert timeless(more[:3]) == timeless(rows)


def test_two_processes_cannot_share_a_directory(tmp_path):
    with Run(tmp_path):
        with pytest.raises(Busy, match=f"process {os.getpid()}"):
            train(TINY, tmp_path)
        assert main(["train", "tictactoe", "--dir", str(tmp_path)]) == 2
    assert len(train(TINY, tmp_path, stop_after=1)) == 2


def test_a_full_disk_keeps_the_last_checkpoint(tmp_path, monkeypatch):
    train(TINY, tmp_path, stop_after=1)

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "fsync", full)
        with pytest.raises(OSError, match=r"disk is full; free some space and resume"):
            train(TINY, tmp_path, stop_after=1)
    rows = train(TINY, tmp_path, stop_after=1)
    assert [row["generation"] for row in rows] == [0, 1, 2]


def test_a_directory_that_cannot_be_written(tmp_path, capsys):
    (tmp_path / "file").write_text("in the way")
    assert main(["train", "tictactoe", "--dir", str(tmp_path / "file" / "run")]) == 1
    assert "cannot write" in capsys.readouterr().err
    assert main(["train", "--resume", str(tmp_path)]) == 2
    assert "holds no run" in capsys.readouterr().err


def test_only_damaged_checkpoints_are_an_error(tmp_path):
    train(TINY, tmp_path, stop_after=1)
    for folder in (tmp_path / "checkpoints").iterdir():
        (folder / "checksums.json").unlink()
    with pytest.raises(BadRun, match="no checkpoint that is whole"):
        train(TINY, tmp_path)


def test_gate_and_measurement(tmp_path):
    config = dataclasses.replace(
        TINY, measure=MeasureConfig(every=1, games=4, simulations=4, gate=1.0, gate_games=4, anchors=("random",))
    )
    rows = train(config, tmp_path, stop_after=2)
    assert all(0 <= row["gate_score"] <= 1 and row["anchor"] == "random" for row in rows[1:])
    for before, row in itertools.pairwise(rows):
        assert row["plays"] == (row["generation"] if row["gate_score"] == 1 else before["plays"])


def test_anchors_make_way_and_a_plateau_is_said():
    anchors = ("random", "mcts:sims=10", "mcts:sims=100")
    rows = [{"generation": 5, "anchor": "random", "anchor_score": 0.95}]
    assert next_anchor(anchors, []) == "random"
    assert next_anchor(anchors, rows) == "mcts:sims=10"
    rows += [{"generation": g, "anchor": "mcts:sims=10", "anchor_score": 0.6} for g in (10, 15, 20, 25)]
    assert plateau(rows) == ""
    rows.append({"generation": 30, "anchor": "mcts:sims=10", "anchor_score": 0.55})
    assert "no gain since generation 10" in plateau(rows)
    rows.append({"generation": 35, "anchor": "mcts:sims=10", "anchor_score": 0.8})
    assert plateau(rows) == ""


def test_a_head_that_died_is_said_once():
    rows = [{"generation": 0}, {"generation": 1, "rate": 5e-3, "spread_policy": 0.3, "spread_value": 2.0}]
    assert silence(rows[:1]) == silence(rows) == ""
    rows.append({"generation": 2, "rate": 5e-3, "spread_policy": 2e-6, "spread_value": 2.0})
    assert "the net's policy is the same for every position" in silence(rows)
    assert "0.005" in silence(rows)
    rows.append({"generation": 3, "rate": 5e-3, "spread_policy": 0.0, "spread_value": 0.0})
    assert "the net's value" in silence(rows)
    rows.append({"generation": 4, "rate": 5e-3, "spread_policy": 0.0, "spread_value": 0.0})
    assert silence(rows) == ""


def test_strength_in_words():
    row = measured("random", estimate([[1.0, 1.0]] * 10)) | {"generation": 3}
    assert re.fullmatch(r"above \+\d+ Elo against random: 100%, generation 3", strength(row))
    row = measured("random", estimate([[1.0, 0.0]] * 10)) | {"generation": 3}
    assert re.fullmatch(r"[+-]0 Elo \(-\d+ to \+\d+\) against random: 50%, generation 3", strength(row))


def test_the_command(tmp_path, capsys):
    config = tmp_path / "tiny.toml"
    config.write_text(write_toml(TINY))
    folder = tmp_path / "run"
    command = ["train", "--config", str(config), "--dir", str(folder), "--generations", "1", "--json", "--seed", "5"]
    assert main(command) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["generation"] == 1
    assert "seed = 5" in (folder / "config.toml").read_text()
    assert main(["train", "--resume", str(folder), "--generations", "2", "--tensorboard", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["generation"] == 2
    assert list((folder / "tensorboard").iterdir())
    assert main(["train", "--config", str(config), "--dry-run", "--json"]) == 0
    cost = json.loads(capsys.readouterr().out)
    assert cost["minutes"] > 0
    assert cost["memory_mb"] > 100
    assert main(["train", "--config", str(config), "--set", "selfplay.bogus=1"]) == 2
    assert "selfplay.bogus" in capsys.readouterr().err
    assert main(["train", "tictactoe", "--resume", str(folder)]) == 2


def test_records_through_the_command(tmp_path, capsys):
    games = tmp_path / "games.txt"
    games.write_text("a1 b2 a2 b3 a3\nbad line\nb2 a1 c3 a3 a2 c2 b3 b1 c1\n" * 3)
    config = tmp_path / "tiny.toml"
    config.write_text(write_toml(TINY))
    command = ["train", "--config", str(config), "--dir", str(tmp_path / "run"), "--from-records", str(games), "--json"]
    assert main(command) == 0
    out = capsys.readouterr()
    assert "games.txt:2: left out" in out.err
    assert json.loads(out.out)["games"] == 6


def test_ctrl_c_says_how_to_go_on(tmp_path):
    process = start(tmp_path / "run", dataclasses.replace(TINY, generations=10_000))
    until = time.monotonic() + 600
    while not (tmp_path / "run" / "checkpoints" / "000001").exists():
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert f"boyi train --resume {tmp_path / 'run'}" in errors.decode()
    assert len(train(dataclasses.replace(TINY, generations=10_000), tmp_path / "run", stop_after=1)) >= 3


@functools.cache
def worst_result(player, seat, position):
    """The worst that can happen to a player in a seat, whatever the other side does: -1, 0 or 1."""
    if position.outcome is not None:
        return 0 if position.outcome.winner is None else 1 if position.outcome.winner == seat else -1
    moves = [player.choose(position).move] if position.turn == seat else position.moves
    return min(worst_result(player, seat, position.play(move)) for move in moves)


def test_tictactoe_is_learnt_perfectly(tmp_path):
    """The shipped configuration, shortened: never loses from either side over the whole tree of its choices."""
    config = changed(find_config("tictactoe"), ["generations=20", "measure.every=0", "workers=1", "learn.threads=1"])
    train(config, tmp_path)
    game = boyi.game("tictactoe")
    stem = str(tmp_path / "checkpoints" / "000020" / "model")
    for seat in (0, 1):
        for player in (PolicyPlayer(game, model=stem), NetPlayer(game, model=stem, sims=16, leaves=1)):
            assert worst_result(player, seat, game.start()) == 0, type(player).__name__


def test_the_oracle_can_tell():
    """A player that takes the first legal move does lose."""

    class First:
        def choose(self, position: Position) -> boyi.Choice:
            return boyi.Choice(position.moves[0])

    assert worst_result(First(), 1, boyi.game("tictactoe").start()) == -1
