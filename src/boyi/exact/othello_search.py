"""Alpha-beta to the end of an Othello game, with an explicit stack. Start at `advance`.

Frames of the stack are positions of five empty squares and more; `othello_last` does the rest. Scores are discs for the
side to move in a frame, empty squares to the winner, so they are all even. A frame whose mover must pass is turned over
and remembers it in TURNED_OVER, so that passes take no frame.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.exact.othello_board import final_margin, flips, odd_regions, reach
from boyi.exact.othello_last import NOWHERE, last_squares
from boyi.exact.othello_stable import NOT_A, NOT_H, edge_discs, stable_discs
from boyi.games.bits import NONE, ONE, lowest, popcount
from boyi.games.kernels import inline_kernel, kernel
from boyi.games.othello import EAST, SOUTH

PAUSED, DONE = 0, 1
SORTED_FROM, KEPT_FROM, ENHANCED_FROM = 7, 8, 11
"""Empty squares from which a frame orders its moves, uses the table, looks its children up in the table."""
BROAD_FROM, DEEP_FROM = 10, 14
"""Empty squares from which moves are ordered by more than replies, and by a look at the best reply."""
NARROW_FROM = 9
"""Empty squares from which a narrow search leaves moves out."""

OWN, OTHER, LEFT, FIRST = range(4)
"""Columns of `Stack.boards`: discs, moves still to be tried, and which of them come first."""
ALPHA, BETA, BEST, MOVE, FLOOR, COUNT, NEXT, EMPTIES, TURNED_OVER, FULL = range(10)
"""Columns of `Stack.numbers`; FLOOR is alpha on entry, FULL says that the move in progress has the whole window."""
NODES, PLY, GENERATION, VALUE, WIDTH = range(5)
"""Entries of `Stack.control`; WIDTH is how many moves a narrow search tries, 0 for all."""


class Area(NamedTuple):
    """What a board size means to the search."""

    size: int
    squares: int
    board: np.uint64
    inside: np.uint64
    corners: np.uint64
    poor: np.uint64  # the squares beside a corner
    edges: NDArray[np.uint8]  # [65536], see othello_stable


class Stack(NamedTuple):
    """A search in progress: P frames."""

    boards: NDArray[np.uint64]  # [P, 4]
    numbers: NDArray[np.int64]  # [P, 10]
    order: NDArray[np.int64]  # [P, 36] key * 64 + square, the best highest
    turned: NDArray[np.uint64]  # [P, 64] by square
    control: NDArray[np.int64]  # [5]


FIRST_FACTOR, SECOND_FACTOR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
FOREMOST = 1 << 20
MIX, FOLD = np.uint64(0xBF58476D1CE4E5B9), np.uint64(32)


@inline_kernel
def bucket_of(table, own, other):
    """The first of the two entries where a position may lie."""
    mixed = (own * FIRST_FACTOR) ^ ((other + FIRST_FACTOR) * SECOND_FACTOR)
    mixed = (mixed ^ (mixed >> FOLD)) * MIX
    return np.int64((mixed >> FOLD) & np.uint64(table.shape[0] - 2))


@inline_kernel
def find(table, own, other):
    """The entry of a position, or -1."""
    slot = bucket_of(table, own, other)
    if table[slot, 0] == own and table[slot, 1] == other:
        return slot
    slot += 1
    if table[slot, 0] == own and table[slot, 1] == other:
        return slot
    return -1


@inline_kernel
def low_of(entry):
    return np.int64(entry & np.uint64(255)) - 128


@inline_kernel
def high_of(entry):
    return np.int64((entry >> np.uint64(8)) & np.uint64(255)) - 128


@inline_kernel
def move_of(entry):
    return np.int64((entry >> np.uint64(16)) & np.uint64(255))


@inline_kernel
def worth_of(entry, generation):
    """What an entry is worth keeping for: its empty squares, if it is of this generation."""
    return np.int64((entry >> np.uint64(24)) & np.uint64(255)) if np.int64(entry >> np.uint64(32)) == generation else -1


@kernel
def keep(table, own, other, low, high, move, empties, generation):
    """Store bounds of a position and the move that reaches the lower one."""
    slot = find(table, own, other)
    if slot >= 0:
        entry = table[slot, 2]
        if low < low_of(entry):
            low, move = low_of(entry), move_of(entry)
        high = min(high, high_of(entry))
    else:
        slot = bucket_of(table, own, other)
        if worth_of(table[slot, 2], generation) > empties:
            slot += 1
    table[slot, 0] = own
    table[slot, 1] = other
    word = (generation << 32) | (empties << 24) | (move << 16) | ((high + 128) << 8) | (low + 128)
    table[slot, 2] = np.uint64(word)


@inline_kernel
def promise(area, own, other, rest, square, odd, empties):
    """How good a move looks, after which `own` and `other` are the discs of its player and of the other side.

    Above all it leaves few replies (fastest first). Far from the end also: stable edge discs, moves and room to move
    in return, no square beside a corner, and few moves after the best reply. The weights cut the nodes of 24 positions
    of 18 empty squares, other than those they were chosen on, by a sixth.
    """
    disc = ONE << np.uint64(square)
    replies = reach(other, own) & rest
    key = -16 * (popcount(replies) + popcount(replies & area.corners))
    if disc & area.corners:
        key += 16
    if disc & odd:
        key += 8
    if empties < BROAD_FROM:
        return key
    key -= 3 * popcount(grown(own) & rest)
    key += 4 * popcount(edge_discs(own, other, area.edges, area.size))
    key += 3 * popcount(reach(own, other) & rest)
    if empties < DEEP_FROM:
        return key
    key += 3 * popcount(grown(other) & rest)
    if disc & area.poor:
        key -= 10
    return key - best_reply(area, own, other, rest, replies)


@inline_kernel
def best_reply(area, own, other, rest, replies):
    """What the most confining reply is worth to the other side; nothing if it must pass."""
    best = 0 if replies == NONE else NOWHERE
    while replies:
        square = lowest(replies)
        replies &= replies - ONE
        disc = ONE << np.uint64(square)
        changed = flips(other, own, square)
        moves = reach(own ^ changed, other | changed | disc) & rest & ~disc
        value = -4 * (popcount(moves) + popcount(moves & area.corners))
        if disc & area.corners:
            value += 8
        best = max(best, value)
    return best


@inline_kernel
def grown(squares):
    """A set with everything beside it."""
    wide = squares | ((squares & NOT_H) << EAST) | ((squares & NOT_A) >> EAST)
    return wide | (wide << SOUTH) | (wide >> SOUTH)


@kernel
def list_moves(area, stack, table, ply, moves, first):
    """Order the moves of a frame, the best first; `first` is the table's move, or -1.

    Returns a value and the move that reaches it where the table or a board wiped clean shows that the frame needs no
    search, else NOWHERE.
    """
    own, other = stack.boards[ply, OWN], stack.boards[ply, OTHER]
    empty = area.board & ~(own | other)
    empties = stack.numbers[ply, EMPTIES]
    order = stack.order[ply]
    odd = odd_regions(empty)
    count = 0
    while moves:
        square = lowest(moves)
        moves &= moves - ONE
        changed = flips(own, other, square)
        stack.turned[ply, square] = changed
        if changed == other:
            return area.squares, square
        if empties >= ENHANCED_FROM:
            slot = find(table, other ^ changed, own | changed | (ONE << np.uint64(square)))
            if slot >= 0 and -high_of(table[slot, 2]) >= stack.numbers[ply, BETA]:
                return -high_of(table[slot, 2]), square
        key = FOREMOST
        if square != first:
            disc = ONE << np.uint64(square)
            key = promise(area, own | changed | disc, other ^ changed, empty ^ disc, square, odd, empties)
        key = key * 64 + square
        place = count
        while place > 0 and order[place - 1] < key:
            order[place] = order[place - 1]
            place -= 1
        order[place] = key
        count += 1
    width = stack.control[WIDTH]
    stack.numbers[ply, COUNT] = min(count, width) if width and empties >= NARROW_FROM else count
    return NOWHERE, 0


@kernel
def enter(area, stack, table, ply, own, other, alpha, beta, empties, root):
    """Look at a position: returns its value, or NOWHERE after opening frame `ply` for it.

    A root is always opened, because its move is wanted.
    """
    empty = area.board & ~(own | other)
    if empties <= 4 and not root:
        return last_squares(own, other, empty, alpha, beta, stack.control)
    stack.control[NODES] += 1
    numbers, boards = stack.numbers, stack.boards
    moves = reach(own, other) & empty
    turned_over = moves == NONE
    if turned_over:
        own, other, alpha, beta = other, own, -beta, -alpha
        moves = reach(own, other) & empty
        if moves == NONE:
            return -final_margin(own, other, area.squares)
    sign = -1 if turned_over else 1
    if not root and alpha >= 0:
        limit = area.squares - 2 * popcount(stable_discs(other, own, empty, area.inside, area.edges, area.size))
        if limit <= alpha:
            return sign * limit
    first = -1
    if empties >= KEPT_FROM:
        slot = find(table, own, other)
        if slot >= 0:
            entry = table[slot, 2]
            first = move_of(entry)
            if not root:
                low, high = low_of(entry), high_of(entry)
                if low >= beta or low == high:
                    return sign * low
                if high <= alpha:
                    return sign * high
                beta = min(beta, high)
                alpha = max(alpha, low)
    boards[ply, OWN] = own
    boards[ply, OTHER] = other
    numbers[ply, EMPTIES] = empties
    numbers[ply, ALPHA] = numbers[ply, FLOOR] = alpha
    numbers[ply, BETA] = beta
    numbers[ply, BEST] = NOWHERE
    numbers[ply, MOVE] = 64
    numbers[ply, TURNED_OVER] = turned_over
    numbers[ply, NEXT] = 0
    if empties >= SORTED_FROM:
        value, move = list_moves(area, stack, table, ply, moves, first)
        if value != NOWHERE:
            numbers[ply, BEST] = value
            numbers[ply, MOVE] = move
            numbers[ply, COUNT] = 0
    else:
        boards[ply, LEFT] = moves
        boards[ply, FIRST] = moves & odd_regions(empty)
    return NOWHERE


@inline_kernel
def close(area, stack, table, ply):
    """Store a finished frame; return its value for the side that moved before it was turned over."""
    numbers = stack.numbers
    best = numbers[ply, BEST]
    if numbers[ply, EMPTIES] >= KEPT_FROM:
        low = best if best > numbers[ply, FLOOR] else -area.squares
        high = best if best < numbers[ply, BETA] else area.squares
        own, other = stack.boards[ply, OWN], stack.boards[ply, OTHER]
        empties, generation = numbers[ply, EMPTIES], stack.control[GENERATION]
        keep(table, own, other, low, high, numbers[ply, MOVE], empties, generation)
    return -best if numbers[ply, TURNED_OVER] else best


@kernel
def advance(area, stack, table, max_nodes):
    """Go on with a search until it is DONE, or PAUSED after so many nodes in all.

    Principal variation search: after a frame's first move the others are tried with an empty window, and searched
    again only where they turn out better.
    """
    boards, numbers, control = stack.boards, stack.numbers, stack.control
    ply = control[PLY]
    value = NOWHERE
    while True:
        if value == NOWHERE:
            small = numbers[ply, EMPTIES] < SORTED_FROM
            if small:
                left = boards[ply, LEFT]
                finished = left == NONE
            else:
                finished = numbers[ply, NEXT] >= numbers[ply, COUNT]
            if finished or numbers[ply, BEST] >= numbers[ply, BETA]:
                value = close(area, stack, table, ply)
                if ply == 0:
                    control[VALUE] = value
                    return DONE
                ply -= 1
                value = -value
                continue
            if control[NODES] >= max_nodes:
                control[PLY] = ply
                return PAUSED
            own, other = boards[ply, OWN], boards[ply, OTHER]
            if small:
                preferred = left & boards[ply, FIRST]
                square = lowest(preferred) if preferred else lowest(left)
                changed = flips(own, other, square)
                stack.turned[ply, square] = changed
                stack.order[ply, numbers[ply, NEXT]] = square
                boards[ply, LEFT] = left ^ (ONE << np.uint64(square))
            else:
                square = stack.order[ply, numbers[ply, NEXT]] & 63
                changed = stack.turned[ply, square]
            alpha, beta = numbers[ply, ALPHA], numbers[ply, BETA]
            numbers[ply, FULL] = numbers[ply, NEXT] == 0
            if not numbers[ply, FULL]:
                beta = alpha + 1
        else:
            square = stack.order[ply, numbers[ply, NEXT]] & 63
            if numbers[ply, FULL] or value <= numbers[ply, ALPHA] or value >= numbers[ply, BETA]:
                if value > numbers[ply, BEST]:
                    numbers[ply, BEST] = value
                    numbers[ply, MOVE] = square
                    numbers[ply, ALPHA] = max(value, numbers[ply, ALPHA])
                numbers[ply, NEXT] += 1
                value = NOWHERE
                continue
            numbers[ply, FULL] = 1
            alpha, beta = value - 1, numbers[ply, BETA]
            own, other, changed = boards[ply, OWN], boards[ply, OTHER], stack.turned[ply, square]
        after = own | changed | (ONE << np.uint64(square))
        empties = numbers[ply, EMPTIES] - 1
        value = enter(area, stack, table, ply + 1, other ^ changed, after, -beta, -alpha, empties, False)
        if value == NOWHERE:
            ply += 1
        else:
            value = -value


@kernel
def begin(area, stack, table, own, other, alpha, beta):
    """Open the root of a search between alpha and beta; returns the square that looks best.

    The owner of `own` must have a move.
    """
    stack.control[PLY] = 0
    empties = area.squares - popcount(own | other)
    enter(area, stack, table, 0, own, other, alpha, beta, empties, True)
    if stack.numbers[0, BEST] != NOWHERE:
        return stack.numbers[0, MOVE]
    return stack.order[0, 0] & 63 if empties >= SORTED_FROM else lowest(stack.boards[0, LEFT])
