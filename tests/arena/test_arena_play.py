"""One game: clocks, failures of engines, verdicts of exact search."""

import random
import time
from collections.abc import Iterator

import pytest

import boyi
from boyi.arena.control import MARGIN_S, Clocks, Control
from boyi.arena.match import Schedule
from boyi.arena.play import Play, adjudicated
from boyi.players import Choice, Limit, Player
from boyi.protocols.errors import EngineFailure, Reason

TICTACTOE = boyi.game("tictactoe")


class First(Player):
    """The first legal move, and what it was allowed."""

    def __init__(self, game: boyi.Game, *, seed: int = 0, seen: list[Limit] | None = None, sleep_s: float = 0) -> None:
        super().__init__(game, seed=seed)
        self.seen = [] if seen is None else seen
        self.sleep_s = sleep_s

    def think(self, position: boyi.Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        self.seen.append(limit)
        time.sleep(self.sleep_s)
        yield Choice(position.moves[0], value=0.25, score=float("nan"))


class Broken(Player):
    """An engine that dies on its first move."""

    def think(self, position: boyi.Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        raise EngineFailure(Reason.CRASH, "exit code 3", "engine", ["ready", "out of memory"])


def test_a_clock_runs_down_and_is_shared_out() -> None:
    clocks = Clocks(Control(Limit(simulations=7), game_s=2.0, increment_s=0.1))
    assert clocks.limit(0).simulations == 7
    assert clocks.limit(0).seconds == pytest.approx((2 - MARGIN_S) / 20 + 0.075)
    assert clocks.spend(0, 1.5)
    assert clocks.limit(0).seconds == pytest.approx((0.6 - MARGIN_S) / 20 + 0.075)
    assert clocks.limit(1).seconds == pytest.approx((2 - MARGIN_S) / 20 + 0.075)
    assert clocks.spend(0, 0.6)
    assert not clocks.spend(0, 0.2)


def test_a_player_is_never_allowed_more_than_is_left() -> None:
    clocks = Clocks(Control(game_s=1.0, increment_s=10.0))
    assert clocks.limit(0).seconds == pytest.approx(1.0 - MARGIN_S)
    assert Clocks(Control(Limit(seconds=0.01), game_s=1.0)).limit(0).seconds == 0.01
    drained = Clocks(Control(game_s=1.0))
    assert drained.spend(1, 0.999)
    assert drained.limit(1).seconds == 0


def test_without_a_clock_the_limit_of_a_move_stands() -> None:
    clocks = Clocks(Control(Limit(seconds=3)))
    assert clocks.limit(0) == Limit(seconds=3)
    assert clocks.spend(0, 1e9)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"game_s": 0}, "game seconds 0"),
        ({"game_s": float("nan")}, "game seconds nan"),
        ({"game_s": 1, "increment_s": -1}, "increment -1"),
        ({"increment_s": 1}, "increment 1 needs a clock"),
    ],
)
def test_impossible_clocks_are_refused(options: dict[str, float], named: str) -> None:
    with pytest.raises(boyi.GameError, match=named):
        Control(**options)  # type: ignore[arg-type]


def test_who_oversteps_the_clock_loses_on_time() -> None:
    schedule = Schedule(TICTACTOE, 2, control=Control(game_s=0.05), openings=0)
    for seat in (0, 1):
        row = schedule.play(0, seat, lambda seed: First(TICTACTOE, sleep_s=0.08), lambda seed: First(TICTACTOE))
        assert row.winner == 1 - seat
        assert row.points == 0
        assert row.forfeit
        assert row.reason.startswith(f"{TICTACTOE.players[seat]} overstepped its time: 0.")
        assert row.num_moves[0] == 1
        assert len(row.thoughts) == len(row.history)


def test_the_clock_reaches_the_players() -> None:
    seen: list[Limit] = []
    schedule = Schedule(TICTACTOE, 1, control=Control(game_s=100.0), openings=0)
    schedule.play(0, 0, lambda seed: First(TICTACTOE, seen=seen), lambda seed: First(TICTACTOE))
    assert len(seen) == 4
    assert seen[0].seconds == pytest.approx(100 / 20, abs=0.01)
    assert all(limit.seconds is not None and 4 < limit.seconds < 5 for limit in seen)


def test_an_engine_that_fails_loses_with_its_reason_and_last_lines() -> None:
    schedule = Schedule(TICTACTOE, 2, openings=2)
    row = schedule.play(0, 1, lambda seed: Broken(TICTACTOE), lambda seed: First(TICTACTOE))
    assert row.forfeit
    assert row.winner == 0
    assert row.reason == "O crashed: exit code 3; its last lines: ready | out of memory"

    def missing(seed: int) -> Player:
        raise EngineFailure(Reason.STARTUP_TIMEOUT, "", "engine", [])

    row = schedule.play(0, 0, missing, lambda seed: First(TICTACTOE))
    assert (row.winner, row.forfeit, row.reason) == (1, True, "X said nothing at its start")


def test_thoughts_belong_to_the_moves() -> None:
    row = Schedule(TICTACTOE, 1, openings=2).play(0, 0, lambda seed: First(TICTACTOE), lambda seed: First(TICTACTOE))
    assert len(row.thoughts) == len(row.history)
    assert row.thoughts[:2] == (None, None)
    spoken = [thought for thought in row.thoughts[2:] if thought is not None]
    assert len(spoken) == len(row.history) - 2 == sum(row.num_moves)
    assert {(thought.value, thought.score) for thought in spoken} == {(0.25, None)}
    assert sum(thought.seconds for thought in spoken) == pytest.approx(sum(row.seconds))


def test_exact_search_ends_what_is_decided() -> None:
    won = TICTACTOE.start().play("a1").play("a2").play("b1").play("b2")
    verdict = adjudicated(won, 10_000)
    assert verdict is not None
    assert verdict.winner == 0
    assert verdict.reason.startswith("adjudicated by ")
    drawn = adjudicated(TICTACTOE.start(), 100_000)
    assert drawn is not None
    assert drawn.winner is None


def test_a_game_ends_by_the_verdict_and_not_before() -> None:
    """First moves from both: X wins along the top row, which exact search sees after three plies."""
    sides = [(lambda seed: First(TICTACTOE), 0), (lambda seed: First(TICTACTOE), 0)]
    position, end = Play(sides, Control(), adjudicate=10_000).run(TICTACTOE.start(), random.Random(0))
    assert end.winner is None  # the empty board is a known draw
    assert position.history == ()
    opened = TICTACTOE.start().play("b2").play("b3")
    position, end = Play(sides, Control(), adjudicate=10_000).run(opened, random.Random(0))
    assert end.winner == 0
    assert position.history == ("b2", "b3")


def test_what_dice_can_still_turn_is_played_on(usual_tables: object) -> None:
    einstein = boyi.game("einstein")
    open_fight = einstein.start(setup="13 0 0 0 0 0 / 18 0 0 0 0 0", first="red").play("1")
    assert adjudicated(open_fight, 10_000) is not None  # red takes or passes: one move decides it
    uneven = einstein.start(setup="1 2 0 0 0 0 / 25 24 0 0 0 0", first="red").play("1")
    assert adjudicated(uneven, 10_000) is None


def test_openings_of_a_set_are_taken_in_turn() -> None:
    lines = ("a1 b1", "b2 a1", "c3 c2")
    schedule = Schedule(TICTACTOE, 12, seed=3, lines=lines)
    rows = [
        schedule.play(pair, seat, lambda seed: First(TICTACTOE), lambda seed: First(TICTACTOE))
        for pair in range(6)
        for seat in (0, 1)
    ]
    played = [" ".join(row.history[:2]) for row in rows]
    assert played[::2] == played[1::2]
    assert sorted(played[:6:2]) == sorted(played[6::2]) == sorted(lines)
