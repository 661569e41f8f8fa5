"""Formats with one game a line: this package's JSON lines (`jsonl`), and plain lines of moves (`moves`).

A plain line holds the moves as texts separated by spaces, rolls included where there are dice, and if wanted the
result at the end: `1-0`, `0-1` or `1/2-1/2` from the first player's side. It does not say which game it is: the caller
does. Lines that are empty or begin with `#` are passed over.
"""

from collections.abc import Iterator

from boyi.games import Game
from boyi.records.format import ANNOTATIONS, Format, Found, game_for, only_usual_start
from boyi.records.record import MOST_PLIES, BadRecord, CannotHold, Ply, Record, Result, game_text
from boyi.records.replay import replayed
from boyi.records.source import Skipped, Source

RESULTS = {"1-0": 0, "0-1": 1, "1/2-1/2": None}


def game_lines(source: Source, comments: str = "#") -> Iterator[tuple[int, str] | Skipped]:
    """The lines of a file that hold something, without the spaces round it."""
    for number, line in source.lines():
        if line is None:
            yield source.too_long(number)
        elif (text := line.strip()) and text[0] not in comments:
            yield number, text


def read_jsonl(source: Source, game: Game | None) -> Found:
    for found in game_lines(source):
        yield found if isinstance(found, Skipped) else source.attempt(found[0], parse_json, found[1], game)


def parse_json(text: str, game: Game | None = None) -> Record:
    """A record from its line, replayed. What the line says of the result holds.

    The game is looked up by its text among the games of this package; one of a rules file must be given.
    """
    record = Record.from_json(text)
    checked = replayed(record, game_for(record, game))
    return checked.changed(game=game_text(record.game), result=record.result or checked.result)


def write_jsonl(record: Record, game: Game) -> str:
    return record.to_json() + "\n"


def read_moves(source: Source, game: Game | None) -> Found:
    if game is None:
        yield source.skip(1, "lines of moves do not say which game they are of; name it")
        return
    for found in game_lines(source):
        yield found if isinstance(found, Skipped) else source.attempt(found[0], parse_moves, found[1], game)


def parse_moves(text: str, game: Game) -> Record:
    """A record from a plain line of moves."""
    words = text.split(maxsplit=MOST_PLIES)
    result = None
    if words and words[-1] in RESULTS:
        result = Result(RESULTS[words.pop()])
    if len(words) > MOST_PLIES:
        raise BadRecord(f"it has more than {MOST_PLIES:,} moves")
    return replayed(Record(game_text(game), plies=tuple(map(Ply, words)), result=result), game)


def write_moves(record: Record, game: Game) -> str:
    only_usual_start(record, "moves")
    words = list(record.moves)
    if any(len(word.split()) != 1 for word in words):
        raise CannotHold(f"moves cannot hold {record.game}: its moves have spaces in them")
    if record.result is not None:
        words.append(next(text for text, winner in RESULTS.items() if winner == record.result.winner))
    return " ".join(words) + "\n" if words else ""


JSONL = Format(
    name="jsonl",
    title="Boyi's own JSON lines",
    suffixes=(".jsonl", ".ndjson"),
    recognise=lambda head: head.lstrip().startswith('{"'),
    read=read_jsonl,
    write=write_jsonl,
    holds=ANNOTATIONS,
    encodings=("utf-8", "latin-1"),
)
MOVES = Format(
    name="moves",
    title="plain lines of moves and result",
    suffixes=(".moves", ".txt"),
    recognise=lambda head: False,
    read=read_moves,
    write=write_moves,
)
