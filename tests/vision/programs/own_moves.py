"""Programs that choose moves themselves: what stands on their boards is written down by hand, not in FOLDER.

`screens/screens.toml` has it for the pictures that lie there.
"""

import functools
import time

from programs.part import Part, Place
from programs.screen import Program, click, key, shot

Step = tuple[str | float, ...]
"""("click", x, y), ("key", name), ("wait", seconds), ("shot", name)."""
RING = [(3, 2), (2, 3), (5, 4), (4, 5), (2, 2)]
"""Columns and rows near the middle; what is not legal does nothing."""
PROGRAMS: dict[str, tuple[str, dict[str, str], tuple[Step, ...]]] = {
    "iagno": ("iagno", {"iagno": "iagno"}, (("wait", 4), ("click", 635, 657), ("wait", 3), ("shot", "iagno-1"))),
    "kreversi": (
        "kreversi",
        {"kreversi": "kreversi"},
        (
            ("wait", 8),
            ("key", "Return"),
            ("wait", 4),
            ("shot", "kreversi-1"),
            *[
                step
                for column, row in RING
                for step in (("click", 402.6 + (column + 0.5) * 59, 266.8 + (row + 0.5) * 59), ("wait", 1.4))
            ],
            ("shot", "kreversi-2"),
        ),
    ),
    "gtkboard": (
        "gtkboard --game=othello",
        {"gtkboard": "gtkboard"},
        (("wait", 3), ("shot", "gtkboard-0"), ("click", 575, 674), ("wait", 3), ("shot", "gtkboard-1")),
    ),
    "gomoku.app": (
        "Gomoku",
        {"Gomoku": "gomoku.app"},
        (
            ("wait", 4),
            ("click", 640, 500),
            ("wait", 2),
            ("click", 600, 460),
            ("wait", 2),
            ("click", 560, 540),
            ("wait", 2),
            ("shot", "gomokuapp-1"),
        ),
    ),
    "quarry": (
        "quarry",
        {"quarry": "quarry"},
        (
            ("wait", 4),
            ("click", 645, 384),
            ("wait", 3),
            ("click", 424, 396),
            ("wait", 1),
            ("click", 832, 682),
            ("wait", 2),
            ("click", 832, 682),
            ("wait", 3),
            ("shot", "quarry-r"),
        ),
    ),
    "kigo": ("kigo", {"kigo": "kigo", "gnugo": "gnugo"}, (("wait", 6), ("shot", "kigo-1"))),
    "pente": (
        "pente",
        {"pente": "pente"},
        (
            ("wait", 7),
            ("click", 653, 660),
            ("wait", 2),
            ("click", 595, 497),
            ("click", 615, 497),
            ("click", 615, 517),
            ("click", 575, 477),
            ("click", 635, 477),
            ("click", 555, 537),
            ("wait", 1),
            ("shot", "pente-1"),
        ),
    ),
}
"""Command, what it needs, and what is done in it."""


def act(step: Step, place: Place) -> None:
    match step:
        case ("wait", float(seconds) | int(seconds)):
            time.sleep(seconds)
        case ("click", float(x) | int(x), float(y) | int(y)):
            click(x, y)
        case ("key", str(name)):
            key(name)
        case ("shot", str(name)):
            shot(place.file(name), few_colours=True)
        case _:
            raise ValueError(step)


def taken(command: str, steps: tuple[Step, ...], place: Place) -> None:
    with Program(command, place.own):
        for step in steps:
            act(step, place)


PARTS = tuple(
    Part(f"{name}-own", functools.partial(taken, command, steps), needs, screen=True)
    for name, (command, needs, steps) in PROGRAMS.items()
)
