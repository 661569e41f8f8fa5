"""Kept games: making, playing, listing, sharing, exporting, reviewing them."""

import asyncio
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from boyi.service import views
from boyi.service.views_levels import LevelsView
from boyi.web.api.asked import SCHEMES, GameId, Serving, Visitor, last, until_gone, while_connected
from boyi.web.api.errors import ERRORS

router = APIRouter(tags=["games"], responses=ERRORS, dependencies=SCHEMES)
public = APIRouter(tags=["games"], responses=ERRORS)

Seconds = Annotated[float, Query(ge=0, le=60)]


class RollRequest(views.Request):
    """Roll the die on screen."""

    ply: int = Field(ge=0)
    """How many moves the caller has seen."""


@router.post("/games", status_code=201)
async def create_game(service: Serving, visitor: Visitor, wanted: views.NewGame) -> views.GameView:
    """Start a game. The opponent moves at once where it is its turn."""
    return await service.create_game(visitor, wanted)


@router.get("/levels")
async def levels(
    service: Serving, visitor: Visitor, rules: Annotated[str, Query(min_length=1, max_length=100)]
) -> LevelsView:
    """The strength levels of a game with their Elo, and the one that suits the visitor."""
    return await service.levels(visitor, rules)


@router.get("/games")
async def list_games(
    service: Serving,
    visitor: Visitor,
    rules: Annotated[str | None, Query(max_length=100, description="Only games of this kind")] = None,
    after: Annotated[str | None, Query(max_length=200, description="`next` of the page before")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> views.GameList:
    """The visitor's games, the latest first."""
    return await service.list_games(visitor, rules=rules, after=after, limit=limit)


@router.get("/games/{game}")
async def show_game(service: Serving, visitor: Visitor, game: GameId) -> views.GameView:
    """A game as it stands."""
    return await service.show_game(visitor, game)


@router.patch("/games/{game}")
async def rename_game(service: Serving, visitor: Visitor, game: GameId, wanted: views.RenameRequest) -> views.GameView:
    """Give a game another name."""
    return await service.rename_game(visitor, game, wanted.name)


@router.delete("/games/{game}", status_code=204)
async def delete_game(service: Serving, visitor: Visitor, game: GameId) -> None:
    """Forget a game for good."""
    await service.delete_game(visitor, game)


@router.get("/games/{game}/watch")
async def watch_game(
    request: Request,
    service: Serving,
    visitor: Visitor,
    game: GameId,
    after: Annotated[int, Query(ge=-1, lt=2**63, description="The version already seen")] = -1,
    seconds: Seconds = 25.0,
) -> views.GameView:
    """The game as soon as its version is above `after`, or as it stands when the seconds are over.

    The WebSocket at the same address sends the game at once, and again whenever it changes.
    """

    async def newer() -> views.GameView:
        async with asyncio.timeout(seconds):
            return await last(service.watch_game(visitor, game), lambda view: view.version > after)

    try:
        return await while_connected(newer(), until_gone(request))
    except TimeoutError:
        return await service.show_game(visitor, game)


@router.post("/games/{game}/moves")
async def play_move(service: Serving, visitor: Visitor, game: GameId, wanted: views.MoveRequest) -> views.GameView:
    """Play a move, or enter a rolled die where dice are rolled by hand."""
    return await service.play_move(visitor, game, wanted)


@router.post("/games/{game}/roll")
async def roll(service: Serving, visitor: Visitor, game: GameId, wanted: RollRequest) -> views.GameView:
    """Roll the die."""
    return await service.roll(visitor, game, wanted.ply)


@router.post("/games/{game}/undo")
async def undo(service: Serving, visitor: Visitor, game: GameId) -> views.GameView:
    """Take back to the caller's decision before."""
    return await service.undo(visitor, game)


@router.post("/games/{game}/resign")
async def resign(service: Serving, visitor: Visitor, game: GameId) -> views.GameView:
    """Give up."""
    return await service.resign(visitor, game)


@router.post("/games/{game}/rematch", status_code=201)
async def rematch(service: Serving, visitor: Visitor, game: GameId, wanted: views.RematchRequest) -> views.GameView:
    """Start the same game again, with the sides swapped or not."""
    return await service.rematch(visitor, game, swap=wanted.swap)


@router.post("/games/{game}/swap")
async def swap_sides(service: Serving, visitor: Visitor, game: GameId) -> views.GameView:
    """Change places with the opponent in the present position."""
    return await service.swap_sides(visitor, game)


@router.post("/games/{game}/pause")
async def pause(service: Serving, visitor: Visitor, game: GameId) -> views.GameView:
    """Stop the clocks and the thinking."""
    return await service.pause(visitor, game)


@router.post("/games/{game}/go-on")
async def go_on(service: Serving, visitor: Visitor, game: GameId) -> views.GameView:
    """Go on after a pause."""
    return await service.go_on(visitor, game)


@router.post("/games/{game}/share")
async def share_game(service: Serving, visitor: Visitor, game: GameId) -> views.GameView:
    """Make a link by which anybody can see the game; its token is `share`."""
    return await service.share_game(visitor, game)


@public.get("/shared/{share}")
async def shared_game(service: Serving, share: GameId) -> views.GameView:
    """A game that somebody shared."""
    return await service.shared_game(share)


@router.post("/games/{game}/hint")
async def hint(request: Request, service: Serving, visitor: Visitor, game: GameId) -> views.AnalysisView:
    """What the strongest player would do, and why: its value and best line."""
    return await while_connected(service.hint(visitor, game), until_gone(request))


EXPORTED = {
    "text/plain": {"schema": {"type": "string"}},
    "application/json": {"schema": {}},
    "image/svg+xml": {"schema": {"type": "string"}},
    "image/png": {"schema": {"type": "string", "format": "binary"}},
}


@router.get(
    "/games/{game}/export/{format}",
    response_class=Response,
    responses={200: {"content": EXPORTED, "description": "The file"}},
)
async def export_game(
    service: Serving,
    visitor: Visitor,
    game: GameId,
    format: Literal["key", "moves", "json", "svg", "png"],
    theme: Literal["light", "dark"] = "light",
) -> Response:
    """The game as a file: the key of its position, its moves, all of it, or a picture."""
    return as_file(await service.export_game(visitor, game, format, theme=theme))


@router.get("/games/{game}/review")
async def known_review(service: Serving, visitor: Visitor, game: GameId) -> views.ReviewView | None:
    """The review made before, or null."""
    return await service.known_review(visitor, game)


@router.post("/games/{game}/review")
async def review_game(
    request: Request, service: Serving, visitor: Visitor, game: GameId, wanted: views.ReviewRequest
) -> views.ReviewView:
    """Analyse every position of the game and answer when all is done.

    The WebSocket at the same address takes the same request as its first message and reports each position.
    """
    return await while_connected(last(service.review_game(visitor, game, wanted)), until_gone(request))


def as_file(export: views.ExportView) -> Response:
    """A download with its name, whatever characters that has."""
    name = quote(export.file_name.encode("utf-8", "replace"))
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(export.content, media_type=export.media_type, headers=headers)
