"""Training EinStein's quick net: generations of self-play positions, each learnt from once."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
"""Chunks of samples in a generation: about a quarter of a minute of one core."""
LEAST_ROWS = 4096
"""Of a chunk that several workers share, what each makes at least."""
TABLE_STONES = 4
LAYERS = ("first", "first_bias", "second", "second_bias", "last")


class Chunk(NamedTuple):
    """Samples of self-play."""

    samples: NDArray[np.int8]  # [N, 12]
    targets: NDArray[np.float32]  # [N]
    games: int


class EinsteinSeat:
    """What plays: the game in progress, the tablebase of four stones, which is built where it is missing, and room."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table = open_table(TABLE_STONES)
        self.room = make_room()
        self.state_row = game.blank()
        self.play(fresh_arrays(0), 1, generator(0))  # compiled before the time counts

    def play(self, arrays: Arrays, order: int, rng: NDArray[np.uint64]) -> Chunk:
        """So many rows, beginning with a game of their own."""
        self.begin(rng)
        return self.go_on(stones_net(arrays), order, rng)

    def begin(self, rng: NDArray[np.uint64]) -> None:
        setup(self.game.rules, self.state_row, rng)

    def go_on(self, net: StonesNet, rows: int, rng: NDArray[np.uint64]) -> Chunk:
        samples, targets = np.zeros((rows, 12), np.int8), np.zeros(rows, np.float32)
        games = play_games(
            self.game.rules, net, self.table, TABLE_STONES, self.state_row, samples, targets, self.room, rng
        )
        return Chunk(samples, targets, int(games))


class EinsteinLearner:
    """A net in training."""

    kind = "einstein-stones"
    remembers = 0

    def __init__(self, game: Game, plan: Plan) -> None:
        self.plan = plan
        self.weights = fresh_arrays(plan.seed & (2**63 - 1))
        zeros = [{name: np.zeros_like(array) for name, array in self.weights.items()} for _ in range(3)]
        self.slopes, self.first, self.second = zeros
        self.steps = 0
        self.seat = EinsteinSeat(game)
        self.table, self.room, self.state_row = self.seat.table, self.seat.room, self.seat.state_row
        nothing = np.zeros((1, 12), np.int8), np.zeros(1, np.float32), np.zeros(0, np.int64)
        learn(*self.nets(), *nothing, 0.0, 0, self.room, generator(0))  # compiled before the time counts

    def nets(self) -> tuple[StonesNet, StonesNet, StonesNet, StonesNet]:
        """The net, its gradients and Adam's averages, as the kernels want them."""
        return (
            stones_net(self.weights),
            stones_net(self.slopes),
            stones_net(self.first),
            stones_net(self.second),
        )

    def generation(self, number: int, spent_s: float, stage: Stage) -> Row:
        rng = generator(self.plan.seed, number)
        random = np.random.default_rng([self.plan.seed & (2**63 - 1), number])
        self.seat.begin(rng)
        nets = self.nets()
        total_s = 60 * self.plan.minutes
        watch, rows, games, played_s = Stopwatch(self.plan.crew), 0, 0, 0.0
        errors: list[float] = []
        while rows < CHUNK * CHUNKS:
            stage("learning", rows // CHUNK, CHUNKS)
            begun = watch.seconds
            chunk = self._play(number, len(errors), nets[0], rng)
            played_s += watch.seconds - begun
            done = min((spent_s + watch.seconds) / total_s, 1.0)
            rate = RATE * (0.5 + 0.5 * math.cos(math.pi * done)) + LAST_RATE
            order = random.permutation(len(chunk.targets))
            self.steps, error = learn(*nets, chunk.samples, chunk.targets, order, rate, self.steps, self.room, rng)
            rows, games = rows + len(chunk.targets), games + chunk.games
            errors.append(float(error))
            if done >= 1.0:
                break
        return {
            "games": games,
            "rows": rows,
            "positions_per_s": rows / watch.seconds,
            "loss": float(np.mean(errors)),
            "rate": rate,
            "play_s": played_s,
            "learn_s": watch.seconds - played_s,
        }

    def _play(self, number: int, turn: int, net: StonesNet, rng: NDArray[np.uint64]) -> Chunk:
        """A chunk of samples: by this process, which goes on with its game, or by the crew."""
        crew = self.plan.crew
        if crew is None:
            return self.seat.go_on(net, CHUNK, rng)
        orders = [crew.share(CHUNK, LEAST_ROWS)] * crew.workers
        seed, first = self.plan.job_seed(number), turn * crew.workers
        parts = crew.play(EinsteinSeat, self.weights, orders, seed=seed, first=first)
        samples, targets, games = zip(*parts, strict=True)
        return Chunk(np.concatenate(samples), np.concatenate(targets), sum(games))

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
