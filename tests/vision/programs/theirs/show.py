"""Shows boards in programs that nobody here wrote and takes their pictures: run by a Python that has them.

Standard input is a JSON list of boards, each with `program`, `cells` (rows of "X", "O" and "") and `file`, which is a
PNG file, or an SVG file or a page for a browser to show. Most have `side` (what makes the window larger or smaller),
some `legal` (rows and columns of the mover's squares), `last` (a row and a column, or null), `moves` (rows and columns
in the order of play), `before` (the cells one move earlier), `at` (where the window goes), `source` (a folder with the
package's source), `game`, `theme`, `actions` (a game's own numbers of moves) and `random` (how many moves are drawn by
lot).
"""

import json
import os
import sys

import drawn_boards
import other_windows
import pygame_games
import tkinter_games

MODULES = (tkinter_games.GAMES, pygame_games.GAMES, other_windows.GAMES, drawn_boards.BOARDS)
SHOW = {show.__name__: show for games in MODULES for show in games}

os.environ["SDL_AUDIODRIVER"] = "dummy"
for board in json.load(sys.stdin):
    SHOW[board["program"]](board)
os._exit(0)  # some of their windows never come to rest
