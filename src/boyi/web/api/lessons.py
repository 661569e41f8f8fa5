"""Lessons: the visitor's own mistakes, as exercises that come back."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request

from boyi.service import views_lessons as views
from boyi.web.api.asked import SCHEMES, Serving, Visitor, until_gone, while_connected
from boyi.web.api.errors import ERRORS

router = APIRouter(tags=["lessons"], responses=ERRORS, dependencies=SCHEMES)

LessonId = Annotated[str, Path(pattern=r"^[A-Za-z0-9-]{1,64}$", description="The id of a lesson")]


@router.get("/lessons")
async def lessons(
    service: Serving,
    visitor: Visitor,
    game: Annotated[str | None, Query(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="Only those of this game")] = None,
) -> views.LessonList:
    """The visitor's mistakes in reviewed games: those that are due first."""
    return await service.lessons(visitor, game=game)


@router.post("/lessons/{lesson}/answer")
async def answer_lesson(
    request: Request, service: Serving, visitor: Visitor, lesson: LessonId, wanted: views.AnswerRequest
) -> views.AnswerView:
    """Try another move: it is judged by analysis, and the lesson comes back later, or soon."""
    return await while_connected(service.answer_lesson(visitor, lesson, wanted.move), until_gone(request))
