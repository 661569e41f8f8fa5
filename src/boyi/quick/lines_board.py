"""A board of stones in a row that keeps, for every empty point, its four codes, its classes and its share of the value.

The board is framed by `reach` cells of edge, so that a point is `(row + reach) * width + column + reach`. Putting a
stone changes one code of each empty point within `reach` on its four lines; all sums follow from the changes. Stones
are taken back in the reverse order, because the codes of an occupied point stay as they were when it was filled.

Values are kept for both sides to move at once, the one for side 1 shifted by 32 bits: one addition for two. So are the
sums of rows, which have a place for every number of stones: taking a stone goes back to the sums before it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.connect6 import WIN, Connect6
from boyi.games.errors import GameError
from boyi.games.gomoku import FREESTYLE, RENJU, STANDARD, Gomoku, Renju
from boyi.games.kernels import bare_call, bare_kernel, kernel
from boyi.games.renju import forbidden
from boyi.quick.lines_classes import (
    CLASSES,
    DOUBT,
    FOUR,
    OPEN_FOUR,
    OPEN_THREE,
    PAIRS,
    TOP,
    Classes,
    Row,
    classes_of,
    sides,
)

EDGE = 3
VALUE, STONES = 0, 1
"""Entries of `totals`."""
LOW_HALF, HALF = (1 << 32) - 1, 1 << 31
WIDTH = 32
"""Numbers in a row of one side. Loops over both sides' are 64 steps, which the compiler turns into vectors; it does not
do so with loops of half that length."""
NET_SHIFT = 14
"""The product of sums and `out` is in so many binary parts of what a board counts in."""
SITUATIONS = 24 * 24
"""Numbers of threats that either side can make, as far as `situation_of` tells them apart."""


class Board(NamedTuple):
    """`cells` framed points, `codes` codes of lines. Tables first, then what changes."""

    size: int
    reach: int
    width: int
    sides: int
    """As in `lines_classes`."""
    turn: int
    """Stones a turn: 1, or 2 in Connect6."""
    renju: bool
    points: NDArray[np.int64]
    """[size * size] the framed points, row by row."""
    strides: NDArray[np.int64]
    """[4] steps along the lines."""
    classes: NDArray[np.int32]
    look: NDArray[np.int32]
    """As in `Classes`."""
    value: NDArray[np.int64]
    """[codes] what a code is worth, for both sides."""
    value_pair: NDArray[np.int64]
    """[PAIRS * PAIRS] what the classes of a point are worth: pair of side 0 * PAIRS + pair of side 1."""
    policy: NDArray[np.int32]
    """[2, codes] how promising a point with this code is for the side to move."""
    policy_pair: NDArray[np.int32]
    """[2, PAIRS * PAIRS]"""
    situation: NDArray[np.int64]
    """[2, SITUATIONS] what a situation is worth to the side to move."""
    places: NDArray[np.int32]
    """[codes] the row of a code; the first row is for dull codes."""
    rows: NDArray[np.int16]
    """[rows, 2 * WIDTH] what a code adds to the sums of side 0 and of side 1."""
    pair_rows: NDArray[np.int16]
    """[PAIRS * PAIRS, 2 * WIDTH] what the classes of a point add to them, by pairs as in `value_pair`."""
    row_bias: NDArray[np.int16]
    """[2 * WIDTH] what the sums begin with."""
    out: NDArray[np.int16]
    """[2, 2 * WIDTH] what the sums are worth to the side to move."""
    salts: NDArray[np.uint64]
    """[2, cells] what each stone adds to the hash."""
    empty: NDArray[np.int32]
    """[cells, 4] the codes of the empty board."""
    cells: NDArray[np.int8]
    """[cells] 0 empty, 1 and 2 stones of side 0 and 1, EDGE."""
    flat: NDArray[np.int8]
    """[size * size] the same without frame, for renju's rules."""
    codes: NDArray[np.int32]
    """[cells, 4]"""
    packed: NDArray[np.int64]
    """[cells] classes, four bits a direction, side 1 shifted by 16."""
    shown: NDArray[np.int32]
    """[2, cells] the entry of `look` for each side."""
    tops: NDArray[np.int64]
    """[2, CLASSES] how many empty points have this highest class for each side."""
    totals: NDArray[np.int64]
    """[2] sum of values of both sides, stones on the board."""
    key: NDArray[np.uint64]
    """[1] hash of the stones."""
    sums: NDArray[np.int16]
    """[size * size + 1, 2 * WIDTH] for every number of stones up to the present one, the sums of rows."""


Long = NDArray[np.int64]
Middle = NDArray[np.int32]
Short = NDArray[np.int16]
Tables = tuple[Long, Long, Middle, Middle, Long, Middle, Short, Short, Short, Short]
"""The tables of a board, from `value` to `out`."""


def line_classes(rules: object) -> Classes:
    """The classes of a game's lines; `GameError` for games without stones in a row."""
    if isinstance(rules, Connect6):
        return classes_of(Row(5, WIN), Row(5, WIN))
    if not isinstance(rules, Gomoku | Renju) or rules.win != 5:
        raise GameError(f"line tables are for Gomoku with five in a row and for Connect6, not {rules!r}")
    if rules.variant == FREESTYLE:
        return classes_of(Row(4, 5), Row(4, 5))
    black = Row(5, 5, exact=True, barred=rules.variant == RENJU)
    return classes_of(black, Row(5, 5, exact=rules.variant == STANDARD))


def make_board(rules: Gomoku | Renju | Connect6, tables: Tables) -> Board:
    """An empty board of a game with its tables."""
    found = line_classes(rules)
    reach, size = found.reach, rules.size
    width = size + 2 * reach
    cells = np.full((width, width), EDGE, np.int8)
    cells[reach : reach + size, reach : reach + size] = 0
    points = np.flatnonzero(cells.ravel() == 0)
    strides = np.array([1, width, width + 1, width - 1])
    empty = np.zeros((width * width, 4), np.int32)
    for direction, stride in enumerate(strides.tolist()):
        behind, ahead = np.zeros(len(points), np.int64), np.zeros(len(points), np.int64)
        for distance in range(1, reach + 1):
            behind += cells.ravel()[points - distance * stride] == 0
            ahead += cells.ravel()[points + distance * stride] == 0
        empty[points, direction] = (3**behind - 1) // 2 * sides(reach) + (3**ahead - 1) // 2
    board = Board(
        size,
        reach,
        width,
        sides(reach),
        2 if isinstance(rules, Connect6) else 1,
        isinstance(rules, Renju),
        points,
        strides,
        found.classes,
        found.look,
        *tables,
        salts=np.random.default_rng(0).integers(1, 1 << 63, (2, width * width), np.uint64),
        empty=empty,
        cells=cells.ravel(),
        flat=np.zeros(size * size, np.int8),
        codes=empty.copy(),
        packed=np.zeros(width * width, np.int64),
        shown=np.zeros((2, width * width), np.int32),
        tops=np.zeros((2, CLASSES), np.int64),
        totals=np.zeros(2, np.int64),
        key=np.zeros(1, np.uint64),
        sums=np.zeros((size * size + 1, 2 * WIDTH), np.int16),
    )
    clear(board)
    return board


@kernel
def clear(board):
    """Take all stones away."""
    board.tops[:] = 0
    board.totals[:] = 0
    board.key[0] = 0
    sums = board.sums[0]
    copy_sums(sums, board.row_bias)
    for index in range(board.points.shape[0]):
        at = board.points[index]
        board.cells[at] = 0
        board.flat[index] = 0
        packed = 0
        for direction in range(4):
            code = board.empty[at, direction]
            board.codes[at, direction] = code
            packed += np.int64(board.classes[code]) << (4 * direction)
        board.packed[at] = packed
        board.shown[0, at] = board.look[0, packed & 0xFFFF]
        board.shown[1, at] = board.look[1, packed >> 16]
        count_point(board, at, 1)
        add_point(board, sums, at, 1)


@kernel
def set_up(board, state):
    """Show the cells at the front of a state."""
    clear(board)
    for index in range(board.points.shape[0]):
        if state[index]:
            put(board, board.points[index], np.int64(state[index]) - 1)


@bare_kernel
def top_of(shown):
    """The highest class in an entry of `look`."""
    return (shown >> TOP) & 15


@bare_kernel
def pair_of(first, second):
    """The entry of a point's classes in the tables of pairs, from its entries of `look`."""
    return np.int64(first & 255) * PAIRS + np.int64(second & 255)


@bare_kernel
def count_point(board, at, sign):
    """Count an empty point in or out of the counts of classes and the value."""
    first, second = board.shown[0, at], board.shown[1, at]
    board.tops[0, top_of(first)] += sign
    board.tops[1, top_of(second)] += sign
    worth = board.value_pair[pair_of(first, second)]
    for direction in range(4):
        worth += board.value[board.codes[at, direction]]
    board.totals[VALUE] += sign * worth


@bare_kernel
def index_of(board, at):
    """The number of a framed point without the frame."""
    row = at // board.width
    return (row - board.reach) * board.size + at - row * board.width - board.reach


@bare_call
def put(board, at, side):
    """Put a stone on an empty point."""
    count_point(board, at, -1)
    stones = board.totals[STONES]
    before, after = board.sums[stones], board.sums[stones + 1]
    copy_sums(after, before)
    add_point(board, after, at, -1)
    board.cells[at] = side + 1
    board.flat[index_of(board, at)] = side + 1
    board.totals[STONES] += 1
    board.key[0] ^= board.salts[side, at]
    spread(board, at, side + 1)


@bare_call
def take(board, at):
    """Take back the stone that was put last."""
    side = np.int64(board.cells[at]) - 1
    spread(board, at, -(side + 1))
    board.cells[at] = 0
    board.flat[index_of(board, at)] = 0
    board.totals[STONES] -= 1
    board.key[0] ^= board.salts[side, at]
    count_point(board, at, 1)


@bare_kernel
def spread(board, at, change):
    """Add a stone's digit to the codes of the empty points that see it; the sums follow where a stone is put."""
    worth = 0
    sums = board.sums[board.totals[STONES]]
    for heading in range(8):
        direction = heading >> 1
        stride = board.strides[direction]
        digit = change
        if heading & 1:
            stride = -stride
        else:
            digit = change * board.sides
        point = at
        for _ in range(board.reach):
            point += stride
            cell = board.cells[point]
            if cell == EDGE:
                break
            if cell == 0:
                before = np.int64(board.codes[point, direction])
                after = before + digit
                board.codes[point, direction] = after
                worth += board.value[after] - board.value[before]
                if change > 0:
                    now, then = board.places[after], board.places[before]
                    if now != then:
                        exchange(sums, board.rows[now], board.rows[then])
                if board.classes[after] != board.classes[before]:
                    worth += reclass(board, point, direction, board.classes[after], board.classes[before], change)
            digit *= 3
    board.totals[VALUE] += worth


@bare_kernel
def copy_sums(target, source):
    for unit in range(2 * WIDTH):
        target[unit] = source[unit]


@bare_kernel
def exchange(sums, after, before):
    """Count a row instead of another."""
    for unit in range(2 * WIDTH):
        sums[unit] += after[unit] - before[unit]


@bare_kernel
def add_point(board, sums, at, sign):
    """Count the rows of an empty point in or out of the sums."""
    row = board.pair_rows[pair_of(board.shown[0, at], board.shown[1, at])]
    for unit in range(2 * WIDTH):
        sums[unit] += sign * row[unit]
    for direction in range(4):
        place = board.places[board.codes[at, direction]]
        if place > 0:
            row = board.rows[place]
            for unit in range(2 * WIDTH):
                sums[unit] += sign * row[unit]


@bare_kernel
def reclass(board, point, direction, after, before, change):
    """Note a point's classes in one direction; returns the change of value. The sums follow where a stone is put."""
    packed = board.packed[point] + ((np.int64(after) - np.int64(before)) << (4 * direction))
    board.packed[point] = packed
    first, second = board.shown[0, point], board.shown[1, point]
    now_first, now_second = board.look[0, packed & 0xFFFF], board.look[1, packed >> 16]
    if first == now_first and second == now_second:
        return 0
    board.shown[0, point] = now_first
    board.shown[1, point] = now_second
    board.tops[0, top_of(first)] -= 1
    board.tops[1, top_of(second)] -= 1
    board.tops[0, top_of(now_first)] += 1
    board.tops[1, top_of(now_second)] += 1
    now, then = pair_of(now_first, now_second), pair_of(first, second)
    if change > 0:
        exchange(board.sums[board.totals[STONES]], board.pair_rows[now], board.pair_rows[then])
    return board.value_pair[now] - board.value_pair[then]


@bare_kernel
def evaluate(board, side):
    """The value for the side to move, in SCALE parts of a logit."""
    total = board.totals[VALUE]
    low = ((total + HALF) & LOW_HALF) - HALF
    plain = (low if side == 0 else (total - low) >> 32) + board.situation[side, situation_of(board, side)]
    return plain + net_value(board, side)


@bare_kernel
def net_value(board, side):
    """What the sums add to the value for the side to move: those above zero count."""
    sums, out = board.sums[board.totals[STONES]], board.out[side]
    value = 0
    for unit in range(2 * WIDTH):
        value += np.int64(max(sums[unit], np.int16(0))) * np.int64(out[unit])
    return value >> NET_SHIFT


@bare_kernel
def situation_of(board, side):
    """How many open threes (up to 3), fours (up to 2) and open fours (0 or 1) each side could make, own ones first."""
    number = 0
    for turned in range(2):
        of = side ^ turned
        threes, fours = min(board.tops[of, OPEN_THREE], 3), min(board.tops[of, FOUR], 2)
        number = number * 24 + threes * 6 + fours * 2 + min(board.tops[of, OPEN_FOUR], 1)
    return number


@bare_kernel
def promise(board, at, side):
    """How promising an empty point is for a side: a logit of the policy, in SCALE parts."""
    worth = board.policy_pair[side, pair_of(board.shown[0, at], board.shown[1, at])]
    for direction in range(4):
        worth += board.policy[side, board.codes[at, direction]]
    return worth


@kernel
def barred(board, at, side):
    """Whether a side may not play on an empty point: Black's forbidden points in renju."""
    if not board.renju or side == 1:
        return False
    doubt = board.shown[0, at] >> DOUBT
    return doubt == 2 or (doubt == 1 and forbidden(board.flat, board.size, index_of(board, at)))


@bare_call
def find_class(board, side, least):
    """The first empty point whose highest class for a side is at least this, or -1."""
    for index in range(board.points.shape[0]):
        at = board.points[index]
        if board.cells[at] == 0 and top_of(board.shown[side, at]) >= least:
            return at
    return -1
