"""What all tests share: the folder of the project, and the option that rewrites the playthroughs."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-playthroughs", action="store_true", help="play the games of tests/playthroughs anew and write them"
    )
    parser.addoption(
        "--update-golden-trees", action="store_true", help="grow the trees of tests/search/golden anew and write them"
    )


@pytest.fixture
def at_root(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run a test in the folder of the project, as a reader of the docs does."""
    monkeypatch.chdir(ROOT)
    return ROOT
