"""Selection rules: which edge of a decision a descent follows. Each is a NamedTuple with its own `pick`.

A move whose value is proven needs no more visits: its value bounds the node's, and the final choice reckons with it.
Signs follow the player: `sign` is 1 where player 0 decides and -1 where player 1 does.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.generics import generic, rule
from boyi.games.kernels import BARE, bare_kernel
from boyi.search.tree import CLOSED, NONE

UNTRIED = 1e9
ROOTS = 1.0 / np.sqrt(np.maximum(np.arange(1024), 1))
"""1 / sqrt(n) for small n, and below the root of log(n + 1): half of the time of a selection otherwise."""
LOGS = np.sqrt(np.log(np.arange(1024) + 1))


@generic(options=BARE)
def pick(method, tree, node, is_root):
    """The edge of an expanded decision to follow next."""


def _nothing_known(method, rules, tree, node, state, scratch):
    pass


@generic(_nothing_known, options=BARE)
def prime(method, rules, tree, node, state, scratch):
    """Enter what a method knows beforehand of a fresh decision's edges, into `prior` or `q`. Default: nothing.

    `state` is the node's, `scratch` a spare row of the same size.
    """


@bare_kernel
def pick_outcome(tree, node):
    """At a chance decision: the outcome that lags furthest behind its share of the visits, of those not yet proven."""
    total = 1
    for edge in range(tree.first[node], tree.first[node] + tree.width[node]):
        total += tree.tries[edge] + tree.pending[edge]
    best, best_lag = NONE, -UNTRIED
    for edge in range(tree.first[node], tree.first[node] + tree.width[node]):
        child = tree.child[edge]
        lag = tree.prior[edge] * total - tree.tries[edge] - tree.pending[edge]
        if lag > best_lag and (child < 0 or tree.high[child] - tree.low[child] > CLOSED):
            best, best_lag = edge, lag
    return best


class Uct(NamedTuple):
    """UCB1 at every decision (Kocsis & Szepesvári 2006; documents 000 and 004)."""

    c: float = 1.4


@rule(pick, Uct)
def uct_pick(method, tree, node, is_root):
    first, count = tree.first[node], tree.width[node]
    sign = 1.0 if tree.mover[node] == 0 else -1.0
    visits = tree.visits[node]
    spread = method.c * (LOGS[visits] if visits < 1024 else np.sqrt(np.log(np.float64(visits + 1))))
    best, best_score = first, -UNTRIED
    for edge in range(first, first + count):
        tries = tree.tries[edge]
        if tries == 0:
            return edge
        if tree.told[edge]:
            continue
        root = ROOTS[tries] if tries < 1024 else 1.0 / np.sqrt(np.float64(tries))
        score = sign * tree.q[edge] + spread * root
        if score > best_score:
            best, best_score = edge, score
    return best


class Puct(NamedTuple):
    """The rule of AlphaZero (Silver et al. 2018; documents 001, 003, 004).

    An untried move counts as the node's value less `fpu` times the root of the policy already tried (first-play urgency
    as in KataGo).
    """

    c: float = 1.5
    fpu: float = 0.2


@rule(pick, Puct)
def puct_pick(method, tree, node, is_root):
    first, count = tree.first[node], tree.width[node]
    sign = 1.0 if tree.mover[node] == 0 else -1.0
    total, explored = 0, 0.0
    for edge in range(first, first + count):
        visits = tree.tries[edge] + tree.pending[edge]
        total += visits
        explored += tree.prior[edge] if visits > 0 else 0.0
    urgency = sign * tree.value[node] - (0.0 if is_root else method.fpu) * np.sqrt(explored)
    scale = method.c * np.sqrt(np.float64(max(total, 1)))
    best, best_score = first, -UNTRIED
    for edge in range(first, first + count):
        if tree.told[edge]:
            continue
        tries, pending = tree.tries[edge], tree.pending[edge]
        visits = tries + pending
        q = (sign * tree.q[edge] * tries - pending) / visits if visits > 0 else urgency
        score = q + scale * tree.prior[edge] / (1 + visits)
        if score > best_score:
            best, best_score = edge, score
    return best


class Gumbel(NamedTuple):
    """Gumbel AlphaZero (Danihelka et al. 2022): at the root sequential halving over the moves with the best sum of
    Gumbel noise, logit and value; below it the move that keeps the visits nearest to the improved policy.
    """

    schedule: NDArray[np.int32]
    """[moves considered + 1, simulations]: how many visits the candidates of each simulation have; see `halving`."""
    visit_scale: float = 50.0
    value_scale: float = 0.1


@bare_kernel
def weigh(method, tree, node):
    """What the two facts shared by a node's edges are: the value that stands in for untried moves, from the mover's
    side, and the factor from values to logits (the paper's mixed value and sigma)."""
    first, count = tree.first[node], tree.width[node]
    sign = 1.0 if tree.mover[node] == 0 else -1.0
    total, most, tried, weighted = 0, 0, 0.0, 0.0
    for edge in range(first, first + count):
        tries = tree.tries[edge]
        total += tries
        most = max(most, tries)
        if tries > 0:
            tried += tree.prior[edge]
            weighted += tree.prior[edge] * sign * tree.q[edge]
    mixed = sign * tree.own[node, 0]
    if tried > 0.0:
        mixed = (mixed + total * weighted / tried) / (total + 1)
    return mixed, (method.visit_scale + most) * method.value_scale


@bare_kernel
def improved_logit(tree, edge, sign, mixed, scale):
    """The logit of a move in the improved policy, up to a constant."""
    q = sign * tree.q[edge] if tree.tries[edge] > 0 else mixed
    return np.log(max(tree.prior[edge], 1e-12)) + scale * 0.5 * (q + 1.0)


@rule(pick, Gumbel)
def gumbel_pick(method, tree, node, is_root):
    first, count = tree.first[node], tree.width[node]
    sign = 1.0 if tree.mover[node] == 0 else -1.0
    mixed, scale = weigh(method, tree, node)
    best, best_score = first, -UNTRIED
    if is_root:
        done = 0
        for edge in range(first, first + count):
            done += tree.tries[edge] + tree.pending[edge]
        considered = min(count, method.schedule.shape[0] - 1)
        wanted = method.schedule[considered, min(done, method.schedule.shape[1] - 1)]
        for edge in range(first, first + count):
            if tree.tries[edge] + tree.pending[edge] == wanted and not tree.told[edge]:
                score = tree.noise[edge] + improved_logit(tree, edge, sign, mixed, scale)
                if score > best_score:
                    best, best_score = edge, score
        if best_score > -UNTRIED:
            return best
    highest, total = -UNTRIED, 1
    for edge in range(first, first + count):
        highest = max(highest, improved_logit(tree, edge, sign, mixed, scale))
        total += tree.tries[edge] + tree.pending[edge]
    mass = 0.0
    for edge in range(first, first + count):
        mass += np.exp(improved_logit(tree, edge, sign, mixed, scale) - highest)
    for edge in range(first, first + count):
        if not tree.told[edge]:
            share = np.exp(improved_logit(tree, edge, sign, mixed, scale) - highest) / mass
            score = share - (tree.tries[edge] + tree.pending[edge]) / total
            if score > best_score:
                best, best_score = edge, score
    return best


@bare_kernel
def improved_policy(method, tree, node, policy):
    """Write the improved policy over actions: the softmax of logits plus completed and scaled values."""
    first, count = tree.first[node], tree.width[node]
    sign = 1.0 if tree.mover[node] == 0 else -1.0
    mixed, scale = weigh(method, tree, node)
    highest = -UNTRIED
    for edge in range(first, first + count):
        highest = max(highest, improved_logit(tree, edge, sign, mixed, scale))
    for action in range(policy.shape[0]):
        policy[action] = 0.0
    mass = 0.0
    for edge in range(first, first + count):
        share = np.exp(improved_logit(tree, edge, sign, mixed, scale) - highest)
        policy[tree.action[edge]] = share
        mass += share
    for action in range(policy.shape[0]):
        policy[action] /= mass


def halving(considered: int, simulations: int) -> NDArray[np.int32]:
    """The schedule of sequential halving, for every number of candidates up to `considered`.

    Entry [m, i] is the number of visits that a candidate must have to be visited in simulation i: each phase visits
    every remaining candidate equally often, then the better half remains.
    """
    table = np.zeros((considered + 1, max(simulations, 1)), np.int32)
    for moves in range(2, considered + 1):
        phases = int(np.ceil(np.log2(moves)))
        visits = [0] * moves
        row: list[int] = []
        left = moves
        while len(row) < simulations:
            for _ in range(max(1, simulations // (phases * left))):
                row += visits[:left]
                visits = [v + 1 if i < left else v for i, v in enumerate(visits)]
            left = max(2, left // 2)
        table[moves] = row[:simulations]
    table[1] = np.arange(max(simulations, 1))
    return table
