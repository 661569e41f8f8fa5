"""Takes pictures of nine games that the finished recogniser is measured with: `take_game_screens.py FOLDER`.

Games of Python packages in windows on a virtual screen (`game_windows.py`), KaTrain, and printed boards of LaTeX's
package go. Needs what `take_screens.py` and `take_late_screens.py` need; the packages go into FOLDER only. What stands
on the boards is what the games were told to show, and is written to FOLDER/screens.toml.
`python -m boyi.bench.vision FOLDER` measures them.
"""

import json
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from pathlib import Path

from screen_truth import STAGES, Cells, Truth, line_of_play
from take_late_screens import COLOURS, TIC_TAC_TOE, printed, stones
from take_screens import Program, act, record, screen

from boyi.games import Position
from boyi.games import game as find_game

GAMES = (
    "othello-ai==0.1.1", "pygomoku==1.0.0", "mnkgame==0.0.0.5", "tic-tac-toe-pygame==0.5.0", "freegames==2.5.3",
    "pygame==2.6.1", "numpy", "katrain==1.20.0",
)  # fmt: skip
ALONE = ("gobang==0.1.0", "Reversi==1.2.1")
"""Packages whose own requirements are not needed to show a board."""
WINDOWS = {
    "othello_ai": ("othello", "othello"),
    "reversi": ("othello", "othello"),
    "gobang": ("gomoku", "gomoku"),
    "pygomoku": ("gomoku:size=9", "gomoku:size=15", "gomoku:size=13"),
    "mnkgame": ("tictactoe", "gomoku:size=10", "gomoku:size=9"),
    "tic_tac_toe_pygame": ("tictactoe",),
    "freegames": ("tictactoe",),
}
GO = ("gomoku:size=19", "gomoku:size=13", "gomoku:size=9", "connect6")
ROW_NAMES = "abcdefghiklmnopqrst"
"""What LaTeX's package go calls the rows."""


def positions(games: tuple[str, ...], seed: int, *, alive: bool = False) -> Iterator[tuple[str, Position]]:
    """Every game in all stages; four given positions of tic-tac-toe."""
    for number, game in enumerate(games):
        for stage, moves in zip(STAGES, TIC_TAC_TOE, strict=True):
            if game != "tictactoe":
                yield game, line_of_play(game, stage, seed + number, alive=alive)
                continue
            position = find_game(game).start()
            for move in moves.split():
                position = position.play(move)
            yield game, position


def square(position: Position, move: str) -> tuple[int, int]:
    """The row and the column of a move."""
    row, column = divmod(position.game.squares.index(move), len(position.cells))
    return row, column


def windows(python: Path, folder: Path, truth: Truth) -> None:
    """Windows of the games, of several sizes, every other one with the last move or the legal ones marked."""
    for program, games in WINDOWS.items():
        for number, (game, position) in enumerate(positions(games, 700)):
            name = f"{program.replace('_', '-')}-{number}.png"
            marked = number % 2 == 1
            legal = [square(position, move) for move in position.moves if move in position.game.squares]
            board = {
                "program": program,
                "cells": position.cells,
                "legal": legal if marked else [],
                "last": square(position, position.history[-1]) if marked else None,
                "side": (90, 120, 150, 70)[number % 4] if game == "tictactoe" else (36, 50, 42, 30)[number % 4],
                "file": str(folder / name),
            }
            script = Path(__file__).with_name("game_windows.py")
            subprocess.run([python, script], input=json.dumps(board), text=True, check=True, capture_output=True)
            truth.add(name, program.replace("_", "-"), game, position.cells)


def katrain(python: Path, folder: Path, truth: Truth) -> None:
    """KaTrain with game records; its engine stays silent."""
    package = next(python.parent.parent.glob("lib/*/site-packages/katrain"))
    engine = folder / "silent"
    engine.write_text("#!/bin/sh\nexec cat > /dev/null\n")
    engine.chmod(0o755)
    settings = json.loads((package / "config.json").read_text(encoding="utf-8"))
    settings["engine"]["katago"] = str(engine)
    settings["ui_state"] = {"restoresize": True, "size": [1100, 860], "left": 40, "top": 40}
    home = folder / "home"
    (home / ".katrain").mkdir(parents=True, exist_ok=True)
    (home / ".katrain" / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    for number, (game, position) in enumerate(positions(GO, 800, alive=True)):
        file = folder / "shown.sgf"
        file.write_text(record(position))
        with Program(f"HOME={home} {python.with_name('katrain')} {file}", folder):
            time.sleep(16)
            act(("shot", f"katrain-{number}"), folder)
        truth.add(f"katrain-{number}.png", "katrain", game, position.cells)


def go_diagram(cells: Cells, number: int) -> str:
    """A board of LaTeX's package go, in one of its three sizes."""
    placed = (rf"\pos{{{ROW_NAMES[row]}}}{{{column + 1}}}=\{COLOURS[text]}{{.}}" for row, column, text in stones(cells))
    return "\n".join((rf"\gofontsize{{{(10, 15, 20)[number % 3]}}}", r"\inifulldiagram", *placed, r"\showfulldiagram"))


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / "python"
    venv.create(place, with_pip=True)
    for words in (GAMES, ("--no-deps", *ALONE)):
        subprocess.run([place / "bin" / "pip", "install", "--quiet", *words], check=True)
    truth = Truth(folder)
    printed(folder, truth, {"go": (go_diagram, ("gomoku:size=19", "connect6"), ("pdflatex",), "2cm")}, most=2)
    with screen():
        windows(place / "bin" / "python", folder, truth)
        katrain(place / "bin" / "python", folder, truth)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
