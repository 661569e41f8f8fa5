"""Who plays a quick net's games where one process is too few. Start at `Crew`.

Games are given out as numbered jobs. A job needs nothing but its order and the net as it stood when it was given out,
and its random numbers come from its number, so it does not matter who plays it, when, or how often: answers are taken
in the order of the numbers. The pool that runs jobs, on this computer or on many, is the caller's.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from boyi.games.game import Game
from boyi.games.randomness import generator
from boyi.games.registry import game as find_game
from boyi.quick.store import Arrays


class Pool(Protocol):
    """Runs a function over jobs, somewhere; `boyi.train.workers` has such pools."""

    workers: int

    def run(self, work: Callable[..., Any], jobs: Iterable[Any], *shared: Any) -> Iterator[tuple[Any, Any]]:
        """Pairs of a job and `work(job, *shared)`, in the order in which they finish. Jobs are drawn when a worker is
        free for them."""
        ...


class Seat(Protocol):
    """What a process plays with: memory and compiled kernels for one game."""

    def play(self, arrays: Arrays, order: Any, rng: Any) -> Any:
        """The samples that an order asks for, made with a net's arrays. Nothing of an earlier order matters."""


class Job(NamedTuple):
    """A part of a generation's games."""

    make_seat: Callable[[Game], Seat]
    game: str
    order: Any
    seed: int
    number: int


@dataclass
class Crew:
    """Workers that play a game."""

    game: str
    """The game as workers find it: by name or path, with its parameters."""
    pool: Pool
    worked_s: float = 0.0
    """Processor time of all workers together, without starting and compiling."""

    @property
    def workers(self) -> int:
        return self.pool.workers

    def share(self, rows: int, least: int) -> int:
        """What each worker makes of so many rows: an equal part, at least `least`."""
        return max(-(-rows // self.workers), least)

    def shift(self, seconds: float, order: Any) -> Iterator[Any]:
        """The same order again and again until every worker has worked so many seconds; at least once for each."""
        begun, given = self.worked_s, 0
        while given < self.workers or self.worked_s - begun < seconds * self.workers:
            yield order
            given += 1

    def play(
        self,
        make_seat: Callable[[Game], Seat],
        arrays: Arrays,
        orders: Iterable[Any],
        *,
        seed: int,
        first: int = 0,
        on_answer: Callable[[], None] = lambda: None,
    ) -> list[Any]:
        """What the seats play by these orders, in their order. The jobs are numbered from `first`."""
        jobs = (Job(make_seat, self.game, order, seed, number) for number, order in enumerate(orders, first))
        answers: dict[int, Any] = {}
        for job, (answer, seconds) in self.pool.run(play_job, jobs, arrays):
            answers[job.number] = answer
            self.worked_s += seconds
            on_answer()
        return [answers[number] for number in sorted(answers)]


_seats: dict[tuple[Callable[[Game], Seat], str], Seat] = {}


def play_job(job: Job, arrays: Arrays) -> tuple[Any, float]:
    """In a worker: what the job asks for, and the processor time it took."""
    seat = _seats.get((job.make_seat, job.game))
    if seat is None:
        seat = _seats[job.make_seat, job.game] = job.make_seat(find_game(job.game))
    began = time.process_time()
    # kernels are compiled for arrays that can be written to; those from another process often cannot
    owned = {name: array if array.flags.writeable else array.copy() for name, array in arrays.items()}
    answer = seat.play(owned, job.order, generator(job.seed, job.number))
    return answer, time.process_time() - began
