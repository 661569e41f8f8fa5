"""Othello: mobility, frontier, corners and the squares beside them, anchored edges, parity, discs.

The terms are the classical ones of Rosenbloom, "A world-championship-level Othello program" (1982), with weights set
by hand. Works for every board size of the game. Discs are sets of bits, row * 8 + column, as in the rules.
"""

import math
from typing import NamedTuple

import numpy as np

from boyi.games.bits import NONE, ONE, popcount
from boyi.games.generics import rule
from boyi.games.kernels import inline_kernel
from boyi.games.othello import EAST, FLAGS, MOVES, OTHER, OWN, SOUTH, bit_of, board, mobility, turned
from boyi.search.evaluation import assess, rank, ranks_cheaply

WEST_EDGE = np.uint64(0x0101010101010101)
NORTH_EDGE = np.uint64(0xFF)
NOT_A, NOT_H = ~WEST_EDGE, ~(WEST_EDGE << np.uint64(7))


class Positional(NamedTuple):
    """Weights of the terms; each term is own minus other. `scale` divides the sum before tanh."""

    mobility: float = 8.0
    frontier: float = 2.0
    corner: float = 22.0
    x_square: float = 12.0
    c_square: float = 5.0
    anchored: float = 5.0
    parity: float = 3.0
    discs: float = 1.5
    scale: float = 60.0


@inline_kernel
def grown(squares):
    """The squares next to a set in any of the eight directions, and the set itself."""
    wide = squares | ((squares & NOT_H) << EAST) | ((squares & NOT_A) >> EAST)
    return wide | (wide << SOUTH) | (wide >> SOUTH)


@inline_kernel
def corners_of(size):
    last = np.uint64(size - 1)
    row = ONE | (ONE << last)
    return row | (row << (SOUTH * last))


@inline_kernel
def edges_of(size):
    last = np.uint64(size - 1)
    border = NORTH_EDGE | (NORTH_EDGE << (SOUTH * last)) | WEST_EDGE | (WEST_EDGE << last)
    return border & board(size)


@inline_kernel
def anchored_discs(own, corners, edges):
    """Own edge discs in an unbroken row from an own corner: they are never turned."""
    found = own & corners
    along = own & edges
    for _ in range(6):
        beside = ((found & NOT_H) << EAST) | ((found & NOT_A) >> EAST) | (found << SOUTH) | (found >> SOUTH)
        found |= beside & along
    return found


@inline_kernel
def beside_corners(corners, taken, size):
    """X squares and C squares of the corners that are still empty."""
    free = corners & ~taken
    around = grown(free) & board(size) & ~corners
    edges = edges_of(size)
    return around & ~edges, around & edges


@rule(assess, Positional)
def assess_othello(evaluation, rules, state):
    size = rules.size
    own, other = state[OWN], state[OTHER]
    taken = own | other
    empty = board(size) & ~taken
    corners, edges = corners_of(size), edges_of(size)
    x_squares, c_squares = beside_corners(corners, taken, size)
    moves, replies = popcount(state[MOVES]), popcount(mobility(other, own, size))
    beside = grown(empty)
    left = popcount(empty)
    value = evaluation.mobility * 10.0 * (moves - replies) / (moves + replies + 2)
    value -= evaluation.frontier * (popcount(own & beside) - popcount(other & beside))
    value += evaluation.corner * (popcount(own & corners) - popcount(other & corners))
    value -= evaluation.x_square * (popcount(own & x_squares) - popcount(other & x_squares))
    value -= evaluation.c_square * (popcount(own & c_squares) - popcount(other & c_squares))
    anchored = popcount(anchored_discs(own, corners, edges)) - popcount(anchored_discs(other, corners, edges))
    value += evaluation.anchored * anchored
    # an odd number of empty squares lets the side to move play last
    value += evaluation.parity if left & 1 else -evaluation.parity
    late = max(0.0, 1.0 - 3.0 * left / (size * size))
    value += evaluation.discs * late * (popcount(own) - popcount(other))
    squashed = math.tanh(value / evaluation.scale)
    return squashed if state[FLAGS] & ONE == NONE else -squashed


@rule(rank, Positional)
def rank_othello(evaluation, rules, state, scratch, actions, keys, count):
    """Corners first, then what leaves the other side few moves; squares beside an empty corner last."""
    size = rules.size
    own, other = state[OWN], state[OTHER]
    corners = corners_of(size)
    x_squares, c_squares = beside_corners(corners, own | other, size)
    for index in range(count):
        keys[index] = 0.0
        if actions[index] < size * size:
            disc = ONE << np.uint64(bit_of(size, actions[index]))
            changed = turned(own, other, disc)
            replies = mobility(other & ~changed, own | changed | disc, size)
            keys[index] = -2.0 * popcount(replies) - 6.0 * popcount(replies & corners)
            keys[index] += 12.0 * popcount(disc & corners)
            keys[index] -= 8.0 * popcount(disc & x_squares) + 4.0 * popcount(disc & c_squares)
    return count


@rule(ranks_cheaply, Positional)
def othello_ranks_cheaply(evaluation):
    return True
