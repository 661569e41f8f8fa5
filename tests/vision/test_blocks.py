"""Boards without lines, whose stones fill their squares."""

import cv2
import numpy as np
import pytest

import boyi
from boyi.vision import recognise
from boyi.vision.blocks import find_blocks

GREEN, DARK, LIGHT, PAGE = (20, 150, 20), (18, 18, 18), (225, 225, 225), (255, 255, 255)
OTHELLO = "d3 c3 c4 e3 f4 c5 d6"


def blocks(position: boyi.Position, side: int, *, frame: int = 0) -> np.ndarray:
    """A board at (40, 30) on a page, squares of so many pixels."""
    size = position.game.shape[0]
    picture = np.full((size * side + 90, size * side + 200, 3), PAGE, np.uint8)
    end = size * side
    cv2.rectangle(picture, (40 - frame, 30 - frame), (39 + end + frame, 29 + end + frame), (0, 0, 0), -1)
    cv2.rectangle(picture, (40, 30), (39 + end, 29 + end), GREEN, -1)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            if text:
                x, y = 40 + column * side, 30 + row * side
                cv2.rectangle(picture, (x, y), (x + side - 1, y + side - 1), DARK if text == "X" else LIGHT, -1)
    return picture


def played(name: str, moves: str) -> boyi.Position:
    position = boyi.game(name).start()
    for move in moves.split():
        position = position.play(move)
    return position


@pytest.mark.parametrize(("side", "frame"), [(14, 0), (40, 0), (71, 1)])
@pytest.mark.parametrize("moves", ["", OTHELLO])
def test_squares_are_found_by_the_stones_alone(moves: str, side: int, frame: int) -> None:
    (grid,) = find_blocks(blocks(played("othello", moves), side, frame=frame))
    assert (grid.rows, grid.columns, grid.lattice) == (8, 8, "squares")
    middle = (side - 1) / 2
    assert grid.sites[0] == pytest.approx((40 + middle, 30 + middle), abs=0.06 * side + frame)
    assert grid.sites[-1] == pytest.approx((40 + 7 * side + middle, 30 + 7 * side + middle), abs=0.06 * side + frame)


@pytest.mark.parametrize(("name", "moves"), [("othello", OTHELLO), ("gomoku:size=19", "k10 j9 k9 k11 l9 j8 m9 n9")])
def test_boards_of_blocks_are_read(name: str, moves: str) -> None:
    position = played(name, moves)
    found = recognise(blocks(position, 32))
    assert found.position is not None
    assert found.position.cells == position.cells


def test_other_things_are_no_blocks() -> None:
    board = blocks(played("othello", OTHELLO), 40)
    written = board.copy()
    cv2.putText(written, "Your move, Black", (50, 120), cv2.FONT_HERSHEY_SIMPLEX, 0.9, DARK, 2)
    bars = np.full((400, 500, 3), PAGE, np.uint8)
    cv2.rectangle(bars, (50, 40), (369, 359), GREEN, -1)
    for column, height in enumerate((33, 170, 251, 90, 140, 305)):
        cv2.rectangle(bars, (60 + 50 * column, 359 - height), (90 + 50 * column, 359), DARK, -1)
    for picture in (written, bars, np.full((300, 300, 3), 90, np.uint8)):
        assert find_blocks(picture) == []


@pytest.mark.parametrize(
    "colours", [((0, 128, 0), (0, 0, 0), (255, 255, 255)), ((60, 60, 60), (200, 90, 30), (90, 220, 250))]
)
def test_squares_of_othello_may_be_filled_and_divided_by_lines(colours: tuple[tuple[int, int, int], ...]) -> None:
    """Black lines, which do not show between black squares; the two colours in the middle are the sides'."""
    position = boyi.game("othello").start()
    for number in range(30):
        position = position.play(position.moves[number * 7 % len(position.moves)])
    picture = np.full((560, 620, 3), 255, np.uint8)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            x, y = 60 + 56 * column, 60 + 56 * row
            cv2.rectangle(picture, (x, y), (x + 56, y + 56), colours[" XO".index(text or " ")], -1)
            cv2.rectangle(picture, (x, y), (x + 56, y + 56), (0, 0, 0), 1)
    assert recognise(picture, game=position.game).texts == position.cells
