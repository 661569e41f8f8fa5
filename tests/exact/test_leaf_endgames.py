"""The endgame solver at the leaves of a tree: right about who wins, and the tree believes it."""

import random

import pytest

from boyi.exact.leaf_endgames import with_endgames
from boyi.exact.othello import empties, solve_endgame
from boyi.games.position import Position
from boyi.games.registry import game
from boyi.players.registry import player
from boyi.search.evaluation import known
from boyi.search.evaluators import UniformEvaluator
from boyi.search.mcts import UNIFORM, BatchSearch, read_root


def late(size: int, left: int, luck: random.Random) -> Position:
    """A random position with so many empty squares, or a few more after passes."""
    while True:
        position = game(f"othello:size={size}").start()
        while position.outcome is None and empties(position) > left:
            position = position.play(luck.choice(position.moves))
        if position.outcome is None:
            return position


@pytest.mark.parametrize("size", [4, 6, 8])
def test_it_knows_who_wins(size: int) -> None:
    luck = random.Random(size)
    rules = game(f"othello:size={size}").rules
    source = with_endgames(game(f"othello:size={size}"), UNIFORM, 9)
    results = []
    for _ in range(60):
        position = late(size, luck.randint(1, 9), luck)
        results.append(solve_endgame(position, kind="wdl").result)
        assert known(source, rules, position.state) == results[-1], position.key
    assert {-1, 1} <= set(results)


def test_it_knows_positions_in_which_the_mover_must_pass() -> None:
    luck, found = random.Random(5), 0
    source = with_endgames(game("othello:size=6"), UNIFORM, 9)
    while found < 5:
        position = late(6, luck.randint(2, 9), luck)
        if position.moves == ("pass",):
            found += 1
            assert known(source, position.game.rules, position.state) == solve_endgame(position, kind="wdl").result


def test_it_is_silent_about_more_squares() -> None:
    position = late(6, 10, random.Random(1))
    assert known(with_endgames(position.game, UNIFORM, 9), position.game.rules, position.state) != known(
        with_endgames(position.game, UNIFORM, 10), position.game.rules, position.state
    )


def test_a_tree_is_proven_by_its_leaves() -> None:
    luck = random.Random(3)
    for _ in range(5):
        position = late(6, 9, luck)
        if position.moves == ("pass",):
            continue
        search = BatchSearch(
            position.game, UniformEvaluator(position.game), oracle=with_endgames(position.game, UNIFORM, 8)
        )
        search.set_root(0, position.state)
        search.run(1 + len(position.moves))
        root = read_root(search.tree)
        assert root.exact
        assert root.value == solve_endgame(position, kind="wdl").result


@pytest.mark.parametrize("name", ["mcts:sims=1000", "net:sims=100"])
def test_values_are_nearer_to_the_truth(name: str) -> None:
    """In positions beyond those that are solved at the root."""
    luck = random.Random(8)
    errors = {"yes": 0.0, "no": 0.0}
    for _ in range(8):
        position = late(6, 15, luck)
        truth = solve_endgame(position, kind="wdl").result
        assert truth is not None
        for exact in errors:
            choice = player(f"{name},exact={exact}", position.game, seed=1).choose(position)
            errors[exact] += abs(choice.value - truth)
    assert errors["yes"] < 0.9 * errors["no"]
