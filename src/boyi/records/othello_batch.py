"""Many Othello games replayed at once with numpy: a set of 64 bits a side, [games], all games one ply further a time.

A million moves take about a second this way; played one by one through positions they take half a minute. Bits are
numbered as squares are, row * 8 + column from a1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.records.record import Ply, Result

Bits = NDArray[np.uint64]
PLIES = 60
NO_MOVE = 64
"""In an array of squares: the game has ended, or its moves are not known further."""
INNER = np.uint64(0x7E7E7E7E7E7E7E7E)
WHITE, BLACK = np.uint64(1 << 27 | 1 << 36), np.uint64(1 << 28 | 1 << 35)
DIRECTIONS = [(np.uint64(1), INNER), (np.uint64(7), INNER), (np.uint64(8), ~np.uint64(0)), (np.uint64(9), INNER)]
ONE, NONE = np.uint64(1), np.uint64(0)
PASS = Ply("pass")
PLY = np.array([*(Ply(f"{'abcdefgh'[square % 8]}{square // 8 + 1}") for square in range(64)), PASS], object)
"""One ply a square, shared by all games: six million plies would take seconds to make."""


class Replayed(NamedTuple):
    """What became of [games]."""

    bad: NDArray[np.int64]
    """The index of the first move that is not legal, or -1."""
    passes: NDArray[np.bool_]
    """[games, 60]: whether a pass comes before a move."""
    margin: NDArray[np.int64]
    """Discs of Black over White at the end, empty squares to the winner."""
    over: NDArray[np.bool_]
    """Whether neither side can move at the end."""


def _runs(start: Bits, through: Bits, shift: np.uint64) -> tuple[Bits, Bits]:
    """The unbroken rows of `through` beside `start`, towards higher and towards lower squares."""
    up, down = (start << shift) & through, (start >> shift) & through
    up |= (up << shift) & through
    down |= (down >> shift) & through
    pairs, double = through & (through << shift), shift + shift
    for _ in range(2):
        up |= (up << double) & pairs
    pairs = through & (through >> shift)
    for _ in range(2):
        down |= (down >> double) & pairs
    return up, down


def turned(own: Bits, other: Bits, disc: Bits) -> Bits:
    """The discs that a disc on each board turns."""
    found = np.zeros_like(own)
    for shift, columns in DIRECTIONS:
        up, down = _runs(disc, other & columns, shift)
        found |= np.where((up << shift) & own, up, NONE)
        found |= np.where((down >> shift) & own, down, NONE)
    return found


def mobility(own: Bits, other: Bits) -> Bits:
    """Where the owner of `own` may play."""
    reached = np.zeros_like(own)
    for shift, columns in DIRECTIONS:
        up, down = _runs(own, other & columns, shift)
        reached |= (up << shift) | (down >> shift)
    return reached & ~(own | other)


def replay(squares: NDArray[np.uint8]) -> Replayed:
    """Play games [games, 60] of squares 0..63, `NO_MOVE` behind the last, from the usual start, passing where one must.

    A move after `NO_MOVE`, above 63 otherwise, or against the rules makes a game bad.
    """
    games, plies = squares.shape
    own, other = np.full(games, BLACK), np.full(games, WHITE)
    black_moves = np.ones(games, np.bool_)
    bad = np.full(games, -1)
    passes = np.zeros((games, plies), np.bool_)
    running = np.ones(games, np.bool_)
    for ply in range(plies):
        square = squares[:, ply]
        running &= square != NO_MOVE
        if not running.any():
            break
        disc = ONE << np.minimum(square, 63).astype(np.uint64)
        disc[(square > 63) | ((own | other) & disc != NONE)] = NONE
        changed = turned(own, other, disc)
        stuck = np.flatnonzero(running & (changed == NONE))
        if len(stuck):  # a pass, or a bad move; rare enough to be looked at apart
            back = turned(other[stuck], own[stuck], disc[stuck])
            passing = (mobility(own[stuck], other[stuck]) == NONE) & (back != NONE)
            bad[stuck[~passing]] = ply
            running[stuck[~passing]] = False
            stuck, back = stuck[passing], back[passing]
            passes[stuck, ply] = True
            own[stuck], other[stuck] = other[stuck], own[stuck]
            black_moves[stuck] ^= True
            changed[stuck] = back
        changed[~running] = NONE
        disc[~running] = NONE
        own, other = np.where(running, other ^ changed, own), np.where(running, own | changed | disc, other)
        black_moves ^= running
    late = np.maximum.accumulate(squares == NO_MOVE, axis=1) & (squares != NO_MOVE)
    bad = np.where((bad < 0) & late.any(1), late.argmax(1), bad)
    over = (mobility(own, other) == NONE) & (mobility(other, own) == NONE)
    counts = [np.bitwise_count(bits).astype(np.int64) for bits in (own, other)]
    margin = counts[0] - counts[1]
    margin += np.sign(margin) * (64 - counts[0] - counts[1])
    return Replayed(bad, passes, np.where(black_moves, margin, -margin), over)


def plies_of(squares: NDArray[np.uint8], found: Replayed) -> list[tuple[Ply, ...]]:
    """The plies of replayed games, passes put in; of a bad game anything."""
    lengths = (squares != NO_MOVE).sum(1).tolist()
    lines = [line[:length] for line, length in zip(PLY[np.minimum(squares, NO_MOVE)].tolist(), lengths, strict=True)]
    for game, at in reversed(list(zip(*(where.tolist() for where in np.nonzero(found.passes)), strict=True))):
        lines[game].insert(at, PASS)
    return list(map(tuple, lines))


def results_of(found: Replayed, scores: NDArray[np.uint8] | None = None) -> list[Result | None]:
    """As the board says where a game is over, else as Black's discs in `scores`, if they are known."""
    known: dict[tuple[int, bool], Result | None] = {}
    claimed = np.full(len(found.over), 255) if scores is None else 2 * scores.astype(np.int64) - 64
    margins = np.where(found.over, found.margin, claimed).tolist()
    results = []
    for key in zip(margins, found.over.tolist(), strict=True):
        if key not in known:
            margin, over = key
            winner = None if margin == 0 else int(margin < 0)
            reason = ("equal discs" if winner is None else "discs") if over else ""
            known[key] = Result(winner, reason, margin) if abs(margin) <= 64 else None
        results.append(known[key])
    return results
