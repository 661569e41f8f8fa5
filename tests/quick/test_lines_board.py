"""The board of lines against the rules of the games, and its running sums against sums from scratch."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

import boyi
from boyi.games.position import Position
from boyi.quick.lines_board import (
    NET_SHIFT,
    STONES,
    Board,
    barred,
    evaluate,
    index_of,
    line_classes,
    make_board,
    promise,
    put,
    set_up,
    situation_of,
    take,
    top_of,
)
from boyi.quick.lines_classes import FIVE, FIVE_OF_SIX, FOUR, OPEN_FOUR, SIX
from boyi.quick.lines_speed import evaluate_moves
from boyi.quick.lines_weights import (
    LARGEST,
    OUT_SCALE,
    ROW_SCALE,
    SCALE,
    Weights,
    blank_weights,
    board_tables,
    hand_weights,
    row_places,
)

NAMES = ("gomoku:size=9", "gomoku", "gomoku:variant=standard,size=12", "gomoku:variant=renju", "connect6:size=11")


def crowded(game: boyi.Game, count: int, seed: int, most: int = 45) -> Iterator[Position]:
    """Random positions with stones close together, where rows abound."""
    rng, middle, made = random.Random(seed), game.shape[0] // 2, 0
    while made < count:
        position, span = game.start(), rng.randint(2, 4)
        for _ in range(rng.randint(5, most)):
            near = [
                action
                for action in position.actions
                if max(abs(action // game.shape[1] - middle), abs(action % game.shape[1] - middle)) <= span
            ]
            if position.outcome is not None or not near:
                break
            position = position.play_action(rng.choice(near))
        if position.outcome is None:
            made += 1
            yield position


def board_of(game: boyi.Game, weights: Weights | None = None) -> Board:
    return make_board(game.rules, board_tables(game.rules, weights or hand_weights(game.rules)))


def random_weights(game: boyi.Game) -> Weights:
    """Weights of any size, rows small enough for their sums."""
    rng = np.random.default_rng(7)
    weights = Weights(*(rng.normal(0, 0.5, table.shape).astype(np.float32) for table in blank_weights(game.rules)))
    for rows in (weights.row, weights.row_pair):
        rows *= 0.1
    weights.row[:, 0] = 0
    return weights


def snapshot(board: Board) -> tuple[object, ...]:
    """What follows from the stones: codes and classes of the empty points, and all sums."""
    empty = board.points[board.cells[board.points] == 0]
    sums = board.sums[board.totals[STONES]]
    parts = (
        board.cells, board.codes[empty], board.packed[empty], board.shown[:, empty], board.tops, board.totals, sums
    )  # fmt: skip
    return (*(part.tobytes() for part in parts), int(board.key[0]))


@pytest.mark.parametrize("name", NAMES)
def test_running_sums_are_those_from_scratch(name: str) -> None:
    game = boyi.game(name)
    board, fresh = (board_of(game, random_weights(game)) for _ in range(2))
    rng = random.Random(3)
    empty = snapshot(board)
    played, before = [], []
    for _ in range(40):
        at = rng.choice([int(point) for point in board.points if board.cells[point] == 0])
        before.append(snapshot(board))
        put(board, at, rng.randrange(2))
        played.append(at)
        state = np.zeros(game.state_size, np.int8)
        state[: game.num_squares] = board.flat
        set_up(fresh, state)
        assert snapshot(board) == snapshot(fresh)
    for at in reversed(played):
        take(board, at)
        assert snapshot(board) == before.pop()
    assert snapshot(board) == empty


def points_that_win(position: Position, side: int) -> set[int]:
    """Where a side would win at once if it were to move, by the rules alone."""
    state = position.state.copy()
    state[position.game.num_squares] = side
    asked = Position(position.game, state)
    ends = ((action, asked.play_action(action).outcome) for action in asked.actions)
    return {action for action, end in ends if end is not None and end.winner == side}


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("gomoku")])
def test_classes_of_points_by_the_rules_of_gomoku(name: str) -> None:
    game = boyi.game(name)
    board = board_of(game)
    seen = {FIVE: 0, OPEN_FOUR: 0, FOUR: 0}
    for position in crowded(game, 6, seed=11):
        set_up(board, position.state)
        for side in (0, 1):
            wins = points_that_win(position, side)
            tops = {int(index_of(board, p)): int(top_of(board.shown[side, p])) for p in board.points}
            empty = [action for action in tops if position.state[action] == 0]
            assert {action for action in empty if tops[action] == FIVE} == wins
            state = position.state.copy()
            state[game.num_squares] = side
            asked = Position(game, state)
            legal = set(asked.actions)
            for action in empty:
                point = int(board.points[action])
                assert (action in legal) == (not barred(board, point, side)), asked.game.squares[action]
                if tops[action] in (FOUR, OPEN_FOUR) and action in legal and not wins:
                    after = asked.play_action(action)
                    answers = points_that_win(after, side)
                    assert (len(answers) >= 2) == (tops[action] == OPEN_FOUR)
                    assert answers
                seen[tops[action]] = seen.get(tops[action], 0) + 1
    assert all(seen[level] for level in (FIVE, OPEN_FOUR, FOUR))


def test_classes_of_points_by_the_rules_of_connect6() -> None:
    game = boyi.game("connect6", size=11)
    board = board_of(game)
    found = 0
    for position in crowded(game, 4, seed=6, most=40):
        set_up(board, position.state)
        for side in (0, 1):
            state = position.state.copy()
            state[game.num_squares], state[game.num_squares + 1] = side, 2
            asked = Position(game, state)
            for action in asked.actions:
                top = int(top_of(board.shown[side, int(board.points[action])]))
                after = asked.play_action(action)
                assert (top == SIX) == (after.outcome is not None and after.outcome.winner == side)
                if after.outcome is None and top >= FIVE_OF_SIX:
                    row = [after.play_action(second).outcome for second in after.actions]
                    assert any(end is not None and end.winner == side for end in row)
                    found += 1
                elif after.outcome is None and top > 0 and position.state[action] == 0:
                    others = {int(index_of(board, p)) for p in board.points if top_of(board.shown[side, p]) == SIX}
                    row = {a for a in after.actions if (e := after.play_action(a).outcome) and e.winner == side}
                    assert row <= others
    assert found > 5


@pytest.mark.parametrize("name", ["gomoku:size=10", "gomoku:variant=renju,size=11", "connect6:size=9"])
def test_value_and_policy_are_what_the_weights_say(name: str) -> None:
    game = boyi.game(name)
    weights = random_weights(game)
    board = board_of(game, weights)
    plain = board_of(game, blank_weights(game.rules))
    views = len(weights.situation) - 1
    classes = line_classes(game.rules)
    places = row_places(classes)

    def rounded(value: np.float32, scale: int = SCALE) -> np.ndarray:
        return np.clip(np.rint(value * np.float32(scale)), -LARGEST, LARGEST).astype(np.int64)

    for position in crowded(game, 4, seed=2, most=20):
        set_up(board, position.state)
        set_up(plain, position.state)
        net = {}
        for side in (0, 1):
            view = min(side, views)
            total = int(rounded(weights.situation[view, situation_of(board, side)]))
            sums = rounded(weights.row_bias[view], ROW_SCALE)
            for at in board.points:
                if board.cells[at]:
                    continue
                pairs = [int(board.shown[player, at] & 255) for player in (side, 1 - side)]
                worth = int(rounded(weights.policy_pair[view, pairs[0], pairs[1]]))
                total += int(rounded(weights.value_pair[view, pairs[0], pairs[1]]))
                sums += rounded(weights.row_pair[view, pairs[0], pairs[1]], ROW_SCALE)
                for code in board.codes[at]:
                    own = int(classes.swap[code]) if side else int(code)
                    own = min(own, int(classes.mirror[own]))
                    total += int(rounded(weights.value[view, own]))
                    worth += int(rounded(weights.policy[view, own]))
                    sums += rounded(weights.row[view, places[own]], ROW_SCALE)
                assert promise(board, at, side) == worth
            assert np.abs(sums).max() < 1 << 15
            net[side] = np.maximum(sums, 0), total
            assert evaluate(plain, side) == 0
        for side in (0, 1):
            out = rounded(weights.out[min(side, views)], OUT_SCALE)
            units = int((net[side][0] * out[0]).sum() + (net[1 - side][0] * out[1]).sum())
            assert evaluate(board, side) == net[side][1] + (units >> NET_SHIFT)


def test_evaluating_moves_leaves_the_board_as_it_was() -> None:
    game = boyi.game("gomoku", size=9)
    board = board_of(game)
    put(board, int(board.points[40]), 0)
    before = snapshot(board)
    empty = [int(at) for at in board.points if board.cells[at] == 0]
    total = 0
    for at in empty + empty[:3]:
        put(board, at, 1)
        total += int(evaluate(board, 0))
        take(board, at)
    assert evaluate_moves(board, 1, len(empty) + 3) == total
    assert snapshot(board) == before
