"""Learning from game records: the same run directory, replay and learner, with records in place of self-play."""

import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from boyi.games.errors import GameError
from boyi.train.config import TrainConfig
from boyi.train.files import write_file
from boyi.train.learner import Learner
from boyi.train.loop import Stages, checkpoint, game_facts, measure
from boyi.train.records import read_records, samples_of
from boyi.train.replay import Part, Replay
from boyi.train.report import Report, Silence
from boyi.train.run import Row, Run, share_done
from boyi.train.samples import write_samples
from boyi.train.workers import make_pool

STEPS = 200
"""Steps of one generation at least: what is lost when a run is killed."""


def learn_records(
    config: TrainConfig, folder: Path, files: Iterable[Path], *, winner_only: bool = False, report: Report | None = None
) -> list[Row]:
    """Learn from files of games, for as many generations as every row can be used `replay.reuse` times; at most
    `generations`. Returns the metrics.
    """
    report = report or Silence()
    game = config.found_game
    samples = samples_of(game, read_records(game, files, on_bad=report.note), winner_only=winner_only)
    if not samples.num_rows:
        raise GameError("the records hold no game that can be learnt from")
    facts = game_facts(samples)
    batch = min(config.learn.batch, samples.num_rows)
    steps = max(1, int(samples.num_rows * config.replay.reuse / batch))
    generations = max(1, min(config.generations, steps // STEPS))
    with Run(folder, on_note=report.note) as run:
        newest = run.recover()
        run.write_config(config)
        write_file(run.games / "records.npz", write_samples(samples))
        pool = make_pool(config.workers, on_death=report.note)
        try:
            stages = Stages(config, run, pool, report)
            learner = Learner(game, config.net, config.learn, seed=config.seed, start=config.start)
            if newest is None:
                checkpoint(stages, learner, {"generation": 0, "plays": 0, "elapsed_s": 0.0, "rows_total": 0})
                newest = 0
            elif newest > 0:
                learner.load(run.checkpoint(newest) / "learner.safetensors", run.model(newest))
            replay = Replay(
                game,
                learner.net.observer,
                [Part(game, samples, config.net.auxiliary)],
                symmetries=config.learn.symmetries,
                search_share=0.0,
                auxiliary=config.net.auxiliary,
            )
            for generation in range(newest + 1, generations + 1):
                if share_done(config, run.rows) >= 1:
                    break
                began = time.monotonic()
                random = np.random.default_rng([config.seed & (2**63 - 1), generation])
                learner.seed(config.seed + generation)
                report.stage("learning", generation, generations)
                batches = replay.batches(batch, steps // generations, random)
                progress = learner.learn(batches, done=generation / generations)
                row: Row = {
                    "generation": generation,
                    "plays": generation,
                    "elapsed_s": 0.0,
                    "rows_total": samples.num_rows,
                    "window": len(replay),
                    "steps": progress.steps,
                    "rate": progress.rate,
                    **{n if n in ("loss", "gradient") else f"loss_{n}": v for n, v in progress.losses.items()},
                    **facts,
                }
                row |= measure(stages, learner, generation)
                row["elapsed_s"] = run.rows[-1]["elapsed_s"] + time.monotonic() - began
                checkpoint(stages, learner, row)
        finally:
            pool.close()
        return run.rows
