"""Pictures of programs that nobody here wrote, in a folder with a `screens.toml` that says what stands on them."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from boyi.games import game as find_game
from boyi.vision.picture import load_picture
from boyi.vision.recognise import Reading
from boyi.vision.scenes import Scene


def screens(folder: Path) -> Iterator[tuple[str, bool, Scene]]:
    """Program, whether it was used for tuning, and scene, for every picture of a foreign program."""
    if not (folder / "screens.toml").is_file():
        return
    for entry in tomllib.loads((folder / "screens.toml").read_text(encoding="utf-8"))["screen"]:
        cells = tuple(tuple("" if text == "." else text for text in row.split()) for row in entry.get("cells", []))
        if cells:
            find_game(entry["game"])
        picture = load_picture(folder / entry["file"])
        scene = Scene(picture, cells, np.zeros((0, 0, 2)), "", game=entry.get("game", ""), source=entry["program"])
        yield entry["program"], entry.get("tuned", False), scene


def right_board(truth: Scene, reading: Reading) -> bool:
    """The right game and the right text in every cell; a game that fits as well counts, cells must be the same."""
    if not truth.cells or reading.game is None or reading.texts != truth.cells:
        return False
    wanted = truth.game.partition(":")[0]
    return wanted in (reading.game.name, *reading.others)
