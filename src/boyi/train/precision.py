"""The net that plays a generation's games, in the precision that the configuration asks for. Checkpoints, learning and
measuring stay in float32."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.games.randomness import generator
from boyi.nets.evaluator import NetEvaluator
from boyi.search.simulate import fill_planes
from boyi.train.config import SelfPlayConfig
from boyi.train.selfplay import aimless_games

EXAMPLES = 512
"""Positions that show the ranges of a net's layers."""
GAMES = 32
"""Aimless games that they come from where there are no others."""


def played(graph: bytes, game: Game, config: SelfPlayConfig, newest: NDArray[Any] | None, *, seed: int) -> bytes:
    """The graph of a net as it plays: in int8, with the ranges of layers that the states [N, state_size] of the newest
    games show, or of aimless ones where there are none yet. The same arguments give the same graph."""
    if config.precision == "float32":
        return graph
    from boyi.nets.quantise import quantised

    observer = str(NetEvaluator(game, graph).observer)
    if newest is None:
        newest = aimless_games(game, observer, config, games=GAMES, seed=seed).states
    rows = np.random.default_rng(generator(seed)).permutation(len(newest))[:EXAMPLES]
    return quantised(graph, seen(game, observer, newest[rows]))


def seen(game: Game, observer: str, states: NDArray[Any]) -> NDArray[np.float32]:
    """States [N, state_size] as planes [N, C, H, W] of an observer."""
    planes = np.zeros((len(states), game.observers[observer], *game.shape), np.float32)
    view = list(game.observers).index(observer)
    fill_planes(game.rules, states.astype(game.state_dtype), view, planes, len(states))
    return planes
