"""`Course`: where an analysis stands: a main line of moves, perhaps a variation that leaves it, and a ply."""

from __future__ import annotations

import copy

from boyi.service.views import MoveView, PositionRequest, PositionView


class Course:
    """Moves from a first position. `line` is what is looked at: the main line, or its beginning and the variation."""

    def __init__(self, rules: str, start: str, main: list[MoveView]) -> None:
        self.rules, self.start = rules, start
        self.main = main
        self.variation: list[str] = []
        self.fork = 0
        """The ply at which the variation leaves the main line."""
        self.ply = 0

    @property
    def varies(self) -> bool:
        return bool(self.variation)

    @property
    def line(self) -> list[str]:
        """All moves of what is looked at."""
        main = [move.move for move in self.main]
        return main[: self.fork] + self.variation if self.variation else main

    @property
    def played(self) -> list[str]:
        """The moves before the shown position."""
        return self.line[: self.ply]

    def request(self) -> PositionRequest:
        """What to ask the service for."""
        return PositionRequest(rules=self.rules, key=self.start, moves=self.played)

    def play(self, move: str) -> None:
        """One move on: along the line where it goes on so, else into a variation from here."""
        line = self.line
        if self.ply < len(line) and line[self.ply] == move:
            self.ply += 1
        else:
            self.vary([move])

    def vary(self, moves: list[str]) -> None:
        """Look at other moves from here, the first of them played."""
        if self.variation and self.ply > self.fork:
            self.variation = [*self.variation[: self.ply - self.fork], *moves]
        else:
            self.fork, self.variation = self.ply, list(moves)
        self.ply += 1

    def leave(self) -> None:
        """Back to the main line, as near as it goes."""
        if self.variation:
            self.ply = min(self.ply, self.fork)
            self.variation = []

    def copy(self) -> Course:
        return copy.deepcopy(self)

    @staticmethod
    def entry(move: str, before: PositionView) -> MoveView:
        """A move of a line without a game, as games list theirs."""
        return MoveView(move=move, player=0 if before.turn is None else before.turn, seconds=0.0, passed=move == "pass")
