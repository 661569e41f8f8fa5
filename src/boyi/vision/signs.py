"""Crosses and rings as programs draw them: with a pen, by hand, as letters of any font and size. Start at `draw`."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from boyi.vision.colours import Colour, blend, hexed

FONTS = (
    "DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "Liberation Sans", "Liberation Serif", "Liberation Mono",
    "FreeSans", "FreeSerif", "Nimbus Sans Narrow", "URW Gothic", "URW Bookman", "Z003", "C059", "VL Gothic",
    "Latin Modern Sans", "Latin Modern Roman", "Nimbus Mono PS", "FreeMono", "Latin Modern Mono", "P052", "Roboto",
    "Open Sans", "Lato", "Comic Neue", "Inconsolata", "Cantarell",
)  # fmt: skip
"""Where one is not installed, another stands in for it."""
LETTERS = (("X", "O"), ("X", "O"), ("X", "O"), ("x", "o"), ("X", "0"), ("×", "○"), ("✕", "○"), ("✖", "◯"), ("✗", "○"),
           ("✘", "O"), ("❌", "⭕"), ("B", "W"), ("B", "W"), ("b", "w"), ("黑", "白"), ("黒", "白"))  # fmt: skip
"""Those of the first and of the second player."""
FILLED = 0.08
"""How many boards have discs for rings."""
HAND = 12
"""Points of a ring that is drawn by hand."""


@dataclass(frozen=True)
class Signs:
    """How crosses and rings look. Lengths are shares of the distance between two sites."""

    letters: tuple[str, str]
    """Empty where they are drawn with a pen."""
    font: str
    bold: bool
    reach: float
    """Half of their height."""
    width: float
    """Half of their width, as a share of that."""
    stroke: float
    edge: float
    """Width of a dark edge as a share of the stroke, and strength of a light line on it."""
    glow: float
    """Strength of a light around them."""
    hand: float
    """How far a hand misses."""
    turn: float
    """Degrees."""
    shift: tuple[float, float]
    """How far from the middle of the square they all are, to the right and down."""
    backed: float
    """How strongly their squares have a colour of their own."""
    round_ends: bool
    filled: bool
    """Whether rings are discs."""


def random_signs(random: np.random.Generator) -> Signs:
    """Signs drawn at random: most in the middle of their square and half as large, some small, some beside it."""
    reach = float(random.uniform(0.18, 0.5) if random.random() < 0.65 else random.uniform(0.06, 0.2))
    lettered = random.random() < 0.5
    shift = (0.0, 0.0)
    if random.random() < 0.25:
        room = max(0.0, 0.44 - reach)
        shift = float(random.uniform(-room, room)) / 2, float(random.uniform(-room, room))
    return Signs(
        letters=LETTERS[int(random.integers(len(LETTERS)))] if lettered else ("", ""),
        font=str(random.choice(FONTS)),
        bold=bool(random.random() < 0.5),
        reach=reach,
        width=float(np.exp(random.uniform(-0.35, 0.2))) if random.random() < 0.3 else 1.0,
        stroke=float(random.uniform(0.02, 0.1) if random.random() < 0.25 else random.uniform(0.1, 0.75)) * reach,
        edge=float(random.choice([0, 0, 0, 0.3, 0.6])),
        glow=float(random.choice([0, 0, 0, 0, 0.3, 0.6])),
        hand=float(random.uniform(0.02, 0.12)) if random.random() < 0.2 else 0.0,
        turn=float(random.normal(0, 5)) if random.random() < 0.2 else 0.0,
        shift=shift,
        backed=float(random.choice([0, 0, 0, 0.3, 0.8])),
        round_ends=bool(random.random() < 0.5),
        filled=bool(random.random() < FILLED),
    )


class Sheet(Protocol):
    """Where signs are drawn: `painter.Painter`."""

    pitch: float
    parts: list[str]
    random: np.random.Generator

    def words(
        self, text: str, x: float, y: float, size: float, colour: Colour, *, font: str, bold: bool, heavy: float = 0.0
    ) -> None: ...


def draw(sheet: Sheet, signs: Signs, x: float, y: float, player: int, colour: Colour) -> None:
    """A cross for player 0, a ring for player 1, in the square whose middle is (x, y)."""
    pitch = sheet.pitch
    x, y, reach = x + signs.shift[0] * pitch, y + signs.shift[1] * pitch, signs.reach * pitch
    if signs.letters[player]:
        size = 2.4 * reach
        for heavy in (0.3, 0.15) if signs.glow else ():
            sheet.parts.append(f'<g opacity="{0.5 * signs.glow:.2f}">')
            sheet.words(signs.letters[player], x, y, size, colour, font=signs.font, bold=signs.bold, heavy=heavy)
            sheet.parts.append("</g>")
        sheet.words(signs.letters[player], x, y, size, colour, font=signs.font, bold=signs.bold)
        return
    wide = max(1.0, signs.stroke * pitch)
    layers = [(wide, colour, 1.0)]
    if signs.edge:
        layers.insert(0, (wide * (1 + signs.edge), blend(colour, (0, 0, 0), 0.65), 1.0))
        layers.append((wide * 0.25, blend(colour, (255, 255, 255), signs.edge), 1.0))
    if signs.glow:
        layers = [(wide * more, colour, 0.3 * signs.glow) for more in (2.4, 1.8, 1.4)] + layers
    path = (_ring if player else _cross)(reach * signs.width, reach, signs.hand, sheet.random)
    cap = "round" if signs.round_ends else "butt"
    place = f'transform="translate({x:.2f} {y:.2f}) rotate({signs.turn:.1f})"'
    for width, tone, opacity in layers:
        fill = hexed(tone) if player and signs.filled else "none"
        sheet.parts.append(
            f'<path d="{path}" {place} fill="{fill}" stroke="{hexed(tone)}" stroke-width="{width:.2f}" '
            f'stroke-linecap="{cap}" opacity="{opacity:.2f}"/>'
        )


def _cross(wide: float, high: float, hand: float, random: np.random.Generator) -> str:
    ends = np.array([(-wide, -high), (0, 0), (wide, high), (wide, -high), (0, 0), (-wide, high)])
    ends = ends + random.normal(0, 1, ends.shape) * hand * high
    arms = ["M{:.2f} {:.2f}Q{:.2f} {:.2f} {:.2f} {:.2f}".format(*arm.ravel()) for arm in (ends[:3], ends[3:])]
    return "".join(arms)


def _ring(wide: float, high: float, hand: float, random: np.random.Generator) -> str:
    if not hand:
        return f"M{wide:.2f} 0A{wide:.2f} {high:.2f} 0 1 1 {-wide:.2f} 0A{wide:.2f} {high:.2f} 0 1 1 {wide:.2f} 0z"
    angles = np.arange(HAND + 1) * 2 * np.pi / HAND + random.uniform(0, 2 * np.pi)
    size = 1 + random.normal(0, 1, HAND + 1) * hand
    points = np.stack((wide * size * np.cos(angles), high * size * np.sin(angles)), axis=1)
    middles = (points[1:] + points[:-1]) / 2
    curve = "".join(
        f"Q{a:.2f} {b:.2f} {c:.2f} {d:.2f}" for (a, b), (c, d) in zip(points[1:-1], middles[1:], strict=True)
    )
    return f"M{middles[0, 0]:.2f} {middles[0, 1]:.2f}{curve}"
