"""Othello by pattern tables, with limits: `OthelloEngine` deepens the search of `othello_search` step by step."""

import math
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.bits import popcount
from boyi.games.game import Game
from boyi.games.othello import MOVES, OTHER, OWN, square_of
from boyi.games.position import Position
from boyi.quick.othello_calibrate import CUT_SIGMAS, margins_of
from boyi.quick.othello_patterns import UNIT, Patterns, layout
from boyi.quick.othello_search import (
    DEEPEST,
    DONE,
    GENERATION,
    LINES,
    NEXT,
    NODES,
    PAUSED,
    SURE,
    advance,
    follow,
    make_stack,
    open_root,
    reopen_root,
    whole_depth,
)
from boyi.quick.thought import Thought
from boyi.search.deepening import RootMove

SLICE_S = 0.004
LONGEST_LINE = 12
LEAVES = 34
"""Nodes that a search may visit before it looks at its limit again: the most moves of a position."""
AGES = 1 << 14
ENOUGH = 0.75
"""After how much of its time a search begins no further depth, which takes about two fifths of the time so far."""
MOST_EXPECTED = 0.98


class Line(NamedTuple):
    """A root move and what follows it as squares (64: a pass), and its value in units for the mover."""

    value: int
    squares: tuple[int, ...]


class OthelloEngine:
    """A net [phases, carriers] in units and the deviations [phases, depths] of shallow from deep searches, in units.

    `lines` is how many of the best moves get a true value (0: all), `cut` the standard deviations of ProbCut, 0 for
    none. The table is kept from position to position.
    """

    def __init__(
        self,
        game: Game,
        arrays: dict[str, NDArray[Any]],
        *,
        lines: int = 1,
        cut: float = CUT_SIGMAS,
        table_mb: float = 64.0,
    ) -> None:
        self.game = game
        size = game.rules.size
        self.patterns: Patterns = layout(size).patterns(arrays["weights"])
        self.stack = make_stack(size, margins_of(arrays.get("deviations"), size, cut), table_mb=table_mb)
        self.stack.control[LINES] = lines or 64
        start = game.start().state
        open_root(self.patterns, self.stack, start[OWN], start[OTHER], 1, -1)  # compiled before any clock starts
        advance(self.patterns, self.stack, 0)
        reopen_root(self.stack, 1)
        follow(self.patterns, self.stack, start[OWN], start[OTHER], np.zeros(1, np.int64))

    def search(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int = 0,
        every_s: float | None = None,
    ) -> Iterator[Thought]:
        """Search until a limit is reached or every line was played out."""
        began = said = time.perf_counter()
        state, control = position.state, self.stack.control
        if state[MOVES] == 0:
            yield self._forced_pass(position, began)
            return
        own, other = state[OWN], state[OTHER]
        empties = position.game.num_squares - popcount(own | other)
        deepest = whole_depth(min(depth, empties), empties) if depth else self._surest(empties)
        deadline = math.inf if seconds is None else began + seconds
        max_nodes = 2**62 if nodes is None else max(0, nodes - LEAVES)
        control[NODES] = 0
        control[GENERATION] = (control[GENERATION] + 1) % AGES
        lines: tuple[Line, ...] = ()
        level, finished, status, work = 0, 0, DONE, 20_000
        while level < deepest and status == DONE:
            first, level = level == 0, max(level + 1, whole_depth(level + 1, empties))
            if first:
                open_root(self.patterns, self.stack, own, other, level, -1)
            else:
                reopen_root(self.stack, level)
            status = PAUSED
            while status == PAUSED and control[NODES] < max_nodes:
                now = time.perf_counter()
                if now >= deadline and not first:
                    break
                before = int(control[NODES])
                status = advance(self.patterns, self.stack, min(max_nodes, before + work))
                passed = max(time.perf_counter() - now, 1e-6)
                left_s = SLICE_S if deadline == math.inf else min(SLICE_S, max(deadline - now - passed, 0.0002))
                work = int(min(max((control[NODES] - before) * left_s / passed, 500), 4 * work))
                if every_s is not None and status == PAUSED and lines and now - said >= every_s:
                    said = now
                    yield self._thought(position, self._lines(own, other, lines), finished, began)
            lines = self._lines(own, other, lines)
            finished = min(level, empties) if status == DONE else finished
            if seconds is not None and status == DONE and time.perf_counter() - began > ENOUGH * seconds:
                break
            if every_s is not None and time.perf_counter() - said >= every_s:
                said = time.perf_counter()
                yield self._thought(position, lines, finished, began)
        stopped = "depth" if level >= deepest and status == DONE else "seconds"
        if status == PAUSED and control[NODES] >= max_nodes:
            stopped = "nodes"
        yield self._thought(position, lines, finished, began, stopped)

    def _surest(self, empties: int) -> int:
        """The depth after which nothing is left to find out."""
        return min(empties + SURE, DEEPEST) if self.stack.margins.any() else empties

    def _forced_pass(self, position: Position, began: float) -> Thought:
        move = position.game.num_squares
        return Thought(move, (), 0, 0, time.perf_counter() - began, False, "depth")

    def _lines(self, own: np.uint64, other: np.uint64, before: tuple[Line, ...]) -> tuple[Line, ...]:
        """The moves finished at this depth, best first, then the others as the depth before left them."""
        stack = self.stack
        squares = [word & 63 for word in stack.order[0, : stack.numbers[0, NEXT]].tolist()]
        if not squares:
            return before
        values, known = stack.root_values.tolist(), stack.root_known.tolist()
        best, *others = sorted((square for square in squares if known[square]), key=lambda square: -values[square])
        line = np.zeros(LONGEST_LINE, np.int64)
        line[0] = best
        length = follow(self.patterns, stack, own, other, line)
        found = [Line(values[best], tuple(line[:length].tolist()))]
        found += [Line(values[square], (square,)) for square in others]
        return (*found, *(old for old in before if old.squares[0] not in squares))

    def _thought(
        self, position: Position, lines: tuple[Line, ...], depth: int, began: float, stopped: str = ""
    ) -> Thought:
        size, total = self.game.rules.size, self.game.num_squares
        nodes, seconds = int(self.stack.control[NODES]), time.perf_counter() - began
        if not lines:
            promising = int(square_of(size, int(self.stack.order[0, 0]) & 63))
            return Thought(promising, (), 0, nodes, seconds, False, stopped)
        sign = 1 - 2 * (position.turn or 0)
        empties = total - popcount(position.state[OWN] | position.state[OTHER])
        moves = []
        for value, squares in lines:
            actions = tuple(total if at == 64 else int(square_of(size, at)) for at in squares)
            moves.append(RootMove(actions[0], expected(sign * value / UNIT, empties), True, False, actions))
        score = sign * lines[0].value / UNIT
        return Thought(moves[0].action, tuple(moves), depth, nodes, seconds, False, stopped, score)


def expected(margin: float, empties: int) -> float:
    """The expected result, -1 to 1, where a search predicts a final margin so long before the end."""
    return math.tanh(margin / _spread(empties))


def margin_of(value: float, empties: int) -> float:
    """The reverse of `expected`, as if no value were surer than `MOST_EXPECTED`."""
    return math.atanh(min(max(value, -MOST_EXPECTED), MOST_EXPECTED)) * _spread(empties)


def _spread(empties: int) -> float:
    return 2.0 + 0.2 * empties
