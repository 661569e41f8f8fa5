"""What a format is: how its files are recognised, read and written. Each module beside this one defines some."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, TextIO

from boyi.games import Game
from boyi.records.record import BadRecord, CannotHold, Ply, Record, game_text, named_game
from boyi.records.source import Skipped, Source

Found = Iterator[Record | Skipped]
ANNOTATIONS = ("comments", "variations", "seconds", "values", "scores")
"""What a format may or may not be able to hold beside the moves; headers are kept as far as a format has them."""


class Writer(Protocol):
    """Writes one record after the other; a context manager."""

    def write(self, record: Record) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *raised: object) -> None: ...


@dataclass(frozen=True)
class Format:
    """One kind of file. `read` yields records in order and a `Skipped` for each game that it leaves out."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognise: Callable[[str], bool]
    """Whether the beginning of a file looks like this format."""
    read: Callable[[Source, Game | None], Found]
    """The second argument is the game where the caller knows it."""
    write: Callable[[Record, Game], str] | None = None
    """A record as text with its line ends; `CannotHold` where the format has no way to write it."""
    open_writer: Callable[[Path], Writer] | None = None
    """For formats that are not text."""
    holds: tuple[str, ...] = ()
    """Of `ANNOTATIONS`."""
    holds_positions: bool = False
    """Whether a record is a position and what was thought of its moves, rather than a game that was played."""
    encodings: tuple[str, ...] = ("utf-8", "gb18030", "latin-1")
    written_as: str = "utf-8"
    encoding_of: Callable[[bytes], str | None] = lambda head: None
    """The encoding that the beginning of a file names."""

    def source(self, path: Path | str) -> Source:
        """A file as this format reads it."""
        source = Source(path, self.encodings)
        named = self.encoding_of(source.head())
        if named:
            source.encodings = (named, *self.encodings)
        return source

    def writer(self, path: Path, game: Game | None = None) -> Writer:
        """Writes a file of this format."""
        if self.open_writer:
            return self.open_writer(path)
        assert self.write is not None
        return TextWriter(path, self.write, self.written_as, game)


class TextWriter:
    """Writes records as text, each as soon as it comes."""

    def __init__(self, path: Path, write: Callable[[Record, Game], str], encoding: str, game: Game | None) -> None:
        self.file: TextIO = path.open("w", encoding=encoding, newline="\n")
        self.text_of = write
        self.game = game

    def write(self, record: Record) -> None:
        self.file.write(self.text_of(record, game_for(record, self.game)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.file.close()


def annotations(line: Iterable[Ply]) -> set[str]:
    """What the plies of a line carry, of `ANNOTATIONS`."""
    found: set[str] = set()
    for ply in line:
        if ply.comment:
            found.add("comments")
        if ply.seconds is not None:
            found.add("seconds")
        if ply.value is not None:
            found.add("values")
        if ply.score is not None:
            found.add("scores")
        if ply.variations:
            found.add("variations")
            for other in ply.variations:
                found |= annotations(other)
    return found


def game_for(record: Record, given: Game | None) -> Game:
    """The game of a record: the one the caller has, if it is that, or else one of this package."""
    return given if given is not None and record.game in (game_text(given), given.name) else named_game(record.game)


def only_game(record: Record, game: Game, name: str, format: str, **options: Any) -> None:
    """`CannotHold` unless a record is of a game with these parameters."""
    have = game.options() if game.name == name else {}
    wrong = [f"{key}={have[key]}" for key, value in options.items() if have.get(key, value) != value]
    if game.name != name:
        raise CannotHold(f"{format} cannot hold {record.game}; it is for {name}")
    if wrong:
        raise CannotHold(f"{format} cannot hold {record.game}; it has no place for {wrong[0]}")


def only_usual_start(record: Record, format: str) -> None:
    """`CannotHold` where a record has a start of its own."""
    if record.start:
        raise CannotHold(f"{format} cannot hold a start of its own, {record.start[:80]!r}")


def check_game(given: Game | None, name: str, format: str) -> None:
    """`BadRecord` where the caller wants another game than the one that a format is for."""
    if given is not None and given.name != name:
        raise BadRecord(f"{format} is for {name}, not for {given.name}")


def plain(text: str, forbidden: str = "") -> str:
    """A text on one line, without characters that a format cannot escape."""
    return re.sub(
        r"\s+", " ", "".join(" " if letter in forbidden or not letter.isprintable() else letter for letter in text)
    ).strip()


def decimal(number: float, digits: int = 6) -> str:
    """A number without exponent and without needless zeros."""
    text = f"{number:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def read_number(text: str) -> float | None:
    """A plain decimal number, None where the text is none."""
    return float(text) if re.fullmatch(r"[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})", text) else None
