"""Othello moves for the endgame solver: the same rules as `boyi.games.othello`, four directions at a time.

Sets of squares are bits, row * 8 + column, on every board size. `reach` and `flips` are written once as vectors of four
64-bit lanes (one lane a direction: row, column, both diagonals), which LLVM maps to the processor's vector unit and
splits where there is none; in plain Python they are the functions of the rules.

Squares outside a 6x6 or 4x4 board are empty and belong to nobody. They lie beyond every square of the board, so
nothing is ever outflanked across them.
"""

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from boyi.games.bits import NONE, ONE, popcount
from boyi.games.kernels import INLINED, inline_kernel
from boyi.games.othello import INNER, mobility, turned

WORD = ir.IntType(64)
LANES = ir.VectorType(WORD, 4)
SHIFTS = (1, 8, 7, 9)
FULL = (1 << 64) - 1

CORNERS = {size: sum(1 << row * 8 + column for row in (0, size - 1) for column in (0, size - 1)) for size in (4, 6, 8)}
QUADRANTS = tuple(np.uint64(0x0F0F0F0F << shift) for shift in (0, 4, 32, 36))
"""Parity is counted in these on every board size: it orders moves and decides nothing."""
FIRST, SECOND, THIRD, FOURTH = QUADRANTS


def _rays(sign: int) -> list[list[int]]:
    """For every square the squares beyond it towards higher (+1) or lower (-1) bits, one set a direction: [64, 4]."""
    steps = [(0, 1), (1, 0), (1, -1), (1, 1)]
    found = []
    for square in range(64):
        row, column = divmod(square, 8)
        found.append([0, 0, 0, 0])
        for lane, (down, right) in enumerate(steps):
            for distance in range(1, 8):
                r, c = row + sign * distance * down, column + sign * distance * right
                if 0 <= r < 8 and 0 <= c < 8:
                    found[-1][lane] |= 1 << r * 8 + c
    return found


HIGHER, LOWER = _rays(1), _rays(-1)
BESIDE = np.array(
    [
        sum(
            1 << r * 8 + c
            for r in range(max(0, s // 8 - 1), min(8, s // 8 + 2))
            for c in range(max(0, s % 8 - 1), min(8, s % 8 + 2))
            if r * 8 + c != s
        )
        for s in range(64)
    ],
    np.uint64,
)
"""The neighbours of each square, [64]: without an enemy disc among them nothing can be turned."""


def _lanes(values):
    return ir.Constant(LANES, [ir.Constant(WORD, value) for value in values])


def _spread(builder, word):
    """A vector with the same word in every lane."""
    single = builder.insert_element(ir.Constant(LANES, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), 4), None)
    return builder.shuffle_vector(single, ir.Constant(LANES, ir.Undefined), zeros)


def _joined(builder, vector):
    """The union of the four lanes."""
    order = ir.VectorType(ir.IntType(32), 4)
    undefined = ir.Constant(LANES, ir.Undefined)
    swapped = builder.shuffle_vector(vector, undefined, ir.Constant(order, [2, 3, 0, 1]))
    vector = builder.or_(vector, swapped)
    swapped = builder.shuffle_vector(vector, undefined, ir.Constant(order, [1, 0, 3, 2]))
    return builder.extract_element(builder.or_(vector, swapped), ir.Constant(ir.IntType(32), 0))


def _chosen_rays(builder, name, rays, square):
    """The rays of a square as a vector, from a constant table in the compiled module."""
    rows = [ir.Constant(ir.ArrayType(WORD, 4), [ir.Constant(WORD, ray) for ray in row]) for row in rays]
    kind = ir.ArrayType(ir.ArrayType(WORD, 4), 64)
    table = cgutils.global_constant(builder, name, ir.Constant(kind, rows))
    table.align = 32
    row = builder.gep(table, [ir.Constant(WORD, 0), square], inbounds=True)
    return builder.load(builder.bitcast(row, LANES.as_pointer()), align=32)


@intrinsic
def _reach(typing_context, own, other):
    """Parallel prefix, as `mobility` of the rules, in both senses of all directions."""

    def generate(context, builder, signature, arguments):
        own, other = (_spread(builder, word) for word in arguments)
        single, double = _lanes(SHIFTS), _lanes([2 * shift for shift in SHIFTS])
        inner = int(INNER)
        through = builder.and_(other, _lanes([inner, FULL, inner, inner]))
        up_pairs = builder.and_(through, builder.shl(through, single))
        found = []
        for shift, pairs in ((builder.shl, up_pairs), (builder.lshr, builder.lshr(up_pairs, single))):
            run = builder.and_(through, shift(own, single))
            run = builder.or_(run, builder.and_(through, shift(run, single)))
            run = builder.or_(run, builder.and_(pairs, shift(run, double)))
            run = builder.or_(run, builder.and_(pairs, shift(run, double)))
            found.append(shift(run, single))
        return _joined(builder, builder.or_(*found))

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def _flips(typing_context, own, other, square):
    """On each ray the nearest square without an enemy disc must hold an own disc; what lies before it turns."""

    def generate(context, builder, signature, arguments):
        own, other = (_spread(builder, word) for word in arguments[:2])
        nothing = ir.Constant(LANES, None)
        free = builder.not_(other)
        ray = _chosen_rays(builder, "othello_higher", HIGHER, arguments[2])
        stops = builder.and_(free, ray)
        anchor = builder.and_(builder.and_(stops, builder.sub(nothing, stops)), own)
        anchored = builder.sext(builder.icmp_unsigned("!=", anchor, nothing), LANES)
        turned_up = builder.and_(ray, builder.add(anchor, anchored))
        ray = _chosen_rays(builder, "othello_lower", LOWER, arguments[2])
        stops = builder.and_(free, ray)
        beyond = stops
        for times in (1, 2, 4):
            beyond = builder.or_(beyond, builder.lshr(beyond, _lanes([times * shift for shift in SHIFTS])))
        nearest = builder.and_(stops, builder.not_(builder.lshr(beyond, _lanes(SHIFTS))))
        anchored = builder.icmp_unsigned("!=", builder.and_(nearest, own), nothing)
        turned_down = builder.and_(builder.and_(ray, builder.not_(beyond)), builder.sext(anchored, LANES))
        return _joined(builder, builder.or_(turned_up, turned_down))

    return types.uint64(types.uint64, types.uint64, types.int64), generate


def reach(own, other):
    """The squares just beyond rows of `other` that begin next to `own`; the empty ones of them may be played."""
    return mobility(own, other, 8)


def flips(own, other, square):
    """The discs that a disc of `own` on an empty square turns."""
    return turned(own, other, ONE << np.uint64(square))


@overload(reach, jit_options=INLINED)  # type: ignore[arg-type]
def _compiled_reach(own, other):
    return lambda own, other: _reach(own, other)


@overload(flips, jit_options=INLINED)  # type: ignore[arg-type]
def _compiled_flips(own, other, square):
    return lambda own, other, square: _flips(own, other, np.int64(square))


@inline_kernel
def odd_regions(empty):
    """The quadrants with an odd number of empty squares: whoever begins there can also play last there."""
    found = NONE
    if popcount(empty & FIRST) & 1:
        found |= FIRST
    if popcount(empty & SECOND) & 1:
        found |= SECOND
    if popcount(empty & THIRD) & 1:
        found |= THIRD
    if popcount(empty & FOURTH) & 1:
        found |= FOURTH
    return found


@inline_kernel
def final_margin(own, other, squares):
    """The score of a finished game for the owner of `own`: disc difference, empty squares to the winner."""
    mine, theirs = popcount(own), popcount(other)
    rest = squares - mine - theirs
    margin = mine - theirs
    return margin + rest if margin > 0 else margin - rest if margin < 0 else margin
