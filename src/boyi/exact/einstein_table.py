"""EinStein tablebase: its files. Start at `open_table`, which builds what is missing.

A file is a header of 64 bytes and the entries of `boyi.exact.einstein_layout` as little-endian `uint16`:

    offset  0   8 bytes   b"BOYI-EWN"
            8   uint32    version of the layout
           12   uint32    stones
           16   uint64    entries
           24   uint32    CRC-32 of the entries
           28   zeros

It is written beside its place and renamed when it is complete and on disk, so that a file of that name is whole.
"""

import contextlib
import logging
import os
import struct
import tempfile
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boyi.exact.einstein_build import Progress, build_table
from boyi.exact.einstein_layout import END
from boyi.games.errors import GameError
from boyi.games.kernels import cache_root

USUAL, MOST = 4, 5
"""How many stones the table has that is built on first use, and the largest that can be built."""
HEADER = struct.Struct("<8sIIQI36x")
MAGIC, VERSION = b"BOYI-EWN", 1
LEFT_OVER_S = 3600
BLOCK = 1 << 24
Entries = NDArray[np.uint16]

log = logging.getLogger(__name__)
_opened: dict[Path, Entries] = {}
_largest = MOST


class BadTable(GameError):
    """A file that is no whole tablebase, or not the one asked for."""


@dataclass(frozen=True)
class TableInfo:
    """What is known of one table: its file if there is one, what is wrong with that, and its sizes."""

    stones: int
    path: str
    present: bool
    problem: str | None
    entries: int
    bytes: int


def tables_folder() -> Path:
    """Where tables are kept: `BOYI_TABLES_DIR`, or `tablebases` in Boyi's cache folder."""
    chosen = os.environ.get("BOYI_TABLES_DIR")
    return Path(chosen).expanduser() if chosen else cache_root() / "tablebases"


def table_path(stones: int, folder: Path | None = None) -> Path:
    """The file of the table of up to so many stones."""
    if stones not in range(2, MOST + 1):
        raise GameError(f"{stones!r} stones is no EinStein table; it has 2 to {MOST}")
    return (folder or tables_folder()) / f"einstein-{stones}.table"


def open_table(stones: int | None = None, *, folder: Path | None = None, progress: Progress | None = None) -> Entries:
    """A table, memory-mapped and checked; built where it is missing or damaged.

    Without `stones` the largest there is, and at least the usual one. One that cannot be written is used from memory.
    """
    if stones is None:
        stones = USUAL
        for larger in range(_largest, USUAL, -1):
            path = table_path(larger, folder)
            if path in _opened or path.is_file():
                try:
                    return _open(path, larger)
                except BadTable as problem:
                    log.warning("%s; `boyi tablebase build einstein --stones %d` builds it again", problem, larger)
    path = table_path(stones, folder)
    try:
        return _open(path, stones)
    except OSError as problem:
        log.info("%s: %s; building it", path, problem.strerror)
    except BadTable as problem:
        log.warning("%s; building it again", problem)
    return build_file(stones, folder=folder, progress=progress)


@contextlib.contextmanager
def without_larger_tables() -> Iterator[None]:
    """While it lasts, whoever asks for the largest table gets the usual one: a player shall not know the table that it
    is measured by."""
    global _largest
    before, _largest = _largest, USUAL
    try:
        yield
    finally:
        _largest = before


def build_file(stones: int, *, folder: Path | None = None, progress: Progress | None = None) -> Entries:
    """Build a table, whether or not there is one, and put it on disk; where that fails, it is only in memory."""
    path = table_path(stones, folder)
    entries: Entries = build_table(stones, progress=progress)
    try:
        write_table(path, entries, stones)
        entries = read_table(path, stones)
    except OSError as problem:
        log.warning("the table is used from memory, because %s cannot be written: %s", path, problem.strerror)
    _opened[path] = entries
    return entries


def _open(path: Path, stones: int) -> Entries:
    if path not in _opened:
        _opened[path] = read_table(path, stones)
    return _opened[path]


def read_table(path: Path, stones: int) -> Entries:
    """Map a file into memory, read-only, after checking all of it; `BadTable` says what is wrong with it."""
    with path.open("rb") as file:
        header = file.read(HEADER.size)
        if len(header) < HEADER.size:
            raise BadTable(f"{path} is cut off: it has {len(header)} bytes")
        magic, version, held, entries, checksum = HEADER.unpack(header)
        if magic != MAGIC:
            raise BadTable(f"{path} is no EinStein tablebase")
        if (version, held, entries) != (VERSION, stones, END[stones]):
            raise BadTable(f"{path} holds {held} stones in layout {version}, not {stones} in layout {VERSION}")
        size, wanted = os.fstat(file.fileno()).st_size, HEADER.size + 2 * entries
        if size != wanted:
            raise BadTable(f"{path} is {'cut off' if size < wanted else 'too long'}: {size} bytes, not {wanted}")
        mapped = np.asarray(np.memmap(file, "<u2", "r", offset=HEADER.size, shape=(entries,)))
    if (found := _checksum(mapped)) != checksum:
        raise BadTable(f"{path} is damaged: its checksum is {found:08x}, not {checksum:08x}")
    return mapped


def write_table(path: Path, entries: Entries, stones: int) -> None:
    """Write a file so that it appears whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _clear_left_overs(path)
    header = HEADER.pack(MAGIC, VERSION, stones, len(entries), _checksum(entries))
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.", suffix=".part", delete=False) as file:
        try:
            file.write(header)
            for start in range(0, len(entries), BLOCK):
                file.write(entries[start : start + BLOCK].astype("<u2", copy=False).data)
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def _clear_left_overs(path: Path) -> None:
    """Remove what builds left behind that were killed while they wrote."""
    for part in path.parent.glob(f"{path.name}.*.part"):
        with contextlib.suppress(OSError):
            if time.time() - part.stat().st_mtime > LEFT_OVER_S:
                part.unlink()


def _checksum(entries: Entries) -> int:
    found = 0
    for start in range(0, len(entries), BLOCK):
        found = zlib.crc32(entries[start : start + BLOCK].astype("<u2", copy=False).data, found)
    return found


def table_infos(folder: Path | None = None) -> list[TableInfo]:
    """What there is of the tables that can be used, each file checked."""
    found = []
    for stones in range(USUAL, MOST + 1):
        path = table_path(stones, folder)
        present, problem = path.is_file(), None
        if present:
            try:
                read_table(path, stones)
            except (BadTable, OSError) as error:
                problem = str(error)
        entries = int(END[stones])
        found.append(TableInfo(stones, str(path), present, problem, entries, HEADER.size + 2 * entries))
    return found
