"""A virtual screen, programs on it, and a hand for the mouse and the keys."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SIZE = "1280x960x24"
NEEDS = {
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "xdotool": "xdotool",
    "import": "imagemagick",
    "xsetroot": "x11-xserver-utils",
    "dbus-run-session": "dbus-daemon",
}
"""Command -> Debian's package."""
COLOURS = ("#3b5b7a", "#000000", "#c9ced3", "#2e4a33", "#e9e4d8")
"""Of the screen behind the windows."""
PLACES = ((100, 60), (40, 20), (260, 120), (180, 40))
"""Where windows go."""


@contextmanager
def screen() -> Iterator[None]:
    """A virtual screen with a window manager, on the first display that is free."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", SIZE], stderr=subprocess.DEVNULL, pass_fds=(writing,)
    )
    os.close(writing)
    with os.fdopen(reading) as told:
        os.environ["DISPLAY"] = f":{told.readline().strip()}"
    manager = subprocess.Popen(["openbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(2)
    try:
        yield
    finally:
        manager.terminate()
        manager.wait()
        server.terminate()
        server.wait()


class Program:
    """A program that runs while the block does; all of it ends with the block. Its home is FOLDER/home."""

    def __init__(self, command: str, folder: Path, settings: str = "") -> None:
        """SETTINGS are those of GLib, as a key file."""
        places = folder / "settings" / "glib-2.0" / "settings"
        places.mkdir(parents=True, exist_ok=True)
        (places / "keyfile").write_text(settings)
        (folder / "home").mkdir(exist_ok=True)
        self.words = ["dbus-run-session", "--", "sh", "-c", command]
        self.environment = os.environ | {
            "GSETTINGS_BACKEND": "keyfile" if settings else "memory",
            "HOME": str(folder / "home"),
            "XDG_CONFIG_HOME": str(folder / "settings"),
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


def tool(*words: str) -> str:
    """What xdotool answers."""
    return subprocess.run(["xdotool", *words], check=True, capture_output=True, text=True).stdout


def key(name: str) -> None:
    tool("key", name)
    time.sleep(0.4)


def click(x: float, y: float, pause_s: float = 0.0) -> None:
    tool("mousemove", str(round(x)), str(round(y)), "click", "1")
    time.sleep(0.4 + pause_s)


def press(x: float, y: float) -> None:
    """A slow click, for a program that misses quick ones."""
    for words, pause_s in ((("mousemove", str(round(x)), str(round(y))), 0.25), (("mousedown", "1"), 0.12)):
        tool(*words)
        time.sleep(pause_s)
    tool("mouseup", "1")
    time.sleep(0.35)


def move_window(title: str, x: int, y: int, width: int = 0, height: int = 0) -> None:
    """Move a window's frame to (x, y), which puts its inside to (x + 1, y + 20), and give it a size."""
    window = tool("search", "--sync", "--onlyvisible", "--name", title).split()[-1]
    if width:
        tool("windowsize", window, str(width), str(height))
        time.sleep(0.5)
    tool("windowmove", window, str(x), str(y))
    time.sleep(1)


def paint(number: int) -> None:
    """Give the screen behind the windows one of the colours."""
    subprocess.run(["xsetroot", "-solid", COLOURS[number % len(COLOURS)]], check=True)


def settle(still_s: float = 6.0, most_s: float = 90.0) -> None:
    """Wait until nothing has changed on the screen for a while: a busy computer draws some programs slowly."""
    before, since = b"", time.monotonic()
    end = since + most_s
    while time.monotonic() < min(since + still_s, end):
        seen = subprocess.run(["import", "-window", "root", "rgb:-"], check=True, capture_output=True).stdout
        if seen != before:
            before, since = seen, time.monotonic()
        time.sleep(0.5)


def shot(file: Path, *, few_colours: bool = False) -> None:
    """A picture of the whole screen without the mouse, in at most 256 colours if wanted."""
    tool("mousemove", "1270", "950")
    time.sleep(0.5)
    more = ["-colors", "256", f"PNG8:{file}"] if few_colours else [str(file)]
    subprocess.run(["import", "-window", "root", *more], check=True)
