"""Every ratio that the documentation claims, measured in one run: the parts of `docs/benchmarks.md`."""

import dataclasses
import importlib
from collections.abc import Iterator
from typing import Any

from boyi.bench.result import Result

PARTS: dict[str, dict[str, Any]] = {
    "playouts": {},
    "search": {},
    "selfplay": {},
    "quick": {},
    "regret": {"player": "mcts:sims=1000", "positions": 300},
    "ffo": {"positions": "40"},
}
"""The benchmarks in order, with their options; those that take `seconds` get them too."""
TIMED = ("playouts", "search", "selfplay", "quick")


def bench_all(*, seconds: float = 2.0, seed: int = 0) -> Iterator[Result]:
    """The results of all parts, each named after its benchmark. `serve` and `vision` have no peer and run apart."""
    for part, options in PARTS.items():
        measure = getattr(importlib.import_module(f"boyi.bench.{part}"), f"bench_{part}")
        timed = {"seconds": seconds} if part in TIMED else {}
        for result in measure(seed=seed, **timed, **options):
            yield dataclasses.replace(result, name=f"{part}: {result.name}")
