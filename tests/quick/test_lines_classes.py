"""Classes of lines against a slow look-ahead over texts, and the numbering of codes."""

import functools
import random

import numpy as np
import pytest

from boyi.quick.lines_classes import (
    BARRED,
    FIVE,
    FOUR,
    NONE,
    ONE,
    OPEN_FOUR,
    OPEN_THREE,
    SIX,
    THREE,
    TWO,
    Row,
    classes_of,
    code_cells,
)

FREE, EXACT, BLACK, CONNECT = Row(4, 5), Row(5, 5, exact=True), Row(5, 5, exact=True, barred=True), Row(5, 6)


def row_through(line: str, middle: int) -> int:
    """The length of the unbroken row of X through the middle."""
    first = last = middle
    while first > 0 and line[first - 1] == "X":
        first -= 1
    while last + 1 < len(line) and line[last + 1] == "X":
        last += 1
    return last - first + 1


def grown(line: str) -> list[tuple[int, str]]:
    return [(place, line[:place] + "X" + line[place + 1 :]) for place, cell in enumerate(line) if cell == "."]


@functools.cache
def slow_class(line: str, row: Row) -> int:
    """The class of the stone in the middle of a line of X, O and dots."""
    middle, length = row.reach, row_through(line, row.reach)
    if length >= row.win:
        if length == row.win or not row.exact:
            return SIX if row.win == 6 else FIVE
        return BARRED if row.barred else NONE
    if row.win == 6:
        windows = [range(start, start + 6) for start in range(middle - 5, middle + 1)]
        alive = [w for w in windows if all(line[p] != "O" for p in w) and sum(line[p] == "X" for p in w) >= 4]
        if alive:
            gaps = [{p for p in w if line[p] == "."} for w in alive]
            most = max(6 - len(gap) for gap in gaps)
            return 5 + (not set.intersection(*gaps)) + 2 * (most == 5)
    else:
        points = [place for place, next_line in grown(line) if slow_class(next_line, row) == FIVE]
        if len(points) == 1:
            return FOUR
        if points:
            straight = length == 4
            return OPEN_FOUR if straight or not row.barred else BARRED
    best = max((c for _, next_line in grown(line) if (c := slow_class(next_line, row)) != BARRED), default=0)
    if row.win == 6:
        best = max((slow_class(next_line, row) for _, next_line in grown(line)), default=0)
    return {OPEN_FOUR: OPEN_THREE, FOUR: THREE, OPEN_THREE: TWO, THREE: ONE, TWO: ONE}.get(best, NONE)


@pytest.mark.parametrize("row", [FREE, EXACT, BLACK, CONNECT])
def test_classes_by_slow_look_ahead(row: Row) -> None:
    tables = classes_of(row, row)
    cells = code_cells(row.reach)
    choose = random.Random(1)
    for code in choose.sample(range(len(cells)), 400):
        behind, ahead = cells[code, : row.reach][::-1], cells[code, row.reach :]
        seen = [*behind.tolist(), 1, *ahead.tolist()]
        line = "".join(".XOO"[cell] for cell in seen)
        assert tables.classes[code] & 15 == slow_class(line, row), line
        other = "".join(".OXO"[cell] for cell in seen)
        other = other[: row.reach] + "X" + other[row.reach + 1 :]
        assert tables.classes[code] >> 16 == slow_class(other, row), other


@pytest.mark.parametrize(("reach", "codes"), [(4, 14_641), (5, 132_496)])
def test_codes_are_numbered_as_described(reach: int, codes: int) -> None:
    row = Row(reach, 5, exact=reach == 5)
    tables = classes_of(row, row)
    cells = code_cells(reach)
    assert len(cells) == len(tables.classes) == codes
    assert len(np.unique(cells, axis=0)) == codes
    assert np.array_equal(cells[tables.mirror], np.concatenate([cells[:, reach:], cells[:, :reach]], axis=1))
    assert np.array_equal(cells[tables.swap], np.array([0, 2, 1, 3], np.int8)[cells])
    assert np.array_equal(tables.dull, np.maximum(tables.classes & 15, tables.classes >> 16) < TWO)
    assert np.array_equal(tables.classes[tables.mirror], tables.classes)
    swapped = tables.classes[tables.swap]
    assert np.array_equal(swapped & 15, tables.classes >> 16)


def test_pairs_of_two_directions() -> None:
    look = classes_of(BLACK, Row(5, 5)).look
    four_and_three = FOUR << 8 | OPEN_THREE
    assert look[1, four_and_three] & 255 == FOUR * (FOUR + 1) // 2 + OPEN_THREE
    double_four = FOUR << 12 | FOUR
    assert look[1, double_four] >> 8 & 15 == OPEN_FOUR
    assert look[0, double_four] >> 8 == 2 << 4, "forbidden to Black"
    assert look[0, four_and_three] >> 12 == 0
    assert look[0, OPEN_THREE << 4 | OPEN_THREE] >> 12 == 1, "perhaps a double three"
    assert look[0, FIVE << 8 | double_four] >> 8 == FIVE, "a five is always allowed"
