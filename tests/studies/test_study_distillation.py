"""The study of quick and deep nets as teachers: what a deep net's games teach each kind, and its quick version."""

import json
from pathlib import Path

import numpy as np
import pytest

import boyi
from boyi.arena import Estimate
from boyi.cli.main import main
from boyi.exact.othello import empties, solve_endgame
from boyi.games.einstein import DIE, MOVER
from boyi.nets.evaluator import NetEvaluator
from boyi.nets.shipped import shipped
from boyi.quick.lines_board import index_of, make_board
from boyi.quick.lines_learn import UNSEARCHED
from boyi.quick.lines_weights import board_tables, first_weights
from boyi.quick.othello_engine import SURE, expected, margin_of
from boyi.search.evaluators import UniformEvaluator
from boyi.studies.distillation import PAIRS, answer
from boyi.studies.teachers import EINSTEIN_LAMBDA, EXACT_EMPTY, chances, margins, rolled_chances, stones_of
from boyi.train.config import SelfPlayConfig
from boyi.train.samples import Samples
from boyi.train.selfplay import play_games


def some_games(game: boyi.Game, evaluator: NetEvaluator | UniformEvaluator) -> Samples:
    config = SelfPlayConfig(parallel=4, simulations=4, considered=4, opening=4)
    return play_games(game, evaluator, config, games=6, seed=3)[0]


@pytest.mark.parametrize("name", ["gomoku:size=9", "connect6:size=9"])
def test_games_in_the_order_of_their_stones(name: str) -> None:
    game = boyi.game(name)
    board = make_board(game.rules, board_tables(game.rules, first_weights(game.rules, 0)))
    games = stones_of(game, some_games(game, UniformEvaluator(game)))
    assert len(set(games.lengths.tolist())) > 1, "games differ"
    for points, scores, length, result in zip(*games, strict=True):
        position = game.start()
        for point in points[:length].tolist():
            position = position.play_action(int(index_of(board, point)))
        assert position.outcome is not None
        winner = position.outcome.winner
        assert result == (0 if winner is None else 1 - 2 * winner)
        assert (scores[4 : length - 1] != UNSEARCHED).all()
        assert winner is None or scores[length - 1] > 0, "the winner's last move is a good one for the mover"
    assert (np.abs(games.results) == 1).any()


def test_margins_are_exact_in_the_endgame() -> None:
    game = boyi.game("othello", size=6)
    samples = some_games(game, UniformEvaluator(game))
    boards, labels = margins(game, samples)
    ends = 0
    for number in range(samples.num_rows):
        position = boyi.Position(game, samples.states[number])
        row = np.flatnonzero((boards == samples.states[number, :2]).all(axis=1))
        if len(row) and empties(position) <= EXACT_EMPTY:
            ends += 1
            score = solve_endgame(position).score
            assert score is not None
            assert labels[row[0]] == (score if position.turn == 0 else -score)
    assert ends > 20
    assert len(labels) > ends
    assert (np.abs(labels) <= game.num_squares).all()


def test_margins_of_values() -> None:
    assert expected(margin_of(0.6, 30), 30) == pytest.approx(0.6)
    assert margin_of(-1.0, 10) == margin_of(-SURE, 10) == -margin_of(1.0, 10)


def test_chances_before_the_roll() -> None:
    game = boyi.game("einstein")
    net = NetEvaluator(game, shipped(game))
    samples = some_games(game, net)
    stones, targets = chances(net, samples)
    rows = np.flatnonzero(samples.states[:, DIE] == 0)
    assert stones.shape == (len(rows), 12)
    assert ((targets > 0) & (targets < 1)).all()
    last = [np.flatnonzero(samples.games[rows] == number)[-1] for number in range(samples.num_games)]
    states = samples.states[rows[last]].astype(game.state_dtype)
    won = (1 + samples.outcomes * (1 - 2 * states[:, MOVER])) / 2
    mixed = (1 - EINSTEIN_LAMBDA) * rolled_chances(net, states) + EINSTEIN_LAMBDA * won
    assert targets[last] == pytest.approx(mixed, abs=1e-6)


def test_the_answer_follows_the_scores() -> None:
    better, worse, open_ = Estimate(0.8, 0.7, 0.9), Estimate(0.2, 0.1, 0.3), Estimate(0.5, 0.4, 0.6)
    found = [worse, better, better, better, worse, worse]
    assert answer(found) == (
        "a quick net learns less from a deep net than from itself, a deep net more from the quick player than from "
        "itself; the quick net that taught itself beats both deep nets."
    )
    assert "neither clearly more nor less" in answer([open_] * len(PAIRS))
    assert "neither deep net nor quick net" in answer([open_] * len(PAIRS))


def test_its_quick_version(tmp_path: Path, capsys) -> None:
    arguments = ["study", "distillation", "--quick", "--dir", str(tmp_path), "--seed", "2"]
    assert main([*arguments, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert len(rows) == 3 * len(PAIRS)
    assert "quick-taught" in rows[0]["first"]
    assert "deep-taught" in rows[3]["first"]
    games = tmp_path / "einstein" / "match-4" / "games.jsonl"
    batch = tmp_path / "einstein" / "quick-taught" / "games" / "0000.npz"
    played, made = games.read_text(), batch.stat().st_mtime_ns
    assert main(arguments) == 0, "it goes on with what is there"
    assert (games.read_text(), batch.stat().st_mtime_ns) == (played, made)
    report = capsys.readouterr().out
    assert all(
        f"\n- {board}: a quick net learns " in report for board in ("othello:size=6", "einstein", "gomoku:size=9")
    )


def test_wrong_minutes(capsys) -> None:
    assert main(["study", "distillation", "--minutes", "0"]) == 2
    assert "--minutes 0" in capsys.readouterr().err
