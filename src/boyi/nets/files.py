"""Deep nets on disk: `NAME.safetensors` (weights), `NAME.onnx` (the graph that plays) and `NAME.json` (the card)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from boyi.games.game import Game
from boyi.models.cards import BadModel, Card, Stem, stem_of
from boyi.nets.config import SIZE_INDEPENDENT, BadNet, NetConfig

if TYPE_CHECKING:
    from boyi.nets.architectures import Net

SIZES = ("size", "rows", "columns")
"""Options that change the board's size only: a net of a size-independent kind plays with other values too."""


@dataclass(frozen=True, kw_only=True)
class NetCard(Card):
    """The card of a deep net."""

    observer: str
    """The observer whose planes the net sees."""
    net: NetConfig
    """The net's description."""

    kinds: ClassVar[dict[str, Any]] = {**Card.kinds, "observer": str}
    suffixes: ClassVar[tuple[str, ...]] = (".safetensors", ".onnx")

    @classmethod
    def from_json(cls, found: dict[str, Any], path: str) -> Self:
        try:
            return cls(**{**found, "net": NetConfig.from_json(found["net"])})
        except (BadNet, TypeError) as error:
            raise BadModel(f"{path!r} describes no net ({error}); copy the model again") from None

    def to_json(self) -> dict[str, Any]:
        return super().to_json() | {"net": self.net.to_json()}

    def check_game(self, game: Game, model: str, free: tuple[str, ...] = (), remedy: str = "") -> None:
        """`BadModel` unless the model can play a game: other board sizes only where the kind of net allows it."""
        if self.net.kind in SIZE_INDEPENDENT:
            free = (*free, *SIZES)
        elif any(name in SIZES for name in game.options()):
            remedy = f" or one of kind {', '.join(SIZE_INDEPENDENT)}{remedy}"
        super().check_game(game, model, free, remedy)
        if self.observer not in game.observers or self.net.observer not in ("", self.observer):
            raise BadModel(
                f"{model!r} sees {game.name} through the observer {self.observer!r}; this version of boyi has "
                f"{', '.join(game.observers)}: train it again"
            )
        if self.net.observer_for(game) != self.observer:
            raise BadModel(
                f"{model!r} sees {game.name} through the observer {self.observer!r}, but its net takes "
                f"{self.net.observer_for(game)!r}; copy the model again"
            )


def save(
    stem: Stem,
    game: Game,
    config: NetConfig,
    net: Net,
    *,
    training: Mapping[str, Any] | None = None,
    elo: Mapping[str, Any] | None = None,
    licence: str = "MIT",
) -> NetCard:
    """Write a model's three files."""
    from safetensors.torch import save as to_safetensors

    from boyi.nets.export import onnx_bytes

    if config != net.config:
        raise BadNet(f"the net was built as {net.config}, not as {config}")
    weights = {name: tensor.detach().contiguous() for name, tensor in net.state_dict().items()}
    files = {".safetensors": to_safetensors(weights), ".onnx": onnx_bytes(game, net)}
    return NetCard.write(
        stem, game, files, net=config, training=training, elo=elo, licence=licence, observer=net.observer
    )


def load_module(stem: Stem, game: Game) -> Net:
    """The PyTorch net of a model, ready to play or to train on (in evaluation mode)."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load as from_safetensors

    from boyi.nets.architectures import build

    card = read_card(stem, game)
    file = str(stem_of(stem)) + ".safetensors"
    try:
        with torch.device("meta"):
            net = build(game, card.net)
        weights = from_safetensors(card.file(stem, ".safetensors"))
    except (SafetensorError, BadNet) as error:
        raise BadModel(f"{file!r} does not hold the weights of a net ({error}); copy the model again") from None
    wanted = {name: tuple(tensor.shape) for name, tensor in net.state_dict().items()}
    found = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    if wrong := sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name)):
        raise BadModel(
            f"{file!r} does not fit its card: {wrong[0]} is {found.get(wrong[0])}, the card's net needs "
            f"{wanted.get(wrong[0])}; copy the model again"
        )
    net.load_state_dict(weights, assign=True)
    return net.requires_grad_().eval()


def read_onnx(stem: Stem, game: Game) -> bytes:
    """The graph of a model, after all checks of its card."""
    return read_card(stem, game).file(stem, ".onnx")


def read_card(stem: Stem, game: Game | None = None) -> NetCard:
    """The card of a model; `BadModel` unless its files are whole and, where a game is given, it can play that."""
    card = NetCard.read(stem)
    if game is not None:
        card.check_game(game, str(stem_of(stem)))
    for suffix in NetCard.suffixes:
        card.file(stem, suffix)
    return card


def other_size(card: NetCard, game: Game) -> bool:
    """Whether a game's board is of another size than the one a model was trained on."""
    return any(card.options.get(name) != value for name, value in game.options().items())
