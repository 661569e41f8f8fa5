"""How far shallow searches stray from deep ones, by phase and depth: what ProbCut cuts by. Start at `calibrate`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.bits import popcount
from boyi.games.game import Game
from boyi.games.kernels import kernel
from boyi.quick.learner import Stopwatch
from boyi.quick.othello_patterns import layout
from boyi.quick.othello_search import BEST, DEEPEST, FEWEST, GENERATION, NODES, SHALLOW, advance, make_stack, open_root

CUT_SIGMAS = 0.8
"""How many standard deviations beyond the window a shallow search must be for ProbCut."""
DEPTHS = range(3, 10)
"""The depths that are measured; the deviations of greater ones follow from the last of the same parity."""
DEEPEST_CUT = 28
LEAST = 20
"""Positions of a phase before their deviation is believed."""


@kernel
def searched(patterns, stack, own, other, depth):
    """The value of a position by a search to a depth, for the owner of `own`, who has a move."""
    stack.control[NODES] = 0
    stack.control[GENERATION] = (stack.control[GENERATION] + 1) & 16383
    open_root(patterns, stack, own, other, depth, -1)
    advance(patterns, stack, 2**60)
    return stack.numbers[0, BEST]


def calibrate(
    game: Game, weights: NDArray[np.int16], boards: NDArray[np.uint64], *, seconds: float
) -> NDArray[np.float32]:
    """The standard deviation [phases, depths] in units between searches of each depth and of its shallow one, over
    positions of self-play `boards` [N, 2]; 0 where nothing is known, and so no cut."""
    patterns = layout(game.rules.size).patterns(weights)
    phases = layout(game.rules.size).phases
    stack = make_stack(game.rules.size, table_mb=4)
    count = min(len(boards), 20_000)
    chosen = boards[np.random.default_rng(0).choice(len(boards), count, replace=False)] if count else boards
    differences: list[list[list[int]]] = [[[] for _ in range(DEEPEST_CUT)] for _ in range(phases)]
    watch = Stopwatch()
    for own, other in chosen:
        if watch.seconds > seconds:
            break
        discs = popcount(own | other)
        phase = min(max((discs - 5) >> 2, 0), phases - 1)
        empties = game.num_squares - discs
        depths = range(1, min(DEPTHS.stop, empties - FEWEST + 1))
        values = {depth: int(searched(patterns, stack, own, other, depth)) for depth in depths}
        for depth in DEPTHS:
            if depth in values:
                differences[phase][depth].append(values[depth] - values[int(SHALLOW[depth])])
    deviations = np.zeros((phases, DEEPEST_CUT), np.float32)
    for phase in range(phases):
        for depth in DEPTHS:
            found = differences[phase][depth]
            if len(found) >= LEAST:
                deviations[phase, depth] = np.sqrt(np.mean(np.square(found)))
        for depth in range(DEPTHS.stop, DEEPEST_CUT):
            deviations[phase, depth] = deviations[phase, depth - 2]
    return deviations


def margins_of(deviations: NDArray[Any] | None, size: int, cut: float = CUT_SIGMAS) -> NDArray[np.int64]:
    """The margins of ProbCut for deviations [phases, depths]; where none is known, there is no cut."""
    margins = np.zeros((layout(size).phases, DEEPEST + 1), np.int64)
    if deviations is not None:
        depths = min(deviations.shape[1], DEEPEST + 1)
        margins[:, :depths] = np.rint(cut * deviations[:, :depths])
    return margins
