"""Which players make evenly spaced levels: a ladder of candidates is measured, and levels are chosen among them."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from boyi.arena.control import Control
from boyi.arena.plan import Plan, make_plan
from boyi.arena.report import Entry, Standings
from boyi.games.errors import GameError
from boyi.players import Limit
from boyi.players.levels import HIGHEST, RANDOM, STRONGEST, WEAKEST, Level, Levels, file_name

CANDIDATES = (
    WEAKEST,
    *(f"limited:simulations=100,slips={slips}:weakest" for slips in (0.2, 0.4, 0.6, 0.8)),
    RANDOM,
    *(f"limited:nodes=100,slips={slips}:strongest" for slips in (0.85, 0.7, 0.55, 0.4, 0.3, 0.2, 0.1, 0.05)),
    *(f"limited:nodes={nodes}:strongest" for nodes in (100, 400, 1500, 5000)),
    STRONGEST,
)
"""From the weakest to the strongest, about."""


def calibration(game: str, *, games: int, nodes: int, seed: int = 0) -> Plan:
    """The tournament of the candidates; `nodes` is what the strongest has for a move, so that no clock is involved."""
    control = Control(Limit(simulations=nodes, nodes=nodes))
    return make_plan(game, CANDIDATES, games=games, kind="ladder", seed=seed, control=control)


def chosen_levels(standings: Standings, command: str) -> Levels:
    """The levels, from a tournament of the candidates with `random` as anchor: the weakest, the strongest, and between
    them those whose Elo is nearest to even spacing, in the order of the candidates, where each has a smaller handicap
    than the one before it."""
    by_name = {entry.player: entry for entry in standings.entries}
    for name in (WEAKEST, STRONGEST):
        if name not in by_name:
            raise GameError(f"the tournament has no player {name!r}, so it cannot make levels")
    low, high = by_name[WEAKEST], by_name[STRONGEST]
    between = [by_name[name] for name in standings.plan.players if name not in (WEAKEST, STRONGEST)]
    picked = [low, *evenly(between, low.elo, high.elo), high]
    levels = tuple(
        Level(number, entry.player, round(entry.elo), round(entry.low), round(entry.high))
        for number, entry in enumerate(picked)
    )
    return Levels(standings.plan.game, levels, command)


def evenly(entries: Sequence[Entry], low: float, high: float) -> list[Entry]:
    """HIGHEST - 1 of the entries, in their order, whose Elo is nearest to even spacing between two ends.

    `cost[k]` is the least sum of squared distances for the first targets with the k-th entry as the last one.
    """
    targets = [low + (high - low) * number / HIGHEST for number in range(1, HIGHEST)]
    count = len(entries)
    cost = [(entry.elo - targets[0]) ** 2 for entry in entries]
    backs: list[list[int]] = []
    for target in targets[1:]:
        best, back = [float("inf")] * count, [-1] * count
        least = -1
        for k in range(1, count):
            if least < 0 or cost[k - 1] < cost[least]:
                least = k - 1
            best[k], back[k] = cost[least] + (entries[k].elo - target) ** 2, least
        cost = best
        backs.append(back)
    at = min(range(count), key=cost.__getitem__)
    chosen = [at]
    for back in reversed(backs):
        at = back[at]
        chosen.append(at)
    return [entries[k] for k in reversed(chosen)]


def spacing(found: Levels) -> list[float]:
    """The steps of Elo from level to level."""
    return [(b.elo or 0.0) - (a.elo or 0.0) for a, b in pairwise(found.levels)]


def write_levels(found: Levels, folder: Path) -> Path:
    """Keep the levels of a game in a folder."""
    file = folder / file_name(found.game)
    file.write_text(found.to_json(), encoding="utf-8")
    return file
