"""Games of Python packages in windows of tkinter."""

import builtins
import importlib.util
import os
import sys
import time
import tkinter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from given import Board, absent, placed, screen_picture, stub


def pictured(root: tkinter.Misc, board: Board) -> None:
    """A picture of the whole screen, once the window is drawn."""
    for _ in range(12):
        root.update()
        time.sleep(0.1)
    screen_picture(board)


def dense(factor: float) -> None:
    """Windows of tkinter as on a screen of another density: FACTOR pixels a point."""
    begin: Callable[..., None] = tkinter.Tk.__init__

    def scaled(root: tkinter.Tk, *words: Any, **options: Any) -> None:
        begin(root, *words, **options)
        root.tk.call("tk", "scaling", factor)

    tkinter.Tk.__init__ = scaled


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

    stub("gobang.algorithm.policy", CNNPolicy=CNNPolicy)
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


def freegames(board: Board) -> None:
    import turtle

    turtle.done = lambda: None
    from freegames import tictactoe

    for row, column, text in placed(board):
        tictactoe.players["XO".index(text)](tictactoe.floor(133 * column - 190), tictactoe.floor(133 * (2 - row) - 190))
    turtle.update()
    pictured(turtle.getcanvas().winfo_toplevel(), board)


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
    root.after(3000, lambda: screen_picture(board))
    root.after(4000, lambda: os._exit(0))  # its window never comes to rest
    root.mainloop()


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

    random.seed(Path(board["file"]).name)  # its colours are drawn by lot
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


def lightzero(board: Board) -> None:
    """LightZero's environment, which shows its board by matplotlib."""
    absent("gymnasium", "imageio", "ditk", "easydict", "pygame", "ding", "ding.utils")
    absent(*(f"zoo.board_games.gomoku.envs.{name}_cython" for name in ("get_done_winner", "legal_actions")))
    absent("zoo.board_games.alphabeta_pruning_bot")
    absent(*(f"zoo.board_games.gomoku.envs.gomoku_rule_bot_{name}" for name in ("v0", "v1")))
    stub("ding.envs", BaseEnv=object, BaseEnvTimestep=object)
    sys.modules["ding.utils"].ENV_REGISTRY.register = lambda _: lambda kind: kind
    from matplotlib import pyplot
    from zoo.board_games.gomoku.envs.gomoku_env import GomokuEnv

    pyplot.switch_backend("TkAgg")
    size = len(board["cells"])
    pyplot.rcParams["figure.dpi"] = board["side"] / size
    env = GomokuEnv.__new__(GomokuEnv)
    env.board_size = size
    env.board = [["_XO".index(text or "_") for text in row] for row in board["cells"]]
    env._current_player = 1 + len(board["moves"]) % 2
    env.fig, env.ax = pyplot.subplots(figsize=(size, size))
    window = pyplot.get_current_fig_manager().window
    window.geometry(board["at"])
    env.render("image_realtime_mode")
    pictured(window, board)


GAMES = (
    othello_ai,
    reversi,
    gobang,
    mnkgame,
    freegames,
    jdhp_tictactoe,
    pypowergames,
    othellotk,
    tictactoe_anany,
    tic_tac_game,
    mini_gui_games,
    sg_games,
    gogame,
    lightzero,
)
