"""Quick nets on disk: `NAME.safetensors` (the arrays) and `NAME.json` (the card). Start at `save` and `load`.

The arrays file has the safetensors format: eight bytes with the length of a JSON header, the header, the data. It is
read and written here with NumPy alone, so that playing needs no further package. Nothing in it can run code. The card
is written last and holds the other file's checksum, so that a net is either whole or refused.
"""

import contextlib
import hashlib
import json
import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.errors import GameError
from boyi.games.game import Game

FORMAT = 1
LARGEST_CARD, LARGEST_FILE = 1_000_000, 512_000_000
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

Stem = str | PathLike[str]
Arrays = dict[str, NDArray[Any]]


class BadQuickNet(GameError):
    """A file of a quick net that is missing, damaged, or for something else. The message names file and remedy."""


@dataclass(frozen=True)
class QuickCard:
    """What a quick net is: for which game, of which kind, how it was trained, how strong it was measured to be."""

    game: str
    """The game's name."""
    options: Mapping[str, int | str]
    """The game's parameters that it was trained with."""
    rules_version: int
    """The game's `version`; a change of behaviour makes a net unusable."""
    net: Mapping[str, Any]
    """Its kind and the numbers that describe it."""
    training: Mapping[str, Any]
    """A summary of the training: how long, how many positions."""
    elo: Mapping[str, Any] | None
    """Measured strength, or None where nothing was measured."""
    licence: str
    """Under which licence the weights may be used."""
    sha256: Mapping[str, str]
    """The checksum of the arrays file, by its suffix."""
    boyi_version: str
    """The version of this package that wrote the net."""
    format: int = FORMAT
    """The version of this layout."""

    @property
    def kind(self) -> str:
        return str(self.net["kind"])


def save(
    stem: Stem,
    game: Game,
    kind: str,
    arrays: Arrays,
    *,
    boyi_version: str,
    training: Mapping[str, Any] | None = None,
    elo: Mapping[str, Any] | None = None,
    licence: str = "MIT",
) -> QuickCard:
    """Write a net's two files, each whole or not at all, the card last."""
    stem = stem_of(stem)
    data = pack(arrays)
    card = QuickCard(
        game=game.name,
        options=game.options(),
        rules_version=game.version,
        net={"kind": kind, "shapes": {name: list(array.shape) for name, array in arrays.items()}},
        training=dict(training or {}),
        elo=None if elo is None else dict(elo),
        licence=licence,
        sha256={".safetensors": hashlib.sha256(data).hexdigest()},
        boyi_version=boyi_version,
    )
    stem.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(asdict(card), indent=2, ensure_ascii=False) + "\n"
    for suffix, content in ((".safetensors", data), (".json", text.encode())):
        _write(_file(stem, suffix), content)
    return card


def load(stem: Stem, game: Game, kinds: tuple[str, ...] = (), free: tuple[str, ...] = ()) -> tuple[QuickCard, Arrays]:
    """A net for a game after every check; `BadQuickNet` says what is wrong with it.

    `free` are options of the game that a net need not be trained with.
    """
    stem = stem_of(stem)
    card = read_card(stem)
    check_game(card, game, str(stem), free)
    if kinds and card.kind not in kinds:
        raise BadQuickNet(f"{str(stem)!r} is a quick net of the kind {card.kind!r}, not {', '.join(kinds)}")
    file = _file(stem, ".safetensors")
    data = _read(file, LARGEST_FILE)
    if hashlib.sha256(data).hexdigest() != card.sha256.get(".safetensors"):
        raise BadQuickNet(f"{str(file)!r} is damaged or not of its card: the checksums differ; copy the net again")
    return card, unpack(data, str(file))


def read_card(stem: Stem) -> QuickCard:
    """The card of a net, without a look at the arrays."""
    path = _file(stem_of(stem), ".json")
    data = _read(path, LARGEST_CARD)
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise BadQuickNet(f"{str(path)!r} is no JSON and so no card of a quick net; copy the net again") from None
    kinds = {
        "game": str,
        "options": dict,
        "rules_version": int,
        "net": dict,
        "training": dict,
        "elo": dict | None,
        "licence": str,
        "sha256": dict,
        "boyi_version": str,
        "format": int,
    }
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BadQuickNet(f"{str(path)!r} is no card of format {FORMAT}; use the version of boyi that wrote it")
    for field in fields(QuickCard):
        if field.name not in found or not isinstance(found[field.name], kinds[field.name]):
            raise BadQuickNet(f"{str(path)!r} is no card of a quick net: its {field.name!r} is wrong; copy it again")
    if unknown := sorted(found.keys() - kinds.keys()):
        raise BadQuickNet(f"{str(path)!r} is no card of a quick net: {unknown[0][:40]!r} is unknown; copy it again")
    if not isinstance(found["net"].get("kind"), str):
        raise BadQuickNet(f"{str(path)!r} names no kind of quick net; copy it again")
    return QuickCard(**found)


def check_game(card: QuickCard, game: Game, model: str, free: tuple[str, ...] = ()) -> None:
    """`BadQuickNet` unless a card's net can play a game."""
    if card.game != game.name:
        raise BadQuickNet(f"{model!r} is a quick net for {card.game}, not for {game.name}; choose another")
    if card.rules_version != game.version:
        raise BadQuickNet(
            f"{model!r} is for version {card.rules_version} of the rules of {game.name}, this is version "
            f"{game.version}; train it again"
        )
    for name, value in game.options().items():
        if name not in free and card.options.get(name) != value:
            raise BadQuickNet(
                f"{model!r} was trained with {name}={card.options.get(name)!r}, not {name}={value!r}; train another "
                f"with `boyi train GAME --method quick`"
            )


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
    """The reverse of `pack`; `BadQuickNet` for anything else."""
    wrong = BadQuickNet(f"{name!r} does not hold the arrays of a quick net; copy the net again")
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or not 0 < size <= min(len(data) - 8, LARGEST_CARD):
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


def stem_of(path: Stem) -> Path:
    """The path of a net without the suffix of either of its files."""
    found = Path(path).expanduser()
    return found.with_suffix("") if found.suffix in (".json", ".safetensors") else found


def _file(stem: Path, suffix: str) -> Path:
    return stem.with_name(stem.name + suffix)


def _read(path: Path, largest: int) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadQuickNet(
            f"{str(path)!r} cannot be read ({reason}); a quick net is the files NAME.json and NAME.safetensors, named "
            "by the path without the suffix"
        ) from None
    if len(data) > largest:
        raise BadQuickNet(f"{str(path)!r} is larger than {largest:,} bytes and no quick net; choose another")
    return data


def _write(path: Path, data: bytes) -> None:
    """Replace a file in one step: a reader, or a process killed on the way, sees the old or the whole."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
