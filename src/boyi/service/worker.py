"""What runs in an engine process: tasks come in through a pipe, what players think goes out.

A thread listens to the pipe, so that a worker hears of a task that is no longer wanted while it thinks, and ends at
once when the pipe closes, whatever it is doing: a server that was killed leaves no process behind.

To the server go tuples: `("ready",)`, `("preparing", task)` before a kernel is compiled, `("thought", task, choice)`,
`("done", task, choice or None)`, `("failed", task, is the input to blame, message)`.
"""

import contextlib
import os
import queue
import signal
import threading
from contextlib import closing
from multiprocessing.connection import Connection
from typing import Any

from boyi.games import GameError
from boyi.games.kernels import on_compile
from boyi.service.thinking import IDLE_S, Players, Task

NICENESS = 5
TELL_S = 0.15
FIRST_S = 0.04


class Inbox:
    """The server's messages, read by a thread. `stopped` is the number of the last task that is not wanted any more."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.tasks: queue.SimpleQueue[tuple[int, Task]] = queue.SimpleQueue()
        self.stopped = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                match self.pipe.recv():
                    case ("task", number, task):
                        self.tasks.put((number, task))
                    case ("stop", number):
                        self.stopped = number
                    case ("close",):
                        break
        os._exit(0)


def serve(pipe: Connection, memory_mb: float) -> None:
    """The life of a worker, whose players together may take that much memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's business; it closes the pipe
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    inbox, players = Inbox(pipe), Players(memory_mb)
    current = 0

    def compiling(_name: str) -> None:
        if current:
            send(pipe, "preparing", current)

    on_compile(compiling)
    send(pipe, "ready")
    while True:
        try:
            current, task = inbox.tasks.get(timeout=IDLE_S / 3)
        except queue.Empty:
            players.forget_idle()
            continue
        players.forget_idle()
        try:
            _run(pipe, inbox, players, current, task)
        except GameError as error:
            send(pipe, "failed", current, True, str(error))
        except MemoryError:
            players.kept.clear()
            send(pipe, "failed", current, False, "there was not enough memory")
        except Exception as error:
            players.kept.clear()
            send(pipe, "failed", current, False, f"{type(error).__name__}: {error}")
        current = 0


def send(pipe: Connection, *message: Any) -> None:
    """Tell the server; if it is gone, so are we."""
    try:
        pipe.send(message)
    except OSError:
        os._exit(0)


def _run(pipe: Connection, inbox: Inbox, players: Players, number: int, task: Task) -> None:
    told, choice = 0.0, None
    with closing(players.think(task)) as thoughts:
        for choice in thoughts:
            if number == inbox.stopped:
                break
            if choice.seconds >= FIRST_S and (not told or choice.seconds - told >= TELL_S):
                told = choice.seconds
                send(pipe, "thought", number, choice)
    send(pipe, "done", number, choice)
