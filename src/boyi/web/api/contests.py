"""Matches and tournaments. They belong to the server, not to a visitor."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from boyi.service import views_contests as views
from boyi.web.api.asked import SCHEMES, Serving, Visitor, last, until_gone, while_connected
from boyi.web.api.errors import ERRORS
from boyi.web.api.games import as_file
from boyi.web.api.records import WRITTEN

router = APIRouter(tags=["contests"], responses=ERRORS, dependencies=SCHEMES)

ContestId = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,27}$", description="The id of a contest")]


@router.get("/entrants")
async def entrants(
    service: Serving, visitor: Visitor, rules: Annotated[str, Query(min_length=1, max_length=100)]
) -> views.Entrants:
    """Who can take part in a contest of a game: opponents, levels, promoted players, and engines of the owner."""
    return await service.entrants(rules)


@router.post("/contests", status_code=201)
async def start_contest(service: Serving, visitor: Visitor, wanted: views.NewContest) -> views.ContestView:
    """Start a match or a tournament, or let it wait for the one before it."""
    return await service.start_contest(wanted)


@router.get("/contests")
async def list_contests(service: Serving, visitor: Visitor) -> views.ContestList:
    """All contests of the server, the last changed first."""
    return await service.list_contests()


@router.get("/contests/{contest}")
async def show_contest(service: Serving, visitor: Visitor, contest: ContestId) -> views.ContestView:
    """How a contest stands: the table with Elo, who beat whom, and the games that are being played."""
    return await service.show_contest(contest)


@router.delete("/contests/{contest}", status_code=204)
async def delete_contest(service: Serving, visitor: Visitor, contest: ContestId) -> None:
    """Forget a contest that is not being played, for good."""
    await service.delete_contest(contest)


@router.get("/contests/{contest}/watch")
async def watch_contest(
    request: Request,
    service: Serving,
    visitor: Visitor,
    contest: ContestId,
    after: Annotated[int, Query(ge=-1, lt=2**63, description="The version already seen")] = -1,
    seconds: Annotated[float, Query(ge=0, le=60)] = 25.0,
) -> views.ContestView:
    """The contest as soon as its version is above `after`, or as it stands when the seconds are over.

    The WebSocket at the same address sends the contest at once, and again whenever it changes.
    """

    async def newer() -> views.ContestView:
        async with asyncio.timeout(seconds):
            return await last(service.watch_contest(contest), lambda view: view.version > after)

    try:
        return await while_connected(newer(), until_gone(request))
    except TimeoutError:
        return await service.show_contest(contest)


@router.post("/contests/{contest}/stop")
async def stop_contest(service: Serving, visitor: Visitor, contest: ContestId) -> views.ContestView:
    """Stop playing; the games that are over stay."""
    return await service.stop_contest(contest)


@router.post("/contests/{contest}/resume")
async def resume_contest(service: Serving, visitor: Visitor, contest: ContestId) -> views.ContestView:
    """Play what is left: at once, or when the contest before it is over."""
    return await service.resume_contest(contest)


@router.get(
    "/contests/{contest}/records/{format}",
    response_class=Response,
    responses={200: {"content": WRITTEN, "description": "The file"}},
)
async def contest_records(
    service: Serving,
    visitor: Visitor,
    contest: ContestId,
    format: Annotated[str, Path(pattern=r"^[a-z0-9]{1,20}$", description="The name of a format")],
) -> Response:
    """The records of all games that are over so far, as a file."""
    return as_file(await service.contest_records(contest, format))
