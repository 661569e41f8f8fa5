"""Reading and writing rows: the only place that knows how a `Record` and an analysis lie in the tables.

Every function takes a connection in a transaction, and runs in a thread of `Database`.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from boyi.service.record import Record, microseconds, moment
from boyi.service.tables import analyses, games, lessons, moves, reviews, sources, visitors
from boyi.service.views import (
    AnalysisView,
    Clock,
    GameSummary,
    MoveView,
    OutcomeView,
    Preferences,
    ReviewView,
)


class Stale(Exception):
    """The game in the database is not the one that the change was made for."""


def insert_game(connection: Connection, record: Record) -> None:
    connection.execute(games.insert().values(**_row(record)))
    _insert_moves(connection, record, 0)


def change_game(connection: Connection, before: Record, after: Record, kept: int) -> None:
    """Write a change, if the game is still at the version that it was made for; else `Stale`."""
    row = _row(after)
    del row["id"], row["visitor"], row["created"]
    same = (games.c.id == before.id) & (games.c.version == before.version)
    if connection.execute(games.update().where(same).values(**row)).rowcount != 1:
        raise Stale
    if kept < len(before.moves):
        connection.execute(moves.delete().where((moves.c.game == before.id) & (moves.c.ply >= kept)))
    _insert_moves(connection, after, kept)


def save_clocks(connection: Connection, record: Record, remaining_s: tuple[float, float]) -> None:
    """Keep what the clocks show, so that a killed server forgets a few seconds at most."""
    same = (games.c.id == record.id) & (games.c.version == record.version)
    connection.execute(games.update().where(same).values(remaining_0_s=remaining_s[0], remaining_1_s=remaining_s[1]))


def load_game(connection: Connection, id: str) -> Record | None:
    return _load(connection, games.c.id == id)


def load_shared(connection: Connection, share: str) -> Record | None:
    return _load(connection, games.c.share == share)


def version_of(connection: Connection, id: str) -> int | None:
    found: int | None = connection.execute(sa.select(games.c.version).where(games.c.id == id)).scalar()
    return found


def delete_game(connection: Connection, id: str) -> None:
    for table in (moves, reviews, sources):
        connection.execute(table.delete().where(table.c.game == id))
    connection.execute(games.delete().where(games.c.id == id))


def count_games(connection: Connection, visitor: str | None = None) -> int:
    query = sa.select(sa.func.count()).select_from(games)
    return int(connection.execute(query if visitor is None else query.where(games.c.visitor == visitor)).scalar() or 0)


def list_games(
    connection: Connection,
    visitor: str,
    *,
    game: str | None,
    rules: str | None,
    after: tuple[int, str] | None,
    limit: int,
) -> list[RowMapping]:
    """Rows of a visitor's games, the last changed first, beginning after a pair of `updated` and id."""
    query = sa.select(games).where(games.c.visitor == visitor)
    if game is not None:
        query = query.where(games.c.game == game)
    if rules is not None:
        query = query.where(games.c.rules == rules)
    if after is not None:
        updated, id = after
        query = query.where((games.c.updated < updated) | ((games.c.updated == updated) & (games.c.id < id)))
    query = query.order_by(games.c.updated.desc(), games.c.id.desc()).limit(limit)
    return list(connection.execute(query).mappings())


def summary(row: RowMapping, title: str) -> GameSummary:
    return GameSummary(
        id=row["id"],
        name=row["name"],
        rules=row["rules"],
        title=title,
        seats=(row["seat_0"], row["seat_1"]),
        plies=row["plies"],
        status="over" if row["over"] else "running",
        outcome=_outcome(row),
        updated=moment(row["updated"]),
    )


def running_games(connection: Connection, since: int, limit: int) -> list[tuple[str, str]]:
    """Ids and visitors of the games that were going on after a moment, the last changed first."""
    going_on = ~games.c.over & ~games.c.paused & (games.c.updated >= since)
    query = sa.select(games.c.id, games.c.visitor).where(going_on).order_by(games.c.updated.desc()).limit(limit)
    return [(id, visitor) for id, visitor in connection.execute(query)]


def load_preferences(connection: Connection, visitor: str) -> Preferences:
    found = connection.execute(sa.select(visitors.c.preferences).where(visitors.c.id == visitor)).scalar()
    return Preferences() if found is None else Preferences.model_validate_json(found)


def save_preferences(connection: Connection, visitor: str, wanted: Preferences) -> None:
    connection.execute(visitors.delete().where(visitors.c.id == visitor))
    connection.execute(visitors.insert().values(id=visitor, preferences=wanted.model_dump_json()))


def load_analysis(connection: Connection, rules: str, version: int, key: str) -> AnalysisView | None:
    same = (analyses.c.rules == rules) & (analyses.c.rules_version == version) & (analyses.c.key == key)
    found = connection.execute(sa.select(analyses.c.view).where(same)).scalar()
    return None if found is None else AnalysisView.model_validate_json(found)


def save_analysis(connection: Connection, version: int, view: AnalysisView, worth: float) -> None:
    """Keep an analysis if it is worth more than the one there is."""
    same = (analyses.c.rules == view.rules) & (analyses.c.rules_version == version) & (analyses.c.key == view.key)
    found = connection.execute(sa.select(analyses.c.worth).where(same)).scalar()
    if found is not None and found >= worth:
        return
    connection.execute(analyses.delete().where(same))
    connection.execute(
        analyses.insert().values(
            rules=view.rules,
            rules_version=version,
            key=view.key,
            worth=worth,
            view=view.model_dump_json(),
            updated=microseconds(),
        )
    )


def prune_analyses(connection: Connection, most: int) -> None:
    """Let go of the analyses beyond a number that were made longest ago."""
    oldest = sa.select(analyses.c.updated).order_by(analyses.c.updated.desc()).offset(most).limit(1)
    limit = connection.execute(oldest).scalar()
    if limit is not None:
        connection.execute(analyses.delete().where(analyses.c.updated <= limit))


def load_review(connection: Connection, game: str, digest: str) -> ReviewView | None:
    same = (reviews.c.game == game) & (reviews.c.moves == digest)
    found = connection.execute(sa.select(reviews.c.view).where(same)).scalar()
    return None if found is None else ReviewView.model_validate_json(found)


def save_review(connection: Connection, game: str, digest: str, view: ReviewView) -> None:
    connection.execute(reviews.delete().where(reviews.c.game == game))
    if version_of(connection, game) is not None:
        connection.execute(reviews.insert().values(game=game, moves=digest, view=view.model_dump_json()))


def level_games(connection: Connection, visitor: str, rules: str, limit: int) -> list[tuple[str, str, int | None]]:
    """Seats and winners of a visitor's last finished games against strength levels."""
    against = games.c.seat_0.startswith("level:") | games.c.seat_1.startswith("level:")
    query = sa.select(games.c.seat_0, games.c.seat_1, games.c.winner).where(
        (games.c.visitor == visitor) & (games.c.rules == rules) & games.c.over & against
    )
    return [
        (first, second, winner)
        for first, second, winner in connection.execute(query.order_by(games.c.updated.desc()).limit(limit))
    ]


def load_source(connection: Connection, game: str) -> str | None:
    """The record that a game was imported from."""
    found: str | None = connection.execute(sa.select(sources.c.record).where(sources.c.game == game)).scalar()
    return found


def save_source(connection: Connection, game: str, text: str) -> None:
    connection.execute(sources.insert().values(game=game, record=text))


def load_reviews(connection: Connection, visitor: str, game: str | None) -> list[tuple[RowMapping, ReviewView]]:
    """The reviews of a visitor's games, or of one of them, with the games' rows; the last changed first."""
    query = (
        sa.select(games, reviews.c.view).join(reviews, reviews.c.game == games.c.id).where(games.c.visitor == visitor)
    )
    if game is not None:
        query = query.where(games.c.id == game)
    rows = connection.execute(query.order_by(games.c.updated.desc())).mappings()
    found = [(row, ReviewView.model_validate_json(row["view"])) for row in rows]
    return [(row, review) for row, review in found if review.total == row["plies"] + 1]


def unreviewed_games(connection: Connection, visitor: str, game: str | None) -> list[str]:
    """Ids of a visitor's finished games with a human that were never reviewed, the last changed first."""
    human = (games.c.seat_0 == "human") | (games.c.seat_1 == "human")
    query = (
        sa.select(games.c.id)
        .outerjoin(reviews, reviews.c.game == games.c.id)
        .where((games.c.visitor == visitor) & games.c.over & (games.c.plies > 0) & human & reviews.c.game.is_(None))
    )
    if game is not None:
        query = query.where(games.c.id == game)
    return list(connection.execute(query.order_by(games.c.updated.desc())).scalars())


def load_lessons(connection: Connection, visitor: str) -> dict[tuple[str, str], dict[str, Any]]:
    """How a visitor answered lessons, by rules and key."""
    rows = connection.execute(sa.select(lessons).where(lessons.c.visitor == visitor)).mappings()
    return {(row["rules"], row["key"]): {name: row[name] for name in ("box", "tries", "solved", "due")} for row in rows}


def save_lesson(connection: Connection, visitor: str, rules: str, key: str, kept: dict[str, Any]) -> None:
    same = (lessons.c.visitor == visitor) & (lessons.c.rules == rules) & (lessons.c.key == key)
    connection.execute(lessons.delete().where(same))
    connection.execute(lessons.insert().values(visitor=visitor, rules=rules, key=key, **kept))


def _insert_moves(connection: Connection, record: Record, first: int) -> None:
    rows = [
        {"game": record.id, "ply": ply, **record.moves[ply].model_dump()} for ply in range(first, len(record.moves))
    ]
    if rows:
        connection.execute(moves.insert(), rows)


def _load(connection: Connection, same: sa.ColumnElement[bool]) -> Record | None:
    row = connection.execute(sa.select(games).where(same)).mappings().first()
    if row is None:
        return None
    query = sa.select(moves).where(moves.c.game == row["id"]).order_by(moves.c.ply)
    played = tuple(
        MoveView(move=move["move"], player=move["player"], seconds=move["seconds"], passed=move["passed"])
        for move in connection.execute(query).mappings()
    )
    clock = None
    if row["clock_minutes"] is not None:
        clock = Clock(minutes=row["clock_minutes"], increment_s=row["clock_increment_s"])
    return Record(
        id=row["id"],
        visitor=row["visitor"],
        version=row["version"],
        name=row["name"],
        rules=row["rules"],
        seats=(row["seat_0"], row["seat_1"]),
        wanted_start=row["wanted_start"],
        start=row["start"],
        moves=played,
        dice=row["dice"],
        seed=row["seed"],
        clock=clock,
        remaining_s=None if clock is None else (row["remaining_0_s"], row["remaining_1_s"]),
        paused=row["paused"],
        outcome=_outcome(row),
        share=row["share"],
        created=row["created"],
        updated=row["updated"],
    )


def _outcome(row: RowMapping) -> OutcomeView | None:
    if not row["over"]:
        return None
    return OutcomeView(winner=row["winner"], score=row["score"], reason=row["reason"])


def _row(record: Record) -> dict[str, Any]:
    end, clock, remaining = record.outcome, record.clock, record.remaining_s
    return {
        "id": record.id,
        "visitor": record.visitor,
        "version": record.version,
        "name": record.name,
        "game": record.rules.partition(":")[0],
        "rules": record.rules,
        "seat_0": record.seats[0],
        "seat_1": record.seats[1],
        "wanted_start": record.wanted_start,
        "start": record.start,
        "plies": len(record.moves),
        "dice": record.dice,
        "seed": record.seed,
        "clock_minutes": clock.minutes if clock else None,
        "clock_increment_s": clock.increment_s if clock else None,
        "remaining_0_s": remaining[0] if remaining else None,
        "remaining_1_s": remaining[1] if remaining else None,
        "paused": record.paused,
        "over": end is not None,
        "winner": end.winner if end else None,
        "score": end.score if end else None,
        "reason": end.reason if end else None,
        "share": record.share,
        "created": record.created,
        "updated": record.updated,
    }
