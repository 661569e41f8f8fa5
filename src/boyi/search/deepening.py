"""Iterative deepening over the kernels of a minimax search, with limits. Start at `Deepening`."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from boyi.games.game import Game
from boyi.games.generics import RUNNING, outcome, step, turn
from boyi.games.kernels import kernel
from boyi.games.position import Position
from boyi.games.randomness import below, generator
from boyi.search.frames import (
    AGE,
    BEST_ACTION,
    COMPLETE,
    COUNT,
    DEPTH,
    DONE,
    INFINITE,
    LENGTH,
    LINES,
    MAX_PLY,
    NARROWED,
    NEXT,
    NODES,
    NUM_CORE,
    PAUSED,
    PLY,
    PRUNE,
    TOTAL,
    WIDTH,
    WORK,
    make_memory,
)
from boyi.search.hashing import fingerprint
from boyi.search.table import EXACT, find, make_table

SLICE_S = 0.004


@kernel
def follow(rules, state, table, num_core, line, length):
    """Lengthen a line of play by the exact entries of the table; `state` is its first position and gets lost."""
    for index in range(length):
        step(rules, state, line[index])
    while length < line.shape[0] and outcome(rules, state) == RUNNING and turn(rules, state) >= 0:
        key, check = fingerprint(state, num_core)
        slot = find(table, key, check)
        if slot < 0 or table.kinds[slot] != EXACT or table.actions[slot] < 0:
            break
        line[length] = table.actions[slot]
        step(rules, state, line[length])
        length += 1
    return length


@dataclass(frozen=True)
class RootMove:
    """What a search found about one move. `value` is for player 0, and only a bound where it is not `known`."""

    action: int
    value: float
    known: bool
    exact: bool
    line: tuple[int, ...]
    """The expected continuation, beginning with the action itself; at dice it ends."""


@dataclass(frozen=True)
class Report:
    """A search's answer so far: the moves it looked at, best first, and the last depth it finished. `promising` is the
    action to play where it had no time to look at any."""

    promising: int
    moves: tuple[RootMove, ...] = ()
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    exact: bool = False
    stopped: str = ""
    """What ended it: nodes, seconds, depth or proven; "" while it goes on."""


class Deepening:
    """Iterative deepening over the kernels of a search, one position at a time; the table is kept between them.

    `lines` is how many of the best moves get a true value and not a bound (0: all), `width` how many moves a frame
    looks at (0: all), `seed` decides between moves of equal value.
    """

    begin: Callable[..., Any]
    advance: Callable[..., Any]

    def __init__(
        self, game: Game, evaluation: Any, *, lines: int = 1, width: int = 0, table_mb: float = 16.0, seed: int = 0
    ) -> None:
        self.game, self.evaluation, self.seed = game, evaluation, seed
        self.memory, self.table = make_memory(game), make_table(table_mb)
        control = self.memory.control
        control[LINES], control[WIDTH], control[NUM_CORE], control[PRUNE] = lines, width, game.num_core, 1

    def value_of(self, score: float) -> tuple[float, bool]:
        """A score in the mover's view as an expected result, and whether the score itself proves it."""
        raise NotImplementedError

    def search(
        self,
        position: Position,
        *,
        depth: int = 0,
        nodes: int | None = None,
        seconds: float | None = None,
        every_s: float | None = None,
    ) -> Iterator[Report]:
        """Search until a limit is reached or the value is exact; what is known every `every_s` seconds, and at last."""
        max_nodes = 2**62 if nodes is None else nodes
        self._open(position)
        self._compile(position)
        started = said = time.perf_counter()
        deadline = float("inf") if seconds is None else started + seconds
        control = self.memory.control
        report = Report(int(self.memory.actions[0, 0]))
        work = 500
        for level in range(1, min(depth or MAX_PLY, MAX_PLY - 28) + 1):
            self._restart(level)
            status = PAUSED
            while status == PAUSED and control[NODES] < max_nodes and (now := time.perf_counter()) < deadline:
                before = control[WORK]
                rules = self.game.rules
                status = self.advance(rules, self.evaluation, self.memory, self.table, max_nodes, before + work)
                passed = max(time.perf_counter() - now, 1e-6)
                work = int(min(max((control[WORK] - before) * SLICE_S / passed, 50), 4 * work))
                if every_s is not None and status == PAUSED and now - said >= every_s:
                    said = now
                    yield self._report(position, report, started)
            report = self._report(position, report, started, level if status == DONE else None)
            if status == PAUSED or report.exact:
                break
            self._reorder(report)
            if every_s is not None and time.perf_counter() - said >= every_s:
                said = time.perf_counter()
                yield report
        spent = time.perf_counter() - started
        stopped = "proven" if report.exact else "depth" if status == DONE else "seconds"
        if status == PAUSED and control[NODES] >= max_nodes:
            stopped = "nodes"
        yield replace(report, nodes=int(control[NODES]), seconds=spent, stopped=stopped)

    def _open(self, position: Position) -> None:
        memory = self.memory
        memory.states[0] = position.state
        memory.control[PLY] = memory.control[NODES] = memory.control[WORK] = 0
        memory.control[AGE] += 1
        memory.history[:] = 0
        self.begin(self.game.rules, self.evaluation, memory)
        count = memory.numbers[0, TOTAL]
        rng = generator(self.seed, position.game.num_core)
        luck = [below(rng, 1 << 30) for _ in range(count)]
        actions = memory.actions[0, :count]
        actions[:] = actions[np.lexsort((luck, -memory.keys[0, :count]))]

    def _compile(self, position: Position) -> None:
        """Have every kernel compiled, which may take seconds, before the clock starts."""
        memory, rules = self.memory, self.game.rules
        self._restart(1)
        self.advance(rules, self.evaluation, memory, self.table, 0, 0)
        line = memory.actions[0, :1].copy()
        follow(rules, position.state.copy(), self.table, memory.control[NUM_CORE], line, 1)

    def _restart(self, level: int) -> None:
        memory = self.memory
        numbers, count = memory.numbers[0], memory.numbers[0, TOTAL]
        numbers[DEPTH], numbers[NEXT], numbers[BEST_ACTION], numbers[COMPLETE], numbers[LENGTH] = level, 0, -1, 1, 0
        memory.bounds[0] = (-INFINITE, INFINITE, -INFINITE, -INFINITE)
        memory.keys[0, :count] = -np.arange(count)

    def _reorder(self, report: Report) -> None:
        """The known moves first, best first; the others as they were."""
        actions = self.memory.actions[0, : self.memory.numbers[0, COUNT]]
        known = [move.action for move in report.moves if move.known]
        actions[:] = known + [action for action in actions.tolist() if action not in set(known)]

    def _report(self, position: Position, before: Report, started: float, level: int | None = None) -> Report:
        """The moves finished at this level, then the others as the level before left them."""
        memory = self.memory
        numbers = memory.numbers[0]
        actions = memory.actions[0, : numbers[NEXT]].tolist()
        facts: dict[str, Any] = {"nodes": int(memory.control[NODES]), "seconds": time.perf_counter() - started}
        if not actions:
            return replace(before, **facts)
        actions.sort(key=lambda action: (not memory.root_known[action], -memory.root_values[action]))
        moves = tuple(self._root_move(position, action) for action in actions)
        later = tuple(move for move in before.moves if move.action not in set(actions))
        won = moves[0].exact and moves[0].value == (-1.0 if position.turn == 1 else 1.0)
        proven = bool(numbers[COMPLETE]) or self.value_of(memory.root_values[actions[0]])[1]
        exact = bool(won or (level is not None and not numbers[NARROWED] and proven))
        depth = before.depth if level is None else level
        return Report(before.promising, moves + later, depth=depth, exact=exact, **facts)

    def _root_move(self, position: Position, action: int) -> RootMove:
        memory = self.memory
        known = bool(memory.root_known[action])
        value, proven = self.value_of(float(memory.root_values[action]))
        line = memory.root_lines[action].copy()
        line[0] = action
        length = max(1, int(memory.root_lengths[action]))
        if known:
            state, num_core = position.state.copy(), memory.control[NUM_CORE]
            length = follow(self.game.rules, state, self.table, num_core, line[:MAX_PLY], length)
        exact = known and (proven or bool(memory.root_complete[action]))
        value = -value if position.turn == 1 else value
        return RootMove(action, value + 0.0, known, exact, tuple(line[:length].tolist()))
