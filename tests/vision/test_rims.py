"""Boards whose outermost lines are missing, too long, or at the edge of the picture; and stones that hardly show."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

import boyi
from boyi.vision import Reading, recognise

WOOD, PAGE, INK = (120, 180, 220), (90, 60, 50), (30, 30, 30)
BLACK, WHITE = (10, 10, 10), (250, 250, 250)
STEP = 40


def gomoku(size: int) -> boyi.Position:
    position = boyi.game("gomoku", size=size).start()
    for move in ["h8", "g7", "h9", "i7", "c12", "f8", "h7", "h6", "k10", "j11", "d4", "e5"]:
        position = position.play(move)
    return position


def draw_stones(picture: np.ndarray, position: boyi.Position, corner: tuple[int, int], colours=(BLACK, WHITE)) -> None:
    """Stones whose first site is at the corner."""
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            if text:
                spot = corner[0] + STEP * column, corner[1] + STEP * row
                cv2.circle(picture, spot, 17, colours["XO".index(text)], -1, cv2.LINE_AA)


@pytest.mark.parametrize("more", [0, 200])
def test_the_outer_squares_may_have_no_lines(more: int) -> None:
    """Lines only between the squares within the outermost ones, on a board that is the window or lies on a page."""
    picture = np.full((15 * STEP, 15 * STEP, 3), WOOD, np.uint8)
    for k in range(1, 15):
        cv2.line(picture, (STEP, k * STEP), (14 * STEP, k * STEP), INK, 1)
        cv2.line(picture, (k * STEP, STEP), (k * STEP, 14 * STEP), INK, 1)
    position = gomoku(15)
    draw_stones(picture, position, (STEP // 2, STEP // 2))
    picture = cv2.copyMakeBorder(picture, more // 4, more, more, more, cv2.BORDER_CONSTANT, value=PAGE)
    assert recognise(picture).texts == position.cells


def test_a_board_of_points_has_a_margin_of_any_width() -> None:
    picture = np.full((17 * STEP, 17 * STEP, 3), WOOD, np.uint8)
    for k in range(13):
        cv2.line(picture, (2 * STEP, (2 + k) * STEP), (14 * STEP, (2 + k) * STEP), INK, 1)
        cv2.line(picture, ((2 + k) * STEP, 2 * STEP), ((2 + k) * STEP, 14 * STEP), INK, 1)
    position = gomoku(13)
    draw_stones(picture, position, (2 * STEP, 2 * STEP))
    assert recognise(picture).texts == position.cells


def test_lines_may_be_a_square_too_long_on_two_sides() -> None:
    picture = np.full((18 * STEP, 18 * STEP, 3), WOOD, np.uint8)
    for k in range(15):
        cv2.line(picture, (STEP, (1 + k) * STEP), (16 * STEP, (1 + k) * STEP), INK, 2)
        cv2.line(picture, ((1 + k) * STEP, STEP), ((1 + k) * STEP, 16 * STEP), INK, 2)
    position = gomoku(15)
    draw_stones(picture, position, (STEP, STEP))
    assert recognise(picture).texts == position.cells


def test_halves_of_stones_beside_the_lines_show_that_a_line_is_missing() -> None:
    picture = np.full((16 * STEP, 16 * STEP, 3), WOOD, np.uint8)
    for k in range(15):
        cv2.line(picture, (0, (1 + k) * STEP), (15 * STEP, (1 + k) * STEP), INK, 1)
        cv2.line(picture, ((1 + k) * STEP, STEP), ((1 + k) * STEP, 15 * STEP), INK, 1)
    position = gomoku(15)
    draw_stones(picture, position, (STEP, STEP))
    assert recognise(picture).texts == position.cells
    cv2.circle(picture, (0, 5 * STEP), 17, BLACK, -1, cv2.LINE_AA)
    cv2.circle(picture, (0, 9 * STEP), 17, WHITE, -1, cv2.LINE_AA)
    assert recognise(picture).position is None


def test_stones_may_stand_further_and_further_from_the_crossings() -> None:
    picture = np.full((20 * STEP, 20 * STEP, 3), WOOD, np.uint8)
    for k in range(19):
        cv2.line(picture, (STEP, (1 + k) * STEP), (19 * STEP, (1 + k) * STEP), INK, 1)
        cv2.line(picture, ((1 + k) * STEP, STEP), ((1 + k) * STEP, 19 * STEP), INK, 1)
    position = boyi.game("gomoku", size=19).start()
    for move in ["h8", "g7", "h9", "i7", "c12", "f8", "s7", "r6", "k10", "j11", "s19", "a19", "b1", "q2", "p3", "r17"]:
        position = position.play(move)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            if text:
                spot = STEP + round(0.98 * STEP * column), STEP + 2 + round(0.98 * STEP * row)
                cv2.circle(picture, spot, 16, (BLACK, WHITE)["XO".index(text)], -1, cv2.LINE_AA)
    assert recognise(picture).texts == position.cells


def board_in_squares(colours: tuple[tuple[int, int, int], tuple[int, int, int]]) -> tuple[np.ndarray, boyi.Position]:
    picture = np.full((15 * STEP + 60, 15 * STEP + 60, 3), (238, 238, 238), np.uint8)
    for k in range(16):
        cv2.line(picture, (30, 30 + k * STEP), (30 + 15 * STEP, 30 + k * STEP), (90, 90, 90), 1)
        cv2.line(picture, (30 + k * STEP, 30), (30 + k * STEP, 30 + 15 * STEP), (90, 90, 90), 1)
    position = gomoku(15)
    draw_stones(picture, position, (30 + STEP // 2, 30 + STEP // 2), colours)
    return picture, position


@pytest.mark.parametrize("white", [(255, 255, 255), (250, 250, 250), (228, 228, 228)])
def test_white_stones_without_an_outline_show_on_a_nearly_white_board(white: tuple[int, int, int]) -> None:
    picture, position = board_in_squares((BLACK, white))
    assert recognise(picture).texts == position.cells


def test_stones_of_the_boards_own_colour_are_not_invented() -> None:
    picture, _ = board_in_squares((BLACK, (238, 238, 238)))
    assert recognise(picture).position is None


def test_a_stone_beside_the_board_says_whose_turn_it_is() -> None:
    picture = np.full((17 * STEP, 16 * STEP, 3), WOOD, np.uint8)
    for k in range(15):
        cv2.line(picture, (STEP, (2 + k) * STEP), (15 * STEP, (2 + k) * STEP), INK, 1)
        cv2.line(picture, ((1 + k) * STEP, 2 * STEP), ((1 + k) * STEP, 16 * STEP), INK, 1)
    position = gomoku(15)
    draw_stones(picture, position, (STEP, 2 * STEP))
    cv2.circle(picture, (8 * STEP, STEP), 17, WHITE, -1, cv2.LINE_AA)
    assert recognise(picture).texts == position.cells


@pytest.mark.parametrize("closed", [(1, 1, 0, 0), (0, 0, 1, 1), (1, 0, 0, 1)])
def test_a_board_of_squares_may_have_no_lines_on_some_sides(closed: tuple[int, int, int, int]) -> None:
    """Left, right, top and bottom."""
    position = boyi.game("othello").start()
    for move in ["d3", "c3", "c4", "e3", "f4", "c5", "d6", "f5", "f6", "g6"]:
        position = position.play(move)
    side = 8 * STEP
    picture = np.full((side + 160, side + 300, 3), (60, 140, 40), np.uint8)
    for k in range(9):
        if 0 < k < 8 or closed[0 if k == 0 else 1]:
            cv2.line(picture, (80 + k * STEP, 80), (80 + k * STEP, 80 + side), INK, 1)
        if 0 < k < 8 or closed[2 if k == 0 else 3]:
            cv2.line(picture, (80, 80 + k * STEP), (80 + side, 80 + k * STEP), INK, 1)
    draw_stones(picture, position, (80 + STEP // 2, 80 + STEP // 2))
    assert recognise(picture).texts == position.cells


def test_signs_beside_a_board_of_crosses_and_rings_are_a_legend() -> None:
    picture = np.full((800, 860, 3), (255, 255, 255), np.uint8)
    position = gomoku(15)
    sites = [
        (40 + STEP * column, 40 + STEP * row, text)
        for row, texts in enumerate(position.cells)
        for column, text in enumerate(texts)
    ]
    sites += [(40 + 15 * STEP + 16, 40, "X"), (40 + 15 * STEP + 16, 40 + STEP, "O")]
    for x, y, text in sites:
        cv2.rectangle(picture, (x, y), (x + STEP - 4, y + STEP - 4), (20, 20, 20), 1)
        middle = x + STEP // 2 - 2, y + STEP // 2 - 2
        if text == "O":
            cv2.circle(picture, middle, 9, (20, 20, 20), 2, cv2.LINE_AA)
        for way in (-1, 1) if text == "X" else ():
            ends = [(middle[0] + 8 * sign, middle[1] + 8 * sign * way) for sign in (-1, 1)]
            cv2.line(picture, *ends, (20, 20, 20), 2, cv2.LINE_AA)
    assert recognise(picture).texts == position.cells


@pytest.mark.parametrize("colours", [((0, 0, 200), (0, 200, 200)), ((15, 15, 15), (245, 245, 245))])
def test_stones_may_be_filled_squares_between_lines(colours: tuple[tuple[int, int, int], tuple[int, int, int]]) -> None:
    picture = np.full((15 * STEP + 60, 15 * STEP + 60, 3), (120, 90, 60), np.uint8)
    position = gomoku(15)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            x, y = 30 + column * STEP, 30 + row * STEP
            if text:
                cv2.rectangle(picture, (x, y), (x + STEP, y + STEP), colours["XO".index(text)], -1)
    for k in range(16):
        cv2.line(picture, (30, 30 + k * STEP), (30 + 15 * STEP, 30 + k * STEP), (60, 220, 60), 2)
        cv2.line(picture, (30 + k * STEP, 30), (30 + k * STEP, 30 + 15 * STEP), (60, 220, 60), 2)
    assert recognise(picture).texts == position.cells


@pytest.mark.parametrize("wide", [3, 6, 9, 12])
def test_a_heavy_frame_near_the_lines_is_no_stone(wide: int) -> None:
    picture = np.full((18 * STEP, 18 * STEP, 3), PAGE, np.uint8)
    cv2.rectangle(picture, (STEP, STEP), (17 * STEP, 17 * STEP), (224, 237, 240), -1)
    out = STEP // 4 + wide // 2
    cv2.rectangle(picture, (2 * STEP - out, 2 * STEP - out), (16 * STEP + out, 16 * STEP + out), (40, 50, 60), wide)
    for k in range(15):
        cv2.line(picture, (2 * STEP, (2 + k) * STEP), (16 * STEP, (2 + k) * STEP), (60, 80, 90), 1)
        cv2.line(picture, ((2 + k) * STEP, 2 * STEP), ((2 + k) * STEP, 16 * STEP), (60, 80, 90), 1)
    position = gomoku(15)
    draw_stones(picture, position, (2 * STEP, 2 * STEP))
    assert recognise(picture).texts == position.cells


@pytest.mark.parametrize("colour", [BLACK, WHITE])
@pytest.mark.parametrize("off", [(0.25, 0.25), (0.4, 0.2), (0.4, 0.3)])
def test_a_stone_beside_its_place_is_not_lost(off: tuple[float, float], colour: tuple[int, int, int]) -> None:
    picture = np.full((17 * STEP, 17 * STEP, 3), WOOD, np.uint8)
    for k in range(1, 16):
        cv2.line(picture, (STEP, k * STEP), (15 * STEP, k * STEP), INK, 1)
        cv2.line(picture, (k * STEP, STEP), (k * STEP, 15 * STEP), INK, 1)
    draw_stones(picture, gomoku(15), (STEP, STEP))
    assert recognise(picture).position is not None
    spot = round((13 + off[0]) * STEP), round((4 - off[1]) * STEP)
    cv2.circle(picture, spot, 14, colour, -1, cv2.LINE_AA)
    found = recognise(picture)
    assert found.position is None or any(found.texts[row][column] for row, column in ((3, 12), (3, 13), (2, 12)))


def test_a_reading_may_be_of_a_part_of_the_board() -> None:
    picture = np.full((17 * STEP, 17 * STEP, 3), WOOD, np.uint8)
    for k in range(16):
        cv2.line(picture, (STEP, (1 + k) * STEP), (16 * STEP, (1 + k) * STEP), INK, 1)
        cv2.line(picture, ((1 + k) * STEP, STEP), ((1 + k) * STEP, 16 * STEP), INK, 1)
    draw_stones(picture, gomoku(15), (STEP * 3 // 2, STEP * 3 // 2))
    whole = recognise(picture)

    def part(first: int, size: int) -> Reading:
        """The reading of the squares from this row and column on."""
        assert whole.grid is not None
        cells = tuple(row[first : first + size] for row in whole.cells[first : first + size])
        return replace(whole, grid=whole.grid.part(first, first, size, size), cells=cells)

    assert whole.position is not None
    assert part(4, 9).is_part_of(whole)
    assert not whole.is_part_of(part(4, 9))
    assert not part(0, 15).is_part_of(whole)
    assert not part(1, 13).is_part_of(whole)  # no stone is outside it
    assert part(2, 12).is_part_of(whole)  # it is not in the middle
    assert not replace(part(4, 9), position=None).is_part_of(whole)
    assert part(4, 9).is_part_of(replace(whole, position=None, code="pieces"))  # of which colour nobody can tell
    assert not part(4, 9).is_part_of(replace(whole, position=None, code="size"))
    assert part(6, 3).is_part_of(replace(whole, position=None, code="size"))  # tic-tac-toe among more signs


def test_letters_are_no_othello_where_the_squares_go_on_to_the_edge_of_the_picture() -> None:
    """Buttons of nine by nine that fill a window; the first row and column have no lines on the outside."""
    picture = np.full((9 * STEP, 9 * STEP, 3), (245, 235, 220), np.uint8)
    for k in range(1, 10):
        cv2.line(picture, (0, k * STEP - 1), (9 * STEP, k * STEP - 1), (150, 140, 120), 1)
        cv2.line(picture, (k * STEP - 1, 0), (k * STEP - 1, 9 * STEP), (150, 140, 120), 1)
    signs = {(4, 4): "X", (5, 4): "O", (4, 5): "O", (5, 5): "X", (3, 4): "X", (6, 4): "O", (5, 6): "X"}
    for (column, row), sign in signs.items():
        spot = column * STEP + STEP // 2 - 9, row * STEP + STEP // 2 + 9
        cv2.putText(picture, sign, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.8, INK, 2, cv2.LINE_AA)
    found = recognise(picture)
    assert found.position is None or len(found.texts) == 9


def test_half_of_a_longer_board_is_no_board() -> None:
    """Six rows of twelve squares as a terminal draws them; Othello would fit in the half that has discs."""
    picture = np.full((7 * STEP + 40, 13 * STEP + 40, 3), 245, np.uint8)
    for k in range(13):
        for row in range(6):
            at = STEP * (1 + k), STEP * (1 + row) + 12
            cv2.line(picture, at, (at[0], at[1] + 16), (150, 150, 150), 1)
    for k in range(7):
        cv2.line(picture, (STEP, STEP * (1 + k)), (13 * STEP, STEP * (1 + k)), (150, 150, 150), 1)
    position = boyi.game("othello", size=6).start()
    for number in range(8):
        position = position.play(position.moves[number % len(position.moves)])
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            spot = STEP * (7 + column) + STEP // 2, STEP * (1 + row) + STEP // 2
            if text:
                cv2.circle(picture, spot, 9, BLACK, -1 if text == "X" else 1, cv2.LINE_AA)
    found = recognise(picture)
    assert found.position is None
    assert "goes on beyond" in str(found.refused)


def points_board(
    size: int, corner: int = 2, ground: tuple[int, int, int] = WOOD, ink: tuple[int, int, int] = INK
) -> np.ndarray:
    """Lines of a board of points, so many steps from the edges of the picture."""
    picture = np.full(((size - 1 + 2 * corner) * STEP,) * 2 + (3,), ground, np.uint8)
    last = (size - 1 + corner) * STEP
    for k in range(size):
        at = (k + corner) * STEP
        cv2.line(picture, (corner * STEP, at), (last, at), ink, 1)
        cv2.line(picture, (at, corner * STEP), (at, last), ink, 1)
    return picture


def test_white_stones_among_light_lines_are_read() -> None:
    picture = points_board(13, ground=(238, 104, 123), ink=(250, 206, 135))
    game = boyi.game("gomoku", size=13)
    position = game.start()
    for move in ["g7", "h8", "j10", "f7", "h7", "a1"]:
        position = position.play(move)
    for square, text in zip(game.squares, sum(position.cells, ()), strict=True):
        if text:
            row, column = divmod(game.squares.index(square), 13)
            cv2.circle(picture, ((2 + column) * STEP, (2 + row) * STEP), 10, (BLACK, WHITE)["XO".index(text)], -1)
    assert recognise(picture).texts == position.cells


@pytest.mark.parametrize("square", ["a1", "h1", "o9", "o15"])
def test_small_stones_on_the_outermost_lines_are_no_frame(square: str) -> None:
    picture = points_board(15)
    game = boyi.game("gomoku")
    position = game.start()
    for move in ["h8", "g7", "h9", "i7", "c12", "f8", square]:
        position = position.play(move)
    for name, text in zip(game.squares, sum(position.cells, ()), strict=True):
        if text:
            row, column = divmod(game.squares.index(name), 15)
            cv2.circle(picture, ((2 + column) * STEP, (2 + row) * STEP), 10, (BLACK, WHITE)["XO".index(text)], -1)
    found = recognise(picture)
    assert found.position is not None
    assert found.texts == position.cells


@pytest.mark.parametrize("lines", [16, 17])
def test_seventeen_lines_may_be_fifteen_and_a_frame(lines: int) -> None:
    picture = points_board(lines)
    position = gomoku(lines)
    draw_stones(picture, position, (2 * STEP, 2 * STEP))
    assert recognise(picture).code == "size"
    assert recognise(picture, game=position.game).texts == position.cells
    on_rim = position.play("a5")
    draw_stones(picture, on_rim, (2 * STEP, 2 * STEP))
    assert recognise(picture).texts == on_rim.cells


def test_squares_that_fill_the_picture_are_read_to_its_edges() -> None:
    """The first lines are at the very edge, and a frame marks the first square: eight by eight others lie within."""
    picture = np.full((450, 450, 3), 240, np.uint8)
    for at in range(0, 451, 50):
        cv2.line(picture, (at, 0), (at, 450), (0, 0, 0), 1)
        cv2.line(picture, (0, at), (450, at), (0, 0, 0), 1)
    picture[:2, :, :] = picture[:, :2, :] = 240
    cv2.rectangle(picture, (1, 1), (50, 50), (255, 0, 0), 2)
    cv2.line(picture, (60, 310), (90, 340), (255, 0, 0), 3, cv2.LINE_AA)
    cv2.line(picture, (90, 310), (60, 340), (255, 0, 0), 3, cv2.LINE_AA)
    cv2.circle(picture, (125, 375), 16, (0, 0, 130), 3, cv2.LINE_AA)
    found = recognise(picture)
    assert [len(row) for row in found.texts] == [9] * 9
    assert (found.texts[6][1], found.texts[7][2]) == ("X", "O")


def test_buttons_in_uneven_rows_are_no_board() -> None:
    """Rows in which a letter stands are further apart; every other column would make oblong squares of some of them."""
    signs = {(6, 9): "X", (7, 5): "X", (8, 7): "X", (10, 5): "O", (12, 5): "O", (13, 6): "X", (14, 4): "O"}
    picture = np.full((800, 1100, 3), 255, np.uint8)
    y = 167
    for row in range(15):
        lower = 8 * any(row == one for one, _ in signs)
        for column in range(15):
            sign = signs.get((row, column), "")
            left, top = 8 + 30 * column, y + (lower if sign else 0)
            cv2.rectangle(picture, (left, top), (left + 29, top + 29), (118, 118, 118), 1)
            cv2.rectangle(picture, (left + 1, top + 1), (left + 28, top + 28), (239, 239, 239), -1)
            cv2.putText(picture, sign, (left + 10, top + 20), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 1, cv2.LINE_AA)
        y += 31 + (7 if lower else 0)
    found = recognise(picture)
    assert found.position is None or len(found.texts) == 15


def test_a_coloured_square_on_a_point_is_no_stone() -> None:
    """Pale stones on a pale board: around the square there is nearly their colour."""
    picture = np.full((17 * STEP, 17 * STEP, 3), 238, np.uint8)
    for k in range(1, 16):
        cv2.line(picture, (STEP, k * STEP), (15 * STEP, k * STEP), (50, 50, 50), 1)
        cv2.line(picture, (k * STEP, STEP), (k * STEP, 15 * STEP), (50, 50, 50), 1)
    draw_stones(picture, gomoku(15), (STEP, STEP), (BLACK, (255, 255, 255)))
    cv2.rectangle(picture, (13 * STEP - 10, 4 * STEP - 10), (13 * STEP + 10, 4 * STEP + 10), (130, 0, 61), -1)
    assert recognise(picture).texts[3][12] in (None, "")


def test_the_last_row_and_column_of_squares_may_have_no_line_behind_them() -> None:
    position = gomoku(15)
    side = 15 * STEP + 40
    picture = np.full((side, side, 3), 255, np.uint8)
    for k in range(15):
        at = 20 + k * STEP
        cv2.line(picture, (20, at), (side - 20, at), (190, 190, 190), 1)
        cv2.line(picture, (at, 20), (at, side - 20), (190, 190, 190), 1)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            spot = 20 + STEP * column + 12, 20 + STEP * row + 28
            cv2.putText(picture, text, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.75, INK, 2, cv2.LINE_AA)
    assert recognise(picture).texts == position.cells


@pytest.mark.parametrize(("page", "read"), [((200, 225, 200), True), ((255, 255, 255), False)])
def test_eighteen_squares_of_letters_are_all_there_where_their_colour_ends(
    page: tuple[int, int, int], read: bool
) -> None:
    """On a page of the squares' own colour there may be a nineteenth row without lines."""
    signs = {(6, 9): "X", (7, 5): "O", (8, 7): "X", (10, 5): "O", (12, 5): "X", (13, 6): "O", (0, 4): "X"}
    picture = np.full((18 * STEP + 120, 18 * STEP + 160, 3), page, np.uint8)
    cv2.rectangle(picture, (50, 40), (50 + 18 * STEP, 40 + 18 * STEP), (255, 255, 255), -1)
    for k in range(19):
        cv2.line(picture, (50, 40 + k * STEP), (50 + 18 * STEP, 40 + k * STEP), (120, 120, 120), 1)
        cv2.line(picture, (50 + k * STEP, 40), (50 + k * STEP, 40 + 18 * STEP), (120, 120, 120), 1)
    for (row, column), sign in signs.items():
        spot = 50 + STEP * column + 10, 40 + STEP * row + 28
        cv2.putText(picture, sign, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.8, INK, 2, cv2.LINE_AA)
    found = recognise(picture)
    assert (found.position is not None) == read
    if read:
        seen = {
            (row, column): text for row, texts in enumerate(found.texts) for column, text in enumerate(texts) if text
        }
        assert len(found.texts) == 18
        assert seen == signs


@pytest.mark.parametrize("share", [0.3, 0.5])
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_ghost_of_a_stone_is_no_stone(share: float, colour: tuple[int, int, int]) -> None:
    """What a click would do is shown by a stone through which the board shines."""
    picture = points_board(15)
    draw_stones(picture, gomoku(15), (2 * STEP, 2 * STEP))
    ghost = picture.copy()
    cv2.circle(ghost, (7 * STEP, 12 * STEP), 17, colour, -1, cv2.LINE_AA)
    pale = np.asarray(cv2.addWeighted(ghost, share, picture, 1 - share, 0), np.uint8)
    assert recognise(pale).texts == gomoku(15).cells
    cv2.circle(
        pale,
        (12 * STEP, 12 * STEP),
        17,
        [round(0.5 * (a + b)) for a, b in zip(colour, WOOD, strict=True)],
        -1,
        cv2.LINE_AA,
    )
    two = recognise(pale)  # stones that are taken, or a look nobody knows
    assert {two.texts[10][5], two.texts[10][10]} <= {"", None}


def test_a_grey_disc_is_no_white_one() -> None:
    """Nor one of black on which there is a mark."""
    picture = points_board(15)
    draw_stones(picture, gomoku(15), (2 * STEP, 2 * STEP))
    grey = picture.copy()
    mixed = [round(0.5 * (a + b)) for a, b in zip(BLACK, WOOD, strict=True)]
    cv2.circle(grey, (7 * STEP, 12 * STEP), 17, mixed, -1, cv2.LINE_AA)
    assert recognise(grey).texts == gomoku(15).cells
    cv2.circle(grey, (7 * STEP, 12 * STEP), 17, BLACK, 4, cv2.LINE_AA)
    assert recognise(grey).texts[10][5] != ""


def test_crosses_and_rings_may_stand_on_crossings() -> None:
    picture, position = points_board(15, ground=(255, 255, 255)), gomoku(15)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            x, y = (2 + column) * STEP, (2 + row) * STEP
            if text == "O":
                cv2.circle(picture, (x, y), 12, (40, 30, 180), 3, cv2.LINE_AA)
            for down in (-11, 11) if text == "X" else ():
                cv2.line(picture, (x - 11, y - down), (x + 11, y + down), (200, 80, 20), 3, cv2.LINE_AA)
    found = recognise(picture)
    assert found.texts == position.cells
    assert found.position is not None


@pytest.mark.parametrize(("upright", "page"), [(True, 235), (False, 40)])
def test_rows_of_buttons_are_no_part_of_nine_squares(upright: bool, page: int) -> None:
    """A table of five by three: words in the first and the last row, or column, and the board between them."""
    signs = {(0, 0): "X", (1, 1): "O", (2, 0): "X", (2, 2): "O"}
    words = ("1P", "2P", "?", "New", "Undo", "Quit")
    wide, high = (3, 5) if upright else (5, 3)
    picture = np.full((high * 100 + 60, wide * 100 + 200, 3), page, np.uint8)
    for row in range(high):
        for column in range(wide):
            x, y = 40 + 100 * column, 30 + 100 * row
            cv2.rectangle(picture, (x, y), (x + 100, y + 100), (90, 60, 50), -1)
            cv2.rectangle(picture, (x, y), (x + 100, y + 100), (110, 80, 70), 1)
            along, across = (row, column) if upright else (column, row)
            if along in (0, 4):
                word = words[across + 3 * (along == 4)]
                cv2.putText(picture, word, (x + 30, y + 57), cv2.FONT_HERSHEY_SIMPLEX, 0.6, WHITE, 1, cv2.LINE_AA)
            sign = signs.get((row - upright, column - (not upright)))
            if sign == "O":
                cv2.circle(picture, (x + 50, y + 50), 30, (80, 200, 80), 9, cv2.LINE_AA)
            for down in (-28, 28) if sign == "X" else ():
                cv2.line(picture, (x + 22, y + 50 - down), (x + 78, y + 50 + down), (60, 60, 230), 9, cv2.LINE_AA)
    found = recognise(picture)
    assert found.texts == tuple(tuple(signs.get((row, column), "") for column in range(3)) for row in range(3))
