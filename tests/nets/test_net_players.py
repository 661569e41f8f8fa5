"""The players `net` and `policy`: they finish games, keep limits, find wins, and need no PyTorch."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import boyi
from boyi.games import CHANCE, Game, GameError
from boyi.nets.architectures import Net
from boyi.nets.config import NetConfig
from boyi.nets.files import save
from boyi.players import Limit

MakeNet = Callable[..., Net]
TINY = NetConfig(blocks=2, channels=8, hidden=16)


@pytest.fixture
def model(tmp_path: Path, make_net: MakeNet) -> Callable[[Game], Path]:
    def make(game: Game) -> Path:
        save(tmp_path / game.name, game, TINY, make_net(game, TINY))
        return tmp_path / game.name

    return make


@pytest.mark.parametrize("name", ["tictactoe", "einstein"])
@pytest.mark.parametrize(
    "options",
    ["", ",method=gumbel", ",temperature=1,symmetry=yes", ",method=gumbel,temperature=1,leaves=3"],
)
def test_net_finishes_games_the_same_way_twice(name: str, options: str, model: Callable[[Game], Path]) -> None:
    game = boyi.game(name)
    games = []
    stem = model(game)
    for _ in range(2):
        player = boyi.player(f"net:model={stem},sims=40{options}", game, seed=5)
        position = game.start(seed=2)
        while position.turn is not None:
            if position.turn == CHANCE:
                position = position.play(position.moves[len(position.history) % 6])
                continue
            choice = player.choose(position)
            assert {line.move for line in choice.lines} == set(position.moves)
            assert choice.lines[0].move == choice.move
            assert choice.wdl is not None
            assert abs(sum(choice.wdl) - 1) < 1e-6
            assert all(line.prior is not None for line in choice.lines)
            position = position.play(choice.move)
        games.append(position.history)
    assert games[0] == games[1]


@pytest.mark.parametrize("method", ["puct", "gumbel"])
def test_net_finds_a_win_that_its_policy_does_not_know(method: str, model: Callable[[Game], Path]) -> None:
    game = boyi.game("tictactoe")
    player = boyi.player(f"net:model={model(game)},sims=200,method={method}", game)
    choice = player.choose(game.position("XX1/OO1/3"))
    assert (choice.move, choice.value, choice.exact) == ("c3", 1.0, True)


def test_net_keeps_its_limits_and_shows_its_thoughts(model: Callable[[Game], Path]) -> None:
    game = boyi.game("einstein")
    player = boyi.player(f"net:model={model(game)},leaves=4", game)
    position = game.start().play("3")
    assert 64 <= player.choose(position, Limit(simulations=64)).simulations < 72
    nothing = player.choose(position, Limit(seconds=0))
    assert nothing.simulations == 0
    fresh = boyi.player(f"net:model={model(game)}", game)
    first = fresh.choose(position, Limit(seconds=0))
    policy = boyi.player(f"policy:model={model(game)}", game).choose(position)
    assert first.move == policy.move
    seen = [choice.simulations for choice in fresh.watch(position, Limit(simulations=600), every_s=0.0)]
    assert len(seen) > 2
    assert seen == sorted(seen)
    assert seen[-1] >= 600


def test_the_tree_is_kept_and_grows(model: Callable[[Game], Path]) -> None:
    game = boyi.game("einstein")
    player = boyi.player(f"net:model={model(game)}", game)
    position = game.start().play("3")
    choice = player.choose(position, Limit(simulations=3000))
    assert choice.simulations >= 3000
    assert choice.nodes > 2048
    after = position.play(choice.move).play("2")
    kept = player.choose(after, Limit(seconds=0))
    assert kept.simulations == 0
    assert sum(line.visits for line in kept.lines) > 20
    small = boyi.player(f"net:model={model(game)},memory_mb=0", game).choose(position, Limit(simulations=3000))
    assert 100 < small.simulations < 3000


def test_policy_plays_the_best_or_the_worst_prior(model: Callable[[Game], Path]) -> None:
    game = boyi.game("tictactoe")
    stem = model(game)
    best = boyi.player(f"policy:model={stem}", game).choose(game.start())
    priors = [line.prior for line in best.lines]
    assert priors == sorted(priors, reverse=True)
    assert abs(sum(priors) - 1) < 1e-6
    worst = boyi.player(f"policy:model={stem},least=yes", game).choose(game.start())
    assert worst.move == best.lines[-1].move
    drawn = boyi.player(f"policy:model={stem},temperature=3", game)
    assert len({drawn.choose(game.start()).move for _ in range(40)}) > 3


def test_another_board_size_is_noted(model: Callable[[Game], Path]) -> None:
    stem = model(boyi.game("gomoku", size=7))
    larger = boyi.player(f"policy:model={stem}", boyi.game("gomoku", size=9))
    assert larger.note.startswith("the net was trained with size=7")
    assert larger.choose(larger.game.start()).move in larger.game.start().moves
    assert boyi.player(f"policy:model={stem}", boyi.game("gomoku", size=7)).note == ""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("net:model=nowhere/m", r"nowhere/m\.json' cannot be read"),
        ("net:model={},method=uct", "method='uct' of net is not possible; allowed: puct, gumbel"),
        ("net:model={},sims=0", "sims=0 of net is not possible"),
        ("net:model={},temperature=nan", "temperature=nan of net is not possible"),
        ("net:model={},leaves=0", "leaves=0 of net is not possible"),
        ("policy:model={},temperature=-1", "temperature=-1.0 of policy is not possible"),
        ("policy:model={},sims=3", "policy has no option 'sims=3'"),
    ],
)
def test_bad_options_are_said(name: str, message: str, model: Callable[[Game], Path]) -> None:
    game = boyi.game("tictactoe")
    with pytest.raises(GameError, match=message):
        boyi.player(name.format(model(game)), game)


def test_playing_needs_no_torch(model: Callable[[Game], Path]) -> None:
    game = boyi.game("tictactoe")
    program = (
        "import sys, boyi\n"
        "assert 'onnxruntime' not in sys.modules\n"
        "game = boyi.game('tictactoe')\n"
        f"player = boyi.player('net:model={model(game)},sims=30', game)\n"
        "print(player.choose(game.start()).move, 'torch' in sys.modules, 'onnx' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=os.environ, check=True)
    assert run.stdout.split()[1:] == ["False", "False"]
