"""Self-play: legal, complete and bit-identical games, and rows that say what happened."""

import dataclasses

import numpy as np
import pytest

import boyi
from boyi.games.generics import CHANCE
from boyi.games.position import Position
from boyi.search.evaluators import FakeEvaluator, UniformEvaluator
from boyi.train.config import SelfPlayConfig
from boyi.train.samples import BadSamples, join, read_samples, write_samples
from boyi.train.selfplay import play_games

PLAYED = [("tictactoe", "gumbel"), ("tictactoe", "puct"), ("einstein", "gumbel")]
SMALL = SelfPlayConfig(parallel=5, simulations=8, considered=4, opening=3)


def settings(search: str) -> SelfPlayConfig:
    return dataclasses.replace(SMALL, search=search)


@pytest.mark.parametrize(("name", "search"), PLAYED)
def test_rows_are_the_positions_of_real_games(name, search):
    game = boyi.game(name)
    samples, tally = play_games(game, FakeEvaluator(game), settings(search), games=12, seed=3)
    assert tally.games == samples.num_games == 12
    assert tally.rows == samples.num_rows
    assert set(samples.games.tolist()) == set(range(12))
    assert not np.isnan(samples.values).any()
    assert (np.abs(samples.values) <= 1).all()
    for row in range(samples.num_rows):
        position = Position(game, samples.states[row].copy())
        shares = samples.policies[row].astype(float)
        assert position.turn is not None
        if shares.any():
            assert position.turn == samples.movers[row]
            assert set(np.flatnonzero(shares)) <= set(position.actions)
            assert shares.sum() == pytest.approx(1, abs=0.01)
        else:
            assert position.turn == CHANCE or len(position.moves) == 1
        last = row + 1 == samples.num_rows or samples.games[row + 1] != samples.games[row]
        final = samples.finals[samples.games[row]] if last else samples.states[row + 1]
        after = [position.play(move).state.tobytes() for move in position.moves]
        assert final.tobytes() in after, "every row follows from the one before by one move or roll"
    for number, result in enumerate(samples.outcomes):
        end = Position(game, samples.finals[number].copy()).outcome
        assert end is not None
        assert {None: 0, 0: 1, 1: -1}[end.winner] == result


@pytest.mark.parametrize(("name", "search"), PLAYED)
def test_same_seed_same_games_bit_by_bit(name, search):
    game = boyi.game(name)
    made = [play_games(game, FakeEvaluator(game), settings(search), games=9, seed=seed) for seed in (1, 1, 2)]
    again = [write_samples(samples) for samples, _ in made]
    assert again[0] == again[1] != again[2]


def test_a_game_depends_on_its_number_not_on_its_neighbours():
    game = boyi.game("einstein")
    wide, _ = play_games(game, FakeEvaluator(game), SMALL, games=9, seed=5)
    narrow, _ = play_games(game, FakeEvaluator(game), dataclasses.replace(SMALL, parallel=2), games=9, seed=5)
    assert write_samples(wide) == write_samples(narrow)


def test_policies_find_a_win():
    """Where a move wins at once, the improved policy and the visits prefer it."""
    game = boyi.game("tictactoe")
    for search in ("gumbel", "puct"):
        samples, _ = play_games(game, UniformEvaluator(game), settings(search), games=60, seed=1)
        shares = []
        for row in np.flatnonzero(samples.searched):
            position = Position(game, samples.states[row].copy())
            ends = {action: position.play_action(action).outcome for action in position.actions}
            wins = [action for action, end in ends.items() if end and end.winner is not None]
            if wins:
                shares.append(samples.policies[row, wins].sum())
        assert len(shares) > 20
        assert np.mean(shares) > 0.8


def test_fast_searches_are_not_recorded():
    game = boyi.game("tictactoe")
    every, _ = play_games(game, UniformEvaluator(game), SMALL, games=40, seed=1)
    some, tally = play_games(
        game, UniformEvaluator(game), dataclasses.replace(SMALL, full_share=0.25, fast_simulations=2), games=40, seed=1
    )
    assert 0.1 < some.searched.sum() / every.searched.sum() < 0.45
    assert tally.evaluations < 40 * 9 * 5


def test_resignation_ends_hopeless_games():
    game = boyi.game("einstein")
    whole, _ = play_games(game, FakeEvaluator(game), SMALL, games=20, seed=1)
    eager = dataclasses.replace(SMALL, resign=0.05, resign_share=1.0)
    short, _ = play_games(game, FakeEvaluator(game), eager, games=20, seed=1)
    assert short.num_rows < whole.num_rows
    left = [Position(game, state.copy()).outcome is None for state in short.finals]
    assert any(left)
    assert all(short.outcomes[number] != 0 for number in np.flatnonzero(left))


def test_long_games_are_draws_and_too_long_openings_an_error():
    game = boyi.game("tictactoe")
    short = dataclasses.replace(SMALL, max_plies=4, opening=0)
    samples, _ = play_games(game, UniformEvaluator(game), short, games=3, seed=1)
    assert samples.outcomes.tolist() == [0, 0, 0]
    with pytest.raises(boyi.GameError, match="opening=1000"):
        play_games(game, UniformEvaluator(game), dataclasses.replace(SMALL, opening=1000), games=30, seed=1)


def test_files_of_samples(tmp_path):
    game = boyi.game("tictactoe")
    samples, _ = play_games(game, UniformEvaluator(game), SMALL, games=5, seed=1)
    file = tmp_path / "some.npz"
    file.write_bytes(write_samples(samples))
    read = read_samples(file, game)
    for field in dataclasses.fields(samples):
        assert np.array_equal(getattr(read, field.name), getattr(samples, field.name))
    both = join(game, [read, read])
    assert both.num_games == 10
    assert both.games.max() == 9
    with pytest.raises(BadSamples, match="another game"):
        read_samples(file, boyi.game("othello"))
    whole = bytearray(file.read_bytes())
    random = np.random.default_rng(1)
    refused = 0
    for at in random.integers(len(whole), size=40):
        broken = whole.copy()
        broken[at] ^= 1 << random.integers(8)
        file.write_bytes(broken)
        try:
            same = read_samples(file, game)  # a bit may say nothing, such as that of a date
            assert write_samples(same) == write_samples(samples)
        except BadSamples:
            refused += 1
    assert refused > 20
