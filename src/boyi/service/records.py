"""Game files in and out, through `boyi.records`. Runs in threads.

A file's content is checked and never believed; its name is only looked at for its ending. A game that came from a file
keeps the record that the file had, with comments, variations and headers, beside its moves.
"""

import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pydantic import ValidationError

from boyi.games import GameError
from boyi.records import FORMATS, BadRecord, CannotHold, Format, Ply, Result, Skipped, format_named, format_of, writing
from boyi.records import Record as FileRecord
from boyi.records import read_records as read_file
from boyi.service import boards, record
from boyi.service.errors import NotFound
from boyi.service.record import Change, Record
from boyi.service.views import ExportView, NewGame, OutcomeView
from boyi.service.views_records import (
    FormatView,
    PlyView,
    RecordContents,
    RecordEntry,
    RecordFile,
    RecordView,
    SkippedEntry,
)

MOST_LISTED = 1000
MOST_SKIPPED = 20
PLAIN_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def _found(wanted: RecordFile, folder: str) -> tuple[Format, Iterator[FileRecord | Skipped]]:
    """The format of a file and its games, read from a copy in a folder of our own."""
    if not wanted.content.strip():
        raise BadRecord("there is nothing in the file")
    suffix = Path(wanted.file_name).suffix.lower()[1:9]
    name = "games." + suffix if suffix and all(letter in PLAIN_LETTERS for letter in suffix) else "games"
    file = Path(folder) / name
    file.write_bytes(wanted.content)
    game = boards.rules_named(wanted.rules) if wanted.rules else None
    try:
        format = format_of(file, game)
    except GameError:
        raise BadRecord(
            "the file is of no known format; for a plain list of moves say which game it is"
            + (f" (known formats: {', '.join(sorted(FORMATS))})")
        ) from None
    return format, read_file(file, format.name, game)


def contents(wanted: RecordFile) -> RecordContents:
    """The games of a file, and what could not be read of it."""
    entries: list[RecordEntry] = []
    skipped: list[SkippedEntry] = []
    with tempfile.TemporaryDirectory(prefix="boyi-records-") as folder:
        format, games = _found(wanted, folder)
        number = 0
        for number, found in enumerate(islice(games, MOST_LISTED + 1), 1):
            if isinstance(found, Skipped):
                skipped.append(SkippedEntry(line=found.line, reason=found.reason))
            elif number <= MOST_LISTED:
                entries.append(_entry(number, found))
    return RecordContents(
        format=format.name,
        title=format.title,
        records=entries,
        skipped=skipped[:MOST_SKIPPED],
        more=number > MOST_LISTED,
    )


def _entry(number: int, found: FileRecord) -> RecordEntry:
    end = found.result
    return RecordEntry(
        number=number,
        rules=found.game,
        title=boards.rules_named(found.game).title,
        players=found.players,
        plies=len(found.plies),
        result="" if end is None else {0: "1-0", 1: "0-1", None: "draw"}[end.winner],
        event=str(found.headers.get("event", ""))[:100],
        date=str(found.headers.get("date", ""))[:40],
        annotated=bool(found.comment) or any(ply.comment or ply.variations for ply in found.plies),
    )


def chosen(wanted: RecordFile, numbers: list[int]) -> list[FileRecord]:
    """Some games of a file, in the order of the file."""
    with tempfile.TemporaryDirectory(prefix="boyi-records-") as folder:
        _, games = _found(wanted, folder)
        wished = set(numbers)
        listed = enumerate(islice(games, min(MOST_LISTED, max(wished))), 1)
        found = [game for number, game in listed if number in wished and isinstance(game, FileRecord)]
    if len(found) != len(wished):
        raise NotFound("the file has no such games")
    return found


def made(visitor: str, found: FileRecord) -> Change:
    """A game of a file as a kept game between people."""
    name = " – ".join(filter(None, found.players))
    if event := found.headers.get("event"):
        name = f"{name} ({event})" if name else str(event)
    try:
        wanted = NewGame(
            rules=found.game,
            seats=("human", "human"),
            start=found.start or "usual",
            moves=list(found.moves),
            dice="hand",
            name=record.clean(name).strip(),
        )
    except ValidationError as error:
        raise BadRecord(f"the game is too long to be kept here: {error.errors()[0]['msg']}") from None
    change = record.made(visitor, wanted)
    end = found.result
    if end is not None and change.record.outcome is None:
        if end.winner is None:
            outcome = OutcomeView(winner=None, score=0, reason="agreed")
            return Change(record.amended(change.record, change.position, outcome=outcome).record, change.position, 0)
        return Change(
            record.ended(change.record, change.position, "resigned", 1 - end.winner).record, change.position, 0
        )
    return change


def record_of(kept: Record, source: str | None) -> FileRecord:
    """A kept game as a record: the one of its file, and what was played since."""
    moves = [move.move for move in kept.moves]
    end = kept.outcome
    result = None if end is None else Result(end.winner, end.reason, end.score)
    usual = kept.game.start().key
    start = "" if kept.start == usual else kept.start
    if source is not None:
        found = FileRecord.from_json(source)
        same = 0
        while same < min(len(moves), len(found.plies)) and found.plies[same].move == moves[same]:
            same += 1
        plies = (*found.plies[:same], *(Ply(move) for move in moves[same:]))
        return found.changed(plies=plies, result=result or (found.result if same == len(found.plies) else None))
    return FileRecord.of(
        kept.game,
        moves,
        players=kept.seats,
        start=start,
        seconds=[move.seconds for move in kept.moves],
        result=result,
        headers={"event": kept.name} if kept.name else {},
    )


def view(kept: Record, source: str | None) -> RecordView:
    found = record_of(kept, source)
    return RecordView(
        game=kept.id,
        players=found.players,
        headers={str(name): str(value) for name, value in found.headers.items()},
        comment=found.comment,
        plies=[_ply(ply) for ply in found.plies],
        formats=[
            FormatView(name=format.name, title=format.title, suffix=format.suffixes[0])
            for format in FORMATS.values()
            if _writable(format, found)
        ],
    )


def _ply(ply: Ply) -> PlyView:
    return PlyView(
        move=ply.move, comment=ply.comment, variations=[[_ply(other) for other in line] for line in ply.variations]
    )


def _writable(format: Format, found: FileRecord) -> bool:
    try:
        return bool(_written(format, found))
    except GameError:
        return False


def _written(format: Format, found: FileRecord) -> bytes:
    with tempfile.TemporaryDirectory(prefix="boyi-records-") as folder:
        file = Path(folder) / f"game{format.suffixes[0]}"
        with writing(file, format.name) as write:
            write(found)
        return file.read_bytes()


def export(kept: Record, source: str | None, format: str) -> ExportView:
    """A kept game as a file of a format."""
    if format not in FORMATS:
        raise NotFound(f"there is no format {format!r}; known are {', '.join(sorted(FORMATS))}")
    kind = format_named(format)
    try:
        content = _written(kind, record_of(kept, source))
    except CannotHold as error:
        raise BadRecord(str(error)) from None
    name = f"{kept.game.name}-{kept.id}{kind.suffixes[0]}"
    binary = kind.open_writer is not None
    return ExportView(
        content=content, media_type="application/octet-stream" if binary else "text/plain", file_name=name
    )
