"""What promises are checked on: random games, and positions spread over them."""

import functools
import random

import numpy as np

from boyi.games.errors import BrokenPromise
from boyi.games.game import Game
from boyi.games.position import Position

GAMES = 3
LOOKED_AT = 12
"""Positions looked at in each random game, spread over it; the first and the last are always among them."""


def demand(kept: object, told: str) -> None:
    if not kept:
        raise BrokenPromise(told)


def is_text(value: object, longest: int) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable() and len(value) <= longest


def is_number(value: object, least: int, most: int) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and least <= int(value) <= most


def most_plies(game: Game) -> int:
    """No game may be longer."""
    return max(200, 8 * game.num_squares)


@functools.lru_cache(128)
def random_game(game: Game, seed: int) -> tuple[Position, ...]:
    """Every position of a random game, from a random set-up where there is one."""
    luck, played = random.Random(seed), [game.start(seed=seed)]
    while played[-1].turn is not None:
        demand(len(played) <= most_plies(game), f"a random game is not over after {len(played)} moves; it must end")
        played.append(played[-1].play_action(luck.choice(played[-1].actions)))
    return tuple(played)


def positions(game: Game) -> list[Position]:
    """Some positions of several random games, their ends included."""
    found = []
    for seed in range(GAMES):
        played = random_game(game, seed)
        spread = np.linspace(0, len(played) - 1, LOOKED_AT).round().astype(int)
        found += [played[index] for index in sorted(set(spread.tolist()))]
    return found


def running(game: Game) -> list[Position]:
    return [position for position in positions(game) if position.turn is not None]


def after(position: Position) -> str:
    """Where something is wrong."""
    return f"after {' '.join(position.history)}"[:200] if position.history else "at the start"
