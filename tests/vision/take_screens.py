"""Takes pictures of programs that nobody here wrote: `python tests/vision/take_screens.py FOLDER [PROGRAM ...]`.

Works under a virtual screen. Needs Debian's xvfb, openbox, xdotool, imagemagick, dbus-x11 and the programs themselves:
iagno, kreversi, bovo, gtkboard, gomoku.app, quarry, kigo, pente; for pictures without a board of ours gnome-chess,
four-in-a-row, gnome-mines, gnome-sudoku, gnumeric, gnome-2048, five-or-more, sgt-puzzles. What stands on the boards was
then written down by hand in `screens/screens.toml`.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

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


RING = [(3, 2), (2, 3), (5, 4), (4, 5), (2, 2), (5, 5), (2, 4), (5, 3), (2, 5), (5, 2), (4, 2), (3, 5)]
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
    "unruly": ("sgt-unruly 8x8", [("wait", "3"), ("shot", "unruly")]),
    "towers": ("sgt-towers 5de", [("wait", "3"), ("shot", "towers")]),
    "pegs": ("sgt-pegs", [("wait", "3"), ("shot", "pegs")]),
    "fifteen": ("sgt-fifteen", [("wait", "3"), ("shot", "fifteen")]),
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


def main() -> None:
    folder = Path(sys.argv[1])
    wanted = sys.argv[2:] or list(PROGRAMS)
    os.environ["DISPLAY"] = DISPLAY
    os.environ["PATH"] += ":/usr/games"
    os.environ["GSETTINGS_BACKEND"] = "memory"
    screen = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", SCREEN], stderr=subprocess.DEVNULL)
    time.sleep(2)
    manager = subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
    try:
        for name in wanted:
            command, steps = PROGRAMS[name]
            words = ["dbus-run-session", "--", "sh", "-c", command]
            program = subprocess.Popen(
                words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
            )
            try:
                for step in steps:
                    act(step, folder)
            finally:
                os.killpg(program.pid, 15)
                time.sleep(1)
    finally:
        manager.terminate()
        screen.terminate()


if __name__ == "__main__":
    main()
