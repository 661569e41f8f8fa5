"""`Record`: a kept game as data, whatever file it comes from. Immutable; a change is another record.

A record names its game by its rules text (`gomoku:size=9`), says where it starts, and lists its plies as positions
do: every move and every roll of the dice is one ply, a turn of two stones is two, a pass is one. A ply can carry the
seconds that it took, what its player thought of it, a comment, and variations: other plies in its place, each with what
follows it. `to_json` writes a record as one line of text.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from boyi.games import Game, GameError, IllegalMove, Outcome, Position, games
from boyi.games import game as find_game

DEEPEST = 50
"""How deep variations may lie in each other."""
MOST_PLIES = 100_000
"""How many plies a record may have, variations included."""

Extra = tuple[tuple[str, tuple[str, ...]], ...]
"""Properties of an SGF node that have no other place: identifier and values, as the file has them."""


class BadRecord(GameError):
    """A game that cannot be read, or cannot be replayed."""


class CannotHold(GameError):
    """A format has no way to write a game."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One move or roll. `value` (-1 to 1) and `score` (the margin, such as discs) are for player 0."""

    move: str
    seconds: float | None = None
    value: float | None = None
    score: float | None = None
    comment: str = ""
    variations: tuple[tuple[Ply, ...], ...] = ()
    """Other lines from the position before this ply; each begins with the ply that takes its place."""
    extra: Extra = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the winner (None for a draw), why if it is known, and the margin for player 0 if it is."""

    winner: int | None
    reason: str = ""
    score: float | None = None


@dataclass(frozen=True)
class Record:
    """A game with its headers, start, plies and result; see the module's docstring."""

    game: str
    """The rules: the name of a game and its parameters where they are not the usual ones."""
    players: tuple[str, str] = ("", "")
    """The names of players 0 and 1, "" where they are not known."""
    start: str = ""
    """The key of the first position, "" for the game's usual start."""
    plies: tuple[Ply, ...] = ()
    result: Result | None = None
    """None while it is not known how the game ended."""
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What else is known: event, date, place, round, source ... by name."""
    comment: str = ""
    """A comment on the whole game."""
    extra: Extra = ()

    @classmethod
    def of(
        cls,
        game: str | Game,
        moves: Iterable[str],
        *,
        players: Sequence[str] = ("", ""),
        start: str = "",
        seconds: Sequence[float | None] | None = None,
        result: Result | Outcome | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Record:
        """A record from plain parts: moves as texts, and the seconds of each where they are known."""
        texts = list(moves)
        clock = list(seconds) if seconds is not None else [None] * len(texts)
        if len(clock) != len(texts):
            raise BadRecord(f"{len(texts)} moves have {len(clock)} times; it takes one each, None where unknown")
        if isinstance(result, Outcome):
            result = Result(result.winner, result.reason, result.score)
        return cls(
            game=game_text(game),
            players=(players[0], players[1]),
            start=start,
            plies=tuple(Ply(move, spent) for move, spent in zip(texts, clock, strict=True)),
            result=result,
            headers=dict(headers or {}),
        )

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves and rolls of the game, without variations."""
        return tuple(ply.move for ply in self.plies)

    def first(self, game: Game | None = None) -> Position:
        """The position it starts from. `game` is needed for a game that is not in this package."""
        found = game or named_game(self.game)
        return found.position(self.start) if self.start else found.start()

    def positions(self, game: Game | None = None) -> Iterator[Position]:
        """The positions of the game in order, the first one included; `BadRecord` at a move that is not legal."""
        position = self.first(game)
        yield position
        for number, ply in enumerate(self.plies, 1):
            position = played(position, ply.move, number)
            yield position

    def position(self, game: Game | None = None) -> Position:
        """The last position, which knows all before it."""
        *_, last = self.positions(game)
        return last

    def changed(self, **fields: Any) -> Record:
        """The same record with other fields."""
        return replace(self, **fields)

    def to_json(self) -> str:
        """The record as one line of text, without the line's end."""
        facts: dict[str, Any] = {"game": self.game}
        if any(self.players):
            facts["players"] = list(self.players)
        if self.start:
            facts["start"] = self.start
        facts["moves"] = _write_line(self.plies)
        if self.result is not None:
            result = {"winner": self.result.winner, "reason": self.result.reason, "score": self.result.score}
            facts["result"] = {
                name: value for name, value in result.items() if name == "winner" or value not in ("", None)
            }
        if self.headers:
            facts["headers"] = dict(self.headers)
        if self.comment:
            facts["comment"] = self.comment
        if self.extra:
            facts["extra"] = _write_extra(self.extra)
        return json.dumps(facts, ensure_ascii=False, separators=(", ", ": "), allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record that `to_json` wrote; `BadRecord` says what is wrong with any other text."""
        try:
            facts = json.loads(text, parse_constant=_no_constant)
        except RecursionError:
            raise BadRecord("nested too deeply") from None
        except ValueError as error:
            raise BadRecord(f"no JSON: {error}") from None
        facts = _object(facts, "a record")
        _only(facts, "a record", cls.__match_args__, {"plies": "moves"})
        game = _text(facts.get("game", ""), "game")
        if not game:
            raise BadRecord('it does not name its "game"')
        count = [0]
        players = [_text(name, "a player") for name in _list(facts.get("players", ["", ""]), "players")]
        if len(players) != 2:
            raise BadRecord(f"it has {len(players)} players; it takes two")
        headers = _object(facts.get("headers", {}), "headers")
        return cls(
            game=game,
            players=(players[0], players[1]),
            start=_text(facts.get("start", ""), "start"),
            plies=_read_line(facts.get("moves", []), count, 0),
            result=_read_result(facts.get("result")),
            headers={name: _text(value, f"header {name!r}") for name, value in headers.items()},
            comment=_text(facts.get("comment", ""), "comment"),
            extra=_read_extra(facts.get("extra", {})),
        )


def named_game(text: str) -> Game:
    """A game of this package by its rules text. Unlike `boyi.game`, never a file: records come from strangers."""
    if text.partition(":")[0] not in games():
        raise BadRecord(f"unknown game {text[:80]!r}; known are {', '.join(games())}; name a rules file yourself")
    return _named_game(text)


@functools.lru_cache(256)
def _named_game(text: str) -> Game:
    return find_game(text)


@functools.lru_cache(256)
def game_text(game: str | Game) -> str:
    """The one way to write a game of this package: parameters that are not the usual ones, in their order.

    A text that names a rules file stays as it is.
    """
    if isinstance(game, str):
        return game_text(find_game(game)) if game.partition(":")[0] in games() else game
    if game.name not in games():
        return game.name
    usual = find_game(game.name).options()
    different = [f"{name}={value}" for name, value in game.options().items() if value != usual[name]]
    return game.name + (":" + ",".join(different) if different else "")


def beside(lines: Iterable[tuple[Ply, ...]]) -> Iterator[tuple[Ply, ...]]:
    """Variations beside each other: those on the first ply of one stand beside it, not within it."""
    for line in lines:
        if line and line[0].variations:
            yield (replace(line[0], variations=()), *line[1:])
            yield from beside(line[0].variations)
        elif line:
            yield line


def played(position: Position, move: str, number: int) -> Position:
    """The position after a move of a record; `BadRecord` with the move's number where it is not legal."""
    try:
        return position.play(move)
    except IllegalMove as error:
        raise BadRecord(f"move {number}: {error}") from None


# JSON


def _write_line(line: tuple[Ply, ...]) -> list[Any]:
    return [_write_ply(ply) for ply in line]


def _write_ply(ply: Ply) -> str | dict[str, Any]:
    facts: dict[str, Any] = {"move": ply.move}
    for name in ("seconds", "value", "score"):
        if (number := getattr(ply, name)) is not None:
            facts[name] = number
    if ply.comment:
        facts["comment"] = ply.comment
    if ply.variations:
        facts["variations"] = [_write_line(line) for line in ply.variations]
    if ply.extra:
        facts["extra"] = _write_extra(ply.extra)
    return facts if len(facts) > 1 else ply.move


def _write_extra(extra: Extra) -> dict[str, list[str]]:
    return {name: list(values) for name, values in extra}


def _read_line(found: Any, count: list[int], depth: int) -> tuple[Ply, ...]:
    line = _list(found, "a line of moves")
    count[0] += len(line)
    if count[0] > MOST_PLIES:
        raise BadRecord(f"it has more than {MOST_PLIES:,} moves")
    return tuple(Ply(ply) if isinstance(ply, str) else _read_ply(ply, count, depth) for ply in line)


def _read_ply(found: Any, count: list[int], depth: int) -> Ply:
    facts = _object(found, "a move")
    _only(facts, "a move", Ply.__match_args__)
    if "move" not in facts:
        raise BadRecord('a move lacks its "move"')
    return Ply(
        move=_text(facts["move"], "a move"),
        seconds=_number(facts.get("seconds"), "seconds"),
        value=_number(facts.get("value"), "value"),
        score=_number(facts.get("score"), "score"),
        comment=_text(facts.get("comment", ""), "comment"),
        variations=_read_variations(facts.get("variations", []), count, depth),
        extra=_read_extra(facts.get("extra", {})),
    )


def _read_variations(found: Any, count: list[int], depth: int) -> tuple[tuple[Ply, ...], ...]:
    lines = _list(found, "variations")
    if lines and depth >= DEEPEST:
        raise BadRecord(f"variations lie more than {DEEPEST} deep in each other")
    read = tuple(_read_line(line, count, depth + 1) for line in lines)
    if not all(read):
        raise BadRecord("a variation has no move")
    return read


def _read_extra(found: Any) -> Extra:
    return tuple(
        (name, tuple(_text(value, f"extra {name!r}") for value in _list(values, f"extra {name!r}")))
        for name, values in _object(found, "extra").items()
    )


def _read_result(found: Any) -> Result | None:
    if found is None:
        return None
    facts = _object(found, "result")
    _only(facts, "a result", Result.__match_args__)
    winner = facts.get("winner")
    if winner not in (None, 0, 1) or isinstance(winner, bool | float):
        raise BadRecord(f"winner {winner!r} is not possible; allowed: 0, 1, null")
    return Result(winner, _text(facts.get("reason", ""), "reason"), _number(facts.get("score"), "score"))


def _only(facts: dict[str, Any], what: str, known: Iterable[str], renamed: Mapping[str, str] | None = None) -> None:
    names = [(renamed or {}).get(name, name) for name in known]
    if unknown := [name for name in facts if name not in names]:
        raise BadRecord(f"{what} has no field {unknown[0][:40]!r}; its fields: {', '.join(names)}")


def _text(found: Any, what: str) -> str:
    if not isinstance(found, str):
        raise BadRecord(f"{what} is {_shown(found)}, not a text")
    if any(0xD800 <= ord(letter) < 0xE000 for letter in found if letter > "\ud7ff"):
        raise BadRecord(f"{what} has half a character, which no file can hold")
    return found


def _number(found: Any, what: str) -> float | None:
    if found is not None and (not isinstance(found, int | float) or isinstance(found, bool) or not _finite(found)):
        raise BadRecord(f"{what} is {_shown(found)}, not a number")
    return found


def _finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def _list(found: Any, what: str) -> list[Any]:
    if not isinstance(found, list):
        raise BadRecord(f"{what} is {_shown(found)}, not a list")
    return found


def _object(found: Any, what: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise BadRecord(f"{what} is {_shown(found)}, not an object")
    return found


def _shown(found: Any) -> str:
    try:
        return repr(found)[:40]
    except (ValueError, RecursionError):
        return "something too long to show"


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of a record")
