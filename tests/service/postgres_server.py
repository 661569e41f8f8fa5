"""A PostgreSQL server of our own in a temporary folder, run by a user without rights, reached by a socket only."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


def programs() -> Path:
    """The folder with initdb and postgres; installed from Debian where root can, else the test is skipped."""
    for _ in range(2):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres")) or sorted(
            Path("/usr/local/bin").glob("postgres")
        )
        if found:
            return found[-1].parent
        if os.geteuid() != 0 or not shutil.which("apt-get"):
            break
        subprocess.run(["apt-get", "update", "-q"], check=False, capture_output=True, timeout=300)
        subprocess.run(
            ["apt-get", "install", "-q", "-y", "--no-install-recommends", "postgresql"],
            check=False,
            capture_output=True,
            timeout=600,
            env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        )
    pytest.skip("no PostgreSQL server is installed, and only root on Debian can install one")


@contextlib.contextmanager
def running_server() -> Iterator[str]:
    """The folder of the socket of a running server, whose superuser is `boyi`."""
    binaries = programs()
    folder = tempfile.mkdtemp(prefix="boyi-pg-", dir="/tmp")
    owner: list[str] = []
    if os.geteuid() == 0:
        known = {entry.pw_name for entry in pwd.getpwall()}
        user = "postgres" if "postgres" in known else "nobody"
        shutil.chown(folder, user)
        owner = ["setpriv", f"--reuid={user}", "--clear-groups", "--"]
    data = f"{folder}/data"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "cwd": "/"}
    subprocess.run(
        [
            *owner,
            f"{binaries}/initdb",
            "-D",
            data,
            "-U",
            "boyi",
            "-A",
            "trust",
            "--no-sync",
            "-E",
            "UTF8",
            "--locale=C",
        ],
        check=True,
        timeout=120,
        **quiet,  # type: ignore[call-overload]
    )
    server = subprocess.Popen(
        [*owner, f"{binaries}/postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
    )
    try:
        _wait(folder)
        yield folder
    finally:
        server.send_signal(signal.SIGQUIT)  # at once: nobody needs the data any more
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _wait(folder: str) -> None:
    import psycopg

    until = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(host=folder, user="boyi", dbname="postgres").close()
        except psycopg.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
        else:
            return


def emptied_database(folder: str) -> str:
    """The URL of the database, which is empty."""
    import psycopg

    with psycopg.connect(host=folder, user="boyi", dbname="postgres", autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return f"postgresql://boyi@/postgres?host={folder}"
