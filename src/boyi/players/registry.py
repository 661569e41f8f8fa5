"""Players by name: `kind[:option=value,...]`."""

import inspect
import typing
from collections.abc import Callable
from typing import Any

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.players.exact import ExactPlayer
from boyi.players.minimax import AlphaBetaPlayer, ExpectimaxPlayer, GreedyPlayer
from boyi.players.montecarlo import FlatPlayer, TreePlayer, WeakestPlayer
from boyi.players.net import NetPlayer, PolicyPlayer
from boyi.players.patterns import PatternPlayer
from boyi.players.player import Player
from boyi.players.quick import QuickPlayer
from boyi.players.simple import RandomPlayer
from boyi.players.strongest import StrongestPlayer
from boyi.players.thesis import ThesisPlayer

_KINDS: dict[str, type[Player]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "mc": FlatPlayer,
    "mcts": TreePlayer,
    "net": NetPlayer,
    "policy": PolicyPlayer,
    "quick": QuickPlayer,
    "alphabeta": AlphaBetaPlayer,
    "expectimax": ExpectimaxPlayer,
    "exact": ExactPlayer,
    "patterns": PatternPlayer,
    "thesis": ThesisPlayer,
    "weakest": WeakestPlayer,
    "strongest": StrongestPlayer,
}
_MAKERS: dict[str, Callable[[str, Game, int], Player]] = {}
"""Kinds that a higher layer added: they read the text after the colon themselves."""


class UnknownPlayer(GameError):
    """No player of that name, or no such option of it."""


def players() -> dict[str, type[Player]]:
    """The kinds of players by name."""
    return dict(_KINDS)


def register(kind: str, make: Callable[[str, Game, int], Player]) -> None:
    """Add a kind of player from a higher layer: `make(text after the colon, game, seed)`."""
    _MAKERS[kind] = make


def player(name: str, game: Game, *, seed: int = 0) -> Player:
    """A player of a game by name, such as `random` or `mcts:sims=2000`."""
    kind, colon, rest = str(name).partition(":")
    if kind in _MAKERS:
        return _MAKERS[kind](rest, game, seed)
    if kind not in _KINDS:
        raise UnknownPlayer(f"unknown player {name!r}; known are {', '.join([*_KINDS, *_MAKERS])}")
    return _KINDS[kind](game, seed=seed, **_options(kind, rest if colon else ""))


def options_of(kind: type[Player]) -> dict[str, inspect.Parameter]:
    """The options of a kind of player."""
    found = inspect.signature(kind.__init__).parameters
    return {name: p for name, p in found.items() if p.kind is p.KEYWORD_ONLY and name != "seed"}


def _options(kind: str, text: str) -> dict[str, Any]:
    known = options_of(_KINDS[kind])
    hints = typing.get_type_hints(_KINDS[kind].__init__)
    values = {}
    for part in text.split(",") if text else []:
        name, equals, value = part.partition("=")
        if name not in known or not equals:
            listed = ", ".join(f"{name}={p.default}" for name, p in known.items()) or "none"
            raise UnknownPlayer(f"{kind} has no option {part!r}; its options and defaults: {listed}")
        values[name] = _read(kind, name, value, hints[name])
    return values


def _read(kind: str, name: str, value: str, hint: Any) -> Any:
    """A value as its annotation has it: bool, int, float or str, each perhaps or None."""
    wanted = next((t for t in typing.get_args(hint) if t is not type(None)), hint)
    try:
        if wanted is bool:
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[value.lower()]
        return wanted(value)
    except (ValueError, KeyError):
        kinds = {bool: "yes or no", int: "a whole number", float: "a number"}
        raise UnknownPlayer(f"{name}={value!r} of {kind} is not {kinds.get(wanted, 'possible')}") from None
