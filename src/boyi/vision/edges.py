"""Long edges of an upright picture, and the regions in which they hang together.

Edges that run along a line are thinned to long runs; runs that touch form regions, in which `lattice` looks for grids.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

RUN = 9
"""Edges shorter than this many pixels are letters and noise."""
FAINTEST = 7.0
"""Steps of colours below this one, of 255, are no edges in a usual picture."""
GRAIN, GRAIN_REACH, GRAIN_MOST = 3.0, 61, 40.0
"""Lines on grained wood are so many times as strong as edges are on average within so many pixels, where edges that are
stronger than the last count as that."""
SLOPE, SOFT = 6, 0.3
"""A picture is soft if colours change less from one pixel to the next than this share of the change over so many."""
SMALLEST_REGION = 18
"""Regions lower or narrower than so many pairs of pixels hold no grid."""

Mask = NDArray[np.uint8]
"""[height, width], 0 or 1."""
Sums = tuple[NDArray[np.uint16], NDArray[np.uint16]]
"""Running sums [height + 1, width] down the vertical edges, [height, width + 1] along the horizontal ones."""


@dataclass(frozen=True)
class Edges:
    """Where long vertical and horizontal edges run, and their sums along themselves."""

    vertical: Mask
    horizontal: Mask
    grain: float = 0.0
    """The share of the edges that was left out because they do not stand out from those around them."""

    def along(self) -> Sums:
        """Running sums [h + 1, w] down the vertical edges and [h, w + 1] along the horizontal ones, made wider."""
        wide = cv2.dilate(self.vertical, np.ones((1, 5), np.uint8))
        high = cv2.dilate(self.horizontal, np.ones((5, 1), np.uint8))
        down = np.zeros((wide.shape[0] + 1, wide.shape[1]), np.uint16)
        np.cumsum(wide, axis=0, dtype=np.uint16, out=down[1:])
        right = np.zeros((high.shape[0], high.shape[1] + 1), np.uint16)
        np.cumsum(high, axis=1, dtype=np.uint16, out=right[:, 1:])
        return down, right


def find_edges(picture: NDArray[np.uint8], *, thin: bool, grained: bool = False, faintest: float = FAINTEST) -> Edges:
    """Long edges of a colour picture; with `thin` only lines of a few pixels, which the rims of stones are not.

    With `grained` only those that stand out from the edges around them. `faintest` is the least step of a colour.
    """
    vertical, kept_v, all_v = _runs(cv2.blur(picture, (1, 7)), 1, thin, grained, faintest)
    horizontal, kept_h, all_h = _runs(cv2.blur(picture, (7, 1)), 0, thin, grained, faintest)
    return Edges(vertical, horizontal, 1 - (kept_v + kept_h) / max(all_v + all_h, 1))


def _runs(smooth: cv2.typing.MatLike, axis: int, thin: bool, grained: bool, faintest: float) -> tuple[Mask, int, int]:
    """Edges across an axis of a picture that was smoothed along the other: vertical ones for axis 1.

    And of how many pixels they were made, and how many edges there are without `grained`.
    """
    reach = 3 if thin else 1
    size = smooth.shape[axis]
    before, here, after = (
        smooth[first : size - last] if axis == 0 else smooth[:, first : size - last]
        for first, last in ((0, 2 * reach), (reach, reach), (2 * reach, 0))
    )
    if thin:
        dark = cv2.subtract(cv2.min(before, after), here)
        steep = cv2.max(dark, cv2.subtract(here, cv2.max(before, after)))
    else:
        steep = cv2.absdiff(before, after)
    blue, green, red = cv2.split(steep)
    rim = (reach, reach, 0, 0) if axis == 0 else (0, 0, reach, reach)
    strength = cv2.copyMakeBorder(cv2.max(cv2.max(blue, green), red), *rim, cv2.BORDER_CONSTANT)
    threshold = max(faintest, 2.2 * float(np.percentile(strength[::7, ::7], 60)))
    mask = cv2.threshold(strength, threshold, 1, cv2.THRESH_BINARY)[1]
    number = cv2.countNonZero(mask)
    if grained:
        usual = cv2.blur(np.minimum(strength, np.uint8(GRAIN_MOST)), (GRAIN_REACH, GRAIN_REACH))
        mask = cv2.bitwise_and(mask, cv2.compare(strength, cv2.convertScaleAbs(usual, alpha=GRAIN), cv2.CMP_GT))
    along = np.ones((1, RUN) if axis == 0 else (RUN, 1), np.uint8)
    opened = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, along), np.uint8)
    return opened, cv2.countNonZero(mask) if grained else number, number


def is_soft(picture: NDArray[np.uint8]) -> bool:
    """Whether colours change slowly everywhere, as they do out of focus."""
    rows = picture[::5]
    if rows.shape[1] <= SLOPE:
        return False
    next_one, further = (
        float(np.percentile(cv2.absdiff(rows[:, reach:], rows[:, :-reach])[:, ::2], 99.5)) for reach in (1, SLOPE)
    )
    return next_one < SOFT * further


Region = tuple[slice, slice, Mask, Mask]
"""Rows and columns of a part of the picture, and the edges there that hang together."""


def regions(edges: Edges) -> Iterator[Region]:
    """Parts of the picture whose edges hang together, at three ideas of what hangs together."""
    both = cv2.dilate(cv2.bitwise_or(edges.vertical, edges.horizontal), np.ones((3, 3), np.uint8))[::2, ::2]
    seen: set[tuple[int, int, int, int]] = set()
    for reach in (1, 5, 11):
        joined = cv2.dilate(both, np.ones((reach, reach), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        large = np.flatnonzero(stats[1:, 2:4].min(axis=1) >= SMALLEST_REGION) + 1
        order = large[np.argsort(-stats[large, 2].astype(np.int64) * stats[large, 3])][:4]
        for label in order.tolist():
            x, y, width, height = (int(value) for value in stats[label, :4])
            box = (x // 4, y // 4, (x + width) // 4, (y + height) // 4)
            if box in seen:
                continue
            seen.add(box)
            own = (labels[y : y + height, x : x + width] == label).astype(np.uint8)
            rows, columns = slice(2 * y, 2 * (y + height)), slice(2 * x, 2 * (x + width))
            vertical, horizontal = edges.vertical[rows, columns], edges.horizontal[rows, columns]
            mask = cv2.resize(own, vertical.shape[::-1], interpolation=cv2.INTER_NEAREST)
            yield rows, columns, vertical * mask, horizontal * mask
