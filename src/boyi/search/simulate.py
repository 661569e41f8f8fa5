"""Descending a tree and evaluating leaves, by playouts inside the kernel or in batches for an evaluator outside."""

import numpy as np

from boyi.games.generics import CHANCE, legal, observe, score, step
from boyi.games.kernels import bare_kernel, kernel
from boyi.search.evaluation import known
from boyi.search.playouts import playout
from boyi.search.selection import pick, pick_outcome, prime
from boyi.search.tree import (
    NONE,
    OVER,
    backup,
    clear,
    evaluate_again,
    evaluate_leaf,
    expand,
    has_room,
    is_closed,
    node_of,
    shuffle_edges,
)

DONE, FULL, PROVEN = 0, 1, 2
"""How a slice of a search ended: all simulations made, no room to grow, the root's value proven."""


@bare_kernel
def copy_row(source, target):
    """A loop, because assigning to a slice compiles ten times slower and runs slower on short rows."""
    for entry in range(source.shape[0]):
        target[entry] = source[entry]


@bare_kernel
def follow(method, tree, node, is_root):
    """The edge that a descent takes from an expanded node."""
    return pick_outcome(tree, node) if tree.mover[node] == CHANCE else pick(method, tree, node, is_root)


@bare_kernel
def plant(rules, tree, g, state):
    """Start a tree anew at a state."""
    clear(tree, g)
    tree.roots[g] = node_of(rules, tree, g, state)


@bare_kernel
def simulate_playouts(
    method, policy, rules, tree, root_state, states, mask, chances, nodes, edges, rng, playouts, margins, growing, count
):
    """Up to `count` simulations from the root of the first tree, each ending in some playouts.

    A node is expanded when it is visited for the second time. Where there is no room for that, it ends as FULL; with
    `growing` off it plays on from the deepest node there is. `margins` [2] gathers the sum and the number of final
    scores. `states` [2, state_size], `mask` and `chances` [num_actions], `nodes` and `edges` [max depth + 1] are
    scratch space. Returns how many were made, and how it ended.
    """
    root = np.int64(tree.roots[0])
    deepest = edges.shape[0] - 1
    state, final = states[0], states[1]
    for done in range(count):
        if is_closed(tree, root):
            return done, PROVEN
        copy_row(root_state, state)
        node = root
        depth = 0
        nodes[0] = node
        while tree.mover[node] != OVER and tree.visits[node] > 0 and depth < deepest and not is_closed(tree, node):
            if tree.width[node] == 0:
                if not expand(rules, tree, 0, node, state, mask, chances):
                    if growing:
                        return done, FULL
                    break
                if tree.mover[node] != CHANCE:
                    shuffle_edges(tree, node, rng)
                    prime(method, rules, tree, node, state, final)
            edge = follow(method, tree, node, depth == 0)
            if tree.child[edge] < 0 and not has_room(tree, 0, 0):
                if growing:
                    return done, FULL
                break
            step(rules, state, tree.action[edge])
            if tree.child[edge] < 0:
                tree.child[edge] = node_of(rules, tree, 0, state)
            edges[depth] = edge
            depth += 1
            node = np.int64(tree.child[edge])
            nodes[depth] = node
        total, draws = 0, 0
        if depth > 0 and not is_closed(tree, node):  # the root stays open, because its moves are wanted
            exact = known(policy, rules, state)
            if not np.isnan(exact):
                tree.low[node] = tree.high[node] = exact
        if not is_closed(tree, node):
            for _ in range(playouts):
                copy_row(state, final)
                result = playout(policy, rules, final, mask, rng)
                total += result
                draws += result == 0
                margins[0] += score(rules, final)
                margins[1] += 1.0
        elif tree.mover[node] == OVER:
            margins[0] += score(rules, state) * playouts
            margins[1] += playouts
        if tree.width[node] == 0 or is_closed(tree, node):
            evaluate_leaf(tree, node, total / playouts, draws / playouts)
        else:
            evaluate_again(tree, node, total / playouts, draws / playouts)
        backup(tree, nodes, edges, depth)
    return count, DONE


@bare_kernel
def collect(
    method, oracle, rules, tree, g, root_state, state, mask, chances, nodes, edges, depths, leaves, slot, wanted
):
    """Descend one tree until `wanted` leaves wait for an evaluation, writing them to the slots from `slot` on.

    Leaves that are finished, proven, or `known` to the oracle are backed up at once and cost a simulation, not a slot.
    `nodes` and `edges`
    [slots, max depth + 1], `depths` [slots] and `leaves` [slots, state_size] describe the waiting descents; each adds a
    virtual loss to its edges. Returns slots filled, simulations completed at once, and how it ended (DONE also where
    a descent met a leaf that is already waiting).
    """
    root = np.int64(tree.roots[g])
    deepest = edges.shape[1] - 1
    filled = completed = 0
    while filled < wanted:
        if is_closed(tree, root):
            return filled, completed, PROVEN
        if completed >= wanted:
            return filled, completed, DONE
        at = slot + filled
        copy_row(root_state, state)
        node = root
        depth = 0
        nodes[at, 0] = node
        blocked = False
        while tree.width[node] > 0 and not is_closed(tree, node) and depth < deepest:
            edge = follow(method, tree, node, depth == 0)
            if tree.child[edge] < 0 and not has_room(tree, g, 0):
                return filled, completed, FULL
            step(rules, state, tree.action[edge])
            if tree.child[edge] < 0:
                tree.child[edge] = node_of(rules, tree, g, state)
            if tree.visits[tree.child[edge]] == 0 and tree.width[tree.child[edge]] > 0:
                blocked = True  # this leaf is waiting for its evaluation
                break
            edges[at, depth] = edge
            depth += 1
            node = np.int64(tree.child[edge])
            nodes[at, depth] = node
        if blocked:
            return filled, completed, DONE
        if depth > 0 and not is_closed(tree, node):  # the root stays open, because its moves are wanted
            exact = known(oracle, rules, state)
            if not np.isnan(exact):
                tree.low[node] = tree.high[node] = exact
        if is_closed(tree, node):
            evaluate_leaf(tree, node, 0.0, 0.0)
            backup(tree, nodes[at], edges[at], depth)
            completed += 1
            continue
        if not has_room(tree, g, legal(rules, state, mask)):
            return filled, completed, FULL
        expand(rules, tree, g, node, state, mask, chances)
        for level in range(depth):
            tree.pending[edges[at, level]] += 1
        depths[at] = depth
        copy_row(state, leaves[at])
        filled += 1
        if depth == 0:
            return filled, completed, DONE
    return filled, completed, DONE


@bare_kernel
def collect_all(
    method, oracle, rules, tree, states, state, mask, chances, nodes, edges, depths, leaves, wanted, made, why
):
    """`collect` for every tree: up to wanted[g] leaves of tree g, whose root state is states[g].

    Fills made[g] with the simulations made or waiting and, where any are wanted, why[g] with how it ended; returns the
    slots filled.
    """
    slot = 0
    for g in range(states.shape[0]):
        made[g] = 0
        if wanted[g] > 0:
            filled, completed, why[g] = collect(
                method,
                oracle,
                rules,
                tree,
                g,
                states[g],
                state,
                mask,
                chances,
                nodes,
                edges,
                depths,
                leaves,
                slot,
                wanted[g],
            )
            slot += filled
            made[g] = filled + completed
    return slot


@bare_kernel
def settle(tree, nodes, edges, depths, count, logits, wdl):
    """Enter the evaluations of the first `count` waiting leaves and back them up.

    logits [slots, num_actions], wdl [slots, 3] as the mover's probabilities of winning, drawing and losing. At a leaf
    where chance decides the evaluation is player 0's.
    """
    for slot in range(count):
        depth = depths[slot]
        leaf = np.int64(nodes[slot, depth])
        sign = -1.0 if tree.mover[leaf] == 1 else 1.0
        if tree.mover[leaf] != CHANCE:
            set_priors(tree, leaf, logits[slot])
        evaluate_leaf(
            tree, leaf, sign * (np.float64(wdl[slot, 0]) - np.float64(wdl[slot, 2])), np.float64(wdl[slot, 1])
        )
        for level in range(depth):
            tree.pending[edges[slot, level]] -= 1
        backup(tree, nodes[slot], edges[slot], depth)


@bare_kernel
def set_priors(tree, node, logits):
    """The softmax of the legal moves' logits, as priors."""
    first, end = tree.first[node], tree.first[node] + tree.width[node]
    highest = -np.inf
    for edge in range(first, end):
        highest = max(highest, np.float64(logits[tree.action[edge]]))
    mass = 0.0
    for edge in range(first, end):
        share = np.exp(np.float64(logits[tree.action[edge]]) - highest)
        tree.prior[edge] = share
        mass += share
    for edge in range(first, end):
        tree.prior[edge] /= mass


@kernel
def fill_planes(rules, leaves, view, planes, count):
    """Observe the first `count` leaves [slots, state_size] into planes [slots, C, H, W]."""
    planes[:count] = 0.0
    for slot in range(count):
        observe(rules, leaves[slot], view, planes[slot])


@bare_kernel
def find_child(tree, node, action):
    """The child that an action leads to, or NONE."""
    for edge in range(tree.first[node], tree.first[node] + tree.width[node]):
        if tree.action[edge] == action:
            return np.int64(tree.child[edge])
    return np.int64(NONE)
