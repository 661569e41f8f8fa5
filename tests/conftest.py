"""What all tests share: the folder of the project, the options that rewrite stored results, the EinStein tablebase."""

import fcntl
import signal
from pathlib import Path

import pytest

from boyi.exact.einstein_table import Entries, open_table

ROOT = Path(__file__).resolve().parents[1]
signal.signal(signal.SIGINT, signal.default_int_handler)
"""Shells start background jobs with Ctrl-C ignored, which the processes of the tests would inherit."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-playthroughs", action="store_true", help="play the games of tests/playthroughs anew and write them"
    )
    parser.addoption(
        "--update-golden-trees", action="store_true", help="grow the trees of tests/search/golden anew and write them"
    )
    parser.addoption(
        "--threat-positions",
        type=int,
        default=60,
        help="random positions of each game in which forced wins are checked",
    )


@pytest.fixture
def at_root(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run a test in the folder of the project, as a reader of the docs does."""
    monkeypatch.chdir(ROOT)
    return ROOT


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of the EinStein tablebase of four stones, built once a test run, for all its processes."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "tables"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        open_table(4, folder=folder)
    return folder


@pytest.fixture(scope="session")
def table(tables: Path) -> Entries:
    return open_table(4, folder=tables)


@pytest.fixture
def usual_tables(tables: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes the folder the one that is used where none is named."""
    monkeypatch.setenv("BOYI_TABLES_DIR", str(tables))
    return tables
