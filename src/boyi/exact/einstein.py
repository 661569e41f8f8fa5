"""EinStein: exact values from the tablebase, alone and inside searches. Start at `solve_einstein`.

`Tabled` brings the table into compiled search: around a static evaluation for expectimax (`expectimax:eval=exact`), or
around a playout policy for the tree, also as the oracle of batched search.
"""

import time
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.exact.dice import solve_by_expectimax
from boyi.exact.einstein_layout import END, probe
from boyi.exact.einstein_table import Entries, open_table
from boyi.exact.solution import NotSolvable, Solution
from boyi.games.einstein import ALIVE
from boyi.games.generics import CHANCE, rule
from boyi.games.position import Position
from boyi.search.evaluation import assess, known
from boyi.search.evaluations.einstein import Race
from boyi.search.playouts import draw_move


class Tabled(NamedTuple):
    """What a search asks about states, an evaluation or a playout policy, with the table in front of it."""

    table: Entries
    inner: NamedTuple


@rule(known, Tabled)
def known_to_table(source, rules, state):
    return probe(source.table, rules, state)


@rule(assess, Tabled)
def assess_with_table(evaluation, rules, state):
    value = probe(evaluation.table, rules, state)
    return assess(evaluation.inner, rules, state) if np.isnan(value) else value


@rule(draw_move, Tabled)
def draw_move_as_inner(policy, rules, state, mask, rng):
    return draw_move(policy.inner, rules, state, mask, rng)


def exact_evaluation() -> Tabled:
    """The evaluation `exact`: the table where it reaches, else the game's default."""
    return Tabled(open_table(), Race())


def num_stones(state: NDArray[Any]) -> int:
    """The stones of both sides."""
    return int(state[ALIVE]).bit_count() + int(state[ALIVE + 1]).bit_count()


def in_table(position: Position, table: Entries) -> bool:
    """Whether a position has few enough stones."""
    return bool(END[num_stones(position.state)] <= len(table))


def with_table(source: NamedTuple) -> Tabled:
    """An evaluation or a playout policy with the largest table there is in front of it."""
    return Tabled(open_table(), source)


def move_values(position: Position, table: Entries) -> dict[str, float]:
    """Player 0's expected result after each move of a position in the table, or after each roll."""
    rules = position.game.rules
    return {move: float(probe(table, rules, position.play(move).state)) for move in position.moves}


def solve_einstein(
    position: Position, *, seconds: float | None = None, nodes: int | None = None, table: Entries | None = None
) -> Solution:
    """The value of a position before or after the roll, and the best move of a roll.

    From the table; where that ends, by expectimax down to it, as far as the limits go.
    """
    began = time.perf_counter()
    table = open_table() if table is None else table
    if in_table(position, table):
        value = float(probe(table, position.game.rules, position.state))
        move = best_move(position, move_values(position, table)) if position.turn != CHANCE else None
        spent = time.perf_counter() - began
        return Solution(value, None, move, (move,) if move else (), "tablebase", 0, spent)
    try:
        found = solve_by_expectimax(position, Tabled(table, Race()), seconds=seconds, nodes=nodes)
    except NotSolvable as reason:
        remedy = "`boyi tablebase build einstein --stones 5` builds a larger one"
        raise NotSolvable(
            f"{num_stones(position.state)} stones are beyond the tablebase, and {reason}; {remedy}"
        ) from None
    return replace(found, exact_by="expectimax over the tablebase")


def best_move(position: Position, values: dict[str, float]) -> str:
    """The move with the best value for the side to move; the first of equals."""
    return min(values, key=values.__getitem__) if position.turn == 1 else max(values, key=values.__getitem__)
