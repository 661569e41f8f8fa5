"""Records of the Chinese championship for Gomoku (`c5`) and Connect6 (`c6`).

`{[C6][first team B][second team W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(I,11);W(I,12);...}`: one token a
stone, columns from A with I, rows counted from the bottom as in this package. Writers differ in blanks, in the last
brace and in `MARK[n]` behind a token: all are read. Files are GB18030 (which includes GB2312) or UTF-8.
"""

import re
from collections.abc import Callable

from boyi.games import Game
from boyi.records.format import Format, Found, check_game, only_game, only_usual_start, plain
from boyi.records.record import BadRecord, CannotHold, Ply, Record, Result, game_text, named_game
from boyi.records.replay import SidePly, replayed
from boyi.records.source import Source, blocks

BEGIN = re.compile(r"\{\s*\[\s*C[56]\s*\]", re.IGNORECASE)
FIELD = re.compile(r"\s*\[([^\[\]]*)\]")
TOKEN = re.compile(r"([BW])\s*\(\s*([A-Z])\s*[,，]\s*(\d{1,2})\s*\)\s*(?:MARK\s*\[\s*(-?\d{1,3})\s*\])?", re.IGNORECASE)
DATED = re.compile(r"(\d{4}[./-]\d{1,2}[./-]\d{1,2}(?:\s+\d{1,2}[:：]\d{2})?)\s*(.*)", re.DOTALL)
UNKNOWN = "未完"
"""Written where a game has no result."""
GAMES = {"C5": "gomoku", "C6": "connect6"}


def find_end(text: str, at: int, fresh: bool, last: bool) -> tuple[int, int]:
    """A game ends at its brace, or where the next one begins."""
    following = BEGIN.search(text, at)
    closing = text.find("}", at, following.start() if following else len(text))
    if closing >= 0:
        return closing + 1, 0
    return (following.start(), 0) if following else (-1, max(at, len(text) - 20))


def reader(code: str) -> Callable[[Source, Game | None], Found]:
    """The reader of one of the two formats; a file may mix them, so both read both."""

    def read(source: Source, game: Game | None) -> Found:
        for line, text in blocks(source.chunks(), BEGIN, find_end):
            yield source.too_long(line) if text is None else source.attempt(line, parse, text, game)

    read.__name__ = f"read_{code.lower()}"
    return read


def parse(text: str, game: Game | None = None) -> Record:
    """A record from the text between the braces."""
    head, _, body = text.strip().lstrip("{").rstrip("}").partition(";")
    fields = FIELD.findall(head)
    if rest := FIELD.sub("", head).strip():
        raise BadRecord(f"{rest[:40]!r} is no part of a header such as [C6][first team B][second team W][先手胜]")
    code = fields[0].strip().upper()
    check_game(game, GAMES[code], code)
    found = game or named_game(GAMES[code])
    names, swapped = read_teams(fields[1:3], "BW")
    headers = read_place(fields[4:])
    plies: list[Ply] = []
    for part in body.split(";"):
        if not (token := part.strip()):
            continue
        stone = TOKEN.fullmatch(token)
        if not stone:
            raise BadRecord(f"move {len(plies) + 1}: {token[:40]!r} is no stone such as B(J,10)")
        if len(plies) > found.num_squares:
            raise BadRecord(f"it has more than {found.num_squares} stones")
        marks = (("MARK", (stone[4],)),) if stone[4] else ()
        plies.append(SidePly(f"{stone[2]}{int(stone[3])}".lower(), extra=marks, mover="BW".index(stone[1].upper())))
    result = read_result(fields[3] if len(fields) > 3 else "", 0)
    if swapped:
        names = (names[1], names[0])
    record = Record(game_text(found), names, plies=tuple(plies), result=result, headers=headers)
    return replayed(record, found, surplus=int(code == "C6"))


def read_teams(fields: list[str], letters: str) -> tuple[tuple[str, str], bool]:
    """The names of the team that moves first and of the other, and whether the first has the second colour."""
    found = [re.fullmatch(rf"(.*?)\s+([{letters}])\s*", field, re.IGNORECASE | re.DOTALL) for field in fields]
    names = [match[1].strip() if match else field.strip() for match, field in zip(found, fields, strict=True)] + [
        "",
        "",
    ]
    colours = [match[2].upper() for match in found if match]
    return (names[0], names[1]), colours[:1] == [letters[1]]


def read_result(text: str, first: int) -> Result | None:
    """The result in a header, where `first` is the player who moved first."""
    for words, winner in ((("先手胜", "先手勝"), first), (("后手胜", "後手勝"), 1 - first)):
        if any(word in text for word in words):
            return Result(winner)
    return Result(None) if any(word in text for word in ("和棋", "平局")) else None


def written_result(record: Record, first: int) -> str:
    if record.result is None:
        return UNKNOWN
    return "和棋" if record.result.winner is None else "先手胜" if record.result.winner == first else "后手胜"


def read_place(fields: list[str]) -> dict[str, str]:
    """The last fields of a header: date, time and place in one, and the event."""
    fields = [field.strip() for field in fields]
    headers: dict[str, str] = {}
    if fields and fields[0]:
        dated = DATED.fullmatch(fields[0])
        headers = {"date": dated[1], "place": dated[2].strip()} if dated else {"place": fields[0]}
    if len(fields) > 1:
        headers["event"] = fields[1]
    return {name: value for name, value in headers.items() if value}


def written_place(record: Record) -> list[str]:
    known = [plain(record.headers.get(name, ""), "[]{};") for name in ("date", "place", "event")]
    return [" ".join(filter(None, known[:2])), known[2]]


def writer(code: str) -> Callable[[Record, Game], str]:
    """The writer of one of the two formats."""

    def write(record: Record, game: Game) -> str:
        usual = named_game(GAMES[code]).options()
        only_game(record, game, GAMES[code], code, **usual)
        only_usual_start(record, code)
        first, second = (plain(name, "[]{};") for name in record.players)
        fields = [code, f"{first} B", f"{second} W", written_result(record, 0), *written_place(record)]
        tokens = []
        for before, ply in zip(record.positions(game), record.plies, strict=False):
            square = game.square(ply.move)
            if square is None:
                raise CannotHold(f"{ply.move[:20]!r} is no point of the board")
            marks = "".join(f"MARK[{values[0]}]" for name, values in ply.extra if name == "MARK" and values)
            tokens.append(f"{'BW'[before.turn or 0]}({ply.move[0].upper()},{ply.move[1:]}){marks}")
        return "{" + "".join(f"[{field}]" for field in fields) + "".join(f";{token}" for token in tokens) + "}\n"

    write.__name__ = f"write_{code.lower()}"
    return write


def recogniser(code: str) -> Callable[[str], bool]:
    def recognise(head: str) -> bool:
        found = BEGIN.search(head)
        return found is not None and code in found.group().upper()

    return recognise


C5, C6 = (
    Format(
        name=code.lower(),
        title=title,
        suffixes=(f".{code.lower()}", ".txt"),
        recognise=recogniser(code),
        read=reader(code),
        write=writer(code),
        written_as="gb18030",
    )
    for code, title in (
        ("C5", "Gomoku records of the Chinese championship"),
        ("C6", "Connect6 records of the Chinese championship"),
    )
)
