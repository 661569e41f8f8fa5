"""A net in 8 bits: the exported graph with its convolutions in integers, for self-play on processors that multiply them
several times as fast as floats. Start at `quantised`.

Weights are rounded channel by channel, what flows between the layers by the range that it has on some example
positions. Weights take 7 of the 8 bits: sums of two products then fit into 16 bits, where processors without
instructions for neural nets keep them, so that a net gives the same answers on all of them.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static  # type: ignore[import-untyped]

BATCH = 64
PREPARED = {"onnx.quant.pre_process": "onnxruntime.quant"}
"""How ONNX Runtime marks a graph that `without_copies` or its own, slower preparation has seen."""


class _Examples(CalibrationDataReader):  # type: ignore[misc]
    """Planes [N, C, H, W] in batches, as ONNX Runtime asks for them."""

    def __init__(self, planes: NDArray[np.float32]) -> None:
        self.batches: Iterator[NDArray[np.float32]] = iter(np.split(planes, range(BATCH, len(planes), BATCH)))

    def get_next(self) -> dict[str, Any] | None:
        batch = next(self.batches, None)
        return None if batch is None else {"planes": batch}


def quantised(graph: bytes, planes: NDArray[np.float32]) -> bytes:
    """The graph of a net in 8 bits, with the ranges that the planes [N, C, H, W] of some hundred positions show.

    Takes about a third of a second. Inputs, outputs and properties are the graph's own. A net without
    convolutions stays as it is.
    """
    model = without_copies(onnx.load_from_string(graph))
    inside = tower(model)
    if not inside:
        return graph
    about = {entry.key: entry.value for entry in model.metadata_props}
    onnx.helper.set_model_props(model, about | PREPARED)
    with tempfile.TemporaryDirectory(prefix="boyi-") as folder:
        file = Path(folder) / "net.onnx"
        quantize_static(
            model,
            file,
            _Examples(np.ascontiguousarray(planes, np.float32)),
            quant_format=QuantFormat.QDQ,
            nodes_to_quantize=inside,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
        )
        made = onnx.load(file)
    onnx.helper.set_model_props(made, about)
    return bytes(made.SerializeToString())


def without_copies(model: onnx.ModelProto) -> onnx.ModelProto:
    """The graph without its `Identity` nodes, through which PyTorch's exporter shares weights that are equal, as biases
    of a fresh net are: a convolution with such a bias stays in float32, between two conversions."""
    nodes = model.graph.node
    source = {node.output[0]: node.input[0] for node in nodes if node.op_type == "Identity"}
    kept = [node for node in nodes if node.op_type != "Identity"]
    for node in kept:
        for place, name in enumerate(node.input):
            while name in source:
                name = source[name]
            node.input[place] = name
    del nodes[:]
    nodes.extend(kept)
    return model


def tower(model: onnx.ModelProto) -> list[str]:
    """The names of the nodes that are done in integers: convolutions that a further layer follows, and the sums and
    ReLUs next to them. The last layers of the heads stay in float32: they cost little, and the outputs depend on them
    directly."""
    nodes = model.graph.node
    followed = {name for node in nodes if node.op_type in ("Add", "Relu") for name in node.input}
    inside = {node.output[0]: node.name for node in nodes if node.op_type == "Conv" and node.output[0] in followed}
    for node in nodes:  # in the order of their work, so that a ReLU finds its sum
        if node.op_type in ("Add", "Relu") and any(name in inside for name in node.input):
            inside[node.output[0]] = node.name
    return list(inside.values())
