"""`boyi recognise`: what it prints, what it refuses, and its exit codes."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import boyi
from boyi.cli.main import main


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A picture of Othello after one move."""
    file = tmp_path / "board.png"
    file.write_bytes(boyi.draw.png(boyi.game("othello").start().play("d3").svg(size=420)))
    return file


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_json(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recognise", str(board), "--json"]) == 0
    found = printed(capsys)
    wanted = boyi.game("othello").start().play("d3")
    assert found["game"] == "othello"
    assert boyi.game("othello").position(found["key"]).cells == wanted.cells
    assert found["turn"] == 1
    assert 0.5 < found["confidence"] <= 1
    assert found["refused"] is None
    assert [[cell["text"] for cell in row] for row in found["cells"]] == [list(row) for row in wanted.cells]
    assert all(0 <= cell["confidence"] <= 1 for row in found["cells"] for cell in row)


def test_the_best_move_is_marked_here(board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "read.png"
    arguments = ["recognise", str(board), "--best", "greedy", "--turn", "white", "--out", str(out)]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    move = text.partition("Here: ")[2].strip()
    assert move in boyi.game("othello").start().play("d3").moves
    shown, plain = (cv2.imdecode(np.frombuffer(f.read_bytes(), np.uint8), 1) for f in (out, board))
    assert shown.shape == plain.shape
    assert (shown != plain).any()


def test_a_picture_without_a_board_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "grey.png"
    file.write_bytes(cv2.imencode(".png", np.full((200, 300, 3), 120, np.uint8))[1].tobytes())
    assert main(["recognise", str(file), "--json"]) == 1
    said = capsys.readouterr()
    assert "no board" in json.loads(said.out)["refused"]
    assert "refused" in said.err


def test_a_refusal_has_the_nearest_guess(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recognise", str(board), "--game", "einstein", "--json"]) == 1
    found = printed(capsys)
    assert "8 by 8" in found["refused"]
    assert len(found["guess"]["cells"]) == 8


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nothing.png"], 1, "nothing.png"),
        ([], 2, "recognise reads a picture"),
        (["{board}", "--turn", "green"], 2, "'green'"),
        (["{board}", "--corners", "1,2 3,4"], 2, "takes 8 numbers"),
        (["{board}", "--game", "ludo"], 2, "'ludo'"),
        (["{board}", "--out", "/no/such/folder/x.png"], 1, "no folder"),
        (["{text}"], 2, "no picture of a known kind"),
        (["{empty}"], 2, "is empty"),
    ],
)
def test_bad_input_is_named(
    arguments: list[str], code: int, message: str, board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, empty = tmp_path / "text.png", tmp_path / "empty.png"
    text.write_text("this is no picture, whatever its name says")
    empty.write_bytes(b"")
    filled = [word.format(board=board, text=text, empty=empty) for word in arguments]
    assert main(["recognise", *filled]) == code
    said = capsys.readouterr()
    assert message in said.err.replace("\n", "")
    assert "Traceback" not in said.err
