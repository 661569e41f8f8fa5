"""How fast nets are on this machine: `python -m boyi.nets.speed` prints positions a second of processor time.

Random weights, one thread; `net` is ONNX Runtime alone, `evaluator` the same through `NetEvaluator`.
"""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from boyi.games.registry import game
from boyi.nets.config import NetConfig
from boyi.nets.evaluator import NetEvaluator

NETS = (("othello", 5, 64), ("othello", 3, 32), ("einstein", 4, 64), ("gomoku", 4, 32))
BATCHES = (1, 16, 128)


class Speed(NamedTuple):
    """Positions a second of one net at one batch size."""

    net: str
    batch: int
    alone: float
    evaluator: float
    symmetry: float


def measure(slices: int = 8, slice_s: float = 0.05) -> Iterator[Speed]:
    """The speed of each net and batch size: the best of several slices, the three ways taking turns."""
    from boyi.nets.architectures import build

    for name, blocks, channels in NETS:
        played = game(name)
        net = build(played, NetConfig(blocks=blocks, channels=channels))
        plain = NetEvaluator.from_module(played, net)
        turned = NetEvaluator.from_module(played, net, symmetry=True)
        position = played.start()
        for batch in BATCHES:
            planes = np.repeat(position.observe()[None], batch, 0)
            states = np.repeat(position.state[None], batch, 0)
            ways: list[Callable[[], object]] = [
                lambda planes=planes, session=plain.session: session.run(None, {"planes": planes}),  # type: ignore[misc]
                lambda states=states, planes=planes, plain=plain: plain(states, planes),  # type: ignore[misc]
                lambda states=states, planes=planes, turned=turned: turned(states, planes),  # type: ignore[misc]
            ]
            best = [0.0, 0.0, 0.0]
            for _ in range(slices):
                for way, run in enumerate(ways):
                    best[way] = max(best[way], _rate(run, batch, slice_s))
            height, width = played.shape
            yield Speed(f"{name} {height}x{width}, {blocks} x {channels}", batch, *best)


def _rate(run: Callable[[], object], batch: int, slice_s: float) -> float:
    began, done = time.process_time(), 0
    while (spent := time.process_time() - began) < slice_s or not done:
        run()
        done += batch
    return done / max(spent, 1e-9)


if __name__ == "__main__":
    for found in measure():
        shares = f"evaluator {found.evaluator / found.alone:.2f}, symmetry {found.symmetry / found.alone:.2f}"
        print(f"{found.net}, batch {found.batch}: {found.alone:,.0f} a second; {shares}", flush=True)
