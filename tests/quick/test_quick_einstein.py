"""EinStein's quick net: the race and the moves against an obvious reading, the tree against the tablebase."""

import itertools
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import boyi
from boyi.arena.placements import measure_book
from boyi.cli.main import main
from boyi.exact.einstein import move_values, num_stones
from boyi.exact.einstein_table import Entries
from boyi.games.einstein import MOVABLE, MOVER, EinSteinGame
from boyi.games.generics import CHANCE
from boyi.games.position import Position
from boyi.games.randomness import generator
from boyi.quick.einstein_engine import EinsteinEngine
from boyi.quick.einstein_learner import EinsteinLearner
from boyi.quick.einstein_net import (
    DISTANCE,
    FIVES,
    NO_MOVE,
    StonesNet,
    before_roll,
    chance_of,
    fresh_arrays,
    make_room,
    move_chances,
    race_logit,
    race_tables,
    read_stones,
    stones_net,
)
from boyi.quick.einstein_setup import Book, book, place, placements, read_book, setup_text, write_book
from boyi.quick.einstein_train import turned_sample
from boyi.quick.learner import Plan

GAME = boyi.game("einstein")
assert isinstance(GAME, EinSteinGame)


@cache
def net() -> StonesNet:
    return stones_net(fresh_arrays(1))


def before_a_roll(seed: int, moves: int) -> Position:
    random = np.random.default_rng(seed)
    position = GAME.start(seed=seed)
    while moves or position.turn != CHANCE:
        after = position.play_action(int(random.choice(position.actions)))
        if after.turn is None:
            return before_a_roll(seed + 1000, moves)
        position, moves = after, moves - (after.turn == CHANCE)
    return position


def plain_chance(position: Position) -> float:
    """The net's chance for the side about to roll, all features listed anew."""
    room = make_room()
    read_stones(position.state, room.own, room.other)
    return float(chance_of(net(), room.own, room.other, room))


@pytest.mark.usefixtures("usual_tables")
def test_moves_are_valued_as_positions(table: Entries) -> None:
    """With and without captures, near the table and in it, in either side's view."""
    room = make_room()
    captures = 0
    for seed in range(40):
        position = before_a_roll(seed, seed)
        chances = np.zeros(18)
        move_chances(net(), table, 4, position.state, chances, room)
        mover = int(position.state[MOVER])
        for die in range(6):
            rolled = position.play(str(die + 1))
            for move, action in zip(rolled.moves, rolled.actions, strict=True):
                after = rolled.play(move)
                if after.outcome:
                    wanted = 1.0
                elif num_stones(after.state) <= 4:
                    wanted = (1 + (1 - 2 * mover) * move_values(rolled, table)[move]) / 2
                else:
                    wanted = 1.0 - plain_chance(after)
                captures += num_stones(after.state) < num_stones(position.state)
                square = action // 3 if mover == 0 else 24 - action // 3
                stone = int(position.state[25:37].tolist().index(square)) - 6 * mover
                assert chances[3 * stone + action % 3] == pytest.approx(wanted, abs=1e-5)
    assert captures > 20


@cache
def plain_race(distances: tuple[int, ...]) -> tuple[float, tuple[float, ...]]:
    """Expected turns of a side alone, and the chances that it arrives in turn 1, 2, ..."""
    alive = sum(1 << stone for stone in range(6) if distances[stone])
    turns, ends = 1.0, [0.0] * 16
    for die in range(6):
        choices = []
        for stone in (int(s) for s in MOVABLE[alive, die] if s >= 0):
            if distances[stone] == 1:
                choices.append((0.0, (1.0, *[0.0] * 15)))
            else:
                after, later = plain_race((*distances[:stone], distances[stone] - 1, *distances[stone + 1 :]))
                choices.append((after, (0.0, *later[:-1])))
        best, when = min(choices, key=lambda choice: choice[0])
        turns += best / 6
        ends = [have + more / 6 for have, more in zip(ends, when, strict=True)]
    return turns, tuple(ends)


def test_the_race_is_exact() -> None:
    for distances in [(1, 0, 0, 0, 0, 0), (4, 0, 0, 0, 0, 4), (2, 3, 0, 1, 0, 0), (2, 2, 2, 2, 2, 2)]:
        code = int(sum(FIVES * distances))
        assert race_tables()[0][code] == pytest.approx(plain_race(distances)[1], abs=1e-6)


def test_the_race_between_two() -> None:
    """One stone each, two moves away: whoever rolls first arrives first. The logit is kept within bounds."""
    logit, step = race_logit(net(), 2, 2)
    assert logit == pytest.approx(np.log(0.999 / 0.001), rel=1e-3)
    assert step == 31
    assert race_logit(net(), 4, 2)[0] == pytest.approx(-np.log(0.999 / 0.001), rel=1e-3)


def test_the_backup_is_the_mean_of_the_best() -> None:
    chances = np.full(18, NO_MOVE)
    chances[0], chances[1], chances[16] = 0.2, 0.6, 0.3
    alive = 0b100001
    best = [max(0.6 if 0 in MOVABLE[alive, die] else 0, 0.3 if 5 in MOVABLE[alive, die] else 0) for die in range(6)]
    assert before_roll(alive, chances) == pytest.approx(sum(best) / 6)


def test_samples_turn_as_the_game_does() -> None:
    """Eight images, all with the distances of the stones they come from."""
    sample = np.array([0, 1, -1, 5, 7, 10, 3, -1, 2, 8, -1, 11], np.int8)
    own, other, rng = np.zeros(6, np.int64), np.zeros(6, np.int64), generator(1)
    images = set()
    for _ in range(200):
        turned_sample(sample, own, other, rng)
        images.add((*own.tolist(), *other.tolist()))
        for side, stones in ((own, sample[:6]), (other, sample[6:])):
            assert sorted(DISTANCE[s] for s in side if s >= 0) == sorted(DISTANCE[s] for s in stones if s >= 0)
    assert len(images) == 8


@pytest.fixture(scope="module")
def trained(tables: object, table: Entries) -> EinsteinLearner:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOYI_TABLES_DIR", str(tables))
        patch.setattr("boyi.quick.einstein_learner.CHUNKS", 4)
        learner = EinsteinLearner(GAME, Plan(0.2, seed=2))
        learner.generation(1, 0.0, lambda *_: None)
        learner.generation(2, 6.0, lambda *_: None)
        return learner


def test_learning_goes_on_where_it_was(trained: EinsteinLearner, usual_tables: object) -> None:
    other = EinsteinLearner(GAME, Plan(0.2, seed=3))
    other.restore(trained.state(), [])
    assert other.steps == trained.steps > 0
    assert all((other.arrays()[name] == trained.arrays()[name]).all() for name in trained.arrays())


class TestEngine:
    @pytest.fixture
    def engine(self, trained: EinsteinLearner, usual_tables: object) -> EinsteinEngine:
        return EinsteinEngine(GAME, trained.arrays())

    def test_beats_random_moves(self, engine: EinsteinEngine) -> None:
        wins = 0
        for seed in range(30):
            random = np.random.default_rng(seed)
            position = GAME.start(seed=seed)
            while position.turn is not None:
                if position.turn == seed % 2:
                    position = position.play_action(list(engine.search(position, nodes=20))[-1].promising)
                else:
                    position = position.play_action(int(random.choice(position.actions)))
            assert position.outcome is not None
            wins += position.outcome.winner == seed % 2
        assert wins >= 21

    def test_search_comes_near_the_truth(self, engine: EinsteinEngine, table: Entries) -> None:
        """Positions of five stones whose moves lead to at most four are known to it at once."""
        engine.most_stones = 3
        gaps = []
        for seed in itertools.count():
            position = before_a_roll(seed, 14)
            if num_stones(position.state) == 4:
                rolled = position.play("3")
                exact = move_values(rolled, table)
                for move in list(engine.search(rolled, nodes=400))[-1].moves:
                    gaps.append(abs(move.value - exact[rolled.game.write_move(rolled.state, move.action)]))
            if len(gaps) > 30:
                break
        assert np.mean(gaps) < 0.05

    def test_limits(self, engine: EinsteinEngine) -> None:
        position = GAME.start(seed=5).play("2")
        by_nodes = list(engine.search(position, nodes=300))[-1]
        assert (by_nodes.stopped, by_nodes.nodes) == ("nodes", 300)
        assert {move.action for move in by_nodes.moves} == set(position.actions)
        assert list(engine.search(position, seconds=0.05))[-1].stopped == "seconds"
        assert list(engine.search(position, depth=1))[-1].nodes == 0

    def test_the_tree_grows(self, engine: EinsteinEngine) -> None:
        report = list(engine.search(GAME.start(seed=6).play("4"), nodes=6000))[-1]
        assert 5900 < report.nodes <= 6000

    def test_a_win_is_taken_at_once(self, engine: EinsteinEngine) -> None:
        position = GAME.start(setup="19 2 3 6 7 11 / 25 24 20 23 0 15").play("1")
        report = list(engine.search(position, seconds=5.0))[-1]
        assert position.play_action(report.promising).outcome is not None
        assert (report.stopped, report.exact) == ("proven", True)


class TestSetups:
    def test_there_are_360_placements(self) -> None:
        assert len({tuple(row) for row in placements().tolist()}) == 360

    def test_a_book_is_near_the_equilibrium(self) -> None:
        """Rock, paper, scissors where rock against scissors counts double: the known mixture 1/4, 1/2, 1/4."""
        gains = np.array([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
        found = book((gains + 2) / 4, rounds=2000)
        assert found.red == pytest.approx([0.25, 0.5, 0.25], abs=0.01)
        assert found.low <= 0.5 <= found.high
        assert found.high - found.low < 0.01

    def test_the_shipped_book_places_on_the_home_squares(self) -> None:
        random = np.random.default_rng(1)
        for side, corner in enumerate(({1, 2, 3, 6, 7, 11}, {25, 24, 23, 20, 19, 15})):
            drawn = [place(side, random) for _ in range(20)]
            assert all(set(squares) == corner for squares in drawn)
            assert len(set(drawn)) > 1, "numbered either way"

    def test_a_book_can_be_kept(self, tmp_path: Path) -> None:
        red, blue = np.zeros(360), np.zeros(360)
        red[[3, 5]], blue[7], blue[8] = 0.5, 0.9999, 0.0001
        write_book(Book(red, blue, 0.4, 0.6), tmp_path / "book")
        kept = read_book(tmp_path / "book")
        assert [list(side.values()) for side in kept] == [[0.5, 0.5], [1.0]]
        assert list(kept[1]) == [" ".join(map(str, placements()[7] + 1))]

    def test_what_the_book_gains_can_be_measured(self, capsys: pytest.CaptureFixture[str]) -> None:
        groups = measure_book("random", 6, seed=2)
        assert [len(group) for group in groups] == [2, 2, 2]
        assert measure_book("random", 6, seed=2) == groups
        assert main(["placements", "--measure", "4", "--player", "random", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["games"] == 4
        assert main(["placements", "--measure", "3"]) == 2

    def test_placements_are_shown_with_their_values(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["placements", "--top", "2", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        low, high = found["red_wins"]
        assert 0.5 < low <= high < low + 0.001
        best = found["placements"][0]
        assert best["squares"] in read_book()[0], "the shipped book is of the shipped net"
        assert best["any"] > best["chance"] == pytest.approx(low, abs=0.01)

    def test_a_pair_can_be_started_from(self) -> None:
        position = GAME.start(setup=setup_text(7, 300))
        squares = placements()
        assert position.state[25:31].tolist() == squares[7].tolist()
        assert position.state[31:37].tolist() == (24 - squares[300]).tolist()
