"""The looks of pieces. Each look in use is defined once, around (0, 0), and placed wherever it stands."""

from .canvas import Canvas
from .diagram import Diagram
from .layout import Layout
from .themes import STONES, Stone


def radius(diagram: Diagram, layout: Layout) -> float:
    """Radius of a disc, and half the side of a tile, in pixels."""
    return layout.cell * (0.47 if diagram.lattice == "points" else 0.405)


def outline(canvas: Canvas, shape: str, x: float, y: float, reach: float, **attributes: str | float) -> str:
    """A circle for discs and rings, a rounded square for the rest, `reach` from (x, y) to its sides."""
    if shape in ("disc", "ring"):
        return canvas.element("circle", cx=x, cy=y, r=reach, **attributes)
    side = 2 * reach
    return canvas.element("rect", x=x - reach, y=y - reach, width=side, height=side, rx=0.34 * reach, **attributes)


def draw_stones(canvas: Canvas, diagram: Diagram, layout: Layout) -> None:
    """Draw every piece of the diagram, without its label."""
    pieces = [(square, piece) for square in diagram.squares if (piece := diagram.piece(square))]
    looks = list(dict.fromkeys((piece.shape, piece.colour) for _, piece in pieces))
    if looks:
        definitions = [_definition(canvas, shape, colour, radius(diagram, layout)) for shape, colour in looks]
        if any(shape == "disc" for shape, _ in looks):
            definitions.append(_shadow(canvas))
        canvas.add("defs", "".join(definitions))
    for square, piece in pieces:
        x, y = layout.centre(square)
        canvas.add("use", href=f"#{canvas.scope}-{piece.shape}-{piece.colour}", x=x, y=y)


def draw_labels(canvas: Canvas, diagram: Diagram, layout: Layout) -> None:
    """Draw the labels of the pieces."""
    reach = radius(diagram, layout)
    for square in diagram.squares:
        piece = diagram.piece(square)
        if piece and piece.label:
            stone, (x, y) = STONES[piece.colour], layout.centre(square)
            ink = stone.ink if piece.shape in ("disc", "tile") else stone.body
            canvas.write(piece.label, x, y, 1.15 * reach, room=1.5 * reach, font_weight="700", fill=ink)


def _stop(canvas: Canvas, offset: float, colour: str, **attributes: str | float) -> str:
    return canvas.element("stop", offset=offset, stop_color=colour, **attributes)


def _definition(canvas: Canvas, shape: str, colour: str, reach: float) -> str:
    stone, name = STONES[colour], f"{canvas.scope}-{shape}-{colour}"
    stops = _stop(canvas, 0, stone.high) + _stop(canvas, 0.5, stone.body) + _stop(canvas, 1, stone.low)
    fill = f"url(#{name}-fill)"
    if shape == "disc":
        shading = canvas.element("radialGradient", stops, id=f"{name}-fill", cx=0.36, cy=0.3, r=0.76)
        return shading + canvas.element("g", _disc(canvas, stone, fill, reach), id=name)
    if shape == "tile":
        shading = canvas.element("linearGradient", stops, id=f"{name}-fill", x1=0, y1=-0.35, x2=0.15, y2=1.25)
        return shading + canvas.element("g", _tile(canvas, fill, reach), id=name)
    strokes = _cross(canvas, stone, reach) if shape == "cross" else _ring(canvas, stone, reach)
    return canvas.element("g", strokes, id=name)


def _shadow(canvas: Canvas) -> str:
    stops = _stop(canvas, 0.78, "#000", stop_opacity=0.42) + _stop(canvas, 1, "#000", stop_opacity=0)
    return canvas.element("radialGradient", stops, id=f"{canvas.scope}-shadow")


def _disc(canvas: Canvas, stone: Stone, fill: str, reach: float) -> str:
    shadow = canvas.element(
        "circle", cx=0.03 * reach, cy=0.09 * reach, r=1.1 * reach, fill=f"url(#{canvas.scope}-shadow)"
    )
    rim = 0.03 * reach
    return shadow + canvas.element(
        "circle", r=reach - rim / 2, fill=fill, stroke=stone.edge, stroke_opacity=0.6, stroke_width=rim
    )


def _tile(canvas: Canvas, fill: str, reach: float) -> str:
    soft = outline(canvas, "tile", 0, 0.08 * reach, 1.03 * reach, fill="#000", opacity=0.1)
    shadow = outline(canvas, "tile", 0, 0.06 * reach, reach, fill="#000", opacity=0.22)
    body = outline(canvas, "tile", 0, 0, reach, fill=fill)
    rim = outline(
        canvas, "tile", 0, 0, 0.955 * reach, fill="none", stroke="#fff", stroke_opacity=0.28, stroke_width=0.05 * reach
    )
    return soft + shadow + body + rim


def _cross(canvas: Canvas, stone: Stone, reach: float) -> str:
    arm = 0.66 * reach
    path = f"M{-arm:.2f} {-arm:.2f}L{arm:.2f} {arm:.2f}M{-arm:.2f} {arm:.2f}L{arm:.2f} {-arm:.2f}"
    return _stroked(canvas, "path", stone, reach, d=path, stroke_linecap="round")


def _ring(canvas: Canvas, stone: Stone, reach: float) -> str:
    return _stroked(canvas, "circle", stone, reach, r=0.72 * reach)


def _stroked(canvas: Canvas, tag: str, stone: Stone, reach: float, **attributes: str | float) -> str:
    edge = canvas.element(
        tag, fill="none", stroke=stone.edge, stroke_opacity=0.8, stroke_width=0.29 * reach, **attributes
    )
    return edge + canvas.element(tag, fill="none", stroke=stone.body, stroke_width=0.22 * reach, **attributes)
