"""`Own`: the owner's own games, checked one after the other in processes of their own, and offered once they pass.

A file that is new, or was edited since it was looked at, is checked as soon as anybody lists the games, and when the
server starts. What is offered and where it lies is `own_files`; what is checked is `conformance`.
"""

import asyncio
import logging
import os
from pathlib import Path

from boyi.games.registry import OWN_GAMES, OWN_NAME, games, own_games
from boyi.service.database import Database
from boyi.service.errors import NotAllowed, NotFound, StorageError
from boyi.service.own_files import OwnFiles, RulesFile, Verdict
from boyi.service.rules_process import Check, Limits
from boyi.service.views_own import OwnGames, OwnGameView, OwnStatus

log = logging.getLogger(__name__)


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
        self._check: Check | None = None
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
        if self._check is not None:
            self._check.kill()
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

    def _tell(self, name: str, stage: str) -> None:
        self.checking = (name, stage)

    async def _checked(self, files: OwnFiles, name: str) -> Verdict:
        """The verdict on a file as it is at this moment; where it passes, it is offered."""
        if not OWN_NAME.fullmatch(name) or (name in games() and name not in own_games()):
            digest = await self.database.work(files.digest, name)
            taken = "there is a game of that name already" if name in games() else "it is no name for a game"
            return Verdict(digest, False, "facts", f"{name}: {taken}; rename the file: small letters, digits and _")
        file, digest = await self.database.work(files.copy, name)
        self._check = Check(str(file), self.limits)
        try:
            verdict = Verdict(digest, **await self._check.run(lambda stage: self._tell(name, stage)))
        finally:
            self._check = None
        if verdict.passed:
            await self.database.work(files.offer, name, digest)
        return verdict


def _short(folder: Path) -> str:
    """A path as people write it."""
    home = Path.home()
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)
