"""Folders for runs and contests that nobody has given a name."""

import contextlib
import itertools
from pathlib import Path


def free_folder(parent: Path, game: str) -> Path:
    """A folder named after a game, with a number, that nobody else has; two who ask at once get two."""
    base = game[:20].replace("_", "-")
    for number in itertools.count(1):
        folder = parent / f"{base}-{number}"
        with contextlib.suppress(FileExistsError):
            folder.mkdir()
            return folder
    raise AssertionError("there are as many names as numbers")
