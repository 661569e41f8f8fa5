"""`exact=yes`: searching players that look up, solve or see a forced win before they search."""

import itertools

import pytest

import boyi
from boyi.games.errors import GameError

ENDGAME = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOXXXOOOOOXX-OOO-- X"


@pytest.mark.parametrize("kind", ["alphabeta", "mcts:sims=50"])
def test_othello_endgames_are_solved(kind):
    game = boyi.game("othello")
    position = game.position(ENDGAME)
    choice = boyi.player(f"{kind}{',' if ':' in kind else ':'}exact=yes", game).choose(position)
    solution = boyi.solve(position)
    assert choice.exact
    assert (choice.value, choice.score) == (solution.value, solution.score)
    assert boyi.solve(position.play(choice.move)).score == solution.score


@pytest.mark.parametrize(("name", "key"), [("gomoku", "15/15/15/15/15/15/15/7XXX5/7OO6/15/15/15/15/15/15 X")])
def test_forced_wins_are_played(name, key):
    game = boyi.game(name)
    choice = boyi.player("mcts:sims=10,exact=yes", game).choose(game.position(key))
    assert choice.exact
    assert choice.value == 1.0
    assert choice.move in ("g8", "k8")


@pytest.mark.parametrize("kind", ["expectimax:depth=1,exact=yes", "mcts:sims=200,exact=yes"])
def test_einstein_plays_as_the_table_says(kind, usual_tables):
    game = boyi.game("einstein")
    player = boyi.player(kind, game)
    for key in ("19 13 0 0 0 0 / 18 0 0 0 0 7 red 1", "0 8 0 0 13 0 / 0 20 0 0 0 14 blue 6"):
        position = game.position(key)
        assert player.choose(position).value == pytest.approx(boyi.solve(position).value)


def test_the_tree_takes_the_tables_word(usual_tables):
    """One capture above the table every leaf is exact, so that a few simulations prove the value."""
    game = boyi.game("einstein")
    position = game.position("19 13 0 0 0 0 / 18 0 14 0 0 7 red 1")
    choice = boyi.player("mcts:sims=4000,exact=yes", game).choose(position)
    assert choice.value == pytest.approx(boyi.solve(position, nodes=2_000_000).value, abs=0.02)


def test_quiet_positions_are_searched():
    game = boyi.game("gomoku", size=9)
    choice = boyi.player("mcts:sims=50,exact=yes", game).choose(game.start())
    assert not choice.exact
    assert choice.simulations == 50


@pytest.mark.parametrize("name", ["othello", "gomoku:size=9"])
def test_without_a_clock_the_answer_is_always_the_same(name, monkeypatch):
    """Also on a computer whose clock jumps."""
    game = boyi.game(name)
    position = game.start()
    for number in range(46 if name == "othello" else 9):
        position = position.play(position.moves[(7 * number) % len(position.moves)])
    first = boyi.player("mcts:sims=100,exact=yes", game, seed=3).choose(position)
    ticks = itertools.count(0, 1000)
    monkeypatch.setattr("time.perf_counter", lambda: float(next(ticks)))
    again = boyi.player("mcts:sims=100,exact=yes", game, seed=3).choose(position)
    assert (first.move, first.value, first.exact) == (again.move, again.value, again.exact)


def test_bad_values():
    with pytest.raises(GameError, match="exact='maybe'"):
        boyi.player("mcts:exact=maybe", boyi.game("gomoku"))
