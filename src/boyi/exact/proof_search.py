"""The two searches for a proof: `by_numbers`, which finds narrow wins, and `by_depth`, which exhausts small boards.

Both work on frames of their own and share the table, so that what one has settled the other knows.
"""

import numpy as np

from boyi.exact.proof_frames import (
    BEST,
    COUNT,
    ENOUGH,
    FIRST,
    KILLER,
    MOVER,
    NEVER,
    NODES,
    OTHER_LIMIT,
    OWN_LIMIT,
    PLY,
    REPLY,
    TOO_LONG,
    close,
    efforts,
    settle,
    visit,
)
from boyi.games.kernels import bare_kernel, kernel

DONE, PAUSED = 0, 1
URGENT = 1 << 62


@bare_kernel
def promise_of(search, ply, at):
    """Between moves that are equally hard: first the one by which the opponent won after another one, then those whose
    square decided more positions (the history heuristic; Schaeffer 1983)."""
    if search.actions[at] == search.numbers[ply, KILLER]:
        return np.int64(URGENT)
    return search.history[search.numbers[ply, MOVER], search.squares[at]]


@bare_kernel
def weigh(search, ply):
    """The easiest of a frame's moves, its effort, that of the next one, and the effort to refute them all."""
    numbers = search.numbers
    first = numbers[ply, FIRST]
    best, least, second, total = first, np.int64(NEVER), np.int64(NEVER), np.int64(0)
    most = np.int64(-1)
    for at in range(first, first + numbers[ply, COUNT]):
        own = np.int64(search.own[at])
        total += search.other[at]
        if own <= least:
            promise = promise_of(search, ply, at)
            if own < least or promise > most:
                best, most = at, promise
            second, least = least, own
        elif own < second:
            second = own
    if least == 0:
        total = np.int64(NEVER)
    elif least < NEVER:
        total = min(total, np.int64(NEVER - 1))
    return best, least, second, total


@bare_kernel
def close_weighed(search, proven, question, ply, best, least, total):
    """Keep what a frame has come to; returns whether that proves it."""
    mover = search.numbers[ply, MOVER]
    prove, disprove = (least, total) if mover == 0 else (total, least)
    if least == 0:
        search.history[mover, search.squares[best]] += 1
    close(search, proven, question, ply, prove, disprove)
    return prove == 0


@kernel
def by_numbers(rules, search, proven, question, max_nodes):
    """Go on until the answer is in `control[ENOUGH]`, and the move that reaches it in `control[REPLY]`, or so many
    positions have been looked at in all.

    Proof-number search (Allis 1994), depth-first with a table and thresholds (df-pn; Nagai 2002): it always goes on
    where the effort that is left is least, so it follows forced lines to their end long before it knows every quiet
    move, and leaves a move that turns out to be hard for another. A move is left once it takes a quarter more than the
    next one (Pawlewicz and Lew 2007).
    """
    numbers, control = search.numbers, search.control
    ply = control[PLY]
    while True:
        best, least, second, total = weigh(search, ply)
        if least >= numbers[ply, OWN_LIMIT] or total >= numbers[ply, OTHER_LIMIT]:
            proved = close_weighed(search, proven, question, ply, best, least, total)
            if ply == 0:
                control[ENOUGH], control[REPLY] = proved, search.actions[best]
                return DONE
            ply -= 1
            continue
        if control[NODES] >= max_nodes:
            control[PLY] = ply
            return PAUSED
        numbers[ply, BEST] = best
        mover = numbers[ply, MOVER]
        prove, disprove = efforts(proven, search.children[best], question)
        own, other = (prove, disprove) if mover == 0 else (disprove, prove)
        if prove >= 0 and (own != search.own[best] or other != search.other[best]):
            search.own[best], search.other[best] = own, other
            continue
        answer = visit(rules, search, proven, question, ply)
        if answer == TOO_LONG:
            return TOO_LONG
        if answer < 0:
            own_limit, other_limit = min(numbers[ply, OWN_LIMIT], second + (second >> 2) + 1), numbers[ply, OTHER_LIMIT]
            if other_limit < NEVER:
                other_limit += search.other[best] - total
            same = numbers[ply + 1, MOVER] == mover
            numbers[ply + 1, OWN_LIMIT] = own_limit if same else other_limit
            numbers[ply + 1, OTHER_LIMIT] = other_limit if same else own_limit
            ply += 1


@kernel
def keep(search, proven, question):
    """Keep what the open frames of a search by numbers that is given up have come to."""
    for ply in range(search.control[PLY], -1, -1):
        best, least, _, total = weigh(search, ply)
        close_weighed(search, proven, question, ply, best, least, total)


@bare_kernel
def choose(search, ply):
    """A frame's move that is enough for the mover, or else the most promising of those that are not refuted; -1 where
    all are."""
    numbers = search.numbers
    best, most = np.int64(-1), np.int64(-1)
    for at in range(numbers[ply, FIRST], numbers[ply, FIRST] + numbers[ply, COUNT]):
        if search.own[at] == 0:
            return at
        if search.other[at] > 0 and promise_of(search, ply, at) > most:
            best, most = at, promise_of(search, ply, at)
    return best


@kernel
def by_depth(rules, search, proven, question, max_nodes):
    """The same by plain depth-first search, move after move."""
    numbers, control = search.numbers, search.control
    ply = control[PLY]
    while True:
        best = choose(search, ply)
        mover = numbers[ply, MOVER]
        if best < 0 or search.own[best] == 0:
            if best >= 0:
                search.history[mover, search.squares[best]] += 1
            proved = (best >= 0) == (mover == 0)
            close(search, proven, question, ply, 0 if proved else NEVER, NEVER if proved else 0)
            if ply == 0:
                control[ENOUGH], control[REPLY] = proved, -1 if best < 0 else search.actions[best]
                return DONE
            ply -= 1
            continue
        if control[NODES] >= max_nodes:
            control[PLY] = ply
            return PAUSED
        numbers[ply, BEST] = best
        prove, disprove = efforts(proven, search.children[best], question)
        if prove == 0 or disprove == 0:
            settle(search, ply, prove, disprove)
            continue
        answer = visit(rules, search, proven, question, ply)
        if answer == TOO_LONG:
            return TOO_LONG
        if answer < 0:
            ply += 1
