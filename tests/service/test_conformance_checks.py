"""The check of users' rules files: the documentation's example keeps every promise, and each broken one is told."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from boyi.draw import Piece
from boyi.games import Game, Symmetry
from boyi.games.registry import load
from boyi.service.conformance import CHECKS, Wrong

GAME = load(Path(__file__).resolve().parents[2] / "examples" / "connect_four.py")
NAME = "connect_four"


def test_the_example_keeps_every_promise() -> None:
    for check in CHECKS.values():
        check(GAME, NAME)


def with_changes(**changes: Any) -> Game:
    """The example with other attributes; its rules, and so what is compiled, stay."""
    return type("Changed", (type(GAME),), changes)(GAME.rules)


def mirrored(self: Game) -> tuple[Symmetry, ...]:
    """The mirror image without exchanging the columns."""
    first, mirror = GAME.symmetries
    return first, Symmetry(mirror.name, mirror.squares, first.actions, mirror.planes)


def cases() -> Iterator[tuple[str, str, Game]]:
    yield "facts", "its name must be that of the file", with_changes(name="other")
    yield "facts", "title is a text", with_changes(title="")
    yield "facts", "players are two names", with_changes(players=("Red",))
    yield "facts", "they must be the same", with_changes(parameters={"rows": range(4, 11)})
    yield "facts", "is the default and not among", with_changes(parameters={"rows": range(9), "columns": range(5)})
    yield "facts", "shape is rows and columns", with_changes(shape=(6, 60), squares=("a",) * 360)
    yield "facts", "num_actions is a number", with_changes(num_actions=7.0)
    yield "facts", "observers are names", with_changes(observers={})
    yield "rules", "set all of mask", with_changes(num_actions=9)
    yield "texts", "is read back as", with_changes(read_move=lambda self, state, move: 0)
    yield (
        "texts",
        "'nonsense' is read as a move",
        with_changes(read_move=lambda self, state, move: GAME.read_move(state, move[:1]) if move[0] != "n" else 3),
    )
    yield "texts", "two actions are written alike", with_changes(write_move=lambda self, state, action: "a")
    yield "texts", "a move is a text", with_changes(write_move=lambda self, state, action: f"column {action}")
    yield "texts", "is read back as another position", with_changes(read_key=lambda self, key: GAME.start())
    yield "texts", "which is not in pieces", with_changes(pieces={"X": Piece("disc", "red")})
    yield "texts", "touched are at most two squares", with_changes(touched=lambda self, state, action: (99,))
    yield "symmetries", "action 2 leads elsewhere", with_changes(symmetries=cached_property(mirrored))


CASES = list(cases())


@pytest.mark.parametrize(("stage", "told", "game"), CASES, ids=[told for _, told, _ in CASES])
def test_broken_promises_are_told(stage: str, told: str, game: Game) -> None:
    if isinstance(vars(type(game)).get("symmetries"), cached_property):
        vars(type(game))["symmetries"].__set_name__(type(game), "symmetries")
    with pytest.raises(Wrong, match=told):
        CHECKS[stage](game, NAME)
