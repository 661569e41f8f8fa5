"""Games inside other programs, which are given their positions: examples of toolkits, Emacs, Tkabber."""

import functools
import shlex
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from programs.part import Part, Place
from programs.positions import Cells, line, living_positions, square, stones, tic_tac_toes
from programs.screen import PLACES, Program, move_window, paint

CAIRO = Path("/usr/share/doc/cairo-5c/examples/tic-tac-toe.5c")
BASIC = Path("/usr/share/doc/basic256/examples/tictactoe.kbs")
EISKALT = Path("/usr/share/eiskaltdcpp/qt/qtscripts/tic-tac-toe")
PLUGINS = Path("/usr/share/tkabber-plugins")
PYSIDE = """import sys; from pathlib import Path; import PySide6; from PySide6.QtWidgets import QApplication
sys.path.insert(0, str(Path(PySide6.__file__).parent / "examples/designer/taskmenuextension"))
from tictactoe import TicTacToe
app = QApplication([]); window = TicTacToe(); window.setWindowTitle("TicTacToe"); window.state = sys.argv[1]
window.show(); app.exec()"""
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
Show = Callable[[Place, int, Cells], str]
Sizes = tuple[tuple[int, ...], ...]


def tic_tac_toe(program: str, show: Show, title: str, sizes: Sizes, place: Place) -> None:
    """Eight positions in windows with this title and these sizes; SHOW makes a command of a position."""
    for number, position in enumerate(tic_tac_toes()):
        paint(number)
        with Program(show(place, number, position.cells), place.own):
            x, y = PLACES[number % 4]
            time.sleep(2)
            move_window(title, x, y, *sizes[number % len(sizes)])
            time.sleep(1)
            place.shot(f"{program}-{number}", "tictactoe", position.cells)


def pyside(place: Place, number: int, cells: Cells) -> str:
    return shlex.join([str(place.python), "-c", PYSIDE, line(cells, "-XO")])


def cairo(place: Place, number: int, cells: Cells) -> str:
    rows = ", ".join(f"{{ {line((row,), '012', ', ')} }}" for row in cells)
    text = CAIRO.read_text(encoding="utf-8").replace("computer = piece_o", "computer = piece__")
    given = text.replace("board = { { piece__ ... } ... },\n\tstatus", f"board = {{ {rows} }},\n\tstatus")
    assert given != text
    (place.own / "game.5c").write_text(given, encoding="utf-8")
    return f"nickle {place.own / 'game.5c'}"


def basic(place: Place, number: int, cells: Cells) -> str:
    text = BASIC.read_text(encoding="utf-8")
    given = text.replace("{0,0,0,0,0,0,0,0,0}", f"{{{line(cells, '012', ',')}}}")
    assert given != text
    (place.own / "game.kbs").write_text(given, encoding="utf-8")
    return f"basic256 -r {place.own / 'game.kbs'}"


def eiskalt(place: Place, number: int, cells: Cells) -> str:
    """EiskaltDC++'s script with the imports of Qt Quick 2."""
    copy = place.own / "eiskalt"
    shutil.copytree(EISKALT, copy, dirs_exist_ok=True)
    for file in copy.rglob("*.qml"):
        file.write_text(file.read_text(encoding="utf-8").replace("import Qt 4.7", "import QtQuick 2.0"))
    main_file = copy / "tic-tac-toe.qml"
    states = "; ".join(f'board.children[{3 * r + c}].state = "{text}"' for r, c, text in stones(cells))
    begin = f"id: game\n    Component.onCompleted: {{ {states} }}"
    main_file.write_text(main_file.read_text(encoding="utf-8").replace("id: game", begin, 1))
    scale = (1, 1.25, 1.5, 2)[number % 4]
    return f"QT_SCALE_FACTOR={scale} QT_QUICK_BACKEND=software qmlscene --resize-to-root {main_file}"


def emacs(place: Place) -> None:
    """Emacs's five in a row, in several fonts and colours."""
    file = place.own / "game.el"
    for number, (game, position) in enumerate(living_positions(("gomoku:size=15", "gomoku:size=13"), 1200)):
        paint(number)
        size = len(position.cells)
        moves = [(*square(position, move), 6 if turn % 2 else 1) for turn, move in enumerate(position.history)]
        played = " ".join(f"({column + 1} {row + 1} {value})" for row, column, value in moves)
        file.write_text(EMACS.format(size=size, moves=played), encoding="utf-8")
        look = ("-fn Monospace-10", "-fn Monospace-9 -rv", "-fn Monospace-11", "-fn Monospace-8")[number % 4]
        x, y = PLACES[1]
        geometry = f"{4 * size + 8}x{2 * size + 3}+{x + 40 * number}+{y}"
        with Program(f"emacs -Q {look} --geometry {geometry} -l {file}", place.own):
            time.sleep(5)
            place.shot(f"emacs-gomoku-{number}", game, position.cells)


@contextmanager
def tkabber(
    place: Place, number: int, game: str, *, theme: str = "", variant: str = "", position: str = ""
) -> Iterator[None]:
    """Tkabber with a game against somebody who is not there."""
    home = place.own / "home" / ".tkabber"
    home.mkdir(parents=True, exist_ok=True)
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
    (home / "config.tcl").write_text(words, encoding="utf-8")
    with Program("tkabber", place.own):
        time.sleep(6)
        yield


def tkabber_games(place: Place) -> None:
    """Tkabber's Reversi and Gomoku in both themes, and its chess and its draughts."""
    for game, variant, games in (("reversi", "", ("othello",) * 2), ("renju", "gomoku:freestyle", ("gomoku",) * 2)):
        for number, (name, position) in enumerate(living_positions(games, 1210)):
            paint(number)
            last = len(position.cells) - 1
            spots = " ".join(
                f"position,{column},{last - row} {{{TKABBER_CODES[text]}}}"
                for row, texts in enumerate(position.cells)
                for column, text in enumerate(texts)
            )
            theme = THEMES[game][number // 2 % 2]
            with tkabber(place, number, game, theme=theme, variant=variant, position=spots):
                place.shot(f"tkabber-{game}-{number}", name, position.cells)
    for number, (game, variant) in enumerate((("chess", ""), ("checkers", "russian"))):
        with tkabber(place, number, game, variant=variant):
            place.shot(f"tkabber-{game}")


PARTS = (
    Part(
        "pyside",
        functools.partial(
            tic_tac_toe, "pyside-tictactoe", pyside, "^TicTacToe$", ((200, 200), (420, 420), (320, 280), (640, 660))
        ),
        {"/usr/lib/x86_64-linux-gnu/libxcb-cursor.so.0": "libxcb-cursor0"},
        pip=("PySide6_Essentials==6.12.0",),
        alone=("PySide6_Examples==6.12.0",),
        screen=True,
    ),
    Part(
        "cairo-5c",
        functools.partial(
            tic_tac_toe,
            "cairo-5c-tic-tac-toe",
            cairo,
            "^Tic-Tac-Toe$",
            ((400, 400), (300, 330), (620, 660), (500, 470)),
        ),
        {str(CAIRO): "cairo-5c", "nickle": "nickle"},
        screen=True,
    ),
    Part(
        "basic256",
        functools.partial(
            tic_tac_toe, "basic256-tictactoe", basic, "BASIC-256$", ((1000, 800), (900, 840), (1010, 820))
        ),
        {str(BASIC): "basic256"},
        screen=True,
    ),
    Part(
        "eiskaltdcpp",
        functools.partial(tic_tac_toe, "eiskaltdcpp-tic-tac-toe", eiskalt, "qmlscene", ((),)),
        {str(EISKALT): "eiskaltdcpp-qt-data", "qmlscene": "qmlscene"},
        screen=True,
    ),
    Part("emacs", emacs, {"emacs": "emacs-gtk"}, screen=True),
    Part("tkabber", tkabber_games, {str(PLUGINS): "tkabber-plugins"}, screen=True),
)
