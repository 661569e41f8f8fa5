"""The games: rules as kernels, one file a game, and `Position`, their Python face.

Reading order: `generics` (the rules every game answers), `tictactoe` (the smallest game), `game` and `position` (the
Python side), `registry` (which games there are). `kernels` explains how rules become native code.
"""

import sys
from types import ModuleType

from boyi.games.errors import BadParameter, BadPosition, GameError, IllegalMove, UnknownGame
from boyi.games.game import Game, State
from boyi.games.generics import (
    CHANCE,
    RUNNING,
    chance,
    init,
    legal,
    observe,
    outcome,
    rule,
    sample,
    score,
    setup,
    step,
    turn,
    urgent,
    wins_at_once,
)
from boyi.games.grid import Symmetry
from boyi.games.kernels import inline_kernel, kernel
from boyi.games.position import Outcome, Position
from boyi.games.registry import game, games

__all__ = [
    "CHANCE",
    "RUNNING",
    "BadParameter",
    "BadPosition",
    "Game",
    "GameError",
    "IllegalMove",
    "Outcome",
    "Position",
    "State",
    "Symmetry",
    "UnknownGame",
    "chance",
    "game",
    "games",
    "init",
    "inline_kernel",
    "kernel",
    "legal",
    "observe",
    "outcome",
    "rule",
    "sample",
    "score",
    "setup",
    "step",
    "turn",
    "urgent",
    "wins_at_once",
]


class _Package(ModuleType):
    """Lets `boyi.games()` list the games although `boyi.games` is also this package."""

    def __call__(self) -> tuple[str, ...]:
        return games()


sys.modules[__name__].__class__ = _Package
