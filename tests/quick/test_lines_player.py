"""The quick player of Gomoku and Connect6."""

import pytest

import boyi
from boyi.games.errors import GameError
from boyi.players import Limit
from boyi.players.quick import QuickPlayer
from boyi.quick.lines_engine import plays


def winner(game: boyi.Game, *players: boyi.Player, limit: Limit | None = None) -> int | None:
    position = game.start()
    while position.turn is not None:
        position = position.play(players[position.turn].choose(position, limit).move)
    assert position.outcome is not None
    return position.outcome.winner


@pytest.mark.parametrize(
    ("name", "opponent"),
    [("gomoku:size=10", "mcts:sims=100"), ("gomoku:variant=renju,size=11", "random"), ("connect6:size=9", "random")],
)
def test_beats_a_weak_player_with_both_colours(name: str, opponent: str) -> None:
    game = boyi.game(name)
    quick, weak = QuickPlayer(game, nodes=150, model="hand"), boyi.player(opponent, game, seed=1)
    assert winner(game, quick, weak) == 0
    assert winner(game, weak, quick) == 1


def test_says_what_it_thinks() -> None:
    game = boyi.game("gomoku")
    quick = QuickPlayer(game, model="hand", exact=False)
    position = game.start().play("h8").play("h9").play("g8")
    choice = quick.choose(position, Limit(nodes=3000))
    assert choice.stopped == "nodes"
    assert choice.nodes == 3000
    assert choice.depth >= 2
    assert choice.value is not None
    assert -1 < choice.value < 1
    assert choice.lines[0].move == choice.move == choice.lines[0].moves[0]
    at = position
    for move in choice.lines[0].moves:
        at = at.play(move)
    assert len(choice.lines[0].moves) > 1
    assert choice == quick.choose(position, Limit(nodes=3000)) or choice.move in position.moves


def test_wins_by_threats_are_proven() -> None:
    game = boyi.game("gomoku")
    quick = QuickPlayer(game, model="hand")
    position = game.position("15/15/15/15/15/15/15/7X7/7X7/4XXX8/3O11/15/7O7/1O13/15 X")
    choice = quick.choose(position, Limit(nodes=20_000))
    assert choice.value == 1.0


def test_limits_hold_and_watching_shows_the_way() -> None:
    game = boyi.game("connect6")
    quick = QuickPlayer(game, model="hand", exact=False)
    position = game.start().play("j10")
    seen = list(quick.watch(position, Limit(seconds=0.3), every_s=0.02))
    assert len(seen) > 1
    assert seen[-1].stopped == "seconds"
    assert all(choice.move in position.moves for choice in seen)
    left = quick.watch(position, Limit(seconds=5), every_s=0.01)
    next(left)
    left.close()
    assert quick.choose(position, Limit(nodes=100)).move in position.moves


def test_refuses_what_it_cannot_play() -> None:
    assert not plays(boyi.game("othello"))
    assert not plays(boyi.game("gomoku", size=5, win=4))
    with pytest.raises(GameError, match="nodes=-1"):
        QuickPlayer(boyi.game("gomoku"), nodes=-1, model="hand")
    with pytest.raises(GameError, match="cannot be read"):
        QuickPlayer(boyi.game("gomoku"), model="/nowhere/at/all")
