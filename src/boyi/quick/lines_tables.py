"""Line tables as arrays of a file: int16, in SCALE parts of a logit, and of two mirrored codes only the first."""

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.models.cards import BadModel
from boyi.quick.lines_board import line_classes
from boyi.quick.lines_weights import LARGEST, SCALE, Weights, blank_weights, canonical
from boyi.quick.store import Arrays


def packed(game: Game, weights: Weights) -> Arrays:
    """Weights as a file has them."""
    return {name: _packed(game, table) for name, table in weights._asdict().items()}


def unpacked(game: Game, arrays: Arrays) -> Weights:
    """The reverse; `BadModel` where the arrays are not those of the game."""
    weights = blank_weights(game.rules)
    for name, table in weights._asdict().items():
        wanted = _packed(game, table)
        if name not in arrays or arrays[name].shape != wanted.shape or arrays[name].dtype != np.int16:
            shape = arrays[name].shape if name in arrays else "missing"
            raise BadModel(f"these are no line tables for {game!r}: {name} is {shape}, not int16 {wanted.shape}")
        if name in ("value", "policy"):
            table[:, _kept(game)] = arrays[name] / np.float32(SCALE)
            table[:] = table[:, canonical(line_classes(game.rules))]
        else:
            table[:] = arrays[name] / np.float32(SCALE)
    return weights


def _kept(game: Game) -> NDArray[np.intp]:
    canon = canonical(line_classes(game.rules))
    return np.flatnonzero(canon == np.arange(len(canon)))


def _packed(game: Game, table: NDArray[np.float32]) -> NDArray[np.int16]:
    if table.ndim == 2 and table.shape[1] == len(line_classes(game.rules).classes):
        table = table[:, _kept(game)]
    return np.clip(np.rint(table * SCALE), -LARGEST, LARGEST).astype(np.int16)
