"""Lower layers never import higher ones: the table of docs/design.md, checked against every import statement.

A layer is a folder of `src/boyi` (or a module beside them). It may import what stands in its row, and what those may
import in turn.
"""

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "boyi"
MAY_IMPORT = {
    "version": "",
    "draw": "",
    "games": "draw",
    "search": "games",
    "exact": "games search",
    "models": "games version",
    "nets": "models",
    "quick": "exact models",
    "players": "search exact nets quick",
    "records": "games",
    "protocols": "players",
    "arena": "players records protocols",
    "train": "search nets arena",
    "adapters": "draw games players",
    "vision": "games draw",
    "studies": "train arena quick records protocols",
    "service": "train studies arena adapters vision records",
    "boyi": "players protocols version",
    "web": "service boyi",
    "bench": "web service boyi",
    "cli": "bench web service boyi version",
}
"""`boyi` is the package itself, `src/boyi/__init__.py`: the face of the library, which only programs use."""


def allowed(layer: str) -> set[str]:
    """Everything a layer may import, itself included."""
    found = {layer}
    for below in MAY_IMPORT[layer].split():
        found |= allowed(below)
    return found


def layer_of(file: Path) -> str:
    first = file.relative_to(PACKAGE).parts[0]
    return "boyi" if first == "__init__.py" else first.removesuffix(".py")


def imported_modules(file: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of every module of boyi that a file imports, wherever in the file the statement stands."""
    package = ["boyi", *file.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            if module == "boyi":
                yield from ((node.lineno, f"boyi.{name.name}") for name in node.names)
            else:
                yield node.lineno, module


def imported_layers(file: Path) -> Iterator[tuple[int, str]]:
    for line, module in imported_modules(file):
        first, *rest = module.split(".")
        if first == "boyi":
            known = rest and ((PACKAGE / rest[0]).is_dir() or (PACKAGE / f"{rest[0]}.py").is_file())
            yield line, rest[0] if known else "boyi"


def test_the_table_has_no_cycles() -> None:
    order = list(graphlib.TopologicalSorter({layer: row.split() for layer, row in MAY_IMPORT.items()}).static_order())
    assert set(order) == set(MAY_IMPORT)


def test_every_folder_has_a_row() -> None:
    layers = {layer_of(file) for file in PACKAGE.rglob("*.py")}
    assert layers <= set(MAY_IMPORT), f"add {layers - set(MAY_IMPORT)} to the table here and in docs/design.md"


@pytest.mark.parametrize("layer", sorted({layer_of(file) for file in PACKAGE.rglob("*.py")}))
def test_imports_go_down(layer: str) -> None:
    wrong = [
        f"{file.relative_to(PACKAGE)}:{line} imports {found}"
        for file in sorted(PACKAGE.rglob("*.py"))
        if layer_of(file) == layer
        for line, found in imported_layers(file)
        if found not in allowed(layer)
    ]
    assert not wrong


def test_imports_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker itself: every way to write an import counts."""
    monkeypatch.setattr(f"{__name__}.PACKAGE", tmp_path)
    for folder in ("games", "search", "cli"):
        (tmp_path / folder).mkdir()
    file = tmp_path / "games" / "rules.py"
    file.write_text(
        "import numpy, boyi.search.tree\nfrom boyi import cli, game\nfrom . import grid\nfrom ..search import tree\n"
        "from .. import cli as c\nimport boyi\ndef f():\n    from boyi.search.tree import Tree\n"
    )
    assert sorted(imported_layers(file)) == [
        (1, "search"),
        (2, "boyi"),
        (2, "cli"),
        (3, "games"),
        (4, "search"),
        (5, "cli"),
        (6, "boyi"),
        (8, "search"),
    ]
