"""Principal variation search over a board of lines, for one stone a turn and for two. Start at `deepen`.

Points are tried in the order of the policy, the `widths` best only. Fives, blocks of fives and open fours are settled
without search; against the threat of an open four only fours and the points that stop it are tried; below the last
ply fours are tried as long as they help. With two stones a turn a turn is two plies of the same side, threats are
answered by the points that can be part of a cover, and values are taken between turns only.

The search keeps its own stack and pauses anywhere, so that the caller holds the clock.
"""

import numpy as np

from boyi.games.kernels import bare_call, bare_kernel, kernel
from boyi.quick.lines_board import STONES, barred, evaluate, find_class, promise, put, take, top_of
from boyi.quick.lines_classes import FIVE, FIVE_OF_SIX, FOUR, NONE, OPEN_FOUR, SIX, TWO
from boyi.quick.lines_memory import (
    ALPHA,
    BEST,
    BETA,
    CALM,
    CALM_BLOCKS,
    CALM_COVERS,
    CALM_FOURS,
    COUNT,
    CUT,
    DEPTH,
    DEPTH_BITS,
    DONE,
    ENTERING,
    EXACT,
    FINISHED,
    FIRST,
    FORCED,
    FOURS,
    FULL,
    GAP,
    INFINITE,
    KIND,
    LEFT,
    LIMIT,
    LOWER,
    MARGIN,
    MATE,
    MAX_DEPTH,
    MAX_PLY,
    MOVE,
    NEAR_MATE,
    NEXT,
    NODES,
    PASS,
    PAUSED,
    PHASE,
    PLY,
    POINT_BITS,
    REST,
    SCORE,
    SIDE,
    THREATENED,
    TOP_MOVE,
    TOP_VALUE,
    UNKNOWN,
    UPPER,
    node_key,
    recall,
    remember,
)


@bare_call
def list_moves(board, memory, ply, width, first):
    """The most promising points of a node, best first, `first` before all if it is among them; returns their number."""
    side, kind = memory.frames[ply, SIDE], memory.frames[ply, KIND]
    other = 1 - side
    count = 0
    least = TWO if kind == FULL else FOUR
    ceiling = NONE if kind == FOURS else 15
    for index in range(board.points.shape[0]):
        at = board.points[index]
        if board.cells[at] != 0:
            continue
        own, foreign = top_of(board.shown[side, at]), top_of(board.shown[other, at])
        if own < least and min(foreign, ceiling) < least:
            continue
        worth = np.int64(promise(board, at, side))
        if at == first:
            worth += FIRST
        if count == width and worth <= memory.promises[ply, count - 1]:
            continue
        if board.renju and barred(board, at, side):
            continue
        place = min(count, width - 1)
        while place > 0 and memory.promises[ply, place - 1] < worth:
            memory.promises[ply, place] = memory.promises[ply, place - 1]
            memory.moves[ply, place] = memory.moves[ply, place - 1]
            place -= 1
        memory.promises[ply, place] = worth
        memory.moves[ply, place] = at
        count = min(count + 1, width)
    return count


@bare_call
def any_move(board, memory, ply):
    """Where no point is near stones: the legal point nearest to the middle; returns 1, or 0 where there is none."""
    middle = (board.size - 1) / 2 + board.reach
    best, far = -1, 1e9
    for index in range(board.points.shape[0]):
        at = board.points[index]
        if board.cells[at] == 0 and not barred(board, at, memory.frames[ply, SIDE]):
            away = max(abs(at // board.width - middle), abs(at % board.width - middle))
            if away < far:
                best, far = at, away
    memory.moves[ply, 0] = best
    return np.int64(best >= 0)


@bare_kernel
def still(board, side):
    """The static value, never that of a mate."""
    return min(max(evaluate(board, side), -CALM), CALM)


@bare_call
def can_play(board, side, level):
    """Whether a side may play on some point of this class."""
    if board.tops[side, level] == 0:
        return False
    if not board.renju or side == 1:
        return True
    for index in range(board.points.shape[0]):
        at = board.points[index]
        if board.cells[at] == 0 and top_of(board.shown[side, at]) == level and not barred(board, at, side):
            return True
    return False


@bare_call
def open_five(board, memory, ply):
    """Enter a node with five to win: its value where it needs no search, or UNKNOWN with the moves listed."""
    frames = memory.frames
    side = frames[ply, SIDE]
    other = 1 - side
    depth = frames[ply, REST]
    frames[ply, NEXT] = 0
    frames[ply, PHASE] = 0
    frames[ply, TOP_MOVE] = 0
    frames[ply, TOP_VALUE] = -INFINITE
    frames[ply, LIMIT] = frames[ply, ALPHA]
    if board.tops[side, FIVE] > 0:
        return MATE - ply - 1
    if board.tops[other, FIVE] > 1:
        return ply + 2 - MATE
    if board.totals[STONES] == board.points.shape[0]:
        return 0
    if ply >= MAX_PLY - 2:
        return still(board, side)
    if board.tops[other, FIVE] == 1:
        at = find_class(board, other, FIVE)
        if barred(board, at, side):
            return ply + 2 - MATE
        memory.moves[ply, 0] = at
        frames[ply, COUNT] = 1
        frames[ply, KIND] = FORCED
        return UNKNOWN
    if can_play(board, side, OPEN_FOUR):
        return MATE - ply - 3
    key = node_key(board, side, 1)
    first, known = recall(memory, key, ply, depth, frames[ply, ALPHA], frames[ply, BETA])
    if known != UNKNOWN and ply > 0:
        return known
    threatened = can_play(board, other, OPEN_FOUR)
    kind = THREATENED if threatened else FULL
    width = memory.widths[max(depth, 0) if ply > 0 else MAX_PLY - 1]
    if depth <= 0:
        value = still(board, side)
        if not threatened or depth <= -memory.control[CALM_BLOCKS]:
            if value >= frames[ply, BETA] or board.tops[side, FOUR] == 0 or depth <= -memory.control[CALM_FOURS]:
                return value
            kind = FOURS
            frames[ply, TOP_VALUE] = value
            frames[ply, ALPHA] = max(frames[ply, ALPHA], value)
    elif kind == FULL and ply > 0 and -NEAR_MATE < frames[ply, BETA] < NEAR_MATE:
        value = still(board, side)
        if memory.control[MARGIN] > 0 and depth <= 4 and value - memory.control[MARGIN] * depth >= frames[ply, BETA]:
            return value
        if 0 < memory.control[PASS] <= depth and value >= frames[ply, BETA] and frames[ply - 1, MOVE] > 0:
            frames[ply, PHASE] = 4
    frames[ply, KIND] = kind
    frames[ply, COUNT] = list_moves(board, memory, ply, width, first)
    if frames[ply, COUNT] == 0:
        if kind == FULL:
            frames[ply, COUNT] = any_move(board, memory, ply)
            return 0 if frames[ply, COUNT] == 0 else UNKNOWN
        return still(board, side)
    return UNKNOWN


@bare_call
def list_windows(board, side, windows):
    """The rows of six in which a side lacks one stone or two, as the empty points of each (twice the same if one);
    returns their number."""
    found = 0
    for index in range(board.points.shape[0]):
        at = board.points[index]
        if board.cells[at] != 0 or top_of(board.shown[side, at]) < FIVE_OF_SIX:
            continue
        for direction in range(4):
            if (board.packed[at] >> (16 * side + 4 * direction)) & 15 < FIVE_OF_SIX:
                continue
            stride = board.strides[direction]
            for start in range(-5, 1):
                own, empty, second = 0, 0, at
                for offset in range(start, start + 6):
                    cell = board.cells[at + offset * stride]
                    own += cell == side + 1
                    if cell == 0:
                        empty += 1
                        if offset < 0:
                            empty = 9
                        elif offset > 0:
                            second = at + offset * stride
                if own >= 4 and own + empty == 6 and found < windows.shape[0]:
                    windows[found, 0] = at
                    windows[found, 1] = second
                    found += 1
    return found


@bare_kernel
def left_open(windows, count, first, second):
    """The first window that stones on two points leave open, or -1."""
    for entry in range(count):
        near, far = windows[entry, 0], windows[entry, 1]
        if near != first and far != first and near != second and far != second:
            return entry
    return -1


@bare_kernel
def list_covers(board, memory, ply, count):
    """The points of the first window that can be part of a cover of all windows; returns their number."""
    windows, found = memory.windows, 0
    for place in range(2):
        at = windows[0, place]
        if place == 1 and at == windows[0, 0]:
            continue
        rest = left_open(windows, count, at, at)
        stops = rest < 0
        if not stops and memory.frames[ply, LEFT] == 2:
            for other in range(2):
                stops |= left_open(windows, count, at, windows[rest, other]) < 0
        if stops:
            memory.moves[ply, found] = at
            memory.promises[ply, found] = promise(board, at, memory.frames[ply, SIDE])
            found += 1
    if found == 2 and memory.promises[ply, 1] > memory.promises[ply, 0]:
        memory.moves[ply, 0], memory.moves[ply, 1] = memory.moves[ply, 1], memory.moves[ply, 0]
    return found


@bare_call
def open_six(board, memory, ply):
    """The same as `open_five` with six to win and two stones a turn."""
    frames = memory.frames
    side, left = frames[ply, SIDE], frames[ply, LEFT]
    other = 1 - side
    depth = frames[ply, REST]
    frames[ply, NEXT] = 0
    frames[ply, PHASE] = 0
    frames[ply, TOP_MOVE] = 0
    frames[ply, TOP_VALUE] = -INFINITE
    frames[ply, LIMIT] = frames[ply, ALPHA]
    if board.tops[side, SIX] > 0:
        return MATE - ply - 1
    if left == 2 and board.tops[side, FIVE_OF_SIX] + board.tops[side, FIVE_OF_SIX + 1] > 0:
        return MATE - ply - 2
    if board.totals[STONES] == board.points.shape[0]:
        return 0
    if ply >= MAX_PLY - 2:
        return still(board, side)
    key = node_key(board, side, left)
    first, known = recall(memory, key, ply, depth, frames[ply, ALPHA], frames[ply, BETA])
    if known != UNKNOWN and ply > 0:
        return known
    if board.tops[other, FIVE_OF_SIX] + board.tops[other, FIVE_OF_SIX + 1] + board.tops[other, SIX] > 0:
        windows = list_windows(board, other, memory.windows)
        frames[ply, COUNT] = list_covers(board, memory, ply, windows)
        if frames[ply, COUNT] == 0:
            return ply + left + 1 - MATE
        frames[ply, KIND] = THREATENED
        if depth <= -CALM_COVERS and left == 2:
            return still(board, side)
        return UNKNOWN
    width = memory.widths[max(depth, 0) if ply > 0 else MAX_PLY - 1]
    if depth <= 0:
        if left == 2:
            return still(board, side)
        width = min(width, 3)
    frames[ply, KIND] = FULL
    frames[ply, COUNT] = list_moves(board, memory, ply, width, first)
    if frames[ply, COUNT] == 0:
        frames[ply, COUNT] = any_move(board, memory, ply)
    return UNKNOWN


@bare_kernel
def reduction(memory, ply):
    """By how many plies the present move of a node is searched less deep."""
    frames = memory.frames
    place, depth = frames[ply, NEXT], frames[ply, REST]
    if frames[ply, KIND] != FULL or depth < 2:
        return 0
    less = memory.cuts[depth, place]
    if memory.control[GAP] > 0 and place > 0 and depth > 2:
        best = memory.promises[ply, 1]
        if memory.promises[ply, 0] < FIRST:
            best = memory.promises[ply, 0]
        less += (best - memory.promises[ply, place]) // memory.control[GAP]
    return min(less, depth - 1)


@bare_kernel
def begin_child(board, memory, ply):
    """Put the next move of a node, if it is not a pass, and set up the frame after it."""
    frames = memory.frames
    side, kind = frames[ply, SIDE], frames[ply, KIND]
    if frames[ply, PHASE] == 0:
        frames[ply, PHASE] = 3 if frames[ply, NEXT] == 0 else 1
        frames[ply, CUT] = reduction(memory, ply)
    phase = frames[ply, PHASE]
    low = frames[ply, ALPHA]
    high = frames[ply, BETA] if phase == 3 else low + 1
    depth = frames[ply, REST]
    if not (kind == FORCED or (frames[ply, COUNT] == 1 and kind == THREATENED)):
        depth -= 1
    if phase == 1:
        depth -= frames[ply, CUT]
    elif phase == 4:
        depth -= 2 + depth // 4
        high = frames[ply, BETA]
        low = high - 1
    if frames[ply, LEFT] == 2:
        frames[ply + 1, SIDE], frames[ply + 1, LEFT] = side, 1
        frames[ply + 1, ALPHA], frames[ply + 1, BETA] = low, high
    else:
        frames[ply + 1, SIDE], frames[ply + 1, LEFT] = 1 - side, board.turn
        frames[ply + 1, ALPHA], frames[ply + 1, BETA] = -high, -low
    frames[ply + 1, REST] = depth
    if phase == 4:
        frames[ply, MOVE] = 0
    else:
        frames[ply, MOVE] = memory.moves[ply, frames[ply, NEXT]]
        put(board, frames[ply, MOVE], side)


@bare_kernel
def end_child(memory, ply, value):
    """Take note of what the present move of a node came to."""
    frames = memory.frames
    if frames[ply, LEFT] != 2:
        value = -value
    phase = frames[ply, PHASE]
    if phase == 4:
        frames[ply, PHASE] = 0
        if value >= frames[ply, BETA]:
            frames[ply, TOP_VALUE] = frames[ply, ALPHA] = frames[ply, BETA]
        return
    if value > frames[ply, ALPHA] and phase == 1 and frames[ply, CUT] > 0:
        frames[ply, PHASE] = 2
        return
    if frames[ply, ALPHA] < value < frames[ply, BETA] and phase < 3:
        frames[ply, PHASE] = 3
        return
    if value > frames[ply, TOP_VALUE]:
        frames[ply, TOP_VALUE], frames[ply, TOP_MOVE] = value, frames[ply, MOVE]
        if ply == 0:
            memory.control[BEST], memory.control[SCORE] = frames[ply, MOVE], value
    frames[ply, ALPHA] = max(frames[ply, ALPHA], value)
    frames[ply, NEXT] += 1
    frames[ply, PHASE] = 0


@bare_kernel
def close_node(board, memory, ply):
    """The value of a node whose moves are tried or need no trying; it goes into the table."""
    frames = memory.frames
    value = frames[ply, TOP_VALUE]
    if frames[ply, KIND] != FORCED:
        bound = EXACT
        if value <= frames[ply, LIMIT]:
            bound = UPPER
        elif value >= frames[ply, BETA]:
            bound = LOWER
        key = node_key(board, frames[ply, SIDE], frames[ply, LEFT])
        remember(memory, key, ply, frames[ply, TOP_MOVE], frames[ply, REST], bound, value)
    return value


@kernel
def begin(board, memory, side, left):
    """Prepare the search of the board's position. The game must be running.

    Returns DONE where the move is settled at once (`BEST`, and `SCORE` for the side to move), or PAUSED.
    """
    control, frames = memory.control, memory.frames
    control[PLY] = 0
    control[NODES] = 0
    control[ENTERING] = 0
    control[FINISHED] = 0
    control[DEPTH] = 1
    frames[0, SIDE], frames[0, LEFT] = side, left
    frames[0, ALPHA], frames[0, BETA] = -INFINITE, INFINITE
    frames[0, REST] = 1
    ply = control[PLY]  # a literal 0 would compile everything below once more
    value = open_five(board, memory, ply) if board.turn == 1 else open_six(board, memory, ply)
    if value != UNKNOWN:
        control[SCORE] = value
        control[BEST] = settled_move(board, memory, side, left)
        return DONE
    control[BEST], control[SCORE] = memory.moves[0, 0], still(board, side)
    return PAUSED


@bare_call
def settled_move(board, memory, side, left):
    """The move of a position that `open_five` or `open_six` settles."""
    other = 1 - side
    if board.turn == 2:
        for level in range(SIX, FIVE_OF_SIX - 1, -1):
            if board.tops[side, level] > 0:
                return find_class(board, side, level)
        return find_class(board, other, FIVE_OF_SIX)
    for level in (FIVE, OPEN_FOUR):
        for player in (side, other):
            if board.tops[player, level] > 0:
                for index in range(board.points.shape[0]):
                    at = board.points[index]
                    if (
                        board.cells[at] == 0
                        and top_of(board.shown[player, at]) == level
                        and not barred(board, at, side)
                    ):
                        return at
    any_move(board, memory, memory.control[PLY])
    return memory.moves[0, 0]


@kernel
def deepen(board, memory, limit):
    """Go on with the search until `control[NODES]` reaches the limit (PAUSED) or nothing is left to do (DONE).

    `control[BEST]` and `control[SCORE]` are the best move so far and its value for the side to move. Between calls
    stones of the search stand on the board; `unwind` takes them away.
    """
    control, frames = memory.control, memory.frames
    while control[NODES] < limit:
        ply = control[PLY]
        if control[ENTERING]:
            control[ENTERING] = 0
            control[NODES] += 1
            value = open_five(board, memory, ply) if board.turn == 1 else open_six(board, memory, ply)
            if value == UNKNOWN:
                continue
        elif frames[ply, NEXT] < frames[ply, COUNT] and frames[ply, ALPHA] < frames[ply, BETA]:
            begin_child(board, memory, ply)
            control[PLY] = ply + 1
            control[ENTERING] = 1
            continue
        else:
            value = close_node(board, memory, ply)
            if ply == 0:
                control[FINISHED] = control[DEPTH]
                if control[DEPTH] >= control[MAX_DEPTH] or abs(value) > NEAR_MATE or frames[0, COUNT] == 1:
                    return DONE
                next_iteration(memory)
                continue
        control[PLY] = ply - 1
        if frames[ply - 1, MOVE] > 0:
            take(board, frames[ply - 1, MOVE])
        end_child(memory, ply - 1, value)
    return PAUSED


@bare_kernel
def next_iteration(memory):
    """Begin the root again one ply deeper, with its best move first."""
    control, frames, moves = memory.control, memory.frames, memory.moves
    control[DEPTH] += 1
    place = 0
    while moves[0, place] != control[BEST]:
        place += 1
    while place > 0:
        moves[0, place] = moves[0, place - 1]
        place -= 1
    moves[0, 0] = control[BEST]
    frames[0, REST] = control[DEPTH]
    frames[0, ALPHA], frames[0, BETA], frames[0, LIMIT] = -INFINITE, INFINITE, -INFINITE
    frames[0, NEXT], frames[0, PHASE], frames[0, TOP_VALUE] = 0, 0, -INFINITE


@kernel
def unwind(board, memory):
    """Take the stones of a paused search from the board."""
    for ply in range(memory.control[PLY] - 1, -1, -1):
        if memory.frames[ply, MOVE] > 0:
            take(board, memory.frames[ply, MOVE])
    memory.control[PLY] = 0
    memory.control[ENTERING] = 0


@kernel
def think(board, memory, side, left, nodes):
    """Search so many nodes; returns the move. `control[SCORE]` is its value, `control[FINISHED]` the depth, 0 where no
    search was needed."""
    if begin(board, memory, side, left) == PAUSED:
        deepen(board, memory, nodes)
        unwind(board, memory)
    return memory.control[BEST]


@kernel
def look_up(board, memory, side, left):
    """The point and the kind of bound that the table has for the board's position; 0 and 0 where it has none."""
    key = node_key(board, side, left)
    slot = np.int64(key & np.uint64(memory.keys.shape[0] - 1))
    entry = memory.entries[slot] if memory.keys[slot] == key else 0
    return entry & ((1 << POINT_BITS) - 1), entry >> (DEPTH_BITS + POINT_BITS) & 3
