"""Perft: counting every line of play to a depth, the exact test of a rules file.

Depth counts decisions of players; a roll and the move after it are one ply.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.generics import CHANCE, RUNNING, legal, outcome, step, turn
from boyi.games.kernels import kernel
from boyi.games.position import Position


@dataclass(frozen=True)
class Perft:
    """What lies at one depth: `nodes` lines of exactly that many plies, `finished` games that ended before it."""

    depth: int
    nodes: int
    finished: int

    @property
    def leaves(self) -> int:
        """Lines of at most that many plies: the other convention, in which a finished game counts as a leaf."""
        return self.nodes + self.finished


def perft(position: Position, depth: int) -> list[Perft]:
    """The counts for every depth from 1 to `depth`."""
    if depth < 1:
        raise ValueError(f"depth must be at least 1, not {depth}")
    game = position.game
    rows = 2 * depth + 2  # a chance decision takes a level of its own
    states: NDArray[Any] = np.zeros((rows, game.state_size), game.state_dtype)
    states[0] = position.state
    masks = np.zeros((rows, game.num_actions), np.uint8)
    nodes = np.zeros(depth + 1, np.int64)
    ended = np.zeros(depth + 1, np.int64)
    _count(game.rules, states, masks, nodes, ended)
    finished = np.concatenate([[0], np.cumsum(ended)[:-1]])
    return [Perft(d, int(nodes[d]), int(finished[d])) for d in range(1, depth + 1)]


@kernel
def _count(rules, states, masks, nodes, ended):
    """Depth-first over a stack of states [levels, state_size] with their untried actions in `masks`.

    nodes[d] counts lines of d plies, ended[d] those of them that end the game. The last ply is not played: its
    lines are counted by the legal moves.
    """
    depth = nodes.shape[0] - 1
    plies = np.zeros(states.shape[0], np.int64)
    cursor = np.zeros(states.shape[0], np.int64)
    level = 0
    entering = True
    while level >= 0:
        if entering:
            entering = False
            cursor[level] = 0
            if outcome(rules, states[level]) != RUNNING:
                ended[plies[level]] += 1
                level -= 1
                continue
            count = legal(rules, states[level], masks[level])
            if plies[level] == depth - 1 and turn(rules, states[level]) != CHANCE:
                nodes[depth] += count
                level -= 1
                continue
        action = cursor[level]
        while action < masks.shape[1] and not masks[level, action]:
            action += 1
        if action == masks.shape[1]:
            level -= 1
            continue
        cursor[level] = action + 1
        rolled = turn(rules, states[level]) == CHANCE
        states[level + 1] = states[level]
        step(rules, states[level + 1], action)
        plies[level + 1] = plies[level] + (0 if rolled else 1)
        if not rolled:
            nodes[plies[level + 1]] += 1
        level += 1
        entering = True
