"""Tree search for EinStein with exact chances. Start at `grow`.

A node is a position before a roll; its edges are the 18 moves of the mover's stones, each with the mover's chance to
win after it. A node's value is the exact mean over the rolls of its best edges, so a single expansion counts wherever
it changes a best move. Descending, the dice are drawn and the edge is chosen by its chance and how little it was tried;
the root's die is known. Edges that the tablebase or the rules know are not searched.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.exact.einstein_layout import SIZE
from boyi.games.einstein import ALIVE, DIE, MOVABLE, MOVER, RESULT, STONES, view_of
from boyi.games.generics import RUNNING, step
from boyi.games.kernels import bare_call, bare_kernel, kernel
from boyi.games.randomness import below
from boyi.quick.einstein_net import before_roll, move_chances

UNTRIED, CLOSED = -1, -2
"""What stands for a child that is not there: not made yet, or not needed because the edge's chance is exact."""
DEEPEST = 96
"""No game is longer."""
NODES = 0
"""The entry of `StonesTree.control`: nodes made."""


class StonesTree(NamedTuple):
    """Room for N nodes; node 0 is the root."""

    states: NDArray[np.int16]  # [N, state_size] before the roll
    chances: NDArray[np.float64]  # [N, 18]
    tries: NDArray[np.int32]  # [N, 18]
    children: NDArray[np.int32]  # [N, 18]
    path: NDArray[np.int64]  # [DEEPEST, 2] nodes and edges of the descent
    control: NDArray[np.int64]  # [1]


def make_tree(nodes: int, state_size: int) -> StonesTree:
    return StonesTree(
        states=np.zeros((nodes, state_size), np.int16),
        chances=np.zeros((nodes, 18)),
        tries=np.zeros((nodes, 18), np.int32),
        children=np.zeros((nodes, 18), np.int32),
        path=np.zeros((DEEPEST, 2), np.int64),
        control=np.zeros(1, np.int64),
    )


@bare_kernel
def open_node(tree, net, table, most_stones, node, room):
    """Evaluate all moves of a node."""
    move_chances(net, table, most_stones, tree.states[node], tree.chances[node], room)
    for edge in range(18):
        tree.tries[node, edge] = 0
        tree.children[node, edge] = UNTRIED


@bare_call
def open_root(tree, net, table, most_stones, state, room):
    """Begin with a position after the roll."""
    for entry in range(state.shape[0]):
        tree.states[0, entry] = state[entry]
    tree.states[0, DIE] = 0
    tree.control[NODES] = 1
    open_node(tree, net, table, most_stones, 0, room)


@bare_kernel
def pick(tree, node, die, explore):
    """The edge of a roll to look at next."""
    alive = np.int64(tree.states[node, ALIVE + tree.states[node, MOVER]])
    first, second = np.int64(MOVABLE[alive, die, 0]), np.int64(MOVABLE[alive, die, 1])
    tried = 0
    for stone in (first, second):
        if stone >= 0:
            for edge in range(3 * stone, 3 * stone + 3):
                tried += tree.tries[node, edge]
    spread = explore * np.sqrt(tried + 1.0)
    best, best_score = -1, -1.0
    for stone in (first, second):
        if stone >= 0:
            for edge in range(3 * stone, 3 * stone + 3):
                chance = tree.chances[node, edge]
                if chance >= 0.0:
                    score = chance + spread / (1 + tree.tries[node, edge])
                    if score > best_score:
                        best, best_score = edge, score
    return best


@bare_kernel
def action_of(state, edge):
    """The game's action for a move 3 * stone + direction."""
    mover = np.int64(state[MOVER])
    return 3 * view_of(np.int64(state[STONES + 6 * mover + edge // 3]), mover) + edge % 3


@kernel
def grow(rules, tree, net, table, most_stones, die, simulations, explore, room, rng):
    """Make so many descents from the root, whose roll is `die` (0..5); returns how many were made before the tree was
    full."""
    for made in range(simulations):
        node, length, grown = 0, 0, False
        while True:
            roll = die if node == 0 else below(rng, 6)
            edge = pick(tree, node, roll, explore)
            tree.tries[node, edge] += 1
            tree.path[length, 0], tree.path[length, 1] = node, edge
            length += 1
            child = tree.children[node, edge]
            if child == UNTRIED:
                fresh = tree.control[NODES]
                if fresh >= tree.tries.shape[0]:
                    return made
                state = tree.states[fresh]
                for entry in range(state.shape[0]):
                    state[entry] = tree.states[node, entry]
                action = action_of(state, edge)
                step(rules, state, roll)
                step(rules, state, action)
                stones = SIZE[state[ALIVE]] + SIZE[state[ALIVE + 1]]
                if state[RESULT] != RUNNING or stones <= most_stones:
                    tree.children[node, edge] = CLOSED
                else:
                    open_node(tree, net, table, most_stones, fresh, room)
                    tree.children[node, edge] = fresh
                    tree.control[NODES] = fresh + 1
                    grown = True
                break
            if child == CLOSED:
                break
            node = child
        for place in range(length - 1 if grown else length - 2, -1, -1):
            node, edge = tree.path[place, 0], tree.path[place, 1]
            below_it = tree.children[node, edge]
            if below_it >= 0:
                alive = np.int64(tree.states[below_it, ALIVE + tree.states[below_it, MOVER]])
                tree.chances[node, edge] = 1.0 - before_roll(alive, tree.chances[below_it])
    return simulations
