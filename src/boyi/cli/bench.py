"""`boyi bench NAME`: measure speed on this computer."""

from typing import Annotated

from cyclopts import Parameter

from boyi.cli.output import announce_compilation, notes, print_json, print_table


def bench(
    name: str,
    *,
    seconds: float = 2.0,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Measure speed on one core, beside a peer program from the same run where there is one.

    Parameters
    ----------
    name
        What to measure: playouts (random games a second), search (simulations a second), selfplay (training
        games, beside the net alone, one worker, and document 001).
    seconds
        How long each program is measured.
    json
        Print the results as JSON.
    seed
        Seed of the random numbers.
    """
    from boyi.bench import BENCHMARKS

    if name not in BENCHMARKS:
        raise ValueError(f"unknown benchmark {name!r}; known are {', '.join(BENCHMARKS)}")
    if not seconds > 0:
        raise ValueError(f"--seconds must be above 0, not {seconds}")
    announce_compilation()
    results = []
    for result in BENCHMARKS[name](seconds=seconds, seed=seed):
        notes.print(f"{result.name}: {result.value:,.0f} {result.unit}", style="dim", highlight=False)
        results.append(result)
    if json:
        rows = [{**vars(result), "ratio": result.ratio} for result in results]
        print_json({"results": rows})
    else:
        print_table(
            ["name", "value#", "unit", "peer", "peer's value#", "ratio#"],
            [
                [r.name, f"{r.value:,.0f}", r.unit]
                + ([r.peer, f"{r.peer_value:,.0f}", f"{r.ratio:.1f}"] if r.peer and r.ratio else ["", "", ""])
                for r in results
            ],
        )
