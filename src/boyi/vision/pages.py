"""What is around a board in a screenshot: windows with text, lists, buttons, tables, pictures. Start at `on_page`."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.scenes import Scene

Picture = NDArray[np.uint8]
Ink = tuple[int, int, int]
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_PLAIN)


def _ink(random: np.random.Generator, paper: Ink) -> Ink:
    dark = sum(paper) > 380
    low, high = (0, 110) if dark else (150, 256)
    return tuple(int(value) for value in random.integers(low, high, 3))  # type: ignore[return-value]


def _text(random: np.random.Generator, picture: Picture, box: tuple[int, int, int, int], paper: Ink) -> None:
    """Lines of words."""
    left, top, right, bottom = box
    size, font, ink = float(random.uniform(0.35, 0.9)), int(random.choice(FONTS)), _ink(random, paper)
    step = int(34 * size) + int(random.integers(2, 10))
    for row in range(top + step, bottom - 3, step):
        letters = random.integers(97, 123, int(random.integers(2, 40)))
        words = "".join(" " if random.random() < 0.15 else chr(int(code)) for code in letters)
        room = max(1, int((right - left) / (20 * size)))
        cv2.putText(picture, words[:room], (left + 5, row), font, size, ink, 1, cv2.LINE_AA)


def _buttons(random: np.random.Generator, picture: Picture, box: tuple[int, int, int, int], paper: Ink) -> None:
    """Equal boxes in a row or in a column."""
    left, top, right, bottom = box
    wide, high, gap = (int(value) for value in random.integers((20, 16, 2), (120, 50, 20)))
    fill, ink = tuple(int(value) for value in random.integers(0, 256, 3)), _ink(random, paper)
    for y in range(top + gap, bottom - high, high + gap):
        for x in range(left + gap, right - wide, wide + gap):
            cv2.rectangle(picture, (x, y), (x + wide, y + high), fill, -1)
            cv2.rectangle(picture, (x, y), (x + wide, y + high), ink, 1)
            if random.random() < 0.6:
                cv2.putText(picture, "ok go"[: wide // 12], (x + 4, y + high - 6), FONTS[0], 0.4, ink, 1, cv2.LINE_AA)
        if random.random() < 0.5:
            break


def _table(random: np.random.Generator, picture: Picture, box: tuple[int, int, int, int], paper: Ink) -> None:
    """Rows and columns of different widths."""
    left, top, right, bottom = box
    ink = _ink(random, paper)
    for y in range(top, bottom, int(random.integers(16, 40))):
        cv2.line(picture, (left, y), (right, y), ink, 1)
    for x in range(left, right, int(random.integers(50, 140))):
        cv2.line(picture, (x, top), (x, bottom), ink, 1)
    _text(random, picture, box, paper)


def _image(random: np.random.Generator, picture: Picture, box: tuple[int, int, int, int], paper: Ink) -> None:
    """Something like a photo."""
    left, top, right, bottom = box
    small = random.integers(0, 256, (int(random.integers(2, 12)), int(random.integers(2, 12)), 3)).astype(np.uint8)
    picture[top:bottom, left:right] = cv2.resize(small, (right - left, bottom - top), interpolation=cv2.INTER_CUBIC)


def _shapes(random: np.random.Generator, picture: Picture, box: tuple[int, int, int, int], paper: Ink) -> None:
    """Discs and bars: bowls of stones, clocks, icons."""
    left, top, right, bottom = box
    for _ in range(int(random.integers(1, 6))):
        x, y = int(random.integers(left, right)), int(random.integers(top, bottom))
        colour = tuple(int(value) for value in random.integers(0, 256, 3))
        if random.random() < 0.6:
            cv2.circle(picture, (x, y), int(random.integers(4, 40)), colour, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(picture, (x, y), (min(right, x + 60), min(bottom, y + 12)), colour, -1)


def on_page(scene: Scene, random: np.random.Generator) -> Scene:
    """The scene on a larger page, beside other things."""
    height, width = scene.picture.shape[:2]
    more_x, more_y = (int(random.integers(0, 1 + most)) for most in (min(width, 700), min(height, 300)))
    x, y = int(random.integers(0, more_x + 1)), int(random.integers(0, more_y + 1))
    paper: Ink = tuple(int(value) for value in scene.picture[0, 0])  # type: ignore[assignment]
    if random.random() < 0.6:
        paper = tuple(int(value) for value in random.integers(0, 256, 3))  # type: ignore[assignment]
    page = np.full((height + more_y, width + more_x, 3), paper, np.uint8)
    free = [
        (0, 0, width + more_x, y),
        (0, y + height, width + more_x, height + more_y),
        (0, y, x, y + height),
        (x + width, y, width + more_x, y + height),
    ]
    for left, top, right, bottom in free:
        if right - left < 30 or bottom - top < 20:
            continue
        if random.random() < 0.3:
            paper = tuple(int(value) for value in random.integers(0, 256, 3))  # type: ignore[assignment]
            page[top:bottom, left:right] = paper
        for fill in random.choice((_text, _text, _buttons, _table, _image, _shapes), int(random.integers(0, 3))):  # type: ignore[arg-type]
            inner_top = int(random.integers(top, max(top + 1, bottom - 20)))
            inner_left = int(random.integers(left, max(left + 1, right - 30)))
            if bottom - inner_top > 12 and right - inner_left > 25:
                fill(random, page, (inner_left, inner_top, right, bottom), paper)
    page[y : y + height, x : x + width] = scene.picture
    return replace(scene, picture=page, sites=scene.sites + np.array([x, y]))
