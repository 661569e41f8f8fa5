"""Eight students' programs: `programs.py DESIGN` shows the boards that standard input describes and takes pictures."""

import json
import sys
import tkinter as tk
import turtle
from collections.abc import Callable, Iterator
from typing import Any

Board = dict[str, Any]
NAMES = ("Red", "Blue")
PLACE = 60, 40
"""Of the windows on the screen."""


def stones(board: Board) -> Iterator[tuple[int, int, str]]:
    """Row, column and text of every square that is not empty."""
    for row, texts in enumerate(board["cells"]):
        yield from ((row, column, text) for column, text in enumerate(texts) if text)


def grab(window: tk.Misc, file: str, *, framed: bool) -> None:
    """Take a picture of a window, with what the window manager draws around it if it is FRAMED."""
    from PIL import ImageGrab

    window.update()
    window.after(400)
    window.update()
    left, top = window.winfo_rootx(), window.winfo_rooty()
    right, bottom = left + window.winfo_width(), top + window.winfo_height()
    ImageGrab.grab((*PLACE, right + 1, bottom + 5) if framed else (left, top, right, bottom)).save(file)


def tk_buttons(board: Board) -> None:
    root = tk.Tk()
    root.title("EinStein")
    root.geometry("+{}+{}".format(*PLACE))
    size = round(24 * board["scale"])
    tk.Label(root, text=f"{NAMES[board['turn']]}'s turn", font=("Helvetica", 16)).grid(row=0, column=0, columnspan=5)
    colours = {"R": "firebrick", "B": "royal blue"}
    for row, texts in enumerate(board["cells"]):
        for column, text in enumerate(texts):
            colour = colours[text[0]] if text else "#d9d9d9"
            button = tk.Button(root, text=text[1:], bg=colour, fg="white", font=("Helvetica", size, "bold"), width=3)
            button.grid(row=row + 1, column=column, padx=1, pady=1)
    tk.Label(root, text=f"Dice: {board['die']}", font=("Helvetica", 16)).grid(row=6, column=0, columnspan=3, pady=6)
    tk.Button(root, text="Roll dice").grid(row=6, column=3, columnspan=2)
    grab(root, board["file"], framed=True)
    root.destroy()


def tk_connect6(board: Board) -> None:
    root = tk.Tk()
    root.title("Connect 6")
    root.geometry("+{}+{}".format(*PLACE))
    step = round(30 * board["scale"])
    menu = tk.Menu(root)
    for label in ("Game", "Options", "Help"):
        menu.add_cascade(label=label, menu=tk.Menu(menu))
    root.config(menu=menu)
    canvas = tk.Canvas(root, width=20 * step, height=20 * step, bg="#f0c060", highlightthickness=0)
    canvas.pack()
    for k in range(1, 20):
        canvas.create_line(step, k * step, 19 * step, k * step)
        canvas.create_line(k * step, step, k * step, 19 * step)
    for row, column, text in stones(board):
        x, y, size = (column + 1) * step, (row + 1) * step, step * 0.4
        canvas.create_oval(x - size, y - size, x + size, y + size, fill="black" if text == "X" else "white")
    status = f"{'White' if board['turn'] else 'Black'} to play, {len(board['log'])} stones"
    tk.Label(root, text=status, anchor="w", relief="sunken").pack(fill="x")
    grab(root, board["file"], framed=True)
    root.destroy()


def turtle_rings(board: Board) -> None:
    side = round(90 * board["scale"])
    screen = turtle.Screen()
    screen.setup(6 * side + 40, 6 * side + 60)
    screen.tracer(0)
    pen = turtle.Turtle(visible=False)
    pen.up()
    pen.goto(0, 2.6 * side)
    status = f"{NAMES[board['turn']]} moves   dice {board['die']}"
    pen.write(status, align="center", font=("Courier", side // 5, "bold"))
    pen.pensize(3)
    for k in range(6):
        for ends in (((-2.5, k - 2.5), (2.5, k - 2.5)), ((k - 2.5, -2.5), (k - 2.5, 2.5))):
            pen.goto(ends[0][0] * side, ends[0][1] * side)
            pen.down()
            pen.goto(ends[1][0] * side, ends[1][1] * side)
            pen.up()
    for row, column, text in stones(board):
        pen.pensize(max(4, side // 14))
        pen.color("red" if text[0] == "R" else "blue")
        pen.goto((column - 2) * side, (2 - row) * side - side * 0.36)
        pen.down()
        pen.circle(side * 0.36)
        pen.up()
        pen.goto((column - 2) * side, (2 - row) * side - side * 0.27)
        pen.write(text[1], align="center", font=("Courier", round(side * 0.34), "bold"))
    screen.update()
    grab(screen.getcanvas().winfo_toplevel(), board["file"], framed=False)
    screen.clear()


def qt_panel(board: Board) -> None:
    from PySide6 import QtCore, QtGui, QtWidgets

    class Field(QtWidgets.QWidget):
        """The board, as large as the window lets it be."""

        def paintEvent(self, event: QtGui.QPaintEvent) -> None:  # noqa: N802
            pen = QtGui.QPainter(self)
            pen.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
            side = min(self.width(), self.height()) // 5 - 1
            pen.setFont(QtGui.QFont("Liberation Sans Narrow", side // 3, QtGui.QFont.Weight.Bold))
            pen.setPen(QtGui.QPen(QtGui.QColor("#444444"), 2))
            for place in range(25):
                pen.setBrush(QtGui.QColor("#fffbe0" if [place // 5, place % 5] in board["last"] else "#ffffff"))
                pen.drawRect(place % 5 * side + 1, place // 5 * side + 1, side, side)
            for row, column, text in stones(board):
                disc = QtCore.QRectF((column + 0.1) * side + 1, (row + 0.1) * side + 1, side * 0.8, side * 0.8)
                fill = QtGui.QLinearGradient(disc.topLeft(), disc.bottomRight())
                for part, colour in enumerate(("#ef5a5a", "#8e0b0b") if text[0] == "R" else ("#4c5fc4", "#0c1450")):
                    fill.setColorAt(part, QtGui.QColor(colour))
                pen.setBrush(fill)
                pen.setPen(QtGui.QPen(QtGui.QColor("#222222"), 1.5))
                pen.drawEllipse(disc)
                pen.setPen(QtGui.QColor("#ffffff"))
                pen.drawText(disc, QtCore.Qt.AlignmentFlag.AlignCenter, text[1])

    app = QtWidgets.QApplication.instance() or QtWidgets.QApplication(["einstein", "-style", "fusion"])
    window = QtWidgets.QMainWindow()
    for label in ("&File", "&Game"):
        window.menuBar().addMenu(label)
    middle = QtWidgets.QWidget()
    layout = QtWidgets.QHBoxLayout(middle)
    layout.addWidget(Field(), 3)
    group = QtWidgets.QGroupBox("Game")
    inner = QtWidgets.QVBoxLayout(group)
    inner.addWidget(QtWidgets.QLabel(f"{NAMES[board['turn']]} to move, die shows {board['die']}"))
    inner.addWidget(QtWidgets.QPushButton("Roll die"))
    inner.addWidget(QtWidgets.QPushButton("Computer move"))
    moves = QtWidgets.QListWidget()
    moves.addItems(board["log"])
    inner.addWidget(moves)
    layout.addWidget(group, 1)
    window.setCentralWidget(middle)
    window.statusBar().showMessage("Ready")
    window.resize(round(820 * board["scale"]), round(640 * board["scale"]))
    window.show()
    app.processEvents()
    window.grab().save(board["file"])
    window.close()


def pygame_dice(board: Board) -> None:
    import pygame

    pygame.init()
    side = round(120 * board["scale"])
    screen = pygame.display.set_mode((5 * side + 40, 5 * side + 100))
    screen.fill((24, 92, 58))
    font, small = pygame.font.Font(None, round(side * 0.72)), pygame.font.Font(None, 40)
    for k in range(6):
        pygame.draw.line(screen, (12, 52, 32), (20 + k * side, 20), (20 + k * side, 20 + 5 * side), 7)
        pygame.draw.line(screen, (12, 52, 32), (20, 20 + k * side), (20 + 5 * side, 20 + k * side), 7)
    for row, column in board["last"]:
        pygame.draw.rect(screen, (240, 210, 60), (25 + column * side, 25 + row * side, side - 10, side - 10), 3)
    for row, column, text in stones(board):
        body = pygame.Rect(20 + column * side, 20 + row * side, side, side).inflate(-0.3 * side, -0.3 * side)
        face, rim = ((240, 84, 36), (168, 46, 12)) if text[0] == "R" else ((52, 120, 240), (22, 62, 150))
        pygame.draw.rect(screen, rim, body.move(4, 5), border_radius=side // 7)
        pygame.draw.rect(screen, face, body, border_radius=side // 7)
        number = font.render(text[1], True, (255, 255, 255))
        screen.blit(number, number.get_rect(center=body.center))
    status = small.render(f"{NAMES[board['turn']].upper()} rolled {board['die']}   [SPACE] roll", True, (230, 230, 200))
    screen.blit(status, (24, 5 * side + 50))
    pygame.image.save(screen, board["file"])


def pygame_connect6(board: Board) -> None:
    import pygame

    pygame.init()
    step = round(36 * board["scale"])
    screen = pygame.display.set_mode((20 * step + 220, 20 * step))
    screen.fill((38, 44, 52))
    pygame.draw.rect(screen, (70, 124, 130), (step // 2, step // 2, 19 * step, 19 * step))
    for k in range(1, 20):
        pygame.draw.line(screen, (205, 225, 225), (step, k * step), (19 * step, k * step))
        pygame.draw.line(screen, (205, 225, 225), (k * step, step), (k * step, 19 * step))
    for row, column, text in stones(board):
        centre = (column + 1) * step, (row + 1) * step
        pygame.draw.circle(screen, (15, 15, 15) if text == "X" else (245, 245, 245), centre, step * 0.43)
        if [row, column] in board["last"]:
            pygame.draw.circle(screen, (255, 170, 0), centre, step * 0.43, 3)
    font = pygame.font.Font(None, 34)
    whose = f"Turn: {'white' if board['turn'] else 'black'}"
    for k, text in enumerate(("CONNECT 6", "", f"Stones: {len(board['log'])}", whose, "", "U undo", "N new", "Q quit")):
        screen.blit(font.render(text, True, (230, 230, 230)), (20 * step + 20, 40 + 42 * k))
    pygame.image.save(screen, board["file"])


def matplotlib_squares(board: Board) -> None:
    import matplotlib.pyplot as plt
    from matplotlib.patches import FancyBboxPatch

    figure, axes = plt.subplots(figsize=(6.4 * board["scale"], 6.4 * board["scale"]), dpi=100)
    axes.imshow([[(row + column) % 2 for column in range(5)] for row in range(5)], cmap="Greys", vmin=-0.2, vmax=4)
    for row, column, text in stones(board):
        colour = "lightcoral" if text[0] == "R" else "navy"
        style = {"boxstyle": "round,pad=0.08", "facecolor": colour, "edgecolor": "black"}
        axes.add_patch(FancyBboxPatch((column - 0.24, row - 0.24), 0.48, 0.48, **style))
        ink = "black" if text[0] == "R" else "white"
        axes.text(column, row, text[1], ha="center", va="center", color=ink, fontsize=24 * board["scale"])
    axes.set_xticks(range(5), "abcde")
    axes.set_yticks(range(5), "54321")
    axes.set_title(f"move {len(board['log'])}, {NAMES[board['turn']]} to play, die = {board['die']}")
    figure.savefig(board["file"])
    plt.close(figure)


def pil_balls(board: Board) -> None:
    from PIL import Image, ImageDraw, ImageFont

    side = round(84 * board["scale"])
    image = Image.new("RGB", (5 * side + 60, 6 * side + 60), "#dfe6ee")
    pen = ImageDraw.Draw(image)
    font = ImageFont.truetype("DejaVuSerif-Bold.ttf", round(side * 0.42))
    little = ImageFont.truetype("DejaVuSerif-Bold.ttf", round(side * 0.2))

    def ball(x: float, y: float, size: float, text: str, letters: ImageFont.FreeTypeFont) -> None:
        dark, light = ((196, 30, 58), (255, 150, 160)) if text[0] == "R" else ((40, 120, 190), (170, 220, 255))
        for k in range(round(size)):
            part = (k / size) ** 2
            colour = tuple(round(low + (high - low) * part) for low, high in zip(dark, light, strict=True))
            rest, shift = size - k, k * 0.3
            pen.ellipse((x - rest - shift, y - rest - shift, x + rest - shift, y + rest - shift), fill=colour)
        pen.text((x, y), text[1], fill="white", font=letters, anchor="mm", stroke_width=2, stroke_fill=dark)

    for place in range(25):
        x, y = 30 + place % 5 * side, 30 + place // 5 * side
        pen.rounded_rectangle((x + 3, y + 3, x + side - 3, y + side - 3), radius=8, fill="#b4c1cf")
    for row, column, text in stones(board):
        ball(30 + (column + 0.5) * side, 30 + (row + 0.5) * side, side * 0.38, text, font)
    pen.text((30, 5 * side + 44), "Captured:", fill="#333333", font=little)
    for k, text in enumerate(board["taken"]):
        ball(30 + side * (0.25 + 0.42 * k), 5 * side + 44 + side * 0.5, side * 0.17, text, little)
    image.save(board["file"])


def run(design: Callable[[Board], None]) -> None:
    for board in json.load(sys.stdin):
        design(board)


if __name__ == "__main__":
    run(globals()[sys.argv[1].replace("-", "_")])
