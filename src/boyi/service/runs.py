"""`Runs`: training runs of the server, each in a process of its own; they belong to nobody, everybody sees them.

A run that is wanted waits until fewer than the allowed number train, then `trainer` trains it. A server that ends, or
is killed, takes its trainers along; when it starts again, the runs that were wanted go on.
"""

import asyncio
import contextlib
import functools
import logging
import shutil
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any, TypeVar

from boyi.games.errors import GameError
from boyi.service import boards, run_configs, run_files
from boyi.service.database import Database
from boyi.service.errors import Busy, NotAllowed, NotFound, NotNow
from boyi.service.trainer import BUSY
from boyi.service.views_training import (
    Method,
    NewRun,
    RunList,
    RunPositions,
    RunStatus,
    RunView,
    TrainingOptions,
)
from boyi.train.packages import REMEDY, missing_packages

log = logging.getLogger(__name__)

MAX_RUNS = 500
STOP_S = 15.0
"""How long a trainer may take to end before it is killed."""
LOOK_S = 0.5
ATTEMPTS = 5
LOST = "the training process ended without a word, perhaps for want of memory"
T = TypeVar("T")


class Runs:
    def __init__(
        self,
        database: Database,
        folder: Path | None,
        at_once: int,
        *,
        games: Path | None = None,
        tell_folder: bool = False,
    ) -> None:
        """`games` is the folder of the owner's rules files; `tell_folder` is for a server that nobody but its owner
        reaches."""
        self.database, self.folder, self.at_once = database, folder, at_once
        self.games, self.tell_folder = games, tell_folder
        self.queue: list[str] = []
        self.trainers: dict[str, asyncio.subprocess.Process] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closing = False

    # Life

    async def resume(self) -> None:
        """Go on with the runs that were wanted when the server ended."""
        if self.folder is None:
            return

        def were_wanted(folder: Path) -> list[str]:
            return [run for run in run_files.ids(folder) if run_files.wanted(folder / run)[0] == "running"]

        for run in reversed(await self._work(were_wanted)):
            self._enqueue(run)

    async def close(self) -> None:
        """Let go of the trainers; what they were to do stays wanted."""
        self._closing = True
        self.queue.clear()
        for trainer in self.trainers.values():
            _let_go(trainer)
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=2.0)
        for trainer in self.trainers.values():
            with contextlib.suppress(ProcessLookupError):
                trainer.kill()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    # Looking

    async def options(self, rules: str, method: Method) -> TrainingOptions:
        return await self.database.work(lambda: run_configs.options_of(boards.rules_named(rules), method))

    async def list(self) -> RunList:
        def look(folder: Path) -> RunList:
            found = []
            for run in run_files.ids(folder):
                with contextlib.suppress(GameError, OSError):  # somebody else's folder, or one that is being deleted
                    found.append(run_files.summary(folder / run, self._status(run)))
            return RunList(runs=found)

        return await self._work(look) if self.folder is not None else RunList(runs=[])

    async def show(self, run: str) -> RunView:
        def look(folder: Path) -> RunView:
            view = run_files.view(folder, self._status(run))
            if not self.tell_folder:
                return view
            return view.model_copy(update={"folder": str(folder), "game": self._command_name(view.rules)})

        return await self._at(run, look)

    def _command_name(self, rules: str) -> str:
        """A game as commands of this computer name it."""
        if self.games is None or boards.is_built_in(rules):
            return rules
        name, colon, options = rules.partition(":")
        return f"{self.games / name}.py{colon}{options}"

    async def watch(self, run: str) -> AsyncGenerator[RunView]:
        """The run, and again after every change, until it is deleted."""
        view = await self.show(run)
        yield view
        while not self._closing:
            await asyncio.sleep(LOOK_S)
            try:
                changed = await self._at(run, run_files.version)
                if (changed, self._status(run)) == (view.version, _trained_here(view)):
                    continue
                now = await self.show(run)
            except NotFound:
                return
            if (now.version, now.status) != (view.version, view.status):
                view = now
                yield view

    async def positions(self, run: str) -> RunPositions:
        return await self._at(run, run_files.positions)

    # Acting

    async def start(self, wanted: NewRun) -> RunView:
        def make(folder: Path) -> str:
            if len(run_files.ids(folder)) >= MAX_RUNS:
                raise Busy(f"there are {MAX_RUNS} runs already; delete some first")
            return run_files.make(folder, wanted)

        self._check_allowed()
        if wanted.method == "deep" and (missing := missing_packages()):
            raise NotNow(f"a deep net needs {', '.join(missing)}, not installed here; {REMEDY}, or train a quick net")
        run = await self._work(make)
        return await self.go_on(run)

    async def go_on(self, run: str) -> RunView:
        """Train on: at once, or as soon as there is room."""
        self._check_allowed()
        view = await self.show(run)
        if view.status in ("running", "waiting"):
            return view
        if view.status == "finished":
            raise NotNow(f"the run {run!r} is finished")
        if view.status == "elsewhere":
            raise NotNow(f"the run {run!r} is being trained by another program; stop that first")
        await self._at(run, lambda folder: run_files.want(folder, "running"))
        self._enqueue(run)
        return await self.show(run)

    async def stop(self, run: str, state: str) -> RunView:
        """Stop training; `state` is `paused` or `stopped`."""
        view = await self.show(run)
        if view.status in ("finished", "elsewhere"):
            raise NotNow(f"the run {run!r} is {'finished' if view.status == 'finished' else 'trained elsewhere'}")
        await self._at(run, lambda folder: run_files.want(folder, state))
        if run in self.queue:
            self.queue.remove(run)
        trainer, task = self.trainers.get(run), self._tasks.get(run)
        if trainer is not None and task is not None:
            _let_go(trainer)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(task), STOP_S)
            if trainer.returncode is None:
                trainer.kill()
                await asyncio.shield(task)
        return await self.show(run)

    async def delete(self, run: str) -> None:
        """Forget a run for good."""
        view = await self.show(run)
        if view.status in ("running", "waiting", "elsewhere"):
            raise NotNow(f"the run {run!r} is not stopped; stop it first")
        await self._at(run, lambda folder: shutil.rmtree(folder, ignore_errors=True))

    # Trainers

    def _status(self, run: str) -> RunStatus | None:
        if run in self._tasks:
            return "running"
        return "waiting" if run in self.queue else None

    def _check_allowed(self) -> None:
        if self.folder is None or self.at_once < 1:
            raise NotAllowed("this server does not train; its owner has not allowed it")

    def _enqueue(self, run: str) -> None:
        if run not in self.queue and run not in self._tasks:
            self.queue.append(run)
            self._deal()

    def _deal(self) -> None:
        while self.queue and len(self._tasks) < self.at_once and not self._closing:
            run = self.queue.pop(0)
            task = asyncio.create_task(self._train(run), name=f"train {run}")
            self._tasks[run] = task
            task.add_done_callback(functools.partial(self._ended, run))

    def _ended(self, run: str, task: asyncio.Task[None]) -> None:
        self._tasks.pop(run, None)
        self.trainers.pop(run, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("the run %s failed: %s", run, error, exc_info=error)
        self._deal()

    async def _train(self, run: str) -> None:
        """One trainer from its start to its end."""
        assert self.folder is not None
        folder = self.folder / run
        try:
            code, said = await self._trained(run, folder)
            for _ in range(ATTEMPTS):  # the trainer of a server that was killed takes a moment to end
                if code != BUSY or self._closing:
                    break
                await asyncio.sleep(1.0)
                code, said = await self._trained(run, folder)
        except OSError as error:
            code, said = 1, f"the training process cannot be started: {error}"
        if self._closing or (await self.database.work(run_files.wanted, folder))[0] != "running":
            return
        if code == 0:
            await self.database.work(run_files.want, folder, "stopped")
        else:
            message = "another program trains in the folder of the run" if code == BUSY else said or LOST
            await self.database.work(run_files.want, folder, "failed", message)

    async def _trained(self, run: str, folder: Path) -> tuple[int, str]:
        """Run a trainer; its exit code and the last line that it said."""
        trainer = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "boyi.service.trainer",
            str(folder),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        self.trainers[run] = trainer
        if self._closing:
            _let_go(trainer)
        assert trainer.stderr is not None
        said = b""
        while part := await trainer.stderr.read(4096):
            said = (said + part)[-4096:]
        lines = said.decode(errors="replace").strip().splitlines()
        return await trainer.wait(), lines[-1] if lines else ""

    # Folders

    async def _work(self, look: Callable[[Path], T]) -> T:
        if self.folder is None:
            raise NotFound("this server keeps no runs")
        return await self.database.work(look, self.folder)

    async def _at(self, run: str, look: Callable[[Path], T]) -> T:
        """Do something with a run's folder, in a thread."""
        return await self._work(lambda runs: look(run_files.find(runs, run)))


def _trained_here(view: RunView) -> RunStatus | None:
    return view.status if view.status in ("running", "waiting") else None


def _let_go(trainer: Any) -> None:
    """End a trainer's input, at which it ends."""
    if trainer.stdin is not None:
        trainer.stdin.close()
