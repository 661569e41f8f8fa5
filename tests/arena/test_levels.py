"""Strength levels: limits that nobody can raise, slips, the data, and how levels are chosen."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import boyi
from boyi.arena import Plan
from boyi.arena.calibrate import CANDIDATES, calibration, chosen_levels, evenly, spacing, write_levels
from boyi.arena.ratings import Ratings, rate
from boyi.arena.report import Entry, Standings
from boyi.players import Choice, Limit, Player, levels_of, player
from boyi.players.levels import HIGHEST, RANDOM, STRONGEST, USUAL, WEAKEST, LimitedPlayer, lower

TICTACTOE = boyi.game("tictactoe")


class Spy(Player):
    def __init__(self, game: boyi.Game, *, seed: int = 0) -> None:
        super().__init__(game, seed=seed)
        self.seen: list[Limit] = []
        self.closed = False

    def think(self, position: boyi.Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        self.seen.append(limit)
        yield Choice(position.moves[0])

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("name", boyi.games())
def test_every_game_has_measured_levels(name: str) -> None:
    found = levels_of(boyi.game(name))
    assert found.game == name
    assert [level.number for level in found.levels] == list(range(HIGHEST + 1))
    assert found.levels[0].player == WEAKEST
    assert found.levels[-1].player == STRONGEST
    assert f"boyi levels {name} --calibrate" in found.command
    for level in found.levels:
        assert level.elo is not None
        assert level.low is not None
        assert level.high is not None
        assert level.low <= level.elo <= level.high
    assert len({level.player for level in found.levels}) == HIGHEST + 1
    elo = [level.elo for level in found.levels if level.elo is not None]
    assert elo[0] < 0
    assert elo[0] < elo[5] < elo[10]
    assert elo[10] > elo[0] + 200


@pytest.mark.parametrize("name", boyi.games())
@pytest.mark.parametrize("number", [0, 3, 7, 10])
def test_levels_play(name: str, number: int) -> None:
    game = boyi.game(name)
    position = game.start(seed=1)
    while position.turn == boyi.CHANCE:
        position = position.play(position.moves[0])
    with player(f"level:{number}", game, seed=5) as thinker:
        assert thinker.choose(position, Limit(seconds=0.01)).move in position.moves


def test_variants_share_levels_and_own_games_have_the_usual_ones(at_root: object) -> None:
    assert levels_of(boyi.game("gomoku", size=9)) == levels_of(boyi.game("gomoku"))
    own = levels_of(boyi.game("examples/connect_four.py"))
    assert [level.player for level in own.levels] == list(USUAL)
    assert len(USUAL) == HIGHEST + 1
    assert {level.elo for level in own.levels} == {None}


def test_a_limit_cannot_be_raised() -> None:
    spy = Spy(TICTACTOE)
    limited = LimitedPlayer(TICTACTOE, spy, Limit(simulations=20, seconds=2.0), 0.0)
    limited.choose(TICTACTOE.start())
    limited.choose(TICTACTOE.start(), Limit(simulations=1000, seconds=0.5, memory_mb=7))
    limited.choose(TICTACTOE.start(), Limit(simulations=5, nodes=9))
    assert spy.seen == [
        Limit(simulations=20, seconds=2.0),
        Limit(simulations=20, seconds=0.5, memory_mb=7),
        Limit(simulations=5, nodes=9, seconds=2.0),
    ]
    limited.close()
    assert spy.closed
    assert lower(Limit(), Limit()) == Limit()


def test_slips_are_as_frequent_as_they_say() -> None:
    limited = LimitedPlayer(TICTACTOE, Spy(TICTACTOE), Limit(), 0.9, seed=4)
    moves = Counter(limited.choose(TICTACTOE.start()).move for _ in range(2000))
    assert len(moves) == 9
    assert moves["a3"] == pytest.approx(2000 * (0.1 + 0.9 / 9), rel=0.15)
    assert moves["b2"] == pytest.approx(2000 * 0.1, rel=0.25)
    again = LimitedPlayer(TICTACTOE, Spy(TICTACTOE), Limit(), 0.9, seed=4)
    assert Counter(again.choose(TICTACTOE.start()).move for _ in range(2000)) == moves


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("level:11", "level '11'"),
        ("level:-1", "level '-1'"),
        ("level:", "level ''"),
        ("level", "level ''"),
        ("level:3.5", "allowed: 0"),
        ("level:9" + "9" * 5000, "allowed: 0"),
        ("limited", "names no player"),
        ("limited:nodes=3", "names no player"),
        ("limited:depth=3:random", "no option 'depth=3'"),
        ("limited:nodes=x:random", "nodes='x'"),
        ("limited:nodes=-1:random", "nodes=-1"),
        ("limited:slips=1.5:random", "slips=1.5"),
        ("limited:slips=nan:random", "slips=nan"),
        ("limited::nobody", "unknown player 'nobody'"),
    ],
)
def test_wrong_names_are_told(name: str, named: str) -> None:
    with pytest.raises(boyi.GameError, match=named):
        player(name, TICTACTOE)


def entry(elo: float, name: str = "") -> Entry:
    return Entry(name or f"p{elo}", 0, 1, 1, 0, 0, 0, None, elo, elo - 10, elo + 10)


def test_evenly_spaced_entries_are_chosen() -> None:
    entries = [entry(elo) for elo in (12, 95, 101, 150, 205, 290, 310, 402, 499, 500, 610, 640, 700, 790, 905, 950)]
    chosen = [found.elo for found in evenly(entries, 0, 1000)]
    assert chosen == [101, 205, 290, 402, 500, 610, 700, 790, 905] or chosen == [
        101, 205, 310, 402, 500, 610, 700, 790, 905
    ]  # fmt: skip
    assert [found.elo for found in evenly(entries[:9], 0, 1000)] == [found.elo for found in entries[:9]]


def test_a_handicap_is_never_larger_than_below() -> None:
    """The order of the candidates stands, where a few games show another one by chance."""
    entries = [entry(elo) for elo in (100, 200, 310, 290, 400, 500, 600, 700, 900, 800)]
    assert [found.elo for found in evenly(entries, 0, 1000)] in (
        [100, 200, 310, 400, 500, 600, 700, 900, 800],
        [100, 200, 290, 400, 500, 600, 700, 900, 800],
    )


def test_levels_come_from_a_tournament_of_the_candidates() -> None:
    plan = calibration("tictactoe", games=2, nodes=100)
    assert plan.players == CANDIDATES
    assert {WEAKEST, RANDOM, STRONGEST} < set(CANDIDATES)
    elo = [100.0 * number for number in range(len(CANDIDATES))]
    entries = tuple(
        Entry(name, number, 1, 1, 0, 0, 0, None, elo[number], elo[number] - 5, elo[number] + 5)
        for number, name in enumerate(CANDIDATES)
    )
    ratings = rate(len(CANDIDATES), [])
    found = chosen_levels(Standings(plan, entries[::-1], ratings, {}), "a command")
    assert [level.player for level in (found.levels[0], found.levels[-1])] == [WEAKEST, STRONGEST]
    assert max(spacing(found)) <= 200
    assert min(spacing(found)) >= 100
    assert found.command == "a command"


def test_levels_are_written_and_other_tournaments_make_none(tmp_path: Path) -> None:
    found = levels_of(TICTACTOE)
    file = write_levels(found, tmp_path)
    assert file.name == "levels_tictactoe.json"
    assert file.read_text() == found.to_json()
    plan = Plan("tictactoe", ("random", "greedy"), 2)
    standings = Standings(
        plan, (entry(0, "random"), entry(1, "greedy")), Ratings((0.0, 1.0), rate(2, []).covariance), {}
    )
    with pytest.raises(boyi.GameError, match="cannot make levels"):
        chosen_levels(standings, "")
