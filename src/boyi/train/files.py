"""Files that are whole or absent: written beside their place, forced to disk, then renamed."""

import contextlib
import errno
import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from boyi.games.errors import GameError

CHECKSUMS = "checksums.json"


class BadCheckpoint(GameError):
    """A folder whose files are not those that were written."""


def write_file(file: Path, content: bytes | str) -> None:
    """Write a file atomically; an `OSError` names it and what to do."""
    partial = file.with_name(f".{file.name}.part")
    try:
        with partial.open("wb") as out:
            out.write(content.encode() if isinstance(content, str) else content)
            out.flush()
            os.fsync(out.fileno())
        partial.replace(file)
        _sync_folder(file.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise explained(error, file) from error


def write_folder(folder: Path, fill: Callable[[Path], None]) -> None:
    """Make a folder atomically: `fill(path)` writes into a folder beside it, which gets checksums and is renamed."""
    partial = folder.with_name(f".{folder.name}.part")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        fill(partial)
        sums = {file.name: _sum(file) for file in sorted(partial.iterdir())}
        (partial / CHECKSUMS).write_text(json.dumps(sums, indent=1))
        for file in partial.iterdir():
            with file.open("rb") as written:
                os.fsync(written.fileno())
        _sync_folder(partial)
        if folder.exists():
            shutil.rmtree(folder)
        partial.rename(folder)
        _sync_folder(folder.parent)
    except OSError as error:
        shutil.rmtree(partial, ignore_errors=True)
        raise explained(error, folder) from error


def check_folder(folder: Path) -> None:
    """Raise `BadCheckpoint`, naming the file, where a folder's content is not what its checksums say."""
    try:
        sums = json.loads((folder / CHECKSUMS).read_text())
        names = dict(sums)
    except (OSError, ValueError, TypeError):
        raise BadCheckpoint(f"{folder / CHECKSUMS} is missing or damaged") from None
    for name, known in names.items():
        file = folder / Path(name).name
        if not file.is_file() or _sum(file) != known:
            raise BadCheckpoint(f"{file} is missing or damaged: its checksum does not fit")


def explained(error: OSError, path: Path) -> OSError:
    """The same error with the path and a remedy."""
    remedy = {
        errno.ENOSPC: "the disk is full; free some space and resume",
        errno.EDQUOT: "the disk quota is used up; free some space and resume",
        errno.EACCES: "no permission to write there; choose another --dir",
        errno.EPERM: "no permission to write there; choose another --dir",
        errno.EROFS: "the disk is read-only; choose another --dir",
    }.get(error.errno or 0, error.strerror or str(error))
    return OSError(error.errno, f"cannot write {path}: {remedy}")


def _sum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
