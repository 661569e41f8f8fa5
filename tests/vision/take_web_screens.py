"""Takes pictures of boards for web pages that nobody here wrote: `python tests/vision/take_web_screens.py FOLDER`.

Needs Chromium and npm. The packages of `PACKAGES` go into FOLDER/node_modules and nowhere else, are bundled with
`web_boards.js` and shown by Chromium from a server on this computer. Each picture is FOLDER/NAME.png; what stands on it
is what the page was told to show, and is written to FOLDER/screens.toml. Go boards show positions of Gomoku and
Connect6. `python -m boyi.bench.vision FOLDER` measures them.
"""

import functools
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "web"))
from browsing import ARGUMENTS, chromium
from screen_truth import STAGES, Cells, Truth, line_of_play

PACKAGES = (
    "besogo@0.0.2-alpha", "@sabaki/shudan@1.7.1", "preact@10", "goban@8.3.64", "react-goban@1.0.0",
    "react-go-board@0.9.0", "godash@2.1.0", "react-baduk@1.1.2", "wgo@3.0.0-alpha.10", "go-board@2.7.6", "react@15",
    "react-dom@15", "esbuild@0.25", "@chrisoakman/chessboardjs@1.0.0", "jquery@3",
)  # fmt: skip
HEAD = """<!doctype html><meta charset=utf-8><title>Board</title><link rel=stylesheet href=/besogo/css/besogo.css>
<link rel=stylesheet href=/@sabaki/shudan/css/goban.css><link rel=stylesheet href=/wgo/dist/style.css>
<script src=/besogo/besogo.all.js></script><body style="margin:30px;background:{paper}"><div id=at></div>
<script src=/boards.js></script><script src=/go-board/public/go-board.min.js></script>"""
CHESS = """<!doctype html><link rel=stylesheet href=/@chrisoakman/chessboardjs/dist/chessboard-1.0.0.css>
<script src=/jquery/dist/jquery.js></script><script src=/@chrisoakman/chessboardjs/dist/chessboard-1.0.0.js></script>
<body style="margin:40px"><div id=at style="width:480px"></div>
<script>Chessboard("at", { position: "start", pieceTheme: (piece) => "data:image/svg+xml," + encodeURIComponent(
`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'><text x='20' y='32' font-size='34' text-anchor='middle'>`
+ "♔♕♖♗♘♙♚♛♜♝♞♟"[(piece[0] === "b" ? 6 : 0) + "KQRBNP".indexOf(piece[1])] + "</text></svg>") })</script>"""
OGS = (
    "Plain/Plain/Plain", "Night Play/Slate/Shell", "HNG/Glass/Glass", "HNG Night/Night/Night", "Book/Plain/Plain",
    "Kaya/Slate/Shell", "Red Oak/Glass/Worn Glass", "Persimmon/Worn Glass/Shell", "Black Walnut/Slate/Glass",
    "Granite/Plain/Shell", "Anime/Glass/Glass", "Bright Kaya/Plain/Shell",
)  # fmt: skip
"""Board, black and white stones; textures that the package loads from elsewhere stay away."""
THEMES: dict[str, tuple[str, ...]] = {
    "besogo": ("flat", "wood", "dark", "bold", "book", "eidogo", "glift", "kibitz", "sensei"),
    "shudan": ("circle", "point", "square"),
    "goban": OGS,
    "react-goban": ("classic", "paper"),
    "react-go-board": ("#ffffff", "#e8c27a", "#9fc5a0"),
    "react-baduk": ("hybrid",),
    "wgo": ("glass", "modern", "simple"),
    "go-board": ("kaya",),
}
GAMES = ("gomoku:size=15", "connect6", "gomoku:size=19", "gomoku:size=13", "gomoku:size=9")
LARGE_ONLY = ("go-board",)
"""Boards that know only 19 by 19."""
PAPERS = ("#ffffff", "#e8ecef", "#202428", "#c8ffff")
SIDES = (600, 460, 760)


def scenes() -> Iterator[tuple[str, str, str, str, Cells, dict[str, object]]]:
    """File name, program, paper, game, cells and options of every picture."""
    number = 0
    for board, themes in THEMES.items():
        for theme in themes:
            short = "".join(letter for letter in theme.split("/")[0].lower() if letter.isalnum())
            for stage in STAGES:
                games = ("connect6", "gomoku:size=19") if board in LARGE_ONLY else GAMES
                game = games[number % len(games)]
                position = line_of_play(game, stage, number)
                full = [(r, c) for r, row in enumerate(position.cells) for c, text in enumerate(row) if text]
                options = {
                    "theme": theme,
                    "last": full[number % len(full)] if number % 2 else None,
                    "labels": number % 3 > 0,
                    "side": SIDES[number // 3 % 3],
                }
                paper = PAPERS[number // 2 % len(PAPERS)]
                yield f"{board}-{short}-{stage}", f"{board} {short}", paper, game, position.cells, options
                number += 1


def install(folder: Path, packages: Sequence[str]) -> Path:
    """Put npm packages into FOLDER/node_modules, and say where that is."""
    (folder / "package.json").write_text('{"private": true}')
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", *packages]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "node_modules"


def bundle(folder: Path) -> None:
    """Install the packages and join them with `web_boards.js`."""
    install(folder, PACKAGES)
    command = [
        "node_modules/.bin/esbuild", str(Path(__file__).with_name("web_boards.js")), "--bundle", "--log-level=warning",
        "--outfile=node_modules/boards.js", "--main-fields=browser,module,main", "--define:global=window",
        '--define:process.env.NODE_ENV="production"',
    ]  # fmt: skip
    modules = os.environ | {"NODE_PATH": str((folder / "node_modules").resolve())}
    subprocess.run(command, cwd=folder, check=True, env=modules)
    for number, paper in enumerate(PAPERS):
        (folder / "node_modules" / f"page{number}.html").write_text(HEAD.format(paper=paper), encoding="utf-8")
    (folder / "node_modules" / "chess.html").write_text(CHESS, encoding="utf-8")


class Handler(SimpleHTTPRequestHandler):
    """The pages and the packages, without a log."""

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def shown(folder: Path, width: int, height: int) -> Iterator[tuple[Page, str]]:
    """A page of Chromium, and the address at which it finds FOLDER/node_modules."""
    handler = functools.partial(Handler, directory=str(folder / "node_modules"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield (
            browser.new_page(viewport={"width": width, "height": height}),
            f"http://127.0.0.1:{server.server_port}",
        )
        browser.close()
    server.shutdown()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    bundle(folder)
    truth = Truth(folder)
    with shown(folder, 1060, 860) as (page, address):
        for name, program, paper, game, cells, options in scenes():
            page.goto(f"{address}/page{PAPERS.index(paper)}.html")
            page.evaluate(
                "([name, cells, options]) => { show(name, cells, options) }", [program.split()[0], cells, options]
            )
            page.wait_for_timeout(500)
            page.screenshot(path=folder / f"{name}.png")
            truth.add(f"{name}.png", program, game, cells)
        page.goto(f"{address}/chess.html")
        page.wait_for_timeout(500)
        page.screenshot(path=folder / "chessboardjs.png")
        truth.add("chessboardjs.png", "chessboardjs")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
