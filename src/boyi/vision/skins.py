"""Boards to train on as people draw them: pages with a board, each in a taste of its own, shown with random positions.

A skin is a page that draws `window.BOARD`; README.md beside the skins says what that holds and what the page tells of
itself. `boyi.vision.samples --skins` writes what they show. Start at `skin_samples`.
"""

import json
import random as plain_random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boyi.games import CHANCE, Position
from boyi.games import game as find_game
from boyi.vision.cells import share_of_stones
from boyi.vision.nets import CROSS, EMPTY, RING, STONE
from boyi.vision.page_samples import SEEDS, open_browser, shown
from boyi.vision.patches import cut_patches
from boyi.vision.sample import Sample, darker_first, grid_of

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

VIEW: "ViewportSize" = {"width": 1100, "height": 800}
SCALES = (1.0, 1.0, 1.0, 1.0, 0.75, 0.85, 1.15, 1.25, 1.5, 2.0)
"""Pixels a point of the screen."""
PALE = 14
"""Stones whose colour differs by less from the board's, of 255, show only their outline."""
CHOOSE = """{
    let state = %d;
    const next = () => {  // a linear congruential generator; its high bits
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 4294967296;
    };
    for (let k = 0; k < 4; k++) next();
    window.pick = list => list[Math.floor(next() * list.length)];
    window.between = (low, high) => low + next() * (high - low);
}
"""
"""What a page chooses its look with: one of a list, or a number between two."""
TOLD = re.compile(r'<meta name="(game|sizes|lattice|signs|lines)" content="([^"]*)">')
OUTLINES = re.compile("[●○⚫⚪⬤◯]")
SIDES = {"X": 0, "R": 0, "O": 1, "B": 1}


def skin_samples(skins: Sequence[Path], places: Sequence[int], seed: int) -> Iterator[tuple[int, Sample]]:
    """Pictures of skins, one after the other, each with its number."""
    with open_browser() as browser:
        views = {scale: browser.new_page(viewport=VIEW, device_scale_factor=scale) for scale in SCALES}
        for place in places:
            skin = skins[place % len(skins)]
            try:
                found = _sample(views, skin.read_text(encoding="utf-8"), plain_random.Random(seed * SEEDS + place))
            except ValueError as error:
                raise ValueError(f"{skin}: {error}") from error
            if found is not None:
                yield place, found


def _sample(views: dict[float, "Page"], page: str, random: Random) -> Sample | None:
    told = dict(TOLD.findall(page))
    size = int(random.choice(told["sizes"].split()))
    board = random_position(random, told["game"], size)
    scale = random.choice(SCALES)
    show(views[scale], page, board, random.randrange(2**32))
    picture, sites = shown(views[scale], size, scale)
    if sites is None:
        return None
    player = np.array([[SIDES.get(text[:1], -1) for text in row] for row in board["cells"]])
    if told["signs"] == "strokes" or (told["signs"] == "letters" and not OUTLINES.search(page)):
        kinds, sides = np.choose(player + 1, (EMPTY, CROSS, RING)), np.full(player.shape, -1)
    else:
        kinds, sides = _stones(picture, sites, player, told["lattice"])
    lines = told.get("lines", "none")
    framed, lined = lines != "inner", lines != "none"  # of lines that are not told of nothing can be learnt
    return Sample(picture, sites, kinds, sides, told["lattice"], framed=framed, lined=lined)


def show(view: "Page", page: str, board: dict[str, Any], seed: int = 0) -> None:
    """Show a skin with a position, in the look that a seed gives it. It can reach nothing else."""
    body = page.replace("<head>", f"<head><script>{CHOOSE % seed}window.BOARD = {json.dumps(board)}</script>", 1)
    view.route("**/*", lambda asked: asked.fulfill(body=body, content_type="text/html; charset=utf-8"))
    view.goto("http://skin.invalid/")
    view.unroute_all()


def _stones(
    picture: NDArray[np.uint8], sites: NDArray[np.float64], player: NDArray[np.int64], lattice: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Kinds and sides of stones, by the colours that they have in the picture."""
    grid, flat = grid_of(sites, lattice, np.random.default_rng(0), off=0.0), player.ravel()
    patches = cut_patches(picture, grid)
    share = share_of_stones(patches.of(flat >= 0))
    if share is not None:
        patches = cut_patches(picture, grid, share)
    bodies = patches.bodies()
    board = np.median(bodies[flat < 0], axis=0) if (flat < 0).any() else patches.ground
    kinds, sides = np.where(flat < 0, EMPTY, STONE), np.full(len(flat), -1)
    colours = np.zeros((2, 3), np.float32)
    for side in (0, 1):
        own = flat == side
        if own.any():
            colours[side] = np.median(bodies[own], axis=0)
            kinds[own & (np.abs(colours[side] - board).max() < PALE)] = RING
    there = [side for side in (0, 1) if (flat == side).any()]
    if len(there) == 1:  # what the other side would look like
        colours[1 - there[0]] = 255.0 * (colours[there[0]].mean() < 128)
    order = darker_first(colours, flat) if there else None
    if order is not None:
        sides[flat >= 0] = order[flat[flat >= 0]]
    return kinds.reshape(player.shape), sides.reshape(player.shape)


def random_position(random: Random, name: str, size: int) -> dict[str, Any]:
    """What a skin is to show: a position of random play; `README.md` of the skins says what each entry is."""
    if name == "einstein":
        return _as_page(find_game("einstein").start(seed=random.randrange(10**6)), random, random.randint(0, 30))
    if name == "othello":
        return _as_page(find_game(name, size=size).start(), random, random.randint(0, size * size - 4))
    return _stones_in_turn(random, name, size)


def _as_page(position: Position, random: Random, moves: int) -> dict[str, Any]:
    """A position after so many random moves, if the game lasts so long."""
    size, last, die = position.game.shape[0], "", 0
    for _ in range(moves):
        if position.turn is None:
            break
        chosen = random.choice(position.moves)
        last, die = (last, int(chosen)) if position.turn == CHANCE else (chosen, die)
        position = position.play(chosen)
    at = {name: list(divmod(number, size)) for number, name in enumerate(position.game.squares)}
    moving = position.turn in (0, 1)
    return {
        "size": size,
        "cells": [list(row) for row in position.cells],
        "turn": "XO"[position.turn] if moving else "X",  # type: ignore[index]
        "last": at.get(last),
        "legal": [at[move] for move in position.moves if move in at] if moving else [],
        "win": None,
        "numbers": [[0] * size for _ in range(size)],
        "die": die or random.randint(1, 6),
    }


def _stones_in_turn(random: Random, name: str, size: int) -> dict[str, Any]:
    """Stones that were placed in turn, nearer to each other than chance would have it, until a row is full."""
    length = {"tictactoe": 3, "connect6": 6}.get(name, 5)
    cells, numbers = [[""] * size for _ in range(size)], [[0] * size for _ in range(size)]
    middle, wide = [size / 2 + random.uniform(-2, 2) for _ in range(2)], random.uniform(1.5, size / 2)

    def rank(site: tuple[int, int]) -> float:
        far = ((site[0] - middle[0]) ** 2 + (site[1] - middle[1]) ** 2) ** 0.5
        return random.random() if size == 3 else far / wide + 1.2 * random.expovariate(1)

    order = sorted(((row, column) for row in range(size) for column in range(size)), key=rank)
    most = 9 if size == 3 else max(4, int(size * size * random.choice((0.1, 0.2, 0.3, 0.5))))
    win, number = None, 0
    for number, (row, column) in enumerate(order[: random.randint(min(2, size - 2), most)], 1):
        cells[row][column] = "XO"[number // 2 % 2 if name == "connect6" else (number - 1) % 2]
        numbers[row][column] = number
        win = _row_through(cells, row, column, length)
        if win:
            break
    last = list(order[number - 1])
    turn = "XO"[(number + 1) // 2 % 2 if name == "connect6" else number % 2]
    return {
        "size": size,
        "cells": cells,
        "turn": turn,
        "last": last,
        "legal": [],
        "win": win,
        "numbers": numbers,
        "die": 1,
    }


def _row_through(cells: list[list[str]], row: int, column: int, length: int) -> list[list[int]] | None:
    """The sites of a full row through a site."""
    size, own = len(cells), cells[row][column]
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        line = [[row + k * down, column + k * right] for k in range(1 - length, length)]
        alike = [0 <= y < size and 0 <= x < size and cells[y][x] == own for y, x in line]
        for start in range(length):
            if all(alike[start : start + length]):
                return line[start : start + length]
    return None
