"""The learner: a net, its optimiser and its averaged weights, taking steps on batches. The only place with PyTorch.

Everything that the next step depends on is in `state`, so that a run can be continued exactly.
"""

import math
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from boyi.games.game import Game
from boyi.nets.architectures import Net, build
from boyi.nets.config import NetConfig
from boyi.nets.files import load_module
from boyi.nets.files import save as save_model
from boyi.train.config import LearnConfig
from boyi.train.replay import Batch

FINAL_RATE = 0.05
"""What is left of the learning rate at the end of a run."""
WITHOUT_VALUE = ("thesis1", "thesis2")
"""Kinds of nets that have a policy only."""


@dataclass(frozen=True)
class Progress:
    """What some steps of learning came to: mean losses by part, and how far the answers differ by position."""

    steps: int
    losses: dict[str, float]
    rate: float
    spreads: dict[str, float]


def rate_at(config: LearnConfig, step: int, done: float) -> float:
    """The learning rate at a step, when a share `done` of the run is over: warm-up, constant, cosine at the end."""
    rise = min(1.0, (step + 1) / max(config.warmup, 1))
    if not config.final_share or done <= 1 - config.final_share:
        return config.rate * rise
    phase = min(1.0, (done - (1 - config.final_share)) / config.final_share)
    return config.rate * rise * (FINAL_RATE + (1 - FINAL_RATE) * (1 + math.cos(math.pi * phase)) / 2)


class Learner:
    """A net in training."""

    def __init__(
        self, game: Game, net_config: NetConfig, config: LearnConfig, *, seed: int = 0, start: str = ""
    ) -> None:
        torch.set_num_threads(config.threads)
        self.game, self.config = game, config
        torch.manual_seed(seed)
        self.net: Net = load_module(start, game) if start else build(game, net_config)
        self.average: Net = build(game, self.net.config)
        self.average.load_state_dict(self.net.state_dict())
        self.average.eval()
        self.optimiser = make_optimiser(self.net, config)
        self.step = 0

    def learn(self, batches: Iterable[Batch], *, done: float = 0.0) -> Progress:
        """Take a step on every batch; `done` is the share of the run that is over."""
        self.net.train()
        sums: dict[str, float] = {}
        steps, rate = 0, rate_at(self.config, self.step, done)
        for batch in batches:
            rate = rate_at(self.config, self.step, done)
            for group in self.optimiser.param_groups:
                group["lr"] = rate
            parts = losses(self.net, batch)
            total = self._weighed(parts)
            self.optimiser.zero_grad(set_to_none=True)
            total.backward()
            norm = nn.utils.clip_grad_norm_(self.net.parameters(), self.config.clip)
            if math.isfinite(norm):
                self.optimiser.step()
            self._average()
            self.step += 1
            steps += 1
            for name, part in {**parts, "loss": total, "gradient": norm}.items():
                sums[name] = sums.get(name, 0.0) + float(part.detach())
        means = {name: value / steps for name, value in sums.items()}
        return Progress(steps, means, rate, spreads(self.average, batch) if steps else {})

    def _weighed(self, parts: Mapping[str, Tensor]) -> Tensor:
        weights = {"policy": 1.0, "value": self.config.value_weight}
        terms = [weights.get(name, self.config.auxiliary_weight) * part for name, part in parts.items()]
        return torch.stack(terms).sum()

    def _average(self) -> None:
        """Move the average towards the weights; early on faster, so that it forgets the start."""
        share = min(self.config.average, (1 + self.step) / (10 + self.step)) if self.config.average else 0.0
        with torch.no_grad():
            for mine, theirs in zip(self.average.state_dict().values(), self.net.state_dict().values(), strict=True):
                if mine.is_floating_point():
                    mine.lerp_(theirs, 1 - share)
                else:
                    mine.copy_(theirs)

    def seed(self, seed: int) -> None:
        """Fix what a step draws at random (dropout)."""
        torch.manual_seed(seed)

    def save_model(
        self, stem: Path, *, training: Mapping[str, Any], elo: Mapping[str, Any] | None = None, licence: str = "MIT"
    ) -> None:
        """Write the averaged net as a model."""
        save_model(stem, self.game, self.average.config, self.average, training=training, elo=elo, licence=licence)

    def packed(self, licence: str = "MIT") -> dict[str, bytes]:
        """The averaged net as the files of a model, by suffix."""
        with tempfile.TemporaryDirectory(prefix="boyi-") as folder:
            self.save_model(Path(folder) / "model", training={"step": self.step}, licence=licence)
            return {file.suffix: file.read_bytes() for file in Path(folder).iterdir()}

    def save(self, file: Path) -> None:
        """Write weights and the optimiser's memory. The average is saved as the model itself."""
        tensors = {f"net.{name}": value.contiguous() for name, value in self.net.state_dict().items()}
        memory = self.optimiser.state_dict()["state"]
        for index, entries in memory.items():
            for name, value in entries.items():
                if isinstance(value, Tensor):
                    tensors[f"optimiser.{index}.{name}"] = value.contiguous()
        tensors["step"] = torch.tensor(self.step)
        save_file(tensors, file)

    def load(self, file: Path, average: Path) -> None:
        """The reverse of `save`; `average` is the model's path without suffix."""
        tensors = load_file(file)
        self.step = int(tensors.pop("step"))
        self.net.load_state_dict({n.removeprefix("net."): t for n, t in tensors.items() if n.startswith("net.")})
        self.average.load_state_dict(load_module(average, self.game).state_dict())
        memory: dict[int, dict[str, Tensor]] = {}
        for name, value in tensors.items():
            if name.startswith("optimiser."):
                _, index, entry = name.split(".", 2)
                memory.setdefault(int(index), {})[entry] = value
        state = self.optimiser.state_dict()
        state["state"] = memory
        self.optimiser.load_state_dict(state)


def make_optimiser(net: nn.Module, config: LearnConfig) -> torch.optim.Optimizer:
    """AdamW, or SGD with Nesterov momentum; weight decay on matrices and filters only."""
    heavy = [weight for weight in net.parameters() if weight.ndim > 1]
    light = [weight for weight in net.parameters() if weight.ndim <= 1]
    groups = [{"params": heavy, "weight_decay": config.decay}, {"params": light, "weight_decay": 0.0}]
    if config.optimiser == "sgd":
        return torch.optim.SGD(groups, lr=config.rate, momentum=0.9, nesterov=True)
    return torch.optim.AdamW(groups, lr=config.rate)


def spreads(net: Net, batch: Batch) -> dict[str, float]:
    """By output, the largest standard deviation of a logit over the positions of a batch: 0 of a head that died and
    gives all positions the same answer."""
    with torch.no_grad():
        found = net(torch.from_numpy(batch.planes))
    heads = {"policy": found["policy"], "value": found["wdl"]}
    if net.config.kind in WITHOUT_VALUE:
        del heads["value"]
    return {name: float(logits.std(0, correction=0).max()) for name, logits in heads.items()}


def losses(net: Net, batch: Batch) -> dict[str, Tensor]:
    """The parts of the loss of a batch, each a mean over the rows that have a target."""
    found = net(torch.from_numpy(batch.planes))
    policy, wdl = torch.from_numpy(batch.policy), torch.from_numpy(batch.wdl)
    parts = {"policy": policy_loss(found["policy"], policy, torch.from_numpy(batch.legal))}
    if "value" in found:
        parts["value"] = functional.mse_loss(found["value"], wdl[:, 0] - wdl[:, 2])
    elif net.config.kind not in WITHOUT_VALUE:
        parts["value"] = -(wdl * functional.log_softmax(found["wdl"], 1)).sum(1).mean()
    for name, target in batch.auxiliary.items():
        if name in found:
            parts[name] = auxiliary_loss(name, found[name], torch.from_numpy(np.ascontiguousarray(target)))
    return parts


def policy_loss(logits: Tensor, target: Tensor, legal: Tensor) -> Tensor:
    """Cross-entropy over the legal moves [B, num_actions], of the rows that have a policy."""
    rows = target.sum(1) > 0
    logs = functional.log_softmax(logits.masked_fill(~legal, -1e9), 1)
    entropy = -(target * logs.clamp_min(-50)).sum(1)
    return entropy[rows].sum() / rows.sum().clamp_min(1)


def auxiliary_loss(name: str, output: Tensor, target: Tensor) -> Tensor:
    """The loss of one auxiliary output; see `boyi.nets.architectures` for their meaning."""
    known = ~torch.isnan(target)
    filled = torch.nan_to_num(target)
    if name == "reply":
        rows = known[:, 0]
        cross = -(filled * functional.log_softmax(output, 1)).sum(1)
        return cross[rows].sum() / rows.sum().clamp_min(1)
    if name == "line":
        return functional.binary_cross_entropy_with_logits(output, filled)
    prediction = torch.tanh(output) if name == "ownership" else output
    return ((prediction - filled) ** 2)[known].sum() / known.sum().clamp_min(1)
