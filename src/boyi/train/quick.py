"""Training a quick net, from top to bottom: play and learn, measure, checkpoint, and again. Start at `train_quick`.

The run directory is that of every run (`boyi.train.run`); the samples of the newest generations are in `games/`, as far
as later generations learn from them. Time is processor time, whatever else the computer does: that of the one process,
or with several workers what each of them plays and the learner learns.
"""

import contextlib
import dataclasses
import time
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boyi.arena import play_named_match
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.randomness import generator
from boyi.games.registry import game as find_game
from boyi.quick.crew import Crew
from boyi.quick.learner import Learner, Plan, Stopwatch
from boyi.quick.library import kind_of, learner
from boyi.quick.store import pack, save, unpack
from boyi.train.config import BadConfig, read_value, toml_text
from boyi.train.files import write_file
from boyi.train.measure import measured, next_anchor, plateau
from boyi.train.report import Report, Silence
from boyi.train.run import BadRun, Row, Run
from boyi.train.workers import Pool, make_pool

METHOD = "quick"
ANCHORS = ("random", "mcts:sims=100", "mcts:sims=1000", "mcts:sims=10000")


@dataclass(frozen=True)
class QuickConfig:
    """A training run of a quick net."""

    game: str
    """The game, with its parameters if wanted: othello:size=6."""
    method: str = METHOD
    """quick; runs of deep nets have no such entry."""
    minutes: float = 0.0
    """Minutes of processor time; 0 for what is usual for the game."""
    generations: int = 100_000
    """Stop after so many, whatever the time."""
    workers: int = 1
    """Processes that play; a single one is the learner itself."""
    seed: int = 0
    """Same seed and workers, same games; how many of them fit into the time depends on the computer."""
    keep_every: int = 10
    """Of old checkpoints every so many-th is kept, besides the newest three."""
    licence: str = "MIT"
    """What the net's card says."""
    measure_every: int = 0
    """Generations between measurements; 0 for only one, at the end of the run."""
    measure_games: int = 20
    """Games of a measurement; 0 for none."""
    measure_nodes: int = 1000
    """Nodes a move of the net in a measurement."""
    anchors: tuple[str, ...] = ANCHORS
    """Fixed opponents, weakest first; one that is beaten by 90 % makes way for the next."""

    def __post_init__(self) -> None:
        if self.method != METHOD:
            raise BadConfig(f"method={self.method!r} is not possible here; allowed: {METHOD}")
        if not 0 <= self.minutes < float("inf"):
            raise BadConfig(f"minutes={self.minutes!r} is not possible; it must be 0 or more")
        for name in ("generations", "workers", "keep_every", "measure_nodes", "measure_every", "measure_games"):
            least = 0 if name in ("measure_every", "measure_games") else 1
            if getattr(self, name) < least:
                raise BadConfig(f"{name}={getattr(self, name)!r} is not possible; it must be {least} or more")
        kind_of(self.found_game)

    @property
    def found_game(self) -> Game:
        return find_game(self.game)

    @property
    def plan(self) -> Plan:
        return Plan(self.minutes or kind_of(self.found_game).minutes, self.seed)


def quick_config(game: str | None, file: Path | None, changes: Iterable[str]) -> QuickConfig:
    """The options of a run: of a TOML file or the usual ones, with changes such as `minutes=5` applied."""
    tree: dict[str, Any] = {}
    if file is not None:
        try:
            tree = tomllib.loads(file.read_text(encoding="utf-8"))
        except OSError:
            raise BadConfig(f"no configuration {str(file)!r}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadConfig(f"{str(file)!r} is no TOML file: {error}") from None
        if game is not None and find_game(str(tree.get("game"))) != find_game(game):
            raise BadConfig(f"{file} is for {tree.get('game')}, not for {game}")
    elif game is None:
        raise BadConfig("name a game to train, such as othello, or a file with --config")
    else:
        tree["game"] = game
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals:
            raise BadConfig(f"{change!r} is no change; write name=value, such as minutes=5")
        try:
            tree[name.strip()] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            tree[name.strip()] = text
    return _from_tree(tree)


def _from_tree(tree: Mapping[str, Any]) -> QuickConfig:
    known = {field.name: field.type for field in dataclasses.fields(QuickConfig)}
    for name in tree:
        if name not in known:
            raise BadConfig(f"unknown option {name!r}; known are {', '.join(known)}")
    if "game" not in tree:
        raise BadConfig("the configuration names no game; add a line such as game = 'othello'")
    return QuickConfig(**{name: read_value(known[name], value, name) for name, value in tree.items()})


def write_quick_toml(config: QuickConfig) -> str:
    """A configuration as TOML, every option written out."""
    return "".join(f"{name} = {toml_text(value)}\n" for name, value in vars(config).items())


def is_quick(folder: Path) -> bool:
    """Whether a directory holds a run of a quick net."""
    try:
        return bool(tomllib.loads((folder / "config.toml").read_text(encoding="utf-8")).get("method") == METHOD)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return False


@dataclass
class Stages:
    """What the stages of a run share."""

    config: QuickConfig
    run: Run
    net: Learner
    report: Report
    crew: Crew | None
    measuring: int = 1
    """Processes that play matches."""


def train_quick(
    config: QuickConfig,
    folder: Path,
    *,
    report: Report | None = None,
    pool: Pool | None = None,
    cluster: str | None = None,
    stop_after: int | None = None,
) -> list[Row]:
    """Train in a run directory until its minutes or generations are over, or `stop_after` more generations; returns the
    metrics of all generations.

    A directory that holds a run already is continued. Killing it loses at most the generation in progress. `cluster` is
    the address of a Ray cluster whose computers play.
    """
    report = report or Silence()
    with Run(folder, on_note=report.note) as run, contextlib.ExitStack() as ending:
        newest = run.recover()
        if newest is not None and quick_config(None, run.config_file, ()).found_game != config.found_game:
            raise BadRun("a run goes on with its own game; start another one for another")
        write_file(run.config_file, write_quick_toml(config))
        if pool is None and (config.workers > 1 or cluster is not None):
            pool = make_pool(config.workers, cluster=cluster, on_death=report.note)
            ending.callback(pool.close)
        crew = Crew(config.game, pool) if pool else None
        net = learner(config.found_game, dataclasses.replace(config.plan, crew=crew))
        stages = Stages(config, run, net, report, crew, measuring=1 if cluster else config.workers)
        if newest is None:
            _checkpoint(stages, {"generation": 0, "plays": 0, "elapsed_s": 0.0, "rows_total": 0})
            newest = 0
        elif newest > 0:
            _restore(run, net, newest)
        total_s = 60 * config.plan.minutes
        while run.rows[-1]["elapsed_s"] < total_s and run.rows[-1]["generation"] < config.generations:
            if stop_after is not None and run.rows[-1]["generation"] >= newest + stop_after:
                break
            _one_generation(stages)
        return run.rows


def _one_generation(stages: Stages) -> None:
    config, run, net = stages.config, stages.run, stages.net
    before = run.rows[-1]
    number = before["generation"] + 1
    watch, began = Stopwatch(stages.crew), time.monotonic()
    found = net.generation(number, before["elapsed_s"], stages.report.stage)
    row: Row = {
        "generation": number,
        "plays": number,
        "elapsed_s": before["elapsed_s"] + watch.seconds,
        "wall_s": time.monotonic() - began,
        "rows_total": before["rows_total"] + found["rows"],
        **found,
    }
    if samples := net.samples():
        write_file(_samples_file(run, number), pack(samples))
    for file in run.games.glob("*.safetensors"):
        if file.stem.isdecimal() and int(file.stem) <= number - net.remembers:
            file.unlink()
    last = row["elapsed_s"] >= 60 * config.plan.minutes or number == config.generations
    due = last or (config.measure_every and number % config.measure_every == 0)
    _checkpoint(stages, row, measure=bool(due and config.measure_games))
    if notice := plateau(run.rows):
        stages.report.note(notice)


def _checkpoint(stages: Stages, row: Row, *, measure: bool = False) -> None:
    """Write a generation's net, learner and metrics; it counts from then on."""
    config, run, net = stages.config, stages.run, stages.net
    game = config.found_game
    training = {
        "method": METHOD,
        "generations": row["generation"],
        "rows": row["rows_total"],
        "minutes": round(row["elapsed_s"] / 60, 2),
        "workers": config.workers,
        "seed": config.seed,
    }

    def fill(folder: Path) -> None:
        if measure:
            save(folder / "model", game, net.kind, net.arrays(), training=training)
            row.update(_measured(stages, folder / "model", row["generation"]))
        elo = {name: row[name] for name in ("anchor", "elo", "elo_low", "elo_high", "generation")} if measure else None
        facts: dict[str, Any] = {"training": training, "elo": elo, "licence": config.licence}
        save(folder / "model", game, net.kind, net.arrays(), **facts)
        (folder / "learner.safetensors").write_bytes(pack(net.state()))

    run.write_checkpoint(row["generation"], row, fill)
    run.prune(config.keep_every, playing=row["plays"])
    stages.report.generation(row)


def _measured(stages: Stages, stem: Path, generation: int) -> Row:
    """A match against the first anchor that is not beaten yet."""
    config = stages.config
    anchor = next_anchor(config.anchors, stages.run.rows)
    player = f"quick:model={stem},nodes={config.measure_nodes}"
    played: list[int] = []

    def on_game(_: object) -> None:
        played.append(1)
        stages.report.stage("measuring", len(played), config.measure_games)

    seed = int(generator(config.seed, generation)[0] >> 34)
    facts: dict[str, Any] = {"games": config.measure_games, "seed": seed, "workers": stages.measuring}
    result = play_named_match(config.game, player, anchor, **facts, on_game=on_game)
    return measured(anchor, result.estimate)


def _samples_file(run: Run, generation: int) -> Path:
    return run.games / f"{generation:06}.safetensors"


def _restore(run: Run, net: Learner, newest: int) -> None:
    state = unpack((run.checkpoint(newest) / "learner.safetensors").read_bytes(), "learner.safetensors")
    samples = []
    for generation in range(newest - net.remembers + 1, newest + 1):
        file = _samples_file(run, generation)
        if file.is_file():
            try:
                samples.append(unpack(file.read_bytes(), str(file)))
            except GameError as error:
                run.note(f"{error}; going on without them")
    net.restore(state, samples)
