"""The last four empty squares of an Othello game: one function for each count, calling the one for a square less.

Each returns the value for the owner of `own`: exact if it lies between alpha and beta, else a bound beyond the one it
fails against. Where one side has no move the other goes on; where neither has, the game is over and the empty squares
go to the winner. `counts[0]` counts positions.
"""

import numpy as np

from boyi.exact.othello_board import BESIDE, final_margin, flips, odd_regions
from boyi.games.bits import NONE, ONE, lowest, popcount
from boyi.games.kernels import inline_kernel, kernel

NOWHERE = -127
"""Below every score: the best of no move."""


@inline_kernel
def quadrant(square):
    return (square >> 2 & 1) | (square >> 4 & 2)


@inline_kernel
def turned_by(own, other, square):
    """What a move turns, after a look whether any neighbour is an enemy at all."""
    return flips(own, other, square) if other & BESIDE[square] else NONE


@inline_kernel
def last_one(own, other, square):
    """One empty square: nothing to choose."""
    margin = popcount(own) - popcount(other)
    mine = popcount(flips(own, other, square))
    if mine:
        return margin + 2 * mine + 1
    theirs = popcount(flips(other, own, square))
    if theirs:
        return margin - 2 * theirs - 1
    return margin + 1 if margin > 0 else margin - 1


@inline_kernel
def last_two(own, other, a, b, alpha, beta, counts):
    counts[0] += 1
    sign = 1
    for _ in range(2):
        best = NOWHERE
        for _ in range(2):
            changed = turned_by(own, other, a)
            if changed:
                counts[0] += 1
                best = max(best, -last_one(other ^ changed, own | changed | (ONE << np.uint64(a)), b))
                if best >= beta:
                    return sign * best
            a, b = b, a
        if best > NOWHERE:
            return sign * best
        own, other, alpha, beta, sign = other, own, -beta, -alpha, -sign
    return final_margin(own, other, popcount(own | other) + 2)


@kernel
def last_three(own, other, a, b, c, alpha, beta, counts):
    """First the square that is alone in its quadrant: the other side would have to begin on the remaining pair."""
    counts[0] += 1
    if quadrant(a) == quadrant(b):
        a, c = c, a
    elif quadrant(a) == quadrant(c):
        a, b = b, a
    sign = 1
    for _ in range(2):
        best = NOWHERE
        for _ in range(3):
            changed = turned_by(own, other, a)
            if changed:
                after = own | changed | (ONE << np.uint64(a))
                best = max(best, -last_two(other ^ changed, after, b, c, -beta, -alpha, counts))
                if best >= beta:
                    return sign * best
                alpha = max(alpha, best)
            a, b, c = b, c, a
        if best > NOWHERE:
            return sign * best
        own, other, alpha, beta, sign = other, own, -beta, -alpha, -sign
    return final_margin(own, other, popcount(own | other) + 3)


@kernel
def last_four(own, other, empty, alpha, beta, counts):
    counts[0] += 1
    odd = empty & odd_regions(empty)
    if odd == NONE:
        odd = empty
    even = empty ^ odd
    a = lowest(odd)
    odd &= odd - ONE
    b = lowest(odd)
    odd = (odd & (odd - ONE)) | even
    c = lowest(odd)
    d = lowest(odd & (odd - ONE))
    sign = 1
    for _ in range(2):
        best = NOWHERE
        for _ in range(4):
            changed = turned_by(own, other, a)
            if changed:
                after = own | changed | (ONE << np.uint64(a))
                best = max(best, -last_three(other ^ changed, after, b, c, d, -beta, -alpha, counts))
                if best >= beta:
                    return sign * best
                alpha = max(alpha, best)
            a, b, c, d = b, c, d, a
        if best > NOWHERE:
            return sign * best
        own, other, alpha, beta, sign = other, own, -beta, -alpha, -sign
    return final_margin(own, other, popcount(own | other) + 4)


@inline_kernel
def last_squares(own, other, empty, alpha, beta, counts):
    """Up to four empty squares."""
    count = popcount(empty)
    if count == 4:
        return last_four(own, other, empty, alpha, beta, counts)
    a = lowest(empty)
    rest = empty & (empty - ONE)
    if count == 3:
        return last_three(own, other, a, lowest(rest), lowest(rest & (rest - ONE)), alpha, beta, counts)
    if count == 2:
        return last_two(own, other, a, lowest(rest), alpha, beta, counts)
    counts[0] += 1
    return last_one(own, other, a) if count == 1 else popcount(own) - popcount(other)
