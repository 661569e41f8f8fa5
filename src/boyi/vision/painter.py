"""Draws the parts of a board in a style as SVG: the surface, its lines, stones, crosses, rings, marks.

`scenes.paint` puts them together.
"""

from collections.abc import Collection, Sequence
from html import escape

import numpy as np

from boyi.vision.colours import Colour, blend, distance, hexed, readable_ink
from boyi.vision.signs import draw
from boyi.vision.styles import PLACEHOLDERS, Style, odd_colour

VISIBLE = (12, 32)
"""Stones whose colour differs by less from the board's, of 255, have an outline or a shadow; on half of the boards, all
that differ little."""


class Painter:
    """Collects SVG elements of one board whose first site is at (x0, y0), `pitch` pixels from site to site."""

    def __init__(self, style: Style, rows: int, columns: int, pitch: float, origin: tuple[float, float]) -> None:
        self.style, self.rows, self.columns, self.pitch, self.origin = style, rows, columns, pitch, origin
        self.parts: list[str] = []
        self.ground = 0
        """How many of the parts are the board's surface, under its lines."""
        self.box = (0.0, 0.0, 0.0, 0.0)
        """Left, top, right and bottom of the board."""
        self.random = np.random.default_rng(round(1000 * pitch))
        self.visible = VISIBLE[int(self.random.integers(2))]

    def site(self, row: int, column: int) -> tuple[float, float]:
        return self.origin[0] + column * self.pitch, self.origin[1] + row * self.pitch

    def rectangle(self, x: float, y: float, width: float, height: float, colour: Colour, more: str = "") -> None:
        self.parts.append(
            f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{hexed(colour)}" {more}/>'
        )

    def circle(self, x: float, y: float, radius: float, fill: str, more: str = "") -> None:
        self.parts.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" fill="{fill}" {more}/>')

    def words(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        colour: Colour,
        *,
        font: str = "",
        bold: bool = False,
        italic: bool = False,
        heavy: float = 0.0,
    ) -> None:
        weight = f'{"bold" if bold else "normal"}" font-style="{"italic" if italic else "normal"}'
        fat = f'stroke="{hexed(colour)}" stroke-width="{heavy * size:.2f}" stroke-linejoin="round"' if heavy else ""
        self.parts.append(
            f'<text x="{x:.2f}" y="{y + 0.36 * size:.2f}" font-family="{font or self.style.font}" '
            f'font-size="{size:.2f}" font-weight="{weight}" text-anchor="middle" fill="{hexed(colour)}" {fat}>'
            f"{escape(text)}</text>"
        )

    def board(self, pieces: Collection[tuple[int, int]] = ()) -> None:
        """The surface and its grid; `pieces` are the sites that will have one."""
        style, pitch = self.style, self.pitch
        reach = 0.5 if style.lattice == "squares" else 0.5 + style.rim + 0.1
        left, top = self.origin[0] - reach * pitch, self.origin[1] - reach * pitch
        width = (self.columns - 1 + 2 * reach) * pitch
        height = (self.rows - 1 + 2 * reach) * pitch
        if style.card:
            self._card(left, top, width, height)
        if style.lattice == "squares" and style.rim:
            rim = style.rim * pitch
            self.rectangle(left - rim, top - rim, width + 2 * rim, height + 2 * rim, style.line)
        self.rectangle(left, top, width, height, style.between if style.gap else style.board)
        if style.gap or style.raised or style.second != style.board:
            side = (1 - style.gap) * pitch
            for row in range(self.rows):
                for column in range(self.columns):
                    if style.bare and (row, column) in pieces:
                        continue
                    x, y = self.site(row, column)
                    colour = style.second if (row + column) % 2 else style.board
                    more = f'rx="{style.rounding * pitch:.2f}"'
                    if style.boxed:
                        more += f' stroke="{hexed(style.line)}" stroke-width="{max(1.0, style.boxed * pitch):.2f}"'
                    if style.lifted:
                        low = y - side / 2 + 0.6 * style.gap * pitch
                        self.rectangle(x - side / 2, low, side, side, (0, 0, 0), f'{more} opacity="{style.lifted:.2f}"')
                    self.rectangle(x - side / 2, y - side / 2, side, side, colour, more)
                    if style.raised:
                        self._facets(x, y, side / 2, style.raised, colour)
        if style.slope:
            place = f'x="{left:.2f}" y="{top:.2f}" width="{width:.2f}" height="{height:.2f}"'
            self.parts.append(f'<rect {place} fill="url(#slope)" opacity="{style.slope}"/>')
        self.ground = len(self.parts)
        self.box = (left, top, left + width, top + height)
        if style.grain:
            self._streaks(left, top, width, height)
        if style.double_frame:
            self._second_frame()
        if style.unlined:
            return
        if not style.gap and not style.raised and (style.second == style.board or style.line_width > 0.05):
            self._lines()

    def _second_frame(self) -> None:
        """A frame around the outermost lines, thin or heavy."""
        style, pitch = self.style, self.pitch
        out = (style.double_frame + (0.5 if style.lattice == "squares" else 0.0)) * pitch
        wide = max(1.0, style.frame_width * pitch)
        x, y = self.origin[0] - out, self.origin[1] - out
        width, height = ((count - 1) * pitch + 2 * out for count in (self.columns, self.rows))
        place = f'x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" rx="{style.card * pitch:.2f}"'
        self.parts.append(f'<rect {place} fill="none" stroke="{hexed(style.line)}" stroke-width="{wide:.2f}"/>')

    def _card(self, left: float, top: float, width: float, height: float) -> None:
        """A sheet with round corners under the board, with a shadow, in a colour near the board's."""
        out, turn = 0.7 * self.style.card * self.pitch + 4, self.style.card * self.pitch
        colour = blend(self.style.board, (255, 255, 255) if sum(self.style.board) < 500 else (0, 0, 0), 0.12)
        for shift, more in ((0.5 * out, 'opacity="0.2"'), (0, "")):
            place = left - out, top - out + shift, width + 2 * out, height + 2 * out
            self.rectangle(*place, (0, 0, 0) if more else colour, f'rx="{turn:.2f}" {more}')

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
        stroke = max(1.0, round(style.line_width * pitch), 1.01 * pitch / style.pixels if style.pixels else 0)

        def on_pixels(at: float) -> float:
            return round(at) + 0.5 if style.snapped else at

        path = []
        cut = 0.0 if style.frame else style.short * pitch
        for number in range(across):
            if style.frame or 0 < number < across - 1:
                path.append(self._line(on_pixels(x0 + number * pitch), y0 + cut, 0, height - 2 * cut))
        for number in range(down):
            if style.frame or 0 < number < down - 1:
                path.append(self._line(x0 + cut, on_pixels(y0 + number * pitch), width - 2 * cut, 0))
        for wide in (4.0, 2.2) if style.line_glow else ():
            self._grid_path(path, wide * stroke, f'opacity="{0.35 * style.line_glow:.2f}"')
        if style.line_shadow:
            more = f'transform="translate({0.7 * stroke:.2f} {0.7 * stroke:.2f})" opacity="{style.line_shadow}"'
            self._grid_path(path, stroke, more)
            for row in range(self.rows) if style.lattice == "points" else ():
                for column in range(self.columns):
                    x, y = self.site(row, column)
                    side = 3 * stroke
                    self.rectangle(x - side / 2, y - side / 2, side, side, style.line, f'opacity="{style.line_shadow}"')
        self._grid_path(path, stroke, "")

    def _line(self, x: float, y: float, across: float, down: float) -> str:
        """A path from (x, y), so far to the right and down; a hand bends it."""
        if not self.style.wobble:
            return f"M{x:.2f} {y:.2f}l{across:.2f} {down:.2f}"
        miss = self.random.normal(0, self.style.wobble * self.pitch, (4, 2)).clip(-0.1 * self.pitch, 0.1 * self.pitch)
        way = np.array([(x, y)]) + np.linspace(0, 1, 4)[:, None] * np.array([(across, down)]) + miss
        return "M{:.2f} {:.2f}C{:.2f} {:.2f} {:.2f} {:.2f} {:.2f} {:.2f}".format(*way.ravel())

    def _grid_path(self, path: Sequence[str], stroke: float, more: str) -> None:
        colour, cap = hexed(self.style.line), "round" if self.style.signs.round_ends else "square"
        if self.style.dash:
            length = max(2.0, self.style.dash * self.pitch)
            more += f' stroke-dasharray="{length:.2f} {max(length, 1.5 * stroke):.2f}"'
            cap = "butt"
        self.parts.append(
            f'<path d="{"".join(path)}" stroke="{colour}" stroke-width="{stroke}" fill="none" '
            f'stroke-linecap="{cap}" {more}/>'
        )

    def labels(self) -> None:
        """Coordinates around the board."""
        style, pitch = self.style, self.pitch
        on_board = style.lattice == "points" and style.label_reach < style.rim + 0.5
        colour = readable_ink(style.board if on_board else style.paper, style.line)
        reach = style.label_reach + (0.0 if style.lattice == "points" else style.rim)
        size = style.label_size * pitch
        last = (self.rows - 1, self.columns - 1)
        first = 65 if style.bold else 97
        for column in range(self.columns):
            for row, sign in ((last[0], 1), (0, -1))[: style.label_sides]:
                x, y = self.site(row, column)
                self.words(chr(first + column), x, y + sign * reach * pitch, size, colour)
        for row in range(self.rows):
            for column, sign in ((0, -1), (last[1], 1))[: style.label_sides]:
                x, y = self.site(row, column)
                self.words(str(row + 1), x + sign * reach * pitch, y, size, colour)

    def stone(self, x: float, y: float, player: int, text: str = "") -> None:
        """A stone of a player, with a text on it."""
        style, radius = self.style, self.style.radius * self.pitch
        body = style.inked or style.stones[player]
        fill = hexed(body)
        if style.shade:
            fill = f"url(#stone{player})"
        edge = ""
        wide = style.outline
        if not wide and not style.shadow and distance(body, style.board) < self.visible:
            wide = 0.03
        if wide:
            ink: Colour = (0, 0, 0) if sum(style.board) > 330 else (235, 235, 235)
            rim = hexed(blend(body, ink, style.edge))
            if style.inked and not style.bevel:
                rim, wide = hexed(style.stones[player]), max(wide, 0.03)
            edge = f'stroke="{rim}" stroke-width="{max(0.8, wide * self.pitch):.2f}"'
        for part in style.penumbra if style.shadow else ():
            x_shift, y_shift = style.cast[0] * self.pitch, style.cast[1] * self.pitch
            more = f'opacity="{style.shadow / len(style.penumbra)}"'
            self._shape(x + x_shift, y + y_shift, part * radius, "#000000", more)
        self._shape(x, y, radius, fill, edge)
        if style.crescent:
            tone: Colour = (255, 255, 255) if style.lit[0] < 0.45 else (0, 0, 0)
            inner = blend(body, tone, 0.5 * style.crescent)
            shift = (0.4 - style.lit[0]) * 0.6 * radius
            self._shape(x + shift, y - 0.12 * radius, 0.84 * radius, hexed(inner), "")
        if style.bevel:
            ring: Colour = (0, 0, 0) if sum(body) > 380 else (255, 255, 255)
            width, strength = max(1.0, 0.05 * self.pitch), 0.6 * style.bevel
            if style.inked:
                ring, strength = style.stones[player], 1.0
            more = f'stroke="{hexed(ring)}" stroke-width="{width:.2f}" opacity="{strength}"'
            self._shape(x, y, (0.82 if style.inked else 0.72) * radius, "none", more)
        if style.facet and style.shape == "tile":
            self._facets(x, y, radius, style.facet, body)
        if style.veins and sum(body) > 480:
            self._veins(x, y, radius, body)
        if style.gloss:
            self.parts.append(
                f'<ellipse cx="{x - 0.25 * radius:.2f}" cy="{y - 0.4 * radius:.2f}" rx="{0.42 * radius:.2f}" '
                f'ry="{0.26 * radius:.2f}" fill="#ffffff" opacity="{0.7 * style.gloss}"/>'
            )
        if style.decor[player] and not text:
            self._decorate(x, y, style.decor[player], readable_ink(body, style.ink[player]))
        if text:
            size, ink_of = 2 * style.digit * radius, readable_ink(body, style.ink[player])
            ink_of = style.stones[player] if style.inked else ink_of
            if style.badge:
                light, size, ink_of = (250, 245, 225), min(size, 1.6 * style.badge * radius), (20, 20, 20)
                self.circle(x, y, style.badge * radius, hexed(light))
            low = y + style.drop * self.pitch
            self.words(text, x, low, size, ink_of, bold=style.bold, italic=style.italic, heavy=style.heavy)

    def _decorate(self, x: float, y: float, kind: str, ink: Colour) -> None:
        """What all stones of a side bear."""
        reach, colour = self.style.decor_size * self.style.radius * self.pitch, hexed(ink)
        line = f'fill="none" stroke="{colour}" stroke-width="{max(1.0, 0.16 * reach):.2f}"'
        if kind == "face":
            for side in (-0.4, 0.4):
                self.circle(x + side * reach, y - 0.3 * reach, 0.16 * reach, colour)
            self.parts.append(
                f'<path d="M{x - 0.6 * reach:.2f} {y + 0.2 * reach:.2f}q{0.6 * reach:.2f} {0.8 * reach:.2f} '
                f'{1.2 * reach:.2f} 0" {line}/>'
            )
        elif kind == "spark":
            self._spark(x, y, reach, colour)
        elif kind == "spiral":
            for part in (0.3, 0.6, 0.9):
                self.circle(x, y, part * reach, "none", line.removeprefix('fill="none" '))
        elif kind == "letter":
            self.words("XO#W"[round(10 * reach) % 4], x, y, 1.5 * reach, ink, bold=self.style.bold)
        elif kind == "dimple":
            self.circle(x, y, 0.5 * reach, colour, 'opacity="0.3"')
        else:
            self.rectangle(x - reach, y - 0.2 * reach, 2 * reach, 0.4 * reach, ink, 'opacity="0.6"')

    def _spark(self, x: float, y: float, reach: float, colour: str) -> None:
        """A star with five points."""
        angles = np.arange(10) * np.pi / 5 - np.pi / 2
        radii = np.where(np.arange(10) % 2, 0.45, 1.0) * reach
        corners = " ".join(
            f"{x + r * np.cos(a):.2f},{y + r * np.sin(a):.2f}" for r, a in zip(radii, angles, strict=True)
        )
        self.parts.append(f'<polygon points="{corners}" fill="{colour}"/>')

    def _facets(self, x: float, y: float, radius: float, width: float, body: Colour) -> None:
        """The light upper and left sides of a tile or a square, and its dark lower and right ones."""
        wide, side = max(1.0, width * self.pitch), 2 * radius
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
        style, colour = self.style, self.style.marks[player]
        if style.signs.backed:
            side = 0.92 * self.pitch
            under = blend(style.board, style.stones[player], style.signs.backed)
            if distance(under, colour) > 60:
                self.rectangle(x - side / 2, y - side / 2, side, side, under)
        draw(self, style.signs, x, y, player, colour)

    def struck(self, first: tuple[int, int], last: tuple[int, int]) -> None:
        """A line through all sites from the first to the last, and a little further."""
        ends = np.array([self.site(*first), self.site(*last)])
        ends = ends + (ends - ends.mean(axis=0)) * self.random.uniform(-0.1, 0.3)
        wide = max(1.0, float(self.random.uniform(0.02, 0.09)) * self.pitch)
        (a, b), (c, d) = ends
        colour = hexed(
            self.style.marks[0] if self.random.random() < 0.5 else readable_ink(self.style.board, (220, 40, 40))
        )
        more = f'stroke="{colour}" stroke-width="{wide:.2f}" opacity="{self.random.uniform(0.5, 1):.2f}"'
        self.parts.append(f'<path d="M{a:.2f} {b:.2f}L{c:.2f} {d:.2f}" {more}/>')

    def chosen(self, x: float, y: float, colour: Colour) -> None:
        """A frame inside a square."""
        wide = max(1.0, float(self.random.uniform(0.02, 0.07)) * self.pitch)
        side = (1 - self.style.gap) * self.pitch - wide
        place = f'x="{x - side / 2:.2f}" y="{y - side / 2:.2f}" width="{side:.2f}" height="{side:.2f}"'
        self.parts.append(f'<rect {place} fill="none" stroke="{hexed(colour)}" stroke-width="{wide:.2f}"/>')

    def strange(self, x: float, y: float, kind: str, *, strokes: bool) -> None:
        """Something that is no piece of any of our games."""
        style, pitch, random = self.style, self.pitch, self.random
        colour = readable_ink(style.board, style.marks[int(random.integers(2))])
        if kind == "half":
            self.parts.append(
                f'<ellipse cx="{x:.2f}" cy="{y:.2f}" rx="{0.13 * pitch:.2f}" ry="{style.radius * pitch:.2f}" '
                f'fill="{hexed(style.stones[0])}" stroke="#888888"/>'
            )
        elif kind == "bar":
            self.rectangle(x - 0.4 * pitch, y - 0.12 * pitch, 0.8 * pitch, 0.2 * pitch, colour)
        elif kind == "disc":
            odd = odd_colour(random, (style.board, style.second, *style.stones))
            self.circle(x, y, style.radius * pitch, hexed(odd))
        elif kind == "picture":
            turn, shift = float(random.uniform(0, 6)), 0.24 * pitch
            for number in range(6):
                shade = style.marks[number % 2]
                at = 1.9 * number + turn
                self.circle(x + shift * np.cos(at), y + shift * np.sin(at), 0.13 * pitch, hexed(shade))
        else:
            size = 2.4 * style.signs.reach if strokes and random.random() < 0.7 else float(random.uniform(0.5, 0.95))
            self.words(kind, x, y, size * pitch, colour, bold=style.bold)

    def hint(self, x: float, y: float, number: int) -> None:
        """What programs put on empty sites: legal moves, star points, values."""
        style, pitch = self.style, self.pitch
        colour = readable_ink(style.board, style.line)
        if style.hint_kind in PLACEHOLDERS:
            ink = blend(style.board, colour, style.hint_ink)
            self.words(
                style.hint_kind, x, y, 2.5 * style.hint_size * pitch, ink, font=style.signs.font, bold=style.bold
            )
        elif style.hint_kind == "text":
            notes = "ABCDEFabcdef" if style.lattice == "points" and style.bold else ""
            text = notes[number % len(notes)] if notes else f"{number % 97}"
            ink = blend(style.board, colour, style.hint_ink)
            self.words(text, x, y, 2.5 * style.hint_size * pitch, ink, bold=style.bold)
        elif style.hint_kind == "ring":
            more = f'stroke="{hexed(colour)}" stroke-width="{max(1.0, 0.03 * pitch):.2f}" opacity="0.7"'
            self.circle(x, y, min(style.hint_size, 0.14) * pitch, "none", more)
        elif style.hint_kind == "outline":
            ink = blend(style.board, colour, style.hint_ink)
            more = f'stroke="{hexed(ink)}" stroke-width="{max(1.0, 0.3 * style.hint_size * pitch):.2f}"'
            self.circle(x, y, style.radius * pitch, "none", more)
        elif style.hint_kind in ("saltire", "plus"):
            arm = 1.6 * style.hint_size * pitch
            path = f"M{-arm:.2f} {-arm:.2f}L{arm:.2f} {arm:.2f}M{-arm:.2f} {arm:.2f}L{arm:.2f} {-arm:.2f}"
            turn = "" if style.hint_kind == "saltire" else " rotate(45)"
            self.parts.append(
                f'<path d="{path}" transform="translate({x:.2f} {y:.2f}){turn}" stroke="{hexed(style.marks[1])}" '
                f'stroke-width="{max(1.0, 0.035 * pitch):.2f}"/>'
            )
        elif style.hint_kind == "spark":
            self._spark(x, y, 2.2 * style.hint_size * pitch, hexed(style.marks[1]))
        elif style.hint_kind == "ghost":
            shade = hexed(style.stones[number % 2])
            self.circle(x, y, style.radius * pitch, shade, f'opacity="{1.2 * style.hint_size:.2f}"')
        elif style.hint_kind == "box":
            side = 4 * style.hint_size * pitch
            corner = f'x="{x - side / 2:.2f}" y="{y - side / 2:.2f}" width="{side:.2f}" height="{side:.2f}"'
            more = f'fill="none" stroke="{hexed(style.marks[0])}" stroke-width="{max(1.0, 0.03 * pitch):.2f}"'
            self.parts.append(f"<rect {corner} {more}/>")
        elif style.hint_kind == "tint":
            side = (1 - max(style.gap, 0.06)) * pitch
            self.rectangle(x - side / 2, y - side / 2, side, side, style.marks[0], f'opacity="{style.hint_size}"')
        else:
            more = "" if style.hint_kind == "star" else 'opacity="0.8"'
            self.circle(x, y, style.hint_size * pitch, hexed(colour), more)

    def last(self, x: float, y: float, under: Colour) -> None:
        """The mark of the last move."""
        style, colour = self.style, readable_ink(under, under if self.style.plain_mark else (230, 60, 40))
        radius = style.radius * self.pitch
        reach, width = style.mark * radius, max(1.0, style.mark_width * radius)
        line = f'fill="none" stroke="{hexed(colour)}" stroke-width="{width:.2f}"'
        if style.last_kind == "dot":
            self.circle(x, y, 0.7 * reach, hexed(colour))
        elif style.last_kind == "ring":
            inner = min(reach, 0.88 * radius - width / 2)  # a ring on the rim would be the stone's own colour
            self.parts.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{inner:.2f}" {line}/>')
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
        elif style.last_kind == "saltire":
            self.parts.append(
                f'<path d="M{x - reach / 2:.2f} {y - reach / 2:.2f}l{reach:.2f} {reach:.2f}m0 {-reach:.2f}'
                f'l{-reach:.2f} {reach:.2f}" {line}/>'
            )
        elif style.last_kind == "cross":
            self.parts.append(
                f'<path d="M{x - reach:.2f} {y:.2f}h{2 * reach:.2f}M{x:.2f} {y - reach:.2f}v{2 * reach:.2f}" {line}/>'
            )

        elif style.last_kind == "corners":
            out, arm = 0.46 * self.pitch, 0.14 * self.pitch
            path = "".join(
                f"M{x + a * out:.2f} {y + b * (out - arm):.2f}v{b * arm:.2f}h{-a * arm:.2f}"
                for a in (-1, 1)
                for b in (-1, 1)
            )
            self.parts.append(f'<path d="{path}" {line}/>')

    def glare(self, at: float) -> None:
        """Light on the part of the board above a slanting line."""
        x, y = self.site(0, 0)
        width, height = self.columns * self.pitch, self.rows * self.pitch
        self.parts.append(
            f'<path d="M{x - width} {y - self.pitch:.1f}h{3 * width:.1f}l0 {at * height:.1f}L{x - width:.1f} '
            f'{y + 1.2 * at * height:.1f}z" fill="#ffffff" opacity="{0.6 * self.style.glare}"/>'
        )

    def svg(self, width: int, height: int, first: int = 0, last: int | None = None) -> str:
        """The parts from `first` to `last` as a picture; on paper only if the first is among them."""
        gradients = "".join(
            f'<radialGradient id="stone{player}" cx="{self.style.lit[0]}" cy="{self.style.lit[1]}" r="0.8">'
            f'<stop offset="0" stop-color="{hexed(blend(colour, (255, 255, 255), 0.55 * self.style.shade))}"/>'
            f'<stop offset="0.55" stop-color="{hexed(colour)}"/>'
            f'<stop offset="1" stop-color="{hexed(blend(colour, (0, 0, 0), 0.35 * self.style.shade))}"/>'
            "</radialGradient>"
            for player, colour in enumerate(self.style.stones)
        )
        x, y = (1, 0) if self.style.level_grain else (0.3, 1)
        gradients += (
            f'<linearGradient id="slope" x2="{x}" y2="{y}"><stop offset="0" stop-color="#ffffff"/>'
            '<stop offset="1" stop-color="#000000"/></linearGradient>'
        )
        gradients += (
            f'<linearGradient id="paper" x2="1" y2="1"><stop offset="0" stop-color="{hexed(self.style.paper)}"/>'
            f'<stop offset="1" stop-color="{hexed(self.style.paper_end)}"/></linearGradient>'
        )
        paper = f'<rect width="{width}" height="{height}" fill="url(#paper)"/>' if not first else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
            f"<defs>{gradients}</defs>{paper}{''.join(self.parts[first:last])}</svg>"
        )
