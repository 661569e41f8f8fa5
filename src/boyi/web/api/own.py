"""The owner's own games: rules files in a folder of the server. Names come in, never paths or texts of files."""

from typing import Annotated

from fastapi import APIRouter, Path

from boyi.service import views_own
from boyi.web.api.asked import SCHEMES, Serving, Visitor
from boyi.web.api.errors import ERRORS

router = APIRouter(tags=["own games"], responses=ERRORS, dependencies=SCHEMES)

RulesName = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,60}$", description="The name of a rules file without .py")]


@router.get("/own-games")
async def own_games(service: Serving, visitor: Visitor) -> views_own.OwnGames:
    """The rules files of the owner, and what their check has found. Those that passed are in the catalogue."""
    return await service.own_games()


@router.post("/own-games/{name}/check")
async def check_own_game(service: Serving, visitor: Visitor, name: RulesName) -> views_own.OwnGames:
    """Check a rules file again. Files that are new or were edited are checked without being asked for."""
    return await service.check_own_game(name)
