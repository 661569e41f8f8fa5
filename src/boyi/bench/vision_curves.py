"""Plots what damage does to boards that are read: `python -m boyi.bench.vision_curves RESULTS.json CURVES.svg`.

RESULTS.json is what `boyi bench vision --json` printed. Each small chart shows one kind of damage: the share of boards
that are read exactly, and of those that are read wrongly without a word, against its strength.
"""

import json
import sys
from collections.abc import Mapping
from html import escape
from pathlib import Path

from boyi.vision.damage import DAMAGE

WIDTH, HEIGHT, COLUMNS = 230, 150, 4
LEFT, TOP, INNER_WIDTH, INNER_HEIGHT = 40, 26, 176, 92
ENDS = {
    "scale": ("none", "1.8 times"),
    "jpeg": ("quality 95", "20"),
    "noise": ("none", "14 levels"),
    "blur": ("none", "6 % of a pitch"),
    "crop": ("wide", "close"),
    "cursor": ("small", "large"),
    "rotation": ("none", "5°"),
    "perspective": ("none", "10 %"),
}
"""What strength 0 and 1 of each damage mean."""
LINES = {"board exact": ("#2a78b8", "read exactly"), "silent errors": ("#c0392b", "wrong without a word")}
CLEAN = ("own light", "own dark", "plain")
Shares = Mapping[str, float]


def curve(shares: Shares, damage: str, what: str) -> list[tuple[float, float]]:
    """Strength and share in per cent, beginning with the clean pictures of the same sources."""
    clean = [shares[f"{source}, {what}"] for source in CLEAN if f"{source}, {what}" in shares]
    points = [(0.0, sum(clean) / len(clean))] if clean else []
    for name, value in shares.items():
        head, _, tail = name.partition(", ")
        kind, _, strength = head.partition(" ")
        if kind == damage and tail == what:
            points.append((float(strength), value))
    return sorted(points)


def chart(shares: Shares, damage: str, x: float, y: float) -> str:
    """One small chart whose corner is at (x, y)."""
    left, top = x + LEFT, y + TOP
    parts = [f'<text x="{left}" y="{y + 16}" font-weight="bold">{escape(damage)}</text>']
    for share in (0, 50, 100):
        height = top + INNER_HEIGHT * (1 - share / 100)
        parts.append(f'<path d="M{left} {height}h{INNER_WIDTH}" stroke="#8888" stroke-width="1"/>')
        parts.append(f'<text x="{left - 6}" y="{height + 4}" text-anchor="end" fill="#777">{share}</text>')
    for place, word in zip((0, 1), ENDS[damage], strict=True):
        anchor = "end" if place else "start"
        at = f'x="{left + place * INNER_WIDTH}" y="{top + INNER_HEIGHT + 16}"'
        parts.append(f'<text {at} text-anchor="{anchor}" fill="#777">{escape(word)}</text>')
    for what, (colour, _) in LINES.items():
        places = [
            (left + INNER_WIDTH * strength, top + INNER_HEIGHT * (1 - share / 100))
            for strength, share in curve(shares, damage, what)
        ]
        line = " ".join(f"{px:.1f},{py:.1f}" for px, py in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.5" fill="{colour}"/>' for px, py in places]
    return "".join(parts)


def plot(shares: Shares) -> str:
    """All charts as one SVG document."""
    rows = -(-len(DAMAGE) // COLUMNS)
    width, height = COLUMNS * WIDTH, rows * HEIGHT + 30
    parts = [
        chart(shares, damage, WIDTH * (number % COLUMNS), HEIGHT * (number // COLUMNS) + 26)
        for number, damage in enumerate(DAMAGE)
    ]
    for number, (colour, word) in enumerate(LINES.values()):
        at = 40 + 170 * number
        parts.append(f'<path d="M{at} 14h22" stroke="{colour}" stroke-width="3"/>')
        parts.append(f'<text x="{at + 28}" y="18">{escape(word)}, %</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui,sans-serif" font-size="11.5" fill="#333">'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def main(arguments: list[str]) -> None:
    """Command line."""
    if len(arguments) != 2:
        raise SystemExit("write: python -m boyi.bench.vision_curves RESULTS.json CURVES.svg")
    results = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))["results"]
    Path(arguments[1]).write_text(plot({row["name"]: row["value"] for row in results}), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
