"""Training runs of the service: started, watched, paused, resumed, played against, promoted; and what is refused."""

import asyncio
import errno
import io
import json
import os
import signal
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from guests import Guest

from boyi.games.errors import GameError
from boyi.games.registry import game as find_game
from boyi.players import player
from boyi.service import contests, run_configs, run_files, runs
from boyi.service.database import Database
from boyi.service.errors import Conflict, NameTaken, NotFound, NotNow, StorageError
from boyi.service.runs import Runs
from boyi.service.service import Service
from boyi.service.settings import BadSettings, Settings, read_settings, usual_settings
from boyi.service.views_contests import NewContest
from boyi.service.views_training import NewRun, RunView
from boyi.train.config import find_config
from boyi.train.run import Run

QUICK: dict[str, Any] = {"rules": "tictactoe", "method": "quick", "minutes": 1, "measure_every": 0}
SMALL: dict[str, Any] = {"rules": "tictactoe", "games": 16, "simulations": 4, "blocks": 1, "channels": 4, "workers": 1}


@pytest.fixture(scope="module")
def lab(run: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that trains one run at a time, and looks after it more often than for people."""
    folder = tmp_path_factory.mktemp("lab")
    made = Service(f"sqlite:///{folder}/boyi.db", workers=1, warm=False, settings=usual_settings(folder))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "LOOK_S", 0.1)
        patch.setattr(contests, "LOOK_S", 0.1)
        run(made.start())
        yield made
        run(made.close())


async def until(service: Service, id: str, wanted: Any) -> RunView:
    async for view in service.watch_run(id):
        if wanted(view):
            return view
        assert view.status != "failed", view.message
    raise AssertionError("the run was deleted")


def test_a_run_from_start_to_end(run: Any, lab: Service) -> None:
    """Paused, resumed, played against while it waits, promoted, finished, deleted."""

    async def course() -> None:
        begun = await lab.start_run(NewRun(**SMALL, name="first", generations=30, minutes=0))
        assert (begun.id, begun.status, begun.options.games, begun.options.simulations) == ("first", "running", 16, 4)
        with pytest.raises(Conflict, match="already"):
            await lab.start_run(NewRun(**SMALL, name="first"))
        waiting = await lab.start_run(NewRun(**SMALL, generations=3))
        assert (waiting.id, waiting.status) == ("tictactoe-1", "waiting")
        await until(lab, "first", lambda view: view.generation >= 2 and view.stage is not None)
        paused = await lab.pause_run("first")
        assert paused.status == "paused"
        assert paused.left_s is not None
        assert [point.generation for point in paused.points] == list(range(1, paused.generation + 1))
        assert all(point.loss_policy and point.entropy is not None for point in paused.points)
        assert paused.checkpoints[-1] == paused.generation
        await until(lab, "tictactoe-1", lambda view: view.status == "running")
        resumed = await lab.resume_run("first")
        assert resumed.status == "waiting"
        done = await until(lab, "tictactoe-1", lambda view: view.status == "finished")
        assert (done.generation, done.share) == (3, 1.0)
        more = await until(lab, "first", lambda view: view.generation > paused.generation)
        assert [p.loss for p in more.points[: paused.generation]] == [p.loss for p in paused.points]
        stopped = await lab.stop_run("first")
        assert stopped.status == "stopped"
        assert [found.id for found in (await lab.list_runs()).runs] == ["first", "tictactoe-1"]
        boards = await lab.run_positions("first")
        assert boards.generation >= paused.generation
        assert len(boards.positions) == 6
        assert all(board.outcome is not None for board in boards.positions)

        seat = f"run:first@{stopped.checkpoints[0]}"
        guest = Guest(lab, "visitor")
        game = await guest.create("tictactoe", "human", seat)
        assert game.seats[1] == seat
        await guest.play("b2")
        await guest.until(lambda view: len(view.moves) == 2)
        with pytest.raises(GameError, match="tictactoe only"):
            await guest.create("gomoku", "human", seat)
        with pytest.raises(NotFound):
            await guest.create("tictactoe", "human", "run:first@999")

        promoted = await lab.promote_checkpoint("first", stopped.checkpoints[-1], "pupil")
        assert (promoted.name, promoted.games, promoted.rules) == ("player:pupil", ["tictactoe"], "tictactoe")
        with pytest.raises(Conflict, match="already"):
            await lab.promote_checkpoint("first", stopped.checkpoints[-1], "pupil")
        await lab.delete_run("first")
        with pytest.raises(NotFound):
            await lab.show_run("first")
        assert promoted in (await lab.catalogue()).opponents
        await guest.create("tictactoe", "player:pupil", "human")
        await guest.until(lambda view: len(view.moves) == 1)
        await lab.dismiss_player("pupil")
        with pytest.raises(NotFound):
            await guest.create("tictactoe", "player:pupil", "human")

    run(course())


def test_a_quick_run_from_start_to_end(run: Any, lab: Service, tmp_path: Path) -> None:
    """The same for a quick net: paused, resumed, played against, promoted, in a contest, finished."""

    async def course() -> None:
        begun = await lab.start_run(NewRun(**QUICK, name="swift", seed=3))
        assert (begun.id, begun.method, begun.minutes, begun.options.measure_every) == ("swift", "quick", 1, 0)
        assert (begun.options.simulations, begun.options.workers, begun.options.seed) == (None, 1, 3)
        going = await until(lab, "swift", lambda view: view.generation >= 1 and view.files >= 1)
        assert going.stage is not None
        boards = await lab.run_positions("swift")
        assert (len(boards.positions), boards.generation) == (6, going.files)
        assert all(board.outcome is not None for board in boards.positions)
        paused = await lab.pause_run("swift")
        assert paused.status == "paused"
        assert paused.checkpoints[-1] == paused.generation
        assert all(point.loss is not None and point.positions_per_s for point in paused.points)
        assert 0 < paused.share < 1
        assert paused.left_s is not None
        assert paused.left_s >= 0.999 * (60 - paused.elapsed_s)  # more where the computer is busy
        await lab.resume_run("swift")
        more = await until(lab, "swift", lambda view: view.generation > paused.generation)
        assert [p.loss for p in more.points[: paused.generation]] == [p.loss for p in paused.points]
        stopped = await lab.stop_run("swift")

        guest = Guest(lab, "visitor")
        await guest.create("tictactoe", "human", f"run:swift@{stopped.checkpoints[-1]}")
        await guest.play("b2")
        await guest.until(lambda view: len(view.moves) == 2)
        with pytest.raises(GameError, match="tictactoe only"):
            await guest.create("othello", "human", f"run:swift@{stopped.checkpoints[-1]}")
        assert (stopped.folder, stopped.game) == ("", "")
        packed = await lab.export_net("swift", stopped.checkpoints[-1])
        name = f"swift-{stopped.checkpoints[-1]}"
        assert (packed.file_name, packed.media_type) == (f"{name}.zip", "application/zip")
        with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
            archive.extractall(tmp_path)
        net = player(f"quick:model={tmp_path / name / 'model'}", find_game("tictactoe"))
        assert net.choose(find_game("tictactoe").position("XX1/OO1/3")).move == "c3"
        with pytest.raises(NotFound, match="no net of generation 999"):
            await lab.export_net("swift", 999)
        promoted = await lab.promote_checkpoint("swift", stopped.checkpoints[-1], "runner")
        assert (promoted.name, promoted.rules) == ("player:runner", "tictactoe")
        await lab.delete_run("swift")
        await guest.create("tictactoe", "player:runner", "human")
        await guest.until(lambda view: len(view.moves) == 1)

        contest = await lab.start_contest(
            NewContest(rules="tictactoe", entrants=["player:runner", "random"], games=2, name="net-cup")
        )
        async for stands in lab.watch_contest(contest.id):
            assert stands.status != "failed", stands.message
            if stands.status == "finished":
                break
        assert sum(entry.games for entry in stands.standings) == 4
        await lab.dismiss_player("runner")

    run(course())


def test_a_short_quick_run_ends_with_a_measurement(run: Any, lab: Service) -> None:
    async def course() -> RunView:
        await lab.start_run(NewRun(**QUICK | {"minutes": 0.02}, measure_games=4, name="dash"))
        return await until(lab, "dash", lambda view: view.status == "finished")

    view = run(course())
    assert view.share == 1.0
    assert view.points[-1].anchor == "random"
    assert view.points[-1].anchor_score is not None
    run(lab.delete_run("dash"))


def test_two_people_start_the_same_run(run: Any, lab: Service) -> None:
    """One of them gets it, the other is told so; without a name each gets a run of their own."""

    async def course() -> None:
        wanted = NewRun(**QUICK, name="both")
        answers = await asyncio.gather(lab.start_run(wanted), lab.start_run(wanted), return_exceptions=True)
        refused = [answer for answer in answers if isinstance(answer, NameTaken)]
        assert len(refused) == 1
        assert "go on with that one" in str(refused[0])
        again = await asyncio.gather(lab.resume_run("both"), lab.resume_run("both"))
        assert {view.status for view in again} == {"running"}
        nameless = await asyncio.gather(*(lab.start_run(NewRun(**QUICK)) for _ in range(3)))
        assert len({view.id for view in nameless}) == 3
        for view in (*nameless, again[0]):
            await lab.stop_run(view.id)
            await lab.delete_run(view.id)

    run(course())


def test_a_run_outlives_its_server_and_its_trainer(run: Any, tmp_path: Path) -> None:
    """A closed server goes on where it was when it starts again; a killed trainer is told as a failure."""
    settings = usual_settings(tmp_path)

    async def before() -> RunView:
        service = Service("sqlite://", workers=1, warm=False, settings=settings)
        await service.start()
        await service.start_run(NewRun(**SMALL, name="long", generations=5000))
        known = await until(service, "long", lambda view: view.generation >= 2)
        trainer = service._runs.trainers["long"]
        await service.close()
        assert trainer.returncode is not None
        return known

    async def after(known: RunView) -> None:
        service = Service("sqlite://", workers=1, warm=False, settings=settings)
        await service.start()
        assert (await service.show_run("long")).status == "running"
        with pytest.raises(Conflict, match="stop it first"):
            await service.delete_run("long")
        more = await until(service, "long", lambda view: view.generation > known.generation)
        assert more.points[: len(known.points)] == known.points
        os.kill(service._runs.trainers["long"].pid, signal.SIGKILL)
        async for view in service.watch_run("long"):
            if view.status == "failed":
                break
        assert "without a word" in view.message
        await service.close()

    run(after(run(before())))


def test_somebody_else_trains_the_run(run: Any, lab: Service) -> None:
    folder = lab._runs.folder
    assert folder is not None

    async def course() -> None:
        run_files.make(folder, NewRun(**SMALL, name="theirs"))
        with Run(folder / "theirs"):
            assert (await lab.show_run("theirs")).status == "elsewhere"
            with pytest.raises(Conflict, match="another program"):
                await lab.resume_run("theirs")
        assert (await lab.show_run("theirs")).status == "stopped"
        await lab.delete_run("theirs")

    run(course())


@pytest.mark.parametrize("name", ["../up", "a/b", ".hidden", "", "a" * 200, "x\0y"])
def test_names_are_no_paths(run: Any, lab: Service, name: str) -> None:
    for asked in (
        lab.show_run(name),
        lab.pause_run(name),
        lab.delete_run(name),
        lab.promote_checkpoint(name, 1, "fine"),
        lab.dismiss_player(name),
    ):
        with pytest.raises(NotFound):
            run(asked)
    with pytest.raises(Conflict):
        run(lab.promote_checkpoint("any", 1, name))


def test_bad_options_are_refused_by_name(run: Any, lab: Service) -> None:
    with pytest.raises(GameError, match="unknown game"):
        run(lab.start_run(NewRun(rules="/etc/passwd")))
    for name, method in (("simulations", "quick"), ("measure_every", "deep")):
        with pytest.raises(GameError, match=f"{name} is no option of a {method} net"):
            run(lab.start_run(NewRun(rules="tictactoe", method=method, **{name: 5})))
    assert run(lab.training_options("othello", "quick")).minutes == 15
    options = run(lab.training_options("othello"))
    assert (options.generations, options.simulations) == (1000, 32)
    assert run(lab.training_options("gomoku:size=7")).rules == "gomoku:size=7"


def test_a_service_without_folders_does_not_train(run: Any, service: Service) -> None:
    with pytest.raises(Conflict, match="owner"):
        run(service.start_run(NewRun(**SMALL)))
    assert run(service.list_runs()).runs == []
    with pytest.raises(NotFound):
        run(service.show_run("any"))


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, f"cannot write {tmp_path}/runs/x: the disk is full; free some space and resume")

    monkeypatch.setattr(run_files, "write_file", full)
    with pytest.raises(StorageError, match="disk is full") as told:
        run_files.make(tmp_path / "runs", NewRun(**SMALL, name="x"))
    assert str(tmp_path) not in str(told.value)


def test_a_plateau_is_told_in_facts(tmp_path: Path) -> None:
    run_files.make(tmp_path, NewRun(**SMALL, name="flat", generations=60))
    rows = [
        {"generation": g, "elapsed_s": 10.0 * g, "rows_total": 1, "anchor": "mcts:sims=1000", "anchor_score": score}
        for g, score in ((10, 0.3), (20, 0.5), (30, 0.45), (40, 0.5), (50, 0.4), (51, 0.48))
    ]
    (tmp_path / "flat" / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"gen')
    view = run_files.view(tmp_path / "flat", None)
    assert view.plateau is not None
    assert (view.plateau.since, view.plateau.before, view.plateau.best) == (20, 0.5, 0.5)
    assert view.left_s == pytest.approx(90.0)
    assert view.status == "stopped"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("runs = 3", "text of a folder"),
        ("trainings = -1", "from 0 to"),
        ("command = 'x'", "unknown setting"),
        ("[", "no TOML"),
        ("engines = 'x'", "section of names"),
        ("engines.x = 'rm -rf /'", "cmd:PROTOCOL:COMMAND"),
        ("engines.'a b' = 'cmd:gtp:x'", "no name for an engine"),
    ],
)
def test_bad_settings_are_told(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "boyi.toml"
    file.write_text(text)
    with pytest.raises(BadSettings, match=told):
        read_settings(file, Settings())


def test_settings(tmp_path: Path) -> None:
    file = tmp_path / "boyi.toml"
    file.write_text("runs = 'lab/runs'\ntrainings = 0\n")
    found = read_settings(file, usual_settings(tmp_path / "data"))
    data = tmp_path / "data"
    assert found == Settings(tmp_path / "lab" / "runs", data / "players", data / "contests", data / "games", 0)
    with pytest.raises(BadSettings, match="cannot read"):
        read_settings(tmp_path / "none.toml", Settings())


def test_the_configurations_fit_the_form() -> None:
    """Every option of the form is within what a request allows."""
    for rules in ("tictactoe", "othello", "gomoku", "connect6", "einstein"):
        game = find_config(rules).found_game
        for method in ("deep", "quick"):
            options = run_configs.options_of(game, method)
            assert options.method == method
            wanted = NewRun(**options.model_dump(exclude={"missing"}))
            assert run_configs.options(run_configs.wanted_config(wanted)) == options


def test_watching_ends_with_the_run(run: Any, lab: Service) -> None:
    assert lab._runs.folder is not None
    run_files.make(lab._runs.folder, NewRun(**SMALL, name="brief"))

    async def course() -> int:
        seen = 0
        async for _ in lab.watch_run("brief"):
            seen += 1
            await asyncio.sleep(0)
            await lab.delete_run("brief")
        return seen

    assert run(course()) == 1


def test_the_owner_is_told_where_runs_are(run: Any, tmp_path: Path) -> None:
    """Nobody else is; and an own game is named by its rules file, as commands want it."""
    settings = replace(usual_settings(tmp_path), private=True, trainings=1)
    made = Runs(Database(f"sqlite:///{tmp_path}/boyi.db"), settings.runs, 1, games=settings.games, tell_folder=True)
    folder = tmp_path / "runs" / run_files.make(tmp_path / "runs", NewRun(**QUICK, name="mine"))
    view = run(made.show("mine"))
    assert (view.folder, view.game) == (str(folder), "tictactoe")
    assert made._command_name("my_game:rows=5") == f"{tmp_path}/games/my_game.py:rows=5"


def test_a_deep_run_without_its_packages(run: Any, lab: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boyi.train.packages.DEEP", ("no_such_package",))
    assert run(lab.training_options("tictactoe", "deep")).missing == ["no_such_package"]
    assert run(lab.training_options("tictactoe", "quick")).missing == []
    with pytest.raises(NotNow, match="no_such_package"):
        run(lab.start_run(NewRun(**SMALL, name="without")))
    assert not [found for found in run(lab.list_runs()).runs if found.id == "without"]
