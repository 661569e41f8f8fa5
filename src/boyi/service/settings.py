"""What the owner of a server decides in a file, and nobody else: its folders, how much it trains, foreign engines.

A file of TOML; folders are named from where the file is:

    runs = "runs"          # training runs
    players = "players"    # nets that were promoted to players
    contests = "contests"  # matches and tournaments
    games = "games"        # rules files of the owner's own games
    trainings = 1          # runs that train at the same time

    [engines]              # foreign engines, for contests: what visitors see, and the player behind it
    Rapfi = "cmd:gomocup:/opt/rapfi/pbrain-rapfi"
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from boyi.service.errors import ServiceError

FOLDERS = ("runs", "players", "contests", "games")
MOST_TRAININGS = 16
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,27}")


class BadSettings(ServiceError):
    """A file of settings that cannot be used."""

    code = "settings"


@dataclass(frozen=True)
class Settings:
    """Without a folder there is nothing of what would be in it."""

    runs: Path | None = None
    players: Path | None = None
    contests: Path | None = None
    games: Path | None = None
    trainings: int = 1
    engines: Mapping[str, str] = field(default_factory=dict)
    """Foreign engines by name, each as a player `cmd:PROTOCOL:COMMAND`."""
    private: bool = False
    """Whether nobody but the owner reaches the server; only then do pages say where its folders are. No setting of a
    file: it follows from the address."""


def usual_settings(folder: Path) -> Settings:
    """Those of a server without a file: everything below its data folder."""
    folders: dict[str, Any] = {name: folder / name for name in FOLDERS}
    return Settings(**folders)


def read_settings(file: Path, usual: Settings) -> Settings:
    """The settings of a file; what it leaves out is as usual."""
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSettings(f"cannot read the settings {str(file)!r}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(f"{str(file)!r} is no TOML file: {error}") from None
    known: dict[str, Any] = {}
    for name, value in found.items():
        if name in FOLDERS:
            known[name] = _folder(file, name, value)
        elif name == "trainings":
            if type(value) is not int or not 0 <= value <= MOST_TRAININGS:
                raise BadSettings(f"{file}: trainings is a number from 0 to {MOST_TRAININGS}, not {value!r}")
            known[name] = value
        elif name == "engines":
            known[name] = _engines(file, value)
        else:
            listed = ", ".join([*FOLDERS, "trainings", "engines"])
            raise BadSettings(f"{file}: unknown setting {name!r}; known are {listed}")
    return replace(usual, **known)


def _engines(file: Path, value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise BadSettings(f"{file}: engines is a section of names and players, not {value!r}")
    for name, player in value.items():
        if not NAME.fullmatch(name):
            raise BadSettings(f"{file}: {name!r} is no name for an engine; use up to 28 letters, digits, - and _")
        if not isinstance(player, str) or not player.startswith("cmd:") or player.count(":") < 2:
            raise BadSettings(f"{file}: the engine {name!r} is written cmd:PROTOCOL:COMMAND, not {player!r}")
    return dict(value)


def _folder(file: Path, name: str, value: object) -> Path:
    if not isinstance(value, str) or not value:
        raise BadSettings(f"{file}: {name} is the text of a folder's path, not {value!r}")
    return (file.parent / value).resolve()
