"""Whose the stones of a board are: two groups by their colours. Start at `two_groups`."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

APART, FAR_APART = 26.0, 55.0
"""Distance in CIE Lab above which two groups of stones are two colours, and above which nobody confuses them."""
CLOSE, CLEARLY, THIRD, EVEN = 14.0, 4.0, 0.3, 12.0
"""Two groups this far apart are two colours too if their distance is so many times that of stones from their group's
colour; half as far they may be. A group that falls into parts so clearly, this share of the distance of the two sides
apart, has a third colour; and so has one whose stones, as a whole and where colours show, fall into parts within which
they differ so many times less than these do."""
WON = 5
"""Stones of the shortest row that wins on boards where stones do."""
SAME_LIGHTNESS, BY_HUE = 15.0, 0.4
"""Two colours whose lightness differs by less, of 100, or by less than this share of how their hues differ, are not a
darker and a lighter one."""
CERTAIN, SURELY, SETTLED = 0.8, 0.95, 0.85
"""A stone that is so certainly of a colour needs no second look; one whose side the net knows surely, where the colours
say little, is of that side, and so certainly."""


class Groups(NamedTuple):
    """Stones in two groups; arrays are [stones] where nothing else is said."""

    side: NDArray[np.int64]
    """The group of each stone: 0 for the darker ones."""
    colours: NDArray[np.float32]
    """[2, 3]: the groups' colours, NaN for a group without stones."""
    certain: NDArray[np.float64]
    """How sure each stone's group is."""
    doubted: NDArray[np.bool_]
    """Whether it is doubtful that a stone's group has one colour."""
    gap: float
    """How far the two colours are apart."""


def two_groups(colours: NDArray[np.float32], ground: NDArray[np.float32]) -> Groups:
    """Stones [n, 3], by their colours; those that are all alike are Black if they are dark, or darker than the board,
    else White."""
    number = len(colours)
    doubted = np.zeros(number, bool)
    centres = np.full((2, 3), np.nan, np.float32)
    split = split_colours(colours)
    if (split.gap > APART and split.gap > 3 * split.spread) or split.is_clear(CLOSE, 2):
        centres[:] = split.centres
        away = np.stack([np.linalg.norm(colours - colour, axis=1) for colour in centres])
        group, certain = away.argmin(axis=0), certainty(away)
        if split.gap < APART:
            doubted = away.min(axis=0) > split.gap / 4
        for side in (0, 1):
            third = split_colours(colours[group == side]).is_clear(THIRD * split.gap, 3)
            doubted |= third & (group == side)
        return Groups(group, centres, certain, doubted, split.gap)
    middle = np.median(colours, axis=0)
    away_from = np.linalg.norm(colours - middle, axis=1)
    dark = float(middle[0]) < 42 or (float(middle[0]) < 66 and float(middle[0]) < float(ground[0]))
    centres[0 if dark else 1] = middle
    certain = 1 - np.clip((away_from - 14) / 20, 0, 1)
    doubted[:] = split.is_clear(CLOSE / 2, 2)
    return Groups(np.full(number, 0 if dark else 1), centres, certain, doubted, 0.0)


def two_shades(side: NDArray[np.int64], colours: NDArray[np.float32]) -> NDArray[np.bool_]:
    """[stones]: whether the stones of this side have two even colours that are near each other."""
    found = np.zeros(len(side), bool)
    for player in (0, 1):
        parts = split_colours(colours[side == player])
        found[side == player] = parts.is_clear(CLOSE, 2) and parts.gap > EVEN * parts.spread
    return found


def that_won(side: NDArray[np.int64], places: NDArray[np.int64], colours: NDArray[np.float32]) -> NDArray[np.bool_]:
    """[stones]: the stones of a side that has two shades, of which one is that of a row that won. `places` [stones, 2]
    are their rows and columns."""
    found = np.zeros(len(side), bool)
    for player in (0, 1):
        own = np.flatnonzero(side == player)
        if len(own) <= WON:
            continue
        centres = split_colours(colours[own]).centres
        nearest = np.linalg.norm(colours[own, None] - centres, axis=2).argmin(axis=1)
        found[own] = any(_is_row(places[own[nearest == part]]) for part in (0, 1))
    return found


def _is_row(places: NDArray[np.int64]) -> bool:
    """Whether places [n, 2], in order, are neighbours in a row that wins."""
    steps = np.diff(places, axis=0)
    return len(places) >= WON and bool((steps == steps[0]).all()) and int(np.abs(steps).max()) == 1


class Split(NamedTuple):
    """The best cut of a list of colours into two."""

    centres: NDArray[np.float32]
    """[2, 3]: the middle colours of the two, the darker first."""
    gap: float
    """How far these are apart."""
    spread: float
    """How far the colours are from them, on average."""
    least: int
    """How many the smaller group has."""

    def is_clear(self, gap: float, least: int) -> bool:
        """Whether the groups are so far apart and so large that this cannot be chance."""
        return self.gap > max(gap, CLEARLY * self.spread) and self.least >= least


def split_colours(colours: NDArray[np.float32]) -> Split:
    """Cut colours [n, 3] into two groups that lie apart as far as possible."""
    if len(colours) < 2:
        return Split(np.full((2, 3), np.nan, np.float32), 0.0, 0.0, 0)
    order = np.argsort(_first_component(colours))
    cut = 1 + int(np.argmin(_losses(colours[order].astype(float))))
    centres = np.stack([np.median(colours[part], axis=0) for part in (order[:cut], order[cut:])])
    centres = centres[np.argsort(centres[:, 0])]
    away = np.stack([np.linalg.norm(colours - colour, axis=1) for colour in centres])
    gap = float(np.linalg.norm(centres[0] - centres[1]))
    return Split(centres, gap, float(np.mean(away.min(axis=0))), min(cut, len(colours) - cut))


def _losses(colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """[n - 1]: for every cut of a list of colours the sum of squared distances from the means of its two parts."""
    first = np.arange(1, len(colours))[:, None]
    sums, squares = np.cumsum(colours, axis=0), np.cumsum(colours**2, axis=0)
    before = squares[:-1] - sums[:-1] ** 2 / first
    after = squares[-1] - squares[:-1] - (sums[-1] - sums[:-1]) ** 2 / (len(colours) - first)
    return np.asarray((before + after).sum(axis=1), np.float64)


def certainty(away: NDArray[np.float32]) -> NDArray[np.float64]:
    """[n]: how sure it is which of two colours something has, by its distances [2, n] from them."""
    ratio = away.min(axis=0) / np.maximum(away.max(axis=0), 1e-6)
    return np.asarray(1 - np.clip((ratio - 0.35) / 0.5, 0, 1), np.float64)


def unmarked(groups: Groups, whole: NDArray[np.float32], middle: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where a mark covers the zone that shows the others' colours, go by the whole stone, if its middle agrees.

    [stones]: whether zone, whole and middle all show the same of two colours that are far apart.
    """
    if np.isnan(groups.colours).any():
        return np.zeros(len(groups.side), bool)
    whole_away, middle_away = (
        np.stack([np.linalg.norm(seen - colour, axis=1) for colour in groups.colours]) for seen in (whole, middle)
    )
    likely = np.minimum(certainty(whole_away), certainty(middle_away))
    agreed = whole_away.argmin(axis=0) == middle_away.argmin(axis=0)
    firm = agreed & (whole_away.argmin(axis=0) == groups.side) & (np.minimum(likely, groups.certain) > CERTAIN)
    better = (groups.certain < CERTAIN) & agreed & (likely > groups.certain)
    groups.side[better], groups.certain[better] = whole_away.argmin(axis=0)[better], likely[better]
    return np.asarray(firm & (groups.gap > FAR_APART) & ~groups.doubted, bool)


def weigh_lights(groups: Groups, lights: NDArray[np.float32], firm: NDArray[np.bool_]) -> None:
    """What the colours say is surer where the net says so too, and doubtful where it does not, unless it is `firm`.

    `lights` [stones] is the net's share of the lighter side. It knows nothing of two colours of the same lightness.
    """
    apart = np.abs(groups.colours[0] - groups.colours[1])
    if apart[0] < max(SAME_LIGHTNESS, BY_HUE * float(np.hypot(*apart[1:]))):
        return
    sure, same = 2 * np.abs(lights - 0.5), (lights > 0.5) == (groups.side == 1)
    settled = ~same & (sure > SURELY) & (groups.certain < 1 - CERTAIN)
    groups.side[settled] = 1 - groups.side[settled]
    groups.certain[settled] = SETTLED
    wrong, right = ~same & ~settled & (sure > 0.5) & ~firm, same & ~groups.doubted
    groups.certain[wrong] *= 0.5
    groups.certain[right] = np.maximum(groups.certain[right], sure[right])


def _first_component(colours: NDArray[np.float32]) -> NDArray[np.float64]:
    """[n]: where each colour lies along the direction in which they differ most."""
    centred = colours.astype(float) - colours.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    found: NDArray[np.float64] = centred @ directions[0]
    return found
