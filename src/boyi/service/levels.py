"""Strength levels for visitors: how strong each is, and which one suits a visitor by the games they played.

A visitor's Elo is the likeliest one given their last games against levels, with a guess to begin with that a few games
outweigh. The level nearest to it is the one that they win about half of their games against.
"""

import math
import re
from collections.abc import Sequence

from boyi.games import Game
from boyi.players.levels import HIGHEST, levels_of
from boyi.service import boards, store
from boyi.service.database import Database
from boyi.service.opponents import HUMAN
from boyi.service.views_levels import LevelsView, LevelView

SEAT = re.compile(r"level:(\d{1,2})")
AUTO = "level:auto"
"""The seat of an opponent that follows the visitor's strength."""
FIRST = 3
"""The level to begin with."""
ENOUGH = 3
"""Games after which a level is suggested."""
COUNTED = 30
"""The last games that count."""
SPREAD = 400.0
"""How far, in Elo, visitors lie from the first guess."""
STEP = 250.0
"""From level to level, where nobody has measured it."""


def elos(game: Game) -> list[float]:
    """The Elo of each level, measured or guessed."""
    found = levels_of(game).levels
    return [STEP * (level.number - 2) if level.elo is None else level.elo for level in found]


def likeliest(results: Sequence[tuple[float, float]], guess: float) -> float:
    """The Elo behind results, pairs of an opponent's Elo and the points won, 0 to 1."""

    def likelihood(elo: float) -> float:
        total = -((elo - guess) ** 2) / (2 * SPREAD**2)
        for other, points in results:
            share = 1 / (1 + 10 ** ((other - elo) / 400))
            total += points * math.log(share + 1e-12) + (1 - points) * math.log(1 - share + 1e-12)
        return total

    lowest = int(min([guess, *(other for other, _ in results)])) - 800
    highest = int(max([guess, *(other for other, _ in results)])) + 800
    return float(max(range(lowest, highest + 1, 10), key=likelihood))


class VisitorLevels:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def show(self, visitor: str, rules: str) -> LevelsView:
        """The levels of a game, and the one that suits a visitor."""
        game = await self.database.work(boards.rules_named, rules)
        name = boards.rules_text(game)
        rows = await self.database.read(lambda c: store.level_games(c, visitor, name, COUNTED))
        return await self.database.work(_shown, game, rows)

    async def seat(self, visitor: str, rules: str, seat: str) -> str:
        """A seat, with the level that suits the visitor in the place of `level:auto`."""
        return f"level:{(await self.show(visitor, rules)).suggested}" if seat == AUTO else seat


def _shown(game: Game, rows: Sequence[tuple[str, str, int | None]]) -> LevelsView:
    known = elos(game)
    results = []
    for first, second, winner in rows:
        human = 0 if first == HUMAN else 1
        found = SEAT.fullmatch(second if human == 0 else first)
        if found and int(found[1]) <= HIGHEST and HUMAN in (first, second):
            results.append((known[int(found[1])], 0.5 if winner is None else float(winner == human)))
    elo = likeliest(results, known[FIRST])
    suggested = min(range(HIGHEST + 1), key=lambda number: abs(known[number] - elo))
    return LevelsView(
        rules=boards.rules_text(game),
        levels=[
            LevelView(number=level.number, elo=level.elo, low=level.low, high=level.high)
            for level in levels_of(game).levels
        ],
        games=len(results),
        elo=elo if len(results) >= ENOUGH else None,
        suggested=suggested,
    )
