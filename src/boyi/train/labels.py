"""Exact values in place of a game's result, where they are known: labels without noise. Start at `label_exactly`.

A lost endgame that the opponent threw away again teaches the wrong lesson; the solver's value does not. What is known
at once is asked: the EinStein tablebase, Othello's last squares, wins by threats, small boards.
"""

import dataclasses

import numpy as np

from boyi.exact.solve import at_hand
from boyi.games.game import Game
from boyi.games.position import Position
from boyi.train.samples import Samples

PATIENCE = 4
"""From the end of a game backwards, so many positions in a row may be unknown before the rest is taken to be."""


def label_exactly(game: Game, samples: Samples) -> Samples:
    """The samples with exact values in the rows near the ends of games."""
    values, draws, known = samples.values.copy(), samples.draws.copy(), samples.known.copy()
    for number in range(samples.num_games):
        missed = 0
        for row in np.flatnonzero(samples.games == number)[::-1]:
            if known[row]:
                continue
            solution = at_hand(Position(game, samples.states[row].astype(game.state_dtype)), None)
            missed = missed + 1 if solution is None else 0
            if solution is not None:
                values[row], known[row] = solution.value, True
                draws[row] = solution.value == 0 and solution.score == 0
            elif missed >= PATIENCE:
                break
    return dataclasses.replace(samples, values=values, draws=draws, known=known)
