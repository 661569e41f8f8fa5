"""Trains the net that sees the lines of boards in a picture, also where stones hide them. Start at `LineNet`.

Wood has grain, pages have rules, letters have strokes; what makes a line one of a board is what is around it. So the
net looks at the picture from far and near: it halves it five times, and puts together what it saw at every size.
"""

import itertools
import time
from collections.abc import Callable

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from boyi.vision.sample import Sample

CROP = 384
"""Pixels a side of the parts that are learnt from."""
WIDTHS = (12, 20, 32, 48, 64)
"""Channels at halves, quarters, ... of the picture."""
THICK = 2
"""Pixels of a line that is to be found, in the halved picture."""
MORE = 3.0
"""How much more a point on a line counts than one beside it."""


def _twice(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(),
        nn.Conv2d(outputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(),
    )  # fmt: skip


class LineNet(nn.Module):
    """A picture [B, 3, H, W], 0 to 1, H and W multiples of 32 -> [B, 2, H / 2, W / 2]: logits of lines down, across.

    A U-Net (Ronneberger 2015).
    """

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Sequential(
            nn.Conv2d(3, WIDTHS[0], 4, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(WIDTHS[0], WIDTHS[0], 3, padding=1, bias=False), nn.BatchNorm2d(WIDTHS[0]), nn.ReLU(),
        )  # fmt: skip
        pairs = list(itertools.pairwise(WIDTHS))
        self.down = nn.ModuleList(_twice(near, far) for near, far in pairs)
        self.up = nn.ModuleList(
            nn.Sequential(nn.Conv2d(near + far, near, 3, padding=1, bias=False), nn.BatchNorm2d(near), nn.ReLU())
            for near, far in reversed(pairs)
        )
        self.last = nn.Conv2d(WIDTHS[0], 2, 1)

    def forward(self, picture: Tensor) -> Tensor:
        x = self.first(picture)
        seen = []
        for layer in self.down:
            seen.append(x)
            x = layer(nn.functional.max_pool2d(x, 2))
        for layer, near in zip(self.up, reversed(seen), strict=True):
            x = layer(torch.cat((near, nn.functional.interpolate(x, scale_factor=2.0)), 1))
        return self.last(x)  # type: ignore[no-any-return]


def lines_of(sample: Sample, matrix: NDArray[np.float64], side: int) -> NDArray[np.uint8]:
    """[2, side, side]: where the lines of a board run, down and across, hidden or not, after a move by a matrix."""
    rows, columns = sample.sites.shape[:2]
    first, across, down = sample.sites[0, 0], sample.sites[0, -1], sample.sites[-1, 0]
    step_x, step_y = (across - first) / (columns - 1), (down - first) / (rows - 1)
    reach = 0.5 if sample.lattice == "squares" else 0.0
    inner = reach if sample.framed else -reach
    found = np.zeros((2, side, side), np.uint8)

    def draw(plane: int, column: tuple[float, float], row: tuple[float, float]) -> None:
        ends = np.array([first + c * step_x + r * step_y for c, r in zip(column, row, strict=True)])
        moved = (np.c_[ends, [1, 1]] @ matrix.T)[:, :2]
        start, end = ((int(x * 8), int(y * 8)) for x, y in moved)
        cv2.line(found[plane], start, end, 1, THICK, cv2.LINE_8, 3)

    for column in np.arange(-inner, columns - 1 + inner + 0.1):
        draw(0, (column, column), (-reach, rows - 1 + reach))
    for row in np.arange(-inner, rows - 1 + inner + 0.1):
        draw(1, (-reach, columns - 1 + reach), (row, row))
    return found


def random_part(sample: Sample, random: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A part [CROP, CROP, 3] of a picture at some size, perhaps turned and in other colours, and its lines."""
    height, width = sample.picture.shape[:2]
    pitch = float(np.linalg.norm(sample.sites[0, 1] - sample.sites[0, 0]))
    scale = float(np.exp(random.uniform(np.log(max(0.3, 9 / pitch)), np.log(min(2.0, 150 / pitch)))))
    if random.random() < 0.4:
        scale = 1.0 if pitch < 150 else 150 / pitch
    room = np.maximum(np.array([width, height]) * scale - CROP, 0)
    at = random.uniform(0, 1, 2) * room
    middle = sample.sites.mean(axis=(0, 1)) * scale - CROP / 2
    if random.random() < 0.6:
        at = np.clip(middle + random.uniform(-0.4, 0.4, 2) * CROP, 0, room)
    matrix = np.array([[scale, 0, -at[0]], [0, scale, -at[1]], [0, 0, 1]])
    picture, source = sample.picture, matrix
    if scale < 0.7:
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        picture, source = np.asarray(small, np.uint8), np.array([[1, 0, -at[0]], [0, 1, -at[1]], [0, 0, 1.0]])
    part = cv2.warpPerspective(picture, source, (CROP, CROP), borderMode=cv2.BORDER_CONSTANT, borderValue=(128,) * 3)
    lines = lines_of(sample, np.diag([0.5, 0.5, 1.0]) @ matrix, CROP // 2)
    return _turned(np.asarray(part, np.uint8), lines, random)


def _turned(
    part: NDArray[np.uint8], lines: NDArray[np.uint8], random: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    if random.random() < 0.5:
        part, lines = part.transpose(1, 0, 2), lines[::-1].transpose(0, 2, 1)
    if random.random() < 0.5:
        part, lines = part[::-1], lines[:, ::-1]
    if random.random() < 0.5:
        part, lines = part[:, ::-1], lines[:, :, ::-1]
    if random.random() < 0.7:
        part = part[..., random.permutation(3)]
        low, high = float(random.uniform(0, 60)), float(random.uniform(195, 255))
        table = (low + (high - low) * (np.arange(256) / 255) ** np.exp(random.uniform(-0.5, 0.5))).astype(np.uint8)
        table = 255 - table if random.random() < 0.3 else table
        part = np.asarray(cv2.LUT(np.ascontiguousarray(part), table), np.uint8)
    return part, lines


def fit_lines(
    net: LineNet,
    load: Callable[[int], Sample],
    number: int,
    *,
    minutes: float,
    seed: int,
    rate: float = 3e-3,
    batch: int = 8,
    tell: Callable[[str], None] = print,
) -> None:
    """Train for a time on samples 0 to `number`, with ever smaller steps."""
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    net.to(memory_format=torch.channels_last).train()  # type: ignore[call-overload]
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-2)
    began, step, mean, hit = time.monotonic(), 0, 0.0, 0.0
    while (done := (time.monotonic() - began) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 100) * (1 - done) ** 1.2 + 1e-6
        parts = [random_part(load(int(place)), random) for place in random.integers(number, size=batch)]
        shown = torch.from_numpy(np.stack([part for part, _ in parts])).permute(0, 3, 1, 2).float() / 255
        wanted = torch.from_numpy(np.stack([lines for _, lines in parts])).float()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = net(shown)
        loss = nn.functional.binary_cross_entropy_with_logits(logits.float(), wanted, pos_weight=torch.tensor(MORE))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        with torch.no_grad():
            found = logits > 0
            overlap = float((found & (wanted > 0)).sum() / (found | (wanted > 0)).sum().clamp(min=1))
        step, mean, hit = step + 1, mean * 0.99 + 0.01 * float(loss.detach()), hit * 0.99 + 0.01 * overlap
        if step % 100 == 0:
            tell(f"{step} steps, {done:.0%}: loss {mean:.4f}, overlap {hit:.1%}")
    net.eval()
