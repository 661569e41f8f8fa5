"""The app as a running server: how it starts, and how it ends in order."""

import asyncio
import signal
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boyi.service import boards
from boyi.service.errors import ServiceError
from boyi.service.service import Service
from boyi.service.settings import read_settings, usual_settings
from boyi.web.app import build
from boyi.web.binding import is_loopback
from boyi.web.folder import data_folder, database_url

GOODBYE_S = 3
MESSAGE_BYTES = 1024 * 1024


class Server:
    """The app behind a bound socket, not yet running."""

    def __init__(
        self,
        bound: socket.socket,
        *,
        database: str | None = None,
        password: str | None = None,
        workers: int | None = None,
        settings: Path | None = None,
        games: Path | None = None,
    ) -> None:
        """Without `database`, the SQLite file of the user's data folder; `settings` is a file of the owner, `games` the
        folder of the owner's rules files, before what that file says."""
        self._socket = bound
        folder = data_folder()
        try:
            usual = usual_settings(folder)
            chosen = usual if settings is None else read_settings(settings, usual)
            loopback_only = is_loopback(str(bound.getsockname()[0]))
            chosen = replace(chosen, private=loopback_only, games=games.absolute() if games else chosen.games)
            service = Service(database or database_url(folder), workers=workers, settings=chosen)
        except ServiceError as error:
            raise ValueError(str(error)) from error
        self.app = build(service, folder=folder, password=password, loopback_only=loopback_only)

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Serve until Ctrl-C or SIGTERM, then close in order; `ready` is called when requests are answered."""
        starting = Starting(self.app)
        config = uvicorn.Config(
            starting,
            log_level="warning",
            proxy_headers=False,  # whoever connects is who asks: the login counts attempts by address
            server_header=False,
            ws_max_size=MESSAGE_BYTES,
            ws_per_message_deflate=False,  # packing costs more than all else of a message, and most clients are near
            timeout_graceful_shutdown=GOODBYE_S,
        )
        server = Announcing(config, ready)
        # uvicorn raises the signal again when all is closed; by then there is nothing left to stop
        previous = {number: signal.signal(number, _ignore) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            server.run(sockets=[self._socket])
        except SystemExit:
            if starting.failure is None:
                raise
            raise OSError(f"the app cannot start: {starting.failure}") from starting.failure
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)


class Starting:
    """Around the app: keeps what it was refused at its start, which uvicorn would tell by a traceback."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.failure: ServiceError | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return
        failed: list[Message] = []

        async def hold(message: Message) -> None:
            if message["type"] == "lifespan.startup.failed":
                failed.append(message)
            else:
                await send(message)

        try:
            await self.app(scope, receive, hold)
        except ServiceError as error:
            self.failure = error
            await send({"type": "lifespan.startup.failed"})
        except BaseException:
            for message in failed:
                await send(message)
            raise


class Announcing(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            await asyncio.to_thread(boards.prepare)  # else the first page would come only when all is compiled
            self._ready()


def _ignore(*_: object) -> None:
    pass
