"""A run directory: what is in it, who may write to it, and where it can be taken up again.

    config.toml                    every option
    metrics.jsonl                  one line a generation
    games/000012-003.npz           the samples of shard 3 of generation 12
    checkpoints/000012/            model.{json,onnx,safetensors} (averaged weights: the net that plays),
                                   learner.safetensors (weights and optimiser), metrics.json, checksums.json
    run.lock                       held by the process that trains

Everything is written whole or not at all. A checkpoint counts once its folder has its name, so a generation is either
done or not; metrics.jsonl follows the checkpoints.
"""

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.train.config import TrainConfig, read_config, write_toml
from boyi.train.files import CHECKSUMS, BadCheckpoint, check_folder, explained, write_file, write_folder

NEWEST = 3
"""So many of the newest checkpoints are kept whole."""
Row = dict[str, Any]


class Busy(GameError):
    """Another process trains in the directory."""


class BadRun(GameError):
    """A directory that holds no run, or one that cannot be continued."""


class Run:
    """A run directory that this process holds. Use it as a context."""

    def __init__(self, folder: Path, *, on_note: Callable[[str], None] = lambda _: None) -> None:
        self.folder, self.note = folder, on_note
        self.games, self.checkpoints = folder / "games", folder / "checkpoints"
        self.rows: list[Row] = []
        self._lock: Any = None

    def __enter__(self) -> "Run":
        try:
            for needed in (self.folder, self.games, self.checkpoints):
                needed.mkdir(parents=True, exist_ok=True)
            self._lock = (self.folder / "run.lock").open("a+")
        except OSError as error:
            raise explained(error, self.folder) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.seek(0)
            holder = self._lock.read().strip() or "unknown"
            self._lock.close()
            raise Busy(
                f"{self.folder} is being trained in by process {holder}; stop it first, or choose another --dir"
            ) from None
        self._lock.truncate(0)
        self._lock.write(str(os.getpid()))
        self._lock.flush()
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.close()

    # Configuration

    @property
    def config_file(self) -> Path:
        return self.folder / "config.toml"

    def write_config(self, config: TrainConfig) -> None:
        write_file(self.config_file, write_toml(config))

    # Games

    def shard_file(self, generation: int, shard: int) -> Path:
        return self.games / f"{generation:06}-{shard:03}.npz"

    # Checkpoints

    def checkpoint(self, generation: int) -> Path:
        return self.checkpoints / f"{generation:06}"

    def model(self, generation: int) -> Path:
        """The path, without suffix, of a generation's model."""
        return self.checkpoint(generation) / "model"

    def write_checkpoint(self, generation: int, row: Row, fill: Callable[[Path], None]) -> None:
        """Add a generation: `fill(folder)` writes model and learner; then it counts."""

        def fill_all(folder: Path) -> None:
            fill(folder)
            (folder / "metrics.json").write_text(json.dumps(row))

        write_folder(self.checkpoint(generation), fill_all)
        self.rows.append(row)
        self._write_rows()

    def generations(self) -> list[int]:
        """Those that have a checkpoint, ascending."""
        return sorted(int(folder.name) for folder in self.checkpoints.iterdir() if folder.name.isdecimal())

    def recover(self) -> int | None:
        """The newest generation that can be continued from, after a look at every file of it; None in a fresh run.

        Damaged checkpoints are named and set aside. The metrics are brought in line with the checkpoints.
        """
        for leftover in [*self.checkpoints.glob(".*"), *self.games.glob(".*")]:
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
        found = None
        for generation in reversed(self.generations()):
            try:
                check_folder(self.checkpoint(generation))
                if not (self.checkpoint(generation) / "learner.safetensors").is_file():
                    raise BadCheckpoint(f"{self.checkpoint(generation)} has no learner.safetensors any more")
            except BadCheckpoint as error:
                aside = self.checkpoint(generation).with_suffix(".damaged")
                self.note(f"refused: {error}. It is set aside as {aside.name}; going back to the one before")
                shutil.rmtree(aside, ignore_errors=True)
                self.checkpoint(generation).rename(aside)
                continue
            found = generation
            break
        if found is None and any(self.checkpoints.iterdir()):
            raise BadRun(f"{self.folder} has no checkpoint that is whole; start again in another --dir")
        self._recover_rows(found)
        return found

    def _recover_rows(self, newest: int | None) -> None:
        """Read metrics.jsonl up to a generation; what is missing there is in the checkpoints."""
        known: dict[int, Row] = {}
        file = self.folder / "metrics.jsonl"
        for line in file.read_text(errors="replace").splitlines() if file.exists() else []:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                row = json.loads(line)
                known[int(row["generation"])] = row
        for generation in self.generations():
            if generation not in known:
                known[generation] = json.loads((self.checkpoint(generation) / "metrics.json").read_text())
        self.rows = [known[g] for g in sorted(known) if newest is not None and g <= newest]
        self._write_rows()

    def _write_rows(self) -> None:
        write_file(self.folder / "metrics.jsonl", "".join(json.dumps(row) + "\n" for row in self.rows))

    def prune(self, keep_every: int, *, playing: int) -> None:
        """Drop old checkpoints but every so many-th, and what only training needs of those."""
        for generation in self.generations()[:-NEWEST]:
            folder = self.checkpoint(generation)
            if generation % keep_every and generation != playing:
                trash = folder.with_name(f".{folder.name}.old")
                folder.rename(trash)
                shutil.rmtree(trash, ignore_errors=True)
            elif (folder / "learner.safetensors").exists():
                sums = json.loads((folder / CHECKSUMS).read_text())
                sums.pop("learner.safetensors", None)
                write_file(folder / CHECKSUMS, json.dumps(sums, indent=1))
                (folder / "learner.safetensors").unlink()


def config_of(folder: Path, changes: list[str]) -> TrainConfig:
    """The configuration of a run directory."""
    if not (folder / "config.toml").is_file():
        raise BadRun(f"{str(folder)!r} holds no run: it has no config.toml")
    return read_config(folder / "config.toml", changes)


def check_same(config: TrainConfig, game: Game, before: TrainConfig) -> None:
    """Raise `BadRun` where a run cannot be continued with another game or net."""
    if before.found_game != game or before.net != config.net:
        raise BadRun("a run goes on with its own game and net; start another one for others")


def share_done(config: TrainConfig, rows: list[Row]) -> float:
    """How much of the run is over, by generations or by time, whichever is nearer to its end."""
    done: float = rows[-1]["generation"] / config.generations
    return max(done, rows[-1]["elapsed_s"] / 60 / config.minutes) if config.minutes else done
