"""`build`: the whole application, for `boyi serve`, for tests, or for a server of your own."""

import importlib.util
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from boyi.service.service import Service
from boyi.web.api.build import PATH, build_api
from boyi.web.folder import cookie_secret
from boyi.web.identity import Visitors
from boyi.web.login import Gate, GateKeeper, login_routes
from boyi.web.security import Guard


def build(
    service: Service, *, folder: Path, password: str | None = None, loopback_only: bool = True, pages: bool = True
) -> FastAPI:
    """The application over a service, which it starts and closes.

    `folder` holds the secret that signs cookies. With a password nothing but the login is open. `loopback_only` refuses
    requests addressed to any other name than this computer's own. The pages can be had once a process, as NiceGUI is
    one a process; the API as often as wanted.
    """
    gate = Gate(password, cookie_secret(folder)) if password else None

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.close()

    app = FastAPI(lifespan=lifespan, openapi_url=None)
    app.mount(PATH, build_api(service, gate))
    if gate:
        app.router.routes.extend(login_routes(gate))
    if pages and importlib.util.find_spec("boyi.web.pages"):
        _add_pages(app, service, folder)
    app.add_middleware(Visitors, service=service)
    if gate:
        app.add_middleware(GateKeeper, gate=gate)
    app.add_middleware(Guard, loopback_only=loopback_only)
    return app


def _add_pages(app: FastAPI, service: Service, folder: Path) -> None:
    os.environ["NICEGUI_STORAGE_PATH"] = str(folder / "nicegui")  # read at import; unset, it is the working folder
    from nicegui import ui

    from boyi.web.pages import RUN_WITH, mount

    mount(app, service)
    ui.run_with(app, **RUN_WITH)
