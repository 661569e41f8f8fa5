"""Self-play beside what bounds it: the net alone, one worker, and the document whose experiment it repeats."""

import dataclasses
import multiprocessing
import statistics
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.bench.result import Result
from boyi.games.game import Game
from boyi.games.registry import game as find_game
from boyi.train.config import SelfPlayConfig

DOCUMENT_GAMES_PER_HOUR = 42.0
"""Document 001: 3,000 games of Othello in three days."""
ROUNDS = 5
BATCH = 64


def bench_selfplay(*, seconds: float = 2.0, seed: int = 0) -> Iterator[Result]:
    """`efficiency`: evaluations per processor second inside self-play, beside the net alone with the same batch and one
    thread. `workers`: games an hour of two local workers, beside one. `paper001`: Othello with document 001's net and
    its 400 playouts on two cores, whole games.
    """
    yield efficiency(seconds, seed)
    yield workers(seconds, seed)
    yield paper001(seconds, seed)


def made_net(game: Game, **fields: Any) -> bytes:
    """An untrained net, exported."""
    import torch

    from boyi.nets.architectures import build
    from boyi.nets.config import NetConfig
    from boyi.nets.export import onnx_bytes

    torch.set_num_threads(1)
    torch.manual_seed(0)
    return onnx_bytes(game, build(game, NetConfig(**fields)))


def efficiency(seconds: float, seed: int) -> Result:
    """Othello with a net of 4 x 48, 64 games at once; self-play and the net alone take turns."""
    from boyi.nets.evaluator import NetEvaluator
    from boyi.train.selfplay import play_games

    game = find_game("othello")
    evaluator = NetEvaluator(game, made_net(game, blocks=4, channels=48))
    config = SelfPlayConfig(parallel=BATCH, simulations=32, opening=8, max_plies=10)
    play_games(game, evaluator, dataclasses.replace(config, max_plies=2), games=BATCH, seed=seed)
    random = np.random.default_rng(seed)
    planes = random.random((BATCH, game.observers[str(evaluator.observer)], *game.shape), np.float32)
    states: NDArray[Any] = np.zeros((BATCH, game.state_size), game.state_dtype)
    inside, alone = [], []
    for round_number in range(ROUNDS):
        began = time.process_time()
        _, tally = play_games(game, evaluator, config, games=BATCH, seed=seed + round_number)
        inside.append(tally.evaluations / (time.process_time() - began))
        began, done = time.process_time(), 0
        while time.process_time() - began < seconds / ROUNDS:
            evaluator(states, planes)
            done += BATCH
        alone.append(done / (time.process_time() - began))
    return Result("efficiency", statistics.median(inside), "evaluations/s", "the net alone", statistics.median(alone))


def _worker(
    name: str, model: bytes, config: SelfPlayConfig, seed: int, seconds: float, ready: Any, answers: Any
) -> None:
    """In a process: play until the time is over, and answer games and seconds."""
    from boyi.nets.evaluator import NetEvaluator
    from boyi.train.selfplay import play_games

    game = find_game(name)
    evaluator = NetEvaluator(game, model)
    play_games(game, evaluator, dataclasses.replace(config, simulations=2, max_plies=3), games=2, seed=seed)
    ready.wait()
    began, games = time.perf_counter(), 0
    while not games or time.perf_counter() - began < seconds:
        _, tally = play_games(game, evaluator, config, games=config.parallel, seed=seed + games)
        games += tally.games
    answers.put((games, time.perf_counter() - began))


def games_per_hour(name: str, model: bytes, config: SelfPlayConfig, *, count: int, seconds: float, seed: int) -> float:
    """Of several processes that play at the same time."""
    context = multiprocessing.get_context("spawn")
    ready, answers = context.Barrier(count), context.Queue()
    arguments = [(name, model, config, seed + 1000 * n, seconds, ready, answers) for n in range(count)]
    processes = [context.Process(target=_worker, args=each, daemon=True) for each in arguments]
    for process in processes:
        process.start()
    found: list[tuple[int, float]] = [answers.get(timeout=3600) for _ in processes]
    for process in processes:
        process.join()
    return 3600 * sum(games / spent for games, spent in found)


def workers(seconds: float, seed: int) -> Result:
    """Othello 6x6 with a net of 4 x 48 and 16 simulations: two processes beside one."""
    game = find_game("othello:size=6")
    model = made_net(game, blocks=4, channels=48)
    config = SelfPlayConfig(parallel=32, simulations=16)
    one, two = (
        games_per_hour("othello:size=6", model, config, count=count, seconds=2 * seconds, seed=seed) for count in (1, 2)
    )
    return Result("workers", two, "games/hour with two workers", "one worker", one)


def paper001(seconds: float, seed: int) -> Result:
    """Whole games on two cores, 64 at once on each: about five minutes."""
    game = find_game("othello")
    model = made_net(game, kind="paper001")
    config = SelfPlayConfig(
        search="puct",
        parallel=BATCH,
        simulations=400,
        exploration=5.0,
        opening=0,
        noise_alpha=0.3,
        noise_share=0.25,
        temperature_plies=60,
    )
    games = games_per_hour("othello", model, config, count=2, seconds=seconds, seed=seed)
    return Result("paper001", games, "games/hour", "document 001", DOCUMENT_GAMES_PER_HOUR)
