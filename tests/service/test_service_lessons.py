"""Learning from mistakes: which positions are asked, how answers are judged, and when they come back."""

from typing import Any

import pytest
from guests import Guest

from boyi.games.errors import IllegalMove
from boyi.service.errors import NotFound
from boyi.service.lessons import DAY, FAILED_S, Kept
from boyi.service.service import Service
from boyi.service.views import ReviewRequest

BLUNDER = ["b2", "b1", "a1", "a2", "c3"]
"""Tic-tac-toe: O's b1 and a2 lose; X wins on the diagonal."""


async def reviewed(service: Service, guest: Guest, seats: tuple[str, str]) -> str:
    game = await guest.create("tictactoe", *seats, moves=BLUNDER)
    async for _ in service.review_game(guest.visitor, game.id, ReviewRequest(seconds_per_move=0.2)):
        pass
    return game.id


def test_own_mistakes_are_asked_and_judged(run: Any, service: Service, guest: Guest, visitor: str) -> None:
    async def course() -> None:
        assert (await service.lessons(visitor)).lessons == []
        first = await guest.create("tictactoe", "random", "human", moves=BLUNDER)
        assert (await service.lessons(visitor)).unreviewed == [first.id]
        game = await reviewed(service, guest, ("random", "human"))
        found = await service.lessons(visitor)
        assert found.unreviewed == [first.id]
        assert (found.due, found.learnt) == (len(found.lessons), 0)
        asked = found.lessons[0]
        assert (asked.game, asked.ply, asked.mover, asked.played) == (game, 1, 1, "b1")
        assert asked.loss >= 0.5
        assert (await service.lessons(visitor, game=first.id)).lessons == []

        with pytest.raises(IllegalMove):
            await service.answer_lesson(visitor, asked.id, "b2")
        wrong = await service.answer_lesson(visitor, asked.id, "b3")
        assert not wrong.right
        assert wrong.best in ("a1", "a3", "c1", "c3")
        assert (wrong.lesson.box, wrong.lesson.tries, wrong.lesson.solved) == (0, 1, 0)
        later = await service.lessons(visitor)
        assert later.due == found.due - 1
        right = await service.answer_lesson(visitor, asked.id, "a1")
        assert right.right
        assert right.loss < 0.1
        assert (right.lesson.box, right.lesson.tries, right.lesson.solved) == (1, 2, 1)
        assert right.lesson.due > wrong.lesson.due
        assert (await service.lessons(visitor)).learnt == 1

        with pytest.raises(NotFound):
            await service.answer_lesson("somebody else", asked.id, "a1")
        for unknown in ("", "x", "0" * 16 + "-1", asked.id + "9"):
            with pytest.raises(NotFound):
                await service.answer_lesson(visitor, unknown, "a1")

    run(course())


def test_the_computers_mistakes_are_not_asked(run: Any, service: Service, guest: Guest, visitor: str) -> None:
    async def course() -> None:
        await reviewed(service, guest, ("human", "random"))
        assert [lesson.mover for lesson in (await service.lessons(visitor)).lessons if lesson.mover == 1] == []

    run(course())


def test_what_was_solved_rests_longer_each_time() -> None:
    kept = Kept()
    waits = []
    for right in (True, True, False, True):
        kept = kept.answered(right, 0)
        waits.append(kept.due / 1e6)
    assert waits == [DAY, 3 * DAY, FAILED_S, DAY]
    assert (kept.box, kept.tries, kept.solved) == (1, 4, 3)
    for _ in range(20):
        kept = kept.answered(True, 0)
    assert kept.due == int(60 * DAY * 1e6)
