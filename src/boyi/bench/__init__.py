"""Benchmarks as library functions: `boyi bench NAME` prints what they return."""

import importlib
from collections.abc import Callable, Iterator

from boyi.bench.result import Result

BENCHMARKS = {
    "all": "every ratio that the documentation claims",
    "ffo": "exact Othello endgames",
    "playouts": "random games a second",
    "precision": "nets in 8 bits, beside float32: speed and answers",
    "quick": "evaluations and nodes a second of quick nets",
    "regret": "winning chance that a player of EinStein gives away per move, by the tablebase",
    "search": "simulations a second",
    "selfplay": "training games, beside the net alone, one worker, and document 001",
    "serve": "the app under load, on all cores",
    "threats": "puzzles with a forced win in Gomoku and Connect6: solved, or won by a player",
    "vision": "boards read off pictures: exact, silently wrong, refused",
}
"""What each measures; the function `bench_NAME` of the module NAME does it."""


def benchmark(name: str) -> Callable[..., Iterator[Result]]:
    """A benchmark by name. Only its own module is loaded."""
    if name not in BENCHMARKS:
        raise ValueError(f"unknown benchmark {name!r}; known are {', '.join(BENCHMARKS)}")
    found: Callable[..., Iterator[Result]] = getattr(importlib.import_module(f"boyi.bench.{name}"), f"bench_{name}")
    return found


__all__ = ["BENCHMARKS", "Result", "benchmark"]
