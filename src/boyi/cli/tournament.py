"""`boyi tournament A B C ...`: rank many players."""

import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.live import Live
from rich.table import Table

from boyi.arena import Control, Tournament, make_plan
from boyi.arena.field import field
from boyi.arena.plan import Plan
from boyi.arena.report import Standings
from boyi.arena.tournament import Event, Finished
from boyi.cli.match import num_processes, told_usage
from boyi.cli.output import announce_compilation, notes, print_json, print_table
from boyi.games import game as find_game
from boyi.players import Limit

SHOWN_EVERY_S = 0.5


def tournament(
    *players: str,
    game: str | None = None,
    kind: str = "robin",
    games: int = 20,
    anchor: str | None = None,
    openings: str | None = None,
    seconds: float | None = None,
    simulations: int | None = None,
    nodes: int | None = None,
    game_seconds: float | None = None,
    increment: float = 0.0,
    adjudicate: int = 0,
    dir: Path | None = None,
    resume: Path | None = None,
    workers: int | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Let many players meet, and rank them by Elo with 95 % intervals.

    With --dir, the games are kept as they end, and results.json, results.md, ratings.svg and ratings.png are written
    beside them. Ctrl-C ends with the games played so far; --resume goes on.

    Parameters
    ----------
    players
        Players by name, at least two; more than one word in quotes. Default: one of every kind that plays the game.
    game
        A game, with parameters if wanted: othello, gomoku:size=9, or the path of a rules file.
    kind
        robin: all meet all; gauntlet: the first meets all others; ladder: everyone meets the next two.
    games
        How many games for each two that meet.
    anchor
        The player whose Elo is 0. Default: the mean of all is.
    openings
        As in boyi match.
    seconds
        Thinking time a move.
    simulations
        Simulations a move.
    nodes
        Nodes a move.
    game_seconds
        Thinking time of each player for a whole game; who oversteps it loses.
    increment
        Seconds that each move adds to that time.
    adjudicate
        End a game when exact search of so many nodes shows how it must end.
    dir
        Keep games and results in this directory; where it has a part of this tournament, go on with it.
    resume
        Go on with the tournament of this directory.
    workers
        How many processes play, each on a core. Default: 2, or 1 where there is a single core.
    json
        Print the result as JSON.
    seed
        Seed of the tournament.
    """
    announce_compilation()
    processes = num_processes(workers)
    if resume is not None:
        if players or game is not None or dir is not None:
            raise ValueError("--resume takes players, game and options from its directory; leave them and --dir away")
        running = Tournament.resumed(resume, workers=processes)
    else:
        if game is None:
            raise ValueError("a tournament takes --game, as in boyi tournament random greedy mcts --game othello")
        control = Control(Limit(simulations=simulations, nodes=nodes, seconds=seconds), game_seconds, increment)
        plan = make_plan(
            game,
            players or field(find_game(game)),
            games=games,
            kind=kind,
            seed=seed,
            control=control,
            openings=openings,
            adjudicate=adjudicate,
        )
        running = Tournament(plan, folder=dir, workers=processes)
    zero = anchor_of(running.plan, anchor)
    run_live(running, zero)
    if not running.rows:
        raise KeyboardInterrupt
    standings = Standings.of(running.plan, running.rows, anchor=zero)
    if running.folder is not None:
        standings.write(running.folder)
    if json:
        print_json({**standings.to_json(), "state": running.state, "playing": running.usage.playing})
    else:
        print_table(*standings.table())
        print_table(*standings.crosstable())
        notes.print(told_usage(running.usage), style="dim")


def anchor_of(plan: Plan, name: str | None) -> int | None:
    """The number of the anchor."""
    if name is None:
        return None
    if name not in plan.players:
        raise ValueError(f"anchor {name!r} does not take part; players are {', '.join(plan.players)}")
    return plan.players.index(name)


def run_live(running: Tournament, anchor: int | None) -> None:
    """Play, on a terminal with the table as it stands."""
    if not notes.is_terminal:
        running.run()
        return
    with Live(console=notes, transient=True, refresh_per_second=4) as live:
        shown_at = 0.0

        def show(event: Event) -> None:
            nonlocal shown_at
            if isinstance(event, Finished) and time.monotonic() - shown_at > SHOWN_EVERY_S:
                live.update(_picture(running, anchor))
                shown_at = time.monotonic()

        running.on_event = show
        running.run()


def _picture(running: Tournament, anchor: int | None) -> Table:
    progress = running.progress()
    columns, rows = Standings.of(running.plan, running.rows, anchor=anchor).table()
    title = f"{progress.done} of {progress.total} games, {len(progress.running)} running, {progress.seconds:,.0f} s"
    table = Table(box=None, pad_edge=False, header_style="bold", title=title, title_justify="left")
    for column in columns:
        table.add_column(column.removesuffix("#"), justify="right" if column.endswith("#") else "left")
    for row in rows:
        table.add_row(*row)
    return table
