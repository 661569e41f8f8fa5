"""Benchmarks as library functions: `boyi bench NAME` prints what they return."""

from collections.abc import Callable, Iterator

from boyi.bench.playouts import bench_playouts
from boyi.bench.regret import bench_regret
from boyi.bench.result import Result
from boyi.bench.search import bench_search

BENCHMARKS: dict[str, Callable[..., Iterator[Result]]] = {
    "playouts": bench_playouts,
    "regret": bench_regret,
    "search": bench_search,
}

__all__ = ["BENCHMARKS", "Result"]
