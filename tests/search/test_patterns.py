"""Box patterns of EinStein by hand, their symmetries, learning, and the tree search that starts from them."""

import math

import numpy as np
import pytest

import boyi
from boyi.games.einstein import MOVER
from boyi.games.errors import GameError
from boyi.games.position import Position
from boyi.players.patterns import SHIPPED, PatternPlayer, read_table
from boyi.players.player import Limit
from boyi.search.mcts import PlayoutSearch, read_root
from boyi.search.patterns import BOXES, CODES, PatternUct, pattern_pick, pattern_value, rate_table, read_boxes
from boyi.studies.patterns import learn_patterns

EINSTEIN = boyi.game("einstein")


def random_table(seed: int) -> np.ndarray:
    """A third of the codes unseen."""
    random = np.random.default_rng(seed)
    return np.where(random.random((BOXES, CODES)) < 1 / 3, 0, random.integers(1, 256, (BOXES, CODES))).astype(np.uint8)


def walk(seed: int) -> list[Position]:
    """The positions of a random game, the last one finished."""
    random = np.random.default_rng(seed)
    positions = [EINSTEIN.start(seed=seed)]
    while positions[-1].turn is not None:
        positions.append(positions[-1].play(str(random.choice(positions[-1].moves))))
    return positions


def code(digits: str) -> int:
    return int(digits, 7)


def test_boxes_by_hand():
    """Red has lost stone 6, so 5 moves by two rolls and the others by one; Blue's only stone moves by all.

    R1 R2 B1 .  .
    .  R5 R3 .  .
    .  .  .  .  .
    .  .  .  .  R4
    .  .  .  .  .
    """
    state = EINSTEIN.position("1 2 8 20 7 0 / 3 0 0 0 0 0 red -").state
    boxes = np.zeros(24, np.int64)
    read_boxes(state, 0, boxes)
    across = ["116021", "160210", "600100", "021000", "210000", "100000", "000000", "000000", "000001"]
    across += ["000000", "000000", "001000"]
    assert boxes[:12].tolist() == [code(digits) for digits in across]
    down = ["100120", "000200", "000000", "120610", "200100", "000000", "610000", "100000", "000000"]
    down += ["000000", "000001", "000010"]
    assert boxes[12:].tolist() == [code(digits) for digits in down]
    read_boxes(state, 1, boxes)
    assert boxes[0] == code("000400")  # Red's 4 on the edge, which Blue sees on the left in the second row
    assert boxes[11] == code("450344")


def test_both_players_rates_add_up_to_one_and_do_not_know_the_roll():
    table = random_table(1)
    for position in walk(3):
        values = [pattern_value(table, position.state, player) for player in (0, 1)]
        assert sum(values) == pytest.approx(1)
        if position.outcome:
            assert values[position.outcome.winner] == 1
        elif position.turn in (0, 1):
            assert position.previous is not None
            assert values[0] == pattern_value(table, position.previous.state, 0)


@pytest.mark.parametrize("seed", range(5))
def test_a_transposed_and_a_turned_board_are_worth_the_same(seed: int):
    table = random_table(seed)
    different = set()
    for position in walk(seed)[:-1]:
        state = position.state
        value = pattern_value(table, state, 0)
        different.add(value)
        red, blue = (np.array(state[at : at + 6], int) for at in (25, 31))
        transposed = [[0 if s < 0 else 5 * (s % 5) + s // 5 + 1 for s in side] for side in (red, blue)]
        turned = [[0 if s < 0 else 25 - s for s in side] for side in (blue, red)]
        mover = int(state[MOVER])
        for (first, second), to_move, player in ((transposed, mover, 0), (turned, 1 - mover, 1)):
            key = f"{' '.join(map(str, first))} / {' '.join(map(str, second))} {['red', 'blue'][to_move]} -"
            assert pattern_value(table, EINSTEIN.position(key).state, player) == value
    assert len(different) > 10


def test_unseen_boxes_are_left_out():
    state = EINSTEIN.start().state
    table = np.zeros((BOXES, CODES), np.uint8)
    assert pattern_value(table, state, 1) == 0.5
    boxes = np.zeros(24, np.int64)
    read_boxes(state, 1, boxes)
    table[4, boxes[4]] = 255
    assert pattern_value(table, state, 1) == 1
    assert pattern_value(table, state, 0) == 0


def test_rates_of_counts():
    total, won = np.array([[0, 1, 4, 4, 4]]), np.array([[0, 1, 0, 2, 4]])
    assert rate_table(total, won, 2).tolist() == [[0, 0, 1, 128, 255]]


def test_learning_makes_better_moves_and_is_repeatable():
    table, (random, greedy) = learn_patterns(games=3000, generations=2, seed=1)
    again, _ = learn_patterns(games=3000, generations=2, seed=1)
    other, _ = learn_patterns(games=3000, generations=2, seed=2)
    assert np.array_equal(table, again)
    assert not np.array_equal(table, other)
    assert random.beats_random > 0.7
    assert greedy.beats_random > random.beats_random + 0.02
    assert greedy.beats_scored > random.beats_scored + 0.02
    assert greedy.codes == np.count_nonzero(table) > 5000


@pytest.mark.parametrize("key", ["7 19 3 0 0 0 / 25 24 0 0 0 0 red 2", "1 2 3 0 0 0 / 7 19 24 0 0 0 blue 1"])
def test_the_corner_is_known_to_win(key: str):
    position = EINSTEIN.position(key)
    search = PlayoutSearch(EINSTEIN, method=PatternUct(read_table(SHIPPED), 1.0, 1.0, 4.0, 1.0), seed=1)
    search.set_root(position.state)
    search.run(2)
    root = read_root(search.tree)
    assert root.exact
    assert position.play_action(root.best).outcome
    assert root.priors.max() == 1
    assert root.actions[root.priors.argmax()] == root.best


@pytest.mark.parametrize("side", ["red", "blue"])
def test_a_descent_follows_the_formula(side: str):
    position = EINSTEIN.position(f"1 2 8 0 7 0 / 20 25 24 0 0 0 {side} 4")
    method = PatternUct(read_table(SHIPPED), 0.7, 1.5, 3.0, 2.0)
    search = PlayoutSearch(EINSTEIN, method=method, seed=1)
    search.set_root(position.state)
    tree, sign = search.tree, 1 if side == "red" else -1
    followed = set()
    for _ in range(60):
        search.run(1)
        root = read_root(tree)
        if not len(root.actions):
            continue
        scores = [
            ((2 * hb - 1) * 2 + (sign * q * n if n else 0)) / (2 + n)
            + 0.7 * math.sqrt(math.log(root.visits + 1) / (2 + n))
            + 1.5 * hb / (2 + n)
            for q, n, hb in zip(root.values, root.tries.tolist(), root.priors.tolist(), strict=True)
        ]
        edge = pattern_pick(method, tree, int(tree.roots[0]), True)
        assert scores[edge - tree.first[tree.roots[0]]] == pytest.approx(max(scores), abs=1e-6)
        followed.add(int(edge))
    assert len(followed) > 1


def test_one_descent_takes_the_move_that_the_table_likes_best():
    table = read_table(SHIPPED)
    for position in walk(7):
        if position.turn in (0, 1):
            mover = position.turn
            best = max(pattern_value(table, position.play(move).state, mover) for move in position.moves)
            chosen = PatternPlayer(EINSTEIN).choose(position, Limit(simulations=2)).move
            assert pattern_value(table, position.play(chosen).state, mover) == best


def test_the_player_repeats_itself():
    games = []
    for _ in range(2):
        player, position = PatternPlayer(EINSTEIN, sims=200, seed=5), EINSTEIN.start(seed=2)
        while position.turn is not None:
            position = position.play(position.moves[3] if position.turn == -1 else player.choose(position).move)
        games.append(position.history)
    assert games[0] == games[1]


def test_the_shipped_table_is_small():
    assert SHIPPED.stat().st_size < 1_000_000
    assert np.count_nonzero(read_table(SHIPPED)) > 50_000


def test_bad_games_options_and_tables(tmp_path):
    with pytest.raises(GameError, match="einstein only, not othello"):
        PatternPlayer(boyi.game("othello"))
    for option in ({"cp": -1}, {"gain": float("nan")}, {"c": -1}, {"sims": -1}):
        with pytest.raises(GameError, match="is not possible"):
            PatternPlayer(EINSTEIN, **option)
    with pytest.raises(GameError, match=r"no table of patterns can be read from .*missing\.npz"):
        PatternPlayer(EINSTEIN, table=str(tmp_path / "missing.npz"))
    wrong = {"text": b"no table", "empty": b"", "zip": b"PK\x03\x04 broken"}
    for name, content in wrong.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(GameError, match="is no table of patterns"):
            PatternPlayer(EINSTEIN, table=str(tmp_path / name))
    np.savez(tmp_path / "small.npz", table=np.zeros((2, 3), np.uint8))
    with pytest.raises(GameError, match=r"it holds uint8 \(2, 3\)"):
        PatternPlayer(EINSTEIN, table=str(tmp_path / "small.npz"))
    np.savez(tmp_path / "pickled.npz", table=np.array([{}], object))
    np.save(tmp_path / "bare.npy", np.zeros((BOXES, CODES), np.uint8))
    for name in ("pickled.npz", "bare.npy"):
        with pytest.raises(GameError, match="is no table of patterns"):
            PatternPlayer(EINSTEIN, table=str(tmp_path / name))
