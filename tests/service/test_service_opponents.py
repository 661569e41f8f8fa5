"""The opponents are in the order of their strength, and low levels need no time to speak of."""

import random

import pytest

import boyi
from boyi.service.opponents import OPPONENTS, QUICK_S, analyst, opponent


def points(rules: str, first: str, second: str, games: int) -> float:
    """What the first wins of that many games, colours changing."""
    game = boyi.game(rules)
    won = 0.0
    for number in range(games):
        seats = (first, second) if number % 2 == 0 else (second, first)
        players = [
            boyi.player(opponent(name).thinker_for(game).player, game, seed=2 * number + seat)
            for seat, name in enumerate(seats)
        ]
        luck = random.Random(f"dice {number}")
        position = game.start(seed=number // 2)
        while position.turn is not None:
            chance = position.turn == boyi.CHANCE
            move = luck.choice(position.moves) if chance else players[position.turn].choose(position).move
            position = position.play(move)
        assert position.outcome is not None
        winner = position.outcome.winner
        won += 0.5 if winner is None else float(seats[winner] == first)
    return won


@pytest.mark.parametrize(
    ("rules", "weaker", "stronger"),
    [
        ("einstein", "weakest", "random"),
        ("einstein", "random", "medium"),
        ("othello:size=6", "weakest", "random"),
        ("othello:size=6", "random", "easy"),
        ("gomoku:size=9", "beginner", "medium"),
        ("tictactoe", "random", "medium"),
    ],
)
def test_the_order(rules: str, weaker: str, stronger: str) -> None:
    assert points(rules, stronger, weaker, 16) >= 11


def test_the_order_of_time() -> None:
    times = [found.thinks_s for found in OPPONENTS]
    assert times == sorted(times)
    for found in OPPONENTS[:-2]:
        assert found.thinks_s <= QUICK_S
        for name in boyi.games():
            assert found.thinker_for(boyi.game(name)).seconds is None


def test_all_are_players() -> None:
    for name in boyi.games():
        game = boyi.game(name)
        for found in OPPONENTS:
            boyi.player(found.thinker_for(game).player, game)
        boyi.player(analyst(game), game)
