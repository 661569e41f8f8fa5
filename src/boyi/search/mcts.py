"""Monte-Carlo tree search as Python objects: `PlayoutSearch` with playouts, `BatchSearch` with an evaluator.

Both keep their trees between calls, can be called for any number of simulations, so that `boyi.search.clock` or a user
can stop them, and say what they found as a `Root`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.games.generics import CHANCE, has_rule, score
from boyi.games.randomness import generator
from boyi.search.evaluators import Evaluator
from boyi.search.playouts import Uniform
from boyi.search.selection import Gumbel, Puct, Uct, improved_policy
from boyi.search.simulate import (
    DONE,
    FULL,
    PROVEN,
    collect_all,
    fill_planes,
    find_child,
    plant,
    settle,
    simulate_playouts,
)
from boyi.search.tree import BYTES_PER_EDGE, BYTES_PER_NODE, CLOSED, Tree, enter_all, keep, make_tree

MAX_DEPTH = 512
UCT, PUCT, UNIFORM = Uct(), Puct(), Uniform()
State = NDArray[Any]


@dataclass(frozen=True)
class Root:
    """What a search knows of one root. Arrays are over its legal actions; values are player 0's."""

    value: float
    draw: float
    visits: int
    exact: bool
    mover: int
    actions: NDArray[np.int32]
    tries: NDArray[np.int32]
    values: NDArray[np.float64]
    """Player 0's value after each action; the root's own value where it was not tried."""
    priors: NDArray[np.float32]
    proven: NDArray[np.bool_]
    best: int
    """The action to play: a proven best one, or else the most visited."""

    @property
    def wdl(self) -> tuple[float, float, float]:
        """The probabilities that player 0 wins, draws and loses."""
        draw = min(max(self.draw, 0.0), 1.0 - abs(self.value))
        return (1 - draw + self.value) / 2, draw, (1 - draw - self.value) / 2


def read_root(tree: Tree, g: int = 0) -> Root:
    """The root of one tree as it stands."""
    root = int(tree.roots[g])
    edges = slice(int(tree.first[root]), int(tree.first[root] + tree.width[root]))
    child, tries = tree.child[edges], tree.tries[edges].copy()
    known = child >= 0
    proven = np.zeros(len(child), bool)
    proven[known] = tree.high[child[known]] - tree.low[child[known]] < CLOSED
    values = np.full(len(child), tree.value[root])
    values[known & (tries > 0)] = tree.value[child[known & (tries > 0)]]
    values[proven] = tree.low[child[proven]]
    mover = int(tree.mover[root])
    exact = bool(tree.high[root] - tree.low[root] < CLOSED)
    return Root(
        value=float(tree.low[root] if exact else tree.value[root]),
        draw=float(tree.draw[root]),
        visits=int(tree.visits[root]),
        exact=exact,
        mover=mover,
        actions=tree.action[edges].copy(),
        tries=tries,
        values=values,
        priors=tree.prior[edges].copy(),
        proven=proven,
        best=_best(tree, root, edges, values, proven, exact, mover),
    )


def _best(
    tree: Tree, root: int, edges: slice, values: NDArray[Any], proven: NDArray[Any], exact: bool, mover: int
) -> int:
    """The proven best action; or the most visited one, the better value deciding among equals, unless a proven one is
    better."""
    if edges.start == edges.stop:
        return -1
    sign = -1 if mover == 1 else 1
    own, tries = sign * values, tree.tries[edges]
    if exact and mover != CHANCE and (proven & (own >= sign * tree.low[root] - CLOSED)).any():
        rank = np.where(proven & (own >= sign * tree.low[root] - CLOSED), tries, -1)
    else:
        rank = np.where(proven, -1.0, tries + 0.499 * (own + 1) / 2)
        if proven.any() and (proven.all() or own[proven].max() > own[np.argmax(rank)]):
            rank = np.where(proven, own, -2.0)
    return int(tree.action[edges][np.argmax(rank)])


def principal_line(tree: Tree, node: int, length: int = 12) -> list[int]:
    """The actions of the most visited continuation below a node, up to the next roll."""
    actions: list[int] = []
    while node >= 0 and tree.width[node] and tree.mover[node] != CHANCE and len(actions) < length:
        edges = slice(int(tree.first[node]), int(tree.first[node] + tree.width[node]))
        edge = edges.start + int(np.argmax(tree.tries[edges]))
        if tree.tries[edge] == 0:
            break
        actions.append(int(tree.action[edge]))
        node = int(tree.child[edge])
    return actions


class PlayoutSearch:
    """UCT with playouts from one root, wholly inside a kernel. `rules` may wrap the game's own, as `Misere` does."""

    def __init__(
        self,
        game: Game,
        *,
        rules: Any = None,
        method: NamedTuple = UCT,
        policy: NamedTuple = UNIFORM,
        playouts: int = 1,
        memory_mb: float = 512.0,
        seed: int = 0,
    ) -> None:
        self.rules = game.rules if rules is None else rules
        self.method, self.policy, self.playouts = method, policy, playouts
        self.memory_mb = memory_mb
        self.rng = generator(seed)
        self.tree = make_tree(game.num_core, 1, 1024, 16_384)
        self.state: State | None = None
        self.full = False
        """Whether the tree has reached the memory limit: it no longer grows, but its values go on improving."""
        self.counts_margin = has_rule(score, type(game.rules))
        self._prepared = False
        self._margins = np.zeros(2)
        self._scratch = (
            np.stack([game.blank(), game.blank()]),
            np.zeros(game.num_actions, np.uint8),
            np.zeros(game.num_actions),
            np.zeros(MAX_DEPTH + 1, np.int64),
            np.zeros(MAX_DEPTH + 1, np.int64),
        )

    def prepare(self, state: State) -> None:
        """Have every kernel that a game needs compiled, which may take seconds, before a clock is started."""
        if self._prepared:
            return
        kept = self.tree, self.state, self.rng
        self.tree, self.rng = self._room(1024, 16_384), generator(0)
        self.set_root(state)
        self.run(2)
        enter_all(self.tree, 0)
        self.set_root(state, [])
        find_child(self.tree, int(self.tree.roots[0]), 0)
        self.tree, self.state, self.rng = kept
        self._prepared = True

    @property
    def margin(self) -> float | None:
        """The mean final score for player 0 of the playouts since `set_root`, where the game counts one."""
        return float(self._margins[0] / self._margins[1]) if self.counts_margin and self._margins[1] else None

    def set_root(self, state: State, actions: Sequence[int] | None = None) -> None:
        """Search a state next. If it is the old root after `actions`, what is known of it is kept."""
        node = -1
        if self.state is not None and actions is not None:
            node = int(self.tree.roots[0])
            for action in actions:
                node = int(find_child(self.tree, node, action)) if node >= 0 else -1
        if node >= 0 and not self.tree.width[node] and self.tree.high[node] - self.tree.low[node] < CLOSED:
            node = -1  # an oracle closed it before it had any moves
        if node >= 0:
            keep(self.tree, 0, node, self._room(int(self.tree.room[0]), int(self.tree.room[1])))
        else:
            plant(self.rules, self.tree, 0, state)
        self.state = state
        self.full = False
        self._margins[:] = 0

    def run(self, simulations: int) -> tuple[int, int]:
        """Make simulations; returns how many were made, and why it ended: DONE, PROVEN, or FULL where all were made but
        some without growing the tree."""
        made = 0
        while True:
            states, mask, chances, nodes, edges = self._scratch
            done, why = simulate_playouts(
                self.method,
                self.policy,
                self.rules,
                self.tree,
                self.state,
                states,
                mask,
                chances,
                nodes,
                edges,
                self.rng,
                self.playouts,
                self._margins,
                not self.full,
                simulations - made,
            )
            made += done
            if why != FULL:
                return made, FULL if self.full and why != PROVEN else why
            self.full = not self._grow()

    def _grow(self) -> bool:
        """Double the room, as far as the memory limit goes."""
        larger = doubled(self.tree, self.memory_mb)
        if larger is not None:
            self.tree = larger
        return larger is not None

    def _room(self, nodes: int, edges: int) -> Tree:
        return make_tree(self.tree.num_core, 1, nodes, edges)


def doubled(tree: Tree, memory_mb: float) -> Tree | None:
    """A single tree with twice the room, or None where that would exceed the memory."""
    nodes, edges = 2 * int(tree.room[0]), 2 * int(tree.room[1])
    if (nodes * BYTES_PER_NODE + edges * BYTES_PER_EDGE) * 1.5 > memory_mb * 1e6:
        return None
    larger = make_tree(tree.num_core, 1, nodes, edges)
    for name, old in tree._asdict().items():
        if name not in ("num_core", "room", "table"):
            getattr(larger, name)[: len(old)] = old
    enter_all(larger, 0)
    return larger


class BatchSearch:
    """Search with an evaluator: many roots at once, or one root with several leaves in flight, or both.

    `oracle` is asked for the exact value of each leaf (`known`) before the evaluator is.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        *,
        method: NamedTuple = PUCT,
        oracle: NamedTuple = UNIFORM,
        trees: int = 1,
        leaves: int = 1,
        nodes: int = 1024,
        edges: int | None = None,
        seed: int = 0,
    ) -> None:
        self.game, self.evaluator, self.method, self.oracle = game, evaluator, method, oracle
        self.leaves = leaves
        self.tree = make_tree(game.num_core, trees, nodes, edges or nodes * min(game.num_actions, 64))
        self.states: NDArray[Any] = np.zeros((trees, game.state_size), game.state_dtype)
        self.why = np.zeros(trees, np.int64)
        """How each tree's last simulations ended: DONE, FULL or PROVEN. A full tree makes no more."""
        self._spare: Tree | None = None
        self.random = np.random.default_rng(seed)
        slots = trees * leaves
        names = list(game.observers)
        self.view = names.index(evaluator.observer) if evaluator.observer is not None else 0
        planes = game.observers[names[self.view]] if evaluator.observer is not None else 0
        self.planes = np.zeros((slots, planes, *game.shape), np.float32) if planes else None
        self._slots: tuple[NDArray[Any], ...] = (
            np.zeros((slots, MAX_DEPTH + 1), np.int64),
            np.zeros((slots, MAX_DEPTH + 1), np.int64),
            np.zeros(slots, np.int64),
            np.zeros((slots, game.state_size), game.state_dtype),
        )
        self._scratch = (game.blank(), np.zeros(game.num_actions, np.uint8), np.zeros(game.num_actions))

    def set_root(self, g: int, state: State) -> None:
        """Start a tree anew."""
        self.states[g] = state
        self.why[g] = DONE
        plant(self.game.rules, self.tree, g, state)

    def advance(self, g: int, action: int, state: State) -> None:
        """Move a tree's root on by one action, keeping what is known below it."""
        child = int(find_child(self.tree, int(self.tree.roots[g]), action))
        self.states[g] = state
        self.why[g] = DONE
        if child >= 0:
            if self._spare is None:
                self._spare = make_tree(
                    self.tree.num_core, len(self.tree.roots), int(self.tree.room[0]), int(self.tree.room[1])
                )
            keep(self.tree, g, child, self._spare)
        else:
            plant(self.game.rules, self.tree, g, state)

    def grow(self, memory_mb: float) -> bool:
        """Double the room of the only tree, as far as the memory goes."""
        larger = doubled(self.tree, memory_mb)
        if larger is not None:
            self.tree, self._spare = larger, None
        return larger is not None

    def add_dirichlet(self, g: int, alpha: float, fraction: float) -> None:
        """Mix Dirichlet noise into the priors of an expanded root (document 001: 0.3, 25 %)."""
        edges = self._root_edges(g)
        noise = self.random.dirichlet([alpha] * (edges.stop - edges.start))
        self.tree.prior[edges] = (1 - fraction) * self.tree.prior[edges] + fraction * noise

    def add_gumbel(self, g: int) -> None:
        """Draw the Gumbel noise of an expanded root's moves."""
        edges = self._root_edges(g)
        self.tree.noise[edges] = self.random.gumbel(size=edges.stop - edges.start)

    def _root_edges(self, g: int) -> slice:
        root = int(self.tree.roots[g])
        return slice(int(self.tree.first[root]), int(self.tree.first[root] + self.tree.width[root]))

    def wave(self, wanted: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Descend every tree for up to `wanted[g]` leaves, evaluate all leaves in one batch, and back them up.

        Returns for each tree the simulations made and why it ended: DONE, FULL or PROVEN.
        """
        nodes, edges, depths, leaves = self._slots
        made, why = np.zeros(len(self.states), np.int64), self.why.copy()
        slot = collect_all(
            self.method,
            self.oracle,
            self.game.rules,
            self.tree,
            self.states,
            *self._scratch,
            nodes,
            edges,
            depths,
            leaves,
            np.minimum(wanted, self.leaves),
            made,
            why,
        )
        if slot:
            if self.planes is not None:
                fill_planes(self.game.rules, leaves, self.view, self.planes, slot)
            logits, wdl = self.evaluator(leaves[:slot], None if self.planes is None else self.planes[:slot])
            settle(self.tree, nodes, edges, depths, slot, logits, wdl)
        self.why = why
        return made, why

    def run(self, simulations: int) -> NDArray[np.int64]:
        """Make so many simulations in every tree that is not finished, proven or full; returns how many each made.

        `why` says which trees were full: more evaluations of the same positions would not change their values.
        """
        total = np.zeros(len(self.states), np.int64)
        left = np.full(len(self.states), simulations, np.int64)
        while (left > 0).any():
            made, why = self.wave(left)
            total += made
            left -= made
            left[(why == PROVEN) | (why == FULL) | (made == 0)] = 0
        return total

    def improved(self, g: int) -> NDArray[np.float64]:
        """The improved policy of a root over all actions (Gumbel's training target)."""
        policy = np.zeros(self.game.num_actions)
        method = self.method if isinstance(self.method, Gumbel) else Gumbel(np.zeros((1, 1), np.int32))
        improved_policy(method, self.tree, int(self.tree.roots[g]), policy)
        return policy
