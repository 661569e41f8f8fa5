"""`boyi study NAME`: repeat an experiment of the source documents."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from boyi.cli.output import announce_compilation, notes, print_json, print_table

study = App(
    name="study",
    help_epilogue="Every study takes --seed and --json; `boyi study NAME --help` shows the rest.",
    help_format="plaintext",
    result_action="return_value",
)


def _match_study(name: str) -> None:
    """Add the command of a study that is a list of matches."""
    from boyi.studies.matches import STUDIES, Finding, run_study

    found = STUDIES[name]

    def command(
        *,
        dir: Path | None = None,
        quick: Annotated[bool, Parameter(negative="")] = False,
        workers: int = 1,
        seed: int = 0,
        json: Annotated[bool, Parameter(negative="")] = False,
    ) -> None:
        folder = dir.expanduser() if dir else Path("runs") / f"study-{name}{'-quick' if quick else ''}"
        announce_compilation()

        def tell(finding: Finding) -> None:
            facts = finding.facts()
            notes.print(
                f"{facts['first']} - {facts['second']}: {facts['score']:.1%} of {facts['games']:,} games",
                style="dim",
                highlight=False,
            )

        findings = run_study(found, folder, quick=quick, seed=seed, workers=workers, on_finding=tell)
        if json:
            print_json({"study": name, "quick": quick, "seed": seed, "rows": [finding.facts() for finding in findings]})
        else:
            print((folder / "report.md").read_text(encoding="utf-8"))

    command.__doc__ = f"""{found.title}.

    Parameters
    ----------
    dir
        Where the games and the report are kept; where a part of them is there, the study goes on. Default: in runs/.
    quick
        A hundredth of the games.
    workers
        How many processes play.
    seed
        Seed of the games.
    json
        Print the results as JSON.
    """
    study.command(command, name=name)


for _name in ("ewn-simulation", "ewn-patterns", "ewn-edges", "gomoku-weakest"):
    _match_study(_name)


@study.command(name="tictactoe-gate")
def tictactoe_gate(
    *,
    dir: Path | None = None,
    generations: int | None = None,
    quick: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Latest net or best net in self-play, on tic-tac-toe: which plays perfectly first?

    Parameters
    ----------
    dir
        Where both runs and the report are kept; where a part of them is there, the study goes on. Default: in runs/.
    generations
        How long both are trained. Default: 40.
    quick
        Three generations.
    seed
        Seed of both runs.
    json
        Print the results as JSON.
    """
    from boyi.studies.gate import GENERATIONS, compare_gates

    folder = dir.expanduser() if dir else Path("runs") / f"study-tictactoe-gate{'-quick' if quick else ''}"
    announce_compilation()
    found = compare_gates(
        folder,
        generations=generations or (3 if quick else GENERATIONS),
        seed=seed,
        on_moment=lambda m: notes.print(f"{m.kind}, generation {m.generation}: {m.lost} lines lost", style="dim"),
    )
    if json:
        print_json({"study": "tictactoe-gate", "seed": seed, "rows": [asdict(moment) for moment in found]})
    else:
        print((folder / "report.md").read_text(encoding="utf-8"))


@study.command
def patterns(
    *,
    games: int = 1_000_000,
    generations: int = 4,
    out: Path | None = None,
    seed: int = 0,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Learn the win rates of small boxes of an EinStein board from self-play, for the player `patterns`.

    Parameters
    ----------
    games
        Games of each generation.
    generations
        The first plays at random, every later one by what was learnt before.
    out
        Write the table to this file, for `patterns:table=FILE`.
    seed
        Seed of the random numbers; the same seed learns the same table.
    json
        Print the result as JSON.
    """
    from boyi.studies.patterns import check_target, learn_patterns, write_table

    target = out.expanduser() if out else None
    if target:
        check_target(target)
    announce_compilation()
    table, found = learn_patterns(
        games=games,
        generations=generations,
        seed=seed,
        on_generation=lambda g: notes.print(f"generation {g.number}: {g.codes:,} patterns", style="dim"),
    )
    size = write_table(target, table) if target else None
    if json:
        rows = [asdict(generation) for generation in found]
        print_json({**rows[-1], "seed": seed, "file": str(target) if target else None, "bytes": size, "rows": rows})
    else:
        print_table(
            ["generation#", "games#", "patterns#", "beats random#", "beats rules of thumb#"],
            [
                [f"{g.number}", f"{g.games:,}", f"{g.codes:,}", f"{g.beats_random:.1%}", f"{g.beats_scored:.1%}"]
                for g in found
            ],
        )
        if target:
            notes.print(f"{target}: {size:,} bytes", highlight=False)
