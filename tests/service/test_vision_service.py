"""Pictures through the service: read and followed in a process of their own, whatever they are."""

import asyncio
import base64
import os
import signal
from collections.abc import Iterator

import pytest
from pydantic import ValidationError

import boyi
from boyi.games import GameError
from boyi.service.errors import Busy
from boyi.service.views_vision import PICTURE_BYTES, BeliefView, LookRequest, PictureFile
from boyi.service.vision import WAITING_PER_VISITOR, BadPicture, Reader

START = boyi.game("tictactoe").start().play("b2")
LATER = START.play("a1").play("c3")
SEEN = "2X/1X1/O2"
"""`LATER` as a picture shows it: which move was the last is not seen."""


def content(position: boyi.Position) -> bytes:
    return base64.b64encode(boyi.draw.png(position.svg(size=400)))


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def reader(loop: asyncio.Runner) -> Iterator[Reader]:
    made = Reader()
    yield made
    loop.run(made.close())


def test_a_board_is_read_and_refused_pictures_say_why(loop: asyncio.Runner, reader: Reader) -> None:
    async def test() -> None:
        found = await reader.read("ann", PictureFile(content=content(LATER)))
        assert found.refused is None
        assert found.rules == "tictactoe"
        assert found.position is not None
        assert found.position.key == SEEN
        assert (len(found.corners), len(found.lines), len(found.sites)) == (4, 8, 9)
        again = await reader.read("ann", PictureFile(content=content(LATER), corners=found.corners, rules="tictactoe"))
        assert again.position == found.position
        for bad, word in (
            (b"", "empty"),
            (b"GIF89a", "no picture"),
            (b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + b"\x7f\xff\xff\xff" * 2 + b"\x08\x02", "pixels"),
            (base64.b64decode(content(LATER))[:300], "broken"),
            (b"<html>" * 100, "no picture"),
        ):
            with pytest.raises(BadPicture, match=word):
                await reader.read("ann", PictureFile(content=base64.b64encode(bad)))
        with pytest.raises(GameError, match="unknown game"):
            await reader.read("ann", PictureFile(content=content(LATER), rules="chess"))
        turned = list(reversed(found.corners))
        with pytest.raises(GameError, match="clockwise"):
            await reader.read("ann", PictureFile(content=content(LATER), corners=turned))

    loop.run(test())


def test_a_followed_board_is_believed_after_two_looks_and_by_legal_moves(loop: asyncio.Runner, reader: Reader) -> None:
    async def test() -> None:
        belief, told = BeliefView(), []
        for position in (START, START, LATER, LATER, LATER):
            look = await reader.look("ann", LookRequest(content=content(position), belief=belief))
            belief = look.belief
            told.append((look.changed, sorted(look.moves), look.position.key if look.position else None))
        assert told[0] == (False, [], None)
        assert told[1] == (True, [], "3/1X1/3")
        assert told[2] == (False, [], "3/1X1/3")
        assert told[3][:2] == (True, ["a1", "c3"])
        assert told[4][:2] == (False, [])

    loop.run(test())


def test_a_process_that_died_is_replaced_and_visitors_wait_their_turn(loop: asyncio.Runner, reader: Reader) -> None:
    async def test() -> None:
        await reader.read("ann", PictureFile(content=content(START)))
        assert reader._process is not None
        assert reader._process.pid is not None
        os.kill(reader._process.pid, signal.SIGKILL)
        reader._process.join()
        found = await reader.read("ann", PictureFile(content=content(START)))
        assert found.rules == "tictactoe"
        many = [reader.read("ann", PictureFile(content=content(START))) for _ in range(WAITING_PER_VISITOR + 1)]
        answers = await asyncio.gather(*many, return_exceptions=True)
        assert [type(answer) for answer in answers if isinstance(answer, Exception)] == [Busy]

    loop.run(test())


def test_a_gigantic_file_is_refused_before_anything_is_read() -> None:
    with pytest.raises(ValidationError, match="at most"):
        PictureFile(content=base64.b64encode(b"\0" * (PICTURE_BYTES + 1)))
