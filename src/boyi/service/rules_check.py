"""One game checked in a process of its own, which `rules_process` starts: `python -m boyi.service.rules_check GAME`.

GAME is the name of a game or the path of a rules file. Whatever is in the file, an endless loop, an `exit()`, too much
memory or code that crashes, ends here and not in the server. On standard output go lines of JSON: `{"stage": ...}`
before each stage, and at the end `{"passed": true, ...}` or `{"passed": false, "message": ..., "file": ...,
"line": ...}`. The process ends when its standard input does.
"""

import contextlib
import faulthandler
import json
import os
import re
import resource
import signal
import sys
import threading
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

MEMORY_MB = 6000
"""Of addresses, most of which are never used: libraries and compiled code take half of it."""
PATIENCE_S = 30.0
"""Processor time that the file may take to load, and its rules to play as plain Python."""
TOTAL_S = 240.0
"""Processor time that all may take; compilation is most of it."""
WALL = 5.0
"""On a busy computer, so many times as long by the clock."""
PARAMETERS = "parameters"
"""The stage in which what the caller asked of the game is wrong, not the game."""
TIMED = ("load", PARAMETERS, "rules")
"""Stages that run nothing but the file's own Python."""
NICENESS = 5
LONGEST = 400
COMPILER = re.compile(r'File "([^"]+)", line (\d+)')


class TookTooLong(BaseException):
    """No `Exception`, so that a rules file does not catch it by chance."""


def limit(memory_mb: int, total_s: float) -> None:
    """Take from this process what it could harm the computer with."""
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    for kind, most, ever in (
        (resource.RLIMIT_AS, memory_mb * 1_000_000, memory_mb * 1_000_000),
        (resource.RLIMIT_CPU, int(total_s), int(total_s) + 5),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_FSIZE, 500_000_000, 500_000_000),
    ):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, ever))


def end_with_the_input() -> None:
    """In a thread: end when the server does."""
    with contextlib.suppress(OSError):
        while os.read(0, 1024):
            pass
    os._exit(0)


def too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TookTooLong


def place_of(error: BaseException, folder: Path) -> tuple[str, int | None]:
    """The last file and line of a folder that had a part in an error."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).parent == folder:
            return Path(frame.filename).name, frame.lineno
    for file, line in reversed(COMPILER.findall(str(error))):
        if Path(file).name and (folder / Path(file).name).is_file():
            return Path(file).name, int(line)
    return "", None


def told(error: BaseException, folder: Path) -> str:
    """What went wrong, in a sentence."""
    from numba.core.errors import NumbaError

    from boyi.games.errors import GameError

    text = str(error).replace(f"{folder}{os.sep}", "").strip()
    if isinstance(error, TookTooLong):
        text = "this takes too long: is it an endless loop?"
    elif isinstance(error, SystemExit):
        text = "the file calls exit()"
    elif isinstance(error, MemoryError):
        text = "this takes more memory than there is for a check"
    elif isinstance(error, NumbaError):
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        useful = [line for line in lines if not line.startswith(("Failed in", "File ", "During:", "- ", "<"))]
        text = f"this cannot be compiled: {(useful or lines or [''])[0]}"
    elif not isinstance(error, GameError):
        text = f"{type(error).__name__}: {text}"
    return text[:LONGEST]


def folder_of(name: str) -> Path:
    """Where the rules of a game are written."""
    from boyi.games import registry

    file = registry.rules_file(name)
    return file.resolve().parent if file else Path(registry.__file__).parent


def run(name: str, patience_s: float, tell: Any) -> dict[str, Any]:
    """All checks; what is told at the end."""
    from boyi.games.registry import game, name_and_options
    from boyi.service.conformance import CHECKS

    folder, stage = folder_of(name), "load"
    base, options = name_and_options(name)
    try:
        for stage in ("load", *([PARAMETERS] if options else []), *CHECKS):
            tell({"stage": stage})
            signal.setitimer(signal.ITIMER_PROF, patience_s if stage in TIMED else 0)
            if stage == "load":
                found = game(base)
            elif stage == PARAMETERS:
                found = game(name)
            else:
                CHECKS[stage](found)
            signal.setitimer(signal.ITIMER_PROF, 0)
    except BaseException as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        where, line = place_of(error, folder)
        if isinstance(error.__context__, SyntaxError) and line is None:
            where, line = Path(error.__context__.filename or "").name, error.__context__.lineno
        return {"passed": False, "stage": stage, "message": told(error, folder), "file": where, "line": line}
    return {"passed": True, "title": found.title}


def main(name: str, patience_s: float = PATIENCE_S, total_s: float = TOTAL_S) -> int:
    """Check a game and tell of it."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    if not sys.stdin.isatty():
        threading.Thread(target=end_with_the_input, daemon=True).start()
    limit(MEMORY_MB, total_s)
    faulthandler.enable()
    faulthandler.register(signal.SIGXCPU, chain=True)  # the last words of a process whose time is over
    signal.signal(signal.SIGPROF, too_long)

    def tell(facts: dict[str, Any]) -> None:
        answers.write(json.dumps(facts) + "\n")
        answers.flush()

    found = run(name, patience_s, tell)
    tell(found)
    os._exit(0 if found["passed"] else 1)  # threads and exit handlers of the file are not waited for


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:4]))
