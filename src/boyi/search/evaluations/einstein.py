"""EinStein würfelt nicht!: three evaluations, each the sum over the own stones minus the other side's, squashed.

They look at states before and after the roll alike: what the die shows is left to the search. Distances are counted
in moves, so that one step along the diagonal is one.
"""

import math
from typing import NamedTuple

from boyi.games.einstein import ALIVE, COUNTS, MOVER, STONES, view_of
from boyi.games.generics import rule
from boyi.games.kernels import inline_kernel
from boyi.search.evaluation import assess


@inline_kernel
def moves_to_goal(seen):
    """The least number of moves from a square, in the owner's view, to the far corner."""
    return 4 - min(seen // 5, seen % 5)


class Huang(NamedTuple):
    """Document 002 (Huang and Ding 2017): Value = Chess_Value + Board_Value for every stone.

    Chess_Value is Initialize + Probability + 4 - Distance. The document makes Initialize "slightly larger" for stones
    1 and 6 and gives no number: here it is `edge` for them and 0 for the others; `edge=0` leaves out its strategy of
    keeping the edges and giving up the middle.
    """

    edge: float = 1.0
    scale: float = 20.0


@inline_kernel
def board_value(seen):
    """Figure 2 of document 002: 100 in the goal corner, then 8, 6, 4, 2 by distance."""
    distance = moves_to_goal(seen)
    return 100.0 if distance == 0 else 10.0 - 2.0 * distance


@inline_kernel
def huang_sum(evaluation, state, side):
    """The Value of all living stones of a side."""
    alive = state[ALIVE + side]
    total = 0.0
    for stone in range(6):
        if alive >> stone & 1:
            seen = view_of(state[STONES + 6 * side + stone], side)
            total += evaluation.edge if stone == 0 or stone == 5 else 0.0
            total += COUNTS[alive, stone] / 6.0 + 4.0 - moves_to_goal(seen) + board_value(seen)
    return total


@rule(assess, Huang)
def assess_huang(evaluation, rules, state):
    return math.tanh((huang_sum(evaluation, state, 0) - huang_sum(evaluation, state, 1)) / evaluation.scale)


class Neighbourhood(NamedTuple):
    """Li 2014, as document 000 (section 2.1) describes it: scores of the 2x2 or 3x3 box ahead of a stone, by who
    stands there and how far away, and the distance to the goal.

    `kind` is the side of the box, with the stone in its rear corner. The document gives no numbers: a stone of the
    other side in the box counts `enemy`, one of the own -`friend`, divided by their distance, and a move towards the
    goal counts `advance`. Every stone weighs as much as the share of rolls that let it move. Whoever moves next takes
    first, so that only this side's prey counts fully and the other's by `patience`.
    """

    kind: int = 2
    enemy: float = 1.0
    friend: float = 0.25
    advance: float = 1.0
    patience: float = 0.5
    scale: float = 4.0


@inline_kernel
def neighbourhood_sum(evaluation, state, side):
    """The scores of all living stones of a side."""
    alive = state[ALIVE + side]
    eager = 1.0 if state[MOVER] == side else evaluation.patience
    total = 0.0
    for stone in range(6):
        if alive >> stone & 1:
            seen = view_of(state[STONES + 6 * side + stone], side)
            row, column = seen // 5, seen % 5
            points = evaluation.advance * (4.0 - moves_to_goal(seen))
            for down in range(min(evaluation.kind, 5 - row)):
                for right in range(min(evaluation.kind, 5 - column)):
                    found = state[view_of(seen + 5 * down + right, side)]
                    if found > 0 and down + right > 0:
                        worth = eager * evaluation.enemy if (found > 6) != (side == 1) else -evaluation.friend
                        points += worth / max(down, right)
            total += points * COUNTS[alive, stone] / 6.0
    return total


@rule(assess, Neighbourhood)
def assess_neighbourhood(evaluation, rules, state):
    difference = neighbourhood_sum(evaluation, state, 0) - neighbourhood_sum(evaluation, state, 1)
    return math.tanh(difference / evaluation.scale)


class Race(NamedTuple):
    """How near the stones are to the goal, how often they may move, and who can take whom.

    A stone `d` moves from the goal is worth `pace ** -d` times the share of rolls that move it, and it loses the
    share `threat` of that, for each enemy stone beside it, times the share of rolls that let the enemy take it. A
    stone of the side to move may still get away, so it loses half as much; and that side's sum grows by `tempo`.
    """

    pace: float = 2.0
    threat: float = 0.5
    tempo: float = 0.25
    scale: float = 0.6


@inline_kernel
def danger(state, seen, side):
    """The share of rolls, at most 1, that let an enemy stone take one that its owner sees on square `seen`."""
    enemies = state[ALIVE + 1 - side]
    row, column = seen // 5, seen % 5
    rolls = 0
    for down in range(min(2, 5 - row)):
        for right in range(min(2, 5 - column)):
            found = state[view_of(seen + 5 * down + right, side)] - 1
            if found >= 0 and down + right > 0 and found // 6 != side:
                rolls += COUNTS[enemies, found % 6]
    return min(1.0, rolls / 6.0)


@inline_kernel
def race_sum(evaluation, state, side):
    """The worth of all living stones of a side."""
    alive = state[ALIVE + side]
    waiting = state[MOVER] != side
    total = 0.0
    for stone in range(6):
        if alive >> stone & 1:
            seen = view_of(state[STONES + 6 * side + stone], side)
            worth = COUNTS[alive, stone] / 6.0 * evaluation.pace ** -moves_to_goal(seen)
            share = 1.0 if waiting else 0.5
            total += worth * (1.0 - evaluation.threat * share * danger(state, seen, side))
    return total if waiting else total * (1.0 + evaluation.tempo)


@rule(assess, Race)
def assess_race(evaluation, rules, state):
    red, blue = race_sum(evaluation, state, 0), race_sum(evaluation, state, 1)
    return math.tanh((red - blue) / evaluation.scale)
