"""What the games are given, and modules that stand for others."""

import importlib.util
import subprocess
import sys
import types
from typing import Any
from unittest.mock import MagicMock

Board = dict[str, Any]


def placed(board: Board) -> list[tuple[int, int, str]]:
    """Row, column, "X" or "O"."""
    return [(r, c, text) for r, row in enumerate(board["cells"]) for c, text in enumerate(row) if text]


def screen_picture(board: Board) -> None:
    """A picture of the whole screen."""
    subprocess.run(["import", "-window", "root", board["file"]], check=True)


def corner(board: Board) -> tuple[int, int]:
    """Where the window goes, which is given as tkinter wants it."""
    _, x, y = board["at"].split("+")
    return int(x), int(y)


def absent(*names: str) -> None:
    """Modules that are imported with all that is wanted of them, but not needed to show a board."""
    for name in names:
        sys.modules[name] = MagicMock()


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
