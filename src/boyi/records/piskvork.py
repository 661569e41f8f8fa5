"""Gomoku records of Piskvork and Gomocup (`psq`) and of Gomotur (`rec`).

PSQ: `Piskvorky 20x20, 11:11, 0`, then a line `x,y,milliseconds` for each move, counted from 1 at the top left; in
tournament files two lines with the players' names, a code, and perhaps a line such as `0,Freestyle`. The last number
of the first line says which of the two players begins. REC: two lines with the names, the moves counted from 0, and a
code; the board is 20x20. Several games can follow each other in one file.
"""

import re
from collections.abc import Iterator

from boyi.games import Game
from boyi.records.format import Format, Found, check_game, only_game, only_usual_start, plain
from boyi.records.record import MOST_PLIES, BadRecord, CannotHold, Ply, Record, game_text, named_game
from boyi.records.replay import replayed
from boyi.records.source import Skipped, Source

HEAD = re.compile(r"Piskvorky (\d{1,3})x(\d{1,3})\s*,\s*(-?\d{1,9}):(-?\d{1,9})\s*,\s*(\d)", re.IGNORECASE)
MOVE = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(-?\d{1,12})\s*")
VARIANTS = ("freestyle", "standard", "renju")
REC_SIZE = 20
MOST_LINES = 1000
"""Lines of one game; a board has 400 points at most."""


def split_psq(source: Source) -> Iterator[tuple[int, list[str]] | Skipped]:
    """The games of a PSQ file: each begins with its own first line."""
    begun, lines = 1, list[str]()
    for number, line in source.lines():
        if line is None:
            yield source.too_long(number)
        elif line.strip():
            if line.lower().startswith("piskvorky") and lines:
                yield begun, lines
                lines = []
            if not lines:
                begun = number
            if len(lines) <= MOST_LINES:
                lines.append(line.strip())
    if lines:
        yield begun, lines


def read_psq(source: Source, game: Game | None) -> Found:
    for found in split_psq(source):
        yield found if isinstance(found, Skipped) else source.attempt(found[0], parse_psq, found[1], game)


def parse_psq(lines: list[str], game: Game | None = None) -> Record:
    """A record from the lines of a PSQ game."""
    head = HEAD.match(lines[0])
    if not head:
        raise BadRecord(f"{lines[0][:60]!r} is no first line such as 'Piskvorky 15x15, 11:11, 0'")
    width, height, beginner = int(head[1]), int(head[2]), int(head[5])
    if width != height or beginner > 1:
        raise BadRecord(f"{lines[0][:60]!r}: a board must be square, and player 0 or 1 begin")
    moves, rest = _moves(lines, 1)
    *tail, kind = rest if rest and re.match(r"-?\d+\s*,", rest[-1]) else [*rest, ""]
    found = _rules(game, width, kind)
    headers = {"players": f"{head[3]}:{head[4]}"} if (head[3], head[4]) != ("0", "0") else {}
    if kind:
        headers["kind"] = kind
    if len(tail) > 2:
        headers["code"] = tail[2]
    names = (tail[0], tail[1]) if len(tail) >= 2 else ("", "")
    return _made(found, moves, 1, names if beginner == 0 else names[::-1], headers)


def write_psq(record: Record, game: Game) -> str:
    only_game(record, game, "gomoku", "PSQ", win=5)
    only_usual_start(record, "PSQ")
    size = game.shape[0]
    variant = str(game.options()["variant"])
    lines = [f"Piskvorky {size}x{size}, {record.headers.get('players', '0:0')}, 0", *_written(record, game, 1)]
    kind = plain(record.headers.get("kind", ""))
    if _variant(kind) != variant and (kind or variant != "freestyle"):
        kind = f"0,{variant.capitalize()}{size}"
    names = [plain(name) for name in record.players]
    if any(names) or kind or "code" in record.headers:
        lines += [name or "?" for name in names] + [record.headers.get("code", "-1")]
    return "\n".join(lines + ([kind] if kind else [])) + "\n"


def split_rec(source: Source) -> Iterator[tuple[int, list[str]] | Skipped]:
    """The games of a REC file: each ends with the line after its moves."""
    begun, lines = 1, list[str]()
    for number, line in source.lines():
        if line is None:
            yield source.too_long(number)
            continue
        if not lines and not line.strip():
            continue
        if not lines:
            begun = number
        if len(lines) <= MOST_LINES:
            lines.append(line.strip())
        if len(lines) > 2 and not MOVE.fullmatch(line):
            yield begun, lines
            lines = []
    if lines:
        yield begun, lines


def read_rec(source: Source, game: Game | None) -> Found:
    for found in split_rec(source):
        yield found if isinstance(found, Skipped) else source.attempt(found[0], parse_rec, found[1], game)


def parse_rec(lines: list[str], game: Game | None = None) -> Record:
    """A record from the lines of a REC game."""
    if len(lines) < 3 or MOVE.fullmatch(lines[0]) or MOVE.fullmatch(lines[1]):
        raise BadRecord("a REC game has two lines with the players' names, moves x,y,ms and a code")
    moves, rest = _moves(lines, 2)
    headers = {"code": rest[0]} if rest and rest[0] != "-1" else {}
    found = _rules(game, REC_SIZE, "")
    return _made(found, moves, 0, (lines[0], lines[1]), headers)


def write_rec(record: Record, game: Game) -> str:
    only_game(record, game, "gomoku", "REC", size=REC_SIZE, win=5, variant="freestyle")
    only_usual_start(record, "REC")
    names = [plain(name) or "?" for name in record.players]
    return "\n".join([*names, *_written(record, game, 0), plain(record.headers.get("code", "")) or "-1"]) + "\n"


def _moves(lines: list[str], first: int) -> tuple[list[tuple[int, int, int]], list[str]]:
    """The moves from a line on as column, row and milliseconds, and the lines behind them."""
    moves: list[tuple[int, int, int]] = []
    for number, line in enumerate(lines[first:], first):
        found = MOVE.fullmatch(line)
        if not found:
            return moves, lines[number:]
        moves.append((int(found[1]), int(found[2]), int(found[3])))
    if len(moves) > MOST_PLIES:
        raise BadRecord(f"it has more than {MOST_PLIES:,} moves")
    return moves, []


def _variant(kind: str) -> str:
    return next((name for name in VARIANTS if name in kind.lower()), "freestyle")


def _rules(game: Game | None, size: int, kind: str) -> Game:
    check_game(game, "gomoku", "a Piskvork record")
    if game is not None and game.shape == (size, size):
        return game
    found = named_game("gomoku")
    allowed = found.parameters["size"]
    if size not in allowed:
        raise BadRecord(f"a board of {size}x{size} is not possible; allowed: {allowed[0]}..{allowed[-1]}")
    return found.variant(size=size, variant=_variant(kind))


def _made(
    game: Game, moves: list[tuple[int, int, int]], base: int, names: tuple[str, str], headers: dict[str, str]
) -> Record:
    size = game.shape[0]
    plies = []
    for number, (x, y, spent) in enumerate(moves, 1):
        column, row = x - base, y - base
        if not (0 <= column < size and 0 <= row < size):
            raise BadRecord(f"move {number}: {x},{y} is not on a board of {size}x{size}")
        plies.append(Ply(game.squares[row * size + column], max(0, spent) / 1000))
    players = tuple("" if name == "?" else name for name in names)
    record = Record(game_text(game), (players[0], players[1]), plies=tuple(plies), headers=headers)
    return replayed(record, game)


def _written(record: Record, game: Game, base: int) -> list[str]:
    size = game.shape[0]
    lines = []
    for number, ply in enumerate(record.plies, 1):
        square = game.square(ply.move)
        if square is None:
            raise CannotHold(f"move {number}, {ply.move[:20]!r}, is no point of the board")
        spent = round(1000 * (ply.seconds or 0))
        lines.append(f"{square % size + base},{square // size + base},{spent}")
    return lines


PSQ = Format(
    name="psq",
    title="Gomoku records of Piskvork and Gomocup",
    suffixes=(".psq",),
    recognise=lambda head: bool(HEAD.match(head.lstrip())),
    read=read_psq,
    write=write_psq,
    holds=("seconds",),
)
REC = Format(
    name="rec",
    title="Gomoku records of Gomotur",
    suffixes=(".rec",),
    recognise=lambda head: bool(re.match(r"[^\n,]+\n[^\n,]+\n\d+,\d+,\d+\n", head)),
    read=read_rec,
    write=write_rec,
    holds=("seconds",),
)
