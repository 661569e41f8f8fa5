"""Ten programs for Othello, gomoku and tic-tac-toe: `line_games.py DESIGN` does what `programs.py` does."""

import random
import sys
import tkinter as tk
import turtle

from programs import PLACE, Board, grab, run, stones

NAMES = ("Black", "White")


def count(board: Board, side: str) -> int:
    return sum(row.count(side) for row in board["cells"])


def othello_3(board: Board) -> None:
    import pygame

    pygame.init()
    screen = pygame.Surface((128, 128))
    screen.fill((29, 43, 83))
    pygame.draw.rect(screen, (0, 135, 81), (15, 18, 97, 97))
    for k in range(9):
        pygame.draw.line(screen, (0, 0, 0), (15 + 12 * k, 18), (15 + 12 * k, 114))
        pygame.draw.line(screen, (0, 0, 0), (15, 18 + 12 * k), (111, 18 + 12 * k))
    for row, column, text in stones(board):
        x, y = 17 + 12 * column, 20 + 12 * row
        face, shade = ((0, 0, 0), (95, 87, 79)) if text == "X" else ((255, 241, 232), (194, 195, 199))
        for colour, drop in ((shade, 1), (face, 0)):
            for cut, down in ((2, 0), (1, 1), (0, 2)):
                pygame.draw.rect(screen, colour, (x + cut, y + down + drop, 9 - 2 * cut, 8 - 2 * down))
    for row, column in board["last"]:
        pygame.draw.rect(screen, (255, 0, 77), (15 + 12 * column, 18 + 12 * row, 13, 13), 1)
    font = pygame.font.Font(None, 13)
    status = f"BLACK {count(board, 'X'):02}     {count(board, 'O'):02} WHITE"
    screen.blit(font.render(status, False, (255, 236, 39)), (18, 5))
    screen.blit(font.render("> " + NAMES[board["turn"]].upper(), False, (255, 163, 0)), (18, 118))
    factor = round(5 * board["scale"])
    pygame.image.save(pygame.transform.scale(screen, (128 * factor, 128 * factor)), board["file"])


def othello_5(board: Board) -> None:
    root = tk.Tk()
    root.title("Othello")
    root.geometry("+{}+{}".format(*PLACE))
    side = round(64 * board["scale"])
    canvas = tk.Canvas(root, width=8 * side, height=8 * side, highlightthickness=0)
    canvas.pack(side="left", padx=10, pady=10)
    for place in range(64):
        x, y = place % 8 * side, place // 8 * side
        colour = "#7fb069" if (place % 8 + place // 8) % 2 else "#8fc07a"
        canvas.create_rectangle(x, y, x + side, y + side, fill=colour, width=0)
    for row, column, text in stones(board):
        x, y, edge = column * side, row * side, side * 0.1
        colour = "black" if text == "X" else "white"
        canvas.create_oval(x + edge, y + edge, x + side - edge, y + side - edge, fill=colour, outline="gray25", width=2)
    for row, column in board["legal"]:
        x, y, edge = column * side, row * side, side * 0.36
        canvas.create_oval(x + edge, y + edge, x + side - edge, y + side - edge, outline="gray25", dash=(3, 2))
    panel = tk.Frame(root, padx=14)
    panel.pack(side="right", fill="y", pady=10)
    for name, text in zip(NAMES, "XO", strict=True):
        tk.Label(panel, text=name, font=("Helvetica", 14)).pack(anchor="w")
        tk.Label(panel, text=count(board, text), font=("Helvetica", 28, "bold")).pack(anchor="w", pady=(0, 12))
    tk.Label(panel, text=f"{NAMES[board['turn']]} to move", fg="dark red").pack(anchor="w")
    for label in ("New game", "Undo", "Quit"):
        tk.Button(panel, text=label, width=9).pack(side="bottom", pady=2)
    grab(root, board["file"], framed=True)
    root.destroy()


def othello_7(board: Board) -> None:
    from PySide6 import QtCore, QtGui, QtWidgets

    app = QtWidgets.QApplication.instance() or QtWidgets.QApplication(["reversi", "-style", "fusion"])
    side = round(66 * board["scale"])
    edge = side * 0.55
    scene = QtWidgets.QGraphicsScene(0, 0, 8 * side + 2 * edge, 8 * side + 2 * edge)
    wood = QtGui.QLinearGradient(0, 0, 0, scene.height())
    grains = random.Random(7)
    for k in range(60):
        wood.setColorAt(k / 60, QtGui.QColor.fromHsv(22, 150, grains.randint(98, 126)))
    scene.addRect(scene.sceneRect(), QtGui.QPen(QtCore.Qt.PenStyle.NoPen), wood)
    scene.addRect(edge, edge, 8 * side, 8 * side, QtGui.QPen(QtGui.QColor("#241208"), 3), QtGui.QColor("#14665a"))
    line = QtGui.QPen(QtGui.QColor("#0a3b34"), 2)
    for k in range(1, 8):
        scene.addLine(edge, edge + k * side, edge + 8 * side, edge + k * side, line)
        scene.addLine(edge + k * side, edge, edge + k * side, edge + 8 * side, line)
    for x in (2, 6):
        for y in (2, 6):
            scene.addEllipse(edge + x * side - 4, edge + y * side - 4, 8, 8, line, line.color())
    for k in range(8):
        for text, x, y in (("ABCDEFGH"[k], k + 0.5, -0.27), (str(k + 1), -0.27, k + 0.5)):
            label = scene.addSimpleText(text, QtGui.QFont("DejaVu Serif", round(side * 0.2)))
            label.setBrush(QtGui.QColor("#f0dcb8"))
            box = label.boundingRect()
            label.setPos(edge + x * side - box.width() / 2, edge + y * side - box.height() / 2)
    for row, column, text in stones(board):
        size = side * 0.82
        fill = QtGui.QRadialGradient(size * 0.36, size * 0.3, size * 0.75)
        for part, colour in enumerate(("#5a5a5a", "#080808") if text == "X" else ("#ffffff", "#c8c4b8")):
            fill.setColorAt(part, QtGui.QColor(colour))
        disc = scene.addEllipse(0, 0, size, size, QtGui.QPen(QtGui.QColor("#101010"), 1), fill)
        disc.setPos(edge + (column + 0.09) * side, edge + (row + 0.09) * side)
        disc.setGraphicsEffect(QtWidgets.QGraphicsDropShadowEffect(blurRadius=6, offset=QtCore.QPointF(2, 3)))
    window = QtWidgets.QMainWindow()
    window.menuBar().addMenu("&Game")
    window.menuBar().addMenu("&Help")
    tools = window.addToolBar("tools")
    for label in ("New", "Undo", "Hint"):
        tools.addAction(label)
    view = QtWidgets.QGraphicsView(scene)
    view.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
    view.setFixedSize(round(scene.width()) + 4, round(scene.height()) + 4)
    window.setCentralWidget(view)
    score = f"Black {count(board, 'X')} : {count(board, 'O')} White"
    window.statusBar().showMessage(f"{NAMES[board['turn']]} to move      {score}")
    window.show()
    app.processEvents()
    window.grab().save(board["file"])
    window.close()


def othello_8(board: Board) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 6.4), dpi=90 * board["scale"])
    axes.set(facecolor="burlywood", aspect="equal", xlim=(-0.5, 7.5), ylim=(7.5, -0.5))
    axes.set(xticks=range(8), yticks=range(8))
    axes.set_xticks([k + 0.5 for k in range(7)], minor=True)
    axes.set_yticks([k + 0.5 for k in range(7)], minor=True)
    axes.grid(which="minor", color="black", linewidth=1)
    axes.tick_params(which="minor", length=0)
    for side, colour in (("X", "black"), ("O", "white")):
        spots = [(column, row) for row, column, text in stones(board) if text == side]
        axes.scatter(*zip(*spots, strict=True), s=900, c=colour, edgecolors="black", zorder=3)
    axes.set_title(f"step {len(board['log'])}, player {board['turn']}, {len(board['legal'])} legal actions")
    figure.savefig(board["file"])
    plt.close(figure)


def gomoku_2(board: Board) -> None:
    import pygame
    from pygame import gfxdraw

    pygame.init()
    step = round(40 * board["scale"])
    full = 16 * step
    screen = pygame.display.set_mode((full + 5 * step, full))
    screen.fill((227, 178, 101))
    grains = random.Random(3)
    for y in range(0, full, 2):
        tone = grains.randint(-9, 9)
        pygame.draw.line(screen, (224 + tone, 174 + tone, 98 + tone), (0, y), (full, y + grains.randint(-4, 4)), 2)
    pygame.draw.rect(screen, (90, 55, 20), (0, 0, full, full), step // 5)
    for k in range(1, 16):
        pygame.draw.line(screen, (40, 25, 10), (step, k * step), (15 * step, k * step))
        pygame.draw.line(screen, (40, 25, 10), (k * step, step), (k * step, 15 * step))
    pygame.draw.rect(screen, (40, 25, 10), (step, step, 14 * step + 1, 14 * step + 1), 3)

    def disc(x: int, y: int, size: int, colour: tuple[int, int, int]) -> None:
        gfxdraw.aacircle(screen, x, y, size, colour)
        gfxdraw.filled_circle(screen, x, y, size, colour)

    for row, column in ((3, 3), (3, 11), (7, 7), (11, 3), (11, 11)):
        disc((column + 1) * step, (row + 1) * step, step // 10, (40, 25, 10))
    for row, column, text in stones(board):
        tone = 20 if text == "X" else 240
        disc((column + 1) * step, (row + 1) * step, round(step * 0.45), (tone, tone, tone))
    for row, column in board["last"]:
        x, y, reach = (column + 1) * step, (row + 1) * step, step // 5
        pygame.draw.line(screen, (220, 30, 30), (x - reach, y), (x + reach, y), 2)
        pygame.draw.line(screen, (220, 30, 30), (x, y - reach), (x, y + reach), 2)
    pygame.draw.rect(screen, (245, 238, 225), (full, 0, 5 * step, full))
    font = pygame.font.Font(None, round(step * 0.75))
    for k, (name, colour) in enumerate((("Player", (20, 20, 20)), ("AI", (240, 240, 240)))):
        disc(full + step, 2 * step + 2 * k * step, round(step * 0.45), colour)
        gfxdraw.aacircle(screen, full + step, 2 * step + 2 * k * step, round(step * 0.45), (20, 20, 20))
        mark = "  <" if board["turn"] == k else ""
        screen.blit(font.render(name + mark, True, (60, 60, 60)), (full + 2 * step, round(1.75 * step) + 2 * k * step))
    screen.blit(font.render(f"Round {len(board['log']) // 2}", True, (60, 60, 60)), (full + step, 6 * step))
    pygame.image.save(screen, board["file"])


def gomoku_4(board: Board) -> None:
    from PySide6 import QtCore, QtGui, QtWidgets

    step = round(34 * board["scale"])

    class Field(QtWidgets.QWidget):
        """Lines and stones, letters below and numbers on the left.

        Few calls: each one costs PySide 6.12 on Python 3.11 a reference to None, and without any Python aborts.
        """

        def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
            pen = QtGui.QPainter(self)
            pen.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
            pen.fillRect(self.rect(), QtGui.QColor("#3a4048"))
            pen.setFont(QtGui.QFont("Liberation Mono", round(step * 0.3)))
            pen.setPen(QtGui.QColor("#8b939e"))
            spots, near, far = [round((k + 1.5) * step) for k in range(19)], round(1.5 * step), round(19.5 * step)
            pen.drawLines([QtCore.QLine(near, at, far, at) for at in spots])
            pen.drawLines([QtCore.QLine(at, near, at, far) for at in spots])
            pen.setPen(QtGui.QColor("#c5ccd6"))
            middle = QtCore.Qt.AlignmentFlag.AlignCenter
            for k, at in enumerate(spots):
                pen.drawText(QtCore.QRect(0, at - step // 2, step, step), middle, str(19 - k))
                pen.drawText(QtCore.QRect(at - step // 2, 20 * step, step, step), middle, chr(65 + k))
            for side, fill, rim in (("X", "#14171b", "#0b0d10"), ("O", "#e4e7eb", "#ffffff")):
                pen.setPen(QtGui.QPen(QtGui.QColor(rim), 1.5))
                pen.setBrush(QtGui.QColor(fill))
                for row, column in ((row, column) for row, column, text in stones(board) if text == side):
                    pen.drawEllipse(QtCore.QRectF((column + 1.05) * step, (row + 1.05) * step, step * 0.9, step * 0.9))
            pen.setPen(QtGui.QPen(QtGui.QColor("#f5a524"), 2.5))
            pen.setBrush(QtCore.Qt.BrushStyle.NoBrush)
            for row, column in board["last"]:
                pen.drawEllipse(QtCore.QPointF((column + 1.5) * step, (row + 1.5) * step), step * 0.22, step * 0.22)

    app = QtWidgets.QApplication.instance() or QtWidgets.QApplication(["gomoku", "-style", "fusion"])
    window = QtWidgets.QWidget(styleSheet="background: #22262b; color: #d5dae1;")
    layout = QtWidgets.QVBoxLayout(window)
    head = QtWidgets.QHBoxLayout()
    head.addWidget(QtWidgets.QLabel(f"<b>Gomoku 19</b> &nbsp; {NAMES[board['turn']]} to play"), 1)
    for label in ("Undo", "Resign"):
        head.addWidget(QtWidgets.QPushButton(label))
    layout.addLayout(head)
    field = Field()
    field.setFixedSize(21 * step, 21 * step)
    layout.addWidget(field)
    window.show()
    app.processEvents()
    window.grab().save(board["file"])
    window.close()


def gomoku_6(board: Board) -> None:
    root = tk.Tk()
    root.title("Five in a row 10x10")
    root.geometry("+{}+{}".format(*PLACE))
    size = round(17 * board["scale"])
    whose = "XO"[board["turn"]]
    tk.Label(root, text=f"Player {whose}, it is your turn", font=("Courier", 15)).pack(pady=6)
    field = tk.Frame(root, bg="gray40", bd=3, relief="ridge")
    field.pack(padx=12)
    for row, texts in enumerate(board["cells"]):
        for column, text in enumerate(texts):
            colour = {"X": "blue", "O": "red"}.get(text, "black")
            style = {"font": ("Courier", size, "bold"), "fg": colour, "bg": "ivory", "relief": "groove", "bd": 2}
            tk.Label(field, text=text, width=3, height=1, pady=5, **style).grid(row=row, column=column)
    below = tk.Frame(root)
    below.pack(pady=8)
    for label in ("Start again", "Exit"):
        tk.Button(below, text=label).pack(side="left", padx=4)
    grab(root, board["file"], framed=True)
    root.destroy()


def gomoku_7(board: Board) -> None:
    step = round(38 * board["scale"])
    screen = turtle.Screen()
    screen.setup(16 * step + 20, 17 * step + 20)
    screen.bgcolor("burlywood1")
    screen.tracer(0)
    pen = turtle.Turtle(visible=False)
    pen.up()
    pen.pencolor("sienna4")
    pen.pensize(2)
    for k in range(-7, 8):
        for ends in (((-7, k), (7, k)), ((k, -7), (k, 7))):
            pen.goto(ends[0][0] * step, ends[0][1] * step)
            pen.down()
            pen.goto(ends[1][0] * step, ends[1][1] * step)
            pen.up()
    for row, column, text in stones(board):
        pen.goto((column - 7) * step, (7 - row) * step)
        pen.dot(round(step * 0.75), "black" if text == "X" else "white")
    pen.pencolor("black")
    pen.goto(0, 7.4 * step)
    pen.write(f"{NAMES[board['turn']]}'s turn", align="center", font=("Arial", step // 2, "normal"))
    screen.update()
    grab(screen.getcanvas().winfo_toplevel(), board["file"], framed=False)
    screen.clear()


def tictactoe_3(board: Board) -> None:
    import pygame

    pygame.init()
    side = round(200 * board["scale"])
    screen = pygame.display.set_mode((3 * side, 3 * side))
    screen.fill((28, 170, 156))
    for k in (1, 2):
        pygame.draw.line(screen, (23, 145, 135), (0, k * side), (3 * side, k * side), 15)
        pygame.draw.line(screen, (23, 145, 135), (k * side, 0), (k * side, 3 * side), 15)
    for row, column, text in stones(board):
        x, y, space = column * side, row * side, side * 55 // 200
        if text == "O":
            pygame.draw.circle(screen, (239, 231, 200), (x + side // 2, y + side // 2), side * 3 // 10, 15)
        else:
            near, far = space, side - space
            pygame.draw.line(screen, (66, 66, 66), (x + near, y + far), (x + far, y + near), 25)
            pygame.draw.line(screen, (66, 66, 66), (x + near, y + near), (x + far, y + far), 25)
    pygame.image.save(screen, board["file"])


def tictactoe_5(board: Board) -> None:
    """Strokes that waver, on ruled paper."""
    from math import cos, pi, sin

    from PIL import Image, ImageDraw, ImageFont

    side = round(170 * board["scale"])
    wide, high, left, top = 4 * side, round(4.2 * side), side // 2, round(0.8 * side)
    image = Image.new("RGB", (2 * wide, 2 * high), "#fbfaf4")
    pen = ImageDraw.Draw(image)
    hand = random.Random(len(board["log"]))
    for y in range(side // 3, high, side // 4):
        pen.line((0, 2 * y, 2 * wide, 2 * y), fill="#cfe0ee", width=3)
    pen.line((side // 2, 0, side // 2, 2 * high), fill="#f0b8b8", width=3)

    def stroke(spots: list[tuple[float, float]], colour: str, width: int) -> None:
        """A line through SPOTS (columns and rows of the board), each a little off its place."""
        shaky = [
            (2 * left + 2 * side * x + hand.gauss(0, side / 90), 2 * top + 2 * side * y + hand.gauss(0, side / 90))
            for x, y in spots
        ]
        pen.line(shaky, fill=colour, width=width, joint="curve")

    def straight(x: float, y: float, far_x: float, far_y: float) -> list[tuple[float, float]]:
        return [(x + (far_x - x) * k / 12, y + (far_y - y) * k / 12) for k in range(13)]

    for k in (1, 2):
        stroke(straight(k, 0.02, k + 0.03, 2.97), "#4a4a52", side // 16)
        stroke(straight(0.03, k, 2.96, k - 0.02), "#4a4a52", side // 16)
    for row, column, text in stones(board):
        if text == "X":
            stroke(straight(column + 0.2, row + 0.22, column + 0.8, row + 0.78), "#2456a8", side // 14)
            stroke(straight(column + 0.79, row + 0.2, column + 0.22, row + 0.8), "#2456a8", side // 14)
        else:
            turns = [2 * pi * k / 30 - 1.9 for k in range(33)]
            ring = [(column + 0.5 + 0.3 * cos(turn), row + 0.5 + 0.31 * sin(turn)) for turn in turns]
            stroke(ring, "#c23b3b", side // 14)
    font = ImageFont.truetype("ComicNeue-Bold.otf", round(0.5 * side))
    pen.text((wide, side * 0.7), f"{'XO'[board['turn']]} goes next!", fill="#4a4a52", font=font, anchor="mm")
    image.resize((wide, high), Image.Resampling.LANCZOS).save(board["file"])


if __name__ == "__main__":
    run(globals()[sys.argv[1].replace("-", "_")])
