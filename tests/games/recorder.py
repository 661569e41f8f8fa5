"""Plays random games through the compiled rules and keeps every ply, for a referee to replay."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games import CHANCE, RUNNING, Game, chance, kernel, legal, outcome, sample, step, turn
from boyi.games.randomness import generator


@dataclass
class Ply:
    """One decision: the state before it, whose it is, what was legal, and what was drawn.

    `chances` holds the probability of every legal outcome where the dice decide, else it is empty.
    """

    state: NDArray[Any]
    turn: int
    legal: list[int]
    chances: list[float]
    action: int


@dataclass
class Record:
    """A finished game: its plies, the state they led to, and the outcome for player 0."""

    plies: list[Ply]
    final: NDArray[Any]
    outcome: int


def random_games(game: Game, starts: list[NDArray[Any]], *, longest: int, seed: int) -> Iterator[Record]:
    """One game from each starting state, every action drawn by the game's own `sample`."""
    rng = generator(seed)
    states = np.zeros((longest + 1, game.state_size), game.state_dtype)
    masks = np.zeros((longest, game.num_actions), np.uint8)
    chances = np.zeros((longest, game.num_actions))
    turns, counts, actions = (np.zeros(longest, np.int64) for _ in range(3))
    for start in starts:
        states[0] = start
        num_plies, result = _play(game.rules, states, masks, chances, turns, counts, actions, rng)
        plies = []
        for ply in range(num_plies):
            allowed = np.flatnonzero(masks[ply])
            assert len(allowed) == counts[ply], "legal() returns the number of actions it marks"
            odds = chances[ply][allowed].tolist() if turns[ply] == CHANCE else []
            plies.append(Ply(states[ply].copy(), int(turns[ply]), allowed.tolist(), odds, int(actions[ply])))
        yield Record(plies, states[num_plies].copy(), int(result))


@kernel
def _play(rules, states, masks, chances, turns, counts, actions, rng):
    """Play from states[0] to the end, one row of every array for each ply; return the number of plies and the result.

    An array too short for the game would be an error of the caller; nothing is written beyond it.
    """
    scratch = np.zeros(masks.shape[1], np.uint8)
    ply = 0
    while outcome(rules, states[ply]) == RUNNING and ply < masks.shape[0]:
        turns[ply] = turn(rules, states[ply])
        counts[ply] = legal(rules, states[ply], masks[ply])
        if turns[ply] == CHANCE:
            chances[ply] = 0
            chance(rules, states[ply], chances[ply])
        actions[ply] = sample(rules, states[ply], scratch, rng)
        states[ply + 1] = states[ply]
        step(rules, states[ply + 1], actions[ply])
        ply += 1
    return ply, outcome(rules, states[ply])
