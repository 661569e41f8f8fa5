"""What a picture shows: a `Diagram` of the board and an `Overlay` of what is said about it.

Squares are numbered row by row from the top left, `square = row * width + column`:

     0  1  2
     3  4  5
     6  7  8
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

SHAPES = ("disc", "tile", "cross", "ring")
COLOURS = ("black", "white", "red", "blue")
TINTS = (*COLOURS, "accent")
LATTICES = ("squares", "points")
SURFACES = ("felt", "wood", "paper", "slate")
THEMES = ("light", "dark", "auto")


def check_choice(what: str, value: str, allowed: Collection[str]) -> None:
    """Raise a ValueError that names `value` and the allowed ones, unless it is one of them."""
    if value not in allowed:
        raise ValueError(f"unknown {what} {value!r}; choose one of {', '.join(allowed)}")


def _check_share(what: str, value: float) -> None:
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"{what} must lie between 0 and 1, not {value!r}")


@dataclass(frozen=True)
class Piece:
    """The look of one kind of piece."""

    shape: str
    """Solid stones are "disc" and "tile", pen strokes are "cross" and "ring"."""
    colour: str
    """One of "black", "white", "red", "blue"."""
    label: str = ""
    """Text on the piece."""
    symbol: str = ""
    """What a text picture shows; the cell's own text when empty."""

    def __post_init__(self) -> None:
        check_choice("shape", self.shape, SHAPES)
        check_choice("colour", self.colour, COLOURS)


@dataclass(frozen=True)
class Diagram:
    """A board of `height` x `width` cells and the looks of the pieces on it."""

    rows: tuple[tuple[str, ...], ...]
    """`height` rows of `width` cell texts, top row first, "" for an empty cell."""
    pieces: Mapping[str, Piece]
    """The look of every cell text in `rows`."""
    lattice: str = "squares"
    """Pieces stand in cells on "squares", on the crossings of lines on "points"."""
    surface: str = "paper"
    """One of "felt", "wood", "paper", "slate"."""
    columns: tuple[str, ...] = ()
    """Column labels from left to right, `width` of them or none."""
    row_labels: tuple[str, ...] = ()
    """Row labels from top to bottom, `height` of them or none."""
    dots: tuple[int, ...] = ()
    """Marked squares. On the "points" lattice a dot lies on the point, on "squares" on the square's top left corner."""
    areas: Mapping[int, str] = field(default_factory=dict)
    """Lightly tinted squares: square -> a piece colour or "accent"."""

    def __post_init__(self) -> None:
        check_choice("lattice", self.lattice, LATTICES)
        check_choice("surface", self.surface, SURFACES)
        if not self.rows or not self.rows[0]:
            raise ValueError("a diagram needs at least one row and one column")
        for number, row in enumerate(self.rows):
            if len(row) != self.width:
                raise ValueError(f"row {number} has {len(row)} cells, but row 0 has {self.width}")
            for cell in row:
                if cell:
                    check_choice("cell", cell, self.pieces)
        for what, labels, length in (("column", self.columns, self.width), ("row", self.row_labels, self.height)):
            if labels and len(labels) != length:
                raise ValueError(f"{len(labels)} {what} labels for {length} {what}s")
        self.check_squares("dots", self.dots)
        self.check_squares("areas", self.areas)
        for colour in self.areas.values():
            check_choice("colour", colour, TINTS)

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def squares(self) -> range:
        return range(self.width * self.height)

    def piece(self, square: int) -> Piece | None:
        """The piece on a square, or None."""
        row, column = divmod(square, self.width)
        cell = self.rows[row][column]
        return self.pieces[cell] if cell else None

    def check_squares(self, what: str, squares: Iterable[int]) -> None:
        """Raise a ValueError for the first square that is not on the board."""
        for square in squares:
            if square not in self.squares:
                raise ValueError(f"{what}: square {square} is not on the board; squares are 0 to {self.squares[-1]}")


@dataclass(frozen=True)
class Arrow:
    """An arrow between the centres of two squares."""

    start: int
    end: int
    colour: str = "accent"
    """A piece colour or "accent"."""
    label: str = ""
    """Short text beside the head."""
    weight: float = 1.0
    """From 0 (thin and faint) to 1 (thick and strong)."""

    def __post_init__(self) -> None:
        check_choice("colour", self.colour, TINTS)
        _check_share("weight", self.weight)
        if self.start == self.end:
            raise ValueError(f"an arrow needs two squares, not {self.start} twice")


@dataclass(frozen=True)
class Overlay:
    """What is said about the board. Every field may be left out."""

    last: tuple[int, ...] = ()
    """Squares of the last move: from and to, or the stones just placed."""
    legal: tuple[int, ...] = ()
    """Squares where something legal happens."""
    movable: tuple[int, ...] = ()
    """Squares of the pieces that may move."""
    values: Mapping[int, str] = field(default_factory=dict)
    """Square -> short text such as "57", "0.83" or "+12"."""
    heat: Mapping[int, float] = field(default_factory=dict)
    """Square -> strength, 0 to 1, of the colour behind it."""
    arrows: tuple[Arrow, ...] = ()
    suggestion: int | None = None
    """One highlighted square."""
    caption: str = ""
    """One line under the board."""

    def __post_init__(self) -> None:
        for strength in self.heat.values():
            _check_share("heat", strength)

    def check(self, diagram: Diagram) -> None:
        """Raise a ValueError that names the first square that is not on `diagram`'s board."""
        for what in ("last", "legal", "movable", "values", "heat"):
            diagram.check_squares(what, getattr(self, what))
        for arrow in self.arrows:
            diagram.check_squares("arrows", (arrow.start, arrow.end))
        if self.suggestion is not None:
            diagram.check_squares("suggestion", (self.suggestion,))


NOTHING = Overlay()
"""An overlay that says nothing."""
