"""Othello endgames at the leaves of a tree search: a playout policy that knows who wins when few squares are left."""

from typing import NamedTuple

import numpy as np

from boyi.exact.othello import EndgameSolver, Table
from boyi.exact.othello_last import NOWHERE
from boyi.exact.othello_search import NODES, PLY, VALUE, Area, Stack, advance, enter
from boyi.games.bits import popcount
from boyi.games.game import Game
from boyi.games.generics import rule, turn
from boyi.games.kernels import bare_call
from boyi.games.othello import OTHER, OWN
from boyi.search.evaluation import known
from boyi.search.playouts import draw_move

TABLE_MB = 4
NO_LIMIT = 1 << 40


class WithEndgames(NamedTuple):
    """A playout policy with the endgame solver in front of it. One search at a time may use it."""

    area: Area
    stack: Stack
    table: Table
    empties: int
    """The solver is asked where at most so many squares are empty."""
    inner: NamedTuple


@rule(known, WithEndgames)
def known_by_solver(source, rules, state):
    empties = source.area.squares - popcount(state[OWN] | state[OTHER])
    if empties > source.empties:
        return np.nan
    value = margin(source.area, source.stack, source.table, state[OWN], state[OTHER], empties)
    return np.float64(np.sign(value)) * (1.0 - 2.0 * turn(rules, state))


@bare_call
def margin(area, stack, table, own, other, empties):
    """A number with the sign of the exact score for the owner of `own`, who is to move."""
    stack.control[NODES] = 0
    stack.control[PLY] = 0
    value = enter(area, stack, table, 0, own, other, -1, 1, empties, False)
    if value != NOWHERE:
        return value
    advance(area, stack, table, NO_LIMIT)
    return stack.control[VALUE]


@rule(draw_move, WithEndgames)
def draw_move_as_inner(policy, rules, state, mask, rng):
    return draw_move(policy.inner, rules, state, mask, rng)


def with_endgames(game: Game, policy: NamedTuple, empties: int) -> WithEndgames:
    """A playout policy of Othello that knows positions of so many empty squares."""
    solver = EndgameSolver(game.rules.size, table_mb=TABLE_MB)
    return WithEndgames(solver.area, solver.stack, solver.table, empties, policy)
