"""The nets of document 000's tables 5-1-1, 5-1-2, 5-2-1 and 5-2-2, and those of its remedies, as training runs.

`TABLES` and `REMEDIES` are the runs; `train_net` makes one. `boyi.studies.ewn_features` compares them.
"""

import functools
import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.nets.config import NetConfig
from boyi.search.selfplay import legal_masks
from boyi.studies.ewn_lines import Lines, action_chances, einstein, play_lines, read_lines, samples_of
from boyi.studies.facts import read_json
from boyi.train.config import LearnConfig
from boyi.train.files import write_file, write_folder
from boyi.train.learner import Learner
from boyi.train.replay import Batch, Part, Replay

DOCUMENT_LINES, DOCUMENT_STEPS = 258_042, 2_000_000
LEFT_OUT = 0.05
"""The share of the steps at the beginning whose batches are not counted: 100,000 of 2 million."""
COUNTED = 380
"""Batches whose accuracy is counted; the document's percentages are multiples of 1/380."""
BATCH = 50
BLOCK = 10_000
"""Steps between checkpoints."""
RATE = 1e-3
"""The document says Adam; this is Adam's usual rate."""
EDGES = (0.2, 0.25, 0.3, 0.35, 0.4)
SUBSETS: dict[str, dict[str, tuple[int, ...]]] = {
    "ori": {"1": (0,), "2": (1,), "3": (2,)},
    "sim": {"1": tuple(range(13)), "2": (13, 14), "3": tuple(range(15, 43))},
}
"""The planes of features 1, 2 and 3 by observer."""
SYMMETRIES = {"": ("identity",), "transpose": ("identity", "transpose")}
SYMMETRIES["mirror"] = (*SYMMETRIES["transpose"], "turn", "transpose, turn")


@dataclass(frozen=True)
class Net:
    """One run: what a net sees, what it is, and what it learns from."""

    name: str
    """As in the document: planes, features, net."""
    published: tuple[float, ...] = ()
    """The document's percentages below 20, 20-25, 25-30, 30-35, 35-40, 40 and above."""
    planes: str = "sim"
    features: str = "1.2.3"
    kind: str = "thesis2"
    filters: int = 40
    symmetry: str = ""
    """A key of `SYMMETRIES`, or `all` of those that the planes have."""
    more: bool = False
    """Whether it learns from all lines there are, instead of as many as the document had."""
    exact: bool = False
    """Whether it learns the best move instead of the one that was played."""

    @property
    def folder(self) -> str:
        """Where the run is kept."""
        return self.name.replace("#", "-").replace(" ", "-")

    @property
    def config(self) -> NetConfig:
        if self.kind == "residual":
            return NetConfig(kind="residual", blocks=4, channels=self.filters)
        return NetConfig(kind=self.kind, channels=self.filters, observer=self.planes)


@dataclass(frozen=True)
class Size:
    """How much is done."""

    lines: int = DOCUMENT_LINES
    more: int = 2
    """Times that many lines for the remedy of more data."""
    held_out: int = 4_000
    steps: int = DOCUMENT_STEPS
    sims: int = 300
    """Playouts a move of the games."""


QUICK = Size(lines=1_000, more=2, held_out=200, steps=10, sims=20)


@dataclass(frozen=True)
class Finding:
    """What one run gave. Accuracies are shares."""

    name: str
    batches: tuple[float, ...]
    """The accuracy on each counted batch of the training data."""
    curve: tuple[tuple[int, float], ...]
    """Steps and the accuracy on lines that were held out."""
    held_out: float
    best: float
    """How often it chooses a move that is as good as the best, on held-out lines."""
    regret: float
    """Mean winning chance given away by its choice, on held-out lines."""

    @property
    def shares(self) -> list[float]:
        """Shares of the counted batches between the document's limits."""
        places = np.searchsorted(EDGES, np.array(self.batches) + 1e-9, side="right")
        counts: list[int] = np.bincount(places, minlength=len(EDGES) + 1).tolist()
        return [count / max(len(self.batches), 1) for count in counts]


def _tables() -> dict[str, list[Net]]:
    ori = [
        Net("ori#1#I", (0.00, 1.32, 16.18, 33.03, 40.66, 8.82), "ori", "1", "thesis1"),
        Net("ori#1.2#I", (0.00, 2.37, 19.74, 40.79, 32.11, 5.00), "ori", "1.2", "thesis1"),
        Net("ori#1.3#I", (0.00, 4.21, 18.42, 35.79, 34.21, 7.37), "ori", "1.3", "thesis1"),
        Net("ori#1.2.3#I", (0.00, 1.75, 18.16, 37.54, 33.68, 8.86), "ori", "1.2.3", "thesis1"),
    ]
    sim = [
        Net("sim#1#II-40", (0.00, 3.42, 18.68, 40.79, 30.79, 6.32), "sim", "1"),
        Net("sim#1.2#II-40", (0.00, 3.68, 22.63, 43.95, 27.11, 2.63), "sim", "1.2"),
        Net("sim#1.3#II-40", (0.27, 3.98, 20.16, 31.56, 35.81, 8.22), "sim", "1.3"),
        Net("sim#1.2.3#II-40", (0.00, 4.21, 21.58, 33.42, 33.68, 7.11)),
    ]
    wide = [
        Net("ori#1.2.3#II-10", (0.26, 3.16, 22.37, 35.26, 34.21, 4.74), "ori", filters=10),
        Net("ori#1.2.3#II-20", (0.26, 2.89, 22.37, 33.16, 32.37, 8.95), "ori", filters=20),
        Net("ori#1.2.3#II-30", (0.00, 2.63, 18.42, 41.05, 30.79, 7.11), "ori", filters=30),
        Net("ori#1.2.3#II-40", (0.00, 2.63, 18.16, 39.21, 33.16, 6.84), "ori"),
    ]
    simple = [
        Net("sim#1.2.3#II-10", (0.00, 3.95, 20.00, 34.21, 33.16, 8.68), filters=10),
        Net("sim#1.2.3#II-20", (0.00, 5.00, 18.95, 35.26, 31.32, 9.47), filters=20),
        Net("sim#1.2.3#II-30", (0.26, 2.89, 20.79, 36.05, 30.26, 9.74), filters=30),
        sim[-1],
    ]
    return {"5-1-1": ori, "5-1-2": sim, "5-2-1": wide, "5-2-2": simple}


TABLES = _tables()
BASE = TABLES["5-2-2"][1]
"""What the remedies begin with: as good as the larger nets at a quarter of the work."""
REMEDIES = [
    replace(BASE, name="symmetry", published=(), symmetry="transpose"),
    replace(BASE, name="mirroring", published=(), symmetry="mirror"),
    replace(BASE, name="more data", published=(), symmetry="mirror", more=True),
    replace(BASE, name="exact labels", published=(), symmetry="mirror", more=True, exact=True),
    Net("modern net", (), "stones", "", "residual", 48, "all", more=True, exact=True),
]


def runs() -> list[Net]:
    """Every different run, the quickest first."""
    found = {net.name: net for nets in TABLES.values() for net in nets}
    return sorted([*found.values(), *REMEDIES], key=lambda net: net.filters if net.kind == "thesis2" else 0)


@dataclass
class Data:
    """The lines, and what is known of them."""

    size: Size
    lines: Lines
    chances: NDArray[np.float32]
    """[N, 75], see `action_chances`."""

    def learnt(self, net: Net, game: Game) -> Part:
        """What a net learns from: the lines after those that are held out."""
        count = self.size.lines * (self.size.more if net.more else 1)
        rows = slice(self.size.held_out, self.size.held_out + count)
        lines = self.lines[rows]
        actions = self.chances[rows].argmax(1) if net.exact else lines.actions
        return Part(game, samples_of(game, lines, actions))


def make_data(folder: Path, size: Size, *, seed: int, tell: Callable[[str], None]) -> Data:
    """The lines of our own games, as many as all runs need."""
    wanted = size.held_out + size.more * size.lines
    last = 0

    def on_file(total: int) -> None:
        nonlocal last
        if total - last >= 20_000 or total >= wanted:
            last = total
            tell(f"{total:,} of {wanted:,} lines")

    files = play_lines(folder / "lines", wanted, sims=size.sims, seed=seed, on_file=on_file)
    lines = read_lines(files)[:wanted]
    kept = folder / "chances.npy"
    if kept.is_file() and len(known := np.load(kept)) >= wanted:
        return Data(size, lines, known[:wanted])
    chances = action_chances(lines)
    np.save(kept, chances)
    return Data(size, lines, chances)


def train_net(net: Net, data: Data, folder: Path, *, seed: int) -> Finding:
    """Train one net in blocks of steps, going on after the last checkpoint."""
    game, size = einstein(), data.size
    place = folder / "nets" / net.folder
    done = read_json(place / "finding.json", None)
    if done and done["steps"] == size.steps:
        return Finding(**{key: _tuples(value) for key, value in done.items() if key != "steps"})
    place.mkdir(parents=True, exist_ok=True)
    modern = net.kind == "residual"
    config = LearnConfig(batch=256 if modern else BATCH, rate=RATE, decay=1e-4 if modern else 0.0, threads=1)
    learner = Learner(game, net.config, config, seed=seed)
    progress: dict[str, Any] = {"steps": size.steps, "step": 0, "batches": [], "curve": []}
    kept = place / "checkpoint"
    saved = read_json(kept / "progress.json", progress)
    if saved["step"] and saved["steps"] == size.steps:
        progress = saved
        learner.load(kept / "learner.safetensors", kept / "model")
    replay = Replay(game, learner.net.observer, [data.learnt(net, game)], symmetries=net.symmetry == "all")
    if net.symmetry in ("transpose", "mirror"):
        replay = _turned(Replay(game, learner.net.observer, replay.parts), SYMMETRIES[net.symmetry])
    trainer = Trainer(game, net, learner, data)
    steps = size.steps // 5 if modern else size.steps  # as many rows a run, in larger batches
    counted = {round(steps * (LEFT_OUT + (1 - LEFT_OUT) * part / COUNTED)) for part in range(COUNTED)}
    looks = {round(steps * part / 5) for part in range(1, 6)}
    while progress["step"] < steps:
        first = progress["step"]
        count = min(BLOCK, steps - first)
        random = np.random.default_rng([seed & (2**63 - 1), first])
        learner.seed(seed + first)
        for step, batch in enumerate(replay.batches(config.batch, count, random), first + 1):
            if step in counted:
                progress["batches"].append(trainer.accuracy(batch))
            trainer.step(batch, step / steps)
            if step in looks:
                progress["curve"].append([step, trainer.held_out()[0]])
        progress["step"] = first + count
        learner.average.load_state_dict(learner.net.state_dict())
        write_folder(kept, functools.partial(_save, learner, net, progress))
    held_out, best, regret = trainer.held_out()
    batches, curve = tuple(progress["batches"]), tuple(map(tuple, progress["curve"]))
    found = Finding(net.name, batches, curve, held_out, best, regret)
    write_file(place / "finding.json", json.dumps({**asdict(found), "steps": size.steps}))
    return found


def _save(learner: Learner, net: Net, progress: dict[str, Any], folder: Path) -> None:
    """The content of a checkpoint."""
    learner.save_model(folder / "model", training={"study": "ewn-features", "run": net.name, "steps": progress["step"]})
    learner.save(folder / "learner.safetensors")
    (folder / "progress.json").write_text(json.dumps(progress), encoding="utf-8")


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _turned(replay: Replay, names: tuple[str, ...]) -> Replay:
    """The same rows under the named symmetries only."""
    game, tables = replay.game, replay.symmetries
    known = [symmetry.name for symmetry in game.symmetries if replay.observer in symmetry.planes]
    kept = [known.index(name) for name in names]
    tables.planes, tables.squares = tables.planes[kept], tables.squares[kept]
    tables.actions, tables.replies = tables.actions[kept], tables.replies[kept]
    return replay


class Trainer:
    """Steps and measurements of one net. The planes of features that a run leaves out are 0 for it."""

    def __init__(self, game: Game, net: Net, learner: Learner, data: Data) -> None:
        import torch

        self.torch, self.learner = torch, learner
        shown = np.ones(learner.net.num_planes, np.float32)
        if net.features:
            shown[:] = 0
            for feature in net.features.split("."):
                shown[list(SUBSETS[net.planes][feature])] = 1
        self.shown = shown[:, None, None]
        self.modern = net.kind == "residual"
        rows = slice(0, data.size.held_out)
        lines, self.chances = data.lines[rows], data.chances[rows]
        replay = Replay(game, learner.net.observer, [Part(game, samples_of(game, lines, lines.actions))])
        self.unseen = replay.batch(np.arange(len(lines)), np.zeros(len(lines), np.int64))

    def logits(self, batch: Batch) -> Any:
        """[B, 75]; the modern net knows the rules, the document's choose among the directions of movable stones."""
        planes = self.torch.from_numpy(batch.planes * self.shown)
        found = self.learner.net(planes)["policy"]
        return found.masked_fill(~self.torch.from_numpy(batch.legal), -1e9) if self.modern else found

    def step(self, batch: Batch, done: float) -> None:
        """One step of Adam on the cross-entropy; the modern net's rate falls to nothing along a cosine."""
        self.learner.net.train()
        for group in self.learner.optimiser.param_groups:
            group["lr"] = RATE * (0.5 + 0.5 * math.cos(math.pi * done)) if self.modern else RATE
        target = self.torch.from_numpy(batch.policy.argmax(1))
        loss = self.torch.nn.functional.cross_entropy(self.logits(batch), target)
        self.learner.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.learner.optimiser.step()

    def choices(self, batch: Batch) -> NDArray[np.int64]:
        """[B] the actions that the net likes best, without dropout."""
        self.learner.net.eval()
        with self.torch.no_grad():
            return np.asarray(self.logits(batch).argmax(1).numpy(), np.int64)

    def accuracy(self, batch: Batch) -> float:
        return float((self.choices(batch) == batch.policy.argmax(1)).mean())

    def held_out(self) -> tuple[float, float, float]:
        """On held-out lines: agreement with the move that was played, share of best moves, winning chance given away.
        The accuracy counts an illegal choice as wrong; for the others the best legal move by the net counts."""
        accuracy = self.accuracy(self.unseen)
        with self.torch.no_grad():
            logits = self.logits(self.unseen).numpy()
        return accuracy, *worth(self.chances, np.where(self.unseen.legal, logits, -np.inf).argmax(1))


def worth(chances: NDArray[np.float32], actions: NDArray[np.int64]) -> tuple[float, float]:
    """The share of actions as good as the best one, and the mean winning chance that they give away."""
    lost = chances.max(1) - chances[np.arange(len(actions)), actions]
    return float((lost < 1e-6).mean()), float(lost.mean())


def guesses(data: Data) -> dict[str, tuple[float, float, float]]:
    """What knowing nothing gives on the held-out lines, and what the games' own moves do: accuracy, best, regret."""
    rows = slice(0, data.size.held_out)
    lines, chances = data.lines[rows], data.chances[rows]
    legal = np.zeros(chances.shape, np.uint8)
    legal_masks(einstein().rules, lines.states, legal)
    count = legal.sum(1)
    weights = legal / count[:, None]
    lost = np.where(legal > 0, chances.max(1, keepdims=True) - chances, 0)
    blind = (
        float((1 / count).mean()),
        float((weights * (lost < 1e-6)).sum(1).mean()),
        float((weights * lost).sum(1).mean()),
    )
    diagonal = np.where(legal > 0, np.arange(75) % 3 * 100 - np.arange(75), -1000).argmax(1)
    return {
        "any legal move": blind,
        "the first movable stone, diagonally": (float((diagonal == lines.actions).mean()), *worth(chances, diagonal)),
        "the Monte-Carlo program itself": (1.0, *worth(chances, lines.actions)),
    }
