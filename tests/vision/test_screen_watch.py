"""`boyi recognise --watch` on a real, virtual screen: Xvfb shows boards, and the command says what it saw."""

import json
import mmap
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue

import cv2
import numpy as np
import pytest

import boyi

pytest.importorskip("mss")
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Xvfb is for X11")
WIDTH, HEIGHT = 800, 600
PATIENCE_S = 240
PROGRAM = "from boyi.cli.main import run; run()"
Show = Callable[[boyi.Position], None]


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[tuple[str, Show]]:
    """The name of a virtual display, and a function that puts a position on it.

    Xvfb keeps its screen in a file (the format of xwd: a header, colours, then rows of blue, green, red and padding).
    """
    assert shutil.which("Xvfb"), "this test needs Xvfb: apt-get install xvfb"
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir", str(tmp_path)]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        display = f":{told.readline().strip()}"
    with (tmp_path / "Xvfb_screen0").open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        fields = np.frombuffer(memory[:100], ">u4")
        header, row_bytes, colours = int(fields[0]), int(fields[12]), int(fields[19])
        first = header + 12 * colours

        def show(position: boyi.Position) -> None:
            picture = cv2.imdecode(np.frombuffer(boyi.draw.png(position.svg(size=400)), np.uint8), cv2.IMREAD_COLOR)
            pixels = np.full((HEIGHT, WIDTH, 4), 90, np.uint8)
            pixels[60 : 60 + picture.shape[0], 150 : 150 + picture.shape[1], :3] = picture
            for row in range(HEIGHT):
                start = first + row * row_bytes
                memory[start : start + 4 * WIDTH] = pixels[row].tobytes()

        yield display, show
    server.terminate()
    server.wait(20)


def test_moves_on_the_screen_are_seen(screen: tuple[str, Show]) -> None:
    display, show = screen
    start = boyi.game("tictactoe").start().play("b2")
    show(start)
    command = [sys.executable, "-c", PROGRAM, "recognise", "--watch", "--json", "--best", "exact"]
    seen: Queue[dict[str, object]] = Queue()
    with subprocess.Popen(
        command, env={**os.environ, "DISPLAY": display}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as watching:
        assert watching.stdout
        output = watching.stdout
        threading.Thread(target=lambda: [seen.put(json.loads(line)) for line in output], daemon=True).start()
        try:
            first = seen.get(timeout=PATIENCE_S)
            assert (first["game"], first["key"], first["moves"]) == ("tictactoe", "3/1X1/3", [])
            later = start.play("a2")
            show(later)
            second = seen.get(timeout=PATIENCE_S)
            assert (second["moves"], second["legal"]) == (["a2"], True)
            assert isinstance(second["best"], dict)
            assert second["best"]["move"] in later.moves
        finally:
            watching.terminate()
            watching.wait(20)
        assert watching.stderr
        assert "do not use it against people" in watching.stderr.read()
