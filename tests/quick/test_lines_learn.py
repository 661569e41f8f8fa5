"""Learning line tables: games that follow the rules, losses that fall, runs that go on, files that are whole."""

from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from safetensors.numpy import load_file

import boyi
from boyi.games.errors import GameError
from boyi.games.randomness import generator
from boyi.models.cards import BadModel
from boyi.quick.learner import Plan
from boyi.quick.library import engine, shipped
from boyi.quick.lines_board import index_of, line_classes, make_board
from boyi.quick.lines_engine import LinesEngine, hand_tables
from boyi.quick.lines_learn import UNSEARCHED, Steps, blank_games, fit_games, play_games
from boyi.quick.lines_learner import KEEP, MOST_KEPT, POOR, WINDOW, LinesConfig, LinesLearner, kept_of
from boyi.quick.lines_memory import make_memory
from boyi.quick.lines_tables import packed, unpacked
from boyi.quick.lines_weights import (
    Weights,
    blank_weights,
    board_tables,
    canonical,
    first_weights,
    hand_weights,
    row_places,
)
from boyi.quick.store import load, save
from boyi.train.quick import quick_config, train_quick
from boyi.train.quick_display import QuickDisplay


@pytest.mark.parametrize("name", ["gomoku:size=9", "gomoku:variant=renju", "connect6"])
def test_games_follow_the_rules(name: str) -> None:
    game = boyi.game(name)
    board = make_board(game.rules, board_tables(game.rules, hand_weights(game.rules)))
    games = blank_games(6)
    play_games(board, make_memory(), generator(4), 60, games)
    for points, scores, length, result in zip(*games, strict=True):
        position = game.start()
        for point in points[:length].tolist():
            assert position.outcome is None
            position = position.play_action(int(index_of(board, point)))
        assert (scores[:length] != UNSEARCHED).any()
        if position.outcome is not None:
            winner = position.outcome.winner
            assert result == (0 if winner is None else 1 - 2 * winner)
    assert (games.results != 0).any()


@pytest.mark.parametrize("name", ["gomoku:size=9", "gomoku:variant=renju,size=9"])
def test_a_step_goes_down_the_slope_of_the_loss(name: str) -> None:
    """With a tiny rate and equal squares a step is the gradient; the loss must fall by as much as that says."""
    game = boyi.game(name)
    classes = line_classes(game.rules)
    rng = np.random.default_rng(5)
    board = make_board(game.rules, board_tables(game.rules, hand_weights(game.rules)))
    games = blank_games(1)
    play_games(board, make_memory(), generator(1), 60, games)
    weights = first_weights(game.rules, 3)
    for rows in (weights.row[:, 1:], weights.row_pair, weights.value, weights.value_pair):
        rows += rng.normal(0, 0.05, rows.shape)
    stones = int(np.flatnonzero(games.scores[0] != UNSEARCHED)[0])

    def fit(rate: float) -> float:
        squares = Weights(*(np.full_like(table, 1e6) for table in weights))
        steps = Steps(weights, squares, np.zeros(5), rate, 0.0, 0.0)
        places = row_places(classes)
        fit_games(board, games, np.zeros(1, np.int64), steps, canonical(classes), classes.swap, places, stones, 1000)
        assert steps.counts[0] == 1, "one position, and no others"
        return float(steps.counts[1])

    before = fit(0.0)
    old = {name: table.copy() for name, table in weights._asdict().items()}
    fit(0.1)
    moved = {name: table - old[name] for name, table in weights._asdict().items() if "policy" not in name}
    assert all(np.abs(change).max() > 0 for change in moved.values()), "every table takes part"
    expected = sum(float((change.astype(np.float64) ** 2).sum()) for change in moved.values()) * 1000 / 0.1
    assert before - fit(0.0) == pytest.approx(expected, rel=0.05)


def test_a_learner_learns_and_goes_on() -> None:
    game = boyi.game("gomoku", size=9)
    quick = LinesConfig(nodes=60, generation_s=0.0)
    learner = LinesLearner(game, Plan(1.0), quick)
    first = learner.generation(1, 0.0, lambda *_: None)
    assert first["unseen_value_loss"] == pytest.approx(np.log(2), abs=0.05)
    assert first["loss"] == first["value_loss"] < 0.67
    assert first["policy_loss"] < first["unseen_policy_loss"] - 0.3
    state = {name: array.copy() for name, array in learner.state().items()}
    samples = [learner.samples()]
    learner.generation(2, 1.0, lambda *_: None)
    other = LinesLearner(game, Plan(1.0), quick)
    other.restore(state, samples)
    other.generation(2, 1.0, lambda *_: None)
    for name, array in learner.arrays().items():
        assert np.array_equal(array, other.arrays()[name])


def test_the_window_holds_enough_games() -> None:
    many, few = blank_games(WINDOW // 3), blank_games(WINDOW // 10)
    assert [kept_of([many] * (past + 1), past) for past in range(6)] == list(KEEP)
    assert kept_of([many] * 7, 6) == 4
    assert kept_of([few] * 7, 6) == 7 - POOR, "those of the first ones are too poor"
    assert kept_of([many] * 3 + [few] * 9, 11) == 10
    assert kept_of([few] * MOST_KEPT, 40) == 10
    assert kept_of([blank_games(1)] * MOST_KEPT, 40) > MOST_KEPT, "all there are"


def test_the_net_begins_anew_after_the_first_generations() -> None:
    game = boyi.game("gomoku", size=9)
    learner = LinesLearner(game, Plan(1.0), LinesConfig(nodes=20, generation_s=0.0))
    for number in range(1, len(KEEP) + 1):
        learner.generation(number, 0.0, lambda *_: None)
    learner.weights.value[:] = 5.0
    learner.generation(len(KEEP) + 1, 0.0, lambda *_: None)
    assert np.abs(learner.weights.value).max() < 1
    learner.weights.value[:] = 5.0
    squares = learner.squares.value.copy()
    learner.generation(len(KEEP) + 2, 0.0, lambda *_: None)
    assert np.abs(learner.weights.value).max() > 4
    assert (learner.squares.value >= squares).all(), "and goes on from there"


def test_a_run_of_the_one_loop(tmp_path: Path) -> None:
    config = quick_config("gomoku:size=9", None, ["minutes=0.02", "measure_games=0", "generations=2"])
    rows = train_quick(config, tmp_path, report=QuickDisplay(Console(quiet=True), config, tmp_path))
    assert [row["generation"] for row in rows] == [0, 1, 2][: len(rows)]
    game = boyi.game("gomoku", size=9)
    stem = tmp_path / "checkpoints" / f"{rows[-1]['generation']:06}" / "model"
    assert boyi.player(f"quick:model={stem},nodes=50", game).choose(game.start()).move


@pytest.mark.parametrize("name", ["gomoku", "gomoku:variant=renju", "connect6"])
def test_tables_come_back_from_their_files(name: str, tmp_path: Path) -> None:
    game = boyi.game(name)
    rng = np.random.default_rng(1)
    weights = Weights(*(rng.normal(0, 1, table.shape).astype(np.float32) for table in blank_weights(game.rules)))
    save(tmp_path / "some", game, "lines", packed(game, weights), training={"minutes": 1})
    card, arrays = load(tmp_path / "some", game)
    assert card.training == {"minutes": 1}
    for one, other in zip(
        board_tables(game.rules, weights), board_tables(game.rules, unpacked(game, arrays)), strict=True
    ):
        assert np.array_equal(one, other)
    assert set(load_file(tmp_path / "some.safetensors")) == set(Weights._fields), "a safetensors file for others too"
    load(tmp_path / "some", boyi.game(game.name, **{**game.options(), "size": 12}), free=("size",))


def test_wrong_tables_are_refused(tmp_path: Path) -> None:
    game = boyi.game("gomoku")
    arrays = hand_tables(game)
    save(tmp_path / "some", game, "lines", arrays)
    with pytest.raises(GameError, match="not for connect6"):
        engine(boyi.game("connect6"), tmp_path / "some")
    with pytest.raises(GameError, match="variant"):
        engine(boyi.game("gomoku", variant="renju"), tmp_path / "some")
    with pytest.raises(BadModel, match="no line tables"):
        LinesEngine(boyi.game("gomoku", variant="renju"), arrays)
    with pytest.raises(BadModel, match="missing"):
        LinesEngine(game, {})


def test_shipped_tables_are_whole() -> None:
    for name in ("gomoku", "gomoku:size=9", "gomoku:variant=standard", "gomoku:variant=renju", "connect6"):
        game = boyi.game(name)
        assert shipped(game).name.startswith(f"lines-{game.name}")
        _, arrays = load(shipped(game), game, ("lines",), ("size",))
        assert all(np.abs(table).max() > 0 for table in unpacked(game, arrays))
