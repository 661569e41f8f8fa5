"""A match or tournament as something that runs: start, follow, stop, resume. No user interface. Start at `Tournament`.

    tournament = Tournament(make_plan("othello", ("greedy", "mcts:sims=200"), games=20), folder=Path("runs/t"))
    tournament.run()                       # or start() and join(); from asyncio: await asyncio.to_thread(t.run)
    Standings.of(tournament.plan, tournament.rows)

`run` blocks; `stop`, `progress` and `rows` may be used from any thread meanwhile. Events come on the thread that runs;
an asyncio program hands them over by `loop.call_soon_threadsafe`. A run with a folder that was stopped or killed goes
on when another `Tournament` is made with the same plan and folder.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from boyi.arena.match import GameRow, MatchResult
from boyi.arena.plan import Fixture, Plan
from boyi.arena.store import Store, read_plan
from boyi.arena.workers import Usage, Watch, play_fixtures
from boyi.games.errors import GameError


@dataclass(frozen=True)
class Began:
    """A game began."""

    fixture: Fixture


@dataclass(frozen=True)
class Moved:
    """How far a running game is; not told of every move."""

    fixture: Fixture
    history: tuple[str, ...]


@dataclass(frozen=True)
class Finished:
    """A game ended."""

    row: GameRow


@dataclass(frozen=True)
class Ended:
    """The run is over: `done`, `stopped`, `decided` by its test, or `failed`."""

    state: str


Event = Began | Moved | Finished | Ended


@dataclass(frozen=True)
class Progress:
    """A snapshot of a run."""

    state: str
    """`waiting`, `playing`, or as in `Ended`."""
    done: int
    total: int
    running: tuple[Moved, ...]
    usage: Usage
    seconds: float
    """Since it was started."""


class Tournament:
    """The games of a plan, played by worker processes, or with `workers=0` by the calling thread itself.

    `rows` are the finished games in order of their numbers, those of earlier runs in the same folder included.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        folder: Path | None = None,
        workers: int = 1,
        on_event: Callable[[Event], None] = lambda event: None,
    ) -> None:
        if workers < 0:
            raise GameError(f"workers={workers} is not possible; it must be 0 or more")
        self.plan, self.folder, self.workers, self.on_event = plan, folder, workers, on_event
        self.state = "waiting"
        self.usage = Usage(max(1, workers))
        self.error: BaseException | None = None
        self._rows: dict[int, GameRow] = {}
        self._running: dict[int, Moved] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._began: float | None = None
        self._seconds = 0.0

    @classmethod
    def resumed(cls, folder: Path, *, workers: int = 1, on_event: Callable[[Event], None] = lambda event: None) -> Self:
        """The tournament of a folder, to go on with."""
        return cls(read_plan(folder), folder=folder, workers=workers, on_event=on_event)

    @property
    def rows(self) -> tuple[GameRow, ...]:
        with self._lock:
            return tuple(self._rows[number] for number in sorted(self._rows))

    @property
    def match(self) -> MatchResult:
        """The games so far as those of a match, for a plan of two players."""
        return MatchResult(self.rows, self.plan.num_games)

    def progress(self) -> Progress:
        """How far it is."""
        with self._lock:
            seconds = self._seconds if self._began is None else time.monotonic() - self._began
            running = tuple(self._running.values())
            return Progress(self.state, len(self._rows), self.plan.num_games, running, replace(self.usage), seconds)

    def start(self) -> None:
        """Run on a thread of its own; `join` waits for its end."""
        if self._thread is not None:
            raise RuntimeError("a tournament starts once; make another one to go on")
        self._thread = threading.Thread(target=self._run_quietly, name="boyi-tournament", daemon=True)
        self._thread.start()

    def join(self, timeout_s: float | None = None) -> None:
        """Wait for the end; an error of the run is raised here."""
        if self._thread is not None:
            self._thread.join(timeout_s)
        if self.error is not None:
            raise self.error

    def stop(self) -> None:
        """Ask the run to end; games that are not over are left, and are played when it is resumed."""
        self._stop.set()

    def run(self) -> None:
        """Play what is left to play. Ctrl-C stops as `stop` does."""
        self._began = time.monotonic()
        try:
            with self._opened() as store:
                self.state = "playing"
                left = [fixture for fixture in self.plan.fixtures() if fixture.number not in self._rows]
                self._play(left, store)
        except BaseException:
            self._end("failed")
            raise
        self._end("decided" if self.decided else "done" if len(self.rows) == self.plan.num_games else "stopped")

    @property
    def decided(self) -> bool:
        """Whether the plan's test has a verdict."""
        return self.plan.sprt is not None and self.plan.sprt.verdict(self.match.pentanomial) is not None

    def _play(self, left: list[Fixture], store: Store | None) -> None:
        watch = Watch(self._stop.is_set, self._on_begin, self._on_move, self.usage)
        if not left or self.decided:
            return
        try:
            with closing(play_fixtures(self.plan, left, self.workers, watch)) as playing:
                for row in playing:
                    if store:
                        store.append(row)
                    with self._lock:
                        self._rows[row.number] = row
                        self._running.pop(row.number, None)
                    self.on_event(Finished(row))
                    if self.decided:
                        return
        except KeyboardInterrupt:
            self._stop.set()

    @contextmanager
    def _opened(self) -> Iterator[Store | None]:
        if self.folder is None:
            yield None
            return
        with closing(Store(self.folder, self.plan)) as store:
            with self._lock:
                self._rows = {row.number: row for row in store.rows}
            yield store

    def _run_quietly(self) -> None:
        try:
            self.run()
        except BaseException as error:
            self.error = error

    def _end(self, state: str) -> None:
        with self._lock:
            self.state = state
            self._running.clear()
            self._seconds, self._began = time.monotonic() - (self._began or time.monotonic()), None
        self.on_event(Ended(state))

    def _on_begin(self, fixture: Fixture) -> None:
        with self._lock:
            self._running[fixture.number] = Moved(fixture, ())
        self.on_event(Began(fixture))

    def _on_move(self, fixture: Fixture, history: tuple[str, ...]) -> None:
        moved = Moved(fixture, history)
        with self._lock:
            if fixture.number in self._running:
                self._running[fixture.number] = moved
        self.on_event(moved)
