"""SGF FF[4] (`sgf`): trees of moves with comments, for every game. `sgf_tree` has the syntax, `sgf_points` the moves.

What has no place in a `Record` is kept in `extra` and written again. What SGF has no property for stands in private
ones: BG the game, BS the start's key, BH other headers, RR the reason of a result, BV a value from -1 to 1, TU the
seconds a move took, DI a roll, MR and MB the moves of Red and Blue.
"""

import re
from dataclasses import replace

from boyi.games import CHANCE, Game, Position
from boyi.records.format import ANNOTATIONS, Format, Found, decimal, plain, read_number
from boyi.records.record import DEEPEST, BadRecord, Extra, Ply, Record, Result, beside, game_text, played
from boyi.records.replay import SidePly, replayed, start_key
from boyi.records.sgf_points import SIDES, game_of, game_properties, read_moves, read_points, write_move
from boyi.records.sgf_tree import VALUE, Node, escaped, parse_tree, simple, split, text_of
from boyi.records.source import Source, charset

HEADERS = {
    "EV": "event", "PC": "place", "DT": "date", "RO": "round", "GN": "name", "ON": "opening", "AN": "annotator",
    "SO": "source", "US": "user", "TM": "time_limit", "OT": "overtime", "RU": "rules", "BR": "black_rating",
    "WR": "white_rating", "BT": "black_team", "WT": "white_team", "CP": "copyright", "GC": "about", "KM": "komi",
    "HA": "handicap",
}  # fmt: skip
IDENTS = {name: ident for ident, name in HEADERS.items()}
FORMAL = ("FF", "CA", "AP", "ST", "GM", "SZ", "BG", "BS", "BH", "PB", "PW", "RE", "RR", "AB", "AW", "AE", "PL")
ON_A_MOVE = ("B", "W", "MR", "MB", "DI", "C", "V", "BV", "TU")
REASONS = {"R": "resigned", "T": "time", "F": "forfeit"}
RESULT = re.compile(r"([BW])\s*(?:\+\s*(?:(\d{1,4}(?:\.\d{1,6})?)|([A-Z]+))?)?", re.IGNORECASE)
COMPOSED = re.compile(r"([^:\\]*(?:\\.[^:\\]*)*):(.*)", re.DOTALL)
NAMES = re.compile(r"\b(PB|PW|EV)\[(.*?)\](?=\s*(?:[A-Z]{1,2}\[|;))", re.DOTALL)


def read(source: Source, game: Game | None) -> Found:
    for line, text in split(source.chunks()):
        yield source.too_long(line) if text is None else source.attempt(line, parse, text, game)


def parse(text: str, game: Game | None = None) -> Record:
    """A record from the text of one tree."""
    try:
        root = parse_tree(text)
    except BadRecord:
        mended = NAMES.sub(lambda found: f"{found[1]}[{escaped(found[2])}]", text, count=3)
        if mended == text:
            raise
        root = parse_tree(mended)  # Little Golem escapes nothing in names
    found = game_of(root, game)
    comment = text_of(root.first("C") or "")
    headers = {HEADERS[name]: text_of(values[0]) for name, values in root.properties.items() if name in HEADERS}
    for value in root.properties.get("BH", []):
        if parts := COMPOSED.fullmatch(value):
            headers[text_of(parts[1])] = text_of(parts[2])
    moves = Node({name: values for name, values in root.properties.items() if name in ON_A_MOVE[:5]}, root.children)
    plies, before = _Lines(found).follow(moves, [], 0)
    record = Record(
        game=game_text(found),
        players=(simple(root.first("PB") or ""), simple(root.first("PW") or "")),
        start=_start(root, found),
        plies=plies,
        result=_result(root),
        headers={name: value for name, value in headers.items() if value},
        comment="\n".join(filter(None, (comment, before))),
        extra=_extra(root, (*FORMAL, *HEADERS, *ON_A_MOVE)),
    )
    return replayed(record, found, surplus=int(found.name == "connect6"))


class _Lines:
    """Makes lines of plies from nodes."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def follow(self, node: Node, others: list[Node], depth: int) -> tuple[tuple[Ply, ...], str]:
        """The main line from a node, the other nodes beside it as variations, and comments before the first move."""
        if depth > DEEPEST:
            raise BadRecord(f"variations lie more than {DEEPEST} deep in each other")
        plies: list[Ply] = []
        waiting: list[tuple[Ply, ...]] = []
        early = ""
        current: Node | None = node
        while current is not None:
            made = self.plies_of(current)
            for other in others:
                line, comment = self.follow(other, [], depth + 1)
                if line and comment:
                    line = (replace(line[0], comment=_joined(comment, line[0].comment)), *line[1:])
                waiting += [line] if line else []
            if made:
                made[0] = replace(made[0], variations=tuple(waiting))
                waiting = []
                plies += made
            else:
                comment, extra = text_of(current.first("C") or ""), _extra(current, ON_A_MOVE)
                if plies:
                    last = plies[-1]
                    plies[-1] = replace(last, comment=_joined(last.comment, comment), extra=last.extra + extra)
                else:
                    early = _joined(early, comment)
            others = current.children[1:]
            current = current.children[0] if current.children else None
        if waiting:
            plies += [replace(waiting[0][0], variations=tuple(waiting[1:])), *waiting[0][1:]]
        return tuple(plies), early

    def plies_of(self, node: Node) -> list[Ply]:
        """The plies of a node: one; two where a turn has two stones; none where it only comments."""
        for name in ("AB", "AW", "AE"):
            if name in node.properties:
                raise BadRecord(f"stones are set up ({name}) in the middle of the game")
        made: list[Ply] = []
        for name, values in node.properties.items():
            if name in ("B", "W"):
                mover = "BW".index(name)
                made += [SidePly(move, mover=mover) for value in values for move in read_moves(self.game, value)]
            elif name in ("MR", "MB"):
                made += [SidePly(simple(value), mover=("MR", "MB").index(name)) for value in values]
            elif name == "DI":
                made += [Ply(simple(value)) for value in values]
        if made:
            made[-1] = replace(
                made[-1],
                comment=text_of(node.first("C") or ""),
                score=read_number((node.first("V") or "").strip()),
                value=read_number((node.first("BV") or "").strip()),
                seconds=read_number((node.first("TU") or "").strip()),
                extra=_extra(node, ON_A_MOVE),
            )
        return made


def _joined(first: str, second: str) -> str:
    return "\n".join(filter(None, (first, second)))


def _extra(node: Node, known: tuple[str, ...]) -> Extra:
    return tuple((name, tuple(values)) for name, values in node.properties.items() if name not in known)


def _start(root: Node, game: Game) -> str:
    if own := root.first("BS"):
        return start_key(game.position(simple(own)))
    stones = {name: root.properties.get(name, []) for name in ("AB", "AW")}
    if not any(stones.values()):
        return ""
    height, width = game.shape
    cells = [[""] * width for _ in range(height)]
    for letter, values in zip("XO", stones.values(), strict=True):
        for square in read_points(game, values):
            cells[square // width][square % width] = letter
    turn = 1 if (root.first("PL") or "").strip().upper()[:1] in ("W", "2") else 0
    return start_key(game.compose(cells, turn))


def _result(root: Node) -> Result | None:
    text = simple(root.first("RE") or "").strip()
    reason = text_of(root.first("RR") or "")
    if text.lower() in ("0", "draw", "d", "1/2", "1/2-1/2"):
        return Result(None, reason)
    found = RESULT.fullmatch(text)
    if not found:
        return None
    winner = "BW".index(found[1].upper())
    score = None if found[2] is None else float(found[2]) * (1 - 2 * winner)
    return Result(winner, reason or REASONS.get((found[3] or "")[:1].upper(), ""), score)


def write(record: Record, game: Game) -> str:
    """A record as a tree, with the line's end."""
    first = record.first(game)
    properties = [("FF", "4"), ("CA", "UTF-8"), ("AP", "Boyi"), *game_properties(game)]
    properties += [
        (ident, escaped(plain(name))) for ident, name in zip(("PB", "PW"), record.players, strict=True) if name
    ]
    others = []
    for name, value in record.headers.items():
        if name in IDENTS:
            properties.append((IDENTS[name], escaped(value)))
        else:
            others.append(f"{escaped(name).replace(':', chr(92) + ':')}:{escaped(value)}")
    head = "".join(f"{ident}[{value}]" for ident, value in properties)
    head += "BH" + "".join(f"[{value}]" for value in others) if others else ""
    body, last = _written_line(first, record.plies, 1)
    natural = last.outcome.reason if last.outcome else ""
    head += _written_result(record.result, natural) + _written_start(record, first)
    head += f"C[{escaped(record.comment)}]" if record.comment else ""
    head += _written_extra(record.extra, (*FORMAL, *HEADERS, *ON_A_MOVE))
    return f"(;{head}{body})\n"


def _written_result(result: Result | None, natural: str) -> str:
    """The result; the reason apart, where neither the letter nor the last position (`natural`) tells it."""
    if result is None:
        return "RE[?]"
    letter = next((letter for letter, reason in REASONS.items() if reason == result.reason), "")
    if result.winner is None:
        text = "0"
    else:
        margin = letter or ("" if result.score is None else decimal(abs(result.score)))
        text = f"{'BW'[result.winner]}+{margin}"
    return f"RE[{text}]" + (
        f"RR[{escaped(result.reason)}]" if result.reason and not letter and result.reason != natural else ""
    )


def _written_start(record: Record, first: Position) -> str:
    game = first.game
    if not record.start and game.name != "othello":
        return ""
    own = f"BS[{escaped(first.key)}]"
    turn = first.turn
    if turn not in (0, 1) or set(game.pieces) != {"X", "O"} or game.name not in ("othello", "gomoku", "connect6"):
        return own
    cells = tuple(cell for row in first.cells for cell in row)
    if not any(cells):
        return own
    placed = [[name for name, cell in zip(game.squares, cells, strict=True) if cell == letter] for letter in "XO"]
    stones = "".join(
        ident + "".join(f"[{write_move(game, name)}]" for name in names)
        for ident, names in zip(("AB", "AW"), placed, strict=True)
        if names
    )
    composed = game.compose(first.cells, turn)
    return f"{stones}PL[{'BW'[turn]}]" + ("" if composed.key == first.key else own)


def _written_extra(extra: Extra, known: tuple[str, ...]) -> str:
    parts = []
    for name, values in extra:
        if re.fullmatch(r"[A-Z]{1,64}", name) and name not in known:
            kept = [value if VALUE.fullmatch(value + "]") else escaped(value) for value in values]
            parts.append(name + "".join(f"[{value}]" for value in kept or [""]))
    return "".join(parts)


def _written_line(position: Position, line: tuple[Ply, ...], number: int) -> tuple[str, Position]:
    """The nodes of a line, its variations behind it in parentheses, and the position that it leads to."""
    parts: list[str] = []
    endings: list[str] = []
    at = 0
    while at < len(line):
        ply = line[at]
        if ply.variations:
            others = "".join(f"({_written_line(position, other, number + at)[0]})" for other in beside(ply.variations))
            endings.append(f"){others}")
            parts.append("(")
        after = played(position, ply.move, number + at)
        move, last = ply.move, ply
        following = line[at + 1] if at + 1 < len(line) else None
        if following and _is_one_turn(position, after, ply, following):
            after = played(after, following.move, number + at + 1)
            move, last = ply.move + following.move, following
            at += 1
        parts.append(f";{_property(position)}[{write_move(position.game, move)}]{_annotated(last)}")
        position = after
        at += 1
    return "".join(parts) + "".join(reversed(endings)), position


def _is_one_turn(before: Position, after: Position, ply: Ply, following: Ply) -> bool:
    """Whether two stones of Connect6 can stand in one node without losing what belongs to one of them."""
    if before.game.name != "connect6" or after.turn != before.turn:
        return False
    return ply == Ply(ply.move, variations=ply.variations) and not following.variations


def _property(position: Position) -> str:
    if position.turn == CHANCE:
        return "DI"
    return SIDES.get(position.game.name, ("B", "W"))[position.turn or 0]


def _annotated(ply: Ply) -> str:
    numbers = (("V", ply.score), ("BV", ply.value), ("TU", ply.seconds))
    text = "".join(f"{ident}[{decimal(number)}]" for ident, number in numbers if number is not None)
    text += f"C[{escaped(ply.comment)}]" if ply.comment else ""
    return text + _written_extra(ply.extra, (*ON_A_MOVE, "AB", "AW", "AE"))


def encoding_of(head: bytes) -> str | None:
    """The encoding that CA names."""
    found = re.search(rb"CA\s*\[([^\]]{1,40})\]", head)
    return charset(found[1].decode("ascii", "replace")) if found else None


SGF = Format(
    name="sgf",
    title="SGF FF[4], any game",
    suffixes=(".sgf",),
    recognise=lambda head: bool(re.search(r"\(\s*;\s*[A-Za-z]{1,20}\s*\[", head)) and "GM[Othello]" not in head,
    read=read,
    write=write,
    holds=ANNOTATIONS,
    encodings=("utf-8", "latin-1"),
    encoding_of=encoding_of,
)
