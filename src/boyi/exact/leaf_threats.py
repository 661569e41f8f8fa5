"""Forced wins at the leaves of a tree search: playout policies that know wins by fours (Gomoku) and by double threats
(Connect6). Start at `with_threats`.
"""

from typing import NamedTuple

import numpy as np

from boyi.exact import double_threats
from boyi.exact.double_threats import find_threats, list_covers, win_by_double_threats
from boyi.exact.fours import WON, Room, Sides, must_stop, win_by_fours
from boyi.exact.threats import ThreatSearch
from boyi.exact.windows import Board, put, take
from boyi.games import connect6
from boyi.games.game import Game
from boyi.games.generics import rule, turn
from boyi.games.kernels import bare_call
from boyi.search.evaluation import known
from boyi.search.playouts import draw_move

NODES = 40
"""Positions of one look: wins of a few fours, in a few times that of a playout."""
TURNS, TURN_NODES = 2, 100
"""The same for turns in Connect6."""


class WithFours(NamedTuple):
    """A playout policy with a short search by fours in front of it. One search at a time may use it."""

    board: Board
    sides: Sides
    room: Room
    inner: NamedTuple


@rule(known, WithFours)
def known_by_fours(source, rules, state):
    """The mover wins by fours, or loses because two points that make five cannot both be stopped."""
    side = turn(rules, state)
    follow(source.board, state)
    result, _ = win_by_fours(source.board, source.sides, side, source.room, NODES)
    if result == WON:
        return 1.0 - 2.0 * side
    if must_stop(source.board, source.sides, side) == -2:
        return 2.0 * side - 1.0
    return np.nan


class WithDoubleThreats(NamedTuple):
    """The same for Connect6."""

    board: Board
    room: double_threats.Room
    inner: NamedTuple


@rule(known, WithDoubleThreats)
def known_by_double_threats(source, rules, state):
    """The mover wins by double threats, or loses because two stones cannot stop all threats."""
    board, room = source.board, source.room
    side, stones = turn(rules, state), np.int64(state[board.cells.size + connect6.LEFT])
    follow(board, state)
    room.nodes[0], room.nodes[1] = 0, TURN_NODES
    result, _ = win_by_double_threats(board, side, stones, room, TURNS)
    if result == WON:
        return 1.0 - 2.0 * side
    if stones == 2:
        count = find_threats(board, 1 - side, 2, room.threats)
        if count and list_covers(board, room.threats, count, room.covers[0]) == 0:
            return 2.0 * side - 1.0
    return np.nan


@bare_call
def follow(board, state):
    """Make the board show the cells of a state that differs little from the one before."""
    for square in range(board.height * board.width):
        if board.cells[square] != state[square]:
            if board.cells[square]:
                take(board, square)
            if state[square]:
                put(board, square, np.int64(state[square]) - 1)


@rule(draw_move, WithFours, WithDoubleThreats)
def draw_move_as_inner(policy, rules, state, mask, rng):
    return draw_move(policy.inner, rules, state, mask, rng)


def with_threats(game: Game, policy: NamedTuple) -> WithFours | WithDoubleThreats:
    """A playout policy of Gomoku or Connect6 with knowledge of its own."""
    search = ThreatSearch(game)
    if search.connect6:
        return WithDoubleThreats(search.board, search.pairs, policy)
    return WithFours(search.board, search.sides, search.room, policy)
