"""Text pictures for terminals, logs and tests."""

from .diagram import NOTHING, Diagram, Overlay


def text(diagram: Diagram, overlay: Overlay = NOTHING, *, coordinates: bool = True) -> str:
    """A monospaced picture: one line a row, coordinates around it, the caption below.

    An empty square is ".", or "*" where a move is legal, or its value; a value on a piece follows its symbol ("X:57").
    Marks stand around a square and keep the columns aligned: "[X]" last move, "<X>" suggestion, "(X)" may move; of
    several the first counts. Heat and arrows are left out.
    """
    overlay.check(diagram)
    contents = [_content(diagram, overlay, square) for square in diagram.squares]
    labels = diagram.columns if coordinates else ()
    width = max(map(len, (*contents, *labels)))
    cells = [_marked(content, overlay, square).rjust(width + 2) for square, content in enumerate(contents)]
    row_labels = diagram.row_labels if coordinates and diagram.row_labels else ("",) * diagram.height
    gutter = max(map(len, row_labels))

    lines = []
    for row, label in enumerate(row_labels):
        start = row * diagram.width
        lines.append(f"{label:>{gutter}} {''.join(cells[start : start + diagram.width])} {label:>{gutter}}")
    if labels:
        header = " " * (gutter + 1) + "".join(f" {label:>{width}} " for label in labels)
        lines = [header, *lines, header]
    if overlay.caption:
        lines.append(overlay.caption)
    return "\n".join(line.rstrip() for line in lines)


def _content(diagram: Diagram, overlay: Overlay, square: int) -> str:
    row, column = divmod(square, diagram.width)
    piece, value = diagram.piece(square), overlay.values.get(square, "")
    if piece is None:
        return value or ("*" if square in overlay.legal else ".")
    symbol = piece.symbol or diagram.rows[row][column]
    return f"{symbol}:{value}" if value else symbol


def _marked(content: str, overlay: Overlay, square: int) -> str:
    if square in overlay.last:
        return f"[{content}]"
    if square == overlay.suggestion:
        return f"<{content}>"
    if square in overlay.movable:
        return f"({content})"
    return f" {content} "
