"""`Own`: the owner's own games, checked one after the other in processes of their own, and offered once they pass.

A file that is new, or was edited since it was looked at, is checked as soon as anybody lists the games, and when the
server starts. What is offered and where it lies is `own_files`; what is checked is `conformance`.
"""

import asyncio
import contextlib
import json
import logging
import os
import re
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boyi.games.registry import OWN_GAMES, OWN_NAME, games, own_games
from boyi.service import rules_check
from boyi.service.database import Database
from boyi.service.errors import NotAllowed, NotFound, StorageError
from boyi.service.own_files import OwnFiles, RulesFile, Verdict
from boyi.service.views_own import OwnGames, OwnGameView, OwnStatus

log = logging.getLogger(__name__)

SAID = 20_000
"""Of what a process says to standard error, the last bytes are kept."""
CRASHED = re.compile(r'File "([^"]+)", line (\d+)')


@dataclass(frozen=True)
class Limits:
    """How long a check may take; see `rules_check`."""

    patience_s: float = rules_check.PATIENCE_S
    total_s: float = rules_check.TOTAL_S


class Own:
    def __init__(
        self, database: Database, folder: Path | None, *, tell_folder: bool = False, limits: Limits | None = None
    ) -> None:
        """`tell_folder` is for a server that nobody but its owner reaches."""
        self.database, self.limits, self.tell_folder = database, limits or Limits(), tell_folder
        self.files = None if folder is None else OwnFiles(folder)
        self.verdicts: dict[str, Verdict] = {}
        self.queue: list[str] = []
        self.checking: tuple[str, str] | None = None
        """The name that is being checked, and its stage."""
        self._task: asyncio.Task[None] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._before: str | None = None
        self._closing = False

    # Life

    async def open(self) -> None:
        """Make own games known to this process and to those it starts, and check what is not checked yet."""
        if self.files is None:
            return
        try:
            await self.database.work(self.files.open)
        except StorageError as error:
            log.error("%s", error)
            self.files = None
            return
        self._before = os.environ.get(OWN_GAMES)
        os.environ[OWN_GAMES] = str(self.files.games)
        self.verdicts = await self.database.work(self.files.read_verdicts)
        await self.show()

    async def close(self) -> None:
        self._closing = True
        self.queue.clear()
        if self._process is not None:
            _kill(self._process)
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        if self.files is not None and os.environ.get(OWN_GAMES) == str(self.files.games):
            if self._before is None:
                del os.environ[OWN_GAMES]
            else:
                os.environ[OWN_GAMES] = self._before

    # Looking

    async def show(self) -> OwnGames:
        """All rules files; what is not checked yet is checked from now on."""
        if self.files is None:
            return OwnGames(allowed=False, folder="", games=[])
        found, offered = await self.database.work(self._look, self.files)
        for file in found:
            if file.has_game and not self._known(file) and file.name not in self.queue:
                self._enqueue(file.name)
        views = [self._view(file, file.name in offered) for file in found]
        return OwnGames(allowed=True, folder=_short(self.files.folder) if self.tell_folder else "", games=views)

    async def check(self, name: str) -> OwnGames:
        """Check a file again, whatever was found before."""
        if self.files is None:
            raise NotAllowed("this server has no games of its own; its owner has not allowed it")
        known = {file.name for file in (await self.show()).games}
        if name not in known:
            raise NotFound(f"there is no rules file {name[:60]!r}")
        if not self._busy_with(name):
            self.verdicts.pop(name, None)
            self._enqueue(name)
        return await self.show()

    def _look(self, files: OwnFiles) -> tuple[list[RulesFile], set[str]]:
        found = files.files()
        files.withdraw_missing({file.name for file in found})
        return found, set(own_games())

    def _known(self, file: RulesFile) -> bool:
        verdict = self.verdicts.get(file.name)
        return verdict is not None and verdict.digest == file.digest

    def _busy_with(self, name: str) -> bool:
        return name in self.queue or (self.checking is not None and self.checking[0] == name)

    def _view(self, file: RulesFile, offered: bool) -> OwnGameView:
        verdict = self.verdicts.get(file.name)
        status: OwnStatus = "waiting"
        stage = ""
        if self.checking is not None and self.checking[0] == file.name:
            status, stage = "checking", self.checking[1]
        elif not file.has_game:
            status = "no_game"
        elif verdict is not None and verdict.digest == file.digest and file.name not in self.queue:
            status, stage = "passed" if verdict.passed else "failed", verdict.stage
        wrong = verdict if status == "failed" else None
        return OwnGameView(
            name=file.name,
            status=status,
            stage=stage,
            message=wrong.message if wrong else "",
            file=wrong.file if wrong else "",
            line=wrong.line if wrong else None,
            title=verdict.title if verdict else "",
            offered=offered,
        )

    # Checking

    def _enqueue(self, name: str) -> None:
        if self._busy_with(name) or self._closing:
            return
        self.queue.append(name)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work(), name="check own games")

    async def _work(self) -> None:
        """Check what waits, one file after the other."""
        assert self.files is not None
        while self.queue and not self._closing:
            name = self.queue.pop(0)
            self.checking = (name, "load")
            try:
                verdict = await self._checked(self.files, name)
            except (StorageError, OSError) as error:
                digest = await self.database.work(self.files.digest, name)
                verdict = Verdict(digest, False, "load", f"the check cannot be made: {error}")
            finally:
                self.checking = None
            if not self._closing:
                self.verdicts[name] = verdict
                await self.database.work(self.files.write_verdicts, dict(self.verdicts))

    async def _checked(self, files: OwnFiles, name: str) -> Verdict:
        """The verdict on a file as it is at this moment; where it passes, it is offered."""
        if not OWN_NAME.fullmatch(name) or (name in games() and name not in own_games()):
            digest = await self.database.work(files.digest, name)
            taken = "there is a game of that name already" if name in games() else "it is no name for a game"
            return Verdict(digest, False, "facts", f"{name}: {taken}; rename the file: small letters, digits and _")
        file, digest = await self.database.work(files.copy, name)
        verdict = Verdict(digest, **await self._judge(name, file))
        if verdict.passed:
            await self.database.work(files.offer, name, digest)
        return verdict

    async def _judge(self, name: str, file: Path) -> dict[str, Any]:
        """Run the check in a process of its own, which may do whatever it likes; what it found."""
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "boyi.service.rules_check", str(file), str(self.limits.patience_s), str(self.limits.total_s)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        said = asyncio.create_task(_last_words(process.stderr))
        found: dict[str, Any] | None = None
        late = False
        try:
            async with asyncio.timeout(self.limits.total_s * rules_check.WALL):
                while line := await process.stdout.readline():
                    with contextlib.suppress(ValueError, KeyError, TypeError):
                        told = json.loads(line)
                        if "passed" in told:
                            found = told
                        else:
                            self.checking = (name, str(told["stage"]))
        except TimeoutError:
            late = True
        except ValueError:  # a line without end
            pass
        finally:
            _kill(process)
            await process.wait()
            self._process = None
        words = await said
        if found is not None:
            return found
        return {"passed": False, **self._ended(file, process.returncode or 0, late, words)}

    def _ended(self, file: Path, code: int, late: bool, words: str) -> dict[str, Any]:
        """What is known of a check that never came to its end."""
        stage = self.checking[1] if self.checking else "load"
        places = [(Path(path), int(line)) for path, line in CRASHED.findall(words)]
        place = next(((path.name, line) for path, line in places if path.parent == file.parent), ("", None))
        if late or code == -signal.SIGXCPU:
            message = f"this takes longer than {self.limits.total_s:g} s: is it an endless loop?"
        elif code < 0:
            message = f"the process crashed ({signal.Signals(-code).name}): does a rule write beside its arrays?"
        elif code and words.strip():
            message = f"the process failed: {words.strip().splitlines()[-1]}".replace(str(file.parent), "")[:400]
        else:
            message = "the process ended itself: does the file end it?"
        return {"stage": stage, "message": message, "file": place[0], "line": place[1]}


async def _last_words(stream: asyncio.StreamReader) -> str:
    said = b""
    while part := await stream.read(4096):
        said = (said + part)[-SAID:]
    return said.decode(errors="replace")


def _kill(process: asyncio.subprocess.Process) -> None:
    """End a process and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _short(folder: Path) -> str:
    """A path as people write it."""
    home = Path.home()
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)
