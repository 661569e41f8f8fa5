"""Quick nets on one core: evaluations a second inside kernels, nodes a second of their searches."""

import itertools
import time
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.arena.openings import BALANCED, find_openings, opening_position
from boyi.bench.result import Result, rates
from boyi.games.einstein import DIRECTIONS
from boyi.games.game import Game
from boyi.games.othello import OTHER, OWN
from boyi.games.position import Position
from boyi.games.randomness import generator
from boyi.games.registry import game
from boyi.quick.learner import Plan
from boyi.quick.library import engine, learner
from boyi.quick.othello_codes import LOOKUPS
from boyi.quick.othello_patterns import evaluate_all, layout

POSITIONS = 2000
PLIES = 24
DEPTH = 9
BATCH = 4096


def bench_quick(*, seconds: float = 2.0, seed: int = 0) -> Iterator[Result]:
    """Othello: evaluations of positions of one phase, each from its discs alone, and nodes of deepening searches with
    the shipped net. A node is a position that the search entered after a move or for ProbCut, once for each time it did
    so; passes do not count, nor do evaluations that only put moves in order. EinStein: evaluations in self-play with
    the exact backup over one ply, and expansions of the tree. Gomoku and Connect6: evaluations with a stone put and
    taken, and nodes of searches from even openings."""
    othello = game("othello")
    positions = (midgame(othello, seed + number) for number in itertools.count())
    some = list(itertools.islice(positions, POSITIONS // 8))
    yield Result("othello evaluations", othello_evaluations(othello, some, seconds), "evaluations/s")
    yield Result("othello search", searched(othello, positions, seconds, depth=DEPTH), "nodes/s")
    einstein = game("einstein")
    yield Result("einstein evaluations", einstein_evaluations(einstein, seconds, seed), "evaluations/s")
    rolled = [einstein.start(seed=seed + number).play("3") for number in range(20)]
    yield Result("einstein search", searched(einstein, itertools.cycle(rolled), seconds, nodes=1000), "expansions/s")
    for name in ("gomoku", "connect6"):
        found = game(name)
        yield Result(f"{name} evaluations", line_evaluations(found, seconds), "evaluations/s")
        openings = (opening_position(found, line) for line in itertools.cycle(find_openings(found, BALANCED)))
        yield Result(f"{name} search", searched(found, openings, seconds, nodes=20_000), "nodes/s")


def midgame(found: Game, seed: int) -> Position:
    """A position after some random plies, where a side has several moves."""
    random = np.random.default_rng(seed)
    position = found.start()
    while position.turn is not None and (len(position.history) < PLIES or len(position.moves) < 3):
        position = position.play_action(int(random.choice(position.actions)))
    return position if position.turn is not None else midgame(found, seed + 1_000_003)


def othello_evaluations(found: Game, positions: list[Position], seconds: float) -> float:
    """Evaluations a second of what follows those positions, as a search meets them."""
    after = [position.play(move).state for position in positions for move in position.moves]
    boards: NDArray[np.uint64] = np.array([[state[OWN], state[OTHER]] for state in after])
    table = layout(found.rules.size)
    shape = table.phases, len(table.carriers)
    patterns = table.patterns(np.random.default_rng(0).integers(-500, 500, shape).astype(np.int16))
    codes = np.zeros(LOOKUPS, np.uint16)

    def run() -> int:
        evaluate_all(patterns, boards, codes)
        return len(boards)

    return rates([run], seconds=seconds)[0]


def searched(found: Game, positions: Iterable[Position], seconds: float, **limit: Any) -> float:
    """Nodes a second of processor time of the shipped net's engine, over as many of the positions as there is time for.

    An engine that remembers what it searched needs different ones.
    """
    _, thinker = engine(found, "shipped")
    nodes, spent = 0, 0.0
    for position in positions:
        began = time.process_time()
        nodes += list(thinker.search(position, **limit))[-1].nodes
        spent += time.process_time() - began
        if spent >= seconds:
            break
    return nodes / spent


def line_evaluations(found: Game, seconds: float) -> float:
    """Evaluations a second of the shipped line tables."""
    from boyi.quick.lines_engine import LinesEngine
    from boyi.quick.lines_speed import evaluations_per_second

    _, thinker = engine(found, "shipped")
    assert isinstance(thinker, LinesEngine)
    return evaluations_per_second(thinker.board, seconds=seconds)


def einstein_evaluations(found: Game, seconds: float, seed: int) -> float:
    """Moves evaluated a second in self-play: each position's target takes all moves of all stones."""
    from boyi.quick.einstein_learner import TABLE_STONES, EinsteinLearner
    from boyi.quick.einstein_net import stones_net
    from boyi.quick.einstein_train import play_games

    net = learner(found, Plan(1.0, seed))
    assert isinstance(net, EinsteinLearner)
    rng = generator(seed)
    samples, targets = np.zeros((BATCH, 12), np.int8), np.zeros(BATCH, np.float32)
    weights = stones_net(net.arrays())
    ways = np.array([int(bits).bit_count() for bits in DIRECTIONS] + [0])  # the last for a stone that is gone

    def run() -> int:
        play_games(found.rules, weights, net.table, TABLE_STONES, net.state_row, samples, targets, net.room, rng)
        return int(ways[samples[:, :6]].sum())

    return rates([run], seconds=seconds)[0]
