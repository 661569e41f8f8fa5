"""A foreign engine as a process: lines to it, lines from it with a deadline, and its end, whatever it does.

The engine leads a process group of its own, which is killed as a whole. Threads read what it writes, so that it can
neither block us nor be blocked; what is kept of it is bounded.
"""

import collections
import contextlib
import os
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Sequence
from typing import IO

from boyi.protocols.errors import EngineFailure, Reason

LONGEST_LINE = 1 << 20
MOST_BYTES = 1 << 23
"""What an engine may write between two questions."""
KEPT_LINES, KEPT_LETTERS = 20, 200
POLITE_S = 1.0
"""How long an engine that was told to end may take for it."""
FULL_PIPE_S = 0.01
"""How long to wait before trying again to write into a full pipe."""
LAST_WORDS_S = 0.5
"""How long the last lines of an engine that has ended are waited for."""


class _Mail:
    """What an engine wrote and nobody has read. It does not know its engine, which may so be forgotten and ended."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.lines: collections.deque[str] = collections.deque()
        self.last: collections.deque[str] = collections.deque(maxlen=KEPT_LINES)
        self.written = 0
        """Bytes since the last question."""
        self.flooded = False

    def read(self, process: "subprocess.Popen[bytes]", stream: IO[bytes], heard: bool) -> None:
        """In a thread, to the end of a pipe; of what is not `heard`, standard error, only the last lines are kept."""
        rest, skip = b"", False
        with contextlib.suppress(OSError), stream:
            while not self.flooded and (data := os.read(stream.fileno(), 1 << 16)):
                if skip and data.startswith(b"\n"):  # the second half of a line end
                    data = data[1:]
                skip = data.endswith(b"\r")
                *lines, rest = (rest + data).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
                self.add(lines, heard, len(data))
                if len(rest) > LONGEST_LINE or self.written > MOST_BYTES:
                    self.flooded = True
                    _kill_group(process)
        self.add([rest] if rest else [], heard and not self.flooded, 0)

    def add(self, lines: list[bytes], heard: bool, size: int) -> None:
        with self.changed:
            texts = [line.decode("utf-8", "replace") for line in (lines if heard else lines[-KEPT_LINES:])]
            self.last.extend(text[:KEPT_LETTERS] for text in texts[-KEPT_LINES:] if text.strip())
            self.written += size
            if heard:
                self.lines.extend(texts)
            self.changed.notify_all()


class EngineProcess:
    """A running engine. Everything that it does wrong is an `EngineFailure`, after which it does not run any more."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = " ".join(command)
        self.failed: EngineFailure | None = None
        self._mail = mail = _Mail()
        self._closed = False
        try:
            self._process = process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise EngineFailure(Reason.START, str(error), self.command) from None
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self._input = process.stdin
        os.set_blocking(self._input.fileno(), False)
        self._end = weakref.finalize(self, _kill, process)  # also at the interpreter's end
        self._readers = [
            threading.Thread(target=mail.read, args=(process, stream, heard), daemon=True, name="boyi-engine")
            for stream, heard in ((process.stdout, True), (process.stderr, False))
        ]
        for reader in self._readers:
            reader.start()

    def send(self, *lines: str, deadline: float = float("inf")) -> None:
        """Write lines; an engine that does not read them before the deadline took too long."""
        data = "".join(f"{line}\n" for line in lines).encode()
        self._mail.written = 0
        while data:
            try:
                data = data[os.write(self._input.fileno(), data) :]
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise self.failure(Reason.MOVE_TIMEOUT, "it does not read what it is told") from None
                time.sleep(FULL_PIPE_S)
            except (OSError, ValueError):
                raise self._ended() from None

    def line(self, deadline: float, *, late: Reason = Reason.MOVE_TIMEOUT) -> str:
        """The next line that the engine writes, without blanks at its ends; empty ones too."""
        found = self.next_line(deadline)
        if found is not None:
            return found
        if self._mail.flooded or self._closed or not self._readers[0].is_alive():
            raise self._ended()
        raise self.failure(late)

    def next_line(self, deadline: float) -> str | None:
        """The same, but None where there is none before the deadline or the end."""
        mail = self._mail
        with mail.changed:
            while (
                not (mail.lines or mail.flooded or self._closed)
                and self._readers[0].is_alive()
                and (left := deadline - time.monotonic()) > 0
            ):
                mail.changed.wait(min(left, 0.5))
            return mail.lines.popleft().strip() if mail.lines else None

    def failure(self, reason: Reason, detail: str = "") -> EngineFailure:
        """The error for something that the engine did wrong; the engine is killed. There is only one in its life."""
        self.close(0.0)
        self.failed = self.failed or EngineFailure(reason, detail, self.command, self._mail.last)
        return self.failed

    def _ended(self) -> EngineFailure:
        """The error for an engine that closed its pipes or is gone."""
        if self._mail.flooded:
            return self.failure(Reason.FLOOD, "more than anyone can read, or a line without end")
        _wait(self._process, LAST_WORDS_S)
        code = _exit_code(self._process)
        how = "it closed its pipes" if code is None else f"exit code {code}" if code >= 0 else f"signal {-code}"
        return self.failure(Reason.CRASH, how)

    def close(self, polite_s: float = POLITE_S) -> None:
        """Close the engine's input, give it a moment to end by itself, then kill and reap its whole process group."""
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(OSError):
            self._input.close()
        _wait(self._process, polite_s)
        self._end()
        for reader in self._readers:  # which end with the pipes, unless a stray process holds those open
            reader.join(LAST_WORDS_S)

    @property
    def running(self) -> bool:
        return not self._closed and _exit_code(self._process) is None


def _exit_code(process: "subprocess.Popen[bytes]") -> int | None:
    """The exit code of a process that has ended, without reaping it: its group keeps its number until then."""
    if process.returncode is not None or not hasattr(os, "waitid"):  # macOS
        return process.poll()
    found = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if found is None:
        return None
    return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


def _wait(process: "subprocess.Popen[bytes]", seconds: float) -> None:
    """Until a process has ended, but not longer."""
    until, pause_s = time.monotonic() + seconds, 0.001
    while _exit_code(process) is None and time.monotonic() < until:
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, 0.02)


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a whole group and reap its leader."""
    if process.returncode is None:
        _kill_group(process)
        process.wait()
    if process.stdin:
        with contextlib.suppress(OSError):
            process.stdin.close()
