"""The search over lines: forced moves, threats, covers, and that pausing changes nothing."""

import itertools
import random

import numpy as np
import pytest
from test_lines_board import crowded, snapshot

import boyi
from boyi.games.position import Position
from boyi.quick.lines_board import Board, index_of, make_board, set_up
from boyi.quick.lines_memory import BEST, DONE, LEFT, MATE, NODES, PAUSED, SCORE, SIDE, make_memory
from boyi.quick.lines_search import begin, deepen, list_covers, list_windows, think, unwind
from boyi.quick.lines_weights import board_tables, hand_weights


def made(game: boyi.Game) -> Board:
    return make_board(game.rules, board_tables(game.rules, hand_weights(game.rules)))


def placed(game: boyi.Game, black: str, white: str, mover: str, rest: str = "") -> Position:
    """A position from the names of the occupied points."""
    cells = ["" for _ in game.squares]
    for stone, names in (("X", black), ("O", white)):
        for name in names.split():
            cells[game.squares.index(name)] = stone
    width = game.shape[1]
    from boyi.games.grid import write_rows

    rows = [cells[start : start + width] for start in range(0, len(cells), width)]
    return game.position(f"{write_rows(rows)} {mover}{rest}")


def answer(position: Position, nodes: int, left: int = 1) -> tuple[str, int]:
    """The move of a search and its value for the side to move."""
    game = position.game
    board, memory = made(game), make_memory()
    set_up(board, position.state)
    before = snapshot(board)
    at = think(board, memory, int(position.turn or 0), left, nodes)
    assert snapshot(board) == before
    return game.squares[int(index_of(board, at))], int(memory.control[SCORE])


FREESTYLE, RENJU = boyi.game("gomoku"), boyi.game("gomoku", variant="renju")


@pytest.mark.parametrize(
    ("black", "white", "mover", "moves", "value"),
    [
        ("d8 e8 f8 g8", "a1 b1 c1", "X", "c8 h8", MATE - 1),
        ("d8 e8 f8", "a1 c1 e1", "X", "c8 g8", MATE - 3),
        ("d8 e8 f8 g8", "a1 c1 e1", "O", "c8 h8", 2 - MATE),
    ],
)
def test_settled_at_once(black: str, white: str, mover: str, moves: str, value: int) -> None:
    move, score = answer(placed(FREESTYLE, black, white, mover), 500)
    assert move in moves.split()
    assert score == value


def test_a_four_is_blocked_and_an_open_three_answered() -> None:
    move, _ = answer(placed(FREESTYLE, "d8 e8 f8 g8", "c8 a1 e1 b12", "O"), 500)
    assert move == "h8"
    move, score = answer(placed(FREESTYLE, "f8 g8 h8 b2", "a1 n1 b12", "O"), 2000)
    assert move in ("d8", "e8", "i8", "j8")
    assert abs(score) < MATE - 1000


def test_a_win_by_fours_is_seen_below_the_last_ply() -> None:
    position = placed(FREESTYLE, "e5 f5 g5 h6 h7 k9 l9", "d5 h3 m9 b2 c12 n13", "X")
    move, score = answer(position, 3000)
    assert move == "h5"
    assert score > MATE - 20


def test_black_does_not_play_where_renju_forbids_it() -> None:
    position = placed(RENJU, "g8 i8 h7 h9", "a1 c1 e1 n1", "X")
    assert "h8" not in position.moves
    move, _ = answer(position, 2000)
    assert move in position.moves
    free = placed(FREESTYLE, "g8 i8 h7 h9", "a1 c1 e1 n1", "X")
    assert answer(free, 2000)[1] > MATE - 20


def test_white_wins_where_the_only_block_is_forbidden() -> None:
    position = placed(RENJU, "g8 i8 h7 h9", "d4 e5 f6 g7 a15 l1", "X")
    assert "h8" not in position.moves
    assert answer(position, 500)[1] < 1000 - MATE


@pytest.mark.parametrize("name", ["gomoku:size=9", "gomoku:variant=renju", "connect6:size=13"])
def test_pausing_changes_nothing(name: str) -> None:
    game = boyi.game(name)
    board = made(game)
    for position in crowded(game, 5, seed=9, most=16):
        side = np.int64(position.turn or 0)
        left = np.int64(position.state[game.num_squares + 1]) if game.name == "connect6" else np.int64(1)
        results = []
        for step in (1500, 7):
            memory = make_memory()
            set_up(board, position.state)
            before = snapshot(board)
            status = begin(board, memory, side, left)
            limit = 0
            while status == PAUSED and limit < 1500:
                limit = min(limit + step, 1500)
                status = deepen(board, memory, limit)
            unwind(board, memory)
            assert snapshot(board) == before
            results.append((status, *memory.control[[BEST, SCORE, NODES]].tolist()))
            assert int(index_of(board, memory.control[BEST])) in position.actions
        assert results[0] == results[1]


def test_covers_are_all_covers() -> None:
    game = boyi.game("connect6", size=11)
    board, memory = made(game), make_memory()
    threatened = 0
    for position in crowded(game, 60, seed=21, most=30):
        side = int(position.turn or 0)
        cells = position.state[: game.num_squares].reshape(game.shape)
        lines = []
        for row, column in itertools.product(range(11), range(11)):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                ends = row + 5 * down, column + 5 * right
                if 0 <= ends[0] < 11 and 0 <= ends[1] < 11:
                    lines.append([(row + i * down, column + i * right) for i in range(6)])
        threats = [
            {r * 11 + c for r, c in line if cells[r, c] == 0}
            for line in lines
            if all(cells[r, c] != side + 1 for r, c in line) and sum(cells[r, c] == 2 - side for r, c in line) >= 4
        ]
        set_up(board, position.state)
        count = list_windows(board, 1 - side, memory.windows)
        listed = {frozenset(int(index_of(board, p)) for p in pair) for pair in memory.windows[:count]}
        assert listed == {frozenset(gaps) for gaps in threats}
        if not threats:
            continue
        threatened += 1
        empty = [int(action) for action in np.flatnonzero(position.state[: game.num_squares] == 0)]
        pairs = {
            frozenset(pair) for pair in itertools.combinations(empty, 2) if all(gaps & set(pair) for gaps in threats)
        }
        memory.frames[0, SIDE], memory.frames[0, LEFT] = side, 2
        found = list_covers(board, memory, memory.control[0] * 0, count)
        firsts = {int(index_of(board, point)) for point in memory.moves[0, :found]}
        assert all(pair & firsts for pair in pairs), "every cover holds one of the points"
        assert all(any(first in pair for pair in pairs) for first in firsts), "and every point is part of a cover"
    assert threatened > 10


def test_connect6_wins_and_stops() -> None:
    game = boyi.game("connect6")
    win = placed(game, "f10 g10 h10 i10 a1", "c3 d3 p3 p5 q17", "X", " 2")
    move, score = answer(win, 500, left=2)
    assert score == MATE - 2
    assert move in ("d10", "e10", "j10", "k10")
    stop = placed(game, "f10 g10 h10 i10 a1", "c3 d3 p3 p5", "O", " 2")
    move, score = answer(stop, 2000, left=2)
    assert move in ("e10", "j10", "d10", "k10")
    assert abs(score) < MATE - 1000
    lost = placed(game, "f10 g10 h10 i10 f4 g4 h4 i4", "c3 d3 p3 p5", "O", " 2")
    assert answer(lost, 500, left=2)[1] == 3 - MATE


def test_searching_deeper_never_leaves_the_board_wrong() -> None:
    game = boyi.game("gomoku", size=9)
    board, memory = made(game), make_memory(table_bits=8)
    rng = random.Random(1)
    position = game.start()
    while position.outcome is None and len(position.actions) > 30:
        set_up(board, position.state)
        before = snapshot(board)
        status = begin(board, memory, int(position.turn or 0), 1)
        for limit in (200, 900):
            if status != DONE:
                status = deepen(board, memory, limit)
        unwind(board, memory)
        assert snapshot(board) == before
        action = int(index_of(board, memory.control[BEST]))
        assert action in position.actions
        position = position.play_action(action if rng.random() < 0.7 else rng.choice(position.actions))
