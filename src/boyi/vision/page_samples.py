"""Boards to train on as pages show them: random HTML in a real browser, with its own buttons, tables, fonts and edges.

`boyi.vision.samples --pages` writes them; `page_html` says what is on the pages. Needs the `dev` extra and Chromium.
"""

import random as plain_random
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.nets import CROSS, EMPTY, RING, STONE
from boyi.vision.page_html import OUTLINES, Board, html, random_board
from boyi.vision.sample import Sample

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

VIEWS = ((1100, 800), (900, 900), (1280, 800), (800, 760), (1366, 768))
SCALES = (1.0, 1.0, 1.0, 1.0, 1.25, 1.5, 0.8)
"""Pixels a point of the screen."""
SEEDS = 1_000_003
NARROWEST, OUTSIDE = 12.0, 2.0
"""Pixels of the smallest squares, and how far a board may reach beyond the picture."""
AGAIN_MS = 1000
SPOTS = """() => {
    const drawn = document.querySelector('[data-spots]');
    if (drawn) {
        const box = drawn.getBoundingClientRect();
        return JSON.parse(drawn.dataset.spots).map(([x, y]) => [box.left + x, box.top + y]);
    }
    return [...document.querySelectorAll('[data-site]')].map(site => {
        const box = site.getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    });
}"""
"""Where the sites of the board are on the page."""


@contextmanager
def open_browser() -> Iterator["Browser"]:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("pages need Chromium: install your system's package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def page_samples(places: Sequence[int], seed: int) -> Iterator[tuple[int, Sample]]:
    """Pictures of random pages, each with its number; those that do not show the whole board are left out."""
    with open_browser() as browser:
        pages = {scale: browser.new_page(device_scale_factor=scale) for scale in SCALES}
        for place in places:
            random = plain_random.Random(seed * SEEDS + place)
            board = random_board(random)
            width, height = random.choice(VIEWS)
            scale = random.choice(SCALES)
            page = pages[scale]
            page.set_viewport_size({"width": width, "height": height})
            page.set_content(html(random, board))
            picture, sites = shown(page, len(board.cells), scale)
            if sites is not None:
                yield place, _sample(board, picture, sites)


def shown(page: "Page", size: int, scale: float) -> tuple[NDArray[np.uint8], NDArray[np.float64] | None]:
    """The picture of a page, and [size, size, 2] where the sites of its board are; None where not all of it is in the
    picture, or it is too small."""
    spots = page.evaluate(SPOTS)
    if len(spots) != size * size:
        raise ValueError(f"the page shows {len(spots)} sites instead of {size * size}")
    picture = np.asarray(cv2.imdecode(np.frombuffer(_screenshot(page), np.uint8), cv2.IMREAD_COLOR), np.uint8)
    sites = np.array(spots, float).reshape(size, size, 2) * scale
    pitch = float(np.linalg.norm(sites[0, 1] - sites[0, 0]))
    low, high = sites.min(axis=(0, 1)) - 0.5 * pitch, sites.max(axis=(0, 1)) + 0.5 * pitch
    if pitch < NARROWEST or low.min() < -OUTSIDE or (high > np.array(picture.shape[1::-1]) + OUTSIDE).any():
        return picture, None
    return picture, sites


def _screenshot(page: "Page") -> bytes:
    """A picture of a page; on a busy machine the browser may fail to take one, and succeed a moment later."""
    from playwright.sync_api import Error

    try:
        return page.screenshot()
    except Error:
        page.wait_for_timeout(AGAIN_MS)
        return page.screenshot()


def _sample(board: Board, picture: NDArray[np.uint8], sites: NDArray[np.float64]) -> Sample:
    player = np.array([["XO".index(text) if text else -1 for text in row] for row in board.cells])
    if board.letters:
        kinds = np.where(player == 0, CROSS, np.where(player == 1, RING, EMPTY))
        return Sample(picture, sites, kinds, np.full(player.shape, -1), board.lattice, framed=True)
    kinds = np.where(player < 0, EMPTY, STONE)
    if board.discs and board.discs[1] in OUTLINES:
        kinds[player == 1] = RING
    return Sample(picture, sites, kinds, player, board.lattice, framed=True)
