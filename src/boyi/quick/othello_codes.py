"""The codes of all pattern instances of an Othello position, as one vector that follows moves. Start at `read`.

The code of an instance is its squares as a number to the base 3 (0 empty, 1 own, 2 other), so it is a sum over discs,
and a move changes it by a sum over the discs that the move sets and turns. With `steps[square]`, what an own disc on a
square adds to every instance [LOOKUPS], a position has two vectors: what its mover sees, and what the other side sees,

    seen = sum of steps[own] + 2 * steps[other]           unseen = sum of steps[other] + 2 * steps[own]

and after a move to `square` that turns `changed`, for the side that moves next,

    seen' = unseen + 2 * steps[square] + steps[changed]   unseen' = seen + steps[square] - steps[changed]

The kernels are written once as vectors of 16 codes of 16 bits, which LLVM maps to the processor's vector unit and
splits where it has a smaller one or none; in plain Python they are loops.
"""

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from boyi.games.kernels import INLINED

LOOKUPS = 48
"""Instances of a position, with some that always have code 0 to fill the vectors."""
WORD = ir.IntType(64)
CODES = ir.VectorType(ir.IntType(16), 16)
PARTS = LOOKUPS // 16
NIBBLES = 16


def by_nibble(steps: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """What every set of discs in every four squares adds: [256, LOOKUPS], row 16 * (square // 4) + set."""
    table = np.zeros((16 * NIBBLES, LOOKUPS), np.uint16)
    for row in range(len(table)):
        for place in range(4):
            if row >> place & 1:
                table[row] += steps[row // 16 * 4 + place]
    return table


def _pointers(context, builder, signature, arguments):
    """The data of array arguments as pointers to vectors."""
    for kind, array in zip(signature.args, arguments, strict=True):
        if isinstance(kind, types.Array):
            yield builder.bitcast(context.make_array(kind)(context, builder, array).data, CODES.as_pointer())


def _row(builder, table, row):
    """A row of LOOKUPS codes as vectors."""
    first = builder.mul(row, ir.Constant(WORD, PARTS))
    at = [builder.add(first, ir.Constant(WORD, part)) for part in range(PARTS)]
    return [builder.load(builder.gep(table, [place]), align=2) for place in at]


def _put(builder, out, vectors):
    for part, vector in enumerate(vectors):
        builder.store(vector, builder.gep(out, [ir.Constant(WORD, part)]), align=2)


def _over_members(builder, combine, vectors, steps, bits):
    """`combine` the vectors with the rows of all members of a set, in a loop."""
    zero, one = ir.Constant(WORD, 0), ir.Constant(WORD, 1)
    before = builder.block
    head, body, done = (builder.append_basic_block(name) for name in ("members", "member", "combined"))
    builder.branch(head)
    builder.position_at_end(head)
    left = builder.phi(WORD)
    found = [builder.phi(CODES) for _ in vectors]
    builder.cbranch(builder.icmp_unsigned("!=", left, zero), body, done)
    builder.position_at_end(body)
    member = builder.cttz(left, ir.Constant(ir.IntType(1), 1))
    rest = builder.and_(left, builder.sub(left, one))
    combined = [combine(vector, step) for vector, step in zip(found, _row(builder, steps, member), strict=True)]
    builder.branch(head)
    for phi, outside, inside in zip([left, *found], [bits, *vectors], [rest, *combined], strict=True):
        phi.add_incoming(outside, before)
        phi.add_incoming(inside, body)
    builder.position_at_end(done)
    return found


@intrinsic
def _read(typing_context, out, nibbles, own, other):
    def generate(context, builder, signature, arguments):
        out, nibbles = _pointers(context, builder, signature, arguments)
        sides = []
        for discs in arguments[2:]:
            vectors = [ir.Constant(CODES, None)] * PARTS
            for nibble in range(NIBBLES):
                four = builder.and_(builder.lshr(discs, ir.Constant(WORD, 4 * nibble)), ir.Constant(WORD, 15))
                row = _row(builder, nibbles, builder.or_(four, ir.Constant(WORD, 16 * nibble)))
                vectors = [builder.add(vector, more) for vector, more in zip(vectors, row, strict=True)]
            sides.append(vectors)
        both = zip(*sides, strict=True)
        _put(builder, out, [builder.add(mine, builder.add(theirs, theirs)) for mine, theirs in both])
        return context.get_dummy_value()

    return types.void(out, nibbles, types.uint64, types.uint64), generate


@intrinsic
def _seen_after(typing_context, out, unseen, steps, square, changed):
    def generate(context, builder, signature, arguments):
        out, unseen, steps = _pointers(context, builder, signature, arguments)
        before, disc = _row(builder, unseen, ir.Constant(WORD, 0)), _row(builder, steps, arguments[3])
        vectors = [builder.add(code, builder.add(step, step)) for code, step in zip(before, disc, strict=True)]
        _put(builder, out, _over_members(builder, builder.add, vectors, steps, arguments[4]))
        return context.get_dummy_value()

    return types.void(out, unseen, steps, types.int64, types.uint64), generate


@intrinsic
def _unseen_after(typing_context, out, seen, steps, square, changed):
    def generate(context, builder, signature, arguments):
        out, seen, steps = _pointers(context, builder, signature, arguments)
        before, disc = _row(builder, seen, ir.Constant(WORD, 0)), _row(builder, steps, arguments[3])
        vectors = [builder.add(code, step) for code, step in zip(before, disc, strict=True)]
        _put(builder, out, _over_members(builder, builder.sub, vectors, steps, arguments[4]))
        return context.get_dummy_value()

    return types.void(out, seen, steps, types.int64, types.uint64), generate


def read(out, nibbles, own, other):
    """Write the codes that the owner of `own` sees into `out` [LOOKUPS]."""
    out[:] = 0
    for nibble in range(NIBBLES):
        out += nibbles[16 * nibble + (int(own) >> 4 * nibble & 15)]
        out += 2 * nibbles[16 * nibble + (int(other) >> 4 * nibble & 15)]


def seen_after(out, unseen, steps, square, changed):
    """Write what the next mover sees after a move into `out`, from the mover's `unseen`."""
    out[:] = unseen + 2 * steps[square]
    for member in range(64):
        if int(changed) >> member & 1:
            out += steps[member]


def unseen_after(out, seen, steps, square, changed):
    """Write what the next mover does not see after a move into `out`, from what the mover has `seen`."""
    out[:] = seen + steps[square]
    for member in range(64):
        if int(changed) >> member & 1:
            out -= steps[member]


@overload(read, jit_options=INLINED)  # type: ignore[arg-type]
def _compiled_read(out, nibbles, own, other):
    return lambda out, nibbles, own, other: _read(out, nibbles, own, other)


@overload(seen_after, jit_options=INLINED)  # type: ignore[arg-type]
def _compiled_seen_after(out, unseen, steps, square, changed):
    return lambda out, unseen, steps, square, changed: _seen_after(out, unseen, steps, square, changed)


@overload(unseen_after, jit_options=INLINED)  # type: ignore[arg-type]
def _compiled_unseen_after(out, seen, steps, square, changed):
    return lambda out, seen, steps, square, changed: _unseen_after(out, seen, steps, square, changed)
