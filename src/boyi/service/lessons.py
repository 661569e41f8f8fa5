"""`Lessons`: a visitor's own mistakes as exercises, which come back until they are solved, then less and less often.

The positions are those of reviewed games in which a human gave away `MISTAKE` or more. What is kept is only how each
was answered: in which box it lies, and when it is due. A right answer puts it into the next box, a wrong one into the
first.
"""

import contextlib
import re
from dataclasses import dataclass
from typing import Any

from sqlalchemy.engine import Connection, RowMapping

from boyi.games import CHANCE, GameError, Position
from boyi.service import boards, store
from boyi.service.analysis import MISTAKE, Analysis
from boyi.service.database import Database
from boyi.service.errors import NotFound
from boyi.service.opponents import HUMAN
from boyi.service.record import microseconds, moment
from boyi.service.views import ReviewView
from boyi.service.views_lessons import AnswerView, LessonList, LessonView

GOOD = 0.1
"""An answer that gives away less than this is right."""
DAY = 24 * 3600.0
FAILED_S = 600.0
WAITS_S = (FAILED_S, DAY, 3 * DAY, 7 * DAY, 21 * DAY, 60 * DAY)
"""How long a lesson rests, by its box."""
MOST = 500
ID = re.compile(r"([0-9a-f]{16})-(\d{1,4})")


@dataclass(frozen=True)
class Kept:
    """How a lesson was answered so far."""

    box: int = 0
    tries: int = 0
    solved: int = 0
    due: int = 0

    def answered(self, right: bool, now: int) -> "Kept":
        box = min(self.box + 1, len(WAITS_S) - 1) if right else 0
        return Kept(box, self.tries + 1, self.solved + right, now + int(WAITS_S[box] * 1e6))


class Lessons:
    def __init__(self, database: Database, analysis: Analysis) -> None:
        self.database, self.analysis = database, analysis

    async def list(self, visitor: str, game: str | None) -> LessonList:
        """The lessons of one game, or of all kept ones."""
        return await self.database.read(lambda c: _listed(c, visitor, game, microseconds()))

    async def answer(self, visitor: str, lesson: str, move: str) -> AnswerView:
        """Judge a move, and remember how it went."""
        found = ID.fullmatch(lesson)
        known = {known.id: known for known in (await self.list(visitor, found[1])).lessons} if found else {}
        if lesson not in known:
            raise NotFound("there is no such lesson")
        asked = known[lesson]
        position, text = await self.database.work(_checked, asked, move)
        judged = await self.analysis.judge(visitor, position, text)
        right = judged.loss < GOOD

        def keep(connection: Connection) -> Kept:
            before = _kept(store.load_lessons(connection, visitor), asked.rules, asked.key)
            after = before.answered(right, microseconds())
            store.save_lesson(connection, visitor, asked.rules, asked.key, vars(after))
            return after

        after = await self.database.write(keep)
        return AnswerView(
            lesson=asked.model_copy(update=vars(after) | {"due": moment(after.due)}),
            move=text,
            right=right,
            loss=judged.loss,
            best=judged.best,
            best_line=judged.line,
            value=judged.value,
            exact=judged.exact,
        )


def _checked(asked: LessonView, move: str) -> tuple[Position, str]:
    """The position of a lesson, and the move as it is written; `IllegalMove` where it is none."""
    position = boards.rules_named(asked.rules).position(asked.key)
    return position, position.play(move).move


def _listed(connection: Connection, visitor: str, game: str | None, now: int) -> LessonList:
    answered = store.load_lessons(connection, visitor)
    found: dict[tuple[str, str], LessonView] = {}
    for row, review in store.load_reviews(connection, visitor, game):
        with contextlib.suppress(GameError):  # of an own game whose rules are gone
            for lesson in _of_game(row, review, answered):
                found.setdefault((lesson.rules, lesson.key), lesson)
    lessons = list(found.values())[:MOST]
    due = [lesson for lesson in lessons if lesson.due <= moment(now)]
    later = [lesson for lesson in lessons if lesson.due > moment(now)]
    return LessonList(
        lessons=[
            *sorted(due, key=lambda lesson: (lesson.tries > 0, -lesson.loss)),
            *sorted(later, key=lambda lesson: lesson.due),
        ],
        due=len(due),
        learnt=sum(lesson.box > 0 for lesson in lessons),
        unreviewed=store.unreviewed_games(connection, visitor, game),
    )


def _of_game(row: RowMapping, review: ReviewView, answered: dict[tuple[str, str], dict[str, Any]]) -> list[LessonView]:
    """The mistakes of humans in one game."""
    rules = boards.rules_named(row["rules"])
    seats = (row["seat_0"], row["seat_1"])
    lessons = []
    for point in review.points:
        human = point.player in (0, 1) and seats[point.player or 0] == HUMAN
        if not human or point.player is None or point.player == CHANCE or point.move is None:
            continue
        if point.loss is None or point.loss < MISTAKE:
            continue
        kept = _kept(answered, row["rules"], point.key)
        lessons.append(
            LessonView(
                id=f"{row['id']}-{point.ply}",
                game=row["id"],
                ply=point.ply,
                rules=row["rules"],
                title=rules.title,
                players=rules.players,
                key=point.key,
                mover=point.player,
                played=point.move,
                loss=point.loss,
                box=kept.box,
                tries=kept.tries,
                solved=kept.solved,
                due=moment(kept.due),
            )
        )
    return lessons


def _kept(answered: dict[tuple[str, str], dict[str, Any]], rules: str, key: str) -> Kept:
    return Kept(**answered.get((rules, key), {}))
