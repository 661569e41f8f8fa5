"""What goes wrong with input. Every error is a `ValueError` that names the bad value and what is allowed."""

from collections.abc import Iterable

SHOWN = 60


class GameError(ValueError):
    """Any bad input to a game."""


class UnknownGame(GameError):
    """No game of that name."""

    def __init__(self, name: object, known: Iterable[str]) -> None:
        self.name, self.known = name, tuple(known)
        super().__init__(
            f"unknown game {name!r}; known are {', '.join(known)}, or the path of a rules file ending in .py"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return UnknownGame, (self.name, self.known)


class BadParameter(GameError):
    """A game has no such parameter, or not that value for it."""


class BadPosition(GameError):
    """A key or set-up that describes no position of the game."""


class BrokenPromise(GameError):
    """A promise of `boyi.games.promises` that a game does not keep."""


class IllegalMove(GameError):
    """A move that is not legal in its position. `move` and `legal` hold both sides."""

    def __init__(self, move: object, legal: tuple[str, ...]) -> None:
        self.move = move
        self.legal = legal
        shown = ", ".join(legal[:SHOWN]) + (f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else "")
        allowed = f"legal are {shown}" if legal else "the game is over"
        super().__init__(f"illegal move {str(move)[:80]!r}; {allowed}")

    def __reduce__(self) -> tuple[object, ...]:
        return IllegalMove, (self.move, self.legal)
