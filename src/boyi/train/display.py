"""What a person sees of a run: a live panel in a terminal, lines elsewhere, and TensorBoard files if wanted."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from boyi.train.config import TrainConfig
from boyi.train.run import Row, share_done

SHOWN_NOTES = 4


class Display:
    """A report on the console; use `shown` around the run."""

    def __init__(self, console: Console, config: TrainConfig, folder: Path, *, tensorboard: bool = False) -> None:
        self.console, self.config, self.folder = console, config, folder
        self.rows: list[Row] = []
        self.notes: list[str] = []
        self.step = ("starting", 0.0, 1.0)
        self.since = time.monotonic()
        self.live: Live | None = None
        self.board = _board(folder) if tensorboard else None

    @contextlib.contextmanager
    def shown(self) -> Iterator["Display"]:
        """Keep the panel on the screen while a run goes on, where the console is a terminal."""
        try:
            if self.console.is_terminal:
                with Live(self, console=self.console, refresh_per_second=4) as self.live:
                    yield self
            else:
                yield self
        finally:
            self.live = None
            if self.board is not None:
                self.board.close()

    def note(self, text: str) -> None:
        self.notes = [*self.notes, text][-SHOWN_NOTES:]
        if self.live is None:
            self.console.print(text, style="yellow", markup=False, highlight=False, soft_wrap=True)

    def stage(self, name: str, done: float, total: float) -> None:
        self.step = (name, done, max(total, 1e-9))

    def generation(self, row: Row) -> None:
        self.rows.append(row)
        self.since = time.monotonic()
        if self.live is None and row["generation"]:
            self.console.print(line(row, self.config), markup=False, highlight=False, soft_wrap=True)
        if self.board is not None:
            for name, value in row.items():
                if isinstance(value, int | float) and name != "generation":
                    self.board.add_scalar(_group(name), value, row["generation"])
            self.board.flush()

    def __rich__(self) -> Panel:
        row = self.rows[-1] if self.rows else {"generation": 0, "elapsed_s": 0.0}
        facts = Table.grid(padding=(0, 3))
        for _ in range(4):
            facts.add_column(justify="left")
        for name, value in facts_of(self.rows, self.config):
            facts.add_row(Text(name, style="dim"), value)
        name, done, total = self.step
        elapsed = row["elapsed_s"] + time.monotonic() - self.since
        bars = Table.grid(padding=(0, 2))
        bars.add_row(Text(f"{name:<12}"), ProgressBar(total, done, width=32), Text(f"{done:g} / {total:g}"))
        whole = share_done(self.config, [row])
        bars.add_row(
            Text("run"), ProgressBar(1, whole, width=32), Text(f"{clock(elapsed)} gone, {eta(row, whole, elapsed)}")
        )
        notes = [Text(note, style="yellow") for note in self.notes]
        title = f"{self.config.game}, generation {row['generation']} of {self.config.generations}"
        return Panel(Group(facts, Text(), bars, *notes), title=title, subtitle=str(self.folder))


def facts_of(rows: list[Row], config: TrainConfig) -> Iterator[tuple[str, str]]:
    """Names and values of what is worth knowing of the last generation."""
    row = rows[-1] if rows else {}
    if "games" not in row:
        yield "", "the first games are being played"
        return
    if "games_per_hour" in row:
        yield "games", f"{row['games_per_hour']:,.0f} an hour, {row['length']:.1f} positions each"
        yield "speed", f"{row['positions_per_s']:,.0f} positions/s, {row['evaluations_per_s']:,.0f} evaluations/s"
    yield "learnt from", f"{row['rows_total']:,} positions so far, window {row['window']:,}"
    losses = [f"{name.removeprefix('loss_')} {value:.3f}" for name, value in row.items() if name.startswith("loss_")]
    yield "losses", ", ".join(losses)
    yield "policy entropy", f"{row['entropy']:.2f} nats"
    yield "first player", f"scores {row['first_player']:.1%}, draws {row['draws']:.1%}"
    measured = [r for r in rows if r.get("anchor")]
    if measured:
        yield "strength", strength(measured[-1])


def strength(row: Row) -> str:
    """A measurement in words."""
    result = f"against {row['anchor']}: {row['anchor_score']:.0%}, generation {row['generation']}"
    ends = [f"{row[key]:+.0f}" for key in ("elo_low", "elo_high") if row[key] is not None]
    if row["elo"] is None:
        return f"{'above' if row['anchor_score'] > 0.5 else 'below'} {ends[0] if ends else 'any'} Elo {result}"
    return f"{row['elo']:+.0f} Elo ({' to '.join(ends)}) {result}"


def line(row: Row, config: TrainConfig) -> str:
    """A generation in one line."""
    parts = [f"generation {row['generation']}/{config.generations}", clock(row["elapsed_s"])]
    if "games_per_hour" in row:
        parts.append(f"{row['games_per_hour']:,.0f} games/h {row['evaluations_per_s']:,.0f} evaluations/s")
    parts.append(
        f"policy {row.get('loss_policy', 0):.3f} value {row.get('loss_value', 0):.3f} entropy {row['entropy']:.2f}"
    )
    parts.append(f"first player {row['first_player']:.0%}")
    if row.get("anchor"):
        parts.append(strength(row))
    return " | ".join(parts)


def eta(row: Row, share: float, elapsed: float) -> str:
    """When the run will be over."""
    if share <= 0 or row["elapsed_s"] <= 0:
        return "end not known yet"
    return f"about {clock(max(0.0, row['elapsed_s'] / share - elapsed))} to go"


def clock(seconds: float) -> str:
    """Seconds as hours, minutes and seconds."""
    return f"{int(seconds // 3600)}:{int(seconds // 60 % 60):02}:{int(seconds % 60):02}"


def _group(name: str) -> str:
    kind = "loss" if name.startswith("loss") else "strength" if name.startswith(("elo", "anchor")) else "play"
    return f"{kind}/{name}"


def _board(folder: Path) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise ValueError("--tensorboard needs the package tensorboard; pip install tensorboard") from None
    return SummaryWriter(str(folder / "tensorboard"))
