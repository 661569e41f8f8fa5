"""`Position`: the immutable Python face of a state. Kernels speak of ints, a position speaks text."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boyi import draw
from boyi.games.errors import GameError, IllegalMove
from boyi.games.generics import CHANCE, RUNNING, chance, legal, observe, outcome, score, step, turn
from boyi.games.kernels import kernel

if TYPE_CHECKING:
    from boyi.games.game import Game


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winner (None for a draw), the margin for player 0, and why."""

    winner: int | None
    score: int
    reason: str


class Position:
    """A position of a game: what may be played, whose turn it is, how it looks. Playing makes another one."""

    def __init__(self, game: Game, state: NDArray[Any], previous: Position | None = None, move: str = "") -> None:
        state.setflags(write=False)
        self.game = game
        self.state = state
        self.previous = previous
        """The position before the last move, where this one was reached by playing."""
        self.move = move
        """The last move, or the last chance outcome; "" at the start."""

    @functools.cached_property
    def _facts(self) -> tuple[int, int, NDArray[np.uint8]]:
        mask = np.zeros(self.game.num_actions, np.uint8)
        result, mover = _look(self.game.rules, self.state, mask)
        return result, mover, mask

    @property
    def turn(self) -> int | None:
        """Whose decision it is: 0, 1, `boyi.CHANCE`, or None when the game is over."""
        result, mover, _ = self._facts
        return mover if result == RUNNING else None

    @property
    def outcome(self) -> Outcome | None:
        """None while the game runs."""
        result = self._facts[0]
        if result == RUNNING:
            return None
        winner = None if result == 0 else int(result < 0)
        return Outcome(winner, int(_score(self.game.rules, self.state)), self.game.reason(self.state))

    @property
    def actions(self) -> tuple[int, ...]:
        """The legal actions; for a chance decision the outcomes."""
        return tuple(np.flatnonzero(self._facts[2]).tolist())

    @functools.cached_property
    def moves(self) -> tuple[str, ...]:
        """The legal moves as text, in the order of `actions`."""
        return tuple(self.game.write_move(self.state, action) for action in self.actions)

    @property
    def chances(self) -> dict[str, float] | None:
        """For a chance decision the probability of each outcome, else None."""
        if self.turn != CHANCE:
            return None
        probabilities = np.zeros(self.game.num_actions)
        _chance(self.game.rules, self.state, probabilities)
        return {move: float(probabilities[action]) for move, action in zip(self.moves, self.actions, strict=True)}

    def action(self, move: str) -> int:
        """The legal action that a text stands for; `IllegalMove` if there is none."""
        action = self.game.read_move(self.state, move) if isinstance(move, str) else None
        mask = self._facts[2]
        if action is None or not 0 <= action < len(mask) or not mask[action]:
            raise IllegalMove(move, self.moves)
        return action

    def play(self, move: str) -> Position:
        """The position after a move, or after a chance outcome."""
        return self._after(self.action(move))

    def play_action(self, action: int) -> Position:
        """The position after a legal action."""
        is_number = isinstance(action, int | np.integer) and not isinstance(action, bool)
        if not is_number or not 0 <= action < self.game.num_actions or not self._facts[2][action]:
            raise IllegalMove(f"action {action}", self.moves)
        return self._after(action)

    def _after(self, action: int) -> Position:
        state = self.state.copy()
        _step(self.game.rules, state, action)
        return Position(self.game, state, self, self.game.write_move(self.state, action))

    @property
    def history(self) -> tuple[str, ...]:
        """The moves and chance outcomes played since the first known position."""
        moves = []
        position: Position | None = self
        while position is not None and position.previous is not None:
            moves.append(position.move)
            position = position.previous
        return tuple(reversed(moves))

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """Rows of short texts, top row first: "" empty, "X" / "O" for player 0 / 1, in EinStein "R3", "B5"."""
        return self.game.cells(self.state)

    @property
    def key(self) -> str:
        """A text that round-trips: `game.position(position.key) == position`."""
        return self.game.write_key(self)

    def observe(self, observer: str | None = None) -> NDArray[np.float32]:
        """The planes [C, H, W] that a net sees. Default: the game's usual observer."""
        names = list(self.game.observers)
        name = names[0] if observer is None else observer
        if name not in names:
            raise GameError(f"{self.game.name} has no observer {name!r}; it has {', '.join(names)}")
        planes = np.zeros((self.game.observers[name], *self.game.shape), np.float32)
        _observe(self.game.rules, self.state, names.index(name), planes)
        return planes

    # Pictures

    def overlay(
        self,
        *,
        last: bool = True,
        legal: bool = False,
        values: Mapping[str, float | str] | None = None,
        heat: Mapping[str, float] | None = None,
        arrows: Iterable[str] = (),
        suggestion: str | None = None,
        caption: str | None = None,
    ) -> draw.Overlay:
        """What to show over the board; moves are texts. `values` and `heat` (0..1) belong to moves.

        Where a move goes from one square to another it becomes an arrow with its value; where it is one square,
        the square carries the value.
        """
        values, heat = values or {}, heat or {}
        named = {*values, *heat, *arrows} | ({suggestion} if suggestion else set())
        targets = {move: self.game.touched(self.state, self.action(move)) for move in named}
        best = targets[suggestion] if suggestion else ()
        legal_squares = [self.game.touched(self.state, action) for action in self.actions] if legal else []
        paths = [
            draw.Arrow(
                squares[0],
                squares[1],
                label=_short(values.get(move, "")),
                weight=1.0 if move == suggestion else float(heat.get(move, 0.5)),
            )
            for move, squares in sorted(targets.items())
            if len(squares) == 2
        ]
        return draw.Overlay(
            last=self.game.last(self) if last else (),
            legal=tuple(sorted({squares[-1] for squares in legal_squares if squares})),
            movable=tuple(sorted({squares[0] for squares in legal_squares if len(squares) == 2})),
            values={targets[m][0]: _short(v) for m, v in values.items() if len(targets[m]) == 1},
            heat={targets[m][0]: float(v) for m, v in heat.items() if len(targets[m]) == 1},
            arrows=tuple(paths),
            suggestion=best[-1] if best else None,
            caption=self.caption if caption is None else caption,
        )

    @property
    def caption(self) -> str:
        """One line on what is to be done."""
        return self.game.caption(self)

    def svg(self, *, theme: str = "light", size: int = 480, coordinates: bool = True, **overlay: Any) -> str:
        """The board as an SVG document; see `overlay` for what can be shown on it."""
        return draw.svg(
            self.game.diagram(self.state),
            self.overlay(**overlay),
            theme=theme,
            size=size,
            coordinates=coordinates,
            title=f"{self.game.title}: {self.caption}",
        )

    def _repr_svg_(self) -> str:
        return self.svg(theme="auto", size=360)

    def __str__(self) -> str:
        return draw.text(self.game.diagram(self.state), self.overlay())

    def __repr__(self) -> str:
        return f"{self.game!r}.position({self.key!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game == other.game and self.state.tobytes() == other.state.tobytes()

    def __reduce__(self) -> tuple[Any, ...]:
        """By its first state and the moves since: a chain of hundreds of positions exceeds the recursion limit."""
        first = self
        while first.previous is not None:
            first = first.previous
        return _replayed, (self.game, first.state, self.history)

    def __hash__(self) -> int:
        return hash((self.game, self.state.tobytes()))


def _replayed(game: Game, state: NDArray[Any], moves: tuple[str, ...]) -> Position:
    position = Position(game, state)
    for move in moves:
        position = position.play(move)
    return position


def _short(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.2f}"


@kernel
def _look(rules, state, mask):
    result = outcome(rules, state)
    if result != RUNNING:
        return result, 0
    legal(rules, state, mask)
    return result, turn(rules, state)


@kernel
def _step(rules, state, action):
    step(rules, state, action)


@kernel
def _score(rules, state):
    return score(rules, state)


@kernel
def _chance(rules, state, probabilities):
    return chance(rules, state, probabilities)


@kernel
def _observe(rules, state, view, planes):
    observe(rules, state, view, planes)
