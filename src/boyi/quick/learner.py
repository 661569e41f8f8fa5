"""What trains a quick net: one interface for every kind, so that one loop (`boyi.train.quick`) trains them all."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from boyi.games.randomness import generator
from boyi.quick.crew import Crew
from boyi.quick.store import Arrays

Stage = Callable[[str, float, float], None]
"""Told the name of a stage, how much of it is done, and how much there is."""
Row = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """How long a run is to be, in minutes of processor time, its seed, and who plays where it is not the learner.

    With a crew a generation is as large as without and takes less time. `minutes` counts what each worker works while
    it plays, and the learner's time.
    """

    minutes: float
    seed: int = 0
    crew: Crew | None = None

    @property
    def workers(self) -> int:
        return self.crew.workers if self.crew else 1

    def job_seed(self, generation: int) -> int:
        """The seed of a generation's jobs."""
        return int(generator(self.seed, generation)[0])


class Learner(Protocol):
    """A net in training. A generation plays, learns, and returns what came of it: at least `rows`, the positions learnt
    from, and `games`."""

    kind: str

    def generation(self, number: int, spent_s: float, stage: Stage) -> Row:
        """Play and learn once more, `spent_s` seconds of processor time into the run."""

    def arrays(self) -> Arrays:
        """The net as it plays."""

    def state(self) -> Arrays:
        """What else it takes to go on learning."""

    def samples(self) -> Arrays:
        """The positions of the last generation, where later generations learn from them too; else nothing."""

    def restore(self, state: Arrays, samples: list[Arrays]) -> None:
        """Go on from a state and from the samples of the last generations, oldest first."""

    remembers: int
    """How many generations' samples `restore` wants."""


class Stopwatch:
    """Processor time of this process since it was made, and of each worker of a crew."""

    def __init__(self, crew: Crew | None = None) -> None:
        self.crew = crew
        self.began = self._now()

    def _now(self) -> float:
        return time.process_time() + (self.crew.worked_s / self.crew.workers if self.crew else 0.0)

    @property
    def seconds(self) -> float:
        return self._now() - self.began
