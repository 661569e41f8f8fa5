"""Tic-tac-toe: three in a row on a board of 3x3 wins, a full board is a draw. Player 0 (X) moves first; in positions
that are set up, O may have begun.

Actions and squares, row by row; c3 is square 2:

    3  0 1 2
    2  3 4 5
    1  6 7 8
       a b c

State: the squares of X and of O as sets of bits, ply, result; then the last square, or -1. The ply is the number of
stones, and one more if O began: X is to move when it is even.
"""

from typing import Any, NamedTuple

import numpy as np

from boyi import draw
from boyi.games.bits import nth, popcount
from boyi.games.errors import BadPosition
from boyi.games.game import Game, State
from boyi.games.generics import RUNNING, init, legal, observe, outcome, rule, sample, step, turn, urgent, wins_at_once
from boyi.games.grid import Symmetry, read_rows, write_rows
from boyi.games.position import Position
from boyi.games.randomness import below

PLY, RESULT, LAST = 2, 3, 4
FULL = 0b111_111_111
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
WON = np.array([any(bits & line == line for line in LINES) for bits in range(FULL + 1)])


class TicTacToe(NamedTuple):
    """Tic-tac-toe has no parameters."""


@rule(init, TicTacToe)
def tictactoe_init(rules, state):
    state[0] = 0
    state[1] = 0
    state[PLY] = 0
    state[RESULT] = RUNNING
    state[LAST] = -1


@rule(turn, TicTacToe)
def tictactoe_turn(rules, state):
    return state[PLY] & 1


@rule(legal, TicTacToe)
def tictactoe_legal(rules, state, mask):
    taken = state[0] | state[1]
    free = 0
    for square in range(9):
        mask[square] = (taken >> square) & 1 == 0
        free += mask[square]
    return free


@rule(step, TicTacToe)
def tictactoe_step(rules, state, action):
    mover = state[PLY] & 1
    state[mover] |= 1 << action
    state[PLY] += 1
    state[LAST] = action
    if WON[state[mover]]:
        state[RESULT] = 1 - 2 * mover
    elif state[0] | state[1] == FULL:
        state[RESULT] = 0


@rule(outcome, TicTacToe)
def tictactoe_outcome(rules, state):
    return state[RESULT]


@rule(observe, TicTacToe)
def tictactoe_observe(rules, state, view, planes):
    """Own stones, the opponent's; in `four` also the last move and, if X is to move, a plane of ones."""
    mover = state[PLY] & 1
    for square in range(9):
        planes[0, square // 3, square % 3] = (state[mover] >> square) & 1
        planes[1, square // 3, square % 3] = (state[1 - mover] >> square) & 1
    if view == 1:
        if state[LAST] >= 0:
            planes[2, state[LAST] // 3, state[LAST] % 3] = 1
        planes[3] = 1 - mover


@rule(sample, TicTacToe)
def tictactoe_sample(rules, state, mask, rng):
    free = np.uint64(FULL & ~(state[0] | state[1]))
    return nth(free, below(rng, popcount(free)))


@rule(wins_at_once, TicTacToe)
def tictactoe_wins_at_once(rules, state, action):
    return WON[state[state[PLY] & 1] | (1 << action)]


@rule(urgent, TicTacToe)
def tictactoe_urgent(rules, state, rng):
    mover = state[PLY] & 1
    for side in (mover, 1 - mover):
        for square in range(9):
            if ((state[0] | state[1]) >> square) & 1 == 0 and WON[state[side] | (1 << square)]:
                return square
    return -1


class TicTacToeGame(Game):
    name = "tictactoe"
    title = "Tic-tac-toe"
    players = ("X", "O")
    observers = {"two": 2, "four": 4}
    pieces = {"X": draw.Piece("cross", "red", symbol="X"), "O": draw.Piece("ring", "blue", symbol="O")}
    shape = (3, 3)
    state_size = 5
    num_core = 4

    def cells(self, state: State) -> tuple[tuple[str, ...], ...]:
        x, o = int(state[0]), int(state[1])
        texts = ["X" if x >> square & 1 else "O" if o >> square & 1 else "" for square in range(9)]
        return tuple(tuple(texts[row : row + 3]) for row in (0, 3, 6))

    def write_key(self, position: Position) -> str:
        """Rows from the top, `O` if O has begun and is to move, and the last move if it is known: `X2/1O1/3 b2`."""
        state = position.state
        turns = " O" if state[PLY] & 1 and popcount(state[0]) == popcount(state[1]) else ""
        last = int(state[LAST])
        return write_rows(position.cells) + turns + (f" {self.squares[last]}" if last >= 0 else "")

    def read_key(self, key: str) -> Position:
        rows, *rest = key.split() or [""]
        stones = read_rows(rows, 3, 3, "XO")
        state = self.blank()
        state[:2] = [sum(1 << square for square in range(9) if stones[square] == player) for player in (1, 2)]
        lead = stones.count(1) - stones.count(2)
        o_moves = lead == 1 or (lead == 0 and rest[:1] == ["O"])
        rest = rest[1:] if lead == 0 and o_moves else rest
        winners = [player for player in (0, 1) if WON[state[player]]]
        if abs(lead) > 1 or winners not in ([], [int(not o_moves)]):
            raise BadPosition(f"{rows!r} cannot come about: the players take turns until there are three in a row")
        state[PLY] = 9 - stones.count(0)
        state[PLY] += int(state[PLY]) & 1 != o_moves
        state[RESULT] = 1 - 2 * winners[0] if winners else 0 if 0 not in stones else RUNNING
        state[LAST] = self.read_last(rest, [square for square in range(9) if stones[square] == 1 + (not o_moves)], key)
        return Position(self, state)

    def composed_key(self, cells: tuple[tuple[str, ...], ...], turn: int, **known: Any) -> str:
        texts = [text for row in cells for text in row]
        return write_rows(cells) + (" O" if turn == 1 and texts.count("X") == texts.count("O") else "")

    def transform(self, state: State, symmetry: Symmetry) -> State:
        moved = state.copy()
        for player in (0, 1):
            moved[player] = sum(1 << int(symmetry.squares[s]) for s in range(9) if int(state[player]) >> s & 1)
        if state[LAST] >= 0:
            moved[LAST] = symmetry.squares[state[LAST]]
        return moved


GAME = TicTacToeGame(TicTacToe())
