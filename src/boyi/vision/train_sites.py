"""Trains the net that says what stands on the sites of a board, by looking at all of them together.

What an empty site looks like, and what the two kinds of stones look like, is different on every board, but the same
all over it. So every site is first described by itself, then compared with all others by attention. Start at `SiteNet`.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from boyi.vision.nets import EMPTY, KINDS, OTHER, STONE
from boyi.vision.patches import (
    CELL,
    CHANNELS,
    Grid,
    Patches,
    contrast_of,
    cut_patches,
    middle_colours,
)
from boyi.vision.sample import Sample, darker_first, grid_of

WIDTH, HEADS, LAYERS = 64, 4, 3
SIGN = 2
"""Planes that show what stands in a square by itself, as large as it is."""
OFF, FAR_OFF = 0.05, 0.12
"""How far beside their sites, in pitches, boards are looked at: most of them, and one in four."""
BETWEEN = 0.3
"""How many boards are also shown by the places between their sites, which are no sites."""
MOST = 90
"""Sites of a board that are learnt from at a time."""
SIDE_SHARE = 0.5
"""How much the sides count beside the kinds."""


class Together(nn.Module):
    """Every site [B, N, WIDTH] looks at all others of its board, then thinks for itself."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.after = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.asked, self.shown = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.think = nn.Sequential(nn.Linear(WIDTH, 2 * WIDTH), nn.ReLU(), nn.Linear(2 * WIDTH, WIDTH))

    def forward(self, x: Tensor, hidden: Tensor | None) -> Tensor:
        """`hidden` [B, 1, 1, N] is -inf where a board has no such site."""
        boards, number, _ = x.shape
        parts = self.asked(self.before(x)).reshape(boards, number, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        alike = parts[0] @ parts[1].transpose(2, 3) * (WIDTH // HEADS) ** -0.5
        if hidden is not None:
            alike = alike + hidden
        seen = (alike.softmax(3) @ parts[2]).permute(0, 2, 1, 3).reshape(boards, number, WIDTH)
        x = x + self.shown(seen)
        return x + self.think(self.after(x))  # type: ignore[no-any-return]


class SiteNet(nn.Module):
    """Planes of the sites of a board [N, CHANNELS, CELL, CELL] -> [N, kinds + 2]: shares of the kinds, of the sides."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            nn.Conv2d(CHANNELS - SIGN, 32, 4, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(),
            nn.Conv2d(32, 64, 4, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(64, 96, 3, padding=1), nn.ReLU(), nn.AvgPool2d(2), nn.Flatten(),
        )  # fmt: skip
        self.read = nn.Sequential(
            nn.Conv2d(SIGN, 16, 4, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 4, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(), nn.AvgPool2d(2), nn.Flatten(),
        )  # fmt: skip
        self.join = nn.Linear((96 + 32) * (CELL // 8) ** 2, WIDTH)
        self.together = nn.ModuleList(Together() for _ in range(LAYERS))
        self.answer = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, len(KINDS) + 2))

    def logits(self, planes: Tensor, counts: list[int]) -> Tensor:
        """[N, kinds + 2] for several boards at once, of `counts` sites each."""
        seen = self.join(torch.cat((self.look(planes[:, :-SIGN]), self.read(planes[:, -SIGN:])), 1))
        if len(counts) == 1:
            x, hidden = seen[None], None
        else:
            x = nn.utils.rnn.pad_sequence(list(seen.split(counts)), batch_first=True)
            there = torch.arange(x.shape[1])[None] < torch.tensor(counts)[:, None]
            hidden = torch.zeros(there.shape).masked_fill(~there, -torch.inf)[:, None, None]
        for layer in self.together:
            x = layer(x, hidden)
        answer = self.answer(x)
        return answer[0] if hidden is None else answer[there]  # type: ignore[no-any-return]

    def forward(self, planes: Tensor) -> Tensor:
        found = self.logits(planes, [1])
        return torch.cat((found[:, : len(KINDS)].softmax(1), found[:, len(KINDS) :].softmax(1)), 1)


@dataclass(frozen=True)
class Board:
    """The sites of one board: as seen, their middle colours [N, 3], kinds [N] and sides [N]."""

    patches: Patches
    bodies: NDArray[np.float32]
    kinds: NDArray[np.int64]
    sides: NDArray[np.int64]


def boards_of(sample: Sample, random: np.random.Generator) -> Iterator[Board]:
    """The sites of a sample, and sometimes the places between them."""
    off = OFF if random.random() < 0.75 else FAR_OFF
    yield _board(sample, grid_of(sample.sites, sample.lattice, random, off=off), sample.kinds, sample.sides)
    if random.random() < BETWEEN and len(sample.kinds) > 3 and (sample.kinds == STONE).any():
        full = (sample.kinds != EMPTY).astype(int)
        around = full[:-1, :-1] + full[1:, :-1] + full[:-1, 1:] + full[1:, 1:]
        grid = grid_of(sample.sites, sample.lattice, random, shift=0.5)
        yield _board(sample, grid, np.where(around > 0, OTHER, EMPTY), np.full(around.shape, -1))


def _board(sample: Sample, grid: Grid, kinds: NDArray[np.int64], sides: NDArray[np.int64]) -> Board:
    patches = cut_patches(sample.picture, grid)
    return Board(patches, middle_colours(patches.tiles), kinds.ravel(), sides.ravel())


def some_of(board: Board, random: np.random.Generator) -> Board:
    """At most MOST of the sites: large boards say little more with all of theirs."""
    if len(board.kinds) <= MOST:
        return board
    chosen = np.zeros(len(board.kinds), bool)
    chosen[random.permutation(len(board.kinds))[:MOST]] = True
    return Board(board.patches.of(chosen), board.bodies[chosen], board.kinds[chosen], board.sides[chosen])


def changed(board: Board, random: np.random.Generator) -> Board:
    """The board turned, mirrored, and in other colours."""
    cut, signs = board.patches.tiles, board.patches.signs
    if random.random() < 0.5:
        cut, signs = cut.transpose(0, 2, 1, 3), signs.transpose(0, 2, 1)
    down, right = random.choice((-1, 1), 2).tolist()
    cut, signs = cut[:, ::down, ::right], np.ascontiguousarray(signs[:, ::down, ::right])
    if random.random() < 0.3:
        return replace(board, patches=replace(board.patches, tiles=np.ascontiguousarray(cut), signs=signs))
    low, high = float(random.uniform(0, 30)), float(random.uniform(225, 255))
    power = float(np.exp(random.uniform(-0.35, 0.35)))
    table = (low + (high - low) * (np.arange(256) / 255) ** power).astype(np.uint8)
    if random.random() < 0.2:
        table = 255 - table
    order = random.permutation(3) if random.random() < 0.5 else np.arange(3)
    around, ground, bodies = (
        table[colour[..., order].astype(np.uint8)].astype(np.float32)
        for colour in (board.patches.around, board.patches.ground, board.bodies)
    )
    shown = cv2.LUT(np.ascontiguousarray(cut[..., order]).reshape(-1, 3), table).reshape(cut.shape)
    contrast = contrast_of(bodies, ground)
    patches = Patches(np.asarray(shown, np.uint8), around, ground, contrast, signs, board.patches.sizes)
    return Board(patches, bodies, board.kinds, _ordered(bodies, board.sides))


def _ordered(bodies: NDArray[np.float32], sides: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sides in other colours, of which the darker one is still 0; -1 where nobody could tell."""
    there = [side for side in (0, 1) if (sides == side).any()]
    if not there:
        return sides
    colours = np.stack([np.median(bodies[sides == side], axis=0) for side in there])
    colours = colours if len(there) == 2 else np.concatenate((colours, 255.0 - np.float32(255) * (colours > 127)))
    order = darker_first(colours.astype(np.float32), np.array([0, 1][: len(there)]))
    found = np.full(len(sides), -1)
    for rank, side in enumerate(there if order is not None else ()):
        found[sides == side] = order[rank]  # type: ignore[index]
    return found


def batch_of(boards: list[Board]) -> tuple[Tensor, list[int], Tensor, Tensor, Tensor]:
    """Planes, sites of each board, kinds, sides, and how much each site counts: rare kinds of a board more."""
    planes = np.concatenate([board.patches.planes for board in boards])
    weights = []
    for board in boards:
        counts = np.bincount(board.kinds * 3 + board.sides + 1, minlength=3 * len(KINDS))
        weight = counts[board.kinds * 3 + board.sides + 1] ** -0.5
        weights.append(weight / weight.sum())
    kinds, sides = (np.concatenate([getattr(board, name) for board in boards]) for name in ("kinds", "sides"))
    weight = np.concatenate(weights).astype(np.float32) / len(boards)
    found = tuple(torch.from_numpy(array) for array in (planes, kinds, sides, weight))
    return found[0], [len(board.kinds) for board in boards], found[1], found[2], found[3]


def fit_sites(
    net: SiteNet,
    boards: list[Board],
    *,
    minutes: float,
    seed: int,
    rate: float = 2e-3,
    batch: int = 20,
    tell: Callable[[str], None] = print,
) -> None:
    """Train for a time, with ever smaller steps; every hundredth board is only looked at."""
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    test, train = boards[::100], [board for number, board in enumerate(boards) if number % 100]
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-2)
    began, step, mean = time.monotonic(), 0, 0.0
    while (done := (time.monotonic() - began) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 200) * (1 - done) ** 1.5 + 1e-6
        chosen = [
            changed(some_of(train[int(place)], random), random) for place in random.integers(len(train), size=batch)
        ]
        chosen.sort(key=lambda board: len(board.kinds))
        planes, counts, kinds, sides, weight = batch_of(chosen)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = net.logits(planes.to(memory_format=torch.channels_last), counts)
        loss = _loss(logits.float(), kinds, sides, weight)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        step, mean = step + 1, mean * 0.99 + 0.01 * float(loss.detach())
        if step % 400 == 0:
            tell(f"{step} steps, {done:.0%}: loss {mean:.4f}, boards exact {exact_share(net, test):.1%}")
    tell(f"{step} steps: boards exact {exact_share(net, test):.1%}")


def _loss(logits: Tensor, kinds: Tensor, sides: Tensor, weight: Tensor) -> Tensor:
    kind = nn.functional.cross_entropy(logits[:, : len(KINDS)], kinds, reduction="none", label_smoothing=0.01)
    known = sides >= 0
    side = nn.functional.cross_entropy(
        logits[known, len(KINDS) :], sides[known], reduction="none", label_smoothing=0.01
    )
    return (kind * weight).sum() + SIDE_SHARE * (side * weight[known]).sum()


@torch.no_grad()
def exact_share(net: SiteNet, boards: list[Board]) -> float:
    """The share of boards of which every kind and every side is right."""
    right = 0
    for board in boards:
        planes, counts, kinds, sides, _ = batch_of([board])
        found = net.logits(planes, counts)
        same = found[:, : len(KINDS)].argmax(1) == kinds
        known = sides >= 0
        right += bool(same.all() and (found[known, len(KINDS) :].argmax(1) == sides[known]).all())
    return right / max(len(boards), 1)
