"""The training lines of document 000 (`thesis`): `(R)(5)(25 24 20 23 19 15)(1 2 3 6 7 11)(7)(13)`.

Side to move, die, squares of Blue's stones 1..6, of Red's, from and to; squares 1..25 row by row, 0 for a captured
stone; the position is the one before the move. Lines that follow from each other become one record; where only one
side's moves were kept, as the thesis did, each line is a record of its own.
"""

import re

from boyi.games import Game, GameError, Position
from boyi.records.format import Format, Found, check_game, only_game
from boyi.records.lines import game_lines
from boyi.records.record import BadRecord, Ply, Record, named_game
from boyi.records.replay import settled, start_key
from boyi.records.source import Skipped, Source

LINE = re.compile(
    r"\(\s*([RB])\s*\)\s*\(\s*([1-6])\s*\)\s*\(([\d\s]{1,40})\)\s*\(([\d\s]{1,40})\)\s*\(\s*(\d{1,2})\s*\)\s*\(\s*(\d{1,2})\s*\)\s*",
    re.IGNORECASE,
)
SIDES = {"R": "red", "B": "blue"}


def read(source: Source, game: Game | None) -> Found:
    first: Position | None = None
    last: Position | None = None
    plies: list[Ply] = []
    for found in game_lines(source):
        if isinstance(found, Skipped):
            yield found
            continue
        number, text = found
        try:
            before, rolled, after = parse_line(text, game)
        except GameError as error:
            yield source.skip(number, str(error))
            continue
        if last is None or last != before:
            if first and last:
                yield _record(first, last, plies)
            first, plies = before, []
            source.line = number
        plies += [Ply(rolled.move), Ply(after.move)]
        last = after
    if first and last:
        yield _record(first, last, plies)


def _record(first: Position, last: Position, plies: list[Ply]) -> Record:
    return Record("einstein", start=start_key(first), plies=tuple(plies), result=settled(last, None))


def parse_line(text: str, game: Game | None = None) -> tuple[Position, Position, Position]:
    """The position before the roll, after it, and after the move."""
    check_game(game, "einstein", "a training line")
    found = LINE.fullmatch(text)
    if not found:
        raise BadRecord(f"{text[:60]!r} is no line such as (R)(5)(25 24 20 23 19 15)(1 2 3 6 7 11)(7)(13)")
    side, die, blue, red, source, target = found.groups()
    key = f"{' '.join(red.split())} / {' '.join(blue.split())} {SIDES[side.upper()]} -"
    before = (game or named_game("einstein")).position(key)
    if before.turn is None:
        raise BadRecord(f"{text[:60]!r}: the game is over there")
    rolled = before.play(die)
    return before, rolled, rolled.play(f"{source}-{target}")


def write(record: Record, game: Game) -> str:
    only_game(record, game, "einstein", "thesis")
    lines = []
    for before, move in zip(record.positions(game), record.moves, strict=False):
        if before.turn in (0, 1):
            stones, _, rest = before.key.rpartition(" / ")
            *blue, side, die = rest.split()
            squares = [game.square(name) for name in move.split("-")]
            source, target = (square + 1 for square in squares if square is not None)
            lines.append(f"({side[0].upper()})({die})({' '.join(blue)})({stones})({source})({target})\n")
    return "".join(lines)


THESIS = Format(
    name="thesis",
    title="EinStein training lines of document 000",
    suffixes=(".thesis", ".txt"),
    recognise=lambda head: bool(re.match(r"\s*\(\s*[RB]\s*\)\s*\(\s*[1-6]\s*\)", head, re.IGNORECASE)),
    read=read,
    write=write,
)
