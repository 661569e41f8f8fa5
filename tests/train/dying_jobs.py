"""A job for workers, in a module of its own: their processes load it, and with it nothing else."""

import os
import signal
from pathlib import Path


def suicide_once(job: int, marker: str) -> int:
    """Kills its worker the first time."""
    if job == 1 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return job * 10
