"""Pages of Python packages in Chromium, most from the packages' own servers."""

import functools
import shutil
from pathlib import Path

from playwright.sync_api import Page, Route

from programs.browser import pictured, served, sized
from programs.game_pages import zoom
from programs.part import Part, Place
from programs.positions import line, living_positions, square, tic_tac_toes
from programs.pythons import installed, source_of
from programs.windows import NUMPY, show

CODEMIRROR = (
    "lib/codemirror.js", "lib/codemirror.css", "theme/monokai.css", "mode/javascript/javascript.js",
    "mode/yaml/yaml.js", "addon/edit/matchbrackets.js", "addon/edit/closebrackets.js",
)  # fmt: skip
PYWEBIO = "pywebio==1.8.4"
RIO = """import sys; import crawlerdetect; import rio; from rio_game.pages.tic_tac_toe_page import TicTacToePage
crawlerdetect.CrawlerDetect.isCrawler = lambda *_: False  # a browser without a window is one to it
theme = rio.Theme.from_colors(mode=sys.argv[1])
rio.App(build=TicTacToePage, theme=theme).run_as_web_server(port=int(sys.argv[2]))"""


def omok(place: Place) -> None:
    """Five in a row and Connect6 of omok, with and without numbers on the stones."""
    for kind, game in (("omok", "gomoku"), ("connect6", "connect6")):
        more = ["--game", kind, "--rule", "freestyle", "--no-agent", "--no-browser", "--port"]
        for number, (_, position) in enumerate(living_positions((game, game), 920)):
            with (
                served([place.python, "-m", "omok", *more], place.own) as address,
                sized(place.page, number) as page,
            ):
                page.goto(address)
                page.wait_for_function("game !== null")
                spots = [position.game.squares.index(move) for move in position.history]
                page.evaluate("async (spots) => { for (const pos of spots) await send('move', { pos }) }", spots)
                if number % 4:
                    page.uncheck("#numbers")
                place.pictured(page, f"omok-{kind}-{number}", game, position.cells, program=f"omok {kind}")


def nicegui_reversi(place: Place) -> None:
    """Reversi on NiceGUI, which loads its positions from a file."""
    command = [place.python, "-c", "import sys; from nicegui_reversi.main import main; main(port=int(sys.argv[1]))"]
    saved = place.own / "reversi.toml"
    with served(command, place.own) as address:
        for number, (game, position) in enumerate(living_positions(("othello", "othello"), 930)):
            codes = [[" XO".index(text or " ") for text in row] for row in position.cells]
            saved.write_text(f'player = "{("Black", "White")[position.turn or 0]}"\nboard = {codes}\n')
            with sized(place.page, number) as page:
                page.goto(address)
                page.get_by_text("Load").click()
                page.wait_for_timeout(1500)
                place.pictured(page, f"nicegui-reversi-{number}", game, position.cells)


def nicegui_tic_tac_toe(place: Place) -> None:
    """Tic-tac-toe on NiceGUI; empty squares are buttons with numbers."""
    words = "import sys; from nicegui_tic_tac_toe import main; main(port=int(sys.argv[1]))"
    for number, position in enumerate(tic_tac_toes()):
        with served([place.python, "-c", words], place.own) as address, sized(place.page, number) as page:
            page.goto(address)
            for move in position.history:
                row, column = square(position, move)
                page.get_by_role("button", name=str(3 * row + column), exact=True).click()
                page.wait_for_timeout(500)
            place.pictured(page, f"nicegui-tic-tac-toe-{number}", "tictactoe", position.cells)


def reversi42(place: Place) -> None:
    """The page of Reversi42 without its server; what it loads from elsewhere comes from npm."""
    source = source_of(place.python, "reversi42==7.0.9", place.own / "source")
    shutil.copytree(source / "src" / "webgui", place.modules / "reversi42", dirs_exist_ok=True)
    for number, (game, position) in enumerate(living_positions(("othello", "othello"), 1110)):
        with sized(place.page, number) as page:
            serve_from_npm(page, place)
            page.goto(f"{place.address}/reversi42/game_websocket.html")
            page.wait_for_timeout(1500)
            text = "".join({"X": "B", "O": "W", "": "."}[text] for row in position.cells for text in row)
            shown_game = {
                "players": {"black": {"name": "Human Player"}, "white": {"name": "ZEN MASTER", "icon": "🧘"}},
                "positions": [text],
                "moves": [],
                "status": {"turn_by_ply": ["BW"[position.turn or 0]]},
            }
            page.evaluate("(game) => { loadGameData(game); cancelInitialSetup() }", shown_game)
            page.wait_for_timeout(3500)  # until its messages are gone
            place.pictured(page, f"reversi42-{number}", game, position.cells)


def serve_from_npm(page: Page, place: Place) -> None:
    """Tailwind and CodeMirror, and nothing else from elsewhere."""
    page.route(lambda url: not url.startswith(place.address), lambda route: route.abort())
    tailwind = next(place.modules.glob("tailwindcss-cdn/*tailwindcss*.js"))
    page.route("https://cdn.tailwindcss.com/", functools.partial(fulfill, tailwind))
    for part in CODEMIRROR:
        named = part.removeprefix("lib/").replace(".js", ".min.js").replace(".css", ".min.css")
        page.route(f"**/codemirror/5.65.2/{named}", functools.partial(fulfill, place.modules / "codemirror" / part))


def fulfill(file: Path, route: Route) -> None:
    route.fulfill(path=file)


def pywebio(place: Place) -> None:
    """Five in a row of PyWebIO's demonstrations: signs in a table of buttons."""
    demos = source_of(place.python, PYWEBIO, place.own / "source") / "demos"
    for number, (game, position) in enumerate(living_positions(("gomoku:size=15", "gomoku:size=15"), 1120)):
        codes = [["XO".find(text) if text else -1 for text in row] for row in position.cells]
        words = (
            f"import sys; sys.path.insert(0, {str(demos)!r}); import gomoku_game as game; from pywebio import *;"
            f"game.goboard[:] = {codes}; start_server(game.main, port=int(sys.argv[1]), cdn=False)"
        )
        with served([place.python, "-c", words], place.own) as address, sized(place.page, number) as page:
            page.goto(address)
            page.wait_for_timeout(3000)
            place.pictured(page, f"pywebio-gomoku-{number}", game, position.cells)


def rio(place: Place) -> None:
    """Tic-tac-toe of Rio's templates, in light and in dark; both sides are played by clicks."""
    template = installed(place.python) / "rio/snippets/snippet-files/project-template-Tic-Tac-Toe"
    shutil.copytree(template, place.own / "rio_game", dirs_exist_ok=True)
    (place.own / "rio_app.py").write_text(RIO, encoding="utf-8")
    for number, position in enumerate(tic_tac_toes()):
        command = [place.python, place.own / "rio_app.py", ("light", "dark")[number // 2 % 2]]
        with served(command, place.own) as address, sized(place.page, number) as page:
            page.goto(address.replace("127.0.0.1", "localhost"))
            spots = page.locator(".rio-grid > *")
            spots.nth(8).wait_for()
            page.wait_for_timeout(1500)
            centres = [spots.nth(spot).bounding_box() for spot in range(9)]
            for move in position.history:
                row, column = square(position, move)
                box = centres[3 * row + column]
                assert box is not None
                page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
                page.wait_for_timeout(500)
            place.pictured(page, f"rio-tic-tac-toe-{number}", "tictactoe", position.cells)


def kaggle(place: Place) -> None:
    """Othello and Go of Kaggle's environments, at the last move."""
    for name, games in (("othello", ("othello", "othello")), ("go", ("gomoku:size=9", "gomoku:size=19"))):
        for number, (game, position) in enumerate(living_positions(games, 1320)):
            size = len(position.cells)
            actions = []
            for move in position.history:
                row, column = square(position, move) if move in position.game.squares else (size, 0)
                actions.append((size - 1 - row) * size + column if name == "go" else row * size + column)
            board = {"game": name, "cells": position.cells, "actions": actions}
            kaggle_page(place, f"kaggle-{name}-{number}", board, number)
            place.note(f"kaggle-{name}-{number}", game, position.cells)


def kaggle_page(place: Place, picture: str, board: dict[str, object], number: int) -> None:
    """A picture of the page that Kaggle's environments make of a game, at its end."""
    show(place, {"program": "kaggle", "file": str(place.modules / f"{picture}.html"), **board})
    with sized(place.page, number) as page:
        page.route(lambda url: not url.startswith(place.address), lambda route: route.abort())
        page.goto(f"{place.address}/{picture}.html")
        slider = page.locator("input[name='Change Step']")
        slider.wait_for(state="attached")
        page.wait_for_timeout(500)
        if page.get_by_label("Pause").count():
            page.get_by_label("Pause").click()
        slider.press("End")
        page.wait_for_timeout(2500)
        pictured(page, place.file(picture))


def easyai(place: Place) -> None:
    """Tic-tac-toe of easyAI's examples, which keeps its squares in a cookie."""
    example = installed(place.python) / "easyAI" / "games" / "TicTacToe-Flask.py"
    words = f"import sys, runpy; runpy.run_path({str(example)!r})['app'].run(port=int(sys.argv[1]))"
    with served([place.python, "-c", words], place.own) as address:
        for number, position in enumerate(tic_tac_toes()):
            with sized(place.page, number) as page:
                cookie = {"name": "game_board", "value": line(position.cells, "021", ","), "url": address}
                page.context.add_cookies([cookie])
                page.goto(address)
                zoom(page, number)
                place.pictured(page, f"easyai-{number}", "tictactoe", position.cells)


KAGGLE_NEEDS = (NUMPY, "open_spiel==2.0.2", "jsonschema==4.26.0", "requests==2.34.2")
KAGGLE = ("kaggle-environments==1.33.2",)
NICEGUI = ("nicegui==2.11.1", "fire==0.7.0")
PARTS = (
    Part("omok", omok, pip=(NUMPY, "onnxruntime==1.31.1"), alone=("omok==0.2.0",), browser=True),
    Part("nicegui-reversi", nicegui_reversi, pip=(*NICEGUI, NUMPY), alone=("nicegui-reversi==0.1.0",), browser=True),
    Part("nicegui-tic-tac-toe", nicegui_tic_tac_toe, pip=NICEGUI, alone=("nicegui-tic_tac_toe==0.1.1",), browser=True),
    Part(
        "reversi42",
        reversi42,
        pip=("setuptools==75.8.0", "wheel==0.48.0"),
        npm=("tailwindcss-cdn@3.4.10", "codemirror@5.65.2"),
        browser=True,
    ),
    Part("pywebio", pywebio, pip=(PYWEBIO, "setuptools==75.8.0", "wheel==0.48.0"), browser=True),
    Part("easyai", easyai, pip=(NUMPY, "Flask==3.1.2"), alone=("easyAI==2.0.12",), browser=True),
    Part("rio", rio, pip=("rio-ui==0.12.3",), browser=True),
    Part("kaggle", kaggle, pip=KAGGLE_NEEDS, alone=KAGGLE, browser=True),
)
