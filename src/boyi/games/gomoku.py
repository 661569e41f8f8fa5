"""Gomoku: stones in turn on the points of a board, five in a row win, a full board is a draw. Black (player 0) begins.

Variants: `freestyle`, five or more; `standard`, exactly five; `renju`, Black exactly five and barred from some
points (see `boyi.games.renju`), White five or more. Where every free point is forbidden to Black, who would have
to pass over the board, the game is drawn. `win` sets another length for small boards; renju is always five.

Actions are points, row by row from the top left; columns a, b, c ... with i, rows counted from the bottom, as
the Chinese championship writes them. On 15x15 the centre, h8, is action 112:

    15   0   1   2 ...
    14  15  16  17 ...
         a   b   c

State: size * size cells (0 empty, 1 Black, 2 White), mover, stones, result; then the last point, or -1.
"""

from typing import NamedTuple

import numpy as np

from boyi.games.errors import BadParameter, BadPosition
from boyi.games.game import Game, State
from boyi.games.generics import (
    RUNNING,
    init,
    legal,
    nth_set,
    observe,
    outcome,
    rule,
    sample,
    step,
    turn,
    urgent,
    wins_at_once,
)
from boyi.games.grid import Symmetry, read_rows, write_rows
from boyi.games.kernels import inline_kernel, kernel
from boyi.games.lines import completes_line, urgent_point
from boyi.games.position import Position
from boyi.games.randomness import below
from boyi.games.renju import forbidden

MOVER, STONES, RESULT, LAST = 0, 1, 2, 3
"""Where these stand, counted from the end of the cells."""
FREESTYLE, STANDARD, RENJU = 0, 1, 2


class Gomoku(NamedTuple):
    size: int = 15
    win: int = 5
    variant: int = FREESTYLE


class Renju(NamedTuple):
    """Renju's own class keeps the search for forbidden points out of the other variants' compiled code."""

    size: int = 15
    win: int = 5
    variant: int = RENJU


@rule(init, Gomoku, Renju)
def gomoku_init(rules, state):
    state[:] = 0
    end = rules.size * rules.size
    state[end + RESULT] = RUNNING
    state[end + LAST] = -1


@rule(turn, Gomoku, Renju)
def gomoku_turn(rules, state):
    return state[rules.size * rules.size + MOVER]


@rule(legal, Gomoku)
def gomoku_legal(rules, state, mask):
    return mark_empty(state, rules.size * rules.size, mask)


@inline_kernel
def mark_empty(state, count, mask):
    """Mark the empty points among the first `count` cells and count them."""
    found = 0
    for point in range(count):
        mask[point] = state[point] == 0
        found += mask[point]
    return found


@rule(legal, Renju)
def renju_legal(rules, state, mask):
    end = rules.size * rules.size
    count = mark_empty(state, end, mask)
    if state[end + MOVER] == 1:
        return count
    cells = state[:end].copy()
    count = 0
    for point in range(end):
        if mask[point]:
            mask[point] = not forbidden(cells, rules.size, point)
            count += mask[point]
    return count


@inline_kernel
def put_stone(rules, state, action, exact):
    size = rules.size
    end = size * size
    mover = state[end + MOVER]
    stones = state[end + STONES] + 1
    state[action] = mover + 1
    state[end + MOVER] = 1 - mover
    state[end + STONES] = stones
    state[end + LAST] = action
    if stones >= rules.win and completes_line(state, size, size, action, rules.win, exact):
        state[end + RESULT] = 1 - 2 * mover
    elif stones == end:
        state[end + RESULT] = 0


@rule(step, Gomoku)
def gomoku_step(rules, state, action):
    put_stone(rules, state, action, rules.variant == STANDARD)


@rule(step, Renju)
def renju_step(rules, state, action):
    end = rules.size * rules.size
    black_moved = state[end + MOVER] == 0
    put_stone(rules, state, action, black_moved)
    if not black_moved and state[end + RESULT] == RUNNING and not black_can_move(state, rules.size):
        state[end + RESULT] = 0


@kernel
def black_can_move(state, size):
    """Whether some empty point is not forbidden: in practice the first few looked at."""
    cells = state[: size * size].copy()
    for point in range(size * size):
        if cells[point] == 0 and not forbidden(cells, size, point):
            return True
    return False


@rule(outcome, Gomoku, Renju)
def gomoku_outcome(rules, state):
    return state[rules.size * rules.size + RESULT]


@rule(observe, Gomoku, Renju)
def gomoku_observe(rules, state, view, planes):
    """`four` (documents 001 and 004): own stones, the opponent's, the last move, ones if Black is to move.

    `two`: the first two of them.
    """
    size = rules.size
    end = size * size
    mover = state[end + MOVER]
    for point in range(end):
        if state[point]:
            planes[0 if state[point] == mover + 1 else 1, point // size, point % size] = 1
    if view == 0:
        last = state[end + LAST]
        if last >= 0:
            planes[2, last // size, last % size] = 1
        planes[3] = 1 - mover


@rule(sample, Gomoku)
def gomoku_sample(rules, state, mask, rng):
    """Probe random points until one is empty: a full mask at every ply would cost most of a playout."""
    return empty_point(state, rules.size * rules.size, rng)


@inline_kernel
def empty_point(state, count, rng):
    """A random empty point among the first `count` cells, of which at least one must be empty."""
    point = below(rng, count)
    while state[point] != 0:
        point = below(rng, count)
    return point


@rule(sample, Renju)
def renju_sample(rules, state, mask, rng):
    """Probing, too; the mask decides where it is unlucky."""
    end = rules.size * rules.size
    if state[end + MOVER] == 1:
        return empty_point(state, end, rng)
    cells = state[:end].copy()
    for _ in range(64):
        point = empty_point(cells, end, rng)
        if not forbidden(cells, rules.size, point):
            return point
    return nth_set(mask, below(rng, legal(rules, state, mask)))


@rule(wins_at_once, Gomoku, Renju)
def gomoku_wins_at_once(rules, state, action):
    size = rules.size
    mover = state[size * size + MOVER]
    exact = rules.variant == STANDARD or (rules.variant == RENJU and mover == 0)
    state[action] = mover + 1
    won = completes_line(state, size, size, action, rules.win, exact)
    state[action] = 0
    return won


@rule(urgent, Gomoku, Renju)
def gomoku_urgent(rules, state, rng):
    """Wins and blocks near the last stone, on its lines: where both sides answer fours, few others arise."""
    size = rules.size
    end = size * size
    if state[end + LAST] < 0:
        return -1
    mover = state[end + MOVER]
    point = urgent_point(state, size, size, np.int64(state[end + LAST]), mover + 1, 1, rules.win, 1, rng)
    if point >= 0 and rules.variant == RENJU and mover == 0 and forbidden(state[:end].copy(), size, point):
        return -1
    return point


class GomokuGame(Game):
    name = "gomoku"
    title = "Gomoku"
    parameters = {"size": range(4, 21), "win": range(3, 7), "variant": ("freestyle", "standard", "renju")}
    observers = {"four": 4, "two": 2}
    surface = "wood"
    lattice = "points"

    @property
    def state_size(self) -> int:
        return self.num_squares + 4

    @property
    def num_core(self) -> int:
        return self.num_squares + 3

    def __init__(self, rules: Gomoku | Renju) -> None:
        super().__init__((Renju if rules.variant == RENJU else Gomoku)(*rules))

    def check(self) -> None:
        if self.rules.variant == RENJU and self.rules.win != 5:
            raise BadParameter(f"win={self.rules.win} is not possible in renju; allowed: 5")
        if self.rules.win > self.rules.size:
            size = self.rules.size
            raise BadParameter(f"win={self.rules.win} is not possible on a board of {size}; allowed: 3..{size}")

    def dots(self) -> tuple[int, ...]:
        return star_points(self.rules.size)

    def reason(self, state: State) -> str:
        stones = state[self.num_squares + STONES]
        if state[self.num_squares + RESULT]:
            return "line"
        return "full board" if stones == self.num_squares else "no legal point"

    def write_key(self, position: Position) -> str:
        """Rows from the top, the side to move, and the last move if it is known: `5/5/2XO1/5/5 X d3`."""
        state = position.state
        last = int(state[self.num_squares + LAST])
        side = "XO"[state[self.num_squares + MOVER]]
        return f"{write_rows(position.cells)} {side}" + (f" {self.squares[last]}" if last >= 0 else "")

    def read_key(self, key: str) -> Position:
        rows, mover, rest = self.key_parts(key, "XO")
        end = self.num_squares
        state = self.blank()
        state[:end] = stones = read_rows(rows, *self.shape, "XO")
        state[end + MOVER] = mover
        state[end + STONES] = sum(stone > 0 for stone in stones)
        state[end + LAST] = self.read_last(rest, [p for p in range(end) if stones[p] == 2 - mover], key)
        exact = [self.rules.variant == STANDARD or (self.rules.variant == RENJU and player == 0) for player in (0, 1)]
        won = {
            stones[p] - 1
            for p in range(end)
            if stones[p] and completes_line(state, *self.shape, p, self.rules.win, exact[stones[p] - 1])
        }
        if len(won) == 2:
            raise BadPosition(f"{key[:80]!r} is no position: both sides have {self.rules.win} in a row")
        if won == {mover}:
            raise BadPosition(f"{key[:80]!r} is no position: {'XO'[mover]} is to move and has already won")
        state[end + RESULT] = RUNNING
        if won:
            state[end + RESULT] = 1 if won == {0} else -1
        elif state[end + STONES] == end or (
            self.rules.variant == RENJU and mover == 0 and not black_can_move(state, self.rules.size)
        ):
            state[end + RESULT] = 0
        return Position(self, state)

    def transform(self, state: State, symmetry: Symmetry) -> State:
        moved = super().transform(state, symmetry)
        last = state[self.num_squares + LAST]
        if last >= 0:
            moved[self.num_squares + LAST] = symmetry.squares[last]
        return moved


def star_points(size: int) -> tuple[int, ...]:
    """The points marked on a Go-like board of this size."""
    edge = 2 if size < 12 else 3
    lines = [edge, size - 1 - edge]
    if size % 2:
        lines.append(size // 2)
    if size < 9:
        lines = [size // 2] if size % 2 else []
    points = [row * size + column for row in lines for column in lines]
    if 9 <= size < 15 and size % 2:  # small boards mark the corners and the centre only
        points = [p for p in points if (p // size == size // 2) == (p % size == size // 2)]
    return tuple(sorted(points))


GAME = GomokuGame(Gomoku())
