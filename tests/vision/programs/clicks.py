"""Programs in which both sides of a game are played by clicks."""

import functools
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from programs.part import Part, Place
from programs.positions import living_positions, mirrored, square, squares, tic_tac_toes, without_a_pass
from programs.screen import PLACES, Program, click, move_window, paint, press, tool


@dataclass(frozen=True)
class Othello:
    """A program whose board's corner is at (x, y)."""

    command: str
    x: float
    y: float
    pitch: float
    settings: str = ""
    """What its settings say, as a GLib key file."""
    white_first: bool = False
    """White begins: the game of ours is shown in a mirror and in the other colours."""
    pause_s: float = 0.5


OTHELLO = {
    "jester": Othello("jester -2players", 439.5, 303.5, 50.1, white_first=True),
    **{
        f"iagno {theme}": Othello(
            "iagno --two-players --mute", 423, 261.5, 54.2, f"[org/gnome/iagno]\ntheme='{theme}'\n{more}", pause_s=1.1
        )
        for theme, more in {
            "default": "",
            "classic.theme": "highlight-playable-tiles=true\n",
            "high_contrast.theme": "",
            "sun_and_star.theme": "highlight-playable-tiles=true\n",
        }.items()
    },
}


def othello(names: tuple[str, ...], place: Place) -> None:
    """A whole game in every program or theme."""
    for name in names:
        program = OTHELLO[name]
        with Program(program.command, place.own, program.settings):
            time.sleep(5)
            for number, later in enumerate(without_a_pass(len(name))[1:], 1):
                row, column = square(later, later.history[-1])
                if program.white_first:
                    column = 7 - column
                x, y = program.x + (column + 0.5) * program.pitch, program.y + (row + 0.5) * program.pitch
                click(x, y, program.pause_s)
                if number in (2, 9, 16, 24, 32, 40):
                    picture = f"{name.replace(' ', '-').removesuffix('.theme')}-{number}"
                    cells = mirrored(later.cells) if program.white_first else later.cells
                    place.shot(picture, "othello", cells, program=name, few_colours=True)


def xreversi(place: Place) -> None:
    """A game in windows of several sizes; White begins."""
    number = 0
    with Program("xreversi", place.own):
        time.sleep(4)
        x, y, side = 100, 80, 600
        move_window("^xreversi$", x, y, side + 264, side)
        click(x + side + 264 - 40, y + 130, 0.3)  # the computer plays neither side
        for turn, later in enumerate(without_a_pass(1130)[1:], 1):
            row, column = square(later, later.history[-1])
            click(x + 1 + (7.5 - column) * side / 8, y + 20 + (row + 0.5) * side / 8, 0.3)
            if turn in (1, 6, 12, 18, 25, 31, 36, 40):
                paint(number)
                place.shot(f"xreversi-{number}", "othello", mirrored(later.cells))
                number += 1
                (x, y), side = PLACES[number % 4], (600, 470, 700, 400)[number % 4]
                move_window("^xreversi$", x, y, side + 264, side)


def gridlock(place: Place) -> None:
    """Reversi and five in a row; Red begins, and Blue is darker."""
    for name, variants in (("Reversi", ("8x8", "6x6")), ("Gomoku", ("12x12", "10x10"))):
        number = 0
        for variant in variants:
            size = int(variant.partition("x")[0])
            game = f"gomoku:size={size}" if name == "Gomoku" else "othello:size=6" if size == 6 else "othello"
            for _, position in living_positions((game,), 1140):
                paint(number)
                x, y = 120 + 70 * (number % 5), 30 + 60 * (number % 4)
                more = f"-ai.{name}.1 '' -ai.{name}.2 '' -config.{name} {variant}"
                with Program(f"Gridlock -disableAnimation YES -initialGame {name} {more}", place.own):
                    time.sleep(4)
                    for _ in range(2):  # it does not always obey at once
                        move_window(f"^{name}$", x, y)
                    for move in position.history:
                        if move not in position.game.squares:
                            press(x + 443, y + 166)  # its button for a pass
                            continue
                        row, column = square(position, move)
                        pitch = 384 / size
                        press(x + 13 + (size - 0.5 - column) * pitch, y + 47 + (row + 0.5) * pitch)
                    time.sleep(1)
                    place.shot(f"gridlock-{name.lower()}-{number}", game, mirrored(position.cells))
                number += 1


@contextmanager
def gcompris(place: Place, activity: str) -> Iterator[None]:
    """GCompris in a window, not for the first time."""
    settings = place.own / "settings" / "gcompris"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "gcompris-qt.conf").write_text(
        "[General]\nfullscreen=false\n\n[Internal]\nexeCount=5\nlastGCVersionRan=30100\n"
    )
    with Program(f"gcompris-qt --window --launch {activity}", place.own):
        tool("search", "--sync", "--onlyvisible", "--name", "^GCompris$")
        time.sleep(10)
        yield


def gcompris_tic_tac_toe(place: Place) -> None:
    """Tic-tac-toe for two players in windows of several sizes."""
    for number, position in enumerate(tic_tac_toes()):
        paint(number)
        with gcompris(place, "tic_tac_toe_2players"):
            width, height = ((1000, 750), (940, 705), (1120, 840), (1060, 795))[number % 4]
            x, y = 20 + 30 * (number % 5), 10 + 8 * (number % 5)
            move_window("^GCompris$", x, y, width, height)
            time.sleep(1)
            pitch = 0.2156 * height
            for move in position.history:
                row, column = square(position, move)
                click(x + 0.504 * width + (column - 1) * pitch, y + 20 + 0.49 * height + (row - 1) * pitch, 1.5)
            place.shot(f"gcompris-tic-tac-toe-{number}", "tictactoe", position.cells)


def fungames(place: Place) -> None:
    """Tic-tac-toe of fungames, at several places."""
    command = f"{place.python} -c 'from fungames.tictactoe.main import play; play()'"
    for number, position in enumerate(tic_tac_toes()):
        paint(number)
        x, y = PLACES[number % 4]
        with Program(f"SDL_AUDIODRIVER=dummy SDL_VIDEO_WINDOW_POS={x},{y} {command}", place.own):
            time.sleep(12)
            for row, column in squares(position):
                click(x + 113 + 188 * column, y + 132 + 188 * row, 0.6)
            place.shot(f"fungames-{number}", "tictactoe", position.cells)


PARTS = (
    Part("jester", functools.partial(othello, ("jester",)), {"jester": "jester"}, screen=True),
    Part("iagno", functools.partial(othello, tuple(OTHELLO)[1:]), {"iagno": "iagno"}, screen=True),
    Part("xreversi", xreversi, {"xreversi": "kgames"}, screen=True),
    Part("gridlock", gridlock, {"Gridlock": "gridlock.app"}, screen=True),
    Part("gcompris", gcompris_tic_tac_toe, {"gcompris-qt": "gcompris-qt"}, screen=True),
    Part("fungames", fungames, pip=("pygame==2.6.1",), alone=("fungames==0.1.1",), screen=True),
)
