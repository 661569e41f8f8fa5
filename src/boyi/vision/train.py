"""`python -m boyi.vision.train FOLDER`: trains the nets and writes them as ONNX.

FOLDER holds boards that `boyi.vision.samples` wrote; the numbers are learnt from boards painted for them. The ONNX
files keep the weights by their names, so that `--go-on` can start from those that are shipped, or from any others.
Needs the `train` extra; reading boards does not.
"""

import argparse
import copy
import io
import warnings
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from boyi.vision.numbers import NUMBER
from boyi.vision.patches import CELL, CHANNELS
from boyi.vision.sample import Sample
from boyi.vision.train_lines import CROP, LineNet, fit_lines
from boyi.vision.train_numbers import fit, number_net, number_samples
from boyi.vision.train_sites import SiteNet, boards_of, fit_sites

SHIPPED = Path(__file__).parent / "data"
NETS = ("sites", "lines", "numbers")
EXAMPLES = {
    "sites": (9, CHANNELS, CELL, CELL),
    "lines": (1, 3, CROP, CROP),
    "numbers": (2, 1, NUMBER, NUMBER),
}
FREE = {"sites": {0: "n"}, "lines": {2: "height", 3: "width"}, "numbers": {0: "n"}}
"""Which sides of the planes may have any length."""
SCREENS = 0.3
"""Pictures of programs are shown so often that they are this share beside the painted ones."""


def make(name: str) -> nn.Module:
    """A fresh net."""
    return {"sites": SiteNet, "lines": LineNet, "numbers": number_net}[name]()


def train_net(name: str, net: nn.Module, folder: Path, *, minutes: float, rate: float, seed: int) -> None:
    """Train one of NETS with the samples of a folder."""
    random = np.random.default_rng(seed)
    if name == "numbers":
        pairs = list(number_samples(random, round(120 * minutes)))
        planes, labels = (np.concatenate([pair[part] for pair in pairs]) for part in (0, 1))
        print(f"{fit(net, planes, labels, epochs=7, seed=seed, rate=rate):.2%} of unseen numbers right")
        return
    paths = sample_paths(folder, lined=name == "lines")
    if isinstance(net, SiteNet):
        boards = [board for path in paths for board in boards_of(Sample.load(path), random)]
        fit_sites(net, boards, minutes=minutes, rate=rate, seed=seed)
    elif isinstance(net, LineNet):
        fit_lines(net, lambda place: Sample.load(paths[place]), len(paths), minutes=minutes, rate=rate, seed=seed)


def sample_paths(folder: Path, *, lined: bool) -> list[Path]:
    """The samples of a folder, those of programs more than once; without blocks if they are to be `lined`."""
    screens = sorted(folder.glob("screen-*.npz"))
    painted = sorted(set(folder.glob("*.npz")).difference(screens))
    paths = [path for path in painted if not lined or Sample.is_lined(path)]
    if not paths and not screens:
        raise SystemExit(f"no samples in {folder}: python -m boyi.vision.samples {folder} paints some")
    return paths + screens * max(1, round(SCREENS * len(paths) / max(len(screens), 1)))


def read(net: nn.Module, path: Path) -> None:
    """Give a net the weights that `write` wrote."""
    graph = onnx.load(path).graph
    kept = {entry.name.removeprefix("net."): numpy_helper.to_array(entry) for entry in graph.initializer}
    wanted = [key for key in net.state_dict() if not key.endswith("num_batches_tracked")]
    if lost := [key for key in wanted if key not in kept]:
        raise SystemExit(f"{path} is no file of this net: it has no weights {', '.join(lost[:3])}")
    net.load_state_dict({key: torch.from_numpy(kept[key].copy()) for key in wanted}, strict=False)


def keep(net: nn.Module, before: nn.Module, share: float) -> None:
    """Move the weights of a net back towards those that it had before: so it forgets less (Wortsman 2022)."""
    old = before.state_dict()
    kept = {key: old[key].lerp(new, 1 - share) for key, new in net.state_dict().items() if new.is_floating_point()}
    net.load_state_dict(kept, strict=False)


def write(name: str, net: nn.Module, path: Path) -> None:
    """Write a net that answers in shares as ONNX, every weight under its own name."""

    class Shares(nn.Module):
        def forward(self, planes: Tensor) -> Tensor:
            answer = net(planes)
            if name == "sites":
                return answer  # type: ignore[no-any-return]
            return answer.sigmoid() if name == "lines" else answer.softmax(1)  # type: ignore[no-any-return]

    data = io.BytesIO()
    net.to(memory_format=torch.contiguous_format).eval()  # type: ignore[call-overload]
    wrapped = Shares()
    wrapped.add_module("net", net)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", torch.jit.TracerWarning)  # type: ignore[attr-defined]
        torch.onnx.export(
            wrapped.eval(),
            (torch.zeros(EXAMPLES[name]),),
            data,  # type: ignore[arg-type]
            input_names=["planes"],
            output_names=["share"],
            dynamic_axes={"planes": FREE[name]},
            opset_version=17,
            training=torch.onnx.TrainingMode.PRESERVE,
            do_constant_folding=False,
            dynamo=False,
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(onnx.load_from_string(data.getvalue()).SerializeToString()))


def main() -> None:
    """Command line of the trainer."""
    parser = argparse.ArgumentParser(prog="python -m boyi.vision.train", description=__doc__)
    parser.add_argument("folder", type=Path, help="samples")
    parser.add_argument("--nets", nargs="+", choices=NETS, default=list(NETS))
    parser.add_argument("--minutes", type=float, default=30, help="for each net")
    parser.add_argument("--rate", type=float, default=2e-3, help="the highest learning rate")
    parser.add_argument("--go-on", type=Path, nargs="?", const=SHIPPED, help="start from the nets of a folder")
    parser.add_argument("--keep", type=float, default=0.0, help="share of the weights that is kept of those nets")
    parser.add_argument("--out", type=Path, default=SHIPPED, help="folder for the ONNX files")
    parser.add_argument("--threads", type=int, default=1, help="cores to train on")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    if not 0 <= wanted.keep <= 1:
        parser.error(f"--keep {wanted.keep} is no share from 0 to 1")
    if wanted.keep and not wanted.go_on:
        parser.error("--keep needs --go-on, the nets of which some is kept")
    if wanted.threads < 1:
        parser.error(f"--threads {wanted.threads}: at least one core must train")
    torch.set_num_threads(wanted.threads)
    cv2.setNumThreads(1)
    for name in wanted.nets:
        torch.manual_seed(wanted.seed)
        net = make(name)
        if wanted.go_on:
            read(net, wanted.go_on / f"{name}.onnx")
        before = copy.deepcopy(net)
        train_net(name, net, wanted.folder, minutes=wanted.minutes, rate=wanted.rate, seed=wanted.seed)
        if wanted.go_on:
            keep(net, before, wanted.keep)
        write(name, net, wanted.out / f"{name}.onnx")


if __name__ == "__main__":
    main()
