"""Quick nets on disk: `NAME.safetensors` (the arrays) and `NAME.json` (the card). Start at `save` and `load`.

The arrays file has the safetensors format: eight bytes with the length of a JSON header, the header, the data. It is
read and written here with NumPy alone, so that playing needs no further package.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.models.cards import BadModel, Card, Stem, stem_of

LARGEST_HEADER = 1_000_000
TRAIN_ANOTHER = " or train one with `boyi train GAME --method quick`"
KINDS = {
    "F64": np.float64,
    "F32": np.float32,
    "I64": np.int64,
    "I32": np.int32,
    "I16": np.int16,
    "I8": np.int8,
    "U64": np.uint64,
    "U16": np.uint16,
    "U8": np.uint8,
}
"""The element types of the format that are used, by the name they have there."""
NAMES = {np.dtype(kind): name for name, kind in KINDS.items()}

Arrays = dict[str, NDArray[Any]]


def save(
    stem: Stem,
    game: Game,
    kind: str,
    arrays: Arrays,
    *,
    training: Mapping[str, Any] | None = None,
    elo: Mapping[str, Any] | None = None,
    licence: str = "MIT",
) -> Card:
    """Write a net's two files."""
    net = {"kind": kind, "shapes": {name: list(array.shape) for name, array in arrays.items()}}
    return Card.write(stem, game, {".safetensors": pack(arrays)}, net=net, training=training, elo=elo, licence=licence)


def load(stem: Stem, game: Game, kinds: tuple[str, ...] = (), free: tuple[str, ...] = ()) -> tuple[Card, Arrays]:
    """A net for a game after every check; `BadModel` says what is wrong with it.

    `free` are options of the game that a net need not be trained with.
    """
    stem = stem_of(stem)
    card = Card.read(stem)
    card.check_game(game, str(stem), free, TRAIN_ANOTHER)
    if kinds and card.net["kind"] not in kinds:
        raise BadModel(f"{str(stem)!r} is a quick net of the kind {card.net['kind']!r}, not {', '.join(kinds)}")
    return card, unpack(card.file(stem, ".safetensors"), f"{stem}.safetensors")


def pack(arrays: Arrays) -> bytes:
    """Arrays in the safetensors format."""
    header: dict[str, Any] = {}
    parts, at = [], 0
    for name, array in arrays.items():
        data = np.ascontiguousarray(array).tobytes()
        shape, kind = list(array.shape), NAMES[array.dtype]
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [at, at + len(data)]}
        parts.append(data)
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)


def unpack(data: bytes, name: str) -> Arrays:
    """The reverse of `pack`; `BadModel` for anything else."""
    wrong = BadModel(f"{name!r} does not hold the arrays of a quick net; copy the net again")
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or not 0 < size <= min(len(data) - 8, LARGEST_HEADER):
        raise wrong
    try:
        header = json.loads(data[8 : 8 + size])
        found: Arrays = {}
        for key, entry in header.items():
            if key == "__metadata__":
                continue
            shape = tuple(int(length) for length in entry["shape"])
            kind = np.dtype(KINDS[entry["dtype"]])
            first, last = (8 + size + int(at) for at in entry["data_offsets"])
            if min(shape, default=0) < 0 or not 8 + size <= first <= last <= len(data):
                raise wrong
            if last - first != math.prod(shape) * kind.itemsize:
                raise wrong
            found[key] = np.frombuffer(data[first:last], kind).reshape(shape).copy()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise wrong from None
    return found
