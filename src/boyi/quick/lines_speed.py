"""How fast line tables are: evaluations a second, each with its stone put and taken, and nodes a second of search."""

import time

import numpy as np

from boyi.games.game import Game
from boyi.games.kernels import kernel
from boyi.games.randomness import generator
from boyi.quick.lines_board import clear, evaluate, make_board, put, take
from boyi.quick.lines_learn import left_after, random_opening, side_after
from boyi.quick.lines_memory import NODES, make_memory
from boyi.quick.lines_search import think
from boyi.quick.lines_weights import Weights, board_tables

BATCH = 20_000
POSITIONS = 20


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


def evaluations_per_second(game: Game, weights: Weights, *, seconds: float = 1.0) -> float:
    """Positions evaluated in a second of processor time, in the middle of a game."""
    board = make_board(game.rules, board_tables(game.rules, weights))
    middle = board.points.reshape(board.size, board.size)[2:-2:2, 2:-2:3].ravel()
    for number, at in enumerate(middle.tolist()):
        put(board, at, number % 2)
    side = np.int64(0)
    evaluate_moves(board, side, np.int64(1))
    began, made = time.process_time(), 0
    while time.process_time() - began < seconds:
        evaluate_moves(board, side, np.int64(BATCH))
        made += BATCH
    return made / (time.process_time() - began)


def nodes_per_second(game: Game, weights: Weights, *, nodes: int = 20_000, seed: int = 0) -> float:
    """Nodes searched in a second of processor time, over random openings."""
    board = make_board(game.rules, board_tables(game.rules, weights))
    memory, rng = make_memory(board.turn), generator(seed)
    points = np.zeros(8, np.int16)
    used, spent = 0, 0.0
    for number in range(POSITIONS + 1):
        stones = random_opening(board, rng, points)
        began = time.process_time()
        think(board, memory, side_after(board.turn, stones), left_after(board.turn, stones), np.int64(nodes))
        if number > 0:
            spent += time.process_time() - began
            used += int(memory.control[NODES])
    clear(board)
    return used / spent
