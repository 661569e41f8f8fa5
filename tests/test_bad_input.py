"""Bad input: a `ValueError` of the library that names the bad value and what is allowed, and nothing changes."""

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import boyi
from boyi.games import CHANCE, Game, Position

EXAMPLE = str(Path(__file__).resolve().parents[1] / "examples" / "connect_four.py")
GAMES = {name: boyi.game(name) for name in boyi.games()} | {
    "gomoku": boyi.game("gomoku", size=7),
    "renju": boyi.game("gomoku", size=8, variant="renju"),
    "connect6": boyi.game("connect6", size=7),
    "connect_four": boyi.game(EXAMPLE),
}
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def rejected(error: type[ValueError], *texts: str) -> Any:
    """A context that expects an error of the library whose message contains all texts."""
    return pytest.raises(error, check=lambda found: not [text for text in texts if text not in str(found)])


def random_game(game: Game, seed: int) -> list[Position]:
    positions, rng = [game.start(seed=seed)], random.Random(seed)
    while positions[-1].turn is not None:
        positions.append(positions[-1].play(rng.choice(positions[-1].moves)))
    return positions


PLAYED = {name: [p for seed in range(3) for p in random_game(game, seed)] for name, game in GAMES.items()}
for _position in (p for played in PLAYED.values() for p in played):
    _position.game.position(_position.key).caption  # noqa: B018 - compiles what keys need, before deadlines count


@pytest.mark.parametrize(
    "name", ["chess", "", "Othello", "gomoku:", "gomoku:size", "gomoku size=9", "size=9", "a=b", None, 3, b"othello"]
)
def test_unknown_game(name: Any) -> None:
    with rejected(boyi.UnknownGame, repr(name), *boyi.games(), ".py"):
        boyi.game(name)


@pytest.mark.parametrize("path", ["nowhere.py", "a=b/nowhere.py", ".py", "\0.py", "x" * 300 + ".py"])
def test_missing_rules_file(path: str) -> None:
    with rejected(boyi.GameError, repr(path), *boyi.games()):
        boyi.game(path)


@pytest.mark.parametrize("text", ["def broken(:\n", "x = 'open\n", "\0", "  indented = 1\n"])
def test_rules_file_that_is_no_python(text: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(text)
    with rejected(boyi.GameError, str(file), "is no Python"):
        boyi.game(str(file))


def test_rules_file_without_a_game(tmp_path: Path) -> None:
    file = tmp_path / "empty.py"
    file.write_text("GAME = 3\n")
    with rejected(boyi.GameError, str(file), "GAME = "):
        boyi.game(str(file))


@pytest.mark.parametrize(
    ("name", "options", "texts"),
    [
        ("gomoku", {"size": 3}, ["size=3", "4..20"]),
        ("gomoku", {"size": 21}, ["size=21", "4..20"]),
        ("gomoku", {"size": "9"}, ["size='9'", "4..20"]),
        ("gomoku", {"size": 9.5}, ["size=9.5", "4..20"]),
        ("gomoku", {"size": True}, ["size=True", "4..20"]),
        ("gomoku", {"size": None}, ["size=None", "4..20"]),
        ("gomoku", {"size": [9]}, ["size=[9]", "4..20"]),
        ("gomoku", {"variant": "Renju"}, ["variant='Renju'", "freestyle, standard, renju"]),
        ("gomoku", {"variant": 2}, ["variant=2", "freestyle, standard, renju"]),
        ("gomoku", {"win": 2}, ["win=2", "3..6"]),
        ("gomoku", {"variant": "renju", "win": 4}, ["win=4", "renju", "5"]),
        ("gomoku", {"size": 5, "win": 6}, ["win=6", "5"]),
        ("gomoku", {"length": 5}, ["'length'", "size, win, variant"]),
        ("connect6", {"size": 5}, ["size=5", "6..19"]),
        ("connect6", {"size": 20}, ["size=20", "6..19"]),
        ("othello", {"size": 5}, ["size=5", "4, 6, 8"]),
        ("othello", {"size": 10}, ["size=10", "4, 6, 8"]),
        ("einstein", {"size": 5}, ["'size'", "none"]),
        ("tictactoe", {"size": 3}, ["'size'", "none"]),
        (EXAMPLE, {"rows": 3}, ["rows=3", "4..10"]),
        (EXAMPLE, {"size": 7}, ["'size'", "rows, columns"]),
        ("gomoku:size=", {}, ["'size='", "name=value"]),
        ("gomoku:=9", {}, ["'=9'", "name=value"]),
        ("gomoku:size=9,", {}, ["''", "name=value"]),
        ("gomoku:size=9;win=4", {}, ["'9;win=4'", "4..20"]),
        ("gomoku:size=-9", {}, ["'-9'", "4..20"]),
        ("gomoku:size=99999999999999999999", {}, ["'99999999999999999999'", "4..20"]),
    ],
)
def test_bad_parameters(name: str, options: dict[str, Any], texts: list[str]) -> None:
    with rejected(boyi.BadParameter, *texts):
        boyi.game(name, **options)


@every_game
def test_bad_seeds(game: Game) -> None:
    for seed in ("7", 1.5, [], b"7"):
        with rejected(boyi.GameError, repr(seed)):
            game.start(seed=seed)


@every_game
def test_any_integer_is_a_seed(game: Game) -> None:
    assert game.start(seed=np.int64(3)) == game.start(seed=3)
    for seed in (-1, 2**64, 10**40):
        assert game.start(seed=seed) == game.start(seed=seed)


@pytest.mark.parametrize(
    ("arrangement", "texts"),
    [
        ({"setup": "1 2 3"}, ["'1 2 3'", "1 2 3 6 7 11 / 25 24 20 23 19 15"]),
        ({"setup": "1 2 3 6 7 26 / 25 24 20 23 19 15"}, ["26", "25"]),
        ({"setup": "1 2 3 6 7 1 / 25 24 20 23 19 15"}, ["1 2 3 6 7 1 ", "two stones on one square"]),
        ({"setup": "25 2 3 6 7 11 / 24 20 23 19 15 0"}, ["25 2 3", "Red"]),
        ({"setup": "0 0 0 0 0 0 / 0 0 0 0 0 0"}, ["0 0 0", "Red"]),
        ({"setup": None}, ["None", "1 2 3 6 7 11"]),
        ({"first": "green"}, ["'green'", "'red', 'blue'"]),
        ({"first": 0}, ["0", "'red', 'blue'"]),
        ({"dice": 3}, ["'dice'", "setup, first"]),
    ],
)
def test_bad_set_ups(arrangement: dict[str, Any], texts: list[str]) -> None:
    with rejected(boyi.GameError, *texts):
        boyi.game("einstein").start(**arrangement)


def test_set_ups_of_a_game_without_them() -> None:
    with rejected(boyi.BadParameter, "othello", "setup"):
        boyi.game("othello").start(setup="x")


@every_game
def test_keys_of_a_wrong_type(game: Game) -> None:
    for key in (None, 3, b"start", ["start"]):
        with rejected(boyi.BadPosition, repr(key)):
            game.position(key)


@pytest.mark.parametrize(
    ("name", "key", "texts"),
    [
        ("tictactoe", "", ["''"]),
        ("tictactoe", "3/3", ["'3/3'", "3"]),
        ("tictactoe", "3/3/4", ["'4'", "3"]),
        ("tictactoe", "3/3/2Z", ["'Z'", "XO"]),
        ("tictactoe", "XX1/3/3", ["'XX1/3/3'", "take turns"]),
        ("tictactoe", "XXX/OOO/3", ["'XXX/OOO/3'", "three in a row"]),
        ("tictactoe", "X2/3/3 c1", ["'c1'", "last move"]),
        ("gomoku", "7/7/7/7/7/7/7", ["who is to move", "X or O"]),
        ("gomoku", "7/7/7/7/7/7/7 Z", ["who is to move", "X or O"]),
        ("gomoku", "XXXXX2/OOOOO2/7/7/7/7/7 X", ["both sides"]),
        ("gomoku", "XXXXX2/7/7/7/7/7/7 X", ["already won"]),
        ("gomoku", "7/7/7/7/7/7/7 X d4", ["'d4'", "last move"]),
        ("connect6", "7/7/7/7/7/7/7 X", ["how many stones", "1, 2"]),
        ("connect6", "7/7/7/7/7/7/7 X 3", ["how many stones", "1, 2"]),
        ("connect6", "XXXXXX1/OOOOOO1/7/7/7/7/7 X 2", ["both sides"]),
        ("othello", "-" * 63 + " X", ["64 characters", "X black, O white, - empty"]),
        ("othello", "-" * 64, ["who is to move", "X or O"]),
        ("einstein", "1 2 3 red", ["1 2 3", "six squares"]),
        ("einstein", "1 2 3 6 7 11 / 25 24 20 23 19 15", ["red or blue"]),
        ("einstein", "1 2 3 6 7 11 / 25 24 20 23 19 15 red 7", ["the die"]),
        ("connect_four", "d d z", ["'z'", "a, b, c, d, e, f, g"]),
        ("connect_four", "d d d d d d d", ["'d'", "a, b, c, e, f, g"]),
    ],
)
def test_malformed_keys(name: str, key: str, texts: list[str]) -> None:
    with rejected(boyi.GameError, *texts):
        GAMES[name].position(key)


def accepted_or_rejected(game: Game, key: str) -> None:
    """Either a sound position or an error of the library, of readable length."""
    position, error = None, None
    try:
        position = game.position(key)
    except boyi.GameError as found:
        error = found
    if position is None:
        assert 0 < len(str(error)) < 1000
        return
    assert game.position(position.key) == position
    assert (position.outcome is None) == bool(position.moves)
    assert str(position).endswith(position.caption)
    if position.moves:
        after = position.play(position.moves[0])
        assert game.position(after.key) == after


@every_game
@settings(deadline=2000, max_examples=60)
@given(key=st.text(max_size=80))
@example(key="")
@example(key="9" * 3000)
@example(key="/" * 3000)
@example(key="start " * 500)
def test_arbitrary_keys(game: Game, key: str) -> None:
    accepted_or_rejected(game, key)


@st.composite
def mutated(draw: st.DrawFn, name: str) -> str:
    """The key of a real position with some characters deleted, replaced, inserted or moved."""
    key = draw(st.sampled_from(PLAYED[name])).key
    letters = st.sampled_from(sorted({*key, *"XOxo*-.+/ 0123456789abcredblu", "é", "٣", "\0", "\n"}))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(key) - 1)))
        change = draw(st.sampled_from(["delete", "replace", "insert", "cut", "double", "swap"]))
        if change == "delete":
            key = key[:at] + key[at + 1 :]
        elif change == "replace":
            key = key[:at] + draw(letters) + key[at + 1 :]
        elif change == "insert":
            key = key[:at] + draw(letters) + key[at:]
        elif change == "cut":
            key = key[:at]
        elif change == "double":
            key = key[:at] + key
        else:
            key = key[at:] + key[:at]
    return key


@pytest.mark.parametrize("name", GAMES)
@settings(deadline=2000, max_examples=80)
@given(data=st.data())
def test_mutated_keys(name: str, data: st.DataObject) -> None:
    accepted_or_rejected(GAMES[name], data.draw(mutated(name)))


@every_game
@settings(deadline=2000, max_examples=60)
@given(move=st.text(max_size=12))
@example(move="")
@example(move="²")
@example(move="-")
@example(move="1-")
@example(move="a1-b2-c3")
@example(move="pass")
def test_arbitrary_moves(game: Game, move: str) -> None:
    for position in (game.start(), game.start().play(game.start().moves[0])):
        before = position.state.tobytes()
        try:
            played, named, legal = position.play(move).move, move, position.moves
        except boyi.IllegalMove as error:
            played, named, legal = None, error.move, error.legal
        assert (named, legal) == (move, position.moves)
        assert played is None or played in legal
        assert position.state.tobytes() == before


@every_game
def test_illegal_moves(game: Game) -> None:
    position = game.start()
    before = position.state.tobytes()
    for move in ("z99", "", None, 3, 1.5, b"a1", ["a1"]):
        with rejected(boyi.IllegalMove, str(move), position.moves[0]):
            position.play(move)
    assert position.state.tobytes() == before


@every_game
def test_illegal_actions(game: Game) -> None:
    position = game.start()
    before = position.state.tobytes()
    for action in (-1, 10**9, 10**30, 0.0, 1.5, "a1", None, [], True):
        with rejected(boyi.IllegalMove, str(action), position.moves[0]):
            position.play_action(action)
    assert position.state.tobytes() == before


@every_game
def test_taken_squares(game: Game) -> None:
    """Every action that is not legal, on the way through a game."""
    for position in random_game(game, 1)[::5]:
        for action in set(range(game.num_actions)) - set(position.actions):
            with pytest.raises(boyi.IllegalMove):
                position.play_action(action)


@every_game
def test_moves_after_the_end(game: Game) -> None:
    end = random_game(game, 2)[-1]
    before = end.state.tobytes()
    for move in (end.move, game.start().moves[0], ""):
        with rejected(boyi.IllegalMove, repr(move), "the game is over"):
            end.play(move)
    for action in (0, game.num_actions - 1):
        with rejected(boyi.IllegalMove, str(action), "the game is over"):
            end.play_action(action)
    assert end.state.tobytes() == before


@pytest.mark.parametrize("roll", ["0", "7", "-1", "1.0", "", "six", "a5-b5"])
def test_chance_outcomes_out_of_range(roll: str) -> None:
    position = boyi.game("einstein").start()
    assert position.turn == CHANCE
    with rejected(boyi.IllegalMove, repr(roll), "1, 2, 3, 4, 5, 6"):
        position.play(roll)
    with rejected(boyi.IllegalMove, "6", "1, 2, 3, 4, 5, 6"):
        position.play_action(6)


@every_game
def test_unknown_observers(game: Game) -> None:
    for observer in ("seven", "", 3):
        with rejected(boyi.GameError, repr(observer), *game.observers):
            game.start().observe(observer)


@every_game
def test_pictures_of_nonsense(game: Game) -> None:
    position = game.start()
    with rejected(ValueError, "'pink'", "light, dark, auto"):
        position.svg(theme="pink")
    for overlay in ({"values": {"z99": 1.0}}, {"heat": {"z99": 1.0}}, {"arrows": ["z99"]}, {"suggestion": "z99"}):
        with rejected(boyi.IllegalMove, "'z99'", position.moves[0]):
            position.svg(**overlay)


def test_errors_can_be_sent() -> None:
    """From a worker process to the one that asked; an error that cannot be unpickled would break the pool instead."""
    for bad in (
        lambda: boyi.game("chess"),
        lambda: boyi.game("gomoku", size=3),
        lambda: boyi.game("othello").position("nonsense"),
        lambda: boyi.game("othello").start().play("a1"),
    ):
        with pytest.raises(boyi.GameError) as caught:
            bad()
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is type(caught.value)
        assert str(again) == str(caught.value)
        assert vars(again) == vars(caught.value)
