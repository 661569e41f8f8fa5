"""Takes pictures of programs that the recogniser is not tuned to: `python tests/vision/take_unseen_screens.py FOLDER`.

Boards of npm packages (`unseen_pages.js`) and of Python packages with pages in Chromium, windows of Python games
(`unseen_windows.py`) under a virtual screen, and pages and programs without a board of ours. Needs what
`take_screens.py` and `take_web_screens.py` need, and Debian's xboard, kcheckers, ksudoku, morris, xdemineur, qxw,
fonts-noto-color-emoji and fonts-vlgothic; the packages go into FOLDER only. What stands on the boards is what the
programs were told to show, and is written to FOLDER/screens.toml. `python -m boyi.bench.vision FOLDER` measures them.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page
from screen_truth import Truth
from take_game_screens import positions, square
from take_late_screens import TIC_TAC_TOE, stones
from take_screens import Program, Step, act, screen, tool
from take_web_screens import install, shown

from boyi.games import Position
from boyi.games import game as find_game

PACKAGES = (
    "mei-goban@0.1.10", "@karabella/vue-goban@2.0.5", "vue@3.5.13", "@tsparticles/engine@4.4.0",
    "@tsparticles/slim@4.4.0", "@tsparticles/confetti@4.4.0", "react@18.3.1", "react-dom@18.3.1", "jquery@3.7.1",
    "cm-chessboard@8.15.1", "x-data-spreadsheet@1.1.9", "esbuild@0.25.0",
)  # fmt: skip
PAGES = (
    "thaw-reversi-web-app@0.0.0", "thaw-tic-tac-toe-web-app@0.0.1", "tic-tac-toe-html-game@1.0.0",
    "near-tic-tac-toe@1.0.0", "tictactoe-0xfix@1.1.8", "@tsparticles/template-tictactoe@4.4.0",
)  # fmt: skip
"""npm packages that are pages; what they require to be served or built is not needed."""
NEEDED = (
    "pygame==2.6.1", "numpy==2.4.6", "joblib==1.6.0", "onnxruntime==1.31.1", "nicegui==2.11.1", "fire==0.7.0",
    "setuptools==75.8.0", "wheel==0.48.0",
)  # fmt: skip
GAMES = (
    "iothello==1.1.7", "othello-ai-python==0.3", "nicetictactoe==1.0.0", "pypowergames==1.0.1",
    "jdhp-tictactoe==0.8.dev1", "omok==0.2.0", "nicegui-reversi==0.1.0", "nonebot-plugin-boardgame==0.4.1",
    "othellotk==0.1.1",
)  # fmt: skip
"""Packages whose own requirements are not needed to show a board, or are among `NEEDED`."""
WINDOWS = {
    "iothello": ("othello:size=6", "othello:size=6"),
    "othello_ai_python": ("othello", "othello"),
    "othellotk": ("othello", "othello"),
    "nicetictactoe": ("tictactoe",),
    "jdhp_tictactoe": ("tictactoe",),
    "pypowergames": ("tictactoe",),
    "nonebot_boardgame": ("gomoku", "gomoku:size=19", "othello"),
}
WIDTHS = {"iothello": (100, 64, 80, 48), "othello_ai_python": (75, 60, 90, 50), "othellotk": (62, 48, 80, 40)}
"""Pixels a square; 128 and the like for tic-tac-toe."""
MORE_TIC_TAC_TOE = ("c3", "a2 b2 c1", "a1 a3 c3 b2 c1 b1", "b2 a3 c1 a1 a2 c2 b3 b1")
GO = {"mei-goban": ("gomoku:size=19", "gomoku:size=13", "gomoku:size=9"),
      "vue-goban": ("gomoku:size=19", "gomoku:size=15", "gomoku:size=9", "connect6")}  # fmt: skip
PAPERS = ("#ffffff", "#dcb579", "#e8ecef", "#c9d8b6")
SIDES = (620, 420, 744, 330)
CELLS = {
    "tictactoe-0xfix": ("boards", "#at button"),
    "tic-tac-toe-html-game": ("tic-tac-toe-html-game/index", ".cell"),
    "tsparticles-tictactoe": ("particles/index", ".cell"),
    "thaw-tic-tac-toe-web-app": ("thaw-tic-tac-toe-web-app/index", "#board img"),
    "near-tic-tac-toe": ("near-tic-tac-toe/src/index", ".cell"),
}
"""Pages for tic-tac-toe, and what their squares are."""
BOARDS = """<!doctype html><meta charset=utf-8><title>Board</title><link rel=stylesheet href=/boards.css>
<link rel=stylesheet href=/@karabella/vue-goban/dist/vue-goban.css><body style="margin:24px"><div id=at></div>
<script src=/boards.js></script>"""
CHESS = """<!doctype html><link rel=stylesheet href=/cm-chessboard/assets/chessboard.css>
<body style="margin:40px"><div id=at style="width:560px"></div><script type=module>
import { Chessboard, FEN } from "/cm-chessboard/src/Chessboard.js";
new Chessboard(document.getElementById("at"), { position: FEN.start, assetsUrl: "/cm-chessboard/assets/" });
</script>"""
SHEET = """<!doctype html><link rel=stylesheet href=/x-data-spreadsheet/dist/xspreadsheet.css>
<script src=/x-data-spreadsheet/dist/xspreadsheet.js></script><body style="margin:0"><div id=at></div>
<script>x_spreadsheet("#at").loadData({ rows: { 2: { cells: { 1: { text: "X" }, 2: { text: "O" } } } } })</script>"""
PROGRAMS: dict[str, tuple[str, list[Step]]] = {
    "xboard": ("xboard -ncp -size 50", []),
    "xboard-xiangqi": ("xboard -ncp -variant xiangqi", []),
    "kcheckers": ("kcheckers", []),
    "ksudoku": ("ksudoku", [("wait", "4"), ("click", "809", "550"), ("wait", "5"), ("key", "Return"), ("wait", "4")]),
    "morris": ("morris", []),
    "xdemineur": ("xdemineur", []),
    "qxw": ("qxw", [("key", "Return"), ("wait", "2")]),
}
"""Programs of Debian without a board of ours."""


def bundle(folder: Path) -> None:
    """Install the npm packages, join those that are no pages with `unseen_pages.js`, and write the pages."""
    modules = install(folder, PACKAGES)
    for package in PAGES:
        unpack(folder, package)
    particles = modules / "@tsparticles" / "template-tictactoe" / "template" / "vanilla"
    for source, target, more in (
        (str(Path(__file__).with_name("unseen_pages.js")), "boards.js", ("--loader:.js=jsx", "--jsx=automatic")),
        (str(particles / "src" / "main.ts"), "particles/main.js", ()),
    ):
        command = [
            "node_modules/.bin/esbuild", source, "--bundle", f"--outfile=node_modules/{target}", "--log-level=error",
            '--define:process.env.NODE_ENV="production"', "--main-fields=browser,module,main", *more,
        ]  # fmt: skip
        subprocess.run(command, cwd=folder, check=True, env=os.environ | {"NODE_PATH": str(modules)})
    page = (particles / "index.html").read_text(encoding="utf-8").replace("/src/main.ts", "main.js")
    (modules / "particles" / "index.html").write_text(
        page.replace("{{projectName}}", "Tic-Tac-Toe").replace("</head>", "<link rel=stylesheet href=main.css></head>"),
        encoding="utf-8",
    )
    for name, text in (("boards", BOARDS), ("chess", CHESS), ("sheet", SHEET)):
        (modules / f"{name}.html").write_text(text, encoding="utf-8")
    for name in ("thaw-reversi-web-app", "thaw-tic-tac-toe-web-app"):
        shutil.copytree(modules / name / "public", modules / name, dirs_exist_ok=True)


def unpack(folder: Path, package: str) -> None:
    """Put the files of one npm package into FOLDER/node_modules, without what it requires."""
    command = ["npm", "pack", "--silent", package]
    archive = (
        folder / subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.split()[-1]
    )
    target = folder / "node_modules" / package.rpartition("@")[0]
    shutil.rmtree(target, ignore_errors=True)
    with tarfile.open(archive) as files:
        files.extractall(folder / "unpacked", filter="data")
    archive.unlink()
    (folder / "unpacked" / "package").rename(target)


def python_games(folder: Path) -> Path:
    """A Python that has the games."""
    place = folder / "python"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, *NEEDED], check=True)
    found = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(found, check=True, capture_output=True, text=True).stdout.strip())
    (packages / "ez_setup.py").write_text("def use_setuptools(): pass\n")  # which othellotk's setup.py asks for
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", *GAMES], check=True)
    return python


def tic_tac_toes() -> Iterator[Position]:
    """Eight positions of tic-tac-toe that are not over."""
    for moves in TIC_TAC_TOE + MORE_TIC_TAC_TOE:
        position = find_game("tictactoe").start()
        for move in moves.split():
            position = position.play(move)
        assert position.turn is not None
        yield position


def shots(games: tuple[str, ...], seed: int) -> Iterator[tuple[str, Position]]:
    """Every game in all stages, without stones that Go would take off the board; tic-tac-toe in eight positions."""
    if games == ("tictactoe",):
        yield from (("tictactoe", position) for position in tic_tac_toes())
    else:
        yield from positions(games, seed, alive=games[0].startswith(("gomoku", "connect6")))


@contextmanager
def sized(page: Page, number: int) -> Iterator[Page]:
    """A page of one of several sizes, on screens of two densities."""
    browser = page.context.browser
    assert browser is not None
    width, height = ((1100, 860), (900, 900), (1280, 860))[number % 3]
    other = browser.new_page(
        viewport={"width": width, "height": height}, device_scale_factor=(1, 1.25, 1, 1.5)[number % 4]
    )
    yield other
    other.close()


def pictured(page: Page, folder: Path, name: str) -> str:
    page.mouse.move(2, 2)
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(700)
    page.screenshot(path=folder / f"{name}.png")
    return f"{name}.png"


def go_boards(page: Page, address: str, folder: Path, truth: Truth) -> None:
    """Go boards of npm packages, some with coordinates, panels and a mark of the last move."""
    for program, games in GO.items():
        for number, (game, position) in enumerate(shots(games, 900)):
            with sized(page, number // 2 * 4) as board:
                board.goto(f"{address}/boards.html")
                options = {
                    "size": len(position.cells),
                    "side": SIDES[number % 4],
                    "last": square(position, position.history[-1]) if number % 2 else None,
                    "labels": number % 3 > 0,
                    "paper": PAPERS[number // 2 % 4],
                }
                board.evaluate(
                    "([name, stones, options]) => { document.body.style.background = options.paper;"
                    "show(name, stones, options) }",
                    [program, list(stones(position.cells)), options],
                )
                truth.add(pictured(board, folder, f"{program}-{number}"), program, game, position.cells)


def tic_tac_toe_pages(page: Page, address: str, folder: Path, truth: Truth) -> None:
    """Pages on which both sides of tic-tac-toe are played by clicks."""
    for program, (path, cell) in CELLS.items():
        for number, position in enumerate(tic_tac_toes()):
            with sized(page, number) as board:
                jquery(board, folder)
                board.goto(f"{address}/{path}.html")
                if program == "tictactoe-0xfix":
                    board.evaluate("show('tictactoe-0xfix')")
                if program.startswith("thaw"):
                    board.evaluate("PlayerIsAutomated = [false, false]")
                if program == "near-tic-tac-toe":  # its own script waits for a purse
                    board.add_style_tag(content="#HelloMessage, #page-loader { display: none !important }")
                for turn, move in enumerate(position.history):
                    row, column = square(position, move)
                    spot = board.locator(cell).nth(3 * row + column)
                    if program == "near-tic-tac-toe":
                        spot.evaluate("(cell, kind) => cell.classList.add(kind)", ("x", "circle")[turn % 2])
                    else:
                        spot.click()
                truth.add(pictured(board, folder, f"{program}-{number}"), program, "tictactoe", position.cells)


def jquery(page: Page, folder: Path) -> None:
    """Serve the jQuery that pages ask for elsewhere."""
    page.route(
        "**/jquery-*.min.js", lambda route: route.fulfill(path=folder / "node_modules/jquery/dist/jquery.min.js")
    )


def thaw_reversi(page: Page, address: str, folder: Path, truth: Truth) -> None:
    for number, (game, position) in enumerate(shots(("othello", "othello", "othello"), 910)):
        with sized(page, number) as board:
            jquery(board, folder)
            board.goto(f"{address}/thaw-reversi-web-app/index.html")
            board.evaluate(
                "(rows) => { PlayerIsAutomated = [false, false]; PiecePopulations = [0, 0];"
                "rows.forEach((row, r) => row.forEach((text, c) => { const kind = { X: 1, O: 0, '': -1 }[text];"
                "if (text) ++PiecePopulations[kind]; setSquareState(r, c, kind, true) })); displayTurnMessage() }",
                position.cells,
            )
            name = f"thaw-reversi-web-app-{number}"
            truth.add(pictured(board, folder, name), "thaw-reversi-web-app", game, position.cells)


@contextmanager
def served(command: list[str | Path], folder: Path) -> Iterator[str]:
    """A server of a Python package on a free port, which the command takes last, and its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*command, str(port)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(60):
            time.sleep(0.5)
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()


def omok(page: Page, python: Path, folder: Path, truth: Truth) -> None:
    """Five in a row and Connect6 of omok, with and without numbers on the stones."""
    for kind, game in (("omok", "gomoku"), ("connect6", "connect6")):
        more = ["--game", kind, "--rule", "freestyle", "--no-agent", "--no-browser", "--port"]
        for number, (_, position) in enumerate(shots((game, game), 920)):
            with served([python, "-m", "omok", *more], folder) as address, sized(page, number) as board:
                board.goto(address)
                board.wait_for_function("game !== null")
                spots = [position.game.squares.index(move) for move in position.history]
                board.evaluate("async (spots) => { for (const pos of spots) await send('move', { pos }) }", spots)
                if number % 4:
                    board.uncheck("#numbers")
                truth.add(pictured(board, folder, f"omok-{kind}-{number}"), f"omok {kind}", game, position.cells)


def nicegui_reversi(page: Page, python: Path, folder: Path, truth: Truth) -> None:
    """Reversi on NiceGUI, which loads its positions from a file."""
    command = [python, "-c", "import sys; from nicegui_reversi.main import main; main(port=int(sys.argv[1]))"]
    saved = folder / "reversi.toml"
    with served(command, folder) as address:
        for number, (game, position) in enumerate(shots(("othello", "othello"), 930)):
            codes = [[" XO".index(text or " ") for text in row] for row in position.cells]
            saved.write_text(f'player = "{("Black", "White")[position.turn or 0]}"\nboard = {codes}\n')
            with sized(page, number) as board:
                board.goto(address)
                board.get_by_text("Load").click()
                board.wait_for_timeout(1500)
                name = f"nicegui-reversi-{number}"
                truth.add(pictured(board, folder, name), "nicegui-reversi", game, position.cells)


def windows(page: Page, address: str, python: Path, folder: Path, truth: Truth) -> None:
    """Windows of Python games, of several sizes, and drawings of nonebot-plugin-boardgame."""
    script = Path(__file__).with_name("unseen_windows.py")
    tool("mousemove", "1270", "950")
    for program, games in WINDOWS.items():
        drawn = program == "nonebot_boardgame"
        for number, (game, position) in enumerate(shots(games, 940)):
            name = f"{program.replace('_', '-')}-{number}"
            file = folder / "node_modules" / f"{name}.svg" if drawn else folder / f"{name}.png"
            moves = [square(position, move) for move in position.moves if move in position.game.squares]
            board = {
                "program": program,
                "cells": position.cells,
                "legal": moves if number % 2 else [],
                "last": square(position, position.history[-1]) if number % 3 else None,
                "side": WIDTHS.get(program, (128, 96, 150, 72))[number % 4],
                "file": str(file),
            }
            subprocess.run(
                [python, script], input=json.dumps([board]), text=True, check=True, capture_output=True, timeout=60
            )
            if drawn:
                with sized(page, number // 4) as sheet:
                    sheet.goto(f"{address}/boards.html")
                    sheet.evaluate(
                        "([file, side]) => { const image = new Image(side); image.src = file;"
                        "document.body.append(image); return image.decode() }",
                        [f"/{name}.svg", SIDES[number % 4]],
                    )
                    pictured(sheet, folder, name)
            truth.add(f"{name}.png", program.replace("_", "-"), game, position.cells)


def no_boards(page: Page, address: str, folder: Path, truth: Truth) -> None:
    """Pages and programs that show something else."""
    for name, program in (("chess", "cm-chessboard"), ("sheet", "x-data-spreadsheet")):
        page.goto(f"{address}/{name}.html")
        page.wait_for_timeout(1000)
        truth.add(pictured(page, folder, program), program)
    for name, (command, steps) in PROGRAMS.items():
        with Program(command, folder):
            for step in (("wait", "5"), *steps):
                act(step, folder)
            subprocess.run(["import", "-window", "root", folder / f"{name}.png"], check=True)
            truth.add(f"{name}.png", name.partition("-")[0])


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["PATH"] += ":/usr/games"
    truth = Truth(folder)
    bundle(folder)
    python = python_games(folder)
    with screen(), shown(folder, 1100, 860) as (page, address):
        go_boards(page, address, folder, truth)
        tic_tac_toe_pages(page, address, folder, truth)
        thaw_reversi(page, address, folder, truth)
        omok(page, python, folder, truth)
        nicegui_reversi(page, python, folder, truth)
        windows(page, address, python, folder, truth)
        no_boards(page, address, folder, truth)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
