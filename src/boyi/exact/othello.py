"""Othello endgames solved exactly: `solve_endgame` for the value and the best line, `root_scores` for every move.

Scores are those of the game: discs for player 0 (Black), empty squares to the winner, from -64 to 64 on the usual board
and always even. A search is a series of tests "is it worth at least so much?", each with an empty window (Plaat et al.,
"Best-first fixed-depth minimax algorithms", 1996), so that bounds are known whenever it is stopped. The first test
stands where a narrow search, which tries only the most promising moves, expects the value.

Kernels return after SLICE positions at the latest: the clock, `stop` and Ctrl-C are looked at in between.
"""

import functools
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from boyi.exact.othello_board import BESIDE, CORNERS
from boyi.exact.othello_last import NOWHERE
from boyi.exact.othello_search import (
    DONE,
    GENERATION,
    MOVE,
    NODES,
    VALUE,
    WIDTH,
    Area,
    Stack,
    advance,
    begin,
    find,
    low_of,
    move_of,
)
from boyi.exact.othello_stable import edge_table
from boyi.games.bits import popcount
from boyi.games.errors import GameError
from boyi.games.game import State
from boyi.games.kernels import kernel
from boyi.games.othello import GAME, MOVES, OTHER, OWN, Othello, board, square_of
from boyi.games.position import Position

Table = NDArray[np.uint64]
"""[entries, 4]: discs of the mover, discs of the other side, bounds and move as `othello_search` packs them."""
CALIBRATION = "-XXXXXX-X-XXXOO-XOXXXOOXXOOXXXOX-OOOXXXX--OOXXXX---OOO----XOX-O- X"
SLICE = 100_000
TABLE_MB = 64
GUESS_WIDTH, GUESS_FROM = 3, 12
"""Moves that the narrow search tries, and the empty squares from which it pays."""
STEPS = (0, 0, 2, 4, 8, 16)
"""How far beyond the last bound the next test stands while all tests fail on the same side."""
MEAN_NODES, MEAN_EMPTIES, GROWTH, SPREAD = {8: 6e6, 6: 2.7e6, 4: 2.7e6}, 20, 2.25, 2.0
"""Positions a solution of that many empty squares takes on average, by board size, the factor for one more, and how
many times the average a solution seldom exceeds; see docs/exact-othello.md."""
WDL_SHARE = 1 / 3.5
"""How much of that it takes to know who wins."""


@dataclass(frozen=True)
class EndgameSolution:
    """What is known of a position; scores are for player 0.

    `score` is None while only the bounds `low` and `high` are known. `exact` says whether the question was answered:
    the score, or for kind="wdl" who wins. `move` is the first of `line`, which plays on to the end of the game, unless
    the budget ended first; None where the game is over.
    """

    score: int | None
    low: int
    high: int
    move: str | None
    line: tuple[str, ...]
    nodes: int
    seconds: float
    exact: bool

    @property
    def result(self) -> int | None:
        """1, 0 or -1 for a win, draw or loss of player 0; None while open."""
        if self.low > 0 or self.high < 0:
            return 1 if self.low > 0 else -1
        return 0 if self.low == self.high else None


class OutOfBudget(Exception):
    """Nodes, seconds or `stop` ended a search."""


@dataclass
class Budget:
    """What a search may use, and what it has used."""

    nodes: int | None = None
    seconds: float | None = None
    stop: Callable[[], bool] | None = None
    spent: int = 0
    started: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        for name, value in (("nodes", self.nodes), ("seconds", self.seconds)):
            if value is not None and not value >= 0:
                raise GameError(f"{name}={value!r} is not possible; it must be 0 or more")

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.started

    def slice(self) -> int:
        """How many positions to visit next; raises `OutOfBudget` when there are none left."""
        if self.seconds is not None and self.elapsed >= self.seconds:
            raise OutOfBudget
        if self.stop is not None and self.stop():
            raise OutOfBudget
        left = SLICE if self.nodes is None else min(SLICE, self.nodes - self.spent)
        if left <= 0:
            raise OutOfBudget
        return left


@dataclass
class Bounds:
    """The value of a position for its mover so far, and the square that reaches `low`, or looks best (-1: none)."""

    low: int
    high: int
    square: int = -1


class EndgameSolver:
    """A solver with its own table, which serves one thread and one board size; facts in the table stay true."""

    def __init__(self, size: int = 8, *, table_mb: float = TABLE_MB) -> None:
        if size not in CORNERS:
            raise GameError(f"no endgame solver for Othello of size {size!r}; there is one for 4, 6 and 8")
        self.area = make_area(size)
        frames = size * size
        self.stack = Stack(
            boards=np.zeros((frames, 4), np.uint64),
            numbers=np.zeros((frames, 10), np.int64),
            order=np.zeros((frames, frames), np.int64),
            turned=np.zeros((frames, 64), np.uint64),
            control=np.zeros(5, np.int64),
        )
        self.table = make_table(table_mb)
        self.guesses = make_table(min(table_mb, 2))
        # everything is compiled before any clock starts
        self._open(np.uint64(0x1), np.uint64(0x2), -1, 0, self.table)
        advance(self.area, self.stack, self.table, 0)
        _looked_up(self.table, np.uint64(1), np.uint64(2))
        self._move(GAME.start().play("d3"), 0)
        without_passes(GAME.position("X" * 64 + " O"))

    def clear(self) -> None:
        """Forget everything, so that a measurement begins from nothing."""
        self.table[:] = 0

    def solve(self, position: Position, *, kind: str = "score", budget: Budget) -> EndgameSolution:
        """See `solve_endgame`."""
        check(position, self.area.size)
        if kind not in ("score", "wdl"):
            raise GameError(f"unknown kind {kind!r}; known are score, wdl")
        self.stack.control[GENERATION] += 1
        passes, decided = without_passes(position)
        if decided.outcome is not None:
            end = decided.outcome.score
            return EndgameSolution(end, end, end, passes[0] if passes else None, passes, 0, budget.elapsed, True)
        bounds = Bounds(-self.area.squares, self.area.squares)
        line = list(passes)
        try:
            self._narrow_down(decided.state, kind, bounds, budget)
            self._play_out(decided, kind, bounds, line, budget)
        except OutOfBudget:
            if len(line) == len(passes):
                line.append(self._move(decided, bounds.square))
        low, high = (bounds.low, bounds.high) if decided.turn == 0 else (-bounds.high, -bounds.low)
        score = low if low == high else None
        facts = (budget.spent, budget.elapsed, answered(kind, bounds))
        return EndgameSolution(score, low, high, line[0], tuple(line), *facts)

    def value(self, position: Position, *, guess: int | None = None, budget: Budget) -> int:
        """The exact score for player 0 alone; raises `OutOfBudget`."""
        _, decided = without_passes(position)
        if decided.outcome is not None:
            return decided.outcome.score
        sign = 1 if decided.turn == 0 else -1
        bounds = Bounds(-self.area.squares, self.area.squares)
        start = None if guess is None else sign * guess
        self._narrow_down(decided.state, "score", bounds, budget, start)
        return sign * bounds.low

    def _narrow_down(self, state: State, kind: str, bounds: Bounds, budget: Budget, guess: int | None = None) -> None:
        """Move the bounds together by tests until the question is answered."""
        own, other = state[OWN], state[OTHER]
        if guess is None:
            guess = self._guess(own, other, bounds, budget)
        target, in_a_row, raised = guess, 0, False
        while not answered(kind, bounds):
            if kind == "wdl":
                target = 2 if bounds.high > 0 and (guess > 0 or bounds.low >= 0) else 0
            target = min(max(target, bounds.low + 2), bounds.high)
            value = self._test(own, other, target, budget)
            in_a_row = in_a_row + 1 if raised == (value >= target) else 0
            raised = value >= target
            step = STEPS[min(in_a_row, len(STEPS) - 1)]
            if raised:
                bounds.low, bounds.square = value, int(self.stack.numbers[0, MOVE])
                target = value + 2 + step
            else:
                bounds.high = value
                target = value - step

    def _play_out(self, position: Position, kind: str, bounds: Bounds, line: list[str], budget: Budget) -> None:
        """Add the moves to the end of the game with which both sides keep what they have."""
        mover, wins, loses = position.turn, bounds.low > 0, bounds.high < 0
        mine, theirs = (2 if wins else 0), (2 if loses else 0)
        if kind == "score":
            mine, theirs = bounds.low, -bounds.low
        square = bounds.square
        while position.outcome is None:
            move = "pass"
            if position.state[MOVES]:
                move = self._move(position, square)
            position = position.play(move)
            line.append(move)
            if position.outcome is None and position.state[MOVES]:
                target = mine if position.turn == mover else theirs
                square = self._reaching(position.state[OWN], position.state[OTHER], target, budget)

    def _reaching(self, own: np.uint64, other: np.uint64, target: int, budget: Budget) -> int:
        """The square that gets its player at least `target`; where that is out of reach, the one that looks best."""
        low, square = _looked_up(self.table, own, other)
        if low < target:
            self._test(own, other, target, budget)
            square = self.stack.numbers[0, MOVE]
        return int(square)

    def _move(self, position: Position, square: int) -> str:
        return position.game.write_move(position.state, square_of(self.area.size, square))

    def _guess(self, own: np.uint64, other: np.uint64, bounds: Bounds, budget: Budget) -> int:
        """The value that a narrow search finds; the square it likes goes into the bounds."""
        squares = self.area.squares
        bounds.square = self._open(own, other, -squares, squares, self.table)
        if squares - popcount(own | other) < GUESS_FROM:
            return 0
        self.guesses[:] = 0
        self.stack.control[WIDTH] = GUESS_WIDTH
        try:
            self._open(own, other, -squares, squares, self.guesses)
            guess = self._run(self.guesses, budget)
        finally:
            self.stack.control[WIDTH] = 0
        bounds.square = int(self.stack.numbers[0, MOVE])
        return guess

    def _test(self, own: np.uint64, other: np.uint64, target: int, budget: Budget) -> int:
        """A value of at least `target` that the position reaches, or one below that it does not exceed."""
        self._open(own, other, target - 1, target, self.table)
        return self._run(self.table, budget)

    def _open(self, own: np.uint64, other: np.uint64, alpha: int, beta: int, table: Table) -> int:
        """Start a search; returns the square that looks best."""
        self.stack.control[NODES] = 0
        return int(begin(self.area, self.stack, table, own, other, alpha, beta))

    def _run(self, table: Table, budget: Budget) -> int:
        control = self.stack.control
        while True:
            before = int(control[NODES])
            status = advance(self.area, self.stack, table, before + budget.slice())
            budget.spent += int(control[NODES]) - before
            if status == DONE:
                return int(control[VALUE])


def solve_endgame(
    position: Position,
    *,
    kind: str = "score",
    nodes: int | None = None,
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
) -> EndgameSolution:
    """The exact score of an Othello position with best play, or with kind="wdl" only who wins, which is quicker.

    `nodes`, `seconds` and `stop`, a function that is asked about a hundred times a second, end the search early:
    the answer then has bounds, a move, and `exact` False. The table is kept between calls, one for each thread.
    """
    solver = solver_of(position)
    return solver.solve(position, kind=kind, budget=Budget(nodes, seconds, stop))


def root_scores(
    position: Position,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
) -> dict[str, int]:
    """The exact score for player 0 of every legal move, the best for the mover first.

    Moves that the budget did not suffice for are missing.
    """
    solver, budget = solver_of(position), Budget(nodes, seconds, stop)
    found: dict[str, int] = {}
    try:
        best = solver.solve(position, budget=budget)
        if not best.exact or best.score is None or best.move is None:
            return found
        found[best.move] = best.score
        for move in position.moves:
            if move != best.move:
                found[move] = solver.value(position.play(move), guess=best.score, budget=budget)
    except OutOfBudget:
        pass
    sign = 1 if position.turn == 0 else -1
    return dict(sorted(found.items(), key=lambda item: -sign * item[1]))


def empties(position: Position) -> int:
    """The number of empty squares."""
    check(position)
    return int(position.game.num_squares - popcount(position.state[OWN] | position.state[OTHER]))


def feasible_empties(seconds: float, *, kind: str = "score", size: int = 8) -> int:
    """With how many empty squares the score, or with kind="wdl" who wins, is usually found within that time, at the
    speed measured on this computer."""
    mean = MEAN_NODES[size] * (WDL_SHARE if kind == "wdl" else 1.0)
    affordable = seconds * nodes_per_second() / SPREAD
    return max(4, math.floor(MEAN_EMPTIES + math.log(max(affordable, 1.0) / mean, GROWTH)))


@functools.cache
def nodes_per_second() -> float:
    """The speed of this computer, on a position that takes a few hundredths of a second."""
    position = GAME.position(CALIBRATION)
    solver, budget = EndgameSolver(table_mb=4), Budget()
    started = time.process_time()
    solver.solve(position, budget=budget)
    return budget.spent / max(time.process_time() - started, 1e-3)


def check(position: Position, size: int | None = None) -> None:
    """Refuse what is not Othello, or not of that size."""
    game = position.game
    if not isinstance(game.rules, Othello):
        raise GameError(f"the Othello endgame solver cannot solve {game.name}")
    if size is not None and game.rules.size != size:
        raise GameError(f"this solver is for Othello of size {size}, not {game.rules.size}")


def solver_of(position: Position) -> EndgameSolver:
    """This thread's solver for a position's board size."""
    check(position)
    solvers: dict[int, EndgameSolver] = _shared.__dict__.setdefault("solvers", {})
    size = position.game.rules.size
    if size not in solvers:
        solvers[size] = EndgameSolver(size)
    return solvers[size]


def answered(kind: str, bounds: Bounds) -> bool:
    """Whether the bounds say what was asked."""
    return bounds.low >= bounds.high or (kind == "wdl" and (bounds.low > 0 or bounds.high < 0))


def without_passes(position: Position) -> tuple[tuple[str, ...], Position]:
    """The passes that must be played first, and the position after them."""
    passes: tuple[str, ...] = ()
    while position.outcome is None and not position.state[MOVES]:
        passes += ("pass",)
        position = position.play("pass")
    return passes, position


def make_area(size: int) -> Area:
    whole = int(board(size))
    corners = CORNERS[size]
    inside = whole & sum(((1 << size - 1) - 2) << 8 * row for row in range(1, size - 1))
    squares = [square for square in range(64) if corners >> square & 1]
    poor = sum({1 << s for corner in squares for s in range(64) if int(BESIDE[corner]) >> s & 1}) & whole & ~corners
    return Area(
        size=size,
        squares=size * size,
        board=np.uint64(whole),
        inside=np.uint64(inside),
        corners=np.uint64(corners),
        poor=np.uint64(poor),
        edges=edge_table(size),
    )


def make_table(megabytes: float) -> Table:
    """An empty table of the largest size that fits, its pairs of entries on cache lines of 64 bytes."""
    entries = 1 << max(1, int(megabytes * 2**20 / 32).bit_length() - 1)
    room = np.zeros(entries * 4 + 8, np.uint64)
    skipped = -room.ctypes.data % 64 // 8
    return room[skipped : skipped + entries * 4].reshape(entries, 4)


@kernel
def _looked_up(table, own, other):
    """The lower bound in the table and the square that reaches it; a bound below every score where there is none."""
    slot = find(table, own, other)
    if slot < 0:
        return NOWHERE, -1
    return low_of(table[slot, 2]), move_of(table[slot, 2])


_shared = threading.local()
