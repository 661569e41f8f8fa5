"""Pictures to measure the recogniser with, none of them used in training: our own boards, plain drawings, no boards.

A source is a name and a function that makes one scene from a random generator. Positions come from random play.
"""

import functools
import re
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from boyi import draw
from boyi.games import CHANCE, Position
from boyi.games import game as find_game
from boyi.vision.colours import random_colour
from boyi.vision.scenes import Scene, paint, rasterise
from boyi.vision.styles import random_style

GAMES = ("einstein", "othello", "gomoku", "gomoku:size=9", "connect6", "tictactoe", "othello:size=6", "gomoku:size=13")
DISCS = ((170, 60, 150), (60, 140, 240), (200, 190, 60))
"""Discs of neither player, as blue, green, red: purple, orange, cyan."""
DARKER = 50
"""How much darker the first player's stones are than the other's, of 255: otherwise nobody could tell them apart."""
STRANGE = "a strange sign"
Source = Callable[[np.random.Generator], Scene]


def random_position(random: np.random.Generator, name: str) -> Position:
    """A position of random play that is not over: at most 50 moves, for the line games near what stands already."""
    game = find_game(name)
    while True:
        position = game.start(seed=int(random.integers(2**31)))
        for _ in range(int(random.integers(1, min(50, game.num_squares - 2)))):
            if position.turn is None:
                break
            position = position.play(str(random.choice(position.moves)))
        while position.turn == CHANCE:
            position = position.play(str(random.choice(position.moves)))
        if position.turn is not None:
            return position


def own_board(random: np.random.Generator, theme: str) -> Scene:
    """A board as `boyi.draw` draws it."""
    name = str(random.choice(GAMES))
    position = random_position(random, name)
    size = int(random.integers(260, 900))
    svg = position.svg(
        theme=theme, size=size, coordinates=bool(random.random() < 0.7), legal=bool(random.random() < 0.4)
    )
    left, top, cell = (float(found) for found in re.findall(r'data-(?:left|top|cell)="([\d.]+)"', svg)[:3])
    rows, columns = position.game.shape
    x = left + (np.arange(columns) + 0.5) * cell
    y = top + (np.arange(rows) + 0.5) * cell
    data = np.frombuffer(draw.png(svg), np.uint8)
    picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return Scene(picture, position.cells, np.stack(np.meshgrid(x, y), 2), position.game.lattice, game=name)


def sampled_board(random: np.random.Generator) -> Scene:
    """A board in a random style of `scenes`: what the nets were trained on, with other seeds."""
    name = str(random.choice(GAMES))
    position = random_position(random, name)
    lattice = position.game.lattice
    style = random_style(random, lattice)
    if name == "einstein":
        style = replace(style, stones=((205, 45, 40), (45, 85, 205)), last_kind="none", hints=0.0)
    elif max(style.stones[0]) > 140 or min(style.stones[1]) < max(style.stones[0]) + DARKER:
        style = replace(style, stones=((25, 25, 28), (240, 240, 236)))
    if lattice == "squares" and name != "tictactoe":
        style = replace(style, hint_kind="dot" if style.hint_kind in ("text", "star") else style.hint_kind)
    pitch = float(random.uniform(18, 60)) * (1.0 if position.game.shape[0] > 5 else 1.6)
    scene = paint(random, style, position.cells, pitch=pitch, strokes=name == "tictactoe")
    return replace(scene, game=name)


def plain_board(random: np.random.Generator) -> Scene:
    """A board drawn with OpenCV's own strokes and letters: another program's look, never trained on."""
    name = str(random.choice(GAMES))
    position = random_position(random, name)
    game, (rows, columns) = position.game, position.game.shape
    pitch = int(random.integers(20, 64)) * (1 if rows > 5 else 2)
    margin = int(1.3 * pitch)
    size = (columns - 1) * pitch + 2 * margin, (rows - 1) * pitch + 2 * margin
    dark = bool(random.random() < 0.3)
    wood = {"othello": (80, 140, 30), "gomoku": (110, 185, 225), "connect6": (110, 185, 225)}
    ground = wood.get(game.name, (235, 235, 230)) if not dark else (48, 44, 40)
    ink = (30, 30, 30) if not dark else (170, 170, 170)
    picture = np.full((size[1], size[0], 3), 250 if not dark else 22, np.uint8)
    edge = margin - pitch // 2
    cv2.rectangle(picture, (edge, edge), (size[0] - edge, size[1] - edge), ground, -1)
    half = 0 if game.lattice == "points" else pitch // 2
    extra = 1 if half else 0
    for k in range(columns + extra):
        x = margin - half + k * pitch
        cv2.line(picture, (x, margin - half), (x, margin - half + (rows - 1 + extra) * pitch), ink, 1 + pitch // 50)
    for k in range(rows + extra):
        y = margin - half + k * pitch
        cv2.line(picture, (margin - half, y), (margin - half + (columns - 1 + extra) * pitch, y), ink, 1 + pitch // 50)
    for row in range(rows):
        for column in range(columns):
            _plain_piece(
                picture, position.cells[row][column], margin + column * pitch, margin + row * pitch, pitch, dark
            )
    across, down = margin + pitch * np.arange(columns), margin + pitch * np.arange(rows)
    sites = np.stack(np.meshgrid(across, down), 2).astype(float)
    return Scene(picture, position.cells, sites, game.lattice, game=name)


def _plain_piece(picture: np.ndarray, text: str, x: int, y: int, pitch: int, dark: bool) -> None:
    if not text:
        return
    radius = round(0.42 * pitch)
    if text[0] in "RB":
        cv2.circle(picture, (x, y), radius, (40, 40, 215) if text[0] == "R" else (200, 80, 30), -1, cv2.LINE_AA)
        scale = pitch / 42
        (width, height), _ = cv2.getTextSize(text[1:], cv2.FONT_HERSHEY_DUPLEX, scale, 2)
        spot = (x - width // 2, y + height // 2)
        cv2.putText(picture, text[1:], spot, cv2.FONT_HERSHEY_DUPLEX, scale, (255, 255, 255), 2, cv2.LINE_AA)
    elif picture.shape[0] < 6 * pitch:
        colour, wide, arm = ((60, 60, 220) if text == "X" else (220, 120, 40)), max(2, pitch // 14), round(0.3 * pitch)
        if text == "X":
            cv2.line(picture, (x - arm, y - arm), (x + arm, y + arm), colour, wide, cv2.LINE_AA)
            cv2.line(picture, (x - arm, y + arm), (x + arm, y - arm), colour, wide, cv2.LINE_AA)
        else:
            cv2.circle(picture, (x, y), arm, colour, wide, cv2.LINE_AA)
    else:
        cv2.circle(picture, (x, y), radius, (20, 20, 20) if text == "X" else (245, 245, 245), -1, cv2.LINE_AA)
        rim = (120, 120, 120) if dark else (20, 20, 20)
        cv2.circle(picture, (x, y), radius, rim, 1, cv2.LINE_AA)


def strange_board(random: np.random.Generator) -> Scene:
    """A board of ours on which a single thing is no piece: a disc of a third colour, or on squares a letter or a sign.

    On a board of points, letters are notes about empty points.
    """
    makers: list[Source] = [*(functools.partial(own_board, theme=theme) for theme in ("light", "dark")), plain_board]
    scene = makers[int(random.integers(len(makers)))](random)
    stones = min(sum(text == side for line in scene.cells for text in line) for side in "XO")
    disc = scene.game != "tictactoe" and stones > 1 and (scene.lattice == "points" or random.random() < 0.4)
    if not disc and scene.lattice == "points":
        return strange_board(random)
    empty = [(r, c) for r, row in enumerate(scene.cells) for c, text in enumerate(row) if not text]
    row, column = empty[int(random.integers(len(empty)))]
    pitch = float(scene.sites[0, 1, 0] - scene.sites[0, 0, 0])
    x, y = (round(float(at)) for at in scene.sites[row, column])
    if disc:
        colour = DISCS[int(random.integers(len(DISCS)))]
        cv2.circle(scene.picture, (x, y), round(0.42 * pitch), colour, -1, cv2.LINE_AA)
    else:
        sign, font = str(random.choice(list("%&?#AHKMWR"))), cv2.FONT_HERSHEY_SIMPLEX
        (width, height), _ = cv2.getTextSize(sign, font, 1.0, 1)
        scale = float(random.uniform(0.45, 0.7)) * pitch / height
        spot = round(x - scale * width / 2), round(y + scale * height / 2)
        under = scene.picture[y - round(0.3 * pitch), x - round(0.3 * pitch)]
        ink = (20, 20, 20) if under.mean() > 110 else (235, 235, 235)
        cv2.putText(scene.picture, sign, spot, font, scale, ink, max(2, round(pitch / 14)), cv2.LINE_AA)
    cells = [list(line) for line in scene.cells]
    cells[row][column] = "?"
    return replace(scene, cells=tuple(map(tuple, cells)))


def negative(random: np.random.Generator) -> Scene:
    """A picture without a board of ours: chess, a table, a photo, text, a board of another size."""
    kind = str(random.choice(["chess", "table", "photo", "text", "size", "signs"]))
    none = np.zeros((0, 0, 2))
    if kind == "photo":
        small = random.integers(0, 256, (12, 16, 3)).astype(np.uint8)
        picture = cv2.GaussianBlur(cv2.resize(small, (960, 720), interpolation=cv2.INTER_CUBIC), (0, 0), 5)
        picture = np.clip(picture + random.normal(0, 6, picture.shape), 0, 255).astype(np.uint8)
    elif kind in ("text", "table"):
        picture = _page(random, table=kind == "table")
    elif kind == "chess":
        picture = _chess(random)
    else:
        shape = [(6, 7), (10, 10), (7, 7), (8, 10), (9, 9)][int(random.integers(5))]
        mark = ["X", "O"] if kind == "size" and shape != (9, 9) else ["?"]
        share = 0.5
        cells = [
            [str(random.choice(mark)) if random.random() < share else "" for _ in range(shape[1])]
            for _ in range(shape[0])
        ]
        style = replace(random_style(random, "squares"), hints=0.0)
        if kind == "size":
            style = replace(style, stones=((220, 40, 40), (240, 210, 40)))
        picture = paint(random, style, cells, pitch=float(random.uniform(24, 60))).picture
    return Scene(np.asarray(picture, np.uint8), (), none, "", game="")


def _page(random: np.random.Generator, *, table: bool) -> np.ndarray:
    picture = np.full((760, 1000, 3), 252, np.uint8)
    if table:
        for row in range(40, 740, 24):
            cv2.line(picture, (20, row), (980, row), (205, 205, 205), 1)
        for column in range(20, 1000, 96):
            cv2.line(picture, (column, 40), (column, 736), (205, 205, 205), 1)
    for row in range(58, 740, 24):
        text = "".join(str(random.choice(list("abcdefgh 0123456789"))) for _ in range(int(random.integers(5, 60))))
        cv2.putText(picture, text, (26, row), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)
    return picture


def _chess(random: np.random.Generator) -> np.ndarray:
    cell = int(random.integers(36, 80))
    light, dark = random_colour(random), random_colour(random)
    parts = []
    for row in range(8):
        for column in range(8):
            colour = light if (row + column) % 2 == 0 else dark
            parts.append(
                f'<rect x="{40 + column * cell}" y="{40 + row * cell}" width="{cell}" height="{cell}" '
                f'fill="rgb{colour}"/>'
            )
            if random.random() < 0.45:
                sign = str(random.choice(list("♔♕♖♗♘♙♚♛♜♝♞♟")))
                parts.append(
                    f'<text x="{40 + (column + 0.5) * cell}" y="{40 + (row + 0.82) * cell}" text-anchor="middle" '
                    f'font-size="{0.85 * cell}" font-family="DejaVu Sans">{sign}</text>'
                )
    side = 8 * cell + 80
    return rasterise(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}">'
        f'<rect width="100%" height="100%" fill="#eee"/>{"".join(parts)}</svg>'
    )


SOURCES: dict[str, Source] = {
    "own light": lambda random: own_board(random, "light"),
    "own dark": lambda random: own_board(random, "dark"),
    "plain": plain_board,
    "sampled": sampled_board,
    STRANGE: strange_board,
    "negatives": negative,
}
"""What is drawn here; `sampled` alone shares its styles with the training pictures. Where a sign is strange, or where
there is no board, nothing but doubt or refusal is right."""
