"""A protocol's server by the protocol's name."""

import importlib
from typing import Any

from boyi.games import Game, GameError
from boyi.players import Limit
from boyi.protocols.calling import PROTOCOLS
from boyi.protocols.serving import Server

USUAL_GAMES = {
    "botzone": "othello",
    "connect6": "connect6",
    "ewn": "einstein",
    "gomocup": "gomoku:size=20",
    "gtp": "othello",
    "json": "othello",
    "nboard": "othello",
}
EXTRAS: dict[str, tuple[str, Any]] = {
    "workers": ("json", 1),
    "keep_running": ("botzone", False),
    "swap": ("botzone", False),
}
"""Options that only one protocol has: which one, and what they usually are."""


def make_server(
    protocol: str, game: Game, player: str = "strongest", *, limit: Limit | None = None, seed: int = 0, **extras: Any
) -> Server:
    """A server; `extras` are options of one protocol, which others ignore where they are as usual."""
    if protocol not in PROTOCOLS:
        raise GameError(f"unknown protocol {protocol!r}; known are {', '.join(PROTOCOLS)}")
    for name, value in extras.items():
        owner, usual = EXTRAS[name]
        if owner != protocol and value != usual:
            raise GameError(f"{name} is an option of the protocol {owner}, not of {protocol}")
    kind: type[Server] = importlib.import_module(PROTOCOLS[protocol]).Server
    if kind.games and game.name not in kind.games:
        raise GameError(f"the protocol {protocol} has no {game.name}; it has {', '.join(kind.games)}")
    own = {name: value for name, value in extras.items() if EXTRAS[name][0] == protocol}
    return kind(game, player, limit=limit, seed=seed, **own)
