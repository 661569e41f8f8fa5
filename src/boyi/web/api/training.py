"""Training: runs, their checkpoints, and the players made of them. They belong to the server, not to a visitor."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from boyi.service import views
from boyi.service import views_training as training
from boyi.web.api.asked import SCHEMES, RunId, Serving, Visitor, last, until_gone, while_connected
from boyi.web.api.errors import ERRORS
from boyi.web.api.games import as_file

router = APIRouter(tags=["training"], responses=ERRORS, dependencies=SCHEMES)

PlayerName = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,27}$", description="The name of a player")]


@router.get("/training/options")
async def training_options(
    service: Serving,
    visitor: Visitor,
    rules: Annotated[str, Query(min_length=1, max_length=100)],
    method: training.Method = "deep",
) -> training.TrainingOptions:
    """What a run of a game is like if nothing else is asked for."""
    return await service.training_options(rules, method)


@router.post("/runs", status_code=201)
async def start_run(service: Serving, visitor: Visitor, wanted: training.NewRun) -> training.RunView:
    """Start a training run, or let it wait for those before it."""
    return await service.start_run(wanted)


@router.get("/runs")
async def list_runs(service: Serving, visitor: Visitor) -> training.RunList:
    """All runs of the server, the last changed first."""
    return await service.list_runs()


@router.get("/runs/{run}")
async def show_run(service: Serving, visitor: Visitor, run: RunId) -> training.RunView:
    """How a run stands: its curves, checkpoints and what is left to do."""
    return await service.show_run(run)


@router.delete("/runs/{run}", status_code=204)
async def delete_run(service: Serving, visitor: Visitor, run: RunId) -> None:
    """Forget a run that does not train, for good."""
    await service.delete_run(run)


@router.get("/runs/{run}/watch")
async def watch_run(
    request: Request,
    service: Serving,
    visitor: Visitor,
    run: RunId,
    after: Annotated[int, Query(ge=-1, lt=2**63, description="The version already seen")] = -1,
    seconds: Annotated[float, Query(ge=0, le=60)] = 25.0,
) -> training.RunView:
    """The run as soon as its version is above `after`, or as it stands when the seconds are over.

    The WebSocket at the same address sends the run at once, and again whenever it changes.
    """

    async def newer() -> training.RunView:
        async with asyncio.timeout(seconds):
            return await last(service.watch_run(run), lambda view: view.version > after)

    try:
        return await while_connected(newer(), until_gone(request))
    except TimeoutError:
        return await service.show_run(run)


@router.post("/runs/{run}/pause")
async def pause_run(service: Serving, visitor: Visitor, run: RunId) -> training.RunView:
    """Stop training for a while; nothing that was played or learnt is lost."""
    return await service.pause_run(run)


@router.post("/runs/{run}/resume")
async def resume_run(service: Serving, visitor: Visitor, run: RunId) -> training.RunView:
    """Train on: at once, or as soon as there is room."""
    return await service.resume_run(run)


@router.post("/runs/{run}/stop")
async def stop_run(service: Serving, visitor: Visitor, run: RunId) -> training.RunView:
    """Stop training; the run stays and can be resumed."""
    return await service.stop_run(run)


@router.get("/runs/{run}/positions")
async def run_positions(service: Serving, visitor: Visitor, run: RunId) -> training.RunPositions:
    """The ends of the latest games of self-play."""
    return await service.run_positions(run)


@router.post("/runs/{run}/promote", status_code=201)
async def promote_checkpoint(
    service: Serving, visitor: Visitor, run: RunId, wanted: training.PromoteRequest
) -> views.OpponentView:
    """Keep a generation's net as a player, who stays when the run goes."""
    return await service.promote_checkpoint(run, wanted.generation, wanted.name)


@router.get(
    "/runs/{run}/nets/{generation}",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}, "description": "The files of the net"}},
)
async def export_net(
    service: Serving,
    visitor: Visitor,
    run: RunId,
    generation: Annotated[int, Path(ge=0, le=10_000_000, description="A generation whose net is kept")],
) -> Response:
    """A generation's net as a zip file, for commands and for Python."""
    return as_file(await service.export_net(run, generation))


@router.delete("/players/{name}", status_code=204)
async def dismiss_player(service: Serving, visitor: Visitor, name: PlayerName) -> None:
    """Forget a promoted player."""
    await service.dismiss_player(name)
