"""Printed boards: LaTeX packages and sgf2dg, as pictures of their PDF pages."""

import functools
import subprocess
from collections.abc import Callable

from programs.part import Part, Place
from programs.positions import COLOURS, STAGES, Cells, line_of_play, living_positions, record, stones

LETTERS = "abcdefghjklmnopqrst"
ROWS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
ROW_NAMES = "abcdefghiklmnopqrst"
"""What LaTeX's package go calls the rows; othello the first eight."""
DOCUMENT = r"""\documentclass{article}
\usepackage[margin=2cm]{geometry}
\usepackage{%(package)s}
\pagestyle{empty}
\begin{document}
\noindent
%(board)s
\end{document}
"""
DENSITIES = ("90", "120", "150", "72")
STYLES = "/usr/share/texlive/texmf-dist/tex/latex"
POPPLER = {"pdftoppm": "poppler-utils"}
PDFLATEX = (("pdflatex", "-interaction=batchmode", "{}.tex"),)
POSTSCRIPT = (
    ("latex", "-interaction=batchmode", "{}.tex"),
    ("dvips", "-q", "{}.dvi"),
    ("ps2pdf", "{}.ps"),
)
"""The commands that make a PDF file."""
Draw = Callable[[Cells, int], str]


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


def diagram(cells: Cells, size: int) -> str:
    """A board of the packages go and othello, in one of their sizes."""
    placed = (rf"\pos{{{ROW_NAMES[row]}}}{{{column + 1}}}=\{COLOURS[text]}{{.}}" for row, column, text in stones(cells))
    return "\n".join((rf"\gofontsize{{{size}}}", r"\inifulldiagram", *placed, r"\showfulldiagram"))


def printed(place: Place, name: str, package: str, board: str, commands: tuple[tuple[str, ...], ...]) -> None:
    """Make NAME.pdf of a board of a LaTeX package."""
    (place.own / f"{name}.tex").write_text(DOCUMENT % {"package": package, "board": board}, encoding="utf-8")
    for words in commands:
        command = [word.format(name) for word in words]
        subprocess.run(command, cwd=place.own, check=True, capture_output=True)


def paper(place: Place, name: str, density: str) -> None:
    """A picture of the first page of NAME.pdf, with so many pixels an inch."""
    command = ["pdftoppm", "-png", "-singlefile", "-f", "1", "-l", "1", "-r", density, f"{name}.pdf"]
    subprocess.run([*command, place.pictures / name], cwd=place.own, check=True)


def latex(
    package: str, draw: Draw, games: tuple[str, ...], commands: tuple[tuple[str, ...], ...], place: Place
) -> None:
    """Boards of a LaTeX package, each game in all stages."""
    for number, (game, stage) in enumerate((game, stage) for game in games for stage in STAGES):
        cells = line_of_play(game, stage, number + 100).cells
        name = f"{package}-{number}"
        printed(place, name, package, draw(cells, number), commands)
        paper(place, name, DENSITIES[number % 4])
        place.note(name, game, cells)


def go(cells: Cells, number: int) -> str:
    return diagram(cells, (10, 15, 20)[number % 3])


def latex_othello(place: Place) -> None:
    for number, (game, position) in enumerate(living_positions(("othello", "othello"), 1240)):
        name = f"latex-othello-{number}"
        printed(place, name, "othello", diagram(position.cells, (15, 10)[number // 2 % 2]), PDFLATEX)
        paper(place, name, ("110", "150", "200", "130")[number % 4])
        place.note(name, game, position.cells)


def sgf2dg(place: Place) -> None:
    """Diagrams with and without coordinates."""
    for number, (game, position) in enumerate(living_positions(("connect6", "gomoku:size=13"), 1160)):
        name = f"sgf2dg-{number}"
        (place.own / f"{name}.sgf").write_text(record(position))
        words = ["-converter", "PDF", *(["-coords"] if number % 2 else []), "-i", f"{name}.sgf", "-o", f"{name}.pdf"]
        subprocess.run(["sgf2dg", *words], cwd=place.own, check=True, capture_output=True)
        paper(place, name, DENSITIES[number % 4])
        place.note(name, game, position.cells)


def needs(package: str) -> dict[str, str]:
    """What a LaTeX package needs."""
    style = f"{STYLES}/{package}/{package}.sty"
    return {"pdflatex": "texlive-latex-base", style: "texlive-games", **POPPLER}


PARTS = (
    Part(
        "othelloboard",
        functools.partial(latex, "othelloboard", othelloboard, ("othello",) * 6, PDFLATEX),
        needs("othelloboard") | {f"{STYLES}/stringstrings/stringstrings.sty": "texlive-latex-extra"},
    ),
    Part(
        "psgo",
        functools.partial(
            latex, "psgo", psgo, ("gomoku:size=19", "gomoku:size=13", "gomoku:size=9", "connect6"), POSTSCRIPT
        ),
        needs("psgo") | {f"{STYLES}/pst-node/pst-node.sty": "texlive-pstricks", "ps2pdf": "ghostscript"},
    ),
    Part("go", functools.partial(latex, "go", go, ("gomoku:size=19", "connect6"), PDFLATEX), needs("go")),
    Part("latex-othello", latex_othello, needs("othello")),
    Part(
        "sgf2dg",
        sgf2dg,
        {"sgf2dg": "sgf2dg", "/usr/share/perl5/PDF/Create.pm": "libpdf-create-perl", **POPPLER},
    ),
)
