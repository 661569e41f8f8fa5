"""Kill the server at any moment: every game is there afterwards, to the last confirmed move."""

import asyncio
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from boyi.service.service import Service
from boyi.service.views import Clock, NewGame

SERVER = """
import asyncio, random, sys
from boyi.service.service import Service
from boyi.service.views import MoveRequest, NewGame

async def play(service, visitor, known):
    game = known or (await service.create_game(visitor, NewGame(rules="gomoku:size=9", seats=SEATS))).id
    view = await service.show_game(visitor, game)
    while True:
        if view.status == "over":
            view = await service.create_game(visitor, NewGame(rules="gomoku:size=9", seats=SEATS))
        if view.seats[view.position.turn] == "human":
            move = random.choice(view.position.moves).move
            view = await service.play_move(visitor, view.id, MoveRequest(move=move, ply=len(view.moves)))
        else:
            async for view in service.watch_game(visitor, view.id):
                if view.status == "over" or view.seats[view.position.turn] == "human":
                    break
        print(view.id, " ".join(move.move for move in view.moves), flush=True)

async def main():
    service = Service(sys.argv[1], workers=1, warm=False)
    await service.start()
    print("started", flush=True)
    known = sys.argv[2:]
    await asyncio.gather(*(play(service, "kill test", known[i] if i < len(known) else None) for i in range(4)))

SEATS = ("human", SECOND)
if __name__ == "__main__":
    asyncio.run(main())
"""


def confirmed(program: Path, url: str, games: list[str], luck: random.Random) -> dict[str, list[str]]:
    """Run the server, kill it at some moment, and return the last that it said of each game."""
    with subprocess.Popen([sys.executable, program, url, *games], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "started\n"
        lines = [server.stdout.readline().rstrip("\n") for _ in range(luck.randrange(4, 60))]
        time.sleep(luck.uniform(0, 0.05))
        server.kill()
        lines += server.stdout.read().split("\n")
    said: dict[str, list[str]] = {}
    for line in lines[:-1]:  # what comes after the last line end was cut off
        id, *moves = line.split(" ")
        said[id] = [move for move in moves if move]
    return said


def test_no_confirmed_move_is_lost(tmp_path: Path, run: Any) -> None:
    program = tmp_path / "server.py"
    luck = random.Random(7)
    url = f"sqlite:///{tmp_path}/boyi.db"
    known: dict[str, list[str]] = {}
    for second in ("human", "random", "human", "random", "human"):
        program.write_text(SERVER.replace("SECOND", repr(second)))
        said = confirmed(program, url, list(known)[-4:], luck)
        assert sum(map(len, said.values())) >= 4
        known |= said
        kept = run(moves_in(url))
        for id, moves in known.items():
            assert kept[id][: len(moves)] == moves, f"game {id}"


async def moves_in(url: str) -> dict[str, list[str]]:
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

    clocked, waiting = run(before())
    time.sleep(1.0)
    begun = time.monotonic()
    remaining, plies = run(after(clocked, waiting))
    running = time.monotonic() - begun
    assert plies == 1
    assert 59.5 - running - 0.3 < remaining < 59.6
