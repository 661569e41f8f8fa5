"""`boyi engine`: what it serves, and what it refuses, from the command line."""

import json
import subprocess
import sys

import pytest

from boyi.cli.main import main
from boyi.protocols.calling import PROTOCOLS
from boyi.protocols.serve import USUAL_GAMES


@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
def test_every_protocol_is_served(protocol: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", protocol, "--player", "random", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["protocol"] == protocol
    assert found["game"] == USUAL_GAMES[protocol].partition(":")[0]
    assert found["player"] == "random"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["uci"], "uci"),
        (["nboard", "--game", "gomoku"], "the protocol nboard has no gomoku; it has othello"),
        (["gtp", "--game", "einstein"], "the protocol gtp has no einstein"),
        (["gtp", "--game", "chess"], "unknown game 'chess'"),
        (["gtp", "--player", "nobody"], "unknown player 'nobody'"),
        (["gtp", "--seconds", "-1"], "seconds=-1.0 is not possible"),
        (["gtp", "--workers", "2"], "workers is an option of the protocol json"),
        (["gtp", "--swap"], "swap is an option of the protocol botzone"),
        (["json", "--workers", "0"], "workers=0 is not possible"),
        (["gomocup", "--game", "gomoku:win=4"], "win=4 is not possible in the Gomocup protocol"),
        (["botzone", "--game", "othello:size=6"], "size=6 is not possible on Botzone"),
    ],
)
def test_wrong_usage(arguments: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", *arguments]) == 2
    captured = capsys.readouterr()
    assert part in captured.err
    assert captured.out == ""


def test_only_the_protocol_is_on_standard_output() -> None:
    run = (sys.executable, "-c", "from boyi.cli.main import run; run()", "engine", "connect6", "--player", "random")
    done = subprocess.run(run, input="name?\nnew black\nquit\n", capture_output=True, text=True, timeout=300)
    name, move, end = done.stdout.splitlines()
    assert (name, end) == ("name Boyi", "Quit!")
    assert move.startswith("move ")
    assert move.endswith("@@")
    assert done.returncode == 0


def test_an_engine_that_fails_is_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "othello", "--against", "cmd:gtp:no-such-program"]) == 1
    captured = capsys.readouterr()
    assert "engine 'no-such-program' did not start" in captured.err
