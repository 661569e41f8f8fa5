"""Positions to show in programs that nobody here wrote, and `screens.toml`, which says what stands on a picture."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from boyi.games import Position
from boyi.games import game as find_game

Cells = tuple[tuple[str, ...], ...]
STAGES = {"early": 0.05, "middle": 0.2, "half": 0.4, "late": 0.6}
"""How much of the board is full, roughly."""


def line_of_play(name: str, stage: str, seed: int) -> Position:
    """A position of random play that is not over; stones of the line games stand near each other."""
    random = np.random.default_rng([seed, *name.encode(), *stage.encode()])
    game = find_game(name)
    wanted = max(2, round(STAGES[stage] * game.num_squares * (0.6 if game.num_squares > 64 else 1.0)))
    while True:
        position = game.start()
        for _ in range(wanted):
            later = position.play(_near(position, random))
            if later.turn is None:
                break
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
