"""Alpha-beta for games without chance: principal variation search under iterative deepening. Start at `AlphaBeta`.

The kernel `advance` searches one depth with an explicit stack, kept in the arrays of `Memory`, so that it can stop
after any number of nodes and be called again: Python looks at the clock between the slices (`Deepening`).

Scores are whole numbers in float64, from the view of the player who moves in a frame; signs follow the player, who
may move twice in a row. A static value is up to SCALE, a proven win is WIN less the plies to it. A subtree in which
every line that matters was played to its end is `complete`: its value is exact, whatever depth it was searched to.
"""

from typing import Any

import numpy as np

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.generics import RUNNING, chance, has_rule, outcome, step, turn
from boyi.games.kernels import inline_kernel, kernel
from boyi.search.deepening import Deepening
from boyi.search.evaluation import static_value
from boyi.search.frames import (
    AGE,
    BEST_ACTION,
    COMPLETE,
    COUNT,
    DEPTH,
    DONE,
    FULL,
    INFINITE,
    LENGTH,
    MAX_PLY,
    MOVER,
    NARROWED,
    NEXT,
    NODES,
    NUM_CORE,
    PAUSED,
    PLY,
    TOTAL,
    WIDTH,
    WORK,
    copy_row,
    list_moves,
    root_alpha,
    select,
)
from boyi.search.hashing import fingerprint
from boyi.search.table import COMPLETE_DEPTH, EXACT, LOWER, UPPER, find, store

SCALE, WIN, PROVEN = 1e6, 3e6, 2e6
ALPHA, BETA, BEST, FLOOR = range(4)
"""Columns of `Memory.bounds`; FLOOR is alpha on entry."""


@inline_kernel
def from_table(value, ply):
    """Wins in the table count from their state, in the search from the root."""
    return value - ply if value > PROVEN else value + ply if value < -PROVEN else value


@inline_kernel
def to_table(value, ply):
    return value + ply if value > PROVEN else value - ply if value < -PROVEN else value


@kernel
def enter(rules, evaluation, memory, table, ply, alpha, beta):
    """Look at the state below frame `ply` within a window, both in the view of that frame's mover.

    Returns whether its value is found at once, the value, and whether it is complete; otherwise opens frame `ply` + 1.
    """
    numbers = memory.numbers
    child = memory.states[ply + 1]
    mover = numbers[ply, MOVER]
    numbers[ply + 1, LENGTH] = 0
    result = outcome(rules, child)
    sign = 1.0 - 2.0 * mover
    if result != RUNNING:
        return True, sign * result * (WIN - ply - 1), 1
    depth = numbers[ply, DEPTH] - 1
    if depth <= 0 or ply + 2 >= MAX_PLY:
        return True, np.rint(sign * SCALE * static_value(evaluation, rules, child)), 0
    child_mover = np.int64(turn(rules, child))
    same = 1.0 if child_mover == mover else -1.0
    if same < 0:
        alpha, beta = -beta, -alpha
    key, check = fingerprint(child, memory.control[NUM_CORE])
    slot = find(table, key, check)
    first = -1
    if slot >= 0:
        first = table.actions[slot]
        if table.depths[slot] >= depth:
            value = from_table(table.values[slot], ply + 1)
            kind = table.kinds[slot]
            if kind == EXACT or (kind == LOWER and value >= beta) or (kind == UPPER and value <= alpha):
                return True, same * value, np.int64(table.depths[slot] == COMPLETE_DEPTH)
    open_frame(rules, evaluation, memory, ply + 1, depth, alpha, beta, first)
    return False, 0.0, 0


@kernel
def open_frame(rules, evaluation, memory, ply, depth, alpha, beta, first):
    state = memory.states[ply]
    numbers, bounds = memory.numbers[ply], memory.bounds[ply]
    count = list_moves(rules, evaluation, memory, state, ply, depth, first)
    width = memory.control[WIDTH]
    numbers[NARROWED] = width > 0 and count > width
    numbers[TOTAL] = count
    numbers[COUNT] = width if numbers[NARROWED] else count
    numbers[MOVER] = turn(rules, state)
    numbers[DEPTH] = depth + (count == 1)  # a forced move costs no depth
    numbers[NEXT] = 0
    numbers[BEST_ACTION] = -1
    numbers[COMPLETE] = 1
    numbers[LENGTH] = 0
    bounds[ALPHA] = bounds[FLOOR] = alpha
    bounds[BETA] = beta
    bounds[BEST] = -INFINITE


@kernel
def close_frame(memory, table, ply):
    """Store a finished frame in the table; return its value, in its mover's view, and whether it is complete."""
    numbers, bounds = memory.numbers[ply], memory.bounds[ply]
    best = bounds[BEST]
    cut = best >= bounds[BETA]
    if numbers[NARROWED] and best < -PROVEN:
        best = -SCALE  # the moves left out might have saved it
    complete = numbers[COMPLETE] and (cut or not numbers[NARROWED])
    kind = LOWER if cut else EXACT if best > bounds[FLOOR] else UPPER
    if (best > PROVEN and kind != UPPER) or (best < -PROVEN and kind != LOWER):
        complete = 1
    depth = numbers[DEPTH] - (numbers[COUNT] == 1 and not numbers[NARROWED])
    key, check = fingerprint(memory.states[ply], memory.control[NUM_CORE])
    stored = COMPLETE_DEPTH if complete else depth
    action = numbers[BEST_ACTION]
    store(table, key, check, memory.control[AGE], to_table(best, ply), action, stored, kind)
    if cut:
        memory.history[numbers[MOVER], action] += depth * depth
    return best, np.int64(complete)


@inline_kernel
def copy_line(memory, ply):
    """The best line of a frame: the move in progress and the best line below it."""
    length = memory.numbers[ply + 1, LENGTH]
    memory.lines[ply, 0] = memory.actions[ply, memory.numbers[ply, NEXT]]
    for index in range(length):
        memory.lines[ply, index + 1] = memory.lines[ply + 1, index]
    memory.numbers[ply, LENGTH] = length + 1


@kernel
def absorb(memory, ply, value, complete):
    """Take the value of the move in progress, in the mover's view, into its frame."""
    numbers, bounds = memory.numbers[ply], memory.bounds[ply]
    action = memory.actions[ply, numbers[NEXT]]
    if value > bounds[BEST]:
        bounds[BEST] = value
        numbers[BEST_ACTION] = action
    if not complete:
        numbers[COMPLETE] = 0
    elif value >= bounds[BETA]:
        numbers[COMPLETE] = 1
    if value > bounds[ALPHA]:
        copy_line(memory, ply)
    if ply == 0:
        memory.root_values[action] = value
        memory.root_known[action] = value > bounds[ALPHA]
        memory.root_complete[action] = complete
        length = numbers[LENGTH] if value > bounds[ALPHA] else 0
        memory.root_lengths[action] = length
        for index in range(length):
            memory.root_lines[action, index] = memory.lines[0, index]
    numbers[NEXT] += 1
    if ply == 0:
        bounds[ALPHA] = root_alpha(memory)
    elif value > bounds[ALPHA]:
        bounds[ALPHA] = value


@kernel
def begin(rules, evaluation, memory):
    """Open the root: its moves and their promise."""
    open_frame(rules, evaluation, memory, np.int64(0), np.int64(1), -INFINITE, INFINITE, np.int64(-1))


@kernel
def advance(rules, evaluation, memory, table, max_nodes, max_work):
    """Go on with the search of one depth until it is DONE, or PAUSED after so many nodes, or so much work, in all.

    Principal variation search (Marsland and Campbell 1982; Reinefeld 1983): after a frame's first move the others
    are tried with an empty window, and searched again only where they turn out better.
    """
    numbers, bounds, control = memory.numbers, memory.bounds, memory.control
    ply = control[PLY]
    found, value, complete = False, 0.0, np.int64(0)
    while True:
        if not found:
            if numbers[ply, NEXT] >= numbers[ply, COUNT] or bounds[ply, BEST] >= bounds[ply, BETA]:
                if ply == 0:
                    control[PLY] = 0
                    return DONE
                value, complete = close_frame(memory, table, ply)
                if numbers[ply, MOVER] != numbers[ply - 1, MOVER]:
                    value = -value
                ply -= 1
                found = True
                continue
            if control[NODES] >= max_nodes or control[WORK] >= max_work:
                control[PLY] = ply
                return PAUSED
            action = select(memory.actions[ply], memory.keys[ply], numbers[ply, NEXT], numbers[ply, TOTAL])
            copy_row(memory.states, ply)
            step(rules, memory.states[ply + 1], action)
            control[NODES] += 1
            control[WORK] += 1
            alpha, beta = bounds[ply, ALPHA], bounds[ply, BETA]
            numbers[ply, FULL] = numbers[ply, NEXT] == 0 or numbers[ply, DEPTH] <= 1 or alpha <= -INFINITE
            if not numbers[ply, FULL]:
                beta = alpha + 1.0
            found, value, complete = enter(rules, evaluation, memory, table, ply, alpha, beta)
            ply += not found
        elif not numbers[ply, FULL] and bounds[ply, ALPHA] < value < bounds[ply, BETA]:
            numbers[ply, FULL] = 1
            alpha, beta = bounds[ply, ALPHA], bounds[ply, BETA]
            found, value, complete = enter(rules, evaluation, memory, table, ply, alpha, beta)
            ply += not found
        else:
            absorb(memory, ply, value, complete)
            found = False


class AlphaBeta(Deepening):
    """Alpha-beta search of a game without chance."""

    begin = staticmethod(begin)
    advance = staticmethod(advance)

    def __init__(self, game: Game, evaluation: Any, **options: Any) -> None:
        if has_rule(chance, type(game.rules)):
            raise GameError(f"alpha-beta cannot search {game.name}, where chance decides too; use expectimax")
        super().__init__(game, evaluation, **options)

    def value_of(self, score: float) -> tuple[float, bool]:
        proven = abs(score) > PROVEN
        return (float(np.sign(score)) if proven else score / SCALE), proven
