"""What every game promises: `CHECKS` for each game of the registry, with several parameters, and for the example of
`docs/new-game.md`; that a broken promise is told; and what the games of this package keep besides. A game that is
missing from `CASES` fails the first test.
"""

import os
import subprocess
import sys
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import boyi
from boyi.draw import Piece
from boyi.games import RUNNING, Game, Symmetry, init, legal, observe, outcome, rule, sample, score, step, turn
from boyi.games.errors import BrokenPromise
from boyi.games.generics import nth_set
from boyi.games.promises.played import positions, random_game, running
from boyi.games.randomness import generator
from boyi.games.sources import PACKAGE
from boyi.search.playouts import Uniform, playout
from boyi.service.conformance import CHECKS, sentence

EXAMPLE = str(Path(__file__).resolve().parents[1] / "examples" / "connect_four.py")
CASES = (
    "connect6:size=6",
    "connect6:size=9",
    "connect6",
    "einstein",
    "gomoku:size=4,win=4",
    "gomoku:size=5,win=3",
    "gomoku:size=6,win=4,variant=standard",
    "gomoku:size=8,variant=renju",
    "gomoku:size=13,variant=renju",
    "gomoku",
    "gomoku:size=20,win=6,variant=standard",
    "othello:size=4",
    "othello:size=6",
    "othello",
    "tictactoe",
    EXAMPLE,
    f"{EXAMPLE}:rows=4,columns=10",
)
SMALL = tuple(case for case in CASES if boyi.game(case).num_squares <= 64)


def short(case: str) -> str:
    return case.removeprefix(str(Path(EXAMPLE).parent) + "/")


every_game = pytest.mark.parametrize("case", CASES, ids=short)


def test_every_game_is_covered() -> None:
    assert {boyi.game(case).name for case in CASES} == {*boyi.games(), "connect_four"}


@pytest.mark.parametrize(
    ("check", "case"),
    [
        pytest.param(check, case, id=f"{check}-{short(case)}")
        for check in CHECKS
        for case in (SMALL if check == "nets" else CASES)  # which plays whole games move by move
    ],
)
def test_promises_are_kept(check: str, case: str) -> None:
    CHECKS[check](boyi.game(case))


def test_every_promise_has_words() -> None:
    """A sentence of its own, and a name in every language of the app."""
    assert len({sentence(check) for check in CHECKS}) == len(CHECKS)
    assert all(sentence(check).endswith(".") for check in CHECKS)
    catalogues = list((PACKAGE / "web" / "i18n").glob("*.toml"))
    assert len(catalogues) == 3
    for file in catalogues:
        assert set(tomllib.loads(file.read_text(encoding="utf-8"))["own_stage"]) == {"load", *CHECKS}


# Broken promises


def with_changes(**changes: Any) -> Game:
    """The example with other attributes; its rules, and so what is compiled, stay."""
    example = boyi.game(EXAMPLE)
    return type("Changed", (type(example),), {"__module__": type(example).__module__, **changes})(example.rules)


def mirrored(self: Game) -> tuple[Symmetry, ...]:
    """The mirror image without exchanging the columns."""
    first, mirror = boyi.game(EXAMPLE).symmetries
    return first, Symmetry(mirror.name, mirror.squares, first.actions, mirror.planes)


def read_anything(self: Game, state: Any, move: str) -> int | None:
    return boyi.game(EXAMPLE).read_move(state, move[:1]) if move[0] != "n" else 3


BROKEN: dict[str, tuple[str, dict[str, Any]]] = {
    "its name must be that of the file": ("facts", {"name": "other"}),
    "is no name; use small letters": ("facts", {"name": "Connect Four"}),
    "title is a text": ("facts", {"title": ""}),
    "players are two names": ("facts", {"players": ("Red",)}),
    "they must be the same": ("facts", {"parameters": {"rows": range(4, 11)}}),
    "is the default and not among": ("facts", {"parameters": {"rows": range(9), "columns": range(5)}}),
    "shape is rows and columns": ("facts", {"shape": (6, 60), "squares": ("a",) * 360}),
    "num_actions is a number": ("facts", {"num_actions": 7.0}),
    "observers are names": ("facts", {"observers": {}}),
    "set all of mask": ("rules", {"num_actions": 9}),
    "beyond num_core=42": ("core", {"num_core": 42}),
    "is read back as": ("texts", {"read_move": lambda self, state, move: 0}),
    "'nonsense' is read as a move": ("texts", {"read_move": read_anything}),
    "two actions are written alike": ("texts", {"write_move": lambda self, state, action: "a"}),
    "a move is a text": ("texts", {"write_move": lambda self, state, action: f"column {action}"}),
    "which is not in pieces": ("texts", {"pieces": {"X": Piece("disc", "red")}}),
    "touched are at most two squares": ("texts", {"touched": lambda self, state, action: (99,)}),
    "reason is a short text": ("texts", {"reason": lambda self, state: ""}),
    "is read back as another position": ("keys", {"read_key": lambda self, key: boyi.game(EXAMPLE).start()}),
    "cannot be sent to other processes": ("copies", {}),
    "does not end with its caption": ("pictures", {"caption": lambda self, position: "blank at the end "}),
    "leads elsewhere, under the symmetry .mirror.": ("symmetries", {"symmetries": cached_property(mirrored)}),
}


@pytest.mark.parametrize("told", BROKEN)
def test_broken_promises_are_told(told: str) -> None:
    check, changes = BROKEN[told]
    game = with_changes(**changes)
    with pytest.raises(BrokenPromise, match=told):
        CHECKS[check](game)


FIRST = 0
"""Who begins in `Tiny`. Compiled code keeps the value that it was compiled with."""


class Tiny(NamedTuple):
    """Two players fill three squares, then the first has won; random moves always take the first free square."""


class Unscored(NamedTuple):
    """The same with a score that belongs to the other player."""


@rule(init, Tiny, Unscored)
def tiny_init(rules, state):
    state[:] = 0


@rule(turn, Tiny, Unscored)
def tiny_turn(rules, state):
    return (state[3] + FIRST) % 2


@rule(legal, Tiny, Unscored)
def tiny_legal(rules, state, mask):
    count = 0
    for square in range(3):
        mask[square] = state[square] == 0
        count += mask[square]
    return count


@rule(step, Tiny, Unscored)
def tiny_step(rules, state, action):
    state[action] = 1
    state[3] += 1


@rule(outcome, Tiny, Unscored)
def tiny_outcome(rules, state):
    return 1 if state[3] == 3 else RUNNING


@rule(score, Unscored)
def unscored_score(rules, state):
    return -5


@rule(observe, Tiny, Unscored)
def tiny_observe(rules, state, view, planes):
    for square in range(3):
        planes[0, 0, square] = state[square]


@rule(sample, Tiny)
def tiny_sample(rules, state, mask, rng):
    legal(rules, state, mask)
    return nth_set(mask, 0)


class TinyGame(Game):
    name = "tiny"
    shape = (1, 3)
    state_size = 4


def test_broken_rules_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BrokenPromise, match="score is -5 and outcome 1"):
        CHECKS["rules"](TinyGame(Unscored()))
    game = TinyGame(Tiny())
    CHECKS["rules"](game)
    CHECKS["compiled"](game)
    with pytest.raises(BrokenPromise, match="some actions too often"):
        CHECKS["sampling"](game)
    monkeypatch.setattr(sys.modules[__name__], "FIRST", 1)
    with pytest.raises(BrokenPromise, match="turn says something else compiled"):
        CHECKS["compiled"](game)


# What the games of this package keep besides


@every_game
def test_moves_keys_and_ends_in_words(case: str) -> None:
    """Moves are read in capitals and with spaces around; keys stay the same; captions say why a game is over."""
    game = boyi.game(case)
    for position in positions(game):
        for action, move in zip(position.actions, position.moves, strict=True):
            assert game.read_move(position.state, f" {move.upper()} ") == action
        assert game.position(position.key).key == position.key
        assert position.outcome is None or position.outcome.reason in position.caption


@every_game
def test_first_planes_are_own_and_other_stones(case: str) -> None:
    game = boyi.game(case)
    observers = [name for name, count in game.observers.items() if count in (2, 4)]
    if game.name == "einstein":
        assert not observers
        return
    assert observers
    for position in running(game):
        own, other = "XO" if position.turn == 0 else "OX"
        for name in observers:
            planes = position.observe(name)
            assert (planes[0] == [[cell == own for cell in row] for row in position.cells]).all()
            assert (planes[1] == [[cell == other for cell in row] for row in position.cells]).all()


def test_einstein_sees_the_board_from_the_movers_corner() -> None:
    for position in running(boyi.game("einstein")):
        red_moves = position.caption.startswith("Red")
        cells = np.array(position.cells)
        seen = cells if red_moves else cells[::-1, ::-1]
        for plane, stone in enumerate(
            [f"{side}{number}" for side in ("RB" if red_moves else "BR") for number in range(1, 7)]
        ):
            assert (position.observe("stones")[plane] == (seen == stone)).all()


@every_game
def test_symmetries_have_inverses(case: str) -> None:
    game = boyi.game(case)
    states = [position.state for position in positions(game)]
    assert len(game.symmetries) >= 2
    for symmetry in game.symmetries:
        there = [game.transform(state, symmetry) for state in states]
        assert any(
            (back.squares[symmetry.squares] == np.arange(game.num_squares)).all()
            and (back.actions[symmetry.actions] == np.arange(game.num_actions)).all()
            and all((game.transform(t, back) == s).all() for s, t in zip(states, there, strict=True))
            for back in game.symmetries
        ), f"no inverse of {symmetry.name}"
        assert {other.turns for other in game.symmetries if other.name == symmetry.next} <= {symmetry.turns}
    assert set(game.symmetries[0].planes) == set(game.observers)


@every_game
def test_positions_do_not_change(case: str) -> None:
    played = random_game(boyi.game(case), 0)
    for position in (played[0], played[len(played) // 2], played[-1]):
        state = position.state.tobytes()
        with pytest.raises(ValueError, match="read-only"):
            position.state[0] = 1
        for action in (-1, position.game.num_actions):
            with pytest.raises(boyi.IllegalMove, match=str(action)):
                position.play_action(action)
        if position.actions:
            after = position.play_action(position.actions[0])
            assert after.previous is position
            assert after.history == (*position.history, position.moves[0])
            assert after.state.tobytes() != state
        assert position.state.tobytes() == state


def final_states(cases: tuple[str, ...]) -> str:
    """The ends of random games, one a line, with the state of the random numbers."""
    lines = []
    for case in cases:
        game = boyi.game(case)
        state, rng = game.start(seed=3).state.copy(), generator(4)
        playout(Uniform(), game.rules, state, np.zeros(game.num_actions, np.uint8), rng)
        lines.append(f"{state.tolist()} {rng[0]}")
    return "\n".join(lines)


def test_random_games_are_the_same_without_compilation() -> None:
    script = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    script += f"import test_conformance as t; print(t.final_states({SMALL!r}))"
    interpreted = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert interpreted.stdout.strip() == final_states(SMALL)
