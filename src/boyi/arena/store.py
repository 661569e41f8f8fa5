"""The directory of a match or tournament: its plan, and its games as they end.

    plan.json       everything that decides the games
    games.jsonl     one finished game a line, a `Record`, in the order in which they ended

A killed run leaves at most half a line at the end of `games.jsonl`, which the next one cuts off.
"""

import dataclasses
import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boyi.arena.match import GameRow
from boyi.arena.plan import Plan
from boyi.arena.play import Thought
from boyi.games.errors import GameError
from boyi.records import Ply, Record, Result
from boyi.records.record import game_text

PLAN, GAMES = "plan.json", "games.jsonl"


class Store:
    """The directory of a run, locked while it is open. `rows` are the games that it already has."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder, self.plan = folder, plan
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._games = (folder / GAMES).open("a+b")
        except OSError as error:
            raise OSError(error.errno, f"cannot write {folder}: {error.strerror}; choose another --dir") from error
        try:
            fcntl.flock(self._games, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._agree()
            self.rows = self._read()
        except BlockingIOError:
            self._games.close()
            raise GameError(f"{folder} is in use by another run; wait for it or choose another --dir") from None
        except BaseException:
            self._games.close()
            raise

    def append(self, row: GameRow) -> None:
        """Keep a finished game."""
        try:
            self._games.write(record_of(row, self.plan).to_json().encode() + b"\n")
            self._games.flush()
        except OSError as error:
            full = " the disk is full; free some space and go on" if error.errno == errno.ENOSPC else ""
            raise OSError(error.errno, f"cannot write {self.folder / GAMES}:{full or error}") from error
        self.rows.append(row)

    def close(self) -> None:
        self._games.close()

    def _agree(self) -> None:
        """Write the plan, or see that the one that is there has the same games, perhaps fewer."""
        file = self.folder / PLAN
        if file.exists():
            kept = read_plan(self.folder)
            if kept == self.plan:
                return
            there, here = dataclasses.asdict(kept), dataclasses.asdict(self.plan)
            different = [name for name in there if there[name] != here[name]]
            if different != ["games"] or kept.games > self.plan.games:
                name = next((name for name in different if name != "games"), "games")
                raise GameError(
                    f"{self.folder} holds another match: {name} is {str(there[name])[:80]} there, "
                    f"{str(here[name])[:80]} here; choose another --dir, or --resume what is there"
                )
        elif self._games.seek(0, os.SEEK_END):
            raise GameError(f"{self.folder} has games without a {PLAN}; choose another --dir")
        partial = file.with_name(f".{PLAN}.part")
        partial.write_text(self.plan.to_json(), encoding="utf-8")
        partial.replace(file)

    def _read(self) -> list[GameRow]:
        """The games so far, each number once; what follows the last whole line is cut off."""
        self._games.seek(0)
        fixtures = {(fixture.number, fixture.first, fixture.second) for fixture in self.plan.fixtures()}
        rows: dict[int, GameRow] = {}
        whole = 0
        for number, line in enumerate(self._games, 1):
            if not line.endswith(b"\n"):
                break
            try:
                row = row_of(Record.from_json(line.decode()))
            except (ValueError, LookupError) as error:
                raise GameError(f"{self.folder / GAMES}, line {number} is no game: {error}") from None
            if (row.number, *row.players) not in fixtures:
                raise GameError(f"{self.folder / GAMES}, line {number}: the plan has no game {row.number}")
            rows.setdefault(row.number, row)
            whole += len(line)
        self._games.truncate(whole)
        return list(rows.values())


def read_plan(folder: Path) -> Plan:
    """The plan of a directory."""
    file = folder / PLAN
    try:
        return Plan.from_json(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        raise GameError(f"{str(folder)[:200]!r} is no directory of a match or tournament: it has no {PLAN}") from None


def read_rows(folder: Path) -> list[GameRow]:
    """The games of a directory so far, which may be in use, in order of their numbers."""
    rows: dict[int, GameRow] = {}
    for record in read_records(folder):
        row = row_of(record)
        rows.setdefault(row.number, row)
    return [rows[number] for number in sorted(rows)]


def read_records(folder: Path) -> Iterator[Record]:
    """The records of a directory, in the order in which the games ended."""
    with (folder / GAMES).open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield Record.from_json(line.decode())


def record_of(row: GameRow, plan: Plan) -> Record:
    """A game as a record; what only a tournament knows stands in its headers."""
    names = [plan.players[number] for number in row.players]
    thoughts = row.thoughts or (None,) * len(row.history)
    plies = tuple(
        Ply(move) if thought is None else Ply(move, thought.seconds, thought.value, thought.score)
        for move, thought in zip(row.history, thoughts, strict=True)
    )
    headers = {
        "number": row.number,
        "players": _written(row.players),
        "seat": row.seat,
        "seed": row.seed,
        "moves": _written(row.num_moves),
        "seconds": _written(row.seconds),
        "ended": "failure" if row.forfeit else "board",
    }
    return Record(
        game=game_text(plan.game),
        players=(names[row.seat], names[1 - row.seat]),
        start=row.start,
        plies=plies,
        result=Result(row.winner, row.reason, row.score),
        headers={name: str(value) for name, value in headers.items()},
    )


def row_of(record: Record) -> GameRow:
    """The game of a record that `record_of` made."""
    headers, result = record.headers, record.result
    if result is None:
        raise GameError("the game has no result")
    first, second = map(int, headers["players"].split())
    ours, theirs = map(int, headers["moves"].split())
    our_s, their_s = map(float, headers["seconds"].split())
    return GameRow(
        number=int(headers["number"]),
        seed=int(headers["seed"]),
        seat=int(headers["seat"]),
        winner=result.winner,
        reason=result.reason,
        score=int(result.score or 0),
        start=record.start,
        history=record.moves,
        num_moves=(ours, theirs),
        seconds=(our_s, their_s),
        forfeit=headers["ended"] == "failure",
        players=(first, second),
        thoughts=tuple(
            None if ply.seconds is None else Thought(ply.seconds, ply.value, ply.score) for ply in record.plies
        ),
    )


def _written(numbers: tuple[Any, Any]) -> str:
    return f"{numbers[0]!r} {numbers[1]!r}"
