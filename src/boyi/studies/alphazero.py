"""Document 001's AlphaZero for Othello with its own setting, its variants, and Boyi's recipe in the same time.

The document reports that 3,000 games took three days, that nothing was gained after 1,500, and what it tried against
that: two planes instead of four, one layer of 128 filters more, less exploration. A fifth of its rate of learning is
tried beside that. Start at `run_alphazero`.
"""

import functools
from collections.abc import Callable, Mapping
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

STAGES = (1 / 6, 1 / 2, 1.0)
"""Parts of the run after which the net plays: 500, 1,500 and 3,000 of 3,000 games."""
SMALLER_RATE = "smaller rate"
VARIANTS = ("document", "two planes", "one layer more", "less exploration", SMALLER_RATE)
"""The document's runs, in its order, and one that it did not try. It does not say how many planes the third and fourth
had: four, here."""
RECIPE = "recipe"


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

    @property
    def generations(self) -> int:
        return max(len(STAGES), self.games // self.generation)

    def at(self, stage: int) -> int:
        """The generation of a stage."""
        return max(1, round(self.generations * STAGES[stage]))


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
    """Boyi's own configuration for the board, for as long as the document's run took."""
    usual = find_config(f"othello:size={size.board}")
    play = usual.selfplay
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


def comparisons(size: Size) -> list[Comparison]:
    """Who meets whom; a player is a run and the stage of its net."""
    last, games = len(STAGES) - 1, size.match
    return [
        Comparison(_name("document", 1), _name("document", 0), "stronger", "it learns", games),
        Comparison(_name("document", 2), _name("document", 1), "equal", "no gain after half of the games", games),
        Comparison(_name("document", last), "mcts:sims=400", "", "", games),
        Comparison(_name("two planes", last), _name("document", last), "equal", "no difference", games),
        Comparison(_name("one layer more", last), _name("document", last), "equal", "no great effect", games),
        Comparison(_name("one layer more", 2), _name("one layer more", 1), "weaker", "1,500 games still win", games),
        Comparison(_name("less exploration", last), _name("document", last), "equal", "no great change", games),
        Comparison(_name(RECIPE, last), _name("document", last), "", "", games),
        Comparison(_name(RECIPE, last), "mcts:sims=400", "", "", games),
        Comparison(_name(SMALLER_RATE, last), _name("document", last), "", "", games),
        Comparison(_name(SMALLER_RATE, last), "mcts:sims=400", "", "", games),
        Comparison(_name(RECIPE, last), _name(SMALLER_RATE, last), "", "", games),
    ]


def _name(run: str, stage: int) -> str:
    return f"stage:run={run.replace(' ', '-')},at={stage}"


def run_alphazero(
    folder: Path,
    *,
    size: Size | None = None,
    seed: int = 0,
    tell: Callable[[str], None] = lambda text: None,
) -> list[Finding]:
    """Train every run, or go on with it, play the comparisons, and write `report.md` and `loss.svg`."""
    size = size or Size()
    if size.board not in (6, 8):
        raise GameError(f"board={size.board} is not possible; it must be 6 or 8")
    rows: dict[str, list[Row]] = {}
    for variant in VARIANTS:
        rows[variant] = train(config_of(variant, size, seed=seed), folder / variant.replace(" ", "-"), report=Silence())
        tell(f"{variant}: {_loss(rows[variant]):.2f} loss after {rows[variant][-1]['elapsed_s'] / 60:.1f} minutes")
    minutes = rows["document"][-1]["elapsed_s"] / 60
    rows[RECIPE] = train(recipe_of(size, minutes, seed=seed), folder / RECIPE, report=Silence())
    tell(f"{RECIPE}: {rows[RECIPE][-1]['generation']} generations in {minutes:.1f} minutes")
    register("stage", functools.partial(make_stage, stems_of(folder, size, rows), size.sims))
    findings = []
    for number, one in enumerate(comparisons(size), 1):
        plan = make_plan(f"othello:size={size.board}", (one.first, one.second), games=one.games, seed=seed)
        tournament = Tournament(plan, folder=folder / f"match-{number}", workers=0)
        tournament.run()
        findings.append(Finding(one, tournament.match))
        facts = findings[-1].facts()
        tell(f"{facts['first']} - {facts['second']}: {facts['score']:.1%} of {facts['games']} games")
    write_report(folder, size, rows, findings, seed=seed)
    return findings


def _loss(rows: list[Row]) -> float:
    return float(rows[-1]["loss"])


def stems_of(folder: Path, size: Size, rows: Mapping[str, list[Row]]) -> dict[tuple[str, int], Path]:
    """The models of every run and stage, as paths without suffix."""
    found = {}
    for run, of_run in rows.items():
        for stage in range(len(STAGES)):
            generation = of_run[-1]["generation"] if run == RECIPE else size.at(stage)
            name = run.replace(" ", "-")
            found[name, stage] = folder / name / "checkpoints" / f"{generation:06d}" / "model"
    return found


def make_stage(stems: Mapping[tuple[str, int], Path], sims: int, text: str, game: Game, seed: int) -> Player:
    """The net of a run after a stage: `stage:run=document,at=2`."""
    found = dict(part.partition("=")[::2] for part in text.split(","))
    stem = stems[found["run"], int(found["at"])]
    return NetPlayer(game, model=str(stem), sims=sims, seed=seed)


def write_report(
    folder: Path, size: Size, rows: Mapping[str, list[Row]], findings: list[Finding], *, seed: int
) -> None:
    """Losses, time and strength beside the document's."""
    trained = {run: [row for row in of_run if row["generation"]] for run, of_run in rows.items()}
    curves = {run: [(row["generation"] * size.generation, row["loss"]) for row in trained[run]] for run in VARIANTS}
    svg = curves_svg(curves, title="Loss of document 001's runs", x_title="games", y_title="policy and value")
    write_file(folder / "othello-alphazero.svg", svg)
    options = " --quick" if size == QUICK else f" --board {size.board} --games {size.games} --playouts {size.playouts}"
    seconds = sum(of_run[-1]["elapsed_s"] for of_run in rows.values())
    seconds += sum(sum(row.seconds) for finding in findings for row in finding.result.rows)
    hour = 3600 * size.games / max(rows["document"][-1]["elapsed_s"], 1e-9)
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
    stages = ", ".join(f"{size.at(stage) * size.generation:,}" for stage in range(len(STAGES)))
    lines = [
        "# AlphaZero for Othello as in document 001",
        "",
        f"The document's setting on {size.board}x{size.board}: filters 32, 64, 128, {size.playouts} playouts a move,",
        "c_puct 5, Dirichlet 0.3 at the root, temperature 1 throughout, Adam 5e-3. It took three days for 3,000 games",
        "on 8x8 with 400 playouts (42 games an hour), saw no gain after 1,500, tried two planes, one layer of 128",
        "filters more and less exploration (Dirichlet 0.015, c_puct 3) without effect, and blames the speed of its",
        f"program. `{SMALLER_RATE}` is the first run with Adam 1e-3, which the document did not try. `recipe` is",
        "Boyi's usual configuration (Gumbel, few simulations, a residual net, all symmetries) for the same time as the",
        "first run.",
        "",
        made_by(f"boyi study othello-alphazero{options} --seed {seed}", seconds),
        "",
        *table(["run", "games", "minutes", "last loss", "the document's loss"], runs),
        "",
        f"The first run made {hour:,.0f} games an hour. Losses of `recipe` have other parts and cannot be compared.",
        "",
        "![Loss](othello-alphazero.svg)",
        "",
        "## Strength",
        "",
        f"`stage:run=R,at=N` is the net of a run after {stages} games (`at` 0, 1, 2), with {size.sims} simulations a",
        "move; `recipe` is its last net. Scores are the first player's.",
        "",
        *table(["first", "second", "games", "score, 95 %", "the document says", ""], matches),
        "",
    ]
    write_file(folder / "report.md", "\n".join(lines))


def _games(rows: list[Row]) -> int:
    return sum(int(row.get("games", 0)) for row in rows)
