"""`boyi train GAME`: train a net."""

import dataclasses
import shlex
import time
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from boyi.cli.output import announce_compilation, notes, print_json, print_table
from boyi.games.registry import name_and_options


def train(
    game: str | None = None,
    *,
    method: str | None = None,
    config: Path | None = None,
    resume: Path | None = None,
    dir: Path | None = None,
    minutes: float | None = None,
    generations: int | None = None,
    workers: int | None = None,
    set: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    from_records: Annotated[tuple[Path, ...], Parameter(negative="", consume_multiple=True)] = (),
    winner_only: Annotated[bool, Parameter(negative="")] = False,
    cluster: str | None = None,
    dry_run: Annotated[bool, Parameter(negative="")] = False,
    tensorboard: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int | None = None,
) -> None:
    """Train a net by self-play, or from game records. Ctrl-C stops; --resume goes on.

    Parameters
    ----------
    game
        A game, with parameters if wanted: tictactoe, gomoku:size=9, or the path of a rules file; or the name of a file
        in configs/, such as othello6.
    method
        deep (a policy-value net, which needs PyTorch: make setup) or quick (a very small net that is asked about
        millions of positions a second; see docs/quick.md). Default: deep, and in --resume that of the run.
    config
        A TOML file with the options; see docs/training.md. Default: the one in configs/ for the game.
    resume
        Go on with the run in this directory.
    dir
        Where the run is kept. Default: runs/GAME-TIME.
    minutes
        Stop after so much training time, all resumed parts together; quick nets count processor time. Default: for a
        deep net that of the configuration, usually no limit; for a quick net 10 to 15, by game.
    generations
        Stop after so many generations. Default: that of the configuration; for a quick net no limit.
    workers
        How many processes play. Default: that of the configuration, for a quick net 1, the learner itself; with
        --cluster one for each processor of the cluster.
    set
        Change an option, such as --set selfplay.simulations=64. Can be given more than once.
    from_records
        Learn from game files, of any format that convert reads, instead of self-play.
    winner_only
        Learn only the winners' moves of the records.
    cluster
        Play on the Ray cluster at this address, or auto for the one of this computer.
    dry_run
        Say what the run would cost, and do nothing.
    tensorboard
        Also write files for TensorBoard into the run directory.
    json
        Print the last generation's metrics (or the estimate) as JSON.
    seed
        Seed of the run. Default: that of the configuration, usually 0.
    """
    if method not in (None, "deep", "quick"):
        raise ValueError(f"--method {method} is not possible; allowed: deep, quick")
    quick = is_quick_run(method, resume)
    if not quick:
        from boyi.train.packages import check_packages

        check_packages()
    if cluster is not None and workers is None and not _says_workers(config, resume, set) and not dry_run:
        from boyi.train.cluster import processors

        workers = processors(cluster)
        notes.print(f"{workers} workers, one for each processor of the cluster", style="dim", highlight=False)
    if quick:
        deep_only = {
            "--from-records": from_records,
            "--winner-only": winner_only,
            "--tensorboard": tensorboard,
        }
        if unfit := [name for name, value in deep_only.items() if value]:
            raise ValueError(f"{unfit[0]} is for deep nets; leave it away, or train one with --method deep")
        changes = _changes(set, minutes=minutes, generations=generations, workers=workers, seed=seed)
        quick_run(game, config, resume, dir, changes, cluster=cluster, dry_run=dry_run, json=json)
        return

    from boyi.train.config import changed, find_config
    from boyi.train.run import config_of

    announce_compilation()
    changes = _changes(set, minutes=minutes, generations=generations, workers=workers, seed=seed)
    if resume is not None:
        _check_resume(game, config, dir)
        folder, options = resume, config_of(resume, changes)
    else:
        options = changed(find_config(game, config), changes)
        folder = dir or _usual_folder("deep", options.game)
    if dry_run:
        from boyi.train.estimate import estimate

        _say_cost(dataclasses.asdict(estimate(options)), json)
        return

    from boyi.train.display import Display
    from boyi.train.loop import train as run
    from boyi.train.supervised import learn_records

    display = Display(notes, options, folder, tensorboard=tensorboard)
    try:
        with display.shown():
            if from_records:
                rows = learn_records(options, folder, from_records, winner_only=winner_only, report=display)
            else:
                rows = run(options, folder, report=display, cluster=cluster)
    except KeyboardInterrupt:
        _say_stopped(folder)
        raise
    _say_done("net", options.game, folder, rows, json)


def quick_run(
    game: str | None,
    config: Path | None,
    resume: Path | None,
    dir: Path | None,
    changes: list[str],
    *,
    cluster: str | None,
    dry_run: bool,
    json: bool,
) -> None:
    """Train a quick net, or go on training it, or say what that would cost."""
    from boyi.train.quick import quick_config, train_quick
    from boyi.train.quick_display import QuickDisplay

    announce_compilation()
    if resume is not None:
        _check_resume(game, config, dir)
        folder, options = resume, quick_config(None, resume / "config.toml", changes)
    else:
        options = quick_config(game, config, changes)
        folder = dir or _usual_folder("quick", options.game)
    if dry_run:
        from boyi.train.quick_estimate import estimate_quick

        _say_cost(dataclasses.asdict(estimate_quick(options)), json)
        return
    display = QuickDisplay(notes, options, folder)
    try:
        with display.shown():
            rows = train_quick(options, folder, report=display, cluster=cluster)
    except KeyboardInterrupt:
        _say_stopped(folder)
        raise
    _say_done("quick", options.game, folder, rows, json)


def is_quick_run(method: str | None, resume: Path | None) -> bool:
    """Whether a quick net is wanted; a resumed run says so itself, and must not be told otherwise."""
    if resume is None:
        return method == "quick"
    from boyi.train.quick import is_quick

    found = is_quick(resume)
    if method is not None and found != (method == "quick"):
        raise ValueError(
            f"--method {method} does not fit: {resume} holds a run of a {'quick' if found else 'deep'} net"
        )
    return found


def _changes(set: tuple[str, ...], **given: int | float | None) -> list[str]:
    return [*set, *(f"{name}={value}" for name, value in given.items() if value is not None)]


def _says_workers(config: Path | None, resume: Path | None, set: tuple[str, ...]) -> bool:
    """Whether a number of workers was chosen by other means than --workers."""
    return config is not None or resume is not None or any(change.startswith("workers=") for change in set)


def _check_resume(game: str | None, config: Path | None, dir: Path | None) -> None:
    if game is not None or config is not None or dir is not None:
        raise ValueError("--resume takes game and options from its directory; leave GAME, --config and --dir away")


def _usual_folder(method: str, game: str) -> Path:
    """A name without commas and colons, which would end a path in the name of a player."""
    base, options = name_and_options(game)
    parts = [*(["quick"] if method == "quick" else []), Path(base).stem, *filter(None, options.split(","))]
    return Path("runs") / "-".join([*parts, time.strftime("%Y%m%d-%H%M%S")])


def _say_cost(cost: dict[str, Any], json: bool) -> None:
    if json:
        print_json(cost)
    else:
        print_table(["", "#"], [[name.replace("_", " "), f"{value:,.1f}"] for name, value in cost.items()])


def _say_stopped(folder: Path) -> None:
    notes.print(f"stopped; go on with: boyi train --resume {shlex.quote(str(folder))}", markup=False, soft_wrap=True)


def _say_done(player: str, game: str, folder: Path, rows: list[dict[str, Any]], json: bool) -> None:
    """Where the net is, and how to meet it."""
    model = f"{folder}/checkpoints/{rows[-1]['generation']:06}/model"
    command = shlex.join(["boyi", "play", game, "--against", f"{player}:model={model}"])
    notes.print(f"the net is {model}", markup=False, highlight=False, soft_wrap=True)
    notes.print(f"play against it: {command}", markup=False, highlight=False, soft_wrap=True)
    if json:
        print_json({"dir": str(folder), **rows[-1]})
