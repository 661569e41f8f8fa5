"""Games that are pages of npm packages, in Chromium."""

import functools
import shutil
from collections.abc import Callable

from playwright.sync_api import Locator, Page

from programs.browser import bundle, sized
from programs.go_pages import ESBUILD
from programs.part import Part, Place
from programs.positions import (
    EVEN_TIC_TAC_TOE,
    STAGES,
    TIC_TAC_TOE,
    line,
    line_of_play,
    living_positions,
    square,
    squares,
    tic_tac_toes,
)

REACTJS = """<!doctype html><link rel=stylesheet href=classic.css><div id=root></div><script src=classic.js></script>"""
OXFIX = """<!doctype html><meta charset=utf-8><title>Board</title><link rel=stylesheet href=/boards.css>
<body style="margin:24px"><div id=at></div><script src=/boards.js></script>"""
OXFIX_SCRIPT = """import React from "react"; import { createRoot } from "react-dom/client";
import TicTacToe from "tictactoe-0xfix/src/app/TicTacToe.js";
createRoot(document.getElementById("at")).render(React.createElement(TicTacToe));"""
LEMONADE = """<!doctype html><meta charset=utf-8><title>Tic tac toe</title>
<link rel=stylesheet href=/jsuites/dist/jsuites.css><link rel=stylesheet href=/@lemonadejs/tictactoe/style.css>
<script src=/jsuites/dist/jsuites.js></script><script src=/lemonadejs/dist/lemonade.js></script>
<script src=/@lemonadejs/tictactoe/index.js></script><div id=root></div>
<script>lemonade.render(tictactoe, document.getElementById("root"))</script>"""
JOCLY = """<!doctype html><body style="margin:20px;background:%s"><div id=at style="width:%dpx;height:%dpx"></div>
<script src=/jocly/dist/browser/jocly.js></script><script>
window.show = async (game, moves) => {
  const match = await Jocly.createMatch(game);
  const skins = (await match.getConfig()).view.skins;
  const skin = skins.find((one) => !one["3d"]).name;
  await match.attachElement(document.getElementById("at"), { viewOptions: { skin, sounds: false } });
  for (const move of moves)
    for (const one of await match.getPossibleMoves())
      if (await match.getMoveString(one) === move) { await match.playMove(one); break; }
}</script>"""
BUNDLED = """<!doctype html><meta charset=utf-8><title>Game</title><body style="margin:24px"><div id=at></div>
<script src=/boards.js></script>"""
FELVIN_SCRIPT = """import app from "./@felvin-community/tic-tac-toe/dist/index.cjs.js";
import { createElement } from "react"; import { render } from "react-dom";
render(createElement((app.default ?? app).Component), document.getElementById("at"));"""
SOKU_SCRIPT = """import { buildGame } from "./@soku-games/core/dist/index.mjs";
import "./soku-game-reversi/dist/core/index.esm.js"; import "./soku-game-reversi/dist/screen/index.esm.js";
window.reversi = (side, squares) => {
  const el = document.getElementById("at"); el.style.width = el.style.height = side + "px";
  const plugin = { name: "reversi-screen", extra: { el, couldControl: [true, true], emit: () => {} } };
  const game = buildGame({ name: "reversi", plugins: [plugin] });
  setTimeout(() => { game.prepare("8 8 " + squares); game.start() }, 500);
};"""


def tic_tac_toe(
    program: str,
    path: str,
    cell: str,
    place: Place,
    *,
    prepare: Callable[[Place], None] = lambda _: None,
    begin: Callable[[Page], None] = lambda _: None,
    play: Callable[[Locator, int], None] = lambda spot, _: spot.click(),
    end: Callable[[Page, int], None] = lambda *_: None,
    rings_first: bool = False,
) -> None:
    """Both sides are played by clicks on a page; CELL says what its squares are."""
    prepare(place)
    for number, position in enumerate(tic_tac_toes(EVEN_TIC_TAC_TOE) if rings_first else tic_tac_toes()):
        with sized(place.page, number) as page:
            serve_jquery(page, place)
            page.goto(f"{place.address}/{path}.html")
            begin(page)
            moves = squares(position)
            if rings_first:
                moves = [spot for pair in zip(moves[1::2], moves[::2], strict=True) for spot in pair]
            for turn, (row, column) in enumerate(moves):
                play(page.locator(cell).nth(3 * row + column), turn)
            end(page, number)
            place.pictured(page, f"{program}-{number}", "tictactoe", position.cells)


def serve_jquery(page: Page, place: Place) -> None:
    """Serve the jQuery that pages ask for elsewhere."""
    page.route("**/jquery-*.min.js", lambda route: route.fulfill(path=place.modules / "jquery/dist/jquery.min.js"))


def prepare_oxfix(place: Place) -> None:
    (place.modules / "boards.html").write_text(OXFIX)
    (place.modules / "show.js").write_text(OXFIX_SCRIPT)
    more = ("--loader:.js=jsx", "--jsx=automatic", "--main-fields=browser,module,main")
    bundle(place.modules, "show.js", "boards.js", *more)


def prepare_particles(place: Place) -> None:
    template = place.modules / "@tsparticles" / "template-tictactoe" / "template" / "vanilla"
    bundle(place.modules, template / "src" / "main.ts", "particles/main.js", "--main-fields=browser,module,main")
    page = (template / "index.html").read_text(encoding="utf-8").replace("/src/main.ts", "main.js")
    (place.modules / "particles" / "index.html").write_text(
        page.replace("{{projectName}}", "Tic-Tac-Toe").replace("</head>", "<link rel=stylesheet href=main.css></head>"),
        encoding="utf-8",
    )


def prepare_thaw(name: str, place: Place) -> None:
    shutil.copytree(place.modules / name / "public", place.modules / name, dirs_exist_ok=True)


def two_players(page: Page) -> None:
    page.evaluate("PlayerIsAutomated = [false, false]")


def hide_messages(page: Page) -> None:
    page.add_style_tag(content="#HelloMessage, #page-loader { display: none !important }")


def mark(spot: Locator, turn: int) -> None:
    """What the page's own script does, which waits for a purse."""
    spot.evaluate("(cell, kind) => cell.classList.add(kind)", ("x", "circle")[turn % 2])


def prepare_lemonade(place: Place) -> None:
    (place.modules / "lemonade.html").write_text(LEMONADE, encoding="utf-8")


def uncheck(page: Page) -> None:
    page.locator("input[type=checkbox]").evaluate("(box) => { box.checked && box.click() }")


def prepare_felvin(place: Place) -> None:
    (place.modules / "boards.html").write_text(BUNDLED, encoding="utf-8")
    (place.modules / "show.js").write_text(FELVIN_SCRIPT, encoding="utf-8")
    bundle(place.modules, "show.js", "boards.js")


def zoom(page: Page, number: int) -> None:
    """As a browser's zoom, for a board that is small otherwise."""
    page.evaluate("(zoom) => { document.body.style.zoom = zoom }", (1.5, 1, 2, 3)[number // 2 % 4])


def soku(place: Place) -> None:
    """Reversi of Soku, in several sizes."""
    (place.modules / "boards.html").write_text(BUNDLED, encoding="utf-8")
    (place.modules / "show.js").write_text(SOKU_SCRIPT, encoding="utf-8")
    bundle(place.modules, "show.js", "boards.js")
    for number, (game, position) in enumerate(living_positions(("othello", "othello"), 1340)):
        with sized(place.page, number) as page:
            page.goto(f"{place.address}/boards.html")
            shown = [(640, 480, 720, 400)[number % 4], line(position.cells, "201")]
            page.evaluate("([side, squares]) => reversi(side, squares)", shown)
            page.wait_for_timeout(2000)
            place.pictured(page, f"soku-reversi-{number}", game, position.cells)


def thaw_reversi(place: Place) -> None:
    prepare_thaw("thaw-reversi-web-app", place)
    for number, (game, position) in enumerate(living_positions(("othello", "othello", "othello"), 910)):
        with sized(place.page, number) as page:
            serve_jquery(page, place)
            page.goto(f"{place.address}/thaw-reversi-web-app/index.html")
            page.evaluate(
                "(rows) => { PlayerIsAutomated = [false, false]; PiecePopulations = [0, 0];"
                "rows.forEach((row, r) => row.forEach((text, c) => { const kind = { X: 1, O: 0, '': -1 }[text];"
                "if (text) ++PiecePopulations[kind]; setSquareState(r, c, kind, true) })); displayTurnMessage() }",
                position.cells,
            )
            place.pictured(page, f"thaw-reversi-web-app-{number}", game, position.cells)


def reactjs(place: Place) -> None:
    """Crosses and rings of tic-tac-toe-reactjs, on screens of several densities."""
    bundle(place.modules, "tic-tac-toe-reactjs/src/index.js", "classic.js", "--loader:.js=jsx")
    (place.modules / "classic.html").write_text(REACTJS)
    browser = place.page.context.browser
    assert browser is not None
    for number, position in enumerate(tic_tac_toes(TIC_TAC_TOE)):
        page = browser.new_page(viewport={"width": 600, "height": 400}, device_scale_factor=1 + 0.5 * number)
        page.goto(f"{place.address}/classic.html")
        page.wait_for_timeout(1000)
        for move in position.history:
            row, column = square(position, move)
            page.locator(".square").nth(3 * row + column).click()
        page.mouse.move(500, 380)
        page.screenshot(path=place.file(f"tic-tac-toe-reactjs-{number}"))
        page.close()
        place.note(f"tic-tac-toe-reactjs-{number}", "tictactoe", position.cells)


def jocly(place: Place) -> None:
    """Reversi of Jocly, flat, and other games of it as pictures without a board of ours."""
    for number, look in enumerate((("#ffffff", 760, 700), ("#303438", 560, 560))):
        (place.modules / f"jocly{number}.html").write_text(JOCLY % look)
    place.page.set_viewport_size({"width": 1000, "height": 820})
    for game, match in (("othello", "reversi"), ("othello:size=6", "reversi6")):
        for number, stage in enumerate(STAGES):
            position = line_of_play(game, stage, number + 300)
            show_match(place, number % 2, f"jocly-{match}-{number}", match, position.history)
            place.note(f"jocly-{match}-{number}", game, position.cells, program=f"jocly {match}")
    for match in ("fourinarow", "draughts", "9-men-morris"):
        show_match(place, 0, f"jocly-{match}", match, ())
        place.note(f"jocly-{match}", program=f"jocly {match}")


def show_match(place: Place, look: int, name: str, match: str, moves: tuple[str, ...]) -> None:
    place.page.goto(f"{place.address}/jocly{look}.html")
    place.page.evaluate("([game, moves]) => show(game, moves)", [match, moves])
    place.page.wait_for_timeout(4000)
    place.page.screenshot(path=place.file(name))


JQUERY = "jquery@3.7.1"
PARTS = (
    Part("jocly", jocly, npm=("jocly@0.9.13",), browser=True),
    Part("thaw-reversi-web-app", thaw_reversi, npm=(JQUERY,), unpacked=("thaw-reversi-web-app@0.0.0",), browser=True),
    Part(
        "tic-tac-toe-reactjs",
        reactjs,
        npm=("react@16", "react-dom@16", ESBUILD),
        unpacked=("tic-tac-toe-reactjs@0.0.5",),
        browser=True,
    ),
    Part(
        "tictactoe-0xfix",
        functools.partial(tic_tac_toe, "tictactoe-0xfix", "boards", "#at button", prepare=prepare_oxfix),
        npm=("react@18.3.1", "react-dom@18.3.1", ESBUILD),
        unpacked=("tictactoe-0xfix@1.1.8",),
        browser=True,
    ),
    Part(
        "tic-tac-toe-html-game",
        functools.partial(tic_tac_toe, "tic-tac-toe-html-game", "tic-tac-toe-html-game/index", ".cell"),
        unpacked=("tic-tac-toe-html-game@1.0.0",),
        browser=True,
    ),
    Part(
        "tsparticles-tictactoe",
        functools.partial(tic_tac_toe, "tsparticles-tictactoe", "particles/index", ".cell", prepare=prepare_particles),
        npm=("@tsparticles/engine@4.4.0", "@tsparticles/slim@4.4.0", "@tsparticles/confetti@4.4.0", ESBUILD),
        unpacked=("@tsparticles/template-tictactoe@4.4.0",),
        browser=True,
    ),
    Part(
        "thaw-tic-tac-toe-web-app",
        functools.partial(
            tic_tac_toe,
            "thaw-tic-tac-toe-web-app",
            "thaw-tic-tac-toe-web-app/index",
            "#board img",
            prepare=functools.partial(prepare_thaw, "thaw-tic-tac-toe-web-app"),
            begin=two_players,
        ),
        npm=(JQUERY,),
        unpacked=("thaw-tic-tac-toe-web-app@0.0.1",),
        browser=True,
    ),
    Part(
        "near-tic-tac-toe",
        functools.partial(
            tic_tac_toe, "near-tic-tac-toe", "near-tic-tac-toe/src/index", ".cell", begin=hide_messages, play=mark
        ),
        npm=(JQUERY,),
        unpacked=("near-tic-tac-toe@1.0.0",),
        browser=True,
    ),
    Part(
        "lemonadejs-tictactoe",
        functools.partial(
            tic_tac_toe,
            "lemonadejs-tictactoe",
            "lemonade",
            ".play-area section span",
            prepare=prepare_lemonade,
            begin=uncheck,
        ),
        npm=("lemonadejs@2.8.11", "jsuites@4.17.7"),
        unpacked=("@lemonadejs/tictactoe@1.0.0",),
        browser=True,
    ),
    Part("soku-reversi", soku, npm=("soku-game-reversi@1.6.6", "@soku-games/core@0.4.1", ESBUILD), browser=True),
    Part(
        "felvin-tic-tac-toe",
        functools.partial(tic_tac_toe, "felvin-tic-tac-toe", "boards", "#at button", prepare=prepare_felvin, end=zoom),
        npm=(
            "@felvin-community/tic-tac-toe@1.84.0",
            "react@17.0.2",
            "react-dom@17.0.2",
            "styled-components@5.3.11",
            ESBUILD,
        ),
        browser=True,
    ),
    Part(
        "tictactoe-java-html-css",
        functools.partial(
            tic_tac_toe, "tictactoe-java-html-css", "tictactoe-java-html-css/toe", ".box", rings_first=True
        ),
        unpacked=("tictactoe-java-html-css@1.0.0",),
        browser=True,
    ),
)
