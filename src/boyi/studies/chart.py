"""Curves as an SVG picture, for the reports of studies."""

import math
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from boyi.arena.plot import axis
from boyi.draw.canvas import clean
from boyi.draw.render_svg import FONTS
from boyi.draw.themes import CARDS

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 360, 64, 190, 52, 52
COLOURS = ("#2f6fb3", "#c0504d", "#4f8f3a", "#8064a2", "#d08a2e", "#3a9aa8", "#7f7f7f", "#b04a8a")
Curve = Sequence[tuple[float, float]]


def curves_svg(curves: Mapping[str, Curve], *, title: str, x_title: str, y_title: str) -> str:
    """An SVG document with a line and a name for each curve of points (x, y)."""
    card = CARDS["light"]
    points = [point for curve in curves.values() for point in curve]
    x_low, x_high, x_step = _axis([x for x, _ in points])
    y_low, y_high, y_step = _axis([y for _, y in points])

    def at(x: float, y: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - RIGHT) * (x - x_low) / (x_high - x_low)
        return across, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (y - y_low) / (y_high - y_low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" font-family="{FONTS}" font-size="13"><title>{escape(clean(title))}</title>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="{card.paper}" stroke="{card.edge}"/>',
        f'<text x="16" y="28" font-size="16" font-weight="600" fill="{card.text}">{escape(clean(title))}</text>',
        f'<text x="{LEFT}" y="{TOP - 8}" fill="{card.muted}">{escape(clean(y_title))}</text>',
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 12}" text-anchor="end" fill="{card.muted}">'
        f"{escape(clean(x_title))}</text>",
    ]
    for number in range(round((x_high - x_low) / x_step) + 1):
        x, bottom = at(x_low + number * x_step, y_low)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom:.1f}" stroke="{card.edge}"/>'
            f'<text x="{x:.1f}" y="{bottom + 18:.1f}" text-anchor="middle" fill="{card.muted}">'
            f"{round(x_low + number * x_step, 9):g}</text>"
        )
    for number in range(round((y_high - y_low) / y_step) + 1):
        left, y = at(x_low, y_low + number * y_step)
        parts.append(
            f'<line x1="{left:.1f}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{card.edge}"/>'
            f'<text x="{left - 8:.1f}" y="{y + 4.5:.1f}" text-anchor="end" fill="{card.muted}">'
            f"{round(y_low + number * y_step, 9):g}</text>"
        )
    for number, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in curve))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in (at(*point) for point in curve)
        ]
        y = TOP + 10 + 20 * number
        parts.append(
            f'<line x1="{WIDTH - RIGHT + 12}" x2="{WIDTH - RIGHT + 30}" y1="{y}" y2="{y}" stroke="{colour}" '
            f'stroke-width="4"/><text x="{WIDTH - RIGHT + 36}" y="{y + 4.5}" fill="{card.text}">'
            f"{escape(clean(name))}</text>"
        )
    return "".join([*parts, "</svg>"])


def _axis(numbers: Sequence[float]) -> tuple[float, float, float]:
    """Round ends and step of an axis; small numbers are enlarged first, because `axis` is made for Elo."""
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    scale = 10.0 ** round(math.log10(1000.0 / (high - low)))
    found = axis(low * scale, high * scale)
    return found[0] / scale, found[1] / scale, found[2] / scale
