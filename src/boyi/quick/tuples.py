"""The quick net for any game: tables over n-tuples of squares, shared by the game's symmetries. Start at `tuple_net`.

What stands on a square is read off the planes that the game shows to nets, from the mover's side, so a user's own game
needs nothing further: a *symbol* is 0 for an empty square and 1 + c where plane c is set. Planes that are not of this
kind (numbers, or set where another one is) are left out; random games tell which.

A tuple is a row of squares; its symbols are the digits of a number that looks up a weight. There are tuples for each
square, for the lines of the board in all four directions, and for boxes, each as long as its table stays small.
Images of a tuple under the game's symmetries share its table, so that symmetric positions have one value (n-tuple
networks: Lucas 2008, Thill et al. 2012). The two players have weights of their own. The value is the tanh of the sum,
for the mover.
"""

import functools
import itertools
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.games.generics import CHANCE, RUNNING, chance, observe, outcome, rule, step, turn
from boyi.games.kernels import kernel
from boyi.quick.store import Arrays
from boyi.search.evaluation import assess

LARGEST_TABLE = 60_000
MOST_TUPLES = 220
BOXES = ((3, 3), (2, 4), (4, 2), (2, 3), (3, 2), (2, 2))
PROBES = 40
"""Random games that tell which planes are symbols."""


class TupleNet(NamedTuple):
    """Tables and the room to evaluate: T tuples of up to L squares."""

    weights: NDArray[np.float32]  # [2, stride] by the player to move
    squares: NDArray[np.int32]  # [T, L]
    lengths: NDArray[np.int32]  # [T]
    offsets: NDArray[np.int32]  # [T] where the tuple's table begins
    channels: NDArray[np.int32]  # [symbols - 1] planes that are symbols
    base: int  # symbols
    planes: NDArray[np.float32]  # [C, H, W]
    symbols: NDArray[np.int32]  # [H * W]
    probabilities: NDArray[np.float64]  # [num_actions]
    state: NDArray[Any]  # a spare row


class Shape(NamedTuple):
    """The tuples of a game, without weights."""

    squares: NDArray[np.int32]
    lengths: NDArray[np.int32]
    offsets: NDArray[np.int32]
    channels: NDArray[np.int32]
    stride: int


def symbol_planes(game: Game) -> list[int]:
    """The planes of the usual observer that say what stands on a square: 0 or 1, and only one of them on a square."""
    random = np.random.default_rng(0)
    views = []
    for seed in range(PROBES):
        position = game.start(seed=seed)
        while position.turn is not None:
            if position.turn != CHANCE:
                views.append(position.observe())
            position = position.play_action(int(random.choice(position.actions)))
    shown = np.stack(views)
    found: list[int] = []
    taken = np.zeros(shown[:, 0].shape)
    for plane in range(shown.shape[1]):
        seen = shown[:, plane]
        whole = (seen == seen[:, :1, :1]).all(axis=(1, 2))  # a plane that is the same all over says nothing of squares
        if np.isin(seen, (0, 1)).all() and not whole.all() and not (taken * seen).any():
            found.append(plane)
            taken = taken + seen
    return found


@functools.cache
def shape_of(game: Game) -> Shape:
    """The tuples of a game and the tables that they share."""
    channels = symbol_planes(game)
    base = len(channels) + 1
    longest = max(1, int(math.log(LARGEST_TABLE) / math.log(base) + 1e-9))
    turns = [symmetry.squares for symmetry in game.symmetries if not symmetry.turns]
    tables: dict[tuple[int, ...], int] = {}
    covered: set[frozenset[int]] = set()
    stride = 0
    for kind in _kinds(*game.shape, longest):
        if tables and len(tables) + len(kind) > MOST_TUPLES:
            continue
        for squares in kind:
            if frozenset(squares) not in covered:
                images = {tuple(int(place[square]) for square in squares): stride for place in turns}
                tables |= images
                covered |= {frozenset(image) for image in images}
                stride += base ** len(squares)
    tuples = list(tables.items())
    lengths = np.array([len(squares) for squares, _ in tuples], np.int32)
    rows = np.zeros((len(tuples), int(lengths.max())), np.int32)
    for row, (squares, _) in enumerate(tuples):
        rows[row, : len(squares)] = squares
    offsets = np.array([offset for _, offset in tuples], np.int32)
    return Shape(rows, lengths, offsets, np.array(channels, np.int32), stride)


def _kinds(height: int, width: int, longest: int) -> list[list[tuple[int, ...]]]:
    """Groups of tuples, the most useful first: lines, boxes, single squares."""
    lines: list[tuple[int, ...]] = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, column in itertools.product(range(height), range(width)):
            if 0 <= row - down < height and 0 <= column - right < width:
                continue  # not where a line begins
            line = []
            while 0 <= row < height and 0 <= column < width:
                line.append(row * width + column)
                row, column = row + down, column + right
            if len(line) >= 3:
                cut = min(longest, len(line))
                lines += [tuple(line[at : at + cut]) for at in range(len(line) - cut + 1)]
    groups = [lines]
    chosen: list[tuple[int, int]] = []
    for tall, wide in BOXES:
        inside = any(tall <= other_tall and wide <= other_wide for other_tall, other_wide in chosen)
        if tall * wide <= longest and tall <= height and wide <= width and not inside:
            chosen.append((tall, wide))
            places = itertools.product(range(height - tall + 1), range(width - wide + 1))
            groups.append(
                [
                    tuple((row + r) * width + column + c for r in range(tall) for c in range(wide))
                    for row, column in places
                ]
            )
    groups.append([(square,) for square in range(height * width)])
    return [group for group in groups if group]


def tuple_net(game: Game, arrays: Arrays) -> TupleNet:
    """The net with its room."""
    shape = shape_of(game)
    observer = next(iter(game.observers))
    return TupleNet(
        arrays["weights"],
        shape.squares,
        shape.lengths,
        shape.offsets,
        shape.channels,
        len(shape.channels) + 1,
        np.zeros((game.observers[observer], *game.shape), np.float32),
        np.zeros(game.num_squares, np.int32),
        np.zeros(game.num_actions),
        game.blank(),
    )


@kernel
def read_symbols(net, rules, state):
    """Fill `net.symbols` with what stands on each square, as the mover sees it."""
    net.planes[:] = 0.0
    observe(rules, state, 0, net.planes)
    width = net.planes.shape[2]
    for square in range(net.symbols.shape[0]):
        net.symbols[square] = 0
    for index in range(net.channels.shape[0]):
        for square in range(net.symbols.shape[0]):
            if net.planes[net.channels[index], square // width, square % width] > 0.5:
                net.symbols[square] = index + 1


@kernel
def list_features(net, rules, state, out):
    """Write the index of every tuple's weight into `out` [T]."""
    read_symbols(net, rules, state)
    for row in range(net.lengths.shape[0]):
        code = 0
        for place in range(net.lengths[row]):
            code = code * net.base + net.symbols[net.squares[row, place]]
        out[row] = net.offsets[row] + code


@kernel
def mover_value(net, rules, state):
    """The expected result for the player to move of a state where one decides."""
    read_symbols(net, rules, state)
    weights = net.weights[turn(rules, state)]
    total = np.float32(0.0)
    for row in range(net.lengths.shape[0]):
        code = 0
        for place in range(net.lengths[row]):
            code = code * net.base + net.symbols[net.squares[row, place]]
        total += weights[net.offsets[row] + code]
    return np.float64(np.tanh(total))


@rule(assess, TupleNet)
def assess_by_tuples(evaluation, rules, state):
    """Before a roll the mean over its outcomes."""
    mover = turn(rules, state)
    if mover != CHANCE:
        value = mover_value(evaluation, rules, state)
        return value if mover == 0 else -value
    for action in range(evaluation.probabilities.shape[0]):
        evaluation.probabilities[action] = 0.0
    chance(rules, state, evaluation.probabilities)
    total = 0.0
    for action in range(evaluation.probabilities.shape[0]):
        share = evaluation.probabilities[action]
        if share > 0.0:
            for entry in range(state.shape[0]):
                evaluation.state[entry] = state[entry]
            step(rules, evaluation.state, action)
            result = outcome(rules, evaluation.state)
            if result != RUNNING:
                total += share * result
            elif turn(rules, evaluation.state) != CHANCE:
                value = mover_value(evaluation, rules, evaluation.state)
                total += share * (value if turn(rules, evaluation.state) == 0 else -value)
    return total
