"""How fast line tables are: evaluations a second, each with its stone put and taken."""

import time

import numpy as np

from boyi.games.kernels import kernel
from boyi.quick.lines_board import Board, clear, evaluate, put, take

BATCH = 20_000


@kernel
def evaluate_moves(board, side, count):
    """Put a stone on one empty point after another, evaluate, take it back, so many times; the sum of the values."""
    total, made = 0, 0
    while made < count:
        for index in range(board.points.shape[0]):
            at = board.points[index]
            if board.cells[at] == 0 and made < count:
                put(board, at, side)
                total += evaluate(board, 1 - side)
                take(board, at)
                made += 1
    return total


def evaluations_per_second(board: Board, *, seconds: float = 1.0) -> float:
    """Positions evaluated in a second of processor time, with stones all over the middle of the board."""
    clear(board)
    middle = board.points.reshape(board.size, board.size)[2:-2:2, 2:-2:3].ravel()
    for number, at in enumerate(middle.tolist()):
        put(board, at, number % 2)
    side = np.int64(0)
    evaluate_moves(board, side, np.int64(1))
    began, made = time.process_time(), 0
    while time.process_time() - began < seconds:
        evaluate_moves(board, side, np.int64(BATCH))
        made += BATCH
    clear(board)
    return made / (time.process_time() - began)
