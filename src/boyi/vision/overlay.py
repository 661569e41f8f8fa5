"""The picture with what was read drawn over it: the grid, every cell, the doubtful ones, and where to play."""

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.games import Position
from boyi.vision.recognise import Reading

GRID = (60, 200, 60)
KNOWN = (60, 160, 30)
DOUBTFUL = (0, 140, 255)
HERE = (40, 40, 230)
FONT = cv2.FONT_HERSHEY_SIMPLEX


def draw_over(picture: NDArray[np.uint8], reading: Reading, move: str | None = None) -> NDArray[np.uint8]:
    """A copy of the picture; the square of `move` is marked "Here"."""
    shown = picture.copy()
    grid = reading.grid
    if grid is None:
        return shown
    wide = max(1, round(grid.pitch / 40))
    for ends in grid.lines:
        _line(shown, ends, wide)
    for (x, y), cell in zip(grid.sites, (cell for row in reading.cells for cell in row), strict=True):
        if cell.text is None:
            _label(shown, "?", x, y, grid.pitch, DOUBTFUL)
        elif cell.text:
            _label(shown, cell.text, x - 0.22 * grid.pitch, y - 0.22 * grid.pitch, 0.6 * grid.pitch, KNOWN)
    if move is not None and reading.position is not None:
        _mark_move(shown, reading, reading.position, move)
    return shown


def _line(picture: NDArray[np.uint8], ends: NDArray[np.float64], wide: int) -> None:
    first, last = (tuple(int(value) for value in np.rint(end)) for end in ends)
    cv2.line(picture, first, last, GRID, wide, cv2.LINE_AA)


def _label(picture: NDArray[np.uint8], text: str, x: float, y: float, room: float, colour: tuple[int, ...]) -> None:
    """A text in the middle of (x, y), as high as half the room, with an edge that shows on every ground."""
    scale = max(0.25, room / 55)
    wide = max(1, round(scale * 1.6))
    (width, height), _ = cv2.getTextSize(text, FONT, scale, wide)
    spot = round(x - width / 2), round(y + height / 2)
    cv2.putText(picture, text, spot, FONT, scale, (255, 255, 255), wide + 2, cv2.LINE_AA)
    cv2.putText(picture, text, spot, FONT, scale, colour, wide, cv2.LINE_AA)


def _mark_move(picture: NDArray[np.uint8], reading: Reading, position: Position, move: str) -> None:
    grid = reading.grid
    squares = position.game.touched(position.state, position.action(move))
    if grid is None or not squares:
        return
    points = [tuple(int(value) for value in np.rint(grid.sites[square])) for square in squares]
    wide = max(2, round(grid.pitch / 14))
    if len(points) == 2:
        cv2.arrowedLine(picture, points[0], points[1], HERE, wide, cv2.LINE_AA, tipLength=0.3)
    radius = round(0.46 * grid.pitch)
    cv2.circle(picture, points[-1], radius, HERE, wide, cv2.LINE_AA)
    x, y = points[-1]
    _label(picture, "Here", x, y, max(0.7 * grid.pitch, 20), HERE)
