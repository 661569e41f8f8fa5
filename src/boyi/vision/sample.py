"""A board to train on: the picture, where its sites are, what stands on them."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.patches import Grid

APART, DARK, LIGHT = 15.0, 40.0, 65.0
"""Two colours of stones are a darker and a lighter one from this difference of lightness on, of 100; stones that are
alone on a board are dark below the second and light above the third."""


@dataclass(frozen=True)
class Sample:
    """A picture and what stands on its board."""

    picture: NDArray[np.uint8]
    sites: NDArray[np.float64]
    """[rows, columns, 2]: x and y of every site."""
    kinds: NDArray[np.int64]
    """[rows, columns]: which of `KINDS`."""
    sides: NDArray[np.int64]
    """[rows, columns]: 0 for the darker stones, 1 for the lighter ones, -1 where that cannot be said."""
    lattice: str
    framed: bool
    """Whether the outermost lines of the board are there."""
    lined: bool = True
    """Whether there is anything between empty squares."""

    def save(self, path: Path) -> None:
        packed = cv2.imencode(".png", self.picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1]
        kept = {"sites": self.sites, "kinds": self.kinds, "sides": self.sides, "lattice": self.lattice}
        partial = path.with_suffix(".part")
        with partial.open("wb") as file:
            np.savez(file, picture=packed, framed=self.framed, lined=self.lined, **kept)  # type: ignore[arg-type]
        partial.replace(path)

    @classmethod
    def load(cls, path: Path) -> "Sample":
        with np.load(path) as file:
            picture = np.asarray(cv2.imdecode(file["picture"], cv2.IMREAD_COLOR), np.uint8)
            found = {name: file[name] for name in ("sites", "kinds", "sides")}
            framed, lined = bool(file["framed"]), bool(file["lined"])
            return cls(picture, **found, lattice=str(file["lattice"]), framed=framed, lined=lined)

    @staticmethod
    def is_lined(path: Path) -> bool:
        """Whether a sample that was saved is `lined`."""
        with np.load(path) as file:
            return bool(file["lined"])


def darker_first(colours: NDArray[np.float32], player: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """[2]: for both players' colours [2, 3], blue, green, red, 0 for the darker one and 1 for the lighter one.

    None where nobody could tell. Of one player alone the lightness itself counts.
    """
    light = cv2.cvtColor(colours[None] / 255, cv2.COLOR_BGR2LAB)[0, :, 0]
    order = np.argsort(np.argsort(light))
    there = [bool((player == side).any()) for side in (0, 1)]
    if abs(float(light[0] - light[1])) < APART:
        return None
    alone = [
        there[side] and not there[1 - side] and (light[side] > DARK if order[side] == 0 else light[side] < LIGHT)
        for side in (0, 1)
    ]
    return None if any(alone) else np.asarray(order, np.int64)


def grid_of(
    sites: NDArray[np.float64], lattice: str, random: np.random.Generator, *, off: float = 0.05, shift: float = 0.0
) -> Grid:
    """The grid of these sites, a little off, as one that was found; `shift` moves it by that many pitches."""
    rows, columns = sites.shape[:2]
    step = np.array([(sites[0, -1] - sites[0, 0])[0] / (columns - 1), (sites[-1, 0] - sites[0, 0])[1] / (rows - 1)])
    x, y = sites[0, 0] + (random.uniform(-off, off, 2) + shift) * step
    place = np.array([[step[0], 0, x], [0, step[1], y], [0, 0, 1]], float)
    less = int(shift > 0)
    return Grid(place, rows - less, columns - less, lattice)
