"""`boyi match A B`: measure one player against another."""

import dataclasses
import os
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from boyi.arena import Control, MatchResult, Sprt, Tournament, make_plan
from boyi.arena.report import match_json
from boyi.arena.tournament import Event, Finished
from boyi.arena.workers import Usage
from boyi.cli.output import announce_compilation, notes, print_json, print_table
from boyi.players import Limit


def match(
    first: str | None = None,
    second: str | None = None,
    *,
    game: str | None = None,
    games: int = 100,
    openings: str | None = None,
    seconds: float | None = None,
    simulations: int | None = None,
    nodes: int | None = None,
    game_seconds: float | None = None,
    increment: float = 0.0,
    adjudicate: int = 0,
    sprt: tuple[float, float] | None = None,
    normalised: Annotated[bool, Parameter(negative="")] = False,
    dir: Path | None = None,
    resume: Path | None = None,
    workers: int | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Play a match between two players and say what its result is worth.

    Games come in pairs with the same set-up, opening and dice and with colours exchanged. Ctrl-C ends the match with
    the games played so far.

    Parameters
    ----------
    first
        A player by name, such as random or mcts:sims=500. Results are from its side.
    second
        The other player.
    game
        A game, with parameters if wanted: othello, gomoku:size=9, or the path of a rules file.
    games
        How many games; with --sprt, how many at most.
    openings
        Random plies at the start of each game, balanced for the game's set of even openings, or a file of openings.
        Default: balanced where there is a set and neither dice nor set-ups give variety, else some random plies.
    seconds
        Thinking time a move for both players.
    simulations
        Simulations a move for both players.
    nodes
        Nodes a move for both players.
    game_seconds
        Thinking time of each player for a whole game; who oversteps it loses.
    increment
        Seconds that each move adds to that time.
    adjudicate
        End a game when exact search of so many nodes shows how it must end, such as 20000.
    sprt
        Two differences of Elo, such as 0 10: stop when the games decide between them.
    normalised
        The two are normalised Elo, as in chess testing.
    dir
        Keep the games in this directory as they end; where it has a part of this match, go on with it.
    resume
        Go on with the match of this directory.
    workers
        How many processes play, each on a core. Default: 2, or 1 where there is a single core.
    json
        Print the result as JSON.
    seed
        Seed of the match: same seed, same games, where players do not look at the clock.
    """
    announce_compilation()
    processes = num_processes(workers)
    if resume is not None:
        if first is not None or game is not None or dir is not None:
            raise ValueError("--resume takes players, game and options from its directory; leave them and --dir away")
        tournament = Tournament.resumed(resume, workers=processes)
        if len(tournament.plan.players) != 2:
            raise ValueError(f"{resume} holds a tournament; go on with boyi tournament --resume")
    else:
        if first is None or second is None or game is None:
            raise ValueError("a match takes two players and --game, as in boyi match random greedy --game othello")
        control = Control(Limit(simulations=simulations, nodes=nodes, seconds=seconds), game_seconds, increment)
        test = Sprt(*sprt, normalised=normalised) if sprt else None
        plan = make_plan(
            game, (first, second), games=games, seed=seed, control=control, openings=openings, adjudicate=adjudicate,
            sprt=test,
        )  # fmt: skip
        tournament = Tournament(plan, folder=dir, workers=processes)
    _run(tournament)
    result = tournament.match
    if not result.games:
        raise KeyboardInterrupt
    if json:
        print_json(summary(tournament))
    else:
        print_table(["", *tournament.plan.players], _table(tournament, result))
        notes.print(told_usage(tournament.usage), style="dim")


def num_processes(workers: int | None) -> int:
    """How many processes play: two unless told, or where there is a single core, none: a lone worker is this one."""
    if workers is not None and workers < 1:
        raise ValueError(f"workers={workers} is not possible; it must be 1 or more")
    wanted = min(2, os.cpu_count() or 1) if workers is None else workers
    return 0 if wanted == 1 else wanted


def told_usage(usage: Usage) -> str:
    """How busy the cores were."""
    return (
        f"{usage.workers} worker{'s' if usage.workers > 1 else ''} for {usage.elapsed_s:.1f} s: in games "
        f"{usage.playing:.0%} of the time, {usage.cores:.2f} cores busy"
    )


def _run(tournament: Tournament) -> None:
    """Play, with a bar on a terminal."""
    with Progress(
        BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn(),
        console=notes, transient=True, disable=not notes.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task("", total=tournament.plan.num_games)

        def show(event: Event) -> None:
            if isinstance(event, Finished) and notes.is_terminal:
                result = tournament.match
                text = f"+{result.wins} ={result.draws} -{result.losses}"
                progress.update(task, completed=result.games, description=text)

        tournament.on_event = show
        tournament.run()


def summary(tournament: Tournament) -> dict[str, Any]:
    """A match as JSON has it."""
    plan, result = tournament.plan, tournament.match
    first, second = plan.players
    test = plan.sprt
    return {
        "game": plan.game,
        "first": first,
        "second": second,
        "seed": plan.seed,
        **match_json(result),
        "state": tournament.state,
        "stopped": tournament.state == "stopped",
        "sprt": None
        if test is None
        else {
            "low": test.low,
            "high": test.high,
            "normalised": test.normalised,
            "ratio": test.ratio(result.pentanomial),
            "bounds": list(test.bounds),
            "accepted": test.verdict(result.pentanomial),
        },
        "workers": tournament.usage.workers,
        "playing": tournament.usage.playing,
        "cores": tournament.usage.cores,
        "rows": [dataclasses.asdict(row) for row in result.rows],
    }


def _table(tournament: Tournament, result: MatchResult) -> list[list[str]]:
    worth = result.estimate
    elo, low, high = worth.elo
    rows = [
        ["games", f"{result.games}" + (f" of {result.wanted}" if result.games < result.wanted else ""), ""],
        ["wins", str(result.wins), str(result.losses)],
        ["draws", str(result.draws), str(result.draws)],
        ["score", f"{worth.score:.1%}", f"{1 - worth.score:.1%}"],
        ["  95 %", f"{worth.low:.1%} .. {worth.high:.1%}", f"{1 - worth.high:.1%} .. {1 - worth.low:.1%}"],
        ["Elo", f"{elo:+.0f}", f"{-elo:+.0f}"],
        ["  95 %", f"{low:+.0f} .. {high:+.0f}", f"{-high:+.0f} .. {-low:+.0f}"],
        ["better", f"{result.superiority:.1%}", f"{1 - result.superiority:.1%}"],
        ["pairs 0 .. 2", " ".join(map(str, result.pentanomial)), " ".join(map(str, result.pentanomial[::-1]))],
        ["wins by seat", " ".join(map(str, result.seat_wins)), ""],
        ["time a move", *("" if spent is None else f"{1000 * spent:,.2f} ms" for spent in result.seconds_per_move)],
        ["moves", *(str(number) for number in result.num_moves)],
        ["mean length", f"{result.mean_length:.1f}", ""],
    ]
    if (test := tournament.plan.sprt) is not None:
        accepted = test.verdict(result.pentanomial)
        verdict = "undecided" if accepted is None else f"{accepted:+g} Elo accepted"
        bounds = "{:.2f} .. {:.2f}".format(*test.bounds)
        rows.append(["sprt", f"{verdict}: {test.ratio(result.pentanomial):.2f} of {bounds}", ""])
    if any(result.forfeits):
        rows.append(["forfeits", *(str(number) for number in result.forfeits)])
        rows.append(["  such as", next(row.reason for row in result.rows if row.forfeit), ""])
    return rows
