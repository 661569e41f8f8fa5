"""Openings: the shipped sets, files of one's own, and how sets are made."""

from pathlib import Path

import pytest

import boyi
from boyi.arena.openings import (
    BALANCED,
    find_openings,
    make_openings,
    opening_position,
    opening_start,
    read_openings,
    write_openings,
)
from boyi.arena.plan import make_plan


@pytest.mark.parametrize("name", boyi.games())
def test_shipped_sets_are_playable_and_distinct(name: str) -> None:
    game = boyi.game(name)
    lines = find_openings(game, BALANCED)
    assert len(lines) >= (10 if name == "tictactoe" else 200)
    canonical = set()
    for line in lines:
        position = opening_position(game, line)
        assert position.turn is not None
        turned = [game.transform(position.state, symmetry)[: game.num_core].tobytes() for symmetry in game.symmetries]
        canonical.add(min(turned))
    assert len(canonical) == len(lines)


def test_tictactoe_openings_are_draws() -> None:
    game = boyi.game("tictactoe")
    for line in find_openings(game, BALANCED):
        assert boyi.solve(opening_position(game, line)).value == 0


def test_connect6_openings_are_whole_turns() -> None:
    game = boyi.game("connect6")
    for line in find_openings(game, BALANCED):
        _, moves = opening_start(game, line)
        assert len(moves) % 2 == 1


def test_matches_take_a_set_where_nothing_else_gives_variety() -> None:
    assert make_plan("othello", ("random", "random"), games=2).lines == find_openings(boyi.game("othello"), BALANCED)
    assert make_plan("einstein", ("random", "random"), games=2).lines == ()
    assert make_plan("gomoku:size=9", ("random", "random"), games=2).lines == ()
    chosen = make_plan("einstein", ("random", "random"), games=2, openings="balanced")
    assert chosen.lines[0].startswith("@")
    plies = make_plan("othello", ("random", "random"), games=2, openings="3")
    assert (plies.openings, plies.lines) == (3, ())


def test_made_openings_are_even_and_repeatable(tmp_path: Path) -> None:
    game = boyi.game("tictactoe")
    made = make_openings(game, count=6, tries=60, nodes=5000, plies=3, seed=1)
    assert [opening.uneven for opening in made] == [0] * 6
    assert make_openings(game, count=6, tries=60, nodes=5000, plies=3, seed=1) == made
    assert all(boyi.solve(opening_position(game, opening.line)).value == 0 for opening in made)
    write_openings(tmp_path / "own", made, "made by a test")
    assert read_openings(game, tmp_path / "own") == tuple(opening.line for opening in made)
    assert (tmp_path / "own").read_text().startswith("# made by a test\n")


def test_set_ups_are_openings_where_the_game_has_them() -> None:
    game = boyi.game("einstein")
    made = make_openings(game, count=3, tries=8, nodes=200, most_uneven=1.0)
    assert len(made) == 3
    assert [opening.uneven for opening in made] == sorted(opening.uneven for opening in made)
    start, moves = opening_start(game, made[0].line)
    assert moves == ()
    assert start.turn == boyi.CHANCE


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("a1 a1\n", "line 1: illegal move 'a1'"),
        ("# fine\na1\n\nz9\n", "line 4: illegal move 'z9'"),
        ("a1 a2 b1 b2 c1\n", "line 1: the game is over"),
        ("@nonsense\n", "line 1"),
        ("# nothing\n", "has no opening"),
    ],
)
def test_wrong_files_name_the_line(content: str, named: str, tmp_path: Path) -> None:
    file = tmp_path / "own"
    file.write_text(content)
    with pytest.raises(boyi.GameError, match=named):
        read_openings(boyi.game("tictactoe"), file)


def test_missing_sets_are_told(tmp_path: Path) -> None:
    with pytest.raises(boyi.GameError, match="no balanced set of openings"):
        find_openings(boyi.game("gomoku", size=9), BALANCED)
    with pytest.raises(boyi.GameError, match="neither a number, nor 'balanced', nor a file"):
        find_openings(boyi.game("othello"), str(tmp_path / "absent"))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(boyi.GameError, match="neither a number"):
        find_openings(boyi.game("othello"), str(tmp_path / "binary"))
    with pytest.raises(boyi.GameError, match="count=0"):
        make_openings(boyi.game("tictactoe"), count=0, tries=1, nodes=1)
