"""All formats by name, and the functions that most callers want: `read_records`, `write_records`, `convert_records`."""

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from boyi.games import Game, GameError, Position
from boyi.records.ccgc import C5, C6
from boyi.records.format import Format, Found, annotations, game_for
from boyi.records.ggf import GGF
from boyi.records.lines import JSONL, MOVES
from boyi.records.piskvork import PSQ, REC
from boyi.records.record import Record
from boyi.records.sgf import SGF
from boyi.records.source import Skipped, Source
from boyi.records.thesis_lines import THESIS
from boyi.records.transcripts import OBF, TRANSCRIPTS
from boyi.records.wthor import WTHOR
from boyi.records.wtn import WTN

FORMATS = {
    format.name: format for format in (JSONL, GGF, SGF, WTHOR, OBF, TRANSCRIPTS, PSQ, REC, C5, C6, WTN, THESIS, MOVES)
}
"""In the order in which a file is compared with them."""


def format_named(name: str) -> Format:
    """A format by its name; `GameError` lists the known ones."""
    if name not in FORMATS:
        raise GameError(f"unknown format {name[:40]!r}; known are {', '.join(sorted(FORMATS))}")
    return FORMATS[name]


def format_of(path: Path | str, game: Game | None = None) -> Format:
    """The format of a file that exists, by its name and beginning."""
    head = Source(path).head()
    text = head.decode("utf-8", "ignore").removeprefix("\ufeff")
    by_suffix = [format for format in FORMATS.values() if Path(path).suffix.lower() in format.suffixes]
    recognised = [format for format in FORMATS.values() if format.recognise(text)]
    if both := [format for format in recognised if format in by_suffix]:
        return both[0]
    if Path(path).suffix.lower() in (".jou", ".trn"):
        return WTHOR
    if len(by_suffix) == 1 and (not recognised or by_suffix[0] is WTHOR):
        return by_suffix[0]
    if recognised:
        return recognised[0]
    if game is not None and (not by_suffix or MOVES in by_suffix):
        return MOVES
    raise GameError(f"{str(path)!r} is of no known format; name one of {', '.join(sorted(FORMATS))}")


def format_for(path: Path) -> Format:
    """The format in which a file of this name is written."""
    suffix = path.suffix.lower()
    found = [format for format in FORMATS.values() if suffix in format.suffixes]
    if len(found) == 1:
        return found[0]
    wanted = found or FORMATS.values()
    names = ", ".join(sorted(format.name for format in wanted))
    raise GameError(f"{path.name[:80]!r} does not tell the format to write; name one of {names}")


def read_records(path: Path | str, format: str | None = None, game: Game | None = None) -> Found:
    """The records of a file one after the other, and a `Skipped` for every game that is left out.

    `game` is needed where the format does not say which game it is (`moves`), and for games of a user's own.
    """
    found = format_named(format) if format else format_of(path, game)
    return found.read(found.source(path), game)


def positions_of(
    path: Path | str, format: str | None = None, game: Game | None = None, *, at: int | None = None
) -> Iterator[Position | Skipped]:
    """The position at the end of each record of a file, or after `at` plies; such as for solving endgames.

    A record that is only a position (OBF) gives that position. One that has ended gives the last position before its
    end; one with fewer than `at` plies is skipped.
    """
    kind = format_named(format) if format else format_of(path, game)
    for number, found in enumerate(kind.read(kind.source(path), game), 1):
        if isinstance(found, Skipped):
            yield found
            continue
        positions = list(found.positions(game_for(found, game)))[: 1 if kind.holds_positions else None]
        if at is None:
            last = next((position for position in reversed(positions) if position.turn is not None), positions[0])
            yield last
        elif at < len(positions):
            yield positions[at]
        else:
            yield Skipped(str(path), number, f"game {number} has {len(positions) - 1} plies, fewer than {at}")


@contextlib.contextmanager
def writing(
    path: Path | str, format: str | None = None, game: Game | None = None
) -> Iterator[Callable[[Record], None]]:
    """A function that writes records to a file, which appears under its name when all is written."""
    target = Path(path)
    found = format_named(format) if format else format_for(target)
    part = target.with_name(f".part-{os.getpid()}-{target.name}")
    try:
        with found.writer(part, game) as writer:
            yield writer.write
        for written in (part, *(part.with_suffix(suffix) for suffix in (".jou", ".trn"))):
            if written.exists() and (written == part or found is WTHOR):
                os.replace(written, target if written == part else target.with_suffix(written.suffix))
    finally:
        for suffix in (part.suffix, ".jou", ".trn"):
            part.with_suffix(suffix).unlink(missing_ok=True)


def write_records(
    records: Iterable[Record | Skipped],
    path: Path | str,
    format: str | None = None,
    game: Game | None = None,
    *,
    on_skip: Callable[[Skipped], None] = lambda skipped: None,
) -> int:
    """Write records to a file and return how many there are.

    Of those that the format cannot hold `on_skip` is told, by their number in the file; skipped ones are passed on.
    """
    count = 0
    with writing(path, format, game) as write:
        for number, record in enumerate(records, 1):
            if isinstance(record, Skipped):
                on_skip(record)
                continue
            try:
                write(record)
                count += 1
            except GameError as error:
                on_skip(Skipped(str(path), number, str(error)))
    return count


@dataclass
class Report:
    """What became of the games of a conversion."""

    read: int = 0
    written: int = 0
    skipped: int = 0
    reasons: list[Skipped] = field(default_factory=list)
    """The first `kept_reasons` of what was left out."""
    lost: Counter[str] = field(default_factory=Counter)
    """How many written games had comments, variations ... that the format cannot hold."""


def convert_records(
    inputs: Iterable[Path | str],
    output: Path | str,
    *,
    read_as: str | None = None,
    write_as: str | None = None,
    game: Game | None = None,
    kept_reasons: int = 1000,
    on_skip: Callable[[Skipped], None] = lambda skipped: None,
) -> Report:
    """Read games from files and write them all to one, one game at a time; with none to write, no file is made."""
    report = Report()
    target = format_named(write_as) if write_as else format_for(Path(output))

    def skip(skipped: Skipped) -> None:
        report.skipped += 1
        if len(report.reasons) < kept_reasons:
            report.reasons.append(skipped)
        on_skip(skipped)

    with contextlib.suppress(_Nothing), writing(output, target.name, game) as write:
        for path in inputs:
            kind = format_named(read_as) if read_as else format_of(path, game)
            source = kind.source(path)
            for found in kind.read(source, game):
                if isinstance(found, Skipped):
                    skip(found)
                    continue
                report.read += 1
                try:
                    write(found)
                except GameError as error:
                    skip(Skipped(source.name, source.line, f"not written: {error}"))
                    continue
                report.written += 1
                lost = annotations(found.plies) | ({"comments"} if found.comment else set())
                report.lost.update(lost - set(target.holds))
        if report.skipped and not report.written:
            raise _Nothing
    return report


class _Nothing(Exception):
    """No game was converted: the file that was there stays."""
