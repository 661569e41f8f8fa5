"""Models on disk, of either family: `NAME.json`, the card, beside `NAME.safetensors` and, of a deep net, `NAME.onnx`.

A model is named by its path without a suffix. None of the files can run code when it is loaded. The card is written
last and holds the checksums of the others, so that a model is either whole or refused. Start at `Card`.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.version import __version__

FORMAT = 1
LARGEST_CARD = 1_000_000
LARGEST_FILE = 512_000_000

Stem = str | PathLike[str]


class BadModel(GameError):
    """A model file that is missing, damaged, or for something else. The message names the file and the remedy."""


@dataclass(frozen=True, kw_only=True)
class Card:
    """What a model is: for which game, how it was trained, how strong it was measured to be."""

    game: str
    """The game's name."""
    options: Mapping[str, int | str]
    """The game's parameters that it was trained with."""
    rules_version: int
    """The game's `version`; a change of behaviour makes a model unusable."""
    net: Any
    """The net's kind and the numbers that describe it."""
    training: Mapping[str, Any]
    """A summary of the training: how long, how many games and positions, which configuration."""
    elo: Mapping[str, Any] | None
    """Measured strength, or None where nothing was measured."""
    licence: str
    """Under which licence the weights may be used."""
    sha256: Mapping[str, str]
    """The checksum of each other file, by its suffix."""
    boyi_version: str
    """The version of this package that wrote the model."""
    format: int = FORMAT
    """The version of this layout."""

    kinds: ClassVar[dict[str, Any]] = {
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
    """What JSON must have for each field."""
    suffixes: ClassVar[tuple[str, ...]] = (".safetensors",)
    """Of the other files."""

    @classmethod
    def write(
        cls,
        stem: Stem,
        game: Game,
        files: Mapping[str, bytes],
        *,
        net: Any,
        training: Mapping[str, Any] | None = None,
        elo: Mapping[str, Any] | None = None,
        licence: str = "MIT",
        **more: Any,
    ) -> Self:
        """Write a model's files by their suffix, each whole or not at all, the card last; returns the card."""
        card = cls(
            game=game.name,
            options=game.options(),
            rules_version=game.version,
            net=net,
            training=dict(training or {}),
            elo=None if elo is None else dict(elo),
            licence=licence,
            sha256={suffix: hashlib.sha256(data).hexdigest() for suffix, data in files.items()},
            boyi_version=__version__,
            **more,
        )
        text = json.dumps(card.to_json(), indent=2, ensure_ascii=False) + "\n"
        stem = stem_of(stem)
        stem.parent.mkdir(parents=True, exist_ok=True)
        for suffix, data in {**files, ".json": text.encode()}.items():
            _write(_file(stem, suffix), data)
        return card

    @classmethod
    def read(cls, stem: Stem) -> Self:
        """The card of a model as it is written, without a look at the other files."""
        path = _file(stem_of(stem), ".json")
        data = _read(path, LARGEST_CARD)
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            raise BadModel(f"{str(path)!r} is no JSON and so no card of a model; copy the model again") from None
        if not isinstance(found, dict):
            raise BadModel(f"{str(path)!r} is no card of a model; copy the model again")
        if found.get("format") != FORMAT:
            raise BadModel(
                f"{str(path)!r} has the format {str(found.get('format'))[:20]!r}, this version of boyi reads {FORMAT}; "
                "use the version of boyi that wrote it"
            )
        for name, kind in cls.kinds.items():
            if name not in found or not isinstance(found[name], kind):
                raise BadModel(f"{str(path)!r} is no card of a model: its {name!r} is wrong; copy the model again")
        if unknown := sorted(found.keys() - cls.kinds.keys()):
            raise BadModel(f"{str(path)!r} is no card of a model: {unknown[0][:40]!r} is unknown; copy the model again")
        if set(found["sha256"]) != set(cls.suffixes):
            raise BadModel(f"{str(path)!r} lacks the checksums of {' and '.join(cls.suffixes)}; copy the model again")
        return cls.from_json(found, str(path))

    @classmethod
    def from_json(cls, found: dict[str, Any], path: str) -> Self:
        """The card with these fields, which are of the right kinds."""
        if not isinstance(found["net"].get("kind"), str):
            raise BadModel(f"{path!r} names no kind of net; copy the model again")
        return cls(**found)

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON has them."""
        return asdict(self)

    def file(self, stem: Stem, suffix: str) -> bytes:
        """The bytes of one of the model's files; `BadModel` unless it has the checksum that the card says."""
        path = _file(stem_of(stem), suffix)
        data = _read(path, LARGEST_FILE)
        if hashlib.sha256(data).hexdigest() != self.sha256[suffix]:
            raise BadModel(f"{str(path)!r} is damaged or not of its card: the checksums differ; copy the model again")
        return data

    def check_game(self, game: Game, model: str, free: tuple[str, ...] = (), remedy: str = "") -> None:
        """`BadModel` unless the model is for a game and its rules; `free` are parameters that it need not have been
        trained with."""
        if self.game != game.name:
            raise BadModel(f"{model!r} is a model for {self.game}, not for {game.name}; choose another model")
        if self.rules_version != game.version:
            raise BadModel(
                f"{model!r} is for version {self.rules_version} of the rules of {game.name}, this is version "
                f"{game.version}; train it again or use the version of boyi that wrote it ({self.boyi_version})"
            )
        for name, value in game.options().items():
            if name not in free and self.options.get(name) != value:
                raise BadModel(
                    f"{model!r} was trained with {name}={self.options.get(name)!r}, not {name}={value!r}; choose "
                    f"another model{remedy}"
                )


def stem_of(path: Stem) -> Path:
    """The path of a model without the suffix of any of its files."""
    found = Path(path).expanduser()
    return found.with_suffix("") if found.suffix in (".json", ".safetensors", ".onnx") else found


def _file(stem: Path, suffix: str) -> Path:
    return stem.with_name(stem.name + suffix)


def _read(path: Path, largest: int) -> bytes:
    """A file's bytes, unless there is none or too much of it."""
    try:
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadModel(
            f"{str(path)!r} cannot be read ({reason}); a model is the files NAME.json, NAME.safetensors and, of a deep "
            "net, NAME.onnx, named by the path without the suffix"
        ) from None
    if len(data) > largest:
        raise BadModel(f"{str(path)!r} is larger than {largest:,} bytes and no model file of boyi's; choose another")
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
