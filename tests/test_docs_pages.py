"""Every page of the documentation: its Python runs, and its pictures are what the code draws today."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OWN_TEST = {"new-game.md", "api.md"}
"""Pages that tests of their own run."""
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if page.name not in OWN_TEST and BLOCK.search(page.read_text(encoding="utf-8"))
]


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, in one namespace, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    notebook = ModuleType(f"page_{page.stem.replace('-', '_')}")
    monkeypatch.setitem(sys.modules, notebook.__name__, notebook)
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        exec(compile(block, f"{page.name}: {block[:40]!r}", "exec"), vars(notebook))


def test_pages_with_code_are_found() -> None:
    assert {"README.md", "adapters.md", "nets.md"} <= {page.name for page in PAGES}


def test_pictures_are_up_to_date() -> None:
    for name, svg in loaded(ROOT / "docs" / "pictures.py").pictures().items():
        assert (ROOT / "docs" / "images" / f"board-{name}.svg").read_text(encoding="utf-8") == svg


def test_q_learning_learns() -> None:
    example = loaded(ROOT / "examples" / "q_learning.py")
    assert example.score(example.learn(3_000), 200) > 0.4
