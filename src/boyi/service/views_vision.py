"""Boards read off pictures, as plain data: the picture and what is known of it, and what was read."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Base64Bytes, Field, StringConstraints

from boyi.service.views import Key, PositionView, Request, Rules, View

PICTURE_BYTES = 12_000_000
"""The largest picture file."""
PICTURE_PIXELS = 20_000_000
CellText = Annotated[str, StringConstraints(max_length=4)]
Coordinate = Annotated[float, Field(ge=-100_000, le=100_000)]


class PictureFile(Request):
    """A picture with a board in it: PNG, JPEG, WebP, GIF or BMP, in base64."""

    content: Base64Bytes = Field(max_length=PICTURE_BYTES)
    rules: Rules | None = None
    """The game, where it is known."""
    turn: Literal[0, 1] | None = None
    """Who is to move; otherwise judged by the number of stones."""
    die: int | None = Field(default=None, ge=1, le=6)
    corners: list[tuple[Coordinate, Coordinate]] | None = Field(default=None, min_length=4, max_length=4)
    """Where the outermost lines of the board meet, clockwise from the top left, if it is not to be searched for."""


class BeliefView(Request):
    """What is known between two looks at a board that is followed; sent back with the next look."""

    rules: Rules | None = None
    key: Key | None = None
    """The position that is believed."""
    texts: list[list[CellText | None]] = Field(default=[], max_length=40)
    """What the last look showed."""
    equal: int = Field(default=0, ge=0, le=1_000_000)
    """How many looks in a row have shown it."""


class LookRequest(PictureFile):
    """Another look at a board that is followed."""

    belief: BeliefView = BeliefView()


class PictureLimits(View):
    """Which pictures can be read."""

    available: bool
    """Whether the server can read pictures at all; it needs OpenCV."""
    bytes: int
    pixels: int


class CellView(View):
    text: str | None
    """Null where it is unknown."""
    confidence: float


class ReadingView(View):
    """What was read off a picture; where it is refused, the nearest guess."""

    refused: str | None
    code: str
    """Why it is refused, for programs: `no_board`, `empty`, `size`, `pieces`, `unclear`, `illegal`, or empty."""
    width: int
    height: int
    """Pixels of the picture."""
    rules: str | None
    cells: list[list[CellView]]
    position: PositionView | None
    """Null while a cell is unknown."""
    confidence: float
    others: list[str]
    """Other games that would suit as well."""
    corners: list[tuple[float, float]]
    """Where the outermost lines of the board meet, clockwise from the top left, in pixels; empty without a board."""
    lines: list[tuple[float, float, float, float]]
    """Both ends of every line, in pixels."""
    sites: list[tuple[float, float]]
    """The middle of every square, or every point, row by row, in pixels."""
    pitch: float
    """The distance of two neighbours, in pixels."""


class LookView(View):
    """What a look at a followed board showed, and what is believed since."""

    reading: ReadingView
    belief: BeliefView
    changed: bool
    """Whether the board that is believed has changed by this look."""
    moves: list[str]
    """The moves that explain the change; empty at first, and where another game was begun."""
    position: PositionView | None
    """The board that is believed."""
