"""EinStein tablebase: computing the entries. Start at `build_table`.

Every move lowers the distance of the mover's stones to their goal by 1 or 2 squares, and a capture takes a stone away.
So the table is filled by number of stones, and among equally many by the sum of all stones' distances: whatever a move
leads to is there before. One position's squares are worked out once for all classes of numbers.
"""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.exact.einstein_layout import (
    BEGIN,
    CLASS_OF,
    CLASSES,
    END,
    FIRST,
    FIRST_SQUARES,
    IS_BELOW,
    REVERSE,
    SEEN,
    SETS,
    TOP,
    group_entries,
)
from boyi.games.einstein import DIRECTIONS, MOVABLE
from boyi.games.kernels import inline_kernel, kernel

CHUNK = 50_000
"""Square placements between two reports of progress: a fraction of a second."""
NO_MOVE, PLAIN, TAKES_OTHER, TAKES_OWN, WINS = range(5)
Progress = Callable[[int, int], None]
"""Called with the entries done and the entries in all."""


def _class_tables() -> tuple[np.ndarray, np.ndarray]:
    """[stones, class, roll, 2] the stones, by their place in the class's list, that a roll allows (-1: none), and
    [stones, class, place, 2] the class, and whether its list is reversed, when that stone is taken away."""
    rolls, without = np.full((7, 10, 6, 2), -1, np.int64), np.zeros((7, 10, 6, 2), np.int64)
    for size in range(1, 7):
        for number in range(CLASSES[size]):
            alive = int(SETS[size, number])
            living = [stone for stone in range(6) if alive >> stone & 1]
            for roll, choice in itertools.product(range(6), range(2)):
                if MOVABLE[alive, roll, choice] >= 0:
                    rolls[size, number, roll, choice] = living.index(MOVABLE[alive, roll, choice])
            for place, stone in enumerate(living):
                left = alive & ~(1 << stone)
                without[size, number, place] = CLASS_OF[left], REVERSE[left]
    return rolls, without


ROLLS, WITHOUT = _class_tables()


@inline_kernel
def placement(own, num_own, own_reversed, other, num_other, other_reversed):
    """The part of an index that comes from the squares: `own` and `other` list them as their owners see them."""
    seen = own[num_own - 1 if own_reversed else 0]
    index, turned = FIRST[seen], IS_BELOW[seen]
    for place in range(1, num_own):
        index = 24 * index + SEEN[turned, own[num_own - 1 - place if own_reversed else place]]
    for place in range(num_other):
        index = 24 * index + SEEN[turned, other[num_other - 1 - place if other_reversed else place]]
    return index


@inline_kernel
def leave_out(squares, count, place, kept):
    """Copy a list of squares without one of them."""
    at = 0
    for index in range(count):
        if index != place:
            kept[at] = squares[index]
            at += 1


@kernel
def fill(table, a, b, order, start, stop, top, least):
    """Compute the entries of the placements order[start:stop] of group (a, b).

    `top` is the entry of a certain win; what is no certainty stays `least` away from certainty. With a table of whole
    numbers (65535, 1) entries are rounded, with one of floats (1, 0) they are not.
    """
    own, other, after, kept = np.zeros(6, np.int64), np.zeros(6, np.int64), np.zeros(6, np.int64), np.zeros(6, np.int64)
    kinds, taken = np.zeros((6, 3), np.int64), np.zeros((6, 3), np.int64)
    bases = np.zeros((6, 3, 2), np.int64)
    best = np.zeros(6)
    own_classes, other_classes = CLASSES[a], CLASSES[b]
    for at in range(start, stop):
        rest = np.int64(order[at])
        for place in range(b - 1, -1, -1):
            other[place] = rest % 24
            rest //= 24
        for place in range(a - 1, 0, -1):
            own[place] = rest % 24
            rest //= 24
        own[0] = FIRST_SQUARES[rest]
        occupied, clash = 0, False
        for place in range(a + b):
            bit = 1 << (own[place] if place < a else 24 - other[place - a])
            clash = clash or occupied & bit != 0
            occupied |= bit
        if clash:
            continue
        for stone in range(a):
            for direction in range(3):
                kinds[stone, direction] = NO_MOVE
                if not DIRECTIONS[own[stone]] >> direction & 1:
                    continue
                goal = own[stone] + (1 if direction == 0 else 4 + direction)
                if goal == 24:
                    kinds[stone, direction] = WINS
                    continue
                for place in range(a):
                    after[place] = goal if place == stone else own[place]
                kinds[stone, direction] = PLAIN
                if occupied >> goal & 1:
                    for place in range(b):
                        if 24 - other[place] == goal:
                            kinds[stone, direction], taken[stone, direction] = TAKES_OTHER if b > 1 else WINS, place
                    for place in range(a):
                        if own[place] == goal:
                            kinds[stone, direction], taken[stone, direction] = TAKES_OWN, place
                kind = kinds[stone, direction]
                if kind == PLAIN:
                    found = placement(other, b, 0, after, a, 0)
                    bases[stone, direction, 0] = BEGIN[b, a] + found * other_classes * own_classes
                elif kind == TAKES_OTHER:
                    leave_out(other, b, taken[stone, direction], kept)
                    for turned in range(2):
                        found = placement(kept, b - 1, turned, after, a, 0)
                        bases[stone, direction, turned] = BEGIN[b - 1, a] + found * CLASSES[b - 1] * own_classes
                elif kind == TAKES_OWN:
                    leave_out(after, a, taken[stone, direction], kept)
                    for turned in range(2):
                        found = placement(other, b, 0, kept, a - 1, turned)
                        bases[stone, direction, turned] = BEGIN[b, a - 1] + found * other_classes * CLASSES[a - 1]
        here = BEGIN[a, b] + np.int64(order[at]) * own_classes * other_classes
        for own_class in range(own_classes):
            for other_class in range(other_classes):
                for stone in range(a):
                    most = -1.0
                    for direction in range(3):
                        kind, base, place = kinds[stone, direction], bases[stone, direction], taken[stone, direction]
                        if kind == NO_MOVE:
                            continue
                        if kind == WINS:
                            most = top
                            break
                        if kind == PLAIN:
                            entry = base[0] + other_class * own_classes + own_class
                        elif kind == TAKES_OTHER:
                            entry = base[WITHOUT[b, other_class, place, 1]]
                            entry += WITHOUT[b, other_class, place, 0] * own_classes + own_class
                        else:
                            entry = base[WITHOUT[a, own_class, place, 1]]
                            entry += other_class * CLASSES[a - 1] + WITHOUT[a, own_class, place, 0]
                        most = max(most, top - table[entry])
                    best[stone] = most
                total = 0.0
                for roll in range(6):
                    value = best[ROLLS[a, own_class, roll, 0]]
                    if ROLLS[a, own_class, roll, 1] >= 0:
                        value = max(value, best[ROLLS[a, own_class, roll, 1]])
                    total += value
                if 0.0 < total < 6.0 * top:
                    total = min(max(total / 6.0, least), top - least) + 0.5 * least
                else:
                    total /= 6.0
                table[here + own_class * other_classes + other_class] = total


def _by_distance(stones: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The placements of so many stones, nearest to the goals first, and where each sum of distances begins."""
    distances = np.array([8 - square // 5 - square % 5 for square in range(24)], np.int16)
    sums = distances[FIRST_SQUARES]
    for _ in range(stones - 1):
        sums = (sums[:, None] + distances).ravel()
    order = np.argsort(sums, kind="stable").astype(np.int32)
    return order, np.searchsorted(sums[order], np.arange(8 * stones + 2))


def build_table(stones: int, *, dtype: Any = np.uint16, progress: Progress | None = None) -> NDArray[Any]:
    """The table of all positions with 2 to `stones` stones, in memory; of floats it holds chances from 0 to 1."""
    table = np.zeros(int(END[stones]), dtype)
    top, least = (float(TOP), 1.0) if np.issubdtype(dtype, np.integer) else (1.0, 0.0)
    done = 0
    for total in range(2, stones + 1):
        order, levels = _by_distance(total)
        for begin, end in itertools.pairwise(levels.tolist()):
            for own in range(1, total):
                share = group_entries(own, total - own) // len(order)
                for start in range(begin, end, CHUNK):
                    stop = min(end, start + CHUNK)
                    fill(table, own, total - own, order, start, stop, top, least)
                    done += share * (stop - start)
                    if progress:
                        progress(done, len(table))
    table.setflags(write=False)
    return table
