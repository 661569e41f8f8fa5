"""Where a board ends: outermost lines that are missing, or were seen where none are, and stones outside them.

`of_usual_size` mends a grid, `goes_on` says that it is but a part of the board.
"""

import numpy as np
from numpy.typing import NDArray

from boyi.vision.cells import Sites
from boyi.vision.colours import lab
from boyi.vision.judge import LARGE_SIZES
from boyi.vision.marks import BOARD, MOST
from boyi.vision.nets import CROSS, RING, STONE, site_shares
from boyi.vision.patches import CELL, Grid, Patches, balance, cut_patches
from boyi.vision.sides import APART, SURELY

SAME, FEWEST_FREE, MOST_FREE = 6.0, 0.4, 0.1
"""A place on the bare board differs by so little from its usual colour, of 255; so many places beside a board are free
where squares without lines are, and so few behind these."""
DRAWN, NEAR, BESIDE = 0.35, 0.12, (-0.3, 0.3)
"""A line that is drawn differs by so much of what other lines do from the board on both sides of it; so far, in
pitches, it may be from its place, and there the board is looked at."""
WITHIN, BEHIND = (0.3, 0.6, 0.9), (1.12, 1.3)
"""How far outside, in pitches, squares without lines are looked for, and their end."""
ASIDE, ACROSS, ALONG = 0.15, 0.12, (-0.35, 0.0, 0.35)
"""How far beside the line that joins two points, in pitches, stones between them are looked for; and how far from the
line between two squares, and along it."""
BEHIND_STONES = 0.62
"""How far outside the outermost lines, in pitches, no stone on them reaches."""
ALIKE = 0.15
"""A site is of a stone's colour if it is so much nearer to it than to the board's."""
OUT_OF_PLACE = 0.06
"""How far from its place, in pitches, a sign beside the board is that does not belong to it, if none on the board is
further."""
HALF_STONE, BROAD = np.s_[CELL * 7 // 12 : CELL * 5 // 6], np.s_[CELL // 3 : CELL * 2 // 3]
"""Where, in a patch above the board, the half of a stone is."""


def of_usual_size(picture: NDArray[np.uint8], grid: Grid) -> Grid:
    """The grid, or the one of a usual size that it is but for its outermost squares or lines."""
    least, most = LARGE_SIZES[0] - 2, LARGE_SIZES[-1] + 1
    if not all(least <= count <= most for count in (grid.rows, grid.columns)):
        return grid
    if grid.lattice == "squares":
        more = [int(_is_bare(picture, grid, side)) for side in range(4)]
        if len(set(more)) > 1:  # no ring
            return grid
    else:
        more = _drawn(picture, grid)
    left, right, top, bottom = more
    rows, columns = grid.rows + top + bottom, grid.columns + left + right
    if rows != columns or rows not in LARGE_SIZES:
        return grid
    return grid.part(-left, -top, rows, columns)


def _is_bare(picture: NDArray[np.uint8], grid: Grid, side: int) -> bool:
    """Whether the board goes on by the width of a square beside its lines on the left, right, top or bottom."""
    inner = np.stack(np.meshgrid(np.arange(grid.columns) + 0.4, np.arange(grid.rows) + 0.4), axis=2).reshape(-1, 2)
    usual = np.median(_colours(picture, grid.at(inner))[0], axis=0)

    def free(far: float) -> float:
        colours, inside = _colours(picture, grid.at(_beside(grid, side, 0.5 + far)))
        return float((inside & (np.abs(colours - usual).max(axis=1) < SAME)).mean())

    return min(map(free, WITHIN)) > FEWEST_FREE and max(map(free, BEHIND)) < MOST_FREE


def _drawn(picture: NDArray[np.uint8], grid: Grid) -> list[int]:
    """How many more lines than a board of points has are there to be seen, left, right, top and bottom: fewer where the
    outermost is not drawn, and then, on the other side, more where the others go on to the next one."""
    least = _least(picture, grid)
    more = [-int(_line(picture, grid, side, 0.0) < least) for side in range(4)]
    for side, other in ((0, 1), (1, 0), (2, 3), (3, 2)):
        if more[other] < 0 and more[side] == 0:
            further = min(_line(picture, grid, side, 1.0), _stubs(picture, grid, side))
            more[side] = int(further > least)
    return more


def _least(picture: NDArray[np.uint8], grid: Grid) -> float:
    """How much a line that is drawn on this board differs from it at least."""
    return DRAWN * float(np.median([_line(picture, grid, side, -2.0) for side in range(4)]))


def _line(picture: NDArray[np.uint8], grid: Grid, side: int, far: float) -> float:
    """How much the line so many pitches outside the outermost sites differs from the board beside it."""
    along = _beside(grid, side, far)
    return _strength(picture, grid, (along[1:] + along[:-1]) / 2, side < 2)


def _stubs(picture: NDArray[np.uint8], grid: Grid, side: int) -> float:
    """How much the lines that lead out of the board on a side differ from what is beside them."""
    return _strength(picture, grid, _beside(grid, side, BEHIND_STONES), side >= 2)


def _strength(picture: NDArray[np.uint8], grid: Grid, places: NDArray[np.float64], upright: bool) -> float:
    """How much lines differ from the board on both sides of them, in most of these places."""
    across = np.array([1.0, 0.0] if upright else [0.0, 1.0])
    reach = max(2, round(NEAR * grid.pitch))
    near = np.stack([_colours(picture, grid.at(places + across * k / grid.pitch))[0] for k in range(-reach, reach + 1)])
    away = [np.abs(near - _colours(picture, grid.at(places + across * beside))[0]).max(axis=2) for beside in BESIDE]
    return float(np.median(np.minimum(*away).max(axis=0)))


def _beside(grid: Grid, side: int, far: float) -> NDArray[np.float64]:
    """[n, 2]: places in the rows or columns of a grid, so many pitches outside its outermost sites."""
    count, long = (grid.columns, grid.rows) if side < 2 else (grid.rows, grid.columns)
    out = np.full(long, -far if side % 2 == 0 else count - 1 + far)
    row = np.arange(long, dtype=float)
    return np.stack((out, row) if side < 2 else (row, out), axis=1)


def _colours(picture: NDArray[np.uint8], places: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """[n, 3]: the colours of places [n, 2], and whether they are in the picture."""
    most = np.array(picture.shape[1::-1]) - 1
    nearest = np.rint(places)
    inside = np.asarray(((nearest >= 0) & (nearest <= most)).all(axis=1), bool)
    x, y = nearest.clip(0, most).astype(int).T
    return picture[y, x].astype(float), inside


def goes_on(picture: NDArray[np.uint8], sites: Sites) -> bool:
    """Whether a stone of the board's own colours, or a cross or a ring among such, stands just outside the grid, on its
    lines: then a part was taken for the whole."""
    grid = sites.grid
    rim = _open_sides(picture, grid)
    if not rim.any():
        return False
    seen = cut_patches(picture, grid.part(-1, -1, grid.rows + 2, grid.columns + 2), sites.share)
    shares = site_shares(seen.planes)[0][rim]
    patches = seen.of(rim)
    if sites.strokes:
        own = balance(sites.patches.of(sites.side >= 0))
        usual = np.median(own, axis=0)
        most = max(OUT_OF_PLACE, float(np.abs(own - usual).max()))
        in_place = np.abs(balance(patches) - usual).max(axis=1) < most
        return bool(((shares[:, (RING, CROSS)] > SURELY).any(axis=1) & in_place).any())
    bodies, ground = lab(patches.bodies(sites.zone)), lab(sites.patches.ground[None])[0]
    away, apart = _distances(bodies, sites)
    on_board = np.linalg.norm(lab(patches.around) - ground, axis=1) < BOARD * apart  # and not on the page beside it
    stones = (shares[:, STONE] > SURELY) & on_board & (away < ALIKE * apart)
    return bool(stones.any()) or (grid.lattice == "points" and _cut_off(seen, sites, rim))


def may_have_rim(sites: Sites) -> bool:
    """Whether the board would have a usual size without outermost lines, on all of which nothing stands."""
    rows = sites.grid.rows
    usual = rows - 2 in LARGE_SIZES or rows - 1 in LARGE_SIZES
    return usual and not sites.occupied[[0, -1]].any() and not sites.occupied[:, [0, -1]].any()


def between(picture: NDArray[np.uint8], sites: Sites) -> bool:
    """Whether something of a stone's colour stands halfway between two empty points, or across the line between two
    empty squares."""
    empty = ~sites.occupied
    ways = np.array([[1.0, 0.0], [0.0, 1.0]])
    for way, both in zip(ways, (empty[:, 1:] & empty[:, :-1], empty[1:] & empty[:-1]), strict=True):
        first = np.argwhere(both)[:, ::-1]
        beside = ASIDE * way[::-1]  # not on the line
        places = [(way / 2 + beside, way / 2 - beside)]
        if sites.grid.lattice == "squares":
            places = [((0.5 + ACROSS) * way + far * way[::-1], (0.5 - ACROSS) * way + far * way[::-1]) for far in ALONG]
        for pair in places if len(first) else ():
            middle = (pair[0] + pair[1]) / 2
            near = [_of_stones(picture, sites, first + place) for place in pair]
            far = [_of_stones(picture, sites, first + 2 * place - middle) for place in pair]  # rings are thin
            alike = near[0] & near[1] & (far[0] | far[1])
            if alike.any() and alike.mean() < MOST:  # else it is the line
                return True
    return False


def _of_stones(picture: NDArray[np.uint8], sites: Sites, places: NDArray[np.float64]) -> NDArray[np.bool_]:
    """[n]: whether places [n, 2] have a stone's colour."""
    away, apart = _distances(lab(_colours(picture, sites.grid.at(places))[0].astype(np.float32)), sites)
    return (away < ALIKE * apart) & (apart > APART)


def _open_sides(picture: NDArray[np.uint8], grid: Grid) -> NDArray[np.bool_]:
    """[sites of a grid with one more on every side]: which of them are outside the grid, on sides where the lines of
    points go on."""
    rim = np.zeros((grid.rows + 2, grid.columns + 2), bool)
    least = _least(picture, grid) if grid.lattice == "points" else 0.0
    for side, strip in enumerate((rim[1:-1, 0], rim[1:-1, -1], rim[0, 1:-1], rim[-1, 1:-1])):
        strip[:] = grid.lattice == "squares" or _stubs(picture, grid, side) > least
    return rim.ravel()


def _distances(colours: NDArray[np.float32], sites: Sites) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far colours [n, 3], CIE Lab, are from those of the nearest stones, and from the board's."""
    away = np.linalg.norm(colours[:, None] - np.nan_to_num(sites.colours, nan=1e6), axis=2).min(axis=1)
    return away, np.linalg.norm(colours - lab(sites.patches.ground[None])[0], axis=1)


def _cut_off(seen: Patches, sites: Sites, rim: NDArray[np.bool_]) -> bool:
    """Whether halves of stones stand just outside the grid, on the board that ends there; `seen` are the sites with one
    more on every side."""
    shape = sites.grid.rows + 2, sites.grid.columns + 2
    around = np.where(rim[:, None, None, None], seen.tiles, sites.patches.ground).reshape(*shape, CELL, CELL, 3)
    for turn in range(4):
        row = np.rot90(around, turn, axes=(0, 1))[0, 1:-1]
        halves = np.rot90(row, turn, axes=(1, 2))[:, HALF_STONE, BROAD]
        away, apart = _distances(lab(np.median(halves.reshape(len(row), -1, 3), axis=1).astype(np.float32)), sites)
        halved = away < ALIKE * apart
        if halved.any() and (~halved & (apart < APART)).mean() > MOST:
            return True
    return False
