"""The serving side: a protocol's commands come in line by line, a player answers. Start at `Server` and `serve`.

A thread reads the lines, the main thread obeys them one after the other. So an answer is never overtaken, and yet a
command that ends thinking is seen while it goes on: see `Server.patience_s`.
"""

import contextlib
import queue
import threading
import time
from collections.abc import Iterator
from typing import IO, ClassVar

from boyi.games import Game, Position
from boyi.players import Choice, Limit
from boyi.protocols.clock import allotment
from boyi.protocols.thinking import Thinker

LONGEST_LINE = 1 << 20
AT_THE_END_S = 2.0
"""How long thinking may go on when no more commands can come."""


class Inbox:
    """Lines from a stream, read by a thread and numbered from 1; and until when each may be thought about."""

    def __init__(self, stream: IO[bytes], server: "Server") -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._ends: list[tuple[int, float]] = []
        """Number of a line that ends thinking, and when that for the lines before it has to end."""
        self.number = self.received = 0
        threading.Thread(target=self._read, args=(stream, server), daemon=True, name="boyi-input").start()

    def _read(self, stream: IO[bytes], server: "Server") -> None:
        number = 0
        with contextlib.suppress(OSError, ValueError):
            for number, line in enumerate(_lines(stream), 1):
                patience_s = server.patience_s(line)
                if patience_s is not None:
                    self._ends.append((number, time.monotonic() + patience_s))
                self.received = number
                self._lines.put(line)
        if server.ends_with_input:
            self._ends.append((number + 1, time.monotonic() + AT_THE_END_S))
        self._lines.put(None)

    def __iter__(self) -> Iterator[str]:
        while (line := self._lines.get()) is not None:
            self.number += 1
            yield line

    def stop(self) -> float:
        """When the thinking about the line that was handed out last has to end."""
        return min((at for number, at in self._ends if number > self.number), default=float("inf"))


def _lines(stream: IO[bytes]) -> Iterator[str]:
    """The lines of a stream without their ends, as soon as they are there; of one that is too long, the beginning."""
    rest, cut = b"", False
    while data := stream.read(1 << 16):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            if not cut:
                yield line.decode("utf-8", "replace").strip()
            cut = False
        if len(rest) > LONGEST_LINE:
            if not cut:
                yield rest[:LONGEST_LINE].decode("utf-8", "replace").strip()
            rest, cut = b"", True
    if rest and not cut:
        yield rest.decode("utf-8", "replace").strip()


class Server:
    """What the servers of all protocols share: a player, its limits, and the position.

    `limit` is what the command line allows for a move where the protocol says nothing else.
    """

    games: ClassVar[tuple[str, ...]]
    """The games that the protocol has words for."""
    ends_with_input: ClassVar[bool] = True
    """Whether the end of the input means that nobody waits any more, unlike where one line is all there is."""

    def __init__(self, game: Game, player: str, *, limit: Limit | None = None, seed: int = 0) -> None:
        self.limit, self.seed, self.name = limit or Limit(), seed, player
        self.thinker = Thinker(player, game, seed=seed)
        self.inbox: Inbox | None = None
        self.output: IO[str] | None = None
        self.over = False
        """Whether the engine was told to end."""

    @property
    def game(self) -> Game:
        return self.thinker.game

    def run(self, source: IO[bytes], output: IO[str]) -> None:
        """Obey commands until the last one. `source` is unbuffered: its `read` returns what there is."""
        self.output = output
        self.inbox = Inbox(source, self)
        self.prepare()
        try:
            with contextlib.suppress(BrokenPipeError):
                for line in self.inbox:
                    self.obey(line)
                    if self.over:
                        break
        finally:
            self.close()

    def prepare(self) -> None:
        """Get ready to think, before the first command is obeyed."""
        self.thinker.prepare()

    def obey(self, line: str) -> None:
        """Do what a line says, and answer."""
        raise NotImplementedError

    def patience_s(self, line: str) -> float | None:
        """How long thinking may go on after this line has come in: None for a line that waits for its turn, 0 for one
        that stops all thinking. It is called by another thread and must only look at the line."""
        return None

    def say(self, *lines: str) -> None:
        """Answer."""
        assert self.output is not None
        for line in lines:
            self.output.write(line + "\n")
        self.output.flush()

    def play_with(self, game: Game) -> None:
        """Change the game: its size or its rules."""
        if game != self.game:
            self.thinker.close()
            self.thinker = Thinker(self.name, game, seed=self.seed)
            self.thinker.prepare()

    def think(
        self,
        position: Position,
        *,
        turn_s: float | None = None,
        left_s: float | None = None,
        memory_mb: float | None = None,
    ) -> Choice:
        """The player's choice within the time there is for the move and for the game; see `clock.allotment`."""
        return self.thinker.choose(position, self.limit_for(position, turn_s, left_s, memory_mb), stop=self.stop)

    def limit_for(
        self,
        position: Position,
        turn_s: float | None = None,
        left_s: float | None = None,
        memory_mb: float | None = None,
    ) -> Limit:
        """The command line's limit, but where the other program sets a time or a size, that one or less."""
        own = self.limit
        if turn_s is not None and own.seconds is not None:
            turn_s = min(turn_s, own.seconds)
        seconds = allotment(position, turn_s=turn_s, left_s=left_s)
        memory = [size for size in (memory_mb, own.memory_mb) if size is not None]
        return Limit(
            own.simulations,
            own.nodes,
            own.seconds if seconds is None else seconds,
            min(memory) if memory else None,
        )

    def stop(self) -> float:
        """When thinking has to end because of what came in meanwhile."""
        return float("inf") if self.inbox is None else self.inbox.stop()

    def stop_at_once(self) -> float:
        """The same for what any command ends."""
        return 0.0 if self.inbox is not None and self.inbox.received > self.inbox.number else self.stop()

    def close(self) -> None:
        self.thinker.close()
