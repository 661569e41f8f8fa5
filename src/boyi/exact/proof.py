"""Who wins, in any game of two players without chance, by proof. Start at `solve_by_proof`.

The search asks one question at a time, whether player 0 gets at least a win, or at least a draw, so that every move is
either enough or not and nothing needs an estimate. At each position it first looks at what every move leads to: one
that ends the game as the mover wishes, or whose position the table knows to be enough, answers at once, and one that is
known not to be enough is dropped. Of the rest those go first whose square was enough elsewhere (the history heuristic;
Schaeffer 1983), and after a move that loses at once, the one that the opponent would win by.

A position's hash is the exclusive or of a hash of each entry of its row, and follows a move by the entries that it
changed. What is proven never gets old: with a clock the table is kept, and a game's next positions are answered faster.
A game that can go on for more than `MAX_PLIES` plies from a position is given up.
"""

import threading
import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.exact.solution import NotSolvable, Solution
from boyi.games.game import Game
from boyi.games.generics import RUNNING, has_rule, legal, outcome, score, step, turn
from boyi.games.kernels import bare_kernel, kernel
from boyi.games.position import Position

MAX_PLIES = 500
SLICE = 20_000
LINE_NODES = 100_000
"""How far each move of the line is searched again."""
KEPT_MB, ENTRY_BYTES = 128.0, 11
DONE, PAUSED, TOO_LONG = 0, 1, 2
PLY, NODES, ENOUGH, REPLY = range(4)
"""Entries of `Search.control`: the frame in progress, positions looked at, the answer, and the move that answered a
position at once."""
COUNT, NEXT, MOVER, BEGAN = range(4)
"""Columns of `Search.numbers`; BEGAN is the number of nodes when the frame was opened."""
SPREAD, FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFTS = np.uint64(31), np.uint64(29), np.uint64(8)
FREE = np.uint64(0)


class Search(NamedTuple):
    """A search in progress: frames of P plies over rows of S entries and A actions."""

    states: NDArray[np.int64]
    """[P + 2, S] of the game's dtype; the row after a frame's is scratch space."""
    keys: NDArray[np.uint64]
    """[P + 2]"""
    actions: NDArray[np.int32]
    """[P + 1, A] the moves that are still to be tried."""
    promise: NDArray[np.int64]
    """[P + 1, A]"""
    numbers: NDArray[np.int64]
    """[P + 1, 4]"""
    history: NDArray[np.int64]
    """[2, S] by mover and the first entry that a move changes."""
    mask: NDArray[np.uint8]
    """[A]"""
    control: NDArray[np.int64]
    """[4]"""


class Proven(NamedTuple):
    """The table: [2**k] positions by hash, two to a bucket, with proven bounds of the result for player 0."""

    keys: NDArray[np.uint64]
    low: NDArray[np.int8]
    high: NDArray[np.int8]
    effort: NDArray[np.int8]
    """The binary logarithm of the nodes it took."""


@bare_kernel
def entry_hash(entry, value):
    """A hash of one entry of a row."""
    mixed = (np.uint64(entry) * SPREAD) ^ np.uint64(value)
    mixed = (mixed ^ (mixed >> SHIFTS[0])) * FIRST
    mixed = (mixed ^ (mixed >> SHIFTS[1])) * SECOND
    return mixed ^ (mixed >> SHIFTS[0])


@bare_kernel
def find(proven, key):
    """The entry of a position, or -1."""
    bucket = np.int64((key >> SHIFTS[2]) & np.uint64(proven.keys.shape[0] - 2))
    for slot in range(bucket, bucket + 2):
        if proven.keys[slot] == key:
            return slot
    return np.int64(-1)


@bare_kernel
def enter(proven, key, question, enough, nodes):
    """Keep an answer: over the same position's, or else the bucket's first entry where that took less effort, or its
    second."""
    effort = 0
    while nodes > 1 and effort < 100:
        nodes >>= 1
        effort += 1
    slot = find(proven, key)
    if slot < 0:
        slot = np.int64((key >> SHIFTS[2]) & np.uint64(proven.keys.shape[0] - 2))
        if proven.keys[slot] != FREE and proven.effort[slot] > effort:
            slot += 1
        proven.keys[slot] = key
        proven.low[slot], proven.high[slot] = -1, 1
    proven.effort[slot] = effort
    if enough:
        proven.low[slot] = max(proven.low[slot], question)
    else:
        proven.high[slot] = min(proven.high[slot], question - 1)


@bare_kernel
def answer_of(proven, key, question):
    """1 or 0 where the table answers the question, -1 elsewhere."""
    slot = find(proven, key)
    if slot >= 0:
        if proven.low[slot] >= question:
            return 1
        if proven.high[slot] < question:
            return 0
    return -1


@bare_kernel
def make_move(rules, search, ply, action, num_core):
    """Write the position after a move, and its hash, behind a frame; returns the first entry that changed."""
    states = search.states
    for entry in range(states.shape[1]):
        states[ply + 1, entry] = states[ply, entry]
    step(rules, states[ply + 1], action)
    key, square = search.keys[ply], -1
    for entry in range(num_core):
        if states[ply + 1, entry] != states[ply, entry]:
            key ^= entry_hash(entry, states[ply, entry]) ^ entry_hash(entry, states[ply + 1, entry])
            if square < 0:
                square = entry
    search.keys[ply + 1] = key
    return max(square, 0)


@bare_kernel
def look(rules, search, proven, question, ply, num_core):
    """Answer the question for a frame's position at once, with 1 or 0, or list its moves and return -1."""
    state, mask, numbers = search.states[ply], search.mask, search.numbers
    mover = turn(rules, state)
    wish = 1 if mover == 0 else 0
    for action in range(mask.shape[0]):
        mask[action] = 0
    legal(rules, state, mask)
    count = 0
    for action in range(mask.shape[0]):
        if mask[action]:
            square = make_move(rules, search, ply, action, num_core)
            result = outcome(rules, search.states[ply + 1])
            if result != RUNNING:
                answer = 1 if result >= question else 0
            else:
                answer = answer_of(proven, search.keys[ply + 1], question)
            if answer == wish:
                search.control[REPLY] = action
                search.actions[ply, 0] = action
                return answer
            if answer < 0:
                search.actions[ply, count] = action
                search.promise[ply, count] = search.history[mover, square]
                count += 1
    if count == 0:
        return 1 - wish
    numbers[ply, COUNT], numbers[ply, NEXT], numbers[ply, MOVER] = count, 0, mover
    numbers[ply, BEGAN] = search.control[NODES]
    return -1


@bare_kernel
def choose(search, ply):
    """Bring the most promising of a frame's moves to the front of those left, and return it."""
    start = search.numbers[ply, NEXT]
    best = start
    actions, promise = search.actions, search.promise
    for index in range(start + 1, search.numbers[ply, COUNT]):
        if promise[ply, index] > promise[ply, best]:
            best = index
    action, first = actions[ply, best], promise[ply, best]
    actions[ply, best], promise[ply, best] = actions[ply, start], promise[ply, start]
    actions[ply, start], promise[ply, start] = action, first
    return np.int64(action)


@kernel
def open_root(rules, search, proven, question, num_core):
    """Begin with the position in the first row; returns the answer, or -1 where it must be searched."""
    search.keys[0] = FREE
    for entry in range(num_core):
        search.keys[0] ^= entry_hash(entry, search.states[0, entry])
    search.control[PLY] = search.control[NODES] = 0
    search.actions[0, 0] = -1
    return look(rules, search, proven, question, 0, num_core)


@kernel
def advance(rules, search, proven, question, num_core, max_nodes):
    """Go on until the answer is in `control[ENOUGH]`, or so many positions have been looked at in all.

    The move that is enough for the root's mover is then `actions[0, NEXT]`.
    """
    numbers, control = search.numbers, search.control
    ply = control[PLY]
    answer = -1
    while True:
        wish = 1 if numbers[ply, MOVER] == 0 else 0
        index = numbers[ply, NEXT]
        if answer == wish or (answer < 0 and index >= numbers[ply, COUNT]):
            if answer < 0:
                answer = 1 - wish
            else:
                square = make_move(rules, search, ply, np.int64(search.actions[ply, index]), num_core)
                search.history[numbers[ply, MOVER], square] += 1
            enter(proven, search.keys[ply], question, answer, control[NODES] - numbers[ply, BEGAN])
            if ply == 0:
                control[ENOUGH] = answer
                return DONE
            control[REPLY] = -1
            ply -= 1
        elif answer >= 0:
            numbers[ply, NEXT] += 1
            for other in range(index + 1, numbers[ply, COUNT]):
                if search.actions[ply, other] == control[REPLY]:
                    search.promise[ply, other] = np.int64(1) << 62
            answer = -1
        else:
            if control[NODES] >= max_nodes:
                control[PLY] = ply
                return PAUSED
            if ply + 1 >= numbers.shape[0]:
                return TOO_LONG
            make_move(rules, search, ply, choose(search, ply), num_core)
            control[NODES] += 1
            control[REPLY] = -1
            answer = look(rules, search, proven, question, ply + 1, num_core)
            if answer < 0:
                ply += 1
            else:
                enter(proven, search.keys[ply + 1], question, answer, 1)


class Prover:
    """A game's search and its table of proven positions, of about so many megabytes."""

    def __init__(self, game: Game, *, table_mb: float = 64.0) -> None:
        self.game = game
        plies, actions = MAX_PLIES, game.num_actions
        self.search = Search(
            states=np.zeros((plies + 2, game.state_size), game.state_dtype),
            keys=np.zeros(plies + 2, np.uint64),
            actions=np.zeros((plies + 1, actions), np.int32),
            promise=np.zeros((plies + 1, actions), np.int64),
            numbers=np.zeros((plies + 1, 4), np.int64),
            history=np.zeros((2, game.state_size), np.int64),
            mask=np.zeros(actions, np.uint8),
            control=np.zeros(4, np.int64),
        )
        size = 1 << max(1, int(table_mb * 2**20 / ENTRY_BYTES).bit_length() - 1)
        self.proven = Proven(np.zeros(size, np.uint64), *(np.zeros(size, np.int8) for _ in range(3)))
        self.nodes = 0
        """Positions looked at so far, in all searches."""

    def value(
        self, position: Position, *, nodes: int | None = None, seconds: float | None = None
    ) -> tuple[int, int | None]:
        """The result for player 0 with best play, and a move of the player to move that gets it; None where all lose.

        `NotSolvable` where the limits are reached before.
        """
        end = None if seconds is None else time.perf_counter() + seconds
        last = None if nodes is None else self.nodes + nodes
        first = position.turn == 0
        for question in (1, 0) if first else (0, 1):
            enough, action = self._ask(position, question, last, end)
            if enough == first:
                return question if first else question - 1, action
        return (-1 if first else 1), None

    def _ask(self, position: Position, question: int, last: int | None, end: float | None) -> tuple[bool, int]:
        """Whether player 0 gets so much, and the move that settles it."""
        search, rules, core = self.search, self.game.rules, self.game.num_core
        search.states[0] = position.state
        answer = open_root(rules, search, self.proven, question, core)
        if answer >= 0:
            return bool(answer), int(search.actions[0, 0])
        before, state = self.nodes, PAUSED
        while state == PAUSED:
            left = SLICE if last is None else min(SLICE, last - self.nodes)
            if left <= 0 or (end is not None and time.perf_counter() >= end):
                raise NotSolvable(
                    f"a proof did not come to an end in {self.nodes - before:,} positions; allow more nodes or seconds"
                )
            state = advance(rules, search, self.proven, question, core, search.control[NODES] + left)
            self.nodes = before + int(search.control[NODES])
        if state == TOO_LONG:
            raise NotSolvable(f"games of {self.game.name} can last more than {MAX_PLIES} plies from here")
        tried = min(search.numbers[0, NEXT], search.numbers[0, COUNT] - 1)
        return bool(search.control[ENOUGH]), int(search.actions[0, tried])


_kept = threading.local()


def solve_by_proof(
    position: Position, *, seconds: float | None = None, nodes: int | None = None, with_line: bool = True
) -> Solution:
    """The value of a position, a best move and, where wanted, a line; `NotSolvable` where the limits are too small.

    With seconds, what was proven before about the same game is remembered; with nodes alone the answer never depends
    on what was asked before.
    """
    began, game = time.perf_counter(), position.game
    if seconds is None:
        prover = Prover(game, table_mb=min(KEPT_MB, max(1.0, (nodes or 0) * ENTRY_BYTES / 2**19)))
    else:
        if getattr(_kept, "game", None) != game:
            _kept.game, _kept.prover = game, Prover(game, table_mb=KEPT_MB)
        prover = _kept.prover
    before = prover.nodes
    value, action = prover.value(position, seconds=seconds, nodes=nodes)
    line = [position.play_action(int(action) if action is not None else position.actions[0])]
    while with_line and line[-1].turn is not None:
        at = line[-1]
        try:
            _, action = prover.value(at, nodes=LINE_NODES)
        except NotSolvable:  # the table has lost it
            break
        line.append(at.play_action(at.actions[0] if action is None else action))
    moves = tuple(at.move for at in line)
    margin = None if has_rule(score, type(game.rules)) else value
    return Solution(float(value), margin, moves[0], moves, "proof", prover.nodes - before, time.perf_counter() - began)
