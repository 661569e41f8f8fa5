"""Takes pictures of programs that nobody here wrote: `python tests/vision/take_screens.py FOLDER [PROGRAM ...]`.

Works under a virtual screen. Needs Debian's xvfb, openbox, xdotool, imagemagick, dbus-x11 and the programs themselves:
iagno, jester, kreversi, bovo, gtkboard, gomoku.app, quarry, kigo, cgoban, pente; for pictures without a board of ours
gnome-chess, four-in-a-row, gnome-mines, gnome-sudoku, gnumeric, gnome-2048, five-or-more, sgt-puzzles.
What stands on the boards is written to FOLDER/screens.toml where the program was told it, by a game record (`SHOWN`) or
by the moves that were played (`PLAYED`); what the programs of `PROGRAMS` themselves chose was written down by hand in
`screens/screens.toml`. `python -m boyi.bench.vision FOLDER` measures them.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from screen_truth import STAGES, Cells, Truth, line_of_play

from boyi.games import Position
from boyi.games import game as find_game

SCREEN = "1280x960x24"
DISPLAY = ":78"
Step = tuple[str, ...]
"""("click", x, y), ("key", name), ("wait", seconds), ("shot", name)."""


def touching(x: float, y: float, pitch: float, squares: list[tuple[int, int]], wait: str) -> list[Step]:
    """Clicks on squares (column, row) of a board whose corner is at (x, y); what is not legal does nothing."""
    steps: list[Step] = []
    for column, row in squares:
        steps += [
            ("click", str(round(x + (column + 0.5) * pitch)), str(round(y + (row + 0.5) * pitch))),
            ("wait", wait),
        ]
    return steps


@dataclass(frozen=True)
class Played:
    """A program in which both sides of Othello are played by clicks; its board's corner is at (x, y)."""

    command: str
    x: float
    y: float
    pitch: float
    settings: str = ""
    """What its settings say, as a GLib key file."""
    white_first: bool = False
    """White begins: the game of ours is shown in a mirror and in the other colours."""
    pause_s: float = 0.5


PLAYED = {
    "jester": Played("jester -2players", 439.5, 303.5, 50.1, white_first=True),
    **{
        f"iagno {theme}": Played(
            "iagno --two-players --mute", 423, 261.5, 54.2, f"[org/gnome/iagno]\ntheme='{theme}'\n{more}", pause_s=1.1
        )
        for theme, more in {
            "default": "",
            "classic.theme": "highlight-playable-tiles=true\n",
            "high_contrast.theme": "",
            "sun_and_star.theme": "highlight-playable-tiles=true\n",
        }.items()
    },
}
GO = ("gomoku:size=15", "connect6", "gomoku:size=9", "gomoku:size=13")
SHOWN = {
    "quarry": ("quarry", 5, ("othello", "othello", *GO)),
    "cgoban": ("cgoban -edit", 16, GO),
    "kigo": ("kigo", 9, GO),
}
"""Command that takes the name of a game record, seconds until the board stands alone there, and the games to show."""
RING = [(3, 2), (2, 3), (5, 4), (4, 5), (2, 2), (5, 5), (2, 4), (5, 3), (2, 5), (5, 2), (4, 2), (3, 5)]
PUZZLES = (
    "blackbox", "bridges", "cube", "dominosa", "fifteen", "filling", "flip", "flood", "galaxies", "guess", "inertia",
    "keen", "lightup", "loopy", "magnets", "map", "mines", "mosaic", "net", "netslide", "palisade", "pattern", "pearl",
    "pegs", "range", "rect", "samegame", "signpost", "singles", "sixteen", "slant", "solo", "tents", "towers", "tracks",
    "twiddle", "undead", "unequal", "unruly", "untangle",
)  # fmt: skip
PROGRAMS: dict[str, tuple[str, list[Step]]] = {
    "iagno": (
        "iagno",
        [
            ("wait", "4"),
            ("click", "635", "657"),
            ("wait", "3"),
            ("shot", "iagno-1"),
        ],
    ),
    "kreversi": (
        "kreversi",
        [
            ("wait", "8"),
            ("key", "Return"),
            ("wait", "4"),
            ("shot", "kreversi-1"),
            *touching(402.6, 266.8, 59, RING[:5], "1.4"),
            ("shot", "kreversi-2"),
        ],
    ),
    "gtkboard": (
        "gtkboard --game=othello",
        [("wait", "3"), ("shot", "gtkboard-0"), ("click", "575", "674"), ("wait", "3"), ("shot", "gtkboard-1")],
    ),
    "gomoku.app": (
        "Gomoku",
        [
            ("wait", "4"),
            ("click", "640", "500"),
            ("wait", "2"),
            ("click", "600", "460"),
            ("wait", "2"),
            ("click", "560", "540"),
            ("wait", "2"),
            ("shot", "gomokuapp-1"),
        ],
    ),
    "quarry": (
        "quarry",
        [
            ("wait", "4"),
            ("click", "645", "384"),
            ("wait", "3"),
            ("click", "424", "396"),
            ("wait", "1"),
            ("click", "832", "682"),
            ("wait", "2"),
            ("click", "832", "682"),
            ("wait", "3"),
            ("shot", "quarry-r"),
        ],
    ),
    "kigo": ("kigo", [("wait", "6"), ("shot", "kigo-1")]),
    "pente": (
        "pente",
        [
            ("wait", "7"),
            ("click", "958", "723"),
            ("wait", "2"),
            ("click", "900", "560"),
            ("click", "920", "560"),
            ("click", "920", "580"),
            ("click", "880", "540"),
            ("click", "940", "540"),
            ("click", "860", "600"),
            ("wait", "1"),
            ("shot", "pente-1"),
        ],
    ),
    "bovo": ("bovo", [("wait", "6"), ("click", "700", "470"), ("wait", "3"), ("shot", "bovo-1")]),
    "gnome-chess": ("gnome-chess", [("wait", "5"), ("shot", "chess")]),
    "four-in-a-row": ("four-in-a-row", [("wait", "4"), ("click", "640", "480"), ("wait", "3"), ("shot", "four")]),
    "gnome-mines": ("gnome-mines", [("wait", "4"), ("click", "480", "400"), ("wait", "3"), ("shot", "mines")]),
    "gnome-sudoku": ("gnome-sudoku", [("wait", "4"), ("click", "640", "400"), ("wait", "5"), ("shot", "sudoku")]),
    "gnumeric": ("gnumeric", [("wait", "6"), ("shot", "gnumeric")]),
    "gnome-2048": (
        "gnome-2048",
        [("wait", "4"), *[("key", key) for key in ("Left", "Up", "Left", "Down", "Left", "Up")], ("shot", "g2048")],
    ),
    "five-or-more": ("five-or-more", [("wait", "4"), ("shot", "five")]),
    **{name: (f"sgt-{name}", [("wait", "2.5"), ("shot", name)]) for name in PUZZLES},
}


def act(step: Step, folder: Path) -> None:
    kind, *rest = step
    if kind == "wait":
        time.sleep(float(rest[0]))
    elif kind == "click":
        tool("mousemove", *rest, "click", "1")
        time.sleep(0.4)
    elif kind == "key":
        tool("key", *rest)
        time.sleep(0.4)
    elif kind == "shot":
        tool("mousemove", "1270", "950")
        time.sleep(0.3)
        subprocess.run(["import", "-window", "root", "-colors", "256", f"PNG8:{folder / rest[0]}.png"], check=True)


def tool(*words: str) -> str:
    return subprocess.run(["xdotool", *words], check=True, capture_output=True, text=True).stdout


def record(position: Position) -> str:
    """A position as a game record in SGF, all stones set up before the first move."""
    stones: dict[str, list[str]] = {"X": [], "O": []}
    for y, row in enumerate(position.cells):
        for x, text in enumerate(row):
            if text:
                stones[text].append(f"[{chr(97 + x)}{chr(97 + y)}]")
    setup = "".join(key + "".join(stones[text]) for key, text in (("AB", "X"), ("AW", "O")) if stones[text])
    return f"(;GM[{2 if position.game.name == 'othello' else 1}]FF[4]SZ[{len(position.cells)}]{setup})"


class Program:
    """A program that runs while the block does; all of it ends with the block."""

    def __init__(self, command: str, folder: Path, settings: str = "") -> None:
        places = folder / "settings" / "glib-2.0" / "settings"
        places.mkdir(parents=True, exist_ok=True)
        (places / "keyfile").write_text(settings)
        self.words = ["dbus-run-session", "--", "sh", "-c", command]
        self.environment = os.environ | {
            "GSETTINGS_BACKEND": "keyfile" if settings else "memory",
            "XDG_CONFIG_HOME": str((folder / "settings").resolve()),
        }

    def __enter__(self) -> None:
        self.process = subprocess.Popen(
            self.words,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=self.environment,
        )

    def __exit__(self, *_: object) -> None:
        os.killpg(self.process.pid, 15)
        time.sleep(1)


def show(name: str, folder: Path, truth: Truth) -> None:
    """Pictures of a program that reads game records."""
    command, wait_s, games = SHOWN[name]
    for number, game in enumerate(games):
        for stage in STAGES:
            position = line_of_play(game, stage, number)
            file = folder / "shown.sgf"
            file.write_text(record(position))
            with Program(f"{command} {file.resolve()}", folder):
                time.sleep(wait_s)
                picture = f"{name}-{number}-{stage}"
                act(("shot", picture), folder)
                truth.add(f"{picture}.png", name, game, position.cells)


def play(name: str, folder: Path, truth: Truth) -> None:
    """Pictures of a program in which a whole game of Othello is played by clicks."""
    program = PLAYED[name]
    moves = without_a_pass(len(name))
    with Program(program.command, folder, program.settings):
        time.sleep(5)
        position = moves[0]
        for number, later in enumerate(moves[1:], 1):
            row, column = divmod(position.game.squares.index(later.history[-1]), 8)
            if program.white_first:
                column = 7 - column
            for step in touching(program.x, program.y, program.pitch, [(column, row)], str(program.pause_s)):
                act(step, folder)
            position = later
            if number in (2, 9, 16, 24, 32, 40):
                picture = f"{name.replace(' ', '-').removesuffix('.theme')}-{number}"
                act(("shot", picture), folder)
                cells = mirrored(position.cells) if program.white_first else position.cells
                truth.add(f"{picture}.png", name, "othello", cells)


def without_a_pass(seed: int) -> list[Position]:
    """The positions of a random game of Othello with more than 40 moves and no pass among them."""
    random = np.random.default_rng(seed)
    while True:
        game = [find_game("othello").start()]
        while len(game) < 43 and game[-1].turn is not None and game[-1].moves != ("pass",):
            game.append(game[-1].play(str(random.choice(game[-1].moves))))
        if len(game) == 43:
            return game


def mirrored(cells: Cells) -> Cells:
    """Left and right, black and white exchanged."""
    other = {"X": "O", "O": "X", "": ""}
    return tuple(tuple(other[text] for text in reversed(row)) for row in cells)


def main() -> None:
    folder = Path(sys.argv[1])
    wanted = sys.argv[2:] or [*PROGRAMS, *SHOWN, *PLAYED]
    os.environ["PATH"] += ":/usr/games"
    truth = Truth(folder)
    with screen():
        for name in wanted:
            if name in SHOWN:
                show(name, folder, truth)
            elif name in PLAYED:
                play(name, folder, truth)
            else:
                command, steps = PROGRAMS[name]
                with Program(command, folder):
                    for step in steps:
                        act(step, folder)
                for kind, *rest in steps:
                    if kind == "shot" and name in PUZZLES:
                        truth.add(f"{rest[0]}.png", f"sgt-puzzles {name}")


@contextmanager
def screen() -> Iterator[None]:
    """A virtual screen with a window manager."""
    os.environ["DISPLAY"] = DISPLAY
    server = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", SCREEN], stderr=subprocess.DEVNULL)
    time.sleep(2)
    manager = subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        manager.terminate()
        server.terminate()


if __name__ == "__main__":
    main()
