"""What a stone on an empty point does along one line: codes of lines, and classes found by looking ahead.

A *code* is what is seen from a point in one direction: `reach` cells to each side, each empty, Black, White, or beyond
the edge. The edge is a fixed distance away, so a side of which `seen` cells are on the board is a number of that many
digits to the base 3, after all shorter sides:

    side = (3 ** seen - 1) / 2 + sum over distance d = 1 .. seen of cell(d) * 3 ** (d - 1)
    code = side behind * SIDES + side ahead                       SIDES = (3 ** (reach + 1) - 1) / 2

That leaves 14,641 codes of reach 4 and 132,496 of reach 5, and a stone changes a code by adding to it.

The *class* of a code says what a stone of one colour on the point itself would make, and is found by trying every
continuation on the line. With five to win: FIVE; OPEN_FOUR, two points make five; FOUR, one does; OPEN_THREE, another
stone makes an open four; THREE, another makes a four; TWO, another makes an open three; ONE, less. With six to win and
two stones a turn: SIX; FIVE_OF_SIX, one more stone wins; FOUR_OF_SIX, two more do; either may take one stone to stop
or two (`_TWICE`); then as above.
"""

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.kernels import kernel

NONE, ONE, TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE, BARRED = range(9)
FOUR_OF_SIX, FOUR_TWICE, FIVE_OF_SIX, FIVE_TWICE, SIX = range(5, 10)
CLASSES = 10
PAIRS = CLASSES * (CLASSES + 1) // 2
"""Pairs of classes, the higher first: pair = high * (high + 1) / 2 + low."""
DULL_PAIRS = TWO * (TWO + 1) // 2
"""Pairs below this have no class above ONE."""
TOP, DOUBT = 8, 12
"""Where the highest class and the need to ask renju's rules stand in an entry of `look`; the pair is below."""


class Row(NamedTuple):
    """How rows count for one colour: `exact`, no longer row wins; `barred`, two fours and overlines are forbidden."""

    reach: int
    win: int
    exact: bool = False
    barred: bool = False


class Classes(NamedTuple):
    """The tables of a pair of `Row`s, for side 0 and side 1."""

    reach: int
    classes: NDArray[np.int32]
    """[codes] class for side 0 + class for side 1 << 16."""
    look: NDArray[np.int32]
    """[2, 65536] for the classes of four directions, four bits each: pair, highest class << TOP, doubt << DOUBT."""
    mirror: NDArray[np.int32]
    """[codes] the code read from the other end."""
    swap: NDArray[np.int32]
    """[codes] the code with the colours exchanged."""
    dull: NDArray[np.bool_]
    """[codes] whether the line promises neither side more than ONE: such codes are worth nothing."""


@kernel
def fill_levels(levels, reach, win, exact, barred):
    """`levels` uint8 [3 ** (2 * reach)]: the class of a stone in the middle of each line.

    A line's digits, 0 empty, 1 own, 2 foreign or edge, are those behind by distance, then those ahead. Another own
    stone only raises the number, so the lines are settled from the highest down.
    """
    places = 2 * reach
    cells = np.zeros(places, np.int64)
    for line in range(levels.shape[0] - 1, -1, -1):
        rest = line
        for place in range(places):
            cells[place] = rest % 3
            rest //= 3
        row = 1
        for first in (0, reach):
            for place in range(first, first + reach):
                if cells[place] != 1:
                    break
                row += 1
        levels[line] = level_of_six(levels, line, cells, reach, row) if win == 6 else 0
        if win == 6:
            continue
        if row >= win:
            levels[line] = FIVE if row == win or not exact else BARRED if barred else NONE
            continue
        points, best = 0, 0
        power = 1
        for place in range(places):
            if cells[place] == 0:
                level = levels[line + power]
                points += level == FIVE
                best = max(best, np.int64(level) if level != BARRED else 0)
            power *= 3
        if points:
            levels[line] = FOUR if points == 1 else BARRED if barred and row != win - 1 else OPEN_FOUR
        else:
            levels[line] = lower(best)


@kernel
def lower(best):
    """The class of a stone after which another makes at best `best`, a class below FIVE."""
    if best == OPEN_FOUR:
        return OPEN_THREE
    if best == FOUR:
        return THREE
    if best == OPEN_THREE:
        return TWO
    return ONE if best >= TWO else NONE


@kernel
def level_of_six(levels, line, cells, reach, row):
    """The same for six in a row and two stones a turn."""
    if row >= 6:
        return SIX
    most, common = 0, (1 << (2 * reach)) - 1
    for start in range(-5, 1):
        own, gaps, alive = 1, 0, True
        for offset in range(start, start + 6):
            if offset != 0:
                place = -offset - 1 if offset < 0 else reach + offset - 1
                own += cells[place] == 1
                alive &= cells[place] != 2
                gaps |= np.int64(cells[place] == 0) << place
        if alive and own >= 4:
            most = max(most, own)
            common &= gaps
    if most:
        return FOUR_OF_SIX + (common == 0) + 2 * (most == 5)
    best, power = 0, 1
    for place in range(2 * reach):
        if cells[place] == 0:
            best = max(best, np.int64(levels[line + power]))
        power *= 3
    return lower(best)


@functools.cache
def line_levels(row: Row) -> NDArray[np.uint8]:
    """The classes of all lines for one colour."""
    levels = np.zeros(3 ** (2 * row.reach), np.uint8)
    fill_levels(levels, row.reach, row.win, row.exact, row.barred)
    return levels


def sides(reach: int) -> int:
    """How many numbers the cells on one side can have."""
    return int((3 ** (reach + 1) - 1) // 2)


def code_cells(reach: int) -> NDArray[np.int8]:
    """[codes, 2 * reach] the cells of every code, behind by distance and then ahead; 3 is beyond the edge."""
    half = np.full((sides(reach), reach), 3, np.int8)
    number = np.arange(sides(reach))
    for seen in range(reach + 1):
        first, last = (3**seen - 1) // 2, (3 ** (seen + 1) - 1) // 2
        for place in range(seen):
            half[first:last, place] = (number[first:last] - first) // 3**place % 3
    behind = np.repeat(half, sides(reach), axis=0)
    return np.concatenate([behind, np.tile(half, (sides(reach), 1))], axis=1)


@functools.lru_cache(maxsize=4)
def classes_of(first: Row, second: Row) -> Classes:
    """The tables for two colours; both must see equally far."""
    reach = first.reach
    cells = code_cells(reach)
    powers = 3 ** np.arange(2 * reach)
    found = np.zeros(len(cells), np.int32)
    for side, row in enumerate((first, second)):
        own, line = cells == side + 1, np.zeros(cells.shape, np.int64)
        line[own] = 1
        line[(cells != 0) & ~own] = 2
        found += line_levels(row)[line @ powers].astype(np.int32) << (16 * side)
    number = np.arange(len(cells), dtype=np.int32)
    behind, ahead = number // sides(reach), number % sides(reach)
    swapped = np.where(cells == 3, 3, (3 - cells) % 3)
    digits = np.where(swapped == 3, 0, swapped) - np.where(cells == 3, 0, cells)
    place = 3 ** np.arange(reach)
    swap = number + (digits[:, :reach] @ place) * sides(reach) + digits[:, reach:] @ place
    look = np.stack([_look(first), _look(second)])
    dull = (found & 15 < TWO) & (found >> 16 < TWO)
    return Classes(reach, found, look, ahead * sides(reach) + behind, swap.astype(np.int32), dull)


def _look(row: Row) -> NDArray[np.int32]:
    """[65536] pair, highest class and doubt for the classes of four directions."""
    number = np.arange(65536)
    four = np.stack([number >> 4 * direction & 15 for direction in range(4)])
    ordered = np.minimum(np.sort(four, axis=0)[::-1], CLASSES - 1)
    high, low = ordered[0], ordered[1]
    top, pair = high.copy(), high * (high + 1) // 2 + low
    doubt = np.zeros(65536, np.int64)
    if row.win == 5:
        top[(high == FOUR) & (low == FOUR)] = OPEN_FOUR
    if row.barred:
        five = (four == FIVE).any(axis=0)
        fours = ((four == FOUR) | (four == OPEN_FOUR)).sum(axis=0)
        forbidden = ~five & ((four == BARRED).any(axis=0) | (fours >= 2))
        top[five], pair[five] = FIVE, FIVE * (FIVE + 1) // 2
        top[forbidden] = pair[forbidden] = 0
        doubt[forbidden] = 2
        doubt[~five & ~forbidden & ((four == OPEN_THREE).sum(axis=0) >= 2)] = 1
    entries: NDArray[np.int32] = (pair | top << TOP | doubt << DOUBT).astype(np.int32)
    return entries
