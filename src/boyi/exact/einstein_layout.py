"""EinStein tablebase: which entry of the table belongs to which position. Start at `index_of`, then `probe`.

An entry is the chance that the side about to roll wins, as `uint16`: `round(65535 * p)`; 0 and 65535 are certainties
and nothing else. All sixteen symmetries of the game are used:

* Turning the board with the colours: only "own" (about to roll) and "other" stones are told apart. Every stone is seen
  by its owner, who runs from square 0 to square 24, so that squares are 0..23: on 24 the game would be over.
* Renumbering 1..6 as 6..1, for each side by itself: of a set of living numbers and its mirror image only the smaller is
  kept, a *class*, and the stones are listed in its order. A lone stone moves on every roll, whatever its number.
  Classes of 1..6 stones: 1, 9, 10, 9, 3, 1.
* Transposing: the first own stone stands on or above the diagonal, on one of 14 squares.

The table is a row of groups by (own stones a, other stones b), ordered by a + b, then by a. Within a group

    index = ((((first * 24 + square) * 24 + ...) * classes[a] + own class) * classes[b] + other class

where `first` is the rank 0..13 of the first own stone's square, and the other own and then the other side's stones
follow with theirs: 14 * 24 ** (a + b - 1) * classes[a] * classes[b] entries. Those with two stones on one square stand
for no position and hold 0; positions whose first own stone is on the diagonal, or one of whose sets of numbers is its
own mirror image, are there twice.
"""

import numpy as np

from boyi.games.einstein import ALIVE, DIE, DIRECTIONS, MOVABLE, MOVER, RESULT, STONES, view_of
from boyi.games.generics import RUNNING
from boyi.games.kernels import inline_kernel, kernel

TOP = 65535
MOST_STONES = 6
"""Beyond this no table is laid out."""
TRANSPOSED = np.array([5 * (square % 5) + square // 5 for square in range(25)])
SEEN = np.stack([np.arange(25), TRANSPOSED])
"""[transposed or not, square]"""
FIRST_SQUARES = np.array([square for square in range(24) if square // 5 <= square % 5])
"""The 14 squares of a first stone."""
IS_BELOW = np.array([int(square // 5 > square % 5) for square in range(25)])
"""Whether a first stone's square asks for transposing."""
FIRST = np.array([list(FIRST_SQUARES).index(min(s, TRANSPOSED[s])) if s < 24 else -1 for s in range(25)])
"""The rank 0..13 of a first stone's square, transposed where needed."""
SIZE = np.array([alive.bit_count() for alive in range(64)])
"""How many stones a set of living ones has."""


def _classes() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The class of each set of living stones, whether it is listed from the highest number down, how many classes there
    are of so many stones, and [stones, class] a set of each."""
    class_of, reverse = np.zeros(64, np.int64), np.zeros(64, np.int64)
    counts, sets = np.zeros(7, np.int64), np.zeros((7, 10), np.int64)
    for alive in range(1, 64):
        size, mirrored = SIZE[alive], int(f"{alive:06b}"[::-1], 2)
        if size == 1:
            counts[1], sets[1, 0] = 1, 1
        elif alive <= mirrored:
            class_of[alive] = counts[size]
            sets[size, counts[size]] = alive
            counts[size] += 1
    for alive in range(1, 64):
        mirrored = int(f"{alive:06b}"[::-1], 2)
        if SIZE[alive] > 1 and alive > mirrored:
            class_of[alive], reverse[alive] = class_of[mirrored], 1
    return class_of, reverse, counts, sets


CLASS_OF, REVERSE, CLASSES, SETS = _classes()


def group_entries(own: int, other: int) -> int:
    """The entries of a group."""
    return 14 * int(24 ** (own + other - 1)) * int(CLASSES[own] * CLASSES[other])


def _offsets() -> tuple[np.ndarray, np.ndarray]:
    """[own, other] where a group begins, and [stones] where the groups of so many stones end."""
    begin, end = np.full((7, 7), -1, np.int64), np.full(13, 2**62, np.int64)
    at = 0
    for stones in range(2, MOST_STONES + 1):
        for own in range(1, stones):
            begin[own, stones - own] = at
            at += group_entries(own, stones - own)
        end[stones] = at
    return begin, end


BEGIN, END = _offsets()


@inline_kernel
def index_of(state, roller, moved, target):
    """The entry of a position of at most MOST_STONES with `roller` about to roll.

    With `moved` from 0 to 11 (-1: none) the position after that stone went to the board's square `target`; neither side
    may have won by it.
    """
    own, other = np.int64(state[ALIVE + roller]), np.int64(state[ALIVE + 1 - roller])
    if moved >= 0 and state[target]:
        taken = np.int64(state[target]) - 1
        if taken // 6 == roller:
            own &= ~(1 << taken % 6)
        else:
            other &= ~(1 << taken % 6)
    index, turned, started = 0, 0, False
    for half in range(2):
        side = roller if half == 0 else 1 - roller
        alive = own if half == 0 else other
        reverse = REVERSE[alive]
        for number in range(6):
            stone = 5 - number if reverse else number
            if alive >> stone & 1:
                square = target if moved == 6 * side + stone else np.int64(state[STONES + 6 * side + stone])
                seen = view_of(square, side)
                if started:
                    index = 24 * index + SEEN[turned, seen]
                else:
                    index, turned, started = FIRST[seen], IS_BELOW[seen], True
    a, b = SIZE[own], SIZE[other]
    return BEGIN[a, b] + (index * CLASSES[a] + CLASS_OF[own]) * CLASSES[b] + CLASS_OF[other]


@inline_kernel
def move_chance(table, state, stone, direction):
    """The mover's chance to win, 0 to 1, by a legal move of its stone (0..5) of a position in the table."""
    mover = np.int64(state[MOVER])
    seen = view_of(np.int64(state[STONES + 6 * mover + stone]), mover)
    goal = seen + (1 if direction == 0 else 4 + direction)
    target = view_of(goal, mover)
    taken = np.int64(state[target]) - 1
    if goal == 24 or (taken >= 0 and taken // 6 != mover and SIZE[state[ALIVE + 1 - mover]] == 1):
        return 1.0
    return 1.0 - table[index_of(state, 1 - mover, 6 * mover + stone, target)] / TOP


@kernel
def probe(table, rules, state):
    """Player 0's expected result, -1 to 1, of a position of EinStein before or after the roll; nan where the table
    ends before it. After the roll it is that of the best move."""
    if state[RESULT] != RUNNING:
        return np.float64(state[RESULT])
    mover = np.int64(state[MOVER])
    if END[SIZE[state[ALIVE]] + SIZE[state[ALIVE + 1]]] > table.shape[0]:
        return np.nan
    if state[DIE] == 0:
        chance = table[index_of(state, mover, -1, 0)] / TOP
    else:
        chance = 0.0
        for choice in range(2):
            stone = np.int64(MOVABLE[state[ALIVE + mover], state[DIE] - 1, choice])
            if stone >= 0:
                open_ways = DIRECTIONS[view_of(np.int64(state[STONES + 6 * mover + stone]), mover)]
                for direction in range(3):
                    if open_ways >> direction & 1:
                        chance = max(chance, move_chance(table, state, stone, direction))
    return 2.0 * chance - 1.0 if mover == 0 else 1.0 - 2.0 * chance
