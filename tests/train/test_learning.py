"""Replay and learner: symmetric batches, targets, a set learnt by heart, an exact continuation; records as samples."""

import dataclasses
import random

import numpy as np
import pytest
import torch

import boyi
from boyi.games.generics import CHANCE
from boyi.nets.config import NetConfig, auxiliary_of
from boyi.records import BadRecord, Record
from boyi.train.config import CONFIGS, LearnConfig, ReplayConfig, read_config
from boyi.train.learner import Learner, auxiliary_loss, policy_loss, rate_at
from boyi.train.measure import SILENT
from boyi.train.records import read_records, sample_game, samples_of
from boyi.train.replay import Part, Replay, value_wdl, window_size

NAMES = ["tictactoe", "einstein", "othello:size=6", "connect6:size=6"]
ONE_THREAD = LearnConfig(threads=1, batch=32, warmup=1, final_share=0.0)


def random_game(name, seed):
    """A game with random moves: its positions and the samples of its record."""
    game, choose = boyi.game(name), random.Random(seed)
    positions = [game.start()]
    while positions[-1].turn is not None:
        positions.append(positions[-1].play(choose.choice(positions[-1].moves)))
    return game, positions, sample_game(game, Record.of(game, positions[-1].history))


@pytest.mark.parametrize("name", NAMES)
def test_augmented_batches_are_what_the_game_says_of_transformed_positions(name):
    game, positions, samples = random_game(name, 3)
    observer = next(iter(game.observers))
    replay = Replay(game, observer, [Part(game, samples)])
    used = [symmetry for symmetry in game.symmetries if observer in symmetry.planes]
    rows = np.arange(samples.num_rows)
    for number, symmetry in enumerate(used):
        batch = replay.batch(rows, np.full(len(rows), number))
        for row in rows:
            state = game.transform(positions[row].state, symmetry)
            image = boyi.Position(game, state)
            assert np.array_equal(batch.planes[row], image.observe(observer)), (symmetry.name, row)
            decided = positions[row].turn != CHANCE
            assert set(np.flatnonzero(batch.legal[row])) == (set(image.actions) if decided else set())
            assert set(np.flatnonzero(batch.policy[row])) <= set(image.actions)


@pytest.mark.parametrize("name", ["tictactoe", "othello:size=6"])
def test_targets_are_the_movers(name):
    game, positions, samples = random_game(name, 4)
    auxiliary = auxiliary_of(game)
    observer = next(iter(game.observers))
    replay = Replay(game, observer, [Part(game, samples, auxiliary)], auxiliary=auxiliary, symmetries=False)
    batch = replay.batch(np.arange(samples.num_rows), np.zeros(samples.num_rows, np.int64))
    end = positions[-1]
    for row, position in enumerate(positions[:-1]):
        own = end.outcome.winner == position.turn
        assert batch.wdl[row].tolist() == ([0, 1, 0] if end.outcome.winner is None else [own, 0, not own])
        letter = "XO"[position.turn]
        if "ownership" in auxiliary:
            wanted = [[(cell == letter) - (cell not in ("", letter)) for cell in cells] for cells in end.cells]
            assert batch.auxiliary["ownership"][row].tolist() == wanted
            margin = end.outcome.score if position.turn == 0 else -end.outcome.score
            assert batch.auxiliary["score"][row] == pytest.approx(margin / game.num_squares)
        later = [p for p in positions[row + 1 : -1] if p.turn != position.turn]
        reply = batch.auxiliary["reply"][row]
        if later:
            played = positions[positions.index(later[0]) + 1].move
            assert np.flatnonzero(reply).tolist() == [later[0].action(played)]
        else:
            assert np.isnan(reply).all()


def test_the_winning_line_is_marked():
    game = boyi.game("gomoku", size=9)
    moves = ["e5", "a1", "e6", "a2", "e7", "a3", "e8", "a4", "e9"]
    samples = sample_game(game, Record.of(game, moves))
    line = Part(game, samples, ("line",)).maps["line"][0]
    assert {game.squares[square] for square in np.flatnonzero(line)} == {"e5", "e6", "e7", "e8", "e9"}


def test_window_grows_as_katagos():
    config = ReplayConfig(window=1000, largest=5000)
    assert [window_size(config, total) for total in (10, 1000)] == [10, 1000]
    grown = [window_size(config, total) for total in (2000, 10_000, 50_000, 10**7)]
    assert grown == sorted(grown)
    assert grown[0] == int(1000 * (1 + 0.4 * (2**0.75 - 1) / 0.75))
    assert grown[-1] == 5000
    assert window_size(dataclasses.replace(config, exponent=0.0), 10**6) == 1000


def test_batches_use_every_row_before_any_twice():
    game, _, samples = random_game("othello:size=6", 1)
    replay = Replay(game, "two", [Part(game, samples), Part(game, samples)], rows=40)
    seen = np.zeros(replay.total, int)
    original = replay.batch

    def counted(rows, which):
        np.add.at(seen, rows, 1)
        return original(rows, which)

    replay.batch = counted
    list(replay.batches(16, 5, np.random.default_rng(1)))
    assert seen[: replay.first].sum() == 0
    assert set(seen[replay.first :]) == {2}


def test_values_become_probabilities():
    wdl = value_wdl(np.array([1, 0, -0.5, 0.9], np.float32), np.array([0, 1, 0.2, 0.5], np.float32))
    assert np.allclose(wdl.sum(1), 1)
    assert np.allclose(wdl[:, 0] - wdl[:, 2], [1, 0, -0.5, 0.9])
    assert (wdl >= 0).all()


def test_losses_by_hand():
    logits = torch.tensor([[0.0, 0.0, 9.0], [1.0, 2.0, 3.0]])
    legal = torch.tensor([[True, True, False], [True, True, True]])
    target = torch.tensor([[0.5, 0.5, 0.0], [0.0, 0.0, 0.0]])
    assert policy_loss(logits, target, legal).item() == pytest.approx(np.log(2))
    assert policy_loss(logits, torch.zeros(2, 3), legal).item() == 0
    score = auxiliary_loss("score", torch.tensor([1.0, 5.0]), torch.tensor([0.5, float("nan")]))
    assert score.item() == pytest.approx(0.25)


def test_rate_rises_stays_and_falls():
    config = LearnConfig(rate=1.0, warmup=10, final_share=0.5)
    assert rate_at(config, 0, 0.0) == pytest.approx(0.1)
    assert rate_at(config, 100, 0.5) == 1.0
    assert rate_at(config, 100, 0.75) == pytest.approx(0.525)
    assert rate_at(config, 100, 1.0) == pytest.approx(0.05)


@pytest.mark.parametrize("optimiser", ["adamw", "sgd"])
def test_a_small_set_is_learnt_by_heart(optimiser):
    game, _, _ = random_game("tictactoe", 0)
    games = [random_game("tictactoe", seed)[1][-1].history for seed in range(4)]
    samples = samples_of(game, [Record.of(game, moves) for moves in games])
    config = dataclasses.replace(ONE_THREAD, optimiser=optimiser, rate=0.01 if optimiser == "adamw" else 0.1, decay=0.0)
    learner = Learner(game, NetConfig(kind="mlp", blocks=2, hidden=64), config, seed=1)
    replay = Replay(game, "two", [Part(game, samples)], symmetries=False)
    random = np.random.default_rng(0)
    first = learner.learn(replay.batches(16, 10, random)).losses
    learner.learn(replay.batches(16, 300, random))
    last = learner.learn(replay.batches(16, 10, random)).losses
    assert last["value"] < 0.15  # not 0: the games share their first positions, not their results
    assert first["value"] > 0.5
    assert last["policy"] < first["policy"] - 0.5


@pytest.mark.parametrize("file", sorted(CONFIGS[1].glob("*.toml")), ids=lambda file: file.stem)
def test_no_net_of_the_usual_configurations_is_taken_for_dead(file):
    config = read_config(file)
    game, _, samples = random_game(config.game, 1)
    learner = Learner(game, config.net, dataclasses.replace(config.learn, threads=1), seed=1)
    replay = Replay(game, learner.net.observer, [Part(game, samples, config.net.auxiliary)])
    spreads = learner.learn(replay.batches(min(16, len(replay)), 2, np.random.default_rng(0))).spreads
    assert min(spreads.values()) > 10 * SILENT


def test_a_dead_head_is_noticed():
    """As Adam at 5e-3 leaves document 001's net: no filter of the policy's convolution fires any more."""
    game, _, samples = random_game("othello:size=6", 1)
    learner = Learner(game, NetConfig(kind="paper001"), dataclasses.replace(ONE_THREAD, average=0.0), seed=1)
    with torch.no_grad():
        learner.net.policy[0].bias.fill_(-100.0)
    replay = Replay(game, "four", [Part(game, samples)])
    spreads = learner.learn(replay.batches(16, 2, np.random.default_rng(0))).spreads
    assert spreads["policy"] < SILENT < spreads["value"]


def test_a_saved_learner_goes_on_exactly(tmp_path):
    game, _, samples = random_game("othello:size=6", 5)
    config = NetConfig(blocks=1, channels=8, auxiliary=auxiliary_of(game))
    replay = Replay(game, "two", [Part(game, samples, config.auxiliary)], auxiliary=config.auxiliary)

    def steps(learner, seed):
        return learner.learn(replay.batches(16, 4, np.random.default_rng(seed))).losses

    whole = Learner(game, config, ONE_THREAD, seed=7)
    steps(whole, 1)
    whole.save(tmp_path / "learner.safetensors")
    whole.save_model(tmp_path / "model", training={})
    wanted = steps(whole, 2)
    other = Learner(game, config, ONE_THREAD, seed=8)
    other.load(tmp_path / "learner.safetensors", tmp_path / "model")
    assert steps(other, 2) == wanted
    for mine, theirs in zip(whole.average.state_dict().values(), other.average.state_dict().values(), strict=True):
        assert torch.equal(mine, theirs)


def test_records_of_text_files(tmp_path):
    game = boyi.game("tictactoe")
    file = tmp_path / "games.txt"
    file.write_text(
        "# a comment\n\na1 b2 a2 b3 a3\na1 a1\nb2 a1 1-0\nb2 a1\n" + "x" * 200_000 + "\nb2 c3 a1 1/2-1/2\n", "utf-8"
    )
    bad: list[str] = []
    games = list(read_records(game, [file], on_bad=bad.append))
    assert [record.moves for record in games] == [("a1", "b2", "a2", "b3", "a3"), ("b2", "a1"), ("b2", "c3", "a1")]
    assert [text.split(": ")[0] for text in bad] == [f"{file}:4", str(file), f"{file}:7"]
    samples = samples_of(game, games, winner_only=True)
    assert samples.outcomes.tolist() == [1, 1, 0]
    assert samples.searched.tolist() == [True, False, True, False, True, True, False, False, False, False]
    with pytest.raises(BadRecord, match="move 2"):
        sample_game(game, Record.of(game, ["a1", "a1"]))


def test_records_of_other_formats(tmp_path):
    game = boyi.game("othello")
    file = tmp_path / "games.sgf"
    file.write_text("(;GM[2]FF[4]SZ[8]RE[B+10];B[f5];W[d6];B[c3])(;GM[2]FF[4]SZ[8]RE[W+2];B[f5];W[a1])", "utf-8")
    bad: list[str] = []
    samples = samples_of(game, read_records(game, [file], on_bad=bad.append))
    assert (samples.num_rows, samples.outcomes.tolist()) == (3, [1])
    assert len(bad) == 1


def test_records_with_dice():
    _, positions, samples = random_game("einstein", 2)
    assert samples.num_rows == len(positions) - 1
    for row, position in enumerate(positions[:-1]):
        mover = positions[row + 1].turn if position.turn == CHANCE else position.turn
        assert samples.movers[row] == mover
        assert samples.searched[row] == (position.turn != CHANCE)
