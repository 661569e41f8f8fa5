"""Windows of Python packages' games: `theirs/show.py` opens them, in a Python that has the package."""

import functools
import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from programs.part import Part, Place
from programs.positions import earlier, living_positions, positions, square, squares
from programs.pythons import source_of
from programs.screen import PLACES, paint, tool

SHOW = Path(__file__).parent / "theirs" / "show.py"
PYGAME = "pygame==2.6.1"
NUMPY = "numpy==2.4.6"
MATPLOTLIB = "matplotlib==3.11.2"
GAMES_BY_EXAMPLE = "gamesbyexample==2020.7.17"
LINES = (36, 50, 42, 30)
CROSSES = (90, 120, 150, 70)
LARGE_CROSSES = (128, 96, 150, 72)
"""Pixels a square."""


@dataclass(frozen=True, kw_only=True)
class Window:
    """A game's window: what it shows in which sizes, and the packages that have it, as a `Part` wants them."""

    games: tuple[str, ...]
    seed: int = 0
    sides: tuple[object, ...] = ()
    """What makes the window larger or smaller: pixels, pixels a square or a point, inches, a factor, a kind of game."""
    pip: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    source: str = ""
    """A package NAME==VERSION that lacks its files once it is installed, and is shown from its source."""
    shown_by: str = ""
    """What `theirs` calls it, unless as the pictures, with low lines."""
    debian: Mapping[str, str] = field(default_factory=dict)


OTHELLO = ("othello", "othello")
CROSS = ("tictactoe",)
FIRST = {
    "othello-ai": Window(games=OTHELLO, seed=700, pip=("othello-ai==0.1.1",)),
    "reversi": Window(games=OTHELLO, seed=700, pip=(NUMPY,), alone=("Reversi==1.2.1",)),
    "gobang": Window(games=("gomoku", "gomoku"), seed=700, pip=(NUMPY,), alone=("gobang==0.1.0",)),
    "pygomoku": Window(
        games=("gomoku:size=9", "gomoku:size=15", "gomoku:size=13"), seed=700, pip=("pygomoku==1.0.0", PYGAME)
    ),
    "mnkgame": Window(games=("tictactoe", "gomoku:size=10", "gomoku:size=9"), seed=700, pip=("mnkgame==0.0.0.5",)),
    "tic-tac-toe-pygame": Window(games=CROSS, pip=("tic-tac-toe-pygame==0.5.0", PYGAME)),
    "freegames": Window(games=CROSS, pip=("freegames==2.5.3",)),
}
"""Go would take some of their stones off the board; every other one shows the last move and the legal ones."""
LIVING = {
    "iothello": Window(
        games=("othello:size=6", "othello:size=6"),
        seed=940,
        sides=(100, 64, 80, 48),
        pip=(PYGAME, NUMPY, "joblib==1.6.0", "onnxruntime==1.31.1"),
        alone=("iothello==1.1.7",),
    ),
    "othello-ai-python": Window(
        games=OTHELLO, seed=940, sides=(75, 60, 90, 50), pip=(PYGAME, NUMPY), alone=("othello-ai-python==0.3",)
    ),
    "othellotk": Window(games=OTHELLO, seed=940, sides=(62, 48, 80, 40), alone=("othellotk==0.1.1",)),
    "nicetictactoe": Window(games=CROSS, sides=LARGE_CROSSES, pip=(PYGAME,), alone=("nicetictactoe==1.0.0",)),
    "jdhp-tictactoe": Window(games=CROSS, sides=LARGE_CROSSES, alone=("jdhp-tictactoe==0.8.dev1",)),
    "pypowergames": Window(games=CROSS, sides=LARGE_CROSSES, alone=("pypowergames==1.0.1",)),
}
"""Two of three show the last move, every other one the legal ones."""
PERFECT = ("perfect-information-game==0.0.11",)
PERFECT_NEEDS = (PYGAME, NUMPY, "easygui==0.98.3")
PAINTED = {
    "tictactoe-anany": Window(games=CROSS, sides=(1.33, 1.0, 1.8, 2.4), alone=("Tictactoe_anany==1.0.0",)),
    "tic-tac-game": Window(games=CROSS, sides=(1.33, 1.0, 1.6, 0.8), alone=("tic-tac-game==0.0.1",)),
    "mini-gui-games": Window(games=CROSS, sides=(300, 480, 220, 700), alone=("mini-gui-games==0.0.5",)),
    "sg-games": Window(games=CROSS, sides=(1.33, 1.0, 1.2, 1.33), pip=("easygui==0.98.3",), alone=("sg-games==0.1.5",)),
    "perfect-information-game": Window(games=OTHELLO, seed=1100, sides=("Othello",), pip=PERFECT_NEEDS, alone=PERFECT),
    "perfect-information-gomoku": Window(
        games=("gomoku:size=19", "gomoku:size=19"),
        seed=1100,
        sides=("Gomoku",),
        pip=PERFECT_NEEDS,
        alone=PERFECT,
        shown_by="perfect_information_game",
    ),
    "gogame": Window(
        games=("gomoku:size=19", "gomoku:size=9"),
        seed=1100,
        sides=((6.4, 4.8), (8, 6), (5, 5), (9, 7.5)),
        pip=(NUMPY, MATPLOTLIB),
        alone=("gogame==1.0.0",),
    ),
    "mxgames": Window(
        games=("gomoku:size=15", "gomoku:size=19"),
        seed=1350,
        sides=(30, 36, 24, 44),
        pip=(PYGAME,),
        alone=("mxgames==1.7.2",),
    ),
    "cpgames": Window(
        games=("gomoku:size=19", "gomoku:size=19"),
        seed=1360,
        sides=(1, 1.25, 1, 1.4),
        pip=("PyQt5==5.15.11", PYGAME),
        alone=("cpgames==0.1.2",),
    ),
    "lightzero": Window(
        games=("gomoku:size=15", "gomoku:size=9"),
        seed=1370,
        sides=(700, 560, 820, 480),
        pip=(NUMPY, MATPLOTLIB),
        alone=("LightZero==0.1.0",),
    ),
    "pygame-spiel": Window(games=CROSS, pip=(PYGAME, NUMPY, "open_spiel==2.0.2"), alone=("pygame-spiel==1.0.0",)),
    "kivy-tic-tac-toe": Window(
        games=CROSS,
        sides=((800, 600), (560, 640), (1000, 760), (420, 480)),
        pip=("Kivy==2.3.1", "setuptools==75.8.0", "wheel==0.48.0"),
        source="kivy_tic_tac_toe_package==0.8.5",
    ),
    "zero-play": Window(
        games=("othello", "othello:size=6"),
        seed=1400,
        sides=((800, 600), (640, 560), (960, 780), (560, 640)),
        pip=(
            "PySide6_Essentials==6.12.0",
            NUMPY,
            MATPLOTLIB,
            "Markdown==3.10",
            "SQLAlchemy==2.0.44",
            "alembic==1.17.2",
        ),
        alone=("zero-play==0.5.0",),
        debian={"/usr/lib/x86_64-linux-gnu/libxcb-cursor.so.0": "libxcb-cursor0"},
    ),
    "mu-alpha-zero": Window(
        games=("gomoku:size=9", "gomoku:size=7"),
        seed=1460,
        pip=(PYGAME, NUMPY, "pillow==12.0.0"),
        alone=("mu-alpha-zero-library==1.0.9.6",),
    ),
    "gamesbyexample": Window(
        games=OTHELLO, seed=1420, pip=(PYGAME, "setuptools==75.8.0", "wheel==0.48.0"), source=GAMES_BY_EXAMPLE
    ),
}
"""At several places of screens of several colours."""


def taken(name: str, window: Window, place: Place) -> None:
    tool("mousemove", "1270", "950")
    source = str(source_of(place.python, window.source, place.own / "source")) if window.source else ""
    played = positions if name in FIRST else living_positions
    for number, (game, position) in enumerate(played(window.games, window.seed)):
        if name in PAINTED:
            paint(number)
        sides = window.sides or (CROSSES if game == "tictactoe" else LINES)
        last = number % 2 if name in FIRST else number % 3
        legal = [square(position, move) for move in position.moves if move in position.game.squares]
        board = {
            "program": window.shown_by or name.replace("-", "_"),
            "cells": position.cells,
            "before": earlier(position).cells if number % 2 else position.cells,
            "moves": squares(position),
            "legal": legal if number % 2 else [],
            "last": square(position, position.history[-1]) if last else None,
            "side": sides[number % len(sides)],
            "at": "+{}+{}".format(*PLACES[number % 4]),
            "source": source,
            "file": str(place.file(f"{name}-{number}")),
        }
        show(place, board)
        place.note(f"{name}-{number}", game, position.cells)
    if name == "perfect-information-game":
        show(place, {"program": "perfect_information_game", "cells": [], "side": "Checkers",
                     "file": str(place.file("checkers"))})  # fmt: skip
        place.note("checkers", program="perfect-information-checkers")


def show(place: Place, *boards: dict[str, object]) -> None:
    """Let the part's Python show boards, and take their pictures."""
    run = [place.python, SHOW]
    subprocess.run(run, input=json.dumps(boards), text=True, check=True, stdout=subprocess.DEVNULL, timeout=300)


PARTS = tuple(
    Part(name, functools.partial(taken, name, window), window.debian, window.pip, window.alone, screen=True)
    for name, window in (FIRST | LIVING | PAINTED).items()
)
