"""Positions put together by hand, as the board editor does it."""

import pytest

import boyi
from boyi.games import BadPosition, Game

VARIANTS = [
    "othello",
    "othello:size=6",
    "gomoku:size=9",
    "gomoku:variant=renju",
    "connect6:size=9",
    "einstein",
    "tictactoe",
]


def known_of(game: Game, position: boyi.Position) -> dict[str, object]:
    """What an editor that shows this position would know besides the cells and whose turn it is."""
    words = position.key.split()
    known: dict[str, object] = {}
    if "die" in game.composed_with:
        known["die"] = None if words[-1] == "-" else int(words[-1])
    if "stones_left" in game.composed_with:
        known["stones_left"] = int(words[2])
    if "passed" in game.composed_with:
        known["passed"] = words[-1] == "pass"
    return known


def mover_of(position: boyi.Position) -> int:
    if position.turn == boyi.CHANCE:
        position = position.play(position.moves[0])
    assert position.turn is not None
    return position.turn


@pytest.mark.parametrize("rules", VARIANTS)
def test_every_position_of_a_game_can_be_put_together(rules: str) -> None:
    game = boyi.game(rules)
    position = game.start(seed=3)
    for ply in range(60):
        if position.turn is None:
            break
        made = game.compose(position.cells, mover_of(position), **known_of(game, position))
        assert made.cells == position.cells
        assert (made.turn, made.moves, made.caption) == (position.turn, position.moves, position.caption)
        position = position.play(position.moves[(7 * ply) % len(position.moves)])


def test_a_finished_position_is_over() -> None:
    game = boyi.game("tictactoe")
    made = game.compose([["X", "X", "X"], ["O", "O", ""], ["", "", ""]], 1)
    assert made.outcome is not None
    assert made.outcome.winner == 0


def test_rings_may_have_begun() -> None:
    game = boyi.game("tictactoe")
    position = game.compose([[""] * 3] * 3, 1)
    for ply, move in enumerate(["b2", "a3", "a2", "c2", "c3", "a1", "b3", "b1", "c1"]):
        assert (position.turn, len(position.moves)) == (1 - ply % 2, 9 - ply)
        assert game.compose(position.cells, 1 - ply % 2).moves == position.moves
        position = position.play(move)
        assert game.position(position.key).cells == position.cells
        assert game.position(position.key).turn == position.turn
    assert position.outcome is not None
    assert position.outcome.winner is None
    with pytest.raises(BadPosition, match="not O who is to move"):
        game.compose([["O", "", ""], [""] * 3, [""] * 3], 1)


def test_connect6_puts_two_stones_unless_told_otherwise() -> None:
    game = boyi.game("connect6", size=6)
    empty = [[""] * 6 for _ in range(6)]
    assert game.compose(empty, 0).caption.endswith("one stone")
    some = [["X", *[""] * 5], *empty[1:]]
    assert game.compose(some, 1).caption.endswith("two stones")
    assert game.compose(some, 1, stones_left=1).caption.endswith("one stone")


def test_othello_after_a_pass() -> None:
    game = boyi.game("othello", size=4)
    cells = [["X", "O", "", ""], *[["X"] * 4] * 2, ["X", "X", "X", ""]]
    assert game.compose(cells, 0, passed=True).key.endswith("X pass")
    start = game.start().cells
    with pytest.raises(BadPosition, match="White cannot have passed: it can play"):
        game.compose(start, 0, passed=True)


@pytest.mark.parametrize(
    ("rules", "change", "message"),
    [
        ("othello", {"cells": [["X"]]}, "not 8 rows of 8"),
        ("gomoku", {"cells": [["R1", *[""] * 14], *[[""] * 15] * 14]}, "'R1' on a15 is no piece"),
        ("gomoku", {"turn": 2}, "turn=2"),
        ("gomoku", {"die": 3}, "die=3 is not possible in gomoku"),
        ("othello", {"stones_left": 1}, "stones_left=1"),
        ("einstein", {"passed": True}, "passed=True"),
        ("einstein", {"die": 7}, "die=7"),
        ("einstein", {"cells": [["R1", "R1", "", "", "B1"], *[[""] * 5] * 4]}, "R1 stands on a5 and on b5"),
        ("einstein", {"cells": [["B1", "", "", "", "R1"], *[[""] * 5] * 4], "turn": 1}, "it has won"),
        ("connect6", {"stones_left": 3}, "how many stones"),
        ("tictactoe", {"cells": [["X", "", ""], [""] * 3, [""] * 3]}, "not X who is to move"),
        ("tictactoe", {"cells": [["X", "X", ""], [""] * 3, [""] * 3]}, "cannot come about"),
        ("gomoku:size=5", {"cells": [["X"] * 5, ["O"] * 5, *[[""] * 5] * 3]}, "both sides have 5"),
    ],
)
def test_what_is_no_position_is_named(rules: str, change: dict[str, object], message: str) -> None:
    game = boyi.game(rules)
    wanted: dict[str, object] = {"cells": game.start().cells, "turn": 0} | change
    with pytest.raises(BadPosition, match=message):
        game.compose(wanted.pop("cells"), wanted.pop("turn"), **wanted)  # type: ignore[arg-type]


def test_a_game_whose_keys_are_moves_says_so(tmp_path: object) -> None:
    class Plain(Game):
        name = "plain"

    with pytest.raises(BadPosition, match="reached by playing"):
        Plain(boyi.game("tictactoe").rules).compose([], 0)
