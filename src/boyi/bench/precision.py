"""Nets in 8 bits beside the same nets in float32: speed, what they answer, and who wins."""

import dataclasses
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.arena import Estimate
from boyi.bench.result import Result, rates
from boyi.bench.selfplay import BATCH, made_net
from boyi.games.game import Game
from boyi.games.registry import game as find_game
from boyi.nets.evaluator import NetEvaluator
from boyi.nets.files import NetCard
from boyi.nets.shipped import DATA, shipped_models
from boyi.search.evaluators import Evaluator
from boyi.train.config import MeasureConfig, SelfPlayConfig, TrainConfig
from boyi.train.measure import match
from boyi.train.precision import played, seen
from boyi.train.selfplay import play_games
from boyi.train.workers import InlinePool, read_model

DOCUMENT = SelfPlayConfig(
    search="puct", parallel=BATCH, simulations=400, exploration=5.0, temperature_plies=60, opening=0, precision="int8"
)
"""Document 001's self-play."""
PLAIN = SelfPlayConfig(simulations=16, opening=6, precision="int8")
"""Games whose positions the shipped nets are asked about."""
GAMES = 12
MATCHED, MATCH_GAMES = "othello-8", 200


def bench_precision(*, seconds: float = 2.0, seed: int = 0) -> Iterator[Result]:
    """`paper001`: evaluations a second of document 001's net. `selfplay`: those inside its self-play. For every shipped
    net its speed and, on positions of its own games, the mean divergence of the policy over the legal and illegal moves
    (Kullback-Leibler, nats) and the mean error of the value, which is from -1 to 1; for that of 8x8 Othello a match of
    the two, with 32 simulations a move."""
    othello = find_game("othello")
    graph = made_net(othello, kind="paper001")
    yield from speeds("paper001", othello, graph, DOCUMENT, seconds, seed)
    for name, card in shipped_models().items():
        game = find_game(card.game, **card.options)
        yield from shipped(name, game, seconds, seed)


def speeds(name: str, game: Game, graph: bytes, config: SelfPlayConfig, seconds: float, seed: int) -> Iterator[Result]:
    """Of a net alone, and inside self-play: the first few moves of some games."""
    both = [NetEvaluator(game, played(graph, game, config, None, seed=seed)), NetEvaluator(game, graph)]
    yield alone(name, game, both, seconds)
    short = dataclasses.replace(config, max_plies=2)

    def play(evaluator: Evaluator) -> int:
        return play_games(game, evaluator, short, games=BATCH, seed=seed)[1].evaluations

    inside = rates([lambda: play(both[0]), lambda: play(both[1])], seconds=seconds, rounds=3)
    yield Result(f"{name} self-play", inside[0], "evaluations/s in int8", "float32", inside[1])


def alone(name: str, game: Game, both: list[NetEvaluator], seconds: float) -> Result:
    """Evaluations a second of a net in int8 and in float32."""
    states: NDArray[Any] = np.repeat(game.start().state[None], BATCH, 0)
    planes = seen(game, str(both[0].observer), states)

    def ask(evaluator: NetEvaluator) -> int:
        evaluator(states, planes)
        return BATCH

    found = rates([lambda: ask(both[0]), lambda: ask(both[1])], seconds=seconds)
    return Result(name, found[0], "evaluations/s in int8", "float32", found[1])


def shipped(name: str, game: Game, seconds: float, seed: int) -> Iterator[Result]:
    """Speed and answers of a shipped net; examples and questions are from different games."""
    graph = (DATA / f"{name}.onnx").read_bytes()
    exact = NetEvaluator(game, graph)
    shown, asked = (play_games(game, exact, PLAIN, games=GAMES, seed=seed + part)[0].states for part in (0, 1))
    coarse = NetEvaluator(game, played(graph, game, PLAIN, shown, seed=seed))
    yield alone(name, game, [coarse, exact], seconds)
    divergence, error = differences(game, coarse, exact, asked)
    yield Result(f"{name} policy", divergence, "nats from float32")
    yield Result(f"{name} value", error, "from float32")
    if name == MATCHED:
        worth = matched(name, game, shown, seed)
        unit = f"score against float32 in {MATCH_GAMES} games (95 %: {worth.low:.3f} to {worth.high:.3f})"
        yield Result(f"{name} match", worth.score, unit)


def matched(name: str, game: Game, shown: NDArray[Any], seed: int) -> Estimate:
    """A match of a shipped net in int8 with itself in float32."""
    exact, card = read_model(DATA / name), shipped_models()[name]
    graph = played(exact[".onnx"], game, PLAIN, shown, seed=seed)
    files = {".safetensors": exact[".safetensors"], ".onnx": graph}
    with tempfile.TemporaryDirectory(prefix="boyi-") as folder:
        NetCard.write(Path(folder) / name, game, files, net=card.net, observer=card.observer)
        coarse = read_model(Path(folder) / name)
    config = TrainConfig(game=card.game, measure=MeasureConfig(simulations=32))
    return match(InlinePool(), config, coarse, exact, games=MATCH_GAMES, seed=seed)


def differences(game: Game, coarse: NetEvaluator, exact: NetEvaluator, states: NDArray[Any]) -> tuple[float, float]:
    """The mean divergence of the policies and the mean error of the values of two nets on states."""
    planes = seen(game, str(exact.observer), states)
    (near, ours), (true, theirs) = coarse(states, planes), exact(states, planes)
    logs = [logits - np.logaddexp.reduce(logits, axis=1, keepdims=True) for logits in (near, true)]
    divergence = (np.exp(logs[1]) * (logs[1] - logs[0])).sum(1).mean()
    error = np.abs((ours[:, 0] - ours[:, 2]) - (theirs[:, 0] - theirs[:, 2])).mean()
    return float(divergence), float(error)
