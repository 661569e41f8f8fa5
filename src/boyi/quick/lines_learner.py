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
from boyi.quick.lines_weights import Weights, blank_weights, board_tables, canonical, hand_weights
from boyi.quick.store import Arrays

NODES = (120,) * 6
"""Nodes a move in the first generations, where many quick games teach more; afterwards `nodes`."""
KEEP = (1, 1, 2, 3)
"""From how many of the latest generations each of the first ones learns; afterwards from `LEAST_KEPT` or more."""
LEAST_KEPT, MOST_KEPT = 4, 16
WINDOW = 8_000
"""Games that are learnt from, where `MOST_KEPT` generations have so many. A game is one result, however long it is, and
tables fitted to too few of them learn these by heart: see docs/quick-lines.md."""
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
        self.weights = blank_weights(game.rules)
        self.window: list[Games] = []
        self.seat = LinesSeat(game)
        quick = replace(self.config, nodes=1, generation_s=0.0)  # compiled before the time counts
        games, _ = make_games(self.seat, blank_weights(game.rules), quick, 0)
        learn(game, blank_weights(game.rules), [games], quick, 0)

    def generation(self, number: int, spent_s: float, stage: Stage) -> Row:
        past, watch = number - 1, Stopwatch(self.plan.crew)
        stage("playing", 0, 2)
        games, facts = make_games(self.seat, self.weights, self.config, past, self.plan.crew)
        played_s = watch.seconds
        stage("learning", 1, 2)
        self.window = [*self.window, games][-MOST_KEPT:]
        facts |= learn(self.game, self.weights, self.window[-kept_of(self.window, past) :], self.config, past)
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
        return dict(self.weights._asdict())

    def samples(self) -> Arrays:
        return dict(self.window[-1]._asdict()) if self.window else {}

    def restore(self, state: Arrays, samples: list[Arrays]) -> None:
        self.weights = Weights(**{name: state[name].copy() for name in Weights._fields})
        self.window = [Games(**{name: part[name] for name in Games._fields}) for part in samples]


def kept_of(window: list[Games], generation: int) -> int:
    """From how many of the latest generations' games a generation, the first being 0, learns."""
    if generation < len(KEEP):
        return KEEP[generation]
    counts = np.cumsum([len(games.lengths) for games in reversed(window)])
    return max(LEAST_KEPT, int(np.searchsorted(counts, WINDOW)) + 1)


def make_games(
    seat: LinesSeat, weights: Weights, config: LinesConfig, generation: int, crew: Crew | None = None
) -> tuple[Games, dict[str, Any]]:
    """The games of a generation, played by the seat or by a crew; the first one is played with weights set by hand."""
    arrays: Arrays = (hand_weights(seat.game.rules) if generation == 0 else weights)._asdict()
    nodes = min(NODES[generation] if generation < len(NODES) else config.nodes, config.nodes)
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


def learn(game: Game, weights: Weights, window: list[Games], config: LinesConfig, generation: int) -> dict[str, Any]:
    """Fit the weights to games, in place; what the losses were on the newest before and on all after."""
    began = time.process_time()
    classes = line_classes(game.rules)
    canon = canonical(classes)
    board = make_board(game.rules, board_tables(game.rules, blank_weights(game.rules)))
    squares = Weights(*(np.full_like(table, FIRST_SQUARE) for table in weights))
    games = Games(*(np.concatenate(parts) for parts in zip(*window, strict=True)))
    random = np.random.default_rng([config.seed, generation])
    newest = len(games.lengths) - len(window[-1].lengths)

    def go(order: Any, rate: float, mix: float) -> list[float]:
        steps = Steps(weights, squares, np.zeros(5), rate, mix, config.decay)
        fit_games(board, games, order, steps, canon, classes.swap, classes.dull)
        positions, value, moves, policy, first = steps.counts.tolist()
        return [positions, value / max(positions, 1), policy / max(moves, 1), first / max(moves, 1)]

    before = go(np.arange(newest, len(games.lengths)), 0.0, 0.0)
    mix = config.mix if generation > 0 else 0.0
    for rate in (config.rate, config.rate, config.rate / 3) if generation < 2 else (config.rate, config.rate / 3):
        after = go(random.permutation(len(games.lengths)), rate, mix)
    return {
        "positions": int(after[0]),
        "unseen_value_loss": round(before[1], 4),
        "unseen_policy_loss": round(before[2], 3),
        "unseen_first_choice": round(before[3], 3),
        "value_loss": round(after[1], 4),
        "policy_loss": round(after[2], 3),
        "fit_s": round(time.process_time() - began, 1),
    }
