"""The frames and the table of a proof, and what every search for one does with them. Start at `look`.

A row is read as words of 64 bits. A position's hash is the exclusive or of a hash of each word, and follows a move by
the words that it changed. The table says for a position and a question, whether player 0 gets at least a win or at
least a draw, what effort it would take at least to prove it, and to disprove it: 0 and `NEVER` for what is settled.

At each position a search looks at what every move leads to: one that ends the game as the mover wishes, or whose
position the table knows to do so, answers at once, and one that is known to fail is dropped.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.bits import lowest
from boyi.games.game import Game
from boyi.games.generics import RUNNING, legal, outcome, step, turn
from boyi.games.kernels import bare_kernel, kernel

MAX_PLIES, MAX_MOVES = 500, 1 << 20
"""The longest line of play, and the moves of all positions along it."""
TOO_LONG = 2
PLY, NODES, ENOUGH, REPLY = range(4)
"""Entries of `Search.control`: the frame in progress, positions looked at, the answer, and the move that answered a
position at once."""
FIRST, COUNT, MOVER, BEGAN, BEST, KILLER, OWN_LIMIT, OTHER_LIMIT = range(8)
"""Columns of `Search.numbers`: where a frame's moves begin in the list and how many they are; who moves; the number of
nodes when the frame was opened; the move in progress; the reply that refuted another one at once; and the efforts, for
the mover and against, from which on a search looks elsewhere."""
MOVES_A_NODE = 8
"""A position where more moves than this are tried counts as several, so that nodes mean time on large boards, too."""
NEVER = (1 << 27) - 1
"""The effort of what cannot be."""
WAYS, ENTRY_BYTES = 4, 16
"""Entries of a bucket, and their size."""
SPREAD, MIX, STIR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFTS = np.uint64(31), np.uint64(29), np.uint64(8)
FREE = np.uint64(0)


class Search(NamedTuple):
    """A search in progress: frames of P plies over rows of S entries, kept in W words, and lists of M moves."""

    states: NDArray[Any]
    """[P + 2, 8 W bytes] of the game's dtype, S entries in use; the row after a frame's is scratch space."""
    words: NDArray[np.uint64]
    """[P + 2, W] the same memory."""
    core: NDArray[np.uint64]
    """[W] the bits that decide the future."""
    keys: NDArray[np.uint64]
    """[P + 2]"""
    numbers: NDArray[np.int64]
    """[P + 1, 8]"""
    actions: NDArray[np.int32]
    """[M] the moves of all frames that are still open, one frame's after the other's."""
    squares: NDArray[np.int32]
    """[M] the first entry that a move changes."""
    children: NDArray[np.uint64]
    """[M] keys of the positions after them."""
    own: NDArray[np.int32]
    """[M] the effort to reach what the mover wishes by this move."""
    other: NDArray[np.int32]
    """[M] the effort to refute it."""
    history: NDArray[np.int64]
    """[2, S] by mover and square."""
    mask: NDArray[np.uint8]
    """[A]"""
    control: NDArray[np.int64]
    """[4]"""
    size: int
    """S"""


class Proven(NamedTuple):
    """The table: [2**k] positions by hash and question, in buckets of `WAYS`. A position is in the same bucket for both
    questions."""

    keys: NDArray[np.uint64]
    facts: NDArray[np.int64]
    """The effort to prove, the effort to disprove, and the binary logarithm of the nodes spent: 27, 28 and 8 bits."""


@bare_kernel
def word_hash(word, value):
    """A hash of one word of a row."""
    mixed = (np.uint64(word) * SPREAD) ^ value
    mixed = (mixed ^ (mixed >> SHIFTS[0])) * MIX
    mixed = (mixed ^ (mixed >> SHIFTS[1])) * STIR
    return mixed ^ (mixed >> SHIFTS[0])


@bare_kernel
def find(proven, key, question):
    """The entry of a position, or -1."""
    bucket = np.int64((key >> SHIFTS[2]) & np.uint64(proven.keys.shape[0] - WAYS))
    wanted = key ^ np.uint64(question)
    for slot in range(bucket, bucket + WAYS):
        if proven.keys[slot] == wanted:
            return slot
    return np.int64(-1)


@bare_kernel
def efforts(proven, key, question):
    """What the table knows of a position: the efforts to prove and to disprove it, or -1 and -1.

    A win is also more than a draw, and less than a draw is no win.
    """
    slot = find(proven, key, question)
    if slot >= 0:
        return proven.facts[slot] >> 36, (proven.facts[slot] >> 8) & NEVER
    slot = find(proven, key, 1 - question)
    if slot >= 0:
        if question == 0 and proven.facts[slot] >> 36 == 0:
            return np.int64(0), np.int64(NEVER)
        if question == 1 and (proven.facts[slot] >> 8) & NEVER == 0:
            return np.int64(NEVER), np.int64(0)
    return np.int64(-1), np.int64(-1)


@bare_kernel
def enter(proven, key, question, prove, disprove, nodes):
    """Keep what is known of a position: over what was, unless that settled it, or else where the least effort was
    spent."""
    spent = 0
    while nodes > 1 and spent < 100:
        nodes >>= 1
        spent += 1
    slot = find(proven, key, question)
    if slot >= 0:
        if proven.facts[slot] >> 36 == 0 or (proven.facts[slot] >> 8) & NEVER == 0:
            return
        spent = max(spent, proven.facts[slot] & 255)
    else:
        bucket = np.int64((key >> SHIFTS[2]) & np.uint64(proven.keys.shape[0] - WAYS))
        slot = bucket
        for way in range(bucket, bucket + WAYS):
            if proven.keys[way] == FREE:
                slot = way
                break
            if proven.facts[way] & 255 < proven.facts[slot] & 255:
                slot = way
        proven.keys[slot] = key ^ np.uint64(question)
    proven.facts[slot] = (np.int64(prove) << 36) | (np.int64(disprove) << 8) | np.int64(spent)


@bare_kernel
def make_move(rules, search, ply, action):
    """Write the position after a move, and its hash, behind a frame; returns the first entry that changed."""
    words, core = search.words, search.core
    for word in range(core.shape[0]):
        words[ply + 1, word] = words[ply, word]
    step(rules, search.states[ply + 1, : search.size], action)
    key, square = search.keys[ply], np.int64(-1)
    for word in range(core.shape[0]):
        changed = (words[ply + 1, word] ^ words[ply, word]) & core[word]
        if changed != FREE:
            key ^= word_hash(word, words[ply, word] & core[word]) ^ word_hash(word, words[ply + 1, word] & core[word])
            if square < 0:
                bits = 8 * search.states.itemsize
                square = (64 * word + lowest(changed)) // bits
    search.keys[ply + 1] = key
    return max(square, 0)


@bare_kernel
def try_move(rules, search, proven, question, ply, action):
    """Play a move behind a frame: the first entry that it changes, and the efforts to prove and disprove what follows
    it."""
    square = make_move(rules, search, ply, action)
    result = outcome(rules, search.states[ply + 1, : search.size])
    if result == RUNNING:
        prove, disprove = efforts(proven, search.keys[ply + 1], question)
        if prove < 0:
            prove, disprove = np.int64(1), np.int64(1)
    elif result >= question:
        prove, disprove = np.int64(0), np.int64(NEVER)
    else:
        prove, disprove = np.int64(NEVER), np.int64(0)
    return square, prove, disprove


@bare_kernel
def look(rules, search, proven, question, ply, killer):
    """Answer the question for a frame's position at once, with 1 or 0, or list its moves and return -1; TOO_LONG where
    there is no room for them. `killer` is tried first, where it is legal."""
    state, mask, numbers = search.states[ply, : search.size], search.mask, search.numbers
    mover = turn(rules, state)
    wish = 1 if mover == 0 else 0
    first = numbers[ply - 1, FIRST] + numbers[ply - 1, COUNT] if ply > 0 else np.int64(0)
    room = first + legal(rules, state, mask)
    if room > search.actions.shape[0] or ply >= numbers.shape[0]:
        return TOO_LONG
    search.control[NODES] += 1
    at, tried = first, 0
    for turn_of in range(-1, mask.shape[0]):
        action = killer if turn_of < 0 else turn_of
        if action < 0 or not mask[action]:
            continue
        mask[action] = 0
        tried += 1
        if tried % MOVES_A_NODE == 0:
            search.control[NODES] += 1
        square, prove, disprove = try_move(rules, search, proven, question, ply, action)
        own, other = (prove, disprove) if mover == 0 else (disprove, prove)
        if own == 0:
            search.control[REPLY] = action
            return wish
        if other > 0:
            search.actions[at], search.squares[at], search.children[at] = action, square, search.keys[ply + 1]
            search.own[at], search.other[at] = own, other
            at += 1
    if at == first:
        return 1 - wish
    numbers[ply, FIRST], numbers[ply, COUNT], numbers[ply, MOVER] = first, at - first, mover
    numbers[ply, BEGAN], numbers[ply, KILLER] = search.control[NODES], -1
    return -1


@bare_kernel
def settle(search, ply, prove, disprove):
    """What is known of the move in progress."""
    at = search.numbers[ply, BEST]
    if search.numbers[ply, MOVER] == 0:
        search.own[at], search.other[at] = prove, disprove
    else:
        search.own[at], search.other[at] = disprove, prove


@bare_kernel
def close(search, proven, question, ply, prove, disprove):
    """Keep what a frame has come to, and tell the frame above."""
    nodes = search.control[NODES] - search.numbers[ply, BEGAN]
    enter(proven, search.keys[ply], question, prove, disprove, nodes)
    if ply > 0:
        settle(search, ply - 1, prove, disprove)


@bare_kernel
def visit(rules, search, proven, question, ply):
    """Play a frame's move in progress and look at what it leads to: 1 or 0 where that answers the question, -1 where
    the next frame is open, or TOO_LONG."""
    numbers, control = search.numbers, search.control
    make_move(rules, search, ply, np.int64(search.actions[numbers[ply, BEST]]))
    control[REPLY] = -1
    answer = look(rules, search, proven, question, ply + 1, numbers[ply, KILLER])
    if answer == 0 or answer == 1:
        prove, disprove = (0, NEVER) if answer == 1 else (NEVER, 0)
        enter(proven, search.keys[ply + 1], question, prove, disprove, 1)
        settle(search, ply, prove, disprove)
        if answer == numbers[ply, MOVER]:
            numbers[ply, KILLER] = control[REPLY]
    return answer


@kernel
def open_root(rules, search, proven, question):
    """Begin with the position in the first row; returns the answer, with the move in `control[REPLY]`, or -1 where it
    must be searched."""
    search.keys[0] = FREE
    for word in range(search.core.shape[0]):
        search.keys[0] ^= word_hash(word, search.words[0, word] & search.core[word])
    search.control[PLY] = search.control[NODES] = 0
    search.control[REPLY] = -1
    search.numbers[0, OWN_LIMIT] = search.numbers[0, OTHER_LIMIT] = NEVER
    return look(rules, search, proven, question, 0, -1)


def make_search(game: Game) -> Search:
    """Room for a search of a game."""
    plies, kind = MAX_PLIES, np.dtype(game.state_dtype)
    width = -(-game.state_size * kind.itemsize // 8)
    words = np.zeros((plies + 2, width), np.uint64)
    core = np.zeros(8 * width, np.uint8)
    core[: game.num_core * kind.itemsize] = 255
    moves = min(MAX_MOVES, (plies + 1) * game.num_actions)
    return Search(
        states=words.view(kind),
        words=words,
        core=core.view(np.uint64),
        keys=np.zeros(plies + 2, np.uint64),
        numbers=np.zeros((plies + 1, 8), np.int64),
        actions=np.zeros(moves, np.int32),
        squares=np.zeros(moves, np.int32),
        children=np.zeros(moves, np.uint64),
        own=np.zeros(moves, np.int32),
        other=np.zeros(moves, np.int32),
        history=np.zeros((2, game.state_size), np.int64),
        mask=np.zeros(game.num_actions, np.uint8),
        control=np.zeros(4, np.int64),
        size=game.state_size,
    )


def make_table(megabytes: float) -> Proven:
    """The largest table that fits, of at least a bucket."""
    size = 1 << max(2, int(megabytes * 2**20 / ENTRY_BYTES).bit_length() - 1)
    return Proven(np.zeros(size, np.uint64), np.zeros(size, np.int64))
