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


def default_evaluation(game: Game) -> Any:
    """A game's first own evaluation; for a game without one, a few playouts."""
    return next(iter(evaluations(game).values()))()


def evaluation(game: Game, text: str) -> Any:
    """An evaluation by name, with options after slashes: `huang`, `neighbours/kind=3`; "" is the default."""
    name, *parts = text.split("/")
    if not text:
        return default_evaluation(game)
    known = evaluations(game)
    if name not in known:
        raise GameError(f"{game.name} has no evaluation {name!r}; it has {', '.join(known)}")
    fields = known[name]()._asdict()
    options = {}
    for part in parts:
        option, equals, value = part.partition("=")
        kind = type(fields.get(option))
        if not equals or kind not in (int, float):
            numbers = ", ".join(f"{field}={value}" for field, value in fields.items() if type(value) in (int, float))
            raise GameError(f"evaluation {name} has no option {part!r}; its options and defaults: {numbers or 'none'}")
        try:
            options[option] = kind(value)
        except ValueError:
            raise GameError(f"{option}={value!r} of evaluation {name} is no number like {fields[option]}") from None
    try:
        return known[name](**options)
    except TypeError:
        raise GameError(f"evaluation {name} cannot be made with {', '.join(parts)}") from None
