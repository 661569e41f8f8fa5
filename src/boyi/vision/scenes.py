"""Pictures of boards in styles drawn at random, with what stands on every site: for training and for measuring.

Nothing here is shared with `boyi.draw`, so that our own boards are one more theme that the recogniser has not been
trained on. Start at `paint`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.colours import distance, random_colour
from boyi.vision.painter import Painter
from boyi.vision.styles import Style
from boyi.vision.surfaces import covered

Picture = NDArray[np.uint8]
"""[height, width, 3], blue, green, red."""
NOT_ON_POINTS = (*"ACDEFGHJKLMNPQRSTUVYZadehkmnrt", *"?!#%$&@=", *"▲△◆")
STRANGE = (*"♔♕♖♗♘♙♚♛♜♝♞♟", *"♥♠♣♦☺⚑☀", "half", "bar", "picture")
"""What is no piece of ours: letters, chess men, other signs, a disc being turned. On a board of points, letters and
triangles are notes about empty points; numbers are that everywhere, and stars mark legal moves."""
ODD = 0.3
"""How many strange things beside stones of both sides are discs of a third colour."""
BOTH = 2
"""So many stones of each side show that a third colour is not one of theirs."""

PLAIN = 40
"""Where stones of both sides differ by so much from the board, of 255, rings as large as they are mark empty sites."""
LIKE_STROKES = ("ring", "saltire", "plus")
"""Marks of empty sites that would be small rings and crosses where pieces are rings and crosses."""


@dataclass(frozen=True)
class Scene:
    """A picture and the truth about it."""

    picture: Picture
    cells: tuple[tuple[str, ...], ...]
    """Rows of "X", "O", "R3", "B5", "" and, for what is no piece, "?"."""
    sites: NDArray[np.float64]
    """[rows, columns, 2]: x and y of every site."""
    lattice: str
    game: str = ""
    source: str = ""
    framed: bool = True
    """Whether the outermost lines of the board are there."""


def rasterise(svg: str, *, sheer: bool = False) -> Picture:
    """An SVG document as a picture; a `sheer` one has a fourth channel, how much of it covers what is under it."""
    import resvg_py

    lettered = "<text" in svg
    drawn = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=not lettered)
    data = np.frombuffer(bytes(drawn), np.uint8)
    found = cv2.imdecode(data, cv2.IMREAD_UNCHANGED if sheer else cv2.IMREAD_COLOR)
    assert found is not None
    return np.ascontiguousarray(found, dtype=np.uint8)


def paint(
    random: np.random.Generator,
    style: Style,
    cells: Sequence[Sequence[str]],
    *,
    pitch: float,
    strokes: bool = False,
    numbered: bool = False,
    margin: float = 1.7,
    marked: float = 0.0,
) -> Scene:
    """A board in a style. `strokes` draws X and O as cross and ring, `numbered` writes numbers on stones.

    One stone, and a share `marked` of all, bears the mark of the last move.
    """
    rows, columns = len(cells), len(cells[0])
    width = round((columns - 1 + 2 * margin) * pitch)
    height = round((rows - 1 + 2 * margin) * pitch)
    painter = Painter(style, rows, columns, pitch, (margin * pitch, margin * pitch))
    occupied = [(r, c) for r in range(rows) for c in range(columns) if cells[r][c]]
    painter.board(occupied)
    if style.coordinates:
        painter.labels()
    last = occupied[int(random.integers(len(occupied)))] if occupied and style.last_kind != "none" else None
    for _ in range(style.tinted):
        x, y = painter.site(int(random.integers(rows)), int(random.integers(columns)))
        side = (1 - style.gap) * pitch
        colour = random_colour(random)
        painter.rectangle(x - side / 2, y - side / 2, side, side, colour, f'opacity="{style.tint:.2f}"')
    if last and style.last_kind == "tint":
        x, y = painter.site(*last)
        more = 'opacity="0.45"'
        painter.rectangle(x - 0.47 * pitch, y - 0.47 * pitch, 0.94 * pitch, 0.94 * pitch, (240, 220, 60), more)
    for _ in range(style.chosen):
        x, y = painter.site(int(random.integers(rows)), int(random.integers(columns)))
        painter.chosen(x, y, random_colour(random))
    texts = [text[:1] for row in cells for text in row]
    both = not strokes and min(sum(text in side for text in texts if text) for side in ("XR", "OB")) >= BOTH
    plain = both and min(distance(stone, style.board) for stone in style.stones) > PLAIN
    hinted = plain if style.hint_kind == "outline" else not (strokes and style.hint_kind in LIKE_STROKES)
    for row in range(rows):
        for column in range(columns):
            text, (x, y) = cells[row][column], painter.site(row, column)
            if not text:
                if random.random() < style.hints and hinted:
                    painter.hint(x, y, int(random.integers(97)))
            elif text == "?":
                known = STRANGE if style.lattice == "points" else STRANGE + NOT_ON_POINTS
                kind = "disc" if both and random.random() < ODD else str(random.choice(known))
                painter.strange(x, y, kind, strokes=strokes)
            elif text[0] in "RB":
                painter.stone(x, y, int(text[0] == "B"), text[1:])
            elif strokes:
                painter.stroke(x, y, int(text == "O"))
            else:
                player = int(text == "O")
                painter.stone(x, y, player, str(random.integers(1, 120)) if numbered else "")
                if ((row, column) == last or random.random() < marked) and not numbered:
                    painter.last(x, y, style.stones[player])
    if strokes and style.struck:
        painter.struck(*_row(random, rows, columns))
    if style.glare:
        painter.glare(float(random.uniform(0.1, 0.8)))
    picture = _drawn(random, painter, width, height)
    if style.pixels:
        picture = _coarse(picture, style.pixels / pitch)
    if style.texture:
        grain = random.normal(0, style.texture, picture.shape[:2])[..., None]
        picture = np.clip(picture + cv2.GaussianBlur(grain, (0, 0), 1.2)[..., None] * 2, 0, 255).astype(np.uint8)
    grid = np.array([[painter.site(r, c) for c in range(columns)] for r in range(rows)])
    framed = style.frame or style.lattice == "points"
    scene = Scene(picture, tuple(tuple(row) for row in cells), grid, style.lattice, framed=framed)
    return _widened(scene, style.oblong) if style.oblong != 1.0 else scene


def _row(random: np.random.Generator, rows: int, columns: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The ends of a row, a column or a diagonal."""
    across, down = int(random.integers(columns)), int(random.integers(rows))
    ways = (
        ((down, 0), (down, columns - 1)),
        ((0, across), (rows - 1, across)),
        ((0, 0), (rows - 1, columns - 1)),
        ((rows - 1, 0), (0, columns - 1)),
    )
    return ways[int(random.integers(len(ways)))]


def _drawn(random: np.random.Generator, painter: Painter, width: int, height: int) -> Picture:
    """What was painted, its surface under everything else."""
    style = painter.style
    if not style.surface:
        return rasterise(painter.svg(width, height))
    under = rasterise(painter.svg(width, height, 0, painter.ground))
    box = (0.0, 0.0, float(width), float(height)) if style.around else painter.box
    under = covered(random, under, box, style.surface, style.relief)
    over = rasterise(painter.svg(width, height, painter.ground), sheer=True)
    share = over[..., 3:].astype(np.float32) / 255
    return np.asarray(over[..., :3] * share + under * (1 - share), np.uint8)


def _widened(scene: Scene, factor: float) -> Scene:
    """The scene with squares that are so much wider than high."""
    height, width = scene.picture.shape[:2]
    size = round(width * factor), height
    picture = np.asarray(cv2.resize(scene.picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    return replace(scene, picture=picture, sites=scene.sites * [size[0] / width, 1.0])


def _coarse(picture: Picture, scale: float) -> Picture:
    """The picture in large pixels, `scale` of them for each pixel."""
    height, width = picture.shape[:2]
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)
