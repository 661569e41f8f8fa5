"""Slow, obvious referees written from the rules alone: nothing here imports boyi or is compiled.

A point is (row, column), row 0 on top. A board maps points to "X" (player 0) or "O" (player 1); empty points are
absent. Every twin has `turn` (0, 1, or None when the game is over), `moves` (the legal ones: points, or "pass"),
`winner` (None for a draw), `reason`, and `play(move)`.
"""

import copy
import functools
from typing import Any

Point = tuple[int, int]
Board = dict[Point, str]
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
EIGHT = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0))


@functools.cache
def points(size: int) -> tuple[Point, ...]:
    return tuple((row, column) for row in range(size) for column in range(size))


def shifted(point: Point, step: Point, times: int) -> Point:
    return point[0] + step[0] * times, point[1] + step[1] * times


@functools.cache
def windows(size: int, length: int) -> tuple[tuple[tuple[Point, ...], tuple[Point, Point]], ...]:
    """Every straight row of `length` points on the board, with the two points (perhaps off it) at its ends."""
    on_board = set(points(size))
    found = []
    for point in points(size):
        for step in STEPS:
            window = tuple(shifted(point, step, times) for times in range(length))
            if on_board.issuperset(window):
                found.append((window, (shifted(point, step, -1), shifted(point, step, length))))
    return tuple(found)


def has_line(board: Board, size: int, stone: str, win: int, exact: bool) -> bool:
    """Whether some row of `win` points is full of one side's stones; with `exact`, and goes on at neither end."""
    for window, ends in windows(size, win):
        full = all(board.get(point) == stone for point in window)
        if full and not (exact and any(board.get(point) == stone for point in ends)):
            return True
    return False


class Twin:
    """What the twins share: a board, and how it all ends."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.board: Board = {}
        self.turn: int | None = 0
        self.winner: int | None = None
        self.reason: str | None = None
        self.moves: list[Any] = list(points(size))

    def end(self, winner: int | None, reason: str) -> None:
        self.turn, self.winner, self.reason, self.moves = None, winner, reason, []

    def empty(self) -> list[Point]:
        return [point for point in points(self.size) if point not in self.board]

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The board as rows of "X", "O" and ""."""
        return tuple(
            tuple(self.board.get((row, column), "") for column in range(self.size)) for row in range(self.size)
        )

    def after(self, move: Any) -> "Twin":
        """Another twin, one move on."""
        other = copy.copy(self)
        other.board = dict(self.board)
        other.play(move)
        return other

    def mover_of(self, move: Any) -> int:
        """Whose move a legal one is."""
        assert self.turn is not None
        assert move in self.moves
        return self.turn

    def play(self, move: Any) -> None:
        raise NotImplementedError


class GomokuTwin(Twin):
    def __init__(self, size: int, win: int = 5, variant: str = "freestyle") -> None:
        super().__init__(size)
        self.win = win
        self.variant = variant

    def play(self, move: Any) -> None:
        mover = self.mover_of(move)
        self.board[move] = "XO"[mover]
        exact = self.variant == "standard" or (self.variant == "renju" and mover == 0)
        if has_line(self.board, self.size, "XO"[mover], self.win, exact):
            self.end(mover, "line")
        elif not self.empty():
            self.end(None, "full board")
        else:
            self.give_turn(1 - mover)

    def give_turn(self, mover: int) -> None:
        """Let a side move, or end the game if it is Black in renju and every empty point is forbidden."""
        self.turn = mover
        self.moves = self.empty()
        if self.variant == "renju" and mover == 0:
            self.moves = [point for point in self.moves if not forbidden(self.board, self.size, point)]
        if not self.moves:
            self.end(None, "no legal point")


class Connect6Twin(Twin):
    """Black puts one stone, then both put two a turn; six or more in a row win."""

    def play(self, move: Any) -> None:
        mover = self.mover_of(move)
        self.board[move] = "XO"[mover]
        stones = len(self.board)
        if has_line(self.board, self.size, "XO"[mover], 6, exact=False):
            self.end(mover, "line")
        elif stones == self.size**2:
            self.end(None, "full board")
        else:
            # Stones 1 | 2 3 | 4 5 | 6 7 ...: Black, White, Black, White
            self.turn = (stones + 1) // 2 % 2
            self.moves = self.empty()


class OthelloTwin(Twin):
    def __init__(self, size: int) -> None:
        super().__init__(size)
        low, high = size // 2 - 1, size // 2
        self.board = {(low, low): "O", (high, high): "O", (low, high): "X", (high, low): "X"}
        self.moves = [point for point in points(size) if self.turned(point, "X")]

    def turned(self, point: Point, disc: str) -> list[Point]:
        """The discs that a disc on an empty point would turn."""
        if point in self.board:
            return []
        found = []
        for step in EIGHT:
            row = []
            reached = shifted(point, step, 1)
            while self.board.get(reached, disc) != disc:
                row.append(reached)
                reached = shifted(reached, step, 1)
            if reached in self.board:
                found += row
        return found

    def play(self, move: Any) -> None:
        mover = self.mover_of(move)
        if move != "pass":
            for point in [*self.turned(move, "XO"[mover]), move]:
                self.board[point] = "XO"[mover]
        own, other = (
            [point for point in points(self.size) if self.turned(point, "XO"[side])] for side in (mover, 1 - mover)
        )
        self.turn = 1 - mover
        self.moves = other or ["pass"]
        if not own and not other:
            margin = self.margin()
            self.end(None if margin == 0 else int(margin < 0), "discs" if margin else "equal discs")

    def margin(self) -> int:
        """Black's discs less White's, the empty squares going to the winner."""
        discs = list(self.board.values())
        lead = discs.count("X") - discs.count("O")
        empty = self.size**2 - len(discs)
        return lead + (empty if lead > 0 else -empty if lead < 0 else 0)


# Renju's forbidden points. A line is a text of 11 points with the point in question in the middle: "X" black,
# "O" white, "." empty, "#" beyond the edge.

MIDDLE = 5


def line_of(board: Board, size: int, point: Point, step: Point) -> str:
    letters = []
    for times in range(-MIDDLE, MIDDLE + 1):
        row, column = shifted(point, step, times)
        letters.append(board.get((row, column), ".") if 0 <= row < size and 0 <= column < size else "#")
    return "".join(letters)


def is_five(line: str) -> bool:
    """Whether the middle belongs to a row of exactly five black stones."""
    return any(
        line[start : start + 5] == "XXXXX" and line[start - 1] != "X" and line[start + 5] != "X"
        for start in range(1, MIDDLE + 1)
    )


def is_overline(line: str) -> bool:
    return "XXXXXX" in line


def fours(line: str) -> int:
    """How many sets of four stones with the middle lack one empty point to be exactly five."""
    found = set()
    for start in range(1, MIDDLE + 1):
        window = line[start : start + 5]
        if sorted(window) == list(".XXXX") and line[start - 1] != "X" and line[start + 5] != "X":
            found.add(tuple(place for place in range(start, start + 5) if line[place] == "X"))
    return len(found)


def growths(line: str) -> list[int]:
    """Where a further stone makes an open four with the middle: four in a row that may become five at either end."""
    found = []
    for offset in (-3, -2, -1, 1, 2, 3):
        place = MIDDLE + offset
        if line[place] == ".":
            grown = line[:place] + "X" + line[place + 1 :]
            for start in range(2, MIDDLE + 1):
                inside = start <= place < start + 4
                open_four = grown[start - 1 : start + 5] == ".XXXX." and "X" not in grown[start - 2] + grown[start + 5]
                if inside and open_four:
                    found.append(offset)
    return found


def fives_or_forbidden(board: Board, size: int, point: Point) -> str | None:
    """What a black stone on an empty point makes: "five", "double-four", "double-three", "overline", or None.

    The order is that of Gomocup's referee (Piskvork). A three is real if at one of its growing points Black may play
    without making a five: "a row with three stones to which you, without at the same time a five in a row is made,
    can add one more stone to attain a straight four" (Renju International Federation, rules of 1996).
    """
    board[point] = "X"
    try:
        lines = {step: line_of(board, size, point, step) for step in STEPS}
        lines = {step: line for step, line in lines.items() if line.count("X") >= 3}
        if any(is_five(line) for line in lines.values()):
            return "five"
        if sum(fours(line) for line in lines.values()) >= 2:
            return "double-four"
        threes = 0
        for step, line in lines.items():
            grown = [fives_or_forbidden(board, size, shifted(point, step, offset)) for offset in growths(line)]
            threes += None in grown
        if threes >= 2:
            return "double-three"
        return "overline" if any(is_overline(line) for line in lines.values()) else None
    finally:
        del board[point]


def forbidden(board: Board, size: int, point: Point) -> str | None:
    """Why Black may not play on an empty point: "double-four", "double-three", "overline", or None where he may."""
    made = fives_or_forbidden(board, size, point)
    return None if made == "five" else made


def perft(twin: Twin, depth: int) -> list[tuple[int, int]]:
    """For depths 1, 2 ...: lines of exactly that many plies, and games that ended before."""
    nodes = [0] * (depth + 1)
    ended = [0] * (depth + 1)

    def walk(at: Twin, ply: int) -> None:
        ended[ply] += at.turn is None
        nodes[ply + 1] += len(at.moves)
        if ply + 1 < depth:
            for move in at.moves:
                walk(at.after(move), ply + 1)

    walk(twin, 0)
    return [(nodes[d], sum(ended[:d])) for d in range(1, depth + 1)]
