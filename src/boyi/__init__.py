"""Boyi (博弈): a laboratory for board-game AI on an ordinary computer.

    import boyi

    game = boyi.game("gomoku", size=9)
    position = game.start().play("e5")

Start reading at `boyi.games`: the rules, and `Position`, their Python face.
"""

import typing

from boyi import games as _games
from boyi.exact.solution import NotSolvable, Solution
from boyi.exact.solve import solve
from boyi.games import (
    CHANCE,
    BadParameter,
    BadPosition,
    Game,
    GameError,
    IllegalMove,
    Outcome,
    Position,
    UnknownGame,
    game,
)
from boyi.players import Choice, Limit, Player, player
from boyi.protocols import EngineFailure
from boyi.version import __version__

if typing.TYPE_CHECKING:
    from boyi.games.registry import games
else:
    games = _games
    """The package of the rules; called, it lists the names of the games."""

__all__ = [
    "CHANCE",
    "BadParameter",
    "BadPosition",
    "Choice",
    "EngineFailure",
    "Game",
    "GameError",
    "IllegalMove",
    "Limit",
    "NotSolvable",
    "Outcome",
    "Player",
    "Position",
    "Solution",
    "UnknownGame",
    "__version__",
    "game",
    "games",
    "player",
    "solve",
]
