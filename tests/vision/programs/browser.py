"""npm packages in a folder of their own, and pages in Chromium from a server on this computer."""

import functools
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2] / "web"))
from browsing import launch

NEEDS = {"chromium": "chromium"}
NPM_NEEDS = {"npm": "npm"}
"""Command -> Debian's package."""
SIDES = (620, 420, 744, 330)
"""Pixels a board."""


def install(folder: Path, packages: Sequence[str]) -> None:
    """Put npm packages into FOLDER/node_modules."""
    (folder / "package.json").write_text('{"private": true}')
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", *packages]
    subprocess.run(command, cwd=folder, check=True)


def unpack(folder: Path, package: str) -> None:
    """Put the files of one npm package into FOLDER/node_modules, without what it requires."""
    command = ["npm", "pack", "--silent", package]
    told = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    archive = folder / told.split()[-1]
    target = folder / "node_modules" / package.rpartition("@")[0]
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as files:
        files.extractall(folder / "unpacked", filter="data")
    archive.unlink()
    (folder / "unpacked" / "package").rename(target)


def bundle(modules: Path, source: str | Path, target: str, *more: str) -> None:
    """Join a script with all that it imports: MODULES/TARGET."""
    command = [
        ".bin/esbuild", str(source), "--bundle", f"--outfile={target}", "--log-level=error",
        '--define:process.env.NODE_ENV="production"', *more,
    ]  # fmt: skip
    subprocess.run(command, cwd=modules, check=True, env=os.environ | {"NODE_PATH": str(modules)})


class _Handler(SimpleHTTPRequestHandler):
    """The pages and the packages, without a log."""

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def browser(folder: Path) -> Iterator[tuple[Page, str]]:
    """A page of Chromium, and the address at which it finds the files of the folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        chromium = launch(playwright)
        yield (
            chromium.new_page(viewport={"width": 1100, "height": 860}),
            f"http://127.0.0.1:{server.server_port}",
        )
        chromium.close()
    server.shutdown()


@contextmanager
def served(command: Sequence[str | Path], folder: Path) -> Iterator[str]:
    """A server of a Python package on a free port, which the command takes last, and its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*command, str(port)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(60):
            time.sleep(0.5)
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
        else:
            raise RuntimeError(f"no server came up: {command}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()


@contextmanager
def sized(page: Page, number: int) -> Iterator[Page]:
    """Another page of one of several sizes, on screens of two densities."""
    browser = page.context.browser
    assert browser is not None
    width, height = ((1100, 860), (900, 900), (1280, 860))[number % 3]
    other = browser.new_page(
        viewport={"width": width, "height": height}, device_scale_factor=(1, 1.25, 1, 1.5)[number % 4]
    )
    yield other
    other.close()


def pictured(page: Page, file: Path) -> None:
    """A picture of the page from its top, with the mouse in a corner."""
    page.mouse.move(2, 2)
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(700)
    page.screenshot(path=file)
