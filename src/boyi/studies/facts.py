"""What made a report: commit, machine, hours; and Markdown tables."""

import json
import os
import platform
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from boyi.train.files import write_file
from boyi.version import __version__


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table."""
    return [
        f"| {' | '.join(header)} |",
        "|" + "---|" * len(header),
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def made_by(command: str, seconds: float) -> str:
    """The line of a report that says how it was made."""
    cores = os.cpu_count() or 1
    return (
        f"`{command}`, Boyi {source()}, {seconds / 3600:.2f} hours of one core of a machine with {cores} "
        f"core{'s' if cores > 1 else ''} ({processor()})."
    )


def source() -> str:
    """The version, and where the sources are under Git, the commit."""
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return __version__
    return f"{__version__}, commit {found.stdout.strip()}"


def processor() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


@contextmanager
def kept_time(folder: Path) -> Iterator[None]:
    """Add the processor time of this process to what `folder` keeps in `seconds.json`, over stops and restarts."""
    folder.mkdir(parents=True, exist_ok=True)
    began = time.process_time()
    try:
        yield
    finally:
        write_file(folder / "seconds.json", json.dumps(spent(folder) + time.process_time() - began))


def spent(folder: Path) -> float:
    """Seconds of processor time that a study has taken so far."""
    return float(read_json(folder / "seconds.json", 0.0))


def read_json(file: Path, default: Any) -> Any:
    """What a file holds, or the default where there is none."""
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else default
