"""A training run, from top to bottom: play, learn, measure, checkpoint, and again. Start at `train`.

Each stage reads and writes files of the run directory. All random numbers come from the seed and the number of the
generation, so a run that was killed goes on as if nothing had happened.
"""

import itertools
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from boyi.games.game import Game
from boyi.games.randomness import generator
from boyi.players import player
from boyi.train.config import TrainConfig
from boyi.train.files import write_file
from boyi.train.measure import match, measured, next_anchor, plateau, silence
from boyi.train.precision import played
from boyi.train.replay import Part, Replay, window_size
from boyi.train.report import Report, Silence
from boyi.train.run import Row, Run, share_done
from boyi.train.samples import BadSamples, Samples, join, read_samples
from boyi.train.selfplay import Tally, warm_up
from boyi.train.workers import Model, Pool, ShardJob, make_pool, play_shard, read_model

if TYPE_CHECKING:  # PyTorch is loaded by those who train a deep net, and need not be there for anybody else
    from boyi.train.learner import Learner, Progress


@dataclass
class Stages:
    """What the stages of a run share."""

    config: TrainConfig
    run: Run
    pool: Pool
    report: Report
    game: Game = field(init=False)
    parts: dict[Path, Part] = field(default_factory=dict)
    """Samples in memory, by file."""
    clock: Callable[[], float] = time.monotonic
    """Tells the seconds by which a run's minutes are counted."""

    def __post_init__(self) -> None:
        self.game = self.config.found_game


def train(
    config: TrainConfig,
    folder: Path,
    *,
    report: Report | None = None,
    pool: Pool | None = None,
    cluster: str | None = None,
    stop_after: int | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> list[Row]:
    """Train in a run directory until its generations or minutes are over, or `stop_after` more generations; returns
    the metrics of all generations.

    When the minutes are over in the middle of a generation, the shards in progress are its last, and it is learnt from.
    A directory that holds a run already is continued. Ctrl-C leaves the last checkpoint. `cluster` is the address of a
    Ray cluster whose computers play. `clock` counts the minutes; where this process is the only one, processor time is
    a fair one on a busy computer.
    """
    from boyi.train.learner import Learner

    report = report or Silence()
    if config.selfplay.teacher:
        player(config.selfplay.teacher, config.found_game).close()  # a bad name is said before anything is written
    with Run(folder, on_note=report.note) as run:
        newest = run.recover()
        run.write_config(config)
        own_pool = pool is None
        workers = pool or make_pool(config.workers, cluster=cluster, on_death=report.note)
        if workers.workers > (shards := config.selfplay.shards):
            report.note(
                f"a generation has {shards} shards, so that only {shards} of {workers.workers} workers play; "
                f"for all of them: --set selfplay.shards={workers.workers}"
            )
        try:
            stages = Stages(config, run, workers, report, clock=clock)
            learner = Learner(stages.game, config.net, config.learn, seed=config.seed, start=config.start)
            warm_up(stages.game, learner.net.observer, config.selfplay)
            if newest is None:
                checkpoint(stages, learner, {"generation": 0, "plays": 0, "elapsed_s": 0.0, "rows_total": 0})
                newest = 0
            elif newest > 0:
                learner.load(run.checkpoint(newest) / "learner.safetensors", run.model(newest))
            for generation in range(newest + 1, config.generations + 1):
                if share_done(config, run.rows) >= 1 or (stop_after is not None and generation > newest + stop_after):
                    break
                one_generation(stages, learner, generation)
        finally:
            if own_pool:
                workers.close()
        return run.rows


def one_generation(stages: Stages, learner: "Learner", generation: int) -> None:
    """Play, learn, measure, checkpoint."""
    began, before = stages.clock(), stages.run.rows[-1]
    tally = play(stages, generation, model=before["plays"])
    played = stages.clock()
    progress, window = learn(stages, learner, generation)
    learnt = stages.clock()
    row: Row = {
        "generation": generation,
        "plays": generation,
        "elapsed_s": 0.0,
        "rows_total": before["rows_total"]
        + sum(part.samples.num_rows for part in generation_parts(stages, generation)),
        "window": window,
        "steps": progress.steps,
        "rate": progress.rate,
        **{
            f"loss_{name}" if name not in ("loss", "gradient") else name: value
            for name, value in progress.losses.items()
        },
        **{f"spread_{head}": spread for head, spread in progress.spreads.items()},
        **game_facts(join(stages.game, [part.samples for part in generation_parts(stages, generation)])),
        **speeds(tally, played - began),
        "play_s": played - began,
        "learn_s": learnt - played,
    }
    row |= measure(stages, learner, generation)
    row["measure_s"] = stages.clock() - learnt
    row["elapsed_s"] = before["elapsed_s"] + stages.clock() - began
    checkpoint(stages, learner, row)
    for notice in filter(None, (silence(stages.run.rows), plateau(stages.run.rows))):
        stages.report.note(notice)


def play(stages: Stages, generation: int, *, model: int) -> Tally:
    """Self-play: writes the shards of a generation that are not there yet, playing with the net of an earlier one.

    No shard but the first is begun after the minutes of the run.
    """
    config, run = stages.config, stages.run
    jobs = [ShardJob(config, generation, shard) for shard in range(config.selfplay.shards)]
    missing = [job for job in jobs if load_part(stages, run.shard_file(generation, job.shard)) is None]
    tally, done = Tally(), len(jobs) - len(missing)
    stages.report.stage("self-play", done, len(jobs))
    end = stages.clock() + 60 * config.minutes - run.rows[-1]["elapsed_s"] if config.minutes else math.inf
    in_time = itertools.takewhile(lambda job: job is jobs[0] or stages.clock() < end, missing)
    for job, (content, counted) in stages.pool.run(play_shard, in_time, player_model(stages, generation, model)):
        file = run.shard_file(generation, job.shard)
        write_file(file, content)
        load_part(stages, file)
        tally, done = tally + counted, done + 1
        stages.report.stage("self-play", done, len(jobs))
    return tally


def player_model(stages: Stages, generation: int, model: int) -> Model:
    """The model of an earlier generation as it plays in one: in the precision of the configuration."""
    files, parts = read_model(stages.run.model(model)), generation_parts(stages, generation - 1)
    newest = np.concatenate([part.samples.states for part in parts]) if parts else None
    graph = played(files[".onnx"], stages.game, stages.config.selfplay, newest, seed=stages.config.seed)
    return {**files, ".onnx": graph}


def load_part(stages: Stages, file: Path) -> Part | None:
    """The samples of a file, kept in memory; None where there is none or a damaged one, which is said and deleted."""
    if file not in stages.parts:
        if not file.exists():
            return None
        try:
            stages.parts[file] = Part(stages.game, read_samples(file, stages.game), stages.config.net.auxiliary)
        except BadSamples as error:
            stages.report.note(str(error))
            file.unlink()
            return None
    return stages.parts[file]


def generation_parts(stages: Stages, generation: int) -> list[Part]:
    """The samples of one generation."""
    files = [stages.run.shard_file(generation, shard) for shard in range(stages.config.selfplay.shards)]
    return [part for file in files if (part := load_part(stages, file)) is not None]


def learn(stages: Stages, learner: "Learner", generation: int) -> "tuple[Progress, int]":
    """Take as many steps on the replay window as its newest rows allow; returns what came of it and the window."""
    config = stages.config
    fresh = sum(part.samples.num_rows for part in generation_parts(stages, generation))
    total = stages.run.rows[-1]["rows_total"] + fresh
    size = window_size(config.replay, total)
    parts: list[Part] = []
    oldest = generation
    while oldest >= 1 and sum(part.samples.num_rows for part in parts) < size:
        parts = generation_parts(stages, oldest) + parts
        oldest -= 1
    kept = {id(part) for part in parts}
    stages.parts = {file: part for file, part in stages.parts.items() if id(part) in kept}
    replay = Replay(
        stages.game,
        learner.net.observer,
        parts,
        rows=size,
        symmetries=config.learn.symmetries,
        search_share=config.learn.search_share,
        auxiliary=config.net.auxiliary,
    )
    steps = max(1, int(fresh * config.replay.reuse / config.learn.batch))
    learner.seed(int(generator(config.seed, -generation)[0] >> 1))
    random = np.random.default_rng([config.seed & (2**63 - 1), generation])
    batches = replay.batches(min(config.learn.batch, len(replay)), steps, random)

    def watched() -> Any:
        for step, batch in enumerate(batches):
            if step % 20 == 0:
                stages.report.stage("learning", step, steps)
            yield batch

    return learner.learn(watched(), done=share_done(config, stages.run.rows)), len(replay)


def measure(stages: Stages, learner: "Learner", generation: int) -> Row:
    """The gate, where there is one, and every few generations a match against an anchor."""
    config, rows = stages.config, stages.run.rows
    due = config.measure.every and (generation % config.measure.every == 0 or generation == config.generations)
    due = due and bool(config.measure.anchors)
    if not due and not config.measure.gate:
        return {}
    candidate = learner.packed(config.licence)
    seed = int(generator(config.seed, generation)[0] >> 34)
    found: Row = {}

    def show(what: str) -> Callable[[int, int], None]:
        return lambda done, total: stages.report.stage(what, done, total)

    if config.measure.gate:
        best = read_model(stages.run.model(rows[-1]["plays"]))
        worth = match(
            stages.pool, config, candidate, best, games=config.measure.gate_games, seed=seed, on_pair=show("gate")
        )
        passed = worth.score >= config.measure.gate
        found |= {"gate_score": worth.score, "plays": generation if passed else rows[-1]["plays"]}
    if due:
        anchor = next_anchor(config.measure.anchors, rows)
        worth = match(
            stages.pool, config, candidate, anchor, games=config.measure.games, seed=seed, on_pair=show("measuring")
        )
        found |= measured(anchor, worth)
    return found


def checkpoint(stages: Stages, learner: "Learner", row: Row) -> None:
    """Write a generation's model, learner and metrics; it counts from then on."""
    config, run, generation = stages.config, stages.run, row["generation"]
    training = {
        "generations": generation,
        "rows": row["rows_total"],
        "minutes": round(row["elapsed_s"] / 60, 2),
        "seed": config.seed,
        "selfplay": asdict(config.selfplay),
        "learn": asdict(config.learn),
    }
    measurements = [r for r in [*run.rows, row] if r.get("anchor")]
    elo = (
        {k: measurements[-1][k] for k in ("anchor", "elo", "elo_low", "elo_high", "generation")}
        if measurements
        else None
    )

    def fill(folder: Path) -> None:
        learner.save_model(folder / "model", training=training, elo=elo, licence=config.licence)
        learner.save(folder / "learner.safetensors")

    run.write_checkpoint(generation, row, fill)
    run.prune(config.keep_every, playing=row["plays"])
    stages.report.generation(row)


def game_facts(samples: Samples) -> Row:
    """What the games of a generation look like."""
    shares = samples.policies[samples.searched].astype(np.float32)
    entropy = -(shares * np.log(np.maximum(shares, 1e-9))).sum(1)
    return {
        "games": samples.num_games,
        "rows": samples.num_rows,
        "length": samples.num_rows / max(samples.num_games, 1),
        "entropy": float(entropy.mean()) if len(entropy) else 0.0,
        "first_player": float((samples.outcomes.astype(np.float64) + 1).mean() / 2),
        "draws": float((samples.outcomes == 0).mean()),
    }


def speeds(tally: Tally, seconds: float) -> Row:
    """Rates of the self-play that took so many seconds; none where all games were there already."""
    if not tally.games:
        return {}
    return {
        "games_per_hour": 3600 * tally.games / seconds,
        "positions_per_s": tally.rows / seconds,
        "evaluations_per_s": tally.evaluations / seconds,
        "batch": tally.evaluations / max(tally.batches, 1),
        "efficiency": tally.evaluator_seconds / tally.seconds,
    }
