"""Foreign engines that fail: one typed error for each way, and no process left behind."""

import contextlib
import os
import pickle
import shlex
import sys
import time
from pathlib import Path

import pytest

import boyi
from boyi.games import Position
from boyi.players import Limit, Player, UnknownPlayer, player
from boyi.protocols import CommandPlayer, EngineFailure, Reason
from boyi.protocols import process as engine_process

HOSTILE = Path(__file__).with_name("hostile_engine.py")
GAMES = {
    "gtp": "othello",
    "nboard": "othello",
    "gomocup": "gomoku:size=15",
    "ewn": "einstein",
    "connect6": "connect6",
    "botzone": "othello",
    "json": "othello",
}
SHORT = Limit(seconds=0.1)


def hostile(protocol: str, mode: str, options: str = "") -> str:
    return f"cmd:{protocol}{options}:{shlex.quote(sys.executable)} {shlex.quote(str(HOSTILE))} {protocol} {mode}"


def opening(protocol: str) -> Position:
    """A position in which the hostile engine's illegal move is illegal."""
    game = boyi.game(GAMES[protocol])
    if protocol == "ewn":
        return game.start().play("3")
    if protocol == "gomocup":
        return game.start().play("h8")
    if protocol == "connect6":
        return game.start().play("j10")
    return game.start()


def failure(protocol: str, mode: str, options: str = "") -> tuple[EngineFailure, int]:
    """What an engine's failure is, and the process that was."""
    position = opening(protocol)
    with player(hostile(protocol, mode, options), position.game) as engine:
        assert isinstance(engine, CommandPlayer)
        number = engine.client.engine._process.pid
        with pytest.raises(EngineFailure) as caught:
            engine.choose(position, SHORT)
        assert not alive(number)
        return caught.value, number


def alive(number: int) -> bool:
    """Whether a process is there; a zombie that nobody reaped counts."""
    return Path(f"/proc/{number}").exists()


def wait_until_gone(number: int) -> None:
    """Until a process has gone that init has to reap."""
    until = time.monotonic() + 60
    with contextlib.suppress(OSError):  # there is nothing to read any more
        while Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
            assert time.monotonic() < until
            time.sleep(0.01)


@pytest.mark.parametrize("protocol", GAMES)
def test_illegal_move(protocol: str) -> None:
    error, _ = failure(protocol, "illegal")
    assert error.reason is Reason.ILLEGAL
    assert "legal are" in error.detail or "two stones" in error.detail
    assert error.last_lines


@pytest.mark.parametrize("protocol", GAMES)
def test_crash(protocol: str) -> None:
    error, _ = failure(protocol, "crash")
    assert error.reason is Reason.CRASH
    assert error.detail == "exit code 3"
    assert error.last_lines[-1] == "Segmentation fault, nearly"
    assert "Segmentation fault" in str(error)


@pytest.mark.parametrize("protocol", GAMES)
def test_silence(protocol: str) -> None:
    assert failure(protocol, "silent", ",grace_s=0.3")[0].reason is Reason.MOVE_TIMEOUT


@pytest.mark.parametrize("protocol", GAMES)
def test_flood(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a line that is no answer is an error in itself, it does not come to a flood."""
    monkeypatch.setattr(engine_process, "MOST_BYTES", 100_000)
    wanted = Reason.FLOOD if protocol in ("gtp", "nboard") else Reason.GARBAGE
    assert failure(protocol, "flood", ",grace_s=60")[0].reason in (wanted, Reason.FLOOD)


def test_a_flood_of_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_process, "MOST_BYTES", 100_000)
    error, _ = failure("gomocup", "log-flood", ",grace_s=60")
    assert error.reason is Reason.FLOOD
    assert error.last_lines[0] == "thinking very hard about it"


def test_an_engine_that_does_not_read() -> None:
    """The pipe is full after a while; writing does not wait for ever."""
    engine = engine_process.EngineProcess([sys.executable, "-c", "import time; time.sleep(1000)"])
    with pytest.raises(EngineFailure, match="does not read") as caught:
        engine.send(*["x" * 1000] * 1000, deadline=time.monotonic() + 0.3)
    assert caught.value.reason is Reason.MOVE_TIMEOUT
    assert not engine.running


@pytest.mark.parametrize("protocol", ["gtp", "gomocup", "json"])
def test_a_line_without_end(protocol: str) -> None:
    error, _ = failure(protocol, "long-line", ",grace_s=60")
    assert error.reason is Reason.FLOOD
    assert all(len(line) <= 200 for line in error.last_lines)


@pytest.mark.parametrize("protocol", GAMES)
@pytest.mark.parametrize("mode", ["garbage", "bytes"])
def test_garbage(protocol: str, mode: str) -> None:
    """Where a line that is no answer is passed over, time has to run out first."""
    waits = protocol in ("gtp", "nboard")
    error, _ = failure(protocol, mode, ",grace_s=1" if waits else ",grace_s=60")
    assert error.reason is Reason.GARBAGE
    assert error.last_lines


@pytest.mark.parametrize("protocol", ["gtp", "gomocup", "json"])
def test_refusal(protocol: str) -> None:
    error, _ = failure(protocol, "refuse")
    assert error.reason is Reason.REFUSED
    assert "cannot" in error.detail


@pytest.mark.parametrize(("mode", "detail"), [("killed", "signal 9"), ("closes", "it closed its pipes")])
def test_other_ends(mode: str, detail: str) -> None:
    error, _ = failure("gtp", mode)
    assert (error.reason, error.detail) == (Reason.CRASH, detail)


def test_the_whole_process_group_is_killed() -> None:
    """An engine that ignores signals, with a child of its own."""
    error, number = failure("gtp", "stubborn", ",grace_s=0.3")
    (line,) = [line for line in error.last_lines if line.startswith("pids")]
    leader, child = (int(word) for word in line.split()[1:])
    assert leader == number
    wait_until_gone(child)


def test_closing_ends_a_thinking_engine() -> None:
    engine = player(hostile("gomocup", "silent"), boyi.game("gomoku:size=15"))
    assert isinstance(engine, CommandPlayer)
    number = engine.client.engine._process.pid
    assert alive(number)
    engine.close()
    engine.close()
    assert not alive(number)


def test_a_forgotten_engine_is_ended() -> None:
    engine: Player | None = player(hostile("gomocup", "silent"), boyi.game("gomoku:size=15"))
    assert isinstance(engine, CommandPlayer)
    number = engine.client.engine._process.pid
    del engine
    assert not alive(number)


@pytest.mark.parametrize(
    ("mode", "reason"),
    [("start-silent", Reason.STARTUP_TIMEOUT), ("start-crash", Reason.CRASH), ("start-flood", Reason.FLOOD)],
)
@pytest.mark.parametrize("protocol", ["gtp", "nboard", "gomocup", "ewn", "connect6", "json"])
def test_start(protocol: str, mode: str, reason: Reason, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_process, "MOST_BYTES", 100_000)
    before = children()
    startup = "0.3" if reason is Reason.STARTUP_TIMEOUT else "60"
    with pytest.raises(EngineFailure) as caught:
        player(hostile(protocol, mode, f",startup_s={startup}"), boyi.game(GAMES[protocol]))
    allowed = {reason} | ({Reason.GARBAGE, Reason.REFUSED} if reason is Reason.FLOOD else set())
    assert caught.value.reason in allowed
    assert children() == before


def children() -> set[int]:
    """The processes that this one has started."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            if stat.read_text().rpartition(")")[2].split()[1] == str(os.getpid()):
                found.add(int(stat.parent.name))
    return found


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(EngineFailure, match="no-such-program") as caught:
        boyi.player("cmd:gtp:no-such-program --gtp", boyi.game("othello"))
    assert caught.value.reason is Reason.START
    assert isinstance(caught.value, OSError)


def test_failures_survive_pickling() -> None:
    error = EngineFailure(Reason.CRASH, "exit code 3", "engine --gtp", ["one", "two"])
    again = pickle.loads(pickle.dumps(error))
    assert (again.reason, again.detail, again.command, again.last_lines) == (
        Reason.CRASH,
        "exit code 3",
        "engine --gtp",
        ("one", "two"),
    )
    assert str(again) == str(error)


def test_a_failed_engine_fails_again() -> None:
    position = opening("ewn")
    with player(hostile("ewn", "crash"), position.game) as engine:
        with pytest.raises(EngineFailure) as first:
            engine.choose(position, SHORT)
        with pytest.raises(EngineFailure) as second:
            engine.choose(position, SHORT)
        assert second.value is first.value


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("cmd", "unknown protocol ''"),
        ("cmd:uci:stockfish", "known are botzone, connect6"),
        ("cmd:gtp", "names no program"),
        ("cmd:gtp:", "names no program"),
        ("cmd:gtp:'unclosed", "no command line"),
        ("cmd:gtp,speed=3:edax", "no option 'speed=3'"),
        ("cmd:gtp,depth=3:edax", "depth is an option of the protocol nboard"),
        ("cmd:gtp,grace_s=soon:edax", "no option 'grace_s=soon'"),
        ("cmd:gtp,grace_s=-1:edax", "no option 'grace_s=-1'"),
    ],
)
def test_texts_that_name_no_engine(text: str, part: str) -> None:
    with pytest.raises(UnknownPlayer, match=part.replace("(", r"\(")):
        boyi.player(text, boyi.game("othello"))


def test_a_game_that_the_protocol_has_not() -> None:
    with pytest.raises(boyi.GameError, match="the protocol gomocup has no othello; it has gomoku"):
        boyi.player("cmd:gomocup:true", boyi.game("othello"))
    with pytest.raises(boyi.GameError, match="win=4"):
        boyi.player("cmd:gomocup:true", boyi.game("gomoku:win=4"))


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    made = tmp_path / "made"
    with pytest.raises(EngineFailure):
        boyi.player(f"cmd:gtp,startup_s=20:echo hello; touch {made}", boyi.game("othello"))
    with pytest.raises(EngineFailure):
        boyi.player(f"cmd:gtp,startup_s=20:echo $(touch {made}) > {made}", boyi.game("othello"))
    assert not made.exists()


def test_a_match_records_the_loss() -> None:
    from boyi.arena import play_named_match

    result = play_named_match("gomoku:size=15", hostile("gomocup", "crash"), "random", games=2, openings=0)
    assert (result.games, result.losses) == (2, 2)
    assert all("crashed" in row.reason for row in result.rows)
