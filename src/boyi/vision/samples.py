"""Boards to train on: `python -m boyi.vision.samples FOLDER --boards 8000` writes them, one file a board.

Boards are filled at random and painted in random styles, with some damage, on pages with other things. With
`--screens`, pictures of programs that are marked as tuned on are taken too (`screen_samples`). Files that are there
already are kept, so that the work can be interrupted. Start at `random_sample`.
"""

import argparse
import multiprocessing
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.colours import distance
from boyi.vision.damage import DAMAGE, pointed
from boyi.vision.nets import CROSS, EMPTY, OTHER, RING, STONE
from boyi.vision.page_samples import page_samples
from boyi.vision.pages import on_page
from boyi.vision.sample import Sample, darker_first
from boyi.vision.scenes import Scene, paint
from boyi.vision.screen_samples import screen_samples
from boyi.vision.skins import skin_samples
from boyi.vision.styles import Style, as_blocks, calmed, numbered_stones, random_style, smaller, with_placeholders

GENTLE = ("scale", "jpeg", "noise", "blur")
CURSORS = 6
"""Mouse cursors on one board in five."""
NEARLY_FULL = 0.15
"""How many boards have hardly an empty site: Othello ends so."""
CALM = 0.7
"""How many boards are as programs usually draw them, and not damaged."""
FEW_STRANGE = 0.12
"""How many boards have one or two things on them that are no pieces."""
BLOCKS = 0.35
"""How many boards of stones in squares are made of plain blocks."""
NUMBERED, SAME_FONT = 0.08, 0.5
"""How many boards of crosses and rings have a number on every empty square, and how many of these in the signs' own
font and size."""
PLACEHOLDERS = 0.06
"""How many boards have a sign on every empty site."""
SMALL_STONES = 0.12
"""How many boards of stones have small ones."""
PAGES_EACH = 100
"""Pages that one browser shows."""
SIZES = (3, 3, 3, 3, 5, 5, 5, 5, 6, 8, 8, 8, 9, 9, 10, 13, 13, 15, 15, 19, 19)
WIDEST = 760
"""Pixels a side of the largest board."""
PALE = 14
"""Stones whose colour differs by less from the board's, of 255, show only their outline."""


def random_cells(random: np.random.Generator, size: int, *, stones: bool) -> list[list[str]]:
    """A filled board; one in six has things on it that are no pieces: one or two, some, or nothing else."""
    share = float(random.uniform(0.02, 0.75) if size > 3 else random.uniform(0.1, 1.1))
    if size > 3 and not stones and random.random() < NEARLY_FULL:
        share = float(random.uniform(0.75, 1.05))
    strange = float(random.choice([0.0, 0.3, 1.0], p=[0.93, 0.05, 0.02]))
    side = float(random.choice([0.5, 0.5, 0.5, 0.5, 0.0, 1.0, 0.06, 0.94]))

    def one() -> str:
        if random.random() >= share:
            return ""
        if random.random() < strange:
            return "?"
        player = int(random.random() < side)
        return f"{'RB'[player]}{random.integers(1, 7)}" if stones else "XO"[player]

    cells = [[one() for _ in range(size)] for _ in range(size)]
    for _ in range(int(random.integers(1, 3)) if random.random() < FEW_STRANGE else 0):
        cells[int(random.integers(size))][int(random.integers(size))] = "?"
    return cells


def random_sample(random: np.random.Generator, sizes: Sequence[int] = SIZES) -> Sample:
    """A board of one of these sizes with some damage."""
    size = int(random.choice(sizes))
    lattice = "points" if size >= 9 and random.random() < 0.7 else "squares"
    strokes = size == 3 or (lattice == "squares" and random.random() < 0.35)
    numbers = size == 5 and not strokes
    style = random_style(random, lattice)
    calm = bool(random.random() < CALM)
    if calm:
        style = calmed(style, random)
    if numbers:
        style = numbered_stones(style, random)
    if lattice == "squares" and size > 5 and not strokes and random.random() < BLOCKS:
        style = as_blocks(style, random)
    elif not strokes and not numbers and random.random() < SMALL_STONES:
        style = smaller(style, random)
    if not strokes:
        style = replace(style, rounding=min(style.rounding, 0.3))  # a round cell looks like a stone
    elif random.random() < NUMBERED:
        style = replace(style, hints=1.0, hint_kind="text")
        if random.random() < SAME_FONT:
            reach = 0.96 * style.signs.reach
            style = replace(style, font=style.signs.font, bold=style.signs.bold, hint_size=reach, hint_ink=1.0)
    if not numbers and random.random() < PLACEHOLDERS:
        style = with_placeholders(style, random)
    cells = random_cells(random, size, stones=numbers)
    numbered = not numbers and bool(random.random() < 0.12)
    pitch = float(np.exp(random.uniform(np.log(13 if size > 8 else 22), np.log(min(WIDEST / size, 160)))))
    marked = 0.2 if random.random() < 0.4 else 0.0
    margin = float(random.uniform(0.55, 1.8))
    scene = paint(random, style, cells, pitch=pitch, strokes=strokes, numbered=numbered, marked=marked, margin=margin)
    for _ in range(CURSORS if not calm and random.random() < 0.2 else 0):
        scene = pointed(scene, random, float(random.uniform(0, 1)))
    if random.random() < 0.7:
        scene = on_page(scene, random)
    for name in random.choice(GENTLE, int(random.integers(0, 1 if calm else 3)), replace=False):
        scene = DAMAGE[str(name)](scene, random, float(random.uniform(0, 0.9)))
    kinds, sides = _labels(scene, style, strokes)
    return Sample(scene.picture, scene.sites, kinds, sides, scene.lattice, scene.framed, not style.unlined)


def _labels(scene: Scene, style: Style, strokes: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What the sites of a scene hold, and whose it is."""
    bodies = (style.inked or colour for colour in style.stones)
    pale = [distance(colour, style.board) < PALE and not style.shade for colour in bodies]
    player = np.array([[{"X": 0, "R": 0, "O": 1, "B": 1}.get(text[:1], -1) for text in row] for row in scene.cells])
    kinds = np.where(player < 0, EMPTY, CROSS if strokes else STONE)
    kinds[(player == 1) & strokes] = RING
    for side in (0, 1):
        kinds[(player == side) & (not strokes) & pale[side]] = RING
    kinds[np.array(scene.cells) == "?"] = OTHER
    order = darker_first(np.array(style.stones, np.float32)[:, ::-1], player)
    sides = np.full(player.shape, -1)
    if order is not None and not strokes and not style.inked:
        sides[player >= 0] = order[player[player >= 0]]
    return kinds, sides


def _make(work: tuple[Path, int, int, Sequence[int]]) -> None:
    folder, seed, number, sizes = work
    path = folder / f"{number:06d}.npz"
    if not path.is_file():
        cv2.setNumThreads(1)
        random_sample(np.random.default_rng([seed, number]), sizes).save(path)


def _show(work: tuple[Path, int, Sequence[Path], range]) -> None:
    """Boards on random pages, or on skins."""
    folder, seed, skins, places = work
    cv2.setNumThreads(1)
    name = "skin" if skins else "page"
    missing = [place for place in places if not (folder / f"{name}-{place:06d}.npz").is_file()]
    if missing:
        for place, sample in skin_samples(skins, missing, seed) if skins else page_samples(missing, seed):
            sample.save(folder / f"{name}-{place:06d}.npz")


def main() -> None:
    """Command line of the painter."""
    parser = argparse.ArgumentParser(prog="python -m boyi.vision.samples", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--boards", type=int, default=8000, help="boards to paint")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="their sizes, often named ones more often")
    parser.add_argument("--pages", type=int, default=0, help="boards on pages in Chromium")
    parser.add_argument("--skins", type=Path, nargs="*", default=(), help="folders with pages that draw a board")
    parser.add_argument("--each", type=int, default=12, help="boards that each of these shows")
    parser.add_argument("--screens", type=Path, nargs="*", default=(), help="folders with pictures of programs")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    if odd := [size for size in wanted.sizes if not 3 <= size <= max(SIZES)]:
        parser.error(f"--sizes {odd[0]}: boards have from 3 to {max(SIZES)} sites a side")
    pages = {folder: sorted(folder.glob("*.html")) for folder in wanted.skins}
    if bare := [folder for folder, found in pages.items() if not found]:
        parser.error(f"--skins {bare[0]}: there are no pages (*.html) in that folder")
    skins = [page for found in pages.values() for page in found]
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("spawn").Pool(wanted.workers) as pool:
        work = [(wanted.folder, wanted.seed, number, wanted.sizes) for number in range(wanted.boards)]
        for _ in pool.imap_unordered(_make, work, chunksize=8):
            pass
        for which, number in (((), wanted.pages), (skins, wanted.each * len(skins))):
            parts = (range(number)[first : first + PAGES_EACH] for first in range(0, number, PAGES_EACH))
            try:
                for _ in pool.imap_unordered(_show, [(wanted.folder, wanted.seed, which, part) for part in parts]):
                    pass
            except ValueError as error:  # a skin that does not show its board
                raise SystemExit(str(error)) from error
    for folder in wanted.screens:
        for number, sample in enumerate(screen_samples(folder)):
            sample.save(wanted.folder / f"screen-{folder.name}-{number:04d}.npz")


if __name__ == "__main__":
    main()
