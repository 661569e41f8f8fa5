"""Who plays: jobs that need nothing but their arguments, and the pools that run them. Start at `play_shard`.

A generation's games are split into numbered shards with seeds of their own, so that who plays which and when makes no
difference. A pool answers each job wholly or not at all; a job whose worker died is given to another one. `LocalPool`
runs spawned processes on this computer, `InlinePool` this very process; `boyi.train.cluster` has the same for Ray. Deep
and quick nets use the same pools; the jobs of quick nets are in `boyi.quick.crew`.
"""

import contextlib
import functools
import hashlib
import itertools
import multiprocessing
import os
import pickle
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from boyi.arena.match import GameRow, Schedule
from boyi.games.game import Game
from boyi.games.randomness import generator
from boyi.games.registry import game as find_game
from boyi.nets.evaluator import NetEvaluator
from boyi.players import Player, player
from boyi.players.net import NetPlayer
from boyi.quick import crew
from boyi.train.config import TrainConfig
from boyi.train.labels import label_exactly
from boyi.train.samples import write_samples
from boyi.train.selfplay import Tally, play_games
from boyi.train.teacher import teach

MOST_DEATHS = 5
"""Workers that may die during one set of jobs before the run gives up."""

Model = Mapping[str, bytes]
"""The files of a model by suffix, as jobs carry it."""


def read_model(stem: Path) -> Model:
    """The files of a model on disk."""
    return {suffix: stem.with_name(stem.name + suffix).read_bytes() for suffix in (".json", ".onnx", ".safetensors")}


class ShardJob(NamedTuple):
    """The games of one shard."""

    config: TrainConfig
    generation: int
    shard: int

    @property
    def games(self) -> int:
        """Shards share the games as evenly as they can."""
        play = self.config.selfplay
        return play.games // play.shards + (self.shard < play.games % play.shards)

    @property
    def seed(self) -> int:
        return int(generator(int(generator(self.config.seed, self.generation)[0]), self.shard)[0])


def play_shard(job: ShardJob, model: Model) -> tuple[bytes, Tally]:
    """Play the games of a shard with a model: the content of its file, and what it came to."""
    game = find_game(job.config.game)
    evaluator = NetEvaluator(game, model[".onnx"])
    play = job.config.selfplay
    taught = play.teacher and (not play.taught or job.generation <= play.taught)
    samples, tally = (teach if taught else play_games)(game, evaluator, play, games=job.games, seed=job.seed)
    return write_samples(label_exactly(game, samples) if play.exact else samples), tally


class PairJob(NamedTuple):
    """Two games with colours exchanged between a model and an opponent: a player's name, or another model."""

    game: str
    pair: int
    games: int
    seed: int
    simulations: int
    opponent: str
    """A player by name; "" for the second model."""


def play_pair(job: PairJob, model: Model, other: Model | None) -> list[GameRow]:
    """The games of a pair, from the first model's side."""
    game = find_game(job.game)
    schedule = Schedule(game, job.games, job.seed)
    first = functools.partial(_net, game, _unpacked(model), job.simulations)
    if other is not None:
        second: Callable[[int], Player] = functools.partial(_net, game, _unpacked(other), job.simulations)
    else:
        second = lambda seed: player(job.opponent, game, seed=seed)  # noqa: E731
    return list(schedule.play_pair(job.pair, first, second))


def _net(game: Game, stem: str, simulations: int, seed: int) -> Player:
    return NetPlayer(game, model=stem, sims=simulations, leaves=min(8, max(1, simulations // 8)), seed=seed)


_folder: Any = None


def _unpacked(model: Model) -> str:
    """The path of a model's files in a folder of this process."""
    global _folder
    _folder = _folder or tempfile.TemporaryDirectory(prefix="boyi-")
    stem = Path(_folder.name) / hashlib.sha256(model[".json"]).hexdigest()[:16]
    for suffix, content in model.items():
        file = stem.with_name(stem.name + suffix)
        if not file.exists():
            file.write_bytes(content)
    return str(stem)


class Pool(crew.Pool, Protocol):
    """Runs a function over jobs, somewhere, until it is closed."""

    def close(self) -> None:
        """Let the workers go, whatever they do."""
        ...


class InlinePool:
    """One worker: this process."""

    workers = 1

    def run(self, work: Callable[..., Any], jobs: Iterable[Any], *shared: Any) -> Iterator[tuple[Any, Any]]:
        for job in jobs:
            yield job, work(job, *shared)

    def close(self) -> None:
        pass


class LocalPool:
    """Several processes on this computer, each with one thread. What the jobs share goes to them in a file, which each
    reads once."""

    def __init__(self, workers: int, *, on_death: Callable[[str], None] = lambda _: None) -> None:
        self.workers, self.on_death = workers, on_death
        self.folder = Path(tempfile.mkdtemp(prefix="boyi-"))
        self.runs = 0
        self.pool = self._start()

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.workers, multiprocessing.get_context("spawn"), initializer=_begin, initargs=(self.folder,)
        )

    def run(self, work: Callable[..., Any], jobs: Iterable[Any], *shared: Any) -> Iterator[tuple[Any, Any]]:
        self.runs += 1
        file = self.folder / f"{self.runs}"
        file.write_bytes(pickle.dumps(shared, pickle.HIGHEST_PROTOCOL))
        drawn, again, deaths = iter(jobs), list[Any](), 0
        waiting: dict[Future[Any], Any] = {}
        try:
            while True:
                try:
                    while len(waiting) < self.workers and (again := again or list(itertools.islice(drawn, 1))):
                        waiting[self.pool.submit(_call, work, again[-1], file)] = again[-1]
                        again.pop()
                    if not waiting:
                        return
                    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                        answer = future.result()
                        yield waiting.pop(future), answer
                except BrokenProcessPool:
                    deaths += 1
                    if deaths > MOST_DEATHS:
                        raise ChildProcessError(
                            "workers keep dying, perhaps for want of memory; try fewer workers, or for a deep net a "
                            "smaller selfplay.parallel"
                        ) from None
                    self.on_death("a worker died; its games are played again")
                    again, waiting = [*again, *waiting.values()], {}
                    self._end()
                    self.pool = self._start()
        finally:
            file.unlink(missing_ok=True)

    def _end(self) -> None:
        processes = list((self.pool._processes or {}).values())
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            with contextlib.suppress(Exception):
                process.kill()
                process.join(5)

    def close(self) -> None:
        self._end()
        shutil.rmtree(self.folder, ignore_errors=True)


_shared: tuple[Path | None, tuple[Any, ...]] = None, ()


def _call(work: Callable[..., Any], job: Any, file: Path) -> Any:
    """In a worker: a job, with what all jobs of its kind share."""
    global _shared
    if _shared[0] != file:
        _shared = file, pickle.loads(file.read_bytes())
    return work(job, *_shared[1])


def _begin(folder: Path) -> None:
    """In a new worker: Ctrl-C is the parent's business, and without a parent there is nothing to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_die_with, args=(parent, folder), daemon=True).start()


def _die_with(parent: Any, folder: Path) -> None:
    parent.join()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def make_pool(workers: int, *, cluster: str | None = None, on_death: Callable[[str], None] = lambda _: None) -> Pool:
    """A pool of so many workers on this computer, a single one being this process, or on a Ray cluster."""
    if cluster is not None:
        from boyi.train.cluster import RayPool

        return RayPool(cluster, workers, on_death=on_death)
    return LocalPool(workers, on_death=on_death) if workers > 1 else InlinePool()
