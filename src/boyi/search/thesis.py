"""The net-guided tree of document 000 (section 4.6): one move for each stone, and Monte Carlo below.

All moves of the known roll are expanded. In every ply below, the die is unknown: a state gets one child for each
stone that may have to move, by the one move that a policy likes best, and the child's weight is how likely the die
asks for that stone. Nothing is maximised below the first ply, so a move's value is the weighted mean of the results at
the leaves under it, and the tree is kept as the list of its leaves. Start at `expand`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.einstein import ALIVE, COUNTS, MOVABLE, MOVER, RESULT
from boyi.games.generics import RUNNING, legal, outcome, step
from boyi.games.kernels import kernel
from boyi.search.evaluation import child_values
from boyi.search.playouts import playout

States = NDArray[Any]
Chooser = Callable[[States], NDArray[np.int64]]
"""A policy: states [n, state_size], each after a roll, to the action chosen in each, [n]."""


class Rolls(NamedTuple):
    """What the unknown die may bring, by the set of living stones of the side that rolls; unused columns are -1, 0."""

    dice: NDArray[np.int64]
    """[64, 6]: a chance action."""
    weights: NDArray[np.float64]
    """[64, 6]: its probability; a row adds up to 1."""


def _by_stones() -> Rolls:
    """One roll for each living stone, the stone's own number, by how many of the six rolls allow the stone."""
    alive = np.arange(64)[:, None] >> np.arange(6) & 1
    totals = np.maximum(COUNTS.sum(axis=1, keepdims=True), 1)
    return Rolls(np.where(alive, np.arange(6), -1), COUNTS / totals)


def _by_dice() -> Rolls:
    """One roll for each set of movable stones, by how many of the six rolls give that set."""
    dice, weights = np.full((64, 6), -1), np.zeros((64, 6))
    for alive in range(1, 64):
        sets = [tuple(pair) for pair in MOVABLE[alive].tolist()]
        for column, found in enumerate(dict.fromkeys(sets)):
            dice[alive, column] = sets.index(found)
            weights[alive, column] = sets.count(found) / 6
    return Rolls(dice, weights)


ROLLS = {"stones": _by_stones(), "dice": _by_dice()}
"""`stones` is the document's weighting (tables 4-6-1 to 4-6-3). It leaves out that a player with two movable stones
takes the better one; `dice` is exact."""


class Leaves(NamedTuple):
    """The leaves under the moves of a position, n of them."""

    states: States
    """[n, state_size], before a roll or finished."""
    moves: NDArray[np.int64]
    """[n]: the number of the move that each one lies under."""
    weights: NDArray[np.float64]
    """[n]; those under one move add up to 1."""

    @property
    def running(self) -> NDArray[np.int64]:
        """The numbers of the leaves where the game goes on."""
        return np.flatnonzero(self.states[:, RESULT] == RUNNING)

    def values(self, totals: NDArray[np.int64], played: int) -> NDArray[np.float64]:
        """The value of each move for player 0, where `played` playouts of each running leaf add up to totals [n]."""
        results = self.states[:, RESULT].astype(np.float64)
        running = self.running
        results[running] = totals[running] / max(1, played)
        values = np.zeros(self.moves.max() + 1)
        np.add.at(values, self.moves, self.weights * results)
        return values


def expand(rules: NamedTuple, state: States, actions: list[int], depth: int, rolls: Rolls, choose: Chooser) -> Leaves:
    """The leaves `depth` plies below each of the actions of an EinStein state after a roll; finished ones above that.

    There are at most 6 ** (depth + 1) of them.
    """
    states = np.repeat(state[None], len(actions), axis=0)
    play_all(rules, states, np.array(actions, np.int64))
    leaves = Leaves(states, np.arange(len(actions)), np.ones(len(actions)))
    for _ in range(depth):
        leaves = _deeper(rules, leaves, rolls, choose)
    return leaves


def _deeper(rules: NamedTuple, leaves: Leaves, rolls: Rolls, choose: Chooser) -> Leaves:
    """One ply more under every running leaf."""
    over = leaves.states[:, RESULT] != RUNNING
    running = leaves.running
    states = leaves.states[running]
    living = states[np.arange(len(states)), ALIVE + states[:, MOVER]]
    parents, columns = np.nonzero(rolls.dice[living] >= 0)
    children = states[parents]
    if len(children):
        play_all(rules, children, rolls.dice[living[parents], columns])
        play_all(rules, children, choose(children))
    weights = leaves.weights[running[parents]] * rolls.weights[living[parents], columns]
    return Leaves(
        np.concatenate([leaves.states[over], children]),
        np.concatenate([leaves.moves[over], leaves.moves[running[parents]]]),
        np.concatenate([leaves.weights[over], weights]),
    )


def static_policy(rules: NamedTuple, evaluation: Any, num_actions: int) -> Chooser:
    """The move whose resulting state a static evaluation likes best, the first one of equals."""

    def choose(states: States) -> NDArray[np.int64]:
        chosen = np.zeros(len(states), np.int64)
        best_moves(evaluation, rules, states, np.empty_like(states[0]), np.zeros(num_actions, np.uint8), chosen)
        return chosen

    return choose


@kernel
def best_moves(evaluation, rules, states, scratch, mask, chosen):
    """Write to `chosen` [n] the statically best action of each of the states [n, state_size].

    `scratch` [state_size] and `mask` [num_actions] are scratch space.
    """
    actions = np.zeros(mask.shape[0], np.int64)
    values = np.zeros(mask.shape[0])
    for row in range(states.shape[0]):
        state = states[row]
        legal(rules, state, mask)
        count = 0
        for action in range(mask.shape[0]):
            if mask[action]:
                actions[count] = action
                count += 1
        child_values(evaluation, rules, state, scratch, actions, values, count)
        sign = 1.0 - 2.0 * state[MOVER]
        best = 0
        for index in range(1, count):
            if sign * values[index] > sign * values[best]:
                best = index
        chosen[row] = actions[best]


@kernel
def play_all(rules, states, actions):
    """Play an action in each of the states [n, state_size], in place."""
    for row in range(states.shape[0]):
        step(rules, states[row], actions[row])


@kernel
def play_out_leaves(policy, rules, states, running, state, mask, rng, rounds, totals):
    """`rounds` playouts from each of the states numbered `running`; their outcomes are added to totals [n]."""
    for _ in range(rounds):
        for index in range(running.shape[0]):
            row = running[index]
            state[:] = states[row]
            playout(policy, rules, state, mask, rng)
            totals[row] += outcome(rules, state)
