"""The field of a game: who is compared where nobody is named, and what the nets cost."""

import json

import pytest

import boyi
from boyi.arena.field import field, trained_minutes
from boyi.cli.main import main


def test_every_kind_that_plays_a_game_is_there_once() -> None:
    small = field(boyi.game("othello", size=4))
    assert small[-6:] == ("alphabeta", "mcts:exact=yes", "mcts", "mc", "greedy", "random")
    assert "quick" not in small
    einstein = field(boyi.game("einstein"))
    assert einstein[:2] == ("quick", "net")
    assert "expectimax" in einstein
    assert "alphabeta" not in einstein


def test_training_is_read_off_the_cards() -> None:
    game = boyi.game("einstein")
    quick, net, model = (trained_minutes(name, game) for name in ("quick", "net:sims=50", "quick:nodes=5,model=none"))
    assert quick is not None
    assert net is not None
    assert 5 < quick < net
    assert model is None
    assert trained_minutes("mcts", game) is None


def test_a_tournament_of_nobody_is_one_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "--game", "tictactoe", "--games", "2", "--simulations", "4", "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert "trained, min" in out
    for name in field(boyi.game("tictactoe")):
        assert name in out
    assert (
        main(["tournament", "mc", "random", "--game", "tictactoe", "--games", "2", "--simulations", "9", "--json"]) == 0
    )
    assert len(json.loads(capsys.readouterr().out)["players"]) == 2
