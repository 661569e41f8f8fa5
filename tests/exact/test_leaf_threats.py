"""Forced wins at the leaves of a tree: what is said to be known is true, and the tree uses it."""

import numpy as np
import pytest
from test_threats import CONNECT6, FREESTYLE, RENJU, STANDARD, place, random_positions

import boyi
from boyi.exact.leaf_threats import with_threats
from boyi.exact.threats import find_win
from boyi.games.kernels import kernel
from boyi.search.evaluation import known
from boyi.search.playouts import Uniform


@kernel
def ask(source, rules, state):
    return known(source, rules, state)


@pytest.mark.parametrize(
    "game", [FREESTYLE, STANDARD, RENJU, CONNECT6], ids=["freestyle", "standard", "renju", "connect6"]
)
def test_what_is_known_is_true(game):
    source = with_threats(game, Uniform())
    wins = losses = 0
    for position in random_positions(game, 150, seed=3):
        value = ask(source, game.rules, position.state)
        assert source.board.cells.tolist() == position.state[: game.num_squares].tolist()
        if np.isnan(value):
            continue
        if value == 1 - 2 * position.turn:
            wins += 1
            assert find_win(position, nodes=50_000) is not None
        else:
            losses += 1
            for action in position.actions:
                after = position.play_action(action)
                assert after.outcome is None
                if after.turn != position.turn:
                    assert find_win(after, nodes=50_000) is not None
    assert wins >= 10
    assert losses >= 1


@pytest.mark.parametrize("game", [FREESTYLE, CONNECT6], ids=["gomoku", "connect6"])
def test_the_tree_proves_what_playouts_only_guess(game):
    """One move before a forced win of the opponent, all moves but the right ones are known to lose."""
    if game is FREESTYLE:
        position = place(game, "h8 i8 j8 a1", "g7 a15 o1 o15", "O")
        right = {"g8", "k8", "f8", "l8"}
    else:
        position = place(game, "g10 h10 i10 j10 a1", "a19 s1 s19", "O", " 1")
        right = set()
    choice = boyi.player("mcts:sims=3000,exact=yes", game).choose(position)
    if right:
        assert choice.move in right
    proven = [line for line in choice.lines if line.exact]
    assert len(proven) > 50
    assert {line.value for line in proven} == {1.0}, "for Black"
