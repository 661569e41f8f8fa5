"""Games with dice, solved by expectimax to the end of the game or to what an oracle knows."""

import time
from typing import Any

from boyi.exact.solution import NotSolvable, Solution
from boyi.games.position import Position
from boyi.search.expectimax import Expectimax

NODES = 1_000_000
"""How far the search goes where no limit is given: a few seconds."""
TABLE_MB = 64.0


def solve_by_expectimax(
    position: Position, evaluation: Any, *, seconds: float | None = None, nodes: int | None = None
) -> Solution:
    """The exact value by expectimax; before a roll that of every outcome, weighted by its probability.

    `evaluation` orders the moves, and where it implements `known` its values are taken for proven.
    """
    began, used, value, best = time.perf_counter(), 0, 0.0, None
    if seconds is None and nodes is None:
        nodes = NODES
    search = Expectimax(position.game, evaluation, table_mb=TABLE_MB)
    for outcome, share in (position.chances or {"": 1.0}).items():
        start = position.play(outcome) if outcome else position
        if end := start.outcome:
            value += share * (0.0 if end.winner is None else 1.0 - 2.0 * end.winner)
            continue
        left_s = None if seconds is None else max(0.0, seconds - (time.perf_counter() - began))
        left_nodes = None if nodes is None else max(0, nodes - used)
        report = list(search.search(start, nodes=left_nodes, seconds=left_s))[-1]
        used += report.nodes
        if not report.exact:
            raise NotSolvable(f"expectimax did not come to an end in {used:,} nodes; allow more nodes or seconds")
        value += share * report.moves[0].value
        best = start.game.write_move(start.state, report.moves[0].action)
    move = None if position.chances else best
    spent = time.perf_counter() - began
    return Solution(value, None, move, (move,) if move else (), "expectimax", used, spent)
