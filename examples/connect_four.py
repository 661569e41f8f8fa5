"""Connect Four: a disc falls to the lowest empty square of its column; four in a row win, a full board is a draw.

Red (player 0) begins. An action is a column, which people write a..g; it has the number of the column's top square:

    6   0  1  2  3  4  5  6
    5   7  8  9 10 11 12 13
    1  35 36 37 38 39 40 41
        a  b  c  d  e  f  g

State: rows * columns cells (0 empty, 1 Red, 2 Blue), then the number of discs, then the result.
"""

from functools import cached_property
from typing import NamedTuple

from boyi.draw import Piece
from boyi.games import RUNNING, Game, Symmetry, init, legal, observe, outcome, rule, step, turn
from boyi.games.gomoku import mark_empty
from boyi.games.grid import board_symmetries
from boyi.games.lines import completes_line

DISCS, RESULT = -2, -1


class ConnectFour(NamedTuple):
    rows: int = 6
    columns: int = 7


@rule(init, ConnectFour)
def connect_four_init(rules, state):
    state[:] = 0
    state[RESULT] = RUNNING


@rule(turn, ConnectFour)
def connect_four_turn(rules, state):
    return state[DISCS] % 2


@rule(legal, ConnectFour)
def connect_four_legal(rules, state, mask):
    return mark_empty(state, rules.columns, mask)


@rule(step, ConnectFour)
def connect_four_step(rules, state, action):
    mover = turn(rules, state)
    square = (rules.rows - 1) * rules.columns + action
    while state[square] != 0:
        square -= rules.columns
    state[square] = mover + 1
    state[DISCS] += 1
    if completes_line(state, rules.rows, rules.columns, square, 4, False):
        state[RESULT] = 1 - 2 * mover
    elif state[DISCS] == rules.rows * rules.columns:
        state[RESULT] = 0


@rule(outcome, ConnectFour)
def connect_four_outcome(rules, state):
    return state[RESULT]


@rule(observe, ConnectFour)
def connect_four_observe(rules, state, view, planes):
    for square in range(rules.rows * rules.columns):
        row, column = square // rules.columns, square % rules.columns
        planes[0, row, column] = state[square] == 1 + turn(rules, state)
        planes[1, row, column] = state[square] == 2 - turn(rules, state)


class ConnectFourGame(Game):
    name = "connect_four"
    title = "Connect Four"
    players = ("Red", "Blue")
    pieces = {"X": Piece("disc", "red"), "O": Piece("disc", "blue")}
    parameters = {"rows": range(4, 11), "columns": range(4, 11)}
    shape = property(lambda self: (self.rules.rows, self.rules.columns))
    num_actions = property(lambda self: self.rules.columns)
    state_size = property(lambda self: self.num_squares + 2)

    def write_move(self, state, action):
        return self.squares[action][0]

    def read_move(self, state, move):
        return self.square(f"{move.strip()}{self.rules.rows}")

    def touched(self, state, action):
        return (max(s for s in range(action, self.num_squares, self.rules.columns) if state[s] == 0),)

    @cached_property
    def symmetries(self):
        sides = board_symmetries(*self.shape, self.num_squares, self.observers)[:2]  # identity and mirror
        return tuple(Symmetry(s.name, s.squares, s.squares[: self.num_actions], s.planes) for s in sides)


GAME = ConnectFourGame(ConnectFour())
