"""EinStein's quick net, 808 -> 128 -> 32 -> 1: the chance that the side about to roll wins. Start at `move_chances`.

The stones of either side are seen by their owner, who runs from square 0 to 24: `own` [6] and `other` [6] are squares,
-1 for a captured stone; own is the side about to roll. The inputs are sparse, each set feature adding a row of the
first layer:

    0     own stone x its square                        300   the same for the other side
    150   for how many rolls it may move x its square   450
    600   the own living stones as a set                664   the other side's
    728   the race: own winning chance if nothing is ever taken, as a logit in 32 steps
    760   own turns to the corner if nothing is ever taken, in 24 steps   784   the other side's

The logit of the race also goes straight to the output. The race is exact (`race_tables`): a stone needs as many moves
as the larger of the rows and columns that are left to it, so six numbers of 0 to 4 say all of it.
"""

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.exact.einstein_layout import SIZE, TOP, index_of
from boyi.games.einstein import ALIVE, COUNTS, DIRECTIONS, MOVABLE, MOVER, STONES, view_of
from boyi.games.kernels import bare_call, bare_kernel, kernel
from boyi.quick.store import Arrays

INPUTS, WIDTH, HIDDEN = 808, 128, 32
OTHER, OWN_SET, OTHER_SET, RACE, OWN_TURNS, OTHER_TURNS = 300, 600, 664, 728, 760, 784
COUNTED = 150
RACE_STEPS, TURN_STEPS = 32, 24
RACES, TURNS = 5**6, 16
FIVES = 5 ** np.arange(6)
DISTANCE = np.array([max(4 - square // 5, 4 - square % 5) for square in range(25)])
"""Moves from a square to the corner."""
STEP = np.array([1, 5, 6])
"""How far a move goes in its owner's view, by direction."""
MOVES = 18
"""Stones times directions: the move 3 * stone + direction."""
NO_MOVE = -1.0


class StonesNet(NamedTuple):
    """The weights and what goes with them."""

    first: NDArray[np.float32]  # [INPUTS, WIDTH]
    first_bias: NDArray[np.float32]  # [WIDTH]
    second: NDArray[np.float32]  # [WIDTH, HIDDEN]
    second_bias: NDArray[np.float32]  # [HIDDEN]
    last: NDArray[np.float32]  # [HIDDEN + 2], then the bias and the weight of the race
    ends: NDArray[np.float32]  # [RACES, TURNS] the chance that a side alone arrives in just that turn
    left: NDArray[np.float32]  # [RACES, TURNS] the chance that it has not arrived before that turn
    turns: NDArray[np.int64]  # [RACES] expected turns, in steps


class Room(NamedTuple):
    """Scratch space for evaluations."""

    own: NDArray[np.int64]  # [6]
    other: NDArray[np.int64]  # [6]
    inputs: NDArray[np.int64]  # [40] features that are set
    base: NDArray[np.float32]  # [WIDTH] what the moves of a position have in common
    layer: NDArray[np.float32]  # [WIDTH]
    hidden: NDArray[np.float32]  # [HIDDEN]
    mine: NDArray[np.int64]  # [6] a position's stones, each side in its own view
    yours: NDArray[np.int64]  # [6]


def make_room() -> Room:
    six = [np.zeros(6, np.int64) for _ in range(4)]
    layer = [np.zeros(WIDTH, np.float32) for _ in range(2)]
    return Room(six[0], six[1], np.zeros(40, np.int64), layer[0], layer[1], np.zeros(HIDDEN, np.float32), *six[2:])


@kernel
def fill_races(expected, ends):
    """The race of every set of distances (a number of six digits to the base 5): expected turns and when it ends, if
    each roll moves the stone that shortens the expectation most."""
    digits = np.zeros(6, np.int64)
    for code in range(1, RACES):
        rest, alive = code, 0
        for stone in range(6):
            digits[stone] = rest % 5
            rest //= 5
            alive |= (digits[stone] > 0) << stone
        expected[code] = 1.0
        for die in range(6):
            best, best_turns = 0, np.inf
            for choice in range(2):
                stone = MOVABLE[alive, die, choice]
                if stone >= 0:
                    after = 0 if digits[stone] == 1 else code - FIVES[stone]
                    if expected[after] < best_turns:
                        best, best_turns = after, expected[after]
            expected[code] += best_turns / 6.0
            if best == 0:
                ends[code, 0] += 1.0 / 6.0
            else:
                for turn in range(1, TURNS):
                    ends[code, turn] += ends[best, turn - 1] / 6.0


@functools.cache
def race_tables() -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]:
    """`ends`, `left` and `turns` of `StonesNet`."""
    expected, ends = np.zeros(RACES), np.zeros((RACES, TURNS))
    fill_races(expected, ends)
    left = np.ones_like(ends)
    left[:, 1:] -= np.cumsum(ends, axis=1)[:, :-1]
    longest = expected.max()
    turns = np.minimum((expected / longest * TURN_STEPS).astype(np.int64), TURN_STEPS - 1)
    return ends.astype(np.float32), left.astype(np.float32), turns


def stones_net(arrays: Arrays) -> StonesNet:
    """The net with its tables."""
    ends, left, turns = race_tables()
    return StonesNet(
        arrays["first"],
        arrays["first_bias"],
        arrays["second"],
        arrays["second_bias"],
        arrays["last"],
        ends,
        left,
        turns,
    )


def fresh_arrays(seed: int) -> Arrays:
    """Random weights to begin with; the race counts fully."""
    random = np.random.default_rng(seed)
    last = np.concatenate([random.normal(0, 0.1, HIDDEN), [0.0, 1.0]])
    return {
        "first": random.normal(0, 0.15, (INPUTS, WIDTH)).astype(np.float32),
        "first_bias": np.zeros(WIDTH, np.float32),
        "second": random.normal(0, np.sqrt(2 / WIDTH), (WIDTH, HIDDEN)).astype(np.float32),
        "second_bias": np.zeros(HIDDEN, np.float32),
        "last": last.astype(np.float32),
    }


@bare_kernel
def race_logit(net, own_race, other_race):
    """The logit of the chance to win the race, and its step."""
    chance = np.float32(0.0)
    for turn in range(TURNS):
        chance += net.ends[own_race, turn] * net.left[other_race, turn]
    chance = min(max(chance, np.float32(1e-3)), np.float32(1.0 - 1e-3))
    logit = np.float32(np.log(chance / (np.float32(1.0) - chance)))
    step = np.int64((logit + 6.0) * ((RACE_STEPS - 1) / 12.0) + 0.5)
    return logit, min(max(step, 0), RACE_STEPS - 1)


@bare_kernel
def side_inputs(stones, at, inputs, count):
    """Add the features of one side's stones; returns how many are set then, the living set, and the race."""
    alive, race = 0, 0
    for stone in range(6):
        if stones[stone] >= 0:
            alive |= 1 << stone
            race += FIVES[stone] * DISTANCE[stones[stone]]
    for stone in range(6):
        square = stones[stone]
        if square >= 0:
            inputs[count] = at + 25 * stone + square
            inputs[count + 1] = at + COUNTED + 25 * (COUNTS[alive, stone] - 1) + square
            count += 2
    return count, alive, race


@bare_kernel
def list_inputs(net, own, other, inputs):
    """The features of a position; returns how many are set, and the race's logit."""
    count, own_set, own_race = side_inputs(own, 0, inputs, 0)
    count, other_set, other_race = side_inputs(other, OTHER, inputs, count)
    logit, step = race_logit(net, own_race, other_race)
    inputs[count] = OWN_SET + own_set
    inputs[count + 1] = OTHER_SET + other_set
    inputs[count + 2] = RACE + step
    inputs[count + 3] = OWN_TURNS + net.turns[own_race]
    inputs[count + 4] = OTHER_TURNS + net.turns[other_race]
    return count + 5, logit


@bare_kernel
def upper_layers(net, layer, hidden, logit):
    """The output's logit from the first layer's sums; both layers cut off below 0."""
    nothing = np.float32(0.0)
    for j in range(HIDDEN):
        hidden[j] = net.second_bias[j]
    for k in range(0, WIDTH, 4):
        a, b = max(layer[k], nothing), max(layer[k + 1], nothing)
        c, d = max(layer[k + 2], nothing), max(layer[k + 3], nothing)
        if a + b + c + d > nothing:
            for j in range(HIDDEN):
                more = a * net.second[k, j] + b * net.second[k + 1, j]
                hidden[j] += more + (c * net.second[k + 2, j] + d * net.second[k + 3, j])
    total = net.last[HIDDEN] + net.last[HIDDEN + 1] * logit
    for j in range(HIDDEN):
        total += max(hidden[j], nothing) * net.last[j]
    return total


@bare_kernel
def sigmoid(logit):
    return 1.0 / (1.0 + np.exp(-np.float64(logit)))


@bare_call
def chance_of(net, own, other, room):
    """The chance that the side about to roll wins."""
    count, logit = list_inputs(net, own, other, room.inputs)
    for k in range(WIDTH):
        room.layer[k] = net.first_bias[k]
    for place in range(count):
        row = room.inputs[place]
        for k in range(WIDTH):
            room.layer[k] += net.first[row, k]
    return sigmoid(upper_layers(net, room.layer, room.hidden, logit))


@bare_kernel
def read_stones(state, mine, yours):
    """The squares of the mover's and the other side's stones, each in its owner's view."""
    mover = np.int64(state[MOVER])
    for stone in range(6):
        square = np.int64(state[STONES + 6 * mover + stone])
        mine[stone] = view_of(square, mover) if square >= 0 else -1
        square = np.int64(state[STONES + 6 * (1 - mover) + stone])
        yours[stone] = view_of(square, 1 - mover) if square >= 0 else -1


@bare_call
def move_chances(net, table, most_stones, state, chances, room):
    """Write the mover's chance to win after each of the 18 moves of its stones, whatever the die, into `chances` [18];
    NO_MOVE where there is none. Exact where the game ends, and with `most_stones` or fewer left, where `table` reaches.
    """
    mover = np.int64(state[MOVER])
    mine, yours = room.mine, room.yours
    read_stones(state, mine, yours)
    my_set, your_set = np.int64(state[ALIVE + mover]), np.int64(state[ALIVE + 1 - mover])
    stones = SIZE[my_set] + SIZE[your_set]
    my_race, your_race = 0, 0
    if stones > most_stones:
        count, _, your_race = side_inputs(yours, 0, room.inputs, 0)
        count, _, my_race = side_inputs(mine, OTHER, room.inputs, count)
        room.inputs[count] = OWN_SET + your_set
        room.inputs[count + 1] = OTHER_SET + my_set
        room.inputs[count + 2] = OWN_TURNS + net.turns[your_race]
        for k in range(WIDTH):
            room.base[k] = net.first_bias[k]
        for place in range(count + 3):
            row = room.inputs[place]
            for k in range(WIDTH):
                room.base[k] += net.first[row, k]
    for stone in range(6):
        square = mine[stone]
        ways = DIRECTIONS[square] if square >= 0 else 0
        for direction in range(3):
            move = 3 * stone + direction
            if not ways >> direction & 1:
                chances[move] = NO_MOVE
                continue
            goal = square + STEP[direction]
            target = view_of(goal, mover)
            taken = np.int64(state[target]) - 1
            enemy = taken >= 0 and taken // 6 != mover
            if goal == 24 or (enemy and SIZE[your_set] == 1):
                chances[move] = 1.0
            elif stones - (taken >= 0) <= most_stones:
                entry = index_of(state, 1 - mover, 6 * mover + stone, target)
                chances[move] = 1.0 - table[entry] / TOP
            elif taken >= 0:
                for other in range(6):
                    room.own[other] = -1 if enemy and other == taken % 6 else yours[other]
                    room.other[other] = -1 if not enemy and other == taken % 6 else mine[other]
                room.other[stone] = goal
                chances[move] = 1.0 - chance_of(net, room.own, room.other, room)
            else:
                race = my_race + FIVES[stone] * (DISTANCE[goal] - DISTANCE[square])
                logit, step = race_logit(net, your_race, race)
                counted = OTHER + COUNTED + 25 * (COUNTS[my_set, stone] - 1)
                old, new = OTHER + 25 * stone + square, OTHER + 25 * stone + goal
                turns = OTHER_TURNS + net.turns[race]
                for k in range(WIDTH):
                    gained = net.first[new, k] + net.first[counted + goal, k] + net.first[RACE + step, k]
                    lost = net.first[old, k] + net.first[counted + square, k]
                    room.layer[k] = room.base[k] + gained - lost + net.first[turns, k]
                chances[move] = 1.0 - sigmoid(upper_layers(net, room.layer, room.hidden, logit))


@bare_kernel
def best_of(chances, stone):
    return max(chances[3 * stone], max(chances[3 * stone + 1], chances[3 * stone + 2]))


@bare_kernel
def before_roll(alive, chances):
    """The mean over the six rolls of the best move's chance: the exact backup over one ply."""
    total = 0.0
    for die in range(6):
        best = best_of(chances, np.int64(MOVABLE[alive, die, 0]))
        second = np.int64(MOVABLE[alive, die, 1])
        if second >= 0:
            best = max(best, best_of(chances, second))
        total += best
    return total / 6.0
