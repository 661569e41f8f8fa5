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

and `bias`, one weight for each number of discs. That is 47 lookups on 8x8 (Buro 1997 uses much the same patterns).
"""

import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from boyi.games.bits import popcount
from boyi.games.kernels import INLINED, bare_call, bare_kernel, kernel

UNIT = 128
"""Units of the evaluation in one disc."""
MOST = 64
"""Room for the features of a position."""
THREES = np.array([sum(3**digit for digit in range(10) if bits >> digit & 1) for bits in range(1024)], np.uint32)
"""A set of bits as digits to the base 3."""
GATHER = np.uint64(0x0101010101010101)
BYTE, TOP = np.uint64(255), np.uint64(56)


@intrinsic
def _bswap(typing_context, bits):
    def generate(context, builder, signature, arguments):
        return builder.bswap(arguments[0])

    return types.uint64(types.uint64), generate


def upside_down(bits):
    """The rows of an 8x8 set in reverse order."""
    return np.uint64(int.from_bytes(int(bits).to_bytes(8, "little"), "big"))


@overload(upside_down, jit_options=INLINED)  # type: ignore[arg-type]
def _upside_down(bits):
    return lambda bits: _bswap(np.uint64(bits))


ONE_STEP, TWO_STEPS, FOUR_STEPS = np.uint64(1), np.uint64(2), np.uint64(4)
ODD, PAIRS, NIBBLES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
BLOCKS_1, BLOCKS_2, BLOCKS_4 = np.uint64(0x00AA00AA00AA00AA), np.uint64(0x0000CCCC0000CCCC), np.uint64(0xF0F0F0F0)
SEVEN, FOURTEEN, TWENTY_EIGHT = np.uint64(7), np.uint64(14), np.uint64(28)


@bare_kernel
def mirrored(bits):
    """The columns of an 8x8 set in reverse order."""
    bits = ((bits >> ONE_STEP) & ODD) | ((bits & ODD) << ONE_STEP)
    bits = ((bits >> TWO_STEPS) & PAIRS) | ((bits & PAIRS) << TWO_STEPS)
    return ((bits >> FOUR_STEPS) & NIBBLES) | ((bits & NIBBLES) << FOUR_STEPS)


@bare_kernel
def transposed(bits):
    """Rows and columns of an 8x8 set exchanged."""
    moved = (bits ^ (bits >> SEVEN)) & BLOCKS_1
    bits = bits ^ moved ^ (moved << SEVEN)
    moved = (bits ^ (bits >> FOURTEEN)) & BLOCKS_2
    bits = bits ^ moved ^ (moved << FOURTEEN)
    moved = (bits ^ (bits >> TWENTY_EIGHT)) & BLOCKS_4
    return bits ^ moved ^ (moved << TWENTY_EIGHT)


class Patterns(NamedTuple):
    """The geometry of a board size and the weights to play with."""

    size: int
    stride: int  # weights of a phase
    offsets: tuple[int, ...]  # where edge, corner25, corner33, bias begin
    rows: NDArray[np.int64]  # [R, 2] shift and offset of each row pattern
    diagonals: NDArray[np.uint64]  # [D, 3] squares, shift and offset of each diagonal
    canon: NDArray[np.int32]  # [stride] the index that carries the weight
    weights: NDArray[np.int16]  # [phases * stride] in units, every index with its weight


@dataclass(frozen=True)
class Layout:
    """A board size's patterns: names and lengths in order, where each begins, the tables that `Patterns` carries."""

    size: int
    lengths: dict[str, int]
    offsets: dict[str, int]
    stride: int
    canon: NDArray[np.int32]
    rows: NDArray[np.int64]
    diagonals: NDArray[np.uint64]

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
        spread = np.ascontiguousarray(weights[:, place[self.canon]]).ravel()
        offsets = tuple(self.offsets[name] for name in ("edge", "corner25", "corner33", "bias"))
        return Patterns(self.size, self.stride, offsets, self.rows, self.diagonals, self.canon, spread)


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
    rows = [(8 * row, offsets[f"row{min(row, size - 1 - row) + 1}"]) for row in range(1, size - 1)]
    diagonals = []
    for length in range(size, 3, -1):
        away = size - length
        # each diagonal gathers its squares' columns into one byte, and the shift drops the columns before the first
        falling = [sum(1 << 9 * i + away for i in range(length)), sum(1 << 9 * i + 8 * away for i in range(length))]
        rising = [sum(1 << 7 * i + length - 1 for i in range(length))]
        rising.append(sum(1 << 7 * i + size - 1 + 8 * away for i in range(length)))
        shifts = [away, 0, 0, away]
        found = zip([*falling, *rising], shifts, strict=True)
        kept = [(bits, shift) for bits, shift in dict(found).items()]
        diagonals += [(bits, 56 + shift, offsets[f"diagonal{length}"]) for bits, shift in kept]
    return Layout(
        size,
        lengths,
        offsets,
        stride,
        _canonical(lengths, offsets, stride),
        np.array(rows, np.int64),
        np.array(diagonals, np.uint64),
    )


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
def edge_bits(bits, size):
    """The first row and the two squares diagonally inside its corners."""
    if size == 8:
        return (bits & BYTE) | ((bits >> np.uint64(1)) & np.uint64(256)) | ((bits >> np.uint64(5)) & np.uint64(512))
    return (bits & np.uint64(63)) | ((bits >> np.uint64(3)) & np.uint64(64)) | ((bits >> np.uint64(5)) & np.uint64(128))


@bare_kernel
def corner25_bits(bits):
    return (bits & np.uint64(31)) | ((bits >> np.uint64(3)) & np.uint64(0x3E0))


@bare_kernel
def corner33_bits(bits):
    return (bits & SEVEN) | ((bits >> np.uint64(5)) & np.uint64(0x38)) | ((bits >> np.uint64(10)) & np.uint64(0x1C0))


@bare_kernel
def code(own, other):
    return THREES[own] + 2 * THREES[other]


@bare_kernel
def put_corner(patterns, own, other, square, out, at):
    """A corner's 2x5, and its 3x3 where the view is not a transposed one."""
    out[at] = patterns.offsets[1] + code(corner25_bits(own), corner25_bits(other))
    if square:
        out[at + 1] = patterns.offsets[2] + code(corner33_bits(own), corner33_bits(other))
        return at + 2
    return at + 1


@bare_kernel
def put_edge(patterns, own, other, out, at):
    out[at] = patterns.offsets[0] + code(edge_bits(own, patterns.size), edge_bits(other, patterns.size))
    return at + 1


@bare_kernel
def put_rows(patterns, own, other, out, at):
    row_bits = BYTE if patterns.size == 8 else np.uint64(63)
    for row in range(patterns.rows.shape[0]):
        shift = np.uint64(patterns.rows[row, 0])
        out[at] = patterns.rows[row, 1] + code((own >> shift) & row_bits, (other >> shift) & row_bits)
        at += 1
    return at


@bare_kernel
def fill(patterns, own, other, out):
    """Write the index of every pattern, without the phase, into `out`; returns how many.

    V, T and H stand for a board upside down, transposed and mirrored.
    """
    gap = np.uint64(8 - patterns.size)
    down = gap * np.uint64(8)
    own_v, other_v = upside_down(own) >> down, upside_down(other) >> down
    own_t, other_t = transposed(own), transposed(other)
    own_tv, other_tv = upside_down(own_t) >> down, upside_down(other_t) >> down
    at = put_edge(patterns, own, other, out, 0)
    at = put_edge(patterns, own_v, other_v, out, at)
    at = put_edge(patterns, own_t, other_t, out, at)
    at = put_edge(patterns, own_tv, other_tv, out, at)
    at = put_corner(patterns, own, other, True, out, at)
    at = put_corner(patterns, own_v, other_v, True, out, at)
    at = put_corner(patterns, own_t, other_t, False, out, at)
    at = put_corner(patterns, own_tv, other_tv, False, out, at)
    at = put_corner(patterns, mirrored(own) >> gap, mirrored(other) >> gap, True, out, at)
    at = put_corner(patterns, mirrored(own_v) >> gap, mirrored(other_v) >> gap, True, out, at)
    at = put_corner(patterns, mirrored(own_t) >> gap, mirrored(other_t) >> gap, False, out, at)
    at = put_corner(patterns, mirrored(own_tv) >> gap, mirrored(other_tv) >> gap, False, out, at)
    at = put_rows(patterns, own, other, out, at)
    at = put_rows(patterns, own_t, other_t, out, at)
    for diagonal in range(patterns.diagonals.shape[0]):
        mask, shift = patterns.diagonals[diagonal, 0], patterns.diagonals[diagonal, 1]
        mine, theirs = ((own & mask) * GATHER) >> shift, ((other & mask) * GATHER) >> shift
        out[at] = np.int64(patterns.diagonals[diagonal, 2]) + code(mine, theirs)
        at += 1
    out[at] = patterns.offsets[3] + popcount(own | other)
    return at + 1


@bare_kernel
def phase_of(size, own, other):
    """0 for up to 8 discs, then one more for every four."""
    return min(max((popcount(own | other) - 5) >> 2, 0), (size * size - 4) // 4 - 1)


@bare_kernel
def features(patterns, own, other, out):
    """The indices of the weights that a position's value sums, mirror images joined; returns how many."""
    count = fill(patterns, own, other, out)
    base = phase_of(patterns.size, own, other) * patterns.stride
    for at in range(count):
        out[at] = base + patterns.canon[out[at]]
    return count


@bare_call
def evaluate(patterns, own, other, scratch):
    """The expected final margin for the owner of `own`, who is to move, in units; within what a game can end with.

    `scratch` is int64 [MOST].
    """
    count = fill(patterns, own, other, scratch)
    base = phase_of(patterns.size, own, other) * patterns.stride
    total = 0
    for at in range(count):
        total += patterns.weights[np.uint64(base + scratch[at])]
    most = patterns.size * patterns.size * UNIT - 1
    return min(max(total, -most), most)


@kernel
def evaluate_all(patterns, boards, scratch):
    """The sum of the evaluations of `boards` [N, 2]: what the speed is measured by."""
    total = 0
    for row in range(boards.shape[0]):
        total += evaluate(patterns, boards[row, 0], boards[row, 1], scratch)
    return total
