"""Takes pictures of boards that the finished recogniser is measured with: `take_fresh_screens.py FOLDER`.

Go boards of npm packages (svgoban, gobo) in Chromium, and boards of Python packages (Pgx, PettingZoo), which
`python_boards.py` draws. The packages go into FOLDER only. What stands on the boards is what they were told to show,
and is written to FOLDER/screens.toml. `python -m boyi.bench.vision FOLDER` measures them.
"""

import json
import subprocess
import sys
import venv
from pathlib import Path

from playwright.sync_api import Page
from screen_truth import STAGES, Cells, Truth, line_of_play
from take_late_screens import TIC_TAC_TOE, stones
from take_web_screens import install, shown

from boyi.games import game as find_game

PACKAGES = ("svgoban@1.0.0", "gobo@0.7.0", "esbuild@0.25")
PYTHON = ("pgx==2.6.0", "pettingzoo==1.27.0", "pygame==2.6.1", "jax==0.10.2", "svgwrite==1.4.3")
GO = ("gomoku:size=19", "gomoku:size=13", "gomoku:size=9", "connect6", "gomoku:size=15")
LOOKS = {
    "svgoban": ("classic", "night", "paper"),
    "gobo": ("wood", "pale", "sketch", "simple"),
}
PAPERS = ("#ffffff", "#163a0c", "#e8ecef")
SIDES = (620, 480, 760)
PAGE = """<!doctype html><meta charset=utf-8><body style="margin:30px"><div id=at></div>
<script src=/gobo/bin/gobo.js></script><script src=/svgoban.js></script><script>
const LETTERS = "ABCDEFGHJKLMNOPQRST";
const SHOW = {
  svgoban(stones, { size, look, side, last, labels }) {
    const named = ([row, column]) => LETTERS[column] + (size - row);
    const placed = Object.fromEntries(stones.map(([row, column, text]) =>
      [named([row, column]), text === "X" ? "black" : "white"]));
    const marks = last ? { [named(last)]: ["circle", "square", "triangle", "cross"][size % 4] } : {};
    const at = document.getElementById("at");
    at.style.width = at.style.height = side + "px";
    at.innerHTML = svgoban.serialize({ size, theme: look, hideMargin: !labels }, placed, marks);
  },
  gobo(stones, { size, look, side, last, labels }) {
    const board = new gobo.Gobo({ gobanSize: size, widthPx: side, noCoords: !labels, patternSeed: 0.3,
      isSketch: look === "sketch", simpleStones: look === "simple",
      background: { sketch: "#dcb", pale: "#ea8" }[look] || "wood" });
    for (const [row, column, text] of stones) board.setStoneAt(column, size - 1 - row, text === "X" ? 0 : 1);
    if (last) board.setMarkAt(last[1], size - 1 - last[0], size % 2 ? "O:5" : "[]:5");
    board.render();
    document.getElementById("at").append(board.canvas);
  },
};
window.show = (name, stones, options) => {
  document.body.style.background = options.paper;
  SHOW[name](stones, options);
};
</script>"""


def web_boards(page: Page, address: str, folder: Path, truth: Truth) -> None:
    """Every look of the npm packages, in all stages, with and without marks and coordinates."""
    number = 0
    for program, looks in LOOKS.items():
        for look in looks:
            for stage in STAGES:
                game = GO[number % len(GO)]
                cells = line_of_play(game, stage, number + 500).cells
                placed = list(stones(cells))
                options = {
                    "size": len(cells),
                    "look": look,
                    "side": SIDES[number % len(SIDES)],
                    "last": placed[number % len(placed)][:2] if number % 2 else None,
                    "labels": number % 3 > 0,
                    "paper": PAPERS[number // 2 % len(PAPERS)],
                }
                page.goto(f"{address}/boards.html")
                page.evaluate("([name, stones, options]) => show(name, stones, options)", [program, placed, options])
                page.wait_for_timeout(300)
                name = f"{program}-{look}-{stage}.png"
                page.screenshot(path=folder / name)
                truth.add(name, f"{program} {look}", game, cells)
                number += 1


def python_positions() -> list[tuple[str, str, Cells]]:
    """Program, game and cells of every board of the Python packages."""
    found: list[tuple[str, str, Cells]] = []
    for program, games in (
        ("pgx", ("othello", "othello", "gomoku:size=9", "gomoku:size=19")),
        ("pettingzoo", ("gomoku:size=9", "gomoku:size=13", "gomoku:size=19")),
    ):
        for game in games:
            for stage in STAGES:
                found.append((program, game, line_of_play(game, stage, len(found) + 600).cells))
        for moves in TIC_TAC_TOE:
            position = find_game("tictactoe").start()
            for move in moves.split():
                position = position.play(move)
            found.append((program, "tictactoe", position.cells))
    return found


def python_boards(page: Page, address: str, folder: Path, truth: Truth) -> None:
    """Drawings of Pgx in Chromium, light and dark, and windows of PettingZoo as they are."""
    boards = [
        {
            "program": program,
            "game": game,
            "cells": cells,
            "side": SIDES[number % len(SIDES)],
            "theme": ("light", "dark")[number // 2 % 2],
            "file": str(folder / f"{program}-{number}.png" if program == "pettingzoo" else drawing(folder, number)),
        }
        for number, (program, game, cells) in enumerate(python_positions())
    ]
    place = folder / "python"
    venv.create(place, with_pip=True)
    subprocess.run([place / "bin" / "pip", "install", "--quiet", *PYTHON], check=True)
    script = Path(__file__).with_name("python_boards.py")
    subprocess.run([place / "bin" / "python", script], input=json.dumps(boards), text=True, check=True)
    for number, board in enumerate(boards):
        name = f"{board['program']}-{number}.png"
        if board["program"] == "pgx":
            page.goto(f"{address}/boards.html")
            page.evaluate(
                "([file, paper]) => { document.body.style.background = paper; const image = new Image();"
                "image.src = file; document.body.append(image); return image.decode() }",
                [f"/{drawing(folder, number).name}", PAPERS[number % len(PAPERS)]],
            )
            page.screenshot(path=folder / name)
        truth.add(name, f"{board['program']} {board['game'].partition(':')[0]}", board["game"], board["cells"])


def drawing(folder: Path, number: int) -> Path:
    """Where a drawing of Pgx goes."""
    return folder / "node_modules" / f"pgx-{number}.svg"


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    truth = Truth(folder)
    modules = install(folder, PACKAGES)
    command = [".bin/esbuild", "svgoban", "--bundle", "--global-name=svgoban", "--outfile=svgoban.js"]
    subprocess.run(command, cwd=modules, check=True)
    (modules / "boards.html").write_text(PAGE, encoding="utf-8")
    with shown(folder, 900, 840) as (page, address):
        web_boards(page, address, folder, truth)
        python_boards(page, address, folder, truth)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
