"""Renju's forbidden points for Black: overline, double-four, double-three.

The test follows the referee of the Gomocup tournaments, in this order: with the black stone in place, an exact
five is legal and wins; two fours are forbidden; two real open threes are forbidden; a row of six or more is
forbidden. A four is five squares in line with four black stones and one empty square, not flanked by black. An
open three is real only if one of the points that would make it an open four is itself not forbidden at that
moment and makes no five there, which makes the test recursive; kernels do not recurse, so it keeps its own stack.
Start at `forbidden`.

A `line` is a scratch row of 13 cells: those within six steps of a square in one direction, the square itself at
CENTRE, -1 beyond the edge. Directions and cells are those of `boyi.games.lines`; Black is 1.
"""

import numpy as np

from boyi.games.kernels import kernel
from boyi.games.lines import reach

BLACK = 1
CENTRE = 6
DEPTH = 24
"""Levels of nested threes that are followed; a position that reached it has not been seen."""


@kernel
def read_line(cells, size, square, direction, line):
    """Copy the cells around a square into `line`."""
    stride, ahead, behind = reach(size, size, square, direction)
    for place in range(line.shape[0]):
        offset = place - CENTRE
        line[place] = cells[square + offset * stride] if -behind <= offset <= ahead else -1


@kernel
def run_bounds(line):
    """The first and last place of the unbroken row of black stones through the centre."""
    first = last = CENTRE
    while first > 0 and line[first - 1] == BLACK:
        first -= 1
    while last < 2 * CENTRE and line[last + 1] == BLACK:
        last += 1
    return first, last


@kernel
def count_fours(line):
    """The number of different fours that contain the centre: 0, 1 or 2."""
    found = 0
    straight_before = False
    for start in range(2, line.shape[0] - CENTRE):
        black, empty = 0, 0
        for place in range(start, start + 5):
            black += line[place] == BLACK
            empty += line[place] == 0
        four = black == 4 and empty == 1 and line[start - 1] != BLACK and line[start + 5] != BLACK
        # `.XXXX.` holds two such windows over the same four stones: one four
        found += four and not (straight_before and line[start + 4] == 0)
        straight_before = four and line[start] == 0
    return found


@kernel
def next_growth(line, offset):
    """The first offset above `offset` where another stone makes an open four with the centre; 5 for none.

    An open four is four in a row that can become exactly five at both ends.
    """
    for tried in range(offset + 1, 5):
        place = CENTRE + tried
        if line[place] == 0:
            line[place] = BLACK
            first, last = run_bounds(line)
            line[place] = 0
            if (
                last - first == 3
                and first <= place <= last
                and line[first - 1] == 0
                and line[last + 1] == 0
                and line[first - 2] != BLACK
                and line[last + 2] != BLACK
            ):
                return tried
    return 5


@kernel
def settled(cells, size, square, line):
    """What is known of the stone on `square` without looking at threes: 1 forbidden, 0 allowed, -1 open."""
    fours = 0
    for direction in range(4):
        read_line(cells, size, square, direction, line)
        first, last = run_bounds(line)
        if last - first == 4:
            return 0
        fours += count_fours(line)
    return 1 if fours >= 2 else -1


@kernel
def is_overline(cells, size, square, line):
    """1 if the stone on `square` stands in a row of six or more, else 0."""
    for direction in range(4):
        read_line(cells, size, square, direction, line)
        first, last = run_bounds(line)
        if last - first >= 5:
            return 1
    return 0


@kernel
def count_near(cells, size, square, line):
    """Black stones within four steps, in all directions."""
    near = 0
    for direction in range(4):
        read_line(cells, size, square, direction, line)
        for place in range(2, line.shape[0] - 2):
            near += line[place] == BLACK
    return near


@kernel
def forbidden(cells, size, square):
    """Whether Black may not play on an empty square. Changes `cells` while it works and restores them."""
    line = np.empty(2 * CENTRE + 1, np.int64)
    if count_near(cells, size, square, line) < 4:
        return False  # two threes share the new stone and need two others each; fours and overlines need more
    squares = np.empty(DEPTH, np.int64)
    directions = np.zeros(DEPTH, np.int64)
    offsets = np.empty(DEPTH, np.int64)
    threes = np.zeros(DEPTH, np.int64)
    level = 0
    squares[0] = square
    offsets[0] = -5
    cells[square] = BLACK
    answer = settled(cells, size, square, line)
    while True:
        at = squares[level]
        if answer < 0 and directions[level] == 4:
            answer = is_overline(cells, size, at, line)
        elif answer < 0:
            read_line(cells, size, at, directions[level], line)
            offsets[level] = next_growth(line, offsets[level])
            if offsets[level] < 5 and level + 1 < DEPTH:
                stride, _, _ = reach(size, size, at, directions[level])
                level += 1
                squares[level] = at + offsets[level - 1] * stride
                directions[level] = 0
                offsets[level] = -5
                threes[level] = 0
                cells[squares[level]] = BLACK
                # a double-four is forbidden, and a five is no growth of the three
                answer = -1 if settled(cells, size, squares[level], line) < 0 else 1
            else:
                directions[level] += 1
                offsets[level] = -5
            continue
        cells[at] = 0
        if level == 0:
            return answer == 1
        level -= 1
        if answer == 0:  # the growing point is allowed: the three is real, and its direction done
            threes[level] += 1
            directions[level] += 1
            offsets[level] = -5
        answer = 1 if threes[level] == 2 else -1
