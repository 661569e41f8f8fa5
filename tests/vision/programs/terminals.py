"""Games in a terminal."""

import shlex
import time

from programs.part import Part, Place
from programs.positions import earlier, line, living_positions, square, without_a_pass
from programs.screen import PLACES, Program, paint, tool

LOOKS = (
    "-fs 14 -geometry 60x34", "-fs 11 -geometry 80x36 -bg black -fg grey90", "-fs 18 -geometry 58x34",
    "-fs 10 -geometry 100x40 -bg '#002b36' -fg '#93a1a1'",
)  # fmt: skip
CLI_OTHELLO = """import sys; from cli_othello import board, cli; given = [".XO".index(text) for text in sys.argv[1]]
def begin(self): self.cells = list(given)
board.Board.__init__ = begin; sys.argv[1:] = ["--level", "1"]; cli.main()"""


def terminal(command: str, number: int) -> str:
    """A command in a terminal of one of several fonts, sizes and colours."""
    x, y = PLACES[number % 4]
    look = LOOKS[number % 4].replace(" -bg", f"+{x // 2}+{y // 2} -bg")
    return f"xterm -tn xterm-256color -fa Monospace {look} -e {command}"


def nbreversi(place: Place) -> None:
    """nbsdgames' Reversi, both sides played by keys."""
    game = without_a_pass(1220)
    for number, turns in enumerate((1, 6, 12, 18, 25, 31, 36, 40)):
        paint(number)
        with Program(terminal("nbreversi", number), place.own):
            time.sleep(2)
            for _ in range(2):
                tool("key", "h")
                time.sleep(0.5)
            at = (0, 0)
            for later in game[1 : turns + 1]:
                spot = square(later, later.history[-1])
                keys = [("Up", "Down")[spot[0] > at[0]]] * abs(spot[0] - at[0])
                keys += [("Left", "Right")[spot[1] > at[1]]] * abs(spot[1] - at[1])
                tool("key", "--delay", "30", *keys, "Return")
                time.sleep(0.1)
                at = spot
            place.shot(f"nbreversi-{number}", "othello", game[turns].cells)


def cli_othello(place: Place) -> None:
    """A Python package's Othello; Black is to move in it."""
    for number, (game, position) in enumerate(living_positions(("othello", "othello"), 1230)):
        paint(number)
        while position.turn != 0 or position.moves == ("pass",):
            position = earlier(position)
        command = shlex.join([str(place.python), "-c", CLI_OTHELLO, line(position.cells, ".XO")])
        with Program(terminal(command, number), place.own):
            time.sleep(4)
            place.shot(f"cli-othello-{number}", game, position.cells)


PARTS = (
    Part("nbreversi", nbreversi, {"nbreversi": "nbsdgames", "xterm": "xterm"}, screen=True),
    Part("cli-othello", cli_othello, {"xterm": "xterm"}, alone=("cli-othello==1.0.8",), screen=True),
)
