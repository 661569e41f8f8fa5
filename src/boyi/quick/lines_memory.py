"""What a search over lines works with: its stack, its options and its table of positions. Start at `Memory`."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.kernels import bare_kernel

MATE, NEAR_MATE, INFINITE, UNKNOWN = 1_000_000, 999_000, 1_500_000, 2_000_000
CALM = 20_000
"""Static values stay within this."""
CALM_COVERS = 4
"""How deep covers go below the last ply."""
MAX_PLY = 64
MAX_MOVES = 48
DONE, PAUSED = 0, 1
FULL, THREATENED, FOURS, FORCED = 0, 1, 2, 3
"""Kinds of nodes: all points, answers to an open four, fours only, a single answer."""
PLY, NODES, DEPTH, ENTERING, BEST, SCORE, FINISHED = range(7)
MAX_DEPTH, CALM_FOURS, CALM_BLOCKS, GAP, MARGIN, PASS = range(7, 13)
"""`control`: where the search is; nodes so far; depth of the iteration; whether a node is to be entered; best move and
its value; the last depth finished; and options, 0 for off: the deepest iteration; how deep fours and blocks go below
the last ply; the difference of promise for which a move is searched a ply less deep; how far above beta, for each ply
left, a static value cuts off; the least depth at which passing is tried."""
NUM_CONTROL = 13
SIDE, LEFT, ALPHA, BETA, LIMIT, KIND, REST, COUNT, NEXT, PHASE, CUT, MOVE, TOP_VALUE, TOP_MOVE = range(14)
"""A frame: side to move and stones it has left; window; the alpha it began with; kind; plies left; moves and how many
were tried; how the present one is searched (0 not yet, 1 reduced, 2 narrow, 3 wide, 4 a pass), by how much it is
reduced; the
present move; the best so far."""
NUM_FRAME = 14
EXACT, LOWER, UPPER = 1, 2, 3
POINT_BITS, DEPTH_BITS = 10, 8
FIRST = 1 << 40
"""Added to the promise of the move that is to be tried first."""
SIDE_SALT, LEFT_SALT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)


class Memory(NamedTuple):
    """What a search works with. The table is kept from move to move."""

    control: NDArray[np.int64]
    frames: NDArray[np.int64]
    """[MAX_PLY, NUM_FRAME]"""
    moves: NDArray[np.int64]
    """[MAX_PLY, MAX_MOVES] framed points, best first."""
    promises: NDArray[np.int64]
    """[MAX_PLY, MAX_MOVES]"""
    keys: NDArray[np.uint64]
    """[2 ** bits] hashes of the positions in the table."""
    entries: NDArray[np.int64]
    """[2 ** bits] point, depth, kind of bound and value of each."""
    windows: NDArray[np.int64]
    """[128, 2] the empty points of rows of six that lack one stone or two."""
    widths: NDArray[np.int64]
    """[MAX_PLY] how many points a node with so many plies left tries."""
    cuts: NDArray[np.int64]
    """[MAX_PLY, MAX_MOVES] by how much a node with so many plies left reduces its n-th move."""


def make_memory(turn: int = 1, *, table_bits: int = 16) -> Memory:
    """Memory of a search with its usual options, for so many stones a turn.

    Matches of equal nodes decided them: with one stone a turn, reductions by the logarithms of depth and place and a
    margin of 150 scored 55.6 % of 400 games against the reductions that two stones a turn keep.
    """
    control = np.zeros(NUM_CONTROL, np.int64)
    control[MAX_DEPTH] = MAX_PLY - 24
    control[CALM_FOURS], control[MARGIN] = 6, 150
    depths, places = np.ogrid[:MAX_PLY, :MAX_MOVES]
    cuts = (1.2 * np.log(np.maximum(depths, 1)) * np.log(np.maximum(places, 1))).astype(np.int64)
    if turn == 2:
        cuts = np.where((depths >= 3) & (places >= 4), np.where(places >= 10, 2, 1), 0)
    return Memory(
        control,
        np.zeros((MAX_PLY, NUM_FRAME), np.int64),
        np.zeros((MAX_PLY, MAX_MOVES), np.int64),
        np.zeros((MAX_PLY, MAX_MOVES), np.int64),
        np.zeros(1 << table_bits, np.uint64),
        np.zeros(1 << table_bits, np.int64),
        np.zeros((128, 2), np.int64),
        np.full(MAX_PLY, 12),
        cuts,
    )


@bare_kernel
def node_key(board, side, left):
    key = board.key[0]
    if side:
        key ^= SIDE_SALT
    if left == 2:
        key ^= LEFT_SALT
    return key


@bare_kernel
def remember(memory, key, ply, point, depth, bound, value):
    """Write a result into the table; mates are counted from the position."""
    if value > NEAR_MATE:
        value += ply
    elif value < -NEAR_MATE:
        value -= ply
    slot = np.int64(key & np.uint64(memory.keys.shape[0] - 1))
    memory.keys[slot] = key
    entry = (value + UNKNOWN) << (2 + DEPTH_BITS + POINT_BITS)
    memory.entries[slot] = entry | bound << (DEPTH_BITS + POINT_BITS) | max(depth, 0) << POINT_BITS | max(point, 0)


@bare_kernel
def recall(memory, key, ply, depth, alpha, beta):
    """The point of an entry, or 0, and its value where it settles the node, or UNKNOWN."""
    slot = np.int64(key & np.uint64(memory.keys.shape[0] - 1))
    entry = memory.entries[slot] if memory.keys[slot] == key else 0
    if entry == 0:
        return entry, UNKNOWN
    point = entry & ((1 << POINT_BITS) - 1)
    known = entry >> POINT_BITS & ((1 << DEPTH_BITS) - 1)
    bound = entry >> (DEPTH_BITS + POINT_BITS) & 3
    value = (entry >> (2 + DEPTH_BITS + POINT_BITS)) - UNKNOWN
    if known < depth and -NEAR_MATE <= value <= NEAR_MATE:
        return point, UNKNOWN
    if value > NEAR_MATE:
        value -= ply
    elif value < -NEAR_MATE:
        value += ply
    if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
        return point, value
    return point, UNKNOWN
