"""Random games a second on one core for every game, beside OpenSpiel's C++ rollouts where it has the game."""

from collections.abc import Callable, Iterator

import numpy as np

from boyi.bench.result import Result, rates
from boyi.games.game import Game
from boyi.games.randomness import generator
from boyi.games.registry import game, games
from boyi.search.playouts import random_games

OPENSPIEL = {
    "einstein": "einstein_wurfelt_nicht",
    "gomoku": "gomoku(size=15)",
    "othello": "othello",
    "tictactoe": "tic_tac_toe",
}


def bench_playouts(*, seconds: float = 2.0, seed: int = 0) -> Iterator[Result]:
    """Measure every game with its default parameters, each program for `seconds`."""
    for name in games():
        found = game(name)
        ours = own_rollouts(found, seed)
        peer = openspiel_rollouts(OPENSPIEL[name], seed) if name in OPENSPIEL else None
        speeds = rates([ours, peer] if peer else [ours], seconds=seconds)
        if peer:
            yield Result(name, speeds[0], "games/s", "OpenSpiel", speeds[1])
        else:
            yield Result(name, speeds[0], "games/s")


def own_rollouts(found: Game, seed: int) -> Callable[[], int]:
    """A function that plays some random games and returns how many."""
    state, mask = found.blank(), np.zeros(found.num_actions, np.uint8)
    rng, tally = generator(seed), np.zeros(3, np.int64)

    def run() -> int:
        random_games(found.rules, state, mask, rng, 2000, tally)
        return 2000

    return run


def openspiel_rollouts(name: str, seed: int) -> Callable[[], int] | None:
    """The same for OpenSpiel, or None where it is not installed.

    Its rollout evaluator cannot be called from Python, but a tree search of one simulation is one call of it.
    """
    try:
        import pyspiel
    except ImportError:
        return None
    peer = pyspiel.load_game(name)
    state = peer.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    evaluator = pyspiel.RandomRolloutEvaluator(100, seed + 1)
    bot = pyspiel.MCTSBot(peer, evaluator, 1.4, 1, 1000, False, seed + 1, False)

    def run() -> int:
        bot.mcts_search(state)
        return 100

    return run
