"""Games of Python packages in windows of Qt and of Kivy."""

import os
import sys
import tempfile
import time
from typing import Any

from given import Board, absent, bare, corner, screen_picture, stub


def cpgames(board: Board) -> None:
    """Its window for one player, who plays both sides."""
    os.environ["QT_SCALE_FACTOR"] = str(board["side"])
    for name in ("cpgames", "cpgames.core", "cpgames.core.games"):
        bare(name, name)
    from cpgames.core.games.gobang.gobang import Config
    from cpgames.core.games.gobang.modules import PlayWithAIUI
    from PyQt5.QtCore import QEvent, QPointF, Qt
    from PyQt5.QtGui import QMouseEvent
    from PyQt5.QtWidgets import QApplication, QWidget

    move = QWidget.move

    def rounded(widget: QWidget, *spot: Any) -> None:
        move(widget, *(int(part) if isinstance(part, float) else part for part in spot))

    QWidget.move = rounded  # it gives halves of pixels
    app = QApplication([])
    window = PlayWithAIUI(Config)
    window.show()
    for turn, (row, column) in enumerate(board["moves"]):
        window.player_color = window.whoseround = ("black", "white")[turn % 2]
        spot = QPointF(50 + 30 * column, 50 + 30 * row)
        press = QMouseEvent(QEvent.MouseButtonPress, spot, Qt.LeftButton, Qt.LeftButton, Qt.NoModifier)
        window.mousePressEvent(press)
    x, y = corner(board)
    move(window, x // 2, y // 2)
    for _ in range(12):
        app.processEvents()
        time.sleep(0.1)
    screen_picture(board)


def kivy_tic_tac_toe(board: Board) -> None:
    os.environ |= {"KIVY_NO_ARGS": "1", "KIVY_HOME": tempfile.mkdtemp()}
    sys.path.insert(0, board["source"])
    from kivy.config import Config

    (width, height), (left, top) = board["side"], corner(board)
    settings = {"width": width, "height": height, "position": "custom", "left": left, "top": top}
    for name, value in settings.items():
        Config.set("graphics", name, str(value))
    from kivy.clock import Clock
    from kivy_tic_tac_toe_package.main import TicTacToeApp

    app = TicTacToeApp()

    def play(_: float) -> None:
        app.root.ai_player = "Player"
        for row, column in board["moves"]:
            app.root.grid[row][column].click()
        Clock.schedule_once(picture, 4)

    def picture(_: float) -> None:
        screen_picture(board)
        os._exit(0)  # its window never comes to rest

    Clock.schedule_once(play, 2)
    app.run()


def zero_play(board: Board) -> None:
    """The moves are played by two people; every other window shows coordinates."""
    absent("seaborn")
    stub("pkg_resources", EntryPoint=None, iter_entry_points=lambda _: ())
    from PySide6.QtWidgets import QApplication
    from zero_play.othello.display import OthelloDisplay
    from zero_play.zero_play import ZeroPlayWindow

    app = QApplication([])
    window = ZeroPlayWindow()
    size = len(board["cells"])
    window.show_game(OthelloDisplay(size, size))
    window.ui.action_coordinates.setChecked(bool(board["legal"]))
    window.on_start()
    state = window.game_display.start_state
    for row, column in board["moves"]:
        if not state.get_valid_moves()[size * row + column]:
            state = state.make_move(size * size)  # a pass
        state = state.make_move(size * row + column)
    window.resize(*board["side"])
    window.move(*corner(board))
    window.show()
    for _ in range(12):
        window.game_display.update_board(state)
        app.processEvents()
        time.sleep(0.1)
    screen_picture(board)


GAMES = (
    cpgames,
    kivy_tic_tac_toe,
    zero_play,
)
