"""Pictures of positions and of single pieces, made from what the service says of a position.

A game's looks (pieces, surface, coordinates) come from its registered attributes; no rules are run here.
"""

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from boyi import draw
from boyi.draw.canvas import Canvas
from boyi.draw.layout import Layout
from boyi.draw.stones import draw_labels, draw_stones
from boyi.games.registry import game, own_file
from boyi.service.views import PositionView, Theme

SIDE = 100
"""Pixels of a piece's own picture."""


@dataclass(frozen=True)
class Remarks:
    """What is said about a position; moves are texts."""

    values: Mapping[str, str] = field(default_factory=dict)
    """Short texts on the moves' squares, or beside their arrows."""
    heat: Mapping[str, float] = field(default_factory=dict)
    """Strength, 0 to 1, of the colour behind a move."""
    suggestion: str | None = None
    """The move to highlight."""


NOTHING = Remarks()


@dataclass(frozen=True)
class Look:
    """How a game looks: an empty board, and every piece by its cell text."""

    diagram: draw.Diagram
    pieces: Mapping[str, str]
    """Cell text -> SVG of the piece alone."""

    def owner(self, cell: str) -> int:
        """Whose piece a cell text is: pieces are listed side by side, player 0's first."""
        return 2 * list(self.pieces).index(cell) // len(self.pieces)


def look(rules: str) -> Look:
    """How a game looks, by its name and parameters."""
    return _look(rules, text_of(rules))


def text_of(rules: str) -> Path | None:
    """Where the rules of an owner's own game are: elsewhere after every change of them. None for other games."""
    return own_file(rules.partition(":")[0])


@functools.lru_cache(maxsize=64)
def _look(rules: str, text: Path | None) -> Look:
    found = game(rules)
    diagram = found.diagram(found.blank())
    return Look(diagram, {cell: piece_picture(diagram, cell) for cell in diagram.pieces})


def piece_picture(diagram: draw.Diagram, cell: str) -> str:
    """One piece alone, as an SVG document of SIDE x SIDE without a size of its own."""
    alone = dataclasses.replace(diagram, rows=((cell,),), columns=(), row_labels=(), dots=(), areas={})
    layout = Layout(SIDE, SIDE, 0, 0, SIDE, 1, 1, unit=SIDE / 60, label_x=0, label_y=0, caption_y=0)
    canvas = Canvas(f"piece-{diagram.lattice}-{cell}")
    draw_stones(canvas, alone, layout)
    draw_labels(canvas, alone, layout)
    return canvas.element(
        "svg",
        "".join(canvas.elements),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {SIDE} {SIDE}",
        text_anchor="middle",
        font_family="system-ui,sans-serif",
        aria_hidden="true",
    )


def position_picture(
    view: PositionView,
    *,
    theme: Theme = "auto",
    legal: bool = False,
    coordinates: bool = True,
    size: int = 720,
    remarks: Remarks = NOTHING,
) -> str:
    """A position as SVG. Legal moves are marked only where they say something: not where every free square is one."""
    diagram = dataclasses.replace(look(view.rules).diagram, rows=tuple(tuple(row) for row in view.cells))
    return draw.svg(
        diagram, _overlay(view, legal and _is_telling(view), remarks), theme=theme, size=size, coordinates=coordinates
    )


def _is_telling(view: PositionView) -> bool:
    empty = sum(not cell for row in view.cells for cell in row)
    targets = {target.squares[-1] for target in view.moves if target.squares}
    return len(targets) < empty or any(len(target.squares) > 1 for target in view.moves)


def _overlay(view: PositionView, legal: bool, remarks: Remarks) -> draw.Overlay:
    squares = {target.move: target.squares for target in view.moves}
    told = {*remarks.values, *remarks.heat} | ({remarks.suggestion} if remarks.suggestion else set())
    told &= set(squares)
    best = squares.get(remarks.suggestion or "", [])
    paths = [
        draw.Arrow(
            squares[move][0],
            squares[move][1],
            label=remarks.values.get(move, ""),
            weight=1.0 if move == remarks.suggestion else remarks.heat.get(move, 0.5),
        )
        for move in sorted(told)
        if len(squares[move]) == 2
    ]
    placed = {move: squares[move][0] for move in told if len(squares[move]) == 1}
    marked = [found for found in squares.values() if found] if legal else []
    return draw.Overlay(
        last=tuple(view.last),
        legal=tuple(sorted({found[-1] for found in marked})),
        movable=tuple(sorted({found[0] for found in marked if len(found) == 2})),
        values={square: remarks.values[move] for move, square in placed.items() if move in remarks.values},
        heat={square: remarks.heat[move] for move, square in placed.items() if move in remarks.heat},
        arrows=tuple(paths),
        suggestion=best[-1] if best else None,
    )
