"""Live analysis, hints, reviews, pictures and the editor."""

import asyncio
import time
from contextlib import aclosing
from typing import Any

import pytest
from guests import Guest

import boyi
from boyi.games import BadPosition, GameError
from boyi.service.errors import Conflict
from boyi.service.service import Service
from boyi.service.views import (
    AnalysisRequest,
    AnalysisView,
    ComposeRequest,
    PictureRequest,
    PositionRequest,
    ReviewRequest,
    ReviewView,
)

WON = "XX1/OO1/3"
"""X to move wins at c3."""


async def analysed(service: Service, visitor: str, rules: str, key: str, seconds: float) -> list[AnalysisView]:
    wanted = AnalysisRequest(rules=rules, key=key, seconds=seconds)
    return [view async for view in service.analyse(visitor, wanted)]


def test_an_exact_answer_is_marked_and_kept(run: Any, service: Service, visitor: str) -> None:
    views = run(analysed(service, visitor, "tictactoe", WON, 5))
    last = views[-1]
    assert (last.move, last.value, last.exact, last.finished) == ("c3", 1.0, True, True)
    assert last.lines[0].moves == ["c3"]
    assert last.seconds < 5
    again = run(analysed(service, visitor, "tictactoe", WON, 60))
    assert len(again) == 1
    assert again[0].model_copy(update={"finished": True}) == last
    assert run(service.known_analysis("tictactoe", WON)) == last


def test_what_is_known_comes_first_and_never_gets_worse(run: Any, service: Service, visitor: str) -> None:
    key = boyi.game("othello").start().play("d3").key
    first = run(analysed(service, visitor, "othello", key, 0.4))
    assert first[-1].finished
    assert {line.move for line in first[-1].lines} == {"c3", "c5", "e3"}
    assert first[-1].value == pytest.approx(0, abs=0.5)
    assert first[-1].wdl is not None
    again = run(analysed(service, service.visitor("another"), "othello", key, 1.0))
    assert again[0].simulations == first[-1].simulations
    assert not again[0].finished
    counts = [view.simulations for view in again]
    assert counts == sorted(counts)
    assert again[-1].finished


def test_a_finished_game_is_its_own_analysis(run: Any, service: Service, visitor: str) -> None:
    views = run(analysed(service, visitor, "tictactoe", "XXX/OO1/3", 5))
    assert len(views) == 1
    assert (views[0].value, views[0].exact, views[0].move, views[0].lines) == (1.0, True, None, [])


def test_a_roll_is_the_average_of_its_outcomes(run: Any, service: Service, visitor: str) -> None:
    key = boyi.game("einstein").start().key
    last = run(analysed(service, visitor, "einstein", key, 1.0))[-1]
    assert [line.move for line in last.lines] == ["1", "2", "3", "4", "5", "6"]
    assert last.value == pytest.approx(sum(line.value for line in last.lines) / 6)
    assert last.move is None


def test_leaving_an_analysis_frees_the_engine_and_keeps_what_was_found(
    run: Any, service: Service, visitor: str
) -> None:
    key = boyi.game("gomoku", size=7).start().key

    async def leave() -> None:
        views = service.analyse(visitor, AnalysisRequest(rules="gomoku:size=7", key=key, seconds=600))
        async with aclosing(views):  # type: ignore[type-var]
            async for view in views:
                if view.simulations:
                    break
        while (await service.status()).busy:
            await asyncio.sleep(0.01)
        while await service.known_analysis("gomoku:size=7", key) is None:
            await asyncio.sleep(0.01)

    begun = time.monotonic()
    run(leave())
    assert time.monotonic() - begun < 60


def test_nonsense_is_refused(run: Any, service: Service, visitor: str) -> None:
    for rules, key in (("chess", "x"), ("othello", "nonsense"), ("../x.py", "x")):
        with pytest.raises(GameError):
            run(analysed(service, visitor, rules, key, 1))


class TestHints:
    def test_a_hint_has_a_reason(self, run: Any, guest: Guest) -> None:
        run(guest.create("tictactoe", start=WON))
        found = run(guest.service.hint(guest.visitor, guest.id))
        assert (found.move, found.value, found.exact) == ("c3", 1.0, True)

    def test_where_nothing_is_to_decide(self, run: Any, guest: Guest) -> None:
        run(guest.create("einstein"))
        with pytest.raises(Conflict, match="die"):
            run(guest.service.hint(guest.visitor, guest.id))
        run(guest.create("tictactoe", start="XXX/OO1/3"))
        with pytest.raises(Conflict, match="nothing to decide"):
            run(guest.service.hint(guest.visitor, guest.id))


class TestReviews:
    async def reviewed(self, guest: Guest, seconds: float = 0.1) -> list[ReviewView]:
        wanted = ReviewRequest(seconds_per_move=seconds)
        return [view async for view in guest.service.review_game(guest.visitor, guest.id, wanted)]

    def test_the_blunder_is_found(self, run: Any, guest: Guest) -> None:
        """X threatens at a3; O looks away, X wins."""
        run(guest.create("tictactoe", moves=["a1", "b2", "a2", "c1", "a3"]))
        assert run(guest.service.known_review(guest.visitor, guest.id)) is None
        views = run(self.reviewed(guest))
        last = views[-1]
        assert [view.finished for view in views] == [False] * (len(views) - 1) + [True]
        assert (last.done, last.total, len(last.points)) == (6, 6, 6)
        assert last.mistakes == [3]
        assert (last.points[3].best, last.points[3].player) == ("a3", 1)
        assert last.points[3].loss == pytest.approx(1.0, abs=0.2)
        assert [point.value for point in last.points[4:]] == [1.0, 1.0]
        assert (last.points[5].loss, last.points[5].move, last.points[5].exact) == (None, None, True)
        assert run(guest.service.known_review(guest.visitor, guest.id)) == last
        run(guest.service.undo(guest.visitor, guest.id))
        assert run(guest.service.known_review(guest.visitor, guest.id)) is None

    def test_rolls_are_no_mistakes(self, run: Any, guest: Guest) -> None:
        run(guest.create("einstein", dice="hand"))
        view = run(guest.play("1"))
        run(guest.play(view.position.moves[0].move, "2"))
        last = run(self.reviewed(guest, 0.05))[-1]
        assert [point.player for point in last.points] == [-1, 0, -1, 1]
        assert [point.loss is None for point in last.points] == [True, False, True, True]
        assert last.points[2].value is not None


class TestPositions:
    def test_moves_from_a_key(self, run: Any, service: Service) -> None:
        view = run(service.show_position(PositionRequest(rules="othello", moves=["d3", "c3"])))
        assert view.last == [18]
        assert (view.turn, view.mover, view.passed) == (0, 0, False)
        again = run(service.show_position(PositionRequest(rules="othello", key=view.key)))
        assert again.model_dump(exclude={"last"}) == view.model_dump(exclude={"last"})
        assert again.last == [18]
        assert {target.move for target in view.moves} == {"b3", "b4", "c4", "d6", "e6", "f6"} or view.moves

    def test_the_editor(self, run: Any, service: Service) -> None:
        cells = [["X", "X", ""], ["O", "O", ""], ["", "", ""]]
        view = run(service.compose_position(ComposeRequest(rules="tictactoe", cells=cells, turn=0)))
        assert view.key == WON
        with pytest.raises(BadPosition, match="is no piece"):
            run(service.compose_position(ComposeRequest(rules="tictactoe", cells=[["Z"] * 3] * 3, turn=0)))

    def test_the_catalogue(self, run: Any, service: Service) -> None:
        found = run(service.catalogue())
        games = {game.name: game for game in found.games}
        assert games["einstein"].has_dice
        assert games["einstein"].has_setup
        assert games["gomoku"].parameters[0].default == 15
        assert not games["othello"].has_dice
        assert [found.opponents[0].name, found.opponents[-1].name] == ["weakest", "strongest"]

    @pytest.mark.parametrize("format", ["svg", "png"])
    @pytest.mark.parametrize("values", ["none", "value", "visits", "prior"])
    def test_pictures(self, run: Any, service: Service, visitor: str, format: Any, values: Any) -> None:
        run(analysed(service, visitor, "tictactoe", WON, 0.2))
        wanted = PictureRequest(rules="tictactoe", key=WON, format=format, values=values, size=200, theme="dark")
        found = run(service.picture(wanted))
        assert found.content.startswith(b"\x89PNG" if format == "png" else b"<svg")
        if format == "svg":
            assert (b">100<" in found.content) == (values == "value")
