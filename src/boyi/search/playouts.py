"""Play to the end of a game by a playout policy: the plainest evaluation, and the unit of the speed benchmarks.

A policy is a NamedTuple with its own implementation of `draw_move`, compiled into the playout.
"""

from typing import NamedTuple

from boyi.games.generics import CHANCE, RUNNING, generic, outcome, rule, sample, setup, step, turn
from boyi.games.kernels import kernel


@generic()
def draw_move(policy, rules, state, mask, rng):
    """Choose the next action of a playout, at chance decisions too. `mask` [num_actions] is scratch space."""


class Uniform(NamedTuple):
    """Every legal action is as likely as the other."""


@rule(draw_move, Uniform)
def uniform_move(policy, rules, state, mask, rng):
    return sample(rules, state, mask, rng)


@kernel
def playout(policy, rules, state, mask, rng):
    """Play until the game ends; return its outcome. `state` becomes the final state."""
    result = outcome(rules, state)
    while result == RUNNING:
        step(rules, state, draw_move(policy, rules, state, mask, rng))
        result = outcome(rules, state)
    return result


@kernel
def random_games(rules, state, mask, rng, count, tally):
    """Play `count` random games from random set-ups; add to `tally` [3] those player 0 lost, drew and won."""
    for _ in range(count):
        setup(rules, state, rng)
        tally[1 + playout(Uniform(), rules, state, mask, rng)] += 1


@kernel
def count_plies(rules, state, mask, rng):
    """The length of one random game from the given state, in players' moves."""
    plies = 0
    while outcome(rules, state) == RUNNING:
        plies += turn(rules, state) != CHANCE
        step(rules, state, sample(rules, state, mask, rng))
    return plies
