"""Game files: what is in them, keeping their games, and writing kept games in every format."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from boyi.service import views_records as views
from boyi.web.api.asked import SCHEMES, GameId, Serving, Visitor
from boyi.web.api.errors import ERRORS
from boyi.web.api.games import as_file

router = APIRouter(tags=["records"], responses=ERRORS, dependencies=SCHEMES)

WRITTEN = {
    "text/plain": {"schema": {"type": "string"}},
    "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
}


@router.post("/records/read")
async def read_records(service: Serving, visitor: Visitor, wanted: views.RecordFile) -> views.RecordContents:
    """The games of a file (in base64), of any format that Boyi knows; nothing is kept."""
    return await service.read_records(wanted)


@router.post("/records", status_code=201)
async def import_records(service: Serving, visitor: Visitor, wanted: views.ImportRequest) -> views.Imported:
    """Keep some games of a file, with their comments and variations."""
    return await service.import_records(visitor, wanted)


@router.get("/games/{game}/record")
async def game_record(service: Serving, visitor: Visitor, game: GameId) -> views.RecordView:
    """A game with the comments and variations of its file, and the formats that it can be written in."""
    return await service.game_record(visitor, game)


@router.get(
    "/games/{game}/record/{format}",
    response_class=Response,
    responses={200: {"content": WRITTEN, "description": "The file"}},
)
async def export_record(
    service: Serving,
    visitor: Visitor,
    game: GameId,
    format: Annotated[str, Path(pattern=r"^[a-z0-9]{1,20}$", description="The name of a format")],
) -> Response:
    """A game as a file of one of its formats."""
    return as_file(await service.export_record(visitor, game, format))
