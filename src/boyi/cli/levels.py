"""`boyi levels GAME`: show the strength levels of a game, or measure them."""

import dataclasses
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

import boyi
from boyi.arena import Tournament
from boyi.arena.calibrate import calibration, chosen_levels, write_levels
from boyi.arena.report import Standings
from boyi.cli.match import num_processes
from boyi.cli.output import announce_compilation, notes, print_json, print_table
from boyi.cli.tournament import run_live
from boyi.players.levels import RANDOM, Levels, levels_of

DATA = Path(boyi.__file__).parent / "players" / "data"


def levels(
    game: str,
    *,
    calibrate: Annotated[bool, Parameter(negative="")] = False,
    games: int = 20,
    nodes: int = 20_000,
    dir: Path | None = None,
    out: Path = DATA,
    workers: int | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Show the levels of a game, level:0 to level:10, or choose and measure them by a tournament.

    Parameters
    ----------
    game
        A game: othello, gomoku. Those of a rules file, by its path, are a usual set that nobody has measured.
    calibrate
        Measure a ladder of players, choose eleven that are evenly spaced, and write them down.
    games
        Games for each two candidates that meet.
    nodes
        Nodes or simulations a move of the strongest.
    dir
        Keep the games of the measurement in this directory; where it has a part of them, go on.
    out
        The folder to write the levels to. Default: where boyi looks for them.
    workers
        How many processes play, each on a core. Default: 2, or 1 where there is a single core.
    json
        Print the levels as JSON.
    seed
        Seed of the measurement.
    """
    announce_compilation()
    found_game = boyi.game(game)
    if not calibrate:
        _show(levels_of(found_game), json)
        return
    if found_game.name != game:
        raise ValueError(f"levels belong to a game with its usual parameters: {found_game.name}, not {game!r}")
    out.mkdir(parents=True, exist_ok=True)  # or the measurement would be lost
    plan = calibration(game, games=games, nodes=nodes, seed=seed)
    running = Tournament(plan, folder=dir, workers=num_processes(workers))
    anchor = plan.players.index(RANDOM)
    run_live(running, anchor)
    if running.state != "done":
        raise KeyboardInterrupt
    command = f"boyi levels {game} --calibrate --games {games} --nodes {nodes} --seed {seed}"
    standings = Standings.of(plan, running.rows, anchor=anchor)
    if dir is not None:
        standings.write(dir)
    found = chosen_levels(standings, command)
    notes.print(f"written: {write_levels(found, out)}", markup=False, soft_wrap=True)
    _show(found, json)


def _show(found: Levels, json: bool) -> None:
    if json:
        print_json(dataclasses.asdict(found))
        return
    rows = [
        [
            str(level.number),
            level.player,
            "" if level.elo is None else f"{level.elo:+.0f}",
            "" if level.low is None or level.high is None else f"{level.low:+.0f} .. {level.high:+.0f}",
        ]
        for level in found.levels
    ]
    print_table(["level#", "player", "Elo#", "95 %#"], rows)
    if found.command:
        notes.print(f"measured by {found.command}; Elo 0 is {RANDOM}", style="dim", markup=False, soft_wrap=True)
