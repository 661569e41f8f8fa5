"""Signs in the corners of their squares, as labels show them whose text is not in the middle."""

import cv2
import numpy as np
import pytest

from boyi.vision import recognise

WANTED = (("O", "", ""), ("X", "X", "O"), ("", "", "X"))
SIDE = 110


def labels(place: tuple[int, int], *, numbers: bool = False) -> np.ndarray:
    """Small letters so many pixels from the top left corners of squares; or large ones, and numbers there."""
    picture = np.full((3 * SIDE + 60, 3 * SIDE + 60, 3), 240, np.uint8)
    for k in range(4):
        at = 30 + SIDE * k
        cv2.line(picture, (30, at), (30 + 3 * SIDE, at), (60, 60, 60), 1)
        cv2.line(picture, (at, 30), (at, 30 + 3 * SIDE), (60, 60, 60), 1)
    for row, texts in enumerate(WANTED):
        for column, text in enumerate(texts):
            x, y = 30 + SIDE * column, 30 + SIDE * row
            spot = (x + SIDE // 2 - 22, y + SIDE // 2 + 24) if numbers else (x + place[0], y + place[1] + 9)
            size, wide = (2.2, 4) if numbers else (0.4, 1)
            cv2.putText(picture, text, spot, cv2.FONT_HERSHEY_SIMPLEX, size, (20, 20, 20), wide, cv2.LINE_AA)
            if numbers:
                corner = x + place[0], y + place[1] + 9
                number = str(3 * row + column + 1)
                cv2.putText(picture, number, corner, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (90, 90, 90), 1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("place", [(4, 3), (7, 2), (2, 2)])
def test_small_signs_in_the_corners_of_squares_are_read(place: tuple[int, int]) -> None:
    assert recognise(labels(place)).texts == WANTED


def test_numbers_in_the_corners_are_no_signs() -> None:
    assert recognise(labels((4, 3), numbers=True)).texts == WANTED
