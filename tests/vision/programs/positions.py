"""Positions to show in programs that nobody here wrote."""

from collections.abc import Iterator

import numpy as np

from boyi.games import Position
from boyi.games import game as find_game

Cells = tuple[tuple[str, ...], ...]
STAGES = {"early": 0.05, "middle": 0.2, "half": 0.4, "late": 0.6}
"""How much of the board is full, roughly."""
TIC_TAC_TOE = ("b2 a1", "a1 b2 c3 c1", "b2 c3 a1 c1 c2", "c1 b2 a3 b3 b1 a1")
MORE_TIC_TAC_TOE = ("c3", "a2 b2 c1", "a1 a3 c3 b2 c1 b1", "b2 a3 c1 a1 a2 c2 b3 b1")
EVEN_TIC_TAC_TOE = (
    "b2 a1", "c3 b2", "a1 b2 c3 c1", "b1 b2 a3 c1", "c1 b2 a3 b3 b1 a1", "a2 a3 c3 b2 c1 b1", "b2 a3 c1 a1 a2 c2 b3 b1",
    "a1 b2 a3 a2 c2 b1 b3 c3",
)  # fmt: skip
"""As many rings as crosses."""
COLOURS = {"X": "black", "O": "white"}


def line_of_play(name: str, stage: str, seed: int, *, alive: bool = False) -> Position:
    """A position of random play that is not over; stones of the line games stand near each other.

    With `alive` no stones lose their last liberty on the way: programs for Go would take them off the board.
    """
    random = np.random.default_rng([seed, *name.encode(), *stage.encode()])
    game = find_game(name)
    wanted = max(2, round(STAGES[stage] * game.num_squares * (0.6 if game.num_squares > 64 else 1.0)))
    while True:
        position = game.start()
        for _ in range(wanted):
            later = position.play(_near(position, random))
            if later.turn is None:
                break
            if alive and not _breathing(later.cells):
                continue
            position = later
        if sum(bool(text) for row in position.cells for text in row) > 0.7 * wanted:
            return position


def _near(position: Position, random: np.random.Generator) -> str:
    """A legal move, on a large board one at most two steps from a stone."""
    full = np.array([[bool(text) for text in row] for row in position.cells])
    moves = [str(move) for move in position.moves]
    if full.size <= 64 or not full.any():
        return str(random.choice(moves))
    spots = {name: divmod(place, full.shape[1]) for place, name in enumerate(position.game.squares)}
    close = [move for move in moves if full[_around(spots[move][0]), _around(spots[move][1])].any()]
    return str(random.choice(close or moves))


def _breathing(cells: Cells) -> bool:
    """Whether every group of stones has an empty neighbour, as Go wants it."""
    free = {(row, column) for row, texts in enumerate(cells) for column, text in enumerate(texts) if not text}
    alive = set()
    for row, column in free:
        border = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        while border:
            place = border.pop()
            if place in alive or place in free or not all(0 <= part < len(cells) for part in place):
                continue
            alive.add(place)
            colour = cells[place[0]][place[1]]
            for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                beside = place[0] + step[0], place[1] + step[1]
                if all(0 <= part < len(cells) for part in beside) and cells[beside[0]][beside[1]] == colour:
                    border.append(beside)
    return len(alive) + len(free) == sum(map(len, cells))


def _around(place: int) -> slice:
    return slice(max(0, place - 2), place + 3)


def tic_tac_toes(games: tuple[str, ...] = TIC_TAC_TOE + MORE_TIC_TAC_TOE) -> Iterator[Position]:
    """Eight positions of tic-tac-toe that are not over."""
    for moves in games:
        position = find_game("tictactoe").start()
        for move in moves.split():
            position = position.play(move)
        assert position.turn is not None
        yield position


def positions(games: tuple[str, ...], seed: int, *, alive: bool = False) -> Iterator[tuple[str, Position]]:
    """Every game in all stages; four given positions of tic-tac-toe."""
    for number, game in enumerate(games):
        if game == "tictactoe":
            yield from ((game, position) for position in tic_tac_toes(TIC_TAC_TOE))
        else:
            yield from ((game, line_of_play(game, stage, seed + number, alive=alive)) for stage in STAGES)


def living_positions(games: tuple[str, ...], seed: int) -> Iterator[tuple[str, Position]]:
    """Every game in all stages, without stones that Go would take off the board; tic-tac-toe in eight positions."""
    if games == ("tictactoe",):
        yield from (("tictactoe", position) for position in tic_tac_toes())
    else:
        yield from positions(games, seed, alive=games[0].startswith(("gomoku", "connect6")))


def without_a_pass(seed: int) -> list[Position]:
    """The positions of a random game of Othello with more than 40 moves and no pass among them."""
    random = np.random.default_rng(seed)
    while True:
        game = [find_game("othello").start()]
        while len(game) < 43 and game[-1].turn is not None and game[-1].moves != ("pass",):
            game.append(game[-1].play(str(random.choice(game[-1].moves))))
        if len(game) == 43:
            return game


def earlier(position: Position) -> Position:
    """The position one move before."""
    before = position.game.start()
    for move in position.history[:-1]:
        before = before.play(move)
    return before


def square(position: Position, move: str) -> tuple[int, int]:
    """The row and the column of a move."""
    row, column = divmod(position.game.squares.index(move), len(position.cells))
    return row, column


def squares(position: Position) -> list[tuple[int, int]]:
    """The rows and columns of the moves that were played, without passes."""
    return [square(position, move) for move in position.history if move in position.game.squares]


def stones(cells: Cells) -> Iterator[tuple[int, int, str]]:
    """Row, column, "X" or "O"."""
    for row, texts in enumerate(cells):
        for column, text in enumerate(texts):
            if text:
                yield row, column, text


def line(cells: Cells, codes: str, between: str = "") -> str:
    """The squares row by row; CODES are for an empty one, a cross and a ring."""
    return between.join(codes[" XO".index(text or " ")] for row in cells for text in row)


def mirrored(cells: Cells) -> Cells:
    """Left and right, black and white exchanged."""
    other = {"X": "O", "O": "X", "": ""}
    return tuple(tuple(other[text] for text in reversed(row)) for row in cells)


def record(position: Position) -> str:
    """A position as a game record in SGF, all stones set up before the first move."""
    setup = ""
    for key, wanted in (("AB", "X"), ("AW", "O")):
        spots = [f"[{chr(97 + x)}{chr(97 + y)}]" for y, x, text in stones(position.cells) if text == wanted]
        setup += key + "".join(spots) if spots else ""
    return f"(;GM[{2 if position.game.name == 'othello' else 1}]FF[4]SZ[{len(position.cells)}]{setup})"
