"""Games that npm packages have as components, on pages that show them, in Chromium."""

import functools
import shutil

import numpy as np
from playwright.sync_api import Page

from boyi.games import Position
from boyi.games import game as find_game
from programs.browser import bundle, sized
from programs.game_pages import tic_tac_toe
from programs.go_pages import ESBUILD
from programs.part import Part, Place
from programs.positions import living_positions, mirrored, square, squares, tic_tac_toes, without_a_pass

WUZIQI = """<!doctype html><meta charset=utf-8><title>Game</title><style>body { margin: 20px; font: 14px sans-serif }
.board-row::after { clear: both; content: ""; display: table } .wuziqi-game { display: flex }
.wuziqi-game-info { margin-left: 20px }</style><div id=at></div><script src=/boards.js></script>"""
"""With the style of the tutorial that it follows."""
WUZIQI_SCRIPT = """import { createElement } from "react"; import { render } from "react-dom";
import Game from "wuziqi-components-game";
const game = render(createElement(Game), document.getElementById("at"));
for (const one of document.querySelectorAll(".step")) one.classList.add("styles_step__2fNHT");
window.show = (moves) => {
  const history = game.state.history.slice();
  moves.forEach(([row, column], turn) => {
    const squares = history[turn].squares.map((line) => line.slice());
    squares[row][column] = "XO"[turn % 2];
    const last = turn + 1 === moves.length;
    history.push({ squares, lastStep_horizontal: last ? null : row, lastStep_vertical: last ? null : column });
  });
  game.setState({ history, stepNumber: moves.length, xIsNext: moves.length % 2 === 0 });
};"""
"""It looks for five stones around the last one, and fails at the border: the last move is not told."""
HEXLET = """<!doctype html><meta charset=utf-8><title>Tic Tac Toe</title>
<link rel=stylesheet href=/@hexlet/tic-tac-toe/dist/public/style.css><div id=tic-tac-toe></div><script type=module>
import { TicTacToe } from "/@hexlet/tic-tac-toe/dist/index.js";
new TicTacToe(document.getElementById("tic-tac-toe")).start()</script>"""
CLIENT = """<!doctype html><meta charset=utf-8><title>Tic Tac Toe</title><link rel=stylesheet href=/boards.css>
<div id=root></div><script src=/boards.js></script>"""
CLIENT_SCRIPT = """import "@fontsource/montserrat/900-italic.css"; import "@fontsource/syncopate/400.css";
import { createElement } from "react"; import { render } from "react-dom";
import { MemoryRouter } from "react-router-dom"; import "./@mattcroberts/tic-tac-toe-client/src/index.css";
import Page from "./@mattcroberts/tic-tac-toe-client/src/pages/Grid/index.tsx";
const players = { X: { id: "1", symbol: "CROSS" }, O: { id: "2", symbol: "NAUGHT" } };
window.show = (cells) => render(createElement(MemoryRouter, {}, createElement(Page, {
  grid: cells.map((row) => row.map((text) => ({ player: players[text] }))), gameUrls: {}, isMultiplayer: false,
  controllingPlayer: players.X, currentPlayer: players.X, size: 3, isDraw: false, winner: null,
})), document.getElementById("root"));"""
DISCORD = """<!doctype html><meta charset=utf-8><title>Discord</title><style>body { margin: 30px; background: #313338;
color: #dbdee1; font: 16px sans-serif } img { display: block; margin: 8px 0; width: %dpx }</style>
<script src=boards.js></script>"""
DISCORD_SCRIPT = """const game = require("./discord.js-tictactoe/index.js");
let answer; game.run({ on: (_, listener) => { answer = listener } }, "!", "#ff00aa", "ttt");
window.show = async (moves) => {
  const [first, second] = [{ id: 1, name: "Anna" }, { id: 2, name: "Ben" }];
  const say = async (author, content) => {
    document.body.append(author.name + ": " + content);
    const channel = { send: async (picture) => { document.body.append(picture) } };
    await answer({ author, content, channel, mentions: { members: { first: () => first } } });
  };
  await say(second, "!ttt");
  for (const [turn, [row, column]] of moves.entries()) {
    document.body.replaceChildren();
    await say([first, second][turn % 2], "abc"[row] + (column + 1));
  }
};"""
DISCORD_PARTS = {
    "discord.js": "exports.Attachment = class { constructor(picture) { return picture } };",
    "canvas.js": """exports.loadImage = (src) => new Promise((done) => {
const image = new Image(); image.onload = () => done(image); image.src = src });
exports.createCanvas = (width, height) => { const canvas = document.createElement("canvas");
Object.assign(canvas, { width, height }); canvas.toBuffer = () => { const image = new Image();
image.src = canvas.toDataURL(); return image }; return canvas };""",
    "fs.js": "",
}
"""What stands for Discord, and for a canvas outside a browser."""
KIT = """<!doctype html><meta charset=utf-8><title>Game</title><link rel=stylesheet href=/kit.css>
<body style="margin:28px;font-family:sans-serif;background:#eef1e6"><div id=at></div><script src=/boards.js></script>"""
KIT_SCRIPT = """import { createElement } from "react"; import { createRoot } from "react-dom/client";
import { Board, BoardGrid, GameToken, Slot } from "@vlvethund/boardgame-kit";
const colours = { X: "#1c1c1c", O: "#fafafa", R: "#c8372d", B: "#2d5fc8" };
window.show = (title, cells, size, pixels) => {
  const squares = cells.flat().map((text, id) => createElement(Slot, { key: id, state: text ? "occupied" : "empty",
    style: { display: "grid", placeItems: "center", height: pixels } }, text && createElement(GameToken, { size,
    token: { id, label: text[1] ?? "", color: colours[text[0]], textColor: "#fff", shape: "circle" } })));
  createRoot(document.getElementById("at")).render(createElement(Board, { title },
    createElement(BoardGrid, { columns: `repeat(${cells.length}, ${pixels}px)`, gap: "4px" }, squares)));
};"""


def wuziqi(place: Place) -> None:
    """Five in a row on ten lines."""
    (place.modules / "boards.html").write_text(WUZIQI, encoding="utf-8")
    (place.modules / "show.js").write_text(WUZIQI_SCRIPT, encoding="utf-8")
    bundle(place.modules, "show.js", "boards.js", "--main-fields=module,main")
    for number, (game, position) in enumerate(living_positions(("gomoku:size=10", "gomoku:size=10"), 1410)):
        with sized(place.page, number) as page:
            page.goto(f"{place.address}/boards.html")
            page.evaluate("(moves) => show(moves)", squares(position))
            place.pictured(page, f"wuziqi-components-game-{number}", game, position.cells)


def board_game_engine(place: Place) -> None:
    """Reversi on the package's own page; the first player begins on the squares of White, as in a mirror."""
    source = place.modules / "board-game-engine-react"
    shutil.copytree(source / "test-app" / "public" / "games", place.modules / "games", dirs_exist_ok=True)
    more = ("--jsx=automatic", "--main-fields=module,main")
    bundle(place.modules, source / "test-app" / "main.tsx", "harness.js", *more)
    text = (source / "test-app" / "index.html").read_text(encoding="utf-8").replace("./main.tsx", "/harness.js")
    style = "<link rel=stylesheet href=/harness.css></head>"
    (place.modules / "harness.html").write_text(text.replace("</head>", style), encoding="utf-8")
    for number, turns in enumerate((2, 7, 12, 18, 24, 30, 36, 42)):
        with sized(place.page, number) as page:
            page.goto(f"{place.address}/harness.html")
            page.select_option("#game-select", "reversi")
            page.click("#start-btn")
            game = without_a_pass(1450 + number)
            for later in game[1 : turns + 1]:
                row, column = square(later, later.history[-1])
                page.locator(".grid__cell .space").nth(8 * row + 7 - column).click()
            place.pictured(page, f"board-game-engine-react-{number}", "othello", mirrored(game[turns].cells))


def prepare_hexlet(place: Place) -> None:
    (place.modules / "hexlet.html").write_text(HEXLET, encoding="utf-8")


def name_players(page: Page) -> None:
    page.fill("#player1", "Anna")
    page.fill("#player2", "Ben")
    page.click(".submit-btn")


def tic_tac_toe_client(place: Place) -> None:
    """The page of a game that a server would know, with grids of its own making."""
    (place.modules / "boards.html").write_text(CLIENT, encoding="utf-8")
    (place.modules / "show.js").write_text(CLIENT_SCRIPT, encoding="utf-8")
    fonts = ("--loader:.woff=dataurl", "--loader:.woff2=dataurl")
    bundle(place.modules, "show.js", "boards.js", "--loader:.css=local-css", *fonts)
    for number, position in enumerate(tic_tac_toes()):
        with sized(place.page, number) as page:
            page.goto(f"{place.address}/boards.html")
            page.evaluate("(cells) => { show(cells) }", position.cells)
            place.pictured(page, f"tic-tac-toe-client-{number}", "tictactoe", position.cells)


def discord(place: Place) -> None:
    """What a bot answers to both sides of tic-tac-toe."""
    for name, text in DISCORD_PARTS.items():
        (place.modules / name).write_text(text, encoding="utf-8")
    (place.modules / "show.js").write_text(DISCORD_SCRIPT, encoding="utf-8")
    names = ("--alias:discord.js=./discord.js", "--alias:canvas=./canvas.js", "--alias:fs=./fs.js")
    bundle(place.modules, "show.js", "discord.js-tictactoe/boards.js", *names)
    for number, position in enumerate(tic_tac_toes()):
        text = DISCORD % (400, 300, 550, 350)[number % 4]
        (place.modules / "discord.js-tictactoe" / "chat.html").write_text(text, encoding="utf-8")
        with sized(place.page, number) as page:
            page.goto(f"{place.address}/discord.js-tictactoe/chat.html")
            page.evaluate("(moves) => show(moves)", squares(position))
            place.pictured(page, f"discord.js-tictactoe-{number}", "tictactoe", position.cells)


def einstein(seed: int) -> Position:
    """A random game of EinStein würfelt nicht that is not over, after some rolls and moves."""
    random = np.random.default_rng(seed)
    position = find_game("einstein").start()
    for _ in range(8 * (seed % 4) + 1):
        later = position.play(str(random.choice(position.moves)))
        if not later.moves:
            break
        position = later
    return position


def boardgame_kit(place: Place) -> None:
    """Reversi and EinStein würfelt nicht, of the package's slots and tokens."""
    (place.modules / "boards.html").write_text(KIT, encoding="utf-8")
    (place.modules / "show.js").write_text(KIT_SCRIPT, encoding="utf-8")
    bundle(place.modules, "show.js", "boards.js", "--jsx=automatic")
    shutil.copy(place.modules / "@vlvethund" / "boardgame-kit" / "dist" / "styles.css", place.modules / "kit.css")
    shown = [("Reversi", *board) for board in living_positions(("othello",), 1470)]
    shown += [("EinStein würfelt nicht!", "einstein", einstein(seed)) for seed in range(1480, 1484)]
    for number, (title, game, position) in enumerate(shown):
        with sized(place.page, number) as page:
            page.goto(f"{place.address}/boards.html")
            size, pixels = (("md", 64), ("sm", 52), ("lg", 80), ("md", 56))[number % 4]
            page.evaluate("(words) => { show(...words) }", [title, position.cells, size, pixels])
            place.pictured(page, f"boardgame-kit-{number}", game, position.cells)


PARTS = (
    Part(
        "boardgame-kit",
        boardgame_kit,
        npm=("@vlvethund/boardgame-kit@0.1.0", "react@18.3.1", "react-dom@18.3.1", ESBUILD),
        browser=True,
    ),
    Part("discord.js-tictactoe", discord, npm=(ESBUILD,), unpacked=("discord.js-tictactoe@1.0.2",), browser=True),
    Part(
        "board-game-engine-react",
        board_game_engine,
        npm=("board-game-engine-react@2.0.0", "react@18.3.1", "react-dom@18.3.1", ESBUILD),
        browser=True,
    ),
    Part(
        "hexlet-tic-tac-toe",
        functools.partial(
            tic_tac_toe, "hexlet-tic-tac-toe", "hexlet", ".board__cell", prepare=prepare_hexlet, begin=name_players
        ),
        unpacked=("@hexlet/tic-tac-toe@0.0.12",),
        browser=True,
    ),
    Part(
        "tic-tac-toe-client",
        tic_tac_toe_client,
        npm=(
            "react@16",
            "react-dom@16",
            "react-router-dom@4",
            "classnames@2.5.1",
            "@fontsource/montserrat@5.2.8",
            "@fontsource/syncopate@5.3.0",
            ESBUILD,
        ),
        unpacked=("@mattcroberts/tic-tac-toe-client@0.1.0",),
        browser=True,
    ),
    Part(
        "wuziqi-components-game",
        wuziqi,
        npm=(
            "wuziqi-components-game@1.0.2",
            "wuziqi-components-board@1.0.0",
            "wuziqi-utils@1.0.2",
            "react@16",
            "react-dom@16",
            ESBUILD,
        ),
        browser=True,
    ),
)
