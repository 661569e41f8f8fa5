"""Second looks at a grid that gave no position: without headings, as filled squares, more closely, where stones are.

Start at `look_again`.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boyi.games import Game
from boyi.games import game as find_game
from boyi.vision.cells import Sites, are_small, look, plain_colours, share_of_stones
from boyi.vision.colours import lab
from boyi.vision.judge import OTHELLO_SIZES
from boyi.vision.nets import CROSS, EMPTY, KINDS, RING, STONE, site_shares
from boyi.vision.patches import Grid, balance, cut_patches
from boyi.vision.sides import CLOSE, SURELY

LETTERED = 0.8
"""How many of the outermost squares of a table bear something where they are its headings."""
LONGEST = 6
"""Rows of such a table of buttons, at most."""
PERHAPS = 0.5
"""What is empty with a smaller share may be a stone."""
FEW_LARGE = 0.6
"""What is small are stones if so few large ones stand beside them, else they are marks."""
FEWEST, ROUNDS, OFF, TOO_FAR, ASTRAY = 6, 4, 0.1, 0.5, 0.08
"""So many stones show where stones stand; the grid is moved to them so often, where one is so far off, in pitches, none
is further, and most are no further than this from where they should be then."""


def look_again(picture: NDArray[np.uint8], grid: Grid, game: Game | None) -> Iterator[tuple[Sites, Game | None]]:
    """Other ways to see a grid, each with the game that it may be of."""
    if grid.lattice == "points":
        yield from ((sites, game) for sites in _moved(picture, grid))
        return
    if game is None or game.name == "othello":
        yield from _without_headings(picture, grid)
    if game is not None and game.name == "othello":  # else it may be a puzzle
        yield from _filled(picture, grid)
    patches = cut_patches(picture, grid)
    share, small = share_of_stones(patches), are_small(patches)
    large = ~small & (look(picture, grid).side >= 0)
    if share is not None and large.sum() < FEW_LARGE * small.sum():
        yield look(picture, grid, share), game


def without_buttons(picture: NDArray[np.uint8], grid: Grid) -> Iterator[Sites]:
    """Three by three squares of a table that is longer, if all other rows have words or numbers and no cross or ring in
    them, and these have none."""
    if min(grid.rows, grid.columns) != 3 or max(grid.rows, grid.columns) > LONGEST:
        return
    patches = cut_patches(picture, grid)
    signs = np.isin(site_shares(patches.planes)[0].argmax(axis=1), (CROSS, RING, STONE))
    upright = grid.columns == 3
    rows = [
        there.reshape(grid.rows, grid.columns) if upright else there.reshape(grid.rows, grid.columns).T
        for there in (~signs & (patches.sizes < 1), signs)
    ]
    written, signed = (np.array([bool(row.any()) for row in there]) for there in rows)
    for first in range(len(written) - 2):
        board = np.s_[first : first + 3]
        if written.sum() != len(written) - 3 or written[board].any() or (written & signed).any():
            continue
        sites = look(picture, grid.part(0, first, 3, 3) if upright else grid.part(first, 0, 3, 3))
        if sites.strokes:
            yield sites


def _without_headings(picture: NDArray[np.uint8], grid: Grid) -> Iterator[tuple[Sites, Game]]:
    """The inner squares of a table, as a board of Othello, where the outermost ones bear letters and numbers."""
    size = OTHELLO_SIZES[-1]
    spare = grid.rows - size
    if not 0 < spare <= 2:
        return
    written = (cut_patches(picture, grid).sizes < 1).reshape(grid.rows, grid.columns)
    for left, top in ((1, 1),) if spare == 2 else ((1, 1), (0, 0), (1, 0), (0, 1)):
        inner, rows, columns = np.zeros_like(written), np.s_[top : top + size], np.s_[left : left + size]
        inner[rows, columns] = True
        if min(written[rows][~inner[rows]].mean(), written[:, columns][~inner[:, columns]].mean()) > LETTERED:
            yield look(picture, grid.part(left, top, size, size)), find_game("othello", size=size)


def _filled(picture: NDArray[np.uint8], grid: Grid) -> Iterator[tuple[Sites, Game]]:
    """A board of Othello of which all squares are filled with one of three colours: two of them are in its middle."""
    if grid.rows not in OTHELLO_SIZES or grid.rows != grid.columns:
        return
    patches = cut_patches(picture, grid)
    colours, even = plain_colours(patches)
    shown = lab(colours)
    centres: list[NDArray[np.float32]] = []
    for colour in shown:
        if all(np.linalg.norm(colour - centre) > CLOSE for centre in centres):
            centres.append(colour)
    part = np.linalg.norm(shown[:, None] - np.array(centres), axis=2).argmin(axis=1)
    half = grid.rows // 2
    middle = np.unique(part.reshape(grid.rows, grid.rows)[half - 1 : half + 1, half - 1 : half + 1])
    if not even.all() or len(centres) != 3 or len(middle) != 2:
        return
    players = sorted(middle.tolist(), key=lambda own: float(centres[own][0]))
    side = np.where(part == players[0], 0, np.where(part == players[1], 1, -1))
    kind = np.where(side < 0, EMPTY, STONE)
    shares = np.float32(SURELY) * (np.arange(len(KINDS)) == kind[:, None])
    sides = np.stack([centres[own] for own in players])
    trust = np.full(len(side), SURELY)
    yield Sites(grid, patches, shares, False, side, trust, sides, 0.0), find_game("othello", size=grid.rows)


def _moved(picture: NDArray[np.uint8], grid: Grid) -> Iterator[Sites]:
    """The sites where the stones are, if these stand beside the crossings, further off from row to row."""
    row, column = (place.ravel() for place in np.indices((grid.rows, grid.columns)))
    moved = grid
    for _ in range(ROUNDS):
        sites = look(picture, moved)
        there = sites.shares[:, EMPTY] < PERHAPS
        if there.sum() < FEWEST or sites.strokes or 0 in (np.ptp(row[there]), np.ptp(column[there])):
            return
        off = balance(sites.patches.of(there)) - 0.5
        down, right = (np.polyfit(at[there], off[:, way], 1) for way, at in ((0, row), (1, column)))
        astray = [off[:, way] - np.polyval(fit, at[there]) for way, at, fit in ((0, row, down), (1, column, right))]
        if float(np.median(np.abs(astray))) > ASTRAY:
            return
        shift = np.array([[1 + right[0], 0, right[1]], [0, 1 + down[0], down[1]], [0, 0, 1]])
        moved = replace(moved, place=moved.place @ shift)
        away = float(np.abs(moved.sites - grid.sites)[there].max()) / grid.pitch
        if away > TOO_FAR:
            return
    if away > OFF:
        yield look(picture, moved)
