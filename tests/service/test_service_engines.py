"""The pool of engine processes: order, budgets, deaths, and the end."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from contextlib import aclosing, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import boyi
from boyi.games import GameError
from boyi.service import engines as engines_module
from boyi.service.engines import Engines, Rank, Thought, usual_tasks
from boyi.service.errors import Busy, EngineError
from boyi.service.thinking import MAX_PLAYERS, Players, Task

START = {name: boyi.game(name).start().key for name in ("tictactoe", "othello")}


def task(player: str = "mcts", seconds: float | None = None, rules: str = "tictactoe", stream: str = "") -> Task:
    return Task(rules, START[rules], (), player, seconds, stream)


@pytest.fixture(scope="module")
def pool(run: Any) -> Any:
    """One worker."""
    made = Engines(1)
    run(made.start())
    run(made.choose(task("mcts:sims=10"), rank=Rank.MOVE))
    yield made
    run(made.close())


async def finished(pool: Engines, wanted: Task, rank: Rank, visitor: str = "") -> tuple[Thought, float]:
    """The last thought, and when it came."""
    thoughts = [thought async for thought in pool.watch(wanted, rank=rank, visitor=visitor)]
    return thoughts[-1], time.monotonic()


async def busy(pool: Engines) -> None:
    while not pool.busy:
        await asyncio.sleep(0.01)


def test_a_stream_of_thoughts_ends_with_a_finished_one(run: Any, pool: Engines) -> None:
    async def watch() -> list[Thought]:
        return [thought async for thought in pool.watch(task(seconds=0.6, rules="othello"), rank=Rank.LIVE)]

    run(pool.choose(task("mcts", 0.01, "othello"), rank=Rank.LIVE))
    thoughts = run(watch())
    assert [thought.finished for thought in thoughts] == [False] * (len(thoughts) - 1) + [True]
    assert len(thoughts) >= 3
    found = [thought.choice.simulations for thought in thoughts if thought.choice]
    assert found == sorted(found)


def test_a_more_urgent_job_goes_first_and_the_other_goes_on(run: Any, pool: Engines) -> None:
    async def both() -> tuple[Thought, Thought, float]:
        live = asyncio.create_task(finished(pool, task(seconds=3.0, rules="othello", stream="a"), Rank.LIVE))
        await busy(pool)
        await asyncio.sleep(0.2)
        move, moved = await finished(pool, task("random"), Rank.QUICK_MOVE)
        analysis, analysed = await live
        return move, analysis, analysed - moved

    move, analysis, later = run(both())
    assert move.choice is not None
    assert analysis.choice is not None
    assert later > 0.2, "the analysis made room and went on afterwards"
    assert analysis.choice.seconds >= 2.9, "its whole time, both parts together"


def test_live_analyses_take_turns(run: Any, pool: Engines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines_module, "SLICE_S", 0.2)

    async def first_thought(visitor: str) -> float:
        """When it came."""
        thoughts = pool.watch(task(seconds=6, rules="othello", stream=visitor), rank=Rank.LIVE, visitor=visitor)
        async with aclosing(thoughts):
            async for thought in thoughts:
                if thought.choice is not None:
                    break
        return time.monotonic()

    async def crowd() -> tuple[tuple[Thought, float], float]:
        return await asyncio.gather(
            finished(pool, task(seconds=2.5, rules="othello"), Rank.LIVE, "first"), first_thought("second")
        )

    (_, ended), thought = run(crowd())
    assert thought < ended - 0.2, "the second did not wait for the end of the first"


def test_leaving_cancels(run: Any, pool: Engines) -> None:
    async def leave() -> None:
        thoughts = pool.watch(task(seconds=60, rules="othello"), rank=Rank.LIVE)
        async for _ in thoughts:
            break
        await thoughts.aclose()
        while pool.busy:
            await asyncio.sleep(0.01)

    begun = time.monotonic()
    run(leave())
    assert time.monotonic() - begun < 30
    assert pool.queued == 0


def test_a_visitor_has_a_budget(run: Any, pool: Engines) -> None:
    async def greedy() -> int:
        running = [
            asyncio.create_task(finished(pool, task(seconds=60, rules="othello"), Rank.LIVE, "greedy"))
            for _ in range(1 + engines_module.WAITING_PER_VISITOR)
        ]
        await busy(pool)
        await asyncio.sleep(0.05)
        with pytest.raises(Busy):
            await pool.choose(task(seconds=60), rank=Rank.LIVE, visitor="greedy")
        waiting = pool.queued
        for task_ in running:
            task_.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        return waiting

    assert run(greedy()) == engines_module.WAITING_PER_VISITOR
    assert pool.queued == 0


@pytest.mark.parametrize(
    "wanted",
    [
        Task("tictactoe", "XXX/3/OO1 c3", (), "mcts"),
        Task("tictactoe", START["tictactoe"], ("z9",), "mcts"),
        Task("chess", "x", (), "mcts"),
        Task("tictactoe", START["tictactoe"], (), "no such player"),
    ],
)
def test_a_task_without_sense_is_an_error_of_the_input(run: Any, pool: Engines, wanted: Task) -> None:
    with pytest.raises(GameError):
        run(pool.choose(wanted, rank=Rank.MOVE))
    assert run(pool.choose(task("random"), rank=Rank.MOVE)).move


def test_a_roll_is_valued_by_its_outcomes(run: Any, pool: Engines) -> None:
    wanted = Task("einstein", "0 0 0 24 0 0 / 2 0 0 0 0 0 red -", (), "mcts", 2.0)
    found = run(pool.choose(wanted, rank=Rank.LIVE))
    assert [line.move for line in found.lines] == ["1", "2", "3", "4", "5", "6"]
    assert (found.value, found.exact) == (1.0, True)


def test_a_killed_worker_is_replaced_and_its_job_done_again(run: Any, pool: Engines) -> None:
    async def murder() -> Thought:
        job = asyncio.create_task(finished(pool, task(seconds=0.4, rules="othello"), Rank.MOVE))
        await busy(pool)
        os.kill(pool.workers[0].process.pid or 0, signal.SIGKILL)
        return (await job)[0]

    before = pool.workers[0].process.pid
    found = run(murder())
    assert found.choice is not None
    assert found.finished
    assert pool.workers[0].process.pid != before


def test_a_worker_that_hangs_is_killed_and_a_second_time_is_an_error(
    run: Any, pool: Engines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines_module, "GRACE_S", 0.1)

    async def stop_all() -> None:
        while True:
            for worker in pool.workers:
                if worker.job is not None and worker.process.pid:
                    os.kill(worker.process.pid, signal.SIGSTOP)
            await asyncio.sleep(0.01)

    async def hang() -> None:
        stopper = asyncio.create_task(stop_all())
        try:
            await pool.choose(task(seconds=0.1), rank=Rank.MOVE)
        finally:
            stopper.cancel()

    with pytest.raises(EngineError, match="died twice"):
        run(hang())
    monkeypatch.undo()
    assert run(pool.choose(task("random"), rank=Rank.MOVE)).move


def test_idle_workers_load_what_will_be_needed(run: Any, pool: Engines) -> None:
    async def warm() -> None:
        pool.warm_up([task("random"), task("greedy")])
        while pool.busy or pool.queued:
            await asyncio.sleep(0.01)

    run(warm())
    assert pool.busy == 0
    assert {wanted.rules for wanted in usual_tasks()} == set(boyi.games())


def test_players_of_finished_visits_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    players = Players(10_000.0)
    game = boyi.game("tictactoe")
    made = [players.player(task("random", stream=str(number)), game) for number in range(30)]
    assert len(players.kept) == MAX_PLAYERS
    assert players.player(task("random", stream="29"), game).player is made[29].player
    assert players.player(task("random", stream="0"), game).player is not made[0].player
    large = replace(task("random", stream="large"), memory_mb=9000.0)
    players.player(large, game)
    assert [kept.memory_mb for kept in players.kept.values()] == [256.0] * 3 + [9000.0]
    monkeypatch.setattr("boyi.service.thinking.IDLE_S", -1.0)
    players.forget_idle()
    assert not players.kept


def test_compiling_is_shown(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOYI_CACHE_DIR", str(tmp_path))

    async def first_use() -> list[Thought]:
        made = Engines(1)
        await made.start()
        thoughts = [thought async for thought in made.watch(task("random"), rank=Rank.MOVE)]
        await made.close()
        return thoughts

    thoughts = run(first_use())
    assert thoughts[0].preparing
    assert (thoughts[-1].finished, thoughts[-1].preparing) == (True, False)
    assert thoughts[-1].choice is not None


def test_an_interrupted_task_goes_on_where_it_was() -> None:
    players = Players(1000.0)
    wanted = replace(task("mcts", 0.4, "othello", "x"), job=1, patient=True)

    def some(job: int) -> list[boyi.Choice]:
        with closing(players.think(replace(wanted, job=job))) as thoughts:
            return [next(thoughts) for _ in range(2)]

    first, again = some(1)[-1], some(1)[-1]
    assert first.lines[0].visits < again.lines[0].visits
    visits = sum(line.visits for line in again.lines)
    assert first.simulations + again.simulations == pytest.approx(visits, rel=0.05)
    last = list(players.think(replace(wanted, job=1)))[-1]
    assert last.seconds >= 0.35
    assert sum(line.visits for line in last.lines) > visits
    other = some(2)[-1]
    assert other.simulations < visits


def test_closing_leaves_no_process(run: Any) -> None:
    async def live() -> list[int]:
        made = Engines(1)
        await made.start()
        job = asyncio.create_task(made.choose(task(seconds=60, rules="othello"), rank=Rank.MOVE))
        await busy(made)
        pids = [worker.process.pid or 0 for worker in made.workers]
        begun = time.monotonic()
        await made.close()
        assert time.monotonic() - begun < 30
        with pytest.raises(EngineError, match="shutting down"):
            await job
        with pytest.raises(EngineError, match="shutting down"):
            await made.choose(task(), rank=Rank.MOVE)
        return pids

    assert not [pid for pid in run(live()) if alive(pid)]


ORPHANS = """
import asyncio, sys
from boyi.service.engines import Engines, Rank
from boyi.service.worker import Task

async def main():
    pool = Engines(1)
    await pool.start()
    async for _ in pool.watch(Task("othello", "{key}", (), "mcts", 60.0), rank=Rank.MOVE):
        print(*(worker.process.pid for worker in pool.workers), flush=True)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_workers_of_a_killed_server_end(tmp_path: Path) -> None:
    program = tmp_path / "orphans.py"
    program.write_text(ORPHANS.format(key=START["othello"]))
    server = subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        pids = [int(word) for word in server.stdout.readline().split()]
    finally:
        server.kill()
        server.wait()
        if server.stdout is not None:
            server.stdout.close()
    assert pids
    until = time.monotonic() + 20
    while any(alive(pid) for pid in pids) and time.monotonic() < until:
        time.sleep(0.05)
    assert not [pid for pid in pids if alive(pid)]


def alive(pid: int) -> bool:
    """Whether a process runs; a dead child that nobody has asked about does not."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False
