"""Moves in SGF, game by game, and the properties that say which game a file holds.

SGF has numbers for Othello (2) and Gomoku (4) only and fixes no way to write their points. What programs write is read:
`d3` for Othello, two letters from the top left for Gomoku, `j10` or `j9l11` from the bottom for Connect6 as Little
Golem does. Every other game, EinStein included, keeps this package's own texts in properties that
`docs/records.md` lists.
"""

import itertools
import re

from boyi.games import Game
from boyi.records.record import BadRecord, game_text, named_game
from boyi.records.sgf_tree import Node, escaped, simple

NUMBERS = {"othello": 2, "gomoku": 4}
USUAL = {"othello": 8, "gomoku": 15, "connect6": 19}
SIDES = {"einstein": ("MR", "MB")}
"""Properties for the moves of players 0 and 1 where they are not B and W."""
PASSES = ("", "pa", "pass", "--")
GRID = re.compile(r"([a-z])(\d{1,2})", re.IGNORECASE)
PAIR = re.compile(r"([a-zA-Z])([a-zA-Z])")
TURN = re.compile(r"(?:[a-s](?:1[0-9]|[1-9])){1,2}", re.IGNORECASE)


def game_of(root: Node, given: Game | None) -> Game:
    """The game of a tree: as it says itself, or as the caller says; `BadRecord` where neither does."""
    own = root.first("BG")
    if own is not None:
        text = simple(own)
        if given is not None and text in (game_text(given), given.name):
            return given
        return named_game(text)
    size = _size(root.first("SZ"))
    if given is not None:
        if size is not None and given.shape != (size, size):
            raise BadRecord(f"its board is {size}x{size}, not that of {game_text(given)}")
        return given
    number = (root.first("GM") or "").strip()
    name = next((name for name, known in NUMBERS.items() if str(known) == number), None)
    if name is None and number in ("", "1") and _looks_like_connect6(root):
        name = "connect6"
    if name is None:
        said = f"GM[{number[:10]}]" if number else "no GM"
        raise BadRecord(
            f"{said} does not say which game it is: known are GM[2] Othello and GM[4] Gomoku; name the game"
        )
    options: dict[str, int | str] = {"size": USUAL[name] if size is None else size}
    if name == "gomoku":
        rules = simple(root.first("RU") or "").strip().lower()
        options |= {"variant": rules} if rules in ("freestyle", "standard", "renju") else {}
    return named_game(name).variant(**options)


def game_properties(game: Game) -> list[tuple[str, str]]:
    """The properties that say which game it is."""
    found = [("GM", str(NUMBERS[game.name]))] if game.name in NUMBERS else []
    if game.name in USUAL:
        found.append(("SZ", str(game.shape[0])))
    usual = game.name in NUMBERS and game == named_game(game.name).variant(size=game.shape[0])
    return found if usual else [*found, ("BG", game_text(game))]


def _size(text: str | None) -> int | None:
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d{1,2})\s*(?::\s*(\d{1,2})\s*)?", text)
    if not found or (found[2] or found[1]) != found[1]:
        raise BadRecord(f"a board of size {text[:20]!r} is not possible")
    return int(found[1])


def _looks_like_connect6(root: Node) -> bool:
    """Whether the first moves are written as Little Golem does, with a turn of two stones or one in the centre."""
    values: list[str] = []
    node: Node | None = root
    for _ in range(6):
        if node is None:
            break
        values += [value for side in ("B", "W") for value in node.properties.get(side, [])]
        node = node.children[0] if node.children else None
    if not values or not all(TURN.fullmatch(value.strip()) for value in values):
        return "connect6" in simple(root.first("EV") or "").lower()
    return len(values) == 1 or any(len(GRID.findall(value)) == 2 for value in values)


def read_moves(game: Game, value: str) -> list[str]:
    """The moves of a B or W property: one, or the two stones of a Connect6 turn."""
    text = simple(value)
    if game.name not in USUAL:
        return [text]
    text = text.strip()
    if game.name == "othello" and text.lower() in (*PASSES, "tt"):
        return ["pass"]
    parts = GRID.findall(text)
    if parts and "".join(map("".join, parts)) == text:
        moves = [f"{column.lower()}{int(row)}" for column, row in parts]
    else:
        moves = [name for pair in PAIR.findall(text) for name in [_named(game, *pair)] if name]
        if len(text) != 2 * len(moves):
            raise BadRecord(f"{text[:20]!r} is no point of a board of {game.shape[0]}x{game.shape[1]}")
    if not 1 <= len(moves) <= (2 if game.name == "connect6" else 1):
        raise BadRecord(f"{text[:20]!r} is no move")
    return moves


def _named(game: Game, column: str, row: str) -> str | None:
    """The square of two letters that count from the top left."""
    height, width = game.shape
    x, y = (ord(letter) - ord("a") if letter.islower() else 26 + ord(letter) - ord("A") for letter in (column, row))
    return game.squares[y * width + x] if x < width and y < height else None


def write_move(game: Game, move: str) -> str:
    """A move, or the stones of a turn put together, as a value."""
    if game.name == "othello":
        return "PA" if move == "pass" else move
    if game.name == "gomoku":
        square = game.square(move)
        assert square is not None
        return chr(ord("a") + square % game.shape[1]) + chr(ord("a") + square // game.shape[1])
    return escaped(move)


def read_points(game: Game, values: list[str]) -> list[int]:
    """The squares of a list of points, of which some may be rectangles."""
    found: list[int] = []
    for value in values:
        corners = [_squares(game, corner) for corner in value.split(":")]
        if len(corners) > 2:
            raise BadRecord(f"{value[:20]!r} is no rectangle of points")
        width = game.shape[1]
        (top, left), (bottom, right) = divmod(corners[0], width), divmod(corners[-1], width)
        found += [
            row * width + column for row, column in itertools.product(range(top, bottom + 1), range(left, right + 1))
        ]
        if len(found) > game.num_squares:
            raise BadRecord("it sets up more stones than there are squares")
    return found


def _squares(game: Game, value: str) -> int:
    moves = read_moves(game, value)
    square = game.square(moves[0])
    if square is None or len(moves) > 1:
        raise BadRecord(f"{value[:20]!r} is no point of a board of {game.shape[0]}x{game.shape[1]}")
    return square
