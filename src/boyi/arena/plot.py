"""A picture of ratings: a line a player, with a dot at its Elo and a bar for its 95 % interval."""

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from boyi.draw.canvas import clean
from boyi.draw.render_svg import FONTS
from boyi.draw.themes import CARDS

WIDTH, ROW, TOP, BOTTOM, RIGHT = 720, 30, 54, 44, 64
LETTER = 7.0
"""Width of a letter, about."""
LONGEST = 44
"""Letters of a name that are shown."""
ACCENT = "#2f6fb3"
STEPS = (1, 2, 5)


def ratings_svg(rows: Sequence[tuple[str, float, float, float]], *, title: str) -> str:
    """An SVG document; rows are name, Elo, low and high end, from the top."""
    card = CARDS["light"]
    names = [clean(name) for name, *_ in rows]
    names = [name if len(name) <= LONGEST else name[: LONGEST - 1] + "…" for name in names]
    left = 24 + LETTER * max(map(len, names), default=0)
    height = TOP + ROW * len(rows) + BOTTOM
    low, high, step = axis(min(row[2] for row in rows), max(row[3] for row in rows))

    def x(elo: float) -> float:
        return left + (WIDTH - RIGHT - left) * (elo - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" font-family="{FONTS}" font-size="13"><title>{escape(clean(title))}</title>',
        f'<rect width="{WIDTH}" height="{height}" rx="10" fill="{card.paper}" stroke="{card.edge}"/>',
        f'<text x="16" y="28" font-size="16" font-weight="600" fill="{card.text}">{escape(clean(title))}</text>',
    ]
    for number in range(round((high - low) / step) + 1):
        elo = low + number * step
        parts.append(
            f'<line x1="{x(elo):.1f}" x2="{x(elo):.1f}" y1="{TOP - 8}" y2="{height - BOTTOM + 4}" '
            f'stroke="{card.muted if elo == 0 else card.edge}"/>'
            f'<text x="{x(elo):.1f}" y="{height - BOTTOM + 22}" text-anchor="middle" fill="{card.muted}">{elo:g}</text>'
        )
    for number, (name, (_, elo, lowest, highest)) in enumerate(zip(names, rows, strict=True)):
        y = TOP + ROW * number + ROW / 2
        parts.append(
            f'<text x="{left - 12:.1f}" y="{y + 4.5:.1f}" text-anchor="end" fill="{card.text}">{escape(name)}</text>'
            f'<line x1="{x(lowest):.1f}" x2="{x(highest):.1f}" y1="{y}" y2="{y}" stroke="{ACCENT}" '
            'stroke-width="5" stroke-linecap="round" stroke-opacity="0.35"/>'
            f'<circle cx="{x(elo):.1f}" cy="{y}" r="5" fill="{ACCENT}"/>'
            f'<text x="{x(highest) + 10:.1f}" y="{y + 4.5:.1f}" fill="{card.muted}" '
            f'stroke="{card.paper}" stroke-width="4" paint-order="stroke">{elo:+.0f}</text>'
        )
    return "".join([*parts, "</svg>"])


def axis(low: float, high: float) -> tuple[float, float, float]:
    """Round ends of an axis that holds two numbers, and the distance of its marks, of which there are about six."""
    span = max(high - low, 1.0)
    power = 10.0 ** math.floor(math.log10(span / 6))
    step = next((power * k for k in STEPS if power * k * 6 >= span), power * 10)
    bottom = math.floor(low / step) * step
    return bottom, max(math.ceil(high / step) * step, bottom + step), step
