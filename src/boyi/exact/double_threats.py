"""Winning Connect6 by double threats: turns that the opponent must answer with both stones.

A threat is a living window that lacks at most two stones. A turn whose threats two stones cannot stop wins, unless the
opponent has a threat of his own; a turn whose threats just need both of his stones leaves him the few pairs that stop
them, and every one is tried. (The double-threat moves of Wu and Huang, ICGA Journal 2005.)

A turn is a pair of squares; a turn of one stone, or a winning one that needs no second, has -1 for the second.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.exact.windows import put, take
from boyi.games.kernels import bare_call, bare_kernel, kernel

NOTHING, WON, GAVE_UP, OPEN = 0, 1, -1, 2
MAX_TURNS = 24
"""Longest attack, in turns of the attacker."""
MAX_THREATS = 64
NEAR = 28
"""Squares that a turn is made from: the most promising ones."""
MAX_PAIRS = NEAR * (NEAR - 1) // 2
MAX_COVERS = 4


class Room(NamedTuple):
    """Memory of one search. A level is a turn of the attacker with the answers to it."""

    threats: NDArray[np.int64]
    """[MAX_THREATS] windows."""
    near: NDArray[np.int64]
    """[NEAR] squares, best first."""
    worth: NDArray[np.int64]
    """[NEAR] their scores."""
    pairs: NDArray[np.int64]
    """[MAX_TURNS, MAX_PAIRS, 2] the turns of each level."""
    many: NDArray[np.int64]
    """[MAX_TURNS] how many there are."""
    tried: NDArray[np.int64]
    """[MAX_TURNS] how many were tried."""
    covers: NDArray[np.int64]
    """[MAX_TURNS, MAX_COVERS, 2] the answers to the present turn of a level."""
    many_covers: NDArray[np.int64]
    tried_covers: NDArray[np.int64]
    best: NDArray[np.int64]
    """[MAX_TURNS + 1, 4 * MAX_TURNS] the winning line from each level: turns in order, two squares each."""
    length: NDArray[np.int64]
    """[MAX_TURNS + 1]"""
    failed: NDArray[np.uint64]
    """Hashes of positions from which no attack was found, with their remaining turns mixed in."""
    nodes: NDArray[np.int64]
    """[2] turns looked at, and the limit."""


def make_room() -> Room:
    """Memory for a search."""

    def turns(*more: int) -> NDArray[np.int64]:
        return np.zeros((MAX_TURNS, *more), np.int64)

    return Room(
        threats=np.zeros(MAX_THREATS, np.int64),
        near=np.zeros(NEAR, np.int64),
        worth=np.zeros(NEAR, np.int64),
        pairs=turns(MAX_PAIRS, 2),
        many=turns(),
        tried=turns(),
        covers=turns(MAX_COVERS, 2),
        many_covers=turns(),
        tried_covers=turns(),
        best=np.zeros((MAX_TURNS + 1, 4 * MAX_TURNS), np.int64),
        length=np.zeros(MAX_TURNS + 1, np.int64),
        failed=np.zeros(1 << 14, np.uint64),
        nodes=np.zeros(2, np.int64),
    )


@bare_call
def find_threats(board, side, lacking, threats):
    """The living windows of a side that lack at most `lacking` stones; returns how many, at most MAX_THREATS."""
    wanted = board.win - lacking
    alive = 0
    for level in range(wanted, board.win):
        alive += board.total[side, level]
    found = 0
    if alive:
        for window in range(board.members.shape[0]):
            if board.stones[side, window] >= wanted and board.stones[1 - side, window] == 0:
                threats[found] = window
                found += 1
                if found in (alive, MAX_THREATS):
                    break
    return found


@bare_kernel
def first_unstopped(board, threats, count, first, second):
    """The first threat that stones on two squares leave alive, or -1."""
    for entry in range(count):
        stopped = False
        for place in range(board.win):
            square = board.members[threats[entry], place]
            stopped |= (square == first) | (square == second)
        if not stopped:
            return threats[entry]
    return -1


@bare_call
def list_covers(board, threats, count, covers):
    """The pairs of squares that stop all threats, [MAX_COVERS, 2]: how many, or -1 where one stone is enough."""
    found = 0
    for place in range(board.win):
        first = board.members[threats[0], place]
        if board.cells[first] != 0:
            continue
        open_window = first_unstopped(board, threats, count, first, -1)
        if open_window < 0:
            return -1
        for other in range(board.win):
            second = board.members[open_window, other]
            if board.cells[second] == 0 and first_unstopped(board, threats, count, first, second) < 0:
                covers[found, 0], covers[found, 1] = first, second
                found += 1
    return found


@bare_kernel
def finish(board, side, stones, room, level):
    """Whether a side with so many stones to put wins at once; the squares go to the level's best line."""
    if find_threats(board, side, stones, room.threats) == 0:
        return False
    filled = 0
    room.best[level, 1] = -1
    for place in range(board.win):
        square = board.members[room.threats[0], place]
        if board.cells[square] == 0:
            room.best[level, filled] = square
            filled += 1
    room.length[level] = 2
    return True


@kernel
def list_turns(board, side, stones, room, level):
    """The turns that may make a double threat, from the most promising squares."""
    near, worth = room.near, room.worth
    count = 0
    for square in range(board.height * board.width):
        if board.cells[square] != 0:
            continue
        score = 0
        for stage in range(2, board.win):
            score += board.level[side, stage, square] * stage * stage
            score += board.level[1 - side, stage, square] if stage >= board.win - 2 else 0
        if board.level[1 - side, board.win - 2, square] + board.level[1 - side, board.win - 1, square]:
            score += 100
        if score == 0 or (count == NEAR and score <= worth[NEAR - 1]):
            continue
        at = min(count, NEAR - 1)
        while at > 0 and worth[at - 1] < score:
            near[at], worth[at] = near[at - 1], worth[at - 1]
            at -= 1
        near[at], worth[at] = square, score
        count = min(count + 1, NEAR)
    made = 0
    if stones == 1:
        for entry in range(count):
            room.pairs[level, made, 0], room.pairs[level, made, 1] = near[entry], -1
            made += 1
    else:
        for total in range(1, 2 * count - 2):
            for entry in range(max(0, total - count + 1), (total + 1) // 2):
                room.pairs[level, made, 0], room.pairs[level, made, 1] = near[entry], near[total - entry]
                made += 1
    room.many[level] = made
    room.tried[level] = 0


@kernel
def win_by_double_threats(board, side, stones, room, turns):
    """Whether `side`, with `stones` to put in this turn, wins within so many turns of double threats.

    Returns WON, NOTHING or GAVE_UP (the limit in `room.nodes[1]`), and the length of the line in `room.best[0]`. The
    board is as before.
    """
    other = 1 - side
    level, entering = 0, True
    slots = np.uint64(room.failed.shape[0] - 1)
    result = NOTHING
    while True:
        if entering:
            entering = False
            room.nodes[0] += 1
            left = turns - level
            key = board.key[0] ^ (board.codes[side, left] >> np.uint64(1)) ^ np.uint64(stones if level == 0 else 2)
            if finish(board, side, stones if level == 0 else 2, room, level):
                result = WON
            elif left <= 1 or level + 1 >= MAX_TURNS or room.failed[key & slots] == key:
                result = NOTHING
            else:
                list_turns(board, side, stones if level == 0 else 2, room, level)
                room.many_covers[level] = 0
                room.tried_covers[level] = 0
                result = OPEN
        if result == OPEN:
            if room.nodes[0] >= room.nodes[1]:
                for back in range(level - 1, -1, -1):
                    undo_answer(board, room, back)
                    undo_turn(board, room, back)
                return GAVE_UP, 0
            if room.tried[level] == room.many[level]:
                left = turns - level
                key = board.key[0] ^ (board.codes[side, left] >> np.uint64(1)) ^ np.uint64(stones if level == 0 else 2)
                room.failed[key & slots] = key
                result = NOTHING
            else:
                turn = room.tried[level]
                room.tried[level] += 1
                first, second = room.pairs[level, turn, 0], room.pairs[level, turn, 1]
                room.nodes[0] += 1
                put(board, first, side)
                if second >= 0:
                    put(board, second, side)
                count = find_threats(board, side, 2, room.threats)
                if count == 0 or board.total[other, board.win - 1] + board.total[other, board.win - 2]:
                    undo_turn(board, room, level)
                    continue
                covers = list_covers(board, room.threats, count, room.covers[level])
                if covers < 0:
                    undo_turn(board, room, level)
                    continue
                room.length[level] = 2
                room.best[level, 0], room.best[level, 1] = first, second
                if covers == 0:
                    undo_turn(board, room, level)
                    result = WON
                else:
                    room.many_covers[level] = covers
                    room.tried_covers[level] = 1
                    play_answer(board, room, level, other)
                    level += 1
                    entering = True
                    continue
        if level == 0:
            return result, room.length[0]
        level -= 1
        undo_answer(board, room, level)
        if result == WON:
            if room.length[level + 1] + 4 > room.length[level]:
                remember(room, level)
            if room.tried_covers[level] < room.many_covers[level]:
                room.tried_covers[level] += 1
                play_answer(board, room, level, other)
                level += 1
                entering = True
            else:
                undo_turn(board, room, level)
        else:
            undo_turn(board, room, level)
            result = OPEN


@bare_call
def play_answer(board, room, level, other):
    entry = room.tried_covers[level] - 1
    put(board, room.covers[level, entry, 0], other)
    put(board, room.covers[level, entry, 1], other)


@bare_call
def undo_answer(board, room, level):
    entry = room.tried_covers[level] - 1
    take(board, room.covers[level, entry, 1])
    take(board, room.covers[level, entry, 0])


@bare_call
def undo_turn(board, room, level):
    turn = room.tried[level] - 1
    if room.pairs[level, turn, 1] >= 0:
        take(board, room.pairs[level, turn, 1])
    take(board, room.pairs[level, turn, 0])


@bare_call
def remember(room, level):
    """Keep the present turn, its answer and the line below as the level's line."""
    turn, entry = room.tried[level] - 1, room.tried_covers[level] - 1
    room.best[level, 0], room.best[level, 1] = room.pairs[level, turn, 0], room.pairs[level, turn, 1]
    room.best[level, 2], room.best[level, 3] = room.covers[level, entry, 0], room.covers[level, entry, 1]
    for place in range(room.length[level + 1]):
        if place + 4 < room.best.shape[1]:
            room.best[level, place + 4] = room.best[level + 1, place]
    room.length[level] = min(room.length[level + 1] + 4, room.best.shape[1])
