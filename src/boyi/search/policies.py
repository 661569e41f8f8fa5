"""Playout policies besides the uniform one: players of the source documents choose among them by name."""

from typing import NamedTuple

import numpy as np

from boyi.games.einstein import ALIVE, DIE, DIRECTIONS, MOVABLE, MOVER, STONES, EinStein, view_of
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.generics import legal, rule, sample, urgent, wins_at_once
from boyi.games.kernels import kernel
from boyi.games.randomness import below
from boyi.search.playouts import Uniform, draw_move


class Alert(NamedTuple):
    """Win at once, or stop the opponent from it, where the game sees such a move; else uniform.

    The continuous attack and defence of documents 003 and 004's baselines.
    """


@rule(draw_move, Alert)
def alert_move(policy, rules, state, mask, rng):
    action = urgent(rules, state, rng)
    return action if action >= 0 else sample(rules, state, mask, rng)


class Shy(NamedTuple):
    """Uniform among the moves that do not win on the spot: how one plays who wants to lose."""


@rule(draw_move, Shy)
def shy_move(policy, rules, state, mask, rng):
    action = sample(rules, state, mask, rng)
    for _ in range(4):
        if not wins_at_once(rules, state, action):
            return action
        action = sample(rules, state, mask, rng)
    return any_shy_move(rules, state, mask, rng)


@kernel
def any_shy_move(rules, state, mask, rng):
    """The same by looking at every move, for the end of a game, where few do not win."""
    chosen, found = -1, 0
    legal(rules, state, mask)
    for action in range(mask.shape[0]):
        if mask[action] and not wins_at_once(rules, state, action):
            found += 1
            if below(rng, found) == 0:
                chosen = action
    return chosen if found else sample(rules, state, mask, rng)


class Simulation(NamedTuple):
    """The four random simulation methods for EinStein that document 000 (section 2.6) reports from Yang 2017.

    1: uniform over all moves of all stones, without a die. 2: roll, then uniform over the moves it allows. 3: any
    living stone, then any of its moves, without a die. 4: roll, one of the stones it allows, then any of its moves.
    Where a method has no die, the roll that goes with its stone happens.
    """

    method: int


@kernel
def open_moves(square):
    """How many moves a stone has, by its square in the mover's view."""
    return 3 if DIRECTIONS[square] == 7 else 1


@kernel
def any_direction(square, rng):
    """A random move of a stone, by its square in the mover's view."""
    return 3 * square + (below(rng, 3) if DIRECTIONS[square] == 7 else DIRECTIONS[square] >> 1)


@rule(draw_move, Simulation)
def simulation_move(policy, rules, state, mask, rng):
    mover = state[MOVER]
    if not state[DIE]:
        if policy.method == 2 or policy.method == 4:
            return below(rng, 6)
        total = 0
        for stone in range(6):
            square = state[STONES + 6 * mover + stone]
            if square >= 0:
                total += open_moves(view_of(square, mover)) if policy.method == 1 else 1
        skip = below(rng, total)
        for stone in range(6):
            square = state[STONES + 6 * mover + stone]
            if square >= 0:
                skip -= open_moves(view_of(square, mover)) if policy.method == 1 else 1
                if skip < 0:
                    return stone
    if policy.method != 4:
        return sample(rules, state, mask, rng)
    allowed = MOVABLE[state[ALIVE + mover], state[DIE] - 1]
    stone = allowed[below(rng, 2)] if allowed[1] >= 0 else allowed[0]
    return any_direction(np.int64(view_of(state[STONES + 6 * mover + stone], mover)), rng)


class Scored(NamedTuple):
    """Rule-based simulation for EinStein (document 000, section 2.6): the move with the best score by rules of thumb.

    The corner before all; near it counts; taking an enemy counts by how near it is to winning; taking an own stone
    costs. Equal scores are drawn by lot.
    """


@rule(draw_move, Scored)
def scored_move(policy, rules, state, mask, rng):
    if not state[DIE]:
        return below(rng, 6)
    mover = state[MOVER]
    best, best_score, equals = np.int64(-1), np.int64(-1000), 0
    for choice in range(2):
        stone = MOVABLE[state[ALIVE + mover], state[DIE] - 1, choice]
        if stone < 0:
            continue
        seen = np.int64(view_of(state[STONES + 6 * mover + stone], mover))
        for direction in range(3):
            if not DIRECTIONS[seen] >> direction & 1:
                continue
            goal = seen + (1 if direction == 0 else 4 + direction)
            left = max(4 - goal // 5, 4 - goal % 5)
            points = 100 if goal == 24 else -2 * left
            taken = state[view_of(goal, mover)]
            if taken:
                enemy = (taken > 6) == (mover == 0)
                points += 6 - max(goal // 5, goal % 5) if enemy else -1
            if points > best_score:
                best, best_score, equals = 3 * seen + direction, points, 1
            elif points == best_score:
                equals += 1
                if below(rng, equals) == 0:
                    best = 3 * seen + direction
    return best


def playout_policy(game: Game, name: str) -> NamedTuple:
    """A policy by name: `uniform`, `alert`, `shy`, and for EinStein `1` to `4` and `scored`."""
    known: dict[str, NamedTuple] = {"uniform": Uniform(), "alert": Alert(), "shy": Shy()}
    if isinstance(game.rules, EinStein):
        known |= {str(method): Simulation(method) for method in (1, 2, 3, 4)} | {"scored": Scored()}
    if name not in known:
        raise GameError(f"{game.name} has no playouts {name!r}; it has {', '.join(known)}")
    return known[name]
