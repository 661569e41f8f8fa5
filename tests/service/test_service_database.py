"""Opening databases, and what is kept in them, on SQLite and on PostgreSQL."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from boyi.service import play, record, store, tables
from boyi.service.database import Database
from boyi.service.errors import DatabaseError
from boyi.service.views import AnalysisView, MoveRequest, NewGame, Preferences, ReviewView


@pytest.fixture
def database(database_url: str, run: Any) -> Any:
    opened = Database(database_url)
    run(opened.open())
    yield opened
    run(opened.close())


def analysis(simulations: int, *, exact: bool = False) -> AnalysisView:
    return AnalysisView(
        rules="othello", key="k", move="c4", value=0.25, wdl=None, score=None, lines=[], simulations=simulations,
        nodes=0, depth=0, seconds=1, exact=exact, finished=True,
    )  # fmt: skip


def made(visitor: str = "v", rules: str = "tictactoe") -> record.Change:
    return record.made(visitor, NewGame(rules=rules, seats=("human", "human"), name="名 <b>"))


def test_a_game_comes_back_as_it_was_written(database: Database, run: Any) -> None:
    change = made()
    run(database.write(lambda c: store.insert_game(c, change.record)))
    assert run(database.read(lambda c: store.load_game(c, change.record.id))) == change.record
    after = record.played(change.record, change.position, "b2", 1.5)
    run(database.write(lambda c: store.change_game(c, change.record, after.record, after.kept)))
    back = record.undone(after.record, after.position)
    assert run(database.read(lambda c: store.load_game(c, change.record.id))) == after.record
    run(database.write(lambda c: store.change_game(c, after.record, back.record, back.kept)))
    assert run(database.read(lambda c: store.load_game(c, change.record.id))) == back.record
    assert back.record.moves == ()


def test_of_two_changes_of_one_version_the_second_fails(database: Database, run: Any) -> None:
    change = made()
    run(database.write(lambda c: store.insert_game(c, change.record)))
    first = record.played(change.record, change.position, "b2", 0)
    second = record.played(change.record, change.position, "a1", 0)
    run(database.write(lambda c: store.change_game(c, change.record, first.record, first.kept)))
    with pytest.raises(store.Stale):
        run(database.write(lambda c: store.change_game(c, change.record, second.record, second.kept)))
    kept = run(database.read(lambda c: store.load_game(c, change.record.id)))
    assert [move.move for move in kept.moves] == ["b2"]


def test_deleting_a_game_deletes_its_moves_and_review(database: Database, run: Any) -> None:
    change = made()
    after = record.played(change.record, change.position, "b2", 0)
    view = ReviewView(game=change.record.id, done=0, total=0, finished=True, points=[], mistakes=[])
    run(database.write(lambda c: store.insert_game(c, after.record)))
    run(database.write(lambda c: store.save_review(c, change.record.id, "digest", view)))
    assert run(database.read(lambda c: store.load_review(c, change.record.id, "digest"))) == view
    assert run(database.read(lambda c: store.load_review(c, change.record.id, "other"))) is None
    run(database.write(lambda c: store.delete_game(c, change.record.id)))
    for table in (tables.games, tables.moves, tables.reviews):
        assert run(database.read(lambda c, t=table: c.execute(sa.select(sa.func.count()).select_from(t)).scalar())) == 0


def test_the_better_analysis_is_kept(database: Database, run: Any) -> None:
    for found, kept in ((analysis(100), 100), (analysis(50), 100), (analysis(200), 200), (analysis(1, exact=True), 1)):
        run(database.write(lambda c, a=found: store.save_analysis(c, 1, a, 1e18 if a.exact else a.simulations)))
        assert run(database.read(lambda c: store.load_analysis(c, "othello", 1, "k"))).simulations == kept
    assert run(database.read(lambda c: store.load_analysis(c, "othello", 2, "k"))) is None


def test_the_oldest_analyses_are_let_go(database: Database, run: Any) -> None:
    for number in range(5):
        view = analysis(number).model_copy(update={"key": f"k{number}"})
        run(database.write(lambda c, v=view: store.save_analysis(c, 1, v, 1.0)))
    run(database.write(lambda c: store.prune_analyses(c, 3)))
    found = [run(database.read(lambda c, n=n: store.load_analysis(c, "othello", 1, f"k{n}"))) for n in range(5)]
    assert [view is not None for view in found] == [False, False, True, True, True]


def test_preferences_are_kept(database: Database, run: Any) -> None:
    assert run(database.read(lambda c: store.load_preferences(c, "v"))) == Preferences()
    for wanted in (Preferences(language="zh-Hant", theme="dark"), Preferences(sound=True)):
        run(database.write(lambda c, w=wanted: store.save_preferences(c, "v", w)))
        assert run(database.read(lambda c: store.load_preferences(c, "v"))) == wanted


def test_two_servers_on_one_database_do_not_lose_a_move(database_url: str, run: Any) -> None:
    """Each has the game in memory; the one that comes second is told to look again, and then sees both moves."""
    from boyi.service.engines import Engines
    from boyi.service.errors import Conflict

    async def both() -> None:
        one, two = (Database(database_url) for _ in range(2))
        await one.open()
        await two.open()
        here, there = play.Play(one, Engines(1)), play.Play(two, Engines(1))
        game = await here.create("v", NewGame(rules="tictactoe", seats=("human", "human")))
        await there.show("v", game.id)
        await here.play_move("v", game.id, MoveRequest(move="b2", ply=0))
        with pytest.raises(Conflict):
            await there.play_move("v", game.id, MoveRequest(move="a1", ply=0))
        view = await there.play_move("v", game.id, MoveRequest(move="a1", ply=1))
        assert [move.move for move in view.moves] == ["b2", "a1"]
        assert [move.move for move in (await here.show("v", game.id)).moves] == ["b2", "a1"]
        for side in (here, there, one, two):
            await side.close()

    run(both())


def test_an_older_program_refuses_a_newer_database(database_url: str, run: Any) -> None:
    opened = Database(database_url)
    run(opened.open())
    run(opened.write(lambda c: c.execute(tables.facts.update().values(value="99"))))
    run(opened.close())
    later = Database(database_url)
    with pytest.raises(DatabaseError, match="has schema 99, this Boyi knows schema 1; use a newer Boyi"):
        run(later.open())
    run(later.close())


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("not a url", "is no database URL"),
        ("mysql://root@localhost/x", "allowed are sqlite:/// and postgresql://"),
        ("sqlite:////no/such/folder/boyi.db", "there is no folder '/no/such/folder'"),
        ("sqlite:////tmp", "it is a folder"),
        ("sqlite:////proc/boyi.db", "cannot be written to"),
        ("postgresql://boyi:secret@/x?host=/no/socket", "cannot use the database"),
    ],
)
def test_a_database_that_cannot_be_used_says_why(run: Any, url: str, message: str) -> None:
    async def attempt() -> None:
        opened = Database(url)
        try:
            await opened.open()
        finally:
            await opened.close()

    with pytest.raises(DatabaseError, match=message) as caught:
        run(attempt())
    assert "secret" not in str(caught.value)


def test_a_damaged_file_is_named_and_left_alone(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "boyi.db"
    file.write_bytes(b"this is no database, whatever its name says" * 200)
    opened = Database(f"sqlite:///{file}")
    with pytest.raises(DatabaseError, match=r"damaged or something else"):
        run(opened.open())
    run(opened.close())
    assert file.read_bytes().startswith(b"this is no database")


def test_sqlite_keeps_what_was_committed_when_the_process_dies(run: Any, tmp_path: Path) -> None:
    opened = Database(f"sqlite:///{tmp_path}/boyi.db")
    run(opened.open())
    settings = run(
        opened.read(lambda c: [c.exec_driver_sql(f"PRAGMA {x}").scalar() for x in ("journal_mode", "foreign_keys")])
    )
    assert settings == ["wal", 1]
    run(opened.close())
    assert sqlite3.connect(f"{tmp_path}/boyi.db").execute("SELECT value FROM boyi_facts").fetchone() == ("1",)
