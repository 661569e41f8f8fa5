"""How a worker thinks: which players it keeps, and what they say of a position. `Task` is what it is asked.

A task that is interrupted is not ended: the player stops in the middle of its thinking, and goes on when the same job
comes again. Only where the player has been used for something else meanwhile does it begin anew.
"""

import random
import time
from collections import OrderedDict
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any

from boyi.arena import warm_up
from boyi.games import CHANCE, Game, GameError, Position
from boyi.players import Choice, Limit, Line, Player
from boyi.players import player as make_player
from boyi.players.net import NetPlayer
from boyi.players.quick import QuickPlayer
from boyi.players.registry import register
from boyi.service.boards import replay, rules_named

MAX_PLAYERS = 6
IDLE_S = 90.0
"""After this long without use a player, and its tree, is let go."""
LOOK_S = 0.05
"""How often a thinking player is interrupted to see whether it is still wanted."""
SLICES_S = (0.05, 0.15, 0.5, 1.5, 4.0, 10.0, 30.0)
"""How long each roll is analysed in turn, where chance decides."""
CARRIED_S, CARRIED_MB = 3.0, 512.0
"""A tree that grew for longer, in more room, is not carried over to the next position: copying it takes seconds."""
OPEN_S = 1e6
STORED = {"stored-deep": "net", "stored-quick": "quick"}
"""Kinds of players that are nets in files, `stored-quick:PATH`, where the path may hold any character; and which kind
of the usual players each is."""

register("stored-deep", lambda path, game, seed: NetPlayer(game, model=path, seed=seed))
register("stored-quick", lambda path, game, seed: QuickPlayer(game, model=path, seed=seed))


@dataclass(frozen=True)
class Task:
    """A position to think about: moves played from a key, by which player, how long."""

    rules: str
    key: str
    moves: tuple[str, ...]
    player: str
    seconds: float | None = None
    stream: str = ""
    """Tasks of one stream are about one game, and get the same player and its tree while it is kept."""
    memory_mb: float = 256.0
    job: int = 0
    """The same for a task that comes again because it was interrupted."""
    patient: bool = False
    """The time it was interrupted does not count: for analysis, which may wait long; not for moves."""


@dataclass
class Kept:
    """A player, how much memory it may take, when it was used last, and the job that it was interrupted in."""

    player: Player
    memory_mb: float
    used: float
    spent_s: float = 0.0
    job: int = 0
    thoughts: Generator[Choice] | None = None
    simulations: int = 0


class Players:
    """The players a worker keeps: few, with not more memory than allowed, and none that nobody has used for long."""

    def __init__(self, memory_mb: float) -> None:
        self.memory_mb = memory_mb
        self.kept: OrderedDict[tuple[str, str, str], Kept] = OrderedDict()
        self.warm: set[tuple[type[Any], str]] = set()

    def think(self, task: Task) -> Generator[Choice]:
        """What the task's player thinks, again and again; seconds and simulations are counted from this call.

        Closed before its end, it can be taken up again by the same job.
        """
        game = rules_named(task.rules)
        kept = self.player(task, game)
        if kept.thoughts is None or kept.job != task.job:
            position = replay(game.position(task.key), list(task.moves))
            kept.thoughts, kept.job, kept.simulations = _thoughts(kept.player, position, task), task.job, 0
        before, started = kept.simulations, time.perf_counter()
        try:
            for choice in kept.thoughts:
                spent = time.perf_counter() - started
                kept.simulations = choice.simulations
                yield replace(choice, simulations=choice.simulations - before, seconds=spent)
                if task.patient and task.seconds is not None and spent >= task.seconds and choice.value is not None:
                    break
            kept.thoughts = None
        finally:
            kept.used = time.monotonic()
            kept.spent_s += time.perf_counter() - started

    def player(self, task: Task, game: Game) -> Kept:
        """The player of a task's stream; where there is none, one is made and others make room for it."""
        place = (task.rules, task.player, task.stream)
        found = self.kept.pop(place, None)
        if found and found.job != task.job and found.spent_s > CARRIED_S and found.memory_mb > CARRIED_MB:
            found = None
        memory_mb = max(task.memory_mb, found.memory_mb if found else 0.0)
        while self.kept and (
            len(self.kept) >= MAX_PLAYERS or memory_mb + sum(k.memory_mb for k in self.kept.values()) > self.memory_mb
        ):
            self.kept.popitem(last=False)
        if found is None:
            found = Kept(self._made(task.player, game), memory_mb, 0.0)
        found.memory_mb, found.used = memory_mb, time.monotonic()
        self.kept[place] = found
        return found

    def _made(self, name: str, game: Game) -> Player:
        """A player whose kernels are compiled and loaded, so that its clock counts thinking only."""
        kind = (type(game.rules), name)
        if kind not in self.warm:
            warm_up(make_player(name, game), game.start(seed=0))
            self.warm.add(kind)
        return make_player(name, game, seed=random.getrandbits(31))

    def forget_idle(self) -> None:
        oldest = time.monotonic() - IDLE_S
        for place in [place for place, kept in self.kept.items() if kept.used < oldest]:
            del self.kept[place]


def _thoughts(player: Player, position: Position, task: Task) -> Generator[Choice]:
    """What a player thinks of a position, again and again; where chance decides, of every outcome."""
    if position.turn is None:
        raise GameError("there is nothing to think about: the game is over")
    seconds = OPEN_S if task.patient else task.seconds
    if position.turn == CHANCE:
        yield from _think_of_outcomes(player, position, seconds or 1.0, task.memory_mb)
        return
    yield from player.watch(position, Limit(seconds=seconds, memory_mb=task.memory_mb), every_s=LOOK_S)


def _think_of_outcomes(player: Player, position: Position, seconds: float, memory_mb: float) -> Generator[Choice]:
    """The average over the outcomes: every one is analysed for a while, in rounds that grow.

    The lines are the outcomes, in their order, each with its value and the best play after it.
    """
    chances = position.chances or {}
    started = time.perf_counter()
    known: dict[str, Choice] = {}
    simulations = nodes = 0
    for round_s in SLICES_S:
        for outcome in chances:
            after = position.play(outcome)
            left = seconds - (time.perf_counter() - started)
            if left <= 0 and len(known) == len(chances):
                return
            if known.get(outcome) is not None and known[outcome].exact:
                continue
            found = None
            limit = Limit(seconds=min(round_s, max(left, 0.02)), memory_mb=memory_mb)
            for found in _settled(player, after, limit):
                yield _average(chances, known | {outcome: found}, simulations, nodes, time.perf_counter() - started)
            assert found is not None
            simulations, nodes = simulations + found.simulations, nodes + found.nodes
            known[outcome] = found
            yield _average(chances, known, simulations, nodes, time.perf_counter() - started)


def _settled(player: Player, after: Position, limit: Limit) -> Generator[Choice]:
    end = after.outcome
    if end is not None or after.turn == CHANCE:
        value = 0.0 if end is None or end.winner is None else 1.0 - 2 * end.winner
        yield Choice("", value, exact=end is not None)
        return
    yield from player.watch(after, limit, every_s=LOOK_S)


def _average(
    chances: dict[str, float], known: dict[str, Choice], simulations: int, nodes: int, seconds: float
) -> Choice:
    lines = tuple(
        Line(
            outcome,
            known[outcome].value or 0.0,
            known[outcome].simulations,
            chances[outcome],
            (outcome, *_best_line(known[outcome])),
            known[outcome].exact,
        )
        for outcome in chances
        if outcome in known
    )
    weight = sum(chances[line.move] for line in lines)
    whole = len(lines) == len(chances)
    value = sum(chances[line.move] * line.value for line in lines) / weight if whole else None
    depth = max((len(line.moves) for line in lines), default=0)
    exact = whole and all(line.exact for line in lines)
    return Choice("", value, None, lines, simulations, nodes, depth, seconds, exact)


def _best_line(choice: Choice) -> tuple[str, ...]:
    found = next((line.moves for line in choice.lines if line.move == choice.move), ())
    return found or ((choice.move,) if choice.move else ())
