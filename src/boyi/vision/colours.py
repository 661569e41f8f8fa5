"""Colours of what is painted, mixed, compared, drawn at random; and of what is seen, as the eye compares them."""

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
"""Red, green, blue."""


def random_colour(random: np.random.Generator) -> Colour:
    return tuple(int(value) for value in random.integers(0, 256, 3))  # type: ignore[return-value]


def blend(first: Colour, second: Colour, share: float) -> Colour:
    return tuple(round(a + (b - a) * share) for a, b in zip(first, second, strict=True))  # type: ignore[return-value]


def distance(first: Colour, second: Colour) -> float:
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def hexed(colour: Colour) -> str:
    return "#" + "".join(f"{max(0, min(255, value)):02x}" for value in colour)


def readable_ink(stone: Colour, wanted: Colour) -> Colour:
    """The wanted ink if it shows on the stone, else black or white."""
    if distance(stone, wanted) > 110:
        return wanted
    return (255, 255, 255) if 0.3 * stone[0] + 0.59 * stone[1] + 0.11 * stone[2] < 140 else (0, 0, 0)


def lab(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """[n, 3] blue, green, red, 0 to 255 -> [n, 3] CIE Lab."""
    return np.asarray(cv2.cvtColor((colours / 255).astype(np.float32)[None], cv2.COLOR_BGR2LAB)[0], np.float32)
