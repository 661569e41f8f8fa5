"""Takes pictures of programs that nobody here has looked at before: `take_newest_screens.py FOLDER [PART ...]`.

Pages of npm and Python packages in Chromium, windows of Python games (`newest_windows.py`) and of Debian's programs
under a virtual screen, printed boards, and pages and programs without a board of ours. Needs what
`take_unseen_screens.py` needs, and Debian's kgames, gridlock.app, gcompris-qt, qgo, sgf2dg, libpdf-create-perl,
gamazons, kfourinline and x11-xserver-utils; the packages go into FOLDER only. What stands on the boards is what
the programs were told to show or the moves that were played in them, and is written to FOLDER/screens.toml.
`python -m boyi.bench.vision FOLDER` measures them.
"""

import functools
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, Route
from screen_truth import Cells, Truth
from take_game_screens import square
from take_screens import Program, act, mirrored, record, screen, tool, without_a_pass
from take_unseen_screens import pictured, served, shots, sized, tic_tac_toes, unpack
from take_web_screens import install, shown

PACKAGES = (
    "lemonadejs@2.8.11", "jsuites@4.17.7", "tailwindcss-cdn@3.4.10", "codemirror@5.65.2", "handsontable@14.6.1",
    "tui-calendar@1.15.3",
)  # fmt: skip
PAGES = ("@lemonadejs/tictactoe@1.0.0",)
NEEDED = (
    "pygame==2.6.1", "numpy==2.4.6", "matplotlib==3.11.2", "nicegui==2.11.1", "fire==0.7.0", "pywebio==1.8.4",
    "easygui==0.98.3", "setuptools==75.8.0", "wheel==0.48.0",
)  # fmt: skip
GAMES = (
    "Tictactoe_anany==1.0.0", "tic-tac-game==0.0.1", "mini-gui-games==0.0.5", "sg-games==0.1.5",
    "nicegui-tic_tac_toe==0.1.1", "perfect-information-game==0.0.11", "gogame==1.0.0",
)  # fmt: skip
"""Packages whose own requirements are not needed to show a board, or are among `NEEDED`."""
SOURCES = ("reversi42==7.0.9", "pywebio==1.8.4")
"""Packages of which the files that are not installed are needed, too."""
WINDOWS: dict[str, tuple[str, ...]] = {
    "tictactoe_anany": ("tictactoe",),
    "tic_tac_game": ("tictactoe",),
    "mini_gui_games": ("tictactoe",),
    "sg_games": ("tictactoe",),
    "perfect_information_game": ("othello", "othello"),
    "perfect_information_gomoku": ("gomoku:size=19", "gomoku:size=19"),
    "gogame": ("gomoku:size=19", "gomoku:size=9"),
}
SIDES: dict[str, tuple[object, ...]] = {
    "tictactoe_anany": (1.33, 1.0, 1.8, 2.4),
    "tic_tac_game": (1.33, 1.0, 1.6, 0.8),
    "mini_gui_games": (300, 480, 220, 700),
    "sg_games": (1.33, 1.0, 1.2, 1.33),
    "perfect_information_game": ("Othello",),
    "perfect_information_gomoku": ("Gomoku",),
    "gogame": ((6.4, 4.8), (8, 6), (5, 5), (9, 7.5)),
}
"""Pixels a point, pixels, kinds of game, inches: what the windows take."""
COLOURS = ("#3b5b7a", "#000000", "#c9ced3", "#2e4a33", "#e9e4d8")
"""Of the screen behind the windows."""
PLACES = ((100, 60), (40, 20), (260, 120), (180, 40))
LEMONADE = """<!doctype html><meta charset=utf-8><title>Tic tac toe</title>
<link rel=stylesheet href=/jsuites/dist/jsuites.css><link rel=stylesheet href=/@lemonadejs/tictactoe/style.css>
<script src=/jsuites/dist/jsuites.js></script><script src=/lemonadejs/dist/lemonade.js></script>
<script src=/@lemonadejs/tictactoe/index.js></script><div id=root></div>
<script>lemonade.render(tictactoe, document.getElementById("root"))</script>"""
SHEET = """<!doctype html><meta charset=utf-8><link rel=stylesheet href=/handsontable/dist/handsontable.full.min.css>
<script src=/handsontable/dist/handsontable.full.min.js></script><body style="margin:24px"><div id=at></div>
<script>new Handsontable(document.getElementById("at"), { rowHeaders: true, colHeaders: true, rowHeights: 40,
colWidths: 46, data: [..."OX.O..X.."].map((mark, row) => [..."X.OO.X..O"].map((text, column) =>
(row * column) % 4 ? "" : text === "." ? mark : text)), licenseKey: "non-commercial-and-evaluation" })</script>"""
CALENDAR = """<!doctype html><meta charset=utf-8><link rel=stylesheet href=/tui-calendar/dist/tui-calendar.css>
<script src=/tui-code-snippet/dist/tui-code-snippet.js></script><script src=/tui-calendar/dist/tui-calendar.js></script>
<body style="margin:0"><div id=at style="height:800px"></div><script>
const calendar = new tui.Calendar("#at", { defaultView: "month", usageStatistics: false });
calendar.setDate(new Date("2024-03-10")); calendar.createSchedules([3, 8, 9, 14, 21, 27].map((day, id) => ({
id: String(id), calendarId: "1", title: ["Tennis", "Dentist", "Go club"][id % 3], category: "time",
start: new Date(2024, 2, day, 9 + id), end: new Date(2024, 2, day, 10 + id) })));</script>"""
CODEMIRROR = (
    "lib/codemirror.js", "lib/codemirror.css", "theme/monokai.css", "mode/javascript/javascript.js",
    "mode/yaml/yaml.js", "addon/edit/matchbrackets.js", "addon/edit/closebrackets.js",
)  # fmt: skip
OTHERS: dict[str, tuple[str, int]] = {
    "gamazons": ("gamazons", 5),
    "kfourinline": ("kfourinline", 7),
    "gridlock-ataxx": ("Gridlock -initialGame Ataxx -ai.Ataxx.2 ''", 6),
    "gcompris-sudoku": ("gcompris-qt --window --launch sudoku", 14),
    "gcompris-checkers": ("gcompris-qt --window --launch checkers_2players", 14),
}
"""Programs of Debian without a board of ours, and seconds until they have started."""


def bundle(folder: Path) -> None:
    """Install the npm packages and write the pages."""
    modules = install(folder, PACKAGES)
    for package in PAGES:
        (modules / package.rpartition("@")[0]).parent.mkdir(exist_ok=True)
        unpack(folder, package)
    for name, text in (("lemonade", LEMONADE), ("sheet", SHEET), ("calendar", CALENDAR)):
        (modules / f"{name}.html").write_text(text, encoding="utf-8")


def python_games(folder: Path) -> Path:
    """A Python that has the games, and the sources of two of them beside it."""
    place = folder / "python"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    pip = [python, "-m", "pip", "--quiet"]
    subprocess.run([*pip, "install", *NEEDED], check=True)
    subprocess.run([*pip, "install", "--no-deps", "--no-build-isolation", *GAMES], check=True)
    for package in SOURCES:
        words = ["download", "--no-deps", "--no-build-isolation", "--no-binary", ":all:", "--dest", folder / "sources"]
        subprocess.run([*pip, *words, package], check=True)
    for archive in (folder / "sources").glob("*.tar.gz"):
        with tarfile.open(archive) as files:
            files.extractall(folder / "sources", filter="data")
    return python


@dataclass(frozen=True)
class Place:
    """Where everything is: pages are found at the address, pictures go into the folder."""

    folder: Path
    python: Path
    page: Page
    address: str
    truth: Truth

    def add(self, name: str, game: str, cells: Cells) -> None:
        """Note what stands on the picture NAME-NUMBER.png."""
        self.truth.add(f"{name}.png", name.rpartition("-")[0], game, cells)


def windows(place: Place) -> None:
    """Windows of Python games, of several sizes and on several screens."""
    script = Path(__file__).with_name("newest_windows.py")
    tool("mousemove", "1270", "950")
    for program, games in WINDOWS.items():
        for number, (game, position) in enumerate(shots(games, 1100)):
            paint(number)
            name = f"{program.replace('_', '-')}-{number}"
            before = position.game.start()
            for move in position.history[:-1]:
                before = before.play(move)
            board = {
                "program": program.replace("_gomoku", "_game"),
                "cells": position.cells,
                "before": before.cells if number % 2 else position.cells,
                "moves": [square(position, move) for move in position.history if move in position.game.squares],
                "side": SIDES[program][number % len(SIDES[program])],
                "at": "+{}+{}".format(*PLACES[number % 4]),
                "file": str(place.folder / f"{name}.png"),
            }
            run = [place.python, script]
            subprocess.run(run, input=json.dumps(board), text=True, check=True, capture_output=True, timeout=60)
            place.add(name, game, position.cells)
    checkers = {
        "program": "perfect_information_game",
        "cells": [],
        "side": "Checkers",
        "file": str(place.folder / "checkers.png"),
    }
    subprocess.run([place.python, script], input=json.dumps(checkers), text=True, check=True, capture_output=True)
    place.truth.add("checkers.png", "perfect-information-checkers")


def paint(number: int) -> None:
    """Give the screen behind the windows one of the colours."""
    subprocess.run(["xsetroot", "-solid", COLOURS[number % len(COLOURS)]], check=True)


def nicegui(place: Place) -> None:
    """Tic-tac-toe on NiceGUI; empty squares are buttons with numbers."""
    words = "import sys; from nicegui_tic_tac_toe import main; main(port=int(sys.argv[1]))"
    for number, position in enumerate(tic_tac_toes()):
        with served([place.python, "-c", words], place.folder) as address, sized(place.page, number) as board:
            board.goto(address)
            for move in position.history:
                row, column = square(position, move)
                board.get_by_role("button", name=str(3 * row + column), exact=True).click()
                board.wait_for_timeout(500)
            name = f"nicegui-tic-tac-toe-{number}"
            pictured(board, place.folder, name)
            place.add(name, "tictactoe", position.cells)


def lemonade(place: Place) -> None:
    for number, position in enumerate(tic_tac_toes()):
        with sized(place.page, number) as board:
            board.goto(f"{place.address}/lemonade.html")
            board.locator("input[type=checkbox]").evaluate("(box) => { box.checked && box.click() }")
            for move in position.history:
                row, column = square(position, move)
                board.locator(".play-area section span").nth(3 * row + column).click()
            name = f"lemonadejs-tictactoe-{number}"
            pictured(board, place.folder, name)
            place.add(name, "tictactoe", position.cells)


def reversi42(place: Place) -> None:
    """The page of Reversi42 without its server; what it loads from elsewhere comes from npm."""
    modules = place.folder / "node_modules"
    source = next(place.folder.glob("sources/reversi42-*/src/webgui"))
    shutil.copytree(source, modules / "reversi42", dirs_exist_ok=True)
    for number, (game, position) in enumerate(shots(("othello", "othello"), 1110)):
        with sized(place.page, number) as board:
            board.route(lambda url: not url.startswith(place.address), lambda route: route.abort())
            board.route("https://cdn.tailwindcss.com/", functools.partial(given, tailwind(modules)))
            for part in CODEMIRROR:
                named = part.removeprefix("lib/").replace(".js", ".min.js").replace(".css", ".min.css")
                board.route(f"**/codemirror/5.65.2/{named}", functools.partial(given, modules / "codemirror" / part))
            board.goto(f"{place.address}/reversi42/game_websocket.html")
            board.wait_for_timeout(1500)
            text = "".join({"X": "B", "O": "W", "": "."}[text] for row in position.cells for text in row)
            shown_game = {
                "players": {"black": {"name": "Human Player"}, "white": {"name": "ZEN MASTER", "icon": "🧘"}},
                "positions": [text],
                "moves": [],
                "status": {"turn_by_ply": ["BW"[position.turn or 0]]},
            }
            board.evaluate("(game) => { loadGameData(game); cancelInitialSetup() }", shown_game)
            board.wait_for_timeout(3500)  # until its messages are gone
            name = f"reversi42-{number}"
            pictured(board, place.folder, name)
            place.add(name, game, position.cells)


def given(file: Path, route: Route) -> None:
    route.fulfill(path=file)


def tailwind(modules: Path) -> Path:
    return next(path for path in (modules / "tailwindcss-cdn").glob("*.js") if "tailwindcss" in path.name)


def pywebio(place: Place) -> None:
    """Five in a row of PyWebIO's demonstrations: signs in a table of buttons."""
    demos = next(place.folder.glob("sources/pywebio-*/demos"))
    for number, (game, position) in enumerate(shots(("gomoku:size=15", "gomoku:size=15"), 1120)):
        codes = [["XO".find(text) if text else -1 for text in row] for row in position.cells]
        words = (
            f"import sys; sys.path.insert(0, {str(demos)!r}); import gomoku_game as game; from pywebio import *;"
            f"game.goboard[:] = {codes}; start_server(game.main, port=int(sys.argv[1]), cdn=False)"
        )
        with served([place.python, "-c", words], place.folder) as address, sized(place.page, number) as board:
            board.goto(address)
            board.wait_for_timeout(3000)
            name = f"pywebio-gomoku-{number}"
            pictured(board, place.folder, name)
            place.add(name, game, position.cells)


def placed(title: str, x: int, y: int, width: int = 0, height: int = 0) -> None:
    """Move a window's frame to (x, y), which puts its inside to (x + 1, y + 20), and give it a size."""
    window = tool("search", "--sync", "--onlyvisible", "--name", title).split()[-1]
    if width:
        tool("windowsize", window, str(width), str(height))
        time.sleep(0.5)
    tool("windowmove", window, str(x), str(y))
    time.sleep(1)


def click(x: float, y: float, pause_s: float = 0.3) -> None:
    act(("click", str(round(x)), str(round(y))), Path())
    time.sleep(pause_s)


def pressed(x: float, y: float) -> None:
    """A slow click, for a program that misses quick ones."""
    for words, pause_s in ((("mousemove", str(round(x)), str(round(y))), 0.25), (("mousedown", "1"), 0.12)):
        tool(*words)
        time.sleep(pause_s)
    tool("mouseup", "1")
    time.sleep(0.35)


def shot(place: Place, name: str) -> None:
    """A picture of the whole screen."""
    tool("mousemove", "1270", "950")
    time.sleep(0.5)
    subprocess.run(["import", "-window", "root", place.folder / f"{name}.png"], check=True)


def xreversi(place: Place) -> None:
    """A game in which both sides are played by clicks; White begins."""
    game = without_a_pass(1130)
    number = 0
    with Program("xreversi", place.folder):
        time.sleep(4)
        x, y, side = 100, 80, 600
        placed("^xreversi$", x, y, side + 264, side)
        click(x + side + 264 - 40, y + 130)  # the computer plays neither side
        for turn, later in enumerate(game[1:], 1):
            row, column = square(later, later.history[-1])
            click(x + 1 + (7.5 - column) * side / 8, y + 20 + (row + 0.5) * side / 8)
            if turn in (1, 6, 12, 18, 25, 31, 36, 40):
                paint(number)
                shot(place, f"xreversi-{number}")
                place.add(f"xreversi-{number}", "othello", mirrored(later.cells))
                number += 1
                (x, y), side = PLACES[number % 4], (600, 470, 700, 400)[number % 4]
                placed("^xreversi$", x, y, side + 264, side)


def gridlock(place: Place) -> None:
    """Reversi and five in a row, both sides played by clicks; Red begins, and Blue is darker."""
    for name, variants in (("Reversi", ("8x8", "6x6")), ("Gomoku", ("12x12", "10x10"))):
        number = 0
        for variant in variants:
            size = int(variant.partition("x")[0])
            game = f"gomoku:size={size}" if name == "Gomoku" else "othello:size=6" if size == 6 else "othello"
            for _, position in list(shots((game,), 1140)):
                paint(number)
                x, y = 120 + 70 * (number % 5), 30 + 60 * (number % 4)
                more = f"-ai.{name}.1 '' -ai.{name}.2 '' -config.{name} {variant}"
                with Program(f"Gridlock -disableAnimation YES -initialGame {name} {more}", place.folder):
                    time.sleep(4)
                    for _ in range(2):  # it does not always obey at once
                        placed(f"^{name}$", x, y)
                    for move in position.history:
                        if move not in position.game.squares:
                            pressed(x + 443, y + 166)  # its button for a pass
                            continue
                        row, column = square(position, move)
                        pitch = 384 / size
                        pressed(x + 13 + (size - 0.5 - column) * pitch, y + 47 + (row + 0.5) * pitch)
                    time.sleep(1)
                    picture = f"gridlock-{name.lower()}-{number}"
                    shot(place, picture)
                    place.add(picture, game, mirrored(position.cells))
                number += 1


@contextmanager
def gcompris(place: Place, activity: str) -> Iterator[None]:
    """GCompris in a window, not for the first time."""
    settings = place.folder / "settings" / "gcompris"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "gcompris-qt.conf").write_text(
        "[General]\nfullscreen=false\n\n[Internal]\nexeCount=5\nlastGCVersionRan=30100\n"
    )
    with Program(f"gcompris-qt --window --launch {activity}", place.folder):
        tool("search", "--sync", "--onlyvisible", "--name", "^GCompris$")
        time.sleep(10)
        yield


def gcompris_tic_tac_toe(place: Place) -> None:
    """Tic-tac-toe for two players, played by clicks, in windows of several sizes."""
    for number, position in enumerate(tic_tac_toes()):
        paint(number)
        with gcompris(place, "tic_tac_toe_2players"):
            width, height = ((1000, 750), (940, 705), (1120, 840), (1060, 795))[number % 4]
            x, y = 20 + 30 * (number % 5), 10 + 8 * (number % 5)
            placed("^GCompris$", x, y, width, height)
            time.sleep(1)
            for move in position.history:
                row, column = square(position, move)
                pitch = 0.2156 * height
                click(x + 0.504 * width + (column - 1) * pitch, y + 20 + 0.49 * height + (row - 1) * pitch, 1.5)
            name = f"gcompris-tic-tac-toe-{number}"
            shot(place, name)
            place.add(name, "tictactoe", position.cells)


def qgo(place: Place) -> None:
    """qGo with game records; it misses an engine first."""
    file = place.folder / "shown.sgf"
    for number, (game, position) in enumerate(shots(("gomoku:size=19", "gomoku:size=9"), 1150)):
        paint(number)
        file.write_text(record(position).replace("]A", "];A", 1))  # it shows stones that are set up later only
        with Program("qgo", place.folder):
            time.sleep(5)
            tool("key", "ctrl+o")
            time.sleep(2)
            tool("type", str(file))
            for wait_s in (3, 3):
                tool("key", "Return")
                time.sleep(wait_s)
            x, y = PLACES[number % 4]
            placed("vs. Black", x, y, *((981, 820), (760, 640), (1000, 700), (860, 760))[number % 4])
            tool("key", "Down")
            time.sleep(1)
            shot(place, f"qgo-{number}")
            place.add(f"qgo-{number}", game, position.cells)


def sgf2dg(place: Place) -> None:
    """Printed diagrams, with and without coordinates."""
    for number, (game, position) in enumerate(shots(("connect6", "gomoku:size=13"), 1160)):
        name = f"sgf2dg-{number}"
        (place.folder / f"{name}.sgf").write_text(record(position))
        words = ["-converter", "PDF", *(["-coords"] if number % 2 else []), "-i", f"{name}.sgf", "-o", f"{name}.pdf"]
        subprocess.run(["sgf2dg", *words], cwd=place.folder, check=True, capture_output=True)
        density = ("90", "120", "150", "72")[number % 4]
        paper = ["pdftoppm", "-png", "-singlefile", "-f", "1", "-l", "1", "-r", density, f"{name}.pdf", name]
        subprocess.run(paper, cwd=place.folder, check=True)
        place.add(name, game, position.cells)


def no_boards(place: Place) -> None:
    """Pages and programs that show something else."""
    for name, program in (("sheet", "handsontable"), ("calendar", "tui-calendar")):
        place.page.goto(f"{place.address}/{name}.html")
        place.page.wait_for_timeout(1000)
        place.truth.add(pictured(place.page, place.folder, program), program)
    for number, (name, (command, wait_s)) in enumerate(OTHERS.items()):
        paint(number)
        with Program(command, place.folder):
            time.sleep(wait_s)
            shot(place, name)
            place.truth.add(f"{name}.png", name)


PARTS: dict[str, Callable[[Place], None]] = {
    "windows": windows, "nicegui": nicegui, "lemonade": lemonade, "reversi42": reversi42,
    "pywebio": pywebio, "xreversi": xreversi, "gridlock": gridlock, "gcompris": gcompris_tic_tac_toe, "qgo": qgo,
    "sgf2dg": sgf2dg, "no_boards": no_boards,
}  # fmt: skip


def main(folder: Path, parts: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["PATH"] += ":/usr/games"
    truth = Truth(folder)
    if not parts:
        bundle(folder)
    python = folder / "python" / "bin" / "python" if parts else python_games(folder)
    with screen(), shown(folder, 1100, 860) as (page, address):
        for part in parts or PARTS:
            PARTS[part](Place(folder, python, page, address, truth))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
