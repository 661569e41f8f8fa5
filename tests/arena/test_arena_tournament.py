"""Tournaments as they run: fixtures, events, stopping, worker processes, kills."""

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import boyi
from boyi.arena import Fixture, GameRow, Plan, Sprt, Tournament
from boyi.arena.report import Standings
from boyi.arena.store import GAMES, read_rows
from boyi.arena.tournament import Began, Ended, Event, Finished, Moved

NAMES = ("random", "greedy", "mc:sims=10", "weakest:sims=10")


def outline(rows: tuple[GameRow, ...] | list[GameRow]) -> list[tuple[object, ...]]:
    """What the clock does not change."""
    return [(row.number, row.players, row.seat, row.seed, row.start, row.history, row.winner) for row in rows]


def wait_for(condition: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("kind", "met"),
    [
        ("robin", [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
        ("gauntlet", [(0, 1), (0, 2), (0, 3)]),
        ("ladder", [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]),
    ],
)
@pytest.mark.parametrize("games", [1, 4, 5])
def test_every_pairing_has_its_games(kind: str, met: list[tuple[int, int]], games: int) -> None:
    plan = Plan("tictactoe", NAMES, games, kind)
    fixtures = list(plan.fixtures())
    assert Counter((fixture.first, fixture.second) for fixture in fixtures) == dict.fromkeys(met, games)
    assert plan.num_games == len(fixtures) == len({fixture.number for fixture in fixtures})
    assert [fixture.number for fixture in fixtures] == sorted(fixture.number for fixture in fixtures)
    for fixture in fixtures:
        assert fixture.number == 2 * fixture.pair + fixture.seat
    seats = Counter((fixture.first, fixture.second, fixture.seat) for fixture in fixtures)
    assert all(seats[(*pair, 0)] - seats[(*pair, 1)] == games % 2 for pair in met)


def test_the_first_round_does_not_depend_on_the_number_of_rounds() -> None:
    short, long = (list(Plan("tictactoe", NAMES, games).fixtures()) for games in (2, 8))
    assert long[: len(short)] == short


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"players": ("random",)}, "1 players are too few"),
        ({"kind": "swiss"}, "kind='swiss'"),
        ({"games": 0}, "games=0"),
        ({"game": "chess"}, "unknown game"),
        ({"adjudicate": -1}, "adjudicate=-1"),
        ({"sprt": Sprt(0, 5)}, "sprt decides between 2 players, not 4"),
    ],
)
def test_impossible_plans_are_refused(options: dict[str, object], named: str) -> None:
    usual = {"game": "tictactoe", "players": NAMES, "games": 2}
    with pytest.raises(boyi.GameError, match=named):
        Plan(**{**usual, **options})  # type: ignore[arg-type]


def test_events_tell_the_whole_story() -> None:
    events: list[Event] = []
    plan = Plan("tictactoe", NAMES[:3], 2, openings=0)
    tournament = Tournament(plan, workers=0, on_event=events.append)
    assert tournament.progress().state == "waiting"
    tournament.run()
    assert [event.fixture for event in events if isinstance(event, Began)] == list(plan.fixtures())
    assert [event.row for event in events if isinstance(event, Finished)] == list(tournament.rows)
    assert events[-1] == Ended("done")
    at = [event.history for event in events if isinstance(event, Moved) and event.fixture.number == 0]
    assert at[-1] == tournament.rows[0].history
    assert [len(history) for history in at] == list(range(1, len(at) + 1))
    progress = tournament.progress()
    assert (progress.state, progress.done, progress.total, progress.running) == ("done", 6, 6, ())
    assert progress.usage.playing > 0


def test_a_stopped_run_goes_on_later(tmp_path: Path) -> None:
    plan = Plan("tictactoe", NAMES[:3], 4)
    whole = Tournament(plan, workers=0)
    whole.run()
    first = Tournament(plan, folder=tmp_path, workers=0)
    first.on_event = lambda event: first.stop() if isinstance(event, Finished) and event.row.number == 4 else None
    first.run()
    assert first.state == "stopped"
    assert len(first.rows) == 5
    second = Tournament.resumed(tmp_path, workers=0)
    second.run()
    assert second.state == "done"
    assert outline(second.rows) == outline(whole.rows)


def test_workers_play_the_same_games_and_can_be_watched(tmp_path: Path) -> None:
    """From a thread of its own, as a service would; a running game is seen before it ends."""
    plan = Plan("tictactoe", ("random", "mc:sims=20"), 9, seed=2)
    alone = Tournament(plan, workers=0)
    alone.run()
    begun: list[Fixture] = []
    both = Tournament(plan, folder=tmp_path, workers=2)
    both.on_event = lambda event: begun.append(event.fixture) if isinstance(event, Began) else None
    both.start()
    with pytest.raises(RuntimeError, match="starts once"):
        both.start()
    both.join(600)
    assert both.state == "done"
    assert outline(both.rows) == outline(alone.rows)
    assert sorted(begun) == list(plan.fixtures())
    assert 0 < both.usage.playing <= 1
    assert outline(read_rows(tmp_path)) == outline(alone.rows)


def test_stop_leaves_running_games_and_asyncio_can_drive_it() -> None:
    """Endless thinkers: nothing ends by itself, so only the stop ends it."""
    plan = Plan("othello", ("limited:seconds=0.3:mcts", "limited:seconds=0.3:mcts"), 2, openings=0)
    seen: list[tuple[str, ...]] = []

    async def drive() -> Tournament:
        loop = asyncio.get_running_loop()
        moved = asyncio.Event()

        def tell(event: Event) -> None:
            if isinstance(event, Moved):
                seen.append(event.history)
                loop.call_soon_threadsafe(moved.set)

        tournament = Tournament(plan, workers=1, on_event=tell)
        running = asyncio.create_task(asyncio.to_thread(tournament.run))
        await asyncio.wait_for(moved.wait(), 300)
        snapshot = tournament.progress()
        assert snapshot.state == "playing"
        assert [at.fixture.number for at in snapshot.running] == [0]
        tournament.stop()
        await asyncio.wait_for(running, 300)
        return tournament

    tournament = asyncio.run(drive())
    assert tournament.state == "stopped"
    assert tournament.rows == ()
    assert seen[0]


def test_errors_of_a_thread_come_out_of_join() -> None:
    tournament = Tournament(Plan("tictactoe", ("random", "nobody"), 2), workers=0)
    tournament.start()
    with pytest.raises(boyi.GameError, match="unknown player 'nobody'"):
        tournament.join(300)
    assert tournament.state == "failed"


def test_a_decided_test_ends_the_match(tmp_path: Path) -> None:
    plan = Plan("tictactoe", ("mcts:sims=100", "weakest:sims=30"), 500, sprt=Sprt(0, 200))
    tournament = Tournament(plan, folder=tmp_path, workers=0)
    tournament.run()
    assert tournament.state == "decided"
    assert len(tournament.rows) < 100
    assert plan.sprt is not None
    assert plan.sprt.verdict(tournament.match.pentanomial) == 200
    again = Tournament.resumed(tmp_path, workers=0)
    again.run()
    assert again.rows == tournament.rows


COMMAND = [sys.executable, "-c", "from boyi.cli.main import run; run()"]


def children(pid: int) -> set[int]:
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if parent == pid:
                found.add(int(entry.name))
    return found


def living(pid: int) -> bool:
    """Whether a process runs; a dead one that nobody has asked about does not."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def num_lines(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


def test_killed_at_any_moment_it_goes_on_with_the_same_games(tmp_path: Path) -> None:
    """SIGKILL of the whole match, twice; its workers end by themselves; in the end every game is there once."""
    total, chance = 300, random.Random()
    arguments = ["match", "random", "greedy", "--game", "einstein", "--games", str(total), "--seed", "6"]
    file = tmp_path / "match" / GAMES
    for kill in range(2):
        before = num_lines(file)
        match = subprocess.Popen(
            [*COMMAND, *arguments, "--dir", str(file.parent), "--workers", "2", "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        target = before + chance.randint(1, 40)
        wait_for(lambda target=target, m=match: num_lines(file) >= target or m.poll() is not None, "games")
        workers = children(match.pid)
        time.sleep(chance.random() * 0.05)
        match.kill()
        match.communicate()
        wait_for(lambda left=workers: not any(map(living, left)), f"workers, kill {kill}")
        assert num_lines(file) >= target or num_lines(file) == total
    finished = subprocess.run(
        [*COMMAND, "match", "--resume", str(file.parent), "--workers", "1", "--json"], capture_output=True, check=True
    )
    rows = read_rows(file.parent)
    assert [row.number for row in rows] == list(range(total))
    assert num_lines(file) == total
    assert [row["number"] for row in json.loads(finished.stdout)["rows"]] == list(range(total))
    whole = Tournament(Plan("einstein", ("random", "greedy"), total, seed=6), workers=0)
    whole.run()
    assert outline(rows) == outline(whole.rows)


def test_a_killed_worker_is_replaced(tmp_path: Path) -> None:
    plan = Plan("einstein", ("limited:seconds=0.02:mcts", "random"), 8)
    tournament = Tournament(plan, folder=tmp_path, workers=2)
    killed = threading.Event()

    def kill_one(event: Event) -> None:
        if isinstance(event, Finished) and not killed.is_set():
            killed.set()
            workers = {pid for pid in children(os.getpid()) if b"spawn_main" in cmdline(pid)}
            os.kill(min(workers), signal.SIGKILL)

    tournament.on_event = kill_one
    tournament.run()
    assert killed.is_set()
    assert tournament.state == "done"
    assert [row.number for row in tournament.rows] == list(range(8))


def cmdline(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_engines_that_fail_lose_and_the_tournament_goes_on(tmp_path: Path) -> None:
    engine = tmp_path / "engine.py"
    engine.write_text("import sys\nprint('I give up', flush=True)\nsys.exit(3)\n")
    failing = f"cmd:gtp:{sys.executable} {engine}"
    plan = Plan("othello", ("random", failing, "greedy"), 2, openings=2)
    tournament = Tournament(plan, workers=0)
    tournament.run()
    lost = [row for row in tournament.rows if 1 in row.players]
    assert len(lost) == 4
    assert all(row.forfeit and row.points == float(row.players[0] != 1) for row in lost)
    assert all("I give up" in row.reason or "exit" in row.reason or "crashed" in row.reason for row in lost)
    standings = Standings.of(plan, tournament.rows)
    assert standings.entries[-1].player == failing
    assert standings.entries[-1].forfeits == 4


def test_a_program_that_is_not_there_is_an_error() -> None:
    with pytest.raises(OSError, match="did not start"):
        Tournament(Plan("othello", ("random", "cmd:gtp:/nowhere/engine"), 2), workers=0).run()
