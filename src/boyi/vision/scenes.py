"""Pictures of boards in styles drawn at random, with what stands on every site: for training and for measuring.

Nothing here is shared with `boyi.draw`, so that our own boards are one more theme that the recogniser has not been
trained on. Start at `paint`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.styles import Colour, Style, blend, distance, hexed, readable_ink

Picture = NDArray[np.uint8]
"""[height, width, 3], blue, green, red."""
STRANGE = (*"♔♕♖♗♘♙♚♛♜♝♞♟", *"789ABKQRW?!#", "★", "▲", "◆", "half", "bar", "picture")
"""What is no piece of ours: chess men, other signs, a disc being turned."""


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


class Painter:
    """Collects SVG elements of one board whose first site is at (x0, y0), `pitch` pixels from site to site."""

    def __init__(self, style: Style, rows: int, columns: int, pitch: float, origin: tuple[float, float]) -> None:
        self.style, self.rows, self.columns, self.pitch, self.origin = style, rows, columns, pitch, origin
        self.parts: list[str] = []
        self.random = np.random.default_rng(round(1000 * pitch))

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
        if style.grain:
            self._streaks(left, top, width, height)
        if not style.gap and (style.second == style.board or style.line_width > 0.05):
            self._lines()

    def _streaks(self, left: float, top: float, width: float, height: float) -> None:
        """The grain of wood: short lines all over the board, along one direction."""
        level = self.style.level_grain
        number = int(min(700, width * height / 150))
        across, down = self.random.random(number) * width + left, self.random.random(number) * height + top
        length = self.random.uniform(4, 30, number)
        room = (left + width - across) if level else (top + height - down)
        path = "".join(
            f"M{round(x)} {round(y)}{'h' if level else 'v'}{min(reach, most):.1f}"
            for x, y, reach, most in zip(across, down, length, room, strict=True)
        )
        dark = hexed(blend(self.style.board, (60, 20, 0), self.style.grain))
        self.parts.append(f'<path d="{path}" stroke="{dark}" stroke-width="1"/>')

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
        if style.facet and style.shape == "tile":
            self._facets(x, y, radius, body)
        if style.veins and sum(body) > 480:
            self._veins(x, y, radius, body)
        if style.gloss:
            self.parts.append(
                f'<ellipse cx="{x - 0.25 * radius:.2f}" cy="{y - 0.4 * radius:.2f}" rx="{0.42 * radius:.2f}" '
                f'ry="{0.26 * radius:.2f}" fill="#ffffff" opacity="{0.7 * style.gloss}"/>'
            )
        if text:
            size, ink_of = 2 * style.digit * radius, readable_ink(body, style.ink[player])
            self.words(text, x, y + style.drop * self.pitch, size, ink_of, bold=style.bold, heavy=style.heavy)

    def _facets(self, x: float, y: float, radius: float, body: Colour) -> None:
        """The light upper and left sides of a tile, and its dark lower and right ones."""
        wide, side = self.style.facet * self.pitch, 2 * radius
        for corner, sign, tone in ((-radius, 1, (255, 255, 255)), (radius, -1, (0, 0, 0))):
            colour = hexed(blend(body, tone, 0.4))
            step, out, back = sign * side, sign * wide, sign * (side - wide)
            self.parts.append(
                f'<path d="M{x + corner:.2f} {y + corner:.2f}h{step:.2f}l{-out:.2f} {out:.2f}h{out - back:.2f}'
                f'v{back - out:.2f}l{-out:.2f} {out:.2f}z" fill="{colour}"/>'
            )

    def _veins(self, x: float, y: float, radius: float, body: Colour) -> None:
        """Lines across a stone, in a direction of its own."""
        angle = float(self.random.uniform(0, np.pi))
        along, aside = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        path = ""
        for shift in np.linspace(-0.8, 0.8, 7):
            half = radius * float(np.sqrt(1 - shift**2))
            start, step = aside * shift * radius - along * half, 2 * half * along
            path += f"M{x + start[0]:.2f} {y + start[1]:.2f}l{step[0]:.2f} {step[1]:.2f}"
        dark = hexed(blend(body, (0, 0, 0), self.style.veins))
        self.parts.append(f'<path d="{path}" stroke="{dark}" stroke-width="{max(1.0, 0.03 * self.pitch):.2f}"/>')

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
        style, colour = self.style, readable_ink(under, under if self.style.plain_mark else (230, 60, 40))
        radius = style.radius * self.pitch
        reach, width = style.mark * radius, max(1.0, style.mark_width * radius)
        line = f'fill="none" stroke="{hexed(colour)}" stroke-width="{width:.2f}"'
        if style.last_kind == "dot":
            self.circle(x, y, 0.7 * reach, hexed(colour))
        elif style.last_kind == "ring":
            self.parts.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{reach:.2f}" {line}/>')
        elif style.last_kind == "square":
            self.rectangle(x - reach / 2, y - reach / 2, reach, reach, colour)
        elif style.last_kind == "frame":
            side = 1.4 * reach
            corner = f'x="{x - side / 2:.2f}" y="{y - side / 2:.2f}"'
            self.parts.append(f'<rect {corner} width="{side:.2f}" height="{side:.2f}" {line}/>')
        elif style.last_kind == "triangle":
            self.parts.append(
                f'<path d="M{x:.2f} {y - reach:.2f}l{0.87 * reach:.2f} {1.5 * reach:.2f}h{-1.74 * reach:.2f}z" {line}/>'
            )
        elif style.last_kind == "cross":
            self.parts.append(
                f'<path d="M{x - reach:.2f} {y:.2f}h{2 * reach:.2f}M{x:.2f} {y - reach:.2f}v{2 * reach:.2f}" {line}/>'
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
    marked: float = 0.0,
) -> Scene:
    """A board in a style. `strokes` draws X and O as cross and ring, `numbered` writes numbers on stones.

    One stone, and a share `marked` of all, bears the mark of the last move.
    """
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
                if ((row, column) == last or random.random() < marked) and not numbered:
                    painter.last(x, y, style.stones[player])
    if style.glare:
        painter.glare(float(random.uniform(0.1, 0.8)))
    picture = rasterise(painter.svg(width, height))
    if style.texture:
        grain = random.normal(0, style.texture, picture.shape[:2])[..., None]
        picture = np.clip(picture + cv2.GaussianBlur(grain, (0, 0), 1.2)[..., None] * 2, 0, 255).astype(np.uint8)
    grid = np.array([[painter.site(r, c) for c in range(columns)] for r in range(rows)])
    return Scene(picture, tuple(tuple(row) for row in cells), grid, style.lattice)
