"""Shows boards of Python games that nobody here wrote and takes their pictures: run by `take_newest_screens.py`.

Runs in a Python that has the games, under a screen. Standard input is a JSON object with `program`, `cells` (rows of
"X", "O" and ""), `moves` (rows and columns in the order of play), `before` (the cells one move earlier), `side` (what
makes the window larger or smaller), `at` (where the window goes) and `file`, which is a PNG file.
"""

import json
import os
import subprocess
import sys
import time
import tkinter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

Board = dict[str, Any]


def pictured(root: tkinter.Misc, board: Board) -> None:
    """A picture of the whole screen, once the window is drawn."""
    for _ in range(12):
        root.update()
        time.sleep(0.1)
    subprocess.run(["import", "-window", "root", board["file"]], check=True)
    os._exit(0)


def dense(factor: float) -> None:
    """Windows of tkinter as on a screen of another density: FACTOR pixels a point."""
    begin: Callable[..., None] = tkinter.Tk.__init__

    def scaled(root: tkinter.Tk, *words: Any, **options: Any) -> None:
        begin(root, *words, **options)
        root.tk.call("tk", "scaling", factor)

    tkinter.Tk.__init__ = scaled


def tictactoe_anany(board: Board) -> None:
    state = tkinter.Wm.wm_state

    def maximised(root: tkinter.Wm, wanted: str | None = None) -> object:
        if wanted == "zoomed":  # which is how Windows calls it
            return root.wm_attributes("-zoomed", True)
        return state(root, wanted)

    tkinter.Wm.state = maximised
    tkinter.Tk.mainloop = tkinter.Misc.mainloop = lambda *_: None
    dense(board["side"])
    from Tictactoe_anany import tictactoe

    game = tictactoe()
    for row, column in board["moves"]:
        getattr(game, f"a{3 * row + column + 1}").invoke()
    pictured(game.root, board)


def tic_tac_game(board: Board) -> None:
    dense(board["side"])
    import tic_tac_game as module

    app = module.MultiPageApp()
    app.title("Tic Tac Toe")
    app.geometry(board["at"])
    app.show_frame(module.Play_Friend)
    for row, column in board["moves"]:
        app.frames[module.Play_Friend].buttons[row][column].invoke()
    pictured(app, board)


def mini_gui_games(board: Board) -> None:
    import random

    from tictactoe.tictactoe import TicTacToe

    random.seed(board["file"])  # its colours are drawn by lot
    root = tkinter.Tk()
    root.title("TicTacToe")
    root.geometry(board["at"])
    side = board["side"]
    canvas = TicTacToe(root, side)
    canvas.pack()
    canvas.draw_menu()
    canvas.click(SimpleNamespace(x=side // 2, y=side * 3 // 4))  # two players
    for row, column in board["moves"]:
        canvas.click(SimpleNamespace(x=column * side // 3 + side // 6, y=row * side // 3 + side // 6))
    pictured(root, board)


def sg_games(board: Board) -> None:
    dense(board["side"])
    from sg_games.XOX_game import TicTacToe

    root = tkinter.Tk()
    game = TicTacToe(root)
    root.geometry(board["at"])
    for row, column in board["moves"]:
        game.buttons[row][column].invoke()
    pictured(root, board)


def perfect_information_game(board: Board) -> None:
    import numpy
    import pygame
    from perfect_information_game import games
    from perfect_information_game.ui import pygame_ui

    kind = getattr(games, board["side"])
    os.chdir(Path(pygame_ui.__file__).parent)  # it looks for its pictures from here
    first, second = "OX" if board["side"] == "Gomoku" else "XO"  # White begins its Gomoku

    def state(cells: list[list[str]]) -> Any:
        sides = [[[text == wanted for text in row] for row in cells] for wanted in (first, second)]
        return numpy.stack([*map(numpy.array, sides), numpy.ones(kind.BOARD_SHAPE)], axis=-1).astype(numpy.uint8)

    if board["cells"]:
        window = pygame_ui.PygameUI(kind, state(board["before"]))
        window.draw(state(board["cells"]))  # which marks what the last move changed
    else:
        window = pygame_ui.PygameUI(kind)
    pygame.image.save(window.canvas, board["file"])


def gogame(board: Board) -> None:
    import numpy
    from gogame import Board as Goban
    from gogame.enum import Color
    from matplotlib import pyplot

    pyplot.rcParams["figure.figsize"] = board["side"]
    colours = {"": Color.Empty, "X": Color.Black, "O": Color.White}
    goban = Goban(size=len(board["cells"]))
    goban._grid = numpy.array([[colours[text] for text in row] for row in board["cells"]])
    goban.display()
    root = pyplot.get_current_fig_manager().window
    root.geometry(board["at"])
    pictured(root, board)


os.environ["SDL_AUDIODRIVER"] = "dummy"
wanted = json.load(sys.stdin)
globals()[wanted["program"]](wanted)
