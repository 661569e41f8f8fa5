"""`boyi study NAME`: repeat an experiment of the source documents."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from boyi.cli.output import announce_compilation, notes, print_json, print_table

study = App(
    name="study",
    help_epilogue="Every study takes --seed and --json; `boyi study NAME --help` shows the rest.",
    help_format="plaintext",
    result_action="return_value",
)


def _folder(dir: Path | None, name: str, quick: bool) -> Path:
    return dir.expanduser() if dir else Path("runs") / f"study-{name}{'-quick' if quick else ''}"


def _positive(name: str, value: int) -> int:
    if value < 1:
        raise ValueError(f"--{name} {value} is not possible; it must be 1 or more")
    return value


def _tell(text: str) -> None:
    notes.print(text, style="dim", highlight=False)


def _sentence(facts: dict[str, Any]) -> str:
    return f"{facts['first']} - {facts['second']}: {facts['score']:.1%} of {facts['games']:,} games"


def _print_rows(name: str, folder: Path, rows: list[dict[str, Any]], seed: int, json: bool) -> None:
    """The end of a study: its rows, or the report that it wrote."""
    if json:
        print_json({"study": name, "seed": seed, "rows": rows})
    else:
        print((folder / "report.md").read_text(encoding="utf-8"))


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
        folder = _folder(dir, name, quick)
        announce_compilation()

        def tell(finding: Finding) -> None:
            _tell(_sentence(finding.facts()))

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


@study.command(name="ewn-features")
def ewn_features(
    *,
    dir: Path | None = None,
    steps: int | None = None,
    quick: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Document 000's planes and nets: which of them predict the winner's move, and what its remedies bring.

    Parameters
    ----------
    dir
        Where games, nets and the report are kept; where a part of them is there, the study goes on. Default: in runs/.
    steps
        Steps of each run. Default: 2 million as in the document, which takes days.
    quick
        Few games and steps, to see that it works.
    seed
        Seed of the games and the nets.
    json
        Print the results as JSON.
    """
    from dataclasses import replace

    from boyi.studies.ewn_features import run_features
    from boyi.studies.ewn_nets import QUICK, Size

    size = QUICK if quick else Size()
    size = replace(size, steps=_positive("steps", steps)) if steps is not None else size
    announce_compilation()
    found = run_features(_folder(dir, "ewn-features", quick), size=size, seed=seed, tell=_tell)
    _print_rows("ewn-features", _folder(dir, "ewn-features", quick), [asdict(one) for one in found], seed, json)


@study.command(name="ewn-guided")
def ewn_guided(
    *,
    dir: Path | None = None,
    nets: Path | None = None,
    steps: int | None = None,
    quick: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Document 000's net-guided tree against plain Monte Carlo, its remedies, and the net as prior in MCTS.

    Parameters
    ----------
    dir
        Where games and the report are kept; where a part of them is there, the study goes on. Default: in runs/.
    nets
        The folder of an ewn-features study whose nets are used. Default: train them here.
    steps
        Steps of each net that is trained here. Default: 2 million as in the document, which takes days.
    quick
        Few games and steps, to see that it works.
    seed
        Seed of the games and the nets.
    json
        Print the results as JSON.
    """
    from dataclasses import replace

    from boyi.studies.ewn_guided import run_guided
    from boyi.studies.ewn_nets import QUICK, Size

    size = QUICK if quick else Size()
    size = replace(size, steps=_positive("steps", steps)) if steps is not None else size
    folder = _folder(dir, "ewn-guided", quick)
    announce_compilation()
    found = run_guided(
        folder,
        nets=nets.expanduser() if nets else None,
        quick=quick,
        size=size,
        seed=seed,
        tell=_tell,
        on_finding=lambda finding: _tell(_sentence(finding.facts())),
    )
    _print_rows("ewn-guided", folder, [finding.facts() for finding in found], seed, json)


@study.command(name="connect6-turns")
def connect6_turns(
    *,
    dir: Path | None = None,
    quick: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Document 003's turns of two stones: signs by player, signs by ply, or sampled pairs.

    Parameters
    ----------
    dir
        Where games and the report are kept; where a part of them is there, the study goes on. Default: in runs/.
    quick
        A few games with few simulations on a small board.
    seed
        Seed of the games.
    json
        Print the results as JSON.
    """
    from boyi.studies.turns import run_turns

    folder = _folder(dir, "connect6-turns", quick)
    announce_compilation()
    found = run_turns(folder, quick=quick, seed=seed, on_finding=lambda finding: _tell(_sentence(finding.facts())))
    _print_rows("connect6-turns", folder, [finding.facts() for finding in found], seed, json)


@study.command(name="othello-alphazero")
def othello_alphazero(
    *,
    dir: Path | None = None,
    board: int | None = None,
    games: int | None = None,
    playouts: int | None = None,
    quick: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Document 001's AlphaZero for Othello: its setting, its variants, and Boyi's recipe in the same time.

    Parameters
    ----------
    dir
        Where the runs, games and the report are kept; where a part of them is there, the study goes on. Default: in
        runs/.
    board
        The board's size, 6 or 8. Default: 8.
    games
        Self-play games of each run. Default: 3,000.
    playouts
        Playouts a move. Default: 400.
    quick
        A few games with few playouts on a small board.
    seed
        Seed of the runs and games.
    json
        Print the results as JSON.
    """
    from dataclasses import replace

    from boyi.studies.alphazero import QUICK, Size, run_alphazero

    size = QUICK if quick else Size()
    for name, value in (("board", board), ("games", games), ("playouts", playouts)):
        if value is not None:
            size = replace(size, **{name: _positive(name, value)})
    folder = _folder(dir, "othello-alphazero", quick)
    announce_compilation()
    found = run_alphazero(folder, size=size, seed=seed, tell=_tell)
    _print_rows("othello-alphazero", folder, [finding.facts() for finding in found], seed, json)


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
