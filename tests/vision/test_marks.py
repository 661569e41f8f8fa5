"""Marks that look like pieces, pieces that look like marks, lines that are too long or cut off."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

import boyi
from boyi.vision import recognise
from boyi.vision.cells import Sites, in_quarters, look
from boyi.vision.hints import without_hints
from boyi.vision.judge import doubtful
from boyi.vision.patches import upright_grid
from boyi.vision.second_looks import look_again

BLACK, WHITE, GREEN, INK = (10, 10, 10), (250, 250, 250), (70, 130, 40), (20, 20, 20)
SIDE = 60


def othello() -> boyi.Position:
    position = boyi.game("othello").start()
    for move in ["d3", "c3", "c4", "e3", "f4", "c5", "d6", "f5", "f6", "g6"]:
        position = position.play(move)
    return position


def middle(square: str) -> tuple[int, int]:
    row, column = divmod(boyi.game("othello").squares.index(square), 8)
    return 50 + SIDE // 2 + SIDE * column, 40 + SIDE // 2 + SIDE * row


def othello_board(
    position: boyi.Position,
    radius: int = 25,
    colours: tuple[tuple[int, int, int], tuple[int, int, int]] = (BLACK, WHITE),
) -> np.ndarray:
    """Discs on green squares with lines around them."""
    picture = np.full((8 * SIDE + 80, 8 * SIDE + 140, 3), (225, 225, 225), np.uint8)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            x, y = 50 + SIDE * column, 40 + SIDE * row
            cv2.rectangle(picture, (x, y), (x + SIDE, y + SIDE), GREEN, -1)
            cv2.rectangle(picture, (x, y), (x + SIDE, y + SIDE), INK, 2)
            if text:
                spot = x + SIDE // 2, y + SIDE // 2
                cv2.circle(picture, spot, radius, colours["XO".index(text)], -1, cv2.LINE_AA)
    return picture


def test_rings_as_large_as_stones_mark_empty_squares() -> None:
    picture = othello_board(othello())
    for move in othello().moves:
        cv2.circle(picture, middle(move), 25, (150, 190, 140), 2, cv2.LINE_AA)
    assert recognise(picture).texts == othello().cells


@pytest.mark.parametrize(("radius", "colour"), [(25, (30, 160, 120)), (25, (200, 200, 200)), (15, (200, 200, 200))])
@pytest.mark.parametrize("turn", [0, 1])
def test_discs_of_a_third_colour_mark_legal_moves(turn: int, radius: int, colour: tuple[int, int, int]) -> None:
    position = boyi.game("othello").compose(othello().cells, turn)
    picture = othello_board(position, radius)
    for move in position.moves:
        cv2.circle(picture, middle(move), radius, colour, -1, cv2.LINE_AA)
    found = recognise(picture)
    assert found.texts == position.cells
    assert found.position is not None
    assert found.position.turn == turn


def test_a_stone_across_a_line_is_not_lost() -> None:
    picture = othello_board(othello(), 14)
    assert recognise(picture).position is not None
    x, y = middle("b2")
    cv2.circle(picture, (x + SIDE // 2, y), 14, BLACK, -1, cv2.LINE_AA)
    assert recognise(picture).position is None


@pytest.mark.parametrize("radius", [11, 17])
def test_light_grey_discs_mark_legal_moves(radius: int) -> None:
    picture = othello_board(othello(), radius, ((0, 0, 0), (255, 255, 255)))
    for move in othello().moves:
        cv2.circle(picture, middle(move), radius, (210, 210, 210), -1, cv2.LINE_AA)
    picture = cv2.resize(picture, None, fx=1.3, fy=1.3, interpolation=cv2.INTER_CUBIC)
    assert recognise(picture).texts == othello().cells


def test_rings_on_a_chequered_board_mark_legal_moves() -> None:
    position = othello()
    picture = othello_board(position, 0)
    for number, (square, text) in enumerate(zip(position.game.squares, sum(position.cells, ()), strict=True)):
        x, y = middle(square)
        green = (20, 160, 0) if (number + number // 8) % 2 else (16, 130, 0)
        cv2.rectangle(picture, (x - SIDE // 2, y - SIDE // 2), (x + SIDE // 2, y + SIDE // 2), green, -1)
        if text:
            cv2.circle(picture, (x, y), 25, (BLACK, WHITE)["XO".index(text)], -1, cv2.LINE_AA)
        if text or square in position.moves:
            cv2.circle(picture, (x, y), 25, BLACK, 1, cv2.LINE_AA)
    assert recognise(picture).texts == position.cells


def test_only_stones_are_looked_at_more_closely_and_no_dots() -> None:
    grid = upright_grid(50 + SIDE / 2, 40 + SIDE / 2, SIDE, SIDE, 8, 8, "squares")
    assert len(list(look_again(othello_board(othello(), 14), grid, None))) == 1
    picture = othello_board(othello(), 26)
    for move in othello().moves:
        cv2.circle(picture, middle(move), 9, (150, 190, 140), -1, cv2.LINE_AA)
    assert not list(look_again(picture, grid, None))


def test_discs_of_a_third_colour_elsewhere_are_no_marks() -> None:
    position = othello()
    picture = othello_board(position)
    for square in ("a1", "b1", "h1", "a8", "b7", "h8"):
        assert square not in position.moves
        cv2.circle(picture, middle(square), 25, (30, 160, 120), -1, cv2.LINE_AA)
    assert recognise(picture).position is None


@pytest.mark.parametrize("radius", [8, 11, 15, 20])
def test_small_stones_are_read(radius: int) -> None:
    assert recognise(othello_board(othello(), radius)).texts == othello().cells


@pytest.mark.parametrize("rim", [0, 20])
def test_discs_on_a_plain_board_are_read_without_lines(rim: int) -> None:
    picture = np.full((620, 700, 3), (60, 95, 150), np.uint8)
    cv2.rectangle(picture, (50 - rim, 40 - rim), (50 + 8 * SIDE + rim, 40 + 8 * SIDE + rim), GREEN, -1)
    for square, text in zip(othello().game.squares, sum(othello().cells, ()), strict=True):
        if text:
            cv2.circle(picture, middle(square), 25, (BLACK, WHITE)["XO".index(text)], -1, cv2.LINE_AA)
    assert recognise(picture).texts == othello().cells


def test_two_colours_that_are_equally_light_are_not_black_and_white() -> None:
    found = recognise(othello_board(othello(), 25, ((230, 216, 173), (203, 192, 255))))
    assert found.code == "pieces"
    assert "equally light" in str(found.refused)


def crosses(signs: dict[tuple[int, int], tuple[str, int]]) -> np.ndarray:
    """(column, row) -> sign and how dark it is, on white buttons of 110 by 90 that fill the picture."""
    picture = np.full((276, 336, 3), 250, np.uint8)
    for column in range(3):
        for row in range(3):
            x, y = 2 + 112 * column, 2 + 92 * row
            cv2.rectangle(picture, (x, y), (x + 107, y + 87), (215, 215, 215), -1)
            cv2.line(picture, (x, y + 88), (x + 108, y + 88), (120, 120, 120), 2)
            cv2.line(picture, (x + 108, y), (x + 108, y + 88), (120, 120, 120), 2)
    for (column, row), (sign, ink) in signs.items():
        spot = 42 + 112 * column, 56 + 92 * row
        cv2.putText(picture, sign, spot, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (ink,) * 3, 3, cv2.LINE_AA)
    return picture


def test_the_edges_of_the_picture_may_be_lines_of_the_board() -> None:
    found = recognise(crosses({(0, 0): ("X", 10), (1, 1): ("O", 10), (2, 2): ("X", 10)}))
    assert found.texts == (("X", "", ""), ("", "O", ""), ("", "", "X"))


def test_rings_may_have_begun() -> None:
    found = recognise(crosses({(0, 0): ("O", 10), (1, 1): ("O", 10), (2, 2): ("X", 10)}))
    assert found.position is not None
    assert (found.position.key, found.position.turn) == ("O2/1O1/2X", 0)


def test_a_single_ring_on_nine_squares_is_a_piece() -> None:
    found = recognise(crosses({(2, 1): ("O", 10)}))
    assert found.position is not None
    assert (found.position.key, found.position.turn) == ("3/2O/3", 0)


@pytest.mark.parametrize("sign", [".", "_", "-"])
def test_the_same_sign_on_every_empty_square_is_a_placeholder(sign: str) -> None:
    squares = {(column, row): (sign, 10) for column in range(3) for row in range(3)}
    found = recognise(crosses(squares | {(0, 0): ("X", 10), (1, 1): ("O", 10), (2, 2): ("X", 10)}))
    assert found.texts == (("X", "", ""), ("", "O", ""), ("", "", "X"))


def test_a_pale_sign_may_be_what_a_click_would_do() -> None:
    found = recognise(crosses({(0, 0): ("X", 10), (1, 1): ("O", 10), (2, 2): ("X", 150)}))
    assert found.position is None
    assert found.texts[0][0] == "X"


def test_a_single_sign_that_is_paler_than_the_other_sides_may_be_what_a_click_would_do() -> None:
    found = recognise(crosses({(0, 0): ("X", 10), (1, 1): ("O", 175)}))
    assert found.position is None
    assert found.texts[0][0] == "X"


def test_pale_signs_on_all_other_squares_show_what_a_click_would_do() -> None:
    taken = {(0, 0): ("O", 10), (1, 1): ("X", 10), (2, 0): ("O", 10)}
    squares = {(column, row): ("X", 165) for column in range(3) for row in range(3)}
    found = recognise(crosses(squares | taken))
    assert found.texts == (("O", "", "O"), ("", "X", ""), ("", "", ""))


def test_a_frame_as_large_as_the_signs_is_no_empty_square() -> None:
    picture = crosses({(0, 0): ("O", 10)})
    cv2.rectangle(picture, (112 + 42, 92 + 34), (112 + 42 + 20, 92 + 34 + 20), (10, 10, 10), 3)
    assert recognise(picture).position is None


def test_stars_of_the_board_are_no_signs_beside_letters() -> None:
    picture = np.full((20 * 30, 20 * 30, 3), (120, 180, 220), np.uint8)
    for k in range(1, 20):
        cv2.line(picture, (30, 30 * k), (570, 30 * k), (40, 60, 80), 1)
        cv2.line(picture, (30 * k, 30), (30 * k, 570), (40, 60, 80), 1)
    for row in (4, 10, 16):
        for column in (4, 10, 16):
            cv2.circle(picture, (30 * column, 30 * row), 4, (20, 40, 60), -1, cv2.LINE_AA)
    signs = {(10, 9): "X", (9, 9): "O", (11, 10): "X", (9, 10): "O", (12, 11): "X", (8, 8): "O"}
    for (column, row), sign in signs.items():
        spot = 30 * column - 9, 30 * row + 9
        cv2.putText(picture, sign, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.9, (10, 10, 10), 2, cv2.LINE_AA)
    found = recognise(picture)
    read = {(y + 1, x + 1): text for x, row in enumerate(found.texts) for y, text in enumerate(row) if text != ""}
    assert read == signs


def test_one_strong_sign_is_the_last_move_and_makes_no_others_pale() -> None:
    signs = {(0, 0): ("X", 160), (1, 1): ("O", 150), (2, 2): ("X", 160), (0, 2): ("O", 150), (1, 2): ("X", 10)}
    assert recognise(crosses(signs)).texts == (("X", "", ""), ("", "O", ""), ("O", "X", "X"))


@pytest.mark.parametrize("high", [13, 16])
def test_signs_may_be_tiny_on_large_squares(high: int) -> None:
    picture = np.full((640, 640, 3), 240, np.uint8)
    for at in range(20, 640, 200):
        cv2.line(picture, (20, at), (620, at), (150, 150, 150), 2)
        cv2.line(picture, (at, 20), (at, 620), (150, 150, 150), 2)
    for (column, row), sign in {(0, 0): "X", (1, 1): "O", (2, 1): "X", (1, 2): "O"}.items():
        spot = 115 + 200 * column, 125 + 200 * row
        cv2.putText(picture, sign, spot, cv2.FONT_HERSHEY_SIMPLEX, high / 21, INK, 1, cv2.LINE_AA)
    assert recognise(picture).texts == (("X", "", ""), ("", "O", "X"), ("", "O", ""))


def test_rings_on_nine_squares_may_be_filled() -> None:
    picture = crosses({(0, 0): ("X", 10), (2, 2): ("X", 10), (2, 0): ("X", 10)})
    step = picture.shape[0] / 3
    spots = [(1, 1), (1, 0)]
    for column, row in spots:
        middle = round((column + 0.5) * step), round((row + 0.5) * step)
        cv2.circle(picture, middle, round(0.25 * step), (40, 190, 240), -1, cv2.LINE_AA)
    assert recognise(picture).texts == (("X", "O", "X"), ("", "O", ""), ("", "", "X"))


def test_letters_in_bare_squares_are_notes_where_stones_fill_theirs() -> None:
    game = boyi.game("gomoku")
    position = game.start()
    for move in ["h8", "g7", "g8", "f8", "j8", "k9", "h9", "h7", "f9", "e10", "g10", "e7"]:
        position = position.play(move)
    picture = np.full((660, 660, 3), (60, 200, 250), np.uint8)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            x, y = 30 + 40 * column, 30 + 40 * row
            if text:
                cv2.rectangle(picture, (x, y), (x + 40, y + 40), (BLACK, WHITE)["XO".index(text)], -1)
            cv2.rectangle(picture, (x, y), (x + 40, y + 40), (120, 120, 120), 1)
            if 0 in (row, column):
                sign = "ABCDEFGHIJKLMNO"[row] if column == 0 else str(column + 1)
                cv2.putText(picture, sign, (x + 10, y + 28), cv2.FONT_HERSHEY_SIMPLEX, 0.65, INK, 2, cv2.LINE_AA)
    assert recognise(picture).texts == position.cells


def test_shadows_do_not_make_quarters_of_discs() -> None:
    """Light grey discs on white, with a shadow at the lower right."""
    picture = othello_board(othello(), 0)
    for square, text in zip(othello().game.squares, sum(othello().cells, ()), strict=True):
        x, y = middle(square)
        cv2.rectangle(picture, (x - SIDE // 2, y - SIDE // 2), (x + SIDE // 2, y + SIDE // 2), WHITE, -1)
        cv2.rectangle(picture, (x - SIDE // 2, y - SIDE // 2), (x + SIDE // 2, y + SIDE // 2), (180, 180, 180), 3)
        if text:
            cv2.circle(picture, (x + 3, y + 3), 23, (190, 190, 190), -1, cv2.LINE_AA)
            cv2.circle(picture, (x, y), 23, (BLACK, (226, 226, 226))["XO".index(text)], -1, cv2.LINE_AA)
    assert recognise(picture).texts == othello().cells


def test_discs_that_touch_thick_lines_are_no_quarters() -> None:
    position = boyi.game("othello").start().play("f5")
    picture = np.full((600, 800, 3), WHITE, np.uint8)
    cv2.rectangle(picture, (5, 5), (190, 190), (0, 128, 0), -1)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            if text:
                spot = 21 + 23 * column, 21 + 23 * row
                cv2.circle(picture, spot, 10, (0, 0, 0), -1, cv2.LINE_AA)
                cv2.circle(picture, spot, 7, ((0, 0, 0), WHITE)["XO".index(text)], -1, cv2.LINE_AA)
    for at in range(6, 191, 23):
        cv2.rectangle(picture, (at, 6), (at + 2, 192), (0, 0, 0), -1)
        cv2.rectangle(picture, (6, at), (192, at + 2), (0, 0, 0), -1)
    found = recognise(picture)
    assert found.position is not None
    assert found.texts == position.cells


def test_quarters_of_discs_are_no_stones() -> None:
    picture = np.full((560, 560, 3), GREEN, np.uint8)
    for at in range(40, 521, 30):
        cv2.line(picture, (40, at), (520, at), INK, 1)
        cv2.line(picture, (at, 40), (at, 520), INK, 1)
    for row, texts in enumerate(othello().cells):
        for column, text in enumerate(texts):
            if text:
                spot = 70 + 60 * column, 70 + 60 * row
                cv2.circle(picture, spot, 25, (BLACK, WHITE)["XO".index(text)], -1, cv2.LINE_AA)
    assert in_quarters(look(picture, upright_grid(55, 55, 30, 30, 16, 16, "squares")))
    assert not in_quarters(look(picture, upright_grid(70, 70, 60, 60, 8, 8, "squares")))
    assert recognise(picture).texts == othello().cells


def test_discs_of_othello_may_be_letters() -> None:
    picture = othello_board(othello(), 0)
    for square, text in zip(othello().game.squares, sum(othello().cells, ()), strict=True):
        x, y = middle(square)
        cv2.rectangle(picture, (x - 6, y - 6), (x + 6, y + 6), GREEN, -1)
        if text:
            cv2.putText(picture, text, (x - 14, y + 14), cv2.FONT_HERSHEY_SIMPLEX, 1.3, BLACK, 3, cv2.LINE_AA)
    found = recognise(picture)
    assert found.texts == othello().cells
    assert found.game is not None
    assert found.game.name == "othello"


def test_letters_may_be_question_marks_on_all_legal_moves() -> None:
    position = othello()
    picture = othello_board(position, 0)
    for square, text in zip(position.game.squares, sum(position.cells, ()), strict=True):
        x, y = middle(square)
        cv2.rectangle(picture, (x - 6, y - 6), (x + 6, y + 6), GREEN, -1)
        sign = text or ("?" if square in position.moves else "")
        cv2.putText(picture, sign, (x - 14, y + 14), cv2.FONT_HERSHEY_SIMPLEX, 1.3, BLACK, 3, cv2.LINE_AA)
    found = recognise(picture)
    assert found.texts == position.cells
    assert found.position is not None
    assert found.position.turn == position.turn


@pytest.mark.parametrize("both", [True, False])
def test_the_outermost_squares_of_a_table_may_be_headings(both: bool) -> None:
    position, squares = othello(), 10 if both else 9
    picture = np.full((squares * SIDE + 80, squares * SIDE + 140, 3), (245, 245, 245), np.uint8)
    for row in range(squares):
        for column in range(squares):
            x, y = 50 + SIDE * column, 40 + SIDE * row
            cv2.rectangle(picture, (x, y), (x + SIDE, y + SIDE), INK, 1)
            outside = not (0 < row < 9 and 0 < column < 9)
            if outside and (row % 9 or column % 9):
                text = "ABCDEFGH"[column - 1] if row in (0, 9) else str(row)
                cv2.putText(picture, text, (x + 20, y + 40), cv2.FONT_HERSHEY_SIMPLEX, 0.8, INK, 2, cv2.LINE_AA)
            elif not outside and position.cells[row - 1][column - 1]:
                colour = (BLACK, (150, 150, 150))["XO".index(position.cells[row - 1][column - 1])]
                cv2.circle(picture, (x + SIDE // 2, y + SIDE // 2), 25, colour, -1, cv2.LINE_AA)
    assert recognise(picture).texts == position.cells


EINSTEIN = (
    ("R1", "", "R3", "", ""),
    ("R4", "R5", "R2", "", ""),
    ("", "", "", "B5", "B6"),
    ("R6", "", "", "", "B1"),
    ("", "", "B4", "B2", ""),
)


def worded(words: dict[str, str]) -> np.ndarray:
    """EinStein on coloured buttons that bear a word each, its number last."""
    picture = np.full((470, 560, 3), 225, np.uint8)
    for row, texts in enumerate(EINSTEIN):
        for column, text in enumerate(texts):
            x, y = 40 + 96 * column, 30 + 82 * row
            colour = (245, 245, 245) if not text else (200, 200, 255) if text[0] == "R" else (255, 215, 190)
            cv2.rectangle(picture, (x, y), (x + 90, y + 76), colour, -1)
            cv2.rectangle(picture, (x, y), (x + 90, y + 76), (130, 130, 130), 1)
            if text:
                label = words.get(text, words[text[0]]) + text[1]
                cv2.putText(picture, label, (x + 22, y + 46), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("words", [{"R": "R", "B": "B"}, {"R": "Red ", "B": "Blue "}])
def test_numbers_may_stand_behind_words(words: dict[str, str]) -> None:
    assert recognise(worded(words)).texts == EINSTEIN


PIPS = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)], 4: [(-1, -1), (1, -1), (-1, 1), (1, 1)]}
PIPS |= {5: [*PIPS[4], (0, 0)], 6: [*PIPS[4], (-1, 0), (1, 0)]}


def dice(radius: int, also: int = 0) -> np.ndarray:
    """EinStein's stones as the faces of dice; `also` is the radius of a larger pip on one of them."""
    picture = np.full((5 * 80 + 60, 5 * 80 + 80, 3), (215, 225, 220), np.uint8)
    for row, texts in enumerate(EINSTEIN):
        for column, text in enumerate(texts):
            x, y = 40 + 80 * column, 30 + 80 * row
            cv2.rectangle(picture, (x, y), (x + 80, y + 80), INK, 2)
            if text:
                colour = (60, 50, 220) if text[0] == "R" else (220, 110, 40)
                cv2.rectangle(picture, (x + 12, y + 12), (x + 68, y + 68), colour, -1)
                for right, down in PIPS[int(text[1])]:
                    spot = x + 40 + 15 * right, y + 40 + 15 * down
                    cv2.circle(picture, spot, radius, WHITE, -1, cv2.LINE_AA)
                if also and text == "R1":
                    cv2.circle(picture, (x + 40, y + 40), also, WHITE, -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("radius", [4, 6])
def test_stones_may_be_dice(radius: int) -> None:
    assert recognise(dice(radius)).texts == EINSTEIN


def test_what_is_larger_than_pips_is_no_number() -> None:
    found = recognise(dice(5, also=14))
    assert found.position is None


@pytest.mark.parametrize("place", [(37, 52), (12, 28), (62, 78)])
def test_numbers_on_filled_squares_may_be_small_and_in_a_corner(place: tuple[int, int]) -> None:
    picture = np.full((5 * 90 + 60, 5 * 90 + 80, 3), (230, 236, 236), np.uint8)
    for row, texts in enumerate(EINSTEIN):
        for column, text in enumerate(texts):
            x, y = 40 + 90 * column, 30 + 90 * row
            colour = {"R": (0, 0, 255), "B": (255, 0, 0), "": (245, 250, 250)}[text[:1]]
            cv2.rectangle(picture, (x + 4, y + 4), (x + 86, y + 86), colour, -1)
            cv2.rectangle(picture, (x + 4, y + 4), (x + 86, y + 86), (130, 130, 130), 1)
            ink, spot = INK if text[:1] == "R" else WHITE, (x + place[0], y + place[1])
            cv2.putText(picture, text[1:], spot, cv2.FONT_HERSHEY_SIMPLEX, 0.7, ink, 2, cv2.LINE_AA)
    assert recognise(picture).texts == EINSTEIN


def test_larger_numbers_are_no_words() -> None:
    found = recognise(worded({"R": "1", "R3": "4", "R5": "7", "B": "2", "B6": "3"}))
    assert found.position is None


STONES = {(7, 7): 0, (8, 7): 1, (7, 8): 0, (6, 6): 1, (13, 9): 0, (3, 11): 1}


def lines_and_stones(picture: np.ndarray, first: tuple[int, int], lines: int, ends: tuple[int, int]) -> None:
    """Lines 36 pixels apart, from so far before the first to so far beyond the last, and stones on their crossings."""
    (x, y), last = first, 36 * (lines - 1)
    for k in range(0, last + 1, 36):
        cv2.line(picture, (x + k, y - ends[0]), (x + k, y + last + ends[1]), INK, 1)
        cv2.line(picture, (x - ends[0], y + k), (x + last + ends[1], y + k), INK, 1)
    for (column, row), player in STONES.items():
        cv2.circle(picture, (x + 36 * column, y + 36 * row), 16, (BLACK, WHITE)[player], -1, cv2.LINE_AA)


def stones_read(picture: np.ndarray, game: boyi.Game) -> dict[tuple[int, int], int]:
    found = recognise(picture)
    assert found.game == game
    return {(x, y): "XO".find(text or " ") for y, row in enumerate(found.texts) for x, text in enumerate(row) if text}


def test_lines_that_are_only_long_lead_to_no_further_line() -> None:
    picture = np.full((640, 700, 3), (140, 185, 222), np.uint8)
    lines_and_stones(picture, (40, 40), 15, (0, 36))
    assert stones_read(picture, boyi.game("gomoku")) == STONES


def test_points_may_be_cells_with_crosses_in_them() -> None:
    """Of a number that no usual board has: the lines end half a pitch beyond the points, at the edge of the board."""
    picture = np.full((620, 700, 3), 240, np.uint8)
    cv2.rectangle(picture, (40, 30), (40 + 14 * 36, 30 + 14 * 36), (135, 184, 222), -1)
    lines_and_stones(picture, (58, 48), 14, (18, 18))
    assert stones_read(picture, boyi.game("gomoku", size=14)) == STONES


def test_large_stars_of_the_board_are_no_stones() -> None:
    blue, step = (255, 0, 0), 30
    picture = np.full((520, 520, 3), 240, np.uint8)
    for at in range(50, 50 + 15 * step, step):
        cv2.line(picture, (50, at), (50 + 14 * step, at), blue, 2)
        cv2.line(picture, (at, 50), (at, 50 + 14 * step), blue, 2)
    for column, row in ((3, 3), (11, 3), (7, 7), (3, 11), (11, 11)):
        cv2.circle(picture, (50 + step * column, 50 + step * row), 9, blue, -1, cv2.LINE_AA)
    position = boyi.game("gomoku").start()
    for move in ["e5", "f6", "e7", "g7", "k9", "l10", "f9", "j4", "i12", "c8"]:
        position = position.play(move)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            if text:
                colour = (0, 0, 255) if text == "X" else (0, 255, 0)
                cv2.circle(picture, (50 + step * column, 50 + step * row), 12, colour, -1, cv2.LINE_AA)
                cv2.circle(picture, (50 + step * column, 50 + step * row), 12, (0, 0, 0), 1, cv2.LINE_AA)
    assert recognise(picture).texts == position.cells
    assert recognise(picture).position is not None


def test_signs_on_all_legal_moves_of_a_side_are_marks() -> None:
    """Whatever the net takes them for: not if one of them is missing, or one more is there."""
    position = othello()
    grid = upright_grid(50 + SIDE / 2, 40 + SIDE / 2, SIDE, SIDE, 8, 8, "squares")
    picture = othello_board(position)
    for move in position.moves:
        x, y = middle(str(move))
        cv2.fillPoly(picture, [np.array([(x, y - 22), (x + 20, y + 16), (x - 20, y + 16)])], BLACK, cv2.LINE_AA)
    plain = look(picture, grid)
    moves = [boyi.game("othello").squares.index(str(move)) for move in position.moves]

    def signed(squares: list[int]) -> tuple[Sites, int] | None:
        shares, trust, side = plain.shares.copy(), plain.trust.copy(), plain.side.copy()
        side[moves], shares[moves], trust[moves] = -1, [1, 0, 0, 0, 0], 1.0
        shares[squares], trust[squares] = [0.3, 0, 0, 0, 0.7], 0.0
        return without_hints(replace(plain, shares=shares, trust=trust, side=side), boyi.game("othello"))

    found = signed(moves)
    assert found is not None
    assert found[1] == position.turn
    assert doubtful(found[0], found[0].trust) == ()
    assert signed(moves[1:]) is None
    assert signed([*moves, 0]) is None
