"""`boyi bench NAME`: measure speed and accuracy on this computer."""

import inspect
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from boyi.cli.output import announce_compilation, notes, print_json, print_table

if TYPE_CHECKING:
    from boyi.bench import Result


def bench(
    name: str,
    *,
    seconds: float | None = None,
    game: str | None = None,
    player: str | None = None,
    stones: int | None = None,
    positions: str | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Measure speed and accuracy on this computer.

    Parameters
    ----------
    name
        What to measure: all (every ratio that the documentation claims), playouts (random games a second), search
        (simulations a second), ffo (exact Othello endgames), precision (nets in 8 bits beside float32), quick
        (evaluations and nodes of quick nets), regret (winning chance that a player of EinStein gives away per move),
        selfplay (training games), serve (the app under load, on all cores), threats (puzzles of Gomoku and Connect6),
        vision (boards read off pictures).
    seconds
        How long each program is measured. Default: 2. threats: thinking time of the player a move, 0.5 by default.
    game
        regret: the game, einstein. threats: one of its games. Default: all.
    player
        regret: the player, by name. Default: mc. threats: a player that has to win the puzzles. Default: the solver.
    stones
        regret: the most stones in a position, 4 or 5. Default: 4.
    positions
        regret: how many positions, 500 by default. ffo: which of its 59 positions, as 40-44.
    json
        Print the results as JSON.
    seed
        Seed of the random games.
    """
    from boyi.bench import benchmark

    measure = benchmark(name)
    if seconds is not None and not seconds > 0:
        raise ValueError(f"--seconds must be above 0, not {seconds}")
    wanted = {"seconds": seconds, "game": game, "player": player, "stones": stones, "positions": positions}
    options: dict[str, Any] = {option: value for option, value in wanted.items() if value is not None}
    for option in options:
        if option not in inspect.signature(measure).parameters:
            raise ValueError(f"the benchmark {name} takes no --{option}")
    announce_compilation()
    results = []
    for result in measure(seed=seed, **options):
        notes.print(f"{result.name}: {_number(result.value)} {result.unit}", style="dim", highlight=False)
        results.append(result)
    if json:
        rows = [{**vars(result), "ratio": result.ratio} for result in results]
        print_json({"results": rows})
    else:
        print_table(
            ["name", "value#", "unit", "peer", "peer's value#", "ratio#"],
            [[r.name, _number(r.value), r.unit, *_peer(r)] for r in results],
        )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _peer(result: "Result") -> list[str]:
    if result.peer is None or result.peer_value is None or result.ratio is None:
        return ["", "", ""]
    return [result.peer, _number(result.peer_value), f"{result.ratio:.2g}"]
