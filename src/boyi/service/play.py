"""`Play`: kept games: what people do with them, opponents that answer, dice, passes and clocks.

An action decides in a thread what it makes of a game, writes it in one transaction that fails if the game was changed
meanwhile, and only then changes what is in memory and tells the watchers. Each game where an opponent is to act has a
driver, one task that acts for it until a human is to act; it needs no visitor to be connected.
"""

import asyncio
import contextlib
import functools
import logging
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from sqlalchemy.engine import Connection

from boyi.games import CHANCE, GameError, Position
from boyi.service import boards, record, store
from boyi.service.database import Database
from boyi.service.engines import Engines, Rank
from boyi.service.errors import Busy, Conflict, EngineError, NotFound, RulesGone
from boyi.service.live import LiveGame, game_view, near_key
from boyi.service.opponents import HUMAN, QUICK_S, Find, opponent
from boyi.service.record import Change, Record
from boyi.service.thinking import Task
from boyi.service.views import GameList, GameView, MoveRequest, NewGame, Thinking

log = logging.getLogger(__name__)

MAX_GAMES = 1000
"""Games kept for a visitor."""
MAX_SHOWS = 4
"""Games of a visitor in which engines play each other at the same time."""
MAX_LIVE = 256
"""Games kept in memory that nobody looks at."""
PASS_SHOWN_S = 0.8
"""How long a human sees that there is nothing to do but pass."""
SHOW_S = 0.5
"""How long a move takes at least when somebody watches engines play each other."""
CLOCK_SAVED_S = 5.0
RESUMED_S = 24 * 3600.0
"""Games changed within this time before the server starts go on by themselves; others when somebody looks."""
MAX_RESUMED = 500
PAGE = 200

Decide = Callable[[LiveGame, float], Change | None]


class Play:
    def __init__(self, database: Database, engines: Engines, find: Find = opponent) -> None:
        """`find` knows everybody who can sit down."""
        self.database, self.engines, self.find = database, engines, find
        self.live: OrderedDict[str, LiveGame] = OrderedDict()
        self._opening: dict[str, asyncio.Task[LiveGame]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing = False

    # Life

    async def resume(self) -> None:
        """Go on with the games in which an opponent or a clock waits."""
        since = record.microseconds() - int(RESUMED_S * 1e6)
        for id, visitor in await self.database.read(lambda c: store.running_games(c, since, MAX_RESUMED)):
            with contextlib.suppress(NotFound):
                await self._open(visitor, id)

    async def close(self) -> None:
        self._closing = True
        for live in self.live.values():
            if live.ticking is not None and live.remaining_s is not None:
                save = functools.partial(store.save_clocks, record=live.record, remaining_s=live.remaining_s)
                await self.database.write(save)
        for live in self.live.values():
            live.tell()
        tasks = {task for live in self.live.values() for task in (live.driver, live.timer) if task} | self._tasks
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Looking

    async def create(self, visitor: str, wanted: NewGame) -> GameView:
        if HUMAN not in wanted.seats:
            self._check_shows(visitor)

        def make(connection: Connection) -> Change:
            change = record.made(visitor, wanted, self.find)
            if store.count_games(connection, visitor) >= MAX_GAMES:
                raise Busy(f"there are {MAX_GAMES} games kept already; delete some first")
            store.insert_game(connection, change.record)
            return change

        return await self._added(make)

    async def keep(self, visitor: str, changes: Callable[[], list[tuple[Change, str]]]) -> list[str]:
        """Keep games that were played elsewhere, each with the text that it comes from; all of them, or none."""
        made = await self.database.work(changes)

        def insert(connection: Connection) -> list[str]:
            if store.count_games(connection, visitor) + len(made) > MAX_GAMES:
                raise Busy(f"there can be {MAX_GAMES} games kept; delete some first")
            for change, source in made:
                store.insert_game(connection, change.record)
                store.save_source(connection, change.record.id, source)
            return [change.record.id for change, _ in made]

        return await self.database.write(insert)

    async def rematch(self, visitor: str, game: str, swap: bool) -> GameView:
        old = (await self._open(visitor, game)).record
        seats = (old.seats[1], old.seats[0]) if swap else old.seats
        return await self.create(
            visitor,
            NewGame(
                rules=old.rules, seats=seats, start=old.wanted_start, dice=old.dice, clock=old.clock, name=old.name
            ),
        )

    async def _added(self, make: Callable[[Connection], Change]) -> GameView:
        change = await self.database.write(make)
        live = LiveGame(change.record, change.position)
        self.live[change.record.id] = live
        view = await self.database.work(live.view)
        self._go_on(live)
        self._trim()
        return view

    async def show(self, visitor: str, game: str) -> GameView:
        live = await self._open(visitor, game)
        version = await self.database.read(lambda c: store.version_of(c, game))
        if version != live.record.version:
            async with live.lock:
                await self._reload(live)
        self._go_on(live)
        return live.view()

    async def shared(self, share: str) -> GameView:
        found = None
        if re.fullmatch(r"[0-9a-f]{32}", share):
            found = await self.database.read(lambda c: store.load_shared(c, share))
        if found is None:
            raise NotFound("there is no such shared game")
        live = await self._open(found.visitor, found.id)
        return live.view().model_copy(update={"mine": False})

    async def list(self, visitor: str, rules: str | None, after: str | None, limit: int) -> GameList:
        game = exact = None
        if rules is not None:
            found = boards.rules_named(rules)
            game, exact = (None, boards.rules_text(found)) if ":" in rules else (found.name, None)
        begin = _read_cursor(after)
        limit = max(1, min(limit, PAGE))
        rows = await self.database.read(
            lambda c: store.list_games(c, visitor, game=game, rules=exact, after=begin, limit=limit + 1)
        )
        more = f"{rows[limit - 1]['updated']}-{rows[limit - 1]['id']}" if len(rows) > limit else None
        summaries = [store.summary(row, boards.title_of(row["rules"])) for row in rows[:limit]]
        return GameList(games=summaries, next=more)

    async def watch(self, visitor: str, game: str) -> AsyncGenerator[GameView]:
        live = await self._open(visitor, game)
        woken = asyncio.Event()
        live.watchers.add(woken)
        try:
            self._go_on(live)
            while not live.deleted and not self._closing:
                woken.clear()
                yield live.view()
                await woken.wait()
        finally:
            live.watchers.discard(woken)
            self._trim()

    async def snapshot(self, visitor: str, game: str) -> tuple[Record, Position]:
        """The game's record and last position."""
        live = await self._open(visitor, game)
        return live.record, live.position

    # Acting

    async def play_move(self, visitor: str, game: str, wanted: MoveRequest) -> GameView:
        def decide(live: LiveGame, spent_s: float) -> Change | None:
            if record.already_played(live.record, live.position, wanted):
                return None
            record.check_running(live.record)
            position = live.position
            if position.turn == CHANCE and live.record.dice == "screen":
                raise Conflict("the app rolls the die in this game; ask it to")
            if not record.is_human(live.record, position):
                raise Conflict("it is the opponent's turn")
            return record.played(live.record, position, wanted.move, spent_s)

        return await self._act(visitor, game, decide)

    async def roll(self, visitor: str, game: str, ply: int) -> GameView:
        def decide(live: LiveGame, spent_s: float) -> Change | None:
            moves = live.record.moves
            if ply < len(moves) and moves[ply].player == CHANCE:
                return None
            record.check_ply(ply, len(moves))
            record.check_running(live.record)
            if live.position.turn != CHANCE:
                raise Conflict("there is nothing to roll")
            if live.record.dice == "hand":
                raise Conflict("the die is rolled by hand in this game; enter what it shows as a move")
            if not record.is_human(live.record, live.position):
                raise Conflict("it is the opponent's roll")
            roll = record.die_roll(live.record, live.position)
            return record.played(live.record, live.position, roll, spent_s)

        return await self._act(visitor, game, decide)

    async def undo(self, visitor: str, game: str) -> GameView:
        return await self._act(visitor, game, lambda live, _: record.undone(live.record, live.position))

    async def resign(self, visitor: str, game: str) -> GameView:
        def decide(live: LiveGame, _: float) -> Change:
            record.check_running(live.record, paused=True)
            return record.resigned(live.record, live.position)

        return await self._act(visitor, game, decide)

    async def swap_sides(self, visitor: str, game: str) -> GameView:
        def decide(live: LiveGame, _: float) -> Change:
            record.check_running(live.record, paused=True)
            first, second = live.record.seats
            return record.amended(live.record, live.position, seats=(second, first))

        return await self._act(visitor, game, decide)

    async def pause(self, visitor: str, game: str, paused: bool) -> GameView:
        def decide(live: LiveGame, _: float) -> Change | None:
            record.check_running(live.record, paused=True)
            if live.record.paused == paused:
                return None
            if not paused and HUMAN not in live.record.seats:
                self._check_shows(visitor)
            return record.amended(live.record, live.position, paused=paused, remaining_s=live.remaining_s)

        return await self._act(visitor, game, decide)

    async def rename(self, visitor: str, game: str, name: str) -> GameView:
        return await self._act(
            visitor, game, lambda live, _: record.amended(live.record, live.position, name=record.clean(name))
        )

    async def share(self, visitor: str, game: str) -> GameView:
        def decide(live: LiveGame, _: float) -> Change | None:
            if live.record.share is not None:
                return None
            return record.amended(live.record, live.position, share=secrets.token_hex(16))

        return await self._act(visitor, game, decide)

    async def delete(self, visitor: str, game: str) -> None:
        try:
            live = await self._open(visitor, game)
        except RulesGone:
            await self.database.write(lambda c: _delete_unread(c, visitor, game))
            return
        async with live.lock:
            await asyncio.shield(self.database.write(lambda c: store.delete_game(c, game)))
            self._let_go(live)

    def _check_shows(self, visitor: str) -> None:
        """Engines may play each other in a few games of a visitor at once."""
        shown = sum(
            live.record.visitor == visitor and live.driver is not None and HUMAN not in live.record.seats
            for live in list(self.live.values())
        )
        if shown >= MAX_SHOWS:
            raise Busy(f"engines play each other in {shown} games already; pause or delete one first")

    async def _act(self, visitor: str, game: str, decide: Decide) -> GameView:
        live = await self._open(visitor, game)
        return await asyncio.shield(self._task(self._changed(live, decide)))

    async def _changed(self, live: LiveGame, decide: Decide, version: int | None = None) -> GameView:
        """Decide and write a change; a driver's is dropped (`Conflict`) where its version is not the present one."""
        async with live.lock:
            if live.deleted:
                raise NotFound("there is no such game")
            if version is not None and live.record.version != version:
                raise Conflict("the game has moved on")
            try:
                made = await self.database.work(self._write, live, decide)
            except store.Stale:
                await self._reload(live)
                raise Conflict("the game was changed from elsewhere; look again") from None
            if made is not None:
                live.apply(*made)
                self._go_on(live)
            return live.view()

    def _write(self, live: LiveGame, decide: Decide) -> tuple[Change, GameView] | None:
        """In a thread: what an action makes of a game, confirmed by the database."""
        loser = live.ticking
        if loser is not None and live.remaining_s is not None and live.remaining_s[loser] <= 0:
            change: Change | None = record.ended(live.record, live.position, "time", loser)
        else:
            change = decide(live, live.spent_s)
        if change is None:
            return None
        found = change
        self.database.transact(lambda c: store.change_game(c, live.record, found.record, found.kept))
        return found, game_view(found.record, found.position)

    # Games in memory

    async def _open(self, visitor: str, game: str) -> LiveGame:
        """The live game of a visitor; somebody else's looks like none."""
        live = self.live.get(game)
        if live is not None and not await self._has_its_rules(live):
            self._let_go(live)
            live = None
        if live is None:
            if not re.fullmatch(r"[0-9a-f]{16}", game):
                raise NotFound("there is no such game")
            opening = self._opening.get(game)
            if opening is None:
                opening = self._opening[game] = self._task(self._load(game))
                opening.add_done_callback(lambda _: self._opening.pop(game, None))
            live = await asyncio.shield(opening)
        if live.record.visitor != visitor:
            raise NotFound("there is no such game")
        live.used = time.monotonic()
        if game in self.live:
            self.live.move_to_end(game)
        return live

    async def _has_its_rules(self, live: LiveGame) -> bool:
        """Whether a game is still played by the rules that it was loaded with: those of an own game may change."""

        def look() -> bool:
            try:
                return boards.rules_named(live.record.rules) == live.position.game
            except GameError:
                return False

        return boards.is_built_in(live.record.rules) or await self.database.work(look)

    def _let_go(self, live: LiveGame) -> None:
        """Forget a live game; what was played is in the database."""
        self.live.pop(live.record.id, None)
        live.deleted = True
        for task in (live.driver, live.timer):
            if task is not None:
                task.cancel()
        live.tell()

    async def _load(self, game: str) -> LiveGame:
        found = await self.database.read(lambda c: store.load_game(c, game))
        if found is None:
            raise NotFound("there is no such game")
        loaded = found
        try:
            position = await self.database.work(loaded.position)
        except GameError as error:
            raise RulesGone(f"the rules of this game are gone, or were changed since it was played: {error}") from error
        live = LiveGame(loaded, position)
        await self.database.work(live.view)
        self.live[game] = live
        self._go_on(live)
        self._trim()
        return live

    async def _reload(self, live: LiveGame) -> None:
        """Take over what another server has written; the lock is held."""
        found = await self.database.read(lambda c: store.load_game(c, live.record.id))
        if found is None:
            live.deleted = True
            self.live.pop(live.record.id, None)
            live.tell()
            raise NotFound("there is no such game")
        loaded = found
        if loaded.version <= live.record.version:
            return
        position = await self.database.work(loaded.position)
        view = await self.database.work(game_view, loaded, position)
        live.apply(Change(loaded, position, 0), view)
        self._go_on(live)

    def _trim(self) -> None:
        """Let go of games that nobody has looked at for longest."""
        surplus = len(self.live) - MAX_LIVE
        if surplus > 0:
            for id in [id for id, live in self.live.items() if live.idle][:surplus]:
                del self.live[id]

    def _task(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waits for it has it too; a visitor who left has not

    # Opponents, dice, passes and clocks

    def _go_on(self, live: LiveGame) -> None:
        """See to it that somebody acts: a driver where no human has to, and a timer where a clock runs."""
        if self._closing or live.deleted:
            return
        running = live.record.outcome is None and not live.record.paused
        acts = running and (not record.is_human(live.record, live.position) or boards.must_pass(live.position))
        present = str(live.record.version)
        if live.driver is not None and (live.driver.get_name() != present or not acts):
            live.driver.cancel()
            live.driver, live.thinking = None, None
        if acts and live.driver is None:
            live.driver = self._start(live, self._drive(live))
        if live.timer is not None and (live.timer.get_name() != present or live.ticking is None):
            live.timer.cancel()
            live.timer = None
        if live.ticking is not None and live.timer is None:
            live.timer = self._start(live, self._tick(live))

    def _start(self, live: LiveGame, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work, name=str(live.record.version))
        task.add_done_callback(lambda done: self._ended(live, done))
        return task

    def _ended(self, live: LiveGame, task: asyncio.Task[None]) -> None:
        if live.driver is task:
            live.driver, live.thinking = None, None
        if live.timer is task:
            live.timer = None
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("game %s stopped: %s", live.record.id, error, exc_info=error)
        elif not task.cancelled():
            self._go_on(live)

    async def _drive(self, live: LiveGame) -> None:
        """One act for whoever is no human; the change that it makes starts the next driver."""
        version, position = live.record.version, live.position
        if position.turn == CHANCE:
            move = record.die_roll(live.record, position)
        elif boards.must_pass(position):
            if record.is_human(live.record, position):
                await asyncio.sleep(PASS_SHOWN_S)
            move = position.moves[0]
        else:
            try:
                move = await self._answer(live)
            except (EngineError, NotFound, GameError) as error:
                log.error("game %s is paused: %s", live.record.id, error)
                await self._quietly(live, lambda g, _: record.amended(g.record, g.position, paused=True), version)
                return
        if HUMAN not in live.record.seats and live.watchers:
            await asyncio.sleep(SHOW_S - live.spent_s)
        await self._quietly(live, lambda g, spent_s: record.played(g.record, g.position, move, spent_s), version)

    async def _quietly(self, live: LiveGame, decide: Decide, version: int) -> None:
        """Make a change unless the game has moved on."""
        with contextlib.suppress(Conflict, NotFound):
            await asyncio.shield(self._task(self._changed(live, decide, version)))

    async def _answer(self, live: LiveGame) -> str:
        """Let the opponent think, and show that it does."""
        game, position = live.record.game, live.position
        seat = position.turn or 0
        found = await self.database.work(self.find, live.record.seats[seat])
        thinker = found.thinker_for(game)
        seconds, expected_s = thinker.seconds, found.thinks_s
        if live.remaining_s is not None and live.record.clock is not None:
            affordable = live.remaining_s[seat] / 30 + 0.8 * live.record.clock.increment_s
            seconds = max(0.02, min(seconds or affordable, affordable)) if seconds is not None else None
            expected_s = min(expected_s, affordable)
        key, moves = await self.database.work(near_key, position)
        task = Task(live.record.rules, key, moves, thinker.player, seconds, live.record.id if seconds else "")
        quick = seconds is None or seconds <= QUICK_S
        if not quick:
            live.thinking = Thinking(seconds=0.0, expected_s=expected_s, value=None, depth=0, simulations=0)
            live.tell()
        move = None
        thoughts = self.engines.watch(task, rank=Rank.QUICK_MOVE if quick else Rank.MOVE, visitor=live.record.visitor)
        async with aclosing(thoughts):
            async for thought in thoughts:
                choice = thought.choice
                move = choice.move if choice else None
                if not thought.finished:
                    live.thinking = Thinking(
                        seconds=round(live.spent_s, 2),
                        expected_s=expected_s,
                        value=choice.value if choice else None,
                        depth=choice.depth if choice else 0,
                        simulations=choice.simulations if choice else 0,
                        preparing=thought.preparing,
                    )
                    live.tell()
        assert move is not None
        return move

    async def _tick(self, live: LiveGame) -> None:
        """Save a running clock now and then, and end the game when it has run out."""
        kept = live.record
        while (mover := live.ticking) is not None and (shows := live.remaining_s) is not None:
            if shows[mover] <= 0:
                await self._quietly(live, lambda g, _: None, kept.version)
                return
            await asyncio.sleep(min(shows[mover] + 0.005, CLOCK_SAVED_S))
            if (left := live.remaining_s) is not None and left[mover] > 0:
                await self.database.write(functools.partial(store.save_clocks, record=kept, remaining_s=left))


def _read_cursor(text: str | None) -> tuple[int, str] | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,18})-([0-9a-f]{16})", text)
    if not found:
        raise NotFound("there is no such page of the list")
    return int(found[1]), found[2]


def _delete_unread(connection: Connection, visitor: str, game: str) -> None:
    """Delete a game whose moves nobody can follow any more."""
    found = store.load_game(connection, game)
    if found is None or found.visitor != visitor:
        raise NotFound("there is no such game")
    store.delete_game(connection, game)
