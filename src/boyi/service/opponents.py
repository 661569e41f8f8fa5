"""Who can be played against, as data: names that visitors may say, from the weakest to the strongest.

Nothing else from a visitor ever names a player, so options, paths and commands have no way in. Nets that were trained
on this server have names too: see `boyi.service.stored_nets`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from boyi.games import BadParameter, Game
from boyi.players.levels import HIGHEST
from boyi.service.errors import NotFound
from boyi.service.views import OpponentView

HUMAN = "human"
QUICK_S = 0.1
"""Opponents that think no longer than this are served before all others."""


@dataclass(frozen=True)
class Thinker:
    """A player by name and how long it thinks; without seconds, as long as its own options say."""

    player: str
    seconds: float | None = None


@dataclass(frozen=True)
class Opponent:
    """An opponent: the same thinker for all games, but for those named in `by_game`."""

    name: str
    thinker: Thinker
    by_game: dict[str, Thinker] = field(default_factory=dict)
    thinks_s: float = 0.05
    rules: str | None = None
    """The only game it plays, with its parameters; None for all."""

    def thinker_for(self, game: Game) -> Thinker:
        return self.by_game.get(game.name, self.thinker)


def _by_game(*, lines: str, tictactoe: str = "", einstein: str = "") -> dict[str, Thinker]:
    """Other players than for Othello: `lines` for the games on large boards, where few simulations find nothing."""
    named = {"gomoku": lines, "connect6": lines, "tictactoe": tictactoe, "einstein": einstein}
    return {game: Thinker(player) for game, player in named.items() if player}


OPPONENTS = (
    Opponent("weakest", Thinker("weakest:sims=500"), _by_game(lines="weakest:sims=300")),
    Opponent("random", Thinker("random")),
    Opponent(
        "beginner",
        Thinker("mcts:sims=20"),
        _by_game(lines="mcts:sims=150", tictactoe="mcts:sims=10", einstein="mcts:sims=6"),
    ),
    Opponent(
        "easy",
        Thinker("mcts:sims=100"),
        _by_game(lines="mcts:sims=600", tictactoe="mcts:sims=40", einstein="mcts:sims=60"),
    ),
    Opponent("medium", Thinker("mcts:sims=1500"), _by_game(lines="greedy")),
    Opponent("hard", Thinker("strongest", 0.3), thinks_s=0.3),
    Opponent("strongest", Thinker("strongest", 3.0), thinks_s=3.0),
)
"""Each is meant to win more than it loses against the one before it, in tic-tac-toe as far as that goes."""
LEVEL = re.compile(r"level:(\d|10)")
_BY_NAME = {opponent.name: opponent for opponent in OPPONENTS}


def opponent(name: str) -> Opponent:
    """An opponent by name: one of OPPONENTS, or a strength level as `level:4`."""
    if (level := LEVEL.fullmatch(name)) and int(level[1]) <= HIGHEST:
        if int(level[1]) == HIGHEST:
            return Opponent(name, Thinker(name, 3.0), thinks_s=3.0)
        return Opponent(name, Thinker(name))
    if name not in _BY_NAME:
        raise NotFound(f"nobody called {name[:60]!r} can sit down; known are {', '.join([HUMAN, *_BY_NAME])}")
    return _BY_NAME[name]


Find = Callable[[str], Opponent]
"""Finds an opponent by name, or says `NotFound`."""


def check_seat(name: str, rules: str, find: Find) -> str:
    """A seat as `NewGame` names it: a human, or an opponent who plays the game."""
    if name != HUMAN:
        found = find(name)
        if found.rules not in (None, rules):
            raise BadParameter(f"{name!r} plays {found.rules} only, not {rules}")
    return name


def opponent_views() -> list[OpponentView]:
    return [OpponentView(name=found.name, games=None, thinks_s=found.thinks_s) for found in OPPONENTS]


def analyst(game: Game) -> str:
    """The player that analyses a game: the one place where it is chosen."""
    return "mcts"
