"""Boards as grids: names of squares, rows as text, and the symmetries of a rectangle.

A square is a number, row by row from the top left: square = row * width + column.
Columns are named a, b, c ... (i included); rows are numbered from the top or from the bottom, as the game has it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boyi.games.errors import BadPosition

Table = NDArray[np.int32]


def square_names(height: int, width: int, *, row_one_on_top: bool = False) -> tuple[str, ...]:
    """The name of every square, in order."""
    numbers = [row + 1 if row_one_on_top else height - row for row in range(height)]
    return tuple(f"{chr(ord('a') + column)}{number}" for number in numbers for column in range(width))


def write_rows(rows: Sequence[Sequence[str]]) -> str:
    """Rows of one-letter cells as text: a number for a run of empty cells, rows separated by `/`."""
    parts = []
    for row in rows:
        text = "".join(cell or "." for cell in row)
        parts.append(re.sub(r"\.+", lambda run: str(len(run.group())), text))
    return "/".join(parts)


def read_rows(text: str, height: int, width: int, letters: str) -> list[int]:
    """The reverse of `write_rows`: for each square 0, or 1 + the index of its letter in `letters`."""
    rows = text.split("/")
    if len(rows) != height:
        raise BadPosition(f"{text[:80]!r} has {len(rows)} rows; this board has {height}, separated by '/'")
    cells: list[int] = []
    for row in rows:
        found: list[int] = []
        for run, letter in re.findall(r"(\d{1,3})|(.)", row, re.DOTALL):
            if run:
                found += [0] * min(int(run), width + 1 - min(len(found), width))
            elif letter.upper() in letters:
                found.append(letters.index(letter.upper()) + 1)
            else:
                raise BadPosition(
                    f"{letter!r} in row {row[:40]!r} is neither a number of empty cells nor one of {letters}"
                )
        if len(found) != width:
            raise BadPosition(f"row {row[:40]!r} describes {len(found)} cells; this board has {width} columns")
        cells += found
    return cells


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A transformation under which the game is the same: tables that say where everything goes.

    `squares[s]` is the square that s becomes on the board, `actions[a]` the action that a becomes, `outcomes[o]` the
    chance outcome that o becomes. `planes[observer]` is a pair: where each plane and where each square of a plane
    goes; an observer that the transformation cannot be expressed for is missing.
    """

    name: str
    squares: Table
    actions: Table
    planes: Mapping[str, tuple[Table, Table]]
    outcomes: Table | None = None
    turns: bool = False
    """The two players change places."""
    next: str = ""
    """The symmetry that relates the positions after a move, where it is another one (EinStein: own and other swap)."""

    def observation(self, observer: str, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        """Planes [..., C, H, W] as the transformed position shows them."""
        *batch, count, height, width = planes.shape
        flat = planes.reshape(*batch, count, height * width)
        out = np.empty_like(flat)
        to_plane, to_square = self.planes[observer]
        out[..., to_plane[:, None], to_square[None, :]] = flat
        return out.reshape(planes.shape)


_MAPS: dict[str, Callable[[NDArray[np.int32]], NDArray[np.int32]]] = {
    "identity": lambda board: board,
    "mirror": np.fliplr,
    "flip": np.flipud,
    "half turn": lambda board: np.rot90(board, 2),
    "transpose": lambda board: board.T,
    "quarter turn": np.rot90,
    "three-quarter turn": lambda board: np.rot90(board, 3),
    "other diagonal": lambda board: np.rot90(board, 2).T,
}


def square_tables(height: int, width: int) -> dict[str, Table]:
    """Where each square goes under the 8 symmetries of a square board, or the 4 of a rectangle."""
    board = np.arange(height * width, dtype=np.int32).reshape(height, width)
    tables = {}
    for name, transform in _MAPS.items():
        moved = transform(board)
        if moved.shape == board.shape:
            table = np.empty(height * width, np.int32)
            table[moved.ravel()] = board.ravel()
            tables[name] = table
    return tables


def board_symmetries(height: int, width: int, num_actions: int, observers: Mapping[str, int]) -> tuple[Symmetry, ...]:
    """The symmetries of a game whose actions are its squares, perhaps followed by others that stay (a pass)."""
    found = []
    for name, squares in square_tables(height, width).items():
        actions = np.arange(num_actions, dtype=np.int32)
        actions[: height * width] = squares
        planes = {observer: (np.arange(count, dtype=np.int32), squares) for observer, count in observers.items()}
        found.append(Symmetry(name, squares, actions, planes))
    return tuple(found)
