"""Nets in 8 bits answer nearly what they answer in float32, keep their face, and are in integers where it counts."""

import numpy as np
import onnx
import pytest

from boyi.bench.precision import differences
from boyi.games.registry import game as find_game
from boyi.nets.architectures import build
from boyi.nets.config import NetConfig
from boyi.nets.evaluator import NetEvaluator
from boyi.nets.export import onnx_bytes
from boyi.nets.quantise import quantised, tower, without_copies
from boyi.nets.shipped import shipped
from boyi.train.config import SelfPlayConfig
from boyi.train.precision import seen
from boyi.train.selfplay import play_games

NETS = [
    ("othello", NetConfig(kind="paper001")),
    ("othello", NetConfig(kind="paper001", more_layers=1, observer="two")),
    ("othello:size=6", NetConfig(blocks=2, channels=16, auxiliary=("ownership", "score", "reply"))),
    ("gomoku:size=7", NetConfig(blocks=2, channels=16)),
    ("einstein", NetConfig(blocks=2, channels=16)),
    ("einstein", NetConfig(kind="thesis1")),
    ("einstein", NetConfig(kind="thesis2", channels=8)),
    ("tictactoe", NetConfig(kind="mlp", blocks=2, hidden=16)),
]


@pytest.mark.parametrize(("name", "config"), NETS)
def test_every_kind_of_net(name, config, make_net):
    game = find_game(name)
    net = make_net(game, config)
    graph = onnx_bytes(game, net)
    exact = NetEvaluator(game, graph)
    play = SelfPlayConfig(simulations=4, considered=4, parallel=8)
    shown, asked = (play_games(game, exact, play, games=8, seed=seed)[0].states for seed in (0, 1))
    made = quantised(graph, seen(game, net.observer, shown))
    coarse = NetEvaluator(game, made)
    assert (coarse.observer, coarse.kind) == (exact.observer, exact.kind)
    divergence, error = differences(game, coarse, exact, asked)
    assert divergence < 0.02
    assert error < 0.05
    in_integers = any(node.op_type == "QuantizeLinear" for node in onnx.load_from_string(made).graph.node)
    assert in_integers == (config.kind != "mlp")
    assert in_integers or made == graph
    assert made == quantised(graph, seen(game, net.observer, shown)), "same examples, same graph"


@pytest.mark.parametrize("name", ["othello", "gomoku:size=9", "einstein"])
def test_shipped_nets_stay_what_they_are(name):
    """Measured by `boyi bench precision`: divergences up to 0.008, errors up to 0.03."""
    game = find_game(name)
    graph = shipped(game).with_name(shipped(game).name + ".onnx").read_bytes()
    exact = NetEvaluator(game, graph)
    play = SelfPlayConfig(simulations=8, opening=6, parallel=16)
    shown, asked = (play_games(game, exact, play, games=16, seed=seed)[0].states for seed in (0, 1))
    coarse = NetEvaluator(game, quantised(graph, seen(game, str(exact.observer), shown)))
    divergence, error = differences(game, coarse, exact, asked)
    assert divergence < 0.015
    assert error < 0.04


def test_the_tower_is_in_integers_and_the_last_layers_are_not():
    """In a fresh net, too, whose equal biases the exporter shares."""
    game = find_game("othello")
    net = build(game, NetConfig(blocks=2, channels=8))
    fresh = onnx.load_from_string(onnx_bytes(game, net))
    assert any(node.op_type == "Identity" for node in fresh.graph.node)
    bare = without_copies(fresh)
    onnx.checker.check_model(bare)
    assert not any(node.op_type == "Identity" for node in bare.graph.node)
    inside = set(tower(bare))
    convolutions = [node.name for node in bare.graph.node if node.op_type == "Conv"]
    assert [name for name in convolutions if name not in inside] == ["/net/policy/squares/Conv"]
    sums = [node for node in bare.graph.node if node.op_type == "Add"]
    assert sums
    assert {node.name for node in sums} <= inside
    made = onnx.load_from_string(quantised(fresh.SerializeToString(), np.zeros((3, net.num_planes, 8, 8), np.float32)))
    by_output = {node.output[0]: node for node in made.graph.node}
    weights = {node.name: by_output.get(node.input[1]) for node in made.graph.node if node.op_type == "Conv"}
    scaled = {name: node.input[0] for name, node in weights.items() if node is not None}
    assert set(scaled) == inside & set(convolutions)
    arrays = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in made.graph.initializer}
    assert all(arrays[name].dtype == np.int8 for name in scaled.values())
    assert max(np.abs(arrays[name].astype(int)).max() for name in scaled.values()) <= 64, "two products fit in 16 bits"
