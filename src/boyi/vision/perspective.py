"""Straightens pictures: from the directions of the lines in a photo, or from four corners that someone points at."""

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.patches import Grid

WORKING_SIDE = 800
STRAIGHT_ALREADY = 0.006
"""How far a corner may move, in halves of the longer side, before straightening changes what is found."""
MARGIN = 0.14
"""How much around four given corners is looked at, as a share of the board."""
STRAIGHT = 900
"""Pixels a side of a picture that is made from four corners."""

Homography = NDArray[np.float64]
"""[3, 3], from the picture to the straightened one."""


def straightened(picture: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], Homography] | None:
    """The picture as seen from straight above, judged by its two families of lines.

    None where there are none, and where the picture is straight already.
    """
    height, width = picture.shape[:2]
    shrink = min(1.0, WORKING_SIDE / max(height, width))
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else grey
    found = cv2.createLineSegmentDetector().detect(cv2.GaussianBlur(small, (0, 0), 0.8))[0]
    if found is None:
        return None
    segments = found.reshape(-1, 4).astype(np.float64) / shrink
    segments = segments[np.hypot(*(segments[:, 2:] - segments[:, :2]).T) > 0.02 * max(height, width)]
    if len(segments) < 8:
        return None
    step = segments[:, 2:] - segments[:, :2]
    steepness = np.abs(np.degrees(np.arctan2(step[:, 1], step[:, 0])))
    level = (steepness < 30) | (steepness > 150)
    upright = (steepness > 60) & (steepness < 120)
    scale = max(height, width) / 2
    middle = np.array([width / 2, height / 2])
    normal = np.array([[1 / scale, 0, -middle[0] / scale], [0, 1 / scale, -middle[1] / scale], [0, 0, 1]])
    points = _vanishing_point(segments[level], normal), _vanishing_point(segments[upright], normal)
    if points[0] is None or points[1] is None:
        return None
    levelling = _levelling(points[0], points[1])
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], float) @ normal.T
    moved = corners @ levelling.T
    if np.abs(moved[:, :2] / moved[:, 2:] - corners[:, :2]).max() < STRAIGHT_ALREADY:
        return None
    return _fitted(picture, levelling @ normal)


def _vanishing_point(segments: NDArray[np.float64], normal: Homography) -> NDArray[np.float64] | None:
    """[3]: where most of the lines meet, in normal coordinates; weighted least squares, outliers left out."""
    if len(segments) < 4:
        return None
    ends = [np.c_[segments[:, i : i + 2], np.ones(len(segments))] @ normal.T for i in (0, 2)]
    lines = np.cross(ends[0], ends[1])
    length = np.hypot(lines[:, 0], lines[:, 1])
    lines /= length[:, None]
    middle = (ends[0] + ends[1]) / 2
    weight = length.copy()
    point = np.zeros(3)
    for _ in range(12):
        moments = (lines * weight[:, None]).T @ lines
        _, vectors = np.linalg.eigh(moments)
        point = vectors[:, 0]
        away = point[None, :2] * middle[:, 2:] - middle[:, :2] * point[2]
        away /= np.maximum(np.hypot(*away.T), 1e-9)[:, None]
        sine = np.abs((lines[:, :2] * away).sum(axis=1))
        scale = max(float(np.median(sine)), 0.004)
        weight = length / (1 + (sine / scale) ** 4)
    return point


def _levelling(level: NDArray[np.float64], upright: NDArray[np.float64]) -> Homography:
    """Takes one vanishing point to the horizontal, the other to the vertical direction."""
    horizon = np.cross(level, upright)
    horizon /= horizon[2] if abs(horizon[2]) > 1e-6 else 1.0
    flat = np.array([[1, 0, 0], [0, 1, 0], horizon])
    directions = np.c_[(flat @ level)[:2], (flat @ upright)[:2]]
    directions /= np.linalg.norm(directions, axis=0)
    if directions[0, 0] < 0:
        directions[:, 0] *= -1
    if directions[1, 1] < 0:
        directions[:, 1] *= -1
    matrix = np.eye(3)
    matrix[:2, :2] = np.linalg.inv(directions)
    return np.asarray(matrix @ flat, np.float64)


def _fitted(picture: NDArray[np.uint8], matrix: Homography) -> tuple[NDArray[np.uint8], Homography] | None:
    """Warp a picture and move the result into view; None where the warp would tear it."""
    height, width = picture.shape[:2]
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], float) @ matrix.T
    if corners[:, 2].min() <= 0.25 * corners[:, 2].max():
        return None
    flat = corners[:, :2] / corners[:, 2:]
    low, high = flat.min(axis=0), flat.max(axis=0)
    size = float((high - low).max())
    factor = min(1500.0, 1.1 * max(height, width)) / size
    to_view = np.array([[factor, 0, -low[0] * factor], [0, factor, -low[1] * factor], [0, 0, 1]])
    whole = to_view @ matrix
    shape = tuple(int(np.ceil(side)) for side in (high - low) * factor)
    if min(shape) < 30:
        return None
    warped = cv2.warpPerspective(picture, whole, shape, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8), whole


def from_corners(picture: NDArray[np.uint8], corners: NDArray[np.float64]) -> tuple[NDArray[np.uint8], Homography]:
    """The quadrilateral [4, 2], clockwise from the top left, as a square with a margin around it."""
    low, high = MARGIN * STRAIGHT, (1 - MARGIN) * STRAIGHT
    wanted = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), wanted), np.float64)
    warped = cv2.warpPerspective(picture, matrix, (STRAIGHT, STRAIGHT), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8), matrix


def in_picture(grid: Grid, matrix: Homography) -> Grid:
    """A grid of the straightened picture as one of the picture itself."""
    return Grid(np.linalg.inv(matrix) @ grid.place, grid.rows, grid.columns, grid.lattice)
