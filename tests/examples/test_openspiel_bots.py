"""The bridge to OpenSpiel, both ways: games are the same on both sides, and results mean the same."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pyspiel
import pytest

import boyi


@pytest.fixture(scope="module")
def bridge() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "examples" / "openspiel_bots.py"
    spec = importlib.util.spec_from_file_location("openspiel_bots", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["tictactoe", "gomoku", "othello"])
def test_a_boyi_player_as_a_bot(bridge: ModuleType, name: str) -> None:
    """Every action is legal there, from both seats."""
    game = pyspiel.load_game(bridge.NAMES[name])
    bots = [bridge.BoyiBot(name, "greedy" if name != "tictactoe" else "mc:sims=50"), bridge.BoyiBot(name, "random")]
    for _ in range(2):
        state = game.new_initial_state()
        while not state.is_terminal():
            action = bots[state.current_player()].step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
        bots.reverse()


def test_perfect_play_never_loses_there(bridge: ModuleType) -> None:
    for seed in range(3):
        returns = bridge.play_there("tictactoe", "exact", seed=seed)
        assert returns[0] >= 0
        assert sum(returns) == 0


def test_a_bot_as_a_boyi_player(bridge: ModuleType) -> None:
    """It finds the win on the move that OpenSpiel's search finds, and plays whole games."""
    game = boyi.game("tictactoe")
    player = bridge.OpenSpielPlayer(game, bridge.tree_search, seed=1)
    position = game.start()
    for move in ("a1", "a2", "b1", "b2"):
        position = position.play(move)
    assert position.play(player.choose(position).move).outcome == boyi.Outcome(0, 1, "line")
    assert bridge.play_here("tictactoe", "random", games=30) < 0.4
    assert 0 <= bridge.play_here("othello", "random", games=2) <= 1


def test_positions_without_their_game_are_refused(bridge: ModuleType) -> None:
    game = boyi.game("tictactoe")
    key = game.start().play("b2").key
    player = bridge.OpenSpielPlayer(game, bridge.tree_search)
    with pytest.raises(boyi.GameError, match="from its start"):
        player.choose(game.position(key))
