"""SVG pictures: a card that holds the board, its coordinates and a caption. Start at `svg`."""

import hashlib
from xml.sax.saxutils import escape

from .canvas import Canvas, clean, number
from .diagram import NOTHING, THEMES, Diagram, Overlay, check_choice
from .layout import Layout, lay_out
from .marks import draw_arrows, draw_marks, draw_plates, draw_tints, draw_values
from .stones import draw_labels, draw_stones
from .themes import style_sheet

FONTS = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Liberation Sans','DejaVu Sans',Arial,sans-serif"


def svg(
    diagram: Diagram,
    overlay: Overlay = NOTHING,
    *,
    theme: str = "light",
    size: int = 480,
    coordinates: bool = True,
    title: str = "",
) -> str:
    """A complete SVG document, `size` pixels wide and as high as the board and caption need.

    `theme` is "light", "dark" or "auto", which follows the reader's setting. `title` is read out by screen readers; the
    caption stands in for it. The same arguments always give the same text. All ids begin with a hash of the arguments,
    so different pictures share a page. Attributes data-left, data-top and data-cell of the root give the board's top
    left corner and the side of a cell in pixels.
    """
    check_choice("theme", theme, THEMES)
    overlay.check(diagram)
    layout = lay_out(diagram, size=size, coordinates=coordinates, caption=bool(overlay.caption))
    arguments = repr((diagram, overlay, theme, size, coordinates, title))
    canvas = Canvas("b" + hashlib.sha256(arguments.encode("utf-8", "replace")).hexdigest()[:10])
    _draw_board(canvas, layout)
    draw_tints(canvas, diagram, overlay, layout)
    _draw_grid(canvas, diagram, layout)
    draw_plates(canvas, diagram, overlay, layout)
    draw_stones(canvas, diagram, layout)
    draw_marks(canvas, diagram, overlay, layout)
    draw_arrows(canvas, overlay, layout)
    draw_labels(canvas, diagram, layout)
    draw_values(canvas, diagram, overlay, layout)
    if coordinates:
        _draw_coordinates(canvas, diagram, layout)
    if overlay.caption:
        _draw_caption(canvas, layout, overlay.caption)
    return _document(canvas, diagram, layout, theme, title or overlay.caption or "Board")


def png(svg_text: str, *, scale: float = 1.0) -> bytes:
    """A picture from `svg` as PNG, `scale` times its size. Needs the package resvg_py. Theme "auto" comes out light."""
    try:
        import resvg_py
    except ImportError as error:
        raise RuntimeError("PNG pictures need the package resvg_py: pip install resvg_py") from error
    return bytes(resvg_py.svg_to_bytes(svg_string=svg_text, zoom=scale))


def _draw_board(canvas: Canvas, layout: Layout) -> None:
    line = layout.line
    canvas.add(
        "rect",
        style="card",
        x=line / 2,
        y=line / 2,
        width=layout.size - line,
        height=layout.height - line,
        rx=10 * layout.unit,
        stroke_width=line,
    )
    stops = canvas.element("stop", style="top", offset=0) + canvas.element("stop", style="bottom", offset=1)
    name = f"{canvas.scope}-surface"
    canvas.add("linearGradient", stops, id=name, x1=0, y1=0, x2=0.4, y2=1)
    x, y, width, height = layout.board
    rim = layout.rim
    canvas.add("rect", style="rim", x=x - rim, y=y - rim, width=width + 2 * rim, height=height + 2 * rim, rx=1.5 * rim)
    canvas.add("rect", x=x, y=y, width=width, height=height, fill=f"url(#{name})")


def _draw_grid(canvas: Canvas, diagram: Diagram, layout: Layout) -> None:
    x, y, width, height = layout.board
    cell, shift = layout.cell, layout.shift
    columns, rows = diagram.width + 1, diagram.height + 1
    if diagram.lattice == "points":
        x, y = x + cell // 2, y + cell // 2
        width, height, columns, rows = width - cell, height - cell, columns - 1, rows - 1
    across = (f"M{number(x + shift)} {number(y + i * cell + shift)}h{width}" for i in range(rows))
    down = (f"M{number(x + i * cell + shift)} {number(y + shift)}v{height}" for i in range(columns))
    canvas.add("path", style="line", d="".join((*across, *down)), stroke_width=layout.line, stroke_linecap="square")
    for square in diagram.dots:
        dot_x, dot_y = layout.centre(square)
        if diagram.lattice == "squares":
            dot_x, dot_y = dot_x - cell // 2, dot_y - cell // 2
        canvas.add("circle", style="mark", cx=dot_x, cy=dot_y, r=layout.extent(0.09, 4.5))


def _draw_coordinates(canvas: Canvas, diagram: Diagram, layout: Layout) -> None:
    labels = []
    for column, label in enumerate(diagram.columns):
        x, _ = layout.centre(column)
        labels.append(canvas.words(label, x, layout.label_y, layout.label_font, room=layout.cell))
    for row, label in enumerate(diagram.row_labels):
        _, y = layout.centre(row * diagram.width)
        labels.append(canvas.words(label, layout.label_x, y, layout.label_font, room=layout.left))
    if labels:
        canvas.add("g", "".join(labels), style="muted")


def _draw_caption(canvas: Canvas, layout: Layout, caption: str) -> None:
    x, _, width, _ = layout.board
    centre, font = x + width / 2, layout.caption_font
    canvas.write(caption, centre, layout.caption_y, font, room=width, style="text", font_weight="500")


def _document(canvas: Canvas, diagram: Diagram, layout: Layout, theme: str, title: str) -> str:
    style = canvas.element("style", style_sheet(canvas.scope, theme, diagram.surface, canvas.classes))
    content = "".join((canvas.element("title", escape(clean(title))), style, *canvas.elements))
    return canvas.element(
        "svg",
        content,
        xmlns="http://www.w3.org/2000/svg",
        id=canvas.scope,
        viewBox=f"0 0 {layout.size} {layout.height}",
        width=layout.size,
        height=layout.height,
        role="img",
        font_family=FONTS,
        text_anchor="middle",
        data_left=layout.left,
        data_top=layout.top,
        data_cell=layout.cell,
    )
