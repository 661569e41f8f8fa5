"""What a run of a quick net will come to, from a few seconds of it. `boyi train --method quick --dry-run` shows it."""

import sys
from dataclasses import dataclass

from boyi.quick.learner import Plan
from boyi.quick.library import learner
from boyi.train.quick import QuickConfig

TRIED = Plan(0.1)
"""A run that plays and learns in all its stages, for some seconds."""
LATE = 20
"""The number of a generation after the first, easier ones."""


@dataclass(frozen=True)
class QuickEstimate:
    """The expected course of a run, without measuring strength. A run's time is given; what is done in it is not."""

    weights: int
    positions_per_s: float
    """Of all workers while they play."""
    learnt_per_s: float
    positions: float
    minutes: float
    """Of processor time of each worker; of the clock, where each has a core for itself."""
    memory_mb: float


def estimate_quick(config: QuickConfig) -> QuickEstimate:
    """Play and learn for some seconds, and reckon. Learning gets slower where later generations learn from more."""
    net = learner(config.found_game, TRIED)
    begun = net.generation(1, 0.0, lambda *_: None)
    row = net.generation(LATE, begun["play_s"] + begun["learn_s"], lambda *_: None)
    played = config.workers * row["rows"] / row["play_s"]
    learnt = row["rows"] / max(row["learn_s"], 1e-9)
    minutes = config.plan.minutes
    return QuickEstimate(
        weights=sum(array.size for array in net.arrays().values()),
        positions_per_s=played,
        learnt_per_s=learnt,
        positions=60 * minutes / (1 / played + 1 / learnt),
        minutes=minutes,
        memory_mb=_used_mb() * (1 + config.workers if config.workers > 1 else 1),
    )


def _used_mb() -> float:
    """The most memory that this process has had; 0 where that cannot be said."""
    try:
        import resource
    except ImportError:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
