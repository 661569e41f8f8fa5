"""Finds grids of lines in an upright picture.

Edges that run along a line are thinned to long runs; runs that touch form regions; in a region the columns that hold
many vertical edges are looked at as the teeth of a comb, and so are the rows. A pair of combs is a lattice when its
lines are really there, between every two crossings. A board of squares and a board of points give the same lattice:
which one it is, and what stands on it, is the business of `reading`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

MOST_LINES = 24
SMALLEST_PITCH = 9.0
RUN = 9
"""Edges shorter than this many pixels are letters and noise."""
TOLERANCE = 0.13
"""How far a tooth may be from where it should be, in pitches."""
HOPELESS = 0.12
"""Two combs of whose lines less is there are no lattice, nor a part of one."""
HIDDEN_LINE, HIDDEN_STUBS = 0.12, 0.25
"""How much of an outermost line, and of the stubs that lead to it, shows where stones stand on it, in shares of what
is usual on that board."""
RIM_WEIGHT = 0.1
"""The outermost lines count so much when lines are fitted: a frame is thicker, and another colour begins there."""
ASPECT = 1.15
"""Most that the two pitches of an upright board may differ."""

Mask = NDArray[np.uint8]
"""[height, width], 0 or 1."""
Sums = tuple[NDArray[np.uint16], NDArray[np.uint16]]
"""Running sums [height + 1, width] down the vertical edges, [height, width + 1] along the horizontal ones."""


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


@dataclass(frozen=True)
class Lattice:
    """Vertical lines at `x`, horizontal lines at `y`, in pixels."""

    x: Comb
    y: Comb
    support: float
    """The share of the lines that is there, 0 to 1."""
    overshoot: float
    """How far the lines go on beyond the outermost crossings, in pitches: 0 with a frame, 1 on a bare "#"."""
    beyond: float = 0.0
    """How much is there of the next line, or of the way to it, on the side where most is: a part of a larger grid?"""

    @property
    def score(self) -> float:
        """Larger for a board of more lines, all there."""
        return self.support**3 * float(np.sqrt(self.x.count * self.y.count) + 2)


@dataclass(frozen=True)
class Edges:
    """Where long vertical and horizontal edges run, and their sums along themselves."""

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


def find_edges(picture: NDArray[np.uint8], *, thin: bool) -> Edges:
    """Long edges of a colour picture; with `thin` only lines of a few pixels, which the rims of stones are not."""
    return Edges(_runs(cv2.blur(picture, (1, 7)), 1, thin), _runs(cv2.blur(picture, (7, 1)), 0, thin))


def _runs(smooth: cv2.typing.MatLike, axis: int, thin: bool) -> Mask:
    """Edges across an axis of a picture that was smoothed along the other: vertical ones for axis 1."""
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
    threshold = max(7.0, 2.2 * float(np.percentile(strength[::7, ::7], 60)))
    mask = cv2.threshold(strength, threshold, 1, cv2.THRESH_BINARY)[1]
    along = np.ones((1, RUN) if axis == 0 else (RUN, 1), np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, along), np.uint8)


def find_lattices(picture: NDArray[np.uint8], *, thin: bool, aspect: float = ASPECT) -> list[Lattice]:
    """The lattices of a picture, made of thin lines or of any edges, the best first, none of them twice."""
    edges = find_edges(picture, thin=thin)
    sums = edges.along()
    found: list[Lattice] = []
    tried: set[tuple[int, ...]] = set()
    for region in _regions(edges):
        for x, y in _pairs(region, aspect):
            name = tuple(round(4 * value) for c in (x, y) for value in (c.start / c.pitch, c.end / c.pitch))
            if name not in tried:
                tried.add(name)
                found += _verified(x, y, edges, sums)
    return best_lattices(found)


def best_lattices(found: list[Lattice]) -> list[Lattice]:
    """The best of several lattices, none twice; a part of a larger lattice comes after it."""
    kept: list[Lattice] = []
    for lattice in sorted(found, key=lambda lattice: -lattice.score):
        if not any(_same(lattice, other) for other in kept):
            kept.append(lattice)
    kept = kept[:6]
    return sorted(kept, key=lambda lattice: sum(_part_of(lattice, other) for other in kept))


def _part_of(lattice: Lattice, whole: Lattice) -> bool:
    """Whether the lines of a lattice are among those of a larger one, which is there nearly as well."""
    if whole.x.count * whole.y.count <= lattice.x.count * lattice.y.count or whole.support < 0.7 * lattice.support:
        return False
    for own, other in ((lattice.x, whole.x), (lattice.y, whole.y)):
        near = 0.25 * own.pitch
        if (
            abs(own.pitch - other.pitch) * own.count > near
            or own.start < other.start - near
            or own.end > other.end + near
        ):
            return False
        steps = (own.start - other.start) / other.pitch
        if abs(steps - round(steps)) > 0.25:
            return False
    return True


def _same(first: Lattice, second: Lattice) -> bool:
    near = 0.3 * min(first.x.pitch, second.x.pitch)
    pairs = ((first.x, second.x), (first.y, second.y))
    return all(abs(a.start - b.start) < near and abs(a.end - b.end) < near and a.count == b.count for a, b in pairs)


Region = tuple[slice, slice, Mask, Mask]
"""Rows and columns of a part of the picture, and the edges there that hang together."""


def _regions(edges: Edges) -> Iterator[Region]:
    """Parts of the picture whose edges hang together, at three ideas of what hangs together."""
    both = cv2.dilate(cv2.bitwise_or(edges.vertical, edges.horizontal), np.ones((3, 3), np.uint8))[::2, ::2]
    seen: set[tuple[int, int, int, int]] = set()
    for reach in (1, 5, 11):
        joined = cv2.dilate(both, np.ones((reach, reach), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        large = np.flatnonzero(stats[1:, 2:4].min(axis=1) >= 2 * SMALLEST_PITCH) + 1
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


def _pairs(region: Region, aspect: float) -> Iterator[tuple[Comb, Comb]]:
    """Combs of a region that may be a lattice together, in pixels of the picture."""
    rows, columns, vertical, horizontal = region
    across = combs(cv2.reduce(vertical, 0, cv2.REDUCE_SUM, dtype=cv2.CV_64F)[0] / vertical.shape[0])
    down = combs(cv2.reduce(horizontal, 1, cv2.REDUCE_SUM, dtype=cv2.CV_64F)[:, 0] / horizontal.shape[1])
    for x in across:
        for y in down:
            if 1 / aspect <= x.pitch / y.pitch <= aspect:
                yield replace(x, start=x.start + columns.start), replace(y, start=y.start + rows.start)


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


def _verified(x: Comb, y: Comb, edges: Edges, sums: Sums) -> list[Lattice]:
    """The lattice of two combs: grown by lines that the combs missed, without those that the others do not reach.

    And the same with lines that stones hide, where that makes it square; nothing where there is no lattice.
    """
    if _support(x, y, sums) < HOPELESS:
        return []
    x, y = _grown(x, y, sums)
    for _ in range(4):
        if x.count < 2 or y.count < 2:
            return []
        inner, sides = _outer(*_segments(x, y, sums))
        weak = [line < 0.3 * inner or stubs < 0.35 * inner for line, stubs in sides]
        if not any(weak) or (x.count <= 3 and y.count <= 3):
            break
        left, far, top, bottom = weak
        x = Comb(x.start + left * x.pitch, x.pitch, x.count - left - far)
        y = Comb(y.start + top * y.pitch, y.pitch, y.count - top - bottom)
    if x.count < 2 or y.count < 2:
        return []
    pairs = [(x, y), _squared(x, y, sums)] if x.count != y.count else [(x, y)]
    found = [_lattice(*pair, edges, sums) for pair in dict.fromkeys(pairs)]
    return [lattice for lattice in found if lattice is not None]


def _lattice(x: Comb, y: Comb, edges: Edges, sums: Sums) -> Lattice | None:
    """Two combs as a lattice, if enough of their lines is there and they are all the lines."""
    support = _support(x, y, sums)
    overshoot = _overshoot(x, y, sums)
    if support < 0.3 or (min(x.count, y.count) == 2 and overshoot < 0.6):
        return None  # two lines each way are a rectangle, unless they cross
    between = Comb(x.start + x.pitch / 2, x.pitch, x.count - 1), Comb(y.start + y.pitch / 2, y.pitch, y.count - 1)
    if min(x.count, y.count) > 2 and all(part.mean() > 0.7 * support for part in _segments(*between, sums)):
        return None  # every other line was left out
    beyond = max(max(line, stubs) for line, stubs in _outer(*_segments(*_wider(x, y), sums), 1)[1])
    return Lattice(_refined(x, y, edges.vertical), _refined(y, x, edges.horizontal.T), support, overshoot, beyond)


def _support(x: Comb, y: Comb, sums: Sums) -> float:
    """The share of the lines that is there."""
    down, right = _segments(x, y, sums)
    return float(down.mean() + right.mean()) / 2


def _grown(x: Comb, y: Comb, sums: Sums) -> tuple[Comb, Comb]:
    for _ in range(MOST_LINES):
        if max(x.count, y.count) >= MOST_LINES:
            break
        inner, sides = _outer(*_segments(*_wider(x, y), sums), 1)
        left, far, top, bottom = ((line > 0.55 * inner and stubs > 0.55 * inner) for line, stubs in sides)
        if not (left or far or top or bottom):
            break
        x = Comb(x.start - left * x.pitch, x.pitch, x.count + left + far)
        y = Comb(y.start - top * y.pitch, y.pitch, y.count + top + bottom)
    return x, y


def _wider(x: Comb, y: Comb) -> tuple[Comb, Comb]:
    """With one more line on every side."""
    return Comb(x.start - x.pitch, x.pitch, x.count + 2), Comb(y.start - y.pitch, y.pitch, y.count + 2)


def _squared(x: Comb, y: Comb, sums: Sums) -> tuple[Comb, Comb]:
    """The combs with as many lines each, where what is left of the missing ones is seen between the stones on them."""
    more = x, y
    while more[0].count != more[1].count:
        wide = more[0].count < more[1].count
        inner, sides = _outer(*_segments(*_wider(*more), sums), 1)
        before, after = sides[:2] if wide else sides[2:]
        first = sum(before) > sum(after)
        line, stubs = before if first else after
        if line < HIDDEN_LINE * inner or stubs < HIDDEN_STUBS * inner:
            return x, y
        comb = more[0] if wide else more[1]
        comb = Comb(comb.start - first * comb.pitch, comb.pitch, comb.count + 1)
        more = (comb, more[1]) if wide else (more[0], comb)
    return more


def _outer(
    down: NDArray[np.float64], right: NDArray[np.float64], cut: int = 0
) -> tuple[float, list[tuple[float, float]]]:
    """How much is there of a usual piece of line, and of the outermost lines and of the stubs that lead to them.

    Left, right, top, bottom. With `cut` the outermost lines are asked for: they and the ends of the others are not
    counted as usual.
    """
    height, width = len(right) - cut, down.shape[1] - cut
    inner_down, inner_right = down[cut : len(down) - cut, cut:width], right[cut:height, cut : right.shape[1] - cut]
    pieces = np.concatenate((inner_down.ravel(), inner_right.ravel()))
    inner = float(np.partition(pieces, len(pieces) // 2)[len(pieces) // 2])
    rows, columns = slice(cut, len(down) - cut), slice(cut, right.shape[1] - cut)
    sides = [
        (down[rows, 0], right[cut:height, 0]),
        (down[rows, -1], right[cut:height, -1]),
        (right[0, columns], down[0, cut:width]),
        (right[-1, columns], down[-1, cut:width]),
    ]
    return inner, [(float(line.sum()) / len(line), float(stubs.sum()) / len(stubs)) for line, stubs in sides]


def _segments(x: Comb, y: Comb, sums: Sums) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How much of each piece between two crossings is there: [rows, x.count] down, [y.count, columns] across."""
    down, right = sums
    columns = np.rint(x.lines).astype(int).clip(0, down.shape[1] - 1)
    rows = np.rint(y.lines).astype(int).clip(0, right.shape[0] - 1)
    upright, level = down[rows[:, None], columns].astype(np.int64), right[rows[:, None], columns].astype(np.int64)
    return (
        (upright[1:] - upright[:-1]) / np.maximum(rows[1:] - rows[:-1], 1)[:, None],
        (level[:, 1:] - level[:, :-1]) / np.maximum(columns[1:] - columns[:-1], 1),
    )


def _overshoot(x: Comb, y: Comb, sums: Sums) -> float:
    """How far, in pitches, the lines go on beyond the crossings, on the side where they go least far."""
    down, right = sums
    height, width = down.shape[0] - 1, right.shape[1] - 1
    columns = np.clip(np.rint(x.lines).astype(int), 0, down.shape[1] - 1)
    rows = np.clip(np.rint(y.lines).astype(int), 0, right.shape[0] - 1)
    ends = np.rint([y.start - y.pitch, y.start, y.end, y.end + y.pitch]).astype(int).clip(0, height)
    sides = np.rint([x.start - x.pitch, x.start, x.end, x.end + x.pitch]).astype(int).clip(0, width)
    upright = down[ends[:, None], columns].astype(np.int64)
    level = right[rows[:, None], sides].astype(np.int64)
    reached = [
        (upright[1] - upright[0]).min() / y.pitch,
        (upright[3] - upright[2]).min() / y.pitch,
        (level[:, 1] - level[:, 0]).min() / x.pitch,
        (level[:, 3] - level[:, 2]).min() / x.pitch,
    ]
    return float(min(reached))


def _refined(comb: Comb, other: Comb, mask: Mask) -> Comb:
    """The comb moved to where its lines have most of their edges."""
    top, bottom = max(0, int(other.start)), int(other.end) + 1
    profile = mask[top:bottom].sum(axis=0, dtype=np.float64)
    reach = max(2, round(0.1 * comb.pitch))
    number, where, weight = [], [], []
    for index, line in enumerate(comb.lines.tolist()):
        low, high = max(0, round(line) - reach), round(line) + reach + 1
        near = profile[low:high]
        if near.sum() > 0:
            number.append(index)
            where.append(low + float((near * np.arange(len(near))).sum() / near.sum()))
            rim = comb.count >= 6 and index in (0, comb.count - 1)
            weight.append(float(near.sum()) * (RIM_WEIGHT if rim else 1.0))
    if len(number) < 2:
        return comb
    step, start = np.polyfit(number, where, 1, w=np.sqrt(weight))
    if abs(step - comb.pitch) > 0.08 * comb.pitch or abs(start - comb.start) > 0.25 * comb.pitch:
        return comb
    return Comb(float(start), float(step), comb.count)
