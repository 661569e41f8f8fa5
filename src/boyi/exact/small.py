"""Small m,n,k boards, tic-tac-toe among them, solved by full search. Start at `SmallBoard.solve`.

Two players put stones in turn on a board of up to 32 squares; `win` or more in a row win. The search is alpha-beta over
the three results with an explicit stack. A position is one 64-bit number: bit s for a stone of player 0 on square s,
bit 32 + s for one of player 1. Of its images under the symmetries of the board the table of solved positions keeps the
smallest, and since the key is the position itself, no two can be taken for each other. The frames of the stack carry
all images.

A player with three of four in a row wins at once, so that no line is ever completed in the search; a single threat of
the opponent leaves one move; `examine` sees that a side can no longer win.
"""

import time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.exact.solution import NotSolvable, Solution
from boyi.games.bits import lowest, popcount
from boyi.games.game import Game
from boyi.games.gomoku import FREESTYLE, MOVER, Gomoku
from boyi.games.grid import square_tables
from boyi.games.kernels import inline_kernel, kernel
from boyi.games.position import Position
from boyi.games.tictactoe import PLY as TICTACTOE_PLY
from boyi.games.tictactoe import TicTacToe

MOST_SQUARES = 32
PAUSED, DONE = 0, 1
PLY, ENTER, NODES, VALUE = range(4)
"""Entries of `Stack.control`; ENTER says that the frame at PLY is still to be looked at."""
COUNT, NEXT, ALPHA, BETA, LOW, HIGH, BEST = range(7)
"""Columns of `Stack.numbers`; LOW and HIGH bound the value by what is known beforehand."""
ONE, NONE, LOWER_HALF, HALF = np.uint64(1), np.uint64(0), np.uint64(0xFFFFFFFF), np.uint64(32)
SPREAD = np.uint64(0x9E3779B97F4A7C15)
SLICE = 200_000


class Stack(NamedTuple):
    """A search in progress, over S squares and their images under Y symmetries."""

    images: NDArray[np.uint64]  # [S + 1, Y]
    moves: NDArray[np.int8]  # [S + 1, S] the squares to try, best first
    numbers: NDArray[np.int8]  # [S + 1, 7]
    weights: NDArray[np.int64]  # [S] scratch
    control: NDArray[np.int64]  # [4]


class Solved(NamedTuple):
    """The table of positions with bounds of their values, [2**k], two entries to a bucket; a free entry has the key of
    the empty board and bounds that say nothing."""

    keys: NDArray[np.uint64]
    bounds: NDArray[np.int8]  # [2**k, 2]
    stones: NDArray[np.int8]


@inline_kernel
def canonical(images):
    """The smallest image of a position."""
    key = images[0]
    for index in range(1, images.shape[0]):
        key = min(key, images[index])
    return key


@inline_kernel
def bucket_of(solved, key):
    mixed = key * SPREAD
    return np.int64((mixed ^ (mixed >> HALF)) & np.uint64(solved.keys.shape[0] - 2))


@inline_kernel
def look_up(solved, key):
    """Proven bounds of a position's value."""
    bucket = bucket_of(solved, key)
    for slot in range(bucket, bucket + 2):
        if solved.keys[slot] == key:
            return solved.bounds[slot, 0], solved.bounds[slot, 1]
    return np.int8(-1), np.int8(1)


@kernel
def enter_solved(solved, key, low, high, stones):
    """Keep bounds: the bucket's first entry goes to the position with fewer stones, the second to the newest."""
    slot = bucket_of(solved, key)
    if solved.keys[slot] != key and solved.keys[slot] != NONE and solved.stones[slot] < stones:
        slot += 1
    solved.keys[slot] = key
    solved.bounds[slot, 0], solved.bounds[slot, 1] = low, high
    solved.stones[slot] = stones


@kernel
def examine(lines, win, own, other, weights):
    """Look along all lines: the squares where the mover wins and where the opponent would, and whether each side may
    still be able to win. `weights` gets the promise of every square.

    Of lines open to one side, those count that it can fill before the board is full, each as 2 to the power of minus
    the stones it lacks. A side whose sum is below 1/2 before its own turn, or below 1 before the other's, can be
    stopped from filling any (Erdős and Selfridge 1973, "On a combinatorial game").
    """
    for square in range(weights.shape[0]):
        weights[square] = 0
    wins, blocks, own_sum, other_sum = NONE, NONE, 0, 0
    left = weights.shape[0] - popcount(own | other)
    for index in range(lines.shape[0]):
        line = lines[index]
        mine, theirs = popcount(own & line), popcount(other & line)
        if mine and theirs:
            continue
        if theirs == 0 and win - mine <= (left + 1) // 2:
            own_sum += 1 << mine
        if mine == 0 and win - theirs <= left // 2:
            other_sum += 1 << theirs
        free = line & ~(own | other)
        if mine == win - 1:
            wins |= free
        elif theirs == win - 1:
            blocks |= free
        promise = 1 << (2 * (mine + theirs))
        while free:
            weights[lowest(free)] += promise
            free &= free - ONE
    return wins, blocks, own_sum >= 1 << (win - 1), other_sum >= 1 << win


@kernel
def list_moves(moves, weights, allowed):
    """Write the allowed squares, the most promising first; return how many."""
    count = 0
    while allowed:
        square = lowest(allowed)
        allowed &= allowed - ONE
        at = count
        while at > 0 and weights[moves[at - 1]] < weights[square]:
            moves[at] = moves[at - 1]
            at -= 1
        moves[at] = square
        count += 1
    return count


@kernel
def open_frame(lines, win, full, stack, solved, ply, mover):
    """Look at the position of a frame: whether its value is found at once, and the value for the side to move."""
    numbers = stack.numbers[ply]
    black, white = stack.images[ply, 0] & LOWER_HALF, stack.images[ply, 0] >> HALF
    own, other = (black, white) if mover == 0 else (white, black)
    wins, blocks, own_open, other_open = examine(lines, win, own, other, stack.weights)
    if wins:
        return True, 1
    if popcount(blocks) > 1:
        return True, -1
    empty = full & ~(own | other)
    if not empty or not (own_open or other_open):
        return True, 0
    low, high = look_up(solved, canonical(stack.images[ply]))
    low, high = max(low, np.int8(-1 if other_open else 0)), min(high, np.int8(1 if own_open else 0))
    alpha, beta = max(numbers[ALPHA], low), min(numbers[BETA], high)
    if alpha >= beta:
        return True, low if numbers[ALPHA] < low else high
    numbers[COUNT] = list_moves(stack.moves[ply], stack.weights, blocks if blocks else empty)
    numbers[NEXT], numbers[ALPHA], numbers[BETA] = 0, alpha, beta
    numbers[LOW], numbers[HIGH], numbers[BEST] = low, high, low
    return False, 0


@kernel
def close_frame(stack, solved, ply):
    """Enter what a finished frame proves into the table; return its value."""
    numbers = stack.numbers[ply]
    best, low, high = numbers[BEST], numbers[LOW], numbers[HIGH]
    if best < numbers[BETA]:
        high = min(high, max(best, numbers[ALPHA]))
    if best > numbers[ALPHA]:
        low = max(low, best)
    stones = popcount(stack.images[ply, 0])
    enter_solved(solved, canonical(stack.images[ply]), low, high, stones)
    return best


@kernel
def advance(lines, win, full, symmetries, stack, solved, first_mover, max_nodes):
    """Go on with a search until it is DONE, with the value for the side to move in control[VALUE], or PAUSED after so
    many nodes in all."""
    numbers, control = stack.numbers, stack.control
    ply = control[PLY]
    found, value = False, 0
    while True:
        if control[ENTER]:
            if control[NODES] >= max_nodes:
                control[PLY] = ply
                return PAUSED
            control[NODES] += 1
            control[ENTER] = 0
            found, value = open_frame(lines, win, full, stack, solved, ply, (first_mover + ply) & 1)
        if found:
            if ply == 0:
                control[VALUE] = value
                return DONE
            ply -= 1
            numbers[ply, BEST] = max(numbers[ply, BEST], np.int8(-value))
            numbers[ply, NEXT] += 1
            found = False
        if numbers[ply, BEST] >= numbers[ply, BETA] or numbers[ply, NEXT] >= numbers[ply, COUNT]:
            found, value = True, np.int64(close_frame(stack, solved, ply))
            continue
        square = stack.moves[ply, numbers[ply, NEXT]]
        side = 32 * ((first_mover + ply) & 1)
        for index in range(symmetries.shape[0]):
            stack.images[ply + 1, index] = stack.images[ply, index] | ONE << np.uint64(symmetries[index, square] + side)
        numbers[ply + 1, ALPHA] = -numbers[ply, BETA]
        numbers[ply + 1, BETA] = -max(numbers[ply, ALPHA], numbers[ply, BEST])
        ply += 1
        control[ENTER] = 1


def _lines(height: int, width: int, win: int) -> list[int]:
    """Every row of `win` squares, as a set of bits."""
    found = []
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                squares = [(row + step * down, column + step * right) for step in range(win)]
                if all(0 <= y < height and 0 <= x < width for y, x in squares):
                    found.append(sum(1 << (y * width + x) for y, x in squares))
    return found


class SmallBoard:
    """A board of height x width squares on which `win` or more in a row win, with its table of solved positions.

    Positions are two sets of bits, the squares of player 0 and of player 1, row by row from the top left, and the
    player to move. The table holds for one order of turns: a board solves positions of one game.
    """

    def __init__(self, height: int, width: int, win: int, *, table_mb: float = 64.0) -> None:
        if not 1 <= height * width <= MOST_SQUARES:
            raise NotSolvable(f"a board of {height}x{width} is too large for full search; the largest has 32 squares")
        self.shape, self.win = (height, width), win
        squares = height * width
        self.full = np.uint64(2**squares - 1)
        self.lines = np.array(_lines(height, width, win), np.uint64)
        kinds = square_tables(height, width)
        self.symmetries = np.stack([np.asarray(table, np.int64) for table in kinds.values()])
        size = 1 << max(4, int(table_mb * 2**20 / 11).bit_length() - 1)
        self.solved = Solved(
            np.zeros(size, np.uint64), np.tile(np.array([-1, 1], np.int8), (size, 1)), np.zeros(size, np.int8)
        )
        self.stack = Stack(
            np.zeros((squares + 1, len(self.symmetries)), np.uint64),
            np.zeros((squares + 1, squares), np.int8),
            np.zeros((squares + 1, 7), np.int8),
            np.zeros(squares, np.int64),
            np.zeros(4, np.int64),
        )
        self.nodes = 0

    def value(self, black: int, white: int, mover: int, *, deadline: float | None, nodes: int | None) -> int:
        """The result for the side to move in a position without a finished line; `NotSolvable` at a limit.

        `deadline` is a time of `time.perf_counter`; `nodes` counts from the making of the board.
        """
        stack = self.stack
        stack.images[0] = [self._image(black, table) | self._image(white, table) << 32 for table in self.symmetries]
        stack.control[:] = (0, 1, 0, 0)
        stack.numbers[0, ALPHA], stack.numbers[0, BETA] = -1, 1
        status = PAUSED
        before = self.nodes
        while status == PAUSED:
            if (nodes is not None and self.nodes >= nodes) or (deadline and time.perf_counter() >= deadline):
                raise NotSolvable(f"full search of {self!r} did not come to an end in {self.nodes:,} nodes; allow more")
            room = SLICE if nodes is None else min(SLICE, nodes - self.nodes)
            more = int(stack.control[NODES]) + room
            status = advance(self.lines, self.win, self.full, self.symmetries, stack, self.solved, mover, more)
            self.nodes = before + int(stack.control[NODES])
        return int(stack.control[VALUE])

    def promising(self, black: int, white: int, mover: int) -> list[int]:
        """The squares worth trying, the best first: those that win, or that stop the opponent, or all empty ones."""
        own, other = (black, white) if mover == 0 else (white, black)
        wins, blocks, _, _ = examine(self.lines, self.win, np.uint64(own), np.uint64(other), self.stack.weights)
        empty = self.full & ~np.uint64(own | other)
        moves = self.stack.moves[-1]
        allowed = wins or blocks or empty
        count = list_moves(moves, self.stack.weights, np.uint64(allowed))
        return [int(square) for square in moves[:count]]

    def has_won(self, stones: int) -> bool:
        """Whether a set of squares holds a line."""
        return bool(((np.uint64(stones) & self.lines) == self.lines).any())

    def solve(
        self, black: int, white: int, mover: int, *, seconds: float | None = None, nodes: int | None = None
    ) -> tuple[int, list[int]]:
        """The result for player 0 and a best line of play to the end, from a running position."""
        deadline = None if seconds is None else time.perf_counter() + seconds
        stop = None if nodes is None else self.nodes + nodes
        value = self.value(black, white, mover, deadline=deadline, nodes=stop)
        first, at = (value if mover == 0 else -value), mover
        sides, line = (black, white), []
        while sum(sides) != self.full and not any(map(self.has_won, sides)):
            for square in self.promising(*sides, at):
                stones = sides[at] | 1 << square
                after = (stones, sides[1]) if at == 0 else (sides[0], stones)
                if value == -1 or self.has_won(stones):
                    break
                if self.value(*after, 1 - at, deadline=deadline, nodes=stop) == -value:
                    break
            line.append(square)
            sides, value, at = after, -value, 1 - at
        return first, line

    def _image(self, stones: int, table: NDArray[Any]) -> int:
        return sum(1 << int(table[square]) for square in range(len(table)) if stones >> square & 1)

    def __repr__(self) -> str:
        return f"{self.shape[0]}x{self.shape[1]} with {self.win} in a row"


def small_board(game: Game) -> SmallBoard:
    """The board of a game that is small enough; `NotSolvable` for others."""
    rules = game.rules
    if isinstance(rules, TicTacToe):
        return SmallBoard(3, 3, 3, table_mb=0.5)
    if not isinstance(rules, Gomoku):
        raise NotSolvable(f"{game.name} is not played for a row of stones on a small board")
    if rules.variant != FREESTYLE and rules.win < rules.size:
        raise NotSolvable("where a longer row does not win, full search has no lines to look along; freestyle has")
    return SmallBoard(rules.size, rules.size, rules.win)


def solve_small(position: Position, *, seconds: float | None = None, nodes: int | None = None) -> Solution:
    """Solve tic-tac-toe, or gomoku on a board of 5x5."""
    began = time.perf_counter()
    game, state = position.game, position.state
    board = small_board(game)
    if isinstance(game.rules, TicTacToe):
        black, white, mover = int(state[0]), int(state[1]), int(state[TICTACTOE_PLY]) & 1
    else:
        cells = state[: game.num_squares].tolist()
        black, white = (sum(1 << s for s, cell in enumerate(cells) if cell == player) for player in (1, 2))
        mover = int(state[game.num_squares + MOVER])
    value, line = board.solve(black, white, mover, seconds=seconds, nodes=nodes)
    moves = tuple(game.squares[square] for square in line)
    spent = time.perf_counter() - began
    return Solution(float(value), value, moves[0], moves, "full search", board.nodes, spent)
