"""EinStein records of the Chinese championship (`wtn`).

    #[WTN][first team R][second team B][先手胜][2019.08.04 14:00 北京][2019 CCGC];
    R:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6
    B:E3-1;D2-2;E2-3;C1-4;D1-5;E1-6
    1:3;(R3,C4)

A move line has the ply, the die, the stone that moved and where it went. Columns are A..E from the left; rows count
from the bottom or from the top, which the squares of Red's stones tell. The first line may be missing or in the other
known form, `[红方:x][蓝方:y][红方先手][红方胜][date place][event]`. Several games can follow each other in one file.
"""

import re
from collections.abc import Iterator

from boyi.games import BadPosition, Game, Position
from boyi.records.ccgc import read_place, read_result, read_teams, written_place, written_result
from boyi.records.format import Format, Found, check_game, only_game, plain
from boyi.records.record import BadRecord, CannotHold, Ply, Record, Result, named_game
from boyi.records.replay import replayed, start_key
from boyi.records.source import Skipped, Source

LAYOUT = re.compile(r"\s*([RB])\s*[:：]((?:\s*[A-E][1-5]\s*-\s*[1-6]\s*[;；]?)+)\s*", re.IGNORECASE)
STONE = re.compile(r"([A-E])([1-5])\s*-\s*([1-6])", re.IGNORECASE)
MOVE = re.compile(
    r"\s*(\d{1,3})\s*[:：]\s*([1-6])\s*[;；]\s*[(（]\s*([RB])\s*([1-6])\s*[,，]\s*([A-E])([1-5])\s*[)）]\s*[;；]?\s*",
    re.IGNORECASE,
)
FIELD = re.compile(r"\[([^\[\]]*)\]")
FROM_BOTTOM = {"A5", "B5", "C5", "A4", "B4", "A3"}
FROM_TOP = {"A1", "B1", "C1", "A2", "B2", "A3"}
SIDES = "RB"
MOST_LINES = 200
"""Lines of one game; no game has more than 80 moves."""


def split(source: Source) -> Iterator[tuple[int, list[str]] | Skipped]:
    """The games of a file: each begins with `#`, or with a layout after moves."""
    begun, lines = 1, list[str]()
    for number, line in source.lines():
        if line is None:
            yield source.too_long(number)
        elif text := line.strip():
            moved = any(MOVE.match(before) for before in lines[-1:])
            if lines and (text.startswith("#") or (LAYOUT.match(text) and moved)):
                yield begun, lines
                lines = []
            if not lines:
                begun = number
            if len(lines) <= MOST_LINES:
                lines.append(text)
    if lines:
        yield begun, lines


def read(source: Source, game: Game | None) -> Found:
    for found in split(source):
        yield found if isinstance(found, Skipped) else source.attempt(found[0], parse, found[1], game)


def parse(lines: list[str], game: Game | None = None) -> Record:
    """A record from the lines of one game."""
    check_game(game, "einstein", "WTN")
    found = game or named_game("einstein")
    head = lines[0] if lines[0].startswith("#") else ""
    body = lines[1:] if head else lines
    layouts = [match for match in (LAYOUT.fullmatch(line) for line in body[:2]) if match]
    stones = {match[1].upper(): STONE.findall(match[2].upper()) for match in layouts}
    if sorted(stones) != ["B", "R"] or any(sorted(s[2] for s in side) != list("123456") for side in stones.values()):
        raise BadRecord("it takes two lines R: and B: with six stones each, such as R:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6")
    from_top = rows_from_top({column + row for column, row, _ in stones["R"]})
    moves = [(line, MOVE.fullmatch(line)) for line in body[2:]]
    for number, (line, match) in enumerate(moves, 1):
        if not match:
            raise BadRecord(f"move {number}: {line[:40]!r} is no move such as 1:3;(R3,C4)")
    names, result, headers, first = _header(head)
    if moves and moves[0][1]:
        opener = SIDES.index(moves[0][1][3].upper())
        if first is not None and first != opener:
            raise BadRecord(
                f"the header says that {found.players[first]} moves first, the first move {found.players[opener]}"
            )
        first = opener
    first = first or 0
    setup = " / ".join(" ".join(_squares(stones[side], from_top)) for side in SIDES)
    try:
        position = start = found.start(setup=setup, first=("red", "blue")[first])
    except BadPosition as error:
        raise BadRecord(str(error)) from None
    plies: list[Ply] = []
    for number, (_, match) in enumerate(moves, 1):
        assert match is not None
        position = _played(position, match, number, from_top, plies)
    record = Record(
        "einstein",
        names if first == 0 else (names[1], names[0]),
        start=start_key(start),
        plies=tuple(plies),
        result=Result(result.winner if first == 0 or result.winner is None else 1 - result.winner) if result else None,
        headers=headers,
    )
    return replayed(record, found)


def rows_from_top(squares: set[str]) -> bool:
    """Whether rows count from the top, told by the squares of Red's stones."""
    if squares == FROM_BOTTOM:
        return False
    if squares == FROM_TOP:
        return True
    raise BadRecord(f"Red's stones on {' '.join(sorted(squares))} do not stand in its corner, A5 or A1")


def _header(head: str) -> tuple[tuple[str, str], Result | None, dict[str, str], int | None]:
    """Names of the first and the second mover, the result as if Red moved first, headers, and who moves first."""
    fields = FIELD.findall(head)[1:]
    if not fields:
        return ("", ""), None, {}, None
    if fields[0].strip().startswith("红方"):
        fields = [field.strip() for field in fields]
        names = [re.sub(r"^(红方|蓝方)\s*[:：]?", "", field).strip() for field in [*fields, ""][:2]]
        first = next((number for number, side in enumerate("红蓝") if f"{side}方先手" in fields), None)
        winner = next((number for number, side in enumerate("红蓝") if f"{side}方胜" in fields), None)
        rest = [field for field in fields[2:] if not re.fullmatch(r"[红蓝]方(先手|胜)|[先后]手胜", field)]
        if first == 1:
            names.reverse()
            winner = None if winner is None else 1 - winner
        result = None if winner is None else Result(winner)
        return (names[0], names[1]), result or read_result(" ".join(fields), 0), read_place(rest), first
    names_found, swapped = read_teams(fields[:2], SIDES)
    coloured = any(re.search(r"\s[RB]\s*$", field, re.IGNORECASE) for field in fields[:2])
    result = read_result(fields[2] if len(fields) > 2 else "", 0)
    return names_found, result, read_place(fields[3:]), int(swapped) if coloured else None


def _number(column: str, row: str, from_top: bool) -> int:
    """A square 1..25, counted row by row from the top left."""
    return 5 * (int(row) - 1 if from_top else 5 - int(row)) + "ABCDE".index(column.upper()) + 1


def _squares(stones: list[tuple[str, str, str]], from_top: bool) -> list[str]:
    by_number = {int(stone): _number(column, row, from_top) for column, row, stone in stones}
    return [str(by_number[stone]) for stone in range(1, 7)]


def _played(position: Position, match: re.Match[str], number: int, from_top: bool, plies: list[Ply]) -> Position:
    """Roll and move of one line."""
    if position.turn is None:
        raise BadRecord(f"move {number}: the game is over")
    rolled = position.play(match[2])
    side, stone = match[3].upper(), match[4]
    mover = SIDES[rolled.turn or 0]
    if side != mover:
        raise BadRecord(f"move {number}: it is the turn of {position.game.players[rolled.turn or 0]}")
    cells = [cell for row in rolled.cells for cell in row]
    if side + stone not in cells:
        raise BadRecord(f"move {number}: stone {side}{stone} is not on the board")
    move = f"{cells.index(side + stone) + 1}-{_number(match[5], match[6], from_top)}"
    try:
        after = rolled.play(move)
    except ValueError as error:
        raise BadRecord(f"move {number}: {match.group().strip()[:40]!r}: {error}") from None
    plies += [Ply(rolled.move), Ply(after.move)]
    return after


def write(record: Record, game: Game) -> str:
    only_game(record, game, "einstein", "WTN")
    position = record.first(game)
    key = position.key.split()
    first = ["red", "blue"].index(key[-2])
    cells = [cell for row in position.cells for cell in row]
    stones = [(square.upper(), cell) for square, cell in zip(game.squares, cells, strict=True) if cell]
    layouts = [sorted((cell[1], square) for square, cell in stones if cell[0] == side) for side in SIDES]
    if {square for _, square in layouts[0]} != FROM_BOTTOM or len(layouts[1]) != 6 or key[-1] != "-":
        raise CannotHold(f"WTN cannot hold a start other than twelve stones in their corners, {record.start[:80]!r}")
    if {square for _, square in layouts[1]} != {"E3", "D2", "E2", "C1", "D1", "E1"}:
        raise CannotHold(f"WTN cannot hold a start other than twelve stones in their corners, {record.start[:80]!r}")
    names = [plain(name, "[]") for name in record.players]
    teams = [f"{names[side]} {SIDES[side]}" for side in (first, 1 - first)]
    fields = ["WTN", *teams, written_result(record, first), *written_place(record)]
    lines = ["#" + "".join(f"[{field}]" for field in fields) + ";"]
    for side, layout in zip(SIDES, layouts, strict=True):
        lines.append(f"{side}:" + ";".join(f"{square}-{number}" for number, square in layout))
    die = ""
    count = 0
    for before, move in zip(record.positions(game), record.moves, strict=False):
        if before.turn not in (0, 1):
            die = move
            continue
        source, target = move.split("-")
        square = game.square(source)
        assert square is not None
        stone = before.cells[square // 5][square % 5]
        count += 1
        lines.append(f"{count}:{die};({stone},{target.upper()})")
    return "\n".join(lines) + "\n"


WTN = Format(
    name="wtn",
    title="EinStein records of the Chinese championship",
    suffixes=(".wtn", ".txt"),
    recognise=lambda head: bool(
        re.match(r"\s*(#\s*\[WTN\]|#\s*\[红方|[RB]\s*[:：]\s*[A-E][1-5]-[1-6])", head, re.IGNORECASE)
    ),
    read=read,
    write=write,
)
