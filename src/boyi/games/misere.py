"""Any game with its outcome turned round: whoever would win, loses. Searching it finds moves that lose on purpose."""

from typing import Any, NamedTuple

from boyi.games.generics import (
    RUNNING,
    chance,
    init,
    legal,
    observe,
    outcome,
    rule,
    sample,
    score,
    setup,
    step,
    turn,
    urgent,
    wins_at_once,
)


class Misere(NamedTuple):
    """The parameters of the game that is turned round."""

    game: Any


@rule(init, Misere)
def misere_init(rules, state):
    init(rules.game, state)


@rule(setup, Misere)
def misere_setup(rules, state, rng):
    setup(rules.game, state, rng)


@rule(turn, Misere)
def misere_turn(rules, state):
    return turn(rules.game, state)


@rule(legal, Misere)
def misere_legal(rules, state, mask):
    return legal(rules.game, state, mask)


@rule(step, Misere)
def misere_step(rules, state, action):
    step(rules.game, state, action)


@rule(chance, Misere)
def misere_chance(rules, state, probabilities):
    return chance(rules.game, state, probabilities)


@rule(outcome, Misere)
def misere_outcome(rules, state):
    result = outcome(rules.game, state)
    return result if result == RUNNING else -result


@rule(score, Misere)
def misere_score(rules, state):
    return -score(rules.game, state)


@rule(observe, Misere)
def misere_observe(rules, state, view, planes):
    observe(rules.game, state, view, planes)


@rule(sample, Misere)
def misere_sample(rules, state, mask, rng):
    return sample(rules.game, state, mask, rng)


@rule(urgent, Misere)
def misere_urgent(rules, state, rng):
    return -1


@rule(wins_at_once, Misere)
def misere_wins_at_once(rules, state, action):
    """Whether the action wins the game that is turned round: what a loser avoids."""
    return wins_at_once(rules.game, state, action)
