"""A real server for all tests of the web, and clients of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from browsing import launch
from playwright.sync_api import Browser, Page, expect, sync_playwright

from boyi.web.process import ServerProcess

HERE = Path(__file__).parent
ORDER = {
    "test_bench_serve.py": 1,
    "test_serve.py": 1,
    "test_browser_train.py": 2,
    "test_browser_compete.py": 2,
    "test_browser_play.py": 2,
    "test_api.py": 4,
    "test_i18n.py": 4,
    "test_openapi.py": 4,
    "test_security.py": 4,
}
"""The driver of the browser keeps an event loop in its process, where no other can run from then on: who needs one goes
before. Then long files first and those of many short tests last, so that two processes end at about the same time."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files of this folder, which come after all others, into their order.

    On a busy computer a click can fall between two drawings of a page: a test in the browser is tried again. The report
    names every test that needed it (`-r R`).
    """
    items.sort(key=lambda item: ORDER.get(item.path.name, 3) if item.path.parent == HERE else 0)
    for item in items:
        if isinstance(item, pytest.Function) and "browser" in item.fixturenames:
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """The app with one engine process."""
    with ServerProcess(tmp_path_factory.mktemp("data"), "--workers", "2") as running:
        yield running


@contextmanager
def new_client(server: ServerProcess) -> Iterator[httpx.Client]:
    """A client of the API who is a visitor nobody knew before."""
    with httpx.Client(base_url=server.api, timeout=60) as made:
        made.headers["Authorization"] = f"Bearer {made.post('/visitors').json()['token']}"
        made.cookies.clear()
        yield made


@pytest.fixture
def client(server: ServerProcess) -> Iterator[httpx.Client]:
    with new_client(server) as made:
        yield made


@pytest.fixture
def stranger(server: ServerProcess) -> Iterator[httpx.Client]:
    """Another visitor."""
    with new_client(server) as made:
        yield made


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    with sync_playwright() as playwright:
        made = launch(playwright)
        yield made
        made.close()


@pytest.fixture
def page(browser: Browser, server: ServerProcess) -> Iterator[Page]:
    """A page of a visitor nobody knew before; its script errors fail the test."""
    context = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900}, locale="en-US")
    made = context.new_page()
    wrong: list[str] = []
    made.on("pageerror", lambda error: wrong.append(str(error)))
    made.set_default_timeout(60_000)
    expect.set_options(timeout=60_000)
    yield made
    context.close()
    assert not wrong
