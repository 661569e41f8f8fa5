"""The search over line tables in Gomoku and Connect6, as an engine: principal variation search, deepening."""

import math
import time
from collections.abc import Iterator

import numpy as np

from boyi.games.connect6 import LEFT, Connect6
from boyi.games.game import Game
from boyi.games.gomoku import Gomoku, Renju
from boyi.games.position import Position
from boyi.quick.lines_board import Board, find_class, index_of, make_board, put, set_up, take
from boyi.quick.lines_classes import FIVE
from boyi.quick.lines_memory import BEST, DONE, EXACT, FINISHED, MAX_DEPTH, NEAR_MATE, NODES, SCORE, make_memory
from boyi.quick.lines_search import begin, deepen, look_up, unwind
from boyi.quick.lines_tables import packed, unpacked
from boyi.quick.lines_weights import SCALE, board_tables, hand_weights
from boyi.quick.store import Arrays
from boyi.search.deepening import Report, RootMove

SLICE_S = 0.004
FIRST_NODES = 200
TABLE_BITS = 18
LONGEST_LINE = 12


def plays(game: Game) -> bool:
    """Whether line tables can play a game: Gomoku with five in a row, and Connect6."""
    return isinstance(game.rules, Connect6) or (isinstance(game.rules, Gomoku | Renju) and game.rules.win == 5)


def hand_tables(game: Game) -> Arrays:
    """Tables set by hand."""
    return packed(game, hand_weights(game.rules))


class LinesEngine:
    """Line tables and their search. It values one move, whatever number of lines is asked for."""

    def __init__(self, game: Game, arrays: Arrays, *, lines: int = 1) -> None:
        self.game = game
        self.board: Board = make_board(game.rules, board_tables(game.rules, unpacked(game, arrays)))
        self.memory = make_memory(self.board.turn, table_bits=TABLE_BITS)
        self.deepest = int(self.memory.control[MAX_DEPTH])
        start = self.game.start()  # every kernel is compiled before any clock runs
        set_up(self.board, start.state)
        begin(self.board, self.memory, 0, 1)
        deepen(self.board, self.memory, 1)
        unwind(self.board, self.memory)
        find_class(self.board, np.int64(0), np.int64(FIVE))
        self._line(start)

    def search(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int = 0,
        every_s: float | None = None,
    ) -> Iterator[Report]:
        """Search until a limit is reached or the position is decided."""
        began = said = time.perf_counter()
        control = self.memory.control
        control[MAX_DEPTH] = min(depth or self.deepest, self.deepest)
        set_up(self.board, position.state)
        status = begin(self.board, self.memory, int(position.turn or 0), self._left(position))
        step = FIRST_NODES
        stopped = "depth" if status == DONE else ""
        deadline = math.inf if seconds is None else began + seconds
        try:
            while not stopped:
                now = time.perf_counter()
                if now >= deadline:
                    stopped = "seconds"
                elif nodes is not None and control[NODES] >= nodes:
                    stopped = "nodes"
                else:
                    before = int(control[NODES])
                    upto = before + step if nodes is None else min(before + step, nodes)
                    if deepen(self.board, self.memory, upto) == DONE:
                        stopped = "depth"
                    spent = max(time.perf_counter() - now, 1e-6)
                    room = min(SLICE_S, max(deadline - time.perf_counter(), 0.0))
                    step = int(min(4 * step, max(50, (control[NODES] - before) * room / spent)))
                    if every_s is not None and not stopped and now - said >= every_s:
                        said = now
                        yield self._report(position, began, "")
        finally:
            unwind(self.board, self.memory)
        yield self._report(position, began, stopped)

    def _left(self, position: Position) -> int:
        """How many stones the mover puts."""
        return int(position.state[self.game.num_squares + LEFT]) if isinstance(self.game.rules, Connect6) else 1

    def _report(self, position: Position, began: float, stopped: str) -> Report:
        control = self.memory.control
        score = int(control[SCORE])
        value = math.copysign(1.0, score) if abs(score) > NEAR_MATE else math.tanh(score / SCALE / 2)
        value = -value if position.turn == 1 else value
        action = int(index_of(self.board, control[BEST]))
        line = self._line(position) if stopped else (action,)
        return Report(
            action,
            (RootMove(action, value, True, False, line or (action,)),),
            depth=int(control[FINISHED]),
            nodes=int(control[NODES]),
            seconds=time.perf_counter() - began,
            stopped=stopped,
        )

    def _line(self, position: Position) -> tuple[int, ...]:
        """The best move and what the table expects after it; the board must show the position."""
        board, memory, at = self.board, self.memory, position
        point = self.memory.control[BEST]
        points: list[np.int64] = []
        while point > 0 and board.cells[point] == 0 and at.outcome is None and len(points) < LONGEST_LINE:
            action = int(index_of(board, point))
            if action not in at.actions:
                break
            put(board, point, np.int64(at.turn or 0))
            points.append(point)
            at = at.play_action(action)
            side = int(at.turn or 0)
            if board.turn == 1 and board.tops[:, FIVE].any():
                player = side if board.tops[side, FIVE] else 1 - side
                point = find_class(board, np.int64(player), np.int64(FIVE))
                continue
            point, bound = look_up(board, memory, np.int64(side), np.int64(self._left(at)))
            if bound != EXACT:
                break
        for point in reversed(points):
            take(board, point)
        return tuple(int(index_of(board, point)) for point in points)
