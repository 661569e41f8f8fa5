"""The evaluator on ONNX Runtime: views, symmetries, and determinism inside a search."""

import random
from collections.abc import Callable

import numpy as np
import pytest

import boyi
from boyi.games import CHANCE, Game, GameError, Position
from boyi.models.cards import BadModel
from boyi.nets.architectures import Net
from boyi.nets.config import NetConfig
from boyi.nets.evaluator import NetEvaluator, symmetry_tables
from boyi.nets.export import onnx_bytes
from boyi.search.evaluators import CachedEvaluator
from boyi.search.mcts import BatchSearch, read_root
from boyi.search.selection import Gumbel, Puct, halving

MakeNet = Callable[..., Net]
TINY = NetConfig(blocks=2, channels=8, hidden=16)


def batch(game: Game, plies: int, observer: str | None = None) -> tuple[np.ndarray, np.ndarray, list[Position]]:
    """States, planes and positions of a random game's first plies, chance decisions included."""
    rng = random.Random(2)
    found = [game.start(seed=4)]
    while len(found) < plies:
        found.append(found[-1].play(rng.choice(found[-1].moves)))
    return np.stack([p.state for p in found]), np.stack([p.observe(observer) for p in found]), found


def test_before_the_dice_the_answer_is_player_0s(make_net: MakeNet) -> None:
    game = boyi.game("einstein")
    evaluator = NetEvaluator.from_module(game, make_net(game, TINY))
    states, planes, found = batch(game, 12)
    own = evaluator.session.run(None, {"planes": planes})[1]
    _, wdl = evaluator(states, planes)
    for row, position in enumerate(found):
        turned = position.turn == CHANCE and position.caption.startswith("Blue")
        assert (wdl[row] == (own[row, ::-1] if turned else own[row])).all()
    assert len({(position.turn, position.caption[:3]) for position in found}) == 4


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("einstein", TINY),
        ("einstein", NetConfig("thesis1")),
        ("othello:size=6", TINY),
        ("gomoku:size=7", TINY),
        ("tictactoe", NetConfig("mlp", blocks=1, hidden=16)),
    ],
)
def test_the_average_over_all_symmetries_does_not_depend_on_the_view(
    name: str, config: NetConfig, make_net: MakeNet
) -> None:
    """Transforming a position transforms the averaged policy and leaves the averaged value."""
    game = boyi.game(name)
    evaluator = NetEvaluator.from_module(game, make_net(game, config))
    observer = str(evaluator.observer)
    states, planes, _ = batch(game, 6, observer)
    logits, wdl = evaluator.averaged(states, planes)
    plain = evaluator(states, planes)[0]
    checked = 0
    for symmetry in game.symmetries:
        if observer in symmetry.planes and not symmetry.turns:
            turned = np.stack([game.transform(state, symmetry) for state in states])
            again, value = evaluator.averaged(turned, symmetry.observation(observer, planes))
            assert np.abs(again[:, symmetry.actions] - logits).max() < 1e-4
            assert np.abs(value - wdl).max() < 1e-4
            checked += np.abs(evaluator(turned, symmetry.observation(observer, planes))[0] - plain).max() > 1e-3
    assert checked


def test_a_random_symmetry_is_one_of_them(make_net: MakeNet) -> None:
    game = boyi.game("othello", size=6)
    net = make_net(game, TINY)
    evaluator = NetEvaluator.from_module(game, net, symmetry=True, seed=3)
    states, planes, _ = batch(game, 8)
    allowed = [evaluator._under(planes, np.full(8, which))[0] for which in range(8)]
    used = set()
    for _ in range(6):
        logits, _ = evaluator(states, planes)
        for row in range(8):
            nearest = [float(np.abs(logits[row] - one[row]).max()) for one in allowed]
            assert min(nearest) < 1e-4
            used.add(int(np.argmin(nearest)))
    assert used == set(range(8))
    again = NetEvaluator.from_module(game, net, symmetry=True, seed=3)
    same = NetEvaluator.from_module(game, net, symmetry=True, seed=3)
    assert (again(states, planes)[0] == same(states, planes)[0]).all()


def test_symmetry_tables_are_the_games(make_net: MakeNet) -> None:
    game = boyi.game("einstein")
    planes = np.random.default_rng(1).random((15, 5, 5), np.float32)
    shown, actions = symmetry_tables(game, "stones")
    for row, symmetry in enumerate(game.symmetries):
        assert (planes.ravel()[shown[row]].reshape(15, 5, 5) == symmetry.observation("stones", planes)).all()
        assert (actions[row] == symmetry.actions).all()
    assert len(symmetry_tables(game, "ori")[0]) == 2


@pytest.mark.parametrize("name", ["tictactoe", "einstein"])
@pytest.mark.parametrize("method", [Puct(1.5), Gumbel(halving(8, 60))], ids=["puct", "gumbel"])
def test_search_with_a_net_is_deterministic(name: str, method: Puct | Gumbel, make_net: MakeNet) -> None:
    game = boyi.game(name)
    data = onnx_bytes(game, make_net(game, TINY))
    position = game.start() if name == "tictactoe" else game.start().play("3")
    roots = []
    for cached in (False, False, True):
        evaluator = NetEvaluator(game, data)
        search = BatchSearch(game, CachedEvaluator(evaluator) if cached else evaluator, method=method, leaves=8)
        search.set_root(0, position.state)
        search.run(60)
        roots.append(read_root(search.tree))
    assert roots[0].tries.sum() >= 50
    assert (roots[0].tries == roots[1].tries).all()
    assert (roots[0].values == roots[1].values).all()
    assert abs(roots[0].value - roots[2].value) < 0.2


def test_graphs_for_something_else_are_refused(make_net: MakeNet) -> None:
    game = boyi.game("othello", size=6)
    data = onnx_bytes(game, make_net(game, NetConfig("paper001")))
    with pytest.raises(BadModel, match=r"a net for 'othello' seen through 'four', not for boyi.game\('tictactoe'\)"):
        NetEvaluator(boyi.game("tictactoe"), data)
    with pytest.raises(BadModel, match=r"a net for planes \[4, 6, 6\], not \[4, 8, 8\].*only nets of kind residual"):
        NetEvaluator(boyi.game("othello"), data)
    with pytest.raises(BadModel, match="ONNX Runtime cannot read this graph"):
        NetEvaluator(game, b"no graph")
    with pytest.raises(GameError, match="threads=0 is not possible"):
        NetEvaluator(game, data, threads=0)
