"""What a player is: something that chooses a move in a position, and says what it thinks of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.generics import CHANCE
from boyi.games.position import Position


@dataclass(frozen=True)
class Limit:
    """How long a player may think: whatever is reached first. Without any, the player's own options decide."""

    simulations: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    memory_mb: float | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and not value >= 0:
                raise GameError(f"limit {name}={value!r} is not possible; it must be 0 or more")


@dataclass(frozen=True)
class Line:
    """What a player thinks of one move. Values are the expected result for player 0, from -1 to 1."""

    move: str
    value: float
    visits: int = 0
    prior: float | None = None
    moves: tuple[str, ...] = ()
    """The expected continuation, beginning with the move itself; at dice it ends."""
    exact: bool = False


@dataclass(frozen=True)
class Choice:
    """A chosen move, and what the player thinks of the position.

    `value` is the expected result for player 0, from -1 to 1, or None from a player that has no opinion; `wdl` the
    probabilities that player 0 wins, draws and loses, where they are known; `score` the expected final margin for
    player 0, such as discs in Othello, from players that see games to their end; `lines` the moves, best first.

    `stopped` says what ended the thinking: `simulations`, `nodes`, `seconds` or `depth`, the limit that was reached;
    `proven`, nothing is left to find out; `memory`, the tree was full before that and has not grown since, though its
    values went on improving until the other limits. "" while it goes on, and from players that do not search.
    """

    move: str
    value: float | None = None
    wdl: tuple[float, float, float] | None = None
    lines: tuple[Line, ...] = ()
    simulations: int = 0
    nodes: int = 0
    depth: int = 0
    seconds: float = 0.0
    exact: bool = False
    score: float | None = None
    stopped: str = ""


class Player:
    """Chooses moves in one game. Deterministic for a seed and the sequence of positions it is asked about.

    The keyword-only arguments of a subclass's `__init__`, but for the seed, are its options: a name such as
    `mcts:sims=2000,c=1.2` sets them, and their annotations say how to read them. As a context manager a player is
    closed at the end.
    """

    note = ""
    """What a user should know of this player with these options, if anything."""

    def __init__(self, game: Game, *, seed: int = 0) -> None:
        self.game = game
        self.seed = seed

    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        """A move in a position where a player decides; `GameError` where none does."""
        return list(self.watch(position, limit, every_s=None))[-1]

    def watch(self, position: Position, limit: Limit | None = None, *, every_s: float | None = 0.5) -> Iterator[Choice]:
        """The same as `choose`, step by step: what the player thinks so far, about every `every_s` seconds, and last
        what it chooses. Leaving the loop stops the thinking. With None there is only the last one."""
        if position.turn is None:
            raise GameError("there is nothing to choose: the game is over")
        if position.turn == CHANCE:
            raise GameError(f"there is nothing to choose: chance decides, with outcomes {', '.join(position.moves)}")
        if position.game != self.game:
            raise GameError(f"this player plays {self.game!r}, not {position.game!r}")
        return self.think(position, limit or Limit(), every_s)

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        """What a kind of player implements: a generator of at least one choice, as `watch` describes."""
        raise NotImplementedError

    def close(self) -> None:
        """Give back what a player holds, such as a process; it may be called twice. Nothing is asked afterwards."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def at_least_zero(name: str, value: Any) -> Any:
    """An option's value, which may be None; `GameError` where it is negative or no number."""
    if value is not None and not value >= 0:
        raise GameError(f"{name}={value!r} is not possible; it must be 0 or more")
    return value


def budget(limit: Limit, default: int) -> int | None:
    """The simulations of a limit; a limit of time alone leaves them open; without any, the player's own."""
    if limit.simulations is not None or limit.nodes is not None:
        return min(x for x in (limit.simulations, limit.nodes) if x is not None)
    return None if limit.seconds is not None else default
