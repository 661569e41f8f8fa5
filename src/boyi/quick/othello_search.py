"""Othello search over pattern tables: principal variation search with a table and ProbCut. Start at `advance`.

The search keeps an explicit stack of frames, so that it can pause after any number of nodes. Values are units of the
evaluation (`UNIT` to a disc) for the side to move in a frame; a finished game counts its discs. Passes take no frame:
the position is turned over, and TURNED_OVER remembers it.

ProbCut (Buro 1995): in an empty window a shallow search of the same position predicts the deep one, and where it fails
by more than `margins[phase, depth]` the frame is cut. The shallow search is a frame of its own above the one it is for.
A search that sees the ends of all games may be wrong because of such cuts, so it can be repeated with more care: a ply
deeper than games last it needs twice the margins, `SURE` plies deeper it cuts nothing.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.exact.othello_board import final_margin, flips, reach
from boyi.games.bits import NONE, ONE, lowest, popcount
from boyi.games.kernels import bare_call, bare_kernel
from boyi.games.othello import board
from boyi.quick.othello_codes import LOOKUPS, read, seen_after, unseen_after
from boyi.quick.othello_patterns import UNIT, phase_of, worth

PAUSED, DONE = 0, 1
FRAMES = 80
DEEPEST = 60
FEWEST = 4
"""Positions with fewer empty squares are not learnt from, so no search looks at their evaluation."""
SURE = 2
"""Plies beyond the end of all games from which on a search does not use ProbCut: what it finds is exact."""
NOWHERE = -(1 << 20)
"""Below every value: what stands for none."""
CORNERS = np.uint64(0x8100000000000081)
CORNERS_6 = np.uint64(0x0000210000000021)
SHALLOW = np.array(
    [0, 0, 0, 1, 2, 1, 2, 3, 4, 3, 4, 5, 4] + [d // 2 - (d // 2 - d) % 2 for d in range(13, DEEPEST + 1)], np.int64
)
"""The depth of the search that predicts a search of each depth, of the same parity; 0: none does."""

OWN, OTHER = range(2)
SEEN, UNSEEN = range(2)
ALPHA, BETA, BEST, MOVE, FLOOR, COUNT, NEXT, DEPTH, TURNED_OVER, FULL, STAGE, BOUND = range(12)
"""Columns of `Stack.numbers`. FLOOR is alpha on entry, FULL says that the move in progress has the whole window, BOUND
is the value that a prediction has to reach."""
PREDICT, PREDICTING, LIST, PLAY = range(4)
"""What a frame does next, or is waiting for: start a prediction, its result, list its moves, play them."""
NODES, PLY, GENERATION, LINES = range(4)
"""Entries of `Stack.control`; LINES is how many root moves get true values."""


class Stack(NamedTuple):
    """A search in progress: P = FRAMES frames. The root arrays are indexed by square, 0..63 on every board size."""

    boards: NDArray[np.uint64]  # [P, 2]
    numbers: NDArray[np.int64]  # [P, 12]
    order: NDArray[np.int64]  # [P, 64] key * 64 + square, the best first
    root_values: NDArray[np.int64]  # [64]
    root_known: NDArray[np.uint8]  # [64] 1 where the value is one and not a bound
    control: NDArray[np.int64]  # [4]
    codes: NDArray[np.uint16]  # [P, 2, LOOKUPS] of the patterns, for the side to move and for the other
    scratch: NDArray[np.uint16]  # [LOOKUPS] codes of a position without a frame
    table: NDArray[np.uint64]  # [entries, 4] own, other, packed bounds, unused
    margins: NDArray[np.int64]  # [phases, DEEPEST + 1] of ProbCut in units, 0 where it does not cut


def whole_depth(depth: int, empties: int) -> int:
    """How deep a search of so many plies must go for its leaves to be ends of games, or positions with a value."""
    return depth if empties - depth >= FEWEST else empties


def make_stack(size: int, margins: NDArray[np.int64] | None = None, *, table_mb: float = 16.0) -> Stack:
    """Room for a search; without margins it does not use ProbCut."""
    entries = 1 << max(1, int(table_mb * 2**20 / 32).bit_length() - 1)
    if margins is None:
        margins = np.zeros(((size * size - 4) // 4, DEEPEST + 1), np.int64)
    return Stack(
        boards=np.zeros((FRAMES, 2), np.uint64),
        numbers=np.zeros((FRAMES, 12), np.int64),
        order=np.zeros((FRAMES, 64), np.int64),
        root_values=np.zeros(64, np.int64),
        root_known=np.zeros(64, np.uint8),
        control=np.array([0, 0, 0, 1], np.int64),
        codes=np.zeros((FRAMES, 2, LOOKUPS), np.uint16),
        scratch=np.zeros(LOOKUPS, np.uint16),
        table=np.zeros((entries, 4), np.uint64),
        margins=margins,
    )


FIRST_FACTOR, SECOND_FACTOR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
MIX, FOLD = np.uint64(0xBF58476D1CE4E5B9), np.uint64(29)
SHIFT_HIGH, SHIFT_DEPTH, SHIFT_MOVE, SHIFT_AGE = np.uint64(16), np.uint64(32), np.uint64(40), np.uint64(48)
HALF_WORD, OCTET, OFFSET = np.uint64(0xFFFF), np.uint64(255), 32768


@bare_kernel
def bucket_of(table, own, other):
    """The first of the two entries where a position may lie."""
    mixed = (own * FIRST_FACTOR) ^ (other * SECOND_FACTOR)
    mixed = (mixed ^ (mixed >> FOLD)) * MIX
    return np.int64((mixed >> np.uint64(24)) & np.uint64(table.shape[0] - 2))


@bare_kernel
def find(table, own, other):
    """The entry of a position, or -1."""
    slot = bucket_of(table, own, other)
    if table[slot, 0] == own and table[slot, 1] == other:
        return slot
    slot += 1
    return slot if table[slot, 0] == own and table[slot, 1] == other else -1


@bare_kernel
def low_of(entry):
    return np.int64(entry & HALF_WORD) - OFFSET


@bare_kernel
def high_of(entry):
    return np.int64((entry >> SHIFT_HIGH) & HALF_WORD) - OFFSET


@bare_kernel
def depth_of(entry):
    return np.int64((entry >> SHIFT_DEPTH) & OCTET)


@bare_kernel
def move_of(entry):
    return np.int64((entry >> SHIFT_MOVE) & OCTET)


@bare_kernel
def age_of(entry):
    return np.int64(entry >> SHIFT_AGE)


@bare_kernel
def keep(table, own, other, low, high, depth, move, age):
    """Store bounds of a position that a search of some depth found, over the bucket's least useful entry."""
    slot = find(table, own, other)
    if slot < 0:
        slot = bucket_of(table, own, other)
        entry = table[slot, 2]
        if age_of(entry) == age and depth_of(entry) > depth:
            slot += 1
    table[slot, 0] = own
    table[slot, 1] = other
    table[slot, 2] = np.uint64((age << 48) | (move << 40) | (depth << 32) | ((high + OFFSET) << 16) | (low + OFFSET))


@bare_kernel
def corners_of(size):
    return CORNERS if size == 8 else CORNERS_6


@bare_kernel
def list_moves(patterns, stack, ply, moves, first):
    """Order the moves of a frame by the evaluation after them and the replies they leave, `first` (or -1) in front."""
    own, other = stack.boards[ply, OWN], stack.boards[ply, OTHER]
    depth = stack.numbers[ply, DEPTH]
    order, unseen = stack.order[ply], stack.codes[ply, UNSEEN]
    squares = board(patterns.size)
    corners = corners_of(patterns.size)
    count = 0
    while moves:
        square = lowest(moves)
        moves &= moves - ONE
        disc = ONE << np.uint64(square)
        changed = flips(own, other, square)
        mine, theirs = own | changed | disc, other ^ changed
        replies = reach(theirs, mine) & squares & ~(mine | theirs)
        if theirs == NONE:
            key = 2_000_000
        elif square == first:
            key = 1_000_000
        elif depth >= 3:
            seen_after(stack.scratch, unseen, patterns.steps, square, changed)
            key = -worth(patterns, theirs, mine, stack.scratch) - 32 * popcount(replies)
        else:
            key = -64 * (popcount(replies) + popcount(replies & corners)) + (128 if disc & corners else 0)
        key = key * 64 + square
        place = count
        while place > 0 and order[place - 1] < key:
            order[place] = order[place - 1]
            place -= 1
        order[place] = key
        count += 1
    stack.numbers[ply, COUNT] = count


@bare_kernel
def read_codes(patterns, stack, ply, own, other):
    """The codes of a frame from its position alone."""
    read(stack.codes[ply, SEEN], patterns.nibbles, own, other)
    read(stack.codes[ply, UNSEEN], patterns.nibbles, other, own)


@bare_kernel
def last_ply(patterns, stack, ply, own, other, moves, beta):
    """The best of the evaluations after each move."""
    unseen = stack.codes[ply, UNSEEN]
    best = NOWHERE
    while moves:
        square = lowest(moves)
        moves &= moves - ONE
        changed = flips(own, other, square)
        if changed == other:
            return patterns.size * patterns.size * UNIT
        stack.control[NODES] += 1
        seen_after(stack.scratch, unseen, patterns.steps, square, changed)
        value = -worth(patterns, other ^ changed, own | changed | (ONE << np.uint64(square)), stack.scratch)
        if value > best:
            best = value
            if value >= beta:
                return best
    return best


@bare_kernel
def care(beyond):
    """By how much the margins of ProbCut grow in a search that is nominally so many plies deeper than games last."""
    return 1 if beyond <= 0 else 2 if beyond < SURE else 0


@bare_kernel
def enter(patterns, stack, ply, own, other, alpha, beta, depth):
    """Look at a position within a window: returns its value, or NOWHERE after opening frame `ply` for it.

    The frame has its codes already: SEEN unless depth is 1, UNSEEN unless it is 0.
    """
    stack.control[NODES] += 1
    if depth <= 0:
        return worth(patterns, own, other, stack.codes[ply, SEEN])
    empty = board(patterns.size) & ~(own | other)
    moves = reach(own, other) & empty
    sign = 1
    if moves == NONE:
        own, other, alpha, beta, sign = other, own, -beta, -alpha, -1
        moves = reach(own, other) & empty
        if moves == NONE:
            return -UNIT * final_margin(own, other, patterns.size * patterns.size)
        read_codes(patterns, stack, ply, own, other)
    if depth == 1:
        return sign * last_ply(patterns, stack, ply, own, other, moves, beta)
    slot = find(stack.table, own, other)
    floor, first = alpha, -1
    if slot >= 0:
        entry = stack.table[slot, 2]
        first = move_of(entry)
        if depth_of(entry) >= depth:
            low, high = low_of(entry), high_of(entry)
            if low >= beta or low == high:
                return sign * low
            if high <= alpha:
                return sign * high
            alpha, beta = max(alpha, low), min(beta, high)
            floor = alpha
    numbers = stack.numbers[ply]
    stack.boards[ply, OWN] = own
    stack.boards[ply, OTHER] = other
    numbers[ALPHA] = alpha
    numbers[FLOOR] = floor
    numbers[BETA] = beta
    numbers[BEST] = NOWHERE
    numbers[MOVE] = first
    numbers[DEPTH] = depth
    numbers[TURNED_OVER] = sign < 0
    numbers[NEXT] = 0
    numbers[COUNT] = 0
    numbers[STAGE] = LIST
    left = popcount(empty)
    margin = care(depth - left) * stack.margins[phase_of(patterns.size, own, other), depth]
    if beta - alpha == 1 and margin > 0 and left - SHALLOW[depth] >= FEWEST:
        most = patterns.size * patterns.size * UNIT
        value = worth(patterns, own, other, stack.codes[ply, SEEN])
        numbers[BOUND] = beta + margin if value >= beta else alpha - margin
        if -most < numbers[BOUND] < most:
            numbers[STAGE] = PREDICT
    return NOWHERE


@bare_kernel
def close(stack, ply):
    """Store a finished frame; return its value for the side that moved before it was turned over."""
    numbers = stack.numbers[ply]
    best = numbers[BEST]
    if numbers[COUNT]:
        low = best if best > numbers[FLOOR] else -OFFSET
        high = best if best < numbers[BETA] else OFFSET - 1
        own, other = stack.boards[ply, OWN], stack.boards[ply, OTHER]
        keep(stack.table, own, other, low, high, numbers[DEPTH], numbers[MOVE], stack.control[GENERATION])
    return -best if numbers[TURNED_OVER] else best


@bare_kernel
def root_alpha(stack):
    """What a further root move must beat: the least of the LINES best values so far."""
    wanted = stack.control[LINES]
    for index in range(stack.numbers[0, NEXT]):
        square = stack.order[0, index] & 63
        if stack.root_known[square]:
            above, level = 0, 0
            for place in range(stack.numbers[0, NEXT]):
                at = stack.order[0, place] & 63
                if stack.root_known[at]:
                    above += stack.root_values[at] > stack.root_values[square]
                    level += stack.root_values[at] >= stack.root_values[square]
            if above < wanted <= level:
                return stack.root_values[square]
    return NOWHERE


@bare_kernel
def absorb(stack, ply, value):
    """Take the value of the move in progress into its frame."""
    numbers = stack.numbers[ply]
    square = stack.order[ply, numbers[NEXT]] & 63
    if value > numbers[BEST]:
        numbers[BEST] = value
        numbers[MOVE] = square
    numbers[NEXT] += 1
    if ply == 0:
        stack.root_values[square] = value
        stack.root_known[square] = value > numbers[ALPHA]
        numbers[ALPHA] = root_alpha(stack)
    else:
        numbers[ALPHA] = max(numbers[ALPHA], value)


@bare_call
def open_root(patterns, stack, own, other, depth, first):
    """Begin a search of a position where the owner of `own` has a move, tried first if it is `first` (or -1)."""
    numbers = stack.numbers[0]
    stack.boards[0, OWN] = own
    stack.boards[0, OTHER] = other
    numbers[ALPHA] = numbers[FLOOR] = numbers[BEST] = NOWHERE
    numbers[BETA] = -NOWHERE
    numbers[MOVE] = -1
    numbers[DEPTH] = max(depth, 3)
    numbers[TURNED_OVER] = 0
    numbers[NEXT] = 0
    numbers[STAGE] = PLAY
    read_codes(patterns, stack, 0, own, other)
    list_moves(patterns, stack, 0, reach(own, other) & board(patterns.size) & ~(own | other), first)
    numbers[DEPTH] = depth
    stack.control[PLY] = 0
    for square in range(64):
        stack.root_known[square] = 0


@bare_call
def reopen_root(stack, depth):
    """Begin a search of the same position to another depth: the known moves first, the best in front."""
    numbers = stack.numbers[0]
    order = stack.order[0]
    for index in range(1, numbers[COUNT]):
        word = order[index]
        square = word & 63
        place = index
        while place > 0:
            other = order[place - 1] & 63
            if not stack.root_known[square]:
                break
            if stack.root_known[other] and stack.root_values[other] >= stack.root_values[square]:
                break
            order[place] = order[place - 1]
            place -= 1
        order[place] = word
    numbers[ALPHA] = numbers[FLOOR] = numbers[BEST] = NOWHERE
    numbers[MOVE] = -1
    numbers[NEXT] = 0
    numbers[DEPTH] = depth
    stack.control[PLY] = 0
    for square in range(64):
        stack.root_known[square] = 0


@bare_call
def advance(patterns, stack, max_nodes):
    """Go on with a search until it is DONE, or PAUSED after so many nodes in all.

    Afterwards `numbers[0]` has BEST and MOVE, and the root arrays what is known of every move.
    """
    boards, numbers, codes, control = stack.boards, stack.numbers, stack.codes, stack.control
    ply = control[PLY]
    value = NOWHERE
    while True:
        own, other = boards[ply, OWN], boards[ply, OTHER]
        depth = numbers[ply, DEPTH]
        mine, theirs, deeper = own, other, SHALLOW[depth]
        if value == NOWHERE and numbers[ply, STAGE] == PREDICT:
            numbers[ply, STAGE] = PREDICTING
            bound = numbers[ply, BOUND]
            alpha, beta = (bound - 1, bound) if bound >= numbers[ply, BETA] else (bound, bound + 1)
            for at in range(LOOKUPS):
                codes[ply + 1, SEEN, at] = codes[ply, SEEN, at]
                codes[ply + 1, UNSEEN, at] = codes[ply, UNSEEN, at]
        elif value != NOWHERE and numbers[ply, STAGE] == PREDICTING:
            bound = numbers[ply, BOUND]
            numbers[ply, STAGE] = LIST
            if bound >= numbers[ply, BETA]:
                if value >= bound:
                    numbers[ply, BEST] = numbers[ply, BETA]
                    numbers[ply, STAGE] = PLAY
            elif value <= bound:
                numbers[ply, BEST] = numbers[ply, ALPHA]
                numbers[ply, STAGE] = PLAY
            value = NOWHERE
            continue
        else:
            if numbers[ply, STAGE] == LIST:
                numbers[ply, STAGE] = PLAY
                moves = reach(own, other) & board(patterns.size) & ~(own | other)
                list_moves(patterns, stack, ply, moves, numbers[ply, MOVE])
            if value == NOWHERE:
                if numbers[ply, NEXT] >= numbers[ply, COUNT] or numbers[ply, BEST] >= numbers[ply, BETA]:
                    if ply == 0:
                        return DONE
                    value = close(stack, ply)
                    ply -= 1
                    if numbers[ply, STAGE] == PLAY:
                        value = -value
                    continue
                if control[NODES] >= max_nodes:
                    control[PLY] = ply
                    return PAUSED
                alpha, beta = numbers[ply, ALPHA], numbers[ply, BETA]
                numbers[ply, FULL] = numbers[ply, NEXT] == 0 or alpha == NOWHERE
                if not numbers[ply, FULL]:
                    beta = alpha + 1
            elif numbers[ply, FULL] or value <= numbers[ply, ALPHA] or value >= numbers[ply, BETA]:
                absorb(stack, ply, value)
                value = NOWHERE
                continue
            else:
                numbers[ply, FULL] = 1
                alpha, beta = numbers[ply, ALPHA], numbers[ply, BETA]
            square = stack.order[ply, numbers[ply, NEXT]] & 63
            changed = flips(own, other, square)
            mine, theirs, deeper = other ^ changed, own | changed | (ONE << np.uint64(square)), depth - 1
            alpha, beta = -beta, -alpha
            if deeper != 1:
                seen_after(codes[ply + 1, SEEN], codes[ply, UNSEEN], patterns.steps, square, changed)
            if deeper != 0:
                unseen_after(codes[ply + 1, UNSEEN], codes[ply, SEEN], patterns.steps, square, changed)
        value = enter(patterns, stack, ply + 1, mine, theirs, alpha, beta, deeper)
        if value == NOWHERE:
            ply += 1
        elif numbers[ply, STAGE] == PLAY:
            value = -value


@bare_call
def follow(patterns, stack, own, other, line):
    """Lengthen a line of squares (64: a pass), of which the first is set, by the moves that the table has.

    The owner of `own` makes the first move. Returns the length.
    """
    squares = board(patterns.size)
    length = 1
    while True:
        square = line[length - 1]
        if square < 64:
            changed = flips(own, other, square)
            own, other = other ^ changed, own | changed | (ONE << np.uint64(square))
        else:
            own, other = other, own
        if length == line.shape[0]:
            return length
        moves = reach(own, other) & squares & ~(own | other)
        square = 64
        if moves == NONE:
            if reach(other, own) & squares & ~(own | other) == NONE:
                return length
        else:
            slot = find(stack.table, own, other)
            square = move_of(stack.table[slot, 2]) if slot >= 0 else 64
            if square >= 64 or not (moves >> np.uint64(square)) & ONE:
                return length
        line[length] = square
        length += 1
