"""Shows one board in a game that nobody here wrote and takes its picture: run by `take_game_screens.py`.

Runs in a Python that has the games, under a screen. Standard input is a JSON object with `program`, `cells` (rows of
"X", "O" and ""), `legal` (rows and columns of the mover's squares), `last` (a row and a column), `side` (pixels a
square) and `file`.
"""

import builtins
import importlib.util
import json
import os
import subprocess
import sys
import time
import tkinter
import types
from pathlib import Path
from typing import Any

Board = dict[str, Any]


def pictured(root: tkinter.Tk, board: Board) -> None:
    """A picture of the whole screen, once the window is drawn."""
    for _ in range(10):
        root.update()
        time.sleep(0.1)
    subprocess.run(["import", "-window", "root", board["file"]], check=True)


def placed(board: Board) -> list[tuple[int, int, str]]:
    """Row, column, "X" or "O"."""
    return [(r, c, text) for r, row in enumerate(board["cells"]) for c, text in enumerate(row) if text]


def othello_ai(board: Board) -> None:
    from othelloai import bitboard, ui

    root = tkinter.Tk()
    ui._init_widgets(root)
    sides = {"X": 0, "O": 0}
    for row, column, text in placed(board):
        sides[text] |= bitboard.pos_mask(row, column)
    for redraw in ui._EVENT_SUBSCRIPTIONS[ui.EventName.BOARD_CHANGED]:
        redraw(sides["O"], sides["X"])
    pictured(root, board)


def reversi(board: Board) -> None:
    found = importlib.util.find_spec("Reversi")
    assert found is not None
    assert found.origin is not None
    folder = Path(found.origin).parent
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    builtins._ = str
    begin = tkinter.Variable.__init__

    def kept(variable: Any, master: Any = None, value: Any = None, name: Any = None) -> None:
        variable._master = master  # as the tkinter of its time did
        begin(variable, master, value, name)

    tkinter.Variable.__init__ = kept
    import gameWindow
    import styles

    root = tkinter.Tk()
    styles.defineStyles(root)
    window = gameWindow.GameWindow(root)
    for row, column, text in placed(board):
        window.board.gridArray[column][row].token.set({"X": "B", "O": "W"}[text])
    for row, column in board["legal"]:
        window.board.gridArray[column][row].token.set("H")
    pictured(root, board)


def gobang(board: Board) -> None:
    import numpy

    class CNNPolicy:
        """Stands for the net that would choose the moves."""

        @classmethod
        def load_model(cls, _: str) -> None:
            return None

    policy = types.ModuleType("gobang.algorithm.policy")
    policy.CNNPolicy = CNNPolicy
    sys.modules[policy.__name__] = policy
    numpy.int = int  # as the NumPy of its time had it
    from gobang.app import BLACK, WHITE, App

    app = App()
    for row, column, text in placed(board):
        app._draw_chess((column, row), BLACK if text == "X" else WHITE)
    if board["last"]:
        app._update_last_hint((board["last"][1], board["last"][0]))
    pictured(app.root, board)


def mnkgame(board: Board) -> None:
    from mnkgame import mnk_game_gui as gui

    size = len(board["cells"])
    root = tkinter.Tk()
    options = {"rows": size, "cols": size, "num_win": min(size, 5), "gravity": False, "ai_timeout": 1.0, "verbose": 0}
    screen = gui.Geometry(width=3 * size * board["side"], height=3 * size * board["side"])
    window = gui.WinMain(root, screen, ai_mode=next(iter(gui.AI_MODES)), computer_plays=False, **options)
    for row, column, text in placed(board):
        window.board.matrix[row, column] = window.board.TURNS["XO".index(text)]
    root.update()
    root.geometry("+60+60")
    window.frmBoard.refresh()
    pictured(root, board)


def pygomoku(board: Board) -> None:
    import pygame
    from pygomoku.board.abstract import BoardABC
    from pygomoku.gui import GomokuUI
    from pygomoku.score import Player

    class Shown(BoardABC):
        def calculate_next_move(self) -> Any:
            return None

    game = Shown(grid_size=len(board["cells"]))
    window = GomokuUI(game, cell_size=board["side"])
    for row, column, text in placed(board):
        game.board[row, column] = Player(text)
        window.draw_piece(row, column)
    pygame.image.save(window.screen, board["file"])


def tic_tac_toe_pygame(board: Board) -> None:
    import pygame
    from tic_tac_toe_pygame.game import TicTacToe

    game = TicTacToe()
    game.game_state.board = [text or " " for row in board["cells"] for text in row]
    game.render()
    pygame.image.save(game.screen, board["file"])


def freegames(board: Board) -> None:
    import turtle

    turtle.done = lambda: None
    from freegames import tictactoe

    for row, column, text in placed(board):
        tictactoe.players["XO".index(text)](tictactoe.floor(133 * column - 190), tictactoe.floor(133 * (2 - row) - 190))
    turtle.update()
    pictured(turtle.getcanvas().winfo_toplevel(), board)


wanted = json.load(sys.stdin)
globals()[wanted["program"]](wanted)
