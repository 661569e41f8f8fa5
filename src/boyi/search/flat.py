"""Flat Monte Carlo: the same number of playouts after every move, and the best average is played.

The plain method of document 000's program PointPlaneLine.
"""

from boyi.games.generics import step
from boyi.games.kernels import kernel
from boyi.search.playouts import playout


@kernel
def play_out_moves(policy, rules, root, actions, state, mask, rng, rounds, tallies):
    """`rounds` playouts after each action, counted in tallies [actions, 3] as lost, drawn and won by player 0."""
    for _ in range(rounds):
        for row in range(actions.shape[0]):
            state[:] = root
            step(rules, state, actions[row])
            tallies[row, 1 + playout(policy, rules, state, mask, rng)] += 1
