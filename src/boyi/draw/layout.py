"""Where everything stands, in pixels. Cells are whole pixels wide, so that thin lines stay crisp."""

from dataclasses import dataclass
from math import floor

from .canvas import text_width
from .diagram import Diagram

REFERENCE_SIZE = 480
SMALLEST_CELL = 4


@dataclass(frozen=True)
class Layout:
    """Positions of one picture, `size` x `height` pixels; (left, top) is the board's corner."""

    size: int
    height: int
    left: int
    top: int
    cell: int
    columns: int
    rows: int
    unit: float
    """Pixels per unit of a picture of REFERENCE_SIZE: scales fonts and margins."""
    label_x: float
    label_y: float
    caption_y: float

    @property
    def line(self) -> int:
        """Width of a grid line."""
        return max(1, round(self.unit))

    @property
    def shift(self) -> float:
        """What puts a line of odd width on whole pixels."""
        return 0.5 * (self.line % 2)

    @property
    def rim(self) -> int:
        """Width of the board's rim."""
        return round(4 * self.unit)

    @property
    def label_font(self) -> float:
        return min(12 * self.unit, 0.62 * self.cell)

    @property
    def caption_font(self) -> float:
        return 15 * self.unit

    @property
    def board(self) -> tuple[int, int, int, int]:
        """x, y, width, height of the board."""
        return self.left, self.top, self.columns * self.cell, self.rows * self.cell

    def corner(self, square: int) -> tuple[int, int]:
        """The top left corner of a square."""
        row, column = divmod(square, self.columns)
        return self.left + column * self.cell, self.top + row * self.cell

    def extent(self, share: float, limit: float) -> float:
        """`share` of a cell, but on large cells no more than `limit` units, and never less than a pixel."""
        return max(1.0, min(share * self.cell, limit * self.unit))

    def centre(self, square: int) -> tuple[float, float]:
        """The middle of a square; on "points", where its lines cross."""
        x, y = self.corner(square)
        half = self.cell // 2 + self.shift
        return x + half, y + half


def lay_out(diagram: Diagram, *, size: int, coordinates: bool, caption: bool) -> Layout:
    """Fit a diagram into a picture `size` pixels wide."""
    unit = size / REFERENCE_SIZE
    pad = round(14 * unit)
    labels = max(map(text_width, diagram.row_labels), default=0.0) if coordinates else 0.0
    gutter = round(12 * unit * labels + 7 * unit) if labels else 0
    under = round(20 * unit) if coordinates and diagram.columns else 0
    free = size - 2 * pad - gutter
    cell = floor(free / diagram.width)
    if cell < SMALLEST_CELL:
        raise ValueError(f"size {size} is too small for {diagram.width} columns")
    left = pad + gutter + (free - cell * diagram.width) // 2
    bottom = pad + cell * diagram.height
    height = bottom + under + (round(26 * unit) if caption else 0) + pad - round(4 * unit if under or caption else 0)
    return Layout(
        size=size,
        height=height,
        left=left,
        top=pad,
        cell=cell,
        columns=diagram.width,
        rows=diagram.height,
        unit=unit,
        label_x=left - 10 * unit - 6 * unit * labels,
        label_y=bottom + 13 * unit,
        caption_y=bottom + under + 14 * unit,
    )
