"""A player text that runs a program must never come from a visitor: no door of the app leads to one."""

import asyncio
from pathlib import Path

import httpx
import pytest

import boyi
from boyi.protocols import EngineFailure
from boyi.service.errors import NotFound
from boyi.service.opponents import opponent
from boyi.service.service import Service
from boyi.web.api.build import build_api


def texts(made: Path) -> list[str]:
    """Players that would leave a file behind, were they ever made."""
    command = f"cmd:gtp,startup_s=5:touch {made}"
    return [command, f"exact:fallback={command}", f"level:{command}", command.upper(), f" {command}", "cmd:gtp:touch"]


async def refusals(made: Path) -> list[tuple[str, int]]:
    """What the app answers at every door that takes a text."""
    service = Service("sqlite://", workers=1, warm=False)
    await service.start()
    found = []
    try:
        transport = httpx.ASGITransport(build_api(service))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            token = (await client.post("/visitors")).json()["token"]
            client.headers["Authorization"] = f"Bearer {token}"
            for text in texts(made):
                bodies = [
                    ("/games", {"rules": "tictactoe", "seats": ["human", text]}),
                    ("/games", {"rules": "tictactoe", "seats": [text, "human"]}),
                    ("/games", {"rules": text}),
                    ("/games", {"rules": "tictactoe", "player": text}),
                    ("/analysis", {"rules": "tictactoe", "key": "start", "player": text}),
                    ("/analysis", {"rules": text, "key": "start"}),
                    ("/runs", {"rules": "tictactoe", "name": text}),
                    ("/runs", {"rules": "tictactoe", "anchors": [text]}),
                ]
                for path, body in bodies:
                    found.append((f"{path} {body}", (await client.post(path, json=body)).status_code))
    finally:
        await service.close()
    return found


def test_visitors_cannot_name_a_program(tmp_path: Path) -> None:
    made = tmp_path / "made"
    answers = asyncio.run(refusals(made))
    assert len(answers) == 48
    assert [door for door, status in answers if not 400 <= status < 500] == []
    assert not made.exists()


def test_opponents_are_names_of_a_list(tmp_path: Path) -> None:
    for text in texts(tmp_path / "made"):
        with pytest.raises(NotFound):
            opponent(text)


def test_the_texts_would_run_a_program(tmp_path: Path) -> None:
    """For a trusted caller they do: so the files that are missing above are missing for a reason."""
    made = tmp_path / "made"
    with pytest.raises(EngineFailure):
        boyi.player(texts(made)[0], boyi.game("othello"))
    assert made.exists()
