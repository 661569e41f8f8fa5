"""The games' static evaluations by name: `evaluation(game, "huang/edge=0")`. The first of a game is its default."""

from collections.abc import Callable
from typing import Any

from boyi.games.connect6 import Connect6
from boyi.games.einstein import EinStein
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.gomoku import Gomoku, Renju
from boyi.games.othello import Othello
from boyi.games.tictactoe import TicTacToe
from boyi.search.evaluation import Nothing, Playouts
from boyi.search.evaluations.einstein import Huang, Neighbourhood, Race
from boyi.search.evaluations.lines import Threes, Windows
from boyi.search.evaluations.othello import Positional
from boyi.search.policies import playout_policy

Factory = Callable[..., Any]
"""Makes an evaluation, a NamedTuple, from keyword options."""

_FACTORIES: dict[type, dict[str, Factory]] = {
    Othello: {"positional": Positional},
    EinStein: {"race": Race, "huang": Huang, "neighbours": Neighbourhood},
    Gomoku: {"windows": Windows},
    Renju: {"windows": Windows},
    Connect6: {"windows": Windows},
    TicTacToe: {"threes": Threes},
}


def register_evaluation(rules_class: type, name: str, factory: Factory) -> None:
    """Give a game, by the class of its rules, one more evaluation."""
    _FACTORIES.setdefault(rules_class, {})[name] = factory


def evaluations(game: Game) -> dict[str, Factory]:
    """The evaluations that fit a game, by name, the default first."""

    def playouts(**options: Any) -> Playouts:
        return Playouts(game.num_actions, game.num_core, **options)

    return {**_FACTORIES.get(type(game.rules), {}), "playouts": playouts, "nothing": Nothing}


def has_own_evaluation(game: Game) -> bool:
    """Whether a game has an evaluation besides those that fit every game."""
    return bool(_FACTORIES.get(type(game.rules)))


def default_evaluation(game: Game) -> Any:
    """A game's first own evaluation; for a game without one, a few playouts."""
    return next(iter(evaluations(game).values()))()


def evaluation(game: Game, text: str) -> Any:
    """An evaluation by name, with options after slashes: `huang`, `neighbours/kind=3`, `playouts/policy=alert`; "" is
    the default."""
    name, *parts = text.split("/")
    if not text:
        return default_evaluation(game)
    known = evaluations(game)
    if name not in known:
        raise GameError(f"{game.name} has no evaluation {name!r}; it has {', '.join(known)}")
    defaults = known[name]()._field_defaults
    return known[name](**dict(_option(game, name, part, defaults) for part in parts))


def _option(game: Game, name: str, part: str, defaults: dict[str, Any]) -> tuple[str, Any]:
    """One `option=value`: a number, or the name of a playout policy where the default is one."""
    option, _, value = part.partition("=")
    default = defaults.get(option)
    if isinstance(default, tuple) and value:
        return option, playout_policy(game, value)
    if not isinstance(default, int | float) or not value:
        listed = ", ".join(
            f"{field}={type(usual).__name__.lower() if isinstance(usual, tuple) else usual}"
            for field, usual in defaults.items()
        )
        raise GameError(f"evaluation {name} has no option {part!r}; its options and defaults: {listed or 'none'}")
    try:
        return option, type(default)(value)
    except ValueError:
        raise GameError(f"{option}={value!r} of evaluation {name} is no number like {default}") from None
