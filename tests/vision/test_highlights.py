"""Stones that are shown in another way than others: a row that won, a selected one, outlines, a ring around one."""

import cv2
import numpy as np
import pytest

import boyi
from boyi.vision import recognise
from boyi.vision.colours import lab
from boyi.vision.marks import covered
from boyi.vision.patches import cut_patches, upright_grid

WOOD, PAGE, INK = (120, 180, 220), (245, 245, 245), (30, 30, 30)
BLACK, WHITE, GREEN = (10, 10, 10), (250, 250, 250), (80, 140, 60)
STEP = 44

Colour = tuple[int, int, int]


def grid(lines: int, ground: Colour = WOOD, margin: int = STEP) -> np.ndarray:
    """So many lines both ways, on a plain ground."""
    wide = (lines - 1) * STEP + 2 * margin
    picture = np.full((wide, wide, 3), ground, np.uint8)
    for k in range(lines):
        at = margin + k * STEP
        cv2.line(picture, (margin, at), (wide - margin, at), INK, 1)
        cv2.line(picture, (at, margin), (at, wide - margin), INK, 1)
    return picture


def disc(picture: np.ndarray, row: int, column: int, colour: Colour, *, wide: int = -1, first: int = STEP) -> None:
    spot = first + column * STEP, first + row * STEP
    cv2.circle(picture, spot, 18, colour, wide, cv2.LINE_AA)


def finished() -> boyi.Position:
    """Black has made a row of five."""
    position = boyi.game("gomoku").start()
    for move in ["h8", "h9", "i8", "i9", "g8", "j9", "c12", "c3", "d12", "d4", "f8", "k3", "l12", "k5", "e8"]:
        position = position.play(move)
    return position


@pytest.mark.parametrize("shade", [(40, 40, 90), (50, 45, 80)])
def test_a_row_that_won_may_have_another_shade(shade: Colour) -> None:
    position = finished()
    assert position.outcome is not None
    picture = grid(15)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            won = row == 7 and 4 <= column <= 8
            if text:
                disc(picture, row, column, shade if won else (BLACK, WHITE)["XO".index(text)])
    assert recognise(picture).texts == position.cells


def test_odd_stones_that_are_no_row_are_unknown() -> None:
    position = finished()
    picture = grid(15)
    odd = {"c3", "h9", "j9"}
    for square, text in zip(position.game.squares, sum(position.cells, ()), strict=True):
        if text:
            row, column = divmod(position.game.squares.index(square), 15)
            disc(picture, row, column, (140, 190, 60) if square in odd else (BLACK, WHITE)["XO".index(text)])
    assert recognise(picture).position is None


NUMBERED = {(0, 0): "R3", (0, 2): "R5", (1, 1): "R1", (1, 3): "B2", (3, 2): "B6", (3, 4): "B4", (4, 3): "B5"}


@pytest.mark.parametrize("points", [True, False])
@pytest.mark.parametrize("selected", [None, (1, 1), (3, 2)])
def test_stones_of_einstein_may_differ_by_their_ink_and_one_be_selected(
    selected: tuple[int, int] | None, points: bool
) -> None:
    """White discs, with a number in the colour of the side, on crossings or in squares."""
    picture = grid(5 if points else 6, (235, 235, 235))
    for (row, column), text in NUMBERED.items():
        ink = (0, 0, 230) if text[0] == "R" else (230, 60, 0)
        first = STEP if points else STEP + STEP // 2
        disc(picture, row, column, (150, 150, 150) if (row, column) == selected else WHITE, first=first)
        disc(picture, row, column, ink, wide=1, first=first)
        place = first + column * STEP - 9, first + row * STEP + 10
        cv2.putText(picture, text[1], place, cv2.FONT_HERSHEY_SIMPLEX, 0.9, ink, 2, cv2.LINE_AA)
    wanted = tuple(tuple(NUMBERED.get((row, column), "") for column in range(5)) for row in range(5))
    assert recognise(picture).texts == wanted


def othello() -> boyi.Position:
    position = boyi.game("othello", size=6).start()
    for move in ["b3", "b4", "a5", "c2", "b1", "e2", "c5", "b5"]:
        position = position.play(move)
    return position


def test_discs_may_be_outlines_in_two_inks() -> None:
    position = othello()
    picture = grid(7, GREEN)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            if text:
                disc(picture, row, column, (BLACK, WHITE)["XO".index(text)], wide=2, first=STEP + STEP // 2)
    assert recognise(picture).texts == position.cells


def test_what_has_a_stones_colour_where_a_stone_would_be_is_no_empty_site() -> None:
    """Also where no other site is empty, and whatever is around it."""
    picture = grid(9, (62, 33, 22))
    red = (96, 69, 233)
    for site in range(64):
        disc(picture, *divmod(site, 8), red, first=STEP + STEP // 2)
    disc(picture, 3, 2, (200, 170, 90), wide=2, first=STEP + STEP // 2)
    middle = STEP + STEP / 2
    patches = cut_patches(picture, upright_grid(middle, middle, STEP, STEP, 8, 8, "squares"))
    colours = lab(np.array([red, (245, 245, 245)], np.float32))
    alone = np.arange(64) == 8 * 3 + 2
    assert covered(patches, alone, colours)[alone].all()


def test_marks_may_stand_on_all_empty_squares() -> None:
    """Discs of a third colour on the last squares of Othello, where its side may play on all of them."""
    rows = ["XXOOOO", "XXXOOO", "XXXXXO", "XXOXOX", "OXXXXO", ".OOOO."]
    position = boyi.game("othello", size=6).compose([[text.strip(".") for text in row] for row in rows], 0)
    assert sorted(position.moves) == ["a6", "f6"]
    picture = grid(7, GREEN)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            colour = {"X": BLACK, "O": WHITE, "": (0, 255, 255)}[text]
            disc(picture, row, column, colour, first=STEP + STEP // 2)
    assert recognise(picture).texts == position.cells


def test_a_page_of_the_boards_colour_is_no_row_of_squares() -> None:
    """Fourteen squares near the top left corner of a white page."""
    wide = 14 * STEP
    picture = np.full((wide + 150, wide + 300, 3), (252, 252, 252), np.uint8)
    left, top = 48, 46
    for k in range(15):
        cv2.line(picture, (left, top + k * STEP), (left + wide, top + k * STEP), (180, 180, 180), 1)
        cv2.line(picture, (left + k * STEP, top), (left + k * STEP, top + wide), (180, 180, 180), 1)
    cv2.rectangle(picture, (left, top), (left + wide, top + wide), BLACK, 3)
    stones = {(4, 8): 0, (5, 6): 1, (6, 9): 0, (5, 9): 1, (7, 7): 0, (3, 7): 1, (8, 6): 0, (9, 9): 1, (7, 4): 0}
    for (row, column), side in stones.items():
        spot = left + STEP // 2 + column * STEP, top + STEP // 2 + row * STEP
        cv2.circle(picture, spot, 16, (BLACK, WHITE)[side], -1, cv2.LINE_AA)
        cv2.circle(picture, spot, 16, BLACK, 1, cv2.LINE_AA)
    wanted = tuple(
        tuple({0: "X", 1: "O", None: ""}[stones.get((row, column))] for column in range(14)) for row in range(14)
    )
    assert recognise(picture).texts == wanted


def test_gomoku_may_have_been_begun_by_white() -> None:
    picture = grid(19)
    for row, column, colour in ((9, 9, WHITE), (8, 9, BLACK), (8, 8, WHITE), (10, 10, BLACK), (7, 7, WHITE)):
        disc(picture, row, column, colour)
    reading = recognise(picture)
    assert reading.game is not None
    assert reading.game.name == "connect6"
    assert reading.others == ("gomoku",)
