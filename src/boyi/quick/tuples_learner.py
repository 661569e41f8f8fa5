"""Training n-tuple tables for any game: generations of self-play games, each learnt from once."""

from typing import Any, NamedTuple

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
"""Between two passes of learning."""
LEAST_ROWS = 2_500
"""Of those, what each of several workers makes at least; the longest game must fit."""
GENERATION_S = 10.0
STRAY, LAMBDA = 60, 0.8
RATE, MOST_RATE = 0.5, 0.5
"""Of a weight's step; the greatest step is shared by the tuples."""


class Part(NamedTuple):
    """Positions of whole games."""

    states: NDArray[Any]  # [N, state_size]
    labels: NDArray[np.float32]  # [N] for player 0
    games: int


class TuplesSeat:
    """What plays: room for a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.most_random = max(1, _usual_moves(game) // 4)
        weights = np.zeros((2, shape_of(game).stride), np.float32)
        self.play({"weights": weights}, 1, generator(0))  # compiled before the time counts

    def play(self, arrays: Arrays, order: int, rng: NDArray[np.uint64]) -> Part:
        """Games of so many rows at most."""
        game = self.game
        states: NDArray[Any] = np.zeros((order, game.state_size), game.state_dtype)
        labels = np.zeros(order, np.float32)
        mask = np.zeros(game.num_actions, np.uint8)
        net = tuple_net(game, arrays)
        made, games = play_games(
            game.rules, net, self.most_random, STRAY, LAMBDA, rng, mask, game.blank(), states, labels
        )
        return Part(states[:made], labels[:made], int(games))


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
        self.seat = TuplesSeat(game)
        self._learn(self.seat.play({"weights": self.weights}, 1, generator(0)), np.random.default_rng(0))  # compiled
        self.weights[:] = 0
        self.visits[:] = 0

    def _play(self, number: int, turn: int, rng: NDArray[np.uint64]) -> Part:
        """The games of a pass, by this process or by the crew."""
        arrays, crew = {"weights": self.weights}, self.plan.crew
        if crew is None:
            return self.seat.play(arrays, ROWS, rng)
        orders = [crew.share(ROWS, LEAST_ROWS)] * crew.workers
        seed, first = self.plan.job_seed(number), turn * crew.workers
        states, labels, games = zip(*crew.play(TuplesSeat, arrays, orders, seed=seed, first=first), strict=True)
        return Part(np.concatenate(states), np.concatenate(labels), sum(games))

    def _learn(self, part: Part, random: np.random.Generator) -> float:
        net = tuple_net(self.game, {"weights": self.weights})
        order = random.permutation(len(part.labels))
        return float(fit(self.game.rules, net, self.visits, part.states, part.labels, order, RATE, self.most_rate))

    def generation(self, number: int, spent_s: float, stage: Stage) -> Row:
        rng = generator(self.plan.seed, number)
        random = np.random.default_rng([self.plan.seed & (2**63 - 1), number])
        total_s = 60 * self.plan.minutes
        wanted_s = min(GENERATION_S, max(0.1, total_s - spent_s), total_s / 10) / self.plan.workers
        watch, rows, games, played_s = Stopwatch(self.plan.crew), 0, 0, 0.0
        errors: list[float] = []
        while not errors or watch.seconds < wanted_s:
            begun = watch.seconds
            part = self._play(number, len(errors), rng)
            played_s += watch.seconds - begun
            errors.append(self._learn(part, random))
            rows, games = rows + len(part.labels), games + part.games
            stage("learning", min(watch.seconds, wanted_s), wanted_s)
        return {
            "games": games,
            "rows": rows,
            "positions_per_s": rows / watch.seconds,
            "loss": float(np.mean(errors)),
            "play_s": played_s,
            "learn_s": watch.seconds - played_s,
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
