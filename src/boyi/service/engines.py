"""`Engines`: a pool of worker processes that think, and the queue before it. Start at `Engines.watch`.

A job is a task with a rank: moves of quick opponents go before moves of slow ones, those before hints, live analysis
and reviews. When a job waits and no worker is free, a running job of a lower rank is told to stop; what it has found is
kept, and it goes on later, if possible in the same worker, which still has its tree. Live analyses and reviews also
make room for their like after a while, so that many visitors share few workers.

A worker that dies or does not answer in time is replaced; its job is tried once more. All of this happens on one event
loop; each worker's pipe is read by a thread of its own.
"""

import asyncio
import contextlib
import enum
import itertools
import logging
import multiprocessing
import os
import threading
import time
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from boyi.games import GameError
from boyi.games.registry import built_in_games
from boyi.players import Choice
from boyi.service import worker as worker_process
from boyi.service.boards import rules_named
from boyi.service.errors import Busy, EngineError
from boyi.service.opponents import analyst, opponent
from boyi.service.thinking import Task

log = logging.getLogger(__name__)


class Rank(enum.IntEnum):
    """Which job goes first."""

    QUICK_MOVE = 0
    MOVE = 1
    HINT = 2
    LIVE = 3
    REVIEW = 4
    WARM_UP = 5


RUNNING_PER_VISITOR = {Rank.HINT: 1, Rank.LIVE: 1, Rank.REVIEW: 1}
WAITING_PER_VISITOR = 4
SLICE_S = 1.5
"""After this long a live analysis or review makes room for another."""
GRACE_S = 10.0
"""How much later than its time a task may answer."""
PREPARING_S = 300.0
"""The same while kernels are being compiled."""
START_S = 120.0
ATTEMPTS = 2
MAX_FAILED_STARTS = 4
CLOSE_S = 2.0
MOVE_MB, MOST_MB = 256.0, 3000.0
NO_ENGINE = "no engine can be started; the server's log says why"


@dataclass(frozen=True)
class Thought:
    """What a job has found so far. `preparing`: it waits for kernels that are being compiled."""

    choice: Choice | None
    preparing: bool = False
    finished: bool = False


@dataclass(eq=False)
class Job:
    rank: Rank
    visitor: str
    task: Task
    number: int = 0
    """Every time that a worker gets it, it has another one: a message about the last time is not about this."""
    identity: int = field(default_factory=itertools.count(1).__next__)
    pinned: "Worker | None" = None
    last_worker: "Worker | None" = None
    attempts: int = 0
    spent_s: float = 0.0
    before: Choice | None = None
    """What was found before the last interruption."""
    thought: Thought = field(default_factory=lambda: Thought(None))
    error: Exception | None = None
    finished: bool = False
    cancelled: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, thought: Thought) -> None:
        self.thought = thought
        self.changed.set()

    def fail(self, error: Exception) -> None:
        self.error, self.finished = error, True
        self.changed.set()


@dataclass(eq=False)
class Worker:
    process: SpawnProcess
    pipe: Connection
    ready: bool = False
    job: Job | None = None
    since: float = 0.0
    deadline: float = float("inf")
    stopping: bool = False
    gone: bool = False

    def send(self, *message: Any) -> None:
        with contextlib.suppress(OSError, ValueError):  # a dead worker is noticed by its reader
            self.pipe.send(message)


class Engines:
    """The pool; see the module's docstring."""

    def __init__(self, workers: int | None = None) -> None:
        self.size = workers or _cores()
        self.memory_mb = min(MOST_MB, _installed_mb() / 2 / self.size)
        """What the players of one worker may take together."""
        self._warm: list[Task] = []
        self.workers: list[Worker] = []
        self.waiting: list[Job] = []
        self._numbers = itertools.count(1)
        self._starter = ThreadPoolExecutor(1, "boyi-engines")
        self._failed_starts = 0
        self._closing = False
        self._watchdog: asyncio.Task[None] | None = None
        self._starts: set[asyncio.Task[None]] = set()

    # Life

    async def start(self) -> None:
        """Start the workers; they become ready in the background."""
        self._watchdog = asyncio.create_task(self._watch_over())
        for _ in range(self.size):
            self._hire()

    async def close(self) -> None:
        """End all workers and fail what waits."""
        self._closing = True
        if self._watchdog is not None:
            self._watchdog.cancel()
        await asyncio.gather(*self._starts, return_exceptions=True)
        for job in [*self.waiting, *(worker.job for worker in self.workers if worker.job)]:
            job.fail(EngineError("the server is shutting down"))
        self.waiting.clear()
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, lambda: self._starter.shutdown(wait=True))
        workers, self.workers = self.workers, []
        await loop.run_in_executor(None, _end, workers)

    def _hire(self) -> None:
        start = asyncio.create_task(self._start_worker())
        self._starts.add(start)
        start.add_done_callback(self._starts.discard)

    async def _start_worker(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            worker = await loop.run_in_executor(self._starter, _spawn, self.memory_mb)
        except (OSError, RuntimeError) as error:
            log.error("an engine process cannot be started: %s", error)
            self._start_failed()
            return
        worker.deadline = time.monotonic() + START_S
        self.workers.append(worker)
        threading.Thread(target=self._read, args=(loop, worker), daemon=True, name="boyi-engine-reader").start()

    def _read(self, loop: asyncio.AbstractEventLoop, worker: Worker) -> None:
        """The reader of one worker's pipe, in a thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
            try:
                while True:
                    loop.call_soon_threadsafe(self._heard, worker, worker.pipe.recv())
            except (EOFError, OSError):
                pass
            except Exception as error:  # half a message of a worker that was killed
                log.warning("a worker sent something unreadable: %s", error)
            loop.call_soon_threadsafe(self._lost, worker)

    # Jobs

    async def watch(self, task: Task, *, rank: Rank, visitor: str = "") -> AsyncGenerator[Thought]:
        """What a player thinks, as it comes about; the last one is finished. Leaving the loop cancels the job.

        `Busy` where the visitor has too much waiting, `EngineError` where engines failed, and the `GameError` of a task
        that makes no sense.
        """
        job = self._enter(task, rank, visitor)
        try:
            while True:
                await job.changed.wait()
                job.changed.clear()
                if job.error is not None:
                    raise job.error
                yield job.thought
                if job.finished:
                    return
        finally:
            self._leave(job)

    async def choose(self, task: Task, *, rank: Rank, visitor: str = "") -> Choice:
        """The last thought of `watch`."""
        thoughts = [thought async for thought in self.watch(task, rank=rank, visitor=visitor)]
        choice = thoughts[-1].choice
        assert choice is not None
        return choice

    @property
    def busy(self) -> int:
        return sum(worker.job is not None for worker in self.workers)

    @property
    def queued(self) -> int:
        return len(self.waiting)

    def _enter(self, task: Task, rank: Rank, visitor: str) -> Job:
        if self._closing:
            raise EngineError("the server is shutting down")
        if self._failed_starts >= MAX_FAILED_STARTS:
            raise EngineError(NO_ENGINE)
        if rank in RUNNING_PER_VISITOR:
            mine = sum(job.visitor == visitor and job.rank == rank for job in self.waiting)
            if mine >= WAITING_PER_VISITOR:
                raise Busy(f"{mine} searches of this kind are waiting already; stop one of them first")
        job = Job(rank, visitor, task)
        self.waiting.append(job)
        self._deal()
        return job

    def _leave(self, job: Job) -> None:
        """The consumer is gone."""
        if job.finished:
            return
        job.cancelled = job.finished = True
        if job in self.waiting:
            self.waiting.remove(job)
            return
        for worker in self.workers:
            if worker.job is job:
                self._stop(worker)

    def _stop(self, worker: Worker) -> None:
        if worker.job is not None and not worker.stopping:
            worker.stopping = True
            if not worker.job.thought.preparing:  # compiling cannot be interrupted
                worker.deadline = min(worker.deadline, time.monotonic() + GRACE_S)
            worker.send("stop", worker.job.number)

    # Dealing out

    def _deal(self) -> None:
        """Give waiting jobs to free workers, best first; where none is free, make the least urgent one stop."""
        while job := self._next():
            free = [worker for worker in self._present() if worker.job is None and job.pinned in (None, worker)]
            if not free:
                break
            self._give(job, next((worker for worker in free if worker is job.last_worker), free[0]))
        self._make_room()

    def _present(self) -> list[Worker]:
        return [worker for worker in self.workers if worker.ready and not worker.gone]

    def _next(self) -> Job | None:
        """The first job that may run: by rank, then whose visitor has least running, then the longest wait."""
        running = [worker.job.visitor for worker in self.workers if worker.job is not None]
        return min(self._runnable(), key=lambda job: (job.rank, running.count(job.visitor)), default=None)

    def _runnable(self) -> list[Job]:
        """Jobs within their visitors' budgets; of several workers one is left to visitors, as compiling cannot stop."""
        running = [(worker.job.visitor, worker.job.rank) for worker in self.workers if worker.job is not None]
        most = {**RUNNING_PER_VISITOR, Rank.WARM_UP: max(1, self.size - 1)}
        return [
            job
            for job in self.waiting
            if (job.pinned is None or job.pinned.job is None)
            and running.count((job.visitor, job.rank)) < most.get(job.rank, len(running) + 1)
        ]

    def _make_room(self) -> None:
        """Make one worker stop for every waiting job that is more urgent than what it does."""
        waiting = sorted(job.rank for job in self._runnable())
        present = self._present()
        for rank in waiting[sum(worker.stopping for worker in present) :]:
            less = [w for w in present if w.job is not None and not w.stopping and w.job.rank > rank]
            if not less:
                break
            self._stop(max(less, key=lambda w: (w.job.rank if w.job else 0, w.since)))

    def _give(self, job: Job, worker: Worker) -> None:
        self.waiting.remove(job)
        worker.job, worker.since, worker.stopping = job, time.monotonic(), False
        job.last_worker, job.number = worker, next(self._numbers)
        left = None if job.task.seconds is None else max(job.task.seconds - job.spent_s, 0.01)
        worker.deadline = worker.since + (left or 0.0) + 18 * GRACE_S  # a first use compiles
        memory_mb = self.memory_mb / 2 if job.rank == Rank.LIVE else min(MOVE_MB, self.memory_mb / 2)
        task = replace(
            job.task, seconds=left, memory_mb=memory_mb, job=job.identity, patient=job.rank in (Rank.LIVE, Rank.REVIEW)
        )
        worker.send("task", job.number, task)

    # What workers say

    def _heard(self, worker: Worker, message: tuple[Any, ...]) -> None:
        if worker.gone or self._closing:
            return
        if message[0] == "ready":
            worker.ready, worker.deadline = True, float("inf")
            self._failed_starts = 0
            self._plan_warm_up(worker)
        elif worker.job is not None and message[1] == worker.job.number:
            self._progress(worker, worker.job, message)
        self._deal()

    def _progress(self, worker: Worker, job: Job, message: tuple[Any, ...]) -> None:
        match message:
            case ("preparing", _):
                worker.deadline = time.monotonic() + PREPARING_S
                if not job.thought.preparing:
                    job.tell(replace(job.thought, preparing=True))
            case ("thought", _, choice):
                job.tell(Thought(_added(choice, job.before)))
                left = 0.0 if job.task.seconds is None else max(job.task.seconds - job.spent_s, 0.0)
                worker.deadline = time.monotonic() + left + GRACE_S
            case ("done", _, choice):
                interrupted = worker.stopping and not job.cancelled
                self._release(worker)
                if choice is None:  # it had been interrupted when there was nothing left to do
                    choice = job.before or Choice("")
                    interrupted, job.before = False, None
                job.spent_s += choice.seconds
                found = _added(choice, job.before)
                over = choice.exact or (job.task.seconds is not None and job.spent_s >= 0.95 * job.task.seconds)
                if interrupted and not over and job.task.seconds is not None:
                    job.before = found
                    job.tell(Thought(found))
                    self.waiting.append(job)
                elif not job.cancelled:
                    job.finished = True
                    job.tell(Thought(found, finished=True))
            case ("failed", _, to_blame, text):
                self._release(worker)
                if not job.cancelled:
                    job.fail(GameError(text) if to_blame else EngineError(f"the engine failed: {text}"))

    def _release(self, worker: Worker) -> None:
        worker.job, worker.stopping, worker.deadline = None, False, float("inf")

    def _lost(self, worker: Worker) -> None:
        """A worker has died, or was killed: replace it and give its job to another."""
        if worker.gone:
            return
        worker.gone = True
        if self._closing:
            return
        log.warning("engine process %s ended; it is replaced", worker.process.pid)
        self.workers.remove(worker)
        worker.pipe.close()
        threading.Thread(target=_end, args=([worker],), daemon=True).start()
        self.waiting = [job for job in self.waiting if job.pinned is not worker]
        job = worker.job
        if job is not None and not job.cancelled and job.pinned is None:
            job.attempts += 1
            if job.attempts >= ATTEMPTS:
                job.fail(EngineError("the engine died twice over this position"))
            else:
                self.waiting.append(job)
        if worker.ready:
            self._hire()
        else:
            self._start_failed()
        self._deal()

    def _start_failed(self) -> None:
        """Try again a few times; then fail what waits."""
        self._failed_starts += 1
        if self._failed_starts < MAX_FAILED_STARTS:
            self._hire()
            return
        for job in self.waiting:
            job.fail(EngineError(NO_ENGINE))
        self.waiting.clear()

    async def _watch_over(self) -> None:
        """Kill workers that hang, and let searches of one rank take turns."""
        while True:
            await asyncio.sleep(0.25)
            now = time.monotonic()
            for worker in list(self.workers):
                if now > worker.deadline:
                    log.warning("engine process %s hangs; it is killed", worker.process.pid)
                    worker.deadline = float("inf")
                    worker.process.kill()
            self._take_turns(now)

    def _take_turns(self, now: float) -> None:
        job = self._next()
        if job is None or job.rank not in (Rank.LIVE, Rank.REVIEW):
            return
        tired = [
            worker
            for worker in self._present()
            if worker.job is not None and worker.job.rank >= job.rank and now - worker.since > SLICE_S
        ]
        if tired and not any(worker.stopping for worker in self._present()):
            self._stop(min(tired, key=lambda worker: worker.since))

    # Warming up

    def warm_up(self, tasks: Sequence[Task]) -> None:
        """Let every worker, present and future, do these when there is nothing else to do, so that what they need is
        loaded when somebody waits for it."""
        self._warm = list(tasks)
        for worker in self._present():
            self._plan_warm_up(worker)
        self._deal()

    def _plan_warm_up(self, worker: Worker) -> None:
        first = self.workers.index(worker) * len(self._warm) // self.size % max(len(self._warm), 1)
        for task in self._warm[first:] + self._warm[:first]:
            self.waiting.append(Job(Rank.WARM_UP, "", task, pinned=worker))


def usual_tasks() -> list[Task]:
    """What is worth warming up: for every game with its usual parameters, who plays it, from those that are ready
    soonest, and who analyses it."""
    found = [rules_named(name) for name in built_in_games()]
    tasks = []
    for who in ("beginner", "medium", "analyst", "strongest"):
        for game in found:
            player = analyst(game) if who == "analyst" else opponent(who).thinker_for(game).player
            tasks.append(Task(game.name, game.start(seed=0).key, (), player, 0.01))
    return list(dict.fromkeys(tasks))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _installed_mb() -> float:
    """The memory of this computer; 4 GB where it cannot be found out."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (AttributeError, OSError, ValueError):
        return 4000.0


def _spawn(memory_mb: float) -> Worker:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=worker_process.serve, args=(there, memory_mb), daemon=True, name="boyi-engine")
    process.start()
    there.close()
    return Worker(process, here)


def _end(workers: list[Worker]) -> None:
    """End processes: kindly, then by force; never wait longer than CLOSE_S for all of them."""
    for worker in workers:
        worker.send("close")
    until = time.monotonic() + CLOSE_S
    for worker in workers:
        worker.process.join(max(0.0, until - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join(1.0)
        with contextlib.suppress(OSError):
            worker.pipe.close()


def _added(choice: Choice, before: Choice | None) -> Choice:
    """What a task that was interrupted found in all."""
    if before is None:
        return choice
    return replace(
        choice,
        simulations=choice.simulations + before.simulations,
        nodes=max(choice.nodes, before.nodes),
        seconds=choice.seconds + before.seconds,
    )
