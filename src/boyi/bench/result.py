"""What a benchmark returns, and how a rate is measured beside a peer's."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """One measured number, with the same number of a peer program from the same run where there is one."""

    name: str
    value: float
    unit: str
    peer: str | None = None
    peer_value: float | None = None

    @property
    def ratio(self) -> float | None:
        return self.value / self.peer_value if self.peer_value else None


def rates(work: list[Callable[[], int]], *, seconds: float, rounds: int = 5) -> list[float]:
    """Units of work a second of several programs, each the median over rounds in which all take their turn.

    Processor time is counted, so that other programs do not; taking turns makes the ratio survive a machine whose speed
    changes from second to second.
    """
    found: list[list[float]] = [[] for _ in work]
    for run in work:
        run()
    for _ in range(rounds):
        for run, sample in zip(work, found, strict=True):
            start = time.process_time()
            done = 0
            while (spent := time.process_time() - start) < seconds / rounds:
                done += run()
            sample.append(done / spent)
    return [statistics.median(sample) for sample in found]
