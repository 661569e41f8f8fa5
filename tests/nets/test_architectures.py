"""The nets: torch and ONNX Runtime agree, heads fit their games, the documents' nets are as described."""

import random
from collections.abc import Callable

import numpy as np
import pytest
import torch

import boyi
from boyi.games import CHANCE, Game, Position
from boyi.nets.architectures import Net, build
from boyi.nets.config import AUXILIARY, KINDS, BadNet, NetConfig, auxiliary_of
from boyi.nets.evaluator import NetEvaluator, open_session
from boyi.nets.export import onnx_bytes

MakeNet = Callable[..., Net]
GAMES = ("tictactoe", "einstein", "othello:size=6", "gomoku:size=7", "connect6:size=7", "examples/connect_four.py")
THESIS = ("thesis1", "thesis2")
CASES = [(kind, game) for kind in KINDS for game in GAMES if (kind in THESIS) <= (game == "einstein")]
TINY = {"blocks": 2, "channels": 8, "hidden": 16}


def positions(game: Game, count: int = 6) -> list[Position]:
    """Running positions of a random game, those where a player decides."""
    rng = random.Random(5)
    found: list[Position] = []
    position = game.start(seed=1)
    while len(found) < count:
        if position.turn is None:
            position = game.start(seed=rng.randrange(100))
        if position.turn != CHANCE:
            found.append(position)
        position = position.play(rng.choice(position.moves))
    return found


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_torch_and_onnx_runtime_agree(kind: str, name: str, make_net: MakeNet, at_root: object) -> None:
    game = boyi.game(name)
    net = make_net(game, NetConfig(kind, **TINY))
    planes = np.stack([p.observe(net.observer) for p in positions(game)])
    with torch.no_grad():
        found = net(torch.from_numpy(planes))
    policy, wdl = open_session(onnx_bytes(game, net), 1, "test").run(None, {"planes": planes})
    assert policy.shape == (len(planes), game.num_actions)
    assert np.abs(policy - found["policy"].numpy()).max() < 1e-4
    assert np.abs(wdl - torch.softmax(found["wdl"], 1).numpy()).max() < 1e-4
    assert np.ptp(policy) > 0.01


def test_export_keeps_the_mode_and_folds_the_normalisation(make_net: MakeNet) -> None:
    onnx = pytest.importorskip("onnx")
    game = boyi.game("tictactoe")
    net = make_net(game, NetConfig(**TINY)).train()
    graph = onnx.load_from_string(onnx_bytes(game, net))
    assert net.training
    assert "BatchNormalization" not in {node.op_type for node in graph.graph.node}
    assert {p.key: p.value for p in graph.metadata_props} == {
        "game": "tictactoe",
        "observer": "two",
        "kind": "residual",
    }


@pytest.mark.parametrize("name", ["othello:size=6", "gomoku:size=7", "einstein"])
def test_auxiliary_outputs_have_their_shapes(name: str, make_net: MakeNet) -> None:
    game = boyi.game(name)
    extra = auxiliary_of(game)
    net = make_net(game, NetConfig(**TINY, auxiliary=extra))
    found = net(torch.zeros(3, net.num_planes, *game.shape))
    shapes = {"ownership": game.shape, "line": game.shape, "score": (), "reply": (game.num_actions,)}
    assert set(found) == {"policy", "wdl", *extra}
    assert all(found[part].shape == (3, *shapes[part]) for part in extra)
    assert set(extra) <= set(AUXILIARY)


def test_residual_weights_run_on_every_board_size(make_net: MakeNet) -> None:
    small, large = boyi.game("gomoku", size=9), boyi.game("gomoku", size=15)
    net = make_net(small, NetConfig(**TINY))
    build(large, net.config).load_state_dict(net.state_dict())
    data = onnx_bytes(small, net)
    position = large.start().play("h8").play("c3")
    planes = position.observe()[None]
    logits, wdl = NetEvaluator(large, data)(position.state[None], planes)
    with torch.no_grad():
        found = net(torch.from_numpy(planes))
    assert logits.shape == (1, 225)
    assert np.abs(logits - found["policy"].numpy()).max() < 1e-4
    assert np.abs(wdl - torch.softmax(found["wdl"], 1).numpy()).max() < 1e-4


def test_a_policy_plane_belongs_to_its_square(make_net: MakeNet) -> None:
    """A stone far away changes the logits near it more than those in the other corner, in a net without pooling."""
    game = boyi.game("gomoku", size=15)
    net = make_net(game, NetConfig(blocks=1, channels=8, hidden=8))
    planes = torch.zeros(2, 4, 15, 15)
    planes[1, 0, 2, 3] = 1
    with torch.no_grad():
        change = (net(planes)["policy"][1] - net(planes)["policy"][0]).abs().reshape(15, 15)
    rows, columns = torch.nonzero(change > 1e-6, as_tuple=True)
    assert rows.min() == 0
    assert (rows.max(), columns.min(), columns.max()) == (5, 0, 6)


def test_einstein_planes_are_three_an_own_square(make_net: MakeNet) -> None:
    game = boyi.game("einstein")
    net = make_net(game, NetConfig(blocks=1, channels=8, hidden=8))
    planes = torch.zeros(2, 15, 5, 5)
    planes[1, 0, 0, 0] = 1
    with torch.no_grad():
        change = (net(planes)["policy"][1] - net(planes)["policy"][0]).abs().reshape(25, 3)
    assert (change.amax(1) > 1e-6).reshape(5, 5).tolist() == [[r < 4 and c < 4 for c in range(5)] for r in range(5)]


def test_paper001_is_the_documents_net() -> None:
    net = build(boyi.game("othello"), NetConfig("paper001"))
    sizes = [tuple(tensor.shape) for name, tensor in net.named_parameters() if name.endswith("weight")]
    assert sizes == [
        (32, 4, 3, 3),
        (64, 32, 3, 3),
        (128, 64, 3, 3),
        (4, 128, 1, 1),
        (65, 256),
        (2, 128, 1, 1),
        (64, 128),
        (1, 64),
    ]
    found = net(torch.randn(4, 4, 8, 8))
    wdl = torch.softmax(found["wdl"], 1)
    assert torch.allclose(wdl[:, 0] - wdl[:, 2], found["value"], atol=1e-4)
    assert build(boyi.game("othello"), NetConfig("paper001", observer="two")).num_planes == 2


def test_paper001_with_a_layer_more() -> None:
    net = build(boyi.game("othello"), NetConfig("paper001", more_layers=1))
    body = [
        tuple(tensor.shape) for name, tensor in net.named_parameters() if name.startswith("body") and tensor.dim() > 1
    ]
    assert body == [(32, 4, 3, 3), (64, 32, 3, 3), (128, 64, 3, 3), (128, 128, 3, 3)]
    assert net(torch.randn(2, 4, 8, 8))["policy"].shape == (2, 65)
    assert NetConfig.from_json(net.config.to_json()) == net.config
    with pytest.raises(BadNet, match=r"more_layers=9 is not possible for a net; allowed: 0\.\.8"):
        NetConfig("paper001", more_layers=9)
    with pytest.raises(BadNet, match="more_layers=1 needs kind='paper001', not 'residual'"):
        NetConfig(more_layers=1)


@pytest.mark.parametrize(
    ("config", "filters"),
    [
        (NetConfig("thesis1"), [(6, 43, 2, 2), (22, 6, 3, 3), (64, 22 * 25), (6, 64)]),
        (NetConfig("thesis1", observer="ori"), [(6, 3, 2, 2), (22, 6, 3, 3), (64, 22 * 25), (6, 64)]),
        (
            NetConfig("thesis2", channels=40),
            [(40, 43, 2, 2), (80, 40, 3, 3), (160, 80, 4, 4), (64, 160 * 25), (6, 64)],
        ),
    ],
)
def test_thesis_nets_are_the_documents(config: NetConfig, filters: list[tuple[int, ...]]) -> None:
    net = build(boyi.game("einstein"), config)
    assert [tuple(x.shape) for name, x in net.named_parameters() if name.endswith("weight")] == filters


@pytest.mark.parametrize("observer", ["sim", "ori"])
def test_thesis_outputs_are_the_moves_of_the_movable_stones(observer: str, make_net: MakeNet) -> None:
    """Output 3 * which + direction, for the stone with the lower number first, of either side."""
    game = boyi.game("einstein")
    net = make_net(game, NetConfig("thesis1", observer=observer))
    sides = set()
    for position in positions(game, 40):
        planes = torch.from_numpy(position.observe(observer)[None])
        with torch.no_grad():
            found = net(planes)
        policy, six = found["policy"][0], found["six"][0]
        by_stone: dict[str, list[int]] = {}
        for move, action in zip(position.moves, position.actions, strict=True):
            row, column = 5 - int(move[1]), ord(move[0]) - ord("a")
            by_stone.setdefault(position.cells[row][column], []).append(action)
        for which, stone in enumerate(sorted(by_stone)):
            for action in by_stone[stone]:
                assert policy[action] == six[3 * which + action % 3]
        allowed = {3 * (action // 3) + d for actions in by_stone.values() for action in actions for d in range(3)}
        assert all((policy[action] > -20) == (action in allowed) for action in range(75))
        sides.add((position.turn, len(by_stone)))
    assert sides == {(0, 1), (0, 2), (1, 1), (1, 2)}


def test_what_cannot_be_built_is_said() -> None:
    with pytest.raises(BadNet, match="'rezidual' is no kind of net; allowed: residual"):
        NetConfig("rezidual")
    with pytest.raises(BadNet, match=r"blocks=0 is not possible for a net; allowed: 1\.\.64"):
        NetConfig(blocks=0)
    with pytest.raises(BadNet, match="'owner' is no auxiliary output"):
        NetConfig(auxiliary=("owner",))
    with pytest.raises(BadNet, match="need kind='residual', not 'mlp'"):
        NetConfig("mlp", auxiliary=("score",))
    with pytest.raises(BadNet, match="they are for einstein"):
        build(boyi.game("othello"), NetConfig("thesis1"))
    with pytest.raises(BadNet, match="othello has no observer 'five'; it has two, four"):
        build(boyi.game("othello"), NetConfig(observer="five"))
    with pytest.raises(BadNet, match="a net has no 'layers'"):
        NetConfig.from_json({"layers": 3})


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_usual_net(name: str, at_root: object) -> None:
    game = boyi.game(name)
    config = NetConfig.for_game(game)
    net = build(game, config)
    assert sum(p.numel() for p in net.parameters()) < 500_000
    assert NetConfig.from_json(config.to_json()) == config
