"""The folder of the owner's rules files, and what has passed the check there. Runs in threads.

    games/connect_four.py                              a rules file; beside it whatever it imports
    games/.checked/verdicts.json                       what the check has found, by name
    games/.checked/texts/connect_four-1f0a.../         a copy of a file and of what it imports: this is what is checked
    games/.checked/games/connect_four                  a link to the copy that has passed: this is what is played

So a file that is being edited does no harm: the text that has passed is in use until another one passes. The folder
`games/.checked/games` is what `BOYI_GAMES` names for all processes of the server.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from boyi.games.registry import OWN_NAME
from boyi.service.errors import StorageError
from boyi.train.files import write_file
from boyi.version import __version__

LARGEST = 1_000_000
MOST_FILES = 200
IMPORTS = re.compile(r"^[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([\w., \t]+))", re.MULTILINE)
GAME = re.compile(r"^GAME\b", re.MULTILINE)


@dataclass(frozen=True)
class Verdict:
    """What the check has found of a text."""

    digest: str
    passed: bool
    stage: str = ""
    message: str = ""
    file: str = ""
    line: int | None = None
    title: str = ""


@dataclass(frozen=True)
class RulesFile:
    """A rules file as it is: its name, a digest of it and of what it imports, and whether there is a game in it."""

    name: str
    digest: str
    has_game: bool


class OwnFiles:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.checked = folder / ".checked"
        self.games = self.checked / "games"
        self.texts = self.checked / "texts"

    def open(self) -> None:
        """Make the folders; `StorageError` where that is not possible."""
        try:
            for needed in (self.folder, self.games, self.texts):
                needed.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"the folder of own games cannot be used: {error.strerror or error}") from error

    def files(self) -> list[RulesFile]:
        """The rules files of the folder, by name."""
        try:
            names = sorted(file.stem for file in self.folder.glob("*.py") if not file.name.startswith("."))
        except OSError:
            return []
        found = []
        for name in names[:MOST_FILES]:
            with contextlib.suppress(OSError):
                texts = self._texts(name)
                own = texts[f"{name}.py"].decode(errors="replace")
                found.append(RulesFile(name, _digest(texts), bool(GAME.search(own))))
        return found

    def digest(self, name: str) -> str:
        """The digest of a rules file, "" where it is gone."""
        return next((file.digest for file in self.files() if file.name == name), "")

    def _texts(self, name: str) -> dict[str, bytes]:
        """A file and the files beside it that it imports, directly or not, by their names."""
        waiting, texts = [name], dict[str, bytes]()
        while waiting:
            file = self.folder / f"{waiting.pop()}.py"
            if file.name in texts or not (file.is_file() or file.stem == name):
                continue
            with file.open("rb") as source:
                texts[file.name] = source.read(LARGEST)
            for one, several in IMPORTS.findall(texts[file.name].decode(errors="replace")):
                names = [one] if one else several.split(",")
                waiting += [part.split()[0].partition(".")[0] for part in names if part.split()]
        return texts

    def copy(self, name: str) -> tuple[Path, str]:
        """A copy of a rules file, as it is at this moment, to be checked; its place and its digest."""
        try:
            texts = self._texts(name)
            digest = _digest(texts)
            place = self._place(name, digest)
            if not place.is_dir():
                partial = place.with_name(f".{place.name}.part")
                shutil.rmtree(partial, ignore_errors=True)
                partial.mkdir(parents=True)
                for file, text in texts.items():
                    (partial / file).write_bytes(text)
                partial.rename(place)
        except OSError as error:
            raise StorageError(f"{name}.py cannot be copied: {error.strerror or error}") from error
        return place / f"{name}.py", digest

    def _place(self, name: str, digest: str) -> Path:
        return self.texts / f"{name}-{digest}"

    # What is offered

    def offer(self, name: str, digest: str) -> None:
        """Let a text that has passed be played."""
        link, draft = self.games / name, self.games / f".{name}.part"
        draft.unlink(missing_ok=True)
        draft.symlink_to(os.path.relpath(self._place(name, digest), self.games), target_is_directory=True)
        draft.replace(link)
        self._forget_texts(name)

    def withdraw(self, name: str) -> None:
        (self.games / name).unlink(missing_ok=True)
        self._forget_texts(name)

    def offered(self, name: str) -> str | None:
        """The digest of the text of a game that is in use, None where there is none."""
        link = self.games / name
        if not OWN_NAME.fullmatch(name) or not (link / f"{name}.py").is_file():
            return None
        return Path(os.path.realpath(link)).name.rpartition("-")[2]

    def withdraw_missing(self, names: set[str]) -> None:
        """Withdraw the games whose file is gone."""
        for link in list(self.games.iterdir()):
            if link.name not in names and not link.name.startswith("."):  # that is a link in the making
                self.withdraw(link.name)

    def _forget_texts(self, name: str) -> None:
        """Delete the copies that are not in use."""
        used = self.offered(name)
        for place in self.texts.glob(f"{name}-*"):
            if place.name.rpartition("-")[0] == name and place.name != f"{name}-{used}":
                shutil.rmtree(place, ignore_errors=True)

    # Verdicts

    def read_verdicts(self) -> dict[str, Verdict]:
        try:
            found = json.loads((self.checked / "verdicts.json").read_text())
            return {str(name): Verdict(**facts) for name, facts in found.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def write_verdicts(self, verdicts: dict[str, Verdict]) -> None:
        facts = {name: asdict(verdict) for name, verdict in verdicts.items()}
        with contextlib.suppress(OSError):  # then they are found again after a restart
            write_file(self.checked / "verdicts.json", json.dumps(facts, indent=1))


def _digest(texts: dict[str, bytes]) -> str:
    digest = hashlib.sha256(__version__.encode())
    for file, text in sorted(texts.items()):
        digest.update(file.encode() + b"\0" + text + b"\0")
    return digest.hexdigest()[:16]
