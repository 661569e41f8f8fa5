"""`boyi serve` as a process: binding, ports, signals, kills."""

import itertools
import random
import signal
import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from boyi.cli.main import main
from boyi.web.folder import cookie_secret, data_folder
from boyi.web.process import COMMAND, ServerProcess, environment


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a command run in this process."""
    monkeypatch.setenv("BOYI_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("BOYI_PASSWORD", raising=False)
    return tmp_path


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", ""])
def test_other_addresses_need_a_password(folder: Path, capsys: pytest.CaptureFixture[str], host: str) -> None:
    assert main(["serve", "--host", host, "--port", "0"]) == 2
    assert "--password-file" in capsys.readouterr().err
    assert not list(folder.iterdir())


def test_bad_settings_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "boyi.toml").write_text("engines.x = 'rm -rf /'")
    assert main(["serve", "--port", "0", "--config", str(folder / "boyi.toml")]) == 2
    assert "cmd:PROTOCOL:COMMAND" in capsys.readouterr().err
    assert main(["serve", "--port", "0", "--config", str(folder / "none.toml")]) == 2
    assert "cannot read the settings" in capsys.readouterr().err


def test_the_command_refuses_as_a_process(tmp_path: Path) -> None:
    command = [*COMMAND, "--host", "0.0.0.0", "--port", "0"]
    ended = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stdout, "Traceback" in ended.stderr) == (2, "", False)


def test_bad_options(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty").write_text("")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for arguments, code, text in (
            (["--host", "0.0.0.0", "--password-file", str(folder / "empty")], 2, "no password"),
            (["--password-file", str(folder / "missing")], 1, "missing"),
            (["--port", "70000"], 2, "70000"),
            (["--workers", "0"], 2, "--workers"),
            (["--port", port], 1, "--port 0"),
            (["--port", "0", "--database", "nonsense"], 2, "nonsense"),
            (["--port", "0", "--database", "mysql://root@localhost/x"], 2, "mysql"),
        ):
            assert main(["serve", *arguments]) == code
            printed = capsys.readouterr()
            assert text in printed.err.replace("\n", "")
            assert printed.out == ""


def test_a_database_that_cannot_be_opened(tmp_path: Path) -> None:
    command = [*COMMAND, "--port", "0", "--database", "sqlite:////nowhere/at/all.db"]
    ended = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stdout, "Traceback" in ended.stderr) == (1, "", False), ended.stderr
    assert "nowhere" in ended.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_in_order(tmp_path: Path, number: int) -> None:
    server = ServerProcess(tmp_path, "--workers", "1")
    assert httpx.get(server.api + "/status", timeout=60).status_code == 200
    assert server.stop(number=number) == 0


def play_until_gone(client: httpx.Client, game: str, kill: Callable[[], None]) -> int:
    """Play moves, kill the server at some moment after the third, go on; returns how many moves were confirmed."""
    view = client.get(f"/games/{game}").json()
    killer = threading.Timer(random.uniform(0, 0.1), kill)
    for count in itertools.count():
        if count == 3:
            killer.start()
        wanted = {"move": view["position"]["moves"][-1]["move"], "ply": len(view["moves"])}
        try:
            view = client.post(f"/games/{game}/moves", json=wanted).raise_for_status().json()
        except httpx.TransportError:
            break
    killer.join()
    return len(view["moves"])


def test_every_confirmed_move_survives_kills(tmp_path: Path) -> None:
    """A client plays while the server is killed at random moments, without warning; then all it was told is there."""
    token, game, told = "", "", 0
    for _ in range(3):
        server = ServerProcess(tmp_path, "--workers", "1")
        with httpx.Client(base_url=server.api, timeout=60) as client:
            token = token or client.post("/visitors").json()["token"]
            client.headers["Authorization"] = f"Bearer {token}"
            if not game:
                game = client.post("/games", json={"rules": "gomoku", "seats": ["human", "human"]}).json()["id"]
            # of what the client was not told, at most the last move was kept
            assert told <= len(client.get(f"/games/{game}").json()["moves"]) <= told + 1
            told = play_until_gone(client, game, server.process.kill)
        assert server.stop() == -signal.SIGKILL
    assert told >= 9


def test_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOYI_DATA_DIR", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert data_folder() == tmp_path / "share" / "boyi"
    monkeypatch.setenv("BOYI_DATA_DIR", str(tmp_path / "mine"))
    assert data_folder() == tmp_path / "mine"
    secret = cookie_secret(data_folder())
    assert len(secret) > 30
    assert cookie_secret(data_folder()) == secret
    assert (tmp_path / "mine" / "secret").stat().st_mode & 0o777 == 0o600
