"""Equally spaced lines: the peaks of a profile that are the teeth of a comb."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

MOST_LINES = 24
SMALLEST_PITCH = 9.0
TOLERANCE = 0.13
"""How far a tooth may be from where it should be, in pitches."""


@dataclass(frozen=True)
class Comb:
    """Equally spaced lines: `count` of them, the first at `start`."""

    start: float
    pitch: float
    count: int

    @property
    def end(self) -> float:
        return self.start + (self.count - 1) * self.pitch

    @property
    def lines(self) -> NDArray[np.float64]:
        return self.start + self.pitch * np.arange(self.count, dtype=np.float64)


def combs(profile: NDArray[np.float64]) -> list[Comb]:
    """Equally spaced peaks of a profile, the likeliest first."""
    size = len(profile)
    found: dict[tuple[int, int, int], tuple[float, Comb]] = {}
    for sigma in sorted({1.0, max(1.0, 0.004 * size), max(1.0, 0.012 * size), max(1.0, 0.03 * size)}):
        where, height = _peaks(profile, sigma)
        for score, comb in _teeth(where, height):
            if comb.pitch < 3 * sigma:
                continue
            name = (comb.count, round(comb.pitch), round(comb.start / comb.pitch * 4))
            if name not in found or found[name][0] < score:
                found[name] = score, comb
    best = sorted(found.values(), key=lambda pair: -pair[0])[:5]
    return [comb for _, comb in best]


def _peaks(profile: NDArray[np.float64], sigma: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Positions, between pixels, and heights of the peaks of a smoothed profile, at most 60."""
    padded = np.pad(profile, 1)
    smooth = cv2.GaussianBlur(padded[None], (0, 0), sigma, borderType=cv2.BORDER_CONSTANT)[0]
    inner = smooth[1:-1]
    is_peak = (inner >= smooth[:-2]) & (inner > smooth[2:]) & (inner > 0.18 * np.sort(inner)[-3:].min())
    where = np.flatnonzero(is_peak)
    if len(where) > 60:
        where = np.sort(where[np.argsort(-inner[where])[:60]])
    left, middle, right = smooth[where], smooth[where + 1], smooth[where + 2]
    bend = left - 2 * middle + right
    shift = np.where(bend < 0, 0.5 * (left - right) / np.where(bend < 0, bend, 1), 0.0)
    return where + np.clip(shift, -0.5, 0.5), inner[where]


def _teeth(where: NDArray[np.float64], height: NDArray[np.float64]) -> Iterator[tuple[float, Comb]]:
    """Every run of equally spaced peaks, with how well it explains the peaks within it."""
    number = len(where)
    if number < 2:
        return
    first, second = np.triu_indices(number, 1)
    keep = (second - first < 9) & (where[second] - where[first] >= SMALLEST_PITCH)
    first, last = first[keep], second[keep]
    pitch, count = where[last] - where[first], np.full(len(first), 2)
    total, lowest = height[first] + height[last], np.minimum(height[first], height[last])
    alive = np.ones(len(first), bool)
    for _ in range(MOST_LINES - 2):
        wanted = where[last] + pitch
        nearest = _nearest(where, wanted)
        alive &= (nearest > last) & (np.abs(where[nearest] - wanted) <= np.maximum(1.6, TOLERANCE * pitch))
        if not alive.any():
            break
        last = np.where(alive, nearest, last)
        count = count + alive
        total = total + alive * height[nearest]
        lowest = np.where(alive, np.minimum(lowest, height[nearest]), lowest)
        pitch = (where[last] - where[first]) / (count - 1)
    before = where[first] - pitch
    earlier = np.abs(where[_nearest(where, before)] - before) < np.maximum(1.6, TOLERANCE * pitch)
    keep = (lowest >= 0.2 * total / count) & ~(earlier & (count > 2))
    sums = np.concatenate(([0.0], np.cumsum(height)))
    inside = (
        sums[np.searchsorted(where, where[last] + 0.3 * pitch)] - sums[np.searchsorted(where, before + 0.7 * pitch)]
    )
    score = total / inside * np.sqrt(total / count) * count**0.7
    for index in np.flatnonzero(keep)[np.argsort(-score[keep])][:24].tolist():
        yield float(score[index]), Comb(float(where[first[index]]), float(pitch[index]), int(count[index]))


def _nearest(where: NDArray[np.float64], wanted: NDArray[np.float64]) -> NDArray[np.int64]:
    """The index of the entry of a sorted array that is nearest to each wanted value."""
    after = np.clip(np.searchsorted(where, wanted), 1, len(where) - 1)
    return np.where(wanted - where[after - 1] < where[after] - wanted, after - 1, after)
