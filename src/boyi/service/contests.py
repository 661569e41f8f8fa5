"""`Contests`: matches and tournaments of the server, played by `boyi.arena`; everybody sees them.

Each has a folder with what the arena keeps, its plan and the games as they end, and `contest.json`: who takes part, by
the names that visitors know, and whether it is wanted. One plays at a time. A server that ends, or is killed, takes the
players along; when it starts again, the contests that were wanted go on. Nothing that a visitor says becomes a command:
foreign engines have the names that the owner gave them.
"""

import asyncio
import contextlib
import logging
import re
import shutil
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from boyi.arena import Tournament, make_plan
from boyi.arena.report import Standings
from boyi.arena.store import GAMES, read_plan
from boyi.games.errors import GameError
from boyi.players.levels import HIGHEST, levels_of
from boyi.records import FORMATS, write_records
from boyi.service import boards, contest_files
from boyi.service.database import Database
from boyi.service.errors import Busy, NotAllowed, NotFound, NotNow
from boyi.service.opponents import OPPONENTS
from boyi.service.record import microseconds, moment
from boyi.service.stored_nets import StoredNets
from boyi.service.thinking import STORED
from boyi.service.views import ExportView
from boyi.service.views_contests import (
    ContestList,
    ContestStatus,
    ContestSummary,
    ContestView,
    Entrants,
    EntrantView,
    NewContest,
    StandingView,
)

log = logging.getLogger(__name__)

LEVEL = re.compile(r"level:(\d{1,2})")
MAX_CONTESTS = 500
MOST_GAMES = 20_000
LOOK_S = 0.5
STOP_S = 20.0
FREE_S = 60.0
OVER = ("done", "stopped", "decided", "failed")
T = TypeVar("T")


class Contests:
    def __init__(self, database: Database, folder: Path | None, nets: StoredNets, engines: Mapping[str, str]) -> None:
        self.database, self.folder, self.nets, self.engines = database, folder, nets, engines
        self.queue: list[str] = []
        self.playing: dict[str, Tournament] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._versions: dict[str, int] = {}
        self._closing = False

    # Life

    async def resume(self) -> None:
        """Go on with the contests that were wanted when the server ended."""
        if self.folder is None:
            return

        def were_wanted(folder: Path) -> list[str]:
            return [
                contest
                for contest in contest_files.ids(folder)
                if contest_files.facts_of(folder / contest)["state"] == "running"
            ]

        for contest in reversed(await self._work(were_wanted)):
            self._enqueue(contest)

    async def close(self) -> None:
        """Stop playing; what was wanted stays wanted."""
        self._closing = True
        self.queue.clear()
        for tournament in self.playing.values():
            tournament.stop()
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=3.0)
        for task in self._tasks.values():
            task.cancel()

    # Looking

    async def entrants(self, rules: str) -> Entrants:
        """Who can take part in a contest of a game; the owner's own first."""

        def look() -> Entrants:
            game = boards.rules_named(rules)
            usual = [EntrantView(name=found.name, rules=None) for found in OPPONENTS]
            levels = [
                EntrantView(name=f"level:{level.number}", rules=None, elo=level.elo) for level in levels_of(game).levels
            ]
            foreign = [EntrantView(name=f"engine:{name}", rules=None) for name in self.engines]
            mine = boards.rules_text(game)
            trained = [EntrantView(name=found.name, rules=mine) for found in self.nets.views() if found.rules == mine]
            return Entrants(entrants=[*trained, *foreign, *usual, *levels])

        return await self.database.work(look)

    async def list(self) -> ContestList:
        def look(folder: Path) -> ContestList:
            found = []
            for contest in contest_files.ids(folder):
                with contextlib.suppress(GameError, OSError):
                    found.append(ContestSummary(**self._summary(folder / contest)))
            return ContestList(contests=found)

        return await self._work(look) if self.folder is not None else ContestList(contests=[])

    async def show(self, contest: str) -> ContestView:
        return await self._at(contest, self._view)

    async def watch(self, contest: str) -> AsyncGenerator[ContestView]:
        """The contest, and again after every change, until it is deleted."""
        view = await self.show(contest)
        yield view
        while not self._closing:
            await asyncio.sleep(LOOK_S)
            try:
                changed = await self._at(contest, self._version)
                if (changed, self._status_here(contest)) == (view.version, _here(view)):
                    continue
                view = await self.show(contest)
            except NotFound:
                return
            yield view

    async def export(self, contest: str, format: str) -> ExportView:
        """The records of all games that are over so far."""
        if format not in FORMATS:
            raise NotFound(f"there is no format {format!r}; known are {', '.join(sorted(FORMATS))}")

        def write(folder: Path) -> ExportView:
            kind = FORMATS[format]
            skipped: list[object] = []
            with tempfile.TemporaryDirectory(prefix="boyi-contest-") as place:
                file = Path(place) / f"games{kind.suffixes[0]}"
                count = write_records(contest_files.records(folder), file, format, on_skip=skipped.append)
                if not count:
                    raise NotNow(f"{kind.title} cannot hold these games" if skipped else "no game is over yet")
                content = file.read_bytes()
            media_type = "application/octet-stream" if kind.open_writer else "text/plain"
            return ExportView(content=content, media_type=media_type, file_name=f"{contest}{kind.suffixes[0]}")

        return await self._at(contest, write)

    # Acting

    async def start(self, wanted: NewContest) -> ContestView:
        def make(folder: Path) -> str:
            game = boards.rules_named(wanted.rules)
            rules = boards.rules_text(game)
            players = tuple(self._player(name, rules) for name in wanted.entrants)
            if len(set(wanted.entrants)) < len(wanted.entrants):
                raise NotNow("everybody can take part once")
            plan = make_plan(rules, players, games=wanted.games, kind=wanted.kind, seed=wanted.seed)
            if plan.num_games > MOST_GAMES:
                raise NotNow(f"that would be {plan.num_games:,} games; a contest has {MOST_GAMES:,} at most")
            if len(contest_files.ids(folder)) >= MAX_CONTESTS:
                raise Busy(f"there are {MAX_CONTESTS} contests already; delete some first")
            return contest_files.make(folder, wanted, game.name, plan)

        if self.folder is None:
            raise NotAllowed("this server holds no contests; its owner has not allowed it")
        contest = await self._work(make)
        self._enqueue(contest)
        return await self.show(contest)

    async def go_on(self, contest: str) -> ContestView:
        """Play on: at once, or when the contest before it is over."""
        view = await self.show(contest)
        if view.status == "finished":
            raise NotNow(f"the contest {contest!r} is finished")
        if view.status in ("stopped", "failed"):
            await self._at(contest, lambda folder: contest_files.want(folder, "running"))
            self._enqueue(contest)
        return await self.show(contest)

    async def stop(self, contest: str) -> ContestView:
        """Stop playing; games that are not over are played again when it goes on. A finished contest stays so."""
        view = await self.show(contest)
        if view.status == "finished":
            return view
        await self._at(contest, lambda folder: contest_files.want(folder, "stopped"))
        if contest in self.queue:
            self.queue.remove(contest)
        tournament, task = self.playing.get(contest), self._tasks.get(contest)
        if tournament is not None and task is not None:
            tournament.stop()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(task), STOP_S)
        return await self.show(contest)

    async def delete(self, contest: str) -> None:
        """Forget a contest for good."""
        if (await self.show(contest)).status in ("running", "waiting"):
            raise NotNow(f"the contest {contest!r} is being played; stop it first")
        await self._at(contest, lambda folder: shutil.rmtree(folder, ignore_errors=True))

    def _player(self, name: str, rules: str) -> str:
        """The player behind a name, with its own limit."""
        if (level := LEVEL.fullmatch(name)) and int(level[1]) <= HIGHEST:
            return f"level:{int(level[1])}"
        kind, _, rest = name.partition(":")
        if kind == "engine":
            if rest not in self.engines:
                raise NotFound(f"there is no engine {rest[:60]!r}")
            return self.engines[rest]
        found = self.nets.find(name)
        if found.rules not in (None, rules):
            raise NotNow(f"{name!r} plays {found.rules} only")
        thinker = found.thinker_for(boards.rules_named(rules))
        player = thinker.player
        kind, _, path = player.partition(":")
        if kind in STORED:
            if "," in path:
                raise NotNow("the nets of this server lie in a folder with a comma in its name")
            player = f"{STORED[kind]}:model={path}"
        return player if thinker.seconds is None else f"limited:seconds={thinker.seconds:g}:{player}"

    # Playing

    def _enqueue(self, contest: str) -> None:
        if contest not in self.queue and contest not in self._tasks:
            self.queue.append(contest)
            self._deal()

    def _deal(self) -> None:
        if self.queue and not self._tasks and not self._closing:
            contest = self.queue.pop(0)
            self._tasks[contest] = asyncio.create_task(self._play(contest), name=f"contest {contest}")
            self._tasks[contest].add_done_callback(lambda done: self._ended(contest, done))

    def _ended(self, contest: str, task: asyncio.Task[None]) -> None:
        self._tasks.pop(contest, None)
        self.playing.pop(contest, None)
        self._versions[contest] = microseconds()
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("the contest %s failed: %s", contest, error, exc_info=error)
        self._deal()

    async def _play(self, contest: str) -> None:
        """A contest from its start to its end."""
        assert self.folder is not None
        folder = self.folder / contest

        def touched(_: object) -> None:
            self._versions[contest] = microseconds()

        message = ""
        try:
            await self._until_free(folder)
            tournament = await self.database.work(lambda: Tournament.resumed(folder, workers=1, on_event=touched))
            self.playing[contest] = tournament
            if self._closing:
                return
            tournament.start()
            while tournament.progress().state not in OVER:
                await asyncio.sleep(0.1)
            if tournament.error is not None:
                message = str(tournament.error)
        except (GameError, OSError) as error:
            message = str(error)
        if self._closing or (await self.database.work(contest_files.facts_of, folder))["state"] != "running":
            return
        await self.database.work(
            contest_files.want, folder, "failed" if message else "stopped", self._public(folder, message)
        )

    async def _until_free(self, folder: Path) -> None:
        """Wait for the end of whoever still plays in a folder: a server that was just stopped takes a moment."""
        end = time.monotonic() + FREE_S
        while time.monotonic() < end and not self._closing and await self.database.work(contest_files.in_use, folder):
            await asyncio.sleep(LOOK_S)

    def _public(self, folder: Path, message: str) -> str:
        """A message without what only the owner should know: paths, and the commands of engines."""
        for name, player in self.engines.items():
            for secret in (player, *re.findall(r"[^\s:]*/[^\s:]+", player)):
                message = message.replace(secret, name)
        with contextlib.suppress(GameError, NotFound):
            for name, player in zip(contest_files.facts_of(folder)["entrants"], read_plan(folder).players, strict=True):
                message = message.replace(player, name)
        return message.replace(str(folder.parent), "contests")

    # What is known

    def _status_here(self, contest: str) -> ContestStatus | None:
        if contest in self._tasks:
            return "running"
        return "waiting" if contest in self.queue else None

    def _version(self, folder: Path) -> int:
        times = [self._versions.get(folder.name, 0)]
        for name in (contest_files.FACTS, GAMES):
            with contextlib.suppress(OSError):
                times.append((folder / name).stat().st_mtime_ns // 1000)
        return max(times)

    def _summary(self, folder: Path) -> dict[str, Any]:
        plan, facts = read_plan(folder), contest_files.facts_of(folder)
        game = boards.rules_named(boards.rules_text(boards.rules_named(plan.game)))
        done = len(contest_files.rows(folder))
        status: ContestStatus = self._status_here(folder.name) or "stopped"
        if status == "stopped" and done >= plan.num_games:
            status = "finished"
        elif status == "stopped" and facts["state"] == "failed":
            status = "failed"
        return {
            "id": folder.name,
            "rules": boards.rules_text(game),
            "title": game.title,
            "kind": plan.kind,
            "entrants": facts["entrants"],
            "status": status,
            "message": facts["message"] if status == "failed" else "",
            "done": done,
            "total": plan.num_games,
            "updated": moment(self._version(folder)),
        }

    def _view(self, folder: Path) -> ContestView:
        version = self._version(folder)
        plan, names = read_plan(folder), contest_files.facts_of(folder)["entrants"]
        standings = Standings.of(plan, contest_files.rows(folder))
        numbers = range(len(names))
        tournament = self.playing.get(folder.name)
        running = tournament.progress().running if tournament else ()
        return ContestView(
            **self._summary(folder),
            version=version,
            standings=[
                StandingView(
                    name=names[entry.number],
                    points=entry.points,
                    **{
                        name: getattr(entry, name)
                        for name in (
                            *("number", "games", "wins", "draws", "losses", "forfeits"),
                            *("elo", "low", "high"),
                        )
                    },
                )
                for entry in standings.entries
            ],
            crosstable=[
                [None if row == column else contest_files.meeting(standings, row, column) for column in numbers]
                for row in numbers
            ],
            running=[contest_files.running_game(plan, names, moved) for moved in running],
            formats=list(contest_files.formats(plan.game)),
        )

    # Folders

    async def _work(self, look: Callable[[Path], T]) -> T:
        if self.folder is None:
            raise NotFound("this server holds no contests")
        return await self.database.work(look, self.folder)

    async def _at(self, contest: str, look: Callable[[Path], T]) -> T:
        def found(folder: Path) -> T:
            if not contest_files.ID.fullmatch(contest) or not (folder / contest / contest_files.FACTS).is_file():
                raise NotFound(f"there is no contest {contest[:60]!r}")
            return look(folder / contest)

        return await self._work(found)


def _here(view: ContestView) -> ContestStatus | None:
    return view.status if view.status in ("running", "waiting") else None
