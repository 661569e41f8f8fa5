"""Boards that nothing divides: signs at equal distances, as a terminal or buttons without edges show them.

Every outline in a picture has a box; boxes of about one size whose middles lie on a lattice may be the signs of a
board: of three by three squares if they stand in three rows and three columns and none beside these, of more if every
site bears something, be it a dot. Start at `find_loose`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.patches import Grid, upright_grid

SIDE = 1_024
"""Pixels a side of the picture in which signs are looked for."""
EDGE = 24
"""Pixels of a sign's outline differ by so much, of 255, from a neighbour."""
SMALLEST, LOWEST, HIGHEST = 2, 6, 240
"""Pixels of the larger side of a mark's box, and of a sign's."""
OBLONG, ALIKE = 2.2, 1.3
"""How much longer one side of a sign's box may be, and how much larger than others it may be."""
MOST_BOXES = 1_500
"""A picture with more boxes holds text."""
NEAREST, FARTHEST = 1.02, 7.0
"""How far apart neighbours are, in sizes of their boxes."""
ASTRAY, EVEN = 0.1, 2.4
"""How far from its place, in pitches, a sign may be; and how much longer one pitch may be than the other."""
FEWEST = 4
"""Signs that show a lattice."""
SETTLED = 9
"""Signs on one lattice that need not be looked at again."""
REACH = 20
"""Sites of a board on either side of a sign, at most."""
FEWEST_SITES, FULL = 5, 0.95
"""Sites a side of the smallest board on which every site bears something, and how many of them do at least."""
MOST = 3
"""So many boards are looked at, those of most signs first."""


@dataclass(frozen=True)
class _Lattice:
    start: NDArray[np.float64]
    pitch: NDArray[np.float64]

    def places(self, middles: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """[n, 2]: the nearest column and row of [n, 2] middles; and whether they are near."""
        exact = (middles - self.start) / self.pitch
        place = np.rint(exact).astype(int)
        return place, np.asarray((np.abs(exact - place) < ASTRAY).all(axis=1), bool)

    def board(self, left: int, top: int, size: int) -> Grid:
        x, y = self.start + self.pitch * (left, top)
        return upright_grid(float(x), float(y), float(self.pitch[0]), float(self.pitch[1]), size, size, "squares")


def find_loose(picture: NDArray[np.uint8]) -> list[Grid]:
    """The boards whose signs these may be, in a picture of at most `SIDE` pixels a side."""
    boxes = _boxes(picture)
    size = boxes[:, 2:].max(axis=1)
    signs = (size >= LOWEST) & (size <= OBLONG * boxes[:, 2:].min(axis=1))
    if signs.sum() < FEWEST or len(boxes) > MOST_BOXES:
        return []
    found = [
        board
        for alike, lattice in _lattices(boxes, size, signs)
        for board in (*_of_nine(boxes[alike, :2], lattice), *_of_many(boxes[:, :2], alike, lattice))
    ]
    boards: list[Grid] = []
    for _, grid in sorted(found, key=lambda board: -board[0]):
        if not any(_overlap(grid, other) for other in boards):  # nor every other sign of one
            boards.append(grid)
    return boards[:MOST]


def _overlap(one: Grid, other: Grid) -> bool:
    (first, _, last, _), (start, _, end, _) = one.corners, other.corners
    return bool((np.maximum(first, start) < np.minimum(last, end)).all())


def _boxes(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """[n, 4]: middles and sides of what has an outline."""
    steps = cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)).max(axis=2) > EDGE
    _, _, stats, _ = cv2.connectedComponentsWithStats(steps.astype(np.uint8), connectivity=8)
    left, top, wide, high = stats[1:, :4].T.astype(float)
    boxes = np.stack((left + wide / 2, top + high / 2, wide, high), axis=1)
    size = boxes[:, 2:].max(axis=1)
    return np.asarray(boxes[(size >= SMALLEST) & (size <= HIGHEST)])


def _lattices(
    boxes: NDArray[np.float64], size: NDArray[np.float64], signs: NDArray[np.bool_]
) -> Iterator[tuple[NDArray[np.bool_], _Lattice]]:
    """Which boxes may be signs of one board, and the lattice through one of them and its neighbours."""
    seen = set()
    placed = np.zeros(len(boxes), bool)
    for one in np.flatnonzero(signs)[np.argsort(-size[signs])]:
        if placed[one]:
            continue
        alike = signs & (size > size[one] / ALIKE) & (size < size[one] * ALIKE)
        if alike.sum() < FEWEST:
            continue
        away = np.abs(boxes[:, :2] - boxes[one, :2])
        steps = []
        for way in (0, 1):
            beside = alike & (away[:, 1 - way] < ASTRAY * size[one])
            far = np.sort(away[beside, way])
            steps.append(far[(far > NEAREST * boxes[one, 2 + way]) & (far < FARTHEST * size[one])][:2].tolist())
        for across in steps[0]:
            for down in steps[1]:
                pitch = np.array([across, down])
                phase = np.rint(8 * (boxes[one, :2] / pitch % 1)).astype(int) % 8
                key = (*phase.tolist(), round(across / 2), round(down / 2), round(4 * np.log2(size[one])))
                if max(across, down) < EVEN * min(across, down) and key not in seen:
                    seen.add(key)
                    lattice = _fitted(boxes[alike, :2], _Lattice(boxes[one, :2], pitch))
                    place, near = lattice.places(boxes[:, :2])
                    near &= alike & (np.abs(place) <= REACH).all(axis=1)
                    if near.sum() >= SETTLED:
                        placed |= near
                    yield alike, lattice


def _fitted(middles: NDArray[np.float64], lattice: _Lattice) -> _Lattice:
    """The lattice that suits the signs near it best."""
    place, near = lattice.places(middles)
    near &= (np.abs(place) <= REACH).all(axis=1)
    if near.sum() < FEWEST or np.ptp(place[near], axis=0).min() == 0:
        return lattice
    parts = [np.polynomial.polynomial.polyfit(place[near, way], middles[near, way], 1) for way in (0, 1)]
    if any(not 0.9 < parts[way][1] / lattice.pitch[way] < 1.1 for way in (0, 1)):
        return lattice
    return _Lattice(np.array([parts[0][0], parts[1][0]]), np.array([parts[0][1], parts[1][1]]))


def _of_nine(signs: NDArray[np.float64], lattice: _Lattice) -> Iterator[tuple[int, Grid]]:
    """The board of three by three squares that all signs near it stand on."""
    place, near = lattice.places(signs)
    inner = near & (np.abs(place) <= 2).all(axis=1)
    if not inner.any():
        return
    (left, top), (right, bottom) = place[inner].min(axis=0), place[inner].max(axis=0)
    sites = {tuple(site) for site in place[inner].tolist()}
    lines = [len({site[way] for site in sites}) for way in (0, 1)]
    around = ((place >= (left - 1, top - 1)) & (place <= (right + 1, bottom + 1))).all(axis=1)
    if right - left == bottom - top == 2 and lines == [3, 3] and len(sites) >= FEWEST and (inner == around).all():
        yield len(sites), lattice.board(left, top, 3)


def _of_many(middles: NDArray[np.float64], alike: NDArray[np.bool_], lattice: _Lattice) -> Iterator[tuple[int, Grid]]:
    """The board on which every site bears something, without headings above it and on its left."""
    exact = (middles - lattice.start) / lattice.pitch
    full = np.zeros((2 * REACH + 1, 2 * REACH + 1), bool)
    for of_them in (alike, ~alike):
        inner = of_them & (np.abs(exact - np.rint(exact))[:, 0] < ASTRAY) & (np.abs(exact) <= REACH).all(axis=1)
        if inner.any():  # what marks an empty site may stand lower than signs
            lower = 0.0 if of_them is alike else float(np.median(exact[inner, 1] % 1))
            place = np.rint(exact[inner] - (0, lower)).astype(int)
            near = np.abs(exact[inner, 1] - lower - place[:, 1]) < ASTRAY
            full[place[near, 1].clip(-REACH, REACH) + REACH, place[near, 0] + REACH] = True
    _, parts, stats, _ = cv2.connectedComponentsWithStats(full.astype(np.uint8), connectivity=4)
    left, top, wide, high = stats[parts[REACH, REACH], :4].tolist()
    headed = wide == high and not full[top, left]  # a row and a column of headings, which have no corner
    size = min(wide, high) - headed
    first, second = left + wide - size, top + high - size
    inside = full[second : second + size, first : first + size]
    if size >= FEWEST_SITES and max(wide, high) - size <= 1 and inside.mean() >= FULL:
        yield int(inside.sum()), lattice.board(first - REACH, second - REACH, size)
