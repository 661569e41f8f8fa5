"""A table of positions already searched, for searches that reach a position in several ways and more than once.

What is found about a position holds in every search with the same evaluation and width, so that a table is kept while a
game moves on; the `age` of a search only decides what is overwritten.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.kernels import inline_kernel, kernel

LOWER, UPPER, EXACT = 1, 2, 3
"""What kind of value an entry has: a bound, or the value itself."""
COMPLETE_DEPTH = 255
"""The depth of an entry that no deeper search can change."""


class Table(NamedTuple):
    """`[2**k]` entries, two to a bucket. `kinds` is 0 where an entry is empty, `ages` the search it is from."""

    keys: NDArray[np.uint64]
    checks: NDArray[np.uint64]
    values: NDArray[np.float64]
    actions: NDArray[np.int16]
    depths: NDArray[np.uint8]
    kinds: NDArray[np.uint8]
    ages: NDArray[np.int32]


ENTRY_BYTES = 32


def make_table(megabytes: float) -> Table:
    """The largest table that fits, of at least two entries."""
    size = 1 << max(1, int(megabytes * 2**20 / ENTRY_BYTES).bit_length() - 1)
    kinds = (np.uint64, np.uint64, np.float64, np.int16, np.uint8, np.uint8, np.int32)
    arrays: list[Any] = [np.zeros(size, kind) for kind in kinds]
    return Table(*arrays)


@inline_kernel
def find(table, key, check):
    """The entry of a state, or -1."""
    bucket = np.int64(key & np.uint64(table.keys.shape[0] - 2))
    for slot in range(bucket, bucket + 2):
        if table.keys[slot] == key and table.checks[slot] == check and table.kinds[slot] != 0:
            return slot
    return -1


@kernel
def store(table, key, check, age, value, action, depth, kind):
    """Store a result over the same state's, or else over the bucket's entry of an earlier search, or its less deep
    one."""
    bucket = np.int64(key & np.uint64(table.keys.shape[0] - 2))
    slot = find(table, key, check)
    if slot < 0:
        slot = bucket + 1
        if table.ages[bucket] != age or (table.ages[slot] == age and table.depths[bucket] < table.depths[slot]):
            slot = bucket
    table.keys[slot] = key
    table.checks[slot] = check
    table.values[slot] = value
    table.actions[slot] = action
    table.depths[slot] = depth
    table.kinds[slot] = kind
    table.ages[slot] = age
