"""What a run will cost: time and memory, from a few seconds of measuring. `boyi train --dry-run` shows it."""

import time
from dataclasses import dataclass

import numpy as np

from boyi.games.randomness import generator
from boyi.nets.evaluator import NetEvaluator
from boyi.nets.export import onnx_bytes
from boyi.search.playouts import count_plies
from boyi.search.tree import BYTES_PER_EDGE, BYTES_PER_NODE
from boyi.train.config import TrainConfig
from boyi.train.learner import Learner
from boyi.train.precision import played
from boyi.train.replay import Part, Replay, window_size
from boyi.train.selfplay import play_games

PROCESS_MB = 350.0
"""What a process takes before it does anything: Python, compiled rules, ONNX Runtime; with PyTorch about double."""
TRIED_S = 3.0


@dataclass(frozen=True)
class Estimate:
    """The expected cost of a run; plies from random games, which are often longer or shorter than good ones."""

    weights: int
    plies: float
    evaluations_per_s: float
    """Of one worker."""
    rows_learnt_per_s: float
    play_minutes: float
    learn_minutes: float
    minutes: float
    """Of the whole run, without measuring strength."""
    memory_mb: float


def estimate(config: TrainConfig) -> Estimate:
    """Play and learn for some seconds, and reckon."""
    game, play = config.found_game, config.selfplay
    learner = Learner(game, config.net, config.learn, seed=config.seed)
    graph = played(onnx_bytes(game, learner.average), game, play, None, seed=config.seed)
    evaluator = NetEvaluator(game, graph)
    play_games(game, evaluator, play, games=2, seed=0)
    samples, _ = play_games(game, evaluator, play, games=1, seed=1)
    state, mask, rng = game.blank(), np.zeros(game.num_actions, np.uint8), generator(config.seed)
    lengths = []
    for seed in range(20):
        state[:] = game.start(seed=seed).state
        lengths.append(count_plies(game.rules, state, mask, rng))
    plies = float(np.mean(lengths))
    planes = np.zeros((play.parallel, game.observers[learner.net.observer], *game.shape), np.float32)
    states = np.repeat(samples.states[:1], play.parallel, 0)
    evaluations = 1 / _seconds(lambda: evaluator(states, planes)) * play.parallel
    replay = Replay(
        game, learner.net.observer, [Part(game, samples, config.net.auxiliary)], auxiliary=config.net.auxiliary
    )
    random = np.random.default_rng(0)
    size = config.learn.batch
    learning = size / _seconds(lambda: learner.learn(replay.batches(size, 1, random)))
    searched = play.full_share * play.simulations + (1 - play.full_share) * play.fast_simulations + 1
    rows = play.games * plies
    play_s = rows * searched / (evaluations * config.workers)
    learn_s = rows * config.replay.reuse / learning
    total = (play_s + learn_s) * config.generations
    window = window_size(config.replay, int(rows * config.generations))
    nodes = (4 if play.search == "puct" and play.reuse else 1) * play.simulations + 4
    tree = play.parallel * nodes * (BYTES_PER_NODE + 16 + min(game.num_actions, 40) * BYTES_PER_EDGE)
    row_bytes = samples.states.itemsize * game.state_size + 2 * game.num_actions + 16
    memory = (config.workers + 2) * PROCESS_MB + (window * row_bytes + config.workers * tree) / 1e6
    limit = config.minutes or float("inf")
    return Estimate(
        weights=sum(weight.numel() for weight in learner.net.parameters()),
        plies=plies,
        evaluations_per_s=evaluations,
        rows_learnt_per_s=learning,
        play_minutes=play_s * config.generations / 60,
        learn_minutes=learn_s * config.generations / 60,
        minutes=min(total / 60, limit),
        memory_mb=memory,
    )


def _seconds(work) -> float:  # type: ignore[no-untyped-def]
    """How long a call takes, after a first one."""
    work()
    began, times = time.perf_counter(), 0
    while time.perf_counter() - began < TRIED_S / 3:
        work()
        times += 1
    return (time.perf_counter() - began) / max(times, 1)
