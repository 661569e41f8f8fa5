"""Training Othello pattern tables: the schedule of generations. The kernels are in `othello_train`.

The first generations play at random and look a ply further each time, labelled by results, so that every pattern is
met; the later ones play well, with ProbCut, are labelled by lambda-returns, and are learnt from together. See
docs/quick.md.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.exact.othello import EndgameSolver
from boyi.games.game import Game
from boyi.games.randomness import generator
from boyi.quick.learner import Plan, Row, Stage, Stopwatch
from boyi.quick.othello_calibrate import calibrate, margins_of
from boyi.quick.othello_patterns import UNIT, layout
from boyi.quick.othello_search import GENERATION, make_stack
from boyi.quick.othello_train import Opening, fit, play_games
from boyi.quick.store import Arrays

CHUNK, JOB = 50_000, 25_000
"""Rows that are made at a time, by the learner itself and by each of several workers."""
SHORT_CHUNK = 2_000
"""Of both, in stints of a few seconds."""
RATE, MOST_RATE, BIAS_RATE = 0.1, 0.01, 0.0005
USUAL_MINUTES = 15.0
CALIBRATED = 0.01
"""The share of a run that each calibration of ProbCut takes; with workers it is only every so many-th generation's."""
LEAST_S = 0.2
"""Shorter stages are not worth a generation."""


class Stint(NamedTuple):
    """One generation: search depth, empties solved, lambda, seconds of self-play in a run of 15 minutes, random moves
    in a thousand, generations learnt from, epochs, and how much of the visits is kept."""

    depth: int
    exact: int
    lambda_: float
    seconds: float
    stray: int
    window: int
    epochs: int
    kept: float


FIRST = (
    Stint(0, 10, 1.0, 6, 0, 1, 1, 0.0),
    Stint(1, 10, 1.0, 12, 80, 1, 1, 0.0),
    Stint(2, 10, 1.0, 25, 60, 2, 1, 0.1),
    Stint(3, 10, 1.0, 50, 50, 2, 1, 0.1),
    Stint(3, 12, 0.9, 80, 50, 2, 2, 0.1),
)
LATE = Stint(4, 10, 0.85, 180, 50, 3, 2, 0.1)
LAST_EPOCHS = 4
"""Of the generation that ends a run."""
PLAYED = 0.82
"""The part of a late generation that is self-play; the rest is learning."""


class Order(NamedTuple):
    """Games of so many rows."""

    opening: Opening
    rows: int


class OthelloSeat:
    """What plays: the memory of search and endgame solver."""

    def __init__(self, game: Game) -> None:
        self.layout = layout(game.rules.size)
        self.stack = make_stack(game.rules.size)
        self.solver = EndgameSolver(game.rules.size, table_mb=8)
        nothing = np.zeros((self.layout.phases, len(self.layout.carriers)), np.int16)
        unknown = np.zeros((self.layout.phases, 1), np.float32)
        opening = Opening(1, 1, 1, 0, 4, 1.0)
        self.play({"weights": nothing, "deviations": unknown}, Order(opening, 0), generator(0))  # compiled

    def play(self, arrays: Arrays, order: Order, rng: NDArray[np.uint64]) -> tuple[Arrays, int]:
        """Samples of whole games with a net, and how many games."""
        self.take(arrays)
        self.solver.clear()
        return self.go_on(order, rng)

    def take(self, arrays: Arrays) -> None:
        """Play with another net."""
        self.patterns = self.layout.patterns(arrays["weights"])
        self.stack.margins[:] = margins_of(arrays["deviations"], self.layout.size)
        self.stack.table[:] = 0
        self.stack.control[GENERATION] = 0

    def go_on(self, order: Order, rng: NDArray[np.uint64]) -> tuple[Arrays, int]:
        """The same with the same net, and with what the tables know already."""
        boards, labels = np.zeros((order.rows, 2), np.uint64), np.zeros(order.rows, np.float32)
        solver = self.solver
        made, games = play_games(
            self.patterns, self.stack, solver.area, solver.stack, solver.table, order.opening, rng, boards, labels
        )
        return {"boards": boards[:made], "labels": labels[:made]}, int(games)


class OthelloLearner:
    """Pattern tables in training, for a board of size 6 or 8."""

    kind = "othello-patterns"
    remembers = LATE.window

    def __init__(self, game: Game, plan: Plan) -> None:
        self.plan, self.game = plan, game
        self.layout = layout(game.rules.size)
        self.weights = np.zeros(self.layout.phases * self.layout.stride, np.float32)
        self.visits = np.zeros_like(self.weights)
        self.seat = OthelloSeat(game)
        self.window: list[Arrays] = []
        self.deviations = np.zeros((self.layout.phases, 1), np.float32)
        self.error({"boards": np.zeros((0, 2), np.uint64), "labels": np.zeros(0, np.float32)}, 0)  # compiled

    def stint(self, number: int, spent_s: float) -> Stint:
        """What a generation, the first being 1, does: long runs repeat the late stint, as often as fills the time,
        short ones shorten them all, and workers share them."""
        total_s = 60 * self.plan.minutes
        scale = min(1.0, self.plan.minutes / USUAL_MINUTES) / self.plan.workers
        if number <= len(FIRST):
            chosen = FIRST[number - 1]
            return chosen._replace(seconds=max(LEAST_S, chosen.seconds * scale))
        left_s = max(0.0, total_s - spent_s)
        stints = max(1, round(PLAYED * left_s / (LATE.seconds * scale)))
        chosen = LATE._replace(seconds=max(LEAST_S, PLAYED * left_s / stints))
        return chosen._replace(epochs=LAST_EPOCHS) if stints == 1 else chosen

    def generation(self, number: int, spent_s: float, stage: Stage) -> Row:
        stint = self.stint(number, spent_s)
        watch = Stopwatch(self.plan.crew)
        samples, games = self._play(number, stint, stage)
        played_s = watch.seconds
        self.window = [*self.window, samples][-stint.window :]
        held_out = min(len(samples["labels"]) // 20, 40_000)
        before = self.error(samples, held_out)
        error = self.learn(number, kept=stint.kept, epochs=stint.epochs, held_out=held_out, stage=stage)
        row: Row = {
            "games": games,
            "rows": len(samples["labels"]),
            "positions_per_s": len(samples["labels"]) / max(played_s, 1e-9),
            "search_depth": stint.depth,
            "loss": error,
            "loss_before": before,
            "loss_value": self.error(samples, held_out),
            "play_s": played_s,
        }
        total_s = 60 * self.plan.minutes
        due = number % self.plan.workers == 0 or spent_s + watch.seconds > 0.8 * total_s
        if number >= len(FIRST) and due:
            seconds = CALIBRATED * total_s
            self.deviations = calibrate(self.game, self.arrays()["weights"], samples["boards"], seconds=seconds)
        row["learn_s"] = watch.seconds - played_s
        return row

    def _play(self, number: int, stint: Stint, stage: Stage) -> tuple[Arrays, int]:
        """Games for as long as the stint says, by this process or by the crew."""
        crew, watch = self.plan.crew, Stopwatch(self.plan.crew)
        opening = Opening(*self._random_plies(), stint.depth, stint.stray, stint.exact, stint.lambda_)
        short = stint.seconds * self.plan.workers <= 5

        def tell() -> None:
            stage("self-play", min(watch.seconds, stint.seconds), stint.seconds)

        if crew is None:
            rng = generator(self.plan.seed, number)
            order = Order(opening, SHORT_CHUNK if short else CHUNK)
            self.seat.take(self.arrays())
            parts = [self.seat.go_on(order, rng)]
            tell()
            while watch.seconds < stint.seconds:
                parts.append(self.seat.go_on(order, rng))
                tell()
        else:
            orders = crew.shift(stint.seconds, Order(opening, SHORT_CHUNK if short else JOB))
            seed = self.plan.job_seed(number)
            parts = crew.play(OthelloSeat, self.arrays(), orders, seed=seed, on_answer=tell)
        samples = {name: np.concatenate([part[name] for part, _ in parts]) for name in ("boards", "labels")}
        return samples, sum(games for _, games in parts)

    def _random_plies(self) -> tuple[int, int]:
        return (6, 14) if self.layout.size == 8 else (3, 8)

    def learn(
        self, number: int, *, kept: float, epochs: int, held_out: int, stage: Stage = lambda name, done, of: None
    ) -> float:
        """Fit the weights to the window but its newest rows, `kept` of the visits remembered and with 0 nothing else
        either; the error in discs of the last pass."""
        patterns = self.layout.patterns(self.arrays()["weights"])
        boards = np.concatenate([part["boards"] for part in self.window])
        labels = np.concatenate([part["labels"] for part in self.window])
        self.visits *= np.float32(kept)
        if kept == 0.0:
            self.weights[:] = 0
        random = np.random.default_rng([self.plan.seed & (2**63 - 1), number])
        error = 0.0
        for epoch in range(epochs):
            stage("learning", epoch, epochs)
            order = random.permutation(len(labels) - held_out)
            error = fit(patterns, boards, labels, order, self.weights, self.visits, RATE, MOST_RATE, BIAS_RATE, True)
        return float(error)

    def error(self, samples: Arrays, held_out: int) -> float:
        """The error in discs over the newest rows, which no pass has learnt from."""
        patterns = self.layout.patterns(self.arrays()["weights"])
        count = len(samples["labels"])
        order = np.arange(count - held_out, count)
        weights, visits = self.weights, self.visits
        return float(fit(patterns, samples["boards"], samples["labels"], order, weights, visits, 0.0, 0.0, 0.0, False))

    def arrays(self) -> Arrays:
        table = self.weights.reshape(self.layout.phases, -1)[:, self.layout.carriers]
        weights = np.clip(np.rint(table * UNIT), -32767, 32767).astype(np.int16)
        return {"weights": weights, "deviations": self.deviations}

    def state(self) -> Arrays:
        return {"weights": self.weights, "visits": self.visits, "deviations": self.deviations}

    def samples(self) -> Arrays:
        return self.window[-1] if self.window else {}

    def restore(self, state: Arrays, samples: list[Arrays]) -> None:
        self.weights, self.visits = state["weights"].copy(), state["visits"].copy()
        self.deviations = state["deviations"].copy()
        self.window = samples
