"""`Game`: everything about a game that is not a kernel: sizes, text, pictures, symmetries.

A rules file subclasses `Game` and makes one instance, `GAME`, with the default parameters. `boyi.game("gomoku",
size=9)` is the same class with other parameters. What most games share has a default here: a board of cells
0 (empty), 1 and 2 (a stone of player 0 and 1) at the front of the state, actions that are squares, keys that
list the moves played. `Position` is the face that people use.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boyi import draw
from boyi.games.errors import BadParameter, BadPosition
from boyi.games.generics import init, outcome, setup
from boyi.games.grid import Symmetry, board_symmetries, square_names, write_rows
from boyi.games.kernels import kernel
from boyi.games.position import Position
from boyi.games.randomness import generator

State = NDArray[Any]
"""One row of integers, [state_size], of the game's dtype."""


class Game:
    """A game with its parameters; see the module's docstring."""

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int] = 1
    """Counts changes of behaviour, so that records and nets can say which rules they are for."""
    players: ClassVar[tuple[str, str]] = ("Black", "White")
    parameters: ClassVar[Mapping[str, Sequence[int | str]]] = {}
    """The allowed values of every parameter. Words are stored in the rules as their index here."""
    observers: ClassVar[Mapping[str, int]] = {"stones": 2}
    """Name and number of planes of each way to show a state to a net; the first is the usual one."""
    state_dtype: ClassVar[type] = np.int16
    row_one_on_top: ClassVar[bool] = False
    composed_with: ClassVar[tuple[str, ...]] = ()
    """What `compose` needs to know of a position besides its cells and turn: of `die`, `stones_left`, `passed`."""
    surface: ClassVar[str] = "paper"
    lattice: ClassVar[str] = "squares"
    pieces: ClassVar[Mapping[str, draw.Piece]] = {
        "X": draw.Piece("disc", "black", symbol="X"),
        "O": draw.Piece("disc", "white", symbol="O"),
    }

    def __init__(self, rules: Any) -> None:
        self.rules = rules

    # Sizes

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the board."""
        return self.rules.size, self.rules.size

    @property
    def num_squares(self) -> int:
        """Rows times columns."""
        return self.shape[0] * self.shape[1]

    @property
    def num_actions(self) -> int:
        """How many actions there are, legal or not; chance outcomes are numbered among them."""
        return self.num_squares

    @property
    def state_size(self) -> int:
        """Entries of a state."""
        raise NotImplementedError

    @property
    def num_core(self) -> int:
        """How many leading entries of a state decide the future; the rest only remembers moves for observers."""
        return self.state_size

    # Parameters

    def options(self) -> dict[str, int | str]:
        """The parameters as people write them."""
        allowed = self.parameters
        return {
            name: allowed[name][value] if isinstance(allowed[name][0], str) else value
            for name, value in self.rules._asdict().items()
        }

    def variant(self, **options: int | str) -> Game:
        """The same game with other parameters."""
        values = {}
        for name, value in options.items():
            allowed = self.parameters.get(name)
            if allowed is None:
                known = ", ".join(self.parameters) or "none"
                raise BadParameter(f"{self.name} has no parameter {name!r}; its parameters: {known}")
            if value not in allowed or isinstance(value, bool):
                shown = f"{allowed[0]}..{allowed[-1]}" if isinstance(allowed, range) else ", ".join(map(str, allowed))
                raise BadParameter(f"{name}={value!r} is not possible in {self.name}; allowed: {shown}")
            values[name] = allowed.index(value) if isinstance(value, str) else int(value)
        made = type(self)(self.rules._replace(**values))
        made.check()
        return made

    def check(self) -> None:
        """Raise `BadParameter` for a combination of parameters that makes no game."""

    # Positions

    def start(self, *, seed: int | None = None, **arrangement: Any) -> Position:
        """The starting position; with a seed, a random one where the game has a choice of them."""
        state = self.blank()
        if seed is None:
            _init(self.rules, state)
        else:
            _setup(self.rules, state, generator(seed))
        if arrangement:
            self.arrange(state, **arrangement)
        return Position(self, state)

    def position(self, key: str) -> Position:
        """The position that a key describes; `BadPosition` says what is wrong with it."""
        if not isinstance(key, str):
            raise BadPosition(f"a key is a text, not {key!r}")
        return self.read_key(key.strip())

    def blank(self) -> State:
        """A row of zeros."""
        return np.zeros(self.state_size, self.state_dtype)

    def arrange(self, state: State, **arrangement: Any) -> None:
        """Apply a game's own options of `start` to a starting state."""
        raise BadParameter(f"{self.name} has no set-up option {', '.join(arrangement)}; it starts the same every time")

    def write_key(self, position: Position) -> str:
        """A text from which `read_key` makes an equal position. Default: the moves from the start."""
        return " ".join(position.history) or "start"

    def read_key(self, key: str) -> Position:
        """The reverse of `write_key`; raises a `GameError` for any other text."""
        position = self.start()
        for move in [] if key == "start" else key.split():
            position = position.play(move)
        return position

    def key_parts(self, key: str, sides: str) -> tuple[str, int, list[str]]:
        """A key of the form `board side ...`: the board's text, the player to move, and the other words."""
        board, *rest = key.split() or [""]
        side = rest[0].upper() if rest else ""
        if len(side) != 1 or side not in sides:
            raise BadPosition(f"{key[:80]!r} does not say who is to move; after the board comes {' or '.join(sides)}")
        return board, sides.index(side), rest[1:]

    def read_last(self, names: Sequence[str], allowed: Sequence[int], key: str) -> int:
        """The remembered last square at the end of a key, which must be one of `allowed`; -1 where there is none."""
        if not names:
            return -1
        square = self.square(names[0])
        if len(names) > 1 or square is None or square not in allowed:
            raise BadPosition(
                f"{' '.join(names)!r} in {key[:80]!r} cannot be the last move: no such stone was just put"
            )
        return square

    def compose(
        self,
        cells: Sequence[Sequence[str]],
        turn: int,
        *,
        die: int | None = None,
        stones_left: int | None = None,
        passed: bool = False,
    ) -> Position:
        """The position with these cells, rows of texts from the top, and this player to move: for a board editor.

        `die` is the roll, None before it; `stones_left` what the side to move still puts in this turn; `passed`
        whether the other side has just passed. `BadPosition` says what is wrong.
        """
        if type(self).read_key is Game.read_key:
            raise BadPosition(f"positions of {self.name} are reached by playing; they cannot be put together by hand")
        if turn not in (0, 1):
            raise BadPosition(f"turn={turn!r} is not possible; allowed: 0, 1")
        known = {"die": die, "stones_left": stones_left, "passed": passed or None}
        for name, value in known.items():
            if value is not None and name not in self.composed_with:
                raise BadPosition(f"{name}={value!r} is not possible in {self.name}, which has nothing of the kind")
        rows = self._checked(cells)
        position = self.read_key(self.composed_key(rows, turn, **{name: known[name] for name in self.composed_with}))
        if position.turn in (0, 1) and position.turn != turn:
            raise BadPosition(f"with these stones it is not {self.players[turn]} who is to move")
        return position

    def composed_key(self, cells: tuple[tuple[str, ...], ...], turn: int, **known: Any) -> str:
        """The key of `compose`; `known` has what `composed_with` names. Default: `rows side`."""
        return f"{write_rows(cells)} {'XO'[turn]}"

    def _checked(self, cells: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
        """Cells of the board's shape that hold nothing but pieces of the game."""
        height, width = self.shape
        rows = tuple(tuple(row) for row in cells)
        if len(rows) != height or any(len(row) != width for row in rows):
            raise BadPosition(f"the cells are not {height} rows of {width}")
        for number, cell in enumerate(cell for row in rows for cell in row):
            if cell and cell not in self.pieces:
                allowed = ", ".join(self.pieces)
                raise BadPosition(f"{str(cell)[:20]!r} on {self.squares[number]} is no piece; allowed: {allowed}, ''")
        return rows

    # Text

    @functools.cached_property
    def squares(self) -> tuple[str, ...]:
        """The name of every square."""
        return square_names(*self.shape, row_one_on_top=self.row_one_on_top)

    @functools.cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.squares)}

    def square(self, name: str) -> int | None:
        """The number of a named square, or None."""
        return self._numbers.get(name.strip().lower())

    def write_move(self, state: State, action: int) -> str:
        """An action as text."""
        return self.squares[action]

    def read_move(self, state: State, move: str) -> int | None:
        """The action that a text stands for, legal or not; None where it stands for none."""
        return self.square(move)

    def cells(self, state: State) -> tuple[tuple[str, ...], ...]:
        """Rows of short texts, top row first: "" empty, "X" and "O" for the players' stones."""
        height, width = self.shape
        texts = [("", "X", "O")[value] for value in state[: height * width].tolist()]
        return tuple(tuple(texts[row * width : (row + 1) * width]) for row in range(height))

    def reason(self, state: State) -> str:
        """Why a finished game is over, in a word or two."""
        return "line" if outcome(self.rules, state) else "full board"

    # Pictures

    def caption(self, position: Position) -> str:
        """One line on what is to be done, or how it ended."""
        if (end := position.outcome) is None:
            return f"{self.players[position.turn or 0]} to move"
        return f"Draw: {end.reason}" if end.winner is None else f"{self.players[end.winner]} wins: {end.reason}"

    def last(self, position: Position) -> tuple[int, ...]:
        """The squares of the last move."""
        before = position.previous
        return self.touched(before.state, before.action(position.move)) if before else ()

    def diagram(self, state: State) -> draw.Diagram:
        """The board as `draw` wants it."""
        width = self.shape[1]
        return draw.Diagram(
            rows=self.cells(state),
            pieces=self.pieces,
            lattice=self.lattice,
            surface=self.surface,
            columns=tuple(name[0] for name in self.squares[:width]),
            row_labels=tuple(name[1:] for name in self.squares[::width]),
            dots=self.dots(),
        )

    def dots(self) -> tuple[int, ...]:
        """Squares marked for orientation."""
        return ()

    def touched(self, state: State, action: int) -> tuple[int, ...]:
        """The squares that an action is about, seen from the state before it: from and to, or one, or none."""
        return (action,) if action < self.num_squares else ()

    # Symmetries

    @functools.cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All symmetries, the identity first. Default: those of the board."""
        return board_symmetries(*self.shape, self.num_actions, self.observers)

    def transform(self, state: State, symmetry: Symmetry) -> State:
        """The state that a symmetry makes of this one. Default: the cells move, the rest stays."""
        moved = state.copy()
        moved[symmetry.squares] = state[: self.num_squares]
        return moved

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.rules == other.rules

    def __hash__(self) -> int:
        return hash((self.name, self.rules))

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options().items())
        return f"boyi.game({self.name!r}{options})"


@kernel
def _init(rules, state):
    init(rules, state)


@kernel
def _setup(rules, state, rng):
    setup(rules, state, rng)
