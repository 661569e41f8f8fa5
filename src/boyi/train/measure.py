"""How strong a net is: matches against fixed anchors and against another net, and whether it still improves."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from boyi.arena import Estimate, MatchResult
from boyi.train.config import TrainConfig
from boyi.train.workers import Model, PairJob, Pool, play_pair

BEATEN = 0.9
"""A score at which an anchor has no more to say."""
SILENT = 1e-4
"""Logits that differ less from position to position say nothing. Silent heads were measured at 2e-7 to 2e-6, those of
fresh nets at 3e-3 and more."""
PLATEAU = 4
"""Measurements in a row without a gain before it is said."""


def match(
    pool: Pool,
    config: TrainConfig,
    model: Model,
    opponent: str | Model,
    *,
    games: int,
    seed: int,
    on_pair: Callable[[int, int], None] = lambda done, total: None,
) -> Estimate:
    """The score of a model against a player by name or against another model, with its interval."""
    name, other = (opponent, None) if isinstance(opponent, str) else ("", opponent)
    simulations = config.measure.simulations
    jobs = [PairJob(config.game, pair, games, seed, simulations, name) for pair in range((games + 1) // 2)]
    rows = []
    for done, (_, played) in enumerate(pool.run(play_pair, jobs, model, other), 1):
        rows += played
        on_pair(done, len(jobs))
    return MatchResult(tuple(sorted(rows, key=lambda row: row.number)), games).estimate


def next_anchor(anchors: Sequence[str], rows: Sequence[dict[str, Any]]) -> str:
    """The anchor to measure against, from what was measured so far."""
    at = 0
    for row in rows:
        if row.get("anchor") in anchors and row["anchor_score"] >= BEATEN:
            at = max(at, min(anchors.index(row["anchor"]) + 1, len(anchors) - 1))
    return anchors[at]


def measured(anchor: str, worth: Estimate) -> dict[str, Any]:
    """A measurement as metrics have it; Elo is None where it is infinite."""
    elo, low, high = (value if math.isfinite(value) else None for value in worth.elo)
    return {
        "anchor": anchor,
        "anchor_score": worth.score,
        "anchor_low": worth.low,
        "anchor_high": worth.high,
        "elo": elo,
        "elo_low": low,
        "elo_high": high,
    }


def silence(rows: Sequence[dict[str, Any]]) -> str:
    """A sentence in the generation in which a head fell silent, else ""."""
    for head in ("policy", "value"):
        spreads = [row.get(f"spread_{head}", math.inf) for row in rows[-2:]]
        if spreads and spreads[-1] < SILENT and not (len(spreads) > 1 and spreads[0] < SILENT):
            return (
                f"the net's {head} is the same for every position: large steps have silenced that head, for some "
                f"generations or for good. A smaller learn.rate (it is {rows[-1]['rate']:g}) may prevent it, "
                "or a net of kind residual, which is normalised"
            )
    return ""


def plateau(rows: Sequence[dict[str, Any]]) -> str:
    """A sentence where the last measurements show no gain, else ""."""
    found = [row for row in rows if row.get("anchor") is not None]
    if len(found) <= PLATEAU or len({row["anchor"] for row in found[-PLATEAU - 1 :]}) > 1:
        return ""
    before, last = found[-PLATEAU - 1], found[-PLATEAU:]
    best = max(row["anchor_score"] for row in last)
    if best > before["anchor_score"] + 0.02:
        return ""
    return (
        f"no gain since generation {before['generation']}: {before['anchor_score']:.0%} against {before['anchor']} "
        f"then, at best {best:.0%} since. More simulations, a larger net or the final learning-rate drop may help"
    )
