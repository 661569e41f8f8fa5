"""What stands on the sites of a grid: kinds by the net, colours by comparing the stones with each other.

Colours are never absolute: the stones of one board fall into two groups, and the darker is Black, the redder Red.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.colours import lab
from boyi.vision.marks import (
    BESIDE,
    BOARD,
    FEWEST_EACH,
    MOST,
    OF_BOARD,
    PERHAPS,
    SAME,
    SMALL,
    TINY,
    UNLIKE,
    bare_rim,
    covered,
    faded,
    ghosts,
    hollow,
    inner_sites,
    notes,
    odd_signs,
    of_one_colour,
    placeholders,
    previews,
    star_places,
    stars,
    strengths,
    strong,
)
from boyi.vision.nets import CROSS, EMPTY, KINDS, OTHER, RING, STONE, site_shares
from boyi.vision.patches import (
    AIR,
    CELL,
    CORNERS,
    DISC,
    MIDDLE,
    SQUARE,
    WHOLE,
    ZONES,
    Grid,
    Patches,
    cut_patches,
)
from boyi.vision.sides import (
    APART,
    CLEARLY,
    CLOSE,
    FAR_APART,
    SETTLED,
    SURELY,
    certainty,
    split_colours,
    that_won,
    two_groups,
    two_shades,
    unmarked,
    weigh_lights,
)

OTHER_HUE = 32.0
"""A stone whose hue differs by more from that of its side, in CIE Lab, where that shows and as a whole, is of
neither."""
MORE_APART = 0.5
"""Stones seen as if light fell evenly may lie so much less apart than they do at first."""
FACE, BACK = 0.2, 0.8
"""A stone of which more than the first share, and the second share of the middle, has the other side's colour may be
one of that side with a ring on it."""
MOST_DOT, FEWEST_RIMS, SAME_RIM = 0.3, 3, 0.2
"""A smaller share is a dot, if the rim is as others': so many stones show what a rim looks like, and one is alike if it
differs by less than this share of the distance of the two colours."""
DISC_SHARE = 0.45
"""How much of what a stone covers a small one does, and a star of the board does not."""
PALEST = 6.0
"""By how much the palest stones differ from the board, of 255; and each other less than that."""
TURNED = 0.5
"""How much of its ink may change where a stone is turned by a quarter."""
FEWEST_SMALL, SMALLEST, USUAL, STONE_SHARE = 4, 0.2, 0.62, 0.8
"""So many stones show how large stones are; between these shares of a square's width they are small, and a stone of
this share is looked at best."""
HALF_SEEN = 0.7
"""Where stones are best looked at in a smaller share of their square, much of what would be seen is the board."""
FEWEST_FILLED = 6
"""Squares a side of the smallest board whose stones bear no numbers: they may be small, or fill their squares."""
INKED, HUE, COLOUR = 0.08, np.array([0.0, 1.0, 1.0]), np.ones(3)
"""How much of a stone its number and a circle on it cover at least; and what of their colour, in CIE Lab, may tell the
sides apart: all but the lightness, or all."""
COLOURED = 60.0
"""A square whose corners differ by so much from the board's usual colour, of 255, has a colour of its own."""


@dataclass(frozen=True)
class Sites:
    """What the sites of a grid look like; arrays are [sites, ...]."""

    grid: Grid
    patches: Patches
    shares: NDArray[np.float32]
    """[sites, kinds]: probability of each kind."""
    strokes: bool
    """Whether the pieces are crosses and rings, not stones."""
    side: NDArray[np.int64]
    """0 or 1 for the two groups of pieces, -1 where there is none."""
    trust: NDArray[np.float64]
    """How sure each site's kind and side are, 0 to 1."""
    colours: NDArray[np.float32]
    """[2, 3]: the colours of the two groups, CIE Lab; NaN for a group without stones."""
    spread: float
    """How far the stones are from their group's colour on average, in Lab, where that shows or as a whole."""
    zone: int = -1
    """Which of `patches.ZONES` shows the stones' colours."""
    share: float = 1.0
    """How much of a square's width shows them: less where stones are small."""

    @property
    def quality(self) -> float:
        """How much this looks like a board at all: the mean trust."""
        return float(self.trust.mean())

    @property
    def occupied(self) -> NDArray[np.bool_]:
        """[rows, columns]"""
        return (self.side >= 0).reshape(self.grid.rows, self.grid.columns)

    def count(self, side: int) -> int:
        return int((self.side == side).sum())


def look(picture: NDArray[np.uint8], grid: Grid, share: float = 1.0) -> Sites:
    """Classify every site of a grid by what is in this share of its width."""
    patches = cut_patches(picture, grid, share)
    shares, lights = site_shares(patches.planes)
    kind = shares.argmax(axis=1)
    crosses, stones = int((kind == CROSS).sum()), int((kind == STONE).sum())
    rings = int((kind == RING).sum())
    stones = max(stones, int(_plain_squares(patches, np.zeros(len(kind), bool), grid).sum()))
    strokes = crosses + rings > (0 if grid.rows == 3 and crosses else stones) and (crosses > 0 or grid.rows == 3)
    if strokes:
        return _of_strokes(picture, grid, patches, shares)
    return _of_stones(picture, grid, patches, shares, lights, share)


def _of_strokes(picture: NDArray[np.uint8], grid: Grid, patches: Patches, shares: NDArray[np.float32]) -> Sites:
    """The sites of a board of crosses and rings, by what the net says of each."""
    kind = shares.argmax(axis=1)
    blank = placeholders(patches, ~np.isin(kind, (CROSS, RING)))
    if grid.lattice == "points":
        blank |= notes(patches, shares, grid.lattice) & np.logical_or(*star_places(grid))
    shares[blank] = np.where(np.arange(len(KINDS)) == EMPTY, np.maximum(shares[blank, EMPTY, None], SURELY), 0)
    kind = shares.argmax(axis=1)
    if grid.rows == 3:  # rings may be filled
        shares[:, RING] += shares[:, STONE]
        shares[:, STONE] = 0
        kind = shares.argmax(axis=1)
    side = np.where(kind == CROSS, 0, np.where(kind == RING, 1, -1))
    trust = np.where(kind == OTHER, 0.0, np.where(kind == STONE, 0.3, shares.max(axis=1)))
    trust[(side >= 0) & (patches.sizes < TINY * strong(patches.sizes[side >= 0]))] *= 0.5
    strength = strengths(picture, grid, patches)
    shown = previews(strength, side)
    side[shown], trust[shown] = -1, SETTLED
    shares[shown] = np.where(np.arange(len(KINDS)) == EMPTY, SETTLED, 0)
    trust[faded(strength, side)] *= 0.5
    if grid.rows == 3:
        trust[odd_signs(patches, kind == EMPTY)] *= 0.5
    none = np.full((2, 3), np.nan, np.float32)
    return Sites(grid, patches, shares, True, side, trust.astype(float), none, 0.0)


def _of_stones(
    picture: NDArray[np.uint8],
    grid: Grid,
    patches: Patches,
    shares: NDArray[np.float32],
    lights: NDArray[np.float32],
    share: float,
) -> Sites:
    """The sites of a board of stones: which there are by the net, whose by their colours, and what is neither."""
    kind = shares.argmax(axis=1)
    perhaps = (kind == OTHER) & (shares[:, STONE] > PERHAPS) & (int((kind == STONE).sum()) > int((kind == OTHER).sum()))
    for of_them, other in ((notes(patches, shares, grid.lattice), EMPTY), (perhaps, STONE)):
        shares[of_them, other] += shares[of_them, OTHER]
        shares[of_them, OTHER] = 0
    shares[hollow(patches, shares)] = np.where(np.arange(len(KINDS)) == EMPTY, SURELY, 0)
    filled = shares[:, STONE] + shares[:, RING]
    there = filled > np.maximum(shares[:, EMPTY], shares[:, OTHER] + shares[:, CROSS])
    starred = stars(patches, there, grid)
    shares[starred] = np.where(np.arange(len(KINDS)) == EMPTY, SURELY, 0)
    bare = bare_rim(patches, there & ~starred, grid)
    there &= ~bare & ~starred
    trust = np.where(there, filled, shares[:, EMPTY] - shares[:, OTHER] / 2).astype(float)
    trust[bare] = SETTLED
    side = np.full(len(kind), -1)
    colours = np.full((2, 3), np.nan, np.float32)
    plain = _plain_squares(patches, there & (kind == STONE), grid)
    if plain.any():  # rings beside them are letters
        there &= plain
    if not (there | plain).any():
        return Sites(grid, patches, shares, False, side, trust, colours, 0.0)
    discs = _plain_discs(patches, there | starred, grid)
    more = _pale(patches, there) | plain | discs
    there |= more
    shares[more], trust[more] = np.where(np.arange(len(KINDS)) == STONE, SETTLED, 0), SETTLED
    coloured = _own_colour(patches, there, grid.columns)
    shown = float(np.median(np.linalg.norm(lab(patches.bodies()[there]) - lab(patches.ground[None]), axis=1)))
    signs = patches.sizes[there & ~coloured]  # what is written on stones that fill their squares may be small too
    if signs.max(initial=0) < SMALLEST * AIR and not coloured[there].all() and shown < CLOSE:
        trust[there] *= 0.5  # too small to tell what they are
    small = _small(patches.of(there), grid) if share == 1 and grid.lattice == "squares" else None
    patches = patches if small is None else cut_patches(picture, grid, small)
    seen, zone = patches, _zone(patches, there)
    groups = two_groups(lab(seen.bodies(zone)[there]), lab(seen.ground[None])[0])
    for towards in (255.0, 0.0) if groups.doubted.any() else ():
        even = patches.evenly_lit(towards)
        even_zone = _zone(even, there)
        lit = two_groups(lab(even.bodies(even_zone)[there]), lab(even.ground[None])[0])
        if lit.gap > MORE_APART * groups.gap and lit.doubted.mean() < groups.doubted.mean():
            seen, zone, groups = even, even_zone, lit
    firm = unmarked(groups, lab(seen.bodies()[there]), lab(seen.middles[there]))
    weigh_lights(groups, lights[there], firm)
    side[there] = groups.side
    away = np.stack([lab(seen.bodies(part)[there]) - groups.colours[groups.side] for part in (zone, -1)])
    marked = np.linalg.norm(away[0], axis=1) < SAME  # a cross on a stone's own colour is a mark
    trust[there] = (trust[there] + marked * shares[there, CROSS]) * groups.certain
    other = np.linalg.norm(away[..., 1:], axis=2).min(axis=0) > OTHER_HUE
    shaded = two_shades(groups.side, lab(seen.bodies(zone)[there])) & two_shades(groups.side, lab(seen.bodies()[there]))
    places = np.argwhere(there.reshape(grid.rows, grid.columns))
    won = np.logical_or(*(that_won(groups.side, places, lab(seen.bodies(part)[there])) for part in (zone, -1)))
    doubted = (groups.doubted | other | shaded) & ~won
    trust[np.flatnonzero(there)[doubted]] *= 0.5
    trust[_two_faced(seen, side, groups.colours)] *= 0.5
    if grid.rows >= FEWEST_FILLED:
        pale = ghosts(seen, side)
        if int(pale.sum()) == 1 and of_one_colour(seen)[pale].all():  # where a player points
            there, side[pale], trust[pale] = there & ~pale, -1, SETTLED
            shares[pale] = np.where(np.arange(len(KINDS)) == EMPTY, SETTLED, 0)
        else:
            trust[pale] *= 0.5
    from_sides = np.linalg.norm(lab(seen.middles)[:, None] - groups.colours, axis=2)
    trust[discs & (np.nanmin(from_sides, axis=1) > APART)] *= 0.5  # a mark of a third colour
    if coloured[there].mean() > 0.5:  # stones fill their squares, and so may the other side's
        trust[coloured & ~there] *= 0.5
    if coloured[there].all() and there.sum() >= FEWEST_SMALL and grid.rows >= FEWEST_FILLED:
        note = ~coloured & ~there & (shares[:, EMPTY] < SETTLED)
        shares[note], trust[note] = np.where(np.arange(len(KINDS)) == EMPTY, SETTLED, 0), SETTLED
    trust[covered(seen, ~there & (inner_sites(grid) if grid.lattice == "points" else True), groups.colours)] *= 0.5
    spread = float(np.linalg.norm(away, axis=2).min(axis=0)[~won].sum()) / max(int((~won).sum()), 1)
    seen_so = Sites(grid, patches, shares, False, side, trust, groups.colours, spread, zone, small or share)
    outlines = np.isnan(groups.colours).any() and (kind[there] == RING).mean() > MOST
    return (by_ink(seen_so, COLOUR) if outlines else None) or seen_so


def are_small(patches: Patches) -> NDArray[np.bool_]:
    """[sites]: whether what stands there by itself may be a small stone."""
    return (patches.sizes < 1) & (patches.sizes > SMALLEST * AIR)


def share_of_stones(patches: Patches, fewest: int = FEWEST_SMALL) -> float | None:
    """The share of a square's width to look at where what stands in the squares is small; None where it is not, or
    where most of it is no disc, ring or square: these look the same when they are turned."""
    small = are_small(patches)
    if small.sum() < fewest:
        return None
    signs, size = patches.signs[small].astype(np.float32), float(np.median(patches.sizes[small])) / AIR
    changed = np.abs(signs - np.rot90(signs, axes=(1, 2))).mean(axis=(1, 2)) / np.maximum(signs.mean(axis=(1, 2)), 1)
    if size > USUAL or float(np.median(changed)) > TURNED:
        return None
    return size / STONE_SHARE


def _small(stones: Patches, grid: Grid) -> float | None:
    """The share of a square's width that shows the colours of stones, where much of what would be seen is the board."""
    share = share_of_stones(stones, 1)
    away = np.linalg.norm(lab(stones.bodies()) - lab(stones.ground[None]), axis=1)
    unseen = float(np.median(away)) < CLOSE or (share is not None and share < HALF_SEEN and grid.rows >= FEWEST_FILLED)
    return share if unseen else None


def in_quarters(sites: Sites) -> bool:
    """Whether most stones reach into one corner of their square alone, and stand in fours of one side: these are
    quarters of discs, and the squares of the board are twice as large."""
    fours = np.zeros((sites.grid.rows, sites.grid.columns), bool)
    for player in (0, 1):
        own = (sites.side == player).reshape(fours.shape)
        whole = np.pad(own[1:, 1:] & own[1:, :-1] & own[:-1, 1:] & own[:-1, :-1], 1)
        fours |= whole[1:, 1:] | whole[1:, :-1] | whole[:-1, 1:] | whole[:-1, :-1]
    stones = sites.patches.of(sites.side >= 0)
    if sites.strokes or fours.sum() <= len(stones.tiles) / 2:
        return False
    bodies = stones.bodies()
    half = CELL // 2
    covered = np.zeros(len(bodies), int)
    for rows in (np.s_[:half], np.s_[half:]):
        for columns in (np.s_[:half], np.s_[half:]):
            corner = np.median(stones.tiles[:, rows, columns][:, CORNERS[rows, columns]], axis=1)
            covered += np.linalg.norm(corner - bodies, axis=1) < BOARD * np.linalg.norm(bodies - stones.ground, axis=1)
    return bool((covered == 1).mean() > MOST)


def _own_colour(patches: Patches, there: NDArray[np.bool_], columns: int) -> NDArray[np.bool_]:
    """[sites]: whether a square's corners have another colour than the board, which may be chequered."""
    odd = np.add(*np.divmod(np.arange(len(there)), columns)) % 2
    away = np.abs(patches.around - patches.ground).max(axis=1)
    for half in (0, 1):
        empty = ~there & (odd == half)
        if empty.any():
            usual = np.median(patches.around[empty], axis=0)
            away[odd == half] = np.minimum(away, np.abs(patches.around - usual).max(axis=1))[odd == half]
    return np.asarray(away > COLOURED, bool)


def _plain_squares(patches: Patches, there: NDArray[np.bool_], grid: Grid) -> NDArray[np.bool_]:
    """[sites]: squares that are filled with one of two plain colours, where no other stones are: these are they."""
    none = np.zeros(len(there), bool)
    if grid.lattice != "squares" or grid.rows < FEWEST_FILLED:
        return none
    colours, even = plain_colours(patches)
    filled = even & _own_colour(replace(patches, around=colours), none, grid.columns)
    if filled.sum() < 2 * FEWEST_EACH or filled.mean() > MOST or (there & ~filled).any():
        return none
    split = split_colours(lab(colours[filled]))
    return filled if split.is_clear(APART, FEWEST_EACH) and split.spread < PALEST else none


def plain_colours(patches: Patches) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """[sites, 3]: the colours of the squares; and whether each is all of its colour."""
    inner = patches.tiles[:, SQUARE < SMALL].astype(np.float32)
    colours = np.median(inner, axis=1)
    even = (np.abs(inner - colours[:, None]).max(axis=2) > UNLIKE).mean(axis=1) < BESIDE
    return np.asarray(colours, np.float32), np.asarray(even, bool)


def without_rings(sites: Sites, perhaps: list[int]) -> Sites:
    """The sites without those of some pieces that are rings of the board's own colour: marks of empty squares."""
    away = np.linalg.norm(lab(sites.patches.bodies()) - lab(sites.patches.around), axis=1)
    rings = np.isin(np.arange(len(away)), perhaps) & (away < OF_BOARD)
    there = (sites.side >= 0) & ~rings
    if not rings.any() or not there.any():
        return sites
    groups = two_groups(lab(sites.patches.bodies(sites.zone)[there]), lab(sites.patches.ground[None])[0])
    if len(np.unique(groups.side)) < 2:
        return sites  # a part of another board, perhaps
    side = np.full(len(there), -1)
    side[there] = groups.side
    trust = np.where(rings, SETTLED, sites.trust)
    trust[there] = sites.shares[there, STONE] + sites.shares[there, RING]
    trust[there] *= groups.certain
    return replace(sites, side=side, trust=trust, colours=groups.colours)


def by_ink(sites: Sites, weights: NDArray[np.float64] = HUE) -> Sites | None:
    """Stones of one colour by the colour of what is written and drawn on them; None where that is one too."""
    stones = np.flatnonzero(sites.side >= 0)
    pixels = sites.patches.tiles[stones][:, DISC]
    shown = lab(pixels.reshape(-1, 3).astype(np.float32)).reshape(*pixels.shape)
    away = np.linalg.norm((shown - np.median(shown, axis=1)[:, None]) * weights, axis=2)
    most = np.argsort(-away, axis=1)[:, : round(INKED * away.shape[1])]
    inks = np.median(np.take_along_axis(shown, most[..., None], 1), axis=1)
    inks = (inks * weights).astype(np.float32)
    split = split_colours(inks)
    if split.gap < APART:
        return None
    from_each = np.stack([np.linalg.norm(inks - ink, axis=1) for ink in split.centres])
    side, trust = sites.side.copy(), sites.trust.copy()
    side[stones] = from_each.argmin(axis=0)
    trust[stones] = np.minimum(sites.shares[stones, STONE] + sites.shares[stones, RING], certainty(from_each))
    return replace(sites, side=side, trust=trust, colours=split.centres, spread=split.spread)


def _pale(patches: Patches, there: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[sites]: where stones stand that hardly differ from the board: discs of one colour on a board without grain,
    among stones of one other colour, as many as these."""
    none = np.zeros(len(there), bool)
    bodies, empty = patches.bodies(), ~there
    if there.all() or not there.any() or split_colours(lab(bodies[there])).gap > APART:
        return none
    away, beside = (np.abs(shown - np.median(shown[empty], axis=0)).max(axis=1) for shown in (bodies, patches.around))
    pale = empty & (away > max(PALEST, CLEARLY * float(np.median(away[empty]))))
    if not FEWEST_EACH <= pale.sum() < empty.sum() / 2 or abs(int(pale.sum()) - int(there.sum())) > 1:
        return none
    spread = float(np.ptp(bodies[pale], axis=0).max())
    return pale if spread < PALEST and (beside[pale] < PALEST / 2).all() else none


def _plain_discs(patches: Patches, there: NDArray[np.bool_], grid: Grid) -> NDArray[np.bool_]:
    """[sites]: empty points on which a disc stands that is larger than a star, of a colour that differs much from the
    board, and from what the empty points look like."""
    empty = ~there & inner_sites(grid)
    if grid.lattice != "points" or not empty.any():
        return np.zeros(len(there), bool)
    middles = patches.middles
    alike = (np.abs(patches.tiles[:, WHOLE] - middles[:, None]).max(axis=2) < UNLIKE).mean(axis=1) > DISC_SHARE
    usual = np.median(middles[empty], axis=0)
    away = [np.linalg.norm(lab(middles) - lab(colour), axis=1) for colour in (patches.around, usual[None])]
    return np.asarray(empty & alike & (np.minimum(*away) > FAR_APART), bool)


def _zone(patches: Patches, there: NDArray[np.bool_]) -> int:
    """The outermost zone in which most stones of either side have the colour of their whole: within their outlines, and
    further out than marks."""
    whole = lab(patches.bodies()[there])
    group = two_groups(whole, lab(patches.ground[None])[0]).side
    for zone in range(len(ZONES) - 1):
        same = np.linalg.norm(lab(patches.bodies(zone)[there]) - whole, axis=1) < SAME
        if all(same[group == side].mean() > MOST for side in np.unique(group)):
            return zone
    return -1


def _two_faced(patches: Patches, side: NDArray[np.int64], colours: NDArray[np.float32]) -> NDArray[np.bool_]:
    """[sites]: whether a stone's middle and much of it has the other side's colour: a large dot, or a ring at its rim.

    Which of the two it is cannot be seen.
    """
    found = np.zeros(len(side), bool)
    stones = np.flatnonzero(side >= 0)
    if np.isnan(colours).any():
        return found
    pixels = patches.tiles[stones]
    shown = np.asarray(cv2.cvtColor(pixels.reshape(-1, 1, 3).astype(np.float32) / 255, cv2.COLOR_BGR2LAB))
    away = np.linalg.norm(shown - colours, axis=2).reshape(*pixels.shape[:3], 2)
    own = side[stones, None, None, None]
    other = (np.take_along_axis(away, 1 - own, 3) < 0.5 * np.take_along_axis(away, own, 3))[..., 0]
    share = other[:, DISC].mean(axis=1)
    dot = (share < MOST_DOT) & _usual_rim(patches, side, colours)[stones]
    found[stones] = (other[:, MIDDLE].mean(axis=1) > BACK) & (share > FACE) & ~dot
    return found


def _usual_rim(patches: Patches, side: NDArray[np.int64], colours: NDArray[np.float32]) -> NDArray[np.bool_]:
    """[sites]: whether a stone's rim looks as those of its side do: then what is within it is a mark."""
    found = np.zeros(len(side), bool)
    rims = lab(patches.bodies(0))
    gap = float(np.linalg.norm(colours[0] - colours[1]))
    for player in (0, 1):
        own = side == player
        if own.sum() >= FEWEST_RIMS:
            found[own] = np.linalg.norm(rims[own] - np.median(rims[own], axis=0), axis=1) < SAME_RIM * gap
    return found
