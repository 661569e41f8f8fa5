"""EinStein set-ups: what each of the 720 x 720 placements is worth by the quick net, and how to place. Start at `book`.

Red begins. A placement is the order in which stones 1..6 stand on the six squares of the own corner, in the owner's
view. Numbering a side's stones 6..1 instead of 1..6 changes nothing, so 360 placements a side are enough. Both sides
place without seeing the other's stones, so each has mixed placements that no reply exploits.
"""

import functools
import itertools
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boyi.exact.einstein_table import Entries, open_table
from boyi.games.einstein import ALIVE, HOMES, MOVER, STONES, EinSteinGame
from boyi.games.generics import init
from boyi.games.kernels import kernel
from boyi.quick.einstein_learner import TABLE_STONES
from boyi.quick.einstein_net import StonesNet, before_roll, make_room, move_chances

Floats = NDArray[np.float64]
ROUNDS = 20_000
BOOK = Path(__file__).parent / "data" / "einstein.placements"
"""The shipped book: for each side its placements, squares of stones 1..6 in the owner's view, with their chances."""
LEAST = 1e-3
"""Placements with a smaller chance are left out of the file."""
SIDES = ("red", "blue")


@functools.cache
def placements() -> NDArray[np.int64]:
    """The 360 placements [360, 6] up to renumbering: squares of stones 1..6 in the owner's view."""
    squares = HOMES[0].tolist()
    return np.array([order for order in itertools.permutations(squares) if order[0] < order[5]], np.int64)


@kernel
def fill_matrix(rules, net, table, most_stones, places, state, values, room):
    """Red's chance to win for each pair of placements, [red, blue], by the exact backup over one ply."""
    chances = np.zeros(18)
    for red in range(places.shape[0]):
        for blue in range(places.shape[0]):
            init(rules, state)
            for stone in range(6):
                here, there = places[red, stone], 24 - places[blue, stone]
                state[STONES + stone], state[STONES + 6 + stone] = here, there
                state[here], state[there] = stone + 1, stone + 7
            move_chances(net, table, most_stones, state, chances, room)
            values[red, blue] = before_roll(np.int64(state[ALIVE + state[MOVER]]), chances)


def setup_matrix(game: EinSteinGame, net: StonesNet, table: Entries | None = None) -> Floats:
    """Red's chance to win, [360, 360], for every pair of `placements`."""
    places, room = placements(), make_room()
    entries = open_table(TABLE_STONES) if table is None else table
    values = np.zeros((len(places), len(places)))
    fill_matrix(game.rules, net, entries, TABLE_STONES, places, game.blank(), values, room)
    return values


@dataclass(frozen=True)
class Book:
    """How to place: the chances of each placement [360] for Red and for Blue, and what Red wins with them at least and
    at most, which shows how near they are to an equilibrium."""

    red: Floats
    blue: Floats
    low: float
    high: float


def book(matrix: Floats, rounds: int = ROUNDS) -> Book:
    """Mixed placements near the equilibrium of a matrix of Red's chances, by regret matching, the later rounds weighing
    more (Brown and Sandholm 2019)."""
    red, blue = (np.zeros(length) for length in matrix.shape)
    red_sum, blue_sum = np.zeros_like(red), np.zeros_like(blue)
    for turn in range(1, rounds + 1):
        ours, theirs = _mixed(red), _mixed(blue)
        gains, costs = matrix @ theirs, ours @ matrix
        value = float(ours @ gains)
        red = np.maximum(red + gains - value, 0.0)
        blue = np.maximum(blue + value - costs, 0.0)
        red_sum += turn * ours
        blue_sum += turn * theirs
    ours, theirs = red_sum / red_sum.sum(), blue_sum / blue_sum.sum()
    return Book(ours, theirs, float((ours @ matrix).min()), float((matrix @ theirs).max()))


def _mixed(regrets: Floats) -> Floats:
    total = regrets.sum()
    return regrets / total if total > 0 else np.full(len(regrets), 1 / len(regrets))


def setup_text(red: int, blue: int) -> str:
    """A pair of placements as `game.start(setup=...)` wants it."""
    places = placements()
    mine, theirs = (" ".join(map(str, squares)) for squares in (places[red] + 1, 25 - places[blue]))
    return f"{mine} / {theirs}"


def write_book(found: Book, file: Path = BOOK) -> None:
    """Keep a book as a file."""
    text: dict[str, object] = {"low": round(found.low, 6), "high": round(found.high, 6)}
    for side, chances in zip(SIDES, (found.red, found.blue), strict=True):
        kept = [index for index in np.argsort(-chances) if chances[index] >= LEAST]
        total = sum(chances[index] for index in kept)
        text[side] = {" ".join(map(str, placements()[index] + 1)): round(chances[index] / total, 6) for index in kept}
    file.write_text(json.dumps(text, indent=1) + "\n")


@functools.cache
def read_book(file: Path = BOOK) -> tuple[dict[str, float], dict[str, float]]:
    """Red's and Blue's placements with their chances."""
    text = json.loads(file.read_text())
    return text["red"], text["blue"]


def place(side: int, random: np.random.Generator) -> tuple[int, ...]:
    """The squares 1..25 on which a side puts its stones 1..6, drawn from the shipped book."""
    chances = read_book()[side]
    shares = np.array(list(chances.values()))
    own = [int(word) for word in list(chances)[random.choice(len(shares), p=shares / shares.sum())].split()]
    if random.random() < 0.5:
        own.reverse()
    return tuple(own if side == 0 else [26 - square for square in own])
