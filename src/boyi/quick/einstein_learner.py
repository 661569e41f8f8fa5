"""Training EinStein's quick net: generations of self-play positions, each learnt from once."""

import math

import numpy as np

from boyi.exact.einstein_table import open_table
from boyi.games.game import Game
from boyi.games.generics import setup
from boyi.games.randomness import generator
from boyi.quick.einstein_net import StonesNet, fresh_arrays, make_room, stones_net
from boyi.quick.einstein_train import LAST_RATE, RATE, learn, play_games
from boyi.quick.learner import Plan, Row, Stage, Stopwatch
from boyi.quick.store import Arrays

CHUNK = 32_768
CHUNKS = 40
"""Chunks of samples in a generation: about a quarter of a minute."""
TABLE_STONES = 4
LAYERS = ("first", "first_bias", "second", "second_bias", "last")


class EinsteinLearner:
    """A net in training. The tablebase of four stones labels what it knows; it is built where it is missing."""

    kind = "einstein-stones"
    remembers = 0

    def __init__(self, game: Game, plan: Plan) -> None:
        self.game, self.plan = game, plan
        self.weights = fresh_arrays(plan.seed & (2**63 - 1))
        zeros = [{name: np.zeros_like(array) for name, array in self.weights.items()} for _ in range(3)]
        self.slopes, self.first, self.second = zeros
        self.steps = 0
        self.table = open_table(TABLE_STONES)
        self.room = make_room()
        self.state_row = game.blank()
        self._compile()

    def _compile(self) -> None:
        """Before the time counts."""
        rng = generator(0)
        setup(self.game.rules, self.state_row, rng)
        samples, targets = np.zeros((1, 12), np.int8), np.zeros(1, np.float32)
        net = stones_net(self.weights)
        play_games(self.game.rules, net, self.table, TABLE_STONES, self.state_row, samples, targets, self.room, rng)
        nets = self._nets()
        learn(*nets, samples, targets, np.zeros(0, np.int64), 0.0, 0, self.room, rng)

    def _nets(self) -> tuple[StonesNet, StonesNet, StonesNet, StonesNet]:
        return (
            stones_net(self.weights),
            stones_net(self.slopes),
            stones_net(self.first),
            stones_net(self.second),
        )

    def generation(self, number: int, spent_s: float, stage: Stage) -> Row:
        rng = generator(self.plan.seed, number)
        random = np.random.default_rng([self.plan.seed & (2**63 - 1), number])
        setup(self.game.rules, self.state_row, rng)
        samples, targets = np.zeros((CHUNK, 12), np.int8), np.zeros(CHUNK, np.float32)
        nets = self._nets()
        total_s = 60 * self.plan.minutes
        watch, games, played_s, errors = Stopwatch(), 0, 0.0, []
        for chunk in range(CHUNKS):
            stage("learning", chunk, CHUNKS)
            begun = watch.seconds
            games += int(
                play_games(
                    self.game.rules, nets[0], self.table, TABLE_STONES, self.state_row, samples, targets, self.room, rng
                )
            )
            played_s += watch.seconds - begun
            done = min((spent_s + watch.seconds) / total_s, 1.0)
            rate = RATE * (0.5 + 0.5 * math.cos(math.pi * done)) + LAST_RATE
            order = random.permutation(CHUNK)
            self.steps, error = learn(*nets, samples, targets, order, rate, self.steps, self.room, rng)
            errors.append(float(error))
            if done >= 1.0:
                break
        rows = CHUNK * len(errors)
        return {
            "games": games,
            "rows": rows,
            "positions_per_s": rows / watch.seconds,
            "loss": float(np.mean(errors)),
            "rate": rate,
            "play_s": played_s,
            "learn_s": watch.seconds - played_s,
        }

    def arrays(self) -> Arrays:
        return {name: self.weights[name].copy() for name in LAYERS}

    def state(self) -> Arrays:
        kept = {"weights": self.weights, "first": self.first, "second": self.second}
        found = {f"{part}.{name}": array for part, arrays in kept.items() for name, array in arrays.items()}
        return {**found, "steps": np.array([self.steps])}

    def samples(self) -> Arrays:
        return {}

    def restore(self, state: Arrays, samples: list[Arrays]) -> None:
        for part in ("weights", "first", "second"):
            setattr(self, part, {name: state[f"{part}.{name}"].copy() for name in LAYERS})
        self.steps = int(state["steps"][0])
