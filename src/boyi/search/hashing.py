"""Hashes of states, for tables of positions reached in more than one way."""

import numpy as np

from boyi.games.kernels import inline_kernel

START, FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
HALF, NOTCH = np.uint64(32), np.uint64(29)


@inline_kernel
def fingerprint(state, num_core):
    """Two 64-bit hashes of the entries of a state that decide its future."""
    first, second = START, FIRST
    for entry in range(num_core):
        value = np.uint64(state[entry])
        first = (first ^ value) * FIRST
        first ^= first >> HALF
        second = (second ^ value) * SECOND
        second ^= second >> NOTCH
    return first, second
