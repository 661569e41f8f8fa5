"""How commands print: results on standard output, everything else on standard error."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from boyi.games.kernels import on_compile

notes = Console(stderr=True)


def print_json(result: Any) -> None:
    """A result for other programs."""
    print(json.dumps(result, ensure_ascii=False))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A result for people. A column whose name ends in `#` is a number, set flush right."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column.removesuffix("#"), justify="right" if column.endswith("#") else "left")
    for row in rows:
        table.add_row(*row)
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else 160).print(table)


def announce_compilation() -> None:
    """Say once, when it happens, that rules are being compiled: it takes seconds, and only the first time."""
    said: list[str] = []

    def say(name: str) -> None:
        if not said:
            said.append(name)
            notes.print("Compiling the rules for this computer; the next start is quick.", style="dim")

    on_compile(say)
