"""Replaying what a file says: moves become the game's own texts, passes that a format leaves out are put in."""

from dataclasses import dataclass, replace

from boyi.games import CHANCE, Game, GameError, Position
from boyi.records.record import DEEPEST, BadRecord, Ply, Record, Result, beside, named_game, played


@dataclass(frozen=True, slots=True)
class SidePly(Ply):
    """A ply as a file has it that names the player; `replayed` holds it to that and makes a plain ply of it."""

    mover: int | None = None


def replayed(record: Record, game: Game | None = None, *, surplus: int = 0) -> Record:
    """The record with every ply and variation replayed, as `BadRecord` says if one is not legal.

    A pass that the rules force is put in where the file leaves it out, and passes after the end are left out; so are up
    to `surplus` other plies there. The result is what the last position says, if it says one.
    """
    try:
        first = record.first(game or named_game(record.game))
    except BadRecord:
        raise
    except GameError as error:
        raise BadRecord(str(error)) from None
    plies, last = _line(first, record.plies, 1, 0, surplus)
    return replace(record, plies=plies, result=settled(last, record.result))


def settled(position: Position, claimed: Result | None) -> Result | None:
    """How a game ended: as its last position says, unless the file names a reason for another result."""
    end = position.outcome
    if end is None or (claimed and claimed.reason and claimed.winner != end.winner):
        return claimed
    return Result(end.winner, end.reason, end.score)


def start_key(first: Position) -> str:
    """What a record writes as its start: nothing for the usual one."""
    return "" if first == first.game.start() else first.key


def must_pass(position: Position) -> bool:
    """Whether the only move touches no square."""
    if position.turn in (None, CHANCE) or len(position.actions) != 1:
        return False
    return not position.game.touched(position.state, position.actions[0])


def _line(
    position: Position, line: tuple[Ply, ...], number: int, depth: int, surplus: int
) -> tuple[tuple[Ply, ...], Position]:
    if depth > DEEPEST:
        raise BadRecord(f"variations lie more than {DEEPEST} deep in each other")
    plies: list[Ply] = []
    for ply in line:
        variations = ply.variations
        mover = ply.mover if isinstance(ply, SidePly) else None
        if position.turn is None and not variations:
            if _is_pass(position, ply.move):
                continue
            if surplus:
                surplus -= 1
                continue
        if must_pass(position) and not _stands_for(position, ply.move, mover):
            position = position.play_action(position.actions[0])
            plies.append(Ply(position.move))
        if mover is not None and position.turn in (0, 1) and position.turn != mover:
            names = position.game.players
            raise BadRecord(f"move {number + len(plies)}: it is the turn of {names[1 - mover]}, not of {names[mover]}")
        others = tuple(_line(position, other, number + len(plies), depth + 1, surplus)[0] for other in variations)
        others = tuple(beside(others))
        position = played(position, ply.move, number + len(plies))
        if type(ply) is Ply and position.move == ply.move and others == variations:
            plies.append(ply)
        else:
            plies.append(Ply(position.move, ply.seconds, ply.value, ply.score, ply.comment, others, ply.extra))
    return tuple(plies), position


def _stands_for(position: Position, move: str, mover: int | None) -> bool:
    """Whether a text is the forced pass itself."""
    action = position.game.read_move(position.state, move)
    return action == position.actions[0] and mover in (None, position.turn)


def _is_pass(position: Position, move: str) -> bool:
    """Whether a text after the end is a pass."""
    action = position.game.read_move(position.state, move)
    return action is not None and action >= 0 and not position.game.touched(position.state, action)
