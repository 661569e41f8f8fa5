"""Finds boards of plain blocks: stones that fill their squares, and no lines between these.

Nothing but the edges of the stones shows the squares. So a rectangle is looked for that stands out from what is around
it and holds nothing but whole sides of squares, for some number of squares. Start at `find_blocks`.
"""

import itertools
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.patches import Grid, upright_grid

EDGE = 20
"""Two pixels beside each other that differ by more, of 255, lie on two sides of an edge."""
LARGEST_GROUNDS = 8
"""So many of the largest plain areas may be what is around a board."""
SMALLEST = 64
"""Pixels a side of the smallest board."""
FULL = 0.6
"""How much of a row or column of pixels belongs to the board; less is something that touches it: ticks of an axis."""
SQUARE = 1.35
"""How much longer one side of the board may be than the other."""
SIZES = (6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)
NARROWEST = 10.0
"""Pixels a side of the smallest block."""
INSIDE = 3
"""Pixels at the rim of the board that do not count: its frame."""
OUT = 0.07
"""How far from where it should be a side may lie, in squares, because of a frame."""
ON, OFF = 0.85, 0.15
"""A side of a square is there from the first share on, and not there up to the second; nothing else is a block's."""
ASTRAY = 0.03
"""How many of the edges may lie elsewhere."""
FEWEST_SIDES = 8
"""Sides of squares that must be there."""
MOST = 2
"""So many of the largest boards are looked at."""


def find_blocks(picture: NDArray[np.uint8]) -> list[Grid]:
    """The boards of plain blocks in a picture, the largest first."""
    level, upright = _edges(picture)
    found = [
        grid
        for left, top, right, bottom in dict.fromkeys(_rectangles(picture, level | upright))
        if (grid := _blocks(level[top:bottom, left:right], upright[top:bottom, left:right], left, top)) is not None
    ]
    return sorted(found, key=lambda grid: -grid.pitch * grid.rows)[:MOST]


def _edges(picture: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """[height, width]: whether a pixel differs from the one above it, and from the one on its left."""
    level, upright = np.zeros(picture.shape[:2], bool), np.zeros(picture.shape[:2], bool)
    level[1:], upright[:, 1:] = _differ(picture[1:], picture[:-1]), _differ(picture[:, 1:], picture[:, :-1])
    return level, upright


def _differ(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> NDArray[np.bool_]:
    blue, green, red = cv2.split(cv2.absdiff(first, second))
    return np.asarray(cv2.max(cv2.max(blue, green), red) > EDGE, bool)


def _rectangles(picture: NDArray[np.uint8], edges: NDArray[np.bool_]) -> Iterator[tuple[int, int, int, int]]:
    """Left, top, right and bottom of what lies in large plain areas; its first pixels on the right and at the bottom
    are edges, not its own."""
    _, areas, stats, _ = cv2.connectedComponentsWithStats((~edges).astype(np.uint8), connectivity=4)
    grounds = [[int(ground)] for ground in 1 + np.argsort(-stats[1:, cv2.CC_STAT_AREA])[:LARGEST_GROUNDS]]
    for ground in (*grounds, *_both_sides(picture, np.asarray(areas, np.int32))):
        beside = np.isin(areas, ground, invert=True) if len(ground) > 1 else areas != ground[0]
        number, parts, boxes, _ = cv2.connectedComponentsWithStats(beside.astype(np.uint8), connectivity=4)
        for part in range(1, number):
            x, y, width, height = boxes[part, :4].tolist()
            if min(width, height) < SMALLEST or max(width, height) > 1.5 * SQUARE * min(width, height):
                continue
            there = parts[y : y + height, x : x + width] == part
            columns, rows = (np.flatnonzero(there.mean(axis=axis) > FULL) for axis in (0, 1))
            if len(columns) and len(rows):
                yield x + int(columns[0]), y + int(rows[0]), x + int(columns[-1]), y + int(rows[-1])


def _both_sides(picture: NDArray[np.uint8], areas: NDArray[np.int32]) -> list[list[int]]:
    """Two areas of one colour on opposite sides of the picture: a page that the board cuts in two."""
    middle = np.array(areas.shape) // 2
    pairs = (((middle[0], 0), (middle[0], -1)), ((0, middle[1]), (-1, middle[1])))
    return [
        [int(areas[first]), int(areas[last])]
        for first, last in pairs
        if areas[first] != areas[last] and (picture[first] == picture[last]).all()
    ]


def _blocks(level: NDArray[np.bool_], upright: NDArray[np.bool_], left: int, top: int) -> Grid | None:
    """The board of the fewest squares whose sides are all the edges of a rectangle; None where there is none."""
    height, width = level.shape
    if min(height, width) < SMALLEST or max(height, width) > SQUARE * min(height, width):
        return None
    profiles = upright[INSIDE:-INSIDE].sum(axis=0), level[:, INSIDE:-INSIDE].sum(axis=1)
    for size in SIZES:
        step_x, step_y = width / size, height / size
        if min(step_x, step_y) < NARROWEST:
            break
        across, down = _sides(upright, profiles[0], size), _sides(level.T, profiles[1], size)
        if across is not None and down is not None and across + down >= FEWEST_SIDES:
            return upright_grid(left + (step_x - 1) / 2, top + (step_y - 1) / 2, step_x, step_y, size, size, "squares")
    return None


def _sides(upright: NDArray[np.bool_], profile: NDArray[np.int64], size: int) -> int | None:
    """How many upright sides of squares are there; None where edges lie elsewhere, or a side is but partly there.

    `profile` [width] counts the edges of every column of pixels.
    """
    height, width = upright.shape
    lines = np.rint(np.arange(1, size) * width / size).astype(int)
    rows = np.rint(np.arange(size + 1) * height / size).astype(int)
    reach = max(2, round(OUT * width / size))
    places = lines[:, None] + np.arange(-reach, reach + 1)
    if profile[INSIDE:-INSIDE].sum() - profile[places].sum() > ASTRAY * profile[INSIDE:-INSIDE].sum():
        return None
    near = np.asarray(upright[:, places].any(axis=2), bool)
    shares = np.stack([near[start + reach : end - reach].mean(axis=0) for start, end in itertools.pairwise(rows)])
    there = shares > ON
    used = np.flatnonzero(there.any(axis=0)) + 1
    blocks = (there | (shares < OFF)).all() and np.gcd.reduce([size, *used]) == 1  # else the squares are larger
    return int(there.sum()) if blocks else None
