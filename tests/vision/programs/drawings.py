"""Boards that Python packages draw without a window: `theirs/show.py` lets them."""

import functools
import shutil

from programs.browser import SIDES, sized
from programs.part import Part, Place
from programs.positions import (
    STAGES,
    TIC_TAC_TOE,
    Cells,
    line_of_play,
    living_positions,
    square,
    squares,
    stones,
    tic_tac_toes,
)
from programs.pythons import source_of
from programs.windows import NUMPY, PYGAME, show

PAPERS = ("#ffffff", "#163a0c", "#e8ecef")
PIXELS = (620, 480, 760)
SHEET = """<!doctype html><meta charset=utf-8><body style="margin:{}px">"""
ANALYSIS_PAPERS = ("#ffffff", "#f4efe6", "#1e2227", "#dfe7ee")
ANALYSIS = """<!doctype html><meta charset=utf-8><body style="margin:28px;background:{paper}">{before}<p>{svg}</p>"""
ANALYSIS_TEXT = "<h2>Game analysis</h2><p>Position after move {moves}.</p>"

NOTEBOOK = """<!doctype html><meta charset=utf-8><title>Othello.ipynb</title><style>body { margin: 24px; zoom: %s;
font: 14px sans-serif; background: %s; color: %s } pre { font: 13px monospace; padding: 6px; border: 1px solid #bbb }
</style><p>After move %d:<pre>display_board(game.board)</pre>%s"""
NOTEBOOK_LOOKS = ((1, "#ffffff", "#000000"), (1.4, "#ffffff", "#000000"), (1.2, "#111111", "#eeeeee"))
QI_GOBAN = """<!doctype html><meta charset=utf-8><title>Game</title><link rel=stylesheet href=gogame.css>
<style>body {{ margin: 16px; font: {size}px sans-serif }}</style><h1>A game</h1>
<p>Black: Kato, White: Sato</p>{parts}"""
QI_GOBAN_STONES = """([stones, stars]) => {
  const show = (id, file) => { document.getElementById(id).src = "++resource++qi.Goban.images/" + file };
  for (const id of stars) show(id, "hp.gif");
  for (const [row, column, text] of stones) show(`${row}-${column}`, text === "X" ? "b.png" : "w.png");
  document.getElementById("moveCounter").value = stones.length; }"""
"""What its server tells a page to do, as long as no stones are taken."""


def boards() -> list[tuple[str, str, Cells]]:
    """Program, game and cells of every board of Pgx and PettingZoo."""
    found: list[tuple[str, str, Cells]] = []
    for program, games in (
        ("pgx", ("othello", "othello", "gomoku:size=9", "gomoku:size=19")),
        ("pettingzoo", ("gomoku:size=9", "gomoku:size=13", "gomoku:size=19")),
    ):
        for game in games:
            for stage in STAGES:
                found.append((program, game, line_of_play(game, stage, len(found) + 600).cells))
        found += [(program, "tictactoe", position.cells) for position in tic_tac_toes(TIC_TAC_TOE)]
    return found


def drawn(wanted: str, place: Place) -> None:
    """Drawings of Pgx in Chromium, light and dark, or windows of PettingZoo as they are."""
    chosen = [(number, *board) for number, board in enumerate(boards()) if board[0] == wanted]
    show(
        place,
        *(
            {
                "program": program,
                "game": game,
                "cells": cells,
                "side": PIXELS[number % len(PIXELS)],
                "theme": ("light", "dark")[number // 2 % 2],
                "file": str(place.modules / f"{number}.svg" if program == "pgx" else place.file(f"{program}-{number}")),
            }
            for number, program, game, cells in chosen
        ),
    )
    for number, program, game, cells in chosen:
        name = f"{program}-{number}"
        if program == "pgx":
            (place.modules / "sheet.html").write_text(SHEET.format(30))
            place.page.set_viewport_size({"width": 900, "height": 840})
            place.page.goto(f"{place.address}/sheet.html")
            place.page.evaluate(
                "([file, paper]) => { document.body.style.background = paper; const image = new Image();"
                "image.src = file; document.body.append(image); return image.decode() }",
                [f"/{number}.svg", PAPERS[number % len(PAPERS)]],
            )
            place.page.screenshot(path=place.file(name))
        place.note(name, game, cells, program=f"{program} {game.partition(':')[0]}")


def nonebot(place: Place) -> None:
    """Drawings of nonebot-plugin-boardgame in Chromium."""
    (place.modules / "sheet.html").write_text(SHEET.format(24))
    for number, (game, position) in enumerate(living_positions(("gomoku", "gomoku:size=19", "othello"), 940)):
        last = square(position, position.history[-1]) if number % 3 else None
        file = str(place.modules / f"{number}.svg")
        show(place, {"program": "nonebot_boardgame", "cells": position.cells, "last": last, "file": file})
        with sized(place.page, number // 4) as sheet:
            sheet.goto(f"{place.address}/sheet.html")
            sheet.evaluate(
                "([file, side]) => { const image = new Image(side); image.src = file;"
                "document.body.append(image); return image.decode() }",
                [f"/{number}.svg", SIDES[number % 4]],
            )
            place.pictured(sheet, f"nonebot-boardgame-{number}", game, position.cells)


def creversi(place: Place) -> None:
    """Drawings of creversi on a page, some with the last move marked."""
    file = place.own / "drawing.svg"
    for number, (game, position) in enumerate(living_positions(("othello", "othello"), 1330)):
        last = squares(position)[-1] if number % 2 else None
        side = (2.5, 1.6, 3.2, 2.0)[number % 4]
        show(place, {"program": "creversi", "cells": position.cells, "last": last, "side": side, "file": str(file)})
        page = ANALYSIS.format(
            paper=ANALYSIS_PAPERS[number // 2 % 4],
            before=ANALYSIS_TEXT.format(moves=len(position.history)) if number % 3 == 1 else "",
            svg=file.read_text(encoding="utf-8"),
        )
        (place.modules / "drawing.html").write_text(page, encoding="utf-8")
        with sized(place.page, number) as sheet:
            sheet.goto(f"{place.address}/drawing.html")
            place.pictured(sheet, f"creversi-{number}", game, position.cells)


def othellopy(place: Place) -> None:
    """Tables of othellopy in notebooks, light and dark."""
    file = place.own / "table.html"
    for number, (game, position) in enumerate(living_positions(("othello", "othello"), 1430)):
        show(place, {"program": "othellopy", "cells": position.cells, "file": str(file)})
        zoom, paper, ink = NOTEBOOK_LOOKS[number % 3]
        page = NOTEBOOK % (zoom, paper, ink, len(position.history), file.read_text(encoding="utf-8"))
        (place.modules / "notebook.html").write_text(page, encoding="utf-8")
        with sized(place.page, number) as sheet:
            sheet.goto(f"{place.address}/notebook.html")
            place.pictured(sheet, f"othellopy-{number}", game, position.cells)


def qi_goban(place: Place) -> None:
    """Go boards of a product for Plone, some with a mark of the last move."""
    source = source_of(place.python, "qi.Goban==1.0", place.own / "source")
    files = source / "qi" / "Goban" / "browser"
    shutil.copytree(files / "images", place.modules / "++resource++qi.Goban.images", dirs_exist_ok=True)
    shutil.copy(files / "gogame.css", place.modules)
    parts = place.own / "parts.html"
    for number, (game, position) in enumerate(living_positions(("gomoku:size=19", "gomoku:size=13"), 1440)):
        show(place, {"program": "qi_goban", "cells": position.cells, "source": str(source), "file": str(parts)})
        page = QI_GOBAN.format(size=(16, 14, 18, 20)[number % 4], parts=parts.read_text(encoding="utf-8"))
        (place.modules / "game.html").write_text(page, encoding="utf-8")
        size = len(position.cells)
        stars = [f"{row}-{column}" for row in (3, 9, 15) for column in (3, 9, 15)] if size == 19 else []
        with sized(place.page, number) as sheet:
            sheet.goto(f"{place.address}/game.html")
            sheet.evaluate(QI_GOBAN_STONES, [list(stones(position.cells)), stars])
            if number % 2:
                row, column = squares(position)[-1]
                mark = "(stone) => stone.insertAdjacentHTML('afterend', '<span class=goLabel1C>o</span>')"
                sheet.locator(f'[id="{row}-{column}"]').evaluate(mark)
            place.pictured(sheet, f"qi-goban-{number}", game, position.cells)


PARTS = (
    Part(
        "pgx",
        functools.partial(drawn, "pgx"),
        pip=("pgx==2.6.0", "jax==0.10.2", "svgwrite==1.4.3"),
        browser=True,
    ),
    Part("pettingzoo", functools.partial(drawn, "pettingzoo"), pip=("pettingzoo==1.27.0", PYGAME), screen=True),
    Part("nonebot-boardgame", nonebot, alone=("nonebot-plugin-boardgame==0.4.1",), browser=True),
    Part("creversi", creversi, pip=(NUMPY,), alone=("creversi-python==0.1.0",), browser=True),
    Part("othellopy", othellopy, alone=("othellopy==0.2.5",), browser=True),
    Part("qi-goban", qi_goban, pip=("Chameleon==4.6.0", "setuptools==75.8.0", "wheel==0.48.0"), browser=True),
)
