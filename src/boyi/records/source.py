"""Reading files of strangers: nothing is believed, nothing is held that a bad file could make large.

A `Source` is a file with its encoding found out. Its lines and blocks come one at a time and are cut off at `LONGEST`
characters; what cannot be read becomes a `Skipped` with file, line and reason, and reading goes on behind it.
"""

import codecs
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boyi.games import GameError
from boyi.records.record import Record

LONGEST = 4_000_000
"""Characters of the longest line or game that is looked at."""
CHUNK = 1 << 16
OVERLAP = 100
"""Characters that are looked at again with the next piece, as a pattern may be cut in two."""
HEAD = 4096
"""Bytes at the front of a file from which its format is recognised."""
CHARSETS = frozenset(
    ["ascii", "utf-8", "big5", "cp949", "euc_jp", "euc_kr", "gb2312", "gbk", "gb18030", "koi8-r", "shift_jis"]
    + [f"iso8859-{part}" for part in range(1, 17)]
    + [f"cp{page}" for page in (437, 850, 932, *range(1250, 1259))]
)
"""Encodings that a file may name for itself."""


@dataclass(frozen=True)
class Skipped:
    """What was left out, and why. `line` counts from 1; in a binary file it is the number of the game."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


class Source:
    """A file to read games from. `encodings` are tried in order; the last one must accept everything."""

    def __init__(self, path: Path | str, encodings: Sequence[str] = ("utf-8", "gb18030", "latin-1")) -> None:
        self.path = Path(path)
        self.name = str(path)
        self.encodings = tuple(encodings)
        self.line = 0
        """Where the last game began that was read or skipped."""
        if not stat.S_ISREG(self.path.stat().st_mode):
            raise GameError(f"{self.name!r} is no file of games")

    def head(self) -> bytes:
        """The first bytes of the file."""
        with self.path.open("rb") as file:
            return file.read(HEAD)

    def encoding(self) -> str:
        """The first encoding that the whole file agrees with."""
        for name in self.encodings[:-1]:
            decoder = codecs.getincrementaldecoder(name)()
            try:
                with self.path.open("rb") as file:
                    while chunk := file.read(CHUNK):
                        decoder.decode(chunk)
                decoder.decode(b"", final=True)
            except UnicodeDecodeError:
                continue
            return "utf-8-sig" if name == "utf-8" else name
        return self.encodings[-1]

    def lines(self) -> Iterator[tuple[int, str | None]]:
        """Number and text of every line; None for one that is too long."""
        with self.path.open(encoding=self.encoding(), errors="replace") as file:
            number = 0
            while line := file.readline(LONGEST + 1):
                number += 1
                if len(line) > LONGEST:
                    while line and not line.endswith("\n"):
                        line = file.readline(CHUNK)
                    yield number, None
                else:
                    yield number, line.rstrip("\n")

    def chunks(self) -> Iterator[str]:
        """The text of the file, piece by piece."""
        with self.path.open(encoding=self.encoding(), errors="replace") as file:
            while chunk := file.read(CHUNK):
                yield chunk

    def attempt(self, line: int, make: Callable[..., Record], *parts: Any) -> Record | Skipped:
        """What `make` makes of the parts, or the reason why it does not."""
        self.line = line
        try:
            return make(*parts)
        except GameError as error:
            return self.skip(line, str(error))

    def skip(self, line: int, reason: str) -> Skipped:
        """A note on something in this file that is left out."""
        self.line = line
        return Skipped(self.name, line, reason)

    def too_long(self, line: int) -> Skipped:
        """A note on a line or game that is cut off."""
        return self.skip(line, f"longer than {LONGEST:,} characters")


def charset(name: str) -> str | None:
    """The encoding that a file names for itself, None where it is not one of `CHARSETS`."""
    try:
        found = codecs.lookup(name.strip()).name
    except (LookupError, ValueError):
        return None
    return found if found in CHARSETS else None


FindEnd = Callable[[str, int, bool, bool], tuple[int, int]]
"""`find_end(text, at, fresh, last)` looks for the end of a block from `at` on, a place behind its beginning.

It returns where the block ends, or -1 where the text runs out, and the place to look on from with more text. `fresh`
says that the block has just begun, `last` that there is no more text.
"""


def blocks(
    chunks: Iterator[str], begin: re.Pattern[str], find_end: FindEnd, after_cut: re.Pattern[str] | None = None
) -> Iterator[tuple[int, str | None]]:
    """The parts of a text that begin with a pattern, with the number of the line where each begins; None if too long.

    Text between blocks is passed over. A block that never ends comes as far as it goes. After one that is too long the
    next begins with `after_cut`.
    """
    text, line, start, at = "", 1, 0, 0
    inside = fresh = last = False
    beginning = begin
    while not last:
        chunk = next(chunks, "")
        last = not chunk
        text, at, start = text[start:] + chunk, at - start, 0
        while True:
            if not inside:
                found = beginning.search(text, start)
                here = found.start() if found else len(text) if last else max(start, len(text) - OVERLAP)
                line += text.count("\n", start, here)
                start = here
                if not found:
                    break
                inside, fresh, at, beginning = True, True, start + 1, begin
            end, at = find_end(text, at, fresh, last)
            fresh = False
            if end < 0 and last:
                end = len(text)
            if end < 0:
                if len(text) - start > LONGEST + CHUNK:
                    yield line, None
                    line += text.count("\n", start, len(text) - OVERLAP)
                    start, inside, beginning = len(text) - OVERLAP, False, after_cut or begin
                break
            yield line, text[start:end] if end - start <= LONGEST else None
            line += text.count("\n", start, end)
            start, inside = end, False
