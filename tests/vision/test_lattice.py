"""Grids of lines: found where they are, with all their lines, and nothing found where there are none."""

import cv2
import numpy as np
import pytest

from boyi.vision.combs import combs
from boyi.vision.lattice import find_lattices
from boyi.vision.patches import CHANNELS, Grid, cut_patches, upright_grid
from boyi.vision.perspective import from_corners, in_picture, straightened


def ruled(
    lines: int, pitch: float, *, at: tuple[int, int] = (60, 80), size: tuple[int, int] = (700, 900)
) -> np.ndarray:
    """A light picture with a square grid of dark lines, the first crossing at (x, y)."""
    picture = np.full((*size, 3), (150, 200, 220), np.uint8)
    x, y = at
    end = round((lines - 1) * pitch)
    for k in range(lines):
        shift = round(k * pitch)
        cv2.line(picture, (x + shift, y), (x + shift, y + end), (40, 40, 40), 1)
        cv2.line(picture, (x, y + shift), (x + end, y + shift), (40, 40, 40), 1)
    return picture


@pytest.mark.parametrize("lines", [4, 6, 9, 15, 19, 20])
def test_a_grid_is_found_where_it_is(lines: int) -> None:
    pitch = min(560 / (lines - 1), 100) + 0.3
    picture = ruled(lines, pitch)
    best = find_lattices(picture)[0]
    assert (best.x.count, best.y.count) == (lines, lines)
    assert best.x.start == pytest.approx(60, abs=1.2)
    assert best.y.start == pytest.approx(80, abs=1.2)
    assert best.x.pitch == pytest.approx(pitch, abs=0.4)
    half = find_lattices(np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8))
    assert max(best.support, half[0].support) > 0.95  # `recognise` looks at smaller pictures too
    assert best.overshoot < 0.2


def test_stones_do_not_hide_the_grid() -> None:
    picture = ruled(15, 36)
    random = np.random.default_rng(1)
    for k in random.choice(225, 90, replace=False).tolist():
        spot = 60 + 36 * (k % 15), 80 + 36 * (k // 15)
        cv2.circle(picture, spot, 16, (15, 15, 15) if k % 2 else (245, 245, 245), -1, cv2.LINE_AA)
    best = find_lattices(picture)[0]
    assert (best.x.count, best.y.count) == (15, 15)
    assert best.x.pitch == pytest.approx(36, abs=0.2)


def test_a_chequered_board_has_edges_and_no_lines() -> None:
    picture = np.full((600, 600, 3), 90, np.uint8)
    for k in range(64):
        x, y = 60 + 58 * (k % 8), 70 + 58 * (k // 8)
        picture[y : y + 58, x : x + 58] = 180 if (k + k // 8) % 2 else 140
    best = find_lattices(picture)[0]
    assert (best.x.count, best.y.count) == (9, 9)
    assert best.x.start == pytest.approx(60, abs=1.5)


def test_no_line_of_a_board_that_fills_the_picture_lies_outside_it() -> None:
    """Stones on a whole row hide a line, which is then looked for on both sides."""
    picture = np.full((288, 288, 3), 90, np.uint8)
    for k in range(36):
        x, y = 48 * (k % 6), 48 * (k // 6)
        picture[y : y + 48, x : x + 48] = (0, 150, 0) if (k + k // 6) % 2 else (0, 95, 0)
        if k < 6 or k % 5 == 0:
            cv2.circle(picture, (x + 24, y + 24), 19, (255, 255, 255), -1, cv2.LINE_AA)
    found = find_lattices(picture)
    assert max((one.x.count, one.y.count) for one in found) == (7, 7)
    assert all(one.x.end < 295 and one.y.end < 295 for one in found)


def test_a_bare_cross_goes_on_beyond_its_crossings() -> None:
    picture = np.full((400, 400, 3), 255, np.uint8)
    for at in (150, 250):
        cv2.line(picture, (at, 50), (at, 350), (0, 0, 0), 3)
        cv2.line(picture, (50, at), (350, at), (0, 0, 0), 3)
    best = find_lattices(picture)[0]
    assert (best.x.count, best.y.count) == (2, 2)
    assert best.overshoot > 0.9


def test_a_bare_cross_that_reaches_the_edge_of_the_page() -> None:
    """A line there is as far from the cross as its lines are from each other."""
    picture = np.full((400, 512, 3), (71, 66, 72), np.uint8)
    for k in (1, 2):
        x, y = 5 + 167 * k, 54 + 114 * k
        cv2.line(picture, (x, 56), (x, 394), (252, 248, 252), 3)
        cv2.line(picture, (5, y), (506, y), (252, 248, 252), 3)
    cv2.line(picture, (100, 396), (410, 396), (252, 248, 252), 3)
    assert (2, 2) in [(one.x.count, one.y.count) for one in find_lattices(picture)]


def test_lines_are_told_from_the_grain_of_wood() -> None:
    picture = ruled(15, 34)
    random = np.random.default_rng(6)
    wood = picture.copy()
    for x, y in random.integers(10, 680, (4000, 2)).tolist():
        cv2.line(wood, (x, y), (x, y + 25), (95, 148, 170), 1)
    lines = (picture != (150, 200, 220)).any(axis=2)
    wood[lines] = picture[lines]
    best = find_lattices(wood)[0]
    assert (best.x.count, best.y.count) == (15, 15)
    assert (best.x.start, best.y.start) == (pytest.approx(60, abs=1.2), pytest.approx(80, abs=1.2))


def test_squares_may_be_oblong() -> None:
    picture = np.asarray(cv2.resize(ruled(9, 50), None, fx=1.0, fy=1.2, interpolation=cv2.INTER_AREA), np.uint8)
    best = find_lattices(picture)[0]
    assert (best.x.count, best.y.count) == (9, 9)
    assert best.y.pitch / best.x.pitch == pytest.approx(1.2, abs=0.02)


def test_rows_of_letters_are_no_lines_of_the_board() -> None:
    """Dashes above and below the board, as far from it as its lines are from each other."""
    picture = ruled(15, 34)
    for row in (80 - 34, 80 + 15 * 34):
        for column in range(60, 60 + 15 * 34, 34):
            cv2.line(picture, (column - 9, row), (column + 9, row), (40, 40, 40), 1)
            cv2.line(picture, (column, row - 12), (column, row + 12), (40, 40, 40), 1)
    found = find_lattices(picture)
    assert (60, 80) in {(round(one.x.start), round(one.y.start)) for one in found if one.x.count == one.y.count == 15}


def test_nothing_is_found_in_noise_or_in_a_rectangle() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (400, 500, 3)).astype(np.uint8)
    frame = np.full((300, 300, 3), 255, np.uint8)
    cv2.rectangle(frame, (40, 50), (240, 250), (0, 0, 0), 2)
    for picture in (noise, frame, np.zeros((200, 200, 3), np.uint8)):
        assert find_lattices(picture) == []


def test_combs_of_a_profile() -> None:
    profile = np.zeros(400)
    profile[[40, 75, 110, 145, 180, 215]] = 1.0
    profile[[90, 300]] = 0.5
    best = combs(profile)[0]
    assert best.count == 6
    assert best.start == pytest.approx(40, abs=0.6)
    assert best.pitch == pytest.approx(35, abs=0.2)


@pytest.mark.parametrize("angle", [-5.0, 3.0])
def test_a_turned_picture_is_straightened(angle: float) -> None:
    picture = ruled(15, 34)
    middle = cv2.getRotationMatrix2D((450, 350), angle, 1.0)
    turned = cv2.warpAffine(picture, middle, (900, 700), borderValue=(150, 200, 220))
    found = straightened(turned)
    assert found is not None
    straight, matrix = found
    lattice = find_lattices(straight, 1.5)[0]
    assert (lattice.x.count, lattice.y.count) == (15, 15)
    x, y = lattice.x, lattice.y
    grid = in_picture(upright_grid(x.start, y.start, x.pitch, y.pitch, 15, 15, "points"), matrix)
    wanted = cv2.transform(np.array([[[60, 80], [60 + 14 * 34, 80]]], float), middle)[0]
    assert np.abs(grid.corners[:2] - wanted).max() < 4


def test_four_corners_make_a_square() -> None:
    corners = np.array([[100, 50], [500, 80], [540, 420], [60, 400]], float)
    picture = np.full((500, 600, 3), 255, np.uint8)
    cv2.fillPoly(picture, [corners.astype(np.int32)], (0, 0, 200))
    straight, matrix = from_corners(picture, corners)
    moved = cv2.perspectiveTransform(corners[None], matrix)[0]
    assert np.allclose(moved[0], [126, 126], atol=0.1)
    assert straight[450, 450].tolist() == [0, 0, 200]
    assert straight[20, 20].tolist() == [255, 255, 255]


def test_patches_show_the_sites_against_the_boards_own_ground() -> None:
    picture = ruled(9, 40)
    cv2.circle(picture, (60 + 80, 80 + 120), 17, (10, 10, 10), -1, cv2.LINE_AA)
    grid = Grid(np.array([[40, 0, 60], [0, 40, 80], [0, 0, 1]], float), 9, 9, "points")
    patches = cut_patches(picture, grid)
    assert patches.ground.tolist() == pytest.approx([150, 200, 220], abs=2)
    dark = patches.bodies()[:, 0] < 60
    assert np.flatnonzero(dark).tolist() == [3 * 9 + 2]
    assert patches.planes.shape == (81, CHANNELS, 24, 24)
    assert abs(float(patches.planes[40].mean())) < 0.2


def test_signs_are_shown_as_large_as_they_are() -> None:
    """Wherever they stand in their square; not the lines around it, and nothing that reaches into the next."""
    picture = ruled(5, 60, at=(60, 80))
    cv2.line(picture, (70, 90), (78, 98), (0, 0, 0), 2)
    cv2.line(picture, (70, 98), (78, 90), (0, 0, 0), 2)
    cv2.circle(picture, (150, 110), 18, (0, 0, 0), 2)
    cv2.line(picture, (210, 170), (280, 170), (0, 0, 0), 2)
    cv2.rectangle(picture, (66, 146), (114, 194), (0, 0, 0), 1)
    cv2.circle(picture, (90, 170), 6, (0, 0, 0), 2)
    patches = cut_patches(picture, Grid(np.array([[60, 0, 90], [0, 60, 110], [0, 0, 1]], float), 4, 4, "squares"))
    assert patches.sizes[[0, 1, 4]] == pytest.approx([1.3 * 11 / 60, 1.3 * 39 / 60, 1.3 * 15 / 60], abs=0.06)
    assert (np.delete(patches.sizes, [0, 1, 4]) == 1).all()
    cross, ring, small_ring = (patches.signs[site] > 128 for site in (0, 1, 4))
    assert cross[10:14, 10:14].mean() > 0.9
    for sign in (ring, small_ring):
        assert not sign[10:14, 10:14].any()
        assert sign[2:22].any(axis=0).sum() > 14
