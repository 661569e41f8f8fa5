"""Sets of up to 64 squares as `uint64`: counting and picking members. Every constant is `np.uint64`."""

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from boyi.games.kernels import INLINED, inline_kernel

ONE = np.uint64(1)
NONE = np.uint64(0)


@intrinsic
def _ctpop(typing_context, bits):
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _cttz(typing_context, bits):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return types.uint64(types.uint64), generate


def popcount(bits):
    """The number of members, by the processor's own instruction."""
    return int(bits).bit_count()


def lowest(bits):
    """The index of the lowest member; 64 for the empty set."""
    return (int(bits) & -int(bits)).bit_length() - 1 if bits else 64


@overload(popcount, jit_options=INLINED)  # type: ignore[arg-type]
def _popcount(bits):
    return lambda bits: np.int64(_ctpop(np.uint64(bits)))


@overload(lowest, jit_options=INLINED)  # type: ignore[arg-type]
def _lowest(bits):
    return lambda bits: np.int64(_cttz(np.uint64(bits)))


@inline_kernel
def nth(bits, index):
    """The `index`-th lowest member's own index, counting from 0."""
    for _ in range(index):
        bits &= bits - ONE
    return lowest(bits)
