"""One loop and one service with two engines for the tests of a session; databases of both kinds."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from guests import Guest
from postgres_server import emptied_database, running_server

from boyi.service.service import Service

_numbers = itertools.count(1)
Run = Callable[[Awaitable[Any]], Any]


@pytest.fixture(scope="session")
def run() -> Iterator[Run]:
    """Runs a coroutine on the loop of the session; nothing may take longer than ten minutes."""
    with asyncio.Runner() as runner:

        async def limited(work: Awaitable[Any]) -> Any:
            async with asyncio.timeout(600):
                return await work

        yield lambda work: runner.run(limited(work))


@pytest.fixture(scope="session")
def service(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    made = Service(f"sqlite:///{tmp_path_factory.mktemp('service')}/boyi.db", workers=2, warm=False)
    run(made.start())
    yield made
    run(made.close())


@pytest.fixture
def visitor(service: Service) -> str:
    return service.visitor(f"visitor {next(_numbers)}")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    with running_server() as folder:
        yield folder


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/boyi.db"
    return emptied_database(request.getfixturevalue("postgres"))


@pytest.fixture
def guest(service: Service, visitor: str) -> Guest:
    return Guest(service, visitor)
