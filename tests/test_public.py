"""The public face: what `import boyi` offers, that it is documented, and that nothing else is there."""

import ast
import importlib
import inspect
import itertools
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import boyi

SOURCES = Path(boyi.__file__).parent


def documented_constants() -> set[str]:
    """Names assigned in the package with a docstring below them."""
    found = set()
    for file in SOURCES.rglob("*.py"):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        for assignment, text in itertools.pairwise(body):
            if isinstance(assignment, ast.Assign) and isinstance(text, ast.Expr):
                found |= {target.id for target in assignment.targets if isinstance(target, ast.Name)}
    return found


def test_all_is_complete() -> None:
    """What a user finds with completion is what `__all__` lists; the other folders are only there once imported."""
    offered = {
        name for name, value in vars(boyi).items() if not (name.startswith("_") or isinstance(value, ModuleType))
    }
    assert offered | {"games", "__version__"} == set(boyi.__all__)
    assert len(set(boyi.__all__)) == len(boyi.__all__)


@pytest.mark.parametrize("name", boyi.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    value = getattr(boyi, name)
    if isinstance(value, type) or callable(value):
        assert value.__doc__
    else:
        assert name in documented_constants() | {"__version__"}


@pytest.mark.parametrize("owner", [boyi.Game, boyi.Position, boyi.Outcome], ids=lambda owner: owner.__name__)
def test_every_public_member_is_documented(owner: type) -> None:
    members = [
        name
        for name, value in vars(owner).items()
        if not name.startswith("_") and (inspect.isfunction(value) or hasattr(value, "__get__"))
    ]
    assert [name for name in members if not getattr(owner, name).__doc__] == []


def test_star_import_brings_exactly_all() -> None:
    namespace: dict[str, object] = {}
    exec("from boyi import *", namespace)
    assert set(namespace) - {"__builtins__"} == set(boyi.__all__)


def test_errors_are_value_errors_with_one_parent() -> None:
    for error in (boyi.UnknownGame, boyi.BadParameter, boyi.BadPosition, boyi.IllegalMove, boyi.NotSolvable):
        assert issubclass(error, boyi.GameError)
    assert issubclass(boyi.GameError, ValueError)


def test_games_is_a_function_and_a_package() -> None:
    assert boyi.games() == ("connect6", "einstein", "gomoku", "othello", "tictactoe")
    othello = importlib.import_module("boyi.games.othello")
    assert boyi.games.othello is othello
    assert boyi.game("othello") is othello.GAME
    assert boyi.games.games() == boyi.games()


def test_games_as_a_reader_types_it() -> None:
    """In a fresh process."""
    for script in (
        "import boyi; print(boyi.games()); import boyi.games.othello; print(boyi.games.othello.GAME.name)",
        "import boyi.games.othello; print(boyi.games()); print(boyi.game('othello').name)",
    ):
        run = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True)
        assert run.stdout == f"{boyi.games()}\nothello\n"


def test_playing_needs_neither_the_command_nor_torch() -> None:
    """What a plain import loads stays small."""
    script = "import sys, boyi; print([m for m in ('boyi.cli', 'cyclopts', 'rich', 'torch') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_app_and_quick_training_need_no_package_of_an_extra() -> None:
    """`make play` installs none of them."""
    script = """
import sys
for name in ("torch", "onnx", "safetensors", "tensorboard", "ray", "cv2", "pettingzoo", "psycopg"):
    sys.modules[name] = None
import boyi.cli.serve, boyi.cli.train, boyi.service.trainer, boyi.train.quick, boyi.train.quick_display, boyi.web.server
"""
    subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
