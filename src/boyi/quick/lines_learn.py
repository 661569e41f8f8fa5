"""The kernels of learning line tables: games of a search against itself, and the fit of value and policy to them.

The value is fitted to the mix of a game's result and the search's score by logistic loss, through the small net too;
the policy is a softmax over the points that a search would look at, fitted to the move it chose; both by Adagrad, in
the view of the side to move.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.kernels import bare_kernel, kernel
from boyi.games.randomness import below, uniform
from boyi.quick.lines_board import STONES, WIDTH, barred, clear, put, situation_of, top_of
from boyi.quick.lines_classes import DULL_PAIRS, FIVE, FIVE_OF_SIX, FOUR, OPEN_FOUR, PAIRS, SIX, TWO
from boyi.quick.lines_memory import COUNT, FINISHED, FULL, KIND, NEAR_MATE, NODES, SCORE
from boyi.quick.lines_search import think
from boyi.quick.lines_weights import SCALE, Weights

MAX_STONES = 200
"""Longer games are drawn."""
UNSEARCHED = 1 << 30
"""The score of a move that says nothing: of the opening, forced, or random."""
RANDOM_PLIES = 12
CHOICE = 6


class Games(NamedTuple):
    """Games in the order of their stones."""

    points: NDArray[np.int16]
    """[games, MAX_STONES] framed points."""
    scores: NDArray[np.int32]
    """[games, MAX_STONES] the search's value for the side that moved, or UNSEARCHED."""
    lengths: NDArray[np.int32]
    """[games]"""
    results: NDArray[np.int8]
    """[games] for side 0."""


class Steps(NamedTuple):
    """How the fit goes: the weights, the sums of squared gradients of each, and what it counts.

    `counts`: positions, sum of the value's log-loss against the result alone, searched moves, sum of the policy's
    log-loss, how often the policy's first choice was the search's.
    """

    weights: Weights
    squares: Weights
    counts: NDArray[np.float64]
    rate: float
    mix: float
    decay: float


def blank_games(count: int) -> Games:
    """Room for so many games."""
    return Games(
        np.zeros((count, MAX_STONES), np.int16),
        np.full((count, MAX_STONES), UNSEARCHED, np.int32),
        np.zeros(count, np.int32),
        np.zeros(count, np.int8),
    )


@bare_kernel
def side_after(turn, stones):
    """Who puts the next stone when so many stand."""
    return stones & 1 if turn == 1 else ((stones + 1) >> 1) & 1


@bare_kernel
def left_after(turn, stones):
    """How many stones that side still puts in its turn."""
    return 2 - (stones + 1) % 2 if turn == 2 and stones > 0 else 1


@kernel
def random_opening(board, rng, points):
    """Put a few random stones close together somewhere on the board; returns how many. No side can win at once."""
    while True:
        clear(board)
        number = 1 + below(rng, 6) if board.turn == 1 else 1 + 2 * below(rng, 3)
        span = 2 + np.int64(uniform(rng) < 0.4)
        room = max(1, board.size - 2 * span - 2)
        top, left = span + 1 + below(rng, room), span + 1 + below(rng, room)
        stones = 0
        while stones < number:
            row, column = top - span + below(rng, 2 * span + 1), left - span + below(rng, 2 * span + 1)
            if not (0 <= row < board.size and 0 <= column < board.size):
                continue
            at = (row + board.reach) * board.width + column + board.reach
            side = side_after(board.turn, stones)
            if board.cells[at] != 0:
                continue
            if barred(board, at, side):
                break
            put(board, at, side)
            points[stones] = at
            stones += 1
        won = FIVE if board.turn == 1 else FIVE_OF_SIX
        busy = 0
        for level in range(won, SIX + 1):
            busy += board.tops[0, level] + board.tops[1, level]
        if stones == number and busy == 0:
            return stones


@kernel
def play_games(board, memory, rng, nodes, games):
    """Let the search play itself with so many nodes a stone, from random openings and with some random moves.

    A game ends where the search sees its end. Returns the number of nodes.
    """
    used = 0
    won = FIVE if board.turn == 1 else SIX
    for game in range(games.lengths.shape[0]):
        memory.keys[:] = 0
        stones = random_opening(board, rng, games.points[game])
        last_random = stones + RANDOM_PLIES
        share = 0.25 if uniform(rng) < 0.5 else 0.05
        games.results[game] = 0
        while stones < MAX_STONES and board.totals[STONES] < board.points.shape[0]:
            side, left = side_after(board.turn, stones), left_after(board.turn, stones)
            at = think(board, memory, side, left, nodes)
            score = memory.control[SCORE]
            used += memory.control[NODES]
            single = memory.frames[0, COUNT] == 1
            sure = abs(score) > NEAR_MATE
            games.scores[game, stones] = UNSEARCHED if memory.control[FINISHED] == 0 or single else score
            free = memory.control[FINISHED] > 0 and memory.frames[0, KIND] == FULL and not sure
            if free and stones < last_random and uniform(rng) < share:
                at = memory.moves[0, below(rng, min(CHOICE, memory.frames[0, COUNT]))]
                games.scores[game, stones] = UNSEARCHED
            if barred(board, at, side):
                break
            games.points[game, stones] = at
            stones += 1
            if sure or top_of(board.shown[side, at]) >= won:
                ahead = score > 0 or top_of(board.shown[side, at]) >= won
                games.results[game] = (1 if ahead else -1) * (1 - 2 * side)
                break
            put(board, at, side)
        games.lengths[game] = stones
    return used


@bare_kernel
def adjust(table, squares, view, index, gradient, rate, decay):
    """One step of Adagrad."""
    gradient += decay * table[view, index]
    squares[view, index] += gradient * gradient
    table[view, index] -= rate * gradient / np.sqrt(squares[view, index])


@bare_kernel
def read_point(board, at, side, canon, swap, features):
    """The entries of an empty point in the view of a side: four codes, and the pair of pairs."""
    own, foreign = np.int64(board.shown[side, at] & 255), np.int64(board.shown[1 - side, at] & 255)
    features[4] = own * PAIRS + foreign
    for direction in range(4):
        code = board.codes[at, direction]
        if side == 1:
            code = swap[code]
        features[direction] = canon[code]


@bare_kernel
def adjust_row(table, squares, slopes, rate):
    """The same for a row, with a gradient for each of its numbers and without decay."""
    for unit in range(table.shape[0]):
        squares[unit] += slopes[unit] * slopes[unit]
        table[unit] -= rate * slopes[unit] / np.sqrt(squares[unit])


@bare_kernel
def add_row(sums, row):
    for unit in range(sums.shape[0]):
        sums[unit] += row[unit]


@bare_kernel
def is_dull(pair):
    """Whether a pair of pairs promises neither side more than ONE."""
    return pair < DULL_PAIRS * PAIRS and pair % PAIRS < DULL_PAIRS


@bare_kernel
def forward(weights, view, features, count, situation, places, swap, sums):
    """The logit of winning in a view. `sums`, own and the opponent's, are left as the small net had them."""
    total = weights.situation[view, situation]
    for turned in range(2):
        bias = weights.row_bias[abs(view - turned) if weights.row.shape[0] == 2 else 0]
        for unit in range(WIDTH):
            sums[turned, unit] = bias[unit]
    for index in range(count):
        entry = features[index]
        own, foreign = entry[4] // PAIRS, entry[4] % PAIRS
        total += weights.value_pair[view, own, foreign]
        for direction in range(4):
            total += weights.value[view, entry[direction]]
        for turned in range(2):
            seen = abs(view - turned) if weights.row.shape[0] == 2 else 0
            if not is_dull(entry[4]):
                high, low = (foreign, own) if turned else (own, foreign)
                add_row(sums[turned], weights.row_pair[seen, high, low])
            for direction in range(4):
                code = entry[direction]
                place = places[np.int64(swap[code]) if turned else code]
                if place > 0:
                    add_row(sums[turned], weights.row[seen, place])
    for turned in range(2):
        for unit in range(WIDTH):
            sums[turned, unit] = max(sums[turned, unit], np.float32(0))
            total += sums[turned, unit] * weights.out[view, turned, unit]
    return total


@bare_kernel
def backward(steps, view, features, count, situation, places, swap, sums, error):
    """A step down the error of the logit that `forward` gave; overwrites `sums` by their gradients."""
    weights, squares = steps.weights, steps.squares
    rate, decay = np.float32(steps.rate), np.float32(steps.decay)
    adjust(weights.situation, squares.situation, view, situation, error, rate, decay)
    for turned in range(2):
        seen = abs(view - turned) if weights.row.shape[0] == 2 else 0
        for unit in range(WIDTH):
            total = sums[turned, unit]
            sums[turned, unit] = error * weights.out[view, turned, unit] if total > 0 else np.float32(0)
            if total > 0:
                adjust(weights.out[view], squares.out[view], turned, unit, error * total, rate, np.float32(0))
        adjust_row(weights.row_bias[seen], squares.row_bias[seen], sums[turned], rate)
    for index in range(count):
        entry = features[index]
        own, foreign = entry[4] // PAIRS, entry[4] % PAIRS
        if not is_dull(entry[4]):
            adjust(weights.value_pair[view], squares.value_pair[view], own, foreign, error, rate, decay)
        for direction in range(4):
            if places[entry[direction]] > 0:
                adjust(weights.value, squares.value, view, entry[direction], error, rate, decay)
        for turned in range(2):
            seen = abs(view - turned) if weights.row.shape[0] == 2 else 0
            if not is_dull(entry[4]):
                high, low = (foreign, own) if turned else (own, foreign)
                adjust_row(weights.row_pair[seen, high, low], squares.row_pair[seen, high, low], sums[turned], rate)
            for direction in range(4):
                code = entry[direction]
                place = places[np.int64(swap[code]) if turned else code]
                if place > 0:
                    adjust_row(weights.row[seen, place], squares.row[seen, place], sums[turned], rate)


@kernel
def fit_games(board, games, order, steps, canon, swap, places, part, parts):
    """One pass over a part of the positions, spread over all games in this order; `places` as in `row_places`. With a
    rate of 0 it only counts the losses."""
    cells = board.points.shape[0]
    features = np.zeros((cells, 5), np.int64)
    logits = np.zeros(cells)
    tried = np.zeros(cells, np.bool_)
    sums = np.zeros((2, WIDTH), np.float32)
    weights, squares, counts = steps.weights, steps.squares, steps.counts
    policy_pair = weights.policy_pair.reshape(weights.policy_pair.shape[0], PAIRS * PAIRS)
    policy_squares = squares.policy_pair.reshape(policy_pair.shape)
    for game in order:
        clear(board)
        for stones in range(games.lengths[game]):
            side, left = side_after(board.turn, stones), left_after(board.turn, stones)
            other = 1 - side
            view = side if policy_pair.shape[0] == 2 else 0
            score = games.scores[game, stones]
            chosen = np.int64(games.points[game, stones])
            if score != UNSEARCHED and (game + stones) % parts == part:
                count, target = 0, -1
                least = FOUR if board.turn == 1 and board.tops[other, OPEN_FOUR] > 0 else TWO
                highest = -1e9
                for index in range(cells):
                    at = board.points[index]
                    if board.cells[at] != 0:
                        continue
                    entry = features[count]
                    read_point(board, at, side, canon, swap, entry)
                    logit = np.float64(policy_pair[view, entry[4]])
                    for direction in range(4):
                        logit += weights.policy[view, entry[direction]]
                    tried[count] = top_of(board.shown[side, at]) >= least or top_of(board.shown[other, at]) >= least
                    logits[count] = logit
                    if tried[count]:
                        highest = max(highest, logit)
                    if at == chosen:
                        target = count
                    count += 1
                if left == board.turn:
                    situation = situation_of(board, side)
                    total = forward(weights, view, features, count, situation, places, swap, sums)
                    result = 0.5 + 0.5 * games.results[game] * (1 - 2 * side)
                    seen = 1.0 / (1.0 + np.exp(-score / SCALE))
                    goal = (1.0 - steps.mix) * result + steps.mix * seen
                    guess = 1.0 / (1.0 + np.exp(-np.float64(total)))
                    counts[0] += 1
                    counts[1] -= result * np.log(guess + 1e-9) + (1.0 - result) * np.log(1.0 - guess + 1e-9)
                    if steps.rate > 0:
                        error = np.float32(guess - goal)
                        backward(steps, view, features, count, situation, places, swap, sums, error)
                if target >= 0 and tried[target] and abs(score) < NEAR_MATE:
                    mass = 0.0
                    for place in range(count):
                        if tried[place]:
                            mass += np.exp(logits[place] - highest)
                    counts[2] += 1
                    counts[3] -= logits[target] - highest - np.log(mass)
                    counts[4] += logits[target] == highest
                    for place in range(count if steps.rate > 0 else 0):
                        if not tried[place]:
                            continue
                        error = np.exp(logits[place] - highest) / mass - (1.0 if place == target else 0.0)
                        if abs(error) < 1e-4:
                            continue
                        rate = 3.0 * steps.rate
                        adjust(policy_pair, policy_squares, view, features[place, 4], error, rate, steps.decay)
                        for direction in range(4):
                            code = features[place, direction]
                            adjust(weights.policy, squares.policy, view, code, error, rate, steps.decay)
            put(board, chosen, side)
