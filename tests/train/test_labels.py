"""Exact labels: the ends of games have the values of solver, table and threats, which count more than the result."""

import numpy as np
import pytest

import boyi
from boyi.exact.einstein import num_stones
from boyi.games.position import Position
from boyi.search.evaluators import FakeEvaluator
from boyi.train.config import SelfPlayConfig
from boyi.train.labels import label_exactly
from boyi.train.replay import Part, Replay
from boyi.train.samples import Samples
from boyi.train.selfplay import play_games

SMALL = SelfPlayConfig(parallel=4, simulations=4, considered=4, opening=3)


def played(name: str, games: int) -> tuple[boyi.Game, Samples]:
    game = boyi.game(name)
    return game, play_games(game, FakeEvaluator(game), SMALL, games=games, seed=3)[0]


@pytest.mark.parametrize("name", ["tictactoe", "othello:size=4", "einstein"])
def test_known_rows_have_the_values_of_best_play(name: str) -> None:
    game, samples = played(name, 4)
    labelled = label_exactly(game, samples)
    assert not samples.known.any()
    assert labelled.known.sum() > 8
    assert (labelled.values[~labelled.known] == samples.values[~labelled.known]).all()
    for row in np.flatnonzero(labelled.known):
        solution = boyi.solve(Position(game, labelled.states[row].copy()))
        assert labelled.values[row] == pytest.approx(solution.value, abs=1e-6)
        assert labelled.draws[row] == (solution.score == 0)
    if name == "einstein":
        stones = np.array([num_stones(state) for state in labelled.states])
        assert (labelled.known == (stones <= 4)).all()
    else:
        assert labelled.known.all()


def test_a_thrown_away_win_is_learnt_as_a_win() -> None:
    game, samples = played("tictactoe", 30)
    labelled = label_exactly(game, samples)
    sign = np.where(samples.movers == 1, -1, 1)
    wrong = np.flatnonzero(labelled.values != samples.outcomes[samples.games])
    assert len(wrong), "weak players throw games away"
    parts = [Replay(game, "two", [Part(game, s, ())], symmetries=False) for s in (samples, labelled)]
    plain, exact = (part.batch(wrong, np.zeros(len(wrong), np.int64)).wdl for part in parts)
    assert (plain[:, 0] - plain[:, 2] == (sign * samples.outcomes[samples.games])[wrong]).all()
    assert (exact[:, 0] - exact[:, 2] == (sign * labelled.values)[wrong]).all()


def test_threats_are_known_before_the_end() -> None:
    game, samples = played("gomoku:size=7", 3)
    labelled = label_exactly(game, samples)
    assert labelled.known.any()
    for row in np.flatnonzero(labelled.known):
        assert labelled.values[row] == (1 if samples.movers[row] == 0 else -1), "who is to move wins"
