"""Small m,n,k boards: published values, and every position of tic-tac-toe against plain recursion."""

import functools

import pytest

import boyi
from boyi.exact.small import SmallBoard, solve_small
from boyi.exact.solution import NotSolvable

TICTACTOE = boyi.game("tictactoe")


@functools.cache
def minimax(position):
    if position.outcome:
        return position.outcome.score
    values = [minimax(position.play(move)) for move in position.moves]
    return max(values) if position.turn == 0 else min(values)


def play_out(position, line):
    for move in line:
        position = position.play(move)
    return position.outcome


def all_positions(position, known):
    core = position.state[:4].tobytes()
    if core not in known:
        known[core] = position
        for move in position.moves:
            all_positions(position.play(move), known)
    return known


def test_every_position_of_tictactoe():
    """All of them have the value that plain recursion finds, and the line brings it about."""
    board = SmallBoard(3, 3, 3, table_mb=0.5)
    checked = 0
    for position in all_positions(TICTACTOE.start(), {}).values():
        if position.outcome:
            continue
        black, white, stones = position.state[:3].tolist()
        value, line = board.solve(black, white, stones & 1)
        assert value == minimax(position)
        assert play_out(position, [TICTACTOE.squares[square] for square in line]).score == value
        checked += 1
    assert checked == 5478 - 958


@pytest.mark.parametrize(
    ("height", "width", "win", "value"),
    [(3, 3, 3, 0), (3, 4, 3, 1), (4, 4, 3, 1), (5, 5, 3, 1), (4, 4, 4, 0), (4, 5, 4, 0), (5, 5, 5, 0), (6, 5, 4, 1)],
)
def test_published_values(height, width, win, value):
    """The first player's results as the literature on m,n,k games lists them (Uiterwijk and van den Herik 2000)."""
    board = SmallBoard(height, width, win)
    found, line = board.solve(0, 0, 0)
    assert found == value
    sides = [0, 0]
    for ply, square in enumerate(line):
        assert not (sides[0] | sides[1]) >> square & 1
        assert not any(map(board.has_won, sides))
        sides[ply & 1] |= 1 << square
    assert [board.has_won(side) for side in sides] == [value == 1, False]
    assert value == 1 or len(line) == height * width


def test_four_in_a_row_on_five_by_five():
    game = boyi.game("gomoku", size=5, win=4)
    found = solve_small(game.start())
    assert (found.value, found.score, found.exact_by) == (0, 0, "full search")
    assert play_out(game.start(), found.line).winner is None
    assert found.nodes > 1000


def test_four_in_a_row_on_four_by_four():
    game = boyi.game("gomoku", size=4, win=4)
    found = boyi.solve(game.start())
    assert (found.value, found.exact_by) == (0, "full search")
    assert boyi.solve(boyi.game("gomoku", size=4, win=3).start()).value == 1


def test_a_win_and_a_loss_on_five_by_five():
    """Three open stones: the mover makes or stops the four; two ways to four cannot both be stopped."""
    game = boyi.game("gomoku", size=5, win=4)
    attack = game.position("5/O3O/1XX2/5/5 X")
    found = solve_small(attack)
    assert found.value == 1
    assert play_out(attack, found.line).winner == 0
    lost = game.position("O3O/5/1XXX1/5/5 O")
    assert solve_small(lost).value == 1
    assert play_out(lost, solve_small(lost).line).winner == 0
    saved = game.position("O3O/5/OXXX1/5/5 O")
    assert solve_small(saved).line[0] == "e3"


def test_symmetric_positions_have_one_value():
    game = boyi.game("gomoku", size=5, win=4)
    position = game.position("5/1X1O1/5/2X2/3O1 X")
    values = {solve_small(boyi.Position(game, game.transform(position.state, s))).value for s in game.symmetries}
    assert len(values) == 1


def test_limits_are_kept():
    game = boyi.game("gomoku", size=5, win=4)
    with pytest.raises(NotSolvable, match="did not come to an end in 100 nodes"):
        solve_small(game.start(), nodes=100)
    with pytest.raises(NotSolvable, match="allow more"):
        solve_small(game.start(), seconds=0)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gomoku:size=6", "6x6 is too large"),
        ("gomoku:size=5,win=4,variant=standard", "a longer row does not win"),
        ("othello", "not played for a row"),
    ],
)
def test_what_it_does_not_solve(name, reason):
    with pytest.raises(NotSolvable, match=reason):
        solve_small(boyi.game(name).start())
