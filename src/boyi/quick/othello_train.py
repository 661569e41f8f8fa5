"""Othello self-play and learning for pattern tables, inside kernels. Start at `play_games` and `fit`.

Games begin with random moves; then both sides search to a fixed depth over the present tables, with a few random moves
in between, and the last empty squares are solved exactly. A position's label is in discs for its mover:

    * where the end is solved, the exact margin;
    * else the lambda-return (1 - l) * search value + l * label of the next position, which starts anew at a random move
      (the game after it says little about the position before it).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.exact.othello_board import final_margin, flips, reach
from boyi.exact.othello_search import MOVE as SOLVED_MOVE
from boyi.exact.othello_search import NODES as SOLVED_NODES
from boyi.exact.othello_search import VALUE as SOLVED_VALUE
from boyi.exact.othello_search import advance as advance_solver
from boyi.exact.othello_search import begin as begin_solver
from boyi.games.bits import NONE, ONE, nth, popcount
from boyi.games.kernels import kernel
from boyi.games.othello import board
from boyi.games.randomness import below
from boyi.quick.othello_codes import LOOKUPS
from boyi.quick.othello_patterns import UNIT, features
from boyi.quick.othello_search import BEST, FEWEST, GENERATION, MOVE, NODES, advance, open_root

SEARCHED, STRAYED, SOLVED = range(3)
"""How a position of a game was labelled: by search, by search before a random move, exactly."""
TOO_UNEVEN = 16
"""Discs by which a random opening may be lopsided; three of four beyond that are dropped."""
ENDLESS = 2**60


class Samples(NamedTuple):
    """Positions and labels: N rows."""

    boards: NDArray[np.uint64]  # [N, 2] own and other discs
    labels: NDArray[np.float32]  # [N] discs for the owner of own


class Opening(NamedTuple):
    """How games are played: random plies from `least` to `most`, then search to `depth` (0: random moves on), of a
    thousand moves `stray` random, the last `exact` empty squares solved, labels with `lambda_`."""

    least: int
    most: int
    depth: int
    stray: int
    exact: int
    lambda_: float


@kernel
def play_games(patterns, stack, area, solver, solver_table, opening, rng, boards, labels):
    """Fill `boards` [N, 2] and `labels` [N] with positions of whole games; returns how many rows and games.

    `stack` is the search's, `area`, `solver` and `solver_table` are the exact solver's.
    """
    squares = board(patterns.size)
    total = patterns.size * patterns.size
    middle = np.uint64((patterns.size // 2 - 1) * 9)
    start_other = (ONE << middle) | (ONE << (middle + np.uint64(9)))
    start_own = (ONE << (middle + np.uint64(1))) | (ONE << (middle + np.uint64(8)))
    seen = np.zeros((total, 2), np.uint64)
    values = np.zeros(total)
    kinds = np.zeros(total, np.int64)
    sides = np.zeros(total, np.int64)
    rows, games = 0, 0
    while rows + total <= labels.shape[0]:
        games += 1
        own, other, side = start_own, start_other, 1
        random_plies = opening.least + below(rng, opening.most - opening.least + 1)
        ply, count, over, dropped = 0, 0, False, False
        while True:
            moves = reach(own, other) & squares & ~(own | other)
            if moves == NONE:
                if reach(other, own) & squares & ~(own | other) == NONE:
                    over = True
                    break
                own, other, side = other, own, -side
                continue
            empties = total - popcount(own | other)
            if empties < FEWEST:
                break
            square = nth(moves, below(rng, popcount(moves)))
            if ply >= random_plies:
                seen[count, 0], seen[count, 1] = own, other
                sides[count] = side
                if empties <= opening.exact:
                    solver.control[SOLVED_NODES] = 0
                    begin_solver(area, solver, solver_table, own, other, -total, total)
                    advance_solver(area, solver, solver_table, ENDLESS)
                    best, value, kind = solver.numbers[0, SOLVED_MOVE], float(solver.control[SOLVED_VALUE]), SOLVED
                elif opening.depth == 0:
                    best, value, kind = square, 0.0, SEARCHED
                else:
                    stack.control[NODES] = 0
                    stack.control[GENERATION] = (stack.control[GENERATION] + 1) & 16383
                    open_root(patterns, stack, own, other, opening.depth, -1)
                    advance(patterns, stack, ENDLESS)
                    best, value, kind = stack.numbers[0, MOVE], stack.numbers[0, BEST] / UNIT, SEARCHED
                if ply == random_plies and abs(value) > TOO_UNEVEN and below(rng, 4) > 0:
                    dropped = True
                    break
                if below(rng, 1000) >= opening.stray:
                    square = best
                elif square != best and kind == SEARCHED:
                    kind = STRAYED
                values[count] = value
                kinds[count] = kind
                count += 1
            changed = flips(own, other, square)
            own, other, side = other ^ changed, own | changed | (ONE << np.uint64(square)), -side
            ply += 1
        if count == 0 or dropped:
            continue
        known = over
        label = side * float(final_margin(own, other, total)) if over else 0.0
        for index in range(count - 1, -1, -1):
            sign = sides[index]
            if kinds[index] == SOLVED:
                label, known = sign * values[index], True
            elif opening.depth > 0:
                if kinds[index] == STRAYED or not known:
                    label, known = sign * values[index], True
                else:
                    label = (1.0 - opening.lambda_) * sign * values[index] + opening.lambda_ * label
            if known:
                boards[rows, 0], boards[rows, 1] = seen[index, 0], seen[index, 1]
                labels[rows] = sign * label
                rows += 1
    return rows, games


@kernel
def fit(patterns, boards, labels, order, weights, visits, rate, most_rate, bias_rate, learn):
    """One pass of online least squares over the rows of `order`: each weight takes steps of rate / sqrt(its visits), at
    most `most_rate`. Returns the root of the mean squared error before each step, in discs.

    `weights` and `visits` are float32 [phases * stride]. Without `learn` nothing changes.
    """
    codes, indices = np.zeros(LOOKUPS, np.uint16), np.zeros(LOOKUPS + 1, np.int64)
    squares = 0.0
    for at in range(order.shape[0]):
        row = order[at]
        count = features(patterns, boards[row, 0], boards[row, 1], codes, indices)
        total = np.float32(0.0)
        for place in range(count):
            total += weights[indices[place]]
        error = labels[row] - total
        squares += error * error
        if learn:
            for place in range(count - 1):
                index = indices[place]
                visits[index] += np.float32(1.0)
                weights[index] += np.float32(min(rate / np.sqrt(visits[index]), most_rate)) * error
            weights[indices[count - 1]] += np.float32(bias_rate) * error
    return np.sqrt(squares / max(order.shape[0], 1))
