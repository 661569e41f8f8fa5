"""Takes pictures of eleven more programs that nobody here has used: `take_further_screens.py FOLDER [PART ...]`.

Examples that come with Rio, PySide, BASIC-256, Cairo-5c and EiskaltDC++, games inside Emacs and Tkabber, games in a
terminal, printed boards, and programs without a board of ours. Needs what `take_newest_screens.py` needs, and Debian's
basic256, cairo-5c, eiskaltdcpp-qt-data, qmlscene, qml-module-qtquick2, emacs-gtk, tkabber-plugins, nbsdgames, xterm,
libxcb-cursor0, gnubg, klines and knavalbattle; the Python packages go into FOLDER only. What stands on the
boards is what the programs were told to show or the moves that were played in them, and is written to
FOLDER/screens.toml. `python -m boyi.bench.vision FOLDER` measures them.
"""

import os
import shlex
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from screen_truth import Cells, Truth
from take_game_screens import square
from take_late_screens import COLOURS, DOCUMENT, stones
from take_newest_screens import PLACES, Place, paint, placed, shot
from take_screens import Program, screen, tool, without_a_pass
from take_unseen_screens import pictured, served, shots, sized, tic_tac_toes
from take_web_screens import shown

from boyi.games import Position

NEEDED = ("rio-ui==0.12.3", "PySide6_Essentials==6.12.0")
GAMES = ("PySide6_Examples==6.12.0", "cli-othello==1.0.8")
"""Packages whose own requirements are not needed to show a board, or are among `NEEDED`."""
CAIRO = Path("/usr/share/doc/cairo-5c/examples/tic-tac-toe.5c")
BASIC = Path("/usr/share/doc/basic256/examples/tictactoe.kbs")
EISKALT = Path("/usr/share/eiskaltdcpp/qt/qtscripts/tic-tac-toe")
PLUGINS = Path("/usr/share/tkabber-plugins")
RIO = """import sys; import crawlerdetect; import rio; from rio_game.pages.tic_tac_toe_page import TicTacToePage
crawlerdetect.CrawlerDetect.isCrawler = lambda *_: False  # a browser without a window is one to it
theme = rio.Theme.from_colors(mode=sys.argv[1])
rio.App(build=TicTacToePage, theme=theme).run_as_web_server(port=int(sys.argv[2]))"""
PYSIDE = """import sys; from pathlib import Path; import PySide6; from PySide6.QtWidgets import QApplication
sys.path.insert(0, str(Path(PySide6.__file__).parent / "examples/designer/taskmenuextension"))
from tictactoe import TicTacToe
app = QApplication([]); window = TicTacToe(); window.setWindowTitle("TicTacToe"); window.state = sys.argv[1]
window.show(); app.exec()"""
TERMINAL = """import sys; from cli_othello import board, cli; given = [".XO".index(text) for text in sys.argv[1]]
def begin(self): self.cells = list(given)
board.Board.__init__ = begin; sys.argv[1:] = ["--level", "1"]; cli.main()"""
EMACS = """(setq inhibit-startup-screen t)
(fset 'y-or-n-p (lambda (text) (string-match "rows" text)))
(gomoku {size} {size})
(dolist (move '({moves}))
  (gomoku-goto-xy (car move) (cadr move))
  (gomoku-play-move (gomoku-xy-to-index (car move) (cadr move)) (caddr move) t))
"""
TKABBER = """proc finload {{}} {{ after 1500 {{
    catch {{destroy .login}}
    namespace eval ::plugins {{ source {file}; source {file} }}
    namespace eval ::plugins::{game} {{
        proc get_nick args {{ return juliet }}
        load
        {theme}
        start_play {variant} connection juliet@example.org 1 black
        set gid [make_gid juliet@example.org 1]
        array set $gid {{ {position} }}
        draw_position $gid
    }}
    wm geometry . {geometry}
}} }}
"""
TKABBER_CODES = {"X": "b", "O": "w", "": ""}
THEMES = {"reversi": ("Checkers", "Xboard"), "renju": ("Stones", "Black")}
TERMINALS = (
    "-fs 14 -geometry 60x34", "-fs 11 -geometry 80x36 -bg black -fg grey90", "-fs 18 -geometry 58x34",
    "-fs 10 -geometry 100x40 -bg '#002b36' -fg '#93a1a1'",
)  # fmt: skip
OTHERS = {"klines": 5, "knavalbattle": 6, "gnubg": 6}
"""Programs of Debian without a board of ours, and seconds until they have started."""


def python_games(folder: Path) -> Path:
    """A Python that has the games, and Rio's example as a package beside it."""
    place = folder / "python"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, *NEEDED], check=True)
    subprocess.run([*pip, "--no-deps", *GAMES], check=True)
    template = next(place.glob("lib/*/site-packages/rio/snippets/snippet-files/project-template-Tic-Tac-Toe"))
    shutil.copytree(template, folder / "rio_game", dirs_exist_ok=True)
    return python


def line(cells: Cells, codes: str, between: str = "") -> str:
    """The squares row by row; CODES are for an empty one, a cross and a ring."""
    return between.join(codes[" XO".index(text or " ")] for row in cells for text in row)


def rio(place: Place) -> None:
    """Tic-tac-toe of Rio's templates, in light and in dark; both sides are played by clicks."""
    (place.folder / "rio_app.py").write_text(RIO, encoding="utf-8")
    for number, position in enumerate(tic_tac_toes()):
        command = [place.python, place.folder / "rio_app.py", ("light", "dark")[number // 2 % 2]]
        with served(command, place.folder) as address, sized(place.page, number) as board:
            board.goto(address.replace("127.0.0.1", "localhost"))
            spots = board.locator(".rio-grid > *")
            spots.nth(8).wait_for()
            board.wait_for_timeout(1500)
            centres = [spots.nth(spot).bounding_box() for spot in range(9)]
            for move in position.history:
                row, column = square(position, move)
                box = centres[3 * row + column]
                assert box is not None
                board.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
                board.wait_for_timeout(500)
            name = f"rio-tic-tac-toe-{number}"
            pictured(board, place.folder, name)
            place.add(name, "tictactoe", position.cells)


def window_games(place: Place) -> None:
    """Tic-tac-toe of PySide's, Cairo-5c's, BASIC-256's and EiskaltDC++'s examples, given their positions."""
    for program, (show, title, sizes) in WINDOWS.items():
        for number, position in enumerate(tic_tac_toes()):
            paint(number)
            with Program(show(place, number, position.cells), place.folder):
                x, y = PLACES[number % 4]
                time.sleep(2)
                placed(title, x, y, *sizes[number % len(sizes)])
                time.sleep(1)
                shot(place, f"{program}-{number}")
                place.add(f"{program}-{number}", "tictactoe", position.cells)


def pyside(place: Place, number: int, cells: Cells) -> str:
    return shlex.join([str(place.python), "-c", PYSIDE, line(cells, "-XO")])


def cairo(place: Place, number: int, cells: Cells) -> str:
    rows = ", ".join(f"{{ {line((row,), '012', ', ')} }}" for row in cells)
    text = CAIRO.read_text(encoding="utf-8").replace("computer = piece_o", "computer = piece__")
    given = text.replace("board = { { piece__ ... } ... },\n\tstatus", f"board = {{ {rows} }},\n\tstatus")
    assert given != text
    (place.folder / "game.5c").write_text(given, encoding="utf-8")
    return f"nickle {place.folder / 'game.5c'}"


def basic(place: Place, number: int, cells: Cells) -> str:
    text = BASIC.read_text(encoding="utf-8")
    given = text.replace("{0,0,0,0,0,0,0,0,0}", f"{{{line(cells, '012', ',')}}}")
    assert given != text
    (place.folder / "game.kbs").write_text(given, encoding="utf-8")
    return f"basic256 -r {place.folder / 'game.kbs'}"


def eiskalt(place: Place, number: int, cells: Cells) -> str:
    """EiskaltDC++'s script with the imports of Qt Quick 2."""
    copy = place.folder / "eiskalt"
    shutil.copytree(EISKALT, copy, dirs_exist_ok=True)
    for file in copy.rglob("*.qml"):
        file.write_text(file.read_text(encoding="utf-8").replace("import Qt 4.7", "import QtQuick 2.0"))
    main_file = copy / "tic-tac-toe.qml"
    states = "; ".join(f'board.children[{3 * r + c}].state = "{text}"' for r, c, text in stones(cells))
    begin = f"id: game\n    Component.onCompleted: {{ {states} }}"
    main_file.write_text(main_file.read_text(encoding="utf-8").replace("id: game", begin, 1))
    scale = (1, 1.25, 1.5, 2)[number % 4]
    return f"QT_SCALE_FACTOR={scale} QT_QUICK_BACKEND=software qmlscene --resize-to-root {main_file}"


Show = Callable[[Place, int, Cells], str]
WINDOWS: dict[str, tuple[Show, str, tuple[tuple[int, ...], ...]]] = {
    "pyside-tictactoe": (pyside, "^TicTacToe$", ((200, 200), (420, 420), (320, 280), (640, 660))),
    "cairo-5c-tic-tac-toe": (cairo, "^Tic-Tac-Toe$", ((400, 400), (300, 330), (620, 660), (500, 470))),
    "basic256-tictactoe": (basic, "BASIC-256$", ((1000, 800), (900, 840), (1010, 820))),
    "eiskaltdcpp-tic-tac-toe": (eiskalt, "qmlscene", ((),)),
}
"""How a position is shown, the window's title, and its sizes."""


def emacs(place: Place) -> None:
    """Emacs's five in a row, in several fonts and colours."""
    file = place.folder / "game.el"
    for number, (game, position) in enumerate(shots(("gomoku:size=15", "gomoku:size=13"), 1200)):
        paint(number)
        size = len(position.cells)
        moves = [(*square(position, move), 6 if turn % 2 else 1) for turn, move in enumerate(position.history)]
        played = " ".join(f"({column + 1} {row + 1} {value})" for row, column, value in moves)
        file.write_text(EMACS.format(size=size, moves=played), encoding="utf-8")
        look = ("-fn Monospace-10", "-fn Monospace-9 -rv", "-fn Monospace-11", "-fn Monospace-8")[number % 4]
        x, y = PLACES[1]
        geometry = f"{4 * size + 8}x{2 * size + 3}+{x + 40 * number}+{y}"
        with Program(f"emacs -Q {look} --geometry {geometry} -l {file}", place.folder):
            time.sleep(5)
            shot(place, f"emacs-gomoku-{number}")
            place.add(f"emacs-gomoku-{number}", game, position.cells)


@contextmanager
def tkabber(
    place: Place, number: int, game: str, *, theme: str = "", variant: str = "", position: str = ""
) -> Iterator[None]:
    """Tkabber with a game against somebody who is not there."""
    home = place.folder / "home"
    (home / ".tkabber").mkdir(parents=True, exist_ok=True)
    chosen = f"set options(theme) {theme}; load_stored_theme" if theme else ""
    x, y = PLACES[number % 4]
    words = TKABBER.format(
        file=PLUGINS / game / f"{game}.tcl",
        game=game,
        theme=chosen,
        variant=variant,
        position=position,
        geometry=("900x640", "1000x700", "920x660", "960x720")[number % 4] + f"+{x}+{y}",
    )
    (home / ".tkabber" / "config.tcl").write_text(words, encoding="utf-8")
    with Program(f"HOME={home} tkabber", place.folder):
        time.sleep(6)
        yield


def tkabber_games(place: Place) -> None:
    """Tkabber's Reversi and Gomoku in both themes, and its chess and its draughts."""
    for game, variant, games in (("reversi", "", ("othello",) * 2), ("renju", "gomoku:freestyle", ("gomoku",) * 2)):
        for number, (name, position) in enumerate(shots(games, 1210)):
            paint(number)
            last = len(position.cells) - 1
            spots = " ".join(
                f"position,{column},{last - row} {{{TKABBER_CODES[text]}}}"
                for row, texts in enumerate(position.cells)
                for column, text in enumerate(texts)
            )
            theme = THEMES[game][number // 2 % 2]
            with tkabber(place, number, game, theme=theme, variant=variant, position=spots):
                shot(place, f"tkabber-{game}-{number}")
                place.add(f"tkabber-{game}-{number}", name, position.cells)
    for number, (game, variant) in enumerate((("chess", ""), ("checkers", "russian"))):
        with tkabber(place, number, game, variant=variant):
            shot(place, f"tkabber-{game}")
            place.truth.add(f"tkabber-{game}.png", f"tkabber-{game}")


def terminal(command: str, number: int) -> str:
    """A command in a terminal of one of several fonts, sizes and colours."""
    x, y = PLACES[number % 4]
    look = TERMINALS[number % 4].replace(" -bg", f"+{x // 2}+{y // 2} -bg")
    return f"xterm -tn xterm-256color -fa Monospace {look} -e {command}"


def nbreversi(place: Place) -> None:
    """nbsdgames' Reversi, both sides played by keys."""
    game = without_a_pass(1220)
    for number, turns in enumerate((1, 6, 12, 18, 25, 31, 36, 40)):
        paint(number)
        with Program(terminal("nbreversi", number), place.folder):
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
            shot(place, f"nbreversi-{number}")
            place.add(f"nbreversi-{number}", "othello", game[turns].cells)


def cli_othello(place: Place) -> None:
    """A Python package's Othello in a terminal; Black is to move in it."""
    for number, (game, position) in enumerate(shots(("othello", "othello"), 1230)):
        paint(number)
        while position.turn != 0 or position.moves == ("pass",):
            position = earlier(position)
        command = shlex.join([str(place.python), "-c", TERMINAL, line(position.cells, ".XO")])
        with Program(terminal(command, number), place.folder):
            time.sleep(4)
            shot(place, f"cli-othello-{number}")
            place.add(f"cli-othello-{number}", game, position.cells)


def earlier(position: Position) -> Position:
    """The position one move before."""
    before = position.game.start()
    for move in position.history[:-1]:
        before = before.play(move)
    return before


def latex(place: Place) -> None:
    """Boards of LaTeX's package othello in two of its sizes."""
    for number, (game, position) in enumerate(shots(("othello", "othello"), 1240)):
        name = f"latex-othello-{number}"
        disks = (rf"\pos{{{'abcdefgh'[r]}}}{{{c + 1}}}=\{COLOURS[text]}{{.}}" for r, c, text in stones(position.cells))
        lines = (rf"\gofontsize{{{(15, 10)[number // 2 % 2]}}}", r"\inifulldiagram", *disks, r"\showfulldiagram")
        text = DOCUMENT % {"margin": "2cm", "package": "othello", "board": "\n".join(lines)}
        (place.folder / f"{name}.tex").write_text(text, encoding="utf-8")
        run = ["pdflatex", "-interaction=batchmode", f"{name}.tex"]
        subprocess.run(run, cwd=place.folder, check=True, capture_output=True)
        density = ("110", "150", "200", "130")[number % 4]
        paper = ["pdftoppm", "-png", "-singlefile", "-r", density, f"{name}.pdf", name]
        subprocess.run(paper, cwd=place.folder, check=True)
        place.add(name, game, position.cells)


def no_boards(place: Place) -> None:
    """Programs that show something else."""
    for number, (name, wait_s) in enumerate(OTHERS.items()):
        paint(number)
        with Program(name, place.folder):
            time.sleep(wait_s)
            shot(place, name)
            place.truth.add(f"{name}.png", name)


PARTS: dict[str, Callable[[Place], None]] = {
    "nbreversi": nbreversi, "tkabber": tkabber_games, "latex": latex, "windows": window_games, "emacs": emacs,
    "cli_othello": cli_othello, "no_boards": no_boards, "rio": rio,
}  # fmt: skip


def main(folder: Path, parts: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["PATH"] += ":/usr/games"
    truth = Truth(folder)
    if parts and truth.path.exists():  # the other parts' pictures stay
        for entry in truth.path.read_text(encoding="utf-8").split("\n\n"):
            truth.entries[entry.split('"')[1]] = entry.rstrip() + "\n"
    python = folder / "python" / "bin" / "python" if parts else python_games(folder)
    with screen(), shown(folder, 1100, 860) as (page, address):
        for part in parts or PARTS:
            PARTS[part](Place(folder, python, page, address, truth))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
