"""Our own server as a process, and in this one: what the tests of the serving side share."""

import io
import os
import queue
import shlex
import sys
import threading
from typing import Any, Self

import boyi
from boyi.players import Limit
from boyi.protocols.serve import make_server

RUN = (sys.executable, "-c", "from boyi.cli.main import run; run()", "engine")
WAIT_S = 120.0


def engine_text(protocol: str, *options: str) -> str:
    """The player text that calls our own engine."""
    return f"cmd:{protocol},startup_s=120,grace_s=60:" + " ".join(
        shlex.quote(word) for word in (*RUN, protocol, *options)
    )


def answers(
    protocol: str, game: str, *lines: str, player: str = "random", limit: Limit | None = None, **extras: Any
) -> list[str]:
    """What a server answers to lines that all come at once."""
    output = io.StringIO()
    server = make_server(protocol, boyi.game(game), player, limit=limit, **extras)
    server.run(io.BytesIO("".join(f"{line}\n" for line in lines).encode()), output)
    return output.getvalue().splitlines()


class Session:
    """A server in a thread, that lines are written to through a pipe, one by one, and read from."""

    def __init__(self, protocol: str, game: str, player: str = "strongest", **options: Any) -> None:
        self.server = make_server(protocol, boyi.game(game), player, **options)
        (source, sink), (heard, said) = os.pipe(), os.pipe()
        self.input, self.output = open(sink, "w", buffering=1), open(heard)  # noqa: SIM115
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.threads = [
            threading.Thread(target=self._serve, args=(source, said), daemon=True),
            threading.Thread(target=self._read, daemon=True),
        ]
        for thread in self.threads:
            thread.start()

    def _serve(self, source: int, said: int) -> None:
        with open(source, "rb", buffering=0) as commands, open(said, "w") as answers:
            self.server.run(commands, answers)

    def _read(self) -> None:
        for line in self.output:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, *lines: str) -> None:
        for line in lines:
            self.input.write(line + "\n")

    def line(self) -> str:
        """The next line; a test fails that waits in vain."""
        found = self.lines.get(timeout=WAIT_S)
        assert found is not None, "the engine ended"
        return found

    def until(self, beginning: str) -> str:
        """The next line that begins so."""
        while not (line := self.line()).startswith(beginning):
            pass
        return line

    def ended(self) -> list[str]:
        """Wait for the end; what was said before it."""
        said: list[str] = []
        while (line := self.lines.get(timeout=WAIT_S)) is not None:
            said.append(line)
        return said

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.input.close()
        for thread in self.threads:
            thread.join(WAIT_S)
        self.output.close()
