"""Who plays the games of a plan: this process, or spawned ones with a core each. Start at `play_fixtures`.

A worker process is told one game at a time and answers with its row. When it dies, its game is given to another one.
When the parent dies, the workers leave their games, close their players and end.
"""

import contextlib
import functools
import itertools
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from boyi.arena.match import GameRow
from boyi.arena.plan import Fixture, Plan, schedule
from boyi.arena.play import Factory, Stopped
from boyi.games.errors import GameError
from boyi.games.generics import CHANCE
from boyi.games.position import Position
from boyi.games.registry import game as find_game
from boyi.players import Limit, Player, player
from boyi.protocols.errors import EngineFailure, Reason

MOST_DEATHS = 5
"""Workers that may die in a run before it gives up."""
LEAVE_S = 5.0
"""How long a stopped worker may take to leave its game before it is ended."""
SHOWN_EVERY_S = 0.25
"""How often a running game is reported."""
POLL_S = 0.2


@dataclass
class Usage:
    """What the workers did since the first of them was ready, in seconds of the wall clock and of the processors."""

    workers: int
    elapsed_s: float = 0.0
    ready_s: float = 0.0
    """How long workers were there to play, all together."""
    playing_s: float = 0.0
    cpu_s: float = 0.0

    @property
    def playing(self) -> float:
        """The share of the time since they were ready that workers spent in games."""
        return self.playing_s / max(1e-9, self.ready_s)

    @property
    def cores(self) -> float:
        """How many cores the games kept busy on average."""
        return self.cpu_s / max(1e-9, self.elapsed_s)


@dataclass
class Watch:
    """How a caller follows and ends the play."""

    stopped: Callable[[], bool] = lambda: False
    on_begin: Callable[[Fixture], None] = lambda fixture: None
    on_move: Callable[[Fixture, tuple[str, ...]], None] = lambda fixture, history: None
    usage: Usage = field(default_factory=lambda: Usage(1))


def play_fixtures(
    plan: Plan, fixtures: Iterable[Fixture], workers: int, watch: Watch
) -> Generator[GameRow, None, None]:
    """The rows of games as they end, until all are played or `watch.stopped()`. With 0 workers this process plays."""
    warm_up_plan(plan)
    if workers:
        watch.usage.workers = workers
        yield from _Crew(plan, workers, watch).run(fixtures)
        return
    began = time.perf_counter()
    with contextlib.suppress(Stopped):
        for fixture in fixtures:
            if watch.stopped():
                return
            watch.on_begin(fixture)
            row, playing_s, cpu_s = _timed(
                plan, fixture, watch.stopped, functools.partial(_report, watch.on_move, fixture)
            )
            watch.usage.playing_s += playing_s
            watch.usage.cpu_s += cpu_s
            watch.usage.elapsed_s = watch.usage.ready_s = time.perf_counter() - began
            yield row


def _report(on_move: Callable[[Fixture, tuple[str, ...]], None], fixture: Fixture, position: Position) -> None:
    on_move(fixture, position.history)


def factories(plan: Plan, fixture: Fixture) -> tuple[Factory, Factory]:
    """What makes the two players of a game."""
    game = find_game(plan.game)

    def maker(name: str) -> Factory:
        return lambda seed: player(name, game, seed=seed)

    return maker(plan.players[fixture.first]), maker(plan.players[fixture.second])


def warm_up(thinker: Player, position: Position) -> None:
    """Let a player think for an instant, as in a game: twice about a position, then after two moves, so that nothing is
    compiled or loaded on the clock later.

    It cannot be used for play afterwards: it has seen positions and used random numbers.
    """
    with contextlib.suppress(Exception):  # a broken player shows in the game that it loses
        for _ in range(2):
            while position.turn == CHANCE:
                position = position.play(position.moves[0])
            mover = position.turn
            for _ in range(2):
                move = thinker.choose(position, Limit(simulations=40, nodes=40, seconds=0.02)).move
            position = position.play(move)
            while position.turn not in (mover, None):
                position = position.play(position.moves[0])


@functools.cache
def _warm_up_player(game: str, name: str) -> None:
    try:
        with player(name, find_game(game)) as thinker:
            warm_up(thinker, find_game(game).start(seed=0))
    except EngineFailure as failure:
        if failure.reason == Reason.START:
            raise


def warm_up_plan(plan: Plan) -> None:
    """Once a process, for every player. A wrong name or option or a program that is not there is an error here, not a
    lost game; how else an engine fails shows in the games that it loses."""
    for name in dict.fromkeys(plan.players):
        _warm_up_player(plan.game, name)


def _timed(
    plan: Plan, fixture: Fixture, stopped: Callable[[], bool], on_move: Callable[[Position], None]
) -> tuple[GameRow, float, float]:
    """The row of a game, and the wall and processor time that it took, programs it ran included."""
    began, used = time.perf_counter(), sum(os.times()[:4])
    row = schedule(plan).play(fixture.pair, fixture.seat, *factories(plan, fixture), stopped=stopped, on_move=on_move)
    row = replace(row, number=fixture.number, players=(fixture.first, fixture.second))
    return row, time.perf_counter() - began, sum(os.times()[:4]) - used


# Spawned workers


@dataclass
class _Worker:
    process: Any
    pipe: Any
    fixture: Fixture | None = None
    free_at: float = 0.0
    """When it was ready for its last game."""


class _Crew:
    """The worker processes of one run, seen from the parent."""

    def __init__(self, plan: Plan, count: int, watch: Watch) -> None:
        self.plan, self.count, self.watch = plan, count, watch
        self.context = multiprocessing.get_context("spawn")
        self.stop = self.context.RawValue("b", 0)  # without a lock, which a killed worker could keep
        self.workers: dict[Any, _Worker] = {}
        self.deaths = 0
        self.ready_at: float | None = None

    def run(self, fixtures: Iterable[Fixture]) -> Iterator[GameRow]:
        waiting = iter(fixtures)
        try:
            again: list[Fixture] = []
            for fixture in itertools.islice(waiting, self.count):
                again.append(fixture)
                self._hire()
            waiting = itertools.chain(again, waiting)
            while self.workers and not self.watch.stopped():
                for pipe in multiprocessing.connection.wait(list(self.workers), POLL_S):
                    worker = self.workers[pipe]
                    try:
                        kind, *facts = worker.pipe.recv()
                    except (EOFError, OSError):
                        self._bury(worker)
                        if worker.fixture:
                            waiting = itertools.chain([worker.fixture], waiting)
                        self._hire()
                        continue
                    if kind == "error":
                        raise facts[0]
                    if kind == "at":
                        if worker.fixture:
                            self.watch.on_move(worker.fixture, facts[0])
                        continue
                    row = self._freed(worker, kind, facts)
                    self._assign(worker, next(waiting, None))
                    if row:
                        yield row
        finally:
            self._dismiss()

    def _hire(self) -> None:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=_work, args=(theirs, self.plan, self.stop), daemon=False)
        process.start()
        theirs.close()
        self.workers[ours] = _Worker(process, ours)

    def _freed(self, worker: _Worker, kind: str, facts: list[Any]) -> GameRow | None:
        """Note what a worker has done; its row, if it played."""
        now = time.perf_counter()
        self.ready_at = self.ready_at or now
        usage = self.watch.usage
        usage.elapsed_s = now - self.ready_at
        since, worker.free_at = worker.free_at, now
        worker.fixture = None
        if kind == "ready":
            return None
        row, playing_s, cpu_s = facts
        usage.ready_s += now - since
        usage.playing_s += playing_s
        usage.cpu_s += cpu_s
        return row  # type: ignore[no-any-return]

    def _assign(self, worker: _Worker, fixture: Fixture | None) -> None:
        if fixture is None:
            self._bury(worker, died=False)
            return
        worker.fixture = fixture
        with contextlib.suppress(OSError):  # a dead worker is noticed when it is heard next
            worker.pipe.send(fixture)
        self.watch.on_begin(fixture)

    def _bury(self, worker: _Worker, *, died: bool = True) -> None:
        del self.workers[worker.pipe]
        worker.pipe.close()
        worker.process.join(LEAVE_S)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        self.deaths += died
        if self.deaths > MOST_DEATHS:
            raise ChildProcessError("worker processes keep dying, perhaps for want of memory; try fewer workers")

    def _dismiss(self) -> None:
        self.stop.value = 1
        left = list(self.workers.values())
        self.workers.clear()
        for worker in left:
            worker.pipe.close()
        until = time.monotonic() + LEAVE_S
        for worker in left:
            worker.process.join(max(0.0, until - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()


def _work(pipe: Any, plan: Plan, stop: Any) -> None:
    """A worker's life. Ctrl-C is the parent's business, which sets `stop`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, args=(stop,), daemon=True).start()
    with contextlib.suppress(EOFError, OSError, Stopped):
        try:
            with contextlib.suppress(EngineFailure):
                warm_up_plan(plan)
            pipe.send(("ready",))
            while True:
                pipe.send(("row", *_timed(plan, pipe.recv(), lambda: bool(stop.value), _Reporter(pipe))))
        except GameError as error:
            pipe.send(("error", error))


class _Reporter:
    """Tells the parent of a running game, now and then."""

    def __init__(self, pipe: Any) -> None:
        self.pipe = pipe
        self.told_at = time.monotonic()

    def __call__(self, position: Position) -> None:
        if time.monotonic() - self.told_at >= SHOWN_EVERY_S:
            self.told_at = time.monotonic()
            self.pipe.send(("at", position.history))


def _leave_with_parent(stop: Any) -> None:
    """Without the parent there is nothing to do: the game is left at its next move, so that engines are closed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        stop.value = 1
        time.sleep(LEAVE_S)
        os._exit(1)
