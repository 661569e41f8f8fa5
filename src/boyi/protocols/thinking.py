"""A player that thinks in a thread and can be stopped at any time: `Thinker.choose` always answers."""

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from boyi.games import CHANCE, Game, Position
from boyi.players import Choice, Limit, Player, player

LOOK_S = 0.05
"""How often a thinking player looks whether it is to stop."""
OBSTINATE_S = 0.3
"""How long a stopped player may still take before it is answered for."""
LATE_S = 0.05
"""How much later than its time a player may come to its end by itself."""
TASTE = Limit(simulations=40, nodes=40, seconds=0.02)

Stop = Callable[[], float]
"""The moment, by `time.monotonic`, at which thinking has to end; infinite where nobody asked for an end."""


@dataclass
class _Job:
    """One question to a player; `changed` is told of every thought."""

    position: Position
    limit: Limit
    changed: threading.Condition = field(default_factory=threading.Condition)
    choice: Choice | None = None
    number: int = 0
    done: bool = False
    unwanted: bool = False
    error: Exception | None = None

    def run(self, thinker: Player) -> None:
        """In a thread."""
        try:
            thoughts = thinker.watch(self.position, self.limit, every_s=LOOK_S)
            for choice in thoughts:
                with self.changed:
                    self.choice, self.number = choice, self.number + 1
                    self.changed.notify_all()
                if self.unwanted:
                    break
        except Exception as error:
            self.error = error
        with self.changed:
            self.done = True
            self.changed.notify_all()


class Thinker:
    """A player by name, made again where the last one did not stop when it was told to."""

    def __init__(self, name: str, game: Game, *, seed: int = 0) -> None:
        self.name, self.game, self.seed = name, game, seed
        self.player = player(name, game, seed=seed)

    def prepare(self) -> None:
        """Have everything compiled and loaded before a clock runs, by thinking for an instant."""
        with contextlib.suppress(Exception), player(self.name, self.game) as taster:  # errors show when it counts
            position = self.game.start()
            for _ in range(4):
                while position.turn == CHANCE:
                    position = position.play(position.moves[0])
                if position.turn is None:
                    break
                position = position.play(taster.choose(position, TASTE).move)

    def choose(
        self,
        position: Position,
        limit: Limit,
        *,
        stop: Stop = lambda: float("inf"),
        tell: Callable[[Choice], None] | None = None,
        every_s: float = 0.0,
    ) -> Choice:
        """The player's choice; when the time of the limit or `stop` has come, what it thinks so far. A player that has
        no thought by then and does not stop is left to itself, and the first legal move is the answer.

        `tell` hears what the player thinks meanwhile, every `every_s` seconds at most, in the caller's thread.
        """
        job = _Job(position, limit)
        began = time.monotonic()
        end = float("inf") if limit.seconds is None else began + limit.seconds + LATE_S
        threading.Thread(target=job.run, args=(self.player,), daemon=True, name="boyi-thinker").start()
        told, tell_at, obstinate = 0, began + every_s, float("inf")
        with job.changed:
            while not job.done:
                now = time.monotonic()
                if not job.unwanted and now >= min(end, stop()):
                    job.unwanted, obstinate = True, now + OBSTINATE_S
                if now >= obstinate:
                    break
                if tell and job.choice and job.number > told and now >= tell_at and not job.unwanted:
                    told, tell_at = job.number, now + every_s
                    tell(job.choice)
                    continue
                job.changed.wait(LOOK_S / 2)
            if not job.done:
                self.player = player(self.name, self.game, seed=self.seed)
            if job.error is not None:
                raise job.error
            return job.choice or Choice(position.moves[0], seconds=time.monotonic() - began)

    def close(self) -> None:
        self.player.close()
