"""`boyi serve`: the app in the browser."""

import os
import threading
import webbrowser
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from boyi.cli.output import announce_compilation, notes, print_json


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    database: str | None = None,
    password_file: Path | None = None,
    workers: int | None = None,
    config: Path | None = None,
    games: Path | None = None,
    open: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Serve the app: play, analyse and train in the browser, and the API under /api/v1.

    Parameters
    ----------
    host
        The address to listen at. Anything but this computer's own needs a password.
    port
        The port; 0 takes a free one.
    database
        SQLAlchemy URL of the database. Default: an SQLite file in BOYI_DATA_DIR, or in the user's data folder.
    password_file
        A file whose first line is the password; or set BOYI_PASSWORD.
    workers
        Engine processes. Default: one a core.
    config
        A TOML file of the owner's settings; see docs/app.md.
    games
        The folder of your own games' rules files. Default: what the settings say, or games in the data folder.
    open
        Open the app in the browser.
    json
        Print the address as JSON as soon as the app can be reached.
    seed
        Not used: dice that can be foreseen are no dice.
    """
    from boyi.web.binding import address_of, bind

    if workers is not None and workers < 1:
        raise ValueError(f"--workers is at least 1, not {workers}")
    if games is not None and not games.is_dir():
        raise ValueError(f"--games is a folder of rules files, and {str(games)!r} is none; make it first")
    password = _password(password_file)
    bound = bind(host, port, password=password)
    address = address_of(host, bound)

    def ready() -> None:
        if json:
            print_json({"url": address, "port": bound.getsockname()[1], "pid": os.getpid()})
        else:
            notes.print(f"Boyi is at {address} (Ctrl-C stops it)", highlight=False)
        if open:  # in a thread, as some browsers keep their caller
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    from boyi.web.server import Server

    announce_compilation()
    with bound:
        Server(bound, database=database, password=password, workers=workers, settings=config, games=games).run(ready)


def _password(file: Path | None) -> str | None:
    """The password of the server; None for one without."""
    if file is None:
        return os.environ.get("BOYI_PASSWORD") or None
    lines = file.read_text(encoding="utf-8").splitlines()
    if not lines or not lines[0]:
        raise ValueError(f"{str(file)!r} holds no password; its first line is to be it")
    return lines[0]
