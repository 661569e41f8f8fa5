"""A server in a process of its own, as `boyi serve` starts it: for benchmarks and tests."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType

COMMAND = [sys.executable, "-c", "from boyi.cli.main import run; run()", "serve"]


def environment(folder: Path) -> dict[str, str]:
    """The environment of a server with that data folder and no password but one from its arguments."""
    kept = {name: value for name, value in os.environ.items() if name != "BOYI_PASSWORD"}
    return kept | {"BOYI_DATA_DIR": str(folder)}


class ServerProcess:
    """A context manager: inside it the server answers at `url`, with its data in `folder`."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [*COMMAND, "--json", "--port", "0", *arguments],
            env=environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        if not first:
            raise RuntimeError(f"the server ended with exit code {self.process.wait()}")
        self.url: str = json.loads(first)["url"].rstrip("/")

    @property
    def api(self) -> str:
        return self.url + "/api/v1"

    def stop(self, *, number: int = signal.SIGTERM, wait_s: float = 20.0) -> int:
        """Send a signal and wait for the end; returns the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(wait_s)
        finally:
            self.process.kill()
            self.process.wait()
            if self.process.stdout:
                self.process.stdout.close()

    def __enter__(self) -> "ServerProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
