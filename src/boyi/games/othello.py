"""Othello: outflank and turn discs; most discs win. Black (player 0) begins.

A move must turn at least one disc. A player without a move passes, which is an explicit action, legal only then;
the game ends as soon as neither side can move. The score is the disc difference, empty squares to the winner.

Squares a1..h8, row 1 on top; an action is row * size + column, and size * size is the pass:

    1   0  1  2  3  4  5  6  7
    2   8  9 10 11 12 13 14 15
        a  b  c  d  e  f  g  h

State: discs of the side to move, discs of the other side, moves of the side to move (sets of bits, row * 8 + column
on every board size), and flags: bit 0 the player to move, bit 1 the game is over; then the last action, pass
included, or NOTHING.
"""

from typing import Any, NamedTuple

import numpy as np

from boyi.games.bits import NONE, ONE, nth, popcount
from boyi.games.errors import BadPosition
from boyi.games.game import Game, State
from boyi.games.generics import RUNNING, init, legal, observe, outcome, rule, sample, score, step, turn
from boyi.games.grid import Symmetry
from boyi.games.kernels import inline_kernel
from boyi.games.position import Position
from boyi.games.randomness import below

OWN, OTHER, MOVES, FLAGS, LAST = range(5)
OVER = np.uint64(2)
NOTHING = np.uint64(255)
INNER = np.uint64(0x7E7E7E7E7E7E7E7E)
"""Columns b..g: discs that a line along a row or diagonal can run over without leaving the board."""
EAST, SOUTH_WEST, SOUTH, SOUTH_EAST = np.uint64(1), np.uint64(7), np.uint64(8), np.uint64(9)


class Othello(NamedTuple):
    size: int = 8


@inline_kernel
def onward(start, through, shift):
    """The unbroken rows of `through` that begin next to `start`, towards higher squares (parallel prefix)."""
    found = (start << shift) & through
    found |= (found << shift) & through
    pairs = through & (through << shift)
    double = shift + shift
    found |= (found << double) & pairs
    return found | ((found << double) & pairs)


@inline_kernel
def backward(start, through, shift):
    """The unbroken rows of `through` that begin next to `start`, towards lower squares."""
    found = (start >> shift) & through
    found |= (found >> shift) & through
    pairs = through & (through >> shift)
    double = shift + shift
    found |= (found >> double) & pairs
    return found | ((found >> double) & pairs)


@inline_kernel
def ends(own, through, shift):
    """The squares just beyond rows of `through` that begin next to `own`, in both senses of a direction."""
    return (onward(own, through, shift) << shift) | (backward(own, through, shift) >> shift)


@inline_kernel
def mobility(own, other, size):
    """The squares where the owner of `own` may play."""
    inner = other & INNER
    reached = ends(own, inner, EAST) | ends(own, other, SOUTH)
    reached |= ends(own, inner, SOUTH_WEST) | ends(own, inner, SOUTH_EAST)
    return reached & board(size) & ~(own | other)


@inline_kernel
def flanked(own, through, disc, shift):
    """The discs of `through` between a new disc and `own`, in both senses of a direction."""
    after = onward(disc, through, shift)
    before = backward(disc, through, shift)
    found = NONE
    if (after << shift) & own:
        found |= after
    if (before >> shift) & own:
        found |= before
    return found


@inline_kernel
def turned(own, other, disc):
    """The discs that a new disc turns."""
    inner = other & INNER
    found = flanked(own, inner, disc, EAST) | flanked(own, other, disc, SOUTH)
    return found | flanked(own, inner, disc, SOUTH_WEST) | flanked(own, inner, disc, SOUTH_EAST)


@inline_kernel
def board(size):
    """All squares of a board."""
    if size == 8:
        return ~NONE
    return np.uint64(0x3F3F3F3F3F3F) if size == 6 else np.uint64(0x0F0F0F0F)


@inline_kernel
def bit_of(size, square):
    return square if size == 8 else square // size * 8 + square % size


@inline_kernel
def square_of(size, bit):
    return bit if size == 8 else bit // 8 * size + bit % 8


@inline_kernel
def place(state, own, other, size, mover, last):
    """Write a whole state, finding out what may be played."""
    moves = mobility(own, other, size)
    state[OWN] = own
    state[OTHER] = other
    state[MOVES] = moves
    state[FLAGS] = np.uint64(mover)
    if moves == NONE and mobility(other, own, size) == NONE:
        state[FLAGS] |= OVER
    state[LAST] = last


@rule(init, Othello)
def othello_init(rules, state):
    middle = rules.size // 2
    corner = np.uint64((middle - 1) * 9)
    white = (ONE << corner) | (ONE << (corner + SOUTH_EAST))
    black = (ONE << (corner + EAST)) | (ONE << (corner + SOUTH))
    place(state, black, white, rules.size, 0, NOTHING)


@rule(turn, Othello)
def othello_turn(rules, state):
    return np.int64(state[FLAGS] & ONE)


@rule(legal, Othello)
def othello_legal(rules, state, mask):
    squares = rules.size * rules.size
    for square in range(squares):
        mask[square] = (state[MOVES] >> np.uint64(bit_of(rules.size, square))) & ONE
    mask[squares] = state[MOVES] == NONE
    return max(1, popcount(state[MOVES]))


@rule(step, Othello)
def othello_step(rules, state, action):
    own, other = state[OWN], state[OTHER]
    if action < rules.size * rules.size:
        disc = ONE << np.uint64(bit_of(rules.size, action))
        changed = turned(own, other, disc)
        own |= changed | disc
        other ^= changed
    place(state, other, own, rules.size, (state[FLAGS] & ONE) ^ ONE, np.uint64(action))


@rule(outcome, Othello)
def othello_outcome(rules, state):
    if state[FLAGS] & OVER == NONE:
        return RUNNING
    margin = popcount(state[OWN]) - popcount(state[OTHER])
    sign = np.int64(margin > 0) - np.int64(margin < 0)
    return sign if state[FLAGS] & ONE == NONE else -sign


@rule(score, Othello)
def othello_score(rules, state):
    own, other = popcount(state[OWN]), popcount(state[OTHER])
    empty = rules.size * rules.size - own - other
    margin = own - other
    margin += empty if own > other else -empty if own < other else 0
    return margin if state[FLAGS] & ONE == NONE else -margin


@rule(observe, Othello)
def othello_observe(rules, state, view, planes):
    """`two` (document 001): own discs and the other side's. `four`: also the last move, and ones if Black moves."""
    for square in range(rules.size * rules.size):
        bit = np.uint64(bit_of(rules.size, square))
        row, column = square // rules.size, square % rules.size
        planes[0, row, column] = (state[OWN] >> bit) & ONE
        planes[1, row, column] = (state[OTHER] >> bit) & ONE
    if view == 1:
        last = np.int64(state[LAST])
        if last < rules.size * rules.size:
            planes[2, last // rules.size, last % rules.size] = 1
        planes[3] = (state[FLAGS] & ONE) ^ ONE


@rule(sample, Othello)
def othello_sample(rules, state, mask, rng):
    moves = state[MOVES]
    if moves == NONE:
        return rules.size * rules.size
    return square_of(rules.size, nth(moves, below(rng, popcount(moves))))


class OthelloGame(Game):
    name = "othello"
    title = "Othello"
    parameters = {"size": (4, 6, 8)}
    observers = {"two": 2, "four": 4}
    state_dtype = np.uint64
    state_size = 5
    num_core = 4
    row_one_on_top = True
    composed_with = ("passed",)
    surface = "felt"

    @property
    def num_actions(self) -> int:
        return self.num_squares + 1

    def write_move(self, state: State, action: int) -> str:
        return "pass" if action == self.num_squares else self.squares[action]

    def read_move(self, state: State, move: str) -> int | None:
        if move.strip().lower() in ("pass", "pa", "ps", "--"):
            return self.num_squares
        return self.square(move)

    def discs(self, state: State) -> tuple[list[int], list[int]]:
        """The squares of Black and of White."""
        sides = [
            [s for s in range(self.num_squares) if int(bits) >> bit_of(self.rules.size, s) & 1] for bits in state[:2]
        ]
        return (sides[1], sides[0]) if int(state[FLAGS]) & 1 else (sides[0], sides[1])

    def cells(self, state: State) -> tuple[tuple[str, ...], ...]:
        texts = [""] * self.num_squares
        for letter, squares in zip("XO", self.discs(state), strict=True):
            for square in squares:
                texts[square] = letter
        size = self.rules.size
        return tuple(tuple(texts[row * size : (row + 1) * size]) for row in range(size))

    def reason(self, state: State) -> str:
        return "discs" if popcount(state[OWN]) != popcount(state[OTHER]) else "equal discs"

    def caption(self, position: Position) -> str:
        plain = super().caption(position)
        black, white = map(len, self.discs(position.state))
        passing = " (must pass)" if position.moves == ("pass",) else ""
        return f"{plain}{passing}, {black}:{white}"

    def dots(self) -> tuple[int, ...]:
        return (18, 22, 50, 54) if self.rules.size == 8 else ()

    def write_key(self, position: Position) -> str:
        """The board as other programs write it, a1, b1 .. h8 and the side to move; then the last move if known."""
        last = int(position.state[LAST])
        board_text = "".join(cell or "-" for row in position.cells for cell in row)
        side = "XO"[int(position.state[FLAGS]) & 1]
        known = f" {self.write_move(position.state, last)}" if last != NOTHING else ""
        return f"{board_text} {side}{known}"

    def read_key(self, key: str) -> Position:
        written, mover, rest = self.key_parts(key, "XO")
        text = written.translate(str.maketrans("*bBxwWo.", "XXXXOOO-"))
        if len(text) != self.num_squares or set(text) - set("XO-"):
            raise BadPosition(
                f"{written[:80]!r} is no board: it takes {self.num_squares} characters, X black, O white, - empty"
            )
        black, white = (sum(1 << int(bit_of(self.rules.size, s)) for s, c in enumerate(text) if c == x) for x in "XO")
        own, other = (black, white) if mover == 0 else (white, black)
        occupied = [square for square, letter in enumerate(text) if letter == "OX"[mover]]
        last = self.num_squares if rest == ["pass"] else self.read_last(rest, occupied, key)
        state = self.blank()
        place(state, np.uint64(own), np.uint64(other), self.rules.size, mover, NOTHING if last < 0 else np.uint64(last))
        return Position(self, state)

    def composed_key(self, cells: tuple[tuple[str, ...], ...], turn: int, **known: Any) -> str:
        board_text = "".join(cell or "-" for row in cells for cell in row)
        if not known["passed"]:
            return f"{board_text} {'XO'[turn]}"
        other = self.read_key(f"{board_text} {'OX'[turn]}")
        if other.turn is not None and other.moves != ("pass",):
            raise BadPosition(f"{self.players[1 - turn]} cannot have passed: it can play {other.moves[0]}")
        return f"{board_text} {'XO'[turn]} pass"

    def transform(self, state: State, symmetry: Symmetry) -> State:
        moved = state.copy()
        for entry in (OWN, OTHER, MOVES):
            squares = [s for s in range(self.num_squares) if int(state[entry]) >> bit_of(self.rules.size, s) & 1]
            moved[entry] = sum(1 << int(bit_of(self.rules.size, int(symmetry.squares[s]))) for s in squares)
        if state[LAST] != NOTHING:
            moved[LAST] = symmetry.actions[int(state[LAST])]
        return moved


GAME = OthelloGame(Othello())
