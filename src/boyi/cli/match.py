"""`boyi match A B`: measure one player against another."""

import dataclasses
import math
from typing import Annotated, Any

from cyclopts import Parameter
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from boyi.arena import GameRow, MatchResult, play_named_match
from boyi.cli.output import announce_compilation, notes, print_json, print_table
from boyi.players import Limit


def match(
    first: str,
    second: str,
    *,
    game: str,
    games: int = 100,
    openings: int | None = None,
    seconds: float | None = None,
    simulations: int | None = None,
    workers: int = 1,
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
        How many games.
    openings
        Random plies at the start of each game. Default: none where dice or set-ups give variety, else a few.
    seconds
        Thinking time a move for both players.
    simulations
        Simulations a move for both players.
    workers
        How many processes share the games.
    json
        Print the result as JSON.
    seed
        Seed of the match: same seed, same games, where players do not look at the clock.
    """
    announce_compilation()
    with Progress(
        BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn(),
        console=notes, transient=True, disable=not notes.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task("", total=games)
        tally = {1.0: 0, 0.5: 0, 0.0: 0}

        def show(row: GameRow) -> None:
            tally[row.points] += 1
            progress.update(task, advance=1, description="+{} ={} -{}".format(*tally.values()))

        result = play_named_match(
            game,
            first,
            second,
            games=games,
            seed=seed,
            limit=Limit(simulations=simulations, seconds=seconds),
            openings=openings,
            workers=workers,
            on_game=show,
        )
    if not result.games:
        raise KeyboardInterrupt
    if json:
        print_json({"game": game, "first": first, "second": second, "seed": seed, **summary(result)})
    else:
        print_table(["", first, second], _table(result))


def summary(result: MatchResult) -> dict[str, Any]:
    """A result as JSON has it; Elo is null where it is infinite."""
    worth = result.estimate
    elo, elo_low, elo_high = (value if math.isfinite(value) else None for value in worth.elo)
    return {
        "games": result.games,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "score": worth.score,
        "low": worth.low,
        "high": worth.high,
        "elo": elo,
        "elo_low": elo_low,
        "elo_high": elo_high,
        "first_seconds_per_move": result.seconds_per_move[0],
        "second_seconds_per_move": result.seconds_per_move[1],
        "first_moves": result.num_moves[0],
        "second_moves": result.num_moves[1],
        "first_forfeits": result.forfeits[0],
        "second_forfeits": result.forfeits[1],
        "mean_length": result.mean_length,
        "stopped": result.games < result.wanted,
        "rows": [dataclasses.asdict(row) for row in result.rows],
    }


def _table(result: MatchResult) -> list[list[str]]:
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
        ["time a move", *("" if spent is None else f"{1000 * spent:,.2f} ms" for spent in result.seconds_per_move)],
        ["moves", *(str(number) for number in result.num_moves)],
        ["mean length", f"{result.mean_length:.1f}", ""],
    ]
    if any(result.forfeits):
        rows.append(["forfeits", *(str(number) for number in result.forfeits)])
        rows.append(["  such as", next(row.reason for row in result.rows if row.forfeit), ""])
    return rows
