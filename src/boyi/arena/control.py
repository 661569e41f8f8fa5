"""How long players may think: limits of a move, and clocks of a game."""

from dataclasses import dataclass, field, replace

from boyi.games.errors import GameError
from boyi.players import Limit

SHARE = 1 / 20
"""The part of what is left on a clock that a move may take, besides most of the increment."""
INCREMENT_SHARE = 0.75
MARGIN_S = 0.03
"""What a player is not told that it has: the way from its last thought to the stopped clock."""


@dataclass(frozen=True)
class Control:
    """The limit of every move, and the clock of each player for a whole game."""

    limit: Limit = field(default_factory=Limit)
    game_s: float | None = None
    """Seconds of each player for all its moves; who oversteps them has lost. None for no clock."""
    increment_s: float = 0.0
    """Seconds that every move adds to the clock."""

    def __post_init__(self) -> None:
        if self.game_s is not None and not 0 < self.game_s < float("inf"):
            raise GameError(f"game seconds {self.game_s!r} are not possible; a clock starts above 0")
        if not 0 <= self.increment_s < float("inf"):
            raise GameError(f"increment {self.increment_s!r} is not possible; it must be 0 or more seconds")
        if self.increment_s and self.game_s is None:
            raise GameError(f"increment {self.increment_s!r} needs a clock; give the seconds of a game too")


class Clocks:
    """The clocks of one game, by seat."""

    def __init__(self, control: Control) -> None:
        self.control = control
        self.left_s = None if control.game_s is None else [control.game_s, control.game_s]

    def limit(self, seat: int) -> Limit:
        """What a player is allowed for its next move."""
        limit = self.control.limit
        if self.left_s is None:
            return limit
        left_s = max(0.0, self.left_s[seat] - MARGIN_S)
        share_s = min(left_s, left_s * SHARE + INCREMENT_SHARE * self.control.increment_s)
        return replace(limit, seconds=share_s if limit.seconds is None else min(share_s, limit.seconds))

    def spend(self, seat: int, seconds: float) -> bool:
        """Take a move's time off a clock; whether it still ran."""
        if self.left_s is None:
            return True
        self.left_s[seat] -= seconds
        in_time = self.left_s[seat] >= 0
        self.left_s[seat] += self.control.increment_s
        return in_time
