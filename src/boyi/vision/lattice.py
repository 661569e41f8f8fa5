"""Finds grids of lines in an upright picture.

In a region of long edges (`edges`) the columns that hold many vertical ones are looked at as the teeth of a comb
(`combs`), and so are the rows. A pair of combs is a lattice when its lines are really there, between every two
crossings. A board of squares and a board of points give the same lattice: which one it is, and what stands on it, is
the business of `recognise`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.combs import MOST_LINES, Comb, combs
from boyi.vision.lines import Lines, Mask, Region, Sums, find_lines, regions

HOPELESS = 0.12
"""Two combs of whose lines less is there are no lattice, nor a part of one."""
HIDDEN_LINE, HIDDEN_STUBS = 0.12, 0.25
"""How much of an outermost line, and of the stubs that lead to it, shows where stones stand on it, in shares of what
is usual on that board."""
MOST_SQUARE, MOST_OBLONG = 6, 3
"""So many of the best lattices are looked at; an oblong one is only the reason of a refusal."""
OUTSIDE = 0.1
"""How far outside the picture a line may be, in pitches, because its place is not known better."""
LETTERED = 8
"""Boards of so many lines may have rows of letters beside them that look like further lines."""
LEAST_LINE = 0.1
"""Lines that go on, but to no next line of which so much is there, are only long."""
ALL_THERE, ENDS = 0.9, 0.3
"""Lines of which more is there are whole; a lattice of whose next line less is there ends."""
RIMMED = 4
"""On boards of more lines the outermost ones may go on beyond the board."""
RIM_WEIGHT = 0.1
"""The outermost lines count so much when lines are fitted: a frame is thicker, and another colour begins there."""
THERE, OBLONG = 0.7, 1.5
"""Lines halfway between others of which so much is there beside these were left out; and in one direction only where
that makes squares so oblong."""
ASPECT = 2.3
"""Most that the two pitches of an upright board may differ."""


@dataclass(frozen=True)
class Lattice:
    """Vertical lines at `x`, horizontal lines at `y`, in pixels."""

    x: Comb
    y: Comb
    support: float
    """The share of the lines that is there, 0 to 1."""
    reached: tuple[float, float, float, float]
    """How far the lines go on beyond the outermost crossings, in pitches, left, right, top and bottom: 0 with a frame,
    1 on a bare "#"."""
    beyond: float = 0.0
    """How much is there of the next line, or of the way to it, on the side where most is: a part of a larger grid?"""
    continued: float = 0.0
    """How much is there of the way to the next line, on the side where most is of those whose next line is in the
    picture: do the squares go on?"""

    @property
    def overshoot(self) -> float:
        """How far they go on where they go least far."""
        return min(self.reached)

    @property
    def score(self) -> float:
        """Larger for a board of more lines, all there."""
        return self.support**3 * float(np.sqrt(self.x.count * self.y.count) + 2)


def find_lattices(picture: NDArray[np.uint8], aspect: float = ASPECT) -> list[Lattice]:
    """The lattices of a picture, the best first, none of them twice; `aspect` bounds how oblong their squares are."""
    lines = find_lines(picture)
    sums = lines.along()
    found: list[Lattice] = []
    tried: set[tuple[int, ...]] = set()
    for region in regions(lines):
        for x, y in _pairs(region, aspect):
            name = tuple(round(4 * value) for c in (x, y) for value in (c.start / c.pitch, c.end / c.pitch))
            if name not in tried:
                tried.add(name)
                found += _verified(x, y, sums)
    return [_refined(lattice, lines) for lattice in _best(found)]


def _best(found: list[Lattice]) -> list[Lattice]:
    """The best of several lattices, none twice; a part of a larger lattice comes after it."""
    kept: list[Lattice] = []
    room = {True: MOST_SQUARE, False: MOST_OBLONG}
    for lattice in sorted(found, key=lambda lattice: -lattice.score):
        square = lattice.x.count == lattice.y.count
        if room[square] and not any(_same(lattice, other) for other in kept):
            kept.append(lattice)
            room[square] -= 1
    whole = [lattice for lattice in kept if not any(_cut_out_of(lattice, other) for other in kept)]
    return sorted(whole, key=lambda lattice: sum(_part_of(lattice, other) for other in kept))


def _cut_out_of(lattice: Lattice, whole: Lattice) -> bool:
    """Whether a lattice is but a part of an oblong one that is all there, and ends where it ends."""
    oblong = whole.x.count != whole.y.count and whole.beyond < ENDS
    return oblong and lattice.continued > ALL_THERE and whole.support > ALL_THERE and _part_of(lattice, whole)


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


def _pairs(region: Region, aspect: float) -> Iterator[tuple[Comb, Comb]]:
    """Combs of a region that may be a lattice together, in pixels of the picture."""
    rows, columns, vertical, horizontal = region
    across = combs(cv2.reduce(vertical, 0, cv2.REDUCE_SUM, dtype=cv2.CV_64F)[0] / vertical.shape[0])
    down = combs(cv2.reduce(horizontal, 1, cv2.REDUCE_SUM, dtype=cv2.CV_64F)[:, 0] / horizontal.shape[1])
    for x in across:
        for y in down:
            if 1 / aspect <= x.pitch / y.pitch <= aspect:
                yield replace(x, start=x.start + columns.start), replace(y, start=y.start + rows.start)


def _verified(x: Comb, y: Comb, sums: Sums) -> list[Lattice]:
    """The lattice of two combs: grown by lines that the combs missed, without those that the others do not reach.

    And the same with lines that stones hide, or without those that are rows of letters beside the board, where that
    makes it square; nothing where there is no lattice.
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
    pairs = [(x, y)]
    if x.count != y.count:
        pairs += [_squared(x, y, sums), _trimmed(x, y, sums), *_bare(x, y)]
    found = [_lattice(*pair, sums) for pair in dict.fromkeys(pairs)]
    return [lattice for lattice in found if lattice is not None]


def _lattice(x: Comb, y: Comb, sums: Sums) -> Lattice | None:
    """Two combs as a lattice, if enough of their lines is there and they are all the lines."""
    support = _support(x, y, sums)
    reached = _reached(x, y, sums)
    if support < 0.3 or (min(x.count, y.count) == 2 and min(reached) < 0.6):
        return None  # two lines each way are a rectangle, unless they cross
    between = Comb(x.start + x.pitch / 2, x.pitch, x.count - 1), Comb(y.start + y.pitch / 2, y.pitch, y.count - 1)
    if min(x.count, y.count) > 2 and all(part.mean() > THERE * support for part in _segments(*between, sums)):
        return None  # every other line was left out
    if any(_halved(*pair, support, sums) for pair in ((x, y, True), (y, x, False))):
        return None
    sides = _outer(*_segments(*_wider(x, y), sums), 1)[1]
    return Lattice(
        x,
        y,
        support,
        reached,
        beyond=max(map(max, sides)),
        continued=max(
            stubs * (inside and line > LEAST_LINE)
            for (line, stubs), inside in zip(sides, _room(x, y, sums), strict=True)
        ),
    )


def _halved(wide: Comb, narrow: Comb, upright: bool, support: float, sums: Sums) -> bool:
    """Whether every other of the lines that are further apart was left out, so that the squares are oblong."""
    if wide.pitch < OBLONG * narrow.pitch or wide.count < 3:
        return False
    between = Comb(wide.start + wide.pitch / 2, wide.pitch, wide.count - 1)
    pieces = _segments(between, narrow, sums)[0] if upright else _segments(narrow, between, sums)[1]
    return float(pieces.mean()) > THERE * support


def _support(x: Comb, y: Comb, sums: Sums) -> float:
    """The share of the lines that is there."""
    down, right = _segments(x, y, sums)
    return float(down.mean() + right.mean()) / 2


def _grown(x: Comb, y: Comb, sums: Sums) -> tuple[Comb, Comb]:
    for _ in range(MOST_LINES):
        if max(x.count, y.count) >= MOST_LINES:
            break
        inner, sides = _outer(*_segments(*_wider(x, y), sums), 1)
        left, far, top, bottom = (
            inside and line > 0.55 * inner and stubs > 0.55 * inner
            for inside, (line, stubs) in zip(_room(x, y, sums), sides, strict=True)
        )
        if not (left or far or top or bottom):
            break
        x = Comb(x.start - left * x.pitch, x.pitch, x.count + left + far)
        y = Comb(y.start - top * y.pitch, y.pitch, y.count + top + bottom)
    return x, y


def _wider(x: Comb, y: Comb) -> tuple[Comb, Comb]:
    """With one more line on every side."""
    return Comb(x.start - x.pitch, x.pitch, x.count + 2), Comb(y.start - y.pitch, y.pitch, y.count + 2)


def _room(x: Comb, y: Comb, sums: Sums) -> tuple[bool, bool, bool, bool]:
    """Whether a next line on the left, right, top and bottom would be in the picture."""
    height, width = len(sums[0]) - 1, sums[1].shape[1] - 1
    slack = OUTSIDE * x.pitch, OUTSIDE * y.pitch
    return (
        x.start + slack[0] >= x.pitch,
        x.end + x.pitch <= width + slack[0],
        y.start + slack[1] >= y.pitch,
        y.end + y.pitch <= height + slack[1],
    )


def _squared(x: Comb, y: Comb, sums: Sums) -> tuple[Comb, Comb]:
    """The combs with as many lines each, where what is left of the missing ones is seen between the stones on them."""
    more = x, y
    while more[0].count != more[1].count:
        wide = more[0].count < more[1].count
        inner, sides = _outer(*_segments(*_wider(*more), sums), 1)
        inside = _room(*more, sums)
        (before, after), (ahead, behind) = (sides[:2], inside[:2]) if wide else (sides[2:], inside[2:])
        first = ahead and (sum(before) > sum(after) or not behind)
        line, stubs = before if first else after
        if not (ahead or behind) or line < HIDDEN_LINE * inner or stubs < HIDDEN_STUBS * inner:
            return x, y
        comb = more[0] if wide else more[1]
        comb = Comb(comb.start - first * comb.pitch, comb.pitch, comb.count + 1)
        more = (comb, more[1]) if wide else (more[0], comb)
    return more


def _trimmed(x: Comb, y: Comb, sums: Sums) -> tuple[Comb, Comb]:
    """The combs with as many lines each, those of the longer one of which most is there; at most two are left out."""
    spare = y.count - x.count
    if not 0 < abs(spare) <= 2 or min(x.count, y.count) < LETTERED:
        return x, y
    down, right = _segments(x, y, sums)
    there = right.sum(axis=1) if spare > 0 else down.sum(axis=0)
    count = len(there) - abs(spare)
    first = int(np.argmax(np.convolve(there, np.ones(count), "valid")))
    if spare > 0:
        return x, Comb(y.start + first * y.pitch, y.pitch, count)
    return Comb(x.start + first * x.pitch, x.pitch, count), y


def _bare(x: Comb, y: Comb) -> Iterator[tuple[Comb, Comb]]:
    """Two lines each way of two and three: the third may be the edge of the page, as far from a "#" as its lines are
    from each other."""
    if (x.count, y.count) == (2, 3):
        yield from ((x, replace(y, start=start, count=2)) for start in (y.start, y.start + y.pitch))
    if (x.count, y.count) == (3, 2):
        yield from ((replace(x, start=start, count=2), y) for start in (x.start, x.start + x.pitch))


def _outer(
    down: NDArray[np.float64], right: NDArray[np.float64], cut: int = 0
) -> tuple[float, list[tuple[float, float]]]:
    """How much is there of a usual piece of line, and of the outermost lines and of the stubs that lead to them.

    Left, right, top, bottom. With `cut` the outermost lines are asked for: they and the ends of the others are not
    counted as usual. On a larger board the stubs of its own rim do not count: a frame may go on around a title.
    """
    height, width = len(right) - cut, down.shape[1] - cut
    inner_rows, inner_columns = (
        slice(cut + (last - cut > RIMMED), last - (last - cut > RIMMED)) for last in (height, width)
    )
    inner_down, inner_right = down[cut : len(down) - cut, cut:width], right[cut:height, cut : right.shape[1] - cut]
    pieces = np.concatenate((inner_down.ravel(), inner_right.ravel()))
    inner = float(np.partition(pieces, len(pieces) // 2)[len(pieces) // 2])
    rows, columns = slice(cut, len(down) - cut), slice(cut, right.shape[1] - cut)
    sides = [
        (down[rows, 0], right[inner_rows, 0]),
        (down[rows, -1], right[inner_rows, -1]),
        (right[0, columns], down[0, inner_columns]),
        (right[-1, columns], down[-1, inner_columns]),
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


def _reached(x: Comb, y: Comb, sums: Sums) -> tuple[float, float, float, float]:
    """How far, in pitches, the lines go on beyond the crossings on average, left, right, top and bottom."""
    down, right = sums
    height, width = down.shape[0] - 1, right.shape[1] - 1
    columns = np.clip(np.rint(x.lines).astype(int), 0, down.shape[1] - 1)
    rows = np.clip(np.rint(y.lines).astype(int), 0, right.shape[0] - 1)
    ends = np.rint([y.start - y.pitch, y.start, y.end, y.end + y.pitch]).astype(int).clip(0, height)
    sides = np.rint([x.start - x.pitch, x.start, x.end, x.end + x.pitch]).astype(int).clip(0, width)
    upright = down[ends[:, None], columns].astype(np.int64)
    level = right[rows[:, None], sides].astype(np.int64)
    return (
        float((level[:, 1] - level[:, 0]).mean()) / x.pitch,
        float((level[:, 3] - level[:, 2]).mean()) / x.pitch,
        float((upright[1] - upright[0]).mean()) / y.pitch,
        float((upright[3] - upright[2]).mean()) / y.pitch,
    )


def _refined(lattice: Lattice, lines: Lines) -> Lattice:
    """The lattice with its lines where most of their edges are."""
    x, y = lattice.x, lattice.y
    return replace(lattice, x=_moved(x, y, lines.vertical), y=_moved(y, x, lines.horizontal.T))


def _moved(comb: Comb, other: Comb, mask: Mask) -> Comb:
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
