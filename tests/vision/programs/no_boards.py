"""Programs and pages without a board of ours: nothing is to be found on their pictures."""

import dataclasses
import functools
import time
from dataclasses import dataclass

from programs.clicks import gcompris
from programs.own_moves import Step, act
from programs.part import Part, Place
from programs.pythons import source_of
from programs.screen import Program, paint
from programs.servers import KAGGLE, KAGGLE_NEEDS, kaggle_page
from programs.windows import GAMES_BY_EXAMPLE, PYGAME


@dataclass(frozen=True)
class Other:
    """A program, and what is done before its picture is taken."""

    command: str
    package: str
    """Debian's, where there is one."""
    wait_s: float = 5
    steps: tuple[Step, ...] = ()
    picture: str = ""
    """What the picture is called, unless as the program."""
    colour: int | None = None
    """Number of the colour of the screen behind it."""


GNOME = {
    "gnome-chess": Other("gnome-chess", "gnome-chess", 5, picture="chess"),
    "four-in-a-row": Other("four-in-a-row", "four-in-a-row", 4, (("click", 640, 480), ("wait", 3)), "four"),
    "gnome-mines": Other("gnome-mines", "gnome-mines", 4, (("click", 480, 400), ("wait", 3))),
    "gnome-sudoku": Other("gnome-sudoku", "gnome-sudoku", 4, (("click", 640, 400), ("wait", 5)), "sudoku"),
    "gnumeric": Other("gnumeric", "gnumeric", 6),
    "gnome-2048": Other(
        "gnome-2048",
        "gnome-2048",
        4,
        tuple(("key", name) for name in ("Left", "Up", "Left", "Down", "Left", "Up")),
        "g2048",
    ),
    "five-or-more": Other("five-or-more", "five-or-more", 4, picture="five"),
    "bovo": Other("bovo", "bovo", 6, (("click", 700, 470), ("wait", 3)), "bovo-1"),
}
"""Bovo's board is larger than ours."""
PUZZLES = (
    "blackbox", "bridges", "cube", "dominosa", "fifteen", "filling", "flip", "flood", "galaxies", "guess", "inertia",
    "keen", "lightup", "loopy", "magnets", "map", "mines", "mosaic", "net", "netslide", "palisade", "pattern", "pearl",
    "pegs", "range", "rect", "samegame", "signpost", "singles", "sixteen", "slant", "solo", "tents", "towers", "tracks",
    "twiddle", "undead", "unequal", "unruly", "untangle",
)  # fmt: skip
OTHERS = {
    "xboard": Other("xboard -ncp -size 50", "xboard"),
    "xboard-xiangqi": Other("xboard -ncp -variant xiangqi", "xboard"),
    "kcheckers": Other("kcheckers", "kcheckers"),
    "ksudoku": Other("ksudoku", "ksudoku", 9, (("click", 809, 550), ("wait", 5), ("key", "Return"), ("wait", 4))),
    "morris": Other("morris", "morris"),
    "xdemineur": Other("xdemineur", "xdemineur"),
    "qxw": Other("qxw", "qxw", 5, (("key", "Return"), ("wait", 2))),
    "gamazons": Other("gamazons", "gamazons", colour=0),
    "kfourinline": Other("kfourinline", "kfourinline", 7, colour=1),
    "gridlock-ataxx": Other("Gridlock -initialGame Ataxx -ai.Ataxx.2 ''", "gridlock.app", 6, colour=2),
    "klines": Other("klines", "klines", colour=0),
    "knavalbattle": Other("knavalbattle", "knavalbattle", 6, colour=1),
    "gnubg": Other("gnubg", "gnubg", 6, colour=2),
}
FLTK = {
    "fltk-sudoku": Other("flsudoku", "fltk1.3-games", 4, colour=0),
    "fltk-checkers": Other("flcheckers", "fltk1.3-games", 4, colour=1),
}
KAGGLE_GAMES = {"checkers": 4, "shogi": 6, "breakthrough": 8, "connect_four": 10, "amazons": 5}
"""Other games of Kaggle's environments, and how many moves of them are shown."""
CHESS = """<!doctype html><link rel=stylesheet href=/@chrisoakman/chessboardjs/dist/chessboard-1.0.0.css>
<script src=/jquery/dist/jquery.js></script><script src=/@chrisoakman/chessboardjs/dist/chessboard-1.0.0.js></script>
<body style="margin:40px"><div id=at style="width:480px"></div>
<script>Chessboard("at", { position: "start", pieceTheme: (piece) => "data:image/svg+xml," + encodeURIComponent(
`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'><text x='20' y='32' font-size='34' text-anchor='middle'>`
+ "♔♕♖♗♘♙♚♛♜♝♞♟"[(piece[0] === "b" ? 6 : 0) + "KQRBNP".indexOf(piece[1])] + "</text></svg>") })</script>"""
CM_CHESS = """<!doctype html><link rel=stylesheet href=/cm-chessboard/assets/chessboard.css>
<body style="margin:40px"><div id=at style="width:560px"></div><script type=module>
import { Chessboard, FEN } from "/cm-chessboard/src/Chessboard.js";
new Chessboard(document.getElementById("at"), { position: FEN.start, assetsUrl: "/cm-chessboard/assets/" });
</script>"""
SPREADSHEET = """<!doctype html><link rel=stylesheet href=/x-data-spreadsheet/dist/xspreadsheet.css>
<script src=/x-data-spreadsheet/dist/xspreadsheet.js></script><body style="margin:0"><div id=at></div>
<script>x_spreadsheet("#at").loadData({ rows: { 2: { cells: { 1: { text: "X" }, 2: { text: "O" } } } } })</script>"""
HANDSONTABLE = """<!doctype html><meta charset=utf-8>
<link rel=stylesheet href=/handsontable/dist/handsontable.full.min.css>
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
PAGES = {
    "chessboardjs": (CHESS, (1060, 860)),
    "cm-chessboard": (CM_CHESS, (1100, 860)),
    "x-data-spreadsheet": (SPREADSHEET, (1100, 860)),
    "handsontable": (HANDSONTABLE, (1100, 860)),
    "tui-calendar": (CALENDAR, (1100, 860)),
}
"""A page with a package of npm, and the size of the window."""
TABULATOR = """<!doctype html><meta charset=utf-8>
<link rel=stylesheet href=/tabulator-tables/dist/css/tabulator.min.css>
<script src=/tabulator-tables/dist/js/tabulator.min.js></script><body style="margin:24px"><div id=at></div><script>
new Tabulator("#at", { layout: "fitColumns", autoColumns: true, data: Array.from({ length: 14 }, (_, row) => ({
Name: "Anna Ben Carl Dora Emil Finn Gina".split(" ")[row % 7], Round: row + 1, Won: row % 3 ? "X" : "O",
Points: (row * 37) % 50, Member: row % 2 === 0 })) })</script>"""
JSPREADSHEET = """<!doctype html><meta charset=utf-8><link rel=stylesheet href=/jsuites/dist/jsuites.css>
<link rel=stylesheet href=/jspreadsheet-ce/dist/jspreadsheet.css><script src=/jsuites/dist/jsuites.js></script>
<script src=/jspreadsheet-ce/dist/index.js></script><body style="margin:24px"><div id=at></div><script>
jspreadsheet(document.getElementById("at"), { worksheets: [{ minDimensions: [9, 15], data: Array.from({ length: 12 },
(_, row) => Array.from({ length: 9 }, (_, column) => (row * column) % 5 ? "" : row + column)) }] })</script>"""
SCATTER = """<!doctype html><meta charset=utf-8><script src=/chart.js/dist/chart.umd.js></script>
<body style="margin:24px"><div style="width:800px"><canvas id=at></canvas></div><script>
const points = (from) => Array.from({ length: 30 }, (_, i) => ({ x: (i * from) % 17.3, y: (i * from * 3) % 13.1 }));
new Chart(document.getElementById("at"), { type: "scatter", options: { animation: false },
data: { datasets: [{ label: "2023", data: points(5.7) }, { label: "2024", data: points(7.9) }] } })</script>"""
HEATMAP = """<!doctype html><meta charset=utf-8><script src=/frappe-charts/dist/frappe-charts.min.umd.js></script>
<body style="margin:24px"><div id=at></div><script>const dataPoints = {};
for (let day = 0; day < 364; ++day) dataPoints[1704067200 + 86400 * day] = (day * day) % 7;
new frappe.Chart("#at", { type: "heatmap", title: "Moves a day", data: { dataPoints, start: new Date(2024, 0, 1),
end: new Date(2024, 11, 30) }, discreteDomains: 1 })</script>"""
ELEMENT_CHESS = """<!doctype html><meta charset=utf-8>
<script type=module src=/chessboard-element/bundled/chessboard-element.bundled.js></script>
<body style="margin:30px"><chess-board style="width:520px"
position="r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"></chess-board>"""
MORE_PAGES = {
    "tabulator": (TABULATOR, (1000, 760)),
    "jspreadsheet": (JSPREADSHEET, (1100, 700)),
    "chart.js-scatter": (SCATTER, (900, 860)),
    "frappe-heatmap": (HEATMAP, (1100, 420)),
    "chessboard-element": (ELEMENT_CHESS, (900, 700)),
}
SWEIGART = {"fourinarow": 1, "memorypuzzle": 3, "slidepuzzle": 4, "inkspill": 0, "gemgem": 2}
"""Games of gamesbyexample, and the number of the screen's colour."""


def gnome(place: Place) -> None:
    """Games of GNOME, a spreadsheet and Bovo, in few colours."""
    for name, other in GNOME.items():
        taken(place, name, other, few_colours=True)


def puzzles(place: Place) -> None:
    for name in PUZZLES:
        other = Other(f"sgt-{name}", "sgt-puzzles", 2.5, picture=name)
        taken(place, f"sgt-puzzles {name}", other, few_colours=True)


def others(place: Place) -> None:
    for name, other in OTHERS.items():
        program = "xboard" if name.startswith("xboard") else name
        taken(place, program, dataclasses.replace(other, picture=name))


def fltk(place: Place) -> None:
    for name, other in FLTK.items():
        taken(place, name, other)


def mxgames(place: Place) -> None:
    """Other games of mxgames."""
    for number, name in enumerate(("sudoku", "mine", "2048"), 2):
        command = f"SDL_AUDIODRIVER=dummy {place.python} -m mxgames.{name}"
        taken(place, f"mxgames-{name}", Other(command, "", 5, colour=number))


def kaggle(place: Place) -> None:
    for number, (game, moves) in enumerate(KAGGLE_GAMES.items()):
        picture = f"kaggle-{game.replace('_', '-')}"
        kaggle_page(place, picture, {"game": game, "cells": (), "random": moves}, number)
        place.note(picture)


def gcompris_activities(place: Place) -> None:
    for number, (name, activity) in enumerate((("sudoku", "sudoku"), ("checkers", "checkers_2players")), 3):
        paint(number)
        with gcompris(place, activity):
            time.sleep(4)
            place.shot(f"gcompris-{name}")


def taken(place: Place, program: str, other: Other, *, few_colours: bool = False) -> None:
    if other.colour is not None:
        paint(other.colour)
    with Program(other.command, place.own):
        time.sleep(other.wait_s)
        for step in other.steps:
            act(step, place)
        place.shot(other.picture or program, program=program, few_colours=few_colours)


def gamesbyexample(place: Place) -> None:
    games = source_of(place.python, GAMES_BY_EXAMPLE, place.own / "source") / "src" / "gamesbyexample" / "pygame_games"
    for name, colour in SWEIGART.items():
        command = f"cd {games} && SDL_AUDIODRIVER=dummy {place.python} {name}.py"
        taken(place, f"gamesbyexample-{name}", Other(command, "", 12, colour=colour))


def pages(shown: dict[str, tuple[str, tuple[int, int]]], place: Place) -> None:
    for name, (text, (width, height)) in shown.items():
        (place.modules / f"{name}.html").write_text(text, encoding="utf-8")
        place.page.set_viewport_size({"width": width, "height": height})
        place.page.goto(f"{place.address}/{name}.html")
        place.page.wait_for_timeout(1000)
        place.pictured(place.page, name)


def needs(programs: dict[str, Other]) -> dict[str, str]:
    return {other.command.partition(" ")[0]: other.package for other in programs.values()}


PARTS = (
    Part("gnome", gnome, needs(GNOME), screen=True),
    Part("sgt-puzzles", puzzles, {f"sgt-{name}": "sgt-puzzles" for name in PUZZLES}, screen=True),
    Part("other-games", others, needs(OTHERS), screen=True),
    Part("fltk-games", fltk, needs(FLTK), screen=True),
    Part("mxgames-others", mxgames, pip=(PYGAME,), alone=("mxgames==1.7.2",), screen=True),
    Part("kaggle-others", kaggle, pip=KAGGLE_NEEDS, alone=KAGGLE, browser=True),
    Part("gcompris-others", gcompris_activities, {"gcompris-qt": "gcompris-qt"}, screen=True),
    Part(
        "other-pages",
        functools.partial(pages, PAGES),
        npm=(
            "@chrisoakman/chessboardjs@1.0.0", "jquery@3", "cm-chessboard@8.15.1", "x-data-spreadsheet@1.1.9",
            "handsontable@14.6.1", "tui-calendar@1.15.3",
        ),
        browser=True,
    ),
    Part(
        "more-pages",
        functools.partial(pages, MORE_PAGES),
        npm=(
            "tabulator-tables@6.5.3", "jspreadsheet-ce@5.0.4", "jsuites@5.9.1", "chart.js@4.6.1", "frappe-charts@1.6.2",
            "chessboard-element@1.2.0",
        ),
        browser=True,
    ),
    Part("gamesbyexample-others", gamesbyexample, pip=(PYGAME, "setuptools==75.8.0", "wheel==0.48.0"), screen=True),
)  # fmt: skip
