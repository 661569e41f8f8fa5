"""Static evaluations: numbers by hand, symmetries, names and their errors, and the greedy player."""

import math

import numpy as np
import pytest

import boyi
from boyi.games.errors import GameError
from boyi.games.kernels import kernel
from boyi.players.minimax import GreedyPlayer
from boyi.search.evaluation import assess
from boyi.search.evaluations import default_evaluation, evaluation, evaluations
from boyi.search.evaluations.einstein import Huang, huang_sum

NAMES = ["einstein", "othello", "gomoku", "connect6", "tictactoe"]
pytestmark = pytest.mark.usefixtures("usual_tables")
EVERY = [(name, found) for name in NAMES for found in evaluations(boyi.game(name))]


@kernel
def value_of(chosen, rules, state):
    return assess(chosen, rules, state)


def value(position, name=""):
    return value_of(evaluation(position.game, name), position.game.rules, position.state)


def random_positions(game, seed, plies):
    rng = np.random.default_rng(seed)
    position = game.start(seed=seed)
    while not position.outcome and plies:
        yield position
        position = position.play_action(int(rng.choice(position.actions)))
        plies -= 1


@pytest.mark.parametrize(("name", "chosen"), EVERY)
def test_values_lie_between_a_loss_and_a_win_and_repeat(name, chosen):
    for position in random_positions(boyi.game(name), 1, 40):
        found = value(position, chosen)
        assert -1 <= found <= 1
        assert found == value(position, chosen)


def test_huang_by_hand():
    """Red 1 on square 13 and 6 on 7, Blue 2 on 19 (thesis numbering), each side's survivors counted for every roll."""
    state = boyi.game("einstein").start(setup="13 0 0 0 0 7 / 0 19 0 0 0 0", first="red").state
    # stone 1: edge 1, movable on 1..5 = 5/6, 4 - 2, board 6; stone 6: edge 1, on 2..6 = 5/6, 4 - 3, board 4
    assert huang_sum(Huang(), state, 0) == pytest.approx((1 + 5 / 6 + 2 + 6) + (1 + 5 / 6 + 1 + 4))
    # Blue's only stone moves on every roll; from 19 it is 3 moves to the corner
    assert huang_sum(Huang(), state, 1) == pytest.approx(0 + 1 + 1 + 4)
    assert huang_sum(Huang(edge=0.0), state, 0) == pytest.approx(2 * 5 / 6 + 3 + 10)
    position = boyi.game("einstein").start(setup="13 0 0 0 0 7 / 0 19 0 0 0 0", first="red")
    assert value(position, "huang") == pytest.approx(math.tanh((15 + 5 / 3 - 6) / 20))


def turned(position):
    """An EinStein position with the board turned and the colours and the mover changed."""
    state = position.state
    squares = [int(square) for square in state[25:37]]
    sides = [" ".join(str(25 - s) if s >= 0 else "0" for s in squares[a : a + 6]) for a in (6, 0)]
    start = position.game.start(setup=" / ".join(sides), first=["blue", "red"][state[39]])
    return start.play(str(state[40])) if state[40] else start


@pytest.mark.parametrize("chosen", ["race", "huang", "huang/edge=0", "neighbours", "neighbours/kind=3"])
def test_einstein_turned_with_colours_exchanged_has_the_opposite_value(chosen):
    for position in random_positions(boyi.game("einstein"), 4, 30):
        assert value(turned(position), chosen) == pytest.approx(-value(position, chosen), abs=1e-12)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_othello_with_colours_exchanged_has_the_opposite_value(size):
    game = boyi.game("othello", size=size)
    for position in random_positions(game, 3, 30):
        board, side = position.key.split()[:2]
        swapped = game.position(board.translate(str.maketrans("XO", "OX")) + " " + "XO"["OX".index(side)])
        assert value(swapped) == pytest.approx(-value(position), abs=1e-12)


@pytest.mark.parametrize("name", NAMES[1:])
def test_board_symmetries_leave_the_value_alone(name):
    game = boyi.game(name)
    for position in random_positions(game, 6, 12):
        for symmetry in game.symmetries:
            moved = game.transform(position.state, symmetry)
            found = value_of(default_evaluation(game), game.rules, moved)
            assert found == pytest.approx(value(position), abs=1e-12)


def test_corners_and_beside_them():
    game = boyi.game("othello")
    quiet = game.position("-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X")
    corner = game.position("X" + "-" * 26 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X")
    beside = game.position("-" * 9 + "X" + "-" * 17 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X")
    assert value(beside) < value(quiet) < value(corner)


def test_line_windows_see_who_moves():
    game = boyi.game("gomoku", size=9)
    four = "9/9/9/9/2XXXX3/9/O2O2O2/9/O8"
    assert value(game.position(four + " X")) == pytest.approx(0.98)
    assert value(game.position(four + " O")) == pytest.approx(0.95)


@pytest.mark.parametrize(("name", "chosen"), EVERY)
def test_greedy_plays_every_evaluation(name, chosen):
    game = boyi.game(name)
    position = next(p for p in random_positions(game, 2, 9) if p.turn in (0, 1))
    choice = GreedyPlayer(game, eval=chosen, seed=1).choose(position)
    values = [line.value for line in choice.lines]
    assert values == sorted(values, reverse=position.turn == 0)
    assert len(values) == len(position.moves)
    assert choice.move == choice.lines[0].move


def test_greedy_breaks_ties_by_its_seed():
    game = boyi.game("tictactoe")
    moves = {GreedyPlayer(game, eval="nothing", seed=seed).choose(game.start()).move for seed in range(20)}
    assert len(moves) > 3
    assert GreedyPlayer(game, seed=1).choose(game.start()).move == "b2"


def test_greedy_wins_at_once():
    game = boyi.game("tictactoe")
    assert GreedyPlayer(game, eval="nothing").choose(game.position("XX1/OO1/3")).move == "c3"


@pytest.mark.parametrize(
    ("text", "said"),
    [("huge", "race, huang"), ("huang/middle=1", "edge=1.0"), ("huang/edge=x", "number"), ("huang/edge", "edge=1.0")],
)
def test_unknown_evaluations_name_the_known_ones(text, said):
    with pytest.raises(GameError, match=said):
        evaluation(boyi.game("einstein"), text)


@pytest.mark.parametrize("method", ["1", "2", "3", "4"])
def test_simulation_methods_inside_minimax(method):
    game = boyi.game("einstein")
    position = game.start(setup="19 1 0 0 0 0 / 25 0 0 0 0 15").play("1")
    choice = boyi.player(f"expectimax:eval=playouts/policy={method}/count=4,depth=1", game).choose(position)
    assert (choice.move, choice.value) == ("d2-e1", 1.0)
    quiet = game.start(seed=3).play("2")
    again = [boyi.player(f"expectimax:eval=playouts/policy={method},depth=1", game).choose(quiet) for _ in range(2)]
    assert again[0].value == again[1].value
    assert -1 < again[0].value < 1


def test_policies_of_playouts_differ_as_evaluations():
    position = boyi.game("einstein").start(setup="19 1 0 0 0 0 / 25 0 0 0 0 15").play("1")
    found = {p: value(position, f"playouts/count=2000/policy={p}") for p in ("2", "uniform", "alert", "shy", "scored")}
    assert found["2"] == pytest.approx(found["uniform"], abs=0.06)
    assert found["alert"] == found["scored"] == 1.0  # both enter the corner at once
    assert found["shy"] < found["uniform"] < 1.0


def test_unknown_policies_of_playouts_are_named():
    with pytest.raises(GameError, match="no playouts '9'"):
        evaluation(boyi.game("einstein"), "playouts/policy=9")
    with pytest.raises(GameError, match="count=8, seed=0, policy=uniform"):
        evaluation(boyi.game("othello"), "playouts/num_core=3")


def test_users_games_get_playouts():
    game = boyi.game("examples/connect_four.py")
    assert list(evaluations(game)) == ["playouts", "nothing"]
    assert GreedyPlayer(game, seed=1).choose(game.start()).move in "abcdefg"
