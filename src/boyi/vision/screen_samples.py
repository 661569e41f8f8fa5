"""Boards to train on out of pictures of programs: the recogniser finds the sites, the truth says what stands there.

`boyi.vision.samples --screens` writes them; `screens` says what such a folder holds. Start at `screen_samples`.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from boyi.games import game as find_game
from boyi.vision.cells import look
from boyi.vision.nets import CROSS, EMPTY, RING, STONE
from boyi.vision.picture import resized
from boyi.vision.recognise import Reading, recognise
from boyi.vision.sample import Sample
from boyi.vision.screens import screens

SIZES = (1.0, 0.7, 1.35)
"""How large each picture is shown."""
NARROWEST, LARGEST = 12.0, 1_900
"""Pixels of the smallest squares, and of a side of the largest picture."""
AGREED, FEWEST = 0.5, 2
"""The grid is the right one if so many of the pieces that are there or are seen are seen where they are: that share,
and this number. The rest is what there is to learn."""
FIRST, SECOND = ("X", "R"), ("O", "B")


def screen_samples(folder: Path) -> Iterator[Sample]:
    """The boards of the programs in a folder that are marked as tuned on, in several sizes, as far as their grid is
    found when the game is known."""
    for _, tuned, scene in screens(folder):
        if not tuned or not scene.cells:
            continue
        game = find_game(scene.game)
        reading = recognise(scene.picture, game=game)
        if reading.grid is None or not _is_there(reading, scene.cells):
            continue
        seen, shape = look(scene.picture, reading.grid), (reading.grid.rows, reading.grid.columns)
        strokes = seen.strokes or game.name == "tictactoe"
        player = np.array([[_player(text) for text in row] for row in scene.cells])
        kinds = np.where(player < 0, EMPTY, np.where(player == 0, CROSS, RING) if strokes else STONE)
        outlined = (seen.shares.argmax(axis=1).reshape(shape) == RING) & (player >= 0)
        kinds[outlined & (not strokes)] = RING
        sides = np.full(shape, -1) if strokes or game.name == "einstein" else player
        sites = reading.grid.sites.reshape(*shape, 2)
        whole = Sample(scene.picture, sites, kinds, sides, reading.grid.lattice, not strokes or shape[0] > 3)
        yield from (_shown(whole, size) for size in SIZES if _is_shown(whole, reading.grid.pitch, size))


def _player(text: str) -> int:
    return 0 if text.startswith(FIRST) else 1 if text.startswith(SECOND) else -1


def _is_there(reading: Reading, cells: tuple[tuple[str, ...], ...]) -> bool:
    """Whether most pieces are where they were seen."""
    if len(reading.texts) != len(cells) or len(reading.texts[0]) != len(cells[0]):
        return False
    pairs = [pair for rows in zip(cells, reading.texts, strict=True) for pair in zip(*rows, strict=True)]
    pieces = [there == seen for there, seen in pairs if there or seen]
    return sum(pieces) >= max(FEWEST, AGREED * len(pieces))


def _is_shown(sample: Sample, pitch: float, size: float) -> bool:
    return size == 1 or (size * pitch > NARROWEST and size * max(sample.picture.shape) < LARGEST)


def _shown(sample: Sample, size: float) -> Sample:
    """The sample so much larger or smaller."""
    return replace(sample, picture=resized(sample.picture, size), sites=(sample.sites + 0.5) * size - 0.5)
