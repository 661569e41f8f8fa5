"""Simulations a second of tree search on one core, beside OpenSpiel's C++ `MCTSBot` with the same playouts."""

import time
from collections.abc import Callable, Iterator

from boyi.bench.playouts import OPENSPIEL
from boyi.bench.result import Result, rates
from boyi.games.game import Game
from boyi.games.registry import game, games
from boyi.search.evaluators import UniformEvaluator
from boyi.search.mcts import BatchSearch, PlayoutSearch

SIMULATIONS = 2000
ROOTS = 256


def bench_search(*, seconds: float = 2.0, seed: int = 0) -> Iterator[Result]:
    """UCT with one playout a simulation for every game, then batched search with an evaluator that costs nothing."""
    for name in games():
        found = game(name)
        ours = own_search(found, seed)
        peer = openspiel_search(OPENSPIEL[name], seed) if name in OPENSPIEL else None
        speeds = rates([ours, peer] if peer else [ours], seconds=seconds)
        if peer:
            yield Result(name, speeds[0], "simulations/s", "OpenSpiel MCTSBot", speeds[1])
        else:
            yield Result(name, speeds[0], "simulations/s")
    yield Result("null evaluator", null_search(game("tictactoe"), seconds), "microseconds/simulation")


def own_search(found: Game, seed: int) -> Callable[[], int]:
    """A function that searches the start anew and returns the simulations made."""
    position = found.start()
    if position.chances:
        position = position.play(position.moves[0])
    search = PlayoutSearch(found, seed=seed)

    def run() -> int:
        search.set_root(position.state)
        made, _ = search.run(SIMULATIONS)
        return made

    return run


def openspiel_search(name: str, seed: int) -> Callable[[], int] | None:
    """The same for OpenSpiel, or None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    peer = pyspiel.load_game(name)
    state = peer.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed + 1)
    bot = pyspiel.MCTSBot(peer, evaluator, 1.4, SIMULATIONS, 1000, False, seed + 1, False)

    def run() -> int:
        bot.mcts_search(state)
        return SIMULATIONS

    return run


def null_search(found: Game, seconds: float) -> float:
    """Microseconds a simulation of many roots at once."""
    search = BatchSearch(found, UniformEvaluator(found), trees=ROOTS, nodes=512)
    state = found.start().state
    made = 0
    spent = 0.0
    for warm in (True, False):
        began = time.process_time()
        while made == 0 or (not warm and time.process_time() - began < seconds):
            for g in range(ROOTS):
                search.set_root(g, state)
            start = time.process_time()
            made += int(search.run(128).sum())
            spent += time.process_time() - start
        if warm:
            made, spent = 0, 0.0
    return 1e6 * spent / made
