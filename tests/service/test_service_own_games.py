"""The owner's own games: good ones are offered and everything works for them, bad ones are told and do no harm."""

import asyncio
import base64
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from guests import Guest

import boyi
from boyi.games.errors import GameError
from boyi.games.registry import OWN_GAMES
from boyi.service import boards
from boyi.service.errors import NotAllowed, NotFound
from boyi.service.own_files import OwnFiles
from boyi.service.own_games import Own
from boyi.service.rules_process import Limits
from boyi.service.service import Service
from boyi.service.settings import usual_settings
from boyi.service.views import AnalysisRequest, PositionRequest
from boyi.service.views_contests import NewContest
from boyi.service.views_own import OwnGameView
from boyi.service.views_records import ImportRequest, RecordFile
from boyi.service.views_training import NewRun
from boyi.web.board import look

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "connect_four.py"
TEXT = EXAMPLE.read_text()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("own")
    (made / "games").mkdir()
    return made


@pytest.fixture(scope="module")
def lab(run: Any, folder: Path) -> Iterator[Service]:
    """A service whose owner's games are checked with little patience."""
    made = Service(f"sqlite:///{folder}/boyi.db", workers=1, warm=False, settings=usual_settings(folder))
    made._own = Own(made._database, folder / "games", limits=Limits(patience_s=2.0))
    run(made.start())
    yield made
    run(made.close())
    assert OWN_GAMES not in os.environ


@pytest.fixture
def connect_four(run: Any, lab: Service, folder: Path) -> Path:
    """The example among the owner's games, checked."""
    file = folder / "games" / EXAMPLE.name
    if not file.exists():
        shutil.copy(EXAMPLE, file)
    assert run(verdict(lab, "connect_four")).status == "passed"
    return file


async def verdict(service: Service, name: str) -> OwnGameView:
    """What is known of a file once it is checked."""
    while True:
        found = next(view for view in (await service.own_games()).games if view.name == name)
        if found.status not in ("waiting", "checking"):
            return found
        await asyncio.sleep(0.1)


def line_of(text: str, part: str) -> int:
    return 1 + text[: text.index(part)].count("\n")


def changed(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new)


LOOP = changed("    state[square] = mover + 1", "    while True:\n        square += 0\n    state[square] = mover + 1")
BAD = {
    "syntax": (TEXT + "\ndef broken(:\n", "load", "is no Python", TEXT.count("\n") + 2),
    "import_loop": (changed("DISCS, RESULT =", "while True: pass\nDISCS, RESULT ="), "load", "endless loop", "while"),
    "step_loop": (LOOP, "rules", "endless loop", "while True"),
    "leaves": (changed("DISCS, RESULT =", "import sys; sys.exit(0)\nDISCS, RESULT ="), "load", "exit()", "import sys"),
    "ends": (changed("DISCS, RESULT =", "import os; os._exit(0)\nDISCS, RESULT ="), "load", "ended itself", None),
    "crashes": (
        changed("DISCS, RESULT =", "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)\nDISCS, RESULT ="),
        "load",
        "SIGSEGV",
        "import os",
    ),
    "greedy": (changed("DISCS, RESULT =", "ROOM = bytearray(10**12)\nDISCS, RESULT ="), "load", "memory", "ROOM"),
    "too_small": (changed("rows * rules.columns):", "rows * rules.columns + 9):"), "rules", "IndexError", "planes[0"),
    "no_compile": (
        changed("    state[DISCS] += 1", "    state[DISCS] += 1\n    {}.update(a=object())"),
        "compiled",
        "cannot be compiled",
        "{}.update",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_rules_files_are_told_with_file_and_line(run: Any, lab: Service, folder: Path, name: str) -> None:
    text, stage, message, where = BAD[name]
    text = text.replace('"connect_four"', f'"{name}"')
    file = folder / "games" / f"{name}.py"
    file.write_text(text)
    found = run(verdict(lab, name))
    assert (found.status, found.stage, found.offered) == ("failed", stage, False), found
    assert message in found.message
    assert str(folder) not in found.message
    if where is not None:
        line = where if isinstance(where, int) else line_of(text, where)
        assert (found.file, found.line) in ((file.name, line), (file.name, line + 1))
    assert name not in [game.name for game in run(lab.catalogue()).games]
    with pytest.raises(GameError, match="unknown game"):
        run(lab.show_position(PositionRequest(rules=name)))
    file.unlink()
    assert name not in [view.name for view in run(lab.own_games()).games]


@pytest.mark.usefixtures("connect_four")
def test_an_own_game_is_like_any_other(run: Any, lab: Service) -> None:
    """Played, analysed, exported, read again, in a contest: by its name, in all processes."""

    async def course() -> None:
        passed = await verdict(lab, "connect_four")
        assert (passed.status, passed.title, passed.offered) == ("passed", "Connect Four", True), passed
        known = {game.name: game for game in (await lab.catalogue()).games}
        assert known["connect_four"].players == ("Red", "Blue")
        assert [parameter.name for parameter in known["connect_four"].parameters] == ["rows", "columns"]

        guest = Guest(lab, "visitor")
        game = await guest.create("connect_four:rows=5", "human", "medium")
        await guest.play("d")
        await guest.until(lambda view: len(view.moves) == 2)
        kept = await lab.export_record(guest.visitor, game.id, "jsonl")
        file = {"content": base64.b64encode(kept.content), "file_name": "game.jsonl"}
        read = await lab.read_records(RecordFile(**file))
        assert [(entry.rules, entry.title) for entry in read.records] == [("connect_four:rows=5", "Connect Four")]
        imported = await lab.import_records(guest.visitor, ImportRequest(**file, numbers=[1]))
        assert imported.games[0].title == "Connect Four"

        asked = AnalysisRequest(rules="connect_four", key="a b a b a b", seconds=60)
        async for view in lab.analyse(guest.visitor, asked):
            if view.exact or (view.move == "a" and view.simulations > 200):
                break
        assert view.move == "a"

        contest = await lab.start_contest(NewContest(rules="connect_four", entrants=["beginner", "random"], games=2))
        async for stands in lab.watch_contest(contest.id):
            assert stands.status != "failed", stands.message
            if stands.status == "finished":
                break

    run(course())
    assert "connect_four" in boyi.games()
    assert boyi.game("connect_four", rows=4).shape == (4, 7)


@pytest.mark.usefixtures("connect_four")
def test_an_own_game_is_trained(run: Any, lab: Service) -> None:
    async def course() -> None:
        await lab.start_run(NewRun(rules="connect_four", method="quick", minutes=0.02, measure_games=0, name="four"))
        async for training in lab.watch_run("four"):
            assert training.status != "failed", training.message
            if training.status == "finished":
                break
        assert (await lab.run_positions("four")).positions
        guest = Guest(lab, "visitor")
        await guest.create("connect_four", "human", f"run:four@{training.checkpoints[-1]}")
        await guest.play("d")
        await guest.until(lambda view: len(view.moves) == 2)

    run(course())


def test_an_edited_file_is_checked_again(run: Any, lab: Service, connect_four: Path) -> None:
    """What passed stays in use until another text passes; games of a file that is gone do no harm."""
    file = connect_four
    guest = Guest(lab, "another visitor")

    async def course() -> None:
        game = await guest.create("connect_four", "human", "human")
        await guest.play("g")
        file.write_text(TEXT.replace('title = "Connect Four"', "title = 4"))
        failed = await verdict(lab, "connect_four")
        assert (failed.status, failed.stage, failed.offered) == ("failed", "facts", True)
        assert (await lab.show_game(guest.visitor, game.id)).title == "Connect Four"

        file.unlink()
        assert "connect_four" not in [view.name for view in (await lab.own_games()).games]
        assert "connect_four" not in [known.name for known in (await lab.catalogue()).games]
        assert [summary.title for summary in (await lab.list_games(guest.visitor)).games] == ["connect_four"]
        with pytest.raises(NotFound, match="are gone"):
            await lab.show_game(guest.visitor, game.id)
        with pytest.raises(NotFound):
            await lab.delete_game(lab.visitor("stranger"), game.id)
        await lab.delete_game(guest.visitor, game.id)
        assert (await lab.list_games(guest.visitor)).games == []

    run(course())


def test_another_text_takes_the_place_of_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name every process finds the text that passed last; what is kept of positions is not mixed up."""
    files = OwnFiles(tmp_path)
    files.open()
    monkeypatch.setenv(OWN_GAMES, str(files.games))
    seen = []
    for title in ("Connect Four", "Four in a Row"):
        (tmp_path / "connect_four.py").write_text(TEXT.replace('"Connect Four"', f'"{title}"'))
        place, digest = files.copy("connect_four")
        assert files.offered("connect_four") != digest
        files.offer("connect_four", digest)
        assert (files.offered("connect_four"), place.is_file()) == (digest, True)
        game = boards.rules_named("connect_four:rows=5")
        assert game.title == title
        seen.append((digest, boards.rules_version(game), look("connect_four").diagram))
    assert len({digest for digest, _, _ in seen}) == len({version for _, version, _ in seen}) == 2
    assert len(list(files.texts.iterdir())) == 1
    files.withdraw("connect_four")
    with pytest.raises(GameError, match="unknown game"):
        boards.rules_named("connect_four:rows=5")
    assert list(files.texts.iterdir()) == []


def test_names_and_helpers(run: Any, lab: Service, folder: Path) -> None:
    """A name that cannot be one or is taken, a file without a game; and a change of what is imported counts."""
    games = folder / "games"
    for name in ("Bad-Name", "othello"):
        (games / f"{name}.py").write_text(TEXT)
        found = run(verdict(lab, name))
        assert found.status == "failed"
        assert "rename the file" in found.message
        (games / f"{name}.py").unlink()
    (games / "shared.py").write_text("SIZE = 5\n")
    assert run(verdict(lab, "shared")).status == "no_game"
    text = changed("DISCS, RESULT =", "from shared import SIZE\nDISCS, RESULT =").replace('"connect_four"', '"sharing"')
    (games / "sharing.py").write_text(text.replace("GAME = ", "assert SIZE == 7, SIZE\nGAME = "))
    first = run(verdict(lab, "sharing"))
    assert (first.status, first.stage) == ("failed", "load")
    assert "AssertionError: 5" in first.message
    (games / "shared.py").write_text("SIZE = 7\nSIZE = SIZE.missing\n")
    second = run(verdict(lab, "sharing"))
    assert (second.file, second.line) == ("shared.py", 2)
    for name in ("shared", "sharing"):
        (games / f"{name}.py").unlink()
    for name in ("nothing", "../up", "a/b"):
        with pytest.raises(NotFound):
            run(lab.check_own_game(name))


def test_a_service_without_a_folder_has_none(run: Any, service: Service) -> None:
    assert run(service.own_games()).games == []
    assert not run(service.own_games()).allowed
    with pytest.raises(NotAllowed):
        run(service.check_own_game("connect_four"))
