"""`boyi study NAME`: repeat an experiment of the source documents."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from boyi.cli.output import announce_compilation, notes, print_json, print_table

study = App(
    name="study",
    help_epilogue="Every study takes --seed and --json; `boyi study NAME --help` shows the rest.",
    help_format="plaintext",
    result_action="return_value",
)


@Parameter(name="*")
@dataclass(frozen=True)
class Study:
    """What is asked of every study."""

    dir: Path | None = None
    """Where games, nets and the report are kept; where some are there, the study goes on. Default: in runs/."""
    quick: Annotated[bool, Parameter(negative="")] = False
    """A small version of it, to see that it works."""
    seed: int = 0
    """Seed of its games and nets."""
    json: Annotated[bool, Parameter(negative="")] = False
    """Print the results as JSON instead of the report."""

    def begin(self, name: str) -> Path:
        """The folder of a study."""
        announce_compilation()
        return self.dir.expanduser() if self.dir else Path("runs") / f"study-{name}{'-quick' if self.quick else ''}"

    def finish(self, name: str, folder: Path, rows: list[dict[str, Any]]) -> None:
        """Print the rows, or the report that the study wrote."""
        if self.json:
            print_json({"study": name, "quick": self.quick, "seed": self.seed, "rows": rows})
        else:
            print((folder / "report.md").read_text(encoding="utf-8"))


USUAL = Study()


def _positive(name: str, value: int) -> int:
    if value < 1:
        raise ValueError(f"--{name} {value} is not possible; it must be 1 or more")
    return value


def _tell(text: str) -> None:
    notes.print(text, style="dim", highlight=False)


def _tell_match(finding: Any) -> None:
    facts = finding.facts()
    _tell(f"{facts['first']} - {facts['second']}: {facts['score']:.1%} of {facts['games']:,} games")


def _match_study(name: str) -> None:
    """Add the command of a study that is a list of matches."""
    from boyi.studies.matches import STUDIES, run_study

    found = STUDIES[name]

    def command(*, workers: int = 1, asked: Study = USUAL) -> None:
        folder = asked.begin(name)
        rows = run_study(found, folder, quick=asked.quick, seed=asked.seed, workers=workers, on_finding=_tell_match)
        asked.finish(name, folder, [finding.facts() for finding in rows])

    command.__doc__ = f"""{found.title}. Its quick version has a hundredth of the games.

    Parameters
    ----------
    workers
        How many processes play.
    """
    study.command(command, name=name)


for _name in ("ewn-simulation", "ewn-patterns", "ewn-edges", "gomoku-weakest"):
    _match_study(_name)


@study.command(name="tictactoe-gate")
def tictactoe_gate(*, generations: int | None = None, asked: Study = USUAL) -> None:
    """Latest net or best net in self-play, on tic-tac-toe: which plays perfectly first?

    Parameters
    ----------
    generations
        How long both are trained. Default: 40, or 3 in the quick version.
    """
    from boyi.studies.gate import GENERATIONS, compare_gates

    folder = asked.begin("tictactoe-gate")
    found = compare_gates(
        folder,
        generations=generations or (3 if asked.quick else GENERATIONS),
        seed=asked.seed,
        on_moment=lambda m: _tell(f"{m.kind}, generation {m.generation}: {m.lost} lines lost"),
    )
    asked.finish("tictactoe-gate", folder, [asdict(moment) for moment in found])


@study.command(name="ewn-features")
def ewn_features(*, steps: int | None = None, asked: Study = USUAL) -> None:
    """Document 000's planes and nets: which of them predict the winner's move, and what its remedies bring.

    Parameters
    ----------
    steps
        Steps of each run. Default: 2 million as in the document, which takes days.
    """
    from boyi.studies.ewn_features import run_features

    size, folder = _size_of_nets(asked, steps), asked.begin("ewn-features")
    found = run_features(folder, size=size, seed=asked.seed, tell=_tell)
    asked.finish("ewn-features", folder, [asdict(one) for one in found])


def _size_of_nets(asked: Study, steps: int | None) -> Any:
    from boyi.studies.ewn_nets import QUICK, Size

    size = QUICK if asked.quick else Size()
    return size if steps is None else replace(size, steps=_positive("steps", steps))


@study.command(name="ewn-guided")
def ewn_guided(*, nets: Path | None = None, steps: int | None = None, asked: Study = USUAL) -> None:
    """Document 000's net-guided tree against plain Monte Carlo, its remedies, and the net as prior in MCTS.

    Parameters
    ----------
    nets
        The folder of an ewn-features study whose nets are used. Default: train them here.
    steps
        Steps of each net that is trained here. Default: 2 million as in the document, which takes days.
    """
    from boyi.studies.ewn_guided import run_guided

    size, folder = _size_of_nets(asked, steps), asked.begin("ewn-guided")
    found = run_guided(
        folder,
        nets=nets.expanduser() if nets else None,
        quick=asked.quick,
        size=size,
        seed=asked.seed,
        tell=_tell,
        on_finding=_tell_match,
    )
    asked.finish("ewn-guided", folder, [finding.facts() for finding in found])


@study.command(name="connect6-turns")
def connect6_turns(*, asked: Study = USUAL) -> None:
    """Document 003's turns of two stones: signs by player, signs by ply, or sampled pairs."""
    from boyi.studies.turns import run_turns

    folder = asked.begin("connect6-turns")
    found = run_turns(folder, quick=asked.quick, seed=asked.seed, on_finding=_tell_match)
    asked.finish("connect6-turns", folder, [finding.facts() for finding in found])


@study.command(name="othello-alphazero")
def othello_alphazero(
    *,
    board: int | None = None,
    games: int | None = None,
    playouts: int | None = None,
    runs: str | None = None,
    precision: Literal["float32", "int8"] = "float32",
    asked: Study = USUAL,
) -> None:
    """Document 001's AlphaZero for Othello: its setting, its variants, and Boyi's recipe in the same time.

    Parameters
    ----------
    board
        The board's size, 6 or 8. Default: 8.
    games
        Self-play games of each run. Default: 3,000.
    playouts
        Playouts a move. Default: 400.
    runs
        Which of document, two-planes, one-layer-more, less-exploration, smaller-rate, recipe. Default: all.
    precision
        In which the nets play their own games; int8 is about three times as fast.
    """
    from boyi.studies.alphazero import QUICK, RUNS, Size, named_runs, run_alphazero

    wanted = named_runs(runs) if runs else list(RUNS)
    usual = replace(QUICK if asked.quick else Size(), precision=precision)
    asked_for = {"board": board, "games": games, "playouts": playouts}
    given = {name: _positive(name, value) for name, value in asked_for.items() if value is not None}
    size = Size(**{**asdict(usual), **given})
    folder = asked.begin("othello-alphazero")
    found = run_alphazero(folder, size=size, runs=wanted, seed=asked.seed, tell=_tell)
    asked.finish("othello-alphazero", folder, [finding.facts() for finding in found])


@study.command
def distillation(*, minutes: float | None = None, asked: Study = USUAL) -> None:
    """Quick and deep nets as teachers of each other: does it beat teaching oneself for as long?

    Parameters
    ----------
    minutes
        Minutes of processor time for each of a board's four nets. Default: 5.
    """
    from boyi.studies.distillation import QUICK, Size, run_distillation

    size = QUICK if asked.quick else Size()
    if minutes is not None:
        if not minutes > 0:
            raise ValueError(f"--minutes {minutes:g} is not possible; it must be above 0")
        size = replace(size, minutes=minutes)
    folder = asked.begin("distillation")
    found = run_distillation(folder, size=size, seed=asked.seed, tell=_tell)
    asked.finish("distillation", folder, [finding.facts() for finding in found])


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
