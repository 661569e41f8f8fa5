"""Benchmarks as library functions: `boyi bench NAME` prints what they return."""

from boyi.bench.playouts import bench_playouts
from boyi.bench.result import Result
from boyi.bench.search import bench_search
from boyi.bench.selfplay import bench_selfplay

BENCHMARKS = {"playouts": bench_playouts, "search": bench_search, "selfplay": bench_selfplay}

__all__ = ["BENCHMARKS", "Result"]
