"""`Reader`: reads boards off pictures in a process of its own, one picture at a time.

The process starts with the first picture and ends when it has been idle for long; one that dies, hangs or is killed by
a picture is replaced for the next.
"""

import asyncio
import contextlib
import importlib.util
import logging
import multiprocessing
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from boyi.games.errors import GameError
from boyi.service import vision_worker
from boyi.service.errors import Busy, EngineError, ServiceError
from boyi.service.views_vision import (
    PICTURE_BYTES,
    PICTURE_PIXELS,
    LookRequest,
    LookView,
    PictureFile,
    PictureLimits,
    ReadingView,
)

log = logging.getLogger(__name__)

LONGEST_S = 240.0
"""How long a picture may take: on a computer's first one, rules are compiled."""
WAITING, WAITING_PER_VISITOR = 16, 2


class BadPicture(ServiceError):
    """No picture, a broken one, or one that is too large."""

    code = "bad_picture"


class NoVision(ServiceError):
    """The parts that read pictures are not installed."""

    code = "no_vision"


class Reader:
    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "boyi-vision")
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._closing = threading.Event()
        self._waiting: Counter[str] = Counter()

    async def read(self, visitor: str, wanted: PictureFile) -> ReadingView:
        """The board in a picture."""
        found = await self._ask(visitor, wanted)
        assert isinstance(found, ReadingView)
        return found

    async def look(self, visitor: str, wanted: LookRequest) -> LookView:
        """The board in the next picture of a window that is followed."""
        found = await self._ask(visitor, wanted)
        assert isinstance(found, LookView)
        return found

    def limits(self) -> PictureLimits:
        """Which pictures can be read. Whoever asks will send one: the process gets ready."""
        available = importlib.util.find_spec("cv2") is not None
        if available and not self._closing.is_set():
            self._thread.submit(self._prepare)
        return PictureLimits(available=available, bytes=PICTURE_BYTES, pixels=PICTURE_PIXELS)

    async def close(self) -> None:
        """End the process."""
        self._closing.set()
        self._end()
        await asyncio.get_running_loop().run_in_executor(None, self._thread.shutdown)

    async def _ask(self, visitor: str, wanted: PictureFile) -> ReadingView | LookView:
        if importlib.util.find_spec("cv2") is None:
            raise NoVision("reading pictures needs OpenCV: make setup, or pip install 'boyi[vision]'")
        if self._waiting[visitor] >= WAITING_PER_VISITOR or self._waiting.total() >= WAITING:
            raise Busy("pictures are being read already; wait for them")
        self._waiting[visitor] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._converse, wanted)
        finally:
            self._waiting[visitor] -= 1
            if not self._waiting[visitor]:
                del self._waiting[visitor]

    def _converse(self, wanted: PictureFile) -> ReadingView | LookView:
        """Ask the process, in the thread. One that ended while it was idle gets a successor."""
        answer: Any = None
        for _ in range(2):
            fresh = self._process is None or not self._process.is_alive()
            try:
                answer = self._exchange(wanted)
                break
            except (EOFError, OSError):
                self._end()
                if fresh:
                    break
        match answer:
            case ("read", view):
                return view  # type: ignore[no-any-return]
            case ("refused", "picture", reason):
                raise BadPicture(reason)
            case ("refused", _, reason):
                raise GameError(reason)
            case _:
                raise EngineError("the picture could not be read: the process that reads pictures ended")

    def _prepare(self) -> None:
        if self._process is None or not self._process.is_alive():
            with contextlib.suppress(OSError, EngineError):
                self._started().send("prepare")

    def _exchange(self, wanted: PictureFile) -> Any:
        pipe = self._started()
        pipe.send(wanted)
        if not pipe.poll(LONGEST_S):
            self._end()
            raise EngineError(f"a picture took longer than {LONGEST_S:.0f} seconds")
        return pipe.recv()

    def _started(self) -> Connection:
        """The pipe of the process, which is started where there is none."""
        if self._closing.is_set():
            raise EngineError("the server is closing")
        if self._process is None or not self._process.is_alive():
            self._end()
            context = multiprocessing.get_context("spawn")
            self._pipe, there = context.Pipe()
            self._process = context.Process(target=vision_worker.serve, args=(there,), daemon=True, name="boyi-vision")
            self._process.start()
            there.close()
        assert self._pipe is not None
        return self._pipe

    def _end(self) -> None:
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if process is not None:
            process.kill()
            process.join(2.0)
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
