"""Shows boards of Python games that nobody here wrote and takes their pictures: run by `take_unseen_screens.py`.

Runs in a Python that has the games, under a screen. Standard input is a JSON list of boards, each with `program`,
`cells` (rows of "X", "O" and ""), `legal` (rows and columns of the mover's squares), `last` (a row and a column, or
null), `side` (pixels a square) and `file`, which is a PNG file, or an SVG file for a browser to show.
"""

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
    for _ in range(12):
        root.update()
        time.sleep(0.1)
    subprocess.run(["import", "-window", "root", board["file"]], check=True)


def placed(board: Board) -> list[tuple[int, int, str]]:
    """Row, column, "X" or "O"."""
    return [(r, c, text) for r, row in enumerate(board["cells"]) for c, text in enumerate(row) if text]


def stub(name: str, **parts: object) -> None:
    """A module that stands for one which is not there, or is not needed to show a board."""
    module = types.ModuleType(name)
    for part, value in parts.items():
        setattr(module, part, value)
    sys.modules[name] = module


def bare(package: str, name: str) -> None:
    """A package under a name, without what it does when it is imported."""
    found = importlib.util.find_spec(package)
    assert found is not None
    module = types.ModuleType(name)
    module.__path__ = list(found.submodule_search_locations or ())
    sys.modules[name] = module


def iothello(board: Board) -> None:
    import pygame
    from iothello.backend_gui import Othello
    from iothello.gui import Gui

    Othello.load_models = staticmethod(list)  # the nets that would choose its moves
    game = Gui()
    game.SQUARE_SIZE = board["side"]
    game.screen = pygame.display.set_mode((6 * board["side"], 6 * board["side"]))
    game.board[:] = 0
    for row, column, text in placed(board):
        game.board[row, column] = -1 if text == "X" else 1
    game.draw_squares()
    game.draw_piece()
    pygame.image.save(game.screen, board["file"])


def othello_ai_python(board: Board) -> None:
    import pygame

    bare("othello_ai_python", "othello_ai_python")
    from othello_ai_python.board import Board as Bits
    from othello_ai_python.canvas import Canvas

    window = Canvas(square_size=board["side"])
    bits = Bits()
    bits.bit_board_black = bits.bit_board_white = 0
    for row, column, text in placed(board):
        if text == "X":
            bits.bit_board_black |= 1 << (row * 8 + column)
        else:
            bits.bit_board_white |= 1 << (row * 8 + column)
    window.update(bits, 1)
    pygame.image.save(window.screen, board["file"])


def nicetictactoe(board: Board) -> None:
    import pygame
    from nicetictactoe.gui import Game
    from nicetictactoe.logic import Grid

    game = Game(Grid())
    with game:
        for row, column, text in placed(board):
            game.grid.tiles[column][row].status = text
            game.x, game.y = column, row
        game.screen.fill((255, 255, 255))
        game.draw()
        game.draw_box()
        game.buttons.update(game.screen)
        game.buttons.draw(game.screen)
        game.instruction()
        pygame.image.save(game.screen, board["file"])


def jdhp_tictactoe(board: Board) -> None:
    class Player:
        """Stands for the players, which the package was published without."""

        def __init__(self, symbol: str) -> None:
            self.symbol = symbol

    for kind in ("greedy", "human", "random"):
        stub(f"jdhp.tictactoe.player.{kind}", **{f"{kind.title()}Player": Player})
    from jdhp.tictactoe.gui import TkGUI

    window = TkGUI()
    window.square_size = board["side"]
    window.canvas.config(width=3 * board["side"], height=3 * board["side"])
    window.start()
    state = [" "] * 9
    for row, column, text in placed(board):
        state[3 * (2 - row) + column] = text
    window.current_state = state
    window.draw_current_state()
    window.root.geometry("+80+60")
    pictured(window.root, board)
    window.root.destroy()


def pypowergames(board: Board) -> None:
    tkinter.Tk.mainloop = tkinter.Misc.mainloop = lambda *_: None
    sys.modules.pop("pypowergames.tictactoe", None)
    from pypowergames import tictactoe

    for row, column, text in placed(board):
        button = getattr(tictactoe, f"button{3 * row + column + 1}")
        tictactoe.click = text == "X"
        tictactoe.checker(button)
    pictured(tictactoe.root, board)
    tictactoe.root.destroy()


def othellotk(board: Board) -> None:
    from othellotk import othellotk as module

    module.debug = False
    module.root = root = tkinter.Tk()
    app = module.Othello(root)
    for row in range(8):
        for column in range(8):
            text = board["cells"][row][column]
            app.board[column][row] = {"X": module.BLACK, "O": module.WHITE, "": module.UNOCCUPIED}[text]
    side = 9 * board["side"]
    root.geometry(f"{side * 3 // 2 + 60}x{side + 20}+40+30")
    app.legal_moves = [(column, row) for row, column in board["legal"]]
    root.after(1500, lambda: (app.draw_board(), app.info_draw()))
    root.after(3000, lambda: subprocess.run(["import", "-window", "root", board["file"]], check=True))
    root.after(4000, lambda: os._exit(0))  # its window never comes to rest
    root.mainloop()


def nonebot_boardgame(board: Board) -> None:
    stub("nonebot_plugin_htmlrender", html_to_pic=None)
    stub("nonebot_plugin_orm", get_session=None)
    stub("sqlalchemy", select=None)
    bare("nonebot_plugin_boardgame", "boards")
    stub("boards.model", GameRecord=None)
    from boards.game import Game, Placement, Pos

    size = len(board["cells"])
    game = Game(size, Placement.GRID if size == 8 else Placement.CROSS)
    for row, column, text in placed(board):
        game.set(Pos(row, column), 1 if text == "X" else -1)
    if board["last"]:
        game.positions.append(Pos(*board["last"]))
    Path(board["file"]).write_text(game.draw_svg().outer(), encoding="utf-8")


os.environ["SDL_AUDIODRIVER"] = "dummy"
for wanted in json.load(sys.stdin):
    globals()[wanted["program"]](wanted)
