"""Self-play and learning for n-tuple tables of any game, inside kernels. Start at `play_games` and `fit`.

Both sides play the move after which the tables like the position best, with a few random moves in between. The label of
a position is the lambda-return over the values of the moves played, down to the result of the game; it starts anew
where a random move was played.
"""

import numpy as np

from boyi.games.generics import CHANCE, RUNNING, legal, outcome, sample, setup, step, turn
from boyi.games.kernels import kernel
from boyi.games.randomness import below
from boyi.quick.tuples import list_features
from boyi.search.evaluation import child_values

LONGEST = 1000
"""Decisions of a game; a longer one is a draw."""


@kernel
def play_games(rules, net, most_random, stray, lambda_, rng, mask, scratch, states, labels):
    """Fill `states` [N, state_size] and `labels` [N], results for player 0, with positions of whole games; returns how
    many rows and games.

    Games begin with 0 to `most_random` random moves; then of a thousand `stray` are random. `mask` [A] and `scratch`
    (a state row) are spare room.
    """
    seen = np.zeros((LONGEST, states.shape[1]), states.dtype)
    values = np.zeros(LONGEST)
    strayed = np.zeros(LONGEST, np.uint8)
    state = np.zeros(states.shape[1], states.dtype)
    actions = np.zeros(mask.shape[0], np.int16)
    keys = np.zeros(mask.shape[0])
    rows, games = 0, 0
    while True:
        setup(rules, state, rng)
        random_left = below(rng, most_random + 1)
        count = 0
        while outcome(rules, state) == RUNNING and count < LONGEST:
            mover = turn(rules, state)
            action = sample(rules, state, mask, rng)
            if mover == CHANCE:
                step(rules, state, action)
                continue
            if random_left > 0:
                random_left -= 1
                step(rules, state, action)
                continue
            legal(rules, state, mask)
            moves = 0
            for move in range(mask.shape[0]):
                if mask[move]:
                    actions[moves] = move
                    moves += 1
            child_values(net, rules, state, scratch, actions, keys, moves)
            sign = 1.0 - 2.0 * mover
            best, equals = 0, 1
            for index in range(1, moves):
                if sign * keys[index] > sign * keys[best]:
                    best, equals = index, 1
                elif keys[index] == keys[best]:
                    equals += 1
                    if below(rng, equals) == 0:
                        best = index
            for entry in range(state.shape[0]):
                seen[count, entry] = state[entry]
            values[count] = keys[best]
            strayed[count] = 1
            if below(rng, 1000) >= stray:
                action = actions[best]
                strayed[count] = 0
            count += 1
            step(rules, state, action)
        result = outcome(rules, state)
        label = 0.0 if result == RUNNING else float(result)
        if rows + count > labels.shape[0]:
            return rows, games
        games += 1
        for index in range(count - 1, -1, -1):
            label = values[index] if strayed[index] else (1.0 - lambda_) * values[index] + lambda_ * label
            for entry in range(state.shape[0]):
                states[rows, entry] = seen[index, entry]
            labels[rows] = label
            rows += 1


@kernel
def fit(rules, net, visits, states, labels, order, rate, most_rate):
    """One pass of online logistic regression over the rows of `order`, with steps of rate / sqrt(visits), at most
    `most_rate`, for each weight. Returns the root of the mean squared error before each step.

    `visits` is float32 [2, stride].
    """
    indices = np.zeros(net.lengths.shape[0], np.int64)
    squares = 0.0
    for at in range(order.shape[0]):
        row = order[at]
        mover = turn(rules, states[row])
        list_features(net, rules, states[row], indices)
        total = np.float32(0.0)
        for place in range(indices.shape[0]):
            total += net.weights[mover, indices[place]]
        label = labels[row] if mover == 0 else -labels[row]
        error = np.float32(label - np.tanh(total))
        squares += error * error
        for place in range(indices.shape[0]):
            index = indices[place]
            visits[mover, index] += np.float32(1.0)
            net.weights[mover, index] += np.float32(min(rate / np.sqrt(visits[mover, index]), most_rate)) * error
    return np.sqrt(squares / max(order.shape[0], 1))
