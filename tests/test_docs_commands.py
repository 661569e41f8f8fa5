"""The documentation names only commands that exist: benchmarks and studies."""

import json
import re
from pathlib import Path

import pytest

from boyi.bench import BENCHMARKS, benchmark
from boyi.bench.all import PARTS
from boyi.cli.main import main
from boyi.cli.study import study

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def named(verb: str) -> set[str]:
    """What follows `boyi VERB` on all pages, in code; capital letters stand for any name."""
    texts = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    return {name for name in re.findall(rf"`boyi {verb} ([\w-]+)", texts) if not name.isupper()}


def test_benchmarks_exist() -> None:
    assert {"all", "playouts", "search"} <= named("bench") <= set(BENCHMARKS)


def test_studies_exist_and_are_listed() -> None:
    known = {name for name in study if not name.startswith("-")}
    assert {"ewn-features", "tictactoe-gate"} <= named("study") <= known
    listed = re.findall(
        r"^\| `([\w-]+)` \|", (ROOT / "docs/studies/index.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert set(listed) == known


def test_all_is_made_of_benchmarks(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(PARTS) < set(BENCHMARKS)
    assert all(callable(benchmark(part)) for part in PARTS)
    monkeypatch.setattr("boyi.bench.all.PARTS", {"ffo": {"positions": "1"}, "playouts": {}})
    assert main(["bench", "all", "--seconds", "0.05", "--json"]) == 0
    results = {row["name"]: row for row in json.loads(capsys.readouterr().out)["results"]}
    assert results["playouts: othello"]["ratio"] > 10
    assert results["playouts: connect6"]["peer"] is None
    assert any(name.startswith("ffo: ") for name in results)
