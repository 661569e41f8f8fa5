"""Random numbers inside kernels: an xorshift generator whose state is an array of one `uint64`.

Same seed, same numbers, compiled or interpreted.
"""

import operator

import numpy as np
from numpy.typing import NDArray

from boyi.games.errors import GameError
from boyi.games.kernels import inline_kernel

_MASK = 2**64 - 1


def generator(seed: int, stream: int = 0) -> NDArray[np.uint64]:
    """A generator for a seed; different streams of one seed are independent (two rounds of splitmix64)."""
    try:
        mixed = operator.index(seed) & _MASK
    except TypeError:
        raise GameError(f"a seed is a whole number, not {seed!r}") from None
    for word in (stream, 0):
        mixed = (mixed + word + 0x9E3779B97F4A7C15) & _MASK
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        mixed ^= mixed >> 31
    return np.array([mixed or 1], np.uint64)


@inline_kernel
def bits32(rng):
    """The next 32 random bits, as `uint64`."""
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x
    return x >> np.uint64(32)


@inline_kernel
def below(rng, count):
    """A random integer in 0..count-1, as `int64`; count must be positive and below 2**32."""
    return np.int64((bits32(rng) * np.uint64(count)) >> np.uint64(32))


@inline_kernel
def uniform(rng):
    """A random number in [0, 1)."""
    return np.float64(bits32(rng)) / 4294967296.0
