"""`Analysis`: live analysis of positions, hints, and reviews of whole games; what was found is kept and used again.

The analysis of a position that was worth most is kept: an exact one, else the one with most search behind it. In a
position where chance decides, the value is the average over the outcomes, and the lines are the outcomes.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import NamedTuple

from boyi.games import CHANCE, Position
from boyi.players import Choice, Line
from boyi.service import boards, store
from boyi.service.database import Database
from boyi.service.engines import Engines, Rank
from boyi.service.errors import Conflict
from boyi.service.live import near_key
from boyi.service.opponents import analyst
from boyi.service.record import Record
from boyi.service.thinking import Task
from boyi.service.views import AnalysisView, LineView, ReviewPoint, ReviewView

HINT_S = 1.0
JUDGED_S = 1.0
SAVED_S = 5.0
"""A running analysis is kept this often."""
MISTAKE = 0.2
"""A move that gives away this much of the expected result, which goes from -1 to 1, is listed as a mistake."""
MOST_MISTAKES = 12
TRUSTED_VISITS = 100
"""A search with fewer simulations than this in the best move says nothing about mistakes."""
TRUSTED_REPLY = 30
"""The same for the move that was played."""


class Judgement(NamedTuple):
    """What a move gives away, 0 to 2; and the best one with its line and value."""

    loss: float
    best: str
    line: list[str]
    value: float
    exact: bool


class Analysis:
    def __init__(self, database: Database, engines: Engines) -> None:
        self.database, self.engines = database, engines
        self._saving: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Wait until everything is kept."""
        await asyncio.gather(*self._saving, return_exceptions=True)

    async def known(self, rules: str, key: str) -> AnalysisView | None:
        """What is kept of a position; for a finished game its result."""
        return await self._known(await self.database.work(_position, rules, key))

    async def _known(self, position: Position) -> AnalysisView | None:
        if position.turn is None:
            return _result(position)
        rules, key, version = boards.rules_text(position.game), position.key, boards.rules_version(position.game)
        return await self.database.read(lambda c: store.load_analysis(c, rules, version, key))

    async def live(self, visitor: str, rules: str, key: str, seconds: float) -> AsyncGenerator[AnalysisView]:
        """What is known, and then what a search adds to it, until the time is up or the answer is exact."""
        position = await self.database.work(_position, rules, key)
        thoughts = self._search(position, seconds, Rank.LIVE, visitor, f"live {visitor}")
        async with aclosing(thoughts):
            async for view in thoughts:
                yield view

    async def hint(self, visitor: str, position: Position) -> AnalysisView:
        """A move for whoever is to move, with its reason."""
        if position.turn in (None, CHANCE):
            raise Conflict("there is nothing to decide here" if position.turn is None else "the die is to be rolled")
        return await self._whole(position, HINT_S, Rank.HINT, visitor, f"live {visitor}")

    async def judge(self, visitor: str, position: Position, move: str) -> Judgement:
        """What a move gives away against the best one; where that is not certain, the position after it is searched,
        too, as a search looks little at moves that it likes less."""
        stream = f"live {visitor}"
        view = await self._whole(position, JUDGED_S, Rank.HINT, visitor, stream)
        best = next((line for line in view.lines if line.move == view.move), None)
        assert best is not None, "a position with a decision has a best line"
        line = best if move == best.move else next((line for line in view.lines if line.move == move), None)
        value = None if line is None or not (line is best or line.exact) else line.value
        if value is None:
            after = await self._whole(position.play(move), JUDGED_S, Rank.HINT, visitor, stream)
            value = after.value if after.value is not None else 0.0
        sign = -1 if position.turn == 1 else 1
        loss = min(2.0, max(0.0, sign * (best.value - value)))
        return Judgement(loss, best.move, best.moves, best.value, best.exact)

    async def _whole(self, position: Position, seconds: float, rank: Rank, visitor: str, stream: str) -> AnalysisView:
        views = [view async for view in self._search(position, seconds, rank, visitor, stream)]
        return views[-1]

    async def _search(
        self, position: Position, seconds: float, rank: Rank, visitor: str, stream: str
    ) -> AsyncGenerator[AnalysisView]:
        known = await self._known(position)
        if known is not None:
            done = known.exact or known.seconds >= 0.9 * seconds
            yield known.model_copy(update={"finished": done})
            if done:
                return
        key, moves = await self.database.work(near_key, position)
        task = Task(boards.rules_text(position.game), key, moves, analyst(position.game), seconds, stream)
        thoughts = self.engines.watch(task, rank=rank, visitor=visitor)
        best = kept = known
        saved_s = 0.0
        async with aclosing(thoughts):
            try:
                async for thought in thoughts:
                    if thought.choice is None:
                        yield (best or _nothing(position)).model_copy(update={"preparing": thought.preparing})
                        continue
                    found = _view(position, thought.choice, thought.finished)
                    if best is None or worth(found) >= worth(best):
                        best = found
                    if best is not kept and (thought.finished or found.seconds - saved_s >= SAVED_S):
                        kept, saved_s = best, found.seconds
                        await asyncio.shield(self._keep(position, best))
                    if best is found or thought.finished:
                        yield best.model_copy(update={"finished": thought.finished})
            finally:
                if best is not None and best is not kept and best.value is not None:
                    self._keep(position, best)

    def _keep(self, position: Position, view: AnalysisView) -> asyncio.Task[None]:
        """Begin to keep an analysis; it is kept even if nobody waits for it."""
        kept = view.model_copy(update={"finished": True, "preparing": False})
        version = boards.rules_version(position.game)
        saving = asyncio.create_task(self.database.write(lambda c: store.save_analysis(c, version, kept, worth(kept))))
        self._saving.add(saving)
        saving.add_done_callback(self._saving.discard)
        return saving

    # Whole games

    async def known_review(self, kept: Record) -> ReviewView | None:
        return await self.database.read(lambda c: store.load_review(c, kept.id, kept.digest))

    async def review(self, visitor: str, kept: Record, last: Position, seconds: float) -> AsyncGenerator[ReviewView]:
        """Every decision of a game in turn; the tree grows from one to the next."""
        positions = await self.database.work(_course, last)
        found: dict[int, AnalysisView] = {}
        total = len(positions)
        for ply, position in enumerate(positions):
            if position.turn == CHANCE:
                continue
            stream = f"review {visitor} {kept.id}"
            found[ply] = await self._whole(position, seconds, Rank.REVIEW, visitor, stream)
            if ply + 1 < total:
                yield await self.database.work(_review, kept.id, positions, dict(found), ply + 1, total)
        view = await self.database.work(_review, kept.id, positions, found, total, total)
        await self.database.write(lambda c: store.save_review(c, kept.id, kept.digest, view))
        yield view


def worth(view: AnalysisView) -> float:
    """Which of two analyses of a position is better: an exact one, else the one with more search."""
    return 1e18 + view.seconds if view.exact else float(max(view.simulations, view.nodes))


def _position(rules: str, key: str) -> Position:
    position = boards.rules_named(rules).position(key)
    _ = position.turn, position.key
    return position


def _view(position: Position, choice: Choice, finished: bool) -> AnalysisView:
    visits = sum(line.visits for line in choice.lines)
    return AnalysisView(
        rules=boards.rules_text(position.game),
        key=position.key,
        move=choice.move or None,
        value=choice.value,
        wdl=choice.wdl,
        score=None,
        lines=[_line_view(line) for line in choice.lines],
        simulations=max(choice.simulations, visits),
        nodes=choice.nodes,
        depth=choice.depth,
        seconds=round(choice.seconds, 3),
        exact=choice.exact,
        finished=finished,
    )


def _line_view(line: Line) -> LineView:
    return LineView(
        move=line.move,
        value=line.value,
        visits=line.visits,
        prior=line.prior,
        moves=list(line.moves),
        exact=line.exact,
    )


def _nothing(position: Position) -> AnalysisView:
    return _view(position, Choice(""), False)


def _result(position: Position) -> AnalysisView:
    """A finished game is its own analysis."""
    end = position.outcome
    assert end is not None
    value = 0.0 if end.winner is None else 1.0 - 2 * end.winner
    wdl = (float(value > 0), float(value == 0), float(value < 0))
    return _view(position, Choice("", value, wdl, exact=True), True).model_copy(update={"score": float(end.score)})


def _course(last: Position) -> list[Position]:
    positions = [last]
    while (before := positions[-1].previous) is not None:
        positions.append(before)
    for position in positions:
        _ = position.turn
    return positions[::-1]


def _review(game: str, positions: list[Position], found: dict[int, AnalysisView], done: int, total: int) -> ReviewView:
    points = [_point(positions, found, ply) for ply in range(done)]
    losses = {point.ply: point.loss for point in points if point.loss is not None and point.loss >= MISTAKE}
    mistakes = sorted(losses, key=lambda ply: -losses[ply])[:MOST_MISTAKES]
    return ReviewView(game=game, done=done, total=total, finished=done == total, points=points, mistakes=mistakes)


def _point(positions: list[Position], found: dict[int, AnalysisView], ply: int) -> ReviewPoint:
    position = positions[ply]
    view = found.get(ply)
    played = positions[ply + 1].move if ply + 1 < len(positions) else None
    best = next((line for line in view.lines if line.move == view.move), None) if view else None
    value = view.value if view else None
    if position.turn == CHANCE and ply > 0:
        value = _value_of_move(found.get(ply - 1), position.move)
    decides = position.turn in (0, 1) and played is not None
    return ReviewPoint(
        ply=ply,
        key=position.key,
        player=position.turn,
        value=value,
        exact=view.exact if view else False,
        move=played,
        best=view.move if view else None,
        best_line=best.moves if best else [],
        loss=_loss(position, view, best, played, found.get(ply + 1)) if decides else None,
    )


def _loss(
    position: Position, view: AnalysisView | None, best: LineView | None, played: str | None, after: AnalysisView | None
) -> float | None:
    """What a move gave away against the best one, where both values can be trusted."""
    if view is None or best is None or played is None:
        return None
    if played == best.move or len(view.lines) == 1:
        return 0.0
    if not best.exact and best.visits < TRUSTED_VISITS:
        return None
    value = after.value if after is not None else _value_of_move(view, played)
    if value is None:
        return None
    sign = -1 if position.turn == 1 else 1
    return min(2.0, max(0.0, sign * (best.value - value)))


def _value_of_move(view: AnalysisView | None, move: str) -> float | None:
    for line in view.lines if view else []:
        if line.move == move and (line.exact or line.visits >= TRUSTED_REPLY):
            return line.value
    return None
