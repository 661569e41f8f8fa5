"""EinStein self-play and learning, inside kernels. Start at `play_games` and `learn`.

Every position met before a roll is a sample: its target is the exact backup over one ply, the mean over the six rolls
of the best move's chance by the net itself, or by the tablebase where that reaches. So a sample needs no end of the
game.
"""

import numpy as np

from boyi.exact.einstein_layout import SIZE
from boyi.games.einstein import ALIVE, MOVABLE, MOVER, RESULT
from boyi.games.generics import RUNNING, setup, step
from boyi.games.kernels import bare_kernel, kernel
from boyi.games.randomness import below
from boyi.quick.einstein_net import (
    HIDDEN,
    INPUTS,
    WIDTH,
    before_roll,
    list_inputs,
    move_chances,
    sigmoid,
    upper_layers,
)

BATCH = 256
RATE, LAST_RATE = 1.5e-3, 1e-5
STRAY = 100
"""Random moves in a thousand."""
KEEP_FIRST, KEEP_SECOND, TINY = 0.9, 0.999, 1e-8
"""Adam's constants."""


@bare_kernel
def choose_move(state, chances, die, stray, rng):
    """The best move of a roll by the chances, or now and then a random one; as 3 * stone + direction."""
    alive = np.int64(state[ALIVE + state[MOVER]])
    first, second = np.int64(MOVABLE[alive, die, 0]), np.int64(MOVABLE[alive, die, 1])
    if below(rng, 1000) < stray:
        stone = second if second >= 0 and below(rng, 2) == 1 else first
        move = 3 * stone + below(rng, 3)
        while chances[move] < 0.0:
            move = 3 * stone + below(rng, 3)
        return move
    best = 3 * first
    for stone in (first, second):
        if stone >= 0:
            for move in range(3 * stone, 3 * stone + 3):
                if chances[move] > chances[best]:
                    best = move
    return best


@kernel
def play_games(rules, net, table, most_stones, state, samples, targets, room, rng):
    """Go on with the game in `state` and fill `samples` [N, 12] and `targets` [N]; returns the games that ended.

    A game ends where the table knows the rest. A sample is own and other squares, each in its owner's view.
    """
    chances = np.zeros(18)
    games = 0
    for row in range(targets.shape[0]):
        move_chances(net, table, most_stones, state, chances, room)
        mover = np.int64(state[MOVER])
        for stone in range(6):
            samples[row, stone] = room.mine[stone]
            samples[row, 6 + stone] = room.yours[stone]
        targets[row] = before_roll(np.int64(state[ALIVE + mover]), chances)
        die = below(rng, 6)
        move = choose_move(state, chances, die, STRAY, rng)
        step(rules, state, die)
        step(rules, state, 3 * room.mine[move // 3] + move % 3)
        if state[RESULT] != RUNNING or SIZE[state[ALIVE]] + SIZE[state[ALIVE + 1]] <= most_stones:
            setup(rules, state, rng)
            state[MOVER] = below(rng, 2)
            games += 1
    return games


@bare_kernel
def turned_sample(sample, own, other, rng):
    """A sample under a random one of the game's eight symmetries that keep the side: transposed, renumbered."""
    transpose, flip_own, flip_other = below(rng, 2), below(rng, 2), below(rng, 2)
    for stone in range(6):
        for side in range(2):
            square = np.int64(sample[6 * side + stone])
            if square >= 0 and transpose:
                square = 5 * (square % 5) + square // 5
            if side == 0:
                own[5 - stone if flip_own else stone] = square
            else:
                other[5 - stone if flip_other else stone] = square


@bare_kernel
def adam(weights, gradient, first, second, rate, number):
    """One step on a flat array; clears the gradient."""
    scale = np.float32(rate * np.sqrt(1.0 - KEEP_SECOND**number) / (1.0 - KEEP_FIRST**number))
    keep_1, keep_2 = np.float32(KEEP_FIRST), np.float32(KEEP_SECOND)
    take_1, take_2 = np.float32(1.0 - KEEP_FIRST), np.float32(1.0 - KEEP_SECOND)
    tiny = np.float32(TINY)
    for at in range(weights.shape[0]):
        slope = gradient[at]
        first[at] = keep_1 * first[at] + take_1 * slope
        second[at] = keep_2 * second[at] + take_2 * slope * slope
        weights[at] -= scale * first[at] / (np.sqrt(second[at]) + tiny)
        gradient[at] = np.float32(0.0)


@kernel
def learn(net, slopes, first, second, samples, targets, order, rate, number, room, rng):
    """One pass over the samples in that order, a step of Adam for every BATCH; the loss is the cross-entropy.

    `slopes`, `first` and `second` are nets too: of gradients and of Adam's two averages. Returns the number of the last
    step and the root of the mean squared error.
    """
    signal = np.zeros(HIDDEN, np.float32)
    below_signal = np.zeros(WIDTH, np.float32)
    nothing = np.float32(0.0)
    share = np.float32(1.0 / BATCH)
    squares = 0.0
    for at in range(order.shape[0]):
        row = order[at]
        turned_sample(samples[row], room.own, room.other, rng)
        count, logit = list_inputs(net, room.own, room.other, room.inputs)
        for k in range(WIDTH):
            room.layer[k] = net.first_bias[k]
        for place in range(count):
            feature = room.inputs[place]
            for k in range(WIDTH):
                room.layer[k] += net.first[feature, k]
        output = sigmoid(upper_layers(net, room.layer, room.hidden, logit))
        error = np.float32(output - targets[row])
        squares += error * error
        error *= share
        for j in range(HIDDEN):
            active = room.hidden[j] > nothing
            signal[j] = error * net.last[j] if active else nothing
            slopes.last[j] += error * room.hidden[j] if active else nothing
            slopes.second_bias[j] += signal[j]
        slopes.last[HIDDEN] += error
        slopes.last[HIDDEN + 1] += error * logit
        for k in range(WIDTH):
            value = room.layer[k]
            below_signal[k] = nothing
            if value > nothing:
                a, b, c, d = nothing, nothing, nothing, nothing  # four sums at once: one would wait for itself
                for j in range(0, HIDDEN, 4):
                    a += signal[j] * net.second[k, j]
                    b += signal[j + 1] * net.second[k, j + 1]
                    c += signal[j + 2] * net.second[k, j + 2]
                    d += signal[j + 3] * net.second[k, j + 3]
                for j in range(HIDDEN):
                    slopes.second[k, j] += value * signal[j]
                below_signal[k] = (a + b) + (c + d)
        for k in range(WIDTH):
            slopes.first_bias[k] += below_signal[k]
        for place in range(count):
            feature = room.inputs[place]
            for k in range(WIDTH):
                slopes.first[feature, k] += below_signal[k]
        if (at + 1) % BATCH == 0 or at + 1 == order.shape[0]:
            number += 1
            adam(
                net.first.reshape(INPUTS * WIDTH),
                slopes.first.reshape(INPUTS * WIDTH),
                first.first.reshape(INPUTS * WIDTH),
                second.first.reshape(INPUTS * WIDTH),
                rate,
                number,
            )
            adam(
                net.second.reshape(WIDTH * HIDDEN),
                slopes.second.reshape(WIDTH * HIDDEN),
                first.second.reshape(WIDTH * HIDDEN),
                second.second.reshape(WIDTH * HIDDEN),
                rate,
                number,
            )
            adam(net.first_bias, slopes.first_bias, first.first_bias, second.first_bias, rate, number)
            adam(net.second_bias, slopes.second_bias, first.second_bias, second.second_bias, rate, number)
            adam(net.last, slopes.last, first.last, second.last, rate, number)
    return number, np.sqrt(squares / max(order.shape[0], 1))
