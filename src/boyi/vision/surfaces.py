"""What boards are made of, as fields of light and dark: wood with its grain, planks, stone, cloth.

A field [height, width] lies between about -1 and 1; `covered` lets it make a part of a picture lighter and darker.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]
Picture = NDArray[np.uint8]


def _noise(random: np.random.Generator, height: int, width: int, high: float, wide: float) -> Field:
    """Random values that change over `high` rows and `wide` columns."""
    small = random.standard_normal((max(2, round(height / high)), max(2, round(width / wide)))).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def wood(random: np.random.Generator, height: int, width: int) -> Field:
    """Fibres along the columns, and rings that wave."""
    fibre = float(random.uniform(1, 3))
    field = 0.4 * _noise(random, height, width, float(random.uniform(25, 250)), fibre)
    field += 0.3 * _noise(random, height, width, float(random.uniform(60, 400)), 4 * fibre)
    bend = _noise(random, height, width, height / 3, width / 3) * float(random.uniform(0, 25))
    across = np.arange(width, dtype=np.float32)[None] + bend
    field += float(random.uniform(0, 0.6)) * np.sin(across * np.float32(2 * np.pi / random.uniform(8, 60)))
    return field


def planks(random: np.random.Generator, height: int, width: int) -> Field:
    """Wood in planks with dark seams."""
    field = wood(random, height, width)
    step = int(random.integers(40, 200))
    for left in range(int(random.integers(step)), width, step):
        field[:, left : left + step] += float(random.uniform(-0.4, 0.4))
        field[:, left : left + int(random.integers(1, 3))] -= 0.8
    return field


def stone(random: np.random.Generator, height: int, width: int) -> Field:
    """Spots of several sizes."""
    sizes = random.uniform(2, 80, 3)
    return np.asarray(sum(0.5 * _noise(random, height, width, float(size), float(size)) for size in sizes), np.float32)


def cloth(random: np.random.Generator, height: int, width: int) -> Field:
    """Fine grain, a little lighter in the middle."""
    grain = 0.5 * random.standard_normal((height, width)).astype(np.float32)
    across, down = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    return grain + np.float32(random.uniform(0, 0.8)) * (0.5 - down[:, None] ** 2 - across**2)


SURFACES: dict[str, Callable[[np.random.Generator, int, int], Field]] = {
    "wood": wood,
    "planks": planks,
    "stone": stone,
    "cloth": cloth,
}


def covered(
    random: np.random.Generator, picture: Picture, box: tuple[float, float, float, float], kind: str, strength: float
) -> Picture:
    """The picture with a surface of a kind in a box (left, top, right, bottom); `strength` is a share of the colour."""
    height, width = picture.shape[:2]
    left, top, right, bottom = (round(min(max(at, 0), most)) for at, most in zip(box, (width, height) * 2, strict=True))
    if right - left < 8 or bottom - top < 8:
        return picture
    make = SURFACES[kind]
    if random.random() < 0.5:
        field = make(random, right - left, bottom - top).T
    else:
        field = make(random, bottom - top, right - left)
    part = picture[top:bottom, left:right].astype(np.float32)
    tint = random.uniform(0.6, 1.2, 3).astype(np.float32)
    deep = part * (1 + strength * field[..., None] * tint) + 20 * strength * field[..., None]
    found = picture.copy()
    found[top:bottom, left:right] = np.clip(deep, 0, 255).astype(np.uint8)
    return found
