"""The folder of a contest: what `boyi.arena` keeps there, and `contest.json`. Runs in threads.

`contest.json` has who takes part, by the names that visitors know, what is wanted of the contest (`running`, `stopped`,
or `failed`), and a message.
"""

import contextlib
import fcntl
import functools
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boyi.arena.match import GameRow
from boyi.arena.plan import Plan
from boyi.arena.report import Standings
from boyi.arena.store import GAMES, read_records, read_rows
from boyi.arena.tournament import Moved
from boyi.games.errors import GameError
from boyi.games.randomness import generator
from boyi.records import FORMATS, Record, write_records
from boyi.service import boards
from boyi.service.errors import NameTaken, NotFound, StorageError
from boyi.service.folders import free_folder
from boyi.service.views_contests import MeetingView, NewContest, RunningGame
from boyi.train.files import write_file

FACTS = "contest.json"
ID = re.compile(r"[a-z0-9][a-z0-9-]{0,27}")


def ids(folder: Path) -> list[str]:
    """All contests, the last changed first."""
    if not folder.is_dir():
        return []
    found = [file for file in folder.glob(f"*/{FACTS}") if ID.fullmatch(file.parent.name)]
    return [file.parent.name for file in sorted(found, key=lambda file: file.stat().st_mtime_ns, reverse=True)]


def make(contests: Path, wanted: NewContest, game: str, plan: Plan) -> str:
    """The folder of a contest that has not begun; its id."""
    try:
        contests.mkdir(parents=True, exist_ok=True)
        folder = contests / wanted.name if wanted.name else free_folder(contests, game)
        if wanted.name:
            folder.mkdir()
        write_file(folder / "plan.json", plan.to_json())
        facts = {"entrants": wanted.entrants, "state": "running", "message": ""}
        write_file(folder / FACTS, json.dumps(facts, ensure_ascii=False))
    except FileExistsError:
        raise NameTaken(f"there is a contest called {wanted.name!r} already; choose another name") from None
    except OSError as error:
        raise StorageError(f"the contest cannot be kept: {error.strerror or error}") from error
    return folder.name


def facts_of(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        return {"entrants": list(found["entrants"]), "state": str(found["state"]), "message": str(found["message"])}
    except (OSError, ValueError, KeyError, TypeError):
        raise NotFound(f"the contest {folder.name!r} is damaged; delete its folder") from None


def want(folder: Path, state: str, message: str = "") -> None:
    facts = facts_of(folder) | {"state": state, "message": message}
    try:
        write_file(folder / FACTS, json.dumps(facts, ensure_ascii=False))
    except OSError as error:
        raise StorageError(f"the contest cannot be kept: {error.strerror or error}") from error


def in_use(folder: Path) -> bool:
    """Whether any process, or another thread of this one, plays in a folder."""
    try:
        with (folder / GAMES).open("rb") as games:
            fcntl.flock(games, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def rows(folder: Path) -> list[GameRow]:
    return read_rows(folder) if (folder / GAMES).is_file() else []


def records(folder: Path) -> Iterator[Record]:
    """The games that are over, with the names that visitors know and nothing that only the server should."""
    names = facts_of(folder)["entrants"]
    for record in read_records(folder) if (folder / GAMES).is_file() else ():
        first, second = map(int, record.headers["players"].split())
        seated = (first, second) if record.headers["seat"] == "0" else (second, first)
        headers = {"event": folder.name, "round": record.headers["number"]}
        yield record.changed(players=(names[seated[0]], names[seated[1]]), headers=headers)


def meeting(standings: Standings, row: int, column: int) -> MeetingView:
    points, games = standings.meeting(row, column)
    return MeetingView(points=points, games=games)


def running_game(plan: Plan, names: list[str], moved: Moved) -> RunningGame:
    fixture = moved.fixture
    seated = (fixture.first, fixture.second) if fixture.seat == 0 else (fixture.second, fixture.first)
    game = boards.rules_named(plan.game)
    position = game.start(seed=int(generator(plan.seed, fixture.pair)[0] >> 33))
    with contextlib.suppress(GameError):  # an opening with a start of its own: shown when the game is over
        position = boards.replay(position, list(moved.history))
    return RunningGame(
        number=fixture.number,
        players=(names[seated[0]], names[seated[1]]),
        plies=len(moved.history),
        position=boards.position_view(position),
    )


@functools.lru_cache(64)
def formats(rules: str) -> tuple[str, ...]:
    """The formats that can hold games, by an example."""
    found = []
    start = boards.rules_named(rules).start()
    example = Record.of(start.game, start.moves[:1])
    with tempfile.TemporaryDirectory(prefix="boyi-contest-") as place:
        for format in FORMATS.values():
            if write_records([example], Path(place) / f"example{format.suffixes[0]}", format.name):
                found.append(format.name)
    return tuple(found)
