"""What a site of a board looks like, relative to that board's own background: the input of the small nets."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

CELL = 24
"""Pixels of a patch that shows one site, from halfway to one neighbour to halfway to the other."""
FINE, FINER, FEW_SQUARES, LARGE = 2 * CELL, 4 * CELL, 3, 3 * CELL
"""Pixels of the patch in which a sign is looked for; and on boards of so few squares a side, if these are large in the
picture: their signs may be tiny."""
CHANNELS = 11
SAME_PITCH = 0.03
"""How much the pitch of a part of a grid may differ from that of the whole."""
ENOUGH = 64
"""So many sites of a board show what most of its sites look like."""


@dataclass(frozen=True)
class Grid:
    """Where the sites of a board are in a picture."""

    place: NDArray[np.float64]
    """[3, 3]: takes (column, row, 1) to x and y, times a factor."""
    rows: int
    columns: int
    lattice: str
    """ "squares" or "points"."""

    def at(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """[n, 2] columns and rows, which need not be whole -> [n, 2] x and y."""
        moved = np.c_[points, np.ones(len(points))] @ self.place.T
        found: NDArray[np.float64] = moved[:, :2] / moved[:, 2:]
        return found

    def part(self, left: int, top: int, rows: int, columns: int) -> "Grid":
        """The grid of the same sites, or more of them, that begins so many sites further right and down."""
        return Grid(self.place @ np.array([[1.0, 0, left], [0, 1, top], [0, 0, 1]]), rows, columns, self.lattice)

    def inside(self, whole: "Grid") -> tuple[int, int, int, int] | None:
        """Where the first and the last of its sites are, column and row, in a larger grid of the same lattice and
        pitch; None if they are not all there."""
        apart = abs(self.pitch / whole.pitch - 1)
        if self.lattice != whole.lattice or self.rows >= max(whole.rows, whole.columns) or apart > SAME_PITCH:
            return None
        place = np.c_[self.corners[[0, 2]], np.ones(2)] @ np.linalg.inv(whole.place).T
        left, top, right, bottom = np.rint(place[:, :2] / place[:, 2:]).astype(int).ravel().tolist()
        there = left >= 0 and right < whole.columns and top >= 0 and bottom < whole.rows
        return (left, top, right, bottom) if there else None

    @property
    def sites(self) -> NDArray[np.float64]:
        """[rows * columns, 2]: x and y of the sites, row by row."""
        column, row = np.meshgrid(np.arange(self.columns), np.arange(self.rows))
        return self.at(np.c_[column.ravel(), row.ravel()].astype(float))

    @property
    def corners(self) -> NDArray[np.float64]:
        """[4, 2]: the corner sites, clockwise from the top left."""
        right, bottom = self.columns - 1.0, self.rows - 1.0
        return self.at(np.array([[0, 0], [right, 0], [right, bottom], [0, bottom]], float))

    @property
    def outline(self) -> NDArray[np.float64]:
        """[4, 2]: where the outermost lines meet, clockwise from the top left; `recognise` takes these as corners."""
        half = 0.5 if self.lattice == "squares" else 0.0
        right, bottom = self.columns - 1 + half, self.rows - 1 + half
        return self.at(np.array([[-half, -half], [right, -half], [right, bottom], [-half, bottom]], float))

    @property
    def lines(self) -> NDArray[np.float64]:
        """[lines, 2, 2]: both ends of every line of the board, those across first."""
        half = 0.5 if self.lattice == "squares" else 0.0
        across, down = np.arange(-half, self.columns), np.arange(-half, self.rows)
        ends = [[[-half, y], [self.columns - 1 + half, y]] for y in down]
        ends += [[[x, -half], [x, self.rows - 1 + half]] for x in across]
        found: NDArray[np.float64] = self.at(np.array(ends, float).reshape(-1, 2)).reshape(-1, 2, 2)
        return found

    @property
    def aspect(self) -> float:
        """How much wider than high the squares are."""
        right, bottom = (np.linalg.norm(self.corners[k] - self.corners[0]) for k in (1, 3))
        return float(right / bottom * (self.rows - 1) / (self.columns - 1))

    @property
    def pitch(self) -> float:
        """The usual distance of two neighbours, in pixels."""
        corners = self.corners
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        steps = np.array([self.columns, self.rows, self.columns, self.rows]) - 1
        return float(np.mean(sides / np.maximum(steps, 1)))


def upright_grid(x: float, y: float, step_x: float, step_y: float, rows: int, columns: int, lattice: str) -> Grid:
    """A grid whose first site is at (x, y)."""
    return Grid(np.array([[step_x, 0, x], [0, step_y, y], [0, 0, 1]], float), rows, columns, lattice)


def flattened(picture: NDArray[np.uint8], grid: Grid, cell: int, aspect: float = 1.0) -> NDArray[np.uint8]:
    """The board alone, every site in the middle of its square of CELL a side; squares that are to be ASPECT times wider
    than high are longer one way."""
    wide, high = round(cell * max(aspect, 1.0)), round(cell / min(aspect, 1.0))
    place = grid.place
    shrink = 1.4 * cell / grid.pitch
    if shrink < 0.75:
        picture, place = _shrunk(picture, grid, shrink)
    to_canvas = np.array([[wide, 0, wide / 2 - 0.5], [0, high, high / 2 - 0.5], [0, 0, 1]], float)
    matrix = to_canvas @ np.linalg.inv(place)
    size = (grid.columns * wide, grid.rows * high)
    found = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.uint8)


def _shrunk(picture: NDArray[np.uint8], grid: Grid, shrink: float) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The part of the picture that holds the board, made smaller without aliasing, and where its sites are there."""
    corners = grid.at(np.array([[-1, -1], [grid.columns, -1], [-1, grid.rows], [grid.columns, grid.rows]], float))
    left, top = np.clip(np.floor(corners.min(axis=0)), 0, None).astype(int)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int)
    part = picture[top : max(bottom, top + 2), left : max(right, left + 2)]
    if part.size == 0:
        return picture, grid.place
    size = max(1, round(part.shape[1] * shrink)), max(1, round(part.shape[0] * shrink))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    by_x, by_y = size[0] / part.shape[1], size[1] / part.shape[0]
    move = np.array([[by_x, 0, (0.5 - left) * by_x - 0.5], [0, by_y, (0.5 - top) * by_y - 0.5], [0, 0, 1]], float)
    return np.asarray(small, np.uint8), move @ grid.place


def tiles(canvas: NDArray[np.uint8], rows: int, columns: int) -> NDArray[np.uint8]:
    """[rows * columns, high, wide, 3] from a flattened board."""
    high, wide = canvas.shape[0] // rows, canvas.shape[1] // columns
    cut = canvas.reshape(rows, high, columns, wide, 3).swapaxes(1, 2)
    return np.ascontiguousarray(cut.reshape(rows * columns, high, wide, 3))


_OFFSETS = (np.arange(CELL) + 0.5) / CELL - 0.5
_ZONE = (np.abs(_OFFSETS) > 0.33) & (np.abs(_OFFSETS) < 0.44)
CORNERS = np.outer(_ZONE, _ZONE)
"""[CELL, CELL]: the four places of a patch that neither a round stone nor a line covers."""
_RADIUS = np.hypot(*np.meshgrid(_OFFSETS, _OFFSETS))
BODY = (_RADIUS > 0.17) & (_RADIUS < 0.31)
"""[CELL, CELL]: where a stone differs from the board, whatever is drawn on its middle."""
WHOLE = _RADIUS < 0.35
"""[CELL, CELL]: where most is of a stone's own colour, also if it bears a ring or a number."""
ZONES = (*(np.abs(_RADIUS - middle) < 0.02 for middle in (0.43, 0.39, 0.35, 0.31, 0.27)), WHOLE)
"""Each [CELL, CELL]: rings within a stone, the outermost first, which a mark on it leaves free; and the whole of it."""
DISC, SPOT, MIDDLE = _RADIUS < 0.43, _RADIUS < 0.22, _RADIUS < 0.15
"""[CELL, CELL] each: all of a stone, what a large star of the board covers, and the middle."""
SQUARE = np.maximum(*np.abs(np.meshgrid(_OFFSETS, _OFFSETS)))
"""[CELL, CELL]: how far from the middle a place is, to a side or up or down, in pitches."""
WITHIN = (SQUARE > 0.28) & (SQUARE < 0.36)
"""[CELL, CELL]: around most signs, and within the lines around their square."""
RIM = 0.13
"""How much of a square at its sides, where the lines around it are, says nothing of the strength of a sign."""
FAINTEST, INK, SPECK, LARGEST, FRAME = 60.0, 0.4, 1 / 6, 0.9, 0.75
"""A sign differs from the board by at least so much, of 255; its ink does by this share of the strongest; it has more
pixels than a speck, beside those of the square's width, and is no larger than this share of the square. What is larger
than the last share is a frame, if there is something smaller in the square, and so are pieces at its rim."""
AIR = 1.3
"""How much larger than the sign the part is that shows it."""

MOST_LIGHT, SAME_LIGHT = 0.6, 12.0
"""How much nearer to white or black light and shadow make a board at most; and how far from the colour that they would
give it, of 255, it may be."""


@dataclass(frozen=True)
class Patches:
    """The sites of a board, seen against its background."""

    tiles: NDArray[np.uint8]
    """[sites, CELL, CELL, 3]"""
    around: NDArray[np.float32]
    """[sites, 3]: the colour of the board at each site."""
    ground: NDArray[np.float32]
    """[3]: the colour of the empty board."""
    contrast: float
    """How much what stands on the board differs from it, 40 to 255."""
    signs: NDArray[np.uint8]
    """[sites, CELL, CELL]: the sign in each square as large as the patch, or all of the square where there is none."""
    sizes: NDArray[np.float32]
    """[sites]: how much of the square that shows."""

    def of(self, chosen: NDArray[np.bool_]) -> "Patches":
        """Some of the sites."""
        parts = {name: getattr(self, name)[chosen] for name in ("tiles", "around", "signs", "sizes")}
        return replace(self, **parts)

    @property
    def planes(self) -> NDArray[np.float32]:
        """[sites, CHANNELS, CELL, CELL]: difference from the board's background, from the site's own, and from what
        most sites look like, then the sign and its size."""
        shown = self.tiles.astype(np.float32)
        usual = np.median(self.tiles[:: -(-len(self.tiles) // ENOUGH)], axis=0).astype(np.float32)
        away = np.concatenate((shown - self.ground, shown - self.around[:, None, None], shown - usual), axis=3)
        away /= self.contrast
        size = np.minimum(np.abs(away), 1.5, out=np.empty_like(away))
        stretched = np.copysign(np.sqrt(size, out=size), away, out=size)  # black stones on a dark board show too
        sign = self.signs[:, None] / np.float32(255)
        size = np.broadcast_to(self.sizes[:, None, None, None], sign.shape)
        return np.concatenate((stretched.transpose(0, 3, 1, 2), sign, size), axis=1)

    def evenly_lit(self, towards: float) -> "Patches":
        """The sites as they would be if all of the board had its usual colour: where it is nearer to white (255) or to
        black (0), because light or shadow falls on a part of it, so is everything that stands there."""
        way = towards - self.ground
        share = ((self.around - self.ground) @ way / max(float(way @ way), 1.0)).clip(-MOST_LIGHT, MOST_LIGHT)
        missed = np.abs(self.ground + share[:, None] * way - self.around).max(axis=1)
        share = np.where(missed < SAME_LIGHT, share, 0)[:, None, None, None]
        tiles = np.clip((self.tiles - share * towards) / (1 - share), 0, 255).astype(np.uint8)
        return replace(self, tiles=tiles, around=np.repeat(self.ground[None], len(tiles), axis=0))

    @property
    def middles(self) -> NDArray[np.float32]:
        """[sites, 3]: the colour that most of the middle of each site has."""
        return np.asarray(np.median(self.tiles[:, MIDDLE], axis=1), np.float32)

    def bodies(self, zone: int = -1) -> NDArray[np.float32]:
        """[sites, 3]: the colour that most of one of `ZONES` has at each site."""
        return np.asarray(np.median(self.tiles[:, ZONES[zone]], axis=1), np.float32)


def cut_patches(picture: NDArray[np.uint8], grid: Grid, share: float = 1.0) -> Patches:
    """Look at every site of a grid, or at this share of its width: the stones may be small."""
    if share < 1:
        return _closer(cut_patches(picture, grid), picture, grid, share)
    cut = tiles(flattened(picture, grid, CELL), grid.rows, grid.columns)
    around = np.median(cut[:, CORNERS], axis=1).astype(np.float32)
    ground = np.median(around, axis=0).astype(np.float32)
    fine = FINER if grid.rows <= FEW_SQUARES and grid.pitch > LARGE else FINE
    signs, sizes = signs_of(flattened(picture, grid, fine), cut, grid.rows, grid.columns, grid.aspect)
    return Patches(cut, around, ground, contrast_of(middle_colours(cut), ground), signs, sizes)


def _closer(patches: Patches, picture: NDArray[np.uint8], grid: Grid, share: float) -> Patches:
    cell = 2 * round(CELL / share / 2)
    rim = (cell - CELL) // 2
    cut = tiles(flattened(picture, grid, cell), grid.rows, grid.columns)[:, rim : rim + CELL, rim : rim + CELL]
    contrast = contrast_of(middle_colours(cut), patches.ground)
    return replace(patches, tiles=cut, contrast=contrast, sizes=np.minimum(patches.sizes / share, 1))


def signs_of(
    canvas: NDArray[np.uint8], cut: NDArray[np.uint8], rows: int, columns: int, aspect: float = 1.0
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """What stands by itself in each square of a flattened board, and how much of the square that is.

    `cut` [sites, CELL, CELL, 3] are the squares themselves. Signs may be of any size and anywhere in their square; what
    reaches into the next one is a line or a stone, and the whole square is shown. Squares that were ASPECT times wider
    than high are square there; their signs are shown in their own shape.
    """
    fine = canvas.shape[0] // rows
    inner = np.s_[round(RIM * fine) : fine - round(RIM * fine)]
    around = np.median(cut[:, WITHIN], axis=1).astype(np.uint8).reshape(rows, columns, 3)
    board = cv2.resize(around, (columns * fine, rows * fine), interpolation=cv2.INTER_NEAREST)
    apart = cv2.absdiff(canvas, board)
    away = cv2.max(cv2.max(apart[..., 0], apart[..., 1]), apart[..., 2])
    squares = np.ascontiguousarray(away.reshape(rows, fine, columns, fine).swapaxes(1, 2)).reshape(-1, fine, fine)
    soft = cv2.blur(away, (3, 3)).reshape(rows, fine, columns, fine).swapaxes(1, 2).reshape(-1, fine, fine)
    strength = np.maximum(soft[:, inner, inner].max(axis=(1, 2)), FAINTEST).astype(np.float32)
    least = np.ceil(INK * strength).astype(np.uint8).reshape(rows, columns)
    least = cv2.resize(least, (columns * fine, rows * fine), interpolation=cv2.INTER_NEAREST)
    _, _, found, _ = cv2.connectedComponentsWithStats((away > least).astype(np.uint8), connectivity=8)
    left, top, wide, high, ink = found[1:].T
    row, column = top // fine, left // fine
    alone = (row == (top + high) // fine) & (column == (left + wide) // fine) & (ink > SPECK * fine)
    alone &= (left % fine > 0) & (top % fine > 0) & (np.maximum(wide, high) < LARGEST * fine)
    large = np.minimum(wide, high) > FRAME * fine
    reaching = ~large & _reaches(left % fine, wide, inner) & _reaches(top % fine, high, inner)
    alone &= reaching | ~np.isin(row * columns + column, (row * columns + column)[alone & reaching])
    boxes = np.tile(np.array([fine, fine, 0, 0]), (rows * columns, 1))
    site = (row * columns + column)[alone]
    for edge, values, keep in (
        (0, left % fine, np.minimum), (1, top % fine, np.minimum),
        (2, left % fine + wide, np.maximum), (3, top % fine + high, np.maximum),
    ):  # fmt: skip
        keep.at(boxes[:, edge], site, values[alone])
    signs = np.empty((rows * columns, CELL, CELL), np.uint8)
    sizes = np.ones(rows * columns, np.float32)
    for number, (x0, y0, x1, y1) in enumerate(boxes.tolist()):
        scale = 255 / float(strength[number])
        shown = squares[number]
        if x1 > x0:
            shown, sizes[number] = _as_large(shown, (x0, y0, x1, y1), aspect)
        else:
            shown = cv2.resize(shown, (CELL, CELL), interpolation=cv2.INTER_AREA)
        signs[number] = cv2.convertScaleAbs(shown, alpha=scale)
    return signs, sizes


def _reaches(start: NDArray[np.int32], size: NDArray[np.int32], inner: slice) -> NDArray[np.bool_]:
    """Whether parts of squares reach from the rim, where pieces of frames are, into what is within it."""
    return np.asarray((start < inner.stop) & (start + size > inner.start), bool)


def _as_large(
    square: NDArray[np.uint8], box: tuple[int, int, int, int], aspect: float
) -> tuple[NDArray[np.uint8], float]:
    """The sign within a box of a square as large as a patch, and how much of the square that shows."""
    x0, y0, x1, y1 = box
    fine = len(square)
    most = AIR * max(x1 - x0, (y1 - y0) / aspect)
    wide, high = min(most, float(fine)), min(most * aspect, float(fine))
    across, down = wide / CELL, high / CELL
    left, top = (x0 + x1 - wide + across - 1) / 2, (y0 + y1 - high + down - 1) / 2
    soft = max(1, round(max(across, down)))
    seen = cv2.blur(square, (soft, soft))
    move = np.array([[across, 0, left], [0, down, top]])
    shown = cv2.warpAffine(seen, move, (CELL, CELL), flags=cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR)
    return np.asarray(shown, np.uint8), max(wide, high) / fine


def middle_colours(cut: NDArray[np.uint8]) -> NDArray[np.float32]:
    """[sites, 3]: the usual colour where a stone would differ from the board."""
    return np.asarray(np.median(cut[:, BODY], axis=1), np.float32)


def contrast_of(bodies: NDArray[np.float32], ground: NDArray[np.float32]) -> float:
    """How much the sites that differ most do so from the ground, 40 to 255."""
    return float(np.clip(np.percentile(np.abs(bodies - ground).max(axis=1), 97), 40, 255))


def balance(patches: Patches) -> NDArray[np.float64]:
    """[sites, 2]: where the middle of the ink in each square is, down and to the right, in pitches."""
    ink = np.abs(patches.tiles - patches.around[:, None, None]).max(axis=3)
    ink[ink < INK * ink.max(axis=(1, 2), keepdims=True)] = 0
    total = np.maximum(ink.sum(axis=(1, 2)), 1)
    place = (np.arange(CELL) + 0.5) / CELL
    return np.stack((ink.sum(axis=2) @ place / total, ink.sum(axis=1) @ place / total), axis=1)
