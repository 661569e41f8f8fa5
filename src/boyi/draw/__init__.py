"""Pictures of grid boards as text and as SVG. Knows no game: callers describe the cells and what lies over them.

Start at `diagram` for what can be described, then `render_text` and `render_svg` for the two pictures.

    >>> from boyi.draw import Diagram, Piece, text
    >>> print(text(Diagram((("X", ""),), {"X": Piece("disc", "black")}, columns=("a", "b"), row_labels=("1",))))
       a  b
    1  X  .  1
       a  b
"""

from .diagram import Arrow, Diagram, Overlay, Piece
from .render_svg import png, svg
from .render_text import text

__all__ = ["Arrow", "Diagram", "Overlay", "Piece", "png", "svg", "text"]
