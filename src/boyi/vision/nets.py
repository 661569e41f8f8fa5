"""The small nets, run on ONNX Runtime: where lines run, what stands on sites, which number a stone bears.

`boyi.vision.train` makes their files from rendered pictures.
"""

import functools
from importlib import resources

import numpy as np
from numpy.typing import NDArray

KINDS = ("empty", "stone", "ring", "cross", "other")
"""What a site can hold. A ring is a pen stroke, or a stone of the board's own colour; `other` is no piece of ours."""
EMPTY, STONE, RING, CROSS, OTHER = range(len(KINDS))
NUMBERS = ("", "1", "2", "3", "4", "5", "6")
"""What a stone can bear; "" stands for nothing, and for anything that is no number from 1 to 6."""


@functools.cache
def _session(name: str) -> object:
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    data = (resources.files("boyi.vision") / "data" / f"{name}.onnx").read_bytes()
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def probabilities(name: str, planes: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the net "lines", "sites" or "numbers" answers to planes [n, channels, height, width]."""
    found: NDArray[np.float32] = _session(name).run(None, {"planes": planes})[0]  # type: ignore[attr-defined]
    return found


def site_shares(planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """[n, kinds] and [n]: what the sites of one board hold, and how likely each stone is of the lighter side."""
    found = probabilities("sites", planes)
    return found[:, : len(KINDS)].copy(), found[:, -1]
