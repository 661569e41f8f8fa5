"""Boards that no lines divide: signs at equal distances, and letters of a terminal."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from boyi.vision import recognise
from boyi.vision.loose import find_loose

INK, PAGE = (40, 40, 40), (250, 250, 250)
TICTACTOE = (("X", "O", "X"), ("", "X", "O"), ("O", "", ""))
FIVE = [["", "", "", "", "", "", "", "", ""] for _ in range(9)]
for _row, _column, _sign in ((4, 4, "X"), (3, 4, "O"), (4, 5, "X"), (4, 3, "O"), (5, 5, "X"), (2, 6, "O"), (6, 4, "X")):
    FIVE[_row][_column] = _sign


def typed(rows: Sequence[Sequence[str]], across: int, down: int, empty: str = "", size: float = 1.0) -> np.ndarray:
    """Signs at equal distances on a plain page, and a line of text above them."""
    picture = np.full((down * (len(rows) + 3), across * (len(rows) + 3), 3), PAGE, np.uint8)
    cv2.putText(picture, "X to move", (across, down // 2), cv2.FONT_HERSHEY_SIMPLEX, 0.5, INK, 1, cv2.LINE_AA)
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            middle = across * (column + 2), down * (row + 2)
            if text or empty:
                write(picture, text or empty, middle, size)
    return picture


def write(picture: np.ndarray, text: str, middle: tuple[int, int], size: float) -> None:
    if text == ".":
        cv2.circle(picture, middle, 1, INK, -1)
        return
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    place = middle[0] - wide // 2, middle[1] + high // 2
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, INK, 2, cv2.LINE_AA)


@pytest.mark.parametrize(("across", "down"), [(90, 90), (120, 80)])
def test_signs_in_three_rows_and_columns_are_a_board(across: int, down: int) -> None:
    found = recognise(typed(TICTACTOE, across, down, size=1.6))
    assert found.texts == TICTACTOE


def test_signs_beside_them_say_that_the_board_is_larger() -> None:
    """Four in a column, or a sign that stands between the others."""
    longer = typed((*TICTACTOE, ("X", "", "")), 90, 90, size=1.6)
    assert not find_loose(longer)
    picture = typed(TICTACTOE, 90, 90, size=1.6)
    write(picture, "O", (225, 360), 1.6)
    assert not find_loose(picture)


@pytest.mark.parametrize("empty", [".", "-"])
def test_letters_of_a_terminal_are_a_board_if_every_site_bears_something(empty: str) -> None:
    found = recognise(typed(FIVE, 32, 32, empty, size=0.7))
    assert found.texts == tuple(tuple(row) for row in FIVE)


def test_headings_are_no_row_of_the_board() -> None:
    picture = typed(FIVE, 32, 32, "-", size=0.7)
    for number in range(9):
        write(picture, "abcdefghi"[number], (32 * (number + 2), 32), 0.6)
        write(picture, str(number + 1), (32, 32 * (number + 2)), 0.6)
    [grid] = find_loose(picture)
    assert grid.rows == 9
    assert np.abs(grid.sites[0] - (64, 64)).max() < 3


def test_a_page_of_text_is_no_board() -> None:
    picture = np.full((700, 900, 3), PAGE, np.uint8)
    for line in range(20):
        words = "the players take turns until one of them has five in a row"[line % 7 :]
        cv2.putText(picture, words, (20, 30 + 32 * line), cv2.FONT_HERSHEY_SIMPLEX, 0.7, INK, 1, cv2.LINE_AA)
    assert not find_loose(picture)
    assert recognise(picture).refused


def test_any_heap_of_signs_is_looked_at() -> None:
    """Signs in rows that are not quite even, and specks between them: whatever comes of it is a grid."""
    random = np.random.default_rng(3)
    for _ in range(40):
        picture = np.full((400, 400, 3), PAGE, np.uint8)
        step = random.uniform(22, 60, 2)
        for _ in range(int(random.integers(0, 60))):
            x, y = (random.integers(0, 8, 2) * step + random.normal(0, 2.5, 2) + 20).astype(int).tolist()
            radius = int(random.integers(1, 12))
            cv2.circle(picture, (x, y), radius, INK, int(random.choice([-1, 2])))
        for grid in find_loose(picture):
            assert grid.rows == grid.columns >= 3
            assert np.isfinite(grid.sites).all()
