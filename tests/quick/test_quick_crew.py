"""Several workers that play for one learner: the same samples whoever plays, and a run that survives its workers."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boyi
from boyi.cli.main import main
from boyi.games.game import Game
from boyi.quick.crew import Crew
from boyi.quick.learner import Learner, Plan, Stopwatch
from boyi.quick.library import learner
from boyi.quick.store import Arrays
from boyi.train.quick import quick_config, train_quick
from boyi.train.quick_estimate import estimate_quick
from boyi.train.workers import LocalPool


class BackwardPool:
    """Workers that finish in the reverse order, in this process."""

    def __init__(self, workers: int) -> None:
        self.workers, self.given = workers, 0

    def run(self, work: Callable[..., Any], jobs: Iterable[Any], *shared: Any) -> Iterator[tuple[Any, Any]]:
        waiting = []
        for job in jobs:
            self.given += 1
            waiting.append((job, work(job, *shared)))
            if len(waiting) == self.workers:
                yield from waiting[::-1]
                waiting = []
        yield from waiting[::-1]


class Numbers:
    """A seat that draws a random number and adds what it is told."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def play(self, arrays: Arrays, order: int, rng: Any) -> tuple[str, int]:
        return self.game.name, int(rng[0] >> np.uint64(40)) + int(arrays["base"][0]) + order


@pytest.fixture(scope="module")
def pool() -> Iterator[LocalPool]:
    made = LocalPool(2)
    yield made
    made.close()


class TestCrew:
    arrays = {"base": np.array([5])}

    def test_answers_stand_in_the_order_of_their_numbers(self, pool: LocalPool) -> None:
        for other in (BackwardPool(2), BackwardPool(3), pool):
            crew = Crew("tictactoe", other)
            found = crew.play(Numbers, self.arrays, range(7), seed=3)
            assert found == Crew("tictactoe", BackwardPool(1)).play(Numbers, self.arrays, range(7), seed=3)
            assert len(set(found)) == 7
            assert crew.play(Numbers, self.arrays, range(4, 7), seed=3, first=4) == found[4:]

    def test_work_is_shared(self) -> None:
        crew = Crew("tictactoe", BackwardPool(4))
        assert crew.share(100, 10) == 25
        assert crew.share(101, 10) == 26
        assert crew.share(20, 10) == 10

    def test_a_shift_ends_with_its_time(self) -> None:
        crew = Crew("tictactoe", BackwardPool(3))
        assert list(crew.shift(0.0, "games")) == ["games"] * 3
        orders = []
        for order in crew.shift(2.0, "games"):
            orders.append(order)
            crew.worked_s += 1.5
        assert len(orders) == 4

    def test_time_is_that_of_each_worker(self) -> None:
        crew = Crew("tictactoe", BackwardPool(4))
        watch = Stopwatch(crew)
        before = watch.seconds
        crew.worked_s += 1000.0
        assert 250 <= watch.seconds - before < 300


def taught(game: str, crew: Crew | None, generations: int = 2) -> Learner:
    """A net after generations that are as short as they can be."""
    net = learner(boyi.game(game), Plan(1e-6, seed=9, crew=crew))
    for number in range(1, generations + 1):
        row = net.generation(number, 0.0, lambda *_: None)
        assert row["rows"] > 0
        assert row["games"] > 0
    return net


@pytest.mark.parametrize("game", ["tictactoe", "einstein", "gomoku:size=9", "othello:size=6"])
def test_who_plays_makes_no_difference(game: str, pool: LocalPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boyi.quick.othello_learner.LEAST_S", 0.0)
    here, there = taught(game, Crew(game, BackwardPool(2))), taught(game, Crew(game, pool))
    for name, array in here.state().items():
        assert np.array_equal(array, there.state()[name]), name
    for name, array in here.samples().items():
        assert np.array_equal(array, there.samples()[name]), name


def test_as_many_rows_as_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learnt from between two passes does not depend on the workers."""
    rows = {}
    for workers in (0, 2, 5):
        crew = Crew("einstein", BackwardPool(workers)) if workers else None
        net = learner(boyi.game("einstein"), Plan(1e-6, seed=9, crew=crew))
        rows[workers] = net.generation(1, 0.0, lambda *_: None)["rows"]
    assert rows[0] == rows[2] == 32_768
    assert rows[5] == 5 * -(-32_768 // 5)


SHORT = ["minutes=0.02", "measure_games=4", "measure_nodes=50", "anchors=['random']", "workers=2"]


def test_a_run_with_workers_and_its_continuation(tmp_path: Path, pool: LocalPool) -> None:
    config = quick_config("tictactoe", None, SHORT)
    first = train_quick(config, tmp_path, pool=pool, stop_after=2)
    rows = train_quick(config, tmp_path, pool=pool)
    assert rows[: len(first)] == first
    assert rows[-1]["elapsed_s"] >= 60 * 0.02
    assert rows[-1]["anchor_score"] > 0.5
    assert all(row["wall_s"] > 0 for row in rows[1:])
    assert quick_config(None, tmp_path / "config.toml", []).workers == 2


class Vandal(BackwardPool):
    """Kills a process of another pool before the jobs are given to it."""

    def __init__(self, pool: LocalPool) -> None:
        super().__init__(pool.workers)
        self.pool, self.times = pool, 0

    def run(self, work: Callable[..., Any], jobs: Iterable[Any], *shared: Any) -> Iterator[tuple[Any, Any]]:
        self.times += 1
        if self.times == 2:
            os.kill(next(iter(self.pool.pool._processes)), signal.SIGKILL)
        return self.pool.run(work, jobs, *shared)

    def close(self) -> None:
        self.pool.close()


def test_a_dead_worker_changes_nothing(tmp_path: Path) -> None:
    notes: list[str] = []
    killed = Vandal(LocalPool(2, on_death=notes.append))
    try:
        net = taught("tictactoe", Crew("tictactoe", killed), 3)
    finally:
        killed.close()
    whole = taught("tictactoe", Crew("tictactoe", BackwardPool(2)), 3)
    assert np.array_equal(net.arrays()["weights"], whole.arrays()["weights"])
    assert notes == ["a worker died; its games are played again"]
    assert not killed.pool.folder.exists()


def living(number: int) -> bool:
    """Whether a process runs; a dead one that nobody has asked about does not."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_killed_run_takes_its_workers_along_and_goes_on(tmp_path: Path) -> None:
    program = [sys.executable, "-c", "from boyi.cli.main import run; run()"]
    words = ["train", "tictactoe", "--method", "quick", "--minutes", "0.5", "--workers", "2", "--dir", str(tmp_path)]
    process = subprocess.Popen([*program, *words], stderr=subprocess.DEVNULL)
    begun = time.monotonic()
    while not (tmp_path / "checkpoints" / "000001").is_dir():
        assert process.poll() is None
        assert time.monotonic() - begun < 600
        time.sleep(0.05)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = len((tmp_path / "metrics.jsonl").read_text().splitlines())
    while any(living(int(number)) for number in children):
        assert time.monotonic() - begun < 600
        time.sleep(0.05)
    config = quick_config(None, tmp_path / "config.toml", ["minutes=0.05", "measure_games=0"])
    assert config.workers == 2
    rows = train_quick(config, tmp_path, stop_after=1)
    assert len(rows) >= before
    assert rows[1]["generation"] == 1


def test_costs_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone = estimate_quick(quick_config("tictactoe", None, []))
    assert alone.weights > 0
    assert alone.minutes == 10
    assert 0 < alone.positions < 60 * 10 * alone.positions_per_s
    words = ["tictactoe", "--method", "quick", "--workers", "2", "--dry-run", "--dir", str(tmp_path / "run")]
    assert main(["train", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["memory_mb"] > 2.5 * alone.memory_mb
    assert not (tmp_path / "run").exists()
