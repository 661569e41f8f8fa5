"""What a deep net teaches: its games against itself, and a quick net fitted to them. Start at `deep_games`, `STUDENTS`.

The games are played many at once, as in self-play. What a student learns from them depends on its kind: line tables
moves, values and results; Othello patterns margins; EinStein's net the chance before the roll.
"""

import itertools
import json
import math
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.exact.othello import Budget, EndgameSolver
from boyi.games.bits import popcount
from boyi.games.einstein import DIE
from boyi.games.game import Game
from boyi.games.othello import MOVES, OTHER, OWN
from boyi.games.position import Position
from boyi.games.randomness import generator
from boyi.nets.evaluator import NetEvaluator
from boyi.quick.einstein_learner import EinsteinLearner
from boyi.quick.einstein_net import read_stones
from boyi.quick.einstein_train import LAST_RATE, RATE, learn
from boyi.quick.learner import Plan
from boyi.quick.lines_board import make_board
from boyi.quick.lines_learn import MAX_STONES, UNSEARCHED, Games, blank_games, side_after
from boyi.quick.lines_learner import KEEP, LinesConfig, first_squares
from boyi.quick.lines_learner import learn as fit_lines
from boyi.quick.lines_tables import packed
from boyi.quick.lines_weights import SCALE, board_tables, first_weights
from boyi.quick.othello_calibrate import calibrate
from boyi.quick.othello_engine import MOST_EXPECTED, margin_of
from boyi.quick.othello_learner import OthelloLearner
from boyi.quick.othello_search import FEWEST
from boyi.quick.store import Arrays
from boyi.search.selfplay import final_scores
from boyi.search.simulate import fill_planes
from boyi.studies.facts import read_json
from boyi.train.config import find_config
from boyi.train.files import write_file
from boyi.train.samples import Samples, join, read_samples, write_samples
from boyi.train.selfplay import play_games, warm_up

BATCH = 32
"""Games that the deep net plays at once."""
SECONDS = "seconds.json"
"""The file with the processor time of each batch."""
HELD_OUT = 20
"""One of so many positions, the last ones, is not learnt from and shows the error."""
EXACT_EMPTY = 12
"""Empty squares of Othello from which margins are solved."""
OTHELLO_LAMBDA, OTHELLO_EPOCHS, CALIBRATED = 0.7, 4, 0.02
EINSTEIN_LAMBDA, EINSTEIN_EPOCHS, CHUNK = 0.5, 12, 32_768


class Lessons(NamedTuple):
    """A deep net, its games, and the minutes that the student has in all."""

    game: Game
    net: NetEvaluator
    samples: Samples
    minutes: float
    seed: int


Student = Callable[[Lessons], tuple[Arrays, str]]
"""Learns a quick net from games: its arrays, and how far off it is, as text."""


def deep_games(name: str, net: NetEvaluator, folder: Path, *, seconds: float, simulations: int, seed: int) -> Samples:
    """Games of a net against itself that took so much processor time, kept in batches with the seconds of each."""
    game = net.game
    config = replace(find_config(name).selfplay, teacher="", exact=False, parallel=BATCH, simulations=simulations)
    warm_up(game, str(net.observer), config)
    folder.mkdir(parents=True, exist_ok=True)
    times: list[float] = read_json(folder / SECONDS, [])
    while not times or sum(times) + times[-1] / 2 < seconds:
        began = time.process_time()
        number = len(times)
        samples, _ = play_games(game, net, config, games=BATCH, seed=int(generator(seed, number)[0] >> 1))
        times.append(time.process_time() - began)
        write_file(folder / f"{number:04}.npz", write_samples(samples))
        write_file(folder / SECONDS, json.dumps(times))
    return join(game, [read_samples(folder / f"{number:04}.npz", game) for number in range(len(times))])


def taught_lines(lessons: Lessons) -> tuple[Arrays, str]:
    """Line tables fitted to games, as a self-taught net begins after its first generations."""
    game, seed = lessons.game, lessons.seed
    weights = first_weights(game.rules, seed)
    games = stones_of(game, lessons.samples)
    losses = fit_lines(game, weights, first_squares(weights), [games], LinesConfig(seed=seed), len(KEEP))
    return packed(game, weights), f"{losses['value_loss']:.3f} log-loss"


def stones_of(game: Game, samples: Samples) -> Games:
    """Games in the order of their stones. That of the random opening is not known, and not learnt from."""
    board = make_board(game.rules, board_tables(game.rules, first_weights(game.rules, 0)))
    games, searched = blank_games(samples.num_games), samples.searched
    for number in range(samples.num_games):
        rows = np.flatnonzero(samples.games == number)
        cells = np.concatenate([samples.states[rows], samples.finals[[number]]])[:, : game.num_squares]
        waiting = [np.flatnonzero(cells[0] == stone).tolist() for stone in (1, 2)]
        opening = len(waiting[0]) + len(waiting[1])
        actions = [waiting[side_after(board.turn, stones)].pop() for stones in range(opening)]
        actions += [int(np.flatnonzero(after != before)[0]) for before, after in itertools.pairwise(cells)]
        length = min(len(actions), MAX_STONES)
        games.points[number, :length] = board.points[actions[:length]]
        values = np.clip(
            np.where(samples.movers[rows] == 0, 1, -1) * samples.values[rows], -MOST_EXPECTED, MOST_EXPECTED
        )
        scores = np.where(searched[rows], np.rint(SCALE * 2 * np.arctanh(values)), UNSEARCHED)
        games.scores[number, opening:length] = scores[: length - opening]
        games.lengths[number] = length
        games.results[number] = samples.outcomes[number]
    return games


def taught_othello(lessons: Lessons) -> tuple[Arrays, str]:
    """Pattern tables fitted to margins."""
    net = OthelloLearner(lessons.game, Plan(lessons.minutes, lessons.seed))
    boards, labels = margins(lessons.game, lessons.samples)
    samples: Arrays = {"boards": boards, "labels": labels}
    held_out = len(labels) // HELD_OUT
    net.window = [samples]
    net.learn(1, kept=0.0, epochs=OTHELLO_EPOCHS, held_out=held_out)
    seconds = 60 * CALIBRATED * lessons.minutes
    net.deviations = calibrate(lessons.game, net.arrays()["weights"], boards, seconds=seconds)
    return net.arrays(), f"{net.error(samples, held_out):.1f} discs"


def margins(game: Game, samples: Samples) -> tuple[NDArray[np.uint64], NDArray[np.float32]]:
    """Own and other discs [N, 2] and margins for the owner of own [N]: exact in the endgame, before it the
    lambda-return over the net's values as margins."""
    solver = EndgameSolver(game.rules.size, table_mb=8)
    ends = np.zeros(samples.num_games, np.float32)
    final_scores(game.rules, samples.finals, ends)
    searched, last, label = samples.searched, -1, 0.0
    boards, labels = [], []
    for row in range(samples.num_rows - 1, -1, -1):
        state, number = samples.states[row], samples.games[row]
        if number != last:
            last, label = number, float(ends[number])
        empties = game.num_squares - int(popcount(state[OWN] | state[OTHER]))
        if not state[MOVES] or empties < FEWEST:
            continue
        if empties <= EXACT_EMPTY:
            label = float(solver.value(Position(game, state), budget=Budget()))
        elif searched[row]:
            value = margin_of(float(samples.values[row]), empties)
            label = (1 - OTHELLO_LAMBDA) * value + OTHELLO_LAMBDA * label
        boards.append(state[[OWN, OTHER]])
        labels.append(label if samples.movers[row] == 0 else -label)
    return np.array(boards[::-1], np.uint64).reshape(-1, 2), np.array(labels[::-1], np.float32)


def taught_einstein(lessons: Lessons) -> tuple[Arrays, str]:
    """EinStein's net fitted to chances."""
    net = EinsteinLearner(lessons.game, Plan(lessons.minutes, lessons.seed))
    samples, targets = chances(lessons.net, lessons.samples)
    rng, random = generator(lessons.seed), np.random.default_rng(lessons.seed)
    learnt = len(targets) - len(targets) // HELD_OUT
    parts = [
        part
        for _ in range(EINSTEIN_EPOCHS)
        for part in np.array_split(random.permutation(learnt), max(1, round(learnt / CHUNK)))
    ]
    for number, part in enumerate(parts):
        rate = RATE * (0.5 + 0.5 * math.cos(math.pi * number / len(parts))) + LAST_RATE
        net.steps, _ = learn(*net.nets(), samples, targets, part, rate, net.steps, net.room, rng)
    arrays = net.arrays()
    unseen = np.arange(learnt, len(targets))
    _, error = learn(*net.nets(), samples, targets, unseen, 0.0, net.steps, net.room, rng)
    return arrays, f"{100 * error:.1f} % of chance"


def chances(net: NetEvaluator, samples: Samples) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Stones [N, 12] before a roll, as `einstein_train` wants them, and the chance of the side about to roll [N]: the
    lambda-return over the mean of the deep net's values after the six rolls."""
    rows = np.flatnonzero(samples.states[:, DIE] == 0)
    states: NDArray[Any] = samples.states[rows].astype(net.game.state_dtype)
    stones = np.zeros((len(rows), 12), np.int8)
    mine, yours = np.zeros(6, np.int64), np.zeros(6, np.int64)
    for row, state in enumerate(states):
        read_stones(state, mine, yours)
        stones[row] = [*mine, *yours]
    means = rolled_chances(net, states)
    targets = np.zeros(len(rows), np.float32)
    movers, numbers = samples.movers[rows].tolist(), samples.games[rows].tolist()
    last, chance = -1, 0.0
    for row in range(len(rows) - 1, -1, -1):
        number, mover = numbers[row], movers[row]
        if number != last:
            last, chance = number, (1 + float(samples.outcomes[number])) / 2
        mean = means[row] if mover == 0 else 1 - means[row]
        chance = (1 - EINSTEIN_LAMBDA) * mean + EINSTEIN_LAMBDA * chance
        targets[row] = chance if mover == 0 else 1 - chance
    return stones, targets


def rolled_chances(net: NetEvaluator, states: NDArray[Any]) -> NDArray[np.float64]:
    """The mean over the six rolls of the net's chances for the side that rolls, [N]."""
    game = net.game
    view, planes = list(game.observers).index(str(net.observer)), game.observers[str(net.observer)]
    found = []
    for part in np.array_split(states, max(1, len(states) // 256)):
        rolled = np.repeat(part, 6, axis=0)
        rolled[:, DIE] = np.tile(np.arange(1, 7), len(part))
        seen = np.zeros((len(rolled), planes, *game.shape), np.float32)
        fill_planes(game.rules, rolled, view, seen, len(rolled))
        wdl = net(rolled, seen)[1]
        found.append((wdl[:, 0] + wdl[:, 1] / 2).reshape(-1, 6).mean(axis=1))
    return np.concatenate(found)


STUDENTS: dict[str, Student] = {
    "lines": taught_lines,
    "othello-patterns": taught_othello,
    "einstein-stones": taught_einstein,
}
"""By kind of quick net."""
