"""Which kind of quick net a game has, and the nets that come with Boyi in `quick/data`. Start at `kind_of`.

A kind brings a learner and an engine. The modules of a kind are loaded when it is used, because they bring kernels.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boyi.games.einstein import EinStein
from boyi.games.game import Game
from boyi.games.othello import Othello
from boyi.models.cards import BadModel, Card
from boyi.quick.learner import Learner, Plan
from boyi.quick.store import Arrays, load
from boyi.quick.thought import Engine

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Kind:
    """A kind of quick net: its name on cards, the games it is for, and what trains and plays it.

    Options of an engine that it does not know are an error of the caller.
    """

    name: str
    fits: Callable[[Game], bool]
    make_learner: Callable[[Game, Plan], Learner]
    make_engine: Callable[..., Engine]
    minutes: float
    """Minutes of processor time that a training usually takes."""
    free: tuple[str, ...] = ()
    """Options of a game that a net need not be trained with."""
    by_hand: Callable[[Game], Arrays] | None = None
    """Weights that nobody trained, for comparison: the model `hand`."""


def _othello_learner(game: Game, plan: Plan) -> Learner:
    from boyi.quick.othello_learner import OthelloLearner

    return OthelloLearner(game, plan)


def _othello_engine(game: Game, arrays: Arrays, **options: Any) -> Engine:
    from boyi.quick.othello_engine import OthelloEngine

    return OthelloEngine(game, arrays, **options)


def _einstein_learner(game: Game, plan: Plan) -> Learner:
    from boyi.quick.einstein_learner import EinsteinLearner

    return EinsteinLearner(game, plan)


def _einstein_engine(game: Game, arrays: Arrays, **options: Any) -> Engine:
    from boyi.quick.einstein_engine import EinsteinEngine

    return EinsteinEngine(game, arrays, **options)


def _tuples_learner(game: Game, plan: Plan) -> Learner:
    from boyi.quick.tuples_learner import TuplesLearner

    return TuplesLearner(game, plan)


def _tuples_engine(game: Game, arrays: Arrays, **options: Any) -> Engine:
    from boyi.quick.tuples_engine import TuplesEngine

    return TuplesEngine(game, arrays, **options)


def _plays_lines(game: Game) -> bool:
    from boyi.quick.lines_engine import plays

    return plays(game)


def _lines_learner(game: Game, plan: Plan) -> Learner:
    from boyi.quick.lines_learner import LinesLearner

    return LinesLearner(game, plan)


def _lines_engine(game: Game, arrays: Arrays, **options: Any) -> Engine:
    from boyi.quick.lines_engine import LinesEngine

    return LinesEngine(game, arrays, **options)


def _hand_lines(game: Game) -> Arrays:
    from boyi.quick.lines_engine import hand_tables

    return hand_tables(game)


KINDS: list[Kind] = [
    Kind(
        "othello-patterns",
        lambda game: isinstance(game.rules, Othello) and game.rules.size in (6, 8),
        _othello_learner,
        _othello_engine,
        15.0,
    ),
    Kind(
        "einstein-stones",
        lambda game: isinstance(game.rules, EinStein),
        _einstein_learner,
        _einstein_engine,
        10.0,
    ),
    Kind("lines", _plays_lines, _lines_learner, _lines_engine, 12.0, free=("size",), by_hand=_hand_lines),
    Kind("tuples", lambda game: True, _tuples_learner, _tuples_engine, 10.0),
]
"""The first that fits a game is its kind; the last fits them all."""


def kind_of(game: Game) -> Kind:
    """The kind of quick net that a game has."""
    return next(kind for kind in KINDS if kind.fits(game))


def learner(game: Game, plan: Plan) -> Learner:
    """A net that knows nothing, to be trained."""
    return kind_of(game).make_learner(game, plan)


def engine(game: Game, stem: Path | str, **options: Any) -> tuple[Card | None, Engine]:
    """The engine of a net, and the net's card: `shipped`, a path without suffix, or `hand` where there is such a net,
    which has no card."""
    kind = kind_of(game)
    if stem == "hand" and kind.by_hand is not None:
        return None, kind.make_engine(game, kind.by_hand(game), **options)
    card, arrays = load(shipped(game) if stem == "shipped" else stem, game, (kind.name,), kind.free)
    return card, kind.make_engine(game, arrays, **options)


@functools.cache
def shipped_cards(folder: Path = DATA) -> dict[str, Card]:
    """The card of every net that comes with Boyi, by name."""
    return {file.stem: Card.read(file) for file in sorted(folder.glob("*.json"))}


def shipped(game: Game, folder: Path = DATA) -> Path:
    """The path, without suffix, of the net that comes with Boyi for a game with its parameters."""
    kind = kind_of(game)
    for name, card in shipped_cards(folder).items():
        try:
            card.check_game(game, name, kind.free if card.net["kind"] == kind.name else ())
        except BadModel:
            continue
        return folder / name
    known = ", ".join(shipped_cards(folder)) or "none"
    raise BadModel(
        f"no quick net for {game!r} comes with boyi; there are: {known}. Train one with "
        f"`boyi train {game.name} --method quick` and name its path: model=PATH"
    )


def has_shipped(game: Game) -> bool:
    """Whether a net for a game comes with Boyi."""
    try:
        shipped(game)
    except BadModel:
        return False
    return True
