"""`screens.toml`, which says what stands on the pictures of a folder."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from programs.positions import Cells


class Truth:
    """Writes FOLDER/screens.toml: one entry for every picture, beside those that stand there already."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "screens.toml"
        self.entries: dict[str, str] = {}
        if self.path.exists():
            text = self.path.read_text(encoding="utf-8")
            files = [entry["file"] for entry in tomllib.loads(text)["screen"]]
            texts = ["[[screen]]" + part for part in text.split("[[screen]]")[1:]]
            self.entries = {file: entry.rstrip() + "\n" for file, entry in zip(files, texts, strict=True)}

    def add(self, file: str, program: str, game: str = "", cells: Cells = ()) -> None:
        lines = ["[[screen]]", f'file = "{file}"', f'program = "{program}"', "tuned = false"]
        if cells:
            lines += [f'game = "{game}"', "cells = [", *_rows(cells), "]"]
        self.entries[file] = "\n".join(lines) + "\n"
        self.path.write_text("\n".join(self.entries.values()), encoding="utf-8")


def _rows(cells: Cells) -> Iterator[str]:
    for row in cells:
        yield '    "' + " ".join(text or "." for text in row) + '",'
