"""EinStein's numbers: cut out of the stones, read by a net, each at most once a side. Start at `read_numbers`."""

import itertools

import cv2
import numpy as np
from numpy.typing import NDArray

from boyi.vision.cells import Sites
from boyi.vision.nets import NUMBERS, probabilities
from boyi.vision.patches import Grid, flattened, tiles

NUMBER = 28
"""Pixels of the patch that a number is read from: the middle of a site."""
NUMBER_SHARE = 0.62
"""How much of a site that patch shows."""
AROUND = 0.24, 0.32
"""Between these radii, in pitches, a stone shows its colour even if its number is fat."""
RIM = 0.36, 0.42
"""And between these even if its number stands on a disc of another colour."""
MOST_BARE = 0.3
"""The share of stones that may bear no number."""
CLEAR = 0.6
"""If one is less sure than that, they may stand on discs of another colour, behind words, or be pips."""
WORD, EDGE, CORNER, INK, HIGH, AIR = 120, 15, 4, 0.5, 0.6, 1.9
"""Pixels of the patch in which a number is looked for behind a word, and of its rim, which is left out, less of it
where the number may be in a corner; its ink differs from the stone by the first share of the strongest; it is as high
as this share of the highest sign; and how much larger than the number the part is that shows it."""
FAINTEST = 30.0
"""A number differs from its stone by at least so much, of 255."""
SAME_WORD = 0.4
"""Words of one side are the same if their pixels differ by no more than this share of their ink."""


DIE, SPECK, SQUARE, FULL, ALIKE = 9, 0.3, 1.35, (0.6, 0.92), 1.8
"""Pips are so many pixels from the rim of that patch, where the edges of a die may be. What has less than the second
share of the largest one's ink is none; they are no more oblong than the third number, fill that share of the square
around them, and one has at most so many times the ink of another."""
SURE = 0.98
"""What stones that are dice show is as sure as that."""


def read_numbers(picture: NDArray[np.uint8], sites: Sites) -> dict[int, NDArray[np.float32]]:
    """Probability of each of NUMBERS for every stone; where many seem to bear none, or one is unclear, on discs of
    another colour, behind a word that all stones of a side bear, small and in a corner, or as the pips of dice."""
    stones = np.flatnonzero(sites.side >= 0).tolist()
    if not stones:
        return {}
    shares = probabilities("numbers", number_planes(picture, sites.grid, stones))
    if (shares[:, 0] > 0.5).mean() > MOST_BARE or shares.max(axis=1).min() < CLEAR:
        others = (
            number_planes(picture, sites.grid, stones, badged=True),
            behind_words(picture, sites.grid, stones, sites.side[stones]),
            alone(picture, sites.grid, stones),
        )
        found = [shares, *(probabilities("numbers", planes) for planes in others if planes is not None)]
        pips = count_pips(picture, sites.grid, stones)
        found += [] if pips is None else [pips]
        shares = max(found, key=lambda share: float(share[:, 1:].max(axis=1).sum()))
    return dict(zip(stones, shares, strict=True))


def assign_numbers(numbers: dict[int, NDArray[np.float32]], stones: list[int]) -> dict[int, tuple[str, float]]:
    """Site -> its number and how sure it is; no number twice, the likeliest of all ways. At most six stones."""
    if not stones:
        return {}
    scores = np.log(np.stack([numbers[stone][1:] for stone in stones]) + 1e-6)
    ways = np.array(list(itertools.permutations(range(6), len(stones))))
    total = scores[np.arange(len(stones)), ways].sum(axis=1)
    share = np.exp(total - total.max())
    share /= share.sum()
    best = ways[total.argmax()]
    return {
        stone: (NUMBERS[1 + digit], float(share[ways[:, place] == digit].sum() * (1 - numbers[stone][0])))
        for place, (stone, digit) in enumerate(zip(stones, best.tolist(), strict=True))
    }


def number_planes(
    picture: NDArray[np.uint8], grid: Grid, sites: list[int], *, badged: bool = False
) -> NDArray[np.float32]:
    """[sites, 1, NUMBER, NUMBER]: how far the middle of each of these sites is from the colour of its stone; of stones
    that are `badged`, from that of a disc under their number too.

    Numbers keep their shape in squares that are wider than high.
    """
    cell = round(NUMBER / NUMBER_SHARE)
    cut = _stones(picture, grid, sites, cell)
    first = (cell - NUMBER) // 2
    middle = cut[:, first : first + NUMBER, first : first + NUMBER].astype(np.float32)
    offsets = (np.arange(cell) + 0.5) / cell - 0.5
    radius = np.hypot(*np.meshgrid(offsets, offsets))
    zones = ((0.0, AROUND[0]), RIM) if badged else (AROUND,)
    bodies = (np.median(cut[:, (radius > low) & (radius < high)], axis=1)[:, None, None] for low, high in zones)
    away = np.min([np.abs(middle - body).max(axis=3) for body in bodies], axis=0)
    most = np.maximum(np.percentile(away.reshape(len(cut), -1), 97, axis=1), FAINTEST)[:, None, None]
    return np.ascontiguousarray((np.clip(away / most, 0, 1) - 0.3)[:, None].astype(np.float32))


def behind_words(
    picture: NDArray[np.uint8], grid: Grid, sites: list[int], side: NDArray[np.int64]
) -> NDArray[np.float32] | None:
    """[sites, 1, NUMBER, NUMBER]: the last sign on each stone, as `number_planes` shows a number.

    None unless all stones bear several signs, which but for the last are the same on all stones of a side: "R3", "R5".
    """
    words, numbers = [], []
    for shown in _signs(picture, grid, sites):
        _, labels, boxes, _ = cv2.connectedComponentsWithStats((shown > INK).astype(np.uint8), connectivity=8)
        high = np.flatnonzero(boxes[1:, 3] >= HIGH * boxes[1:, 3].max(initial=0)) + 1
        last = int(high[np.argmax(boxes[high, 0] + boxes[high, 2])]) if len(high) else 0
        before = (labels > 0) & (labels != last)
        if not last or not before.any():
            return None
        words.append(_as_large(shown, before))
        numbers.append(_as_large(shown, labels == last))
    for player in (0, 1):
        same = np.stack(words)[side == player]
        usual = np.median(same, axis=0) if len(same) else 0.0
        if (np.abs(same - usual).sum(axis=(1, 2)) > SAME_WORD * np.sum(usual)).any():
            return None
    return np.ascontiguousarray((np.clip(np.stack(numbers), 0, 1) - 0.3)[:, None].astype(np.float32))


def alone(picture: NDArray[np.uint8], grid: Grid, sites: list[int]) -> NDArray[np.float32] | None:
    """[sites, 1, NUMBER, NUMBER]: the only sign on each stone, wherever it is, as `number_planes` shows a number; None
    unless all stones bear one and, but for specks, no more."""
    found = []
    for shown in _signs(picture, grid, sites, CORNER):
        _, labels, boxes, _ = cv2.connectedComponentsWithStats((shown > INK).astype(np.uint8), connectivity=8)
        left, top, wide, high, ink = boxes.T
        within = (np.minimum(left, top) > 0) & (left + wide < shown.shape[1]) & (top + high < shown.shape[0])
        within[0] = False
        within &= ink > SPECK * ink[within].max(initial=0)
        if within.sum() != 1:
            return None
        found.append(_as_large(shown, labels == int(within.argmax())))
    return np.ascontiguousarray((np.clip(np.stack(found), 0, 1) - 0.3)[:, None].astype(np.float32))


def count_pips(picture: NDArray[np.uint8], grid: Grid, sites: list[int]) -> NDArray[np.float32] | None:
    """[sites, numbers]: how many pips each stone has; None unless all bear one to six round ones, as large as each
    other."""
    counts, inks = [], []
    for shown in _signs(picture, grid, sites):
        *_, boxes, _ = cv2.connectedComponentsWithStats((shown > INK).astype(np.uint8), connectivity=8)
        left, top, wide, high, _ = boxes.T
        within = np.minimum(left, top) >= DIE
        within &= (left + wide <= shown.shape[1] - DIE) & (top + high <= shown.shape[0] - DIE)
        within[0] = False
        ink = boxes[:, cv2.CC_STAT_AREA]
        _, _, wide, high, ink = boxes[within & (ink > SPECK * ink[within].max(initial=0))].T
        if not 1 <= len(ink) <= 6 or max(wide.max() / high.min(), high.max() / wide.min()) > SQUARE:
            return None
        full = ink / (wide * high)
        if full.min() < FULL[0] or full.max() > FULL[1]:
            return None
        counts.append(len(ink))
        inks += ink.tolist()
    if max(counts) == 1 or max(inks) > ALIKE * min(inks):
        return None
    rest = (1 - SURE) / (len(NUMBERS) - 1)
    return np.where(np.arange(len(NUMBERS)) == np.array(counts)[:, None], SURE, rest).astype(np.float32)


def _signs(picture: NDArray[np.uint8], grid: Grid, sites: list[int], edge: int = EDGE) -> NDArray[np.float32]:
    """[sites, high, wide]: how far each of these squares, without its rim, is from its usual colour, 1 where most."""
    cut = _stones(picture, grid, sites, WORD)[:, edge:-edge, edge:-edge].astype(np.float32)
    body = np.median(cut.reshape(len(cut), -1, 3), axis=1)[:, None, None]
    away = np.abs(cut - body).max(axis=3)
    most = np.maximum(np.percentile(away, 99.5, axis=(1, 2)), FAINTEST)
    return np.asarray(away / most[:, None, None], np.float32)


def _as_large(shown: NDArray[np.float32], ink: NDArray[np.bool_]) -> NDArray[np.float32]:
    """[NUMBER, NUMBER]: some ink of a stone, and what is close to it."""
    left, top, wide, high = cv2.boundingRect(ink.astype(np.uint8))
    right, bottom = left + wide, top + high
    step = AIR * max(right - left, bottom - top) / NUMBER
    corner = [(first + last - 1 - (NUMBER - 1) * step) / 2 for first, last in ((left, right), (top, bottom))]
    alone = np.where(cv2.dilate(ink.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0, shown, np.float32(0))
    seen = cv2.blur(alone, (2, 2)) if step > 1.5 else alone
    move = np.array([[step, 0, corner[0]], [0, step, corner[1]]])
    return np.asarray(
        cv2.warpAffine(seen, move, (NUMBER, NUMBER), flags=cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR), np.float32
    )


def _stones(picture: NDArray[np.uint8], grid: Grid, sites: list[int], cell: int) -> NDArray[np.uint8]:
    """[sites, cell, cell, 3]: some of the squares in their own shape, as wide or high as the shorter side."""
    cut = tiles(flattened(picture, grid, cell, grid.aspect), grid.rows, grid.columns)[sites]
    top, left = (cut.shape[1] - cell) // 2, (cut.shape[2] - cell) // 2
    return cut[:, top : top + cell, left : left + cell]
