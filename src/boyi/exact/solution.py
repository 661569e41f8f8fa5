"""What exact play answers: a `Solution`, or `NotSolvable` with the reason."""

from dataclasses import dataclass

from boyi.games.errors import GameError


class NotSolvable(GameError):
    """The exact value of a position is out of reach. The message says why, and what would help."""


@dataclass(frozen=True)
class Solution:
    """The exact value of a position with best play of both sides.

    `value` is the expected result for player 0, from -1 to 1, and `score` the margin for player 0, None where dice or
    the method leave it open. `move` is a best move, None where the game is over or chance decides, and `line` a best
    line of play that begins with it; at dice it ends. `exact_by` says how it was found.
    """

    value: float
    score: int | None
    move: str | None
    line: tuple[str, ...]
    exact_by: str
    nodes: int
    seconds: float
