"""What an engine over a quick net reports: the same as any deepening search, and the expected margin."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from boyi.games.position import Position
from boyi.search.deepening import Report


@dataclass(frozen=True)
class Thought(Report):
    """A search's answer so far, with the expected final margin for player 0 where the net predicts one."""

    score: float | None = None


class Engine(Protocol):
    """A quick net and the search that suits its game; it serves one thread."""

    def search(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int = 0,
        every_s: float | None = None,
    ) -> Iterator[Report]:
        """Search a position where a player decides until a limit is reached: what is known every `every_s` seconds,
        and at last."""
