"""Notebooks: running one gives what is stored in it, and as a page it shows text, code and pictures."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notebook_pages", ROOT / "docs" / "notebook_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs_as_it_is_stored(
    pages: ModuleType, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "notebook", None)
    stored = file.read_text(encoding="utf-8")
    assert pages.run(stored) == stored, f"run `python docs/notebook_pages.py {file.relative_to(ROOT)}`"


def test_notebooks_are_found() -> None:
    assert [file.stem for file in NOTEBOOKS] == ["first-steps"]


def test_a_page_shows_code_text_and_pictures(pages: ModuleType) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "Words."]},
        {"cell_type": "code", "source": ["print(1)\n", "2 + 3"], "outputs": pages.outputs("print(1)\n2 + 3", {}, 1)},
        {"cell_type": "code", "source": ["x"], "outputs": [{"data": {"image/svg+xml": ["<svg/>"]}}]},
    ]
    page = pages.page(json.dumps({"cells": cells}))
    assert page == (
        "# Title\nWords.\n\n```python\nprint(1)\n2 + 3\n```\n\n```text\n1\n```\n\n```text\n5\n```\n\n"
        "```python\nx\n```\n\n```{raw} html\n<svg/>\n```\n"
    )
