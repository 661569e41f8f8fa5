"""The table of four stones, built once a test run, for all its processes."""

import fcntl
from pathlib import Path

import pytest

from boyi.exact.einstein_table import Entries, open_table


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of the table; workers of one run share it, and the first builds."""
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
