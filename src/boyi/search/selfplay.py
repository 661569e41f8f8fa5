"""Self-play inside kernels: what happens to many games between two batches of evaluations. Start at `tend`.

Every tree of a `BatchSearch` belongs to a game in progress. After each wave `tend` looks at all of them: a root that
was just evaluated gets its exploration noise, a root whose search is finished is read, recorded and played on, dice are
rolled, and the next root is planted. No tree waits for another one, so a batch is as large as there are games.

What is recorded of a game is one row for each position that was searched, with its policy; and one without a policy for
each position that was passed through because the dice or a single legal move decided. Search evaluates such positions
too, so a net must know their values.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.games.generics import CHANCE, RUNNING, generic, legal, outcome, rule, sample, score, setup, step, turn
from boyi.games.kernels import BARE, bare_kernel, kernel
from boyi.games.randomness import below, uniform
from boyi.search.selection import Gumbel, Puct, improved_logit, improved_policy, weigh
from boyi.search.simulate import DONE, copy_row, plant
from boyi.search.tree import NONE, is_closed, keep

RESIGN_AFTER = 3
"""Hopeless decisions of one player in a row before a game is resigned."""
OPENING_TRIES = 100


class Habits(NamedTuple):
    """How games are played."""

    simulations: int
    """Of a full search, besides the evaluation of the root itself."""
    fast_simulations: int
    """Of a fast search, whose policy is not recorded (playout-cap randomisation, Wu 2019)."""
    full_share: float
    """The share of decisions that get a full search."""
    opening: int
    """At most so many random moves begin a game."""
    noise_alpha: float
    """Of the Dirichlet noise (PUCT)."""
    noise_share: float
    temperature: float
    """Of the choice by visits (PUCT), for the first `temperature_plies` moves; afterwards the most visited move."""
    temperature_plies: int
    resign: float
    """A player whose value stays below minus this resigns; 1 or more for never."""
    resign_share: float
    """The share of games in which resigning is allowed."""
    max_plies: int
    """A game that lasts longer is a draw."""
    reuse: bool
    """Whether the tree below a played move is kept and searched on (PUCT)."""


class Slots(NamedTuple):
    """G games in progress and what they recorded, with room for R rows each."""

    rng: NDArray[np.uint64]
    """[G, 1] each game's own random numbers."""
    live: NDArray[np.bool_]
    """[G] whether a game is being played."""
    left: NDArray[np.int64]
    """[G] simulations to make at this root."""
    stirred: NDArray[np.bool_]
    """[G] whether the root's noise was drawn."""
    full: NDArray[np.bool_]
    """[G] whether this search's policy will be recorded."""
    kept: NDArray[np.int64]
    """[G] the node that becomes the root, or NONE where the tree was planted anew."""
    plies: NDArray[np.int64]
    """[G] moves played, the opening included."""
    hopeless: NDArray[np.int64]
    """[G, 3] hopeless decisions of each player in a row; last, whether resigning is allowed."""
    result: NDArray[np.int8]
    """[G] RUNNING, or player 0's outcome of a game that ended in the last `tend`."""
    length: NDArray[np.int64]
    """[G] rows recorded; -1 where they were taken away or none was begun."""
    state: NDArray[np.int64]
    """[G, R, state_size], of the game's dtype."""
    policy: NDArray[np.float32]
    """[G, R, num_actions]"""
    value: NDArray[np.float32]
    """[G, R] player 0's value after search; of a row that was not searched, that of the next one that was."""
    draw: NDArray[np.float32]
    """[G, R] the probability of a draw, likewise."""
    mover: NDArray[np.int8]
    """[G, R] the player from whose side a net sees the row."""
    searched: NDArray[np.bool_]
    """[G, R] whether the row has a policy."""


def make_slots(game: Game, num_games: int, num_rows: int) -> Slots:
    """Room for so many games, none of them begun."""
    shape = (num_games, num_rows)
    return Slots(
        rng=np.ones((num_games, 1), np.uint64),
        live=np.zeros(num_games, np.bool_),
        left=np.zeros(num_games, np.int64),
        stirred=np.zeros(num_games, np.bool_),
        full=np.zeros(num_games, np.bool_),
        kept=np.full(num_games, NONE, np.int64),
        plies=np.zeros(num_games, np.int64),
        hopeless=np.zeros((num_games, 3), np.int64),
        result=np.full(num_games, RUNNING, np.int8),
        length=np.full(num_games, -1, np.int64),
        state=np.zeros((*shape, game.state_size), game.state_dtype),
        policy=np.zeros((*shape, game.num_actions), np.float32),
        value=np.zeros(shape, np.float32),
        draw=np.zeros(shape, np.float32),
        mover=np.zeros(shape, np.int8),
        searched=np.zeros(shape, np.bool_),
    )


@generic(options=BARE)
def stir(method, habits, tree, root, rng):
    """Draw the exploration noise of an evaluated root."""


@generic(options=BARE)
def decide(method, habits, tree, root, ply, rng, policy):
    """Write the policy target of a searched root over all actions, and return the edge to play."""


@rule(stir, Gumbel)
def gumbel_stir(method, habits, tree, root, rng):
    for edge in range(tree.first[root], tree.first[root] + tree.width[root]):
        tree.noise[edge] = -np.log(-np.log(uniform(rng) + 2.0**-33))


@rule(decide, Gumbel)
def gumbel_decide(method, habits, tree, root, ply, rng, policy):
    """Of the moves visited most, and of those proven, the one with the best sum of noise, logit and value."""
    improved_policy(method, tree, root, policy)
    first, end = tree.first[root], tree.first[root] + tree.width[root]
    sign = 1.0 if tree.mover[root] == 0 else -1.0
    mixed, scale = weigh(method, tree, root)
    most = 0
    for edge in range(first, end):
        most = max(most, tree.tries[edge])
    best, best_score = proven_best(tree, root), -np.inf
    if best >= 0:
        return best
    for edge in range(first, end):
        child = tree.child[edge]
        if tree.tries[edge] == most or (child >= 0 and is_closed(tree, child)):
            score = tree.noise[edge] + improved_logit(tree, edge, sign, mixed, scale)
            if score > best_score:
                best, best_score = edge, score
    return best


@bare_kernel
def proven_best(tree, root):
    """The most visited edge that reaches a proven root's value; NONE where the root is open."""
    best, most = np.int64(NONE), -1
    if is_closed(tree, root):
        for edge in range(tree.first[root], tree.first[root] + tree.width[root]):
            child = tree.child[edge]
            reached = child >= 0 and is_closed(tree, child) and abs(tree.low[child] - tree.low[root]) < 1e-6
            if reached and tree.tries[edge] > most:
                best, most = np.int64(edge), tree.tries[edge]
    return best


@bare_kernel
def normal(rng):
    """A normally distributed number (Box-Muller)."""
    return np.sqrt(-2.0 * np.log(uniform(rng) + 2.0**-33)) * np.cos(2.0 * np.pi * uniform(rng))


@bare_kernel
def gamma(rng, shape):
    """A gamma-distributed number (Marsaglia & Tsang 2000)."""
    boost = 1.0
    if shape < 1.0:
        boost = (uniform(rng) + 2.0**-33) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / np.sqrt(9.0 * d)
    while True:
        x = normal(rng)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and np.log(uniform(rng) + 2.0**-33) < 0.5 * x * x + d - d * v + d * np.log(v):
            return boost * d * v


@rule(stir, Puct)
def puct_stir(method, habits, tree, root, rng):
    """Mix Dirichlet noise into the priors (AlphaZero; document 001: alpha 0.3, share 0.25)."""
    first, end = tree.first[root], tree.first[root] + tree.width[root]
    total = 1e-30
    for edge in range(first, end):
        tree.noise[edge] = gamma(rng, habits.noise_alpha)
        total += tree.noise[edge]
    for edge in range(first, end):
        mixed = (1.0 - habits.noise_share) * tree.prior[edge] + habits.noise_share * tree.noise[edge] / total
        tree.prior[edge] = mixed
        tree.noise[edge] = 0.0


@rule(decide, Puct)
def puct_decide(method, habits, tree, root, ply, rng, policy):
    """By visits: in proportion to a power of them at first, then the most; a proven best move at once."""
    first, end = tree.first[root], tree.first[root] + tree.width[root]
    for action in range(policy.shape[0]):
        policy[action] = 0.0
    best = proven_best(tree, root)
    if best >= 0:
        policy[tree.action[best]] = 1.0
        return best
    total, most = 0, 0
    for edge in range(first, end):
        total += tree.tries[edge]
        most = max(most, tree.tries[edge])
    mass = 0.0
    power = 1.0 / max(habits.temperature, 1e-3)
    for edge in range(first, end):
        policy[tree.action[edge]] = tree.tries[edge] / total if total > 0 else tree.prior[edge]
        mass += (tree.tries[edge] / max(most, 1)) ** power
    if ply < habits.temperature_plies and habits.temperature > 0.0 and total > 0:
        left = uniform(rng) * mass
        for edge in range(first, end):
            left -= (tree.tries[edge] / most) ** power
            if left < 0.0:
                return np.int64(edge)
    best = np.int64(first)
    for edge in range(first, end):
        if tree.tries[edge] > tree.tries[best]:
            best = np.int64(edge)
    return best


@kernel
def begin(rules, habits, tree, slots, g, states, mask, scratch):
    """Start a game: a random set-up where there is a choice, some random moves, and on to the first decision.

    False where the game was over by then, however often it was tried.
    """
    rng, state = slots.rng[g], states[g]
    slots.hopeless[g, 0] = 0
    slots.hopeless[g, 1] = 0
    slots.hopeless[g, 2] = habits.resign < 1.0 and uniform(rng) < habits.resign_share
    plies = below(rng, habits.opening + 1)
    for _ in range(OPENING_TRIES):
        setup(rules, state, rng)
        slots.length[g] = 0
        slots.plies[g] = 0
        while slots.plies[g] < plies and outcome(rules, state) == RUNNING:
            slots.plies[g] += turn(rules, state) != CHANCE
            step(rules, state, sample(rules, state, mask, rng))
        pass_through(rules, slots, g, state, mask, scratch)
        if slots.result[g] == RUNNING:
            take_root(rules, habits, tree, slots, g, state)
            slots.live[g] = True
            return True
    return False


@kernel
def take_root(rules, habits, tree, slots, g, state):
    """Plant a tree at a game's state and say how long to search."""
    plant(rules, tree, g, state)
    slots.kept[g] = NONE
    slots.stirred[g] = False
    slots.full[g] = habits.full_share >= 1.0 or uniform(slots.rng[g]) < habits.full_share
    slots.left[g] = 1 + (habits.simulations if slots.full[g] else habits.fast_simulations)


@kernel
def record(slots, g, state, mover, value, draw, searched):
    """Add a row to a game's record, where there is room; its policy is written by the caller."""
    row = slots.length[g]
    if row < slots.value.shape[1]:
        copy_row(state, slots.state[g, row])
        slots.mover[g, row] = mover
        slots.value[g, row] = value
        slots.draw[g, row] = draw
        slots.searched[g, row] = searched
        slots.length[g] = row + 1


@kernel
def pass_through(rules, slots, g, state, mask, scratch):
    """Let dice and single legal moves happen until a player has a choice, or the game is over."""
    while True:
        slots.result[g] = outcome(rules, state)
        if slots.result[g] != RUNNING:
            return
        mover = turn(rules, state)
        if mover != CHANCE and legal(rules, state, mask) > 1:
            return
        action = sample(rules, state, mask, slots.rng[g])
        if mover == CHANCE:
            copy_row(state, scratch)
            step(rules, scratch, action)
            mover = turn(rules, scratch)
        row = slots.length[g]
        record(slots, g, state, mover, np.nan, np.nan, False)
        if row < slots.value.shape[1]:
            for entry in range(slots.policy.shape[2]):
                slots.policy[g, row, entry] = 0.0
        slots.plies[g] += turn(rules, state) != CHANCE
        step(rules, state, action)


@kernel
def complete_values(slots, g, value, draw):
    """Give the rows that were passed through since the last search the value found after them."""
    row = slots.length[g] - 1
    while row >= 0 and np.isnan(slots.value[g, row]):
        slots.value[g, row] = value
        slots.draw[g, row] = draw
        row -= 1


@kernel
def tend(method, rules, habits, tree, slots, states, made, why, mask, scratch):
    """Bring every live game on after a wave that made[g] simulations and ended with why[g]; returns how many ended.

    The result of an ended game is in `slots.result`; its rows stay until `begin`. Where `slots.kept[g]` is not NONE the
    caller moves the tree's root there with `keep_roots`. The largest number of rows that a game may add is those passed
    through before its next decision, and one.
    """
    ended = 0
    for g in range(states.shape[0]):
        if not slots.live[g]:
            continue
        root = np.int64(tree.roots[g])
        if not slots.stirred[g] and tree.visits[root] > 0:
            stir(method, habits, tree, root, slots.rng[g])
            slots.stirred[g] = True
        slots.left[g] -= made[g]
        if slots.left[g] > 0 and why[g] == DONE and made[g] > 0:
            continue
        mover = np.int64(tree.mover[root])
        sign = 1.0 if mover == 0 else -1.0
        value = tree.low[root] if is_closed(tree, root) else tree.value[root]
        row = min(slots.length[g], slots.value.shape[1] - 1)
        edge = decide(method, habits, tree, root, slots.plies[g], slots.rng[g], slots.policy[g, row])
        complete_values(slots, g, value, tree.draw[root])
        if slots.full[g]:
            record(slots, g, states[g], mover, value, tree.draw[root], True)
        slots.hopeless[g, mover] = slots.hopeless[g, mover] + 1 if sign * value < -habits.resign else 0
        if slots.hopeless[g, 2] and slots.hopeless[g, mover] >= RESIGN_AFTER:
            slots.result[g] = -sign
        elif slots.plies[g] + 1 >= habits.max_plies:
            slots.result[g] = 0
        else:
            step(rules, states[g], tree.action[edge])
            slots.plies[g] += 1
            child = np.int64(tree.child[edge])
            before = slots.plies[g]
            rows = slots.length[g]
            pass_through(rules, slots, g, states[g], mask, scratch)
            if slots.result[g] == RUNNING:
                follow = habits.reuse and slots.plies[g] == before and slots.length[g] == rows
                if follow and child >= 0 and tree.width[child] > 0:
                    slots.kept[g] = child
                    slots.stirred[g] = False
                    slots.full[g] = habits.full_share >= 1.0 or uniform(slots.rng[g]) < habits.full_share
                    slots.left[g] = habits.simulations if slots.full[g] else habits.fast_simulations
                else:
                    take_root(rules, habits, tree, slots, g, states[g])
        if slots.result[g] != RUNNING:
            complete_values(slots, g, slots.result[g], 1.0 if slots.result[g] == 0 else 0.0)
            slots.live[g] = False
            slots.left[g] = 0
            ended += 1
    return ended


@kernel
def keep_roots(tree, slots, spare):
    """Move the roots of the trees that are kept, and draw their noise with the next wave."""
    for g in range(slots.kept.shape[0]):
        if slots.kept[g] != NONE:
            keep(tree, g, slots.kept[g], spare)
            slots.kept[g] = NONE


def grow(slots: Slots, num_rows: int) -> Slots:
    """The same games with room for more rows."""
    larger = {}
    for name, old in slots._asdict().items():
        if name in ("state", "policy", "value", "draw", "mover", "searched"):
            array = np.zeros((old.shape[0], num_rows, *old.shape[2:]), old.dtype)
            array[:, : old.shape[1]] = old
            larger[name] = array
    return slots._replace(**larger)


@kernel
def legal_masks(rules, states, masks):
    """Set masks [B, num_actions] to the legal actions of states [B, state_size]; none where chance decides."""
    for row in range(states.shape[0]):
        for action in range(masks.shape[1]):
            masks[row, action] = 0
        if outcome(rules, states[row]) == RUNNING and turn(rules, states[row]) != CHANCE:
            legal(rules, states[row], masks[row])


@kernel
def final_scores(rules, states, scores):
    """The margins for player 0 of finished states [M, state_size]; not a number where the game was left."""
    for row in range(states.shape[0]):
        scores[row] = score(rules, states[row]) if outcome(rules, states[row]) != RUNNING else np.nan


@kernel
def longest_runs(stones, marked):
    """Mark the squares of the longest straight runs of stones [H, W]: in a finished line game, the winning line."""
    height, width = stones.shape
    longest = 2
    for sweep in range(2):
        for row in range(height):
            for column in range(width):
                for direction in range(4):
                    down = 1 if direction != 0 else 0
                    right = 1 if direction < 2 else 0 if direction == 2 else -1
                    before, aside = row - down, column - right
                    inside = before >= 0 and 0 <= aside < width
                    if not stones[row, column] or (inside and stones[before, aside]):
                        continue
                    length = 0
                    y, x = row, column
                    while y < height and 0 <= x < width and stones[y, x]:
                        length += 1
                        y += down
                        x += right
                    if sweep == 0:
                        longest = max(longest, length)
                    elif length == longest:
                        for at in range(length):
                            marked[row + at * down, column + at * right] = 1
