"""Programs that open a game record."""

import functools
import json
import time
from pathlib import Path

import cv2

from programs.part import Part, Place
from programs.positions import STAGES, line_of_play, living_positions, positions, record
from programs.pythons import installed
from programs.screen import PLACES, Program, move_window, paint, settle, tool

GO = ("gomoku:size=15", "connect6", "gomoku:size=9", "gomoku:size=13")
SHOWN = {
    "quarry": ("quarry", 5, ("othello", "othello", *GO)),
    "cgoban": ("cgoban -edit", 16, GO),
    "kigo": ("kigo", 9, GO),
}
"""Command that takes the name of a game record, seconds until the board stands alone there, and the games to show."""
KATRAIN = ("gomoku:size=19", "gomoku:size=13", "gomoku:size=9", "connect6")
LIZZIE = "/usr/share/java/lizzie.jar"
ENGINE = """#!/usr/bin/env python3
import sys
print("info ", flush=True)  # it is there
answers = {"name": "Leela Zero", "version": "0.17", "list_commands": "lz-analyze"}
for line in sys.stdin:
    words = line.split()
    if words:
        number, words = (words[0], words[1:]) if words[0].isdigit() else ("", words)
        print(f"={number} {answers.get(words[0], '')}\\n", flush=True)
"""
"""An engine for Lizzie that knows nothing."""


def shown(name: str, place: Place) -> None:
    command, wait_s, games = SHOWN[name]
    file = place.own / "shown.sgf"
    for number, game in enumerate(games):
        for stage in STAGES:
            position = line_of_play(game, stage, number)
            file.write_text(record(position))
            picture = f"{name}-{number}-{stage}"
            for _ in range(8):
                with Program(f"{command} {file}", place.own):
                    time.sleep(wait_s)
                    place.shot(picture, game, position.cells, program=name, few_colours=True)
                if name != "kigo" or drawn(place.file(picture)):
                    break
            else:
                raise RuntimeError(f"{name} draws no board")


def drawn(picture: Path) -> bool:
    """Whether there are lines and stones where Kigo's board is, which every other start leaves empty."""
    grey = cv2.imread(str(picture), cv2.IMREAD_GRAYSCALE)
    assert grey is not None
    return int((grey[250:760, 240:760] < 70).sum()) > 15000


def qgo(place: Place) -> None:
    """qGo misses an engine first."""
    file = place.own / "shown.sgf"
    for number, (game, position) in enumerate(living_positions(("gomoku:size=19", "gomoku:size=9"), 1150)):
        paint(number)
        file.write_text(record(position).replace("]A", "];A", 1))  # it shows stones that are set up later only
        with Program("qgo", place.own):
            time.sleep(5)
            tool("key", "ctrl+o")
            time.sleep(2)
            tool("type", str(file))
            for wait_s in (3, 3):
                tool("key", "Return")
                time.sleep(wait_s)
            x, y = PLACES[number % 4]
            move_window("vs. Black", x, y, *((981, 820), (760, 640), (1000, 700), (860, 760))[number % 4])
            tool("key", "Down")
            time.sleep(1)
            place.shot(f"qgo-{number}", game, position.cells)


def katrain(place: Place) -> None:
    """KaTrain with an engine that stays silent."""
    engine = place.own / "silent"
    engine.write_text("#!/bin/sh\nexec cat > /dev/null\n")
    engine.chmod(0o755)
    settings = json.loads((installed(place.python) / "katrain" / "config.json").read_text(encoding="utf-8"))
    settings["engine"]["katago"] = str(engine)
    settings["ui_state"] = {"restoresize": True, "size": [1100, 860], "left": 40, "top": 40}
    home = place.own / "home" / ".katrain"
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    file = place.own / "shown.sgf"
    for number, (game, position) in enumerate(positions(KATRAIN, 800, alive=True)):
        file.write_text(record(position))
        with Program(f"{place.python.with_name('katrain')} {file}", place.own):
            time.sleep(16)
            settle()
            place.shot(f"katrain-{number}", game, position.cells, few_colours=True)


def lizzie(place: Place) -> None:
    """Lizzie in several sizes, with an engine that finds no moves."""
    engine = place.own / "engine"
    engine.write_text(ENGINE, encoding="utf-8")
    engine.chmod(0o755)
    home = place.own / "home"
    settings = home / ".config" / "leela-zero" / "lizzie-config.txt"
    settings.parent.mkdir(parents=True, exist_ok=True)
    file = place.own / "shown.sgf"
    for number, (game, position) in enumerate(living_positions(("connect6", "gomoku:size=13"), 1310)):
        paint(number)
        file.write_text(record(position), encoding="utf-8")
        look = {"board-size": len(position.cells), "show-move-number": number % 4 == 3}
        wanted = {"leelaz": {"engine-command": str(engine), "engine-start-location": "."}, "ui": look}
        settings.write_text(json.dumps(wanted), encoding="utf-8")
        with Program(f"java -Duser.home={home} -jar {LIZZIE} {file}", place.own):
            x, y = PLACES[1 + number % 3]
            move_window(" vs ", x, y, *((960, 700), (820, 640), (1000, 820), (700, 760))[number % 4])
            time.sleep(6)
            place.shot(f"lizzie-{number}", game, position.cells)


PARTS = (
    Part("quarry", functools.partial(shown, "quarry"), {"quarry": "quarry"}, screen=True),
    Part("cgoban", functools.partial(shown, "cgoban"), {"cgoban": "cgoban"}, screen=True),
    Part("kigo", functools.partial(shown, "kigo"), {"kigo": "kigo", "gnugo": "gnugo"}, screen=True),
    Part("qgo", qgo, {"qgo": "qgo"}, screen=True),
    Part("katrain", katrain, pip=("katrain==1.20.0",), screen=True),
    Part("lizzie", lizzie, {LIZZIE: "liblizzie-java", "java": "default-jre"}, screen=True),
)
