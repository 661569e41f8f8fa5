"""The net for any game: its tuples, and that it learns to play a user's game too."""

from pathlib import Path

import numpy as np
import pytest

import boyi
from boyi.games.game import Game
from boyi.games.registry import game as find_game
from boyi.quick.learner import Plan
from boyi.quick.library import kind_of
from boyi.quick.tuples import _kinds, assess_by_tuples, shape_of, symbol_planes, tuple_net
from boyi.quick.tuples_engine import TuplesEngine
from boyi.quick.tuples_learner import TuplesLearner

CONNECT_FOUR = str(Path(__file__).resolve().parents[2] / "examples" / "connect_four.py")
TICTACTOE = boyi.game("tictactoe")


def test_symbols_are_found_in_the_planes() -> None:
    assert symbol_planes(TICTACTOE) == [0, 1]
    assert symbol_planes(boyi.game("othello", size=6)) == [0, 1]
    assert symbol_planes(boyi.game("einstein")) == list(range(12))


def test_tuples_are_lines_boxes_and_squares() -> None:
    lines, box, squares = _kinds(3, 3, 9)
    assert len(lines) == 8
    assert box == [tuple(range(9))]
    assert squares == [(square,) for square in range(9)]
    assert all(len(line) <= 4 for line in _kinds(6, 7, 4)[0])


@pytest.mark.parametrize("name", ["tictactoe", "othello:size=6", CONNECT_FOUR])
def test_symmetric_positions_have_one_value(name: str) -> None:
    game = find_game(name)
    shape = shape_of(game)
    random = np.random.default_rng(0)
    net = tuple_net(game, {"weights": random.normal(0, 0.1, (2, shape.stride)).astype(np.float32)})
    for seed in range(5):
        position = game.start()
        for _ in range(3 + seed):
            position = position.play_action(int(random.choice(position.actions)))
        images = [game.transform(position.state, symmetry) for symmetry in game.symmetries]
        values = [assess_by_tuples(net, game.rules, image) for image in images]
        assert values == pytest.approx([values[0]] * len(values), abs=1e-5)
        assert -1 < values[0] < 1


def test_images_share_a_table() -> None:
    shape = shape_of(find_game(CONNECT_FOUR))
    assert len(set(shape.offsets.tolist())) < 0.6 * len(shape.offsets)


def test_dice_are_averaged() -> None:
    game = boyi.game("einstein")
    random = np.random.default_rng(0)
    weights = random.normal(0, 0.2, (2, shape_of(game).stride)).astype(np.float32)
    net = tuple_net(game, {"weights": weights})
    position = game.start(seed=3)
    rolled = [assess_by_tuples(net, game.rules, position.play(die).state) for die in position.moves]
    assert assess_by_tuples(net, game.rules, position.state) == pytest.approx(np.mean(rolled))


def trained(game: Game, minutes: float) -> TuplesLearner:
    learner = TuplesLearner(game, Plan(minutes, seed=1))
    for number in range(1, 11):
        learner.generation(number, 6 * minutes * (number - 1), lambda *_: None)
    return learner


def test_tictactoe_is_learnt_perfectly() -> None:
    """After a few seconds the net's own first choice, without search, loses to no line of play."""
    learner = trained(TICTACTOE, 0.05)
    engine = TuplesEngine(TICTACTOE, learner.arrays(), table_mb=1)
    for seat in (0, 1):
        todo = [TICTACTOE.start()]
        while todo:
            position = todo.pop()
            if position.outcome:
                assert position.outcome.winner != 1 - seat
            elif position.turn == seat:
                report = list(engine.search(position, depth=1))[-1]
                todo.append(position.play_action(report.promising if not report.moves else report.moves[0].action))
            else:
                todo += [position.play(move) for move in position.moves]


def test_every_game_has_a_kind() -> None:
    kinds = {name: kind_of(boyi.game(name)).name for name in ("tictactoe", "othello", "einstein")}
    assert kinds == {"tictactoe": "tuples", "othello": "othello-patterns", "einstein": "einstein-stones"}
    assert kind_of(boyi.game("othello", size=4)).name == "tuples"
    assert kind_of(find_game(CONNECT_FOUR)).name == "tuples"
