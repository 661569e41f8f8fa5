"""The explicit stack of the minimax searches: frames, their moves in order, and the root's values. See `Memory`.

`boyi.search.alphabeta` and `boyi.search.expectimax` fill it, `boyi.search.deepening` reads it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.games.generics import legal, turn
from boyi.games.kernels import inline_kernel, kernel
from boyi.search.evaluation import rank, ranks_cheaply

MAX_PLY = 128
INFINITE = 4e6
PAUSED, DONE = 0, 1

MOVER, DEPTH, COUNT, NEXT, BEST_ACTION, COMPLETE, NARROWED, FULL, LENGTH, TOTAL = range(10)
"""Columns of `Memory.numbers`; FULL says that the child in progress has the whole window,
TOTAL counts the moves of which a narrowed frame tries COUNT."""
PLY, NODES, WORK, AGE, LINES, WIDTH, NUM_CORE, PRUNE = range(8)
"""Entries of `Memory.control`; WORK counts the nodes and the positions made for move ordering."""


class Memory(NamedTuple):
    """A search in progress: P = MAX_PLY frames over A actions. The root arrays are indexed by action."""

    states: NDArray[Any]  # [P + 2, state_size]; the last row is scratch
    actions: NDArray[np.int16]  # [P, A]
    keys: NDArray[np.float64]  # [P, A] move ordering, the best highest
    numbers: NDArray[np.int64]  # [P + 1, 10]
    bounds: NDArray[np.float64]  # [P + 1, 4]
    lines: NDArray[np.int16]  # [P + 1, P + 1] the best continuation of each frame
    history: NDArray[np.float64]  # [2, A] how often an action cut, by player
    mask: NDArray[np.uint8]  # [A]
    root_values: NDArray[np.float64]  # [A]
    root_known: NDArray[np.uint8]  # [A] 1 where the value is one and not a bound
    root_complete: NDArray[np.uint8]  # [A]
    root_lines: NDArray[np.int16]  # [A, P + 1]
    root_lengths: NDArray[np.int64]  # [A]
    control: NDArray[np.int64]  # [8]


def make_memory(game: Game) -> Memory:
    num_actions, plies = game.num_actions, MAX_PLY
    return Memory(
        states=np.zeros((plies + 2, game.state_size), game.state_dtype),
        actions=np.zeros((plies, num_actions), np.int16),
        keys=np.zeros((plies, num_actions)),
        numbers=np.zeros((plies + 1, 10), np.int64),
        bounds=np.zeros((plies + 1, 4)),
        lines=np.zeros((plies + 1, plies + 1), np.int16),
        history=np.zeros((2, num_actions)),
        mask=np.zeros(num_actions, np.uint8),
        root_values=np.zeros(num_actions),
        root_known=np.zeros(num_actions, np.uint8),
        root_complete=np.zeros(num_actions, np.uint8),
        root_lines=np.zeros((num_actions, plies + 1), np.int16),
        root_lengths=np.zeros(num_actions, np.int64),
        control=np.zeros(8, np.int64),
    )


@kernel
def list_moves(rules, evaluation, memory, state, ply, depth, first):
    """Fill a frame's actions and keys; return how many. `first` is the table's action, or -1."""
    actions, keys = memory.actions[ply], memory.keys[ply]
    legal(rules, state, memory.mask)
    count = 0
    for action in range(memory.mask.shape[0]):
        if memory.mask[action]:
            actions[count] = action
            count += 1
    if count > 1 and (depth > 1 or ranks_cheaply(evaluation)):
        memory.control[WORK] += 0 if ranks_cheaply(evaluation) else count
        count = rank(evaluation, rules, state, memory.states[MAX_PLY + 1], actions, keys, count)
    else:
        for index in range(count):
            keys[index] = memory.history[turn(rules, state), actions[index]]
    for index in range(count):
        if actions[index] == first:
            keys[index] = np.inf
    return count


@inline_kernel
def copy_row(states, ply):
    """Copy a frame's state to the next; a loop, because slices take seconds to compile."""
    for entry in range(states.shape[1]):
        states[ply + 1, entry] = states[ply, entry]


@kernel
def select(actions, keys, start, count):
    """Exchange the best of the actions from `start` on with the one at `start`."""
    best = start
    for index in range(start + 1, count):
        if keys[index] > keys[best]:
            best = index
    action, key = actions[best], keys[best]
    actions[best], keys[best] = actions[start], keys[start]
    actions[start], keys[start] = action, key
    return action


@kernel
def root_alpha(memory):
    """What a further root move must beat: the least of the `LINES` best values so far."""
    wanted = memory.control[LINES]
    for index in range(memory.numbers[0, NEXT]):
        action = memory.actions[0, index]
        above, level = 0, 0
        for place in range(memory.numbers[0, NEXT]):
            other = memory.actions[0, place]
            above += memory.root_known[other] and memory.root_values[other] > memory.root_values[action]
            level += memory.root_known[other] and memory.root_values[other] >= memory.root_values[action]
        if memory.root_known[action] and above < wanted <= level:
            return memory.root_values[action]
    return -INFINITE
