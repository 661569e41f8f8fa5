"""Game files, as plain data: what is in a file, and a kept game with its comments and variations."""

from __future__ import annotations

from typing import Annotated

from pydantic import Base64Bytes, Field, StringConstraints

from boyi.service.views import GameSummary, Name, Request, Rules, View

FILE_BYTES = 1_000_000
"""The largest file of games."""
FormatName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,20}$")]


class RecordFile(Request):
    """A file of games. Its name helps to tell the format, and is not used for anything else."""

    content: Base64Bytes = Field(max_length=FILE_BYTES)
    file_name: Name = ""
    rules: Rules | None = None
    """Needed where the file does not say which game it is: a list of moves."""


class ImportRequest(RecordFile):
    numbers: list[int] = Field(min_length=1, max_length=100)
    """Which games of the file to keep, as `read_records` counts them."""


class RecordEntry(View):
    """A game of a file."""

    number: int
    rules: str
    title: str
    players: tuple[str, str]
    plies: int
    result: str
    """`1-0`, `0-1`, `draw`, or empty."""
    event: str
    date: str
    annotated: bool
    """Whether it has comments or variations."""


class SkippedEntry(View):
    line: int
    reason: str


class RecordContents(View):
    format: str
    title: str
    """What the format is called."""
    records: list[RecordEntry]
    skipped: list[SkippedEntry]
    """What could not be read, and why."""
    more: bool
    """Whether the file has more games than are listed."""


class Imported(View):
    games: list[GameSummary]


class PlyView(View):
    move: str
    comment: str
    variations: list[list[PlyView]]
    """Other lines in the place of this move."""


class FormatView(View):
    name: str
    title: str
    suffix: str


class RecordView(View):
    """A kept game with all that its file said."""

    game: str
    players: tuple[str, str]
    headers: dict[str, str]
    comment: str
    plies: list[PlyView]
    formats: list[FormatView]
    """The formats in which it can be written."""
