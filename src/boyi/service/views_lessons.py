"""Lessons, as plain data: positions of reviewed games in which a visitor went wrong, and what became of them."""

from datetime import datetime

from boyi.service.views import MoveText, Request, View


class LessonView(View):
    """A position in which a better move is to be found."""

    id: str
    game: str
    """The kept game it comes from."""
    ply: int
    rules: str
    title: str
    players: tuple[str, str]
    key: str
    mover: int
    played: str
    """The move that was a mistake."""
    loss: float
    """What it gave away, 0 to 2."""
    box: int
    """How many times in a row it has been solved."""
    tries: int
    solved: int
    due: datetime
    """When it is worth another look."""


class LessonList(View):
    lessons: list[LessonView]
    """Those that are due, the worst mistakes first; then the others in the order in which they come back."""
    due: int
    learnt: int
    """Solved at least once since they were failed last."""
    unreviewed: list[str]
    """Finished games without a review, which may hold more lessons."""


class AnswerRequest(Request):
    move: MoveText


class AnswerView(View):
    """What became of an answer."""

    lesson: LessonView
    move: str
    right: bool
    loss: float
    """What the move gives away against the best one, 0 to 2."""
    best: str
    best_line: list[str]
    value: float
    """Of the best move."""
    exact: bool
