"""Othello as text: transcripts (`transcript`, F5D6C3 ..., one game a line) and OBF (`obf`, one position a line).

A transcript leaves passes out; they are found by replaying. An OBF line holds a board, the side to move, and perhaps
every legal move with its score for the mover, best first. It becomes a record that starts there; the best move is its
only ply and the others are variations, each with its score.
"""

import re
from dataclasses import replace

import numpy as np

from boyi.games import Game
from boyi.records.format import Format, Found, check_game, decimal, only_game, only_usual_start, read_number
from boyi.records.lines import game_lines
from boyi.records.othello_batch import NO_MOVE, PLIES, plies_of, replay, results_of
from boyi.records.record import BadRecord, CannotHold, Ply, Record, game_text, named_game
from boyi.records.replay import replayed, start_key
from boyi.records.source import Skipped, Source

PART = re.compile(r"(?:[a-h][1-8]|--|pass|p[as])", re.IGNORECASE)
PLAIN = re.compile(r"(?:[a-hA-H][1-8]){1,60}")
BATCH = 1024
BLACK, WHITE, EMPTY = "bBxX*", "oOwW", "-."


def read_transcripts(source: Source, game: Game | None) -> Found:
    """The games of a file; those of 8x8 are replayed many at a time."""
    waiting: list[tuple[int, str] | Skipped] = []
    for found in game_lines(source, "#%"):
        waiting.append(found)
        if len(waiting) == BATCH:
            yield from _replayed_together(source, waiting, game)
            waiting = []
    yield from _replayed_together(source, waiting, game)


def _replayed_together(source: Source, lines: list[tuple[int, str] | Skipped], game: Game | None) -> Found:
    squares = np.full((len(lines), PLIES), NO_MOVE, np.uint8)
    if game is None or game == named_game("othello"):
        for row, line in zip(squares, lines, strict=True):
            if not isinstance(line, Skipped) and PLAIN.fullmatch(line[1]):
                text = np.frombuffer(line[1].lower().encode("ascii"), np.uint8)
                row[: len(text) // 2] = 8 * (text[1::2] - ord("1")) + text[::2] - ord("a")
    found = replay(squares)
    plies, results = plies_of(squares, found), results_of(found)
    for index, line in enumerate(lines):
        if isinstance(line, Skipped):
            yield line
        elif found.bad[index] < 0 and plies[index]:
            source.line = line[0]
            yield Record("othello", plies=plies[index], result=results[index])
        else:
            yield source.attempt(line[0], parse_transcript, line[1], game)


def parse_transcript(text: str, game: Game | None = None) -> Record:
    """A record from a transcript, on a board of 8x8 or the given game's."""
    check_game(game, "othello", "a transcript")
    found = game or named_game("othello")
    moves: list[str] = []
    for word in text.lower().split():
        parts = PART.findall(word)
        if "".join(parts) != word:
            raise BadRecord(f"{word[:40]!r} is no row of moves such as f5d6c3")
        moves += [part for part in parts if part[1] in "12345678"]
        if len(moves) > found.num_squares:
            raise BadRecord(f"it has more than {found.num_squares} moves")
    return replayed(Record(game_text(found), plies=tuple(map(Ply, moves))), found)


def write_transcript(record: Record, game: Game) -> str:
    only_game(record, game, "othello", "a transcript", size=8)
    only_usual_start(record, "a transcript")
    return "".join(move.upper() for move in record.moves if move != "pass") + "\n" if record.plies else ""


def read_obf(source: Source, game: Game | None) -> Found:
    for found in game_lines(source, "%#"):
        yield found if isinstance(found, Skipped) else source.attempt(found[0], parse_obf, found[1], game)


def parse_obf(text: str, game: Game | None = None) -> Record:
    """A record from a line of OBF."""
    check_game(game, "othello", "OBF")
    found = game or named_game("othello")
    body, _, comment = text.partition("%")
    field, *rest = body.split(";")
    if apart := re.fullmatch(r"(.*[a-z*])\s+([+-]\d{1,2})\s*", field, re.IGNORECASE):
        field, rest = apart[1], [apart[2], *rest]
    position = found.position(board_key(field, found))
    scores: dict[str, float] = {}
    result = None
    for part in (part.strip() for part in rest):
        move, colon, score = part.rpartition(":")
        number = read_number(score.strip())
        if part and number is None:
            raise BadRecord(f"{part[:40]!r} is no field such as g8:+18")
        if colon and number is not None:
            scores[move.strip()] = number if position.turn == 0 else -number
        elif number is not None:
            result = number if position.turn == 0 else -number
    choices = [Ply(move, score=score) for move, score in scores.items()]
    plies = tuple(replace(ply, variations=tuple((other,) for other in choices[1:])) for ply in choices[:1])
    headers = {} if result is None else {"score": decimal(result)}
    record = Record(game_text(found), start=start_key(position), plies=plies, headers=headers, comment=comment.strip())
    return replayed(record, found).changed(result=None)


def board_key(text: str, game: Game) -> str:
    """The key of a board as other programs write it: the squares row by row, then the side to move."""
    letters = "".join("X" if c in BLACK else "O" if c in WHITE else "-" if c in EMPTY else "" for c in text[:1000])
    size = game.num_squares
    side = letters[size:].lstrip("-")[:1]
    if len(letters) <= size or not side:
        raise BadRecord(f"{text[:80]!r} is no board of {size} squares and a side to move")
    return f"{letters[:size]} {side}"


def write_obf(record: Record, game: Game) -> str:
    only_game(record, game, "othello", "OBF", size=8)
    if len(record.plies) > 1 or any(len(line) > 1 for ply in record.plies for line in ply.variations):
        raise CannotHold("OBF holds positions, not games")
    position = record.first(game)
    board = "".join(cell or "-" for row in position.cells for cell in row)
    sign = -1 if position.turn == 1 else 1
    choices = [record.plies[0], *(line[0] for line in record.plies[0].variations)] if record.plies else []
    fields = [
        f" {ply.move.upper()}:{sign * ply.score:+g};" for ply in choices if ply.score is not None and ply.move != "pass"
    ]
    comment = f" % {' '.join(record.comment.split())}" if record.comment.strip() else ""
    side = position.key.split()[1]
    score = read_number(record.headers.get("score", ""))
    if not fields and score is not None:
        fields = [f" {sign * score:+g};"]
    return f"{board} {side};{''.join(fields)}{comment}\n"


TRANSCRIPTS = Format(
    name="transcript",
    title="Othello transcripts (F5D6C3...)",
    suffixes=(".transcript", ".txt"),
    recognise=lambda head: bool(re.match(r"\s*(?:[a-h][1-8]){4,}", head, re.IGNORECASE)),
    read=read_transcripts,
    write=write_transcript,
)
OBF = Format(
    name="obf",
    title="Othello positions (OBF)",
    suffixes=(".obf",),
    recognise=lambda head: bool(re.match(r"(?:\s*%[^\n]*\n)*\s*[-.xowb*]{64}\s*[xowb*]", head, re.IGNORECASE)),
    read=read_obf,
    write=write_obf,
    holds=("scores", "variations", "comments"),
    holds_positions=True,
)
