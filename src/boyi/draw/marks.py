"""Overlays: tints and heat under the pieces; marks, arrows and values over them."""

from math import hypot

from .canvas import Canvas, fitted, number, text_width
from .diagram import Arrow, Diagram, Overlay, Piece
from .layout import Layout
from .stones import outline, radius
from .themes import HEAT_STEPS, LAST, STONES


def heat_step(overlay: Overlay, square: int) -> int:
    """The heat of a square as a step, 0 to HEAT_STEPS."""
    return round(HEAT_STEPS * overlay.heat.get(square, 0.0))


def draw_tints(canvas: Canvas, diagram: Diagram, overlay: Overlay, layout: Layout) -> None:
    """Coloured squares under the grid: areas, and on "squares" heat and the last move."""
    for square, colour in diagram.areas.items():
        _fill_square(canvas, layout, square, style=colour, opacity=0.32)
    if diagram.lattice == "points":
        return
    for square in overlay.heat:
        _fill_square(canvas, layout, square, style=f"heat{heat_step(overlay, square)}")
    for square in overlay.last:
        _fill_square(canvas, layout, square, style="last", opacity=0.75)


def draw_plates(canvas: Canvas, diagram: Diagram, overlay: Overlay, layout: Layout) -> None:
    """On "points", discs that hold heat and hide the crossing behind a value."""
    if diagram.lattice != "points":
        return
    for square in dict.fromkeys((*overlay.heat, *overlay.values)):
        (x, y), step = layout.centre(square), heat_step(overlay, square)
        if diagram.piece(square) is None:
            canvas.add("circle", style=f"heat{step}", cx=x, cy=y, r=0.44 * layout.cell)
        elif step:
            canvas.add("circle", style=f"heat{step}", cx=x, cy=y, r=0.55 * layout.cell)


def draw_marks(canvas: Canvas, diagram: Diagram, overlay: Overlay, layout: Layout) -> None:
    """The last move, movable pieces, legal moves and the suggestion."""
    for square in overlay.last:
        _last(canvas, diagram, overlay, layout, square)
    for square in overlay.movable:
        _movable(canvas, diagram, layout, square)
    told = {*overlay.values, *(arrow.end for arrow in overlay.arrows)}
    for square in overlay.legal:
        if square not in told:
            _legal(canvas, diagram, layout, square)
    if overlay.suggestion is not None:
        _suggestion(canvas, diagram, layout, overlay.suggestion)


def draw_arrows(canvas: Canvas, overlay: Overlay, layout: Layout) -> None:
    """Half-transparent arrows, each one polygon that begins at the tip and narrows towards the start."""
    for arrow in overlay.arrows:
        x, y = layout.centre(arrow.start)
        along, down, length = _direction(layout, arrow)
        half = layout.extent(0.035 + 0.035 * arrow.weight, 3 + 3 * arrow.weight)
        neck = length - 4.4 * half
        side = ((neck, 2.5 * half), (neck, half), (0.0, 0.5 * half))
        corners = ((length, 0.0), *side, *((a, -b) for a, b in reversed(side)))
        points = (f"{number(x + a * along - b * down)},{number(y + a * down + b * along)}" for a, b in corners)
        canvas.add("polygon", style=arrow.colour, points=" ".join(points), opacity=0.4 + 0.4 * arrow.weight)


def draw_values(canvas: Canvas, diagram: Diagram, overlay: Overlay, layout: Layout) -> None:
    """Values in the middle of a square, or on a badge where a piece needs the middle; and the labels of arrows."""
    font, room = layout.extent(0.36, 30), 0.8 * layout.cell
    for square, value in overlay.values.items():
        (x, y), piece = layout.centre(square), diagram.piece(square)
        if piece is None:
            style = f"ink{heat_step(overlay, square)}"
            canvas.write(value, x, y, font, room=room, style=style, font_weight="600")
        elif _holds_text(piece):
            canvas.write(value, x, y, font, room=0.85 * room, fill=STONES[piece.colour].ink, font_weight="600")
        else:
            _badge(canvas, layout, value, square, 1.0, 1.0)
    for arrow in overlay.arrows:
        if arrow.label:
            along, down, _ = _direction(layout, arrow)
            _badge(canvas, layout, arrow.label, arrow.end, along, down)


def _direction(layout: Layout, arrow: Arrow) -> tuple[float, float, float]:
    """An arrow's direction, x and y of a vector of length 1, and its length in pixels."""
    x, y = layout.centre(arrow.start)
    tip_x, tip_y = layout.centre(arrow.end)
    length = hypot(tip_x - x, tip_y - y)
    return (tip_x - x) / length, (tip_y - y) / length, length


def _badge(canvas: Canvas, layout: Layout, text: str, square: int, along: float, down: float) -> None:
    """A small plate with text, away from the square's centre in direction (along, down) but inside the square."""
    x, y = layout.centre(square)
    cell, room = layout.cell, 0.75 * layout.cell
    font = fitted(text, layout.extent(0.195, 18), room)
    width, height = max(font * (text_width(text) + 0.6), 1.5 * font), 1.5 * font
    x += max(-1.0, min(1.0, 2 * along)) * 0.44 * (cell - width)
    y += max(-1.0, min(1.0, 2 * down)) * 0.46 * (cell - height)
    canvas.add(
        "rect",
        style="card",
        x=x - width / 2,
        y=y - height / 2,
        width=width,
        height=height,
        rx=height / 2,
        stroke_width=layout.line,
    )
    canvas.write(text, x, y, font, room=room, style="text", font_weight="600")


def _fill_square(canvas: Canvas, layout: Layout, square: int, *, style: str, **attributes: float) -> None:
    x, y = layout.corner(square)
    canvas.add("rect", style=style, x=x, y=y, width=layout.cell, height=layout.cell, **attributes)


def _holds_text(piece: Piece) -> bool:
    """Whether a value can be written in the middle of a piece."""
    return piece.shape in ("disc", "tile") and not piece.label


def _last(canvas: Canvas, diagram: Diagram, overlay: Overlay, layout: Layout, square: int) -> None:
    x, y = layout.centre(square)
    piece, width = diagram.piece(square), layout.extent(0.08, 5)
    if piece is not None and _holds_text(piece) and square not in overlay.values:
        colour, reach = STONES[piece.colour].last, 0.18
    elif diagram.lattice == "points":
        colour, reach = LAST, 0.18 if piece is None else 0.46
    else:
        return
    canvas.add("circle", cx=x, cy=y, r=reach * layout.cell, fill="none", stroke=colour, stroke_width=width)


def _movable(canvas: Canvas, diagram: Diagram, layout: Layout, square: int) -> None:
    x, y = layout.centre(square)
    piece, width = diagram.piece(square), layout.extent(0.05, 4)
    shape = piece.shape if piece else "tile"
    canvas.elements.append(
        outline(canvas, shape, x, y, radius(diagram, layout) + width / 2, style="movable", stroke_width=width)
    )


def _legal(canvas: Canvas, diagram: Diagram, layout: Layout, square: int) -> None:
    (x, y), reach = layout.centre(square), layout.extent(0.11, 9)
    if diagram.piece(square) is None:
        canvas.add("circle", style="mark", cx=x, cy=y, r=reach, opacity=0.55)
    else:
        shift = 0.5 * layout.cell - reach
        canvas.add("circle", style="mark", cx=x + shift, cy=y - shift, r=0.8 * reach)


def _suggestion(canvas: Canvas, diagram: Diagram, layout: Layout, square: int) -> None:
    (x, y), width = layout.centre(square), layout.extent(0.075, 4)
    shape = "disc" if diagram.lattice == "points" else "tile"
    reach = 0.5 * layout.cell - width
    glow = outline(canvas, shape, x, y, reach, style="suggestion", stroke_width=2 * width, opacity=0.35)
    canvas.elements += [glow, outline(canvas, shape, x, y, reach, style="suggestion", stroke_width=width)]
