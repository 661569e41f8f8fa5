"""What a person sees of a quick net's run: a live panel in a terminal, lines elsewhere."""

import time
from pathlib import Path

from rich.console import Console, Group
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from boyi.train.display import Display, clock, strength
from boyi.train.quick import QuickConfig
from boyi.train.run import Row


class QuickDisplay(Display):
    """A report on the console; use `shown` around the run."""

    def __init__(self, console: Console, config: QuickConfig, folder: Path) -> None:
        self.console, self.quick, self.folder = console, config, folder
        self.rows: list[Row] = []
        self.notes: list[str] = []
        self.step = ("starting", 0.0, 1.0)
        self.since = time.monotonic()
        self.live = None
        self.board = None

    def generation(self, row: Row) -> None:
        self.rows.append(row)
        self.since = time.monotonic()
        if self.live is None and row["generation"]:
            self.console.print(" | ".join(facts(row, self.quick)), markup=False, highlight=False, soft_wrap=True)

    def __rich__(self) -> Panel:
        row = self.rows[-1] if self.rows else {"generation": 0, "elapsed_s": 0.0}
        name, done, total = self.step
        bars = Table.grid(padding=(0, 2))
        bars.add_row(Text(f"{name:<12}"), ProgressBar(total, done, width=32), Text(f"{done:.4g} / {total:.4g}"))
        whole = min(1.0, row["elapsed_s"] / 60 / self.quick.plan.minutes)
        bars.add_row(Text("run"), ProgressBar(1, whole, width=32), Text(f"of {self.quick.plan.minutes:g} minutes"))
        lines = [Text(fact) for fact in facts(row, self.quick)] if row["generation"] else [Text("the first games")]
        notes = [Text(note, style="yellow") for note in self.notes]
        title = f"{self.quick.game}, a quick net, generation {row['generation'] + 1}"
        return Panel(Group(*lines, Text(), bars, *notes), title=title, subtitle=str(self.folder))


def facts(row: Row, config: QuickConfig) -> list[str]:
    """A generation in a few words each."""
    minutes = f"{clock(row['elapsed_s'])} of {clock(60 * config.plan.minutes)} processor time"
    if config.workers > 1:
        minutes += f" with {config.workers} workers"
    found = [f"generation {row['generation']}", minutes, f"{row['rows_total']:,} positions"]
    found.append(f"{row['positions_per_s']:,.0f} positions/s, {row['games']:,} games")
    if "search_depth" in row:
        found.append(f"search depth {row['search_depth']}")
    found.append(f"error {row.get('loss_value', row['loss']):.3f}")
    if row.get("anchor"):
        found.append(strength(row))
    return found
