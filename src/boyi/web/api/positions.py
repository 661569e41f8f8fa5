"""Positions without a game: showing, composing, drawing and analysing them."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from boyi.service import views
from boyi.web.api.asked import SCHEMES, Serving, Visitor, last, until_gone, while_connected
from boyi.web.api.errors import ERRORS
from boyi.web.api.games import as_file

router = APIRouter(tags=["positions"], responses=ERRORS)

DRAWN = {
    "image/svg+xml": {"schema": {"type": "string"}},
    "image/png": {"schema": {"type": "string", "format": "binary"}},
}


@router.post("/positions")
async def show_position(service: Serving, wanted: views.PositionRequest) -> views.PositionView:
    """The position after some moves from a key or from the start."""
    return await service.show_position(wanted)


@router.post("/positions/compose")
async def compose_position(service: Serving, wanted: views.ComposeRequest) -> views.PositionView:
    """A position put together by hand."""
    return await service.compose_position(wanted)


@router.post(
    "/positions/picture",
    response_class=Response,
    responses={200: {"content": DRAWN, "description": "The picture"}},
)
async def picture(service: Serving, wanted: views.PictureRequest) -> Response:
    """A picture of a position, on demand with what is known of its moves."""
    return as_file(await service.picture(wanted))


@router.get("/analysis")
async def known_analysis(
    service: Serving,
    rules: Annotated[str, Query(min_length=1, max_length=100)],
    key: Annotated[str, Query(min_length=1, max_length=4000)],
) -> views.AnalysisView | None:
    """The longest analysis made of a position so far, or null."""
    return await service.known_analysis(rules, key)


@router.post("/analysis", dependencies=SCHEMES)
async def analyse(
    request: Request, service: Serving, visitor: Visitor, wanted: views.AnalysisRequest
) -> views.AnalysisView:
    """Analyse a position for some seconds and answer at the end.

    The WebSocket at the same address takes the same request as its first message and reports all the time.
    """
    return await while_connected(last(service.analyse(visitor, wanted)), until_gone(request))
