"""The one tree layout of every tree search, and what happens in it: growing, backing up, proving, keeping a part.

A `Tree` holds several trees side by side, each in its own stretch of the same arrays, so that one call searches many
roots. A position that can be reached in several ways is one node (Childs, Brodeur & Kocsis 2008), found by a hash of
its state: an EinStein endgame of four stones has some thousand positions but millions of lines. Edges lie in a pool:
memory follows legal moves, not the action space. States are not kept: a descent replays its moves from the root, which
costs less than fetching a row of a large board from memory.

Values are player 0's, from -1 to 1. The value of a node is the mean of its own evaluation and its children's values,
weighted by the square of their visits, so that the few visits which selection spends on exploring bad moves hardly
count and errors do not add up over many plies. At a chance decision it is the exact expectation, with the node's own
evaluation standing in for outcomes not yet visited. `low` and `high` bound the value by what is proven (score-bounded
search: Cazenave & Saffidine 2010; the special case of wins and losses is Winands' MCTS-solver, 2008).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.generics import CHANCE, RUNNING, chance, legal, outcome, turn
from boyi.games.kernels import bare_kernel, kernel
from boyi.games.randomness import below
from boyi.search.hashing import fingerprint

OVER = 2
"""The `mover` of a node where the game is finished."""
NONE = -1
CLOSED = 1e-9
"""Bounds nearer than this are one proven value."""


class Tree(NamedTuple):
    """Arrays of G trees with room for N nodes, E edges and T table entries in all, in equal stretches."""

    num_core: int
    """How many leading entries of a state decide its future."""
    room: NDArray[np.int64]
    """[3] nodes, edges and table entries of one tree's stretch."""
    roots: NDArray[np.int32]
    """[G] the root of each tree."""
    used: NDArray[np.int64]
    """[G, 2] nodes and edges in use, counted from the start of the tree's stretch."""
    table: NDArray[np.int32]
    """[T] nodes by hash, or NONE; open addressing, a power of two for each tree."""
    key: NDArray[np.uint64]
    """[N] the hash of a node's state."""
    mover: NDArray[np.int8]
    """[N] who decides: 0, 1, CHANCE, or OVER."""
    first: NDArray[np.int32]
    """[N] a node's first edge."""
    width: NDArray[np.int32]
    """[N] how many edges it has; 0 before it is expanded."""
    visits: NDArray[np.int32]
    """[N] evaluations at the node and below."""
    value: NDArray[np.float64]
    """[N]"""
    total: NDArray[np.float64]
    """[N, 2] at a decision: the weighted sum whose mean is the value, and the weights' sum."""
    draw: NDArray[np.float64]
    """[N] the probability of a draw, estimated as the value is."""
    own: NDArray[np.float64]
    """[N, 2] value and draw probability that the node's own evaluation gave."""
    low: NDArray[np.float64]
    """[N] proven lower bound of the value."""
    high: NDArray[np.float64]
    """[N] proven upper bound."""
    action: NDArray[np.int32]
    """[E]"""
    child: NDArray[np.int32]
    """[E] the node an edge leads to, or NONE."""
    prior: NDArray[np.float32]
    """[E] the policy's probability; at a chance decision the outcome's."""
    tries: NDArray[np.int32]
    """[E] visits through the edge."""
    pending: NDArray[np.int32]
    """[E] descents through the edge whose leaf is not evaluated yet: virtual losses."""
    q: NDArray[np.float32]
    """[E] the child's value, kept here for the selection loop."""
    told: NDArray[np.bool_]
    """[E] whether the parent's bounds already reckon with the child's proven value."""
    noise: NDArray[np.float32]
    """[E] Gumbel noise of root edges."""


BYTES_PER_NODE = 4 * 4 + 8 + 1 + 4 + 4 + 4 + 8 * 8
BYTES_PER_EDGE = 4 * 7 + 1


def make_tree(num_core: int, trees: int, nodes: int, edges: int) -> Tree:
    """Empty trees with room for so many nodes and edges each."""
    n, e = trees * nodes, trees * edges
    slots = 2 ** (2 * nodes - 1).bit_length()
    return Tree(
        num_core=num_core,
        room=np.array([nodes, edges, slots]),
        roots=np.full(trees, NONE, np.int32),
        used=np.zeros((trees, 2), np.int64),
        table=np.full(trees * slots, NONE, np.int32),
        key=np.zeros(n, np.uint64),
        mover=np.zeros(n, np.int8),
        first=np.zeros(n, np.int32),
        width=np.zeros(n, np.int32),
        visits=np.zeros(n, np.int32),
        value=np.zeros(n),
        total=np.zeros((n, 2)),
        draw=np.zeros(n),
        own=np.zeros((n, 2)),
        low=np.zeros(n),
        high=np.zeros(n),
        action=np.zeros(e, np.int32),
        child=np.zeros(e, np.int32),
        prior=np.zeros(e, np.float32),
        tries=np.zeros(e, np.int32),
        pending=np.zeros(e, np.int32),
        q=np.zeros(e, np.float32),
        told=np.zeros(e, np.bool_),
        noise=np.zeros(e, np.float32),
    )


@bare_kernel
def has_room(tree, g, edges):
    """Whether one more node and so many more edges fit into a tree."""
    return tree.used[g, 0] < tree.room[0] and tree.used[g, 1] + edges <= tree.room[1]


@bare_kernel
def find_slot(tree, g, key):
    """The table entry that holds the node of a hash, or the free one where it belongs."""
    size = tree.room[2]
    slot = np.int64(key & np.uint64(size - 1))
    while True:
        node = tree.table[g * size + slot]
        if node < 0 or tree.key[node] == key:
            return g * size + slot
        slot = (slot + 1) & (size - 1)


@kernel
def clear(tree, g):
    """Forget all nodes of a tree."""
    size = tree.room[2]
    tree.table[g * size : (g + 1) * size] = NONE
    tree.used[g, 0] = 0
    tree.used[g, 1] = 0


@kernel
def enter_all(tree, g):
    """Fill the table of a tree from its nodes."""
    for node in range(g * tree.room[0], g * tree.room[0] + tree.used[g, 0]):
        tree.table[find_slot(tree, g, tree.key[node])] = node


@bare_kernel
def node_of(rules, tree, g, state):
    """The node of a state, made if there is none; there must be room. A finished game is proven."""
    key, _ = fingerprint(state, tree.num_core)
    slot = find_slot(tree, g, key)
    if tree.table[slot] >= 0:
        return np.int64(tree.table[slot])
    node = np.int64(g * tree.room[0] + tree.used[g, 0])
    tree.used[g, 0] += 1
    tree.table[slot] = node
    tree.key[node] = key
    result = outcome(rules, state)
    tree.mover[node] = OVER if result != RUNNING else turn(rules, state)
    tree.first[node] = 0
    tree.width[node] = 0
    tree.visits[node] = 0
    tree.value[node] = 0.0
    tree.draw[node] = 0.0
    tree.total[node, 0] = 0.0
    tree.total[node, 1] = 0.0
    tree.own[node, 0] = 0.0
    tree.own[node, 1] = 0.0
    tree.low[node] = result if result != RUNNING else -1.0
    tree.high[node] = result if result != RUNNING else 1.0
    return node


@bare_kernel
def expand(rules, tree, g, node, state, mask, chances):
    """Give a node its edges, with equal priors or the chance outcomes' probabilities; False where room is short.

    `mask` [num_actions] and `chances` [num_actions] are scratch space.
    """
    count = legal(rules, state, mask)
    if not has_room(tree, g, count):
        return False
    first = g * tree.room[1] + tree.used[g, 1]
    tree.used[g, 1] += count
    tree.first[node] = first
    tree.width[node] = count
    rolled = tree.mover[node] == CHANCE
    if rolled:
        for outcome_number in range(chances.shape[0]):
            chances[outcome_number] = 0.0
        chance(rules, state, chances)
    edge = first
    for action in range(mask.shape[0]):
        if mask[action]:
            tree.action[edge] = action
            tree.child[edge] = NONE
            tree.prior[edge] = chances[action] if rolled else 1.0 / count
            tree.tries[edge] = 0
            tree.pending[edge] = 0
            tree.q[edge] = 0.0
            tree.told[edge] = False
            tree.noise[edge] = 0.0
            edge += 1
    return True


@bare_kernel
def shuffle_edges(tree, node, rng):
    """Put a fresh node's edges into random order, so that a search too short to try all of them is fair."""
    first = tree.first[node]
    for last in range(tree.width[node] - 1, 0, -1):
        other = first + below(rng, last + 1)
        action = tree.action[first + last]
        tree.action[first + last] = tree.action[other]
        tree.action[other] = action


@bare_kernel
def is_closed(tree, node):
    """Whether a node's value is proven."""
    return tree.high[node] - tree.low[node] < CLOSED


@bare_kernel
def evaluate_leaf(tree, leaf, value, draw):
    """Enter an evaluation at a leaf; a proven value stands."""
    visits = tree.visits[leaf]
    if is_closed(tree, leaf):
        value = tree.low[leaf]
        draw = 1.0 if tree.mover[leaf] == OVER and value == 0.0 else tree.draw[leaf]
    else:
        value = tree.value[leaf] + (value - tree.value[leaf]) / (visits + 1)
        draw = tree.draw[leaf] + (draw - tree.draw[leaf]) / (visits + 1)
    tree.visits[leaf] = visits + 1
    tree.value[leaf] = value
    tree.draw[leaf] = draw
    tree.total[leaf, 0] = value
    tree.total[leaf, 1] = 1.0
    tree.own[leaf, 0] = value
    tree.own[leaf, 1] = draw


@bare_kernel
def evaluate_again(tree, node, value, draw):
    """Enter one more evaluation at an expanded node beside what its children say, where the tree cannot grow."""
    visits = tree.visits[node]
    tree.visits[node] = visits + 1
    if tree.mover[node] == CHANCE:
        before = visits
        for edge in range(tree.first[node], tree.first[node] + tree.width[node]):
            before -= tree.tries[edge]
        share = 1.0 / (max(before, 0) + 1)
        tree.own[node, 0] += (value - tree.own[node, 0]) * share
        tree.own[node, 1] += (draw - tree.own[node, 1]) * share
        expect(tree, node)
    else:
        tree.total[node, 0] += value
        tree.total[node, 1] += 1.0
        tree.value[node] = tree.total[node, 0] / tree.total[node, 1]
        tree.draw[node] += (draw - tree.draw[node]) / tree.total[node, 1]
    tree.value[node] = min(max(tree.value[node], tree.low[node]), tree.high[node])


@bare_kernel
def backup(tree, nodes, edges, depth):
    """Carry the value of the leaf nodes[depth] up to the root, along nodes[d] -> edges[d] -> nodes[d + 1]."""
    moved = False
    for level in range(depth - 1, -1, -1):
        node, edge, child = nodes[level], edges[level], nodes[level + 1]
        tries, visits = tree.tries[edge], tree.visits[node]
        tree.tries[edge] = tries + 1
        tree.visits[node] = visits + 1
        before = tree.q[edge]
        tree.q[edge] = tree.value[child]
        if tree.mover[node] == CHANCE:
            expect(tree, node)
        else:
            weight, less = np.float64(tries + 1) ** 2, np.float64(tries) ** 2
            tree.total[node, 0] += weight * np.float64(tree.q[edge]) - less * np.float64(before)
            tree.total[node, 1] += weight - less
            share = 1.0 / tree.total[node, 1]
            tree.value[node] = tree.total[node, 0] * share
            tree.draw[node] += (tree.draw[child] - tree.draw[node]) * (weight - less) * share
        closed = is_closed(tree, child)
        moved = (moved or closed) and not tree.told[edge] and tighten(tree, node)
        tree.told[edge] = closed
        tree.value[node] = min(max(tree.value[node], tree.low[node]), tree.high[node])


@bare_kernel
def expect(tree, node):
    """The exact expectation over a chance decision's outcomes."""
    value, draw, rest = 0.0, 0.0, 1.0
    for edge in range(tree.first[node], tree.first[node] + tree.width[node]):
        if tree.tries[edge] > 0:
            value += tree.prior[edge] * np.float64(tree.value[tree.child[edge]])
            draw += tree.prior[edge] * np.float64(tree.draw[tree.child[edge]])
            rest -= tree.prior[edge]
    rest = max(rest, 0.0)
    tree.value[node] = value + rest * tree.own[node, 0]
    tree.draw[node] = draw + rest * tree.own[node, 1]


@bare_kernel
def tighten(tree, node):
    """Derive a node's bounds from its children's; whether they moved."""
    rolled = tree.mover[node] == CHANCE
    sign = -1.0 if tree.mover[node] == 1 else 1.0
    low, high = (0.0, 0.0) if rolled else (-1.0, -1.0)
    best = NONE
    for edge in range(tree.first[node], tree.first[node] + tree.width[node]):
        child = tree.child[edge]
        child_low = tree.low[child] if child >= 0 else -1.0
        child_high = tree.high[child] if child >= 0 else 1.0
        if rolled:
            low += tree.prior[edge] * child_low
            high += tree.prior[edge] * child_high
        else:
            own_low = child_low if sign > 0 else -child_high
            own_high = child_high if sign > 0 else -child_low
            if child >= 0 and (best < 0 or own_low > low):
                best = child
            low = max(low, own_low)
            high = max(high, own_high)
    if not rolled and sign < 0:
        low, high = -high, -low
    moved = low > tree.low[node] + CLOSED or high < tree.high[node] - CLOSED
    tree.low[node] = max(low, tree.low[node])
    tree.high[node] = min(high, tree.high[node])
    if best >= 0 and is_closed(tree, node):
        tree.draw[node] = tree.draw[best]
    return moved


@kernel
def keep(tree, g, node, spare):
    """Make a node of a tree its root and drop everything that is not below it.

    `spare` is a tree of the same room, overwritten. Nodes are copied breadth first.
    """
    base, edge_base = g * tree.room[0], g * tree.room[1]
    queue = np.empty(tree.used[g, 0], np.int64)
    became = np.full(tree.used[g, 0], NONE, np.int64)
    queue[0] = node
    became[node - base] = base
    done, found, edges = 0, 1, 0
    while done < found:
        old = queue[done]
        new = base + done
        spare.key[new] = tree.key[old]
        spare.mover[new] = tree.mover[old]
        spare.first[new] = edge_base + edges
        spare.width[new] = tree.width[old]
        spare.visits[new] = tree.visits[old]
        spare.value[new] = tree.value[old]
        spare.total[new] = tree.total[old]
        spare.draw[new] = tree.draw[old]
        spare.own[new] = tree.own[old]
        spare.low[new] = tree.low[old]
        spare.high[new] = tree.high[old]
        for offset in range(tree.width[old]):
            source, target = tree.first[old] + offset, edge_base + edges
            spare.action[target] = tree.action[source]
            spare.prior[target] = tree.prior[source]
            spare.tries[target] = tree.tries[source]
            spare.pending[target] = 0
            spare.q[target] = tree.q[source]
            spare.told[target] = tree.told[source]
            spare.noise[target] = 0.0
            spare.child[target] = NONE
            child = tree.child[source]
            if child >= 0:
                if became[child - base] < 0:
                    became[child - base] = base + found
                    queue[found] = child
                    found += 1
                spare.child[target] = became[child - base]
            edges += 1
        done += 1
    clear(tree, g)
    for new in range(base, base + found):
        tree.key[new] = spare.key[new]
        tree.mover[new] = spare.mover[new]
        tree.first[new] = spare.first[new]
        tree.width[new] = spare.width[new]
        tree.visits[new] = spare.visits[new]
        tree.value[new] = spare.value[new]
        tree.total[new] = spare.total[new]
        tree.draw[new] = spare.draw[new]
        tree.own[new] = spare.own[new]
        tree.low[new] = spare.low[new]
        tree.high[new] = spare.high[new]
    for edge in range(edge_base, edge_base + edges):
        tree.action[edge] = spare.action[edge]
        tree.child[edge] = spare.child[edge]
        tree.prior[edge] = spare.prior[edge]
        tree.tries[edge] = spare.tries[edge]
        tree.pending[edge] = 0
        tree.q[edge] = spare.q[edge]
        tree.told[edge] = spare.told[edge]
        tree.noise[edge] = 0.0
    tree.roots[g] = base
    tree.used[g, 0] = found
    tree.used[g, 1] = edges
    enter_all(tree, g)
