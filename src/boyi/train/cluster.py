"""Self-play and matches on a Ray cluster: the same jobs as those of local workers, run by actors on any computer.

What jobs share, above all the net of a generation, goes into Ray's object store once and from there to every computer.
An answer comes back whole or not at all; the job of an actor that was lost goes to another one, and a fresh actor takes
its place. Nothing is written by actors, so they share no disk with the run directory.
"""

import contextlib
import itertools
import logging
import socket
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from boyi.games.errors import GameError

REACH_S = 10.0
MOST_LOSSES = 100
"""Actors that may be lost during one set of jobs before the run gives up."""


class ClusterError(GameError):
    """No cluster there, or none that works."""


class RayPool:
    """Actors of one core each on a Ray cluster; `workers` of them, or as many as the cluster has cores with 0."""

    def __init__(self, address: str, workers: int = 0, *, on_death: Callable[[str], None] = lambda _: None) -> None:
        self.ray, self.on_death = _connected(address), on_death
        self.kind = self.ray.remote(num_cpus=1, max_restarts=0)(_Worker)
        self.workers = workers or processors(address)
        self.idle: list[Any] = []
        self.actors: list[Any] = []

    def run(self, work: Callable[..., Any], jobs: Iterable[Any], *shared: Any) -> Iterator[tuple[Any, Any]]:
        """Pairs of a job and its answer, in the order in which they finish."""
        stored = [self.ray.put(value) for value in shared]
        drawn, again, lost = iter(jobs), list[Any](), 0
        busy: dict[Any, tuple[Any, Any]] = {}
        while True:
            while len(busy) < self.workers and (again := again or list(itertools.islice(drawn, 1))):
                actor, job = self._free(), again.pop()
                busy[actor.run.remote(work, job, *stored)] = (actor, job)
            if not busy:
                return
            ready, _ = self.ray.wait(list(busy), num_returns=1)
            for answer in ready:
                actor, job = busy.pop(answer)
                try:
                    found = self.ray.get(answer)
                except (self.ray.exceptions.RayActorError, self.ray.exceptions.ObjectLostError):
                    lost += 1
                    if lost > MOST_LOSSES:
                        raise ClusterError("the cluster keeps losing workers; look at `ray status`") from None
                    self.on_death("a worker of the cluster was lost; its games are played again")
                    self._forget(actor)
                    again.append(job)
                    continue
                self.idle.append(actor)
                yield job, found

    def _free(self) -> Any:
        """An actor without a job: an idle one, or a fresh one."""
        if self.idle:
            return self.idle.pop()
        actor = self.kind.remote()
        self.actors.append(actor)
        return actor

    def _forget(self, actor: Any) -> None:
        self.actors = [kept for kept in self.actors if kept is not actor]
        with contextlib.suppress(Exception):
            self.ray.kill(actor)

    def close(self) -> None:
        for actor in list(self.actors):
            self._forget(actor)
        self.idle = []


def processors(address: str) -> int:
    """How many cores a cluster has."""
    return max(1, int(_connected(address).cluster_resources().get("CPU", 1)))


def _connected(address: str) -> Any:
    """Ray, connected to a cluster; `ClusterError` where that is not possible."""
    try:
        import ray
    except ImportError:
        raise ClusterError("--cluster needs the package ray; make setup, or pip install 'boyi[cluster]'") from None
    if not ray.is_initialized():
        _reach(address)
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, ValueError, RuntimeError) as error:
            told = str(error)[:200]
            raise ClusterError(f"no Ray cluster at {address!r}: {told}; start one with `ray start`") from None
    return ray


def _reach(address: str) -> None:
    """`ClusterError` where nobody answers at HOST:PORT: Ray itself would try for many minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return
    try:
        socket.create_connection((host, int(port)), timeout=REACH_S).close()
    except (OSError, ValueError, OverflowError) as error:
        raise ClusterError(f"no Ray cluster at {address!r}: {error}; start one with `ray start --head`") from None


class _Worker:
    """Runs jobs, one after the other, on one core of one computer."""

    def run(self, work: Callable[..., Any], job: Any, *shared: Any) -> Any:
        return work(job, *shared)
