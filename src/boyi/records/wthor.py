"""WTHOR, the French federation's Othello archive (`wthor`): `.wtb` games with `.jou` players and `.trn` tournaments.

Little-endian. A header of 16 bytes, then 68 bytes a game: tournament, black and white player as 16-bit numbers, Black's
discs at the end (empty squares to the winner), Black's discs with best play from a depth that the header names, and 60
moves of 10 * row + column, counted from 1, zeros behind the last. Passes are not stored. Names lie in files of the same
name beside the games (`games.jou`), or in `WTHOR.JOU` and `WTHOR.TRN`.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from boyi.games import Game, GameError
from boyi.records.format import Format, Found, check_game, only_game, only_usual_start, read_number
from boyi.records.othello_batch import NO_MOVE, PLIES, plies_of, replay, results_of
from boyi.records.record import CannotHold, Record, named_game
from boyi.records.source import Source

HEADER = np.dtype(
    [("century", "u1"), ("year", "u1"), ("month", "u1"), ("day", "u1"), ("games", "<u4"), ("names", "<u2"),
     ("played", "<u2"), ("size", "u1"), ("kind", "u1"), ("depth", "u1"), ("reserved", "u1")]
)  # fmt: skip
GAME = np.dtype(
    [("tournament", "<u2"), ("black", "<u2"), ("white", "<u2"), ("score", "u1"), ("theory", "u1"), ("moves", "u1", 60)]
)
BATCH = 4096
NAME_BYTES = {".jou": 20, ".trn": 26}
MOST_NAMES = 65536
SQUARES = np.full(256, 255, np.uint8)
SQUARES[0] = NO_MOVE
for _row in range(8):
    for _column in range(8):
        SQUARES[10 * _row + _column + 11] = 8 * _row + _column


def read(source: Source, game: Game | None) -> Found:
    """The games of a `.wtb` file, a batch at a time."""
    check_game(game, "othello", "WTHOR")
    if source.path.suffix.lower() in NAME_BYTES:
        raise GameError(f"{source.name!r} holds names, not games; read the .wtb file beside it")
    with source.path.open("rb") as file:
        head = file.read(HEADER.itemsize)
        if len(head) < HEADER.itemsize:
            yield source.skip(1, f"{len(head)} bytes are no WTHOR file: its header has {HEADER.itemsize}")
            return
        header = np.frombuffer(head, HEADER)[0]
        if header["size"] not in (0, 8):
            yield source.skip(1, f"boards of {header['size']}x{header['size']} are not read, only 8x8")
            return
        players, tournaments = (read_names(source.path, suffix) for suffix in NAME_BYTES)
        facts = {"date": str(header["played"])} if header["played"] else {}
        number = 0
        for games in batches(file):
            for found in records_of(games, players, tournaments, facts, int(header["depth"])):
                number += 1
                source.line = number
                yield found if isinstance(found, Record) else source.skip(number, found)
        if number < header["games"]:
            yield source.skip(number + 1, f"the file is cut off after {number} of {header['games']} games")


def batches(file: BinaryIO) -> Iterator[NDArray[np.void]]:
    """The games of a file behind its header; the bytes of a game that is cut off are left."""
    while data := file.read(BATCH * GAME.itemsize):
        whole = len(data) // GAME.itemsize
        if whole:
            yield np.frombuffer(data, GAME, whole)


def read_names(games: Path, suffix: str) -> list[str]:
    """The names beside a file of games, [] where there are none."""
    try:
        beside = {path.name.lower(): path for path in games.parent.iterdir() if path.suffix.lower() == suffix}
    except OSError:
        return []
    path = beside.get(games.stem.lower() + suffix) or beside.get("wthor" + suffix)
    if path is None or not path.is_file():
        return []
    width = NAME_BYTES[suffix]
    with path.open("rb") as file:
        data = file.read(HEADER.itemsize + MOST_NAMES * width)[HEADER.itemsize :]
    rows = [data[at : at + width] for at in range(0, len(data) - width + 1, width)]
    return [row.split(b"\0")[0].decode("latin-1").strip() for row in rows]


def records_of(
    games: NDArray[np.void], players: list[str], tournaments: list[str], facts: dict[str, str], depth: int
) -> Iterator[Record | str]:
    """The records of a batch of games, or why there is none."""
    codes: Any = games["moves"]
    squares = SQUARES[codes]
    found = replay(squares)
    lines, bad = plies_of(squares, found), found.bad.tolist()
    facts_of = zip(*(games[name].tolist() for name in ("tournament", "black", "white", "theory")), strict=True)
    results = results_of(found, games["score"])
    for index, (tournament, black, white, theory) in enumerate(facts_of):
        if bad[index] >= 0:
            yield f"move {bad[index] + 1}: {codes[index, bad[index]]} is not a legal move"
            continue
        headers = dict(facts)
        if event := _name(tournaments, tournament):
            headers["event"] = event
        if depth and theory <= 64:
            headers |= {"theoretical_score": f"{2 * theory - 64:+d}", "theoretical_depth": str(depth)}
        yield Record(
            "othello",
            (_name(players, black), _name(players, white)),
            plies=lines[index],
            result=results[index],
            headers=headers,
        )


def _name(names: list[str], number: int) -> str:
    return names[number] if number < len(names) else ""


class WthorWriter:
    """Writes a `.wtb` file, and at the end the names beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file: BinaryIO = path.open("wb")
        self.header = np.zeros(1, HEADER)
        self.header["size"] = 8
        self.file.write(self.header.tobytes())
        self.names: dict[str, dict[str, int]] = {suffix: {} for suffix in NAME_BYTES}

    def write(self, record: Record) -> None:
        game = named_game(record.game)
        only_game(record, game, "othello", "WTHOR", size=8)
        only_usual_start(record, "WTHOR")
        moves = [move for move in record.moves if move != "pass"]
        squares = [game.square(move) for move in moves]
        if len(squares) > PLIES or None in squares:
            raise CannotHold(f"WTHOR cannot hold {len(moves)} moves")
        if record.result is None:
            raise CannotHold("WTHOR cannot hold a game without a result")
        margin = record.result.score
        if margin is None:
            margin = {None: 0, 0: 64, 1: -64}[record.result.winner]
        row = np.zeros(1, GAME)
        row["moves"][0, : len(squares)] = [10 * (s // 8) + s % 8 + 11 for s in squares if s is not None]
        row["score"] = min(64, max(0, 32 + round(margin) // 2))
        row["theory"] = self._theory(record.headers, int(row["score"][0]))
        row["tournament"] = self._number(".trn", record.headers.get("event", ""))
        row["black"], row["white"] = (self._number(".jou", name) for name in record.players)
        year = record.headers.get("date", "")[:4]
        if year.isdecimal() and not self.header["played"][0]:
            self.header["played"] = int(year)
        self.file.write(row.tobytes())
        self.header["games"] += 1

    def _theory(self, headers: Mapping[str, str], score: int) -> int:
        """Black's theoretical discs; the file has one depth for all games, that of the first."""
        depth, margin = headers.get("theoretical_depth", ""), read_number(headers.get("theoretical_score", ""))
        if margin is None or not re.fullmatch(r"[1-9]|[1-5]\d", depth):
            return score
        self.header["depth"] = self.header["depth"][0] or int(depth)
        return min(64, max(0, 32 + round(margin) // 2)) if self.header["depth"][0] == int(depth) else score

    def _number(self, suffix: str, name: str) -> int:
        known = self.names[suffix]
        text = name.encode("latin-1", "replace")[: NAME_BYTES[suffix] - 1].decode("latin-1")
        if text not in known and len(known) >= MOST_NAMES:
            raise CannotHold(f"WTHOR cannot hold more than {MOST_NAMES:,} names")
        return known.setdefault(text, len(known))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.file.seek(0)
        self.file.write(self.header.tobytes())
        self.file.close()
        if raised and raised[0] is not None:
            return
        for suffix, width in NAME_BYTES.items():
            header = np.zeros(1, HEADER)
            header["names"] = min(len(self.names[suffix]), MOST_NAMES - 1)
            rows = [name.encode("latin-1").ljust(width, b"\0") for name in self.names[suffix]]
            self.path.with_suffix(suffix).write_bytes(header.tobytes() + b"".join(rows))


WTHOR = Format(
    name="wthor",
    title="WTHOR, the French federation's Othello archive",
    suffixes=(".wtb",),
    recognise=lambda head: False,
    read=read,
    open_writer=WthorWriter,
)
