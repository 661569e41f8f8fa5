"""Expectimax against exact rationals (formats, section 1.6), and with and without pruning."""

import pytest

import boyi
from boyi.games.errors import GameError
from boyi.players import Limit
from boyi.players.minimax import ExpectimaxPlayer
from boyi.search.evaluations import default_evaluation
from boyi.search.expectimax import Expectimax

GAME = boyi.game("einstein")


def search(position, *, depth=0, **options):
    made = Expectimax(GAME, default_evaluation(GAME), **options)
    return list(made.search(position, depth=depth))[-1]


def win_rate(position, **options):
    """Red's chances before the roll, and the nodes it took."""
    reports = {roll: search(position.play(roll), **options) for roll in position.moves}
    assert all(report.exact for report in reports.values())
    total = sum(position.chances[roll] * report.moves[0].value for roll, report in reports.items())
    return (total + 1) / 2, sum(report.nodes for report in reports.values())


@pytest.mark.parametrize(
    ("setup", "expected"),
    [("7 0 0 0 0 13 / 19 0 0 0 0 14", 137 / 162), ("13 0 8 0 0 0 / 19 0 18 0 0 0", 355307 / 419904)],
)
def test_endgames_have_their_exact_values(setup, expected):
    position = GAME.start(setup=setup, first="red")
    found, _ = win_rate(position)
    assert found == pytest.approx(expected, abs=1e-9)


def test_pruning_saves_nodes_and_nothing_else():
    position = GAME.start(setup="13 0 8 0 0 0 / 19 0 18 0 0 0", first="red")
    pruned, fewer = win_rate(position)
    plain, more = win_rate(position, prune=False)
    assert pruned == pytest.approx(plain, abs=1e-12)
    assert fewer < more / 2


@pytest.mark.parametrize(
    ("roll", "values"),
    [("1", {"b4-b3": 2 / 27, "b4-c4": 11 / 1296, "b4-c3": 0}), ("6", {"c3-d2": 1, "c3-c2": 350 / 2187, "c3-d3": 0})],
)
def test_every_move_of_a_roll_has_its_exact_value(roll, values):
    position = GAME.start(setup="7 0 0 0 0 13 / 19 0 0 0 0 14", first="red").play(roll)
    choice = ExpectimaxPlayer(GAME, lines=0).choose(position, Limit(nodes=10**7))
    assert choice.exact
    assert {line.move: (line.value + 1) / 2 for line in choice.lines} == pytest.approx(values, abs=1e-9)
    assert choice.move == max(values, key=values.get)


def test_the_other_side_sees_the_turned_board_with_opposite_values():
    red = GAME.start(setup="7 0 0 0 0 13 / 19 0 0 0 0 14", first="red").play("1")
    blue = GAME.start(setup="7 0 0 0 0 12 / 19 0 0 0 0 13", first="blue").play("1")
    first, second = search(red), search(blue)
    assert first.moves[0].value == pytest.approx(-second.moves[0].value, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lines", [0, 1])
def test_pruned_and_plain_searches_agree_at_a_fixed_depth(seed, lines):
    position = GAME.start(seed=seed).play(str(1 + seed))
    for _ in range(seed):
        position = position.play(position.moves[-1]).play("3")
    pruned = search(position, depth=3, lines=lines, table_mb=0, seed=seed)
    plain = search(position, depth=3, lines=0, table_mb=0, prune=False)
    assert pruned.moves[0].value == pytest.approx(plain.moves[0].value, abs=1e-12)
    exact = {move.action: move.value for move in plain.moves}
    sign = 1 if position.turn == 0 else -1
    for move in pruned.moves:
        assert -1 <= move.value <= 1
        if move.known:
            assert move.value == pytest.approx(exact[move.action], abs=1e-12)
        else:
            assert sign * move.value >= sign * exact[move.action] - 1e-12
    if lines == 1:  # with a true value wanted for every move, three plies leave little to prune
        assert pruned.nodes < plain.nodes


def test_games_without_chance_are_solved_too():
    game = boyi.game("tictactoe")
    choice = ExpectimaxPlayer(game).choose(game.start(), Limit(nodes=10**6))
    assert choice.exact
    assert choice.value == 0
    assert choice.wdl == (0, 1, 0)


def test_a_win_at_hand_is_taken():
    position = GAME.start(setup="19 0 0 0 0 1 / 25 24 0 0 0 5", first="red").play("1")
    choice = ExpectimaxPlayer(GAME, depth=2).choose(position)
    assert choice.move == "d2-e1"
    assert choice.value == 1
    assert choice.exact


@pytest.mark.parametrize("nodes", [0, 1, 50, 5000])
def test_node_limits_are_kept(nodes):
    position = GAME.start(seed=1).play("4")
    choice = ExpectimaxPlayer(GAME).choose(position, Limit(nodes=nodes))
    assert choice.nodes <= nodes
    assert choice.move in position.moves


def test_the_same_seed_gives_the_same_answer():
    position = GAME.start(seed=2).play("2")
    first, again = (ExpectimaxPlayer(GAME, seed=3).choose(position, Limit(simulations=20_000)) for _ in range(2))
    assert (first.move, first.lines, first.nodes) == (again.move, again.lines, again.nodes)


def test_chance_decisions_are_refused():
    with pytest.raises(GameError, match="chance decides"):
        ExpectimaxPlayer(GAME).choose(GAME.start())
