"""What goes wrong with a foreign engine: one error, with the reason and the engine's last lines."""

import enum
from collections.abc import Iterable

SHOWN_LINES = 5


class Reason(enum.StrEnum):
    """How an engine failed."""

    START = "did not start"
    STARTUP_TIMEOUT = "said nothing at its start"
    MOVE_TIMEOUT = "took too long for its move"
    CRASH = "crashed"
    ILLEGAL = "played an illegal move"
    GARBAGE = "answered what nobody understands"
    FLOOD = "wrote without end"
    REFUSED = "refused to play"


class EngineFailure(ChildProcessError):
    """A foreign engine failed: whose fault it is, is beyond doubt. `last_lines` is what it wrote last, newest last.

    Where a protocol has no words for a game or a position the error is a `GameError` instead.
    """

    def __init__(self, reason: Reason, detail: str, command: str, last_lines: Iterable[str] = ()) -> None:
        self.reason, self.detail, self.command, self.last_lines = reason, detail, command, tuple(last_lines)
        heard = " | ".join(self.last_lines[-SHOWN_LINES:])
        super().__init__(
            f"engine {command!r} {reason}"
            + (f": {detail}" if detail else "")
            + (f"; its last lines: {heard}" if heard else "; it wrote nothing")
        )

    def __reduce__(self) -> tuple[object, ...]:
        return EngineFailure, (self.reason, self.detail, self.command, self.last_lines)
