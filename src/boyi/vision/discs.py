"""Boards of discs without lines: equal discs at equal distances on a plain square that has room for a whole board.

Start at `find_discs`.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.judge import OTHELLO_SIZES
from boyi.vision.patches import Grid, upright_grid

SIDE = 768
"""Pixels a side of the picture in which discs are looked for."""
RADII, FEWEST = (6, 60), 6
"""How large they are there, in pixels, and how many."""
SAME_SIZE, ASTRAY, MOST_ASTRAY = 0.15, 0.1, 0.15
"""How much a radius differs from the usual one; how far from its place a disc may be, in pitches; and the share of
discs that may be elsewhere: one beside the board says whose turn it is."""
NEAR, FAR = 1.7, 4.0
"""Neighbours are so many radii apart."""
LESS, MORE = 0.4, 1.2
"""How much narrower or wider than its squares, in pitches, the board may be: it may have a rim."""
EVEN = 3
"""How much the colour of the board changes from pixel to pixel."""
BESIDE = 0.25
"""How far from the middle of the board, in pitches, its squares may be."""


def find_discs(picture: NDArray[np.uint8]) -> list[Grid]:
    """The board whose discs these are, if there is one, in a picture of at most `SIDE` pixels a side."""
    discs = _discs(picture)
    pitch = _pitch(discs)
    if pitch is None:
        return []
    places = [_aligned(discs[:, way], pitch) for way in (0, 1)]
    there = (np.abs(places[0][1]) < ASTRAY * pitch) & (np.abs(places[1][1]) < ASTRAY * pitch)
    if there.sum() < FEWEST or there.mean() < 1 - MOST_ASTRAY:
        return []
    discs, starts = discs[there], (places[0][0], places[1][0])
    box = _ground(picture, discs, pitch)
    for size in OTHELLO_SIZES:
        firsts = [_first(box[way], box[way + 2], starts[way], pitch, size, discs[:, way]) for way in (0, 1)]
        if firsts[0] is not None and firsts[1] is not None:
            return [upright_grid(firsts[0], firsts[1], pitch, pitch, size, size, "squares")]
    return []


def _discs(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """[n, 3]: x, y and radius of the discs of the usual size."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    found = cv2.HoughCircles(
        grey, cv2.HOUGH_GRADIENT_ALT, 1.5, RADII[0], param1=150, param2=0.8, minRadius=RADII[0], maxRadius=RADII[1]
    )
    if found is None:
        return np.zeros((0, 3))
    discs = found.reshape(-1, found.shape[-1])[:, :3].astype(np.float64)
    usual = np.median(discs[:, 2])
    return np.asarray(discs[np.abs(discs[:, 2] - usual) < SAME_SIZE * usual])


def _pitch(discs: NDArray[np.float64]) -> float | None:
    """The distance of neighbours in a row or a column."""
    if len(discs) < FEWEST:
        return None
    radius = float(np.median(discs[:, 2]))
    apart = np.abs(discs[:, None, :2] - discs[None, :, :2])
    beside = np.concatenate([apart[..., way][apart[..., 1 - way] < ASTRAY * 2 * radius] for way in (0, 1)])
    beside = beside[(beside > NEAR * radius) & (beside < FAR * radius)]
    if len(beside) < FEWEST:
        return None
    return float(np.median(beside[beside < (1 + SAME_SIZE) * beside.min()]))


def _aligned(values: NDArray[np.float64], pitch: float) -> tuple[float, NDArray[np.float64]]:
    """Where a row of places that are a pitch apart begins, and how far from the nearest of them each value is."""
    turn = np.exp(2j * np.pi * values / pitch).mean()
    start = float(np.angle(turn)) / (2 * np.pi) * pitch
    return start, (values - start + pitch / 2) % pitch - pitch / 2


def _ground(picture: NDArray[np.uint8], discs: NDArray[np.float64], pitch: float) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the plain surface between the discs."""
    height, width = picture.shape[:2]
    spots = np.rint(discs[:, :2] + pitch / 2).astype(int).clip(0, (width - 1, height - 1))
    colours = picture[spots[:, 1], spots[:, 0]].astype(float)
    seed = spots[np.abs(colours - np.median(colours, axis=0)).sum(axis=1).argmin()]
    mask = np.zeros((height + 2, width + 2), np.uint8)
    _, _, _, (x, y, wide, high) = cv2.floodFill(
        picture.copy(), mask, (int(seed[0]), int(seed[1])), (0, 0, 0), (EVEN,) * 3, (EVEN,) * 3, 4
    )
    return x, y, x + wide, y + high


def _first(low: int, high: int, start: float, pitch: float, size: int, values: NDArray[np.float64]) -> float | None:
    """The first of as many places as the board has, in its middle; None where they do not fit."""
    room = (high - low) / pitch - size
    middle = (low + high - (size - 1) * pitch) / 2
    first = start + round((middle - start) / pitch) * pitch
    outside = values.min() < first - pitch / 2 or values.max() > first + (size - 0.5) * pitch
    return None if not -LESS < room < MORE or abs(first - middle) > BESIDE * pitch or outside else first
