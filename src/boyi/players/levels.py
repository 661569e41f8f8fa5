"""Strength levels: `level:0`, which loses on purpose, to `level:10`, the strongest, for every game.

A level is a player with a handicap, `limited:OPTIONS:PLAYER`. Which ones they are, and the Elo that each was measured
at, is data: `data/levels_GAME.json`, made by `boyi levels GAME --calibrate`. A user's own game has the levels USUAL,
which nobody has measured.
"""

import dataclasses
import functools
import importlib.resources
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.position import Position
from boyi.games.registry import games
from boyi.players.player import Choice, Limit, Player
from boyi.players.registry import UnknownPlayer, player, register

HIGHEST = 10
RANDOM, WEAKEST, STRONGEST = "random", "limited:simulations=100:weakest", "strongest"
USUAL = (
    WEAKEST,
    "limited:simulations=100,slips=0.7:weakest",
    RANDOM,
    *(f"limited:nodes=300,slips={slips}:strongest" for slips in (0.7, 0.5, 0.35, 0.2, 0.1)),
    "limited:nodes=300:strongest",
    "limited:nodes=3000:strongest",
    STRONGEST,
)
"""The levels of a game that was not measured."""


@dataclass(frozen=True)
class Level:
    """A level of a game: the player's name, and its Elo with the 95 % interval, where it was measured."""

    number: int
    player: str
    elo: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Levels:
    """The levels of a game, from 0 to HIGHEST, and the command that measured them; Elo 0 is `random`."""

    game: str
    levels: tuple[Level, ...]
    command: str = ""

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), indent=1) + "\n"


def levels_of(game: Game) -> Levels:
    """The levels of a game; variants of a game share them."""
    if game.name in games() and (found := _measured(game.name)) is not None:
        return found
    return Levels(game.name, tuple(Level(number, name) for number, name in enumerate(USUAL)))


def file_name(game: str) -> str:
    """Where the levels of a game are kept, in the folder `data`."""
    return f"levels_{game}.json"


@functools.cache
def _measured(game: str) -> Levels | None:
    file = importlib.resources.files("boyi.players") / "data" / file_name(game)
    if not file.is_file():
        return None
    facts = json.loads(file.read_text(encoding="utf-8"))
    return Levels(facts["game"], tuple(Level(**level) for level in facts["levels"]), facts["command"])


def level_player(text: str, game: Game, seed: int) -> Player:
    """`level:N`."""
    number = int(text) if text.isdecimal() and len(text) < 4 else -1
    if not 0 <= number <= HIGHEST:
        raise UnknownPlayer(f"level {text[:40]!r} is not possible; allowed: 0 (it loses on purpose) to {HIGHEST}")
    return player(levels_of(game).levels[number].player, game, seed=seed)


class LimitedPlayer(Player):
    """A player with a handicap: a limit that nobody can raise, and a share of moves that it leaves to chance."""

    def __init__(self, game: Game, inner: Player, limit: Limit, slips: float, *, seed: int = 0) -> None:
        super().__init__(game, seed=seed)
        if not 0 <= slips <= 1:
            raise GameError(f"slips={slips!r} is not possible; it must be from 0 to 1")
        self.inner, self.limit, self.slips = inner, limit, slips
        self.random = random.Random(seed)

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        if self.random.random() < self.slips:
            yield Choice(self.random.choice(position.moves))
            return
        yield from self.inner.watch(position, lower(self.limit, limit), every_s=every_s)

    def close(self) -> None:
        self.inner.close()


def lower(one: Limit, other: Limit) -> Limit:
    """The limit that keeps to both."""
    pairs = {name: (value, getattr(other, name)) for name, value in vars(one).items()}
    return Limit(**{name: min((v for v in both if v is not None), default=None) for name, both in pairs.items()})


def limited_player(text: str, game: Game, seed: int) -> Player:
    """`limited:OPTIONS:PLAYER`, with the options `simulations`, `nodes`, `seconds` (a move) and `slips`."""
    options, colon, inner = text.partition(":")
    if not colon:
        raise UnknownPlayer(f"'limited:{text[:80]}' names no player; write it as limited:nodes=300,slips=0.2:greedy")
    values: dict[str, Any] = {}
    for part in options.split(",") if options else []:
        name, _, value = part.partition("=")
        if name not in ("simulations", "nodes", "seconds", "slips"):
            raise UnknownPlayer(f"limited has no option {part[:80]!r}; its options: simulations, nodes, seconds, slips")
        try:
            values[name] = int(value) if name in ("simulations", "nodes") else float(value)
        except ValueError:
            raise UnknownPlayer(f"{name}={value[:40]!r} of limited is not a number") from None
    slips = values.pop("slips", 0.0)
    return LimitedPlayer(game, player(inner, game, seed=seed), Limit(**values), slips, seed=seed)


register("level", level_player)
register("limited", limited_player)
