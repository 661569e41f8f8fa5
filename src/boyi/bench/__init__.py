"""Benchmarks as library functions: `boyi bench NAME` prints what they return."""

from boyi.bench.ffo import bench_ffo
from boyi.bench.playouts import bench_playouts
from boyi.bench.result import Result
from boyi.bench.search import bench_search

BENCHMARKS = {"ffo": bench_ffo, "playouts": bench_playouts, "search": bench_search}

__all__ = ["BENCHMARKS", "Result"]
