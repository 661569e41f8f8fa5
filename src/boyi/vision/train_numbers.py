"""Trains the net that reads EinStein's numbers off stones, from boards that are painted for it."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from boyi.vision.damage import DAMAGE
from boyi.vision.nets import NUMBERS
from boyi.vision.numbers import number_planes
from boyi.vision.sample import grid_of
from boyi.vision.samples import GENTLE, random_cells
from boyi.vision.scenes import paint
from boyi.vision.styles import numbered_stones, random_style

SMALL, SMALLEST = 0.4, 0.45
"""How many boards have smaller numbers than painted boards usually do, and down to which share of these."""
OFF, FAR_OFF = 0.05, 0.11
"""How far beside their places, in pitches, numbers are: on most boards, and on one in three."""

Samples = tuple[NDArray[np.float32], NDArray[np.int64]]


def number_net() -> nn.Module:
    """[n, 1, 28, 28] -> [n, numbers], logits."""
    return nn.Sequential(
        nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(24, 24, 3), nn.ReLU(),
        nn.Flatten(), nn.Dropout(0.2), nn.Linear(24 * 25, 32), nn.ReLU(), nn.Linear(32, len(NUMBERS)),
    )  # fmt: skip


def number_samples(random: np.random.Generator, boards: int) -> Iterator[Samples]:
    """Planes of the stones of a board, and which of NUMBERS each bears."""
    for _ in range(boards):
        style = random_style(random, "squares")
        kind = random.random()
        if kind < 0.8:
            style = numbered_stones(style, random)
        if random.random() < SMALL:
            style = replace(style, digit=style.digit * float(random.uniform(SMALLEST, 1)))
        cells = random_cells(random, 9, stones=kind < 0.8)
        pitch = float(np.exp(random.uniform(np.log(20), np.log(80))))
        scene = paint(random, style, cells, pitch=pitch, numbered=kind > 0.9)
        for name in random.choice((*GENTLE, "cursor"), int(random.integers(0, 3)), replace=False):
            scene = DAMAGE[str(name)](scene, random, float(random.uniform(0, 0.7)))
        texts = [text for row in scene.cells for text in row]
        chosen = [index for index, text in enumerate(texts) if text[:1] in ("R", "B", "X", "O") and text]
        if chosen:
            numbers = [NUMBERS.index(texts[i][1:]) if kind < 0.8 else 0 for i in chosen]
            off = OFF if random.random() < 2 / 3 else FAR_OFF
            grid = grid_of(scene.sites, scene.lattice, random, off=off)
            yield number_planes(scene.picture, grid, chosen), np.array(numbers)


def fit(
    net: nn.Module,
    planes: NDArray[np.float32],
    wanted: NDArray[np.int64],
    *,
    epochs: int,
    seed: int,
    rate: float = 4e-3,
) -> float:
    """Train a net; the accuracy on the last tenth of the samples, which it has not seen."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    cut = len(planes) * 9 // 10
    with torch.no_grad():
        classes = int(net(torch.from_numpy(planes[:1])).shape[1])
    counts = np.bincount(wanted[:cut], minlength=classes)
    weight = torch.tensor(np.clip(counts.sum() / np.maximum(counts, 1) / len(counts), 0.5, 2.0), dtype=torch.float32)
    batch = min(256, cut)
    steps = epochs * (cut // batch)
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, max(steps, 2))
    net.train()
    for step in range(steps):
        place = step % (cut // batch)
        if place == 0:
            order = random.permutation(cut)
        chosen = order[place * batch : (place + 1) * batch]
        loss = nn.functional.cross_entropy(
            net(torch.from_numpy(planes[chosen])),
            torch.from_numpy(wanted[chosen]),
            weight=weight,
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    net.eval()
    with torch.no_grad():
        guess = net(torch.from_numpy(planes[cut:])).argmax(1).numpy()
    return float((guess == wanted[cut:]).mean())
