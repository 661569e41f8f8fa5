"""A board of stones that keeps count of its windows, for threat search in games of stones in a row.

A window is `win` squares in a line. It is alive for a side while the other has no stone in it, and its level is the
number of that side's stones. The board keeps, for every square and side, how many living windows of each level pass
through it: where a stone makes a four, where it makes five, is then one look. Putting or taking a stone touches at most
4 * win windows of `win` squares.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.kernels import bare_call, bare_kernel, kernel
from boyi.games.lines import completes_line, reach
from boyi.games.renju import forbidden

KEPT = 2
"""Levels from here up are kept; lower ones no search asks for."""


class Board(NamedTuple):
    """`squares` = height * width, `windows` = the number of windows."""

    height: int
    width: int
    win: int
    cells: NDArray[np.int16]
    """[squares] 0 empty, 1 and 2 stones of side 0 and 1."""
    stones: NDArray[np.int16]
    """[2, windows] stones of each side in each window."""
    through: NDArray[np.int32]
    """[squares, 4 * win] the windows through each square, -1 after the last."""
    members: NDArray[np.int32]
    """[windows, win] the squares of each window."""
    level: NDArray[np.int16]
    """[2, win + 1, squares] living windows of a side through a square, by level."""
    total: NDArray[np.int32]
    """[2, win + 1] living windows of a side, by level."""
    key: NDArray[np.uint64]
    """[1] hash of the stones, updated with every stone."""
    codes: NDArray[np.uint64]
    """[2, squares] what each stone adds to the hash."""


def make_board(height: int, width: int, win: int) -> Board:
    """An empty board."""
    squares = height * width
    members: list[list[int]] = []
    for square in range(squares):
        for direction in range(4):
            stride, ahead, _ = reach(height, width, square, direction)
            if ahead >= win - 1:
                members.append([square + place * stride for place in range(win)])
    through = np.full((squares, 4 * win), -1, np.int32)
    filled = [0] * squares
    for window, line in enumerate(members):
        for square in line:
            through[square, filled[square]] = window
            filled[square] += 1
    random = np.random.default_rng(0)
    return Board(
        height,
        width,
        win,
        np.zeros(squares, np.int16),
        np.zeros((2, len(members)), np.int16),
        through,
        np.array(members, np.int32).reshape(len(members), win),
        np.zeros((2, win + 1, squares), np.int16),
        np.zeros((2, win + 1), np.int32),
        np.zeros(1, np.uint64),
        random.integers(1, 1 << 63, (2, squares), np.uint64),
    )


@kernel
def set_up(board, state):
    """Make the board show the cells at the front of a state."""
    board.cells[:] = 0
    board.stones[:] = 0
    board.level[:] = 0
    board.total[:] = 0
    board.key[0] = 0
    for square in range(board.height * board.width):
        if state[square]:
            put(board, square, state[square] - 1)


@bare_kernel
def shift(board, window, side, level, change):
    """Count a window in or out of a level."""
    if level >= KEPT:
        board.total[side, level] += change
        for place in range(board.win):
            board.level[side, level, board.members[window, place]] += change


@bare_call
def put(board, square, side):
    """Put a stone on an empty square."""
    other = 1 - side
    board.cells[square] = side + 1
    board.key[0] ^= board.codes[side, square]
    for entry in range(4 * board.win):
        window = board.through[square, entry]
        if window < 0:
            break
        own, foreign = board.stones[side, window], board.stones[other, window]
        if foreign == 0:
            shift(board, window, side, own, -1)
            shift(board, window, side, own + 1, 1)
        elif own == 0:
            shift(board, window, other, foreign, -1)
        board.stones[side, window] = own + 1


@bare_call
def take(board, square):
    """Take back the stone on a square."""
    side = np.int64(board.cells[square]) - 1
    other = 1 - side
    board.cells[square] = 0
    board.key[0] ^= board.codes[side, square]
    for entry in range(4 * board.win):
        window = board.through[square, entry]
        if window < 0:
            break
        own, foreign = board.stones[side, window] - 1, board.stones[other, window]
        board.stones[side, window] = own
        if foreign == 0:
            shift(board, window, side, own + 1, -1)
            shift(board, window, side, own, 1)
        elif own == 0:
            shift(board, window, other, foreign, 1)


@bare_kernel
def completes(board, square, side, exact):
    """Whether a stone of a side on an empty square makes the row; with `exact`, no longer one."""
    if board.level[side, board.win - 1, square] == 0:
        return False
    if not exact:
        return True
    board.cells[square] = side + 1
    made = completes_line(board.cells, board.height, board.width, square, board.win, True)
    board.cells[square] = 0
    return made


@kernel
def barred(board, square, side, renju):
    """Whether a side may not play on an empty square: Black's forbidden points in renju."""
    return renju and side == 0 and forbidden(board.cells, board.width, square)


@bare_call
def winning_points(board, side, exact):
    """How many squares complete the row for a side, 2 for any more, and the first two of them, -1 for none."""
    first, second = -1, -1
    if board.total[side, board.win - 1] == 0:
        return 0, first, second
    for square in range(board.height * board.width):
        if board.cells[square] == 0 and completes(board, square, side, exact):
            if first < 0:
                first = square
            else:
                return 2, first, square
    return 1 if first >= 0 else 0, first, second
