"""Promises about the rules: as plain Python, compiled, and what search relies on."""

import random
import time
from typing import Any

import numpy as np

from boyi.games.game import Game
from boyi.games.generics import (
    CHANCE,
    RUNNING,
    chance,
    has_rule,
    init,
    legal,
    observe,
    outcome,
    sample,
    score,
    setup,
    step,
    turn,
)
from boyi.games.kernels import kernel
from boyi.games.position import Position
from boyi.games.promises.played import GAMES, after, demand, most_plies, positions, running
from boyi.games.randomness import generator

PLAIN_S = 8.0
"""How long rules run as plain Python, at most: a large board would take minutes."""
DRAWS = 400
"""Random moves for each legal one."""


@kernel
def _draw(rules, state, mask, rng, drawn):
    """Fill `drawn` with random actions, then `mask` with the legal ones; return how many are legal."""
    for index in range(drawn.shape[0]):
        drawn[index] = sample(rules, state, mask, rng)
    return legal(rules, state, mask)


def check_rules(game: Game) -> None:
    """Run as plain Python, rules stay within their arrays, answer what they may, and random games end."""
    end = time.monotonic() + PLAIN_S
    for seed in range(GAMES):
        _play_plainly(game, random.Random(seed), end)


def _play_plainly(game: Game, luck: random.Random, end: float) -> None:
    rules, state, plies = game.rules, game.blank(), 0
    setup(rules, state, generator(1))
    while time.monotonic() < end:
        result = outcome(rules, state)
        demand(result in (RUNNING, -1, 0, 1), f"outcome is RUNNING, 1, 0 or -1, not {result!r} after {plies} moves")
        if result != RUNNING:
            margin = score(rules, state)
            demand(np.sign(margin) == result, f"score is {margin!r} and outcome {result!r}; their signs must agree")
            return
        demand(plies < most_plies(game), f"a random game is not over after {plies} moves; it must end")
        mover = turn(rules, state)
        demand(mover in (0, 1, CHANCE), f"turn is 0, 1 or CHANCE, not {mover!r} after {plies} moves")
        actions = _plain_actions(game, state, plies)
        if mover == CHANCE:
            _check_chances(game, state, actions)
        else:
            for view, count in enumerate(game.observers.values()):
                planes = np.zeros((count, *game.shape), np.float32)
                observe(rules, state, view, planes)
                demand(np.isfinite(planes).all(), f"observe writes numbers that are not finite after {plies} moves")
        before = state.copy()
        action = luck.choice(actions)
        step(rules, state, action)
        demand(not (state == before).all(), f"step changes nothing: action {action} after {plies} moves")
        plies += 1


def _plain_actions(game: Game, state: Any, plies: int) -> list[int]:
    mask = np.full(game.num_actions, 7, np.uint8)
    kept = state.copy()
    count = legal(game.rules, state, mask)
    demand((state == kept).all(), f"legal changes the state after {plies} moves")
    demand(np.isin(mask, (0, 1)).all(), f"legal must set all of mask, to 0 or 1; it does not after {plies} moves")
    actions = [int(action) for action in np.flatnonzero(mask)]
    demand(count == len(actions), f"legal returns {count!r} and marks {len(actions)} actions after {plies} moves")
    demand(actions, f"there is no legal action after {plies} moves, and outcome says that the game runs")
    return actions


def _check_chances(game: Game, state: Any, actions: list[int]) -> None:
    demand(has_rule(chance, type(game.rules)), "turn says CHANCE, and there is no rule 'chance'")
    probabilities = np.zeros(game.num_actions)
    count = chance(game.rules, state, probabilities)
    marked = [int(action) for action in np.flatnonzero(probabilities)]
    demand(marked == actions and count == len(actions), "chance and legal mark different outcomes")
    demand(abs(probabilities.sum() - 1) < 1e-9, f"the probabilities of chance add up to {probabilities.sum():g}, not 1")


def check_compiled(game: Game) -> None:
    """Compiled, every rule says what it says as plain Python."""
    begun, dealt = game.blank(), game.blank()
    init(game.rules, begun)
    _demand_same("init", (begun == game.start().state).all(), "at the start")
    setup(game.rules, dealt, generator(5))
    _demand_same("setup", (dealt == game.start(seed=5).state).all(), "at the start")
    for position in positions(game):
        _compare(game, position)


def _compare(game: Game, position: Position) -> None:
    rules, state, where, end = game.rules, position.state, after(position), position.outcome
    if end is not None:
        _demand_same("outcome", outcome(rules, state) == {0: 1, None: 0, 1: -1}[end.winner], where)
        _demand_same("score", score(rules, state) == end.score, where)
        return
    _demand_same("outcome", outcome(rules, state) == RUNNING, where)
    _demand_same("turn", turn(rules, state) == position.turn, where)
    masks, drawn = np.full((2, game.num_actions), 7, np.uint8), np.zeros(1, np.int64)
    first, second = generator(3), generator(3)
    action = sample(rules, state, masks[0], first)
    count = legal(rules, state, masks[0])
    same = count == _draw(rules, state, masks[1], second, drawn) and (masks[0] == masks[1]).all()
    _demand_same("legal", same and tuple(np.flatnonzero(masks[1])) == position.actions, where)
    _demand_same("sample", action == drawn[0] and (first == second).all(), where)
    for view, (name, number) in enumerate(game.observers.items()):
        planes = np.zeros((number, *game.shape), np.float32)
        observe(rules, state, view, planes)
        _demand_same("observe", (planes == position.observe(name)).all(), where)
    if position.turn == CHANCE:
        probabilities = np.zeros(game.num_actions)
        chance(rules, state, probabilities)
        _demand_same("chance", probabilities[list(position.actions)].tolist() == _chances(position), where)
    following = state.copy()
    step(rules, following, int(action))
    _demand_same("step", (following == position.play_action(int(action)).state).all(), where)


def _chances(position: Position) -> list[float]:
    return list((position.chances or {}).values())


def _demand_same(rule: str, same: object, where: str) -> None:
    demand(same, f"{rule} says something else compiled than as plain Python {where}")


def check_sampling(game: Game) -> None:
    """Random moves are legal, and every legal one is as likely as the other; dice fall by their probabilities."""
    rng, mask = generator(1), np.zeros(game.num_actions, np.uint8)
    for position in running(game)[::2]:
        actions = list(position.actions)
        drawn = np.zeros(DRAWS * len(actions), np.int64)
        _draw(game.rules, position.state, mask, rng, drawn)
        where = after(position)
        demand(np.isin(drawn, actions).all(), f"sample draws {set(drawn) - set(actions)}, which is not legal, {where}")
        counts = np.bincount(drawn, minlength=game.num_actions)[actions]
        expected = len(drawn) * np.array(_chances(position) or [1 / len(actions)] * len(actions))
        fair = (abs(counts - expected) <= 6 * np.sqrt(expected) + 1).all()  # six standard deviations
        demand(fair, f"sample draws some actions too often and others too seldom {where}")


def check_core(game: Game) -> None:
    """What stands in a state beyond `num_core` entries decides nothing."""
    core, luck = game.num_core, random.Random(0)
    tails = [position.state[core:] for position in positions(game)]
    for position in positions(game):
        state = position.state.copy()
        state[core:] = luck.choice(tails)
        other = Position(game, state)
        same = (other.turn, other.outcome, other.actions, other.cells) == (
            position.turn,
            position.outcome,
            position.actions,
            position.cells,
        )
        for action in position.actions[:3] if same else ():
            same &= (other.play_action(action).state[:core] == position.play_action(action).state[:core]).all()
        demand(same, f"entries of the state beyond num_core={core} decide what happens {after(position)}")
