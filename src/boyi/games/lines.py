"""Stones in a row: the kernels that Gomoku, Connect6, tic-tac-toe and their like share.

`cells` is a row of height * width entries, 0 empty, 1 and 2 the stones of player 0 and 1.
"""

import numpy as np

from boyi.games.kernels import inline_kernel, kernel
from boyi.games.randomness import below


@kernel
def reach(height, width, square, direction):
    """Step between neighbours, and how many squares lie ahead and behind, for one of the four directions."""
    row = square // width
    right = width - 1 - (square - row * width)
    left = width - 1 - right
    down = height - 1 - row
    if direction == 0:
        return 1, right, left
    if direction == 1:
        return width, down, row
    if direction == 2:
        return width + 1, min(right, down), min(left, row)
    return width - 1, min(left, down), min(right, row)


@inline_kernel
def completes_line(cells, height, width, square, win, exact):
    """Whether the stone on `square` stands in a row of `win` or more; with `exact`, of `win` and no more.

    The inner loop of every playout: written flat and with unsigned indices, which doubles its speed.
    """
    row = square // width
    right = width - 1 - (square - row * width)
    left = width - 1 - right
    down = height - 1 - row
    start = np.uint64(square)
    stone = cells[start]
    for direction in range(4):
        if direction == 0:
            stride, ahead, behind = np.uint64(1), right, left
        elif direction == 1:
            stride, ahead, behind = np.uint64(width), down, row
        elif direction == 2:
            stride, ahead, behind = np.uint64(width + 1), min(right, down), min(left, row)
        else:
            stride, ahead, behind = np.uint64(width - 1), min(left, down), min(right, row)
        length = 1
        at = start
        for _ in range(min(ahead, win)):
            at += stride
            if cells[at] != stone:
                break
            length += 1
        at = start
        for _ in range(min(behind, win)):
            at -= stride
            if cells[at] != stone:
                break
            length += 1
        if length >= win and (length == win or not exact):
            return True
    return False


@kernel
def urgent_point(cells, height, width, centre, stone, left, win, other_left, rng):
    """An empty point in a window of `win` squares through or next to `centre` that wins now, or stops the other side.

    The owner of `stone` has `left` stones to put and the other side will have `other_left`. Of a window that calls for
    a stone a random empty point is taken, windows that win first. -1 where nothing is urgent.
    """
    block, blocks = -1, 0
    for direction in range(4):
        stride, ahead, behind = reach(height, width, centre, direction)
        for start in range(-min(behind, win), min(ahead - win + 1, 1) + 1):
            own, other, empty, chosen = 0, 0, 0, -1
            for offset in range(start, start + win):
                cell = cells[centre + offset * stride]
                if cell == 0:
                    empty += 1
                    if below(rng, empty) == 0:
                        chosen = centre + offset * stride
                elif cell == stone:
                    own += 1
                else:
                    other += 1
            if chosen >= 0 and other == 0 and empty <= left:
                return chosen
            if chosen >= 0 and own == 0 and empty <= other_left:
                blocks += 1
                if below(rng, blocks) == 0:
                    block = chosen
    return block
