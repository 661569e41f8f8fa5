"""Contests of the service: played, watched, stopped and resumed; records while they run; and what is refused."""

import base64
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boyi.games.errors import GameError
from boyi.service import contests
from boyi.service.errors import Conflict, NotFound
from boyi.service.service import Service
from boyi.service.settings import usual_settings
from boyi.service.views_contests import ContestView, NewContest
from boyi.service.views_records import RecordFile


@pytest.fixture(scope="module")
def hall(run: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with contests, looked after more often than for people, and a foreign engine that is none."""
    folder = tmp_path_factory.mktemp("hall")
    settings = replace(usual_settings(folder), engines={"Ghost": f"cmd:gtp:{folder}/no-such-program"})
    made = Service(f"sqlite:///{folder}/boyi.db", workers=1, warm=False, settings=settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contests, "LOOK_S", 0.1)
        run(made.start())
        yield made
        run(made.close())


async def until(service: Service, id: str, wanted: Any) -> ContestView:
    async for view in service.watch_contest(id):
        if wanted(view):
            return view
    raise AssertionError("the contest was deleted")


def test_a_tournament_is_stopped_resumed_and_finished(run: Any, hall: Service) -> None:
    async def course() -> None:
        wanted = NewContest(rules="tictactoe", entrants=["random", "beginner", "level:0"], games=10, name="cup")
        begun = await hall.start_contest(wanted)
        assert (begun.id, begun.status, begun.total) == ("cup", "running", 30)
        with pytest.raises(Conflict, match="already"):
            await hall.start_contest(wanted)
        second = await hall.start_contest(NewContest(rules="tictactoe", entrants=["random", "beginner"], games=2))
        assert (second.id, second.status) == ("tictactoe-1", "waiting")
        with pytest.raises(Conflict, match="stop it first"):
            await hall.delete_contest("cup")
        await until(hall, "cup", lambda view: view.done >= 2)
        stopped = await hall.stop_contest("cup")
        assert stopped.status in ("stopped", "finished")
        early = await hall.contest_records("cup", "jsonl")
        assert early.content.count(b"\n") == stopped.done

        done = await until(hall, "tictactoe-1", lambda view: view.status == "finished")
        assert done.done == 2
        if stopped.status == "stopped":
            await hall.resume_contest("cup")
        ended = await until(hall, "cup", lambda view: view.status == "finished")
        assert ended.done == 30
        assert ended.standings[-1].name == "level:0"
        assert sum(entry.points for entry in ended.standings) == 30
        assert all(entry.low <= entry.elo <= entry.high for entry in ended.standings)
        assert ended.crosstable[0][0] is None
        met = ended.crosstable[0][1]
        assert met is not None
        assert met.games == 10
        content = (await hall.contest_records("cup", "jsonl")).content
        listed = await hall.read_records(RecordFile(content=base64.b64encode(content), file_name="cup.jsonl"))
        assert len(listed.records) == 30
        assert {name for entry in listed.records for name in entry.players} == {"random", "beginner", "level:0"}
        assert "jsonl" in ended.formats
        assert {contest.id for contest in (await hall.list_contests()).contests} == {"cup", "tictactoe-1"}
        with pytest.raises(Conflict, match="finished"):
            await hall.resume_contest("cup")
        await hall.delete_contest("cup")
        with pytest.raises(NotFound):
            await hall.show_contest("cup")

    run(course())


def test_an_engine_that_does_not_start_is_told_without_its_command(run: Any, hall: Service) -> None:
    async def course() -> None:
        known = {entrant.name for entrant in (await hall.entrants("gomoku:size=9")).entrants}
        assert {"engine:Ghost", "level:0", "level:10", "strongest"} <= known
        await hall.start_contest(
            NewContest(rules="gomoku:size=9", entrants=["engine:Ghost", "random"], games=2, name="haunted")
        )
        view = await until(hall, "haunted", lambda view: view.status in ("failed", "finished"))
        ghost = next(entry for entry in view.standings if entry.name == "engine:Ghost")
        assert view.status == "failed" or ghost.losses == 2
        assert "no-such-program" not in view.model_dump_json()
        if view.done:
            assert b"no-such-program" not in (await hall.contest_records("haunted", "jsonl")).content

    run(course())


@pytest.mark.parametrize(
    "entrant",
    ["cmd:gtp:touch /tmp/x", "engine:other", "level:11", "net:model=/etc/passwd", "human", "player:none", "run:a@1"],
)
def test_no_commands_from_visitors(run: Any, hall: Service, entrant: str) -> None:
    with pytest.raises(NotFound):
        run(hall.start_contest(NewContest(rules="tictactoe", entrants=["random", entrant], games=2)))


def test_what_makes_no_sense_is_refused(run: Any, hall: Service, service: Service) -> None:
    with pytest.raises(Conflict, match="once"):
        run(hall.start_contest(NewContest(rules="tictactoe", entrants=["random", "random"])))
    with pytest.raises(GameError, match="unknown game"):
        run(hall.start_contest(NewContest(rules="chess", entrants=["random", "easy"])))
    with pytest.raises(Conflict, match="owner"):
        run(service.start_contest(NewContest(rules="tictactoe", entrants=["random", "easy"])))
    assert run(service.list_contests()).contests == []
    for name in ("../up", "", "A", "x\0"):
        with pytest.raises(NotFound):
            run(hall.show_contest(name))


def test_a_contest_goes_on_with_another_server(run: Any, tmp_path: Path) -> None:
    settings = usual_settings(tmp_path)

    async def before() -> None:
        service = Service("sqlite://", workers=1, warm=False, settings=settings)
        await service.start()
        await service.start_contest(NewContest(rules="tictactoe", entrants=["easy", "medium"], games=40, name="long"))
        await until(service, "long", lambda view: view.done >= 1)
        await service.close()

    async def after() -> None:
        service = Service("sqlite://", workers=1, warm=False, settings=settings)
        await service.start()
        view = await service.show_contest("long")
        assert view.done >= 1
        assert view.status in ("running", "finished")
        assert (await until(service, "long", lambda view: view.status == "finished")).done == 40
        await service.close()

    run(before())
    run(after())
