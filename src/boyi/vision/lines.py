"""Where the lines of boards run, and the regions in which they hang together.

A net sees them, also under stones, and not in the grain of wood or in letters; `lattice` looks for grids among them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.nets import probabilities

STEP = 32
"""The net takes pictures whose sides are multiples of this."""
LIKELY = 0.5
"""A point is on a line from this share on."""
SMALLEST_REGION = 18
"""Regions lower or narrower than so many pairs of pixels hold no grid."""

Mask = NDArray[np.uint8]
"""[height, width], 0 or 1."""
Sums = tuple[NDArray[np.uint16], NDArray[np.uint16]]
"""Running sums [height + 1, width] down the vertical edges, [height, width + 1] along the horizontal ones."""


@dataclass(frozen=True)
class Lines:
    """Where vertical and horizontal lines run, and their sums along themselves."""

    vertical: Mask
    horizontal: Mask

    def along(self) -> Sums:
        """Running sums [h + 1, w] down the vertical edges and [h, w + 1] along the horizontal ones, made wider."""
        wide = cv2.dilate(self.vertical, np.ones((1, 5), np.uint8))
        high = cv2.dilate(self.horizontal, np.ones((5, 1), np.uint8))
        down = np.zeros((wide.shape[0] + 1, wide.shape[1]), np.uint16)
        np.cumsum(wide, axis=0, dtype=np.uint16, out=down[1:])
        right = np.zeros((high.shape[0], high.shape[1] + 1), np.uint16)
        np.cumsum(high, axis=1, dtype=np.uint16, out=right[:, 1:])
        return down, right


def find_lines(picture: NDArray[np.uint8]) -> Lines:
    """The lines of boards in a picture, a few pixels wide."""
    height, width = picture.shape[:2]
    more = -height % STEP, -width % STEP
    padded = cv2.copyMakeBorder(picture, 0, more[0], 0, more[1], cv2.BORDER_CONSTANT, value=(128, 128, 128))
    planes = np.ascontiguousarray(padded.transpose(2, 0, 1)[None], np.float32) / np.float32(255)
    down, across = (
        cv2.resize(share, (padded.shape[1], padded.shape[0]), interpolation=cv2.INTER_LINEAR)[:height, :width] > LIKELY
        for share in probabilities("lines", planes)[0]
    )
    return Lines(down.astype(np.uint8), across.astype(np.uint8))


Region = tuple[slice, slice, Mask, Mask]
"""Rows and columns of a part of the picture, and the lines there that hang together."""


def regions(lines: Lines) -> Iterator[Region]:
    """Parts of the picture whose lines hang together, at three ideas of what hangs together."""
    both = cv2.dilate(cv2.bitwise_or(lines.vertical, lines.horizontal), np.ones((3, 3), np.uint8))[::2, ::2]
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
            vertical, horizontal = lines.vertical[rows, columns], lines.horizontal[rows, columns]
            mask = cv2.resize(own, vertical.shape[::-1], interpolation=cv2.INTER_NEAREST)
            yield rows, columns, vertical * mask, horizontal * mask
