"""Learnt win rates of small boxes of an EinStein board, and a tree search that starts from them.

Chu 2017, as document 000 (section 2.7) reports it: the board is cut into its 12 boxes of 2x3 and its 12 of 3x2
squares; in a box every stone is replaced by how likely it is to be movable. Games of self-play count how often each box
with each content was seen by a side, and how often that side won. The rates initialise the moves of a tree and steer
its first simulations by `UCB_i + Cp * Hb / n_i`.

A side sees its box after its own move, with its own corner in the top left. The game is the same after a transposition,
so a 3x2 box is looked up as the 2x3 box that it becomes. Box 3 * row + column, by its top left square:

    a square: 0 empty, 1..3 own stone, 4..6 enemy stone; of each three: movable by 1, by 2, by 3 or more die values
    code of a box: its six squares row by row, as digits to the base 7

A table is `uint8` [12 boxes, 7**6 codes]: 0 unseen, 1..255 for a win rate of 0..1. Start at `pattern_value`;
`learn_games` makes the counts and `PatternUct` uses the table.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.einstein import ALIVE, COUNTS, DIE, MOVER, RESULT, STONES, view_of
from boyi.games.generics import RUNNING, legal, outcome, rule, setup, step
from boyi.games.kernels import inline_kernel, kernel
from boyi.games.randomness import below, uniform
from boyi.search.playouts import Uniform, draw_move
from boyi.search.selection import UNTRIED, pick, prime

BOXES = 12
CODES = 7**6
UNSEEN, STEPS = 0, 254
MOST_MOVES = 80
"""No game is longer: the six stones of a side are 40 steps away from the corner."""


@inline_kernel
def read_boxes(state, player, boxes):
    """Write the codes of the 12 boxes of 2x3 and the 12 transposed ones into `boxes` [24], as a player sees them."""
    cells = np.zeros(25, np.int64)
    for stone in range(12):
        square = state[STONES + stone]
        if square >= 0:
            side = stone // 6
            movable = min(COUNTS[state[ALIVE + side], stone - 6 * side], 3)
            cells[view_of(square, player)] = movable if side == player else 3 + movable
    for row in range(4):
        for column in range(3):
            across, down = 5 * row + column, 5 * column + row
            code = turned = 0
            for line in range(2):
                for place in range(3):
                    code = 7 * code + cells[across + 5 * line + place]
                    turned = 7 * turned + cells[down + line + 5 * place]
            boxes[3 * row + column] = code
            boxes[12 + 3 * row + column] = turned


@inline_kernel
def mean_rate(table, state, player, boxes):
    """The mean win rate of the boxes that were seen in learning, for a player who has just moved; 0.5 without any.

    `boxes` [24] is scratch space.
    """
    read_boxes(state, player, boxes)
    total, seen = 0, 0
    for box in range(24):
        entry = np.int64(table[box % BOXES, boxes[box]])
        if entry != UNSEEN:
            total += entry - 1
            seen += 1
    return total / (STEPS * seen) if seen else 0.5


@kernel
def pattern_value(table, state, player):
    """The win rate, 0 to 1, that a table gives a player in a state, before or after the roll; 0 or 1 once it is over.

    The rates of both players add up to 1.
    """
    if state[RESULT] != RUNNING:
        return 1.0 if state[RESULT] == 1 - 2 * player else 0.0
    boxes = np.empty(24, np.int64)
    if state[MOVER] == player:
        return 1.0 - mean_rate(table, state, 1 - player, boxes)
    return mean_rate(table, state, player, boxes)


class Greedy(NamedTuple):
    """The move after which the table gives the mover most, lots deciding among equals; sometimes any move."""

    table: NDArray[np.uint8]
    epsilon: float = 0.0
    """The share of moves drawn from all legal ones."""


@rule(draw_move, Greedy)
def greedy_move(policy, rules, state, mask, rng):
    if not state[DIE]:
        return below(rng, 6)
    if policy.epsilon > 0.0 and uniform(rng) < policy.epsilon:
        return draw_move(Uniform(), rules, state, mask, rng)
    legal(rules, state, mask)
    mover = state[MOVER]
    after = np.empty_like(state)
    best, best_rate, equals = np.int64(-1), -1.0, 0
    for action in range(72):
        if mask[action]:
            after[:] = state
            step(rules, after, action)
            rate = pattern_value(policy.table, after, mover)
            if rate > best_rate:
                best, best_rate, equals = np.int64(action), rate, 1
            elif rate == best_rate:
                equals += 1
                if below(rng, equals) == 0:
                    best = np.int64(action)
    return best


@kernel
def learn_games(policy, rules, state, mask, rng, games, total, won, stamps):
    """Play games from random set-ups and count every box that a side saw, once a game and side.

    `total` and `won` [12, 7**6] gain 1 for the winner's boxes, `total` alone for the loser's. `stamps`
    [2, 12, 7**6], zero before the first game, is scratch space that remembers which were counted.
    """
    boxes = np.empty((MOST_MOVES, 24), np.int64)
    for number in range(1, games + 1):
        setup(rules, state, rng)
        state[MOVER] = below(rng, 2)
        first = state[MOVER]
        moves = 0
        while outcome(rules, state) == RUNNING:
            moved = state[DIE] != 0
            step(rules, state, draw_move(policy, rules, state, mask, rng))
            if moved:
                read_boxes(state, 1 - state[MOVER], boxes[moves])
                moves += 1
        winner = 0 if outcome(rules, state) == 1 else 1
        for move in range(moves):
            side = (first + move) % 2
            for at in range(24):
                box, code = at % BOXES, boxes[move, at]
                if stamps[side, box, code] != number:
                    stamps[side, box, code] = number
                    total[box, code] += 1
                    won[box, code] += side == winner


@kernel
def play_off(first, second, rules, state, mask, rng, games):
    """Games from random set-ups between two policies that take turns as Red; how many the first one won."""
    wins = 0
    for number in range(games):
        setup(rules, state, rng)
        while outcome(rules, state) == RUNNING:
            if (number + state[MOVER]) % 2 == 0:
                action = draw_move(first, rules, state, mask, rng)
            else:
                action = draw_move(second, rules, state, mask, rng)
            step(rules, state, action)
        wins += outcome(rules, state) == (1 if number % 2 == 0 else -1)
    return wins


def rate_table(total: NDArray[np.int64], won: NDArray[np.int64], least: int) -> NDArray[np.uint8]:
    """The table of counts [12, 7**6]; boxes seen less than `least` times are left out."""
    rates = 1 + np.rint(STEPS * won / np.maximum(total, 1))
    return np.where(total >= max(least, 1), rates, UNSEEN).astype(np.uint8)


class PatternUct(NamedTuple):
    """UCB1 plus `cp * Hb / n` (Chu 2017), where Hb is the learnt win rate of the position that a move leads to.

    A move begins as if it had been tried `start` times with the result that Hb expects, and n counts these tries too,
    so that no move is tried for its own sake. `prior` of the tree holds Hb.
    """

    table: NDArray[np.uint8]
    c: float
    cp: float
    gain: float
    """How far Hb is drawn apart: the mean of 24 boxes stays nearer to 0.5 than the true win rate."""
    start: float


@kernel
def rate_after(table, rules, state, action, player, scratch):
    """A player's win rate after a move. A kernel of its own, because `prime` may make no arrays."""
    scratch[:] = state
    step(rules, scratch, action)
    return pattern_value(table, scratch, player)


@rule(prime, PatternUct)
def pattern_prime(method, rules, tree, node, state, scratch):
    for edge in range(tree.first[node], tree.first[node] + tree.width[node]):
        rate = rate_after(method.table, rules, state, tree.action[edge], tree.mover[node], scratch)
        tree.prior[edge] = min(max(0.5 + method.gain * (rate - 0.5), 0.0), 1.0)


@rule(pick, PatternUct)
def pattern_pick(method, tree, node, is_root):
    first, count = tree.first[node], tree.width[node]
    sign = 1.0 if tree.mover[node] == 0 else -1.0
    spread = method.c * np.sqrt(np.log(np.float64(tree.visits[node] + 1)))
    best, best_score = first, -UNTRIED
    for edge in range(first, first + count):
        if tree.told[edge]:
            continue
        n = method.start + tree.tries[edge]
        won = method.start * (2.0 * tree.prior[edge] - 1.0) + tree.tries[edge] * sign * tree.q[edge]
        score = won / n + spread / np.sqrt(n) + method.cp * tree.prior[edge] / n
        if score > best_score:
            best, best_score = edge, score
    return best
