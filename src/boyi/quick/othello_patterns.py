"""Othello pattern tables: a quick net of width 1. Start at `evaluate`.

A position is seen by the side to move. Each pattern is a set of squares read as a number to the base 3 (0 empty, 1 own,
2 other) and looks up a weight; the evaluation is the sum, in discs, empty squares counting for the winner. Instances of
a pattern on the eight sides and corners share its weights, and so do the two readings of a pattern that is its own
mirror image. A phase is four discs long and has its own weights.

On a board of size n (8 or 6):

    edge      a side and the two squares diagonally inside its corners      4 instances
    corner25  2x5 squares in a corner, both ways                            8
    corner33  3x3 squares in a corner                                       4
    row 2 ..  the rows beside the edge up to the middle                     4 each
    diagonal  of n squares down to 4                                        4 each, the longest 2

and `bias`, one weight for each number of discs. That is 47 lookups on 8x8 (Buro 1997 uses much the same patterns). The
numbers of all instances are one vector, which a search carries along its moves: `othello_codes`.
"""

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.bits import popcount
from boyi.games.kernels import bare_kernel, kernel
from boyi.quick.othello_codes import LOOKUPS, by_nibble, read

UNIT = 128
"""Units of the evaluation in one disc."""
Squares = list[tuple[int, int]]


class Patterns(NamedTuple):
    """The geometry of a board size and the weights to play with. L = LOOKUPS."""

    size: int
    stride: int  # weights of a phase
    instances: int  # how many of the codes are of a pattern
    bias: int  # where the weights of numbers of discs begin
    steps: NDArray[np.uint16]  # [64, L] what an own disc on a square adds to each code
    nibbles: NDArray[np.uint16]  # [256, L] the same for sets of four squares
    places: NDArray[np.uint32]  # [L] where the weights of each instance begin
    canon: NDArray[np.int32]  # [stride] the index that carries the weight
    weights: NDArray[np.int16]  # [phases, stride + 1] in units, every index with its weight; the last is 0


@dataclass(frozen=True)
class Layout:
    """A board size's patterns: names and lengths in order, where each begins, the tables that `Patterns` carries."""

    size: int
    lengths: dict[str, int]
    offsets: dict[str, int]
    stride: int
    instances: int
    canon: NDArray[np.int32]
    steps: NDArray[np.uint16]
    nibbles: NDArray[np.uint16]
    places: NDArray[np.uint32]

    @property
    def phases(self) -> int:
        return (self.size * self.size - 4) // 4

    @property
    def carriers(self) -> NDArray[np.int64]:
        """The indices of a phase that carry a weight of their own."""
        return np.unique(self.canon).astype(np.int64)

    def patterns(self, weights: NDArray[np.int16]) -> Patterns:
        """The evaluation with weights [phases, carriers]."""
        place = np.zeros(self.stride, np.int64)
        place[self.carriers] = np.arange(len(self.carriers))
        spread = np.zeros((len(weights), self.stride + 1), np.int16)
        spread[:, : self.stride] = weights[:, place[self.canon]]
        tables = self.steps, self.nibbles, self.places, self.canon
        return Patterns(self.size, self.stride, self.instances, self.offsets["bias"], *tables, spread)


@functools.cache
def layout(size: int) -> Layout:
    """The patterns of a board size."""
    lengths = {"edge": size + 2, "corner25": 10, "corner33": 9}
    lengths |= {f"row{row + 1}": size for row in range(1, size // 2)}
    lengths |= {f"diagonal{length}": length for length in range(size, 3, -1)}
    offsets, at = {}, 0
    for name, length in lengths.items():
        offsets[name] = at
        at += 3**length
    offsets["bias"] = at
    stride = at + size * size + 1
    steps, places = np.zeros((64, LOOKUPS), np.uint16), np.full(LOOKUPS, stride, np.uint32)
    found = list(instances(size))
    for number, (name, squares) in enumerate(found):
        places[number] = offsets[name]
        for digit, (row, column) in enumerate(squares):
            steps[8 * row + column, number] = 3**digit
    canon = _canonical(lengths, offsets, stride)
    return Layout(size, lengths, offsets, stride, len(found), canon, steps, by_nibble(steps), places)


def instances(size: int) -> Iterator[tuple[str, Squares]]:
    """Every instance of every pattern: its name and its squares, rows and columns, in the order of its digits."""
    last = size - 1
    edge = [(0, column) for column in range(size)] + [(1, 1), (1, last - 1)]
    corner25 = [(row, column) for row in range(2) for column in range(5)]
    corner33 = [(row, column) for row in range(3) for column in range(3)]
    views: list[Callable[[int, int], tuple[int, int]]] = [
        lambda row, column: (row, column),
        lambda row, column: (last - row, column),
        lambda row, column: (column, row),
        lambda row, column: (column, last - row),
        lambda row, column: (row, last - column),
        lambda row, column: (last - row, last - column),
        lambda row, column: (last - column, row),
        lambda row, column: (last - column, last - row),
    ]
    for view in views[:4]:
        yield "edge", [view(*square) for square in edge]
    for number, view in enumerate(views):
        yield "corner25", [view(*square) for square in corner25]
        if number % 4 < 2:  # a transposed 3x3 has the squares of another view's
            yield "corner33", [view(*square) for square in corner33]
    for view in (views[0], views[2]):
        for row in range(1, last):
            yield f"row{min(row, last - row) + 1}", [view(row, column) for column in range(size)]
    for length in range(size, 3, -1):
        away = size - length
        for down, right in ((0, away), (away, 0))[: 2 if away else 1]:
            yield f"diagonal{length}", [(down + i, right + i) for i in range(length)]
        for down, right in ((0, 0), (away, away))[: 2 if away else 1]:
            yield f"diagonal{length}", [(down + length - 1 - i, right + i) for i in range(length)]


def _canonical(lengths: dict[str, int], offsets: dict[str, int], stride: int) -> NDArray[np.int32]:
    """For every index the lesser one of itself and its mirror image, where the pattern has one."""
    canon = np.arange(stride)
    for name, length in lengths.items():
        if name == "corner25":
            continue
        turned = list(range(length - 1, -1, -1))
        if name == "edge":
            turned = [*range(length - 3, -1, -1), length - 1, length - 2]
        elif name == "corner33":
            turned = [0, 3, 6, 1, 4, 7, 2, 5, 8]
        codes = np.arange(3**length)
        image = sum((codes // 3 ** turned[digit] % 3) * 3**digit for digit in range(length))
        canon[offsets[name] : offsets[name] + 3**length] = offsets[name] + np.minimum(codes, image)
    return canon.astype(np.int32)


@bare_kernel
def phase_of(size, own, other):
    """0 for up to 8 discs, then one more for every four."""
    return min(max((popcount(own | other) - 5) >> 2, 0), (size * size - 4) // 4 - 1)


@bare_kernel
def features(patterns, own, other, codes, out):
    """The indices of the weights that a position's value sums, mirror images joined; returns how many.

    `codes` is room, uint16 [LOOKUPS]; `out` is int64 [LOOKUPS + 1].
    """
    read(codes, patterns.nibbles, own, other)
    base = phase_of(patterns.size, own, other) * patterns.stride
    for at in range(patterns.instances):
        out[at] = base + patterns.canon[patterns.places[at] + codes[at]]
    out[patterns.instances] = base + patterns.bias + popcount(own | other)
    return patterns.instances + 1


@bare_kernel
def worth(patterns, own, other, codes):
    """The expected final margin for the owner of `own`, who is to move and sees `codes`, in units; within what a game
    can end with, and where the board is full what it has ended with."""
    discs = popcount(own | other)
    if discs == patterns.size * patterns.size:
        return np.int64(UNIT * (popcount(own) - popcount(other)))
    weights = patterns.weights[phase_of(patterns.size, own, other)]
    total = np.int64(weights[np.uint64(patterns.bias + discs)])
    for at in range(LOOKUPS):
        total += weights[patterns.places[at] + codes[at]]
    most = patterns.size * patterns.size * UNIT - 1
    return min(max(total, -most), most)


@bare_kernel
def evaluate(patterns, own, other, codes):
    """The `worth` of a position by itself; `codes` is room, uint16 [LOOKUPS]."""
    read(codes, patterns.nibbles, own, other)
    return worth(patterns, own, other, codes)


@kernel
def evaluate_all(patterns, boards, codes):
    """The sum of the evaluations of `boards` [N, 2]: what the speed is measured by."""
    total = 0
    for row in range(boards.shape[0]):
        total += evaluate(patterns, boards[row, 0], boards[row, 1], codes)
    return total
