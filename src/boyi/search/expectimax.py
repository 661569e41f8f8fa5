"""Expectimax for games with chance: Ballard's Star1 and Star2 under iterative deepening. Start at `Expectimax`.

Built as `boyi.search.alphabeta` is: the kernel `advance` searches one depth with the explicit stack of `Memory`.
Here values and windows are player 0's, as float64 from -1 to 1. Depth counts players' moves; the dice cost none, and
a leaf is looked at before its roll.

Star1 (Ballard 1983, "The *-minimax search procedure for trees containing chance nodes"): while the outcomes of a
chance decision are searched one after the other, the others lie between their known bounds, at first -1 and 1, which
narrows the window of each. Star2 first probes one move of every outcome for better bounds.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.games.generics import CHANCE, RUNNING, chance, outcome, step, turn
from boyi.games.kernels import inline_kernel, kernel
from boyi.search.deepening import Deepening
from boyi.search.evaluation import known, static_value
from boyi.search.frames import (
    AGE,
    BEST_ACTION,
    COMPLETE,
    COUNT,
    DEPTH,
    DONE,
    LENGTH,
    MAX_PLY,
    MOVER,
    NARROWED,
    NEXT,
    NODES,
    NUM_CORE,
    PAUSED,
    PLY,
    PRUNE,
    TOTAL,
    WIDTH,
    WORK,
    Memory,
    copy_row,
    list_moves,
    root_alpha,
    select,
)
from boyi.search.frames import FULL as PROBING
from boyi.search.hashing import fingerprint
from boyi.search.table import COMPLETE_DEPTH, EXACT, LOWER, UPPER, find, store

LEAST, MOST = -1.0, 1.0
ALPHA, BETA, BEST = range(3)
"""Columns of `Memory.bounds`: the window, and for a chance decision the sum so far in BEST. On entry the window is
also kept in `Star.windows`."""
TINY = 1e-12
"""Sums of probabilities times values are compared with this tolerance."""


class Star(NamedTuple):
    """What chance decisions need beside `Memory`: P = MAX_PLY frames over A outcomes."""

    chances: NDArray[np.float64]  # [P, A] probability of each outcome
    least: NDArray[np.float64]  # [P, A] known bounds of each outcome's value
    most: NDArray[np.float64]  # [P, A]
    windows: NDArray[np.float64]  # [P, 2] the window on entry
    spread: NDArray[np.float64]  # [A] scratch


def make_star(game: Game) -> Star:
    wide = (MAX_PLY, game.num_actions)
    return Star(np.zeros(wide), np.zeros(wide), np.zeros(wide), np.zeros((MAX_PLY, 2)), np.zeros(game.num_actions))


@kernel
def enter(rules, evaluation, memory, star, table, ply, alpha, beta, probe):
    """Look at the state below frame `ply` within a window: found at once, its value, whether that is complete; or
    else frame `ply` + 1 is open. A probe tries only the first move there."""
    numbers = memory.numbers
    child = memory.states[ply + 1]
    numbers[ply + 1, LENGTH] = 0
    result = outcome(rules, child)
    if result != RUNNING:
        return True, np.float64(result), 1
    exact = known(evaluation, rules, child)
    if not np.isnan(exact):
        return True, exact, 1
    depth = numbers[ply, DEPTH] - (numbers[ply, MOVER] != CHANCE)
    if depth <= 0 or ply + 2 >= MAX_PLY:
        return True, static_value(evaluation, rules, child), 0
    mover = np.int64(turn(rules, child))
    key, check = fingerprint(child, memory.control[NUM_CORE])
    slot = find(table, key, check)
    first = -1
    if slot >= 0:
        first = table.actions[slot]
        if table.depths[slot] >= depth:
            value, kind = table.values[slot], table.kinds[slot]
            low = kind == LOWER and (value >= beta or (probe and mover == 0))
            high = kind == UPPER and (value <= alpha or (probe and mover == 1))
            if kind == EXACT or low or high:
                return True, value, np.int64(table.depths[slot] == COMPLETE_DEPTH)
    open_frame(rules, evaluation, memory, star, ply + 1, depth, alpha, beta, probe, first)
    return False, 0.0, 0


@kernel
def open_frame(rules, evaluation, memory, star, ply, depth, alpha, beta, probe, first):
    state = memory.states[ply]
    numbers, bounds = memory.numbers[ply], memory.bounds[ply]
    mover = np.int64(turn(rules, state))
    numbers[MOVER], numbers[DEPTH] = mover, depth
    numbers[NEXT], numbers[BEST_ACTION], numbers[COMPLETE], numbers[LENGTH], numbers[NARROWED] = 0, -1, 1, 0, 0
    bounds[ALPHA], bounds[BETA] = alpha, beta
    star.windows[ply, 0], star.windows[ply, 1] = alpha, beta
    if mover == CHANCE:
        for action in range(star.spread.shape[0]):
            star.spread[action] = 0.0
        chance(rules, state, star.spread)
        count = 0
        for action in range(star.spread.shape[0]):
            if star.spread[action] > 0.0:
                memory.actions[ply, count] = action
                star.chances[ply, count] = star.spread[action]
                star.least[ply, count] = LEAST
                star.most[ply, count] = MOST
                count += 1
        numbers[COUNT] = count
        bounds[BEST] = 0.0
        # probing can only end a decision whose window excludes something
        numbers[PROBING] = memory.control[PRUNE] and (alpha > LEAST or beta < MOST)
        return
    count = list_moves(rules, evaluation, memory, state, ply, depth, first)
    width = memory.control[WIDTH]
    numbers[NARROWED] = width > 0 and count > width
    numbers[TOTAL] = count
    numbers[COUNT] = width if numbers[NARROWED] else count
    numbers[COMPLETE] = not numbers[NARROWED]
    numbers[PROBING] = probe and count > 1
    bounds[BEST] = LEAST - 1.0 if mover == 0 else MOST + 1.0


@inline_kernel
def reach(memory, star, ply, start):
    """The least and the most that a chance decision can come to, its outcomes before `start` being known."""
    low = high = memory.bounds[ply, BEST]
    for index in range(start, memory.numbers[ply, COUNT]):
        low += star.chances[ply, index] * star.least[ply, index]
        high += star.chances[ply, index] * star.most[ply, index]
    return low, high


@kernel
def finish(memory, star, table, ply, value, kind):
    """Store a frame's value in the table; return the value and whether it is complete."""
    numbers = memory.numbers[ply]
    complete = numbers[COMPLETE]
    key, check = fingerprint(memory.states[ply], memory.control[NUM_CORE])
    stored = COMPLETE_DEPTH if complete else numbers[DEPTH]
    store(table, key, check, memory.control[AGE], value, numbers[BEST_ACTION], stored, kind)
    return value, complete


@inline_kernel
def within(value, alpha, beta):
    return LOWER if value >= beta else UPPER if value <= alpha else EXACT


@kernel
def settled(memory, star, ply):
    """Whether a frame is finished, its value, and what kind of value that is."""
    numbers, bounds = memory.numbers[ply], memory.bounds[ply]
    ended = numbers[NEXT] >= numbers[COUNT]
    alpha, beta = star.windows[ply, 0], star.windows[ply, 1]
    if numbers[MOVER] == CHANCE:
        if not memory.control[PRUNE]:
            return ended, bounds[BEST], EXACT
        low, high = reach(memory, star, ply, 0 if numbers[PROBING] else numbers[NEXT])
        if low >= beta - TINY:
            return True, max(low, beta), LOWER
        if high <= alpha + TINY:
            return True, min(high, alpha), UPPER
        return ended and not numbers[PROBING], bounds[BEST], EXACT
    best = bounds[BEST]
    if not memory.control[PRUNE]:
        return ended, best, EXACT
    if numbers[NEXT] > 0 and numbers[PROBING]:
        return True, best, LOWER if numbers[MOVER] == 0 else UPPER
    return ended or bounds[ALPHA] >= bounds[BETA], best, within(best, alpha, beta)


@inline_kernel
def child_window(memory, star, ply):
    """The window of the outcome in progress, within which its value decides something (Star1)."""
    numbers, bounds = memory.numbers[ply], memory.bounds[ply]
    index = numbers[NEXT]
    low, high = reach(memory, star, ply, 0 if numbers[PROBING] else index)
    share = star.chances[ply, index]
    least, most = star.least[ply, index], star.most[ply, index]
    # what the outcome must bring in place of its bound for the whole to reach alpha or beta
    alpha = max(LEAST, most - (high - bounds[ALPHA]) / share)
    beta = min(MOST, least + (bounds[BETA] - low) / share)
    return (alpha, beta) if alpha < beta else (LEAST, MOST)


@kernel
def absorb(memory, star, ply, value, complete):
    """Take the value of the child in progress into its frame."""
    numbers, bounds = memory.numbers[ply], memory.bounds[ply]
    index = numbers[NEXT]
    if not complete:
        numbers[COMPLETE] = 0
    numbers[NEXT] += 1
    mover = numbers[MOVER]
    if mover == CHANCE:
        bounds[BEST] += star.chances[ply, index] * value
        return
    action = memory.actions[ply, index]
    better = value > bounds[BEST] if mover == 0 else value < bounds[BEST]
    if better:
        bounds[BEST] = value
        numbers[BEST_ACTION] = action
    if ply == 0:
        sign = 1.0 - 2.0 * mover
        bar = bounds[ALPHA] if mover == 0 else -bounds[BETA]
        memory.root_values[action] = sign * value
        memory.root_known[action] = sign * value > bar or not memory.control[PRUNE]
        memory.root_complete[action] = complete
        memory.root_lengths[action] = 1
        memory.root_lines[action, 0] = action
        bar = max(LEAST - 1.0, root_alpha(memory))
        bounds[ALPHA], bounds[BETA] = (bar, MOST + 1.0) if mover == 0 else (LEAST - 1.0, -bar)
    elif memory.control[PRUNE] and better:
        if mover == 0:
            bounds[ALPHA] = max(bounds[ALPHA], value)
        else:
            bounds[BETA] = min(bounds[BETA], value)
        if complete and bounds[ALPHA] >= bounds[BETA]:
            numbers[COMPLETE] = 1


@kernel
def probe_next(rules, evaluation, memory, star, table, ply):
    """Star2: bound the next outcome by one move of whoever decides there. Answers as `enter`; where there is nothing
    to gain by it, the outcome's bounds stay as they are and `value` is nan."""
    bounds = memory.bounds[ply]
    child = memory.states[ply + 1]
    if outcome(rules, child) == RUNNING:
        mover = turn(rules, child)
        alpha, beta = child_window(memory, star, ply)
        if mover == 0 and bounds[BETA] < MOST:
            return enter(rules, evaluation, memory, star, table, ply, LEAST - 1.0, beta, np.int64(1))
        if mover == 1 and bounds[ALPHA] > LEAST:
            return enter(rules, evaluation, memory, star, table, ply, alpha, MOST + 1.0, np.int64(1))
        return True, np.nan, 1
    return enter(rules, evaluation, memory, star, table, ply, LEAST, MOST, np.int64(0))


@kernel
def absorb_probe(rules, memory, star, ply, value, complete):
    """Take a probe's value as a bound of its outcome: a lower one where player 0 decides there."""
    numbers = memory.numbers[ply]
    index = numbers[NEXT]
    child = memory.states[ply + 1]
    over = outcome(rules, child) != RUNNING
    if not np.isnan(value):
        if over or turn(rules, child) == 0:
            star.least[ply, index] = max(star.least[ply, index], value)
        if over or turn(rules, child) == 1:
            star.most[ply, index] = min(star.most[ply, index], value)
        if not complete:
            numbers[COMPLETE] = 0
    numbers[NEXT] += 1


@kernel
def begin(rules, evaluation, memory):
    """Open the root: its moves and their promise."""
    state = memory.states[0]
    memory.numbers[0, MOVER] = turn(rules, state)
    count = list_moves(rules, evaluation, memory, state, np.int64(0), np.int64(1), np.int64(-1))
    width = memory.control[WIDTH]
    memory.numbers[0, NARROWED] = width > 0 and count > width
    memory.numbers[0, TOTAL] = count
    memory.numbers[0, COUNT] = min(count, width) if width > 0 else count


@kernel
def advance(rules, evaluation, memory, star, table, max_nodes, max_work):
    """Go on with the search of one depth until it is DONE, or PAUSED after so many nodes, or so much work, in all."""
    numbers, control = memory.numbers, memory.control
    ply = control[PLY]
    found, value, complete = False, 0.0, np.int64(0)
    while True:
        chancy = numbers[ply, MOVER] == CHANCE
        if found:
            if chancy and numbers[ply, PROBING]:
                absorb_probe(rules, memory, star, ply, value, complete)
            else:
                absorb(memory, star, ply, value, complete)
        over, result, kind = settled(memory, star, ply)
        if chancy and numbers[ply, PROBING] and not over and numbers[ply, NEXT] >= numbers[ply, COUNT]:
            numbers[ply, PROBING], numbers[ply, NEXT], numbers[ply, COMPLETE] = 0, 0, 1
        if over:
            if ply == 0:
                control[PLY] = 0
                return DONE
            value, complete = finish(memory, star, table, ply, result, kind)
            ply -= 1
            found = True
            continue
        if control[NODES] >= max_nodes or control[WORK] >= max_work:
            control[PLY] = ply
            return PAUSED
        index = numbers[ply, NEXT]
        if chancy:
            action = memory.actions[ply, index]
        else:
            action = select(memory.actions[ply], memory.keys[ply], index, numbers[ply, TOTAL])
        copy_row(memory.states, ply)
        step(rules, memory.states[ply + 1], action)
        control[NODES] += 1
        control[WORK] += 1
        if chancy and numbers[ply, PROBING]:
            found, value, complete = probe_next(rules, evaluation, memory, star, table, ply)
        else:
            alpha, beta = memory.bounds[ply, ALPHA], memory.bounds[ply, BETA]
            if chancy and control[PRUNE]:
                alpha, beta = child_window(memory, star, ply)
            found, value, complete = enter(rules, evaluation, memory, star, table, ply, alpha, beta, np.int64(0))
        ply += not found


class Expectimax(Deepening):
    """Expectimax search of any game. `prune=False` looks at every move and outcome: slow, and the same values."""

    begin = staticmethod(begin)

    def __init__(self, game: Game, evaluation: Any, *, prune: bool = True, **options: Any) -> None:
        super().__init__(game, evaluation, **options)
        self.star = make_star(game)
        self.memory.control[PRUNE] = prune

    def advance(self, rules: Any, evaluation: Any, memory: Memory, table: Any, max_nodes: int, max_work: int) -> Any:
        return advance(rules, evaluation, memory, self.star, table, max_nodes, max_work)

    def _restart(self, level: int) -> None:
        super()._restart(level)
        worst = LEAST - 1.0 if self.memory.numbers[0, MOVER] == 0 else MOST + 1.0
        self.memory.bounds[0] = (LEAST - 1.0, MOST + 1.0, worst, 0.0)
        self.star.windows[0] = (LEAST - 1.0, MOST + 1.0)
        self.memory.numbers[0, PROBING] = 0

    def value_of(self, score: float) -> tuple[float, bool]:
        return score, False
