"""One game between two players: clocks, failures, adjudication. Start at `Play.run`."""

import contextlib
import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from boyi.arena.control import Clocks, Control
from boyi.exact.solution import NotSolvable
from boyi.exact.solve import solve
from boyi.games.errors import IllegalMove
from boyi.games.generics import CHANCE, chance, has_rule
from boyi.games.position import Outcome, Position
from boyi.players import Player
from boyi.protocols.errors import EngineFailure

Factory = Callable[[int], Player]
"""Makes a player from a seed."""


class Stopped(Exception):
    """A game was left because the match was asked to stop."""


@dataclass(frozen=True)
class Thought:
    """What a move took, and what its player thought of it, where it did: the expected result and margin of player 0."""

    seconds: float
    value: float | None = None
    score: float | None = None


class Play:
    """One game between the players in seats 0 and 1, each made by its factory from its seed.

    After `run`, `thoughts` has one entry for every move or roll from there, None for rolls; `forfeit` says whether a
    player lost by a failure and not on the board. `adjudicate` is how many nodes the exact modules may search before
    each move to end a decided game; 0 for none.
    """

    def __init__(
        self,
        sides: Sequence[tuple[Factory, int]],
        control: Control,
        *,
        adjudicate: int = 0,
        stopped: Callable[[], bool] = lambda: False,
        on_move: Callable[[Position], None] | None = None,
    ) -> None:
        self.sides = sides
        self.clocks = Clocks(control)
        self.adjudicate = adjudicate
        self.stopped = stopped
        self.on_move = on_move
        self.players: dict[int, Player] = {}
        self.thoughts: list[Thought | None] = []
        self.num_moves = [0, 0]
        self.seconds = [0.0, 0.0]
        self.forfeit = False

    def run(self, position: Position, dice: random.Random) -> tuple[Position, Outcome]:
        """Play on to the end, to a failure or to a verdict: the last position, and how it ended."""
        for seat, (factory, seed) in enumerate(self.sides):
            try:
                self.players[seat] = factory(seed)
            except Exception as error:
                return self._lost(position, seat, _told("could not be made", error))
        while (mover := position.turn) is not None:
            if self.stopped():
                raise Stopped
            if mover == CHANCE:
                position = position.play(roll(position, dice))
                self.thoughts.append(None)
                continue
            if self.adjudicate and (verdict := adjudicated(position, self.adjudicate)):
                return position, verdict
            began = time.perf_counter()
            try:
                choice = self.players[mover].choose(position, self.clocks.limit(mover))
            except Exception as error:
                return self._lost(position, mover, _told("crashed", error))
            spent = time.perf_counter() - began
            self.seconds[mover] += spent
            self.num_moves[mover] += 1
            if not self.clocks.spend(mover, spent):
                return self._lost(position, mover, f"overstepped its time: {spent:.2f} s for its last move")
            try:
                position = position.play(choice.move)
            except IllegalMove:
                return self._lost(position, mover, f"played the illegal move {str(choice.move)[:80]!r}")
            self.thoughts.append(Thought(spent, _finite(choice.value), _finite(choice.score)))
            if self.on_move:
                self.on_move(position)
        end = position.outcome
        assert end is not None
        return position, end

    def close(self) -> None:
        """Let the players give back what they hold; one that fails in it has played its game."""
        for made in self.players.values():
            with contextlib.suppress(Exception):
                made.close()

    def _lost(self, position: Position, loser: int, failure: str) -> tuple[Position, Outcome]:
        self.forfeit = True
        return position, Outcome(1 - loser, 0, f"{position.game.players[loser]} {failure}")


def adjudicated(position: Position, nodes: int) -> Outcome | None:
    """How a running game must end, where so many nodes of exact search show that nothing is left to chance."""
    try:
        found = solve(position, nodes=nodes)
    except NotSolvable:
        return None
    if abs(found.value) != 1 and (found.value != 0 or has_rule(chance, type(position.game.rules))):
        return None
    winner = None if found.value == 0 else int(found.value < 0)
    score = round(found.value) if found.score is None else found.score
    return Outcome(winner, score, f"adjudicated by {found.exact_by}")


def roll(position: Position, dice: random.Random) -> str:
    """A chance outcome. Takes exactly one number from `dice`."""
    chances = position.chances or {}
    return dice.choices(list(chances), list(chances.values()))[0]


def _finite(number: float | None) -> float | None:
    return None if number is None or not math.isfinite(number) else float(number)


def _told(what: str, error: Exception) -> str:
    """What happened, for people; an engine's failure says it itself."""
    if isinstance(error, EngineFailure):
        heard = " | ".join(error.last_lines)
        said = f"; its last lines: {heard}" if heard else ""
        return (f"{error.reason}: {error.detail}" if error.detail else str(error.reason))[:200] + said[:300]
    return f"{what}: {type(error).__name__}: {str(error)[:200]}"
