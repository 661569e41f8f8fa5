"""The directory of a match: games as records, half-written lines, other people's plans."""

from dataclasses import replace
from pathlib import Path

import pytest

import boyi
from boyi.arena import Control, GameRow, Plan, Sprt, Tournament, make_plan
from boyi.arena.store import GAMES, PLAN, Store, read_plan, read_records, read_rows, record_of, row_of
from boyi.players import Limit
from boyi.records import Record

TWO = Plan("einstein", ("random", "random"), 6, seed=4)


def played(plan: Plan, folder: Path | None = None) -> tuple[GameRow, ...]:
    tournament = Tournament(plan, folder=folder, workers=0)
    tournament.run()
    return tournament.rows


def outline(rows: tuple[GameRow, ...] | list[GameRow]) -> list[tuple[object, ...]]:
    """What the clock does not change."""
    return [(row.number, row.players, row.seat, row.seed, row.start, row.history, row.winner) for row in rows]


@pytest.mark.parametrize(
    "plan",
    [
        TWO,
        make_plan(
            "othello",
            ("random", "greedy", "cmd:gtp:engine --with 'quotes'"),
            games=5,
            kind="gauntlet",
            control=Control(Limit(simulations=3, seconds=0.5), 10.0, 0.1),
            adjudicate=100,
            openings="balanced",
        ),
        Plan("gomoku:size=9", ("random", "random"), 2, openings=3, sprt=Sprt(0, 5, normalised=True)),
    ],
)
def test_plans_round_trip(plan: Plan) -> None:
    assert Plan.from_json(plan.to_json()) == plan


def test_games_are_records_that_replay(tmp_path: Path) -> None:
    rows = played(TWO, tmp_path)
    records = list(read_records(tmp_path))
    assert len(records) == 6
    for row, record in zip(rows, records, strict=True):
        assert record.players == ("random", "random")
        assert record.moves == row.history
        end = record.position().outcome
        assert end is not None
        assert record.result is not None
        assert (end.winner, end.reason) == (record.result.winner, record.result.reason)
        assert row_of(Record.from_json(record.to_json())) == row
    assert read_rows(tmp_path) == list(rows)
    assert read_plan(tmp_path) == TWO


def test_names_of_a_record_follow_the_seats(tmp_path: Path) -> None:
    plan = Plan("tictactoe", ("random", "greedy"), 2, openings=0)
    even, odd = (record_of(row, plan) for row in played(plan))
    assert even.players == ("random", "greedy")
    assert odd.players == ("greedy", "random")


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = played(TWO)
    for row in (whole[3], whole[0]):
        store = Store(tmp_path, TWO)
        store.append(row)
        store.close()
    again = played(TWO, tmp_path)
    assert outline(again) == outline(whole)
    assert again[3] == whole[3]
    assert sorted(row_of(record).number for record in read_records(tmp_path)) == list(range(6))
    assert played(TWO, tmp_path) == again


def test_half_a_line_is_cut_off_wherever_it_ends(tmp_path: Path) -> None:
    whole = played(TWO)
    store = Store(tmp_path, TWO)
    for row in whole[:2]:
        store.append(row)
    store.close()
    file = tmp_path / GAMES
    content = file.read_bytes()
    first = content.index(b"\n") + 1
    for length in (*range(first, len(content), 37), len(content) - 1):
        file.write_bytes(content[:length])
        store = Store(tmp_path, TWO)
        assert store.rows == [whole[0]]
        store.append(whole[1])
        store.close()
        assert file.read_bytes() == content


def test_a_game_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    whole = played(TWO, tmp_path)
    file = tmp_path / GAMES
    file.write_bytes(file.read_bytes() * 2)
    assert played(TWO, tmp_path) == whole
    assert read_rows(tmp_path) == list(whole)


def test_more_games_can_be_asked_for_and_nothing_else(tmp_path: Path) -> None:
    six = played(TWO, tmp_path)
    eight = played(replace(TWO, games=8), tmp_path)
    assert eight[:6] == six
    assert [row.number for row in eight] == list(range(8))
    with pytest.raises(boyi.GameError, match="games is 8 there, 6 here"):
        Store(tmp_path, TWO)
    with pytest.raises(boyi.GameError, match="seed is 4 there, 5 here"):
        Store(tmp_path, replace(TWO, games=8, seed=5))


def test_a_directory_has_one_owner_at_a_time(tmp_path: Path) -> None:
    store = Store(tmp_path, TWO)
    with pytest.raises(boyi.GameError, match="in use by another run"):
        Store(tmp_path, TWO)
    store.close()
    Store(tmp_path, TWO).close()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("nonsense", "line 1 is no game"),
        ('{"game": "einstein"}', "line 1 is no game"),
        ("\xff\xfe", "line 1 is no game"),
    ],
)
def test_damaged_games_are_named(line: str, named: str, tmp_path: Path) -> None:
    Store(tmp_path, TWO).close()
    (tmp_path / GAMES).write_bytes(line.encode("latin-1") + b"\n")
    with pytest.raises(boyi.GameError, match=named):
        Store(tmp_path, TWO)


def test_games_of_another_plan_are_refused(tmp_path: Path) -> None:
    store = Store(tmp_path, replace(TWO, games=8))
    store.append(played(replace(TWO, games=8))[7])
    store.close()
    (tmp_path / PLAN).write_text(TWO.to_json())
    with pytest.raises(boyi.GameError, match="the plan has no game 7"):
        Store(tmp_path, TWO)


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"game": 3, "control": {"limit": {}}}', "nonsense"])
def test_damaged_plans_are_named(content: str, tmp_path: Path) -> None:
    (tmp_path / PLAN).write_text(content)
    with pytest.raises(boyi.GameError, match="plan is damaged"):
        read_plan(tmp_path)


def test_other_directories_are_refused(tmp_path: Path) -> None:
    with pytest.raises(boyi.GameError, match="no directory of a match"):
        read_plan(tmp_path / "absent")
    (tmp_path / GAMES).write_text("something\n")
    with pytest.raises(boyi.GameError, match=f"without a {PLAN}"):
        Store(tmp_path, TWO)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="choose another --dir"):
        Store(tmp_path / "file", TWO)
