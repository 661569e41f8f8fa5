"""Line tables in training: generations of self-play games, and tables fitted to the latest of them."""

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.connect6 import Connect6
from boyi.games.game import Game
from boyi.games.randomness import generator
from boyi.quick.crew import Crew
from boyi.quick.learner import Plan, Row, Stage, Stopwatch
from boyi.quick.lines_board import line_classes, make_board
from boyi.quick.lines_learn import Games, Steps, blank_games, fit_games, play_games
from boyi.quick.lines_memory import make_memory
from boyi.quick.lines_tables import packed
from boyi.quick.lines_weights import (
    Weights,
    blank_weights,
    board_tables,
    canonical,
    first_weights,
    hand_weights,
    row_places,
)
from boyi.quick.store import Arrays

FIRST_NODES = 120
"""Nodes a move in the first generations, where many quick games teach more; afterwards `nodes`."""
KEEP = (1, 1, 2, 3, 4, 4)
"""From how many of the latest generations each of the first ones learns, in several passes."""
POOR = 2
"""Generations whose games are too poor to be learnt from afterwards."""
MOST_KEPT = 32
WINDOW = 40_000
"""Games that are learnt from after the first generations, where `MOST_KEPT` generations have so many."""
REUSE = 3
"""How often a game is learnt from after the first generations. A game is one result, however long it is, and tables
that meet it more often learn it by heart: see docs/quick-lines.md."""
PARTS = 8
"""A pass over the games goes through so many parts of the positions one after another: steps on many positions of one
game in a row would learn its result by heart."""
BATCH = 16
FIRST_SQUARE = 2.0


@dataclass(frozen=True)
class LinesConfig:
    """How line tables are learnt."""

    nodes: int = 300
    """Nodes a move once the first generations are over."""
    generation_s: float = 20.0
    """Processor time of one core for a generation's games; the first three take less."""
    mix: float = 0.4
    """The weight of the search's score against the result in the value's goal."""
    rate: float = 0.012
    decay: float = 1e-4
    seed: int = 0


class LinesSeat:
    """What plays: the memory of a search."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.memory = make_memory(2 if isinstance(game.rules, Connect6) else 1)
        self.play(hand_weights(game.rules)._asdict(), 1, generator(0))  # compiled before the time counts

    def play(self, arrays: Arrays, order: int, rng: NDArray[np.uint64]) -> tuple[Games, int]:
        """A batch of games with so many nodes a stone, and the nodes of them all."""
        games = blank_games(BATCH)
        board = make_board(self.game.rules, board_tables(self.game.rules, Weights(**arrays)))
        used = play_games(board, self.memory, rng, order, games)
        return games, int(used)


class LinesLearner:
    """Tables in training."""

    kind = "lines"
    remembers = MOST_KEPT

    def __init__(self, game: Game, plan: Plan, config: LinesConfig | None = None) -> None:
        self.game, self.plan = game, plan
        generation_s = min(20.0, 60 * plan.minutes / 10)
        self.config = config or LinesConfig(generation_s=generation_s, seed=plan.seed)
        self.weights = first_weights(game.rules, self.config.seed)
        self.squares = first_squares(self.weights)
        self.window: list[Games] = []
        self.seat = LinesSeat(game)
        quick = replace(self.config, nodes=1, generation_s=0.0)  # compiled before the time counts
        blank = blank_weights(game.rules)
        games, _ = make_games(self.seat, blank, quick, 0)
        learn(game, blank, first_squares(blank), [games], quick, 0)

    def generation(self, number: int, spent_s: float, stage: Stage) -> Row:
        past, watch = number - 1, Stopwatch(self.plan.crew)
        stage("playing", 0, 2)
        games, facts = make_games(self.seat, self.weights, self.config, past, self.plan.crew)
        played_s = watch.seconds
        stage("learning", 1, 2)
        self.window = [*self.window, games][-MOST_KEPT:]
        window = self.window[-kept_of(self.window, past) :]
        facts |= learn(self.game, self.weights, self.squares, window, self.config, past)
        rows = facts.pop("positions")
        return {
            **facts,
            "rows": rows,
            "positions_per_s": rows / watch.seconds,
            "loss": facts["value_loss"],
            "play_s": played_s,
            "learn_s": watch.seconds - played_s,
        }

    def arrays(self) -> Arrays:
        return packed(self.game, self.weights)

    def state(self) -> Arrays:
        squares = {f"{name}_squares": table for name, table in self.squares._asdict().items()}
        return {**self.weights._asdict(), **squares}

    def samples(self) -> Arrays:
        return dict(self.window[-1]._asdict()) if self.window else {}

    def restore(self, state: Arrays, samples: list[Arrays]) -> None:
        self.weights = Weights(**{name: state[name].copy() for name in Weights._fields})
        self.squares = Weights(**{name: state[f"{name}_squares"].copy() for name in Weights._fields})
        self.window = [Games(**{name: part[name] for name in Games._fields}) for part in samples]


def first_squares(weights: Weights) -> Weights:
    """Adagrad's sums of squares to begin with."""
    return Weights(*(np.full_like(table, FIRST_SQUARE) for table in weights))


def kept_of(window: list[Games], generation: int) -> int:
    """From how many of the latest generations' games a generation, the first being 0, learns."""
    if generation < len(KEEP):
        return KEEP[generation]
    counts = np.cumsum([len(games.lengths) for games in reversed(window)])
    return min(int(np.searchsorted(counts, WINDOW)) + 1, generation + 1 - POOR)


def make_games(
    seat: LinesSeat, weights: Weights, config: LinesConfig, generation: int, crew: Crew | None = None
) -> tuple[Games, dict[str, Any]]:
    """The games of a generation, played by the seat or by a crew; the first one is played with weights set by hand."""
    arrays: Arrays = (hand_weights(seat.game.rules) if generation == 0 else weights)._asdict()
    nodes = min(FIRST_NODES, config.nodes) if generation < len(KEEP) else config.nodes
    seconds = config.generation_s * min(1.0, (generation + 1) / 4)
    watch, rng = Stopwatch(crew), generator(config.seed, generation)
    if crew is None:
        batches = [seat.play(arrays, nodes, rng)]
        while watch.seconds < seconds:
            batches.append(seat.play(arrays, nodes, rng))
    else:
        batches = crew.play(LinesSeat, arrays, crew.shift(seconds / crew.workers, nodes), seed=int(rng[0]))
    used = sum(nodes for _, nodes in batches)
    spent = watch.seconds * (crew.workers if crew else 1)
    whole = Games(*(np.concatenate(parts) for parts in zip(*(games for games, _ in batches), strict=True)))
    return whole, {
        "games": len(whole.lengths),
        "nodes": nodes,
        "length": round(float(whole.lengths.mean()), 1),
        "first_wins": round(float((whole.results == 1).mean()), 3),
        "draws": round(float((whole.results == 0).mean()), 3),
        "nodes_per_s": round(used / max(spent, 1e-9)),
    }


def learn(
    game: Game, weights: Weights, squares: Weights, window: list[Games], config: LinesConfig, generation: int
) -> dict[str, Any]:
    """Fit the weights to games, in place; what the losses were on the newest before and on all after.

    The first generations go through few games several times, and soon know them by heart. After them the weights
    begin anew, with all games that are not `POOR`; from there on a game is met `REUSE` times in all.
    """
    began = time.process_time()
    classes = line_classes(game.rules)
    canon, places = canonical(classes), row_places(classes)
    board = make_board(game.rules, board_tables(game.rules, blank_weights(game.rules)))
    games = Games(*(np.concatenate(parts) for parts in zip(*window, strict=True)))
    random = np.random.default_rng([config.seed, generation])
    count, newest = len(games.lengths), len(window[-1].lengths)

    def go(order: Any, rate: float, mix: float) -> list[float]:
        steps = Steps(weights, squares, np.zeros(5), rate, mix, config.decay)
        for part in range(PARTS):
            fit_games(board, games, order, steps, canon, classes.swap, places, part, PARTS)
        positions, value, moves, policy, first = steps.counts.tolist()
        return [positions, value / max(positions, 1), policy / max(moves, 1), first / max(moves, 1)]

    before = go(np.arange(count - newest, count), 0.0, 0.0)
    mix = config.mix if generation > 0 else 0.0
    rates, each = [config.rate] * REUSE, newest
    if generation <= len(KEEP):
        each = count
        renew(squares, first_squares(weights))
    if generation < len(KEEP):
        rates = [config.rate] * (2 if generation < 2 else 1) + [config.rate / 3]
    elif generation == len(KEEP):
        renew(weights, first_weights(game.rules, config.seed))
    for rate in rates:
        after = go(random.permutation(count)[:each], rate, mix)
    return {
        "positions": int(after[0]) * len(rates),
        "unseen_value_loss": round(before[1], 4),
        "unseen_policy_loss": round(before[2], 3),
        "unseen_first_choice": round(before[3], 3),
        "value_loss": round(after[1], 4),
        "policy_loss": round(after[2], 3),
        "fit_s": round(time.process_time() - began, 1),
    }


def renew(weights: Weights, source: Weights) -> None:
    """Write weights over others."""
    for table, begin in zip(weights, source, strict=True):
        table[:] = begin
