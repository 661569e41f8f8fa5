"""What is drawn on a board and is no piece, or may be none: notes, placeholders, stars, frames, rings, faint signs."""

import itertools

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.colours import lab
from boyi.vision.nets import EMPTY, OTHER, RING, STONE
from boyi.vision.patches import CELL, SPOT, SQUARE, WHOLE, Grid, Patches, flattened, tiles
from boyi.vision.sides import APART, SETTLED, split_colours

SMALL, NEAR, FAR, UNLIKE, BESIDE, ENOUGH = 0.35, 0.25, 0.42, 45.0, 0.15, 32
"""Among stones, a sign that takes less of a square's width is a note about an empty one, whatever it looks like; and so
is one on lines, or on a point, around which, between these distances, no more than this share differs by 45, of 255,
from the usual empty site: the median of up to so many."""
TINY, FADED, ALONE = 0.3, 0.6, 0.4
"""Among crosses and rings, a sign so much smaller than the large ones is doubtful; and so is one that differs from the
board so much less than the strong ones of its kind do, or, if it is the only one, than the other side's: it may show
what a click would do."""
PERHAPS = 0.12
"""Among more stones than other things, one of these that is a stone with this share is one: its colour says whose."""
BOARD = 0.25
"""A place shows the board, or a stone, if it is so near to its colour, beside how far these are apart."""
SAME, MOST = 12.0, 0.6
"""A zone shows the stones' colours if it differs by no more from that of the whole, on this share of each side's."""
BESIDE_PLACE, MOSTLY = 0.2, 0.6
"""A stone may stand on an empty site of which so much more than of others, or so much of where a stone would be, has a
stone's colour."""
FEWEST_ALIKE, SAME_SIZE, UNEQUAL = 3, 0.08, 0.55
"""So many squares without a cross or a ring are empty if all look the same: if what stands in them differs by no more
than this share of a square in size, and by this share of its ink."""
MOST_ODD = 0.5
"""On no more than this share of the empty squares a sign is odd; on more of them it is a note."""
FEWEST_EACH = 2
"""So many stones of each side show that rings are no stones."""
INWARDS, OUTWARDS, ALONG = 0.2, 0.1, 0.42
"""Where a frame at the outermost line does not show, in pitches across and down, and where it does: so far outside the
line, and so far along it."""
OF_BOARD = 4.0
"""Stones that differ by more from the board, in CIE Lab, have not its colour."""
STAR_LINES = (2, 3)
"""How many lines from the rim stars are."""
THIN, ASIDE = (0.1, 0.65), 0.2
"""A stone is a ghost if it shows this share of its side's colour, the rest being the board's, and differs from such a
mixture by less than the last share, where the two differ at all."""
OFF, TINTED, MARKED = 0.2, 12.0, 0.2
"""A stone has not its side's colour if it differs from it by more than this share of how far the two are apart; around
a site is something else than the board if it differs by more than the second, of 255; and of a ghost less than the last
share has the colour of a stone: else there is a mark on it."""
SHADE, PLAIN = 25.0, 0.75
"""What has one colour differs by less from it, of 255, on this share of it."""
LARGE, STRONGEST = 96, 4
"""Pixels of a square, at most, in which the ink of a sign is looked for: its four strongest ones have its colour."""


def notes(patches: Patches, shares: NDArray[np.float32], lattice: str) -> NDArray[np.bool_]:
    """[sites]: whether what is strange there is small and in the middle."""
    found = np.zeros(len(shares), bool)
    strange = np.flatnonzero(shares[:, OTHER] > 1 - SETTLED)
    empty = np.flatnonzero(shares.argmax(axis=1) == EMPTY)
    if not len(strange) or not len(empty):
        return found
    empty = empty[:: -(-len(empty) // ENOUGH)]
    usual, shown = (patches.tiles[sites] - patches.around[sites, None, None] for sites in (empty, strange))
    unlike = np.abs(shown - np.median(usual, axis=0)).max(axis=3) > UNLIKE
    around = (SQUARE > NEAR) & (SQUARE < FAR)
    bare = unlike[:, around].mean(axis=1) < BESIDE
    sizes = patches.sizes[strange]
    found[strange] = (sizes < SMALL) | (bare & ((sizes == 1) | (lattice == "points")))
    return found


def placeholders(patches: Patches, rest: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[sites]: all of these sites if they look the same, as empty ones do though each may bear a dot; else none."""
    signs, sizes = patches.signs[rest].astype(np.float32), patches.sizes[rest]
    if len(signs) < FEWEST_ALIKE or float(np.ptp(sizes)) > SAME_SIZE:
        return np.zeros(len(rest), bool)
    usual = np.median(signs, axis=0)
    away = np.abs(signs - usual).mean(axis=(1, 2))
    return rest & bool(away.max() < UNEQUAL * max(float(usual.mean()), 1.0))


def stars(patches: Patches, there: NDArray[np.bool_], grid: Grid) -> NDArray[np.bool_]:
    """[sites]: stars of the board, near its corners and on lines between those, that have a colour which no stone
    elsewhere has."""
    found, size = np.zeros(len(there), bool), grid.rows
    if grid.lattice != "points" or size != grid.columns or there.all():
        return found
    middles = lab(np.median(patches.tiles[:, SPOT], axis=1).astype(np.float32))
    usual = np.linalg.norm(middles - np.median(middles[~there], axis=0), axis=1) < SAME
    for places in star_places(grid):
        shown, elsewhere = places & ~usual, there & ~places
        if min(shown.sum(), elsewhere.sum()) < FEWEST_ALIKE:
            continue
        away = np.linalg.norm(middles - np.median(middles[shown], axis=0), axis=1)
        if (away[elsewhere] > APART).all() and (shown & (away < SAME)).sum() >= FEWEST_ALIKE:
            found |= shown & (away < SAME)
    return found


def star_places(grid: Grid) -> list[NDArray[np.bool_]]:
    """[sites] each: where the stars of a board may be."""
    row, column = np.divmod(np.arange(grid.rows * grid.columns), grid.columns)
    lines = [(line, grid.rows // 2, grid.rows - 1 - line) for line in STAR_LINES]
    return [np.isin(row, of_them) & np.isin(column, of_them) for of_them in lines]


def bare_rim(patches: Patches, there: NDArray[np.bool_], grid: Grid) -> NDArray[np.bool_]:
    """[sites]: what looks like a stone on an outermost line but has the board's colour on the side of the board, where
    no stone elsewhere has that colour, and goes on along the line: a frame, or the corner of one; or has no other."""
    inner, ground = inner_sites(grid), lab(patches.ground[None])
    elsewhere = there & inner
    if grid.lattice != "points" or not elsewhere.any():
        return np.zeros(len(there), bool)
    bodies = lab(patches.bodies())
    nearest = float(np.linalg.norm(bodies[elsewhere] - ground, axis=1).min())
    bare = there & ~inner & (nearest > OF_BOARD)
    row, column = np.indices((grid.rows, grid.columns)).reshape(2, -1)

    def shown(down: float, right: float) -> NDArray[np.float32]:
        """[sites, 3]: the colours so many pitches from the middle."""
        y, x = (round(CELL * (0.5 + way)) for way in (down, right))
        spots = patches.tiles[:, y - 1 : y + 2, x - 1 : x + 2].reshape(len(there), -1, 3)
        return lab(np.median(spots, axis=1).astype(np.float32))

    for down, right in itertools.product((-1, 1), (-1, 1)):
        above, beside = row + down, column + right
        outwards = (above == -1) | (above == grid.rows) | (beside == -1) | (beside == grid.columns)
        bare &= outwards | (np.linalg.norm(shown(INWARDS * down, INWARDS * right) - ground, axis=1) < BOARD * nearest)
    away = np.linalg.norm(bodies - ground, axis=1)
    board = away < BOARD * nearest  # all of it
    for line, place, last, other in ((0, row, grid.rows - 1, column), (1, column, grid.columns - 1, row)):
        for out, along in itertools.product((-1, 1), (-1, 1)):
            far = (OUTWARDS * out, ALONG * along) if line == 0 else (ALONG * along, OUTWARDS * out)
            framed = np.linalg.norm(shown(*far) - bodies, axis=1) < BOARD * away
            end = (grid.columns if line == 0 else grid.rows) - 1
            bare &= board | framed | (place != (0 if out < 0 else last)) | (other == (0 if along < 0 else end))
    return bare


def inner_sites(grid: Grid) -> NDArray[np.bool_]:
    """[sites]: all but the outermost ones."""
    return np.pad(np.ones((grid.rows - 2, grid.columns - 2), bool), 1).ravel()


def hollow(patches: Patches, shares: NDArray[np.float32]) -> NDArray[np.bool_]:
    """[sites]: whether there is a ring of the board's own colour, among stones of two others: a mark of an empty site,
    and no stone."""
    kind = shares.argmax(axis=1)
    found = np.isin(kind, (STONE, RING)) & (shares[:, RING] > PERHAPS)
    bodies = lab(patches.bodies())
    away = np.linalg.norm(bodies - lab(patches.around), axis=1)
    stones = (kind == STONE) & (away > APART)
    if stones.sum() < 2 * FEWEST_EACH:
        return np.zeros(len(kind), bool)
    split = split_colours(bodies[stones])
    least = float(np.linalg.norm(split.centres - lab(patches.ground[None]), axis=1).min())
    return np.asarray(found & (away < BOARD * least) & (split.is_clear(APART, FEWEST_EACH) and least > APART), bool)


def covered(patches: Patches, empty: NDArray[np.bool_], colours: NDArray[np.float32]) -> NDArray[np.bool_]:
    """[sites]: whether much more of an empty site than of others has the colour of a stone, one that stands beside its
    place; or most of where a stone would be."""
    found = np.zeros(len(empty), bool)
    for colour in colours[~np.isnan(colours[:, 0])] if empty.any() else ():
        apart = np.linalg.norm(lab(patches.around[empty]) - colour, axis=1)
        shown = np.asarray(
            cv2.cvtColor(patches.tiles[empty].reshape(-1, CELL * CELL, 3).astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
        )
        alike = np.linalg.norm(shown - colour, axis=2) < BOARD * apart[:, None]
        share, within = alike.mean(axis=1), alike[:, WHOLE.ravel()].mean(axis=1)
        found[empty] |= ((share - np.median(share) > BESIDE_PLACE) | (within > MOSTLY)) & (apart > APART)
    return found


def odd_signs(patches: Patches, empty: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[sites]: whether something small stands on an empty site, or something as large as a sign, but not on most of the
    others."""
    usual = float(np.median(patches.sizes[~empty])) if not empty.all() else 0.0
    as_large = (np.abs(patches.sizes - usual) < SAME_SIZE * usual) & (patches.sizes < 1)
    shown = empty & ((patches.sizes < SMALL) | as_large)
    return np.asarray(shown & (shown.sum() <= MOST_ODD * empty.sum()), bool)


def strengths(picture: NDArray[np.uint8], grid: Grid, patches: Patches) -> NDArray[np.float32]:
    """[sites]: how much the ink of what stands there differs from the board, of 255."""
    cell = round(min(max(2 * grid.pitch, CELL), LARGE))
    cut = tiles(flattened(picture, grid, cell), grid.rows, grid.columns).astype(np.float32)
    rim = cell // 6
    inner = cut[:, rim:-rim, rim:-rim].reshape(len(cut), -1, 3)
    away = np.minimum(*(np.abs(inner - usual[:, None]).max(axis=2) for usual in (patches.around, patches.ground[None])))
    most = np.argpartition(away, -STRONGEST, axis=1)[:, -STRONGEST:, None]
    inks = np.median(np.take_along_axis(inner, most, 1), axis=1)
    # the square may have a colour of its own
    return np.asarray(np.abs(inks - patches.ground).max(axis=1), np.float32)


def faded(strength: NDArray[np.float32], side: NDArray[np.int64]) -> NDArray[np.bool_]:
    """[sites]: whether a cross or a ring is much paler than others of its kind, or a single one than the others."""
    usual = np.array([strong(strength[side == player]) for player in (0, 1)])
    least = FADED * usual
    for player in (0, 1):
        if (side == player).sum() == 1:
            least[player] = max(least[player], ALONE * usual[1 - player])
    return np.asarray((side >= 0) & (strength < least[side]), bool)


def previews(strength: NDArray[np.float32], side: NDArray[np.int64]) -> NDArray[np.bool_]:
    """[sites]: pale signs, all of one kind, on every site that is not taken: each shows what a click would do."""
    pale = np.asarray((side >= 0) & (strength < FADED * strength.max()), bool)
    all_there = len(np.unique(side[pale])) == 1 and bool((side >= 0).all())
    return pale if all_there and FEWEST_ALIKE <= pale.sum() < len(side) else np.zeros(len(side), bool)


def ghosts(patches: Patches, side: NDArray[np.int64]) -> NDArray[np.bool_]:
    """[sites]: whether a stone's colour is one that its side's gives where the board shines through, or the other
    side's does and its own is another one: what a click would do, or what was taken."""
    found = np.zeros(len(side), bool)
    bodies = patches.bodies()
    usual = [_strong_colour(bodies[side == player], patches.around[side == player]) for player in (0, 1)]
    odd = np.zeros(len(side), bool)
    if usual[0] is not None and usual[1] is not None:
        own = np.stack((usual[0], usual[1]))[np.maximum(side, 0)]
        odd = np.linalg.norm(bodies - own, axis=1) > OFF * float(np.linalg.norm(usual[0] - usual[1]))
    tinted = np.abs(patches.around - patches.ground).max(axis=1) > TINTED
    for board in (patches.around, np.where(tinted[:, None], patches.ground, patches.around)):
        for player, colour in enumerate(usual):
            if colour is None:
                continue
            way, whole = bodies - board, colour - board
            length = np.maximum(np.linalg.norm(whole, axis=1), 1.0)
            share = (way * whole).sum(axis=1) / length**2
            aside = np.linalg.norm(way - share[:, None] * whole, axis=1) / length
            mixed = (share > THIN[0]) & (share < THIN[1]) & (aside < ASIDE) & (length > UNLIKE)
            mixed &= (side == player) | ((side == 1 - player) & odd)
            pixels = np.linalg.norm(patches.tiles[mixed][:, WHOLE] - colour, axis=2)
            mixed[mixed] = (pixels < BOARD * length[mixed, None]).mean(axis=1) < MARKED
            found |= mixed
    return found


def of_one_colour(patches: Patches) -> NDArray[np.bool_]:
    """[sites]: whether what stands there has one colour: it bears no mark, and is no outline."""
    away = np.abs(patches.tiles[:, WHOLE] - patches.bodies()[:, None]).max(axis=2)
    return np.asarray((away < SHADE).mean(axis=1) > PLAIN, bool)


def _strong_colour(bodies: NDArray[np.float32], around: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """The usual colour of those stones of a side that differ most from the board; None of a single one, and where they
    have none: one of them may bear a mark."""
    if len(bodies) < 2:
        return None
    far = np.argsort(-np.linalg.norm(bodies - around, axis=1))[: (len(bodies) + 1) // 2]
    usual = np.median(bodies[far], axis=0)
    spread = float(np.median(np.linalg.norm(bodies[far] - usual, axis=1)))
    return np.asarray(usual, np.float32) if spread < OFF * float(np.linalg.norm(usual - around[far][0])) else None


def strong(values: NDArray[np.float32]) -> float:
    """The largest of few values; of more than two, one that at least a third of them reach."""
    return float(np.sort(values)[::-1][len(values) // FEWEST_ALIKE]) if len(values) else 0.0
