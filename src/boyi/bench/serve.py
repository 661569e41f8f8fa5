"""The app under load: many players at once, a click while all engines think, and the memory of visits that are over.

The server runs in a process of its own, as `boyi serve` starts it; the players talk to its API. They share the computer
with it, so its own figures are better than these.
"""

import asyncio
import json
import os
import random
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from boyi.bench.result import Result
from boyi.games.registry import games
from boyi.web.process import ServerProcess

PLAYERS = 50
OPPONENT = "beginner"
ROUNDS = 10
"""How many times `seconds` the players play."""
CLICKS = 100
VISITS = 200
"""Made twice: the first time the memory grows to what so many visits within a minute need."""
FORGET_S = 85.0
"""After this long a page that nobody looks at is forgotten."""
PATIENCE_S = 300.0

View = dict[str, Any]


def bench_serve(*, seconds: float = 2.0, seed: int = 0) -> Iterator[Result]:
    """Players for ten times `seconds`; then clicks; then visits."""
    with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder)) as server:
        tally = asyncio.run(play_at_once(server, ROUNDS * seconds, seed))
        answers, confirmations = sorted(tally.answers_ms), sorted(tally.confirmations_ms)
        yield Result(f"{PLAYERS} players: errors", len(tally.errors), "errors")
        yield Result(f"{PLAYERS} players: answers", len(answers) / (ROUNDS * seconds), "moves/s")
        yield Result(f"{PLAYERS} players: answer of {OPPONENT}, median", quantile(answers, 0.5), "ms")
        yield Result(f"{PLAYERS} players: answer of {OPPONENT}, p95", quantile(answers, 0.95), "ms")
        yield Result(f"{PLAYERS} players: move confirmed, median", quantile(confirmations, 0.5), "ms")
        clicks = sorted(asyncio.run(click_while_thinking(server, seed)))
        yield Result("all engines thinking: move confirmed, median", quantile(clicks, 0.5), "ms")
        yield Result("all engines thinking: move confirmed, p95", quantile(clicks, 0.95), "ms")
        asyncio.run(visit(server, VISITS, seed))
        before = settled_memory_mb(server.process.pid)
        asyncio.run(visit(server, VISITS, seed))
        after = settled_memory_mb(server.process.pid)
        if before and after:
            yield Result(f"memory before {VISITS} visits", before, "MB")
            yield Result(f"memory after {VISITS} visits", after, "MB")


def quantile(values: list[float], share: float) -> float:
    """A quantile of sorted values; not a number where there are none."""
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


@dataclass
class Tally:
    """What the players saw. Times are milliseconds from sending a move."""

    confirmations_ms: list[float] = field(default_factory=list)
    answers_ms: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@asynccontextmanager
async def visitor(server: ServerProcess) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the API with a token of its own."""
    async with httpx.AsyncClient(base_url=server.api, timeout=PATIENCE_S) as client:
        made = (await client.post("/visitors")).raise_for_status().json()
        client.headers["Authorization"] = f"Bearer {made['token']}"
        yield client


def stream(server: ServerProcess, client: httpx.AsyncClient, path: str) -> connect:
    headers = {"Authorization": client.headers["Authorization"]}
    return connect(
        server.api.replace("http", "ws", 1) + path, additional_headers=headers, max_size=None, compression=None
    )


async def play_at_once(server: ServerProcess, seconds: float, seed: int) -> Tally:
    """Let every player play one game after the other, each as fast as the server lets it."""
    async with visitor(server) as client:  # kernels of every game are compiled, or loaded, before the clock starts
        for name in games():
            await one_game(server, client, name, random.Random(seed), Tally(), float("inf"))
    tally = Tally()
    until = time.monotonic() + seconds
    await asyncio.gather(*(one_player(server, number, seed, tally, until) for number in range(PLAYERS)))
    return tally


async def one_player(server: ServerProcess, number: int, seed: int, tally: Tally, until: float) -> None:
    dice, names = random.Random(f"{seed} {number}"), list(games())
    try:
        async with visitor(server) as client:
            while time.monotonic() < until:
                await one_game(server, client, names[number % len(names)], dice, tally, until)
                number += 1
    except Exception as error:
        tally.errors.append(f"{type(error).__name__}: {error}")


async def one_game(
    server: ServerProcess, client: httpx.AsyncClient, rules: str, dice: random.Random, tally: Tally, until: float
) -> None:
    """Play random moves against the opponent, to the end of the game or of the time."""
    wanted = {"rules": rules, "seats": ["human", OPPONENT]}
    view: View = (await client.post("/games", json=wanted)).raise_for_status().json()
    path = f"/games/{view['id']}"
    async with stream(server, client, f"{path}/watch") as watched:
        while view["status"] == "running" and time.monotonic() < until:
            began, ply = time.monotonic(), len(view["moves"])
            if view["position"]["turn"] == -1:
                request = client.post(f"{path}/roll", json={"ply": ply})
            else:
                move = dice.choice(view["position"]["moves"])["move"]
                request = client.post(f"{path}/moves", json={"move": move, "ply": ply})
            (await request).raise_for_status()
            tally.confirmations_ms.append(1000 * (time.monotonic() - began))
            view = await next_turn(watched, ply)
            if any(played["player"] == 1 for played in view["moves"][ply:]):
                tally.answers_ms.append(1000 * (time.monotonic() - began))


async def next_turn(watched: ClientConnection, ply: int) -> View:
    """The game when it is the human's turn again after the move at `ply`, or when it is over."""
    while True:
        view: View = json.loads(await watched.recv())
        mine = view["position"]["mover"] == 0
        if len(view["moves"]) > ply and (mine or view["status"] == "over"):
            return view


async def click_while_thinking(server: ServerProcess, seed: int) -> list[float]:
    """Milliseconds until a move of a game between people is confirmed, while every engine has more than it can do."""
    dice = random.Random(seed)
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(visitor(server))
        workers: int = (await client.get("/status")).json()["workers"]
        start = (await client.post("/positions", json={"rules": "gomoku"})).json()["key"]
        for _ in range(2 * workers):
            other = await stack.enter_async_context(visitor(server))
            thinking = await stack.enter_async_context(stream(server, other, "/analysis"))
            await thinking.send(json.dumps({"rules": "gomoku", "key": start, "seconds": 600}))
            await thinking.recv()
        view: View = (await client.post("/games", json={"rules": "gomoku", "seats": ["human", "human"]})).json()
        found = []
        for ply in range(CLICKS):
            move = dice.choice(view["position"]["moves"])["move"]
            began = time.monotonic()
            response = await client.post(f"/games/{view['id']}/moves", json={"move": move, "ply": ply})
            found.append(1000 * (time.monotonic() - began))
            view = response.raise_for_status().json()
            if view["status"] == "over":
                break
            await asyncio.sleep(0.02)
        return found


async def visit(server: ServerProcess, count: int, seed: int) -> None:
    """Visits one after the other: the first page, a game, a look at it, and away."""
    dice = random.Random(seed)
    for _ in range(count):
        async with visitor(server) as client:
            await client.get(server.url + "/", headers={"Accept": "text/html"})
            await one_game(server, client, "tictactoe", dice, Tally(), float("inf"))


def settled_memory_mb(pid: int) -> float | None:
    """The memory of a process once it has forgotten its visitors; None where the system does not tell."""
    status = Path(f"/proc/{pid}/statm")
    if not status.exists():
        return None
    time.sleep(FORGET_S)
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
