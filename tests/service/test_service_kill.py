"""Kill the server at any moment: every game is there afterwards, to the last confirmed move."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from boyi.service.service import Service
from boyi.service.views import Clock, NewGame

Moves = dict[str, list[str]]
"""What was played in each game, by its id."""

SERVERS = """
import asyncio, os, random, sys

async def play(service, visitor, seats, known):
    game = known or (await service.create_game(visitor, NewGame(rules="gomoku:size=9", seats=seats))).id
    view = await service.show_game(visitor, game)
    while True:
        if view.status == "over":
            view = await service.create_game(visitor, NewGame(rules="gomoku:size=9", seats=seats))
        if view.seats[view.position.turn] == "human":
            move = random.choice(view.position.moves).move
            view = await service.play_move(visitor, view.id, MoveRequest(move=move, ply=len(view.moves)))
        else:
            async for view in service.watch_game(visitor, view.id):
                if view.status == "over" or view.seats[view.position.turn] == "human":
                    break
        print(view.id, " ".join(move.move for move in view.moves), flush=True)

async def serve(url, second, known):
    service = Service(url, workers=1, warm=False)
    await service.start()
    print(os.getpid(), flush=True)
    visitors = (play(service, "kill test", ("human", second), known[i] if i < len(known) else None) for i in range(4))
    await asyncio.gather(*visitors)

if __name__ == "__main__":  # engines load this file, too
    from boyi.service.service import Service
    from boyi.service.views import MoveRequest, NewGame
    for order in sys.stdin:
        second, *known = order.split()
        child = os.fork()
        if child == 0:
            asyncio.run(serve(sys.argv[1], second, known))
        os.waitpid(child, 0)
        print("ended", flush=True)
"""
"""One server after the other, each in a process of its own, which is forked: the library is loaded only once."""


def confirmed(servers: "subprocess.Popen[str]", second: str, games: list[str], luck: random.Random) -> Moves:
    """Start a server, kill it at some moment, and return the last that it said of each game."""
    assert servers.stdin is not None
    assert servers.stdout is not None
    print(second, *games, file=servers.stdin, flush=True)
    server = int(servers.stdout.readline())
    lines = [servers.stdout.readline() for _ in range(luck.randrange(4, 60))]
    time.sleep(luck.uniform(0, 0.05))
    os.kill(server, signal.SIGKILL)
    while (line := servers.stdout.readline()) != "ended\n":
        assert line, "the servers are gone"
        lines.append(line)
    said: Moves = {}
    for line in lines:
        id, *moves = line.split()
        said[id] = moves
    return said


def test_no_confirmed_move_is_lost(tmp_path: Path, run: Any) -> None:
    program = tmp_path / "servers.py"
    program.write_text(SERVERS)
    luck = random.Random(7)
    url = f"sqlite:///{tmp_path}/boyi.db"
    known: Moves = {}
    command = [sys.executable, program, url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as servers:
        for second in ("human", "random", "human", "random", "human"):
            said = confirmed(servers, second, list(known)[-4:], luck)
            assert sum(map(len, said.values())) >= 4
            known |= said
            kept = run(moves_in(url))
            for id, moves in known.items():
                assert kept[id][: len(moves)] == moves, f"game {id}"


async def moves_in(url: str) -> Moves:
    service = Service(url, workers=1, warm=False)
    await service._database.open()
    found = {}
    after = None
    while True:
        page = await service.list_games("kill test", after=after)
        for game in page.games:
            view = await service.show_game("kill test", game.id)
            assert len(view.moves) == game.plies
            found[game.id] = [move.move for move in view.moves]
        if (after := page.next) is None:
            break
    await service._play.close()
    await service._database.close()
    return found


def test_games_go_on_after_a_restart_and_clocks_stand_still_meanwhile(tmp_path: Path, run: Any) -> None:
    url = f"sqlite:///{tmp_path}/boyi.db"

    async def before() -> tuple[str, str]:
        service = Service(url, workers=1, warm=False)
        await service._database.open()  # no engines: nobody answers
        clocked = await service.create_game(
            "v", NewGame(rules="tictactoe", seats=("human", "human"), clock=Clock(minutes=1))
        )
        waiting = await service.create_game("v", NewGame(rules="tictactoe", seats=("random", "human")))
        await asyncio.sleep(0.5)
        await service._play.close()
        await service._database.close()
        return clocked.id, waiting.id

    async def after(clocked: str, waiting: str) -> tuple[float, int]:
        service = Service(url, workers=1, warm=False)
        await service.start()
        while (await service.list_games("v")).games[0].plies == 0:
            await asyncio.sleep(0.05)
        view = await service.show_game("v", waiting)
        clock = await service.show_game("v", clocked)
        await service.close()
        assert clock.remaining_s is not None
        return clock.remaining_s[0], len(view.moves)

    begun = time.monotonic()
    clocked, waiting = run(before())
    running = time.monotonic() - begun
    time.sleep(1.0)
    begun = time.monotonic()
    remaining, plies = run(after(clocked, waiting))
    running += time.monotonic() - begun
    assert plies == 1
    assert 60 - running <= remaining < 59.6
