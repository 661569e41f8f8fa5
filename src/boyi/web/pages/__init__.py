"""The pages: NiceGUI over the service, the first client of the app. `mount` declares them all."""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from nicegui import app as nicegui_app
from nicegui import ui
from nicegui.client import Client
from nicegui.page import page

from boyi.service.service import Service
from boyi.web.pages import (
    about,
    analyse,
    compete,
    contest,
    game,
    games,
    learn,
    own,
    play,
    recognise,
    records,
    run,
    shell,
    train,
)

RUN_WITH: dict[str, Any] = {
    "title": "Boyi",
    "tailwind": False,
    "show_welcome_message": False,
    "binding_refresh_interval": None,
    "reconnect_timeout": 10.0,
    "favicon": shell.FILES / "static" / "icon.svg",
}
"""Options of `ui.run_with`."""
PATIENCE_S = 60.0
"""How long a page may take: on a computer's first visit, rules are compiled."""


def mount(app: FastAPI, service: Service) -> None:
    """Declare the pages; `ui.run_with` puts them into the app."""
    shell.serve_files()

    @ui.page("/", response_timeout=PATIENCE_S)
    async def play_page(request: Request, game: str = "") -> None:
        await play.build(await shell.arrive(service, request), game)

    @ui.page("/game/{game_id}", response_timeout=PATIENCE_S)
    async def game_page(request: Request, game_id: str) -> None:
        await game.build(await shell.arrive(service, request), game_id)

    @ui.page("/shared/{token}", response_timeout=PATIENCE_S)
    async def shared_page(request: Request, token: str) -> None:
        await game.build_shared(await shell.arrive(service, request), token)

    @ui.page("/games", response_timeout=PATIENCE_S)
    async def games_page(request: Request, rules: str = "", after: str = "") -> None:
        await games.build(await shell.arrive(service, request), rules, after)

    @ui.page("/analyse", response_timeout=PATIENCE_S)
    async def analyse_page(request: Request, rules: str = "", key: str = "", moves: str = "") -> None:
        await analyse.build_position(await shell.arrive(service, request), rules, key, moves)

    @ui.page("/position", response_timeout=PATIENCE_S)
    async def position_page(request: Request, rules: str = "", key: str = "", moves: str = "") -> None:
        await analyse.build_position(await shell.arrive(service, request), rules, key, moves)

    @ui.page("/analyse/{game_id}", response_timeout=PATIENCE_S)
    async def review_page(request: Request, game_id: str, ply: int | None = None) -> None:
        await analyse.build_game(await shell.arrive(service, request), game_id, ply)

    @ui.page("/records", response_timeout=PATIENCE_S)
    async def records_page(request: Request) -> None:
        await records.build(await shell.arrive(service, request))

    @ui.page("/recognise", response_timeout=PATIENCE_S)
    async def recognise_page(request: Request) -> None:
        await recognise.build(await shell.arrive(service, request))

    @ui.page("/learn", response_timeout=PATIENCE_S)
    async def learn_page(request: Request, game: str = "") -> None:
        await learn.build(await shell.arrive(service, request), game)

    @ui.page("/compete", response_timeout=PATIENCE_S)
    async def compete_page(request: Request, game: str = "") -> None:
        await compete.build(await shell.arrive(service, request), game)

    @ui.page("/compete/{contest_id}", response_timeout=PATIENCE_S)
    async def contest_page(request: Request, contest_id: str) -> None:
        await contest.build(await shell.arrive(service, request), contest_id)

    @ui.page("/train", response_timeout=PATIENCE_S)
    async def train_page(request: Request, game: str = "") -> None:
        await train.build(await shell.arrive(service, request), game)

    @ui.page("/train/{run_id}", response_timeout=PATIENCE_S)
    async def run_page(request: Request, run_id: str, other: str = "") -> None:
        await run.build(await shell.arrive(service, request), run_id, other)

    @ui.page("/own-games", response_timeout=PATIENCE_S)
    async def own_page(request: Request) -> None:
        await own.build(await shell.arrive(service, request))

    @ui.page("/about", response_timeout=PATIENCE_S)
    async def about_page(request: Request) -> None:
        await about.build(await shell.arrive(service, request))

    @nicegui_app.exception_handler(404)
    async def lost(request: Request, error: Exception) -> Response:
        if request.url.path.startswith("/api/") or not hasattr(request.state, "visitor"):
            return JSONResponse({"error": "not_found", "detail": f"nothing at {request.url.path[:200]}"}, 404)
        with Client(page(""), request=request) as client:
            shell.lost(await shell.arrive(service, request))
        return client.build_response(request, 404)
