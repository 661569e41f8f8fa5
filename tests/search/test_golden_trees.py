"""Whole trees grown with the fake evaluator, checked in as text: with dice, with double moves, with passes.

`pytest tests/search/test_golden_trees.py --update-golden-trees` writes them anew; read the
difference before you commit it.
"""

from pathlib import Path

import pytest

import boyi
from boyi.games.position import Position
from boyi.search.evaluators import FakeEvaluator
from boyi.search.mcts import BatchSearch
from boyi.search.selection import Gumbel, Puct, halving
from boyi.search.tree import Tree

FOLDER = Path(__file__).parent / "golden"
TREES = {
    "einstein_dice": ("einstein", "1 0 0 7 0 0 / 25 0 0 0 18 0 red 3", Puct(), 60),
    "connect6_double_moves": ("connect6:size=6", "6/6/2X3/3O2/6/6 O 1 c4 +d3", Puct(), 60),
    "othello_passes": ("othello:size=4", "XXXXXOOXXXXXO--- O", Puct(), 40),
    "tictactoe_gumbel": ("tictactoe", "X2/1O1/3 b2", Gumbel(halving(4, 40)), 40),
}


def grow(name: str) -> str:
    game_name, key, method, simulations = TREES[name]
    position = boyi.game(game_name).position(key)
    search = BatchSearch(position.game, FakeEvaluator(position.game, seed=1), method=method)
    search.set_root(0, position.state)
    search.run(simulations)
    return "\n".join(
        [f"{position.game!r} {position.key}", *describe(search.tree, int(search.tree.roots[0]), position, 0)]
    )


def describe(tree: Tree, node: int, position: Position, depth: int) -> list[str]:
    """A line an edge: move, visits, value, bounds, below it the same for the child."""
    lines = []
    for edge in range(tree.first[node], tree.first[node] + tree.width[node]):
        child = int(tree.child[edge])
        if child < 0 or tree.tries[edge] == 0:
            continue
        after = position.play_action(int(tree.action[edge]))
        lines.append(
            f"{'  ' * (depth + 1)}{after.move} n={tree.tries[edge]} v={tree.value[child]:.4f} p={tree.prior[edge]:.4f} "
            f"[{tree.low[child]:.3f}, {tree.high[child]:.3f}]"
        )
        if depth < 3 and after.outcome is None:
            lines += describe(tree, child, after, depth + 1)
    return lines


@pytest.mark.parametrize("name", TREES)
def test_tree_is_as_checked_in(name, request):
    file = FOLDER / f"{name}.txt"
    found = grow(name) + "\n"
    if request.config.getoption("--update-golden-trees"):
        FOLDER.mkdir(exist_ok=True)
        file.write_text(found)
    assert file.read_text() == found


def test_values_below_the_dice_make_up_the_value_above():
    game = boyi.game("einstein")
    search = BatchSearch(game, FakeEvaluator(game, seed=2), nodes=4096)
    search.set_root(0, game.start(seed=3).state)
    search.run(400)
    tree, root = search.tree, int(search.tree.roots[0])
    children = tree.child[tree.first[root] : tree.first[root] + 6]
    assert (children >= 0).all()
    assert tree.value[root] == pytest.approx(tree.value[children].mean(), abs=1e-6)


def test_the_second_stone_of_a_turn_keeps_the_sign():
    """In Connect6 a node and its child may belong to one player: both then prefer the same values."""
    game = boyi.game("connect6", size=6)
    position = game.position("6/6/2X3/6/6/6 O 2 c4")
    search = BatchSearch(game, FakeEvaluator(game, seed=1), nodes=4096)
    search.set_root(0, position.state)
    search.run(600)
    tree, root = search.tree, int(search.tree.roots[0])
    edges = range(tree.first[root], tree.first[root] + tree.width[root])
    most = max(edges, key=lambda edge: tree.tries[edge])
    child = int(tree.child[most])
    assert tree.mover[root] == tree.mover[child] == 1
    assert tree.q[most] <= min(tree.q[edge] for edge in edges if tree.tries[edge] > 10)
