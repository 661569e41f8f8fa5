"""Boards read off pictures."""

from fastapi import APIRouter

from boyi.service import views_vision as views
from boyi.web.api.asked import SCHEMES, Serving, Visitor
from boyi.web.api.errors import ERRORS

router = APIRouter(tags=["pictures"], responses=ERRORS, dependencies=SCHEMES)


@router.get("/pictures")
async def picture_limits(service: Serving, visitor: Visitor) -> views.PictureLimits:
    """Whether the server can read pictures, and how large they may be."""
    return await service.picture_limits()


@router.post("/pictures/read")
async def read_picture(service: Serving, visitor: Visitor, wanted: views.PictureFile) -> views.ReadingView:
    """The board in a picture (in base64), square by square, each with its confidence; nothing is kept."""
    return await service.read_picture(visitor, wanted)


@router.post("/pictures/look")
async def look_again(service: Serving, visitor: Visitor, wanted: views.LookRequest) -> views.LookView:
    """The next picture of a board that is followed: a change is believed after two equal looks and by legal moves.

    Meant for study and for one's own programs, not for use against people on rated sites.
    """
    return await service.look_again(visitor, wanted)
