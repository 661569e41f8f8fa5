"""Playing kept games: moves, answers, dice, passes, undo, clocks, lists, and who may see what."""

import asyncio
from typing import Any

import pytest
from guests import Guest

from boyi.games import GameError, IllegalMove
from boyi.service import play
from boyi.service.errors import Busy, Conflict, NotFound
from boyi.service.opponents import OPPONENTS
from boyi.service.service import Service
from boyi.service.views import Clock, GameView, MoveRequest, NewGame

MUST_PASS = "-OX---------XXO- X"
"""Black plays a1, and White has nothing to play."""


def moves_of(view: GameView) -> list[str]:
    return [move.move for move in view.moves]


def my_turn(seat: int = 0) -> Any:
    return lambda view: view.status == "over" or (view.position.mover == seat and view.thinking is None)


async def play_to_the_end(guest: Guest, seat: int = 0) -> GameView:
    """The first legal move, always."""
    while True:
        view = await guest.until(my_turn(seat))
        if view.status == "over":
            return view
        ply = len(view.moves)
        if view.position.turn == -1:
            await guest.service.roll(guest.visitor, guest.id, ply)
        else:
            move = view.position.moves[0].move
            await guest.service.play_move(guest.visitor, guest.id, MoveRequest(move=move, ply=ply))


@pytest.mark.parametrize("rules", ["tictactoe", "othello:size=4", "gomoku:size=5,win=4", "connect6:size=6", "einstein"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_whole_game_against_an_opponent(run: Any, guest: Guest, rules: str, seat: int) -> None:
    run(guest.create(rules, *(("human", "random") if seat == 0 else ("random", "human"))))
    view = run(play_to_the_end(guest, seat))
    assert view.status == "over"
    assert view.outcome is not None
    assert view.outcome == view.position.outcome
    assert view.position.moves == []
    assert {move.player for move in view.moves} >= {0, 1}


@pytest.mark.parametrize("opponent", [found.name for found in OPPONENTS])
def test_every_opponent_answers(run: Any, guest: Guest, opponent: str) -> None:
    run(guest.create("tictactoe", "human", opponent))
    run(guest.play("a1"))
    view = run(guest.until(my_turn()))
    assert len(view.moves) == 2
    assert view.moves[1].player == 1


def test_an_opponent_of_strength_shows_that_it_thinks(run: Any, guest: Guest) -> None:
    run(guest.create("othello", "human", "strongest"))
    run(guest.play("d3"))
    view = run(guest.until(lambda view: view.thinking is not None and view.thinking.depth > 0))
    assert view.thinking is not None
    assert view.thinking.expected_s == 3.0
    assert len(view.moves) == 1
    run(guest.service.resign(guest.visitor, guest.id))


def test_a_move_sent_twice_is_played_once(run: Any, guest: Guest) -> None:
    run(guest.create("tictactoe"))

    async def twice() -> list[GameView]:
        wanted = MoveRequest(move="b2", ply=0)
        return await asyncio.gather(*(guest.service.play_move(guest.visitor, guest.id, wanted) for _ in range(5)))

    assert [moves_of(view) for view in run(twice())] == [["b2"]] * 5
    with pytest.raises(Conflict, match="has 1 moves, not 0"):
        run(guest.service.play_move(guest.visitor, guest.id, MoveRequest(move="a1", ply=0)))
    with pytest.raises(Conflict, match="has 1 moves, not 5"):
        run(guest.service.play_move(guest.visitor, guest.id, MoveRequest(move="a1", ply=5)))
    with pytest.raises(IllegalMove):
        run(guest.play("b2"))


def test_two_tabs_that_play_different_moves_get_one_of_them(run: Any, guest: Guest) -> None:
    run(guest.create("tictactoe"))

    async def both() -> list[Any]:
        wanted = [MoveRequest(move=move, ply=0) for move in ("a1", "c3")]
        played = (guest.service.play_move(guest.visitor, guest.id, move) for move in wanted)
        return await asyncio.gather(*played, return_exceptions=True)

    first, second = run(both())
    assert moves_of(first) == ["a1"]
    assert isinstance(second, Conflict)


def test_the_move_of_a_visitor_who_leaves_is_kept_and_answered(run: Any, guest: Guest) -> None:
    run(guest.create("tictactoe", "human", "random"))

    async def leave() -> None:
        task = asyncio.create_task(guest.service.play_move(guest.visitor, guest.id, MoveRequest(move="b2", ply=0)))
        await asyncio.sleep(0)
        task.cancel()

    run(leave())
    view = run(guest.until(lambda view: len(view.moves) in (0, 2)))
    assert moves_of(view)[:1] in ([], ["b2"])


def test_it_is_not_my_turn(run: Any, guest: Guest) -> None:
    run(guest.create("othello", "strongest", "human"))
    with pytest.raises(Conflict, match="opponent's turn"):
        run(guest.play("d3"))
    run(guest.service.delete_game(guest.visitor, guest.id))


class TestDice:
    def test_on_screen(self, run: Any, guest: Guest) -> None:
        view = run(guest.create("einstein", "human", "random", start="random"))
        assert (view.position.turn, view.position.mover) == (-1, 0)
        assert view.position.chances is not None
        with pytest.raises(Conflict, match="the app rolls"):
            run(guest.play("3"))
        rolled = [run(guest.service.roll(guest.visitor, guest.id, 0)) for _ in range(3)]
        assert len({view.position.key for view in rolled}) == 1
        assert rolled[0].moves[0].player == -1
        with pytest.raises(Conflict, match="nothing to roll"):
            run(guest.service.roll(guest.visitor, guest.id, 1))
        run(guest.play(rolled[0].position.moves[0].move))
        view = run(guest.until(lambda view: len(view.moves) == 4))
        assert [move.player for move in view.moves] == [-1, 0, -1, 1]

    def test_by_hand_for_both_sides(self, run: Any, guest: Guest) -> None:
        run(guest.create("einstein", "human", "random", dice="hand"))
        with pytest.raises(Conflict, match="by hand"):
            run(guest.service.roll(guest.visitor, guest.id, 0))
        view = run(guest.play("6"))
        view = run(guest.play(view.position.moves[0].move, "2"))
        view = run(guest.until(lambda view: len(view.moves) == 4))
        assert moves_of(view)[2] == "2"
        assert view.position.turn == -1

    def test_undo_takes_back_the_reply_and_the_rolls(self, run: Any, guest: Guest) -> None:
        run(guest.create("einstein", "human", "random"))
        view = run(guest.service.roll(guest.visitor, guest.id, 0))
        run(guest.play(view.position.moves[0].move))
        once = run(guest.until(lambda view: len(view.moves) == 4))
        back = run(guest.service.undo(guest.visitor, guest.id))
        assert back.position == view.position
        run(guest.play(view.position.moves[0].move))
        again = run(guest.until(lambda view: len(view.moves) == 4))
        assert moves_of(again)[:3] == moves_of(once)[:3], "taking back a move does not change the luck"

    def test_undo_by_hand(self, run: Any, guest: Guest) -> None:
        run(guest.create("einstein", "human", "random", dice="hand"))
        first = run(guest.play("6"))
        run(guest.play(first.position.moves[0].move, "2"))
        run(guest.until(lambda view: len(view.moves) == 4))
        assert len(run(guest.play("5")).moves) == 5
        assert len(run(guest.service.undo(guest.visitor, guest.id)).moves) == 4
        assert run(guest.service.undo(guest.visitor, guest.id)).position == first.position
        assert run(guest.service.undo(guest.visitor, guest.id)).moves == []
        with pytest.raises(Conflict, match="no move of a human"):
            run(guest.service.undo(guest.visitor, guest.id))


class TestPasses:
    def test_passes_are_announced(self, run: Any, guest: Guest) -> None:
        view = run(guest.create("othello:size=4", start=MUST_PASS))
        view = run(guest.play("a1"))
        assert [target.move for target in view.position.moves] == ["pass"]
        assert view.position.turn == 1
        view = run(guest.until(lambda view: len(view.moves) == 2))
        assert view.moves[1].passed
        assert view.position.passed
        assert view.position.turn == 0
        view = run(guest.service.undo(guest.visitor, guest.id))
        assert view.moves == []

    def test_a_human_may_pass_at_once(self, run: Any, guest: Guest) -> None:
        run(guest.create("othello:size=4", start=MUST_PASS))
        view = run(guest.play("a1", "pass"))
        assert view.moves[1].passed
        view = run(guest.service.play_move(guest.visitor, guest.id, MoveRequest(move="pass", ply=1)))
        assert len(view.moves) == 2


class TestUndo:
    def test_takes_back_the_answer_too(self, run: Any, guest: Guest) -> None:
        view = run(guest.create("tictactoe", "human", "random"))
        assert not view.can_undo
        run(guest.play("b2"))
        view = run(guest.until(lambda view: len(view.moves) == 2))
        assert view.can_undo
        assert run(guest.service.undo(guest.visitor, guest.id)).moves == []

    def test_while_the_opponent_thinks(self, run: Any, guest: Guest) -> None:
        run(guest.create("othello", "human", "strongest"))
        run(guest.play("d3"))
        view = run(guest.service.undo(guest.visitor, guest.id))
        assert (view.moves, view.thinking) == ([], None)
        run(asyncio.sleep(0.3))
        assert run(guest.show()).moves == []

    def test_first_stone_of_two(self, run: Any, guest: Guest) -> None:
        run(guest.create("connect6:size=6"))
        view = run(guest.play("c3", "c4"))
        assert view.position.turn == 1
        view = run(guest.service.undo(guest.visitor, guest.id))
        assert moves_of(view) == ["c3"]
        assert view.position.caption.endswith("two stones")

    def test_of_the_last_move_of_a_finished_game(self, run: Any, guest: Guest) -> None:
        run(guest.create("tictactoe"))
        view = run(guest.play("a1", "b1", "a2", "b2", "a3"))
        assert (view.status, view.outcome and view.outcome.winner) == ("over", 0)
        view = run(guest.service.undo(guest.visitor, guest.id))
        assert (view.status, view.outcome, len(view.moves)) == ("running", None, 4)

    def test_of_a_resignation(self, run: Any, guest: Guest) -> None:
        run(guest.create("tictactoe"))
        run(guest.play("a1"))
        view = run(guest.service.resign(guest.visitor, guest.id))
        assert view.outcome is not None
        assert (view.outcome.winner, view.outcome.reason) == (0, "resigned")
        with pytest.raises(Conflict, match="is over"):
            run(guest.play("b2"))
        view = run(guest.service.undo(guest.visitor, guest.id))
        assert (view.status, moves_of(view)) == ("running", ["a1"])


def test_resigning_against_an_opponent_that_thinks(run: Any, guest: Guest) -> None:
    run(guest.create("othello", "human", "strongest"))
    run(guest.play("d3"))
    view = run(guest.service.resign(guest.visitor, guest.id))
    assert view.outcome is not None
    assert view.outcome.winner == 1
    run(asyncio.sleep(0.2))
    assert len(run(guest.show()).moves) == 1


def test_a_rematch_changes_colours(run: Any, guest: Guest) -> None:
    run(guest.create("gomoku:size=7", "human", "random", name="eins", start="usual"))
    again = run(guest.service.rematch(guest.visitor, guest.id, swap=True))
    assert (again.seats, again.rules, again.name) == (("random", "human"), "gomoku:size=7", "eins")
    same = run(guest.service.rematch(guest.visitor, guest.id, swap=False))
    assert same.seats == ("human", "random")
    assert len({guest.id, again.id, same.id}) == 3


def test_swapping_sides_makes_the_opponent_move(run: Any, guest: Guest) -> None:
    run(guest.create("tictactoe", "human", "random"))
    view = run(guest.service.swap_sides(guest.visitor, guest.id))
    assert view.seats == ("random", "human")
    assert len(run(guest.until(lambda view: len(view.moves) == 1)).moves) == 1


def test_two_engines_play_until_paused(run: Any, guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "SHOW_S", 0.2)
    run(guest.create("othello:size=4", "random", "random"))
    run(guest.until(lambda view: len(view.moves) >= 3))
    paused = run(guest.service.pause(guest.visitor, guest.id))
    assert paused.paused
    run(asyncio.sleep(0.2))
    assert run(guest.show()).moves == paused.moves
    with pytest.raises(Conflict, match="nobody here can resign"):
        run(guest.service.resign(guest.visitor, guest.id))
    run(guest.service.go_on(guest.visitor, guest.id))
    assert run(guest.until(lambda view: view.status == "over")).outcome is not None


def test_engines_that_are_watched_take_their_time(run: Any, guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "SHOW_S", 0.3)
    run(guest.create("tictactoe", "random", "random"))
    seen = len(run(guest.until(lambda view: True)).moves)
    over = run(guest.until(lambda view: view.status == "over"))
    assert all(move.seconds >= 0.9 * play.SHOW_S for move in over.moves[seen + 2 :])


def test_engines_play_each_other_in_a_few_games_at_once(run: Any, guest: Guest) -> None:
    shows = [run(guest.create("gomoku", "strongest", "strongest")).id for _ in range(play.MAX_SHOWS)]
    with pytest.raises(Busy, match="engines play each other"):
        run(guest.create("gomoku", "strongest", "strongest"))
    run(guest.create("tictactoe", "human", "random"))
    for id in shows:
        run(guest.service.pause(guest.visitor, id))
    extra = run(guest.create("gomoku", "strongest", "strongest")).id
    for id in shows[1:]:
        run(guest.service.go_on(guest.visitor, id))
    with pytest.raises(Busy, match="engines play each other"):
        run(guest.service.go_on(guest.visitor, shows[0]))
    for id in [*shows, extra]:
        run(guest.service.delete_game(guest.visitor, id))


def test_a_paused_game_takes_no_moves(run: Any, guest: Guest) -> None:
    run(guest.create("tictactoe"))
    run(guest.service.pause(guest.visitor, guest.id))
    with pytest.raises(Conflict, match="paused"):
        run(guest.play("b2"))


class TestClocks:
    def test_time_runs_and_a_move_adds_to_it(self, run: Any, guest: Guest) -> None:
        view = run(guest.create("tictactoe", clock=Clock(minutes=1, increment_s=5)))
        assert view.remaining_s == pytest.approx((60, 60), abs=3)
        run(asyncio.sleep(0.3))
        view = run(guest.show())
        assert view.remaining_s is not None
        left = view.remaining_s[0]
        assert 55 < left < 59.8
        view = run(guest.play("b2"))
        assert view.remaining_s is not None
        assert 58 < view.remaining_s[1] <= 60
        assert 60 < view.remaining_s[0] <= left + 5
        assert view.moves[0].seconds == pytest.approx(65 - view.remaining_s[0], abs=0.05)

    def test_whoever_runs_out_of_time_loses(self, run: Any, guest: Guest) -> None:
        run(guest.create("tictactoe", clock=Clock(minutes=0.005)))
        view = run(guest.until(lambda view: view.status == "over"))
        assert view.outcome is not None
        assert (view.outcome.winner, view.outcome.reason) == (1, "time")
        assert view.remaining_s == (0.0, pytest.approx(0.3))
        with pytest.raises(Conflict, match="lost on time"):
            run(guest.service.undo(guest.visitor, guest.id))

    def test_a_move_after_the_time_is_no_move(self, run: Any, guest: Guest) -> None:
        run(guest.create("tictactoe", clock=Clock(minutes=0.002)))

        async def late() -> GameView:
            import time

            time.sleep(0.15)  # the loop has no chance to end the game by itself
            return await guest.service.play_move(guest.visitor, guest.id, MoveRequest(move="b2", ply=0))

        view = run(late())
        assert view.moves == []
        assert view.outcome is not None
        assert view.outcome.reason == "time"

    def test_a_pause_stops_the_clock(self, run: Any, guest: Guest) -> None:
        run(guest.create("tictactoe", clock=Clock(minutes=0.025)))
        run(guest.service.pause(guest.visitor, guest.id))
        run(asyncio.sleep(1.6))
        view = run(guest.service.go_on(guest.visitor, guest.id))
        assert view.status == "running"
        assert view.remaining_s is not None
        assert view.remaining_s[0] > 0.2

    def test_an_opponent_hurries_when_it_has_little_time(self, run: Any, guest: Guest) -> None:
        run(guest.create("othello", "strongest", "human", clock=Clock(minutes=0.2)))
        view = run(guest.until(lambda view: len(view.moves) == 1 or view.status == "over"))
        assert view.moves[0].seconds < 3, "which it takes without a clock"


class TestKeeping:
    def test_a_game_of_somebody_else_does_not_exist(self, run: Any, guest: Guest, service: Service) -> None:
        run(guest.create("tictactoe"))
        stranger = service.visitor("somebody else")
        for action in (
            service.show_game(stranger, guest.id),
            service.play_move(stranger, guest.id, MoveRequest(move="b2", ply=0)),
            service.undo(stranger, guest.id),
            service.delete_game(stranger, guest.id),
            service.export_game(stranger, guest.id, "json"),
            service.hint(stranger, guest.id),
            service.known_review(stranger, guest.id),
            service.rematch(stranger, guest.id, swap=True),
            anext(service.watch_game(stranger, guest.id)),
        ):
            with pytest.raises(NotFound):
                run(action)

    @pytest.mark.parametrize("id", ["", "x", "0" * 16, "../../etc/passwd", "' OR 1=1 --", "a\0b", "\ud800", "ü" * 5000])
    def test_ids_that_are_none(self, run: Any, service: Service, visitor: str, id: str) -> None:
        with pytest.raises(NotFound):
            run(service.show_game(visitor, id))
        with pytest.raises(NotFound):
            run(service.shared_game(id))

    def test_sharing(self, run: Any, guest: Guest, service: Service) -> None:
        run(guest.create("tictactoe"))
        shared = run(service.share_game(guest.visitor, guest.id))
        assert run(service.share_game(guest.visitor, guest.id)).share == shared.share
        assert shared.mine
        run(guest.play("b2"))
        seen = run(service.shared_game(shared.share))
        assert (seen.id, seen.mine, moves_of(seen)) == (guest.id, False, ["b2"])

    def test_names_lose_what_a_database_cannot_keep(self, run: Any, guest: Guest, service: Service) -> None:
        run(guest.create("tictactoe", name="one"))
        view = run(service.rename_game(guest.visitor, guest.id, "<script>\0\ud800\n名"))
        assert view.name == "<script>名"

    def test_the_list_is_paged_and_the_newest_comes_first(self, run: Any, guest: Guest, service: Service) -> None:
        ids = [run(guest.create(rules)).id for rules in ("tictactoe", "gomoku:size=5", "gomoku:size=6", "othello")]
        guest.id = ids[0]
        run(guest.play("b2"))
        order = [ids[0], *ids[:0:-1]]
        seen, after = [], None
        while True:
            page = run(service.list_games(guest.visitor, after=after, limit=3))
            seen += [game.id for game in page.games]
            if (after := page.next) is None:
                break
        assert seen == order
        assert page.games[-1].title == "Gomoku"
        gomoku = run(service.list_games(guest.visitor, rules="gomoku"))
        assert [game.rules for game in gomoku.games] == ["gomoku:size=6", "gomoku:size=5"]
        assert len(run(service.list_games(guest.visitor, rules="gomoku:size=6")).games) == 1
        with pytest.raises(NotFound):
            run(service.list_games(guest.visitor, after="nonsense"))
        with pytest.raises(GameError):
            run(service.list_games(guest.visitor, rules="chess"))

    def test_deleting(self, run: Any, guest: Guest, service: Service) -> None:
        run(guest.create("othello", "strongest", "human"))
        run(service.delete_game(guest.visitor, guest.id))
        with pytest.raises(NotFound):
            run(guest.show())
        assert run(service.list_games(guest.visitor)).games == []

    def test_a_deleted_game_ends_its_watchers(self, run: Any, guest: Guest, service: Service) -> None:
        run(guest.create("tictactoe"))

        async def watch() -> int:
            seen = 0
            async for _ in service.watch_game(guest.visitor, guest.id):
                seen += 1
                if seen == 1:
                    asyncio.get_running_loop().create_task(service.delete_game(guest.visitor, guest.id))
            return seen

        assert run(watch()) == 1

    def test_there_is_a_limit(self, run: Any, guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(play, "MAX_GAMES", 2)
        run(guest.create("tictactoe"))
        run(guest.create("tictactoe"))
        with pytest.raises(Busy, match="2 games"):
            run(guest.create("tictactoe"))

    @pytest.mark.parametrize("format", ["key", "moves", "json", "svg", "png"])
    def test_export(self, run: Any, guest: Guest, service: Service, format: Any) -> None:
        run(guest.create("tictactoe", name="ä"))
        view = run(guest.play("b2", "a1"))
        found = run(service.export_game(guest.visitor, guest.id, format))
        expected = {
            "key": view.position.key.encode() + b"\n",
            "moves": b"b2 a1\n",
            "json": b'"rules": "tictactoe"',
            "svg": b"<svg",
            "png": b"\x89PNG",
        }[format]
        assert expected in found.content
        assert found.file_name.startswith(f"tictactoe-{guest.id}")


@pytest.mark.parametrize(
    ("wanted", "error", "message"),
    [
        ({"rules": "chess"}, GameError, "unknown game 'chess'"),
        ({"rules": "/etc/passwd.py"}, GameError, "unknown game"),
        ({"rules": "rules.py:size=3"}, GameError, "unknown game"),
        ({"rules": "gomoku:size=99"}, GameError, "size=99"),
        ({"rules": "tictactoe", "seats": ("human", "cmd:gtp:rm -rf /")}, NotFound, "nobody called"),
        ({"rules": "tictactoe", "seats": ("mcts:sims=9", "human")}, NotFound, "nobody called"),
        ({"rules": "tictactoe", "start": "random"}, GameError, "always starts the same"),
        ({"rules": "tictactoe", "start": "XX1/3/3"}, GameError, "cannot come about"),
        ({"rules": "tictactoe", "moves": ["b2", "b2"]}, IllegalMove, "illegal move 'b2'"),
    ],
)
def test_games_that_cannot_be(run: Any, service: Service, visitor: str, wanted: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        run(service.create_game(visitor, NewGame(**({"seats": ("human", "human")} | wanted))))


def test_a_game_goes_on_from_a_position(run: Any, guest: Guest) -> None:
    view = run(guest.create("othello:size=6", "human", "random", moves=["c2"]))
    assert moves_of(view) == ["c2"]
    assert len(run(guest.until(lambda view: len(view.moves) == 2)).moves) == 2
    run(guest.create("othello:size=6", start=view.position.key))
    assert run(guest.show()).start == view.position.key


def test_many_games_at_once(run: Any, service: Service) -> None:
    """Thirty visitors play at the same time."""

    async def one(number: int) -> GameView:
        guest = Guest(service, service.visitor(f"crowd {number}"))
        await guest.create("tictactoe", "human", "random")
        return await play_to_the_end(guest)

    async def all_of_them() -> list[GameView]:
        return await asyncio.gather(*(one(number) for number in range(30)))

    assert all(view.status == "over" for view in run(all_of_them()))


def test_memory_of_finished_visits_comes_back(
    run: Any, service: Service, visitor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "MAX_LIVE", 5)

    async def visits() -> None:
        for _ in range(20):
            guest = Guest(service, visitor)
            await guest.create("tictactoe", "human", "random")
            await guest.play("b2")
            await guest.until(lambda view: len(view.moves) == 2)
        await asyncio.sleep(0.05)

    run(visits())
    assert len([live for live in service._play.live.values() if live.idle]) <= 6
    mine = [live for live in service._play.live.values() if live.record.visitor == visitor]
    assert not [live for live in mine if live.driver or live.timer or live.watchers]
    assert not service._play._tasks
    games = run(service.list_games(visitor)).games
    assert len(games) == 20
    assert {game.plies for game in games} == {2}
