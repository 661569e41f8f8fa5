"""Learning from another player's games: its moves and values are what is learnt, wherever the student goes astray."""

import dataclasses

import numpy as np
import pytest

import boyi
from boyi.games.errors import GameError
from boyi.games.generics import CHANCE
from boyi.games.position import Position
from boyi.nets.config import NetConfig
from boyi.search.evaluators import FakeEvaluator
from boyi.train.config import BadConfig, LearnConfig, MeasureConfig, SelfPlayConfig, TrainConfig, changed
from boyi.train.loop import train
from boyi.train.run import Run
from boyi.train.samples import read_samples, write_samples
from boyi.train.teacher import teach

TAUGHT = SelfPlayConfig(teacher="exact", opening=3, strays=0.3)


def test_rows_are_what_the_teacher_would_play():
    game = boyi.game("tictactoe")
    samples, tally = teach(game, FakeEvaluator(game), TAUGHT, games=10, seed=1)
    assert tally.games == samples.num_games == 10
    assert tally.rows == samples.num_rows > 20
    for row in range(samples.num_rows):
        position = Position(game, samples.states[row].copy())
        best = position.actions[int(np.argmax(samples.policies[row, list(position.actions)]))]
        solution = boyi.solve(position)
        assert samples.policies[row].sum() == samples.policies[row, best] == 1
        assert samples.values[row] == solution.value == boyi.solve(position.play_action(best)).value
        assert samples.movers[row] == position.turn


def test_games_go_where_they_should():
    """Without strays and openings all games are the teacher's; with nothing but strays they are the student's."""
    game = boyi.game("tictactoe")
    perfect = dataclasses.replace(TAUGHT, opening=0, strays=0)
    samples, _ = teach(game, FakeEvaluator(game), perfect, games=5, seed=1)
    assert not samples.outcomes.any()
    assert len({final.tobytes() for final in samples.finals}) == 1
    loose, _ = teach(game, FakeEvaluator(game), dataclasses.replace(perfect, strays=1), games=5, seed=1)
    assert len({final.tobytes() for final in loose.finals}) > 1


def test_dice_are_rolled_and_seen_by_who_moves_next():
    game = boyi.game("einstein")
    samples, _ = teach(game, FakeEvaluator(game), SelfPlayConfig(teacher="random"), games=3, seed=5)
    turns = [Position(game, state.copy()).turn for state in samples.states]
    assert {CHANCE, 0, 1} == set(turns)
    for row, turn in enumerate(turns):
        assert samples.policies[row].any() == (turn != CHANCE)
        assert turn in (CHANCE, samples.movers[row])
        assert samples.values[row] == samples.outcomes[samples.games[row]], "chance has no opinion, nor has random"


def test_same_seed_same_lessons():
    game = boyi.game("einstein")
    config = SelfPlayConfig(teacher="mc:sims=20")
    made = [write_samples(teach(game, FakeEvaluator(game), config, games=2, seed=seed)[0]) for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


def test_a_run_is_taught_and_then_goes_on_by_itself(tmp_path):
    config = TrainConfig(
        game="tictactoe",
        generations=2,
        workers=1,
        net=NetConfig(kind="mlp", blocks=1, hidden=16),
        selfplay=SelfPlayConfig(games=8, shards=2, parallel=4, simulations=4, considered=4, teacher="exact", taught=1),
        learn=LearnConfig(batch=16, threads=1),
        measure=MeasureConfig(every=0),
    )
    rows = train(config, tmp_path / "run")
    assert [row["generation"] for row in rows] == [0, 1, 2]
    with Run(tmp_path / "run") as run:
        shares = [read_samples(run.shard_file(n, 0), config.found_game).policies for n in (1, 2)]
    assert np.isin(shares[0], (0, 1)).all()
    assert not np.isin(shares[1], (0, 1)).all()


def test_a_teacher_that_is_none(tmp_path):
    config = TrainConfig(game="tictactoe", selfplay=SelfPlayConfig(teacher="nobody"))
    with pytest.raises(GameError, match="nobody"):
        train(config, tmp_path / "run")
    assert not (tmp_path / "run").exists()
    with pytest.raises(BadConfig, match=r"selfplay\.strays=2"):
        changed(config, ["selfplay.strays=2"])
