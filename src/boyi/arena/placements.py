"""What the placement book of EinStein is worth: games of one player against itself, one side placed by the book."""

import random
from collections.abc import Callable

import numpy as np

from boyi.arena.play import roll
from boyi.games.generics import CHANCE
from boyi.games.position import Position
from boyi.games.randomness import generator
from boyi.games.registry import game as find_game
from boyi.players import Player, player
from boyi.quick.einstein_setup import place


def measure_book(
    name: str, games: int, *, seed: int = 0, on_pair: Callable[[int, int], None] | None = None
) -> list[list[float]]:
    """The points of the side that the book placed, in pairs of games: one as Red and one as Blue, each against random
    placements of the other side."""
    found = find_game("einstein")
    groups: list[list[float]] = []
    with player(name, found, seed=seed) as thinker:
        for pair in range(games // 2):
            draw = np.random.default_rng([seed, pair])
            dice = random.Random(int(generator(seed, pair)[0]))
            group = []
            for side in (0, 1):
                squares = [_anyhow(0, draw), _anyhow(1, draw)]
                squares[side] = place(side, draw)
                start = found.start(setup=" / ".join(" ".join(map(str, s)) for s in squares))
                group.append(float(_winner(start, thinker, dice) == side))
            groups.append(group)
            if on_pair:
                on_pair(pair + 1, games // 2)
    return groups


def _anyhow(side: int, draw: np.random.Generator) -> tuple[int, ...]:
    squares = draw.permutation([1, 2, 3, 6, 7, 11])
    return tuple(int(square if side == 0 else 26 - square) for square in squares)


def _winner(position: Position, thinker: Player, dice: random.Random) -> int | None:
    while position.turn is not None:
        move = roll(position, dice) if position.turn == CHANCE else thinker.choose(position).move
        position = position.play(move)
    return position.outcome.winner if position.outcome else None
