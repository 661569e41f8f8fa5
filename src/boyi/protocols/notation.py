"""How protocols name points: columns and rows as numbers, with or without the letter I, rows from the top or bottom.

Here a point is the number of a square of the game, row by row from the top left; texts are as the protocol has them.
"""

import re

from boyi.games import Game, GameError

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
GO_LETTERS = LETTERS.replace("I", "")


def write_vertex(game: Game, square: int, *, letters: str = LETTERS, top: bool = False) -> str:
    """A point as a letter and a number, such as `K10`; row 1 is on top or at the bottom."""
    height, width = game.shape
    row, column = divmod(square, width)
    return f"{letters[column]}{row + 1 if top else height - row}"


def read_vertex(game: Game, text: str, *, letters: str = LETTERS, top: bool = False) -> int:
    """The reverse of `write_vertex`, in either case."""
    height = game.shape[0]
    found = re.fullmatch(r"([A-Z])([1-9]\d?)", text.strip().upper())
    column = letters.find(found[1]) if found else -1
    row = (int(found[2]) - 1 if top else height - int(found[2])) if found else -1
    return _square(game, row, column, text)


def write_xy(game: Game, square: int, separator: str = ",") -> str:
    """A point as column and row from 0, row 0 on top: `7,8`."""
    row, column = divmod(square, game.shape[1])
    return f"{column}{separator}{row}"


def read_xy(game: Game, text: str) -> int:
    """The reverse of `write_xy`."""
    found = re.fullmatch(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*", text)
    return _square(game, int(found[2]) if found else -1, int(found[1]) if found else -1, text)


def write_letters(game: Game, square: int) -> str:
    """A point as two capital letters, column and row from the top: `JJ`."""
    row, column = divmod(square, game.shape[1])
    return LETTERS[column] + LETTERS[row]


def read_letters(game: Game, text: str) -> int:
    """The reverse of `write_letters`."""
    column, row = (LETTERS.find(text[0]), LETTERS.find(text[1])) if len(text) == 2 else (-1, -1)
    return _square(game, row, column, text)


def _square(game: Game, row: int, column: int, text: str) -> int:
    height, width = game.shape
    if not (0 <= row < height and 0 <= column < width):
        raise GameError(f"{text[:40]!r} is no point of a board of {width}x{height}")
    return row * width + column
