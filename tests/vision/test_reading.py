"""From pictures to positions: our boards, other looks, damage, corners, foreign programs, and pictures of no board."""

from pathlib import Path

import cv2
import numpy as np
import pytest

import boyi
from boyi.bench.vision import SCREENS, right_board, screens
from boyi.vision import draw_over, recognise
from boyi.vision.cells import look, share_of_stones
from boyi.vision.damage import DAMAGE, on_desktop
from boyi.vision.nets import NUMBERS
from boyi.vision.numbers import assign_numbers
from boyi.vision.patches import Grid, cut_patches
from boyi.vision.rims import goes_on
from boyi.vision.sources import SOURCES, negative, own_board, plain_board, strange_board

POSITIONS = {
    "othello": "d3 c3 c4 e3 f4 c5 d6",
    "gomoku:size=9": "e5 d6 e6 e4 f5 g5",
    "tictactoe": "b2 a1 c3 b1",
}


def picture_of(svg: str) -> np.ndarray:
    data = np.frombuffer(boyi.draw.png(svg), np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def played(name: str, moves: str) -> boyi.Position:
    position = boyi.game(name).start()
    for move in moves.split():
        position = position.play(move)
    return position


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", POSITIONS)
def test_our_own_boards_are_read(name: str, theme: str) -> None:
    position = played(name, POSITIONS[name])
    found = recognise(picture_of(position.svg(theme=theme, size=520)))
    assert found.refused is None
    assert found.position is not None
    assert found.position.cells == position.cells
    assert found.position.turn == position.turn
    assert found.confidence > 0.7


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_einstein_with_its_numbers_its_turn_and_its_die(theme: str) -> None:
    position = boyi.game("einstein").start(setup="1 2 13 6 0 11 / 25 24 20 0 19 15", first="blue")
    picture = picture_of(position.svg(theme=theme, size=480))
    found = recognise(picture, turn=1, die=4)
    assert found.position is not None
    assert found.position.cells == position.cells
    assert found.position.key.endswith("blue 4")


def test_connect6_is_told_from_gomoku_by_the_stones() -> None:
    position = played("connect6", "k10 l11 l9 j9 j11")
    found = recognise(picture_of(position.svg(size=640)))
    assert found.game is not None
    assert found.game.name == "connect6"
    assert found.texts == position.cells


def test_a_given_game_is_believed() -> None:
    position = played("gomoku", "h8 h9")
    found = recognise(picture_of(position.svg(size=600)), game=boyi.game("connect6"))
    assert found.game == boyi.game("connect6", size=15)
    refused = recognise(picture_of(position.svg(size=600)), game=boyi.game("tictactoe"))
    assert refused.refused is not None
    assert "15" in refused.refused


def test_corners_show_the_board() -> None:
    position = played("othello", "d3 c3 c4")
    picture = picture_of(position.svg(size=480))
    whole = recognise(picture)
    assert whole.grid is not None
    corners = whole.grid.at(np.array([[-0.5, -0.5], [7.5, -0.5], [7.5, 7.5], [-0.5, 7.5]]))
    found = recognise(picture, corners=[tuple(point) for point in corners.tolist()])
    assert found.texts == position.cells
    with pytest.raises(boyi.GameError, match="clockwise"):
        recognise(picture, corners=[(0, 0), (0, 100), (100, 100), (100, 0)])
    with pytest.raises(boyi.GameError, match="four points"):
        recognise(picture, corners=[(0, 0), (100, 0)])


@pytest.mark.parametrize("name", ["gomoku:size=9", "othello:size=6"])
def test_the_outline_that_was_found_can_be_given_as_corners(name: str) -> None:
    position = played(name, "c2" if name.startswith("othello") else "e5 d6 e6")
    picture = picture_of(position.svg(size=400))
    found = recognise(picture)
    assert found.grid is not None
    again = recognise(picture, corners=[(float(x), float(y)) for x, y in found.grid.outline])
    assert again.texts == found.texts == position.cells


def test_the_reason_of_a_refusal_has_a_code() -> None:
    assert recognise(np.full((200, 300, 3), 240, np.uint8)).code == "no_board"
    stones = played("gomoku:size=9", "e5 d6 e6")
    found = recognise(picture_of(stones.svg(size=400)), game=boyi.game("einstein"))
    assert (found.code, found.refused is None) == ("size", False)


def test_einstein_in_every_look_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fat numbers, tiles that fill their squares, badges on their corners."""
    monkeypatch.setattr("boyi.vision.sources.GAMES", ("einstein",))
    random = np.random.default_rng(21)
    for source in ("own light", "own dark", "plain"):
        for _ in range(3):
            scene = SOURCES[source](random)
            assert recognise(scene.picture).texts == scene.cells


NUMBERED = {(0, 0): "R1", (1, 3): "R4", (2, 2): "R6", (2, 3): "B2", (4, 1): "B5", (4, 4): "B3"}
"""EinStein's stones by row and column."""


def einstein_board(look: str) -> np.ndarray:
    """Tiles on a chequered board, circles and numbers in the side's colour on white, or buttons wider than high."""
    wide, high = (150, 80) if look == "buttons" else (90, 90)
    picture = np.full((5 * high + 80, 5 * wide + 80, 3), 225, np.uint8)
    for row in range(5):
        for column in range(5):
            x, y = 40 + column * wide, 40 + row * high
            text = NUMBERED.get((row, column), "")
            colour = {"R": (40, 30, 200), "B": (215, 70, 40)}.get(text[:1], (225, 225, 225))
            if look == "chequered":
                under = (160, 215, 240) if (row + column) % 2 else (80, 130, 180)
                cv2.rectangle(picture, (x, y), (x + wide, y + high), under, -1)
                if text:
                    cv2.rectangle(picture, (x + 12, y + 12), (x + 78, y + 78), colour, -1)
            elif look == "circles":
                cv2.rectangle(picture, (x, y), (x + wide, y + high), (255, 255, 255), -1)
                cv2.rectangle(picture, (x, y), (x + wide, y + high), (0, 0, 0), 2)
                if text:
                    cv2.circle(picture, (x + 45, y + 45), 34, colour, 4, cv2.LINE_AA)
            else:
                cv2.rectangle(picture, (x + 1, y + 1), (x + wide - 2, y + high - 2), colour, -1)
                cv2.rectangle(picture, (x + 1, y + 1), (x + wide - 2, y + high - 2), (120, 120, 120), 2)
            ink = colour if look == "circles" else (255, 255, 255)
            place = (x + wide // 2 - 14, y + high // 2 + 15)
            cv2.putText(picture, text[1:], place, cv2.FONT_HERSHEY_DUPLEX, 1.3, ink, 3, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("look", ["chequered", "circles", "buttons"])
def test_einstein_as_small_programs_draw_it(look: str) -> None:
    wanted = tuple(tuple(NUMBERED.get((row, column), "") for column in range(5)) for row in range(5))
    assert recognise(einstein_board(look)).texts == wanted


def discs_with_small_numbers(stones: dict[tuple[int, int], str]) -> np.ndarray:
    """Large white and black discs with a small number each, between thin lines on wood."""
    picture = np.full((5 * 140 + 28, 5 * 140, 3), (105, 178, 210), np.uint8)
    for k in range(6):
        cv2.line(picture, (140 * k, 0), (140 * k, 700), (0, 0, 0), 1)
        cv2.line(picture, (0, 140 * k), (700, 140 * k), (0, 0, 0), 1)
    for (row, column), text in stones.items():
        light = 255 * (text[0] == "R")
        middle = 70 + 140 * column, 70 + 140 * row
        cv2.circle(picture, middle, 56, (light,) * 3, -1, cv2.LINE_AA)
        place = middle[0] - 10, middle[1] + 12
        cv2.putText(picture, text[1], place, cv2.FONT_HERSHEY_DUPLEX, 1.1, (255 - light,) * 3, 2, cv2.LINE_AA)
    return picture


def test_without_a_red_side_the_one_that_began_at_the_top_left_is_red() -> None:
    began = {(0, 0): "R3", (0, 1): "R5", (1, 0): "R4", (1, 1): "R1", (2, 4): "B6", (3, 2): "B5", (3, 4): "B1"}
    wanted = tuple(tuple(began.get((row, column), "") for column in range(5)) for row in range(5))
    assert recognise(discs_with_small_numbers(began)).texts == wanted
    mixed = {(0, 0): "R3", (2, 2): "R5", (3, 4): "R4", (1, 2): "B6", (1, 1): "B5", (4, 4): "B1"}
    assert "too mixed" in str(recognise(discs_with_small_numbers(mixed)).refused)


def test_rings_on_squares_to_go_to_are_no_stones() -> None:
    picture = einstein_board("chequered")
    for row, column in ((0, 1), (1, 0), (1, 1)):
        cv2.circle(picture, (85 + 90 * column, 85 + 90 * row), 35, (0, 128, 0), 3, cv2.LINE_AA)
    seen = {(y, x): text for y, row in enumerate(recognise(picture).texts) for x, text in enumerate(row) if text != ""}
    assert seen == {place: NUMBERED[place] if seen.get(place) else None for place in NUMBERED}
    assert list(seen.values()).count(None) <= 1  # the stone between the rings may be unclear


@pytest.mark.parametrize("source", ["own light", "own dark", "plain"])
def test_sources_are_read_without_silent_errors(source: str) -> None:
    random = np.random.default_rng(11)
    exact = 0
    for _ in range(5):
        scene = SOURCES[source](random)
        found = recognise(scene.picture)
        right = right_board(scene, found)
        assert right or found.position is None, f"{scene.game} was read wrongly without a doubt"
        exact += right
    assert exact >= 4


@pytest.mark.parametrize("damage", sorted(DAMAGE))
def test_damaged_pictures_are_read_or_refused(damage: str) -> None:
    random = np.random.default_rng(5)
    for source in (plain_board, lambda r: own_board(r, "light")):
        scene = DAMAGE[damage](source(random), random, 0.5)
        found = recognise(scene.picture)
        assert right_board(scene, found) or found.position is None


def test_a_board_on_a_desktop_is_found() -> None:
    random = np.random.default_rng(3)
    scene = on_desktop(plain_board(random), random)
    found = recognise(scene.picture)
    assert found.grid is not None
    away = np.linalg.norm(found.grid.sites - scene.sites.reshape(-1, 2), axis=1)
    assert away.max() < 0.2 * found.grid.pitch


def test_pictures_without_a_board_are_refused() -> None:
    random = np.random.default_rng(2)
    for _ in range(8):
        assert recognise(negative(random).picture).refused
    empty = recognise(np.full((300, 400, 3), 128, np.uint8))
    assert empty.refused is not None
    assert "no board" in empty.refused
    assert empty.grid is None


def go_board(stones: dict[tuple[int, int], int], *, size: int = 9, pale: bool = False) -> np.ndarray:
    """Lines on wood, or on white paper where only an outline shows a white stone; stones (column, row) -> player."""
    picture = np.full((40 * size + 60, 40 * size + 90, 3), (255, 255, 255) if pale else (110, 185, 225), np.uint8)
    end = 50 + 40 * (size - 1)
    for place in range(50, end + 1, 40):
        cv2.line(picture, (place, 50), (place, end), (40, 40, 40), 1)
        cv2.line(picture, (50, place), (end, place), (40, 40, 40), 1)
    for (column, row), player in stones.items():
        middle = 50 + 40 * column, 50 + 40 * row
        cv2.circle(picture, middle, 19, (255, 255, 255) if player else (10, 10, 10), -1, cv2.LINE_AA)
        cv2.circle(picture, middle, 19, (10, 10, 10), 1, cv2.LINE_AA)
    return picture


STONES = {(2, 2): 0, (3, 2): 1, (4, 4): 0, (5, 5): 1, (2, 6): 0, (6, 3): 1, (4, 5): 0, (7, 7): 1}


@pytest.mark.parametrize("spot", [(4, 4), (5, 5)])
@pytest.mark.parametrize(("radius", "width"), [(6, 3), (10, 2), (10, 4), (12, 4)])
def test_a_ring_on_a_stone_does_not_change_its_colour(spot: tuple[int, int], radius: int, width: int) -> None:
    for colour in ((10, 10, 10) if STONES[spot] else (250, 250, 250), (40, 40, 230)):
        picture = go_board(STONES)
        cv2.circle(picture, (50 + 40 * spot[0], 50 + 40 * spot[1]), radius, colour, width, cv2.LINE_AA)
        texts = recognise(picture).texts
        assert {(x, y): "XO".find(text) for y, row in enumerate(texts) for x, text in enumerate(row) if text} == STONES


def test_a_coloured_rim_does_not_make_stones_unknown() -> None:
    """The last two stones of Connect6, marked by a line around them."""
    picture = go_board(STONES)
    for column, row in ((6, 3), (7, 7)):
        cv2.circle(picture, (50 + 40 * column, 50 + 40 * row), 18, (0, 140, 255), 3, cv2.LINE_AA)
    assert recognise(picture).texts == recognise(go_board(STONES)).texts


@pytest.mark.parametrize("spot", [(4, 4), (5, 5)])
def test_a_fat_ring_may_make_a_stone_unknown_but_not_the_others(spot: tuple[int, int]) -> None:
    picture = go_board(STONES)
    colour = (10, 10, 10) if STONES[spot] else (250, 250, 250)
    cv2.circle(picture, (50 + 40 * spot[0], 50 + 40 * spot[1]), 10, colour, 6, cv2.LINE_AA)
    assert recognise(picture).texts[spot[1]][spot[0]] in ("XO"[STONES[spot]], None)


def test_a_stone_of_two_colours_is_unknown() -> None:
    """A white stone with a black ring out to its rim could as well be a black stone with a large white dot."""
    picture = go_board(STONES)
    cv2.circle(picture, (50 + 40 * 5, 50 + 40 * 5), 15, (10, 10, 10), 8, cv2.LINE_AA)
    found = recognise(picture)
    assert found.texts[5][5] is None
    assert found.position is None


def test_a_board_out_of_focus_is_read() -> None:
    position = played("othello", POSITIONS["othello"])
    picture = cv2.GaussianBlur(picture_of(position.svg(size=880)), (0, 0), 4)
    assert recognise(np.asarray(picture, np.uint8)).texts == position.cells


def test_white_stones_on_white_paper_are_seen() -> None:
    texts = recognise(go_board(STONES, pale=True)).texts
    assert {(x, y): "XO".find(text) for y, row in enumerate(texts) for x, text in enumerate(row) if text} == STONES


def test_hair_thin_outlines_on_white_paper_are_enough() -> None:
    """One pixel around stones that are 76 wide; where the lines stop, something hides them."""
    picture = np.full((780, 780, 3), 255, np.uint8)
    for place in range(70, 711, 80):
        cv2.line(picture, (place, 70), (place, 710), (40, 40, 40), 1)
        cv2.line(picture, (70, place), (710, place), (40, 40, 40), 1)
    for (column, row), player in STONES.items():
        middle = 70 + 80 * column, 70 + 80 * row
        cv2.circle(picture, middle, 38, (255, 255, 255) if player else (10, 10, 10), -1, cv2.LINE_AA)
        cv2.circle(picture, middle, 38, (90, 90, 90), 1, cv2.LINE_AA)
    texts = recognise(picture).texts
    assert {(x, y): "XO".find(text) for y, row in enumerate(texts) for x, text in enumerate(row) if text} == STONES


def test_lines_that_stones_hide_belong_to_the_board() -> None:
    rim = {(0, row): number % 2 for number, row in enumerate((0, 1, 2, 5, 6, 8))}
    texts = recognise(go_board(rim)).texts
    assert {(x, y): "XO".find(text) for y, row in enumerate(texts) for x, text in enumerate(row) if text} == rim


def test_stones_of_one_colour_only_are_no_position() -> None:
    found = recognise(go_board({(x, y): 0 for x in range(2, 7) for y in (2, 5)}))
    assert found.code == "illegal"
    assert "take turns" in str(found.refused)


def test_fives_of_both_sides_make_it_connect6() -> None:
    stones = {(x, y): y % 2 for x in range(4, 9) for y in (4, 7)}
    found = recognise(go_board(stones, size=15))
    assert found.game is not None
    assert found.game.name == "connect6"


def test_numbers_are_assigned_jointly() -> None:
    """Two stones look most like a 3; the one that looks like a 5 too becomes it."""

    def share(**likely: float) -> np.ndarray:
        return np.array([likely.get(f"n{number}", 0.001) for number in NUMBERS], np.float32)

    numbers = {4: share(n3=0.95, n5=0.01), 9: share(n3=0.6, n5=0.39), 7: share(n1=0.99)}
    found = assign_numbers(numbers, [4, 9, 7])
    assert {site: number for site, (number, _) in found.items()} == {4: "3", 9: "5", 7: "1"}
    assert all(certain > 0.9 for _, certain in found.values())
    assert assign_numbers(numbers, []) == {}


def test_the_overlay_marks_the_grid_and_the_move(tmp_path: Path) -> None:
    position = played("othello", "d3")
    picture = picture_of(position.svg(size=480))
    found = recognise(picture)
    plain, marked = draw_over(picture, found), draw_over(picture, found, "c3")
    assert (plain != picture).any()
    assert found.grid is not None
    changed = np.argwhere((plain != marked).any(axis=2)).mean(axis=0)[::-1]
    x, y = found.grid.sites[boyi.game("othello").squares.index("c3")]
    assert np.hypot(*(changed - [x, y])) < found.grid.pitch
    assert draw_over(picture, recognise(np.zeros((100, 100, 3), np.uint8))).tolist() == picture.tolist()


def test_a_part_of_a_board_is_not_taken_for_the_whole() -> None:
    """Seven by seven points of a 9 by 9 board: the stones on the lines around them tell."""
    picture = picture_of(played("gomoku:size=9", "e5 d6 a3 f6 a7 c3 e9").svg(size=480))
    whole = recognise(picture).grid
    assert whole is not None
    part = Grid(whole.place @ np.array([[1.0, 0, 1], [0, 1, 1], [0, 0, 1]]), 7, 7, "points")
    assert goes_on(picture, look(picture, part))
    assert not goes_on(picture, look(picture, whole))
    single = picture_of(played("gomoku:size=9", "e5 d6 a3 f6").svg(size=480))
    assert goes_on(single, look(single, part))


@pytest.mark.parametrize("degrees", [0.6, 1.05, 1.2])
def test_a_large_board_that_is_hardly_turned_is_read_as_a_whole(degrees: float) -> None:
    """The middle of it looks like an upright board of 13 lines."""
    position = played("connect6", "k10 a19 s1")
    turn = cv2.getRotationMatrix2D((648, 648), degrees, 1.0)
    turned = cv2.warpAffine(picture_of(position.svg(size=1296)), turn, (1296, 1296), borderValue=(90, 95, 100))
    assert recognise(np.asarray(turned, np.uint8)).texts == position.cells


@pytest.mark.parametrize("light", [255, 0])
def test_light_or_shadow_on_a_part_of_the_board_changes_no_stone(light: int) -> None:
    position = played("gomoku", "h8 h9 j8 j9 g7 k10 f6 e5 e6 f7 g10 l7 d11 m12 c4 n3 d4 l4 e4 k3")
    picture = picture_of(position.svg(size=620))
    lit = picture.copy()
    lit[: len(lit) // 2] = 0.7 * lit[: len(lit) // 2] + 0.3 * light
    assert recognise(picture).texts == recognise(lit).texts == position.cells


def test_wide_gaps_between_squares_are_lines() -> None:
    picture = np.full((660, 660, 3), (90, 200, 235), np.uint8)
    wanted = (("", "O", ""), ("", "X", ""), ("X", "", "O"))
    for row in range(3):
        for column in range(3):
            x, y = 130 + 200 * column, 130 + 200 * row
            cv2.rectangle(picture, (x - 85, y - 85), (x + 85, y + 85), (50, 150, 200), -1)
            if wanted[row][column] == "O":
                cv2.circle(picture, (x, y), 48, (50, 50, 200), 18, cv2.LINE_AA)
            elif wanted[row][column] == "X":
                cv2.line(picture, (x - 48, y - 48), (x + 48, y + 48), (200, 80, 40), 18, cv2.LINE_AA)
                cv2.line(picture, (x - 48, y + 48), (x + 48, y - 48), (200, 80, 40), 18, cv2.LINE_AA)
    assert recognise(picture).texts == wanted


def test_a_board_that_fills_the_picture_has_no_squares_outside_it() -> None:
    position = played("gomoku:size=9", "e5 d6 e6 e4 f5 g5")
    picture = np.full((370, 361, 3), (200, 255, 255), np.uint8)
    for place in range(0, 361, 40):
        cv2.line(picture, (place, 0), (place, 360), (0, 0, 0), 1)
        cv2.line(picture, (0, place), (360, place), (0, 0, 0), 1)
    for row, texts in enumerate(position.cells):
        for column, text in enumerate(texts):
            x, y = 20 + 40 * column, 20 + 40 * row
            if text == "O":
                cv2.circle(picture, (x, y), 12, (200, 0, 0), 3, cv2.LINE_AA)
            elif text == "X":
                cv2.line(picture, (x - 12, y - 12), (x + 12, y + 12), (0, 0, 200), 3, cv2.LINE_AA)
                cv2.line(picture, (x - 12, y + 12), (x + 12, y - 12), (0, 0, 200), 3, cv2.LINE_AA)
    assert recognise(picture).texts == position.cells


@pytest.mark.parametrize(("size", "aside"), [(0.9, 0), (0.9, -45), (1.6, 30)])
def test_small_letters_anywhere_in_large_squares_are_read(size: float, aside: int) -> None:
    picture = np.full((640, 800, 3), 255, np.uint8)
    wanted = (("X", "O", ""), ("", "X", "O"), ("X", "", "O"))
    for row in range(3):
        for column in range(3):
            x, y = 200 + 160 * column, 140 + 160 * row
            cv2.rectangle(picture, (x - 74, y - 74), (x + 74, y + 74), (30, 30, 30), 2)
            if wanted[row][column]:
                spot = round(x - 10 * size), round(y + 11 * size) + aside
                cv2.putText(picture, wanted[row][column], spot, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 2)
    assert recognise(picture).texts == wanted


def square_board(size: int, discs: dict[tuple[int, int], int], *, chequered: bool = False) -> np.ndarray:
    """Discs (column, row) -> player in squares with lines around them."""
    picture = np.full((36 * size + 80, 36 * size + 120, 3), (225, 225, 225), np.uint8)
    for row in range(size):
        for column in range(size):
            x, y = 60 + 36 * column, 40 + 36 * row
            colour = (120, 170, 200) if chequered and (row + column) % 2 else (250, 250, 250)
            cv2.rectangle(picture, (x, y), (x + 36, y + 36), colour, -1)
            cv2.rectangle(picture, (x, y), (x + 36, y + 36), (60, 60, 60), 1)
    for (column, row), player in discs.items():
        middle = 78 + 36 * column, 58 + 36 * row
        cv2.circle(picture, middle, 14, (210, 90, 60) if player else (50, 50, 200), -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("size", [10, 12])
def test_stones_in_many_squares_are_gomoku(size: int) -> None:
    discs = {(4, 4): 0, (5, 4): 1, (4, 5): 0, (4, 6): 1, (6, 3): 0, (3, 3): 1, (7, 2): 0}
    found = recognise(square_board(size, discs))
    assert found.game == boyi.game("gomoku", size=size)
    assert sum(text != "" for row in found.texts for text in row) == len(discs)


def test_one_stone_in_squares_may_be_a_shaded_square() -> None:
    assert recognise(square_board(10, {(4, 4): 0})).code == "size"
    named = recognise(square_board(10, {(4, 4): 0}), game=boyi.game("gomoku", size=10))
    assert named.texts[4][4] == "X"


def test_an_empty_grid_is_a_board_if_it_has_stars() -> None:
    bare = go_board({}, size=15)
    assert recognise(bare).code == "empty"
    for column, row in ((3, 3), (11, 3), (3, 11), (11, 11), (7, 7)):
        cv2.circle(bare, (50 + 40 * column, 50 + 40 * row), 4, (40, 40, 40), -1, cv2.LINE_AA)
    assert recognise(bare).game == boyi.game("gomoku")


def test_draughts_are_no_gomoku() -> None:
    men = {(column, row): int(row < 5) for row in (0, 1, 2, 7, 8, 9) for column in range(10) if (row + column) % 2}
    found = recognise(square_board(10, men, chequered=True))
    assert found.code == "size"
    assert "no usual game" in str(found.refused)


def test_letters_in_wide_squares_keep_their_shape() -> None:
    picture = np.zeros((520, 1000, 3), np.uint8)
    wanted = (("O", "", "X"), ("", "O", ""), ("X", "O", "X"))
    for row in range(3):
        for column in range(3):
            x, y = 20 + 325 * column, 20 + 165 * row
            cv2.rectangle(picture, (x, y), (x + 310, y + 150), (90, 90, 90), -1)
            place = x + 135, y + 95
            cv2.putText(picture, wanted[row][column], place, cv2.FONT_HERSHEY_SIMPLEX, 1.8, (250,) * 3, 3, cv2.LINE_AA)
    assert recognise(picture).texts == wanted


def test_a_sign_far_smaller_than_the_others_is_unknown() -> None:
    picture = np.full((640, 640, 3), 255, np.uint8)
    for place in (220, 420):
        cv2.line(picture, (place, 20), (place, 620), (0, 0, 0), 4)
        cv2.line(picture, (20, place), (620, place), (0, 0, 0), 4)
    for x, y in ((120, 120), (320, 320)):
        cv2.line(picture, (x - 55, y - 55), (x + 55, y + 55), (0, 0, 0), 6, cv2.LINE_AA)
        cv2.line(picture, (x - 55, y + 55), (x + 55, y - 55), (0, 0, 0), 6, cv2.LINE_AA)
    cv2.circle(picture, (520, 120), 55, (0, 0, 0), 6, cv2.LINE_AA)
    assert recognise(picture).texts == (("X", "", "O"), ("", "X", ""), ("", "", ""))
    cv2.circle(picture, (520, 520), 9, (0, 0, 0), 2, cv2.LINE_AA)
    found = recognise(picture)
    assert found.texts[2][2] != "O"
    assert found.position is None


def test_a_single_strange_sign_is_no_empty_square() -> None:
    random = np.random.default_rng(4)
    for _ in range(8):
        scene = strange_board(random)
        assert recognise(scene.picture).position is None, f"{scene.game} was read without a doubt"


def test_small_discs_are_looked_at_closely() -> None:
    """Emoji that take half the width of their squares, in a table of othellopy."""
    scene = next(scene for program, _, scene in screens(SCREENS) if program == "othellopy")
    found = recognise(scene.picture)
    assert found.grid is not None
    share = share_of_stones(cut_patches(scene.picture, found.grid))
    assert share == pytest.approx(0.6, abs=0.05)
    assert look(scene.picture, found.grid, share).quality > 0.9
    assert right_board(scene, found)
