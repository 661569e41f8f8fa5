"""Colours as data: the card around a board, its surfaces in light and dark, the stones; and the style sheet they make.

Stones look the same in both themes, so a picture that follows the reader's setting only restyles what is around them.
"""

from collections.abc import Iterable
from typing import NamedTuple

HEAT_STEPS = 10
"""Heat is drawn in steps 0 (the bare surface) to HEAT_STEPS."""
INKS = ("#14171b", "#ffffff")
LAST = "#f0624d"


class Card(NamedTuple):
    """Everything around the board. Colours are "#rrggbb"."""

    paper: str
    edge: str
    text: str
    muted: str


class Surface(NamedTuple):
    """One board surface under one theme."""

    top: str
    bottom: str
    line: str
    mark: str
    """Star points and legal moves."""
    last: str
    """Squares of the last move."""
    accent: str
    """The suggestion, and arrows."""
    movable: str
    heat: str
    """The colour of heat 1."""


class Stone(NamedTuple):
    """One piece colour: light falls from the top left."""

    high: str
    body: str
    low: str
    edge: str
    """A thin contrasting rim, so that every colour shows on every surface."""
    ink: str
    """Text on the stone."""
    last: str
    """The mark of the last move on the stone."""


CARDS = {
    "light": Card("#fbfaf7", "#e3dfd7", "#2a2c30", "#77726a"),
    "dark": Card("#1d1f23", "#303339", "#e9e7e2", "#8d929b"),
}

SURFACES = {
    "light": {
        "felt": Surface("#55a777", "#479566", "#33754e", "#1c4a30", "#e3d75c", "#6a3df0", "#ffd166", "#fdf4b8"),
        "wood": Surface("#efcf98", "#e6bf80", "#92703f", "#5f4320", "#f7e08a", "#5b3fe0", "#1f7a8c", "#2fa39a"),
        "paper": Surface("#fffefb", "#f7f3ea", "#cdc5b6", "#968d7d", "#ffe28a", "#6a5be2", "#e08a00", "#4f9fe0"),
        "slate": Surface("#e3e8ed", "#d5dce3", "#aab5c1", "#64717f", "#f5dc7a", "#5b4fd6", "#f2a900", "#38b09d"),
    },
    "dark": {
        "felt": Surface("#33704f", "#2b6245", "#1d4932", "#0f2c1d", "#9a9440", "#b49cff", "#ffc94d", "#f0e6a4"),
        "wood": Surface("#b58d58", "#a67e4a", "#5f4524", "#3d2a12", "#d3b45e", "#4c2ee0", "#0d5563", "#4fd1c5"),
        "paper": Surface("#2e3239", "#282c32", "#4d545f", "#8a929d", "#86702a", "#a99bff", "#ffb938", "#3f8fd4"),
        "slate": Surface("#3d4651", "#353d47", "#57626f", "#a4afbb", "#8a7b3a", "#b3a7ff", "#ffc233", "#2f9e8e"),
    },
}

STONES = {
    "black": Stone("#6b7078", "#2a2d32", "#0d0e10", "#9aa0a8", "#ffffff", LAST),
    "white": Stone("#ffffff", "#f4f4f2", "#cfcfcc", "#6f7277", "#1d2024", LAST),
    "red": Stone("#f28b7d", "#d64a3f", "#ad2e27", "#b5352c", "#ffffff", "#ffffff"),
    "blue": Stone("#7db4f0", "#3578cf", "#2358a3", "#2a63b0", "#ffffff", "#ffffff"),
}


def mix(first: str, second: str, share: float) -> str:
    """The colour `share` of the way from `first` to `second`."""
    pairs = zip(bytes.fromhex(first[1:]), bytes.fromhex(second[1:]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two colours, 1 to 21, as WCAG 2 defines it."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    channels = [value / 255 for value in bytes.fromhex(colour[1:])]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def heat_colours(surface: Surface, step: int) -> tuple[str, str]:
    """Fill and readable ink for heat `step`, 0 to HEAT_STEPS."""
    fill = mix(mix(surface.top, surface.bottom, 0.5), surface.heat, 0.95 * step / HEAT_STEPS)
    return fill, max(INKS, key=lambda ink: contrast(fill, ink))


def rules(theme: str, surface_name: str) -> dict[str, str]:
    """Style rules, class -> declarations, for theme "light" or "dark"."""
    card, surface = CARDS[theme], SURFACES[theme][surface_name]
    found = {
        "card": f"fill:{card.paper};stroke:{card.edge}",
        "text": f"fill:{card.text}",
        "muted": f"fill:{card.muted}",
        "rim": f"fill:{mix(surface.bottom, surface.line, 0.75)}",
        "top": f"stop-color:{surface.top}",
        "bottom": f"stop-color:{surface.bottom}",
        "line": f"fill:none;stroke:{surface.line}",
        "mark": f"fill:{surface.mark}",
        "last": f"fill:{surface.last}",
        "accent": f"fill:{surface.accent}",
        "suggestion": f"fill:none;stroke:{surface.accent}",
        "movable": f"fill:none;stroke:{surface.movable}",
    }
    found |= {colour: f"fill:{stone.body}" for colour, stone in STONES.items()}
    for step in range(HEAT_STEPS + 1):
        fill, ink = heat_colours(surface, step)
        found |= {f"heat{step}": f"fill:{fill}", f"ink{step}": f"fill:{ink}"}
    return found


def style_sheet(scope: str, theme: str, surface: str, classes: Iterable[str]) -> str:
    """CSS for the `classes` a picture uses, valid only inside the element with id `scope`."""
    used = sorted(set(classes))
    first = rules("light" if theme == "auto" else theme, surface)
    sheet = "".join(f"#{scope} .{name}{{{first[name]}}}" for name in used)
    if theme == "auto":
        dark = rules("dark", surface)
        changed = "".join(f"#{scope} .{name}{{{dark[name]}}}" for name in used if dark[name] != first[name])
        sheet += f"@media (prefers-color-scheme:dark){{{changed}}}"
    return sheet
