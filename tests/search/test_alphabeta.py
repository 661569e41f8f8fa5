"""Alpha-beta against plain minimax, on positions with known answers, and within its limits."""

import functools
from typing import NamedTuple

import pytest

import boyi
from boyi.games.errors import GameError
from boyi.games.generics import rule
from boyi.players import Limit
from boyi.players.minimax import AlphaBetaPlayer
from boyi.search.alphabeta import AlphaBeta
from boyi.search.evaluation import Nothing, assess
from boyi.search.evaluations import default_evaluation


def last(search, position, **limits):
    return list(search.search(position, **limits))[-1]


@functools.cache
def minimax(position):
    """The result of perfect play, by the definition."""
    if position.outcome:
        winner = position.outcome.winner
        return 0 if winner is None else 1 - 2 * winner
    values = [minimax(position.play_action(action)) for action in position.actions]
    return max(values) if position.turn == 0 else min(values)


@pytest.fixture(scope="module")
def tictactoe():
    game = boyi.game("tictactoe")
    return AlphaBeta(game, default_evaluation(game), lines=0)


def test_every_tictactoe_position_is_solved(tictactoe):
    seen, todo = set(), [boyi.game("tictactoe").start()]
    while todo:
        position = todo.pop()
        if position in seen or position.outcome:
            continue
        seen.add(position)
        report = last(tictactoe, position)
        assert report.exact
        assert report.moves[0].value == minimax(position), position.key
        todo += [position.play_action(action) for action in position.actions]
    assert len(seen) > 4500


def test_every_root_move_has_its_own_value_when_all_lines_are_wanted(tictactoe):
    position = boyi.game("tictactoe").position("X2/3/3")
    report = last(tictactoe, position)
    assert report.moves[0].value != report.moves[-1].value
    for move in report.moves:
        assert move.known
        assert move.exact
        assert move.value == minimax(position.play_action(move.action))


def test_the_line_of_play_is_legal_and_reaches_the_end_of_a_solved_game(tictactoe):
    position = boyi.game("tictactoe").start()
    report = last(tictactoe, position)
    for action in report.moves[0].line:
        position = position.play_action(action)
    assert position.outcome
    assert position.outcome.winner is None


@pytest.mark.parametrize("evaluation", ["positional", "nothing", "playouts"])
def test_small_othello_is_lost_for_black(evaluation):
    game = boyi.game("othello", size=4)
    choice = AlphaBetaPlayer(game, eval=evaluation).choose(game.start(), Limit(nodes=10**7))
    assert choice.exact
    assert choice.value == -1
    assert choice.wdl == (0, 0, 1)


def test_small_othello_agrees_with_minimax_where_players_must_pass():
    game = boyi.game("othello", size=4)
    search = AlphaBeta(game, default_evaluation(game))
    position, passed, checked = game.start(), 0, 0
    todo = [position]
    for _ in range(60):
        position = todo.pop(0)
        todo += [child for action in position.actions if not (child := position.play_action(action)).outcome]
        if len(position.history) < 3:
            continue
        report = last(search, position)
        assert report.exact
        assert report.moves[0].value == minimax(position)
        checked += 1
    assert checked > 30
    walk = game.start()
    while not walk.outcome:
        passed += walk.moves == ("pass",)
        report = last(search, walk)
        assert report.moves[0].value == minimax(walk)
        walk = walk.play_action(report.moves[0].action)
    assert passed > 0


@pytest.mark.parametrize(
    ("moves", "best"),
    [
        ("e5 a1 f5 a3 g5 a5 d5 a7", {"c5", "h5"}),  # four in a row: finish it
        ("e5 a1 f5 b1 g5 c1 i9 d1", {"e1"}),  # one open end: close it
        ("e5 a1 f5 a3 g5 a9", {"d5", "h5"}),  # three open on both sides: make an open four
    ],
)
def test_gomoku_wins_and_blocks(moves, best):
    game = boyi.game("gomoku", size=9)
    position = game.start()
    for move in moves.split():
        position = position.play(move)
    choice = AlphaBetaPlayer(game, depth=4).choose(position)
    assert choice.move in best
    if "e1" not in best:
        assert choice.exact
        assert choice.value == 1


def test_gomoku_takes_the_shortest_win():
    game = boyi.game("gomoku", size=9)
    position = game.position("9/9/9/9/2XXXX3/9/O2O2O2/9/O8 X")
    report = last(AlphaBeta(game, Nothing(), width=0), position, depth=3)
    assert report.depth == 1
    assert len(report.moves[0].line) == 1


def test_connect6_wins_with_both_stones_of_a_turn():
    game = boyi.game("connect6", size=9)
    position = game.position("9/9/9/9/2XXXX3/9/O2OO1O2/9/O8 X 2")
    choice = AlphaBetaPlayer(game, depth=3).choose(position)
    assert choice.exact
    assert choice.value == 1
    first = position.play(choice.move)
    assert first.turn == 0
    second = first.play(choice.lines[0].moves[1])
    assert second.outcome.winner == 0


def test_connect6_blocks_a_four():
    game = boyi.game("connect6", size=9)
    position = game.position("9/9/9/9/1OXXXX3/9/9/9/O5O2 O 2")
    choice = AlphaBetaPlayer(game, depth=4).choose(position)
    other = position.play(choice.move)
    other = other.play(AlphaBetaPlayer(game, depth=3).choose(other).move)
    assert other.turn == 0
    report = last(AlphaBeta(game, default_evaluation(game)), other, depth=2)
    assert report.moves[0].value < 1


def test_a_narrow_search_claims_no_lost_game():
    game = boyi.game("gomoku", size=6)
    search = AlphaBeta(game, Nothing(), width=1)
    position = game.start().play("c3")
    report = last(search, position, depth=12)
    assert not report.exact


@pytest.mark.parametrize("nodes", [0, 1, 7, 1000])
@pytest.mark.parametrize("name", ["othello", "gomoku"])
def test_node_limits_are_kept(name, nodes):
    game = boyi.game(name)
    choice = AlphaBetaPlayer(game).choose(game.start(), Limit(nodes=nodes))
    assert choice.nodes <= nodes
    assert choice.move in game.start().moves
    assert (choice.value is None) == (nodes == 0)


def test_time_limits_and_watching():
    game = boyi.game("othello")
    player = AlphaBetaPlayer(game)
    player.choose(game.start(), Limit(nodes=100))
    choices = list(player.watch(game.start(), Limit(seconds=0.3), every_s=0.05))
    assert len(choices) > 2
    assert choices[-1].seconds < 3
    assert player.choose(game.start(), Limit(seconds=0)).move
    for _ in player.watch(game.start(), Limit(seconds=600), every_s=0.01):
        break


def test_compilation_does_not_use_up_the_time():
    class Other(NamedTuple):
        """An evaluation that no kernel was compiled for."""

    @rule(assess, Other)
    def assess_other(evaluation, rules, state):
        return 0.25

    game = boyi.game("tictactoe")
    report = last(AlphaBeta(game, Other()), game.start(), seconds=0.2)
    assert report.exact


def test_without_time_the_most_promising_move_is_played():
    game = boyi.game("gomoku", size=9)
    assert AlphaBetaPlayer(game).choose(game.start(), Limit(seconds=0)).move == "e5"


def test_the_same_seed_gives_the_same_answer():
    game = boyi.game("othello")
    position = game.start().play("d3")
    first, again = (AlphaBetaPlayer(game, seed=5).choose(position, Limit(nodes=20_000)) for _ in range(2))
    assert (first.move, first.value, first.nodes) == (again.move, again.value, again.nodes)
    assert first.lines == again.lines


def test_slices_do_not_change_the_answer():
    game = boyi.game("othello", size=6)
    position = game.start()
    whole = last(AlphaBeta(game, default_evaluation(game)), position, depth=6)
    sliced = AlphaBeta(game, default_evaluation(game))
    kernel = sliced.advance
    sliced.advance = lambda *args: kernel(*args[:-1], int(args[2].control[2]) + 3)
    parts = last(sliced, position, depth=6)
    assert (parts.nodes, parts.moves) == (whole.nodes, whole.moves)


def test_games_with_chance_are_referred_to_expectimax():
    with pytest.raises(GameError, match="expectimax"):
        AlphaBetaPlayer(boyi.game("einstein"))


def test_finished_games_and_single_moves():
    game = boyi.game("tictactoe")
    player = AlphaBetaPlayer(game)
    with pytest.raises(GameError, match="over"):
        player.choose(game.position("XXX/OO1/3"))
    assert player.choose(game.position("XOX/XOO/OX1")).move == "c1"


@pytest.mark.parametrize("option", ["depth", "nodes", "lines", "seconds", "width"])
def test_bad_options_are_named(option):
    with pytest.raises(GameError, match=option):
        AlphaBetaPlayer(boyi.game("tictactoe"), **{option: -1})
