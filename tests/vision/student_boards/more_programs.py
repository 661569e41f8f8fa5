"""Six more students' programs: `more_programs.py DESIGN` does what `programs.py` does."""

import sys
import textwrap
import tkinter as tk

from programs import NAMES, PLACE, Board, grab, run, stones

PROSE = """The search visits every reply of the opponent and every face of the die, each with weight one sixth.
Positions in which a side has lost all of its stones, or in which a stone stands in the far corner, are final
and get plus or minus one. At the depth limit the value is the difference of the shortest ways home, divided by
four, which is crude but fast. We compared it with plain rollouts from the same positions and found that the two
agree on the best move in most of the cases, and that they differ mainly where a stone may be sacrificed. An
example of such a position is shown below."""
FACES = {
    "1": "00100 01100 00100 00100 00100 00100 01110",
    "2": "01110 10001 00001 00110 01000 10000 11111",
    "3": "01110 10001 00001 00110 00001 10001 01110",
    "4": "00010 00110 01010 10010 11111 00010 00010",
    "5": "11111 10000 11110 00001 00001 10001 01110",
    "6": "01110 10000 10000 11110 10001 10001 01110",
}
"""Digits of a bitmap font, five dots wide and seven high."""


def plot_2(board: Board) -> None:
    import matplotlib.pyplot as plt
    from matplotlib.patches import Circle, Rectangle

    plt.rcParams |= {"font.family": "Latin Modern Roman", "axes.unicode_minus": False}
    figure = plt.figure(figsize=(8.27, 11.69), dpi=110 * board["scale"])
    words = textwrap.wrap(" ".join(PROSE.split()), 80)
    figure.text(0.13, 0.91, "4   Results", fontsize=19, weight="bold")
    figure.text(0.13, 0.89, "\n".join(words), fontsize=12, va="top", linespacing=1.35)
    axes = figure.add_axes((0.3, 0.43, 0.4, 0.4 * 8.27 / 11.69), aspect="equal", xlim=(0, 5), ylim=(5, 0))
    axes.set_xticks([k + 0.5 for k in range(5)], "abcde", fontsize=12)
    axes.set_yticks([k + 0.5 for k in range(5)], "54321", fontsize=12)
    axes.tick_params(length=0)
    for k in range(1, 5):
        axes.axhline(k, color="black", linewidth=0.8)
        axes.axvline(k, color="black", linewidth=0.8)
    for row, column, text in stones(board):
        if text[0] == "R":
            axes.add_patch(Rectangle((column + 0.2, row + 0.2), 0.6, 0.6, color="#c0281c"))
        else:
            style = {"facecolor": "white", "edgecolor": "#1c3fa8", "linewidth": 2}
            axes.add_patch(Circle((column + 0.5, row + 0.5), 0.34, **style))
        ink = "white" if text[0] == "R" else "#1c3fa8"
        axes.text(column + 0.5, row + 0.53, text[1], ha="center", va="center", color=ink, fontsize=22, weight="bold")
    caption = f"Figure 3: {NAMES[board['turn']]} to play after {len(board['log'])} moves; the die shows {board['die']}."
    figure.text(0.5, 0.385, caption, fontsize=12, ha="center")
    figure.text(0.13, 0.35, "\n".join(words[2:]), fontsize=12, va="top", linespacing=1.35)
    figure.text(0.5, 0.05, "7", fontsize=12, ha="center")
    figure.savefig(board["file"])
    plt.close(figure)


def tk_3(board: Board) -> None:
    from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont, ImageTk

    root = tk.Tk()
    root.title("Einstein wuerfelt nicht")
    root.geometry("+{}+{}".format(*PLACE))
    side = round(104 * board["scale"])

    def disc(text: str, size: int) -> ImageTk.PhotoImage:
        image = Image.new("RGBA", (4 * size, 4 * size))
        pen = ImageDraw.Draw(image)
        for edge, colour in (
            (0, "#404040"),
            (4, "#ffffff"),
            (4 + size // 3, "#d8342c" if text[0] == "R" else "#2c6fc8"),
        ):
            pen.ellipse((edge, edge, 4 * size - edge - 1, 4 * size - edge - 1), fill=colour)
        font = ImageFont.truetype("ComicNeue-Bold.otf", round(2.4 * size))
        pen.text((2 * size, 2 * size), text[1], fill="white", font=font, anchor="mm")
        return ImageTk.PhotoImage(image.resize((size, size), Image.Resampling.LANCZOS))

    grain = Image.effect_noise((5 * side, 5 * side), 60).filter(ImageFilter.GaussianBlur(2))
    tint = Image.new("RGB", grain.size, "#d9cba3")
    ground = ImageTk.PhotoImage(ImageChops.overlay(tint, Image.merge("RGB", [grain] * 3)))
    canvas = tk.Canvas(root, width=5 * side, height=5 * side, highlightthickness=0)
    canvas.grid(row=0, column=0)
    canvas.create_image(0, 0, image=ground, anchor="nw")
    for k in range(1, 5):
        canvas.create_line(0, k * side, 5 * side, k * side, fill="#7b6a3c", width=2)
        canvas.create_line(k * side, 0, k * side, 5 * side, fill="#7b6a3c", width=2)
    kept = [ground]
    for row, column, text in stones(board):
        kept.append(disc(text, round(side * 0.78)))
        canvas.create_image((column + 0.5) * side, (row + 0.5) * side, image=kept[-1])
    tray = tk.Frame(root, bg="#f2ead6", padx=12, pady=12)
    tray.grid(row=0, column=1, sticky="ns")
    for k, text in enumerate(board["taken"]):
        kept.append(disc(text, round(side * 0.32)))
        tk.Label(tray, image=kept[-1], bg="#f2ead6").grid(row=k % 6, column=k // 6)
    status = f"{NAMES[board['turn']]} rolled a {board['die']}. Click a stone!"
    tk.Label(root, text=status, font=("Comic Neue", 15)).grid(row=1, column=0, columnspan=2, pady=4)
    grab(root, board["file"], framed=True)
    root.destroy()


def qt_2(board: Board) -> None:
    from PySide6 import QtCore, QtGui, QtWidgets

    app = QtWidgets.QApplication.instance() or QtWidgets.QApplication(["ewn", "-style", "windows"])
    side = round(92 * board["scale"])
    window = QtWidgets.QWidget()
    layout = QtWidgets.QVBoxLayout(window)
    status = f"Dice roll: <b>{board['die']}</b> &nbsp; To move: <b>{NAMES[board['turn']]}</b>"
    layout.addWidget(QtWidgets.QLabel(status))
    table = QtWidgets.QTableWidget(5, 5)
    table.setHorizontalHeaderLabels(list("ABCDE"))
    for k in range(5):
        table.setColumnWidth(k, side)
        table.setRowHeight(k, side)
    for row, column, text in stones(board):
        item = QtWidgets.QTableWidgetItem(chr(0x2775 + int(text[1])))
        item.setForeground(QtGui.QColor("#b00020" if text[0] == "R" else "#0033a0"))
        item.setFont(QtGui.QFont("DejaVu Sans", round(side * 0.5)))
        item.setTextAlignment(QtCore.Qt.AlignmentFlag.AlignCenter)
        table.setItem(row, column, item)
    table.setFixedSize(5 * side + 40, 5 * side + 34)
    layout.addWidget(table)
    below = QtWidgets.QHBoxLayout()
    for label in ("Roll", "Let computer move", "Save log..."):
        below.addWidget(QtWidgets.QPushButton(label))
    layout.addLayout(below)
    moves = QtWidgets.QLineEdit(" ".join(board["log"][-6:]))
    moves.setReadOnly(True)
    layout.addWidget(moves)
    window.show()
    app.processEvents()
    window.grab().save(board["file"])
    window.close()


def pygame_3(board: Board) -> None:
    import pygame

    pygame.init()
    screen = pygame.Surface((160, 144))
    screen.fill((16, 16, 28))
    pygame.draw.rect(screen, (124, 110, 80), (7, 12, 126, 126))
    for place in range(25):
        colour = (74, 92, 84) if place % 2 else (88, 108, 98)
        pygame.draw.rect(screen, colour, (10 + place % 5 * 24, 15 + place // 5 * 24, 24, 24))

    def digit(text: str, x: int, y: int, colour: tuple[int, int, int], dot: int = 1) -> None:
        for down, bits in enumerate(FACES[text].split()):
            for across, bit in enumerate(bits):
                if bit == "1":
                    pygame.draw.rect(screen, colour, (x + across * dot, y + down * dot, dot, dot))

    for row, column, text in stones(board):
        x, y = 12 + column * 24, 17 + row * 24
        face, shade = ((216, 40, 0), (136, 16, 0)) if text[0] == "R" else ((0, 88, 248), (0, 40, 136))
        for inset, colour in ((0, (0, 0, 0)), (1, shade)):
            for cut, drop in ((3, 0), (1, 1), (0, 3)):
                reach = 2 * inset
                box = (x + cut + inset, y + drop + inset, 20 - 2 * cut - reach, 20 - 2 * drop - reach)
                pygame.draw.rect(screen, colour, box)
        pygame.draw.rect(screen, face, (x + 3, y + 2, 13, 14))
        pygame.draw.rect(screen, (252, 188, 176) if text[0] == "R" else (164, 228, 252), (x + 3, y + 2, 3, 2))
        digit(text[1], x + 8, y + 6, (252, 252, 252))
    side = (216, 40, 0) if board["turn"] == 0 else (0, 88, 248)
    pygame.draw.rect(screen, side, (138, 15, 17, 21), 2)
    digit(str(board["die"]), 144, 22, (252, 224, 168))
    font = pygame.font.Font(None, 14)
    screen.blit(font.render("EINSTEIN   1P VS CPU", False, (252, 224, 168)), (8, 2))
    factor = round(5 * board["scale"])
    pygame.image.save(pygame.transform.scale(screen, (160 * factor, 144 * factor)), board["file"])


def script_connect6(board: Board) -> None:
    """Writes an SVG and has it drawn: a record of the game with the number of the move on every stone."""
    from PySide6 import QtCore, QtGui, QtSvg

    files = "abcdefghijklmnopqrs"
    turns = {(19 - int(text[1:]), files.index(text[0])): number for number, text in enumerate(board["log"], 1)}
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 680"><rect width="640" height="680" fill="white"/>'
    ]
    write = '<text x="{}" y="{}" font-family="Nimbus Roman" font-size="{}" fill="{}" text-anchor="middle">{}</text>'
    for k in range(19):
        at = 50 + 30 * k
        parts.append(f'<path d="M50 {at}H590M{at} 50V590" stroke="black" stroke-width="{2 if k % 18 == 0 else 0.7}"/>')
        parts += [write.format(at, 624, 14, "black", files[k]), write.format(22, at + 5, 14, "black", 19 - k)]
    for place in range(9):
        x, y = 140 + place % 3 * 180, 140 + place // 3 * 180
        parts.append(f'<circle cx="{x}" cy="{y}" r="3"/>')
    for row, column, text in stones(board):
        x, y = 50 + 30 * column, 50 + 30 * row
        fill, ink = ("black", "white") if text == "X" else ("white", "black")
        parts.append(f'<circle cx="{x}" cy="{y}" r="14" fill="{fill}" stroke="black"/>')
        parts.append(write.format(x, y + 5, 14, ink, turns[row, column]))
    parts.append(write.format(320, 660, 17, "black", f"Diagram: moves 1 to {len(board['log'])}") + "</svg>")
    app = QtGui.QGuiApplication.instance() or QtGui.QGuiApplication(["draw"])
    image = QtGui.QImage(round(760 * board["scale"]), round(807.5 * board["scale"]), QtGui.QImage.Format.Format_RGB32)
    pen = QtGui.QPainter(image)
    QtSvg.QSvgRenderer(QtCore.QByteArray("".join(parts).encode())).render(pen)
    pen.end()
    image.save(board["file"])
    app.processEvents()


if __name__ == "__main__":
    run(globals()[sys.argv[1].replace("-", "_")])
