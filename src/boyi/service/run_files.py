"""What a run's folder tells of it: options, metrics, checkpoints and games as views. Runs in threads.

Beside what `boyi.train.run` writes there are `progress.json`, of the process that trains, and `wanted.json`, which says
what people want of the run: `running`, `paused`, `stopped`, or `failed` with a message.
"""

import fcntl
import json
import math
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from boyi.games import Position
from boyi.service import boards, run_configs, shown_games
from boyi.service.errors import NameTaken, NotFound, StorageError
from boyi.service.folders import free_folder
from boyi.service.record import microseconds, moment
from boyi.service.run_configs import Config
from boyi.service.trainer import PROGRESS
from boyi.service.views_training import (
    Method,
    NewRun,
    Plateau,
    RunPoint,
    RunPositions,
    RunStatus,
    RunSummary,
    RunView,
    Stage,
)
from boyi.train.files import write_file
from boyi.train.measure import PLATEAU, plateau
from boyi.train.samples import BadSamples, read_samples

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._=,-]{0,99}")
WANTED = "wanted.json"
SHOWN_GAMES = 6
MOST_POINTS = 2000
CHANGED = ("config.toml", "metrics.jsonl", PROGRESS, WANTED, shown_games.FILE)
"""Files whose change is a change of the run."""


def make(runs: Path, wanted: NewRun) -> str:
    """A folder with the configuration of a run that has not begun; its id."""
    config = run_configs.wanted_config(wanted)
    try:
        runs.mkdir(parents=True, exist_ok=True)
        folder = free_folder(runs, config.found_game.name) if wanted.name is None else runs / wanted.name
        if wanted.name is not None:
            folder.mkdir()
        write_file(folder / "config.toml", run_configs.text(config))
    except FileExistsError:
        raise NameTaken(
            f"there is a run called {wanted.name!r} already; choose another name, or go on with that one"
        ) from None
    except OSError as error:
        raise StorageError(_without(runs, str(error))) from error
    return folder.name


def _without(runs: Path, text: str) -> str:
    """A message that does not tell where on the disk the runs are."""
    return text.replace(f"{runs}{os.sep}", "").replace(str(runs), "runs")


def find(runs: Path, run: str) -> Path:
    """The folder of a run by its id, which is a plain name and no path."""
    if not ID.fullmatch(run) or not (runs / run / "config.toml").is_file():
        raise NotFound(f"there is no run {run[:100]!r}")
    return runs / run


def ids(runs: Path) -> list[str]:
    """All runs, the last changed first."""
    if not runs.is_dir():
        return []
    found = [folder for folder in runs.iterdir() if ID.fullmatch(folder.name) and (folder / "config.toml").is_file()]
    return [folder.name for folder in sorted(found, key=version, reverse=True)]


def version(folder: Path) -> int:
    """When a run changed last, in microseconds."""
    times = [0]
    for name in CHANGED:
        try:
            times.append((folder / name).stat().st_mtime_ns // 1000)
        except OSError:
            continue
    return max(times)


def want(folder: Path, state: str, message: str = "") -> None:
    """Remember what is wanted of a run."""
    try:
        message = _without(folder.parent, message)
        write_file(folder / WANTED, json.dumps({"state": state, "message": message, "since": microseconds()}))
    except OSError as error:
        raise StorageError(_without(folder.parent, str(error))) from error


def wanted(folder: Path) -> tuple[str, str]:
    """What is wanted of a run, and why where it failed."""
    found = _json(folder / WANTED)
    return str(found.get("state", "stopped")), str(found.get("message", ""))


def held(folder: Path) -> bool:
    """Whether any process trains in a folder."""
    try:
        with (folder / "run.lock").open() as lock:
            holder = lock.read().strip()
            if not holder.isdecimal():
                return False
            os.kill(int(holder), 0)
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def summary(folder: Path, status: RunStatus | None) -> RunSummary:
    """A run in a few words; `status` is known of those that this server trains."""
    return RunSummary(**_facts(folder, run_configs.read(folder), _rows(folder), status))


def view(folder: Path, status: RunStatus | None) -> RunView:
    """All there is to tell of a run."""
    at = version(folder)
    config, rows, progress = run_configs.read(folder), _rows(folder), _json(folder / PROGRESS)
    facts = _facts(folder, config, rows, status)
    stage = None
    if facts["status"] == "running":
        stage = Stage(
            name=str(progress.get("stage", "starting")),
            done=float(progress.get("done", 0)),
            total=float(progress.get("total", 1)),
        )
    thinned = rows[:: math.ceil(len(rows) / MOST_POINTS)] if rows else []
    return RunView(
        **facts,
        version=at,
        stage=stage,
        points=[_point(row) for row in thinned if row["generation"]],
        checkpoints=checkpoints(folder),
        plateau=_plateau(rows),
        notes=[_without(folder.parent, str(note)) for note in progress.get("notes", [])],
        options=run_configs.options(config),
        files=_games_counted(folder, run_configs.method_of(config)),
    )


def _games_counted(folder: Path, method: Method) -> int:
    """A number that grows when there are other games to look at."""
    if method == "quick":
        return shown_games.read(folder)[0]
    return sum(1 for _ in (folder / "games").glob("*.npz"))


def _facts(folder: Path, config: Config, rows: list[dict[str, Any]], known: RunStatus | None) -> dict[str, Any]:
    share = run_configs.share_of(config, rows)
    elapsed = float(rows[-1]["elapsed_s"]) if rows else 0.0
    state, message = wanted(folder)
    status: RunStatus
    if known is not None:
        status = known
    elif held(folder):
        status = "elsewhere"
    elif share >= 1:
        status = "finished"
    else:
        status = state if state in ("paused", "failed") else "stopped"  # type: ignore[assignment]
    return {
        "id": folder.name,
        "rules": boards.rules_text(config.found_game),
        "title": config.found_game.title,
        "method": run_configs.method_of(config),
        "status": status,
        "message": message if status == "failed" else "",
        "generation": rows[-1]["generation"] if rows else 0,
        "generations": config.generations,
        "minutes": run_configs.minutes_of(config),
        "elapsed_s": elapsed,
        "share": share,
        "left_s": (elapsed / share - elapsed) * _slowness(rows) if share and elapsed else None,
        "updated": moment(version(folder)),
    }


def _slowness(rows: list[dict[str, Any]]) -> float:
    """By the clock, how many times as long a generation took as the time that counts: a quick run counts processor
    time, which a busy computer gives slowly."""
    if len(rows) < 2 or "wall_s" not in rows[-1]:
        return 1.0
    counted = rows[-1]["elapsed_s"] - rows[-2]["elapsed_s"]
    return max(1.0, float(rows[-1]["wall_s"]) / counted) if counted > 0 else 1.0


def _rows(folder: Path) -> list[dict[str, Any]]:
    """The metrics of a run; a line that is not whole yet does not count."""
    rows = []
    try:
        text = (folder / "metrics.jsonl").read_text(errors="replace")
    except OSError:
        return []
    for line in text.splitlines():
        try:
            row = json.loads(line)
            rows.append(row | {"generation": int(row["generation"]), "elapsed_s": float(row["elapsed_s"])})
        except (ValueError, KeyError, TypeError):
            continue
    return rows


def _json(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _point(row: dict[str, Any]) -> RunPoint:
    known = {name: row[name] for name in RunPoint.model_fields if row.get(name) is not None}
    return RunPoint(**{name: value for name, value in known.items() if value == value})


def _plateau(rows: list[dict[str, Any]]) -> Plateau | None:
    if not plateau(rows):
        return None
    measured = [row for row in rows if row.get("anchor") is not None]
    before, last = measured[-PLATEAU - 1], measured[-PLATEAU:]
    return Plateau(
        since=before["generation"],
        anchor=before["anchor"],
        before=before["anchor_score"],
        best=max(row["anchor_score"] for row in last),
    )


def checkpoints(folder: Path) -> list[int]:
    """The generations whose net is there."""
    found = (folder / "checkpoints").glob("*/model.json")
    return sorted(int(file.parent.name) for file in found if file.parent.name.isdecimal())


def positions(folder: Path) -> RunPositions:
    """The ends of the latest games of self-play."""
    config = run_configs.read(folder)
    game = boards.rules_named(boards.rules_text(config.found_game))
    if run_configs.method_of(config) == "quick":
        generation, keys = shown_games.read(folder)
        return RunPositions(generation=generation, positions=[boards.position_view(game.position(key)) for key in keys])
    for file in sorted((folder / "games").glob("[0-9]*.npz"), reverse=True):
        try:
            samples = read_samples(file, game)
        except (BadSamples, OSError):
            continue
        ends: Any = np.asarray(samples.finals[:SHOWN_GAMES], dtype=game.state_dtype)
        shown = [boards.position_view(Position(game, state.copy())) for state in ends]
        return RunPositions(generation=int(file.name.partition("-")[0]), positions=shown)
    return RunPositions(generation=0, positions=[])
