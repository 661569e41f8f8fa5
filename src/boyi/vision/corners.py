"""Small signs in the corners of large squares, as labels show them whose text is not in the middle.

They touch the lines, or are so small that the net sees an empty square. So they are cut out, without the lines, and
shown to it in the middle of squares of a board of their own. Start at `look_into_corners`.
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.cells import Sites, look
from boyi.vision.patches import FEW_SQUARES, FINER, Grid, cut_patches, flattened, upright_grid

INK = 60.0
"""A sign differs from the board by so much, of 255."""
SMALLEST, LARGEST, ALIKE = 0.05, 0.35, 0.5
"""Its size in squares, and by how much the smallest of a board is smaller than the largest."""
RIM, SAME = 0.2, 0.06
"""All have their middles so near a corner, and the same one, and so near to each other's places in their squares."""
LINE = 0.5
"""Straight ink of this share of a square is a line."""
SHOWN, BESIDE = 0.45, 0.15
"""How large they are shown, in squares, and how much around them, in their own size."""
FEWEST = 2


def look_into_corners(picture: NDArray[np.uint8], grid: Grid) -> Sites | None:
    """The sites of three by three squares whose signs are all in one corner of theirs; None where they are not."""
    if grid.rows != FEW_SQUARES or grid.lattice != "squares":
        return None
    canvas, ground = flattened(picture, grid, FINER), cut_patches(picture, grid).ground
    bare, boxes = _without_lines(canvas, ground)
    middles = (boxes[:, :2] + boxes[:, 2:] / 2) / FINER
    squares, place = np.floor(middles).astype(int), middles % 1
    sizes = boxes[:, 2:].max(axis=1, initial=0)
    if len(boxes) < FEWEST or len({tuple(square) for square in squares.tolist()}) < len(boxes):
        return None
    in_corner = np.minimum(place, 1 - place).max() < RIM and np.ptp(place, axis=0).max() < SAME
    if not in_corner or sizes.max() > LARGEST * FINER or sizes.min() < ALIKE * sizes.max():
        return None
    board = np.full_like(canvas, ground)
    for line in range(FEW_SQUARES + 1):
        at = min(line * FINER, len(board) - 1)
        board[at - at % 2, :] = board[:, at - at % 2] = 255 - ground
    for (column, row), (x, y, wide, high) in zip(squares.tolist(), boxes.tolist(), strict=True):
        rim = round(BESIDE * max(wide, high)) + 1
        sign = bare[max(y - rim, 0) : y + high + rim, max(x - rim, 0) : x + wide + rim]
        enlarged = SHOWN * FINER / max(wide, high)
        sign = np.asarray(cv2.resize(sign, None, fx=enlarged, fy=enlarged, interpolation=cv2.INTER_CUBIC), np.uint8)
        top, left = (round((at + 0.5) * FINER - side / 2) for at, side in zip((row, column), sign.shape, strict=False))
        board[top : top + sign.shape[0], left : left + sign.shape[1]] = sign
    half = (FINER - 1) / 2
    found = look(board, upright_grid(half, half, FINER, FINER, FEW_SQUARES, FEW_SQUARES, "squares"))
    return replace(found, grid=grid) if found.strokes else None


def _without_lines(
    canvas: NDArray[np.uint8], ground: NDArray[np.float32]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """A flattened board without its lines, and [n, 4]: left, top, width and height of what else is on it."""
    ink = (np.abs(canvas - ground).max(axis=2) > INK).astype(np.uint8)
    lines = np.zeros_like(ink)
    for run in ((round(LINE * FINER), 1), (1, round(LINE * FINER))):
        lines |= cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones(run, np.uint8))
    lines = np.asarray(cv2.dilate(lines, np.ones((3, 3), np.uint8)), np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink & (1 - lines), connectivity=8)
    boxes = stats[1:, :4].astype(np.int64)
    bare = np.where(lines[..., None] > 0, ground.astype(np.uint8), canvas)
    return np.asarray(bare, np.uint8), boxes[boxes[:, 2:].max(axis=1) > SMALLEST * FINER]
