"""A training run in a process of its own: `python -m boyi.service.trainer FOLDER`, with the run's config.toml there.

It trains until the run is over or its standard input ends: a server that goes away, in whatever way, leaves no process
behind. What was played and learnt is in the folder, so nothing but the work of a moment is lost. How it goes is in
`progress.json`; why it failed is the last line of standard error.
"""

import _thread
import contextlib
import json
import os
import sys
import threading
import time
from pathlib import Path

from boyi.games import Game
from boyi.games.errors import GameError
from boyi.service.shown_games import ShownGames
from boyi.train.run import Busy, Row, config_of

PROGRESS = "progress.json"
NICENESS = 10
TOLD_S = 0.4
NOTES = 20
PATIENCE_S = 3.0
"""How long the end of the input may wait for compiled code."""
BUSY = 3
"""The exit code of a run that another process trains."""


class Told:
    """A report into a file, not more often than anybody would look."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / PROGRESS
        self.facts: dict[str, object] = {"stage": "starting", "done": 0.0, "total": 1.0, "notes": self._notes()}
        self.told = 0.0
        self.write()

    def _notes(self) -> list[str]:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            return [str(note) for note in json.loads(self.file.read_text())["notes"]][-NOTES:]
        return []

    def note(self, text: str) -> None:
        self.facts["notes"] = [*self.facts["notes"], text][-NOTES:]  # type: ignore[misc]
        self.write()

    def stage(self, name: str, done: float, total: float) -> None:
        moved_on = name != self.facts["stage"]
        self.facts |= {"stage": name, "done": float(done), "total": float(total)}
        if moved_on or time.monotonic() - self.told >= TOLD_S:
            self.write()

    def generation(self, row: Row) -> None:
        self.write()

    def write(self) -> None:
        self.told = time.monotonic()
        partial = self.file.with_name(f".{self.file.name}.part")
        with contextlib.suppress(OSError):  # a full disk is told by what matters more
            partial.write_text(json.dumps(self.facts))
            partial.replace(self.file)


def stop_at_the_end_of_input() -> None:
    """In a thread: interrupt the run when the server lets go of it."""
    while os.read(0, 1024):
        pass
    _thread.interrupt_main()
    time.sleep(PATIENCE_S)
    os._exit(0)


class ToldQuick(Told):
    """Also plays games of the newest net, as a quick run keeps none."""

    def __init__(self, folder: Path, game: Game) -> None:
        super().__init__(folder)
        self.shown = ShownGames(folder, game)

    def generation(self, row: Row) -> None:
        self.shown.play(int(row["generation"]))
        super().generation(row)


def train(folder: Path) -> None:
    """Train the run of a folder to its end. What a deep net needs, PyTorch above all, is loaded for deep nets only."""
    from boyi.train.quick import is_quick, quick_config, train_quick

    if is_quick(folder):
        config = quick_config(None, folder / "config.toml", ())
        train_quick(config, folder, report=ToldQuick(folder, config.found_game))
        return

    from boyi.train.loop import train as train_deep
    from boyi.train.packages import check_packages

    check_packages()
    train_deep(config_of(folder, []), folder, report=Told(folder))


def main(folder: Path) -> int:
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    threading.Thread(target=stop_at_the_end_of_input, daemon=True).start()
    try:
        train(folder)
    except KeyboardInterrupt:
        return 0
    except Busy:
        return BUSY
    except (GameError, OSError, MemoryError) as error:
        print(str(error) or type(error).__name__, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
