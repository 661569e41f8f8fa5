"""Stones in a row: all windows as long as a winning row that hold stones of one side only, weighted by their number.

Written over `line_facts`, which Gomoku, Connect6 and a user's own game of this kind implement. Tic-tac-toe, whose
state is sets of bits, has a version of its own.
"""

import math
from typing import NamedTuple

import numpy as np

from boyi.games import connect6, gomoku
from boyi.games.bits import popcount
from boyi.games.generics import generic, rule
from boyi.games.kernels import inline_kernel, kernel
from boyi.games.tictactoe import LINES, PLY
from boyi.search.evaluation import assess, rank, ranks_cheaply

WINS, BLOCKS = 1e12, 1e9
"""Keys of moves that win at once and of moves that stop the other side's next one."""
THREE = np.array(LINES, np.int64)


@generic()
def line_facts(rules, state):
    """Height, width, winning length, player to move, stones it still puts this turn, stones of a whole turn, and
    whether a longer row wins as well. The cells stand at the front of the state."""


@rule(line_facts, gomoku.Gomoku, gomoku.Renju)
def gomoku_facts(rules, state):
    mover = np.int64(state[rules.size * rules.size + gomoku.MOVER])
    return rules.size, rules.size, rules.win, mover, np.int64(1), 1, rules.variant == gomoku.FREESTYLE


@rule(line_facts, connect6.Connect6)
def connect6_facts(rules, state):
    end = rules.size * rules.size
    mover, left = np.int64(state[end + connect6.MOVER]), np.int64(state[end + connect6.LEFT])
    return rules.size, rules.size, connect6.WIN, mover, left, 2, True


class Windows(NamedTuple):
    """A window with n stones of one side weighs `growth ** n`; `initiative` multiplies those of the side to move."""

    growth: float = 4.0
    initiative: float = 1.6
    scale: float = 400.0


@inline_kernel
def nth_line(index, height, width):
    """First square, step and length of one of the 3 * (height + width) - 2 rows, columns and diagonals."""
    if index < height:
        return index * width, 1, width
    index -= height
    if index < width:
        return index, width, height
    index -= width
    if index < width:
        return index, width + 1, min(width - index, height)
    index -= width
    if index < height - 1:
        return (index + 1) * width, width + 1, min(height - 1 - index, width)
    index -= height - 1
    if index < width:
        return index, width - 1, min(index + 1, height)
    index -= width
    return (index + 2) * width - 1, width - 1, min(height - 1 - index, width)


@kernel
def count_windows(cells, height, width, win, tallies):
    """Add to `tallies[side, n]` the windows that hold n stones of a side and none of the other's; n from 1."""
    for index in range(3 * (height + width) - 2):
        start, stride, length = nth_line(index, height, width)
        first, second = 0, 0
        for place in range(length):
            stone = cells[start + place * stride]
            first += stone == 1
            second += stone == 2
            if place >= win:
                gone = cells[start + (place - win) * stride]
                first -= gone == 1
                second -= gone == 2
            if place >= win - 1:
                if second == 0:
                    tallies[0, first] += 1
                elif first == 0:
                    tallies[1, second] += 1


@rule(assess, Windows)
def assess_windows(evaluation, rules, state):
    height, width, win, mover, left, a_turn, _ = line_facts(rules, state)
    tallies = np.zeros((2, win + 1), np.int64)
    count_windows(state, height, width, win, tallies)
    own, other = tallies[mover], tallies[1 - mover]
    sign = 1.0 - 2.0 * mover
    for stones in range(win - left, win):
        if own[stones]:
            return 0.98 * sign
    threats = 0
    for stones in range(win - a_turn, win):
        threats += other[stones]
    if left == 1 and a_turn == 1 and threats > 1:
        return -0.95 * sign
    total = 0.0
    weight = 1.0
    for stones in range(1, win):
        weight *= evaluation.growth
        total += weight * (evaluation.initiative * own[stones] - other[stones])
    return sign * 0.95 * math.tanh(total / evaluation.scale)


@rule(rank, Windows)
def rank_windows(evaluation, rules, state, scratch, actions, keys, count):
    """By the windows through a point, both sides'. Where one stone wins, or in games of one stone a turn where one
    must be stopped, only such moves are kept."""
    height, width, win, mover, left, a_turn, longer_wins = line_facts(rules, state)
    worth = np.zeros(height * width)
    weights = np.ones(win + 1)
    for stones in range(1, win + 1):
        weights[stones] = weights[stones - 1] * evaluation.growth
    tally = np.zeros(3, np.int64)
    best = 0.0
    for index in range(3 * (height + width) - 2):
        start, stride, length = nth_line(index, height, width)
        tally[:] = 0
        for place in range(length):
            tally[state[start + place * stride]] += 1
            if place >= win:
                tally[state[start + (place - win) * stride]] -= 1
            if place >= win - 1 and tally[0] > 0 and (tally[1] == 0 or tally[2] == 0):
                own, other = tally[1 + mover], tally[2 - mover]
                key = weights[own] * evaluation.initiative if other == 0 else weights[other]
                if own >= win - left:
                    key = WINS
                elif other >= win - a_turn:
                    key = BLOCKS
                for inside in range(place - win + 1, place + 1):
                    point = start + inside * stride
                    if state[point] == 0:
                        worth[point] += key
                        best = max(best, worth[point])
    needed = -1.0
    if longer_wins and best >= WINS:
        needed = WINS
    elif longer_wins and a_turn == 1 and best >= BLOCKS:
        needed = BLOCKS
    kept = 0
    for index in range(count):
        if worth[actions[index]] >= needed:
            actions[kept] = actions[index]
            keys[kept] = worth[actions[index]]
            kept += 1
    return kept


@rule(ranks_cheaply, Windows)
def windows_rank_cheaply(evaluation):
    return True


class Threes(NamedTuple):
    """Tic-tac-toe: open lines, those with two stones counting `growth` times one with a single stone."""

    growth: float = 3.0
    scale: float = 8.0


@rule(assess, Threes)
def assess_threes(evaluation, rules, state):
    total = 0.0
    for index in range(THREE.shape[0]):
        x, o = popcount(state[0] & THREE[index]), popcount(state[1] & THREE[index])
        if o == 0 and x > 0:
            total += evaluation.growth ** (x - 1)
        elif x == 0 and o > 0:
            total -= evaluation.growth ** (o - 1)
    total += 0.5 if state[PLY] & 1 == 0 else -0.5
    return math.tanh(total / evaluation.scale)
