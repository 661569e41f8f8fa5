"""Takes pictures of printed boards and of more web pages: `python tests/vision/take_late_screens.py FOLDER`.

Printed boards of LaTeX packages (Debian's texlive-games, texlive-latex-extra, texlive-pstricks, ghostscript,
poppler-utils), and pages of npm packages in Chromium, which go into FOLDER/node_modules only. What stands on
the boards is what the package was told to show, and is written to FOLDER/screens.toml.
`python -m boyi.bench.vision FOLDER` measures them.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Page
from screen_truth import STAGES, Cells, Truth, line_of_play
from take_web_screens import install, shown

from boyi.games import Position
from boyi.games import game as find_game

PACKAGES = (
    "jocly@0.9.13",
    "sgf-to-image@0.2.2",
    "tic-tac-toe-reactjs@0.0.5",
    "react@16",
    "react-dom@16",
    "esbuild@0.25",
)
COLOURS = {"X": "black", "O": "white"}
LETTERS = "abcdefghjklmnopqrst"
ROWS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
GO = ("gomoku:size=19", "gomoku:size=13", "gomoku:size=9", "connect6")
TIC_TAC_TOE = ("b2 a1", "a1 b2 c3 c1", "b2 c3 a1 c1 c2", "c1 b2 a3 b3 b1 a1")
DOCUMENT = r"""\documentclass{article}
\usepackage[margin=%(margin)s]{geometry}
\usepackage{%(package)s}
\pagestyle{empty}
\begin{document}
\noindent
%(board)s
\end{document}
"""


def stones(cells: Cells) -> Iterator[tuple[int, int, str]]:
    """Row, column, "X" or "O"."""
    for row, texts in enumerate(cells):
        for column, text in enumerate(texts):
            if text:
                yield row, column, text


def othelloboard(cells: Cells, number: int) -> str:
    codes = {"": "0", "X": "2", "O": "1"}
    rows = (
        f"\\othelloarray{name}row" + "".join(f"{{{codes[text]}}}" for text in row)
        for name, row in zip(ROWS, cells, strict=True)
    )
    kind = "othelloboard" if number % 2 else "othelloboardnorefs"
    return "\n".join((f"\\begin{{{kind}}}{{{1 + 0.5 * (number % 3)}}}", "\\dotmarkings", *rows, f"\\end{{{kind}}}"))


def psgo(cells: Cells, number: int) -> str:
    size = len(cells)
    ring = r"[\markcr]" if number % 2 else ""
    placed = (
        rf"\stone{ring if place == 3 else ''}{{{COLOURS[text]}}}{{{LETTERS[column]}}}{{{size - row}}}"
        for place, (row, column, text) in enumerate(stones(cells))
    )
    kind = "psgoboard" if number % 3 else "psgopartialboard"
    part = "" if number % 3 else f"{{(1,1)({size},{size})}}"
    return "\n".join((f"\\begin{{{kind}}}[{size}]{part}", *placed, f"\\end{{{kind}}}"))


PRINTED = {
    "othelloboard": (othelloboard, ("othello",), ("pdflatex",), "2cm"),
    "psgo": (psgo, GO, ("latex", "dvips", "ps2pdf"), "2cm"),
}
"""Package, its games, the commands that make a PDF of it, the margin of the page."""
MAKERS = {
    "pdflatex": (("pdflatex", "-interaction=batchmode"), ".tex"),
    "latex": (("latex", "-interaction=batchmode"), ".tex"),
    "dvips": (("dvips", "-q"), ".dvi"),
    "ps2pdf": (("ps2pdf",), ".ps"),
}
"""Commands, and the ends of the names of the files that they take."""


Printed = dict[str, tuple[Callable[[Cells, int], str], tuple[str, ...], tuple[str, ...], str]]


def printed(folder: Path, truth: Truth, packages: Printed = PRINTED, *, most: int = 6) -> None:
    """Boards of LaTeX packages, each of its games in all stages, so often that there are at most so many rounds."""
    for package, (board, games, commands, margin) in packages.items():
        number = 0
        for game in games * (most // len(games)) or games:
            for stage in STAGES:
                cells = line_of_play(game, stage, number + 100).cells
                name = f"{package}-{number}"
                (folder / f"{name}.tex").write_text(
                    DOCUMENT % {"margin": margin, "package": package, "board": board(cells, number)}
                )
                for command in commands:
                    words, kind = MAKERS[command]
                    subprocess.run([*words, f"{name}{kind}"], cwd=folder, check=True, capture_output=True)
                size = ("90", "120", "150", "72")[number % 4]
                command = ["pdftoppm", "-png", "-singlefile", "-f", "1", "-l", "1", "-r", size, f"{name}.pdf", name]
                subprocess.run(command, cwd=folder, check=True)
                truth.add(f"{name}.png", package, game, cells)
                number += 1


def diagrams(page: Page, address: str, folder: Path, truth: Truth) -> None:
    """Boards of sgf-to-image: with or without coordinates, move numbers and a mark of the last move."""
    number = 0
    for game in GO[:3]:
        for stage in STAGES:
            position = line_of_play(game, stage, number + 200, alive=True)
            page.goto(f"{address}/diagram.html")
            options = {
                "size": {"width": (420, 560, 760)[number % 3], "height": (420, 560, 760)[number % 3]},
                "showCoordinates": number % 2 == 1,
                "move": len(position.history),
                "lastMoveLabel": number % 4 > 1,
            }
            page.evaluate("([size, moves, options]) => show(size, moves, options)", [*_moves(position), options])
            page.screenshot(path=folder / f"sgf-to-image-{number}.png")
            truth.add(f"sgf-to-image-{number}.png", "sgf-to-image", game, position.cells)
            number += 1


def _moves(position: Position) -> tuple[int, list[dict[str, object]]]:
    names = position.game.squares
    size = len(position.cells)
    found: list[dict[str, object]] = []
    for number, move in enumerate(position.history, 1):
        row, column = divmod(names.index(move), size)
        spot = {"x": column, "y": row}
        found.append({"color": COLOURS["OX"[number % 2]], "position": spot, "moveNumber": number})
    return size, found


def tic_tac_toe(page: Page, address: str, folder: Path, truth: Truth) -> None:
    """Crosses and rings of tic-tac-toe-reactjs, both sides played by clicks, on screens of several densities."""
    browser = page.context.browser
    assert browser is not None
    for number, moves in enumerate(TIC_TAC_TOE):
        page = browser.new_page(viewport={"width": 600, "height": 400}, device_scale_factor=1 + 0.5 * number)
        page.goto(f"{address}/classic.html")
        page.wait_for_timeout(1000)
        position = find_game("tictactoe").start()
        for move in moves.split():
            page.locator(".square").nth(position.game.squares.index(move)).click()
            position = position.play(move)
        page.mouse.move(500, 380)
        page.screenshot(path=folder / f"tic-tac-toe-reactjs-{number}.png")
        page.close()
        truth.add(f"tic-tac-toe-reactjs-{number}.png", "tic-tac-toe-reactjs", "tictactoe", position.cells)


def jocly(page: Page, address: str, folder: Path, truth: Truth) -> None:
    """Reversi of Jocly, flat, and other games of it as pictures without a board of ours."""
    for game, match in (("othello", "reversi"), ("othello:size=6", "reversi6")):
        for number, stage in enumerate(STAGES):
            position = line_of_play(game, stage, number + 300)
            page.goto(f"{address}/jocly{number % 2}.html")
            page.evaluate("([game, moves]) => show(game, moves)", [match, position.history])
            page.wait_for_timeout(4000)
            page.screenshot(path=folder / f"jocly-{match}-{number}.png")
            truth.add(f"jocly-{match}-{number}.png", f"jocly {match}", game, position.cells)
    for match in ("fourinarow", "draughts", "9-men-morris"):
        page.goto(f"{address}/jocly0.html")
        page.evaluate("([game, moves]) => show(game, moves)", [match, []])
        page.wait_for_timeout(4000)
        page.screenshot(path=folder / f"jocly-{match}.png")
        truth.add(f"jocly-{match}.png", f"jocly {match}")


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
CLASSIC = """<!doctype html><link rel=stylesheet href=classic.css><div id=root></div><script src=classic.js></script>"""
DIAGRAM = """<!doctype html><body style="margin:30px;background:#d8dde0"><script src=/diagram.js></script><script>
window.show = async (size, moves, options) => document.body.append(await diagrams.renderDiagram(size, moves, options))
</script>"""


def bundle(folder: Path) -> None:
    """Install the packages and write the pages that show them."""
    modules = install(folder, PACKAGES)
    (modules / "empty.js").write_text("export const readFileSync = undefined;")
    for source, target, more in (
        ("tic-tac-toe-reactjs/src/index.js", "classic.js", ("--loader:.js=jsx",)),
        ("sgf-to-image/dist/index.js", "diagram.js", ("--global-name=diagrams", "--format=iife", "--external:canvas")),
    ):
        subprocess.run(
            [".bin/esbuild", source, "--bundle", f"--outfile={target}", "--define:process.env.NODE_ENV=\"production\"",
             "--log-level=error", "--alias:fs=./empty.js", *more],
            cwd=modules,
            check=True,
        )  # fmt: skip
    (modules / "classic.html").write_text(CLASSIC)
    (modules / "diagram.html").write_text(DIAGRAM)
    for number, look in enumerate((("#ffffff", 760, 700), ("#303438", 560, 560))):
        (modules / f"jocly{number}.html").write_text(JOCLY % look)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    truth = Truth(folder)
    printed(folder, truth)
    bundle(folder)
    with shown(folder, 1000, 820) as (page, address):
        for take in (diagrams, tic_tac_toe, jocly):
            take(page, address, folder, truth)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
