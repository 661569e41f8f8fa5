"""The models that come with the package, in `nets/data`, found by what their cards say."""

import functools
from pathlib import Path

from boyi.games.game import Game
from boyi.models.cards import BadModel
from boyi.nets.files import SIZES, NetCard

DATA = Path(__file__).parent / "data"


@functools.cache
def shipped_models(folder: Path = DATA) -> dict[str, NetCard]:
    """The card of every shipped model by its name."""
    return {file.stem: NetCard.read(file) for file in sorted(folder.glob("*.json"))}


def shipped(game: Game, folder: Path = DATA) -> Path:
    """The path, without suffix, of the model for a game: one for its very parameters, or else one that was trained on
    another board size, the nearest."""
    fits: list[tuple[int, str]] = []
    for name, card in shipped_models(folder).items():
        try:
            card.check_game(game, name)
        except BadModel:
            continue
        options = game.options()
        away = sum(abs(int(options[size]) - int(card.options.get(size, 0))) for size in SIZES if size in options)
        fits.append((away, name))
    if not fits:
        known = ", ".join(shipped_models(folder)) or "none"
        raise BadModel(
            f"no model for {game!r} comes with boyi; there are: {known}. Train one with `boyi train {game.name}` and "
            "name its path: model=PATH"
        )
    return folder / min(fits)[1]


def model_name(game: Game) -> str:
    """What a shipped model for a game is called: the game, its size, its variant, and other options where unusual."""
    usual = type(game)(type(game.rules)()).options()
    words = [
        str(value) if name in SIZES or isinstance(value, str) else f"{name}{value}"
        for name, value in game.options().items()
        if name in SIZES or isinstance(value, str) or value != usual[name]
    ]
    return "-".join([game.name, *words])
