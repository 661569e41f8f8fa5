"""Pictures of boards in styles drawn at random, with what stands on every site: for training and for measuring.

A style is a bag of random choices: colours, grid lines or gaps, stones, marks, fonts. Nothing here is shared with
`boyi.draw`, so that our own boards are one more theme that the recogniser has not been trained on.
Start at `random_style`, then `paint`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""[height, width, 3], blue, green, red."""
Colour = tuple[int, int, int]
"""Red, green, blue."""

FONTS = ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "Liberation Sans", "Liberation Serif", "Liberation Mono")
STRANGE = (*"♔♕♖♗♘♙♚♛♜♝♞♟", *"789ABKQRW?!#", "★", "▲", "◆", "half", "bar", "picture")
"""What is no piece of ours: chess men, other signs, a disc being turned."""


@dataclass(frozen=True)
class Style:
    """How a board looks. Lengths are shares of the distance between two sites."""

    lattice: str
    board: Colour
    second: Colour
    """The other colour of a chequered board; the same as `board` otherwise."""
    line: Colour
    paper: Colour
    line_width: float
    gap: float
    """Distance of cells that are drawn one by one, 0 for a board of lines."""
    rounding: float
    frame: bool
    """Whether the outermost lines of a board of squares are drawn."""
    rim: float
    stones: tuple[Colour, Colour]
    shape: str
    radius: float
    shade: float
    """Light and dark of a stone's gradient, 0 for a flat one."""
    outline: float
    shadow: float
    gloss: float
    """Strength of a spot of light on each stone."""
    bevel: float
    """Strength of a circle inside each stone."""
    glare: float
    """Strength of light that falls on a part of the board."""
    marks: tuple[Colour, Colour]
    """Colours of crosses and rings."""
    stroke: float
    reach: float
    font: str
    bold: bool
    lettered: bool
    """Crosses and rings are letters of the font."""
    digit: float
    """Size of a number on a stone, as a share of its diameter."""
    heavy: float
    """Width of the line that makes a number fatter than its font, as a share of its size."""
    drop: float
    """How much too low a number stands on its stone, in pitches."""
    ink: tuple[Colour, Colour]
    coordinates: bool
    hints: float
    """Share of empty sites with a legal-move dot, a star point or a small number."""
    hint_kind: str
    last_kind: str
    texture: float


@dataclass(frozen=True)
class Scene:
    """A picture and the truth about it."""

    picture: Picture
    cells: tuple[tuple[str, ...], ...]
    """Rows of "X", "O", "R3", "B5", "" and, for what is no piece, "?"."""
    sites: NDArray[np.float64]
    """[rows, columns, 2]: x and y of every site."""
    lattice: str
    game: str = ""
    source: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


def random_colour(random: np.random.Generator) -> Colour:
    return tuple(int(value) for value in random.integers(0, 256, 3))  # type: ignore[return-value]


def blend(first: Colour, second: Colour, share: float) -> Colour:
    return tuple(round(a + (b - a) * share) for a, b in zip(first, second, strict=True))  # type: ignore[return-value]


def distance(first: Colour, second: Colour) -> float:
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def hexed(colour: Colour) -> str:
    return "#" + "".join(f"{max(0, min(255, value)):02x}" for value in colour)


def _board_colour(random: np.random.Generator) -> Colour:
    usual: list[Colour] = [
        (46, 139, 87), (34, 120, 60), (0, 128, 0), (220, 179, 92), (238, 207, 150), (200, 160, 90), (255, 255, 255),
        (245, 245, 240), (30, 34, 40), (60, 66, 74), (51, 102, 153), (190, 190, 195), (250, 240, 215), (20, 60, 40),
    ]  # fmt: skip
    if random.random() < 0.3:
        return random_colour(random)
    base = usual[int(random.integers(len(usual)))]
    return blend(base, random_colour(random), float(random.uniform(0, 0.18)))


def _contrasting(random: np.random.Generator, against: Colour, at_least: float) -> Colour:
    for _ in range(50):
        found = random_colour(random)
        if distance(found, against) >= at_least:
            return found
    return (255, 255, 255) if sum(against) < 380 else (0, 0, 0)


def random_style(random: np.random.Generator, lattice: str) -> Style:
    """A style drawn at random, such that what is drawn can be seen."""
    board = _board_colour(random)
    chequered = lattice == "squares" and random.random() < 0.12
    ink: Colour = (0, 0, 0) if sum(board) > 380 or random.random() < 0.3 else (255, 255, 255)
    line = blend(board, ink, float(random.uniform(0.22, 1.0)))
    if distance(line, board) < 22:
        line = blend(board, (255, 255, 255) if sum(board) < 300 else (0, 0, 0), 0.5)
    tone = int(random.integers(0, 70)), int(random.integers(185, 256))
    black, white = (tone[0],) * 3, (tone[1],) * 3
    if random.random() < 0.3:
        black, white = blend(black, random_colour(random), 0.35), blend(white, random_colour(random), 0.25)
    if random.random() < 0.3:
        red: Colour = (int(random.integers(170, 256)), int(random.integers(0, 90)), int(random.integers(0, 90)))
        blue: Colour = (int(random.integers(0, 90)), int(random.integers(20, 150)), int(random.integers(150, 256)))
        black, white = red, blue
    gap = float(random.uniform(0.02, 0.14)) if lattice == "squares" and random.random() < 0.3 else 0.0
    marks = _contrasting(random, board, 60), _contrasting(random, board, 60)
    if random.random() < 0.3:
        marks = marks[0], marks[0]
    return Style(
        lattice=lattice,
        board=board,
        second=blend(board, ink, float(random.uniform(0.05, 0.3))) if chequered else board,
        line=line,
        paper=_board_colour(random),
        line_width=float(random.uniform(0.015, 0.07)),
        gap=gap,
        rounding=float(random.choice([0, 0, 0.05, 0.15])),
        frame=lattice == "points" or gap > 0 or chequered or random.random() < 0.75,
        rim=float(random.choice([0, 0, 0.1, 0.4])),
        stones=(black, white),
        shape="tile" if lattice == "squares" and random.random() < 0.2 else "disc",
        radius=float(random.uniform(0.33, 0.485)),
        shade=float(random.choice([0, 0.3, 0.6, 0.9])),
        outline=float(random.choice([0, 0.02, 0.05])),
        shadow=float(random.choice([0, 0, 0.3, 0.5])),
        gloss=float(random.choice([0, 0, 0, 0.5, 0.9])),
        bevel=float(random.choice([0, 0, 0, 0.25, 0.5])),
        glare=float(random.choice([0, 0, 0, 0, 0.25, 0.5])),
        marks=marks,
        stroke=float(random.uniform(0.05, 0.2)),
        reach=float(random.uniform(0.22, 0.4)),
        font=str(random.choice(FONTS)),
        bold=bool(random.random() < 0.5),
        lettered=bool(random.random() < 0.3),
        digit=float(random.uniform(0.5, 0.85)),
        ink=((255, 255, 255), (0, 0, 0)) if random.random() < 0.6 else ((255, 235, 120), (130, 20, 20)),
        coordinates=bool(random.random() < 0.5),
        hints=float(random.choice([0, 0.05, 0.15, 0.3])),
        hint_kind=str(random.choice(["dot", "dot", "ring", "text", "star"])),
        last_kind=str(random.choice(["none", "dot", "ring", "square", "tint", "cross"])),
        texture=float(random.choice([0, 0, 2, 5])),
        heavy=float(random.choice([0, 0, 0, 0.06, 0.13])),
        drop=float(random.uniform(-0.05, 0.09)) if random.random() < 0.4 else 0.0,
    )


def readable_ink(stone: Colour, wanted: Colour) -> Colour:
    """The wanted ink if it shows on the stone, else black or white."""
    if distance(stone, wanted) > 110:
        return wanted
    return (255, 255, 255) if 0.3 * stone[0] + 0.59 * stone[1] + 0.11 * stone[2] < 140 else (0, 0, 0)


class Painter:
    """Collects SVG elements of one board whose first site is at (x0, y0), `pitch` pixels from site to site."""

    def __init__(self, style: Style, rows: int, columns: int, pitch: float, origin: tuple[float, float]) -> None:
        self.style, self.rows, self.columns, self.pitch, self.origin = style, rows, columns, pitch, origin
        self.parts: list[str] = []

    def site(self, row: int, column: int) -> tuple[float, float]:
        return self.origin[0] + column * self.pitch, self.origin[1] + row * self.pitch

    def rectangle(self, x: float, y: float, width: float, height: float, colour: Colour, more: str = "") -> None:
        self.parts.append(
            f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{hexed(colour)}" {more}/>'
        )

    def circle(self, x: float, y: float, radius: float, fill: str, more: str = "") -> None:
        self.parts.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" fill="{fill}" {more}/>')

    def words(
        self, text: str, x: float, y: float, size: float, colour: Colour, *, bold: bool = False, heavy: float = 0.0
    ) -> None:
        weight = "bold" if bold else "normal"
        fat = f'stroke="{hexed(colour)}" stroke-width="{heavy * size:.2f}" stroke-linejoin="round"' if heavy else ""
        self.parts.append(
            f'<text x="{x:.2f}" y="{y + 0.36 * size:.2f}" font-family="{self.style.font}" font-size="{size:.2f}" '
            f'font-weight="{weight}" text-anchor="middle" fill="{hexed(colour)}" {fat}>{text}</text>'
        )

    def board(self) -> None:
        """The surface and its grid."""
        style, pitch = self.style, self.pitch
        reach = 0.5 if style.lattice == "squares" else 0.5 + style.rim + 0.1
        left, top = self.origin[0] - reach * pitch, self.origin[1] - reach * pitch
        width = (self.columns - 1 + 2 * reach) * pitch
        height = (self.rows - 1 + 2 * reach) * pitch
        if style.lattice == "squares" and style.rim:
            rim = style.rim * pitch
            self.rectangle(left - rim, top - rim, width + 2 * rim, height + 2 * rim, style.line)
        ground = style.line if style.gap else style.board
        self.rectangle(left, top, width, height, ground)
        if style.gap or style.second != style.board:
            side = (1 - style.gap) * pitch
            for row in range(self.rows):
                for column in range(self.columns):
                    x, y = self.site(row, column)
                    colour = style.second if (row + column) % 2 else style.board
                    more = f'rx="{style.rounding * pitch:.2f}"'
                    self.rectangle(x - side / 2, y - side / 2, side, side, colour, more)
        if not style.gap and (style.second == style.board or style.line_width > 0.05):
            self._lines()

    def _lines(self) -> None:
        style, pitch = self.style, self.pitch
        half = 0.5 * pitch if style.lattice == "squares" else 0.0
        x0, y0 = self.origin[0] - half, self.origin[1] - half
        across, down = self.columns + (half > 0), self.rows + (half > 0)
        width, height = (across - 1) * pitch, (down - 1) * pitch
        stroke = max(1.0, round(style.line_width * pitch))
        path = []
        for number in range(across):
            if style.frame or 0 < number < across - 1:
                path.append(f"M{round(x0 + number * pitch) + 0.5:.1f} {y0:.1f}v{height:.1f}")
        for number in range(down):
            if style.frame or 0 < number < down - 1:
                path.append(f"M{x0:.1f} {round(y0 + number * pitch) + 0.5:.1f}h{width:.1f}")
        self.parts.append(
            f'<path d="{"".join(path)}" stroke="{hexed(style.line)}" stroke-width="{stroke}" fill="none" '
            'stroke-linecap="square"/>'
        )

    def labels(self) -> None:
        """Coordinates around the board."""
        style, pitch = self.style, self.pitch
        colour = readable_ink(style.paper, style.line)
        reach = (0.85 if style.lattice == "squares" else 1.0) + style.rim
        for column in range(self.columns):
            x, y = self.site(self.rows - 1, column)
            self.words(chr(97 + column), x, y + reach * pitch, 0.4 * pitch, colour)
        for row in range(self.rows):
            x, y = self.site(row, 0)
            self.words(str(row + 1), x - reach * pitch, y, 0.4 * pitch, colour)

    def stone(self, x: float, y: float, player: int, text: str = "") -> None:
        """A stone of a player, with a text on it."""
        style, radius = self.style, self.style.radius * self.pitch
        body = style.stones[player]
        fill = hexed(body)
        if style.shade:
            fill = f"url(#stone{player})"
        edge = ""
        wide = style.outline
        if not wide and distance(body, style.board) < 70:
            wide = 0.03
        if wide:
            ink: Colour = (0, 0, 0) if sum(style.board) > 330 else (235, 235, 235)
            rim = hexed(blend(body, ink, 0.75))
            edge = f'stroke="{rim}" stroke-width="{max(1.0, wide * self.pitch):.2f}"'
        if style.shadow:
            shift = 0.06 * self.pitch
            self._shape(x + shift, y + shift, radius, "#000000", f'opacity="{style.shadow}"')
        self._shape(x, y, radius, fill, edge)
        if style.bevel:
            ring: Colour = (0, 0, 0) if sum(body) > 380 else (255, 255, 255)
            width = max(1.0, 0.05 * self.pitch)
            more = f'stroke="{hexed(ring)}" stroke-width="{width:.2f}" opacity="{0.6 * style.bevel}"'
            self._shape(x, y, 0.72 * radius, "none", more)
        if style.gloss:
            self.parts.append(
                f'<ellipse cx="{x - 0.25 * radius:.2f}" cy="{y - 0.4 * radius:.2f}" rx="{0.42 * radius:.2f}" '
                f'ry="{0.26 * radius:.2f}" fill="#ffffff" opacity="{0.7 * style.gloss}"/>'
            )
        if text:
            size, ink_of = 2 * style.digit * radius, readable_ink(body, style.ink[player])
            self.words(text, x, y + style.drop * self.pitch, size, ink_of, bold=style.bold, heavy=style.heavy)

    def _shape(self, x: float, y: float, radius: float, fill: str, more: str) -> None:
        if self.style.shape == "disc":
            self.circle(x, y, radius, fill, more)
            return
        side = 2 * radius
        self.parts.append(
            f'<rect x="{x - radius:.2f}" y="{y - radius:.2f}" width="{side:.2f}" height="{side:.2f}" '
            f'rx="{self.style.rounding * side:.2f}" fill="{fill}" {more}/>'
        )

    def stroke(self, x: float, y: float, player: int) -> None:
        """A cross for player 0, a ring for player 1."""
        style = self.style
        reach, colour = style.reach * self.pitch, style.marks[player]
        if style.lettered:
            self.words("XO"[player], x, y, 2.4 * reach, colour, bold=style.bold)
            return
        more = f'stroke="{hexed(colour)}" stroke-width="{max(1.5, style.stroke * self.pitch):.2f}"'
        if player:
            self.circle(x, y, reach, "none", more)
        else:
            cap = "round" if style.rounding else "butt"
            self.parts.append(
                f'<path d="M{x - reach:.2f} {y - reach:.2f}l{2 * reach:.2f} {2 * reach:.2f}m0 {-2 * reach:.2f}'
                f'l{-2 * reach:.2f} {2 * reach:.2f}" fill="none" stroke-linecap="{cap}" {more}/>'
            )

    def strange(self, x: float, y: float, kind: str) -> None:
        """Something that is no piece of any of our games."""
        style, pitch = self.style, self.pitch
        colour = readable_ink(style.board, style.marks[0])
        if kind == "half":
            self.parts.append(
                f'<ellipse cx="{x:.2f}" cy="{y:.2f}" rx="{0.13 * pitch:.2f}" ry="{style.radius * pitch:.2f}" '
                f'fill="{hexed(style.stones[0])}" stroke="#888888"/>'
            )
        elif kind == "bar":
            self.rectangle(x - 0.4 * pitch, y - 0.12 * pitch, 0.8 * pitch, 0.2 * pitch, colour)
        elif kind == "picture":
            for number in range(6):
                angle = 1.9 * number + style.reach * 40
                shift = 0.24 * pitch
                shade = style.marks[number % 2]
                self.circle(x + shift * np.cos(angle), y + shift * np.sin(angle), 0.13 * pitch, hexed(shade))
        else:
            self.words(kind, x, y, 0.8 * pitch, colour, bold=style.bold)

    def hint(self, x: float, y: float, number: int) -> None:
        """What programs put on empty sites: legal moves, star points, values."""
        style, pitch = self.style, self.pitch
        colour = readable_ink(style.board, style.line)
        if style.hint_kind == "text":
            self.words(f"{number % 97}", x, y, 0.34 * pitch, colour)
        elif style.hint_kind == "ring":
            more = f'stroke="{hexed(colour)}" stroke-width="{max(1.0, 0.03 * pitch):.2f}" opacity="0.7"'
            self.circle(x, y, 0.14 * pitch, "none", more)
        else:
            size = 0.09 if style.hint_kind == "star" else 0.07 + 0.1 * style.reach
            self.circle(x, y, size * pitch, hexed(colour), 'opacity="0.8"')

    def last(self, x: float, y: float, under: Colour) -> None:
        """The mark of the last move."""
        pitch, colour = self.pitch, readable_ink(under, (230, 60, 40))
        width = max(1.0, 0.05 * pitch)
        if self.style.last_kind == "dot":
            self.circle(x, y, 0.11 * pitch, hexed(colour))
        elif self.style.last_kind == "ring":
            self.circle(x, y, 0.2 * pitch, "none", f'stroke="{hexed(colour)}" stroke-width="{width:.2f}"')
        elif self.style.last_kind == "square":
            side = 0.24 * pitch
            self.rectangle(x - side / 2, y - side / 2, side, side, colour)
        elif self.style.last_kind == "cross":
            arm = 0.14 * pitch
            self.parts.append(
                f'<path d="M{x - arm:.2f} {y:.2f}h{2 * arm:.2f}M{x:.2f} {y - arm:.2f}v{2 * arm:.2f}" '
                f'stroke="{hexed(colour)}" stroke-width="{width:.2f}"/>'
            )

    def glare(self, at: float) -> None:
        """Light on the part of the board above a slanting line."""
        x, y = self.site(0, 0)
        width, height = self.columns * self.pitch, self.rows * self.pitch
        self.parts.append(
            f'<path d="M{x - width} {y - self.pitch:.1f}h{3 * width:.1f}l0 {at * height:.1f}L{x - width:.1f} '
            f'{y + 1.2 * at * height:.1f}z" fill="#ffffff" opacity="{0.6 * self.style.glare}"/>'
        )

    def svg(self, width: int, height: int) -> str:
        gradients = "".join(
            f'<radialGradient id="stone{player}" cx="0.35" cy="0.3" r="0.8">'
            f'<stop offset="0" stop-color="{hexed(blend(colour, (255, 255, 255), 0.55 * self.style.shade))}"/>'
            f'<stop offset="0.55" stop-color="{hexed(colour)}"/>'
            f'<stop offset="1" stop-color="{hexed(blend(colour, (0, 0, 0), 0.35 * self.style.shade))}"/>'
            "</radialGradient>"
            for player, colour in enumerate(self.style.stones)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
            f'<defs>{gradients}</defs><rect width="{width}" height="{height}" fill="{hexed(self.style.paper)}"/>'
            f"{''.join(self.parts)}</svg>"
        )


def rasterise(svg: str) -> Picture:
    """An SVG document as a picture."""
    import resvg_py

    lettered = "<text" in svg
    drawn = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=not lettered)
    data = np.frombuffer(bytes(drawn), np.uint8)
    found = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert found is not None
    return np.ascontiguousarray(found, dtype=np.uint8)


def paint(
    random: np.random.Generator,
    style: Style,
    cells: Sequence[Sequence[str]],
    *,
    pitch: float,
    strokes: bool = False,
    numbered: bool = False,
    margin: float = 1.7,
) -> Scene:
    """A board in a style. `strokes` draws X and O as cross and ring, `numbered` writes numbers on stones."""
    rows, columns = len(cells), len(cells[0])
    width = round((columns - 1 + 2 * margin) * pitch)
    height = round((rows - 1 + 2 * margin) * pitch)
    painter = Painter(style, rows, columns, pitch, (margin * pitch, margin * pitch))
    painter.board()
    if style.coordinates:
        painter.labels()
    occupied = [(r, c) for r in range(rows) for c in range(columns) if cells[r][c]]
    last = occupied[int(random.integers(len(occupied)))] if occupied and style.last_kind != "none" else None
    if last and style.last_kind == "tint":
        x, y = painter.site(*last)
        more = 'opacity="0.45"'
        painter.rectangle(x - 0.47 * pitch, y - 0.47 * pitch, 0.94 * pitch, 0.94 * pitch, (240, 220, 60), more)
    for row in range(rows):
        for column in range(columns):
            text, (x, y) = cells[row][column], painter.site(row, column)
            if not text:
                if random.random() < style.hints:
                    painter.hint(x, y, int(random.integers(97)))
            elif text == "?":
                painter.strange(x, y, str(random.choice(STRANGE)))
            elif text[0] in "RB":
                painter.stone(x, y, int(text[0] == "B"), text[1:])
            elif strokes:
                painter.stroke(x, y, int(text == "O"))
            else:
                player = int(text == "O")
                painter.stone(x, y, player, str(random.integers(1, 120)) if numbered else "")
                if (row, column) == last and not numbered:
                    painter.last(x, y, style.stones[player])
    if style.glare:
        painter.glare(float(random.uniform(0.1, 0.8)))
    picture = rasterise(painter.svg(width, height))
    if style.texture:
        grain = random.normal(0, style.texture, picture.shape[:2])[..., None]
        picture = np.clip(picture + cv2.GaussianBlur(grain, (0, 0), 1.2)[..., None] * 2, 0, 255).astype(np.uint8)
    grid = np.array([[painter.site(r, c) for c in range(columns)] for r in range(rows)])
    return Scene(picture, tuple(tuple(row) for row in cells), grid, style.lattice)


def plain(style: Style) -> Style:
    """The style without marks and hints."""
    return replace(style, hints=0.0, last_kind="none", texture=0.0, glare=0.0)
