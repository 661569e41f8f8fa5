"""Playout policies, and the player that loses on purpose."""

import random

import numpy as np
import pytest

import boyi
from boyi.games import Position, wins_at_once
from boyi.games.kernels import kernel
from boyi.games.randomness import generator
from boyi.search.playouts import draw_move
from boyi.search.policies import playout_policy


@kernel
def draw_many(policy, rules, state, mask, rng, counts, draws):
    for _ in range(draws):
        counts[draw_move(policy, rules, state, mask, rng)] += 1


def shares(position: Position, policy: str, draws: int = 20_000) -> dict[str, float]:
    """How often a policy draws each move."""
    game = position.game
    counts = np.zeros(game.num_actions, np.int64)
    mask = np.zeros(game.num_actions, np.uint8)
    draw_many(playout_policy(game, policy), game.rules, position.state.copy(), mask, generator(1), counts, draws)
    return {game.write_move(position.state, int(a)): counts[a] / draws for a in np.flatnonzero(counts)}


SETUP = "1 0 0 22 0 7 / 25 0 0 0 0 15"  # Red's stone 4 on the bottom row has one move, 1 and 6 have three


def test_simulation_methods_with_a_die_roll_evenly():
    position = boyi.game("einstein").start(setup=SETUP)
    for method in ("2", "4"):
        assert list(shares(position, method).values()) == pytest.approx([1 / 6] * 6, abs=0.015)


def test_simulation_methods_without_a_die_choose_a_stone():
    position = boyi.game("einstein").start(setup=SETUP)
    assert shares(position, "1") == pytest.approx({"1": 3 / 7, "4": 1 / 7, "6": 3 / 7}, abs=0.015)
    assert shares(position, "3") == pytest.approx({"1": 1 / 3, "4": 1 / 3, "6": 1 / 3}, abs=0.015)


def test_methods_two_and_four_differ_where_the_stones_have_different_freedom():
    position = boyi.game("einstein").start(setup=SETUP).play("5")  # stone 4 (one move) or stone 6 (three moves)
    assert shares(position, "2")["b1-c1"] == pytest.approx(1 / 4, abs=0.015)
    assert shares(position, "4")["b1-c1"] == pytest.approx(1 / 2, abs=0.015)


def test_scored_simulation_goes_into_the_corner():
    position = boyi.game("einstein").start(setup="19 1 0 0 0 0 / 25 0 0 0 0 15").play("1")
    assert shares(position, "scored", 100) == {"d2-e1": 1.0}


@pytest.mark.parametrize(
    ("game", "key", "moves"),
    [
        ("gomoku:size=9", "9/9/9/9/OXXXX4/9/9/2OO5/9 X a5", {"f5"}),
        ("gomoku:size=9", "9/9/9/9/OXXXX4/9/9/2OOO4/9 O e5", {"f5"}),
        ("tictactoe", "XX1/OO1/3 b2", {"c3"}),
        ("einstein", "19 0 0 0 0 1 / 25 0 0 0 0 15 red 1", {"d2-e1"}),
    ],
)
def test_alert_playouts_win_or_block_at_once(game, key, moves):
    assert set(shares(boyi.game(game).position(key), "alert", 200)) == moves


@pytest.mark.parametrize("name", ["connect6:size=6", "einstein", "gomoku:size=6,win=4", "tictactoe"])
def test_wins_at_once_is_what_a_move_brings_about(name):
    game = boyi.game(name)
    dice = random.Random(3)
    wins = 0
    for seed in range(30):
        position = game.start(seed=seed)
        while position.turn is not None:
            for action in position.actions:
                end = position.play_action(action).outcome
                brings = end is not None and end.winner == position.turn
                assert bool(wins_at_once(game.rules, position.state.copy(), action)) == brings
                wins += brings
            position = position.play(dice.choice(position.moves))
    assert wins > 10


def play_out(game: boyi.Game, first: str, second: str, seed: int) -> int | None:
    """The winner of one game."""
    players = [boyi.player(first, game, seed=seed), boyi.player(second, game, seed=seed)]
    position, dice = game.start(seed=seed), random.Random(seed)
    while position.turn is not None:
        if position.chances:
            position = position.play(dice.choice(position.moves))
        else:
            position = position.play(players[position.turn].choose(position).move)
    assert position.outcome is not None
    return position.outcome.winner


def test_weakest_loses_to_random_moves():
    game = boyi.game("othello")
    assert [play_out(game, "weakest:sims=300", "random", seed) for seed in range(4)] == [1, 1, 1, 1]


def test_weakest_does_not_win_against_one_who_tries_to_lose():
    game = boyi.game("gomoku", size=7)
    for seed in range(2):
        assert play_out(game, "weakest:sims=1500", "weakest:sims=200,how=least", seed) != 0
        assert play_out(game, "weakest:sims=200,how=least", "weakest:sims=1500", seed) != 1


def test_unknown_playouts_are_named():
    with pytest.raises(boyi.GameError, match="'3'"):
        playout_policy(boyi.game("othello"), "3")
