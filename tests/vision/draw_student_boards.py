"""Takes pictures of small programs for the games as students write them: `draw_student_boards.py FOLDER`.

With names of designs behind FOLDER only those are drawn. The programs are in `student_boards/`, one design each in
pages, Python or Java. Needs Chromium, Xvfb, openbox and a JDK; what the Python programs need goes into FOLDER only.
What stands on the boards is in FOLDER/screens.toml.
"""

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright
from programs.positions import line_of_play
from programs.truth import Truth

import boyi
from boyi.games import Position

PROGRAMS = Path(__file__).parent / "student_boards"
NEEDED = ("pygame==2.6.1", "matplotlib==3.11.2", "pillow==13.0.0", "PySide6-Essentials==6.12.0")
DESIGNS = (
    "canvas-discs", "grid-cards", "svg-wood", "table-plain", "tk-buttons", "turtle-rings", "qt-panel", "pygame-dice",
    "matplotlib-squares", "pil-balls", "swing-tiles", "canvas-connect6", "tk-connect6", "pygame-connect6",
    "swing-connect6",
)  # fmt: skip
"""Those with a page are shown in Chromium, those of Swing are in Java, the others in Python."""
MORE_DESIGNS = (
    "web-4", "web-5", "web-6", "plot-2", "tk-3", "qt-2", "swing-2", "pygame-3", "web-connect6", "script-connect6",
)  # fmt: skip
"""A second set, by someone who had not seen the recogniser; its Python is in `more_programs.py`."""
LINE_GAMES = {
    "othello-1": ("othello", "othello-1.html"),
    "othello-2": ("othello", "othello-2.html"),
    "othello-3": ("othello", "line_games.py"),
    "othello-4": ("othello", "LineGames.java"),
    "othello-5": ("othello", "line_games.py"),
    "othello-6": ("othello", "othello-6.html"),
    "othello-7": ("othello", "line_games.py"),
    "othello-8": ("othello", "line_games.py"),
    "gomoku-1": ("gomoku:size=15", "gomoku-1.html"),
    "gomoku-2": ("gomoku:size=15", "line_games.py"),
    "gomoku-3": ("gomoku:size=15", "LineGames.java"),
    "gomoku-4": ("gomoku:size=19", "line_games.py"),
    "gomoku-5": ("gomoku:size=13", "gomoku-5.html"),
    "gomoku-6": ("gomoku:size=10", "line_games.py"),
    "gomoku-7": ("gomoku:size=15", "line_games.py"),
    "tictactoe-1": ("tictactoe", "tictactoe-1.html"),
    "tictactoe-2": ("tictactoe", "tictactoe-2.html"),
    "tictactoe-3": ("tictactoe", "line_games.py"),
    "tictactoe-4": ("tictactoe", "tictactoe-4.html"),
    "tictactoe-5": ("tictactoe", "line_games.py"),
}
"""A third set, by another who had not seen it either: game and program."""
SETS = (0, DESIGNS), (100, MORE_DESIGNS), (200, LINE_GAMES)
SEEDS = {name: seed for first, names in SETS for seed, name in enumerate(names, first)}
STONES = (3, 5, 6, 8, 10, 12)
MOVES = {"othello": (2, 9, 19, 31, 43, 54), "tictactoe": (2, 3, 4, 5, 6, 8)}
LINES = (("early", 0), ("early", 1), ("middle", 0), ("middle", 1), ("half", 0), ("late", 0))
SCALES = (1.0, 0.8, 1.25, 1.0, 1.5, 0.9)
SIZES = ((1000, 760, 1), (820, 700, 1), (1280, 800, 1), (900, 720, 1.5), (1100, 760, 2), (1366, 768, 1))
"""Width, height and pixels a point of the pages."""


def einstein(num_stones: int, seed: int) -> Position:
    """A position of random play with so many stones, the die thrown."""
    random = np.random.default_rng([seed, num_stones])
    while True:
        position = boyi.game("einstein").start(seed=int(random.integers(10**6)))
        for _ in range(200):
            stones = sum(bool(text) for row in position.cells for text in row)
            if position.turn is None or stones < num_stones:
                break
            if stones == num_stones and position.turn != boyi.CHANCE and len(position.history) > 5:
                return position
            position = position.play(str(random.choice(position.moves)))


def random_play(game: str, num_moves: int, seed: int) -> Position:
    """A position after so many random moves, not over."""
    random = np.random.default_rng([seed, num_moves])
    position = start = boyi.game(game).start()
    while len(position.history) < num_moves:
        later = position.play(str(random.choice(position.moves)))
        position = start if later.turn is None else later
    return position


def positions(name: str) -> tuple[str, list[Position]]:
    """The game of a design and what stands on its six boards."""
    game = LINE_GAMES[name][0] if name in LINE_GAMES else "connect6" if name.endswith("connect6") else "einstein"
    if game == "einstein":
        return game, [einstein(num_stones, SEEDS[name]) for num_stones in STONES]
    if game in MOVES:
        return game, [random_play(game, num_moves, SEEDS[name]) for num_moves in MOVES[game]]
    return game, [line_of_play(game, stage, 10 * SEEDS[name] + more) for stage, more in LINES]


def board(position: Position, file: Path, scale: float) -> dict[str, Any]:
    """What a program is told: cells, squares of the last turn, legal squares, moves, die, whose turn, stones lost."""
    cells = position.cells
    played = [text for text in position.history if not text.isdigit()]
    die = int(position.history[-1]) if position.history[-1].isdigit() else 0
    squares = {name: divmod(place, len(cells)) for place, name in enumerate(position.game.squares)}
    turn = played[-2:] if position.game.name == "connect6" else played[-1:]
    last = [squares[name] for text in turn for name in text.rstrip("x+#").split("-") if name in squares]
    legal = [squares[text] for text in position.moves if text in squares]
    standing = {text for row in cells for text in row}
    taken = [side + str(number) for side in "RB" for number in range(1, 7) if side + str(number) not in standing]
    facts = {"file": str(file), "scale": scale, "cells": cells, "last": last, "legal": legal, "log": played}
    return facts | {"die": die, "turn": int(position.turn or 0), "taken": taken if die else []}


def page(file: Path, boards: list[dict[str, Any]]) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for shown, (width, height, points) in zip(boards, SIZES, strict=True):
            sheet = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=points)
            sheet.goto(file.as_uri())
            sheet.evaluate("board => show(board)", shown)
            sheet.wait_for_timeout(300)
            sheet.screenshot(path=shown["file"])
            sheet.close()
        browser.close()


def window(words: list[str], text: str) -> None:
    """Run a program under a virtual screen with a window manager; TEXT is its standard input."""
    settings = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "QT_QPA_PLATFORM": "offscreen"}
    screen = ["xvfb-run", "-a", "-s", "-screen 0 1600x1300x24", "sh", "-c", 'openbox 2>/dev/null & sleep 1; "$0" "$@"']
    subprocess.run(
        [*screen, *words], input=text, text=True, check=True, env=os.environ | settings | {"MPLBACKEND": "agg"}
    )


def lines(boards: list[dict[str, Any]]) -> str:
    """The boards for a program that does not read JSON: a line each, fields between semicolons."""
    rows = []
    for shown in boards:
        cells = " ".join(text or "." for row in shown["cells"] for text in row)
        last = " ".join(str(row * len(shown["cells"]) + column) for row, column in shown["last"])
        fields = shown["file"], shown["scale"], shown["die"], shown["turn"], last, " ".join(shown["log"]), cells
        rows.append(";".join(map(str, fields)))
    return "\n".join(rows) + "\n"


def main(folder: Path, chosen: list[str]) -> None:
    if strange := set(chosen) - set(SEEDS):
        sys.exit(f"no such design: {', '.join(sorted(strange))}; there are {', '.join(SEEDS)}")
    folder.mkdir(parents=True, exist_ok=True)
    python = folder / "python" / "bin" / "python"
    if not python.exists():
        venv.create(folder / "python", with_pip=True)
        subprocess.run([python, "-m", "pip", "--quiet", "install", *NEEDED], check=True)
    truth = Truth(folder)
    for name in chosen or SEEDS:
        files = [folder / f"student-{name}-{number}.png" for number in range(1, 7)]
        game, shown = positions(name)
        draw(name, [board(*each) for each in zip(shown, files, SCALES, strict=True)], python)
        for file, position in zip(files, shown, strict=True):
            truth.add(file.name, f"student-{name}", game, position.cells)


def program(name: str) -> Path:
    """The file that draws a design."""
    if name in LINE_GAMES:
        return PROGRAMS / LINE_GAMES[name][1]
    if (PROGRAMS / f"{name}.html").exists():
        return PROGRAMS / f"{name}.html"
    if name.startswith("swing"):
        return PROGRAMS / "Students.java"
    return PROGRAMS / ("more_programs.py" if name in MORE_DESIGNS else "programs.py")


def draw(name: str, boards: list[dict[str, Any]], python: Path) -> None:
    file = program(name)
    if file.suffix == ".html":
        page(file, boards)
    elif file.suffix == ".java":
        window(["java", str(file), name], lines(boards))
    else:
        window([str(python), str(file), name], json.dumps(boards))


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), sys.argv[2:])
