"""Static evaluation: what a running state is worth, without searching. Start at `assess` and `rank`.

An evaluation is a NamedTuple whose fields are its options, with its own implementation of `assess`, compiled into the
search that uses it. The games' own evaluations lie in `boyi.search.evaluations`, which also finds them by name.
"""

from typing import NamedTuple

import numpy as np

from boyi.games.generics import RUNNING, generic, outcome, rule, step, turn
from boyi.games.kernels import kernel
from boyi.search.hashing import START, fingerprint
from boyi.search.playouts import Uniform, playout

LIMIT = 0.999
"""What a search takes for the best static value: results of finished games lie beyond it."""


@generic()
def assess(evaluation, rules, state):
    """The expected result for player 0 of a running state, from -1 to 1. Dispatched on the evaluation's class."""


def _unknown(source, rules, state):
    return np.nan


@generic(_unknown)
def known(source, rules, state):
    """The exact expected result for player 0 of a running state, where an oracle has it; nan elsewhere, and by default.

    Dispatched on the class of what a search asks about states, an evaluation or a playout policy. The search takes the
    value as proven and looks no further.
    """


def _rank_by_children(evaluation, rules, state, scratch, actions, keys, count):
    child_values(evaluation, rules, state, scratch, actions, keys, count)
    if turn(rules, state) == 1:
        for index in range(count):
            keys[index] = -keys[index]
    return count


@generic(_rank_by_children)
def rank(evaluation, rules, state, scratch, actions, keys, count):
    """Fill `keys[:count]` with the promise of `actions[:count]` for the player to move, the best highest.

    Returns how many actions are kept, at the front of both arrays. An action may only be dropped where it is certain
    that a kept one is at least as good. `scratch` is a spare state row. Default: the children's static values.
    """


def _ranks_slowly(evaluation):
    return False


@generic(_ranks_slowly)
def ranks_cheaply(evaluation):
    """Whether `rank` costs less than one position for each move, so that it pays even just above the leaves."""


@kernel
def static_value(evaluation, rules, state):
    """`assess`, kept within what is short of a finished game."""
    return min(LIMIT, max(-LIMIT, assess(evaluation, rules, state)))


@kernel
def child_values(evaluation, rules, state, scratch, actions, values, count):
    """Write the value for player 0 of the state after each of `actions[:count]`: its result, or else statically."""
    for index in range(count):
        for entry in range(state.shape[0]):
            scratch[entry] = state[entry]
        step(rules, scratch, actions[index])
        result = outcome(rules, scratch)
        values[index] = result if result != RUNNING else static_value(evaluation, rules, scratch)


class Nothing(NamedTuple):
    """Every running state is even: search sees finished games only. Fits every game."""


@rule(assess, Nothing)
def assess_nothing(evaluation, rules, state):
    return 0.0


class Playouts(NamedTuple):
    """The mean result of `count` playouts by a policy, so that simulation methods can be tried inside minimax (Yang
    2017, in document 000). The random numbers depend on the state and the seed alone. Fits every game.
    """

    num_actions: int
    num_core: int
    count: int = 8  # type: ignore[assignment]
    seed: int = 0
    policy: NamedTuple = Uniform()


@rule(assess, Playouts)
def assess_by_playouts(evaluation, rules, state):
    first, _ = fingerprint(state, evaluation.num_core)
    rng = np.empty(1, np.uint64)
    rng[0] = (first ^ (np.uint64(evaluation.seed) * START)) | np.uint64(1)
    mask = np.zeros(evaluation.num_actions, np.uint8)
    total = 0
    for _ in range(evaluation.count):
        total += playout(evaluation.policy, rules, state.copy(), mask, rng)
    return total / max(1, evaluation.count)
