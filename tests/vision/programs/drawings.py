"""Boards that Python packages draw without a window: `theirs/show.py` lets them."""

import functools

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
    tic_tac_toes,
)
from programs.windows import NUMPY, PYGAME, show

PAPERS = ("#ffffff", "#163a0c", "#e8ecef")
PIXELS = (620, 480, 760)
SHEET = """<!doctype html><meta charset=utf-8><body style="margin:{}px">"""
ANALYSIS_PAPERS = ("#ffffff", "#f4efe6", "#1e2227", "#dfe7ee")
ANALYSIS = """<!doctype html><meta charset=utf-8><body style="margin:28px;background:{paper}">{before}<p>{svg}</p>"""
ANALYSIS_TEXT = "<h2>Game analysis</h2><p>Position after move {moves}.</p>"


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
)
