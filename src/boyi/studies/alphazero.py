"""Document 001's AlphaZero for Othello with its own setting, its variants, and Boyi's recipe in the same time.

The document reports that 3,000 games took three days, that nothing was gained after 1,500, and what it tried against
that: two planes instead of four, one layer of 128 filters more, less exploration. A fifth of its rate of learning is
tried beside that. The runs can be chosen; comparisons are played between those that are there. Start at
`run_alphazero`.
"""

import functools
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from boyi.arena import Tournament, make_plan
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.nets.config import NetConfig
from boyi.players.net import NetPlayer
from boyi.players.player import Player
from boyi.players.registry import register
from boyi.studies.chart import curves_svg
from boyi.studies.facts import made_by, table
from boyi.studies.matches import Comparison, Finding
from boyi.train.config import LearnConfig, MeasureConfig, ReplayConfig, SelfPlayConfig, TrainConfig, find_config
from boyi.train.files import write_file
from boyi.train.loop import train
from boyi.train.report import Silence
from boyi.train.run import Row

STAGES = (500, 1500, 3000)
"""Games after which the net plays; in a shorter run the last stage is its end."""
SMALLER_RATE = "smaller rate"
VARIANTS = ("document", "two planes", "one layer more", "less exploration", SMALLER_RATE)
"""The document's runs, in its order, and one that it did not try. It does not say how many planes the third and fourth
had: four, here."""
RECIPE = "recipe"
RUNS = (*VARIANTS, RECIPE)
LAST = -1
"""The stage at the end of a run, whenever that is."""


@dataclass(frozen=True)
class Size:
    """How much is done."""

    board: int = 8
    games: int = 3000
    playouts: int = 400
    generation: int = 50
    """Games between two rounds of learning."""
    match: int = 100
    """Games of each comparison."""
    sims: int = 100
    """Simulations a move in the comparisons."""
    precision: str = "float32"
    """In which the nets play their own games: float32 or int8."""

    @property
    def generations(self) -> int:
        return max(1, self.games // self.generation)

    @property
    def stages(self) -> list[int]:
        """The games of each stage that a run reaches; of a short run, its parts in the same proportion."""
        if self.games <= STAGES[0]:
            return [max(1, round(self.generations * games / STAGES[-1])) * self.generation for games in STAGES]
        return [*(games for games in STAGES if games < self.games), self.generations * self.generation]


QUICK = Size(board=6, games=6, playouts=6, generation=2, match=2, sims=8)


def config_of(variant: str, size: Size, *, seed: int) -> TrainConfig:
    """The document's setting, or a variant of it. Decided here, because the document is silent: the newest 10,000
    positions are learnt from, each eight times, once for every symmetry."""
    less = variant == "less exploration"
    return TrainConfig(
        game=f"othello:size={size.board}",
        generations=size.generations,
        workers=1,
        seed=seed,
        keep_every=1,
        net=NetConfig(
            kind="paper001",
            observer="two" if variant == "two planes" else "four",
            more_layers=int(variant == "one layer more"),
        ),
        selfplay=SelfPlayConfig(
            games=size.generation,
            shards=1,
            parallel=min(size.generation, 64),
            search="puct",
            simulations=size.playouts,
            exploration=3.0 if less else 5.0,
            noise_alpha=0.015 if less else 0.3,
            temperature=1.0,
            temperature_plies=size.board**2,
            opening=0,
            precision=size.precision,
        ),
        replay=ReplayConfig(window=10_000, exponent=0.0, reuse=8.0),
        learn=LearnConfig(
            batch=512,
            rate=1e-3 if variant == SMALLER_RATE else 5e-3,
            warmup=0,
            final_share=0.0,
            decay=1e-4,
            average=0.0,
            search_share=0.0,
            threads=1,
        ),
        measure=MeasureConfig(every=0),
    )


def recipe_of(size: Size, minutes: float, *, seed: int) -> TrainConfig:
    """Boyi's own configuration for the board, for as long as the document's run took. On 8x8 it usually learns from a
    teacher; here it has to find everything by itself, as the document's net has."""
    usual = find_config(f"othello:size={size.board}")
    play = replace(usual.selfplay, teacher="", precision=size.precision)
    if size.games < 100:
        play = replace(play, games=8, shards=1, parallel=8, simulations=8)
    return replace(
        usual,
        generations=10_000,
        minutes=max(minutes, 0.01),
        workers=1,
        seed=seed,
        selfplay=play,
        learn=replace(usual.learn, threads=1),
        measure=replace(usual.measure, every=0),
    )


def comparisons(size: Size, runs: Sequence[str] = RUNS) -> list[Comparison]:
    """Who meets whom among the runs that are there; a player is a run and the games after which its net was taken. What
    the document says of 1,500 and 3,000 games is compared with runs of as many games only."""
    first, *middle, last = size.stages
    whole = size.stages == list(STAGES)
    no_gain = ("equal", "no gain after half of the games") if whole else ("", "")
    worse = ("weaker", "1,500 games still win") if whole else ("", "")
    half = middle[0] if middle else last
    pairs = [
        (("document", half), ("document", first), "stronger", "it learns"),
        (("document", last), ("document", half), *no_gain),
        (("document", last), None, "", ""),
        (("two planes", last), ("document", last), "equal", "no difference"),
        (("one layer more", last), ("document", last), "equal", "no great effect"),
        (("one layer more", last), ("one layer more", half), *worse),
        (("less exploration", last), ("document", last), "equal", "no great change"),
        ((RECIPE, LAST), ("document", last), "", ""),
        ((RECIPE, LAST), None, "", ""),
        ((SMALLER_RATE, last), ("document", last), "", ""),
        ((SMALLER_RATE, last), None, "", ""),
        ((RECIPE, LAST), (SMALLER_RATE, last), "", ""),
    ]
    return [
        Comparison(_name(*one), _name(*other) if other else "mcts:sims=400", claim, published, size.match)
        for one, other, claim, published in pairs
        if one[0] in runs and (other is None or other[0] in runs) and one != other
    ]


def _name(run: str, games: int) -> str:
    return f"stage:run={_dashed(run)}" + ("" if games == LAST else f",games={games}")


def _dashed(run: str) -> str:
    return run.replace(" ", "-")


def named_runs(text: str) -> list[str]:
    """The runs that a list such as `document,smaller-rate` names, in the order of `RUNS`."""
    known = {_dashed(run): run for run in RUNS}
    wanted = [name.strip() for name in text.split(",")]
    for name in wanted:
        if name not in known:
            raise GameError(f"{name!r} is no run; the runs are {', '.join(known)}")
    if _dashed(RECIPE) in wanted and "document" not in wanted:
        raise GameError("the recipe has the time of the document's run: choose document too")
    return [run for name, run in known.items() if name in wanted]


def run_alphazero(
    folder: Path,
    *,
    size: Size | None = None,
    runs: Sequence[str] = RUNS,
    seed: int = 0,
    tell: Callable[[str], None] = lambda text: None,
) -> list[Finding]:
    """Train the runs, or go on with them, play the comparisons, and write `report.md` and `othello-alphazero.svg`."""
    size = size or Size()
    if size.board not in (6, 8):
        raise GameError(f"board={size.board} is not possible; it must be 6 or 8")
    rows: dict[str, list[Row]] = {}
    for run in runs:
        if run == RECIPE:
            config = recipe_of(size, rows["document"][-1]["elapsed_s"] / 60, seed=seed)
        else:
            config = config_of(run, size, seed=seed)
        of_run = train(config, folder_of(folder, size, run), report=Silence(), clock=time.process_time)
        rows[run] = [row for row in of_run if run == RECIPE or row["generation"] <= size.generations]
        minutes = rows[run][-1]["elapsed_s"] / 60
        tell(f"{run}: {_games(rows[run]):,} games, loss {_loss(rows[run]):.2f} after {minutes:.1f} minutes")
    register("stage", functools.partial(make_stage, folder, size, rows))
    findings = []
    for one in comparisons(size, runs):
        plan = make_plan(f"othello:size={size.board}", (one.first, one.second), games=one.games, seed=seed)
        pair = "-".join(re.sub(r"[^a-z0-9]+", "-", name) for name in (one.first, one.second))
        tournament = Tournament(plan, folder=folder / f"match-{pair}-of-{size.games}", workers=0)
        tournament.run()
        findings.append(Finding(one, tournament.match))
        facts = findings[-1].facts()
        tell(f"{facts['first']} - {facts['second']}: {facts['score']:.1%} of {facts['games']} games")
    write_report(folder, size, rows, findings, seed=seed)
    return findings


def folder_of(folder: Path, size: Size, run: str) -> Path:
    """Where a run lies. A variant can go on to more games; the recipe ends with its minutes and so with its size."""
    return folder / (f"{RECIPE}-{size.games}" if run == RECIPE else _dashed(run))


def _loss(rows: list[Row]) -> float:
    return float(rows[-1]["loss"])


def make_stage(folder: Path, size: Size, rows: Mapping[str, list[Row]], text: str, game: Game, seed: int) -> Player:
    """The net of a run after some games: `stage:run=document,games=1500`; without games, its last."""
    found = dict(part.partition("=")[::2] for part in text.split(","))
    run = next(run for run in rows if _dashed(run) == found["run"])
    generation = int(found["games"]) // size.generation if "games" in found else rows[run][-1]["generation"]
    stem = folder_of(folder, size, run) / "checkpoints" / f"{generation:06d}" / "model"
    return NetPlayer(game, model=str(stem), sims=size.sims, seed=seed)


def write_report(
    folder: Path, size: Size, rows: Mapping[str, list[Row]], findings: list[Finding], *, seed: int
) -> None:
    """Losses, time and strength beside the document's."""
    trained = {run: [row for row in of_run if row["generation"]] for run, of_run in rows.items()}
    curves = {
        run: [(row["generation"] * size.generation, row["loss"]) for row in of_run]
        for run, of_run in trained.items()
        if run != RECIPE
    }
    svg = curves_svg(curves, title="Loss of document 001's runs", x_title="games", y_title="policy and value")
    write_file(folder / "othello-alphazero.svg", svg)
    quick = replace(size, precision=QUICK.precision) == QUICK
    options = " --quick" if quick else f" --board {size.board} --games {size.games} --playouts {size.playouts}"
    options += f" --runs {','.join(map(_dashed, rows))}" if len(rows) < len(RUNS) else ""
    options += f" --precision {size.precision}" if size.precision != Size.precision else ""
    left_out = [run for run in RUNS if run not in rows]
    seconds = sum(of_run[-1]["elapsed_s"] for of_run in rows.values())
    seconds += sum(sum(row.seconds) for finding in findings for row in finding.result.rows)
    first = next(iter(rows))
    hour = 3600 * _games(rows[first]) / max(rows[first][-1]["elapsed_s"], 1e-9)
    published = {
        "document": "about 2 (four planes)",
        "two planes": "about 2.8",
        "one layer more": "",
        "less exploration": "higher",
        SMALLER_RATE: "",
        RECIPE: "",
    }
    runs = [
        [run, f"{_games(of_run):,}", f"{of_run[-1]['elapsed_s'] / 60:.1f}", f"{_loss(of_run):.2f}", published[run]]
        for run, of_run in rows.items()
    ]
    matches = []
    for finding in findings:
        facts = finding.facts()
        score = f"{facts['score']:.1%} ({facts['low']:.1%} .. {facts['high']:.1%})"
        names = [f"`{facts[side]}`" for side in ("first", "second")]
        matches.append([*names, str(facts["games"]), score, facts["published"], facts["verdict"]])
    lines = [
        "# AlphaZero for Othello as in document 001",
        "",
        f"The document's setting on {size.board}x{size.board}: filters 32, 64, 128, {size.playouts} playouts a move,",
        "c_puct 5, Dirichlet 0.3 at the root, temperature 1 throughout, Adam 5e-3. It took three days for 3,000 games",
        "on 8x8 with 400 playouts (42 games an hour), saw no gain after 1,500, tried two planes, one layer of 128",
        "filters more and less exploration (Dirichlet 0.015, c_puct 3) without effect, and blames the speed of its",
        f"program. `{SMALLER_RATE}` is its setting with Adam 1e-3, which the document did not try. `recipe` is Boyi's",
        "usual configuration (Gumbel, few simulations, a residual net, all symmetries, no teacher) for the time of",
        f"`document`. The nets play their own games in {size.precision}, and learn and are compared in float32.",
        *([f"Left out: {', '.join(left_out)}."] if left_out else []),
        "",
        made_by(f"boyi study othello-alphazero{options} --seed {seed}", seconds),
        "",
        *table(["run", "games", "processor minutes", "last loss", "the document's loss"], runs),
        "",
        f"`{first}` made {hour:,.0f} games an hour. Losses of `recipe` have other parts and cannot be compared.",
        "",
        "![Loss](othello-alphazero.svg)",
        "",
        "## Strength",
        "",
        f"`stage:run=R,games=N` is the net of a run after so many games, without them its last one, with {size.sims}",
        "simulations a move. Scores are the first player's.",
        "",
        *table(["first", "second", "games", "score, 95 %", "the document says", ""], matches),
        "",
    ]
    write_file(folder / "report.md", "\n".join(lines))


def _games(rows: list[Row]) -> int:
    return sum(int(row.get("games", 0)) for row in rows)
