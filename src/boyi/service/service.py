"""`Service`: everything a visitor can do, one method an action.

`visitor` is the secret-derived id of who asks; whatever belongs to somebody else is `NotFound`. All methods may be
called from one event loop, which they never block: the database works in a thread, engines in processes.
"""

import asyncio
import contextlib
import hashlib
import importlib.metadata
import json
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Literal

from boyi.games import Position
from boyi.games.registry import built_in_games
from boyi.service import boards, records, store
from boyi.service.analysis import Analysis
from boyi.service.contests import Contests
from boyi.service.database import Database
from boyi.service.engines import Engines, usual_tasks
from boyi.service.lessons import Lessons
from boyi.service.levels import AUTO, VisitorLevels
from boyi.service.own_games import Own
from boyi.service.play import Play
from boyi.service.record import Change, Record
from boyi.service.runs import Runs
from boyi.service.settings import Settings
from boyi.service.stored_nets import StoredNets
from boyi.service.views import (
    AnalysisRequest,
    AnalysisView,
    Catalogue,
    ComposeRequest,
    ExportView,
    GameList,
    GameView,
    MoveRequest,
    NewGame,
    OpponentView,
    PictureRequest,
    PositionRequest,
    PositionView,
    Preferences,
    ReviewRequest,
    ReviewView,
    Status,
)
from boyi.service.views_contests import ContestList, ContestView, Entrants, NewContest
from boyi.service.views_lessons import AnswerView, LessonList
from boyi.service.views_levels import LevelsView
from boyi.service.views_own import OwnGames
from boyi.service.views_records import Imported, ImportRequest, RecordContents, RecordFile, RecordView
from boyi.service.views_training import Method, NewRun, RunList, RunPositions, RunView, TrainingOptions
from boyi.service.views_vision import LookRequest, LookView, PictureFile, PictureLimits, ReadingView
from boyi.service.vision import Reader

log = logging.getLogger(__name__)

MAX_ANALYSES = 200_000
"""Positions whose analysis is kept; a position takes a few kilobytes."""


class Service:
    def __init__(
        self, database: str, *, workers: int | None = None, warm: bool = True, settings: Settings | None = None
    ) -> None:
        """`database` is a SQLAlchemy URL; `workers` engine processes, as many as cores by default; `warm` lets them
        load the usual games when they have nothing else to do; `settings` are the owner's, without which nothing is
        trained."""
        settings = settings or Settings()
        self._database = Database(database)
        self._engines = Engines(workers)
        self._nets = StoredNets(settings.players, settings.runs)
        self._contests = Contests(self._database, settings.contests, self._nets, settings.engines)
        self._runs = Runs(
            self._database, settings.runs, settings.trainings, games=settings.games, tell_folder=settings.private
        )
        self._play = Play(self._database, self._engines, self._nets.find)
        self._analysis = Analysis(self._database, self._engines)
        self._levels = VisitorLevels(self._database)
        self._reader = Reader()
        self._lessons = Lessons(self._database, self._analysis)
        self._own = Own(self._database, settings.games, tell_folder=settings.private)
        self._warm = warm
        self._background: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Open the database, start the engines, and go on with the games that wait for an opponent."""
        await self._database.open()
        await self._database.write(lambda c: store.prune_analyses(c, MAX_ANALYSES))
        await self._own.open()  # before other processes are started, since they are to know the owner's games
        await self._engines.start()
        await self._runs.resume()
        await self._contests.resume()
        for work in (self._play.resume(), self._load_games()) if self._warm else (self._play.resume(),):
            task = asyncio.create_task(work)
            self._background.add(task)
            task.add_done_callback(self._ended)

    async def close(self) -> None:
        """End everything; takes a few seconds at most."""
        for task in list(self._background):
            task.cancel()
        await self._contests.close()
        await self._runs.close()
        await self._play.close()
        await self._reader.close()
        await self._engines.close()
        await self._analysis.close()
        await self._own.close()
        await self._database.close()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._background.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a background task failed: %s", error, exc_info=error)

    async def _load_games(self) -> None:
        """Load what the usual games need, here and in the engines, so that the first move does not wait for it."""
        for name in built_in_games():
            await self._database.work(boards.show_position, PositionRequest(rules=name))
        self._engines.warm_up(await self._database.work(usual_tasks))

    # Looking round

    async def status(self) -> Status:
        return Status(
            version=_version(),
            workers=len(self._engines.workers),
            busy=self._engines.busy,
            queued=self._engines.queued,
            games=await self._database.read(store.count_games),
        )

    async def catalogue(self) -> Catalogue:
        usual = await self._database.work(boards.catalogue)
        trained = await self._database.work(self._nets.views)
        return usual.model_copy(update={"opponents": [*usual.opponents, *trained]})

    async def new_visitor(self) -> str:
        """A fresh secret token."""
        return secrets.token_urlsafe(24)

    def visitor(self, token: str) -> str:
        """The id behind a token."""
        return hashlib.sha256(f"boyi visitor {token}".encode(errors="replace")).hexdigest()

    async def preferences(self, visitor: str) -> Preferences:
        return await self._database.read(lambda c: store.load_preferences(c, visitor))

    async def set_preferences(self, visitor: str, wanted: Preferences) -> Preferences:
        await self._database.write(lambda c: store.save_preferences(c, visitor, wanted))
        return wanted

    # Playing

    async def create_game(self, visitor: str, wanted: NewGame) -> GameView:
        if AUTO in wanted.seats:
            first, second = [await self._levels.seat(visitor, wanted.rules, seat) for seat in wanted.seats]
            wanted = wanted.model_copy(update={"seats": (first, second)})
        return await self._play.create(visitor, wanted)

    async def levels(self, visitor: str, rules: str) -> LevelsView:
        return await self._levels.show(visitor, rules)

    async def list_games(
        self, visitor: str, *, rules: str | None = None, after: str | None = None, limit: int = 50
    ) -> GameList:
        return await self._play.list(visitor, rules, after, limit)

    async def show_game(self, visitor: str, game: str) -> GameView:
        return await self._play.show(visitor, game)

    def watch_game(self, visitor: str, game: str) -> AsyncIterator[GameView]:
        """The game as it is, and again after every change, and while an opponent thinks."""
        return self._play.watch(visitor, game)

    async def play_move(self, visitor: str, game: str, wanted: MoveRequest) -> GameView:
        return await self._play.play_move(visitor, game, wanted)

    async def roll(self, visitor: str, game: str, ply: int) -> GameView:
        return await self._play.roll(visitor, game, ply)

    async def undo(self, visitor: str, game: str) -> GameView:
        return await self._play.undo(visitor, game)

    async def resign(self, visitor: str, game: str) -> GameView:
        return await self._play.resign(visitor, game)

    async def rematch(self, visitor: str, game: str, *, swap: bool) -> GameView:
        return await self._play.rematch(visitor, game, swap)

    async def swap_sides(self, visitor: str, game: str) -> GameView:
        return await self._play.swap_sides(visitor, game)

    async def pause(self, visitor: str, game: str) -> GameView:
        return await self._play.pause(visitor, game, True)

    async def go_on(self, visitor: str, game: str) -> GameView:
        return await self._play.pause(visitor, game, False)

    async def rename_game(self, visitor: str, game: str, name: str) -> GameView:
        return await self._play.rename(visitor, game, name)

    async def delete_game(self, visitor: str, game: str) -> None:
        await self._play.delete(visitor, game)

    async def share_game(self, visitor: str, game: str) -> GameView:
        return await self._play.share(visitor, game)

    async def shared_game(self, share: str) -> GameView:
        return await self._play.shared(share)

    async def hint(self, visitor: str, game: str) -> AnalysisView:
        _, position = await self._play.snapshot(visitor, game)
        return await self._analysis.hint(visitor, position)

    async def export_game(
        self,
        visitor: str,
        game: str,
        format: Literal["key", "moves", "json", "svg", "png"],
        *,
        theme: str = "light",
    ) -> ExportView:
        kept, position = await self._play.snapshot(visitor, game)
        return await self._database.work(_exported, kept, position, format, theme)

    # Analysing

    async def show_position(self, wanted: PositionRequest) -> PositionView:
        return await self._database.work(boards.show_position, wanted)

    async def compose_position(self, wanted: ComposeRequest) -> PositionView:
        return await self._database.work(boards.compose_position, wanted)

    async def picture(self, wanted: PictureRequest) -> ExportView:
        known = await self._analysis.known(wanted.rules, wanted.key) if wanted.values != "none" else None
        return await self._database.work(boards.picture, wanted, known)

    def analyse(self, visitor: str, wanted: AnalysisRequest) -> AsyncIterator[AnalysisView]:
        """Live analysis; leaving the loop cancels it. What is already known comes first."""
        return self._analysis.live(visitor, wanted.rules, wanted.key, wanted.seconds)

    async def known_analysis(self, rules: str, key: str) -> AnalysisView | None:
        return await self._analysis.known(rules, key)

    async def review_game(self, visitor: str, game: str, wanted: ReviewRequest) -> AsyncIterator[ReviewView]:
        """Every position of a game, analysed; kept, so that a second review is quick."""
        kept, position = await self._play.snapshot(visitor, game)
        views = self._analysis.review(visitor, kept, position, wanted.seconds_per_move)
        async with aclosing(views):
            async for view in views:
                yield view

    async def known_review(self, visitor: str, game: str) -> ReviewView | None:
        kept, _ = await self._play.snapshot(visitor, game)
        return await self._analysis.known_review(kept)

    # Game files

    async def read_records(self, wanted: RecordFile) -> RecordContents:
        return await self._database.work(records.contents, wanted)

    async def import_records(self, visitor: str, wanted: ImportRequest) -> Imported:
        """Keep games of a file."""

        def changes() -> list[tuple[Change, str]]:
            found = records.chosen(wanted, wanted.numbers)
            return [(records.made(visitor, game), game.to_json()) for game in found]

        kept = await self._play.keep(visitor, changes)
        listed = await self._play.list(visitor, None, None, len(kept))
        return Imported(games=[summary for id in kept for summary in listed.games if summary.id == id])

    async def game_record(self, visitor: str, game: str) -> RecordView:
        kept, _ = await self._play.snapshot(visitor, game)
        source = await self._database.read(lambda c: store.load_source(c, game))
        return await self._database.work(records.view, kept, source)

    async def export_record(self, visitor: str, game: str, format: str) -> ExportView:
        kept, _ = await self._play.snapshot(visitor, game)
        source = await self._database.read(lambda c: store.load_source(c, game))
        return await self._database.work(records.export, kept, source, format)

    # Boards in pictures

    async def picture_limits(self) -> PictureLimits:
        return self._reader.limits()

    async def read_picture(self, visitor: str, wanted: PictureFile) -> ReadingView:
        return await self._reader.read(visitor, wanted)

    async def look_again(self, visitor: str, wanted: LookRequest) -> LookView:
        return await self._reader.look(visitor, wanted)

    # Learning from mistakes

    async def lessons(self, visitor: str, *, game: str | None = None) -> LessonList:
        return await self._lessons.list(visitor, game)

    async def answer_lesson(self, visitor: str, lesson: str, move: str) -> AnswerView:
        return await self._lessons.answer(visitor, lesson, move)

    # Matches and tournaments

    async def entrants(self, rules: str) -> Entrants:
        return await self._contests.entrants(rules)

    async def start_contest(self, wanted: NewContest) -> ContestView:
        return await self._contests.start(wanted)

    async def list_contests(self) -> ContestList:
        return await self._contests.list()

    async def show_contest(self, contest: str) -> ContestView:
        return await self._contests.show(contest)

    def watch_contest(self, contest: str) -> AsyncIterator[ContestView]:
        """The contest as it stands, and again after every change."""
        return self._contests.watch(contest)

    async def stop_contest(self, contest: str) -> ContestView:
        return await self._contests.stop(contest)

    async def resume_contest(self, contest: str) -> ContestView:
        return await self._contests.go_on(contest)

    async def delete_contest(self, contest: str) -> None:
        await self._contests.delete(contest)

    async def contest_records(self, contest: str, format: str) -> ExportView:
        return await self._contests.export(contest, format)

    # The owner's own games

    async def own_games(self) -> OwnGames:
        return await self._own.show()

    async def check_own_game(self, name: str) -> OwnGames:
        return await self._own.check(name)

    # Training

    async def training_options(self, rules: str, method: Method = "deep") -> TrainingOptions:
        return await self._runs.options(rules, method)

    async def start_run(self, wanted: NewRun) -> RunView:
        return await self._runs.start(wanted)

    async def list_runs(self) -> RunList:
        return await self._runs.list()

    async def show_run(self, run: str) -> RunView:
        return await self._runs.show(run)

    def watch_run(self, run: str) -> AsyncIterator[RunView]:
        """The run as it stands, and again after every change."""
        return self._runs.watch(run)

    async def pause_run(self, run: str) -> RunView:
        return await self._runs.stop(run, "paused")

    async def resume_run(self, run: str) -> RunView:
        return await self._runs.go_on(run)

    async def stop_run(self, run: str) -> RunView:
        return await self._runs.stop(run, "stopped")

    async def delete_run(self, run: str) -> None:
        await self._runs.delete(run)

    async def run_positions(self, run: str) -> RunPositions:
        return await self._runs.positions(run)

    async def promote_checkpoint(self, run: str, generation: int, name: str) -> OpponentView:
        return await self._database.work(self._nets.promote, run, generation, name)

    async def export_net(self, run: str, generation: int) -> ExportView:
        return await self._database.work(self._nets.export, run, generation)

    async def dismiss_player(self, name: str) -> None:
        await self._database.work(self._nets.dismiss, name)


def _version() -> str:
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        return importlib.metadata.version("boyi")
    return "unknown"


def _exported(kept: Record, position: Position, format: str, theme: str) -> ExportView:
    name = f"{kept.game.name}-{kept.id}"
    if format in ("svg", "png"):
        return boards.drawn(position.svg(theme=theme), format, name)
    if format == "key":
        return ExportView(content=f"{position.key}\n".encode(), media_type="text/plain", file_name=f"{name}.txt")
    moves = [move.move for move in kept.moves]
    if format == "moves":
        text = " ".join(moves)
        return ExportView(content=f"{text}\n".encode(), media_type="text/plain", file_name=f"{name}-moves.txt")
    facts = {
        "rules": kept.rules,
        "rules_version": kept.game.version,
        "name": kept.name,
        "players": list(kept.game.players),
        "seats": list(kept.seats),
        "start": kept.start,
        "moves": [move.model_dump() for move in kept.moves],
        "key": position.key,
        "outcome": kept.outcome.model_dump() if kept.outcome else None,
    }
    text = json.dumps(facts, ensure_ascii=False, indent=2)
    return ExportView(content=text.encode(), media_type="application/json", file_name=f"{name}.json")
