"""Winning Gomoku by force: by continuous fours (VCF), and by threats, which add threes (VCT).

`Sides` says how rows count in the variant. An attack is a line [attacker, forced answer, attacker, ...] whose last
attacking move makes five, or two points that would.

The search by threats is sound by construction. A quiet move counts as a threat only if the attacker, moving once more,
would win by fours; the defender then tries every point of the board, and only those for which that same win still goes
through, move by move, are set aside. Nothing is assumed about where a defence can lie.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.exact.windows import barred, completes, put, take, winning_points
from boyi.games.kernels import bare_call, kernel

NOTHING, WON, GAVE_UP, OPEN = 0, 1, -1, 2
MAX_PLIES = 80
"""Longest line followed."""
MAX_LEVELS = 24
"""Deepest nesting of threats and answers."""
FAILED_BITS = 14
"""Two to this many positions without a win by fours are remembered."""
THREAT, ANSWER = 0, 1


class Sides(NamedTuple):
    """How rows count: `exact` [2], whether a side needs exactly the row; renju bars Black from some points."""

    exact: NDArray[np.bool_]
    renju: bool


class Room(NamedTuple):
    """Memory of one search."""

    line: NDArray[np.int64]
    """[MAX_PLIES] the fours played."""
    scan: NDArray[np.int64]
    """[MAX_PLIES] where each level goes on looking."""
    failed: NDArray[np.uint64]
    """[2 ** FAILED_BITS] hashes of positions, salted with the attacker, that have no win by fours."""
    nodes: NDArray[np.int64]
    """[2] positions looked at so far, and the limit."""
    kind: NDArray[np.int64]
    """[MAX_LEVELS] what is tried on each level of the threat search: THREAT or ANSWER."""
    tried: NDArray[np.int64]
    """[MAX_LEVELS] how many of a level's moves were tried."""
    many: NDArray[np.int64]
    """[MAX_LEVELS] how many moves a level has."""
    moves: NDArray[np.int64]
    """[MAX_LEVELS, squares] the moves of each level, in the order they are tried."""
    forced: NDArray[np.int64]
    """[MAX_LEVELS] the answer that came with a four on this level, or -1."""
    near: NDArray[np.bool_]
    """[squares] where a stone can matter to the line."""
    left: NDArray[np.int64]
    """[MAX_LEVELS] attacking moves still allowed."""
    best: NDArray[np.int64]
    """[MAX_LEVELS, MAX_PLIES] the longest winning line from each level."""
    length: NDArray[np.int64]
    """[MAX_LEVELS] and its length."""


def make_room(squares: int) -> Room:
    """Memory for boards of so many squares."""

    def levels(*more: int) -> NDArray[np.int64]:
        return np.zeros((MAX_LEVELS, *more), np.int64)

    return Room(
        line=np.zeros(MAX_PLIES, np.int64),
        scan=np.zeros(MAX_PLIES, np.int64),
        failed=np.zeros(1 << FAILED_BITS, np.uint64),
        nodes=np.zeros(2, np.int64),
        kind=levels(),
        tried=levels(),
        many=levels(),
        moves=levels(squares),
        forced=levels(),
        near=np.zeros(squares, np.bool_),
        left=levels(),
        best=levels(MAX_PLIES),
        length=levels(),
    )


@bare_call
def four(board, sides, side, square):
    """Put a stone that should make a four. Returns WON, NOTHING, or OPEN with the forced answer on the board; and that
    answer, or -1. A stone that makes no four is taken back; one that wins stays."""
    other = 1 - side
    put(board, square, side)
    points, answer, _ = winning_points(board, side, sides.exact[side])
    if points == 0:
        take(board, square)
        return NOTHING, -1
    if points == 2:
        return WON, answer
    if barred(board, answer, other, sides.renju) and not completes(board, answer, other, sides.exact[other]):
        return WON, answer
    put(board, answer, other)
    return OPEN, answer


@bare_call
def must_stop(board, sides, side):
    """The point that a side must take because the other would make five there: -1 none, -2 more than one."""
    points, first, _ = winning_points(board, 1 - side, sides.exact[1 - side])
    return -1 if points == 0 else first if points == 1 else -2


@bare_call
def unwind(board, room, length):
    """Take back the stones of the line."""
    for ply in range(length):
        if room.line[ply] >= 0 and board.cells[room.line[ply]] != 0:
            take(board, room.line[ply])


@kernel
def win_by_fours(board, sides, side, room, limit):
    """Whether `side`, to move, wins by continuous fours: WON, NOTHING, or GAVE_UP after `limit` positions.

    On WON `room.line` holds the moves; returns the result and the line's length. The board is as before.
    """
    room.nodes[0] += 1
    points, first, _ = winning_points(board, side, sides.exact[side])
    if points:
        room.line[0] = first
        return WON, 1
    fours = board.win - 2
    if board.total[side, fours] == 0:
        return NOTHING, 0
    salt = board.codes[side, 0] >> np.uint64(1)
    slots = np.uint64(room.failed.shape[0] - 1)
    key = board.key[0] ^ salt
    if room.failed[key & slots] == key:
        return NOTHING, 0
    ply, visited = 0, 0
    room.scan[0] = 0
    must = must_stop(board, sides, side)
    while True:
        found = -1
        if must != -2:
            square = room.scan[ply]
            while square < board.height * board.width:
                if (
                    board.cells[square] == 0
                    and board.level[side, fours, square] > 0
                    and (must < 0 or must == square)
                    and not barred(board, square, side, sides.renju)
                ):
                    found = square
                    break
                square += 1
        if found >= 0:
            room.scan[ply] = found + 1
            result, answer = four(board, sides, side, found)
            if result == NOTHING:
                continue
            room.line[ply] = found
            room.line[ply + 1] = answer
            if result == WON:
                unwind(board, room, ply + 1)
                return WON, ply + 2
            visited += 1
            room.nodes[0] += 1
            key = board.key[0] ^ salt
            known = room.failed[key & slots] == key
            if known or ply + 4 >= MAX_PLIES or visited >= limit:
                take(board, answer)
                take(board, found)
                if visited >= limit:
                    unwind(board, room, ply)
                    return GAVE_UP, 0
                continue
            ply += 2
            points, first, _ = winning_points(board, side, sides.exact[side])
            if points:
                room.line[ply] = first
                unwind(board, room, ply)
                return WON, ply + 1
            room.scan[ply] = 0
            must = must_stop(board, sides, side)
            continue
        key = board.key[0] ^ salt
        room.failed[key & slots] = key
        if ply == 0:
            return NOTHING, 0
        ply -= 2
        take(board, room.line[ply + 1])
        take(board, room.line[ply])
        must = must_stop(board, sides, side)


@bare_call
def still_wins(board, sides, side, line, length):
    """Whether a win by fours goes through move by move on this board, which stays as it was."""
    ply, result = 0, NOTHING
    while ply < length:
        square = line[ply]
        if board.cells[square] != 0:
            break
        if completes(board, square, side, sides.exact[side]):
            result = WON
            break
        must = must_stop(board, sides, side)
        if must != -1 and must != square:
            break
        if barred(board, square, side, sides.renju):
            break
        made, answer = four(board, sides, side, square)
        if made == NOTHING:
            break
        if made == WON:
            take(board, square)
            result = WON
            break
        if ply + 1 >= length or line[ply + 1] != answer:
            take(board, answer)
            take(board, square)
            break
        ply += 2
    for back in range(ply - 1, -1, -1):
        take(board, line[back])
    return result == WON


@kernel
def list_threats(board, sides, side, room, depth):
    """The moves by which a side may threaten: those that reach a new level of rows, the strongest rows first."""
    count = 0
    must = must_stop(board, sides, side)
    room.many[depth] = 0
    if must == -2:
        return
    if must >= 0:
        if not barred(board, must, side, sides.renju):
            room.moves[depth, 0] = must
            room.many[depth] = 1
        return
    for wanted in range(2):
        for square in range(board.height * board.width):
            if board.cells[square] == 0:
                fours = board.level[side, board.win - 2, square]
                threes = board.level[side, board.win - 3, square]
                strong = (fours > 0 and threes > 0) or threes > 3
                if (
                    (fours > 0 or threes > 1)
                    and strong == (wanted == 0)
                    and not barred(board, square, side, sides.renju)
                ):
                    room.moves[depth, count] = square
                    count += 1
    room.many[depth] = count


@kernel
def list_answers(board, sides, side, room, depth, length):
    """Every move of the defender, `1 - side`, after which the win by fours in `room.line` no longer goes through.

    Outside renju a stone that shares no window with the line and makes no four of its own cannot change it.
    """
    other = 1 - side
    count = 0
    room.near[:] = sides.renju
    for ply in range(length):
        for entry in range(4 * board.win):
            window = board.through[room.line[ply], entry]
            if window < 0:
                break
            for place in range(board.win):
                room.near[board.members[window, place]] = True
    for square in range(board.height * board.width):
        if board.cells[square] != 0 or (not room.near[square] and board.level[other, board.win - 2, square] == 0):
            continue
        if barred(board, square, other, sides.renju):
            continue
        put(board, square, other)
        if not still_wins(board, sides, side, room.line, length):
            room.moves[depth, count] = square
            count += 1
        take(board, square)
    room.many[depth] = count


@kernel
def win_by_threats(board, sides, side, room, attacks, fours_limit):
    """Whether `side`, to move, wins by at most `attacks` threats of any kind followed by fours.

    Returns WON, NOTHING or GAVE_UP (the limit in `room.nodes[1]`), and the length of the line in `room.best[0]`: a
    longest defence. Levels alternate between THREAT, the attacker to move, and ANSWER, the defender to move.
    """
    other = 1 - side
    depth, entering, result = 0, True, NOTHING
    room.kind[0] = THREAT
    room.left[0] = attacks
    line = np.zeros(MAX_PLIES, np.int64)
    while True:
        if room.nodes[0] >= room.nodes[1]:
            for level in range(depth - 1, -1, -1):
                if room.forced[level] >= 0:
                    take(board, room.forced[level])
                take(board, room.moves[level, room.tried[level] - 1])
            return GAVE_UP, 0
        if entering:
            entering = False
            room.tried[depth] = 0
            room.length[depth] = 0
            room.many[depth] = 0
            done, length = win_by_fours(board, sides, side, room, fours_limit)
            if room.kind[depth] == THREAT:
                if done == WON:
                    for ply in range(length):
                        room.best[depth, ply] = room.line[ply]
                    room.length[depth] = length
                    result = WON
                elif room.left[depth] > 0 and depth + 2 < MAX_LEVELS:
                    list_threats(board, sides, side, room, depth)
                    result = OPEN
                else:
                    result = NOTHING
            else:
                points, _, _ = winning_points(board, other, sides.exact[other])
                if done != WON or points:
                    result = NOTHING
                else:
                    list_answers(board, sides, side, room, depth, length)
                    result = OPEN
        elif result == OPEN:
            if room.tried[depth] == room.many[depth]:
                result = NOTHING if room.kind[depth] == THREAT else WON
                continue
            square = room.moves[depth, room.tried[depth]]
            room.tried[depth] += 1
            room.forced[depth] = -1
            if room.kind[depth] == THREAT:
                room.kind[depth + 1] = ANSWER
                room.left[depth + 1] = room.left[depth] - 1
                made, answer = four(board, sides, side, square)
                if made == OPEN:
                    room.forced[depth] = answer
                    room.kind[depth + 1] = THREAT
                    room.left[depth + 1] = room.left[depth] - 1
                elif made == WON:
                    take(board, square)
                    room.best[depth, 0] = square
                    room.length[depth] = 1
                    result = WON
                    continue
                else:
                    put(board, square, side)
            else:
                put(board, square, other)
                room.kind[depth + 1] = THREAT
                room.left[depth + 1] = room.left[depth]
            depth += 1
            entering = True
        else:
            if depth == 0:
                return result, room.length[0]
            depth -= 1
            square = room.moves[depth, room.tried[depth] - 1]
            answer = room.forced[depth]
            if answer >= 0:
                take(board, answer)
            take(board, square)
            if result == WON:
                length = 0
                line[length] = square
                length += 1
                if answer >= 0:
                    line[length] = answer
                    length += 1
                for ply in range(room.length[depth + 1]):
                    if length < MAX_PLIES:
                        line[length] = room.best[depth + 1, ply]
                        length += 1
                if room.kind[depth] == THREAT or length > room.length[depth]:
                    for ply in range(length):
                        room.best[depth, ply] = line[ply]
                    room.length[depth] = length
            if (result == WON) == (room.kind[depth] == ANSWER):
                result = OPEN
