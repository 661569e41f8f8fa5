"""Which games there are: the ones in this package by name, and users' own rules files by path.

Own games have a name too where the environment variable `BOYI_GAMES` says so: it names a folder with a folder for each
game, `NAME/NAME.py` with whatever that file imports beside it. `boyi serve` sets it, so that all of its processes know
the games that its owner has added.
"""

import contextlib
import hashlib
import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boyi.games.errors import BadParameter, GameError, UnknownGame
from boyi.games.game import Game
from boyi.games.sources import folder_hash, imported_from

_MODULES = {
    "connect6": "boyi.games.connect6",
    "einstein": "boyi.games.einstein",
    "gomoku": "boyi.games.gomoku",
    "othello": "boyi.games.othello",
    "tictactoe": "boyi.games.tictactoe",
}


OWN_GAMES = "BOYI_GAMES"
OWN_NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")
"""What an own game may be called: its rules file and its folder have the same name."""
_folders: set[Path] = set()
"""Where rules files were loaded from."""


def games() -> tuple[str, ...]:
    """The names of the games: those of this package, then the user's own."""
    return (*_MODULES, *own_games())


def built_in_games() -> tuple[str, ...]:
    """The names of the games of this package."""
    return tuple(_MODULES)


def own_games() -> tuple[str, ...]:
    """The names of the user's own games, in the folder `BOYI_GAMES`."""
    folder = os.environ.get(OWN_GAMES)
    try:
        names = sorted(os.listdir(folder)) if folder else []
    except OSError:
        return ()
    return tuple(name for name in names if own_file(name) is not None)


def own_file(name: str) -> Path | None:
    """The rules file of one of the user's own games, links resolved; None where there is no such game."""
    folder = os.environ.get(OWN_GAMES)
    if not folder or not OWN_NAME.fullmatch(name) or name in _MODULES:
        return None
    file = Path(os.path.realpath(Path(folder) / name / f"{name}.py"))
    return file if os.path.isfile(file) else None


def game(name: str, **options: Any) -> Game:
    """A game with its parameters: by name, or by the path of a rules file ending in `.py`.

    Parameters can also stand in the name: `gomoku:size=9,variant=renju`.
    """
    if not isinstance(name, str):
        raise UnknownGame(name, games())
    base, rest = name_and_options(name)
    found = load(Path(base)) if base.endswith(".py") else _named(base)
    written = dict(_option(part) for part in rest.split(",")) if rest else {}
    return found.variant(**written | options) if written or options else found


def name_and_options(text: str) -> tuple[str, str]:
    """`gomoku:size=9` as its two parts; the second is empty where there are no parameters."""
    base, _, rest = text.rpartition(":")
    return (base, rest) if "=" in rest and base else (text, "")


def rules_file(name: str) -> Path | None:
    """The file behind the name or path of a game, with or without parameters; None for a game of this package."""
    base, _ = name_and_options(name)
    return Path(base) if base.endswith(".py") else own_file(base)


def _named(name: str) -> Game:
    if name in _MODULES:
        built_in: Game = importlib.import_module(_MODULES[name]).GAME
        return built_in
    file = own_file(name)
    if file is None:
        raise UnknownGame(name, games())
    own = load(file)
    if own.name != name:
        raise GameError(f"the game in {name}.py calls itself {own.name!r}; give it the name of its file")
    return own


def _option(text: str) -> tuple[str, int | str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise BadParameter(f"{text!r} is no parameter; write name=value, several separated by commas")
    return name, int(value) if value.isdecimal() and len(value) < 10 else value


@contextlib.contextmanager
def _importing_from(folder: Path, sources: str) -> Iterator[None]:
    """Let a rules file import its neighbours, as they are on disk: not an earlier version, nor another folder's."""
    _folders.add(folder)
    aside = {
        name: module
        for name, module in sys.modules.items()
        if name != "__main__" and not name.startswith("boyi_rules_") and _folder_of(module) in _folders
    }
    for name in aside:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = writes
        sys.path.remove(str(folder))
        for module in list(sys.modules.values()):
            if _folder_of(module) == folder and not hasattr(module, "__boyi_sources__"):
                module.__boyi_sources__ = sources  # type: ignore[attr-defined]
        for name, module in aside.items():
            sys.modules.setdefault(name, module)


def _folder_of(module: object) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file).parent if file else None


def load(file: Path) -> Game:
    """The game in a user's rules file. The file is executed: load only what you trust.

    The same text, with the same neighbours, is the same module wherever it lies, and is compiled once.
    """
    if not os.path.isfile(file):  # unlike Path.is_file, also for a name that is too long
        raise GameError(f"no rules file {str(file)!r}; known games are {', '.join(games())}")
    file = file.resolve()
    text = file.read_bytes()
    sources = hashlib.sha256(file.name.encode()).hexdigest()[:8] + folder_hash(file.parent)
    name = f"boyi_rules_{file.stem}_{sources}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        module.__boyi_sources__ = sources  # type: ignore[attr-defined]
        sys.modules[name] = module
        try:
            with _importing_from(file.parent, sources):
                # Not by its loader: Python's own bytecode cache looks at size and second only.
                exec(compile(text, str(file), "exec"), module.__dict__)
        except BaseException as error:
            del sys.modules[name]
            if isinstance(error, SyntaxError | UnicodeDecodeError) or "null bytes" in str(error):
                line = getattr(error, "lineno", None)
                where = f", line {line}" if line else ""
                raise GameError(f"{str(file)!r}{where} is no Python: {getattr(error, 'msg', error)}") from None
            raise
        imported_from(file.parent, sources)  # kept for the compiler: the folder may be gone by then
    found = getattr(sys.modules[name], "GAME", None)
    if not isinstance(found, Game):
        raise GameError(f"{str(file)!r} defines no GAME; end it with GAME = YourGame(YourRules())")
    return found
