"""Training n-tuple tables for any game: generations of self-play games, each learnt from once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.games.generics import CHANCE
from boyi.games.randomness import generator
from boyi.quick.learner import Plan, Row, Stage, Stopwatch
from boyi.quick.store import Arrays
from boyi.quick.tuples import shape_of, tuple_net
from boyi.quick.tuples_train import fit, play_games

ROWS = 20_000
GENERATION_S = 10.0
STRAY, LAMBDA = 60, 0.8
RATE, MOST_RATE = 0.5, 0.5
"""Of a weight's step; the greatest step is shared by the tuples."""


class TuplesLearner:
    """Tables in training."""

    kind = "tuples"
    remembers = 0

    def __init__(self, game: Game, plan: Plan) -> None:
        self.game, self.plan = game, plan
        shape = shape_of(game)
        self.weights = np.zeros((2, shape.stride), np.float32)
        self.visits = np.zeros_like(self.weights)
        self.most_rate = MOST_RATE / len(shape.lengths)
        self.most_random = max(1, _usual_moves(game) // 4)
        self._round(generator(0), 1, np.random.default_rng(0))  # compiled before the time counts
        self.weights[:] = 0
        self.visits[:] = 0

    def _round(self, rng: NDArray[np.uint64], rows: int, random: np.random.Generator) -> tuple[int, int, float]:
        """Play and learn once; returns rows, games and the error."""
        game = self.game
        net = tuple_net(game, {"weights": self.weights})
        room = max(rows, 1)
        states: NDArray[Any] = np.zeros((room, game.state_size), game.state_dtype)
        labels = np.zeros(room, np.float32)
        mask = np.zeros(game.num_actions, np.uint8)
        made, games = play_games(
            game.rules, net, self.most_random, STRAY, LAMBDA, rng, mask, game.blank(), states, labels
        )
        order = random.permutation(int(made))
        error = fit(game.rules, net, self.visits, states, labels, order, RATE, self.most_rate)
        return int(made), int(games), float(error)

    def generation(self, number: int, spent_s: float, stage: Stage) -> Row:
        rng = generator(self.plan.seed, number)
        random = np.random.default_rng([self.plan.seed & (2**63 - 1), number])
        total_s = 60 * self.plan.minutes
        wanted_s = min(GENERATION_S, max(0.1, total_s - spent_s), total_s / 10)
        watch, rows, games, errors = Stopwatch(), 0, 0, []
        while watch.seconds < wanted_s:
            made, played, error = self._round(rng, ROWS, random)
            rows, games = rows + made, games + played
            errors.append(error)
            stage("learning", min(watch.seconds, wanted_s), wanted_s)
        return {
            "games": games,
            "rows": rows,
            "positions_per_s": rows / watch.seconds,
            "loss": float(np.mean(errors)),
        }

    def arrays(self) -> Arrays:
        return {"weights": self.weights.copy()}

    def state(self) -> Arrays:
        return {"weights": self.weights, "visits": self.visits}

    def samples(self) -> Arrays:
        return {}

    def restore(self, state: Arrays, samples: list[Arrays]) -> None:
        self.weights, self.visits = state["weights"].copy(), state["visits"].copy()


def _usual_moves(game: Game) -> int:
    """Decisions of a random game, on average."""
    random = np.random.default_rng(1)
    moves = 0
    for seed in range(20):
        position = game.start(seed=seed)
        while position.turn is not None:
            moves += position.turn != CHANCE
            position = position.play_action(int(random.choice(position.actions)))
    return moves // 20
