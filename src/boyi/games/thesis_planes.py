"""The two sets of feature planes of document 000 (the NTNU thesis on EinStein), exactly as it describes them.

Unlike the game's own observer they do not look from the mover's side: Blue and Red are what they are.

ORI, 3 planes (section 4.2): the number of each stone, Blue 1..6 and Red 7..12, negative where the stone may move;
Blue 1 and Red -1; the number of stones in the box of 3x3 in front of each stone, itself included.

SIM, 43 planes of 0 and 1 (section 4.3): 12 for the stones (Blue 1..6, Red 1..6) and one for the stones that may
move; 2 for Blue and Red; 22 patterns of friends and enemies in the box in front of a stone (figure 4-3-1) and 6
for the square next to it (figure 4-3-2), each marked on the stone's square, for the stones of both sides.

"In front" is up and left for Blue, down and right for Red. Cells are those of `boyi.games.einstein`.
"""

import numpy as np

from boyi.games.kernels import kernel

ORI, SIM = 3, 43
ANY, EMPTY, FRIEND, ENEMY = -1, 0, 1, 2
_LINES = ((1, 0), (1, 1), (0, 1))
"""Ahead vertically, diagonally, horizontally."""


def _line(near: int, far: int) -> list[tuple[int, ...]]:
    return [(v, h, near, 2 * v, 2 * h, far) for v, h in _LINES]


def _knight(vertical: int, horizontal: int, who: int) -> list[tuple[int, ...]]:
    return [(vertical, horizontal, who, 0, 0, ANY)]


PATTERNS = np.array(
    _line(ENEMY, ENEMY)
    + _knight(2, 1, FRIEND)
    + _line(ENEMY, FRIEND)
    + _knight(2, 1, ENEMY)
    + _line(FRIEND, ENEMY)
    + _knight(1, 2, FRIEND)
    + _line(FRIEND, FRIEND)
    + _knight(1, 2, ENEMY)
    + _line(EMPTY, FRIEND)
    + _line(EMPTY, ENEMY)
    + _line(FRIEND, ANY)
    + _line(ENEMY, ANY)
)
"""[28, 6]: two squares, each by its distance ahead (vertical, horizontal), with what must stand there."""


def _permuted(blue_red: list[int], patterns: list[int]) -> np.ndarray:
    """A table over all planes from one over the 12 stones and one over the patterns."""
    swaps = blue_red[0] >= 6
    sides = [14, 13] if swaps else [13, 14]
    return np.array([*blue_red, 12, *sides, *(15 + p for p in patterns)], np.int32)


_SAME = list(range(28))
_MIRRORED = [
    next(k for k, other in enumerate(PATTERNS.tolist()) if other == [h, v, who, h2, v2, who2])
    for v, h, who, v2, h2, who2 in PATTERNS.tolist()
]
SIM_TRANSPOSED = _permuted(list(range(12)), _MIRRORED)
SIM_RENUMBERED = _permuted([5, 4, 3, 2, 1, 0, 11, 10, 9, 8, 7, 6], _SAME)
SIM_TURNED = _permuted([6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5], _SAME)


@kernel
def looks(cells, square, vertical, horizontal):
    """What stands ahead of the stone on a square: EMPTY, FRIEND, ENEMY, or ANY beyond the edge."""
    red = cells[square] <= 6
    forward = 1 if red else -1
    row = square // 5 + forward * vertical
    column = square % 5 + forward * horizontal
    if not (0 <= row < 5 and 0 <= column < 5):
        return ANY
    stone = cells[5 * row + column]
    if stone == 0:
        return EMPTY
    return FRIEND if (stone <= 6) == red else ENEMY


@kernel
def ori_planes(cells, movable, planes):
    """Fill planes [3, 5, 5] from 25 cells and 25 flags of the stones that may move."""
    for square in range(25):
        if cells[square] == 0:
            continue
        row, column = square // 5, square % 5
        blue = cells[square] > 6
        number = cells[square] - 6 if blue else cells[square] + 6
        planes[0, row, column] = -number if movable[square] else number
        planes[1, row, column] = 1 if blue else -1
        for vertical in range(3):
            for horizontal in range(3):
                planes[2, row, column] += looks(cells, square, vertical, horizontal) > EMPTY


@kernel
def sim_planes(cells, movable, planes):
    """Fill planes [43, 5, 5] from 25 cells and 25 flags of the stones that may move."""
    for square in range(25):
        if cells[square] == 0:
            continue
        row, column = square // 5, square % 5
        blue = cells[square] > 6
        planes[(cells[square] + 5) % 12, row, column] = 1
        planes[12, row, column] = movable[square]
        planes[13 if blue else 14, row, column] = 1
        for k in range(28):
            first = looks(cells, square, PATTERNS[k, 0], PATTERNS[k, 1]) == PATTERNS[k, 2]
            second = PATTERNS[k, 5] == ANY or looks(cells, square, PATTERNS[k, 3], PATTERNS[k, 4]) == PATTERNS[k, 5]
            planes[15 + k, row, column] = first and second
