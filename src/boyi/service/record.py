"""`Record`: a kept game as data, and the changes that actions make to it. Pure: no database, no clock, no tasks.

A change is a new record, the position after it, and how many of the old moves it keeps.
"""

from __future__ import annotations

import hashlib
import random
import secrets
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from boyi.games import CHANCE, Game, Position
from boyi.service import boards
from boyi.service.errors import Conflict
from boyi.service.opponents import HUMAN, Find, check_seat, opponent
from boyi.service.views import Clock, MoveRequest, MoveView, NewGame, OutcomeView

Dice = Literal["screen", "hand"]


@dataclass(frozen=True)
class Record:
    """One row of the table of games, with its moves. Times are microseconds since 1970."""

    id: str
    visitor: str
    version: int
    name: str
    rules: str
    seats: tuple[str, str]
    wanted_start: str
    start: str
    moves: tuple[MoveView, ...]
    dice: Dice
    seed: str
    clock: Clock | None
    remaining_s: tuple[float, float] | None
    paused: bool
    outcome: OutcomeView | None
    share: str | None
    created: int
    updated: int

    @property
    def game(self) -> Game:
        return boards.rules_named(self.rules)

    @property
    def digest(self) -> str:
        """Tells two courses of a game apart."""
        text = "\n".join([self.rules, self.start, *(move.move for move in self.moves)])
        return hashlib.sha256(text.encode()).hexdigest()

    def position(self) -> Position:
        """The last position, which knows all before it."""
        return boards.replay(self.game.position(self.start), [move.move for move in self.moves])


@dataclass(frozen=True)
class Change:
    """What an action makes of a game: the record after it, its position, and how many moves before it stay."""

    record: Record
    position: Position
    kept: int


def microseconds() -> int:
    return time.time_ns() // 1000


def moment(microseconds: int) -> datetime:
    return datetime.fromtimestamp(microseconds / 1e6, UTC)


def fresh_id() -> str:
    return secrets.token_hex(8)


def made(visitor: str, wanted: NewGame, find: Find = opponent) -> Change:
    """The record of a new game, its moves already played; `find` knows who can sit down."""
    game = boards.rules_named(wanted.rules)
    first, second = (check_seat(name, boards.rules_text(game), find) for name in wanted.seats)
    seed = secrets.token_hex(16)
    begin = boards.start_of(game, wanted.start, int(seed[:8], 16))
    now = microseconds()
    remaining = (60 * wanted.clock.minutes,) * 2 if wanted.clock else None
    kept = Record(
        id=fresh_id(),
        visitor=visitor,
        version=0,
        name=clean(wanted.name),
        rules=boards.rules_text(game),
        seats=(first, second),
        wanted_start=wanted.start if wanted.start in ("usual", "random") else begin.key,
        start=begin.key,
        moves=(),
        dice=wanted.dice,
        seed=seed,
        clock=None,
        remaining_s=None,
        paused=False,
        outcome=boards.outcome_view(begin),
        share=None,
        created=now,
        updated=now,
    )
    change = Change(kept, game.position(begin.key), 0)
    for move in wanted.moves:
        change = played(change.record, change.position, move, 0.0)
    dressed = amended(change.record, change.position, clock=wanted.clock, remaining_s=remaining)
    return Change(dressed.record, dressed.position, 0)


def already_played(kept: Record, position: Position, wanted: MoveRequest) -> bool:
    """Whether a move was played already, by the same request sent twice; `Conflict` where another one was."""
    if wanted.ply < len(kept.moves):
        at = position
        for _ in range(len(kept.moves) - wanted.ply):
            assert at.previous is not None
            at = at.previous
        action = at.game.read_move(at.state, wanted.move)
        if action is not None and action == at.action(kept.moves[wanted.ply].move):
            return True
    check_ply(wanted.ply, len(kept.moves))
    return False


def check_ply(ply: int, plies: int) -> None:
    if ply != plies:
        raise Conflict(f"the game has {plies} moves, not {ply}: look at it again")


def check_running(kept: Record, *, paused: bool = False) -> None:
    if kept.outcome is not None:
        raise Conflict("the game is over")
    if kept.paused and not paused:
        raise Conflict("the game is paused; let it go on first")


def clean(name: str) -> str:
    """A name without control characters and halves of characters, which a database may refuse."""
    return "".join(letter for letter in name if letter.isprintable() and not 0xD800 <= ord(letter) <= 0xDFFF)[:100]


def player_to_act(position: Position) -> int | None:
    """Who acts next: for a roll, who rolls; None when the game is over."""
    return boards.mover_of(position)


def is_human(record: Record, position: Position) -> bool:
    """Whether a human acts next: decides, or rolls, or enters a roll."""
    if position.turn == CHANCE and record.dice == "hand":
        return True
    mover = boards.mover_of(position)
    return mover is not None and record.seats[mover] == HUMAN


def die_roll(record: Record, position: Position) -> str:
    """The roll of this ply: drawn from the game's secret seed, so that taking back a move does not change the luck."""
    chances = position.chances or {}
    luck = random.Random(f"{record.seed}:{len(record.moves)}:{position.key}")
    return luck.choices(list(chances), list(chances.values()))[0]


def played(record: Record, position: Position, move: str, seconds: float) -> Change:
    """A move or a roll, with the clocks."""
    after = position.play(move)
    turn = position.turn
    entry = MoveView(
        move=after.move,
        player=-1 if turn == CHANCE else turn or 0,
        seconds=round(seconds, 3),
        passed=boards.was_pass(after),
    )
    remaining = record.remaining_s
    if record.clock is not None and remaining is not None:
        mover = player_to_act(position) or 0
        done = turn != CHANCE and player_to_act(after) != mover
        left = list(remaining)
        left[mover] = max(0.0, left[mover] - seconds) + (record.clock.increment_s if done else 0.0)
        remaining = (left[0], left[1])
    changed = _touched(record, moves=(*record.moves, entry), remaining_s=remaining, outcome=boards.outcome_view(after))
    return Change(changed, after, len(record.moves))


def last_decision(record: Record, position: Position) -> int | None:
    """How many moves an undo keeps, or None where there is nothing to take back.

    Back to the last decision of a human; a roll entered by hand last of all is taken back alone.
    """
    if record.dice == "hand" and record.moves and record.moves[-1].player == -1:
        return len(record.moves) - 1
    ply = len(record.moves)
    at = position.previous
    while at is not None:
        ply -= 1
        if at.turn in (0, 1) and record.seats[at.turn or 0] == HUMAN and not boards.must_pass(at):
            return ply
        at = at.previous
    return None


def can_undo(record: Record, position: Position) -> bool:
    if record.outcome is not None and record.outcome.reason == "time":
        return False
    if record.outcome is not None and record.outcome.reason == "resigned":
        return True
    return last_decision(record, position) is not None


def undone(record: Record, position: Position) -> Change:
    """Back to the last decision of a human; a resignation is taken back alone."""
    if record.outcome is not None and record.outcome.reason == "time":
        raise Conflict("a game lost on time cannot be taken back")
    if record.outcome is not None and record.outcome.reason == "resigned":
        return Change(_touched(record, outcome=None), position, len(record.moves))
    kept = last_decision(record, position)
    if kept is None:
        raise Conflict("there is no move of a human to take back")
    for _ in range(len(record.moves) - kept):
        assert position.previous is not None
        position = position.previous
    return Change(_touched(record, moves=record.moves[:kept], outcome=None), position, kept)


def resigned(record: Record, position: Position) -> Change:
    """The human gives up; of two humans the one to move."""
    humans = [seat for seat in (0, 1) if record.seats[seat] == HUMAN]
    if not humans:
        raise Conflict("nobody here can resign: both sides are played by the app")
    loser = humans[0] if len(humans) == 1 else player_to_act(position)
    return ended(record, position, "resigned", loser or 0)


def ended(record: Record, position: Position, reason: str, loser: int) -> Change:
    end = OutcomeView(winner=1 - loser, score=0, reason=reason)
    remaining = record.remaining_s
    if reason == "time" and remaining is not None:
        remaining = (0.0, remaining[1]) if loser == 0 else (remaining[0], 0.0)
    return Change(_touched(record, outcome=end, remaining_s=remaining), position, len(record.moves))


def amended(record: Record, position: Position, **fields: object) -> Change:
    """Any change that leaves the moves alone."""
    return Change(_touched(record, **fields), position, len(record.moves))


def _touched(record: Record, **fields: object) -> Record:
    return replace(record, version=record.version + 1, updated=max(microseconds(), record.updated + 1), **fields)  # type: ignore[arg-type]
