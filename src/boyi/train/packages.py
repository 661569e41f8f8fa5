"""What training a deep net needs that playing, and training a quick net, does not."""

import importlib.util

from boyi.games.errors import GameError

DEEP = ("torch", "onnx", "safetensors")
REMEDY = "make setup, or pip install 'boyi[train]'"


class MissingPackages(GameError):
    """Packages of the extra `train` are not installed."""


def missing_packages() -> tuple[str, ...]:
    """Those that are not there."""
    return tuple(name for name in DEEP if importlib.util.find_spec(name) is None)


def check_packages() -> None:
    """Raise `MissingPackages` where no deep net can be trained."""
    if missing := missing_packages():
        raise MissingPackages(
            f"a deep net needs packages that are missing here ({', '.join(missing)}); get them by {REMEDY}, "
            "or train a quick net, which needs none of them: --method quick"
        )
