"""GGF, the Othello records of GGS and NBoard (`ggf`).

`(;GM[Othello]PB[..]PW[..]RE[+12.000]TY[8]BO[8 ... *]B[d3//0.5]...;)`. Nothing is escaped. `BO` is the start, row by
row. A move is `move/eval/seconds`, the evaluation in discs from the mover's side; passes are explicit. A number before
a game says how many stand in the line and is passed over.
"""

import re

from boyi.games import Game
from boyi.records.format import Format, Found, check_game, decimal, only_game, plain, read_number
from boyi.records.record import BadRecord, CannotHold, Ply, Record, Result, game_text, named_game
from boyi.records.replay import SidePly, replayed, start_key
from boyi.records.source import Source, blocks
from boyi.records.transcripts import board_key

BEGIN = re.compile(r"\(;")
TAG = re.compile(r"\s*([A-Z]{1,8})\s*\[([^\]]*)\]")
HEADERS = {"PC": "place", "DT": "date", "RB": "black_rating", "RW": "white_rating", "TI": "clock", "KM": "komi"}
REASONS = {"r": "resigned", "t": "time", "f": "forfeit"}
RESULT = re.compile(r"([+-])\s*(\d{1,3}(?:\.\d{1,6})?)?(?::([a-z]))?|(0(?:\.0{1,6})?)")
MOST_MOVES = 200


def find_end(text: str, at: int, fresh: bool, last: bool) -> tuple[int, int]:
    """A game ends with `;)`, or where the next one begins."""
    following = text.find("(;", at)
    closing = text.find(";)", at, following if following >= 0 else len(text))
    if closing >= 0:
        return closing + 2, 0
    return (following, 0) if following >= 0 else (-1, max(at, len(text) - 2))


def read(source: Source, game: Game | None) -> Found:
    for line, text in blocks(source.chunks(), BEGIN, find_end):
        yield source.too_long(line) if text is None else source.attempt(line, parse, text, game)


def parse(text: str, game: Game | None = None) -> Record:
    """A record from the text of one game, `(;` to `;)`."""
    check_game(game, "othello", "GGF")
    body = text.strip()
    if not (body.startswith("(;") and body.endswith(";)")):
        raise BadRecord("a GGF game begins with (; and ends with ;)")
    tags: dict[str, str] = {}
    plies: list[Ply] = []
    at, end = 2, len(body) - 2
    while body[at:end].strip():
        found = TAG.match(body, at, end)
        if not found:
            raise BadRecord(f"{body[at : at + 30]!r} is no tag such as B[d3]")
        at = found.end()
        if found[1] in ("B", "W"):
            plies.append(_ply(found[2], "BW".index(found[1]), len(plies) + 1))
        elif found[1] in tags:
            raise BadRecord(f"it has two tags {found[1]}")
        else:
            tags[found[1]] = found[2].strip()
        if len(plies) > MOST_MOVES or len(tags) > MOST_MOVES:
            raise BadRecord(f"it has more than {MOST_MOVES} moves or tags")
    if tags.pop("GM", "Othello").lower() not in ("othello", "reversi"):
        raise BadRecord("its game (GM) is not Othello")
    found_game, start = _start(tags, game)
    names = (tags.pop("PB", ""), tags.pop("PW", ""))
    result = _result(tags.pop("RE", ""))
    headers = {HEADERS.get(tag, tag): value for tag, value in tags.items() if value}
    return replayed(Record(game_text(found_game), names, start, tuple(plies), result, headers), found_game)


def _start(tags: dict[str, str], game: Game | None) -> tuple[Game, str]:
    kind, board = tags.pop("TY", "8"), tags.pop("BO", "")
    size = re.match(r"\s*(\d{1,2})\b", board) or re.match(r"s?(\d{1,2})", kind)
    if not size or "a" in kind:
        raise BadRecord(f"board type {kind[:20]!r} is not possible here")
    found = (
        game if game is not None and game.shape[0] == int(size[1]) else named_game("othello").variant(size=int(size[1]))
    )
    if not re.fullmatch(r"s?\d+", kind):
        tags["TY"] = kind
    if not board:
        return found, ""
    text = re.sub(r"^\s*\d{1,2}", "", board)
    return found, start_key(found.position(board_key(text, found)))


def _ply(value: str, mover: int, number: int) -> Ply:
    move, *rest = [part.strip() for part in value.split("/")]
    if len(rest) > 2 or not move:
        raise BadRecord(f"move {number}: {value[:40]!r} is no move such as d3/1.5/0.01")
    evaluation, seconds = (*rest, "", "")[:2]
    score, spent = (read_number(part) for part in (evaluation, seconds))
    return SidePly(
        "pass" if move[:2].lower() == "pa" else move,
        seconds=spent,
        score=score if score is None or mover == 0 else -score,
        mover=mover,
    )


def _result(text: str) -> Result | None:
    found = RESULT.fullmatch(text.lower())
    if not found:
        return None
    if found[4] or (found[2] and float(found[2]) == 0):
        return Result(None, score=0)
    winner = 0 if found[1] == "+" else 1
    if found[3]:
        return Result(winner, REASONS.get(found[3], ""))
    return Result(winner, score=float(found[1] + found[2]) if found[2] else None)


def write(record: Record, game: Game) -> str:
    """A record as one line of GGF, with the line's end."""
    only_game(record, game, "othello", "GGF")
    first = record.first(game)
    size = game.shape[0]
    rows = " ".join("".join({"X": "*", "O": "O"}.get(cell, "-") for cell in row) for row in first.cells)
    side = "*O"["XO".index(first.key.split()[1])]
    known = {
        "GM": "Othello",
        "PC": record.headers.get("place", ""),
        "DT": record.headers.get("date", ""),
        "PB": record.players[0],
        "PW": record.players[1],
        "RB": record.headers.get("black_rating", ""),
        "RW": record.headers.get("white_rating", ""),
        "TI": record.headers.get("clock", ""),
        "TY": record.headers.get("TY", "") or str(size),
        "KM": record.headers.get("komi", ""),
        **{tag: value for tag, value in record.headers.items() if re.fullmatch(r"[A-Z]{2}", tag) and tag not in _OWN},
        "RE": _written_result(record.result),
        "BO": f"{size} {rows} {side}",
    }
    parts = [f"{tag}[{plain(value, '[];')}]" for tag, value in known.items() if value]
    for before, ply in zip(record.positions(game), record.plies, strict=False):
        mover = before.turn or 0
        move = "PA" if ply.move == "pass" else ply.move
        score = "" if ply.score is None else f"{-ply.score if mover else ply.score:.2f}"
        seconds = "" if ply.seconds is None else decimal(ply.seconds)
        parts.append(f"{'BW'[mover]}[{'/'.join([move, score, seconds]).rstrip('/')}]")
    if len(parts) > 2 * MOST_MOVES:
        raise CannotHold("GGF cannot hold so many moves and headers")
    return f"(;{''.join(parts)};)\n"


_OWN = ("GM", "PC", "DT", "PB", "PW", "RB", "RW", "TI", "TY", "KM", "RE", "BO")


def _written_result(result: Result | None) -> str:
    if result is None:
        return "?"
    if result.winner is None:
        return "0.000"
    sign = "+-"[result.winner]
    letter = next((letter for letter, reason in REASONS.items() if reason == result.reason), "")
    if letter:
        return f"{sign}64.000:{letter}"
    return sign if result.score is None else f"{result.score:+.3f}"


GGF = Format(
    name="ggf",
    title="Othello records of GGS and NBoard",
    suffixes=(".ggf",),
    recognise=lambda head: bool(re.search(r"\(;\s*GM\[Othello\]", head, re.IGNORECASE)),
    read=read,
    write=write,
    holds=("seconds", "scores"),
    encodings=("utf-8", "latin-1"),
)
