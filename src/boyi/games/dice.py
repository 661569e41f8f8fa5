"""Many positions at the dice at once: who moves after them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.games.generics import CHANCE, chance, step, turn
from boyi.games.kernels import kernel


def rolled_by_second(game: Game, states: NDArray[Any]) -> NDArray[np.bool_]:
    """Which of the states [B, state_size] are at dice that player 1 moves after."""
    found = np.zeros(len(states), np.bool_)
    _look_beyond_dice(game.rules, np.ascontiguousarray(states), game.blank(), np.zeros(game.num_actions), found)
    return found


@kernel
def _look_beyond_dice(rules, states, state, chances, second):
    for row in range(states.shape[0]):
        if turn(rules, states[row]) != CHANCE:
            continue
        state[:] = states[row]
        while turn(rules, state) == CHANCE:
            chances[:] = 0
            chance(rules, state, chances)
            step(rules, state, np.argmax(chances))
        second[row] = turn(rules, state) == 1
