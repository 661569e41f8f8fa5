"""Discs that can never be turned again. Each of them is two points that the other side will not make up.

A disc is stable if along each of the four lines through it one neighbour is the border or a stable disc of the same
side, or the line is full. On the border itself a table knows more: it holds what survives every sequence of moves
on that edge.
"""

import functools
from itertools import product

import numpy as np
from numpy.typing import NDArray

from boyi.games.bits import NONE
from boyi.games.kernels import inline_kernel, kernel
from boyi.games.othello import EAST, SOUTH, SOUTH_EAST, SOUTH_WEST

COLUMN = np.uint64(0x0101010101010101)
GATHER, SCATTER = np.uint64(0x0102040810204080), np.uint64(0x0002040810204081)
"""Factors that bring a column into one byte, and its lowest seven bits back; the copies of eight would overlap."""
BYTE, SEVEN, EIGHTH = np.uint64(0xFF), np.uint64(0x7F), np.uint64(0x80)
NOT_A, NOT_AB, NOT_A_TO_D = ~COLUMN, ~(COLUMN * np.uint64(3)), ~(COLUMN * np.uint64(15))
NOT_H, NOT_GH, NOT_E_TO_H = ~(COLUMN * np.uint64(128)), ~(COLUMN * np.uint64(192)), ~(COLUMN * np.uint64(240))
TWO, FOUR, SIXTEEN, HALF = np.uint64(2), np.uint64(4), np.uint64(16), np.uint64(32)
TOP, CORNER_SHIFT = np.uint64(56), np.uint64(49)


@functools.cache
def edge_table(size: int) -> NDArray[np.uint8]:
    """The stable discs of `own` on an edge, [65536], indexed by own * 256 + other."""
    table = np.zeros(65536, np.uint8)
    squares = range(size)
    lines = sorted(product((0, 1, 2), repeat=size), key=lambda line: line.count(0))
    for line in lines:  # fuller edges first: an edge asks for those that one more disc makes of it
        own, other = (sum(1 << s for s in squares if line[s] == side) for side in (1, 2))
        stable = own
        for square in squares:
            if line[square] == 0 and stable:
                for mine, theirs in (_played(own, other, square, size), _played(other, own, square, size)[::-1]):
                    stable &= mine & int(table[mine * 256 + theirs])
        table[own * 256 + other] = stable
    return table


def _played(own: int, other: int, square: int, size: int) -> tuple[int, int]:
    """An edge after a disc of `own`, which turns what it outflanks there."""
    turned = 0
    for step in (-1, 1):
        run, at = 0, square + step
        while 0 <= at < size and other >> at & 1:
            run |= 1 << at
            at += step
        if 0 <= at < size and own >> at & 1:
            turned |= run
    return own | turned | 1 << square, other & ~turned


@inline_kernel
def edge_discs(own, other, edges, size):
    """The stable discs of `own` on the four edges."""
    last = np.uint64(size - 1)
    down = SOUTH * last
    found = np.uint64(edges[((own & BYTE) << SOUTH) | (other & BYTE)])
    found |= np.uint64(edges[(((own >> down) & BYTE) << SOUTH) | ((other >> down) & BYTE)]) << down
    mine, theirs = ((own & COLUMN) * GATHER) >> TOP, ((other & COLUMN) * GATHER) >> TOP
    found |= column_of(np.uint64(edges[(mine << SOUTH) | theirs]))
    mine, theirs = (((own >> last) & COLUMN) * GATHER) >> TOP, (((other >> last) & COLUMN) * GATHER) >> TOP
    return found | column_of(np.uint64(edges[(mine << SOUTH) | theirs])) << last


@inline_kernel
def column_of(byte):
    """The bits of a byte as the squares a1 .. a8."""
    return (((byte & SEVEN) * SCATTER) & COLUMN) | ((byte & EIGHTH) << CORNER_SHIFT)


@inline_kernel
def open_rows(empty):
    found = empty | (empty >> FOUR)
    found |= found >> TWO
    found |= found >> EAST
    return (found & COLUMN) * BYTE


@inline_kernel
def open_columns(empty):
    found = empty | (empty >> HALF) | (empty << HALF)
    found |= (found >> SIXTEEN) | (found << SIXTEEN)
    return found | (found >> SOUTH) | (found << SOUTH)


@inline_kernel
def open_falling(empty):
    """Squares on a diagonal a1-h8 with an empty square; steps of 1, 2 and 4 both ways."""
    up = empty | ((empty << SOUTH_EAST) & NOT_A)
    up |= (up << (SOUTH_EAST * TWO)) & NOT_AB
    up |= (up << (SOUTH_EAST * FOUR)) & NOT_A_TO_D
    down = empty | ((empty >> SOUTH_EAST) & NOT_H)
    down |= (down >> (SOUTH_EAST * TWO)) & NOT_GH
    return up | down | ((down >> (SOUTH_EAST * FOUR)) & NOT_E_TO_H)


@inline_kernel
def open_rising(empty):
    """Squares on a diagonal h1-a8 with an empty square."""
    up = empty | ((empty << SOUTH_WEST) & NOT_H)
    up |= (up << (SOUTH_WEST * TWO)) & NOT_GH
    up |= (up << (SOUTH_WEST * FOUR)) & NOT_E_TO_H
    down = empty | ((empty >> SOUTH_WEST) & NOT_A)
    down |= (down >> (SOUTH_WEST * TWO)) & NOT_AB
    return up | down | ((down >> (SOUTH_WEST * FOUR)) & NOT_A_TO_D)


@kernel
def stable_discs(own, other, empty, inside, edges, size):
    """A set of discs of `own` that nothing can turn. `inside` is the board without its border."""
    found = edge_discs(own, other, edges, size)
    row, column = ~open_rows(empty), ~open_columns(empty)
    falling, rising = ~open_falling(empty), ~open_rising(empty)
    inner = own & inside
    found |= inner & row & column & falling & rising
    if found == NONE:
        return found
    while True:
        grown = inner & ~found
        grown &= row | (found << EAST) | (found >> EAST)
        grown &= column | (found << SOUTH) | (found >> SOUTH)
        grown &= falling | (found << SOUTH_EAST) | (found >> SOUTH_EAST)
        grown &= rising | (found << SOUTH_WEST) | (found >> SOUTH_WEST)
        if grown == NONE:
            return found
        found |= grown
