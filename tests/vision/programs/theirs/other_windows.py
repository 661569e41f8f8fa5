"""Games of Python packages in windows of Qt and of Kivy."""

import os
import sys
import tempfile
import time
from typing import Any

from given import Board, bare, corner, screen_picture


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


GAMES = (
    cpgames,
    kivy_tic_tac_toe,
)
