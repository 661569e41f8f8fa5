"""Line tables as arrays of a file: int16, and of two mirrored codes only the first."""

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.models.cards import BadModel
from boyi.quick.lines_board import line_classes
from boyi.quick.lines_weights import LARGEST, OUT_SCALE, ROW_SCALE, SCALE, Weights, blank_weights, canonical
from boyi.quick.store import Arrays

BY_CODE = ("value", "policy")
SCALES = {"row": ROW_SCALE, "row_pair": ROW_SCALE, "row_bias": ROW_SCALE, "out": OUT_SCALE}
"""Parts of one in the integers of a table, where they are not SCALE parts of a logit."""


def packed(game: Game, weights: Weights) -> Arrays:
    """Weights as a file has them."""
    return {name: _packed(game, name, table) for name, table in weights._asdict().items()}


def unpacked(game: Game, arrays: Arrays) -> Weights:
    """The reverse; `BadModel` where the arrays are not those of the game."""
    weights = blank_weights(game.rules)
    for name, table in weights._asdict().items():
        wanted = _packed(game, name, table)
        if name not in arrays or arrays[name].shape != wanted.shape or arrays[name].dtype != np.int16:
            found = f"{arrays[name].dtype} {arrays[name].shape}" if name in arrays else "missing"
            raise BadModel(
                f"these are no line tables for {game!r}: {name} is {found}, not int16 {wanted.shape}; "
                f"train them with `boyi train {game.name} --method quick`"
            )
        values = arrays[name] / np.float32(SCALES.get(name, SCALE))
        if name in BY_CODE:
            table[:, _kept(game)] = values
            table[:] = table[:, canonical(line_classes(game.rules))]
        else:
            table[:] = values
    return weights


def _kept(game: Game) -> NDArray[np.intp]:
    canon = canonical(line_classes(game.rules))
    return np.flatnonzero(canon == np.arange(len(canon)))


def _packed(game: Game, name: str, table: NDArray[np.float32]) -> NDArray[np.int16]:
    if name in BY_CODE:
        table = table[:, _kept(game)]
    return np.clip(np.rint(table * SCALES.get(name, SCALE)), -LARGEST, LARGEST).astype(np.int16)
