"""`python -m boyi.vision.train`: trains the two small nets from rendered pictures and writes them as ONNX.

Takes a few minutes on one core. Needs the `train` extra; reading boards does not.
"""

import argparse
import io
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import nn

from boyi.vision.damage import DAMAGE, pointed
from boyi.vision.nets import KINDS, NUMBERS
from boyi.vision.patches import CHANNELS, NUMBER, NUMBER_SHARE, Grid, cut_patches, flattened, number_planes_of, tiles
from boyi.vision.scenes import Scene, paint
from boyi.vision.styles import Style, random_style

Samples = tuple[NDArray[np.float32], NDArray[np.int64]]
MOST_SITES = 45
GENTLE = ("scale", "jpeg", "noise", "blur")
CURSORS = 6
"""Mouse cursors on one board in five."""


def cell_net() -> nn.Module:
    """[n, CHANNELS, 24, 24] -> [n, kinds], logits."""
    return nn.Sequential(
        nn.Conv2d(CHANNELS, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 40, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(40 * 9, 32), nn.ReLU(), nn.Linear(32, len(KINDS)),
    )  # fmt: skip


def number_net() -> nn.Module:
    """[n, 1, 28, 28] -> [n, numbers], logits."""
    return nn.Sequential(
        nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(24, 24, 3), nn.ReLU(),
        nn.Flatten(), nn.Dropout(0.2), nn.Linear(24 * 25, 32), nn.ReLU(), nn.Linear(32, len(NUMBERS)),
    )  # fmt: skip


def random_cells(random: np.random.Generator, size: int, *, strokes: bool, stones: bool) -> list[list[str]]:
    """A filled board; one in seven has things on it that are no pieces."""
    share = float(random.uniform(0.02, 0.75))
    strange = 0.3 if random.random() < 0.15 else 0.0
    side = float(random.choice([0.5, 0.5, 0.0, 1.0]))

    def one() -> str:
        if random.random() >= share:
            return ""
        if random.random() < strange:
            return "?"
        player = int(random.random() < side)
        return f"{'RB'[player]}{random.integers(1, 7)}" if stones else "XO"[player]

    return [[one() for _ in range(size)] for _ in range(size)]


def random_scene(random: np.random.Generator) -> tuple[Scene, Style, bool]:
    """A board with some damage, its style, and whether its pieces are crosses and rings."""
    size = int(random.choice([3, 5, 6, 8, 9, 13, 15]))
    lattice = "points" if size >= 9 and random.random() < 0.65 else "squares"
    strokes = size == 3 or (lattice == "squares" and random.random() < 0.45)
    stones = size == 5 and not strokes
    style = random_style(random, lattice)
    cells = random_cells(random, size, strokes=strokes, stones=stones)
    numbered = not stones and bool(random.random() < 0.12)
    pitch = float(np.exp(random.uniform(np.log(13), np.log(70 if size > 9 else 110))))
    marked = 0.2 if random.random() < 0.4 else 0.0
    scene = paint(random, style, cells, pitch=pitch, strokes=strokes, numbered=numbered, marked=marked)
    for _ in range(CURSORS if random.random() < 0.2 else 0):
        scene = pointed(scene, random, float(random.uniform(0, 1)))
    for name in random.choice(GENTLE, int(random.integers(0, 3)), replace=False):
        scene = DAMAGE[str(name)](scene, random, float(random.uniform(0, 0.9)))
    return scene, style, strokes


def grid_of(scene: Scene, random: np.random.Generator, shift: float = 0.0) -> Grid:
    """The grid of a scene, a little off, as one that was found; `shift` moves it by that many pitches."""
    step = (scene.sites[0, 1] - scene.sites[0, 0])[0], (scene.sites[1, 0] - scene.sites[0, 0])[1]
    rows, columns = scene.sites.shape[:2]
    x, y = scene.sites[0, 0] + (random.uniform(-0.05, 0.05, 2) + shift) * step
    place = np.array([[step[0], 0, x], [0, step[1], y], [0, 0, 1]], float)
    less = int(shift > 0)
    return Grid(place, rows - less, columns - less, scene.lattice)


def kind_of(text: str, strokes: bool, pale: bool) -> int:
    if not text:
        return KINDS.index("empty")
    if text == "?":
        return KINDS.index("other")
    if strokes:
        return KINDS.index("cross" if text == "X" else "ring")
    return KINDS.index("ring" if pale else "stone")


def cell_samples(random: np.random.Generator, boards: int) -> Iterator[Samples]:
    for _ in range(boards):
        scene, style, strokes = random_scene(random)
        pale = [
            max(abs(a - b) for a, b in zip(colour, style.board, strict=True)) < 14 and not style.shade
            for colour in style.stones
        ]
        wanted = np.array(
            [kind_of(text, strokes, pale[int(text[:1] in ("O", "B"))]) for row in scene.cells for text in row]
        )
        yield _some(random, cut_patches(scene.picture, grid_of(scene, random)).planes, wanted)
        if random.random() < 0.35 and len(scene.cells) > 3 and not strokes:
            yield _between(scene, random)


def _between(scene: Scene, random: np.random.Generator) -> Samples:
    """The places between four sites: `other` where quarters of stones look in from the corners."""
    full = np.array([[bool(text) for text in row] for row in scene.cells])
    around = full[:-1, :-1].astype(int) + full[1:, :-1] + full[:-1, 1:] + full[1:, 1:]
    planes = cut_patches(scene.picture, grid_of(scene, random, 0.5)).planes
    wanted = np.where(around > 0, KINDS.index("other"), KINDS.index("empty")).ravel()
    return _some(random, planes, wanted)


def _some(random: np.random.Generator, planes: NDArray[np.float32], wanted: NDArray[np.int64]) -> Samples:
    """At most MOST_SITES of a board's sites, of each kind the same number where there are enough."""
    order = random.permutation(len(wanted))
    rank = np.zeros(len(wanted))
    for kind in np.unique(wanted):
        own = order[wanted[order] == kind]
        rank[own] = np.arange(len(own))
    chosen = np.argsort(rank, kind="stable")[:MOST_SITES]
    return planes[chosen], wanted[chosen]


def number_samples(random: np.random.Generator, boards: int) -> Iterator[Samples]:
    cell = round(NUMBER / NUMBER_SHARE)
    for _ in range(boards):
        style = random_style(random, "squares")
        kind = random.random()
        cells = random_cells(random, 9, strokes=False, stones=kind < 0.8)
        pitch = float(np.exp(random.uniform(np.log(20), np.log(80))))
        scene = paint(random, style, cells, pitch=pitch, numbered=kind > 0.9)
        for name in random.choice((*GENTLE, "cursor"), int(random.integers(0, 3)), replace=False):
            scene = DAMAGE[str(name)](scene, random, float(random.uniform(0, 0.7)))
        texts = [text for row in scene.cells for text in row]
        cut = tiles(flattened(scene.picture, grid_of(scene, random), cell), *scene.sites.shape[:2])
        chosen = [index for index, text in enumerate(texts) if text[:1] in ("R", "B", "X", "O") and text]
        if chosen:
            numbers = [NUMBERS.index(texts[i][1:]) if kind < 0.8 else 0 for i in chosen]
            yield number_planes_of(cut[chosen]), np.array(numbers)


def begin(net: nn.Module, path: Path) -> None:
    """Give a net the weights of a file that `write` made."""
    found = {entry.name: onnx.numpy_helper.to_array(entry) for entry in onnx.load(path).graph.initializer}
    weights = {
        name: torch.tensor(next(value for key, value in found.items() if key.endswith(name)))
        for name in net.state_dict()
    }
    net.load_state_dict(weights)


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


def write(net: nn.Module, example: NDArray[np.float32], path: Path) -> None:
    """Write the net with its softmax as ONNX."""
    data = io.BytesIO()
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            nn.Sequential(net, nn.Softmax(1)).eval(),
            (torch.from_numpy(example[:2]),),
            data,  # type: ignore[arg-type]
            input_names=["planes"],
            output_names=["share"],
            dynamic_axes={"planes": {0: "n"}, "share": {0: "n"}},
            opset_version=17,
            dynamo=False,
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(onnx.load_from_string(data.getvalue()).SerializeToString()))


def main() -> None:
    """Command line of the trainer."""
    parser = argparse.ArgumentParser(prog="python -m boyi.vision.train", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "data", help="folder for the two files")
    parser.add_argument("--nets", nargs="+", choices=("cells", "numbers"), default=["cells", "numbers"])
    parser.add_argument("--boards", type=int, default=2000, help="pictures to render for each net")
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--rate", type=float, default=4e-3, help="the highest learning rate")
    parser.add_argument("--start", type=Path, help="folder with nets whose weights training starts from")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    torch.set_num_threads(1)
    work = {"cells": (cell_net(), cell_samples), "numbers": (number_net(), number_samples)}
    for name in wanted.nets:
        net, samples = work[name]
        pairs = list(samples(np.random.default_rng(wanted.seed), wanted.boards))
        planes = np.concatenate([pair[0] for pair in pairs])
        labels = np.concatenate([pair[1] for pair in pairs])
        if wanted.start is not None:
            begin(net, wanted.start / f"{name}.onnx")
        share = fit(net, planes, labels, epochs=wanted.epochs, seed=wanted.seed, rate=wanted.rate)
        write(net, planes, wanted.out / f"{name}.onnx")
        print(f"{name}: {len(planes)} samples, {share:.2%} of unseen ones right")


if __name__ == "__main__":
    main()
