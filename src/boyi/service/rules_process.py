"""`Check`: the process of `rules_check`, started, watched and ended; what the game in it does is its own affair."""

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boyi.service import rules_check

SAID = 20_000
"""Of what a process says to standard error, the last bytes are kept."""
CRASHED = re.compile(r'File "([^"]+)", line (\d+)')


@dataclass(frozen=True)
class Limits:
    """How long a check may take; see `rules_check`."""

    patience_s: float = rules_check.PATIENCE_S
    total_s: float = rules_check.TOTAL_S


class Check:
    """The check of one game, named or by the path of its rules file."""

    def __init__(self, name: str, limits: Limits | None = None) -> None:
        self.name, self.limits = name, limits or Limits()
        self.stage = "load"
        self._process: asyncio.subprocess.Process | None = None

    async def run(self, tell: Callable[[str], None]) -> dict[str, Any]:
        """What was found, as `rules_check` tells it; `tell` hears the name of each stage."""
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "boyi.service.rules_check", self.name, str(self.limits.patience_s), str(self.limits.total_s)),
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
                            self.stage = str(told["stage"])
                            tell(self.stage)
        except TimeoutError:
            late = True
        except ValueError:  # a line without end
            pass
        finally:
            self.kill()
            await process.wait()
            self._process = None
        words = await said
        return found or {"passed": False, **self._ended(process.returncode or 0, late, words)}

    def kill(self) -> None:
        """End the process and all that it started."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _ended(self, code: int, late: bool, words: str) -> dict[str, Any]:
        """What is known of a check that never came to its end."""
        folder = rules_check.folder_of(self.name)
        places = [(Path(path), int(line)) for path, line in CRASHED.findall(words)]
        place = next(((path.name, line) for path, line in places if path.parent == folder), ("", None))
        if late or code == -signal.SIGXCPU:
            message = f"this takes longer than {self.limits.total_s:g} s: is it an endless loop?"
        elif code < 0:
            message = f"the process crashed ({signal.Signals(-code).name}): does a rule write beside its arrays?"
        elif code and words.strip():
            message = f"the process failed: {words.strip().splitlines()[-1]}".replace(str(folder), "")[:400]
        else:
            message = "the process ended itself: does the file end it?"
        return {"stage": self.stage, "message": message, "file": place[0], "line": place[1]}


async def _last_words(stream: asyncio.StreamReader) -> str:
    said = b""
    while part := await stream.read(4096):
        said = (said + part)[-SAID:]
    return said.decode(errors="replace")
