"""`boyi train GAME`: train a net."""

import dataclasses
import shlex
import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from boyi.cli.output import announce_compilation, notes, print_json, print_table


def train(
    game: str | None = None,
    *,
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
        A game, with parameters if wanted, or the name of a file in configs/: othello, gomoku:size=9, othello6.
    config
        A TOML file with the options; see docs/training.md. Default: the one in configs/ for the game.
    resume
        Go on with the run in this directory.
    dir
        Where the run is kept. Default: runs/GAME-TIME.
    minutes
        Stop after so much training time, all resumed parts together.
    generations
        Stop after so many generations.
    workers
        How many processes play.
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
        Seed of the run.
    """
    from boyi.train.config import changed, find_config
    from boyi.train.run import config_of

    announce_compilation()
    given = {"minutes": minutes, "generations": generations, "workers": workers, "seed": seed}
    changes = [*set, *(f"{name}={value}" for name, value in given.items() if value is not None)]
    if resume is not None:
        if game is not None or config is not None or dir is not None:
            raise ValueError("--resume takes game and options from its directory; leave GAME, --config and --dir away")
        folder, options = resume, config_of(resume, changes)
    else:
        options = changed(find_config(game, config), changes)
        folder = dir or Path("runs") / f"{options.game.replace(':', '-')}-{time.strftime('%Y%m%d-%H%M%S')}"
    if dry_run:
        from boyi.train.estimate import estimate

        cost = dataclasses.asdict(estimate(options))
        if json:
            print_json(cost)
        else:
            print_table(["", "#"], [[name.replace("_", " "), f"{value:,.1f}"] for name, value in cost.items()])
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
        notes.print(
            f"stopped; go on with: boyi train --resume {shlex.quote(str(folder))}", markup=False, soft_wrap=True
        )
        raise
    notes.print(f"the net is {folder}/checkpoints/{rows[-1]['generation']:06}/model", markup=False, soft_wrap=True)
    if json:
        print_json({"dir": str(folder), **rows[-1]})
