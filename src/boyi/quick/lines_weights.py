"""Weights of line tables: what points and codes are worth, as learnt in floating point, and as a board uses them.

The value is a plain sum over the empty points, and a small net beside it: every code and every pair of classes has
a row of `WIDTH` numbers too. The rows of all points add up, once in the view of the side to move and once in the
opponent's, and those of the 2 * `WIDTH` sums that are above zero count with a weight each.

Weights are in the view of the side to move: own stones are digit 1 of a code, the opponent's 2. Mirrored codes share
a weight. Where the rules treat the colours alike there is one view; in renju each colour has its own.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.connect6 import Connect6
from boyi.games.gomoku import Gomoku, Renju
from boyi.quick.lines_board import NET_SHIFT, SITUATIONS, WIDTH, Tables, line_classes
from boyi.quick.lines_classes import CLASSES, PAIRS, Classes

SCALE = 256
"""Parts of a logit in the integers of a board."""
ROW_SCALE = 1024
"""Parts of one in the rows of a board and in their sums."""
OUT_SCALE = (SCALE << NET_SHIFT) // ROW_SCALE
LARGEST = 32_000


class Weights(NamedTuple):
    """`views` is 1, or 2 in renju."""

    value: NDArray[np.float32]
    """[views, codes] logit of winning; only the smaller of two mirrored codes is used."""
    value_pair: NDArray[np.float32]
    """[views, PAIRS, PAIRS] by own pair and opponent's pair."""
    policy: NDArray[np.float32]
    policy_pair: NDArray[np.float32]
    situation: NDArray[np.float32]
    """[views, SITUATIONS]"""
    row: NDArray[np.float32]
    """[views, rows, WIDTH] by `row_places`; the first is zero."""
    row_pair: NDArray[np.float32]
    """[views, PAIRS, PAIRS, WIDTH]"""
    row_bias: NDArray[np.float32]
    """[views, WIDTH] what the sums begin with; a sum below zero counts as zero."""
    out: NDArray[np.float32]
    """[views, 2, WIDTH] logit of winning for own sums and for the opponent's."""


def blank_weights(rules: Gomoku | Renju | Connect6) -> Weights:
    """All weights zero."""
    views, classes = 2 if isinstance(rules, Renju) else 1, line_classes(rules)
    codes, rows = len(classes.classes), int(row_places(classes).max()) + 1

    def zeros(*shape: int) -> NDArray[np.float32]:
        return np.zeros((views, *shape), np.float32)

    return Weights(
        zeros(codes),
        zeros(PAIRS, PAIRS),
        zeros(codes),
        zeros(PAIRS, PAIRS),
        zeros(SITUATIONS),
        zeros(rows, WIDTH),
        zeros(PAIRS, PAIRS, WIDTH),
        zeros(WIDTH),
        zeros(2, WIDTH),
    )


def first_weights(rules: Gomoku | Renju | Connect6, seed: int) -> Weights:
    """Weights to begin to learn with: only what tells the sums of the small net apart."""
    weights = blank_weights(rules)
    rng = np.random.default_rng(seed)
    weights.row_bias[:] = rng.uniform(0, 1, weights.row_bias.shape)
    weights.out[:, 0] = rng.normal(0, 0.35 / np.sqrt(WIDTH), weights.row_bias.shape)
    weights.out[:, 1] = -weights.out[:, 0]
    return weights


FIVE_WORTH = (0, 1, 3, 4, 12, 16, 60, 200, 0, 0)
SIX_WORTH = (0, 1, 3, 4, 10, 12, 20, 100, 120, 300)
"""What a class is worth to the one who plays there, by hand."""


def hand_weights(rules: Gomoku | Renju | Connect6) -> Weights:
    """Weights set by hand from the classes alone: an aim for learnt ones to beat, and the start of learning."""
    weights = blank_weights(rules)
    worth = np.array(SIX_WORTH if isinstance(rules, Connect6) else FIVE_WORTH) / 8
    high = np.repeat(np.arange(CLASSES), np.arange(1, CLASSES + 1))
    low = np.concatenate([np.arange(size) for size in range(1, CLASSES + 1)])
    pair = worth[high] + worth[low]
    weights.policy_pair[:] = pair[:, None] + 0.6 * pair[None, :]
    pair = np.minimum(worth, 10)[high] + np.minimum(worth, 10)[low]
    weights.value_pair[:] = 0.2 * (pair[:, None] - 0.8 * pair[None, :])
    return weights


def canonical(classes: Classes) -> NDArray[np.int32]:
    """[codes] the code whose weight a code uses."""
    return np.minimum(np.arange(len(classes.mirror), dtype=np.int32), classes.mirror)


def row_places(classes: Classes) -> NDArray[np.int32]:
    """[codes] the row of a code: the first for those that are dull for both colours, one for each other and its
    mirror."""
    canon, dull = canonical(classes), classes.dull & classes.dull[classes.swap]
    own = (canon == np.arange(len(canon))) & ~dull
    return np.where(dull, 0, np.cumsum(own)[canon]).astype(np.int32)


def board_tables(rules: Gomoku | Renju | Connect6, weights: Weights) -> Tables:
    """The integer tables of a board."""
    classes = line_classes(rules)
    codes = canonical(classes), canonical(classes)[classes.swap]
    last = len(weights.situation) - 1

    def rounded(values: NDArray[np.float32], scale: int = SCALE) -> NDArray[np.int64]:
        return np.clip(np.rint(values * scale), -LARGEST, LARGEST).astype(np.int64)

    def by_code(table: NDArray[np.float32]) -> list[NDArray[np.int64]]:
        return [rounded(table[min(side, last)])[codes[side]] for side in (0, 1)]

    def by_pair(table: NDArray[np.float32]) -> list[NDArray[np.int64]]:
        return [rounded(table[0]).ravel(), rounded(table[last]).T.ravel()]

    value, value_pair = by_code(weights.value), by_pair(weights.value_pair)
    places, both = row_places(classes), [0, last]
    own = np.flatnonzero(np.r_[True, np.diff(np.maximum.accumulate(places)) > 0])  # the first code of each row
    rows = rounded(weights.row, ROW_SCALE).astype(np.int16)
    pair_rows = rounded(weights.row_pair, ROW_SCALE).astype(np.int16)
    pair_rows = np.concatenate([pair_rows[0], pair_rows[last].swapaxes(0, 1)], axis=2)
    out = rounded(weights.out, OUT_SCALE).astype(np.int16)
    return (
        value[0] + (value[1] << 32),
        value_pair[0] + (value_pair[1] << 32),
        np.stack(by_code(weights.policy)).astype(np.int32),
        np.stack(by_pair(weights.policy_pair)).astype(np.int32),
        rounded(weights.situation)[both],
        places,
        np.concatenate([rows[0][places[own]], rows[last][places[classes.swap[own]]]], axis=1),
        pair_rows.reshape(PAIRS * PAIRS, 2 * WIDTH),
        rounded(weights.row_bias, ROW_SCALE)[both].astype(np.int16).ravel(),
        np.stack([out[0].ravel(), out[last, ::-1].ravel()]),
    )
