"""What a net looks like: its kind, its size, its auxiliary outputs. No PyTorch here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.generics import chance, has_rule, score

KINDS = ("residual", "paper001", "thesis1", "thesis2", "mlp")
SIZE_INDEPENDENT = ("residual",)
"""Kinds whose weights fit every board size of a game."""
AUXILIARY = ("ownership", "score", "line", "reply")
LARGEST = {"blocks": 64, "channels": 1024, "hidden": 4096}
MOST_MORE_LAYERS = 8


class BadNet(GameError):
    """A description of a net that cannot be built, or not for that game."""


@dataclass(frozen=True)
class NetConfig:
    """The description of a net, from which it is built anew before its weights are loaded."""

    kind: str = "residual"
    """residual, paper001 (documents 001 and 004), thesis1 and thesis2 (document 000's I and II-N), or mlp."""
    blocks: int = 3
    """Residual blocks, or hidden layers of an mlp; the documents' nets have a fixed depth."""
    channels: int = 32
    """Filters of every layer of a residual net; N of thesis2."""
    hidden: int = 64
    """Units of the value head's hidden layer, of an mlp's layers, and of a thesis net's fully connected layer."""
    auxiliary: tuple[str, ...] = ()
    """Further outputs to train with, of `AUXILIARY`; playing leaves them out."""
    observer: str = ""
    """The game's observer whose planes the net sees; "" for the usual one of the kind and the game."""
    more_layers: int = 0
    """paper001: convolutions of 128 filters after the documents' three; document 001 tried one."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise BadNet(f"kind={self.kind!r} is no kind of net; allowed: {', '.join(KINDS)}")
        for name, most in LARGEST.items():
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
                raise BadNet(f"{name}={value!r} is not possible for a net; allowed: 1..{most}")
        object.__setattr__(self, "auxiliary", tuple(self.auxiliary))
        for name in self.auxiliary:
            if name not in AUXILIARY:
                raise BadNet(f"{name!r} is no auxiliary output; allowed: {', '.join(AUXILIARY)}")
        if len(set(self.auxiliary)) < len(self.auxiliary):
            raise BadNet(f"auxiliary={self.auxiliary!r} names an output twice")
        if self.auxiliary and self.kind != "residual":
            raise BadNet(f"auxiliary outputs need kind='residual', not {self.kind!r}")
        more = self.more_layers
        if not isinstance(more, int) or isinstance(more, bool) or not 0 <= more <= MOST_MORE_LAYERS:
            raise BadNet(f"more_layers={more!r} is not possible for a net; allowed: 0..{MOST_MORE_LAYERS}")
        if more and self.kind != "paper001":
            raise BadNet(f"more_layers={more} needs kind='paper001', not {self.kind!r}; others have blocks")
        if not isinstance(self.observer, str):
            raise BadNet(f"observer={self.observer!r} is no name of an observer")

    @classmethod
    def for_game(cls, game: Game) -> NetConfig:
        """A sensible net for two processor cores: tiny for tiny boards, a few blocks of 32 or 64 channels else."""
        if game.num_squares < 16:
            return cls(kind="residual", blocks=2, channels=16, hidden=32)
        if game.num_squares <= 36:
            return cls(blocks=4, channels=64)
        return cls(blocks=4, channels=32 if game.num_squares > 100 else 48)

    def observer_for(self, game: Game) -> str:
        """The name of the observer that the net sees a game through; `BadNet` where the game has no such."""
        if self.observer:
            if self.observer not in game.observers:
                known = ", ".join(game.observers)
                raise BadNet(f"{game.name} has no observer {self.observer!r}; it has {known}")
            return self.observer
        if self.kind == "paper001" and "four" in game.observers:
            return "four"
        if self.kind in ("thesis1", "thesis2") and "sim" in game.observers:
            return "sim"
        return next(iter(game.observers))

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON has them."""
        return asdict(self) | {"auxiliary": list(self.auxiliary)}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> NetConfig:
        """The reverse of `to_json`; `BadNet` for anything else."""
        if not isinstance(found, Mapping):
            raise BadNet(f"{found!r} does not describe a net")
        known = {field.name for field in fields(cls)}
        if unknown := sorted(set(map(str, found)) - known):
            raise BadNet(f"a net has no {', '.join(unknown)[:80]!r}; it has {', '.join(sorted(known))}")
        listed = found.get("auxiliary", ())
        if not isinstance(listed, list | tuple) or not all(isinstance(name, str) for name in listed):
            raise BadNet(f"auxiliary={listed!r} is no list of names")
        return cls(**{**found, "auxiliary": tuple(listed)})


def auxiliary_of(game: Game) -> tuple[str, ...]:
    """The auxiliary outputs that make sense for a game: a count has owners and a margin, other games without dice are
    won by a line."""
    if has_rule(score, type(game.rules)):
        return ("ownership", "score", "reply")
    return ("reply",) if has_rule(chance, type(game.rules)) else ("line", "reply")
