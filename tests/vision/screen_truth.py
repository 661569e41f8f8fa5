"""Positions to show in programs that nobody here wrote, and `screens.toml`, which says what stands on a picture."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from boyi.games import Position
from boyi.games import game as find_game

Cells = tuple[tuple[str, ...], ...]
STAGES = {"early": 0.05, "middle": 0.2, "half": 0.4, "late": 0.6}
"""How much of the board is full, roughly."""


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


class Truth:
    """Writes FOLDER/screens.toml: one entry for every picture in FOLDER."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "screens.toml"
        self.entries: dict[str, str] = {}

    def add(self, file: str, program: str, game: str = "", cells: Cells = ()) -> None:
        lines = ["[[screen]]", f'file = "{file}"', f'program = "{program}"', "tuned = false"]
        if cells:
            lines += [f'game = "{game}"', "cells = [", *_rows(cells), "]"]
        self.entries[file] = "\n".join(lines) + "\n"
        self.path.write_text("\n".join(self.entries.values()), encoding="utf-8")


def _rows(cells: Cells) -> Iterator[str]:
    for row in cells:
        yield '    "' + " ".join(text or "." for text in row) + '",'
