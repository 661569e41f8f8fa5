"""Boards to train on as pages show them: random HTML in a real browser, with its own buttons, tables, fonts and edges.

`boyi.vision.samples --pages` writes them; `page_html` says what is on the pages. Needs the `dev` extra and Chromium.
"""

import random as plain_random
import shutil
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.nets import CROSS, EMPTY, RING, STONE
from boyi.vision.page_html import OUTLINES, Board, html, random_board
from boyi.vision.sample import Sample

VIEWS = ((1100, 800), (900, 900), (1280, 800), (800, 760), (1366, 768))
SCALES = (1.0, 1.0, 1.0, 1.0, 1.25, 1.5, 0.8)
"""Pixels a point of the screen."""
SEEDS = 1_000_003
NARROWEST, OUTSIDE = 12.0, 2.0
"""Pixels of the smallest squares, and how far a board may reach beyond the picture."""
SPOTS = """() => {
    const canvas = document.querySelector('canvas');
    if (canvas) {
        const box = canvas.getBoundingClientRect();
        return JSON.parse(canvas.dataset.spots).map(([x, y]) => [box.left + x, box.top + y]);
    }
    return [...document.querySelectorAll('[data-site]')].map(site => {
        const box = site.getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    });
}"""
"""Where the sites of the board are on the page."""


def page_samples(places: Sequence[int], seed: int) -> Iterator[tuple[int, Sample]]:
    """Pictures of random pages, each with its number; those that do not show the whole board are left out."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("pages need Chromium: install your system's package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        pages = {scale: browser.new_page(device_scale_factor=scale) for scale in SCALES}
        for place in places:
            random = plain_random.Random(seed * SEEDS + place)
            board = random_board(random)
            width, height = random.choice(VIEWS)
            scale = random.choice(SCALES)
            page = pages[scale]
            page.set_viewport_size({"width": width, "height": height})
            page.set_content(html(random, board))
            spots = page.evaluate(SPOTS)
            found = _sample(board, spots, np.frombuffer(page.screenshot(), np.uint8), scale)
            if found is not None:
                yield place, found
        browser.close()


def _sample(board: Board, spots: Sequence[Sequence[float]], data: NDArray[np.uint8], scale: float) -> Sample | None:
    """The picture with its truth; None where a part of the board is outside it."""
    picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    size = len(board.cells)
    sites = np.array(spots, float).reshape(size, size, 2) * scale
    pitch = float(np.linalg.norm(sites[0, 1] - sites[0, 0]))
    low, high = sites.min(axis=(0, 1)) - 0.5 * pitch, sites.max(axis=(0, 1)) + 0.5 * pitch
    if pitch < NARROWEST or low.min() < -OUTSIDE or (high > np.array(picture.shape[1::-1]) + OUTSIDE).any():
        return None
    player = np.array([["XO".index(text) if text else -1 for text in row] for row in board.cells])
    if board.letters:
        kinds = np.where(player == 0, CROSS, np.where(player == 1, RING, EMPTY))
        return Sample(picture, sites, kinds, np.full(player.shape, -1), board.lattice, framed=True)
    kinds = np.where(player < 0, EMPTY, STONE)
    if board.discs and board.discs[1] in OUTLINES:
        kinds[player == 1] = RING
    return Sample(picture, sites, kinds, player, board.lattice, framed=True)
