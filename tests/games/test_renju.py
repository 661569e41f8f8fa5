"""Renju's forbidden points: hand-made positions, and boards strewn with stones against the twin.

A diagram lists rows of points: X black, O white, * the empty point in question. Each is tried in all eight
orientations, on our side and on the twin's.
"""

import itertools
import random
from collections import Counter
from collections.abc import Iterator

import pytest
from twins import Board, Point, forbidden, has_line, points

import boyi

SIZE = 13
GAME = boyi.game("gomoku", size=SIZE, variant="renju")

FORBIDDEN = {
    "six in a row": ("overline", "XXX*XX"),
    "seven in a row": ("overline", "XXX*XXX"),
    "six between white stones": ("overline", "OXX*XXXO"),
    "fours in two lines": ("double-four", "...X ...X ...X XXX*"),
    "fours blocked at one end": ("double-four", "....O ....X ....X ....X OXXX*"),
    "broken fours": ("double-four", "...X. ...X. ..... ...X. X.X*X"),
    "fours in three lines": ("double-four", "X..X .X.X ..XX XXX*"),
    "fours and a three": ("double-four", "...X ...X ...X XXX* ..X. .X.."),
    "fours in one line, three and three": ("double-four", "XXX.*.XXX"),
    "fours in one line, two and two": ("double-four", "XX.*X.XX"),
    "fours in one line, one and one": ("double-four", "X.*XX.X"),
    "fours in one line, one and one, by the middle": ("double-four", "X.X*X.X"),
    "fours in one line, between white stones": ("double-four", "OX.X*X.XO"),
    "threes in two lines": ("double-three", "...X ...X .XX*"),
    "a straight three and a broken one": ("double-three", "X..... .X.... ..*X.X"),
    "broken threes": ("double-three", "...X .... ...X X.X*"),
    "threes on both diagonals": ("double-three", "X...X .X.X. ..*.."),
    "threes in three lines": ("double-three", "X.X.. .XX.. ..*XX"),
    "a three that can grow on one side only": ("double-three", "....X ....X O.XX*"),
    "one growing point makes six, the other does not": ("double-three", ".X... .X... .X... ..XX* .X..X .X..X"),
    "the growing point makes a four and a three": ("double-three", "...X.. ...X.. ..X.X* .....X .....X"),
}
ALLOWED = {
    "a five": "XX*XX",
    "a four": "XXX*",
    "a three": "XX*",
    "twos": "...X ...X ..X*",
    "a four and a three": "...X ...X ...X .XX*",
    "a blocked four and a three": "...O ...X ...X ...X .XX*",
    "a row of four beyond the gap": "XXX.*.XXXX",
    "one of two fours in one line is blocked": "X.X*XOX",
    "a blocked three": "...X ...X OXX*",
    "a three with room for five only": "....X. ....X. O.XX*.O",
    "a three that would grow into six": ".....X... .....X... X..XX*..X",
    "the growing point makes six": "..X.. ..X.. ..X.. .X.X* ..X.X ..X.X",
    "both growing points make six": ".X...X .X...X .X...X ..XX*. .X..XX .X..XX",
    "the growing point makes two fours": "..X.. ..X.. ..X.. .X.X* ....X ....X",
    "the growing point makes two threes": "....X.. ....X.. ...X.X* ...X..X ..X...X",
    "the growing point makes a five": "..X.. ..X.. ..X.. ..X.. .X.X* ....X ....X",
}
WINNING = {
    "five and six": "..X.. ..X.. ..X.. XX*XX ..X.. ..X..",
    "five and two fours": "..X... ..X... ..X... XX*XX. ...X.. ....X. .....X",
    "five and two fours in one line": "X.X*X.X ...X... ...X... ...X... ...X...",
    "five and two threes": "X...X. .X.X.. ..*... ..X... ..X... ..X... ..X...",
}


def board_of(diagram: str) -> tuple[Board, Point]:
    """The stones of a diagram, put in the middle of the board, and the point marked *."""
    rows = diagram.split()
    top, left = (SIZE - len(rows)) // 2, (SIZE - len(rows[0])) // 2
    marks = {(top + r, left + c): mark for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != "."}
    (point,) = [at for at, mark in marks.items() if mark == "*"]
    del marks[point]
    return marks, point


def orientations(board: Board, point: Point) -> Iterator[tuple[Board, Point]]:
    """The board and the point, turned and mirrored in all eight ways."""
    for _ in range(4):
        board, point = {(c, SIZE - 1 - r): stone for (r, c), stone in board.items()}, (point[1], SIZE - 1 - point[0])
        yield board, point
        yield {(c, r): stone for (r, c), stone in board.items()}, (point[1], point[0])


def key_of(board: Board, size: int, side: str) -> str:
    """A position's key: rows from the top, runs of empty points as numbers, the side to move."""
    rows = []
    for row in range(size):
        letters = (board.get((row, column), "") for column in range(size))
        runs = [(letter, len(list(run))) for letter, run in itertools.groupby(letters)]
        rows.append("".join(letter * length if letter else str(length) for letter, length in runs))
    return "/".join(rows) + " " + side


def name(point: Point) -> str:
    return "abcdefghijklm"[point[1]] + str(SIZE - point[0])


def swapped(board: Board) -> Board:
    return {point: "XO"[stone == "X"] for point, stone in board.items()}


@pytest.mark.parametrize(("kind", "diagram"), FORBIDDEN.values(), ids=FORBIDDEN)
def test_forbidden_to_black(kind: str, diagram: str) -> None:
    for board, point in orientations(*board_of(diagram)):
        position = GAME.position(key_of(board, SIZE, "X"))
        assert forbidden(board, SIZE, point) == kind
        assert name(point) not in position.moves
        with pytest.raises(boyi.IllegalMove):
            position.play(name(point))


@pytest.mark.parametrize(("kind", "diagram"), FORBIDDEN.values(), ids=FORBIDDEN)
def test_white_may_play_what_is_forbidden_to_black(kind: str, diagram: str) -> None:
    """With colours exchanged the point is free, and a row of six wins. Eight black stones stand aside."""
    corners = {(r, c): "X" for r in (0, SIZE - 1) for c in (0, 2, SIZE - 3, SIZE - 1)}
    for board, point in orientations(*board_of(diagram)):
        position = GAME.position(key_of(swapped(board) | corners, SIZE, "O")).play(name(point))
        assert position.outcome == (boyi.Outcome(1, -1, "line") if kind == "overline" else None)


@pytest.mark.parametrize("diagram", ALLOWED.values(), ids=ALLOWED)
def test_allowed(diagram: str) -> None:
    for board, point in orientations(*board_of(diagram)):
        assert forbidden(board, SIZE, point) is None
        assert name(point) in GAME.position(key_of(board, SIZE, "X")).moves


@pytest.mark.parametrize("diagram", WINNING.values(), ids=WINNING)
def test_five_overrides(diagram: str) -> None:
    """An exact five wins, whatever else the stone makes."""
    for board, point in orientations(*board_of(diagram)):
        position = GAME.position(key_of(board, SIZE, "X"))
        assert forbidden(board, SIZE, point) is None
        assert position.play(name(point)).outcome == boyi.Outcome(0, 1, "line")


@pytest.mark.parametrize("diagram", WINNING.values(), ids=WINNING)
def test_five_overrides_something(diagram: str) -> None:
    """Without the five, the same stone is forbidden: the diagrams above show what they say."""
    board, point = board_of(diagram)
    assert any(forbidden({at: stone for at, stone in board.items() if at != removed}, SIZE, point) for removed in board)


def random_board(size: int, rng: random.Random) -> Board:
    """Stones strewn at random, Black's on 15 to 45 % of the points, nobody with five or more in a row."""
    while True:
        share = rng.uniform(0.15, 0.45)
        letters = rng.choices("X.O", (share, 0.92 - share, 0.08), k=size * size)
        board = {point: letter for point, letter in zip(points(size), letters, strict=True) if letter != "."}
        if not any(has_line(board, size, stone, 5, exact=False) for stone in "XO"):
            return board


@pytest.mark.parametrize(("size", "count"), [(6, 800), (8, 800), (11, 250), (15, 100)])
def test_random_boards(size: int, count: int) -> None:
    """Boards full of black stones: the points that are legal for Black, and that all are for White."""
    game = boyi.game("gomoku", size=size, variant="renju")
    rng = random.Random(size)
    kinds: Counter[str | None] = Counter()
    for _ in range(count):
        board = random_board(size, rng)
        empty = [point for point in points(size) if point not in board]
        reasons = {point: forbidden(board, size, point) for point in empty}
        kinds.update(reasons.values())
        allowed = [row * size + column for row, column in empty if reasons[row, column] is None]
        assert list(game.position(key_of(board, size, "X")).actions) == allowed
        assert len(game.position(key_of(board, size, "O")).actions) == len(empty)
    assert min(kinds["double-four"], kinds["double-three"], kinds["overline"]) > 20
