"""Random pages with a board: a table, boxes or buttons, and words and buttons around it. Start at `html`."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from random import Random

from boyi.vision.page_canvas import canvas

SIZES = (3, 3, 3, 3, 5, 6, 8, 8, 8, 8, 9, 10, 13, 15, 15, 15, 19)
LETTERS = (
    ("X", "O"), ("X", "O"), ("X", "O"), ("X", "O"), ("x", "o"), ("✕", "○"), ("✖", "◯"), ("×", "○"), ("❌", "⭕"),
    ("B", "W"), ("✗", "O"), ("X", "0"), ("b", "w"), ("黑", "白"),
)  # fmt: skip
DISCS = (("●", "○"), ("●", "○"), ("⚫", "⚪"), ("⬤", "◯"))
"""Stones that are letters."""
OUTLINES = ("○", "◯")
"""Those of them that have the board's own colour."""
FONTS = (
    "", "", "sans-serif", "serif", "monospace", "cursive", "Arial, sans-serif", "Verdana, sans-serif", "Georgia, serif",
    "'Courier New', monospace", "system-ui", "Roboto, sans-serif", "'Open Sans', sans-serif", "Lato",
    "'Comic Neue', cursive",
)  # fmt: skip
GROUNDS = (
    "#fff", "#ffffff", "#eee", "#f5f5f5", "#fafafa", "#008000", "#0a7d3c", "#2e8b57", "#228b22", "#006400", "#1b5e20",
    "#deb887", "#dcb35c", "#e3c16f", "#d2a35d", "#f0d9b5", "#cd853f", "#eac086", "#222", "#1e1e2f", "#2c3e50",
    "#34495e", "#14bdac", "#3498db", "#f4e4bc", "#ffe4b5", "#ddd", "#c0c0c0", "#fbe7c6", "#90ee90", "#add8e6",
    "#fdf6e3", "#ffd700",
)  # fmt: skip
PAPERS = (
    *("#fff",) * 6, "#f0f0f0", "#eee", "#fafafa", "#222", "#1a1a2e", "#333", "#282c34", "#add8e6", "#f5f5dc", "#0f172a",
    "linear-gradient(135deg, #667eea, #764ba2)", "linear-gradient(#74ebd5, #acb6e5)", "#2d3436", "#e8f5e9",
)  # fmt: skip
LINES = (
    "#000", "#000", "#333", "#222", "#444", "#555", "#888", "#999", "#aaa", "#ccc", "#fff", "#bbb", "#8b4513",
    "#654321",
)  # fmt: skip
INKS = (
    "#000", "#000", "#333", "#555", "#e74c3c", "#3498db", "#ff0000", "#0000ff", "blue", "red", "green", "#2ecc71",
    "#f1c40f", "#fff", "#f39c12", "#9b59b6", "#00bcd4", "#ff6b6b", "#4ecdc4", "#e91e63", "#545454", "#f2ebd3",
    "#1abc9c",
)  # fmt: skip
STONES = (
    ("#000", "#fff"), ("#000", "#fff"), ("black", "white"), ("#111", "#eee"), ("#333", "#ddd"), ("#222", "#f5f5f5"),
)  # fmt: skip
CARDS = (
    "", "", "padding:20px;background:#fff;border-radius:12px;box-shadow:0 4px 20px rgba(0,0,0,.3)",
    "padding:10px;background:#5d3a1a", "border:3px solid #555",
)  # fmt: skip
WORDS = (
    "new", "game", "reset", "restart", "player", "turn", "black", "white", "score", "undo", "start", "play", "again",
    "you", "computer", "level", "wins", "move", "easy",
)  # fmt: skip
NAMES = {"black": "#000", "white": "#fff", "red": "#f00", "blue": "#00f", "green": "#008000"}
LEAST_INK, LEAST_LINE = 60, 25
"""How much signs, and lines, differ at least from what is under them, of 255."""
SHOWN = 10
"""Stones that differ by less from their square, of 255, have an outline or a shadow."""
DARK = 110
"""Papers below that lightness, of 255, bear light words."""


@dataclass(frozen=True)
class Board:
    """What is to be shown, and how."""

    cells: list[list[str]]
    """Rows of "X", "O" and ""."""
    pitch: int
    lattice: str
    letters: tuple[str, str] | None
    """Crosses and rings."""
    discs: tuple[str, str] | None
    """Stones that are letters; else both are drawn."""
    stones: tuple[str, str]
    inks: tuple[str, str]
    ground: str
    paper: str
    line: str
    font: str

    def is_hidden(self, colour: str) -> bool:
        """Whether a stone of this colour would hardly be seen."""
        return apart(colour, self.ground) < SHOWN


def random_board(random: Random) -> Board:
    size = random.choice(SIZES)
    lattice = "points" if size >= 9 and random.random() < 0.6 else "squares"
    strokes = size in (3, 5) or (lattice == "squares" and random.random() < (0.15 if size == 8 else 0.3))
    share = random.uniform(0.1, 1.0) if size == 3 else random.uniform(0.03, 0.7)
    cells = [[random.choice("XO") if random.random() < share else "" for _ in range(size)] for _ in range(size)]
    most = min(120, 640 // size)
    pitch = random.randint(min(most, 20 if size > 9 else 34), most)
    ground = random.choice(GROUNDS)
    inks = random.choice(INKS), random.choice(INKS)
    if random.random() < 0.4:
        inks = inks[0], inks[0]
    while min(apart(ink, ground) for ink in inks) < LEAST_INK:
        inks = random.choice(INKS), random.choice(INKS)
    discs = None
    if not strokes and random.random() < 0.12:
        discs = random.choice(DISCS)
        inks = ("#000", "#000" if discs[1] in OUTLINES else "#fff")
        if apart("#000", ground) < LEAST_INK:
            ground = "#2e8b57"
    stones = random.choice(STONES)
    letters = random.choice(LETTERS) if strokes else None
    paper = random.choice(PAPERS)
    line = random.choice([line for line in LINES if apart(line, ground) > LEAST_LINE])
    return Board(cells, pitch, lattice, letters, discs, stones, inks, ground, paper, line, random.choice(FONTS))


def html(random: Random, board: Board) -> str:
    """The whole page: titles, the board, buttons, in one of several orders."""
    ink = "#eee" if _lightness(board.paper) < DARK else "#222"
    middle = random.random() < 0.65
    extras = [_extra(random) for _ in range(random.randint(0, 4))]
    place = random.randint(0, len(extras))
    drawn = board.lattice == "points" or random.random() < 0.25
    inner = canvas(random, board) if drawn else _elements(random, board)
    block = f'<div style="display:inline-block;{random.choice(CARDS)}">{inner}</div>'
    if random.random() < 0.2:
        row = "display:flex;gap:30px;" + ("justify-content:center;" if middle else "")
        block = f'<div style="{row}">{block}<div>{_extra(random)}{_extra(random)}</div></div>'
    body = "".join(extras[:place]) + f"<div>{block}</div>" + "".join(extras[place:])
    style = f"background:{board.paper};color:{ink};"
    style += f"font-family:{board.font};" if board.font else ""
    style += "text-align:center;" if middle else ""
    style += random.choice(("", "margin:0;", "padding:20px;"))
    return f'<!DOCTYPE html><html><body style="{style}">{body}</body></html>'


def _extra(random: Random) -> str:
    """Something beside the board."""
    words = " ".join(random.choice(WORDS) for _ in range(random.randint(1, 5)))
    kind = random.choice(("h1", "h2", "p", "p", "button", "buttons", "select", "list"))
    if kind == "buttons":
        return "<div>" + "".join(f"<button>{random.choice(WORDS)}</button> " for _ in range(3)) + "</div>"
    if kind == "select":
        return f"<p><select><option>{words}</option></select> <input value='{words}'></p>"
    if kind == "list":
        return "<ol>" + "".join(f"<li>{random.choice(WORDS)} {random.randint(0, 64)}</li>" for _ in range(4)) + "</ol>"
    return f"<{kind}>{words}</{kind}>" if kind != "button" else f"<p><button>{words}</button></p>"


def _elements(random: Random, board: Board) -> str:
    """The board as a table, as boxes or as buttons."""
    size, pitch = len(board.cells), board.pitch
    kind = random.choice(("table", "table", "grid", "grid", "grid", "buttons", "plain buttons", "rows"))
    gap = random.choice((0, 0, 1, 2, 3, 5, 8, 10)) if kind in ("grid", "buttons") else 0
    gap = min(gap, pitch // 6)
    line = f"{random.choice((1, 1, 1, 2, 2, 3, 4, 5))}px "
    line += random.choice(("solid", "solid", "solid", "outset", "ridge")) + f" {board.line}"
    rounding = f"border-radius:{random.choice((4, 5, 8, 10, 12))}px;" if gap and random.random() < 0.4 else ""
    lift = random.choice(
        ("", "", "", "box-shadow:0 2px 4px rgba(0,0,0,.3);", "box-shadow:inset 0 0 5px rgba(0,0,0,.25);")
    )
    edged = not gap or random.random() < 0.5
    second = board.ground
    if size >= 6 and random.random() < 0.08:
        second = f"color-mix(in srgb, {board.ground} 88%, black)"
    font = f"font-size:{random.choice((0.25, 0.35, 0.45, 0.5, 0.6, 0.7, 0.8)) * pitch:.0f}px;"
    weight = f"font-weight:{random.choice(('normal', 'normal', 'bold'))};"
    empty = _empties(random, board)
    radius = random.choice((0.3, 0.35, 0.38, 0.4, 0.42, 0.45, 0.48, 0.5, random.uniform(0.08, 0.3)))
    looks = _disc_looks(random, board)
    aside = radius < 0.4 and random.choice((False, False, False, True))
    place = "padding:3px 0 0 4px;" if aside else "align-items:center;justify-content:center;"
    tag = "td" if kind == "table" else "div" if kind in ("grid", "rows") else "button"
    box = f"width:{pitch - gap}px;height:{pitch - gap}px;box-sizing:border-box;{rounding}{lift}{font}{weight}"
    box += "line-height:1;overflow:hidden;" + (f"border:{line};" if edged else "")
    box += "text-align:center;padding:0;" if kind == "table" else f"display:flex;padding:0;{place}"
    plain = f"width:{pitch}px;height:{pitch}px;{font}padding:0;vertical-align:top;"
    cells = []
    for row, texts in enumerate(board.cells):
        for column, text in enumerate(texts):
            inner = _piece(board, text, radius, looks) if text else empty(row * size + column)
            if kind == "plain buttons":
                dead = " disabled" if text and random.random() < 0.3 else ""
                cells.append(f'<button data-site style="{plain}"{dead}>{inner}</button>')
                continue
            colour = f"color:{board.inks['XO'.index(text)]};" if text else ""
            ground = second if (row + column) % 2 else board.ground
            cells.append(f'<{tag} data-site style="background:{ground};{colour}{box}">{inner}</{tag}>')
    rows = ["".join(cells[start : start + size]) for start in range(0, len(cells), size)]
    if kind == "table":
        merged = random.choice(("border-collapse:collapse;", "border-collapse:collapse;", "border-spacing:2px;", ""))
        edge = random.choice(("", "", " border=1"))
        lines = "".join(f"<tr>{row}</tr>" for row in rows)
        return f'<table{edge} style="{merged}background:{random.choice((board.line, board.ground))}">{lines}</table>'
    if kind in ("rows", "plain buttons"):
        return "".join(f'<div style="display:flex">{row}</div>' for row in rows)
    behind = random.choice((board.line, board.line, "transparent", "#000", "#5d4037"))
    return (
        f'<div style="display:grid;grid-template-columns:repeat({size},{pitch - gap}px);gap:{gap}px;'
        f'background:{behind};padding:{random.choice((0, gap, 10))}px">{"".join(rows)}</div>'
    )


def _empties(random: Random, board: Board) -> Callable[[int], str]:
    """What stands on every empty site, by its number; nothing on most boards."""
    kind = random.random()
    if board.letters and len(board.cells) == 3 and kind < 0.1:
        ink = random.choice(("#888", "#ccc", board.line))
        return lambda site: f'<span style="color:{ink}">{site + 1}</span>'
    if kind < 0.04:
        sign = random.choice("·.-_")
        return lambda site: sign
    if not board.letters and kind < 0.2:
        spots = {site for site in range(len(board.cells) ** 2) if random.random() < 0.12}
        width = random.choice((15, 20, 25, 30))
        fill = random.choice(("rgba(0,0,0,.2)", "rgba(255,255,255,.3)", "rgba(255,255,0,.5)", "#7f7"))
        dot = f'<div style="width:{width}%;height:{width}%;border-radius:50%;background:{fill};margin:auto"></div>'
        return lambda site: dot if site in spots else ""
    return lambda site: ""


def _disc_looks(random: Random, board: Board) -> tuple[str, str]:
    """The styles of the discs of both sides."""
    common = random.choice(
        ("", "", "", "box-shadow:0 2px 4px rgba(0,0,0,.5);", "box-shadow:inset -2px -2px 6px rgba(0,0,0,.4);")
    )
    edge = random.choice(("", "", "border:1px solid #000;", "border:1px solid #888;", "border:2px solid #333;"))
    shaded = random.random() < 0.25

    def look(colour: str, light: str, dark: str) -> str:
        fill = f"radial-gradient(circle at 30% 30%, {light}, {dark})" if shaded else colour
        rim = "border:1px solid #777;" if not (edge or common) and board.is_hidden(colour) else edge
        return f"background:{fill};{common}{rim}"

    return look(board.stones[0], "#666", "#000"), look(board.stones[1], "#fff", "#ccc")


def _piece(board: Board, text: str, radius: float, looks: tuple[str, str]) -> str:
    player = "XO".index(text)
    signs = board.letters or board.discs
    if signs:
        return escape(signs[player])
    share = round(200 * radius)
    style = f"width:{share}%;height:{share}%;border-radius:50%;box-sizing:border-box;margin:auto;{looks[player]}"
    return f'<div style="{style}"></div>'


def _rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of a colour, or of the first in a gradient."""
    told = NAMES.get(colour, colour)
    digits = told[told.index("#") + 1 :].partition(",")[0]
    digits = digits if len(digits) == 6 else "".join(2 * sign for sign in digits)
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def _lightness(colour: str) -> float:
    red, green, blue = _rgb(colour)
    return 0.3 * red + 0.59 * green + 0.11 * blue


def apart(first: str, second: str) -> int:
    """How much two colours differ, of 255."""
    return max(abs(a - b) for a, b in zip(_rgb(first), _rgb(second), strict=True))
