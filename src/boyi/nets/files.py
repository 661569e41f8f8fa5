"""Models on disk: `NAME.safetensors` (weights), `NAME.onnx` (the graph that plays) and `NAME.json` (the card).

A model is named by its path without a suffix. None of the files can run code when it is loaded. The card is written
last and holds the checksums of the others, so a model is either whole or refused. `read_card` makes every check.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.nets.config import SIZE_INDEPENDENT, BadNet, NetConfig
from boyi.version import __version__

if TYPE_CHECKING:
    from boyi.nets.architectures import Net

FORMAT = 1
SUFFIXES = (".safetensors", ".onnx")
LARGEST_CARD = 1_000_000
LARGEST_FILE = 512_000_000
SIZES = ("size", "rows", "columns")
"""Options that change the board's size only: a net of a size-independent kind plays with other values too."""

Stem = str | PathLike[str]


class BadModel(GameError):
    """A model file that is missing, damaged, or for something else. The message names the file and the remedy."""


@dataclass(frozen=True)
class Card:
    """What a model is: for which game, how it was trained, how strong it was measured to be."""

    game: str
    """The game's name."""
    options: Mapping[str, int | str]
    """The game's parameters that it was trained with."""
    rules_version: int
    """The game's `version`; a change of behaviour makes a model unusable."""
    observer: str
    """The observer whose planes the net sees."""
    net: NetConfig
    """The net's description."""
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

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON has them."""
        return asdict(self) | {"net": self.net.to_json()}


def save(
    stem: Stem,
    game: Game,
    config: NetConfig,
    net: Net,
    *,
    training: Mapping[str, Any] | None = None,
    elo: Mapping[str, Any] | None = None,
    licence: str = "MIT",
) -> Card:
    """Write a model's three files, each whole or not at all, the card last."""
    from safetensors.torch import save as to_safetensors

    from boyi.nets.export import onnx_bytes

    if config != net.config:
        raise BadNet(f"the net was built as {net.config}, not as {config}")
    stem = stem_of(stem)
    weights = {name: tensor.detach().contiguous() for name, tensor in net.state_dict().items()}
    parts = {".safetensors": to_safetensors(weights), ".onnx": onnx_bytes(game, net)}
    card = Card(
        game=game.name,
        options=game.options(),
        rules_version=game.version,
        observer=net.observer,
        net=config,
        training=dict(training or {}),
        elo=None if elo is None else dict(elo),
        licence=licence,
        sha256={suffix: hashlib.sha256(data).hexdigest() for suffix, data in parts.items()},
        boyi_version=__version__,
    )
    text = json.dumps(card.to_json(), indent=2, ensure_ascii=False) + "\n"
    stem.parent.mkdir(parents=True, exist_ok=True)
    for suffix, data in {**parts, ".json": text.encode()}.items():
        _write(_file(stem, suffix), data)
    return card


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


def load_module(stem: Stem, game: Game) -> Net:
    """The PyTorch net of a model, ready to play or to train on (in evaluation mode)."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load as from_safetensors

    from boyi.nets.architectures import build

    card = read_card(stem, game)
    file = _file(stem_of(stem), ".safetensors")
    try:
        with torch.device("meta"):
            net = build(game, card.net)
        weights = from_safetensors(_checked(file, card))
    except (SafetensorError, BadNet) as error:
        raise BadModel(f"{str(file)!r} does not hold the weights of a net ({error}); copy the model again") from None
    wanted = {name: tuple(tensor.shape) for name, tensor in net.state_dict().items()}
    found = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    if wrong := sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name)):
        raise BadModel(
            f"{str(file)!r} does not fit its card: {wrong[0]} is {found.get(wrong[0])}, the card's net needs "
            f"{wanted.get(wrong[0])}; copy the model again"
        )
    net.load_state_dict(weights, assign=True)
    return net.requires_grad_().eval()


def read_onnx(stem: Stem, game: Game) -> bytes:
    """The graph of a model, after all checks of its card."""
    return _checked(_file(stem_of(stem), ".onnx"), read_card(stem, game))


def read_card(stem: Stem, game: Game | None = None) -> Card:
    """The card of a model; `BadModel` unless its files are whole and, where a game is given, it can play that."""
    stem = stem_of(stem)
    card = parse_card(stem)
    if game is not None:
        check_game(card, game, str(stem))
    for suffix in SUFFIXES:
        _checked(_file(stem, suffix), card)
    return card


def parse_card(stem: Stem) -> Card:
    """The card of a model as it is written, without a look at the other files."""
    path = _file(stem_of(stem), ".json")
    return _parse(path, _read(path, LARGEST_CARD))


def other_size(card: Card, game: Game) -> bool:
    """Whether a game's board is of another size than the one a model was trained on."""
    return any(card.options.get(name) != value for name, value in game.options().items())


def stem_of(path: Stem) -> Path:
    """The path of a model without the suffix of any of its files."""
    found = Path(path).expanduser()
    return found.with_suffix("") if found.suffix in (".json", *SUFFIXES) else found


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
            f"{str(path)!r} cannot be read ({reason}); a model is the files NAME.json, NAME.safetensors and NAME.onnx, "
            "named by the path without the suffix"
        ) from None
    if len(data) > largest:
        raise BadModel(f"{str(path)!r} is larger than {largest:,} bytes and no model file of boyi's; choose another")
    return data


def _checked(path: Path, card: Card) -> bytes:
    """The bytes of a file that has the checksum its card says."""
    data = _read(path, LARGEST_FILE)
    if hashlib.sha256(data).hexdigest() != card.sha256[path.suffix]:
        raise BadModel(f"{str(path)!r} is damaged or not of its card: the checksums differ; copy the model again")
    return data


def _parse(path: Path, data: bytes) -> Card:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise BadModel(f"{str(path)!r} is no JSON and so no card of a model; copy the model again") from None
    kinds = {
        "game": str,
        "options": dict,
        "rules_version": int,
        "observer": str,
        "net": dict,
        "training": dict,
        "elo": dict | None,
        "licence": str,
        "sha256": dict,
        "boyi_version": str,
        "format": int,
    }
    if not isinstance(found, dict):
        raise BadModel(f"{str(path)!r} is no card of a model; copy the model again")
    if found.get("format") != FORMAT:
        raise BadModel(
            f"{str(path)!r} has the format {str(found.get('format'))[:20]!r}, this version of boyi reads {FORMAT}; "
            "use the version of boyi that wrote it"
        )
    for field in fields(Card):
        if field.name not in found or not isinstance(found[field.name], kinds[field.name]):
            raise BadModel(f"{str(path)!r} is no card of a model: its {field.name!r} is wrong; copy the model again")
    if unknown := sorted(found.keys() - kinds.keys()):
        raise BadModel(f"{str(path)!r} is no card of a model: {unknown[0][:40]!r} is unknown; copy the model again")
    if set(found["sha256"]) != set(SUFFIXES):
        raise BadModel(f"{str(path)!r} lacks the checksums of {' and '.join(SUFFIXES)}; copy the model again")
    try:
        return Card(**{**found, "net": NetConfig.from_json(found["net"])})
    except (BadNet, TypeError) as error:
        raise BadModel(f"{str(path)!r} describes no net ({error}); copy the model again") from None


def check_game(card: Card, game: Game, model: str) -> None:
    """`BadModel` unless a card's model can play a game: other board sizes only where the kind of net allows it."""
    if card.game != game.name:
        raise BadModel(f"{model!r} is a model for {card.game}, not for {game.name}; choose another model")
    if card.rules_version != game.version:
        raise BadModel(
            f"{model!r} is for version {card.rules_version} of the rules of {game.name}, this is version "
            f"{game.version}; train it again or use the version of boyi that wrote it ({card.boyi_version})"
        )
    for name, value in game.options().items():
        free = name in SIZES and card.net.kind in SIZE_INDEPENDENT
        if card.options.get(name) != value and not free:
            raise BadModel(
                f"{model!r} was trained with {name}={card.options.get(name)!r}, not {name}={value!r}; choose "
                "another model" + ("" if name not in SIZES else f" or one of kind {', '.join(SIZE_INDEPENDENT)}")
            )
    if card.observer not in game.observers or card.net.observer not in ("", card.observer):
        raise BadModel(
            f"{model!r} sees {game.name} through the observer {card.observer!r}; this version of boyi has "
            f"{', '.join(game.observers)}: train it again"
        )
    if card.net.observer_for(game) != card.observer:
        raise BadModel(
            f"{model!r} sees {game.name} through the observer {card.observer!r}, but its net takes "
            f"{card.net.observer_for(game)!r}; copy the model again"
        )
