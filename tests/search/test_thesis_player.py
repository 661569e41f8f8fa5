"""The narrow tree of document 000: its weights, its leaves, and the player that lets Monte Carlo judge them."""

import numpy as np
import pytest

import boyi
from boyi.games.einstein import DIE, MOVABLE, RESULT
from boyi.games.errors import GameError
from boyi.games.generics import RUNNING
from boyi.players import Limit
from boyi.players.montecarlo import FlatPlayer
from boyi.players.thesis import ThesisPlayer
from boyi.search.evaluations import evaluation
from boyi.search.thesis import ROLLS, expand, static_policy

GAME = boyi.game("einstein")
POLICY = static_policy(GAME.rules, evaluation(GAME, ""), GAME.num_actions)
START = GAME.start().play("3")
MIDDLE = GAME.start(setup="7 0 0 13 0 9 / 19 0 0 17 0 14", first="red").play("3")
"""Red's 1, 4 and 6 against the same of Blue; the roll lets Red choose between 1 and 4."""


def bits(stones):
    return sum(1 << stone - 1 for stone in stones)


@pytest.mark.parametrize(
    ("stones", "weights"),
    [
        ((1, 2, 3, 4, 5, 6), (1, 1, 1, 1, 1, 1)),
        ((1, 3, 4, 6), (2, 0, 2, 2, 0, 2)),
        ((1, 4, 6), (3, 0, 0, 4, 0, 2)),
    ],
)
def test_weights_are_those_of_tables_4_6_1_to_4_6_3(stones, weights):
    found = ROLLS["stones"]
    row = found.weights[bits(stones)]
    assert row == pytest.approx(np.array(weights) / sum(weights))
    assert [die + 1 for die in found.dice[bits(stones)] if die >= 0] == list(stones)


@pytest.mark.parametrize("alive", range(1, 64))
def test_weights_by_dice_are_the_chances_of_each_set_of_movable_stones(alive):
    dice, weights = (table[alive] for table in ROLLS["dice"])
    expected = {}
    for pair in MOVABLE[alive].tolist():
        expected[tuple(pair)] = expected.get(tuple(pair), 0) + 1 / 6
    found = {tuple(MOVABLE[alive, die].tolist()): weights[column] for column, die in enumerate(dice) if die >= 0}
    assert found == pytest.approx(expected)
    assert ROLLS["stones"].weights[alive].sum() == pytest.approx(1)


@pytest.mark.parametrize("weights", ["stones", "dice"])
@pytest.mark.parametrize("position", [START, MIDDLE], ids=["start", "middle"])
@pytest.mark.parametrize("depth", [0, 1, 3])
def test_the_leaves_under_a_move_share_its_weight(position, depth, weights):
    actions = list(position.actions)
    leaves = expand(GAME.rules, position.state, actions, depth, ROLLS[weights], POLICY)
    assert np.bincount(leaves.moves, leaves.weights) == pytest.approx(np.ones(len(actions)))
    assert not leaves.states[:, DIE].any()
    assert leaves.values(np.zeros(len(leaves.moves), np.int64), 0).shape == (len(actions),)


def test_below_the_first_ply_each_stone_makes_the_move_that_the_policy_likes_best():
    leaves = expand(GAME.rules, START.state, list(START.actions), 1, ROLLS["stones"], POLICY)
    greedy = boyi.player("greedy", GAME)
    expected = []
    for move in START.moves:
        after = START.play(move)
        for roll in after.moves:
            rolled = after.play(roll)
            values = {line.move: line.value for line in greedy.choose(rolled).lines}
            best = min(values.values())  # Blue moves
            expected.append(next(rolled.play(text).key for text in rolled.moves if values[text] == best))
    assert [boyi.games.position.Position(GAME, state).key for state in leaves.states] == expected


def test_one_ply_below_a_move_can_be_counted_by_hand():
    """Blue's 1 stands before its goal and its 6 far away: with no other stone, rolls of 1 to 5 may move the 1."""
    position = GAME.start(setup="21 0 0 0 0 0 / 7 0 0 0 0 15", first="red").play("1")
    for weights, lost in (("stones", 5 / 10), ("dice", 5 / 6)):
        leaves = expand(GAME.rules, position.state, list(position.actions), 1, ROLLS[weights], POLICY)
        over = leaves.states[:, RESULT] != RUNNING
        assert leaves.values(np.zeros(len(over), np.int64), 0) == pytest.approx([-lost])
        assert set(leaves.states[over, RESULT].tolist()) == {-1}


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize(
    ("setup", "first", "roll", "win"),
    [
        ("19 2 3 0 0 0 / 25 24 0 15 0 0", "red", "1", "d2-e1"),
        ("1 2 3 0 0 0 / 7 24 0 15 0 0", "blue", "1", "b4-a5"),
    ],
)
def test_takes_a_win_in_one(setup, first, roll, win, depth):
    position = GAME.start(setup=setup, first=first).play(roll)
    choice = ThesisPlayer(GAME, depth=depth, sims=200).choose(position)
    assert choice.move == win
    assert choice.value == (1 if first == "red" else -1)


@pytest.mark.parametrize("position", [START, MIDDLE], ids=["start", "middle"])
def test_without_plies_below_the_first_it_is_flat_monte_carlo(position):
    """Two estimates from 10,000 playouts or more of each move: 0.08 is more than five standard errors."""
    thesis, flat = ThesisPlayer(GAME, depth=0, seed=1), FlatPlayer(GAME, seed=2)
    values = [
        {line.move: line.value for line in player.choose(position, Limit(simulations=60_000)).lines}
        for player in (thesis, flat)
    ]
    assert values[0] == pytest.approx(values[1], abs=0.08)


@pytest.mark.parametrize("weights", ["stones", "dice"])
@pytest.mark.parametrize("playout", ["uniform", "4", "scored"])
def test_values_are_results_and_the_first_line_is_played(weights, playout):
    for position, sign in ((START, 1), (MIDDLE, 1), (MIDDLE.play(MIDDLE.moves[0]).play("2"), -1)):
        choice = ThesisPlayer(GAME, weights=weights, playout=playout).choose(position)
        values = [sign * line.value for line in choice.lines]
        assert values == sorted(values, reverse=True)
        assert all(-1 <= value <= 1 for value in values)
        assert choice.move == choice.lines[0].move
        assert choice.value == choice.lines[0].value
        assert sorted(line.move for line in choice.lines) == sorted(position.moves)


def test_the_same_seed_gives_the_same_thoughts():
    def thoughts(seed):
        player = ThesisPlayer(GAME, seed=seed)
        return [player.choose(position).lines for position in (START, MIDDLE)]

    assert thoughts(5) == thoughts(5)
    assert thoughts(5) != thoughts(6)


def test_limits_are_kept():
    player = ThesisPlayer(GAME, depth=1)
    leaves = expand(GAME.rules, START.state, list(START.actions), 1, ROLLS["stones"], POLICY)
    size = len(leaves.running)
    assert player.choose(START, Limit(simulations=10 * size + 1)).simulations == 10 * size
    assert player.choose(START, Limit(simulations=1)).simulations == size, "one playout at every leaf at least"
    assert player.choose(START, Limit(simulations=0)).value is None
    assert player.choose(START, Limit(seconds=0.05)).seconds < 3


@pytest.mark.parametrize("name", ["othello", "tictactoe", "gomoku"])
def test_other_games_have_no_such_player(name):
    with pytest.raises(GameError, match="einstein only"):
        ThesisPlayer(boyi.game(name))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": -1}, "depth"),
        ({"depth": 7}, "depth"),
        ({"sims": -1}, "sims"),
        ({"weights": "coins"}, "stones, dice"),
        ({"eval": "positional"}, "no evaluation"),
        ({"playout": "5"}, "no playouts"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(GameError, match=message):
        ThesisPlayer(GAME, **options)
