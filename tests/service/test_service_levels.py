"""Levels for visitors: every one can sit down, one is suggested after a few games, and one follows."""

from typing import Any

import pytest
from guests import Guest

import boyi
from boyi.service.errors import NotFound
from boyi.service.levels import FIRST, elos, likeliest
from boyi.service.opponents import opponent
from boyi.service.service import Service

WON = ["b2", "b1", "a1", "a2", "c3"]
"""Tic-tac-toe: the first player wins."""


def test_results_move_the_suggestion(run: Any, service: Service, guest: Guest, visitor: str) -> None:
    async def course() -> None:
        before = await service.levels(visitor, "tictactoe")
        assert (before.suggested, before.elo, before.games, len(before.levels)) == (FIRST, None, 0, 11)
        followed = await guest.create("tictactoe", "human", "level:auto")
        assert followed.seats == ("human", f"level:{FIRST}")
        for _ in range(4):
            await guest.create("tictactoe", "human", "level:8", moves=WON)
        after = await service.levels(visitor, "tictactoe")
        assert after.games == 4
        assert after.elo is not None
        assert after.suggested > FIRST
        assert (await service.levels("somebody else", "tictactoe")).games == 0
        for _ in range(8):
            await guest.create("tictactoe", "level:1", "human", moves=WON)
        assert (await service.levels(visitor, "tictactoe")).suggested < after.suggested
        with pytest.raises(NotFound):
            await guest.create("tictactoe", "human", "level:11")

    run(course())


def test_a_level_plays(run: Any, guest: Guest) -> None:
    async def course() -> None:
        await guest.create("tictactoe", "level:4", "human")
        await guest.until(lambda view: len(view.moves) == 1)

    run(course())


def test_the_likeliest_strength() -> None:
    assert likeliest([], 500.0) == pytest.approx(500, abs=10)
    even = likeliest([(1000.0, 1.0), (1000.0, 0.0)] * 20, 0.0)
    assert even == pytest.approx(1000, abs=60)
    assert likeliest([(1000.0, 1.0)] * 3, 0.0) > likeliest([(1000.0, 1.0)], 0.0) > 0


@pytest.mark.parametrize("name", ["othello", "gomoku", "connect6", "einstein", "tictactoe"])
def test_levels_are_in_order_and_can_sit_down(name: str) -> None:
    known = elos(boyi.game(name))
    assert known == sorted(known)
    for number in range(11):
        assert opponent(f"level:{number}").thinker.player == f"level:{number}"
