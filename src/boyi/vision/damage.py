"""What happens to pictures on their way: other scales, compression, noise, a cursor, a desktop around them, a camera.

Every function takes a scene and returns another whose sites are where the board went.
"""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.picture import resized
from boyi.vision.scenes import Scene


def _moved(scene: Scene, matrix: NDArray[np.float64], size: tuple[int, int]) -> Scene:
    picture = cv2.warpPerspective(
        scene.picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(90, 95, 100)
    )
    points = scene.sites.reshape(-1, 1, 2).astype(np.float64)
    sites = cv2.perspectiveTransform(points, matrix).reshape(scene.sites.shape)
    return replace(scene, picture=np.asarray(picture, np.uint8), sites=np.asarray(sites, np.float64))


def scaled(scene: Scene, random: np.random.Generator, strength: float) -> Scene:
    """Another size: up to a half smaller or larger."""
    factor = float(np.exp(random.choice([-1, 1]) * 0.6 * strength))
    return replace(scene, picture=resized(scene.picture, factor), sites=scene.sites * factor)


def compressed(scene: Scene, random: np.random.Generator, strength: float) -> Scene:
    """JPEG of quality 95 down to 20."""
    quality = round(95 - 75 * strength)
    data = cv2.imencode(".jpg", scene.picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return replace(scene, picture=np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8))


def noisy(scene: Scene, random: np.random.Generator, strength: float) -> Scene:
    """Grain of up to 14 grey levels."""
    grain = random.normal(0, 14 * strength, scene.picture.shape)
    return replace(scene, picture=np.clip(scene.picture + grain, 0, 255).astype(np.uint8))


def blurred(scene: Scene, random: np.random.Generator, strength: float) -> Scene:
    """Out of focus by up to 6 % of a pitch."""
    pitch = float(np.linalg.norm(scene.sites[0, 1] - scene.sites[0, 0]))
    return replace(scene, picture=np.asarray(cv2.GaussianBlur(scene.picture, (0, 0), 0.2 + 0.06 * strength * pitch)))


def cropped(scene: Scene, random: np.random.Generator, strength: float) -> Scene:
    """Cut close around the board, up to a fifth of a pitch outside it."""
    pitch = float(np.linalg.norm(scene.sites[0, 1] - scene.sites[0, 0]))
    margin = pitch * (0.75 + 0.9 * (1 - strength))
    low = np.maximum(np.floor(scene.sites.min(axis=(0, 1)) - margin), 0).astype(int)
    high = np.ceil(scene.sites.max(axis=(0, 1)) + margin).astype(int)
    picture = np.ascontiguousarray(scene.picture[low[1] : high[1], low[0] : high[0]])
    return replace(scene, picture=picture, sites=scene.sites - low)


def pointed(scene: Scene, random: np.random.Generator, strength: float) -> Scene:
    """A mouse cursor lies on the board."""
    picture = scene.picture.copy()
    row, column = (int(random.integers(size)) for size in scene.sites.shape[:2])
    shift = random.uniform(-0.3, 0.3, 2) * np.linalg.norm(scene.sites[0, 1] - scene.sites[0, 0])
    x, y = scene.sites[row, column] + shift
    shape = np.array([[0, 0], [0, 16], [4, 13], [7, 19], [9, 18], [6, 12], [11, 11]], float) * (0.6 + 0.6 * strength)
    points = np.rint((shape + np.array([x, y])) * 16).astype(np.int32)
    cv2.fillPoly(picture, [points], (255, 255, 255), cv2.LINE_AA, 4)
    cv2.polylines(picture, [points], True, (0, 0, 0), 1, cv2.LINE_AA, 4)
    return replace(scene, picture=picture)


def turned(scene: Scene, random: np.random.Generator, strength: float) -> Scene:
    """Turned by up to 5 degrees."""
    height, width = scene.picture.shape[:2]
    angle = float(random.choice([-1, 1]) * 5 * strength)
    matrix = np.vstack((cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0), [0, 0, 1]))
    return _moved(scene, matrix, (width, height))


def tilted(scene: Scene, random: np.random.Generator, strength: float) -> Scene:
    """Seen by a camera that is not above the board: every corner moves by up to 10 % of the picture."""
    height, width = scene.picture.shape[:2]
    here = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    inward = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]], np.float32)
    move = random.uniform(0.2, 1.0, (4, 2)) * inward * 0.1 * strength * [width, height]
    matrix = cv2.getPerspectiveTransform(here, (here + move).astype(np.float32))
    return _moved(scene, np.asarray(matrix, np.float64), (width, height))


def on_desktop(scene: Scene, random: np.random.Generator, strength: float = 1.0) -> Scene:
    """In a window on a desktop of 1920 x 1080 with other things on it; a larger picture stays as it is."""
    height, width = scene.picture.shape[:2]
    if width > 1900 or height > 1000:
        return scene
    top = np.array(random.integers(20, 200, 3), float)
    bottom = np.array(random.integers(20, 200, 3), float)
    share = np.linspace(0, 1, 1080)[:, None, None]
    screen = np.repeat((top * (1 - share) + bottom * share), 1920, axis=1).astype(np.uint8)
    for _ in range(int(random.integers(0, 4))):
        _window(screen, random)
    x, y = int(random.integers(0, 1920 - width + 1)), int(random.integers(30, 1080 - height + 1))
    cv2.rectangle(screen, (x - 2, y - 30), (x + width + 2, y + height + 2), (70, 72, 76), -1)
    cv2.putText(screen, "Game", (x + 10, y - 9), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (235, 235, 235), 1, cv2.LINE_AA)
    screen[y : y + height, x : x + width] = scene.picture
    return replace(scene, picture=screen, sites=scene.sites + np.array([x, y]))


def _window(screen: NDArray[np.uint8], random: np.random.Generator) -> None:
    """A window with lines of text, and sometimes a table or a tool bar."""
    width, height = int(random.integers(300, 900)), int(random.integers(200, 700))
    x, y = int(random.integers(0, 1920 - width)), int(random.integers(0, 1080 - height))
    paper = 255 if random.random() < 0.6 else 35
    cv2.rectangle(screen, (x, y), (x + width, y + height), (paper,) * 3, -1)
    cv2.rectangle(screen, (x, y), (x + width, y + 28), (200, 200, 205) if paper == 255 else (60, 60, 64), -1)
    ink = (40, 40, 40) if paper == 255 else (210, 210, 210)
    if random.random() < 0.3:
        for row in range(y + 40, y + height, 22):
            cv2.line(screen, (x, row), (x + width, row), (190,) * 3, 1)
        for column in range(x, x + width, 80):
            cv2.line(screen, (column, y + 40), (column, y + height), (190,) * 3, 1)
    for row in range(y + 56, y + height - 8, 22):
        text = "".join(chr(int(code)) for code in random.integers(97, 123, int(random.integers(5, width // 14))))
        cv2.putText(screen, text, (x + 8, row), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1, cv2.LINE_AA)


DAMAGE: dict[str, Callable[[Scene, np.random.Generator, float], Scene]] = {
    "scale": scaled,
    "jpeg": compressed,
    "noise": noisy,
    "blur": blurred,
    "crop": cropped,
    "cursor": pointed,
    "rotation": turned,
    "perspective": tilted,
}
"""Each with a strength from 0, hardly any, to 1."""
