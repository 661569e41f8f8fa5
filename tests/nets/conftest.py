"""Small nets with random weights and statistics, so that nothing is accidentally zero."""

import pytest
import torch

from boyi.games import Game
from boyi.nets.architectures import Net, build
from boyi.nets.config import NetConfig


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def random_net(game: Game, config: NetConfig, *, seed: int = 1) -> Net:
    """A net whose every weight and batch statistic is random."""
    generator = torch.Generator().manual_seed(seed)
    net = build(game, config)
    with torch.no_grad():
        for name, tensor in net.state_dict().items():
            if name.endswith("running_var"):
                tensor.copy_(0.5 + torch.rand(tensor.shape, generator=generator))
            elif tensor.is_floating_point():
                scale = 1.0 if tensor.dim() < 2 else tensor[0].numel() ** -0.5
                tensor.copy_(torch.randn(tensor.shape, generator=generator) * scale)
    return net.eval()


@pytest.fixture
def make_net() -> object:
    return random_net
