"""Connect6: six or more in a row win. Black (player 0) puts one stone first, then both put two a turn.

A turn of two stones is two decisions of the same player, so that the policy stays as large as the board
(document 003); signs in search follow the player. If the first of two stones wins, the turn ends there. A full
board is a draw. Points and actions are numbered and named as in Gomoku: a..s with i, rows from the bottom.

State: size * size cells (0 empty, 1 Black, 2 White), mover, stones the mover still has to put (1 or 2), stones on
the board, result; then the two points of the other side's last turn and the first point of this turn, or -1.
"""

from typing import Any, NamedTuple

import numpy as np

from boyi.games.errors import BadPosition
from boyi.games.game import Game, State
from boyi.games.generics import RUNNING, init, legal, observe, outcome, rule, sample, step, turn, urgent, wins_at_once
from boyi.games.gomoku import empty_point, mark_empty, star_points
from boyi.games.grid import Symmetry, read_rows, write_rows
from boyi.games.lines import completes_line, urgent_point
from boyi.games.position import Position

MOVER, LEFT, STONES, RESULT, LAST, PLACED = 0, 1, 2, 3, 4, 6
"""Where these stand, counted from the end of the cells; LAST takes two entries."""
WIN = 6


class Connect6(NamedTuple):
    size: int = 19


@rule(init, Connect6)
def connect6_init(rules, state):
    state[:] = 0
    end = rules.size * rules.size
    state[end + LEFT] = 1
    state[end + RESULT] = RUNNING
    state[end + LAST :] = -1


@rule(turn, Connect6)
def connect6_turn(rules, state):
    return state[rules.size * rules.size + MOVER]


@rule(legal, Connect6)
def connect6_legal(rules, state, mask):
    return mark_empty(state, rules.size * rules.size, mask)


@rule(step, Connect6)
def connect6_step(rules, state, action):
    size = rules.size
    end = size * size
    mover = state[end + MOVER]
    state[action] = mover + 1
    state[end + STONES] += 1
    if completes_line(state, size, size, action, WIN, False):
        state[end + RESULT] = 1 - 2 * mover
    elif state[end + STONES] == end:
        state[end + RESULT] = 0
    if state[end + LEFT] == 2:
        state[end + LEFT] = 1
        state[end + PLACED] = action
    else:
        state[end + LEFT] = 2
        state[end + MOVER] = 1 - mover
        state[end + LAST] = action
        state[end + LAST + 1] = state[end + PLACED]
        state[end + PLACED] = -1


@rule(outcome, Connect6)
def connect6_outcome(rules, state):
    return state[rules.size * rules.size + RESULT]


@rule(observe, Connect6)
def connect6_observe(rules, state, view, planes):
    """`four` (document 003): own stones, the opponent's, the opponent's last turn, own stone of this turn.

    `two`: the first two of them.
    """
    size = rules.size
    end = size * size
    mover = state[end + MOVER]
    for point in range(end):
        if state[point]:
            planes[0 if state[point] == mover + 1 else 1, point // size, point % size] = 1
    if view == 0:
        for entry in range(3):
            point = state[end + LAST + entry]
            if point >= 0:
                planes[3 if entry == 2 else 2, point // size, point % size] = 1


@rule(sample, Connect6)
def connect6_sample(rules, state, mask, rng):
    return empty_point(state, rules.size * rules.size, rng)


@rule(wins_at_once, Connect6)
def connect6_wins_at_once(rules, state, action):
    size = rules.size
    state[action] = state[size * size + MOVER] + 1
    won = completes_line(state, size, size, action, WIN, False)
    state[action] = 0
    return won


@rule(urgent, Connect6)
def connect6_urgent(rules, state, rng):
    """Wins and blocks on the lines through the other side's last turn and the own stone of this turn."""
    size = rules.size
    end = size * size
    for entry in range(3):
        centre = np.int64(state[end + PLACED - entry])
        if centre >= 0:
            stone = state[end + MOVER] + 1
            point = urgent_point(state, size, size, centre, stone, state[end + LEFT], WIN, 2, rng)
            if point >= 0:
                return point
    return -1


class Connect6Game(Game):
    name = "connect6"
    title = "Connect6"
    parameters = {"size": range(6, 20)}
    observers = {"four": 4, "two": 2}
    surface = "wood"
    lattice = "points"
    composed_with = ("stones_left",)

    @property
    def state_size(self) -> int:
        return self.num_squares + 7

    @property
    def num_core(self) -> int:
        return self.num_squares + 4

    def dots(self) -> tuple[int, ...]:
        return star_points(self.rules.size)

    def caption(self, position: Position) -> str:
        plain = super().caption(position)
        if position.outcome:
            return plain
        left = position.state[self.num_squares + LEFT]
        return f"{plain}: {'two stones' if left == 2 else 'one stone'}"

    def last(self, position: Position) -> tuple[int, ...]:
        """The stones of the turn in progress, or else of the last turn."""
        placed = int(position.state[self.num_squares + PLACED])
        points = [placed] if placed >= 0 else position.state[self.num_squares + LAST :].tolist()
        return tuple(sorted(point for point in points if point >= 0))

    def write_key(self, position: Position) -> str:
        """Rows from the top, side to move, stones it still puts, then the remembered points.

        `6/6/2X3/6/6/6 O 2 c4`: the points are those of the other side's last turn, and after `+` the stone that
        the side to move has put already.
        """
        state, end = position.state, self.num_squares
        last = [self.squares[point] for point in state[end + LAST : end + PLACED].tolist() if point >= 0]
        placed = int(state[end + PLACED])
        parts = [write_rows(position.cells), "XO"[state[end + MOVER]], str(state[end + LEFT]), *last]
        return " ".join(parts + ([f"+{self.squares[placed]}"] if placed >= 0 else []))

    def read_key(self, key: str) -> Position:
        rows, mover, rest = self.key_parts(key, "XO")
        end = self.num_squares
        state = self.blank()
        state[:end] = stones = read_rows(rows, *self.shape, "XO")
        if not rest or rest[0] not in ("1", "2"):
            raise BadPosition(f"{key[:80]!r} does not say how many stones are left to put; allowed: 1, 2")
        state[end + MOVER], state[end + LEFT] = mover, int(rest[0])
        state[end + STONES] = sum(stone > 0 for stone in stones)
        state[end + LAST :] = -1
        own = [point for point in range(end) if stones[point] == mover + 1]
        other = [point for point in range(end) if stones[point] == 2 - mover]
        placed = [name[1:] for name in rest[1:] if name.startswith("+")]
        last = [name for name in rest[1:] if not name.startswith("+")]
        if len(placed) > (rest[0] == "1") or len(last) > 2:
            raise BadPosition(f"{key[:80]!r} remembers too many points: two of the last turn and one of this at most")
        for entry, name in enumerate(last):
            state[end + LAST + entry] = self.read_last([name], other, key)
        state[end + PLACED] = self.read_last(placed, own, key)
        won = {stones[p] - 1 for p in range(end) if stones[p] and completes_line(state, *self.shape, p, WIN, False)}
        if len(won) == 2:
            raise BadPosition(f"{key[:80]!r} is no position: both sides have six in a row")
        full = state[end + STONES] == end
        state[end + RESULT] = (1 if won == {0} else -1) if won else 0 if full else RUNNING
        return Position(self, state)

    def composed_key(self, cells: tuple[tuple[str, ...], ...], turn: int, **known: Any) -> str:
        """Where it is not said, two stones are left to put, and one on the empty board."""
        left = known["stones_left"] or (2 if any(cell for row in cells for cell in row) else 1)
        return f"{super().composed_key(cells, turn)} {left}"

    def transform(self, state: State, symmetry: Symmetry) -> State:
        moved = super().transform(state, symmetry)
        for entry in range(self.num_squares + LAST, self.state_size):
            if state[entry] >= 0:
                moved[entry] = symmetry.squares[state[entry]]
        return moved


GAME = Connect6Game(Connect6())
