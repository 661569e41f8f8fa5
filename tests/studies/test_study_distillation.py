"""The study of a quick net taught by a deep one: the teacher's games, and its quick version."""

import json
from pathlib import Path

import numpy as np

import boyi
from boyi.cli.main import main
from boyi.quick.lines_board import index_of, make_board
from boyi.quick.lines_learn import UNSEARCHED
from boyi.quick.lines_weights import board_tables, first_weights
from boyi.studies.distillation import BATCH, play_batch


def test_the_teachers_games_are_games() -> None:
    game = boyi.game("gomoku", size=9)
    board = make_board(game.rules, board_tables(game.rules, first_weights(game.rules, 0)))
    games = play_batch(boyi.player("alphabeta:depth=1", game), board, 3, 0)
    assert len(games.lengths) == BATCH
    assert len(set(games.lengths.tolist())) > 1, "openings differ"
    for points, scores, length, result in zip(*games, strict=True):
        position = game.start()
        for point in points[:length].tolist():
            position = position.play_action(int(index_of(board, point)))
        assert position.outcome is not None
        winner = position.outcome.winner
        assert result == (0 if winner is None else 1 - 2 * winner)
        assert (scores[length - 4 : length] != UNSEARCHED).all()
        assert winner is None or scores[length - 1] > 0, "the winner's last move is a good one for the mover"
    assert (np.abs(games.results) == 1).any()


def test_its_quick_version(tmp_path: Path, capsys) -> None:
    arguments = ["study", "distillation", "--quick", "--dir", str(tmp_path), "--seed", "2"]
    assert main([*arguments, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["games"] for row in rows] == [2, 2, 2]
    assert "taught" in rows[0]["first"]
    batch = (tmp_path / "gomoku-size-9" / "games" / "0000.safetensors").stat().st_mtime_ns
    assert main(arguments) == 0, "it goes on with what is there"
    assert (tmp_path / "gomoku-size-9" / "games" / "0000.safetensors").stat().st_mtime_ns == batch
    assert "| gomoku:size=9 | self-taught | deep net | 2 |" in capsys.readouterr().out


def test_wrong_minutes(capsys) -> None:
    assert main(["study", "distillation", "--minutes", "0"]) == 2
    assert "--minutes 0" in capsys.readouterr().err
