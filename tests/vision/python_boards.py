"""Draws boards of Python packages that nobody here wrote: run by `take_fresh_screens.py`, by a Python that has them.

Standard input is a JSON list of boards, each with `program`, `game`, `cells`, `side` (pixels), `theme` and `file`.
PettingZoo's windows become PNG files, the drawings of Pgx SVG files.
"""

import json
import sys
from typing import Any

import jax.numpy as jnp
import pgx
import pygame
from pettingzoo.classic.go.go import raw_env as go_window
from pettingzoo.classic.tictactoe.tictactoe import raw_env as tic_tac_toe_window

SIGNS = {"": 0, "X": 1, "O": -1}
NATURAL_SIDES = {3: 180, 8: 240, 9: 225, 19: 475}
"""Rows of a board of Pgx -> pixels a side at scale 1."""
PGX_NAMES = {"othello": "othello", "gomoku:size=9": "go_9x9", "gomoku:size=19": "go_19x19", "tictactoe": "tic_tac_toe"}


def pettingzoo(board: dict[str, Any]) -> None:
    cells, options = board["cells"], {"render_mode": "rgb_array", "screen_height": board["side"]}
    if board["game"] == "tictactoe":
        window = tic_tac_toe_window(**options)
        window.reset()
        codes = {"": 0, "X": 1, "O": 2}
        window.board.squares = [codes[cells[row][column]] for column in range(3) for row in range(3)]
    else:
        window = go_window(board_size=len(cells), **options)
        window.reset()
        for row, texts in enumerate(cells):
            for column, text in enumerate(texts):
                window._go.board[column][row] = SIGNS[text]
    pygame.image.save(pygame.surfarray.make_surface(window.render().swapaxes(0, 1)), board["file"])


def drawn_by_pgx(board: dict[str, Any]) -> None:
    state = pgx.make(PGX_NAMES[board["game"]]).init(jnp.zeros(2, jnp.uint32))
    signs = [SIGNS[text] for row in board["cells"] for text in row]
    if board["game"] == "tictactoe":
        signs = [{0: -1, 1: 0, -1: 1}[sign] for sign in signs]
    more = {"turn": jnp.int32(0)} if board["game"] == "othello" else {}
    shown = state.replace(_x=state._x._replace(board=jnp.array(signs, jnp.int32), **more))
    pgx.save_svg(
        shown, board["file"], color_theme=board["theme"], scale=board["side"] / NATURAL_SIDES[len(board["cells"])]
    )


for board in json.load(sys.stdin):
    {"pettingzoo": pettingzoo, "pgx": drawn_by_pgx}[board["program"]](board)
