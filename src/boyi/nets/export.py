"""A net as an ONNX graph: what ONNX Runtime plays from.

The graph maps `planes` [batch, C, H, W] to `policy` [batch, num_actions], logits, and `wdl` [batch, 3],
*probabilities*: their softmax is part of the graph. Auxiliary outputs are left out and batch normalisation is folded
into the convolutions. The batch is free, and so is the board where the kind of net allows it. The graph's properties
say which game, observer and kind it is for.
"""

import io
import warnings

import onnx
import torch
from torch import Tensor, nn

from boyi.games.game import Game
from boyi.nets.architectures import Net
from boyi.nets.config import SIZE_INDEPENDENT

OPSET = 17


class _Played(nn.Module):
    """The outputs that playing needs, in a fixed order."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        found = self.net(planes)
        return found["policy"], torch.softmax(found["wdl"], 1)


def onnx_bytes(game: Game, net: Net) -> bytes:
    """The graph of a net for a game. Takes about a tenth of a second.

    PyTorch's older exporter: the one that replaces it takes many seconds for the same graph.
    """
    axes = {"planes": {0: "batch"}, "policy": {0: "batch"}, "wdl": {0: "batch"}}
    if net.config.kind in SIZE_INDEPENDENT:
        axes["planes"] |= {2: "height", 3: "width"}
        axes["policy"] |= {1: "actions"}
    example = torch.zeros(2, net.num_planes, *game.shape)
    written = io.BytesIO()
    training = net.training
    net.eval()
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore", DeprecationWarning)
            torch.onnx.export(
                _Played(net),
                (example,),
                written,  # type: ignore[arg-type]
                input_names=["planes"],
                output_names=["policy", "wdl"],
                dynamic_axes=axes,
                opset_version=OPSET,
                dynamo=False,
            )
    finally:
        net.train(training)
    graph = onnx.load_from_string(written.getvalue())
    about = {"game": game.name, "observer": net.observer, "kind": net.config.kind}
    onnx.helper.set_model_props(graph, about)
    return bytes(graph.SerializeToString())
