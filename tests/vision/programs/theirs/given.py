"""What the games are given, and modules that stand for others."""

import importlib.util
import sys
import types
from typing import Any

Board = dict[str, Any]


def placed(board: Board) -> list[tuple[int, int, str]]:
    """Row, column, "X" or "O"."""
    return [(r, c, text) for r, row in enumerate(board["cells"]) for c, text in enumerate(row) if text]


def stub(name: str, **parts: object) -> None:
    """A module that stands for one which is not there, or is not needed to show a board."""
    module = types.ModuleType(name)
    for part, value in parts.items():
        setattr(module, part, value)
    sys.modules[name] = module


def bare(package: str, name: str) -> None:
    """A package under a name, without what it does when it is imported."""
    found = importlib.util.find_spec(package)
    assert found is not None
    module = types.ModuleType(name)
    module.__path__ = list(found.submodule_search_locations or ())
    sys.modules[name] = module
