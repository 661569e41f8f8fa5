"""The field of a game: one player of every kind that can play it, and what its net cost to train."""

from pathlib import Path

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.models.cards import Card
from boyi.nets import shipped
from boyi.nets.files import NetCard
from boyi.players import player
from boyi.players.strongest import STRONGEST
from boyi.quick import library

KINDS = ("quick", "net", "policy", "alphabeta", "expectimax", "mcts:exact=yes", "mcts", "mc", "greedy", "random")


def field(game: Game) -> tuple[str, ...]:
    """The players by name that a tournament of a game compares where nobody is named. Of the minimax family it is the
    one that suits the game."""
    unsuited = {"alphabeta", "expectimax"} - {STRONGEST.get(game.name, "alphabeta")}
    found = []
    for name in KINDS:
        if name in unsuited:
            continue
        try:
            player(name, game).close()
        except GameError:
            continue
        found.append(name)
    return tuple(found)


def trained_minutes(name: str, game: Game) -> float | None:
    """The minutes that the net of a player was trained for; None for players without one."""
    kind, _, options = name.partition(":")
    model = next((part.removeprefix("model=") for part in options.split(",") if part.startswith("model=")), "shipped")
    try:
        if kind == "quick":
            training = Card.read(library.shipped(game) if model == "shipped" else model).training
        elif kind in ("net", "policy"):
            training = NetCard.read(shipped.shipped(game) if model == "shipped" else Path(model)).training
        else:
            return None
    except (GameError, OSError):
        return None
    minutes = training.get("minutes")
    return float(minutes) if isinstance(minutes, int | float) else None
