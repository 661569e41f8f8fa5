"""Whole games as text, move by move: a difference means that the rules, the notation or the picture have changed.

The files in `tests/playthroughs` are replayed and compared. After a change that is meant, write them anew with

    pytest tests/test_playthroughs.py --update-playthroughs

and read the difference.
"""

import random
from pathlib import Path

import pytest

import boyi

FOLDER = Path(__file__).parent / "playthroughs"
GAMES = {
    "connect6": ("connect6:size=7", 3),
    "connect_four": ("examples/connect_four.py", 7),
    "einstein": ("einstein", 7),
    "gomoku": ("gomoku:size=7,win=4", 7),
    "gomoku_renju": ("gomoku:size=8,variant=renju", 23),
    "othello": ("othello", 36),
    "tictactoe": ("tictactoe", 7),
}
"""File name, game and seed. Boards are small where a random game on the usual one would take hundreds of lines; seeds
are chosen for what happens: passes, forbidden points, a line of six."""
MOVE = "> "
PICTURES = 6

every_playthrough = pytest.mark.parametrize("name", GAMES)


def write(game: str, seed: int, moves: list[str]) -> str:
    """The playthrough of these moves: pictures here and there, and at every ply key, legal moves and move."""
    position = boyi.game(game).start(seed=seed)
    lines = [f"{game}, seed {seed}"]
    for ply in range(len(moves) + 1):
        if ply % max(1, len(moves) // PICTURES) == 0 or ply == len(moves):
            lines += ["", str(position), ""]
        lines.append(f"key    {position.key}")
        if ply < len(moves):
            lines += [f"moves  {' '.join(position.moves)}", f"{MOVE}{moves[ply]}"]
            position = position.play(moves[ply])
    lines.append(f"end    {position.outcome}")
    return "\n".join(lines) + "\n"


def random_moves(game: str, seed: int) -> list[str]:
    position, rng = boyi.game(game).start(seed=seed), random.Random(seed)
    while position.turn is not None:
        position = position.play(rng.choice(position.moves))
    return list(position.history)


def test_every_game_has_a_playthrough() -> None:
    assert {path.stem for path in FOLDER.glob("*")} == set(GAMES)
    assert {game.split(":")[0] for game, _ in GAMES.values()} == {*boyi.games(), "examples/connect_four.py"}


@pytest.mark.usefixtures("at_root")
@every_playthrough
def test_playthrough(name: str, pytestconfig: pytest.Config) -> None:
    game, seed = GAMES[name]
    file = FOLDER / f"{name}.txt"
    if pytestconfig.getoption("update_playthroughs"):
        file.write_text(write(game, seed, random_moves(game, seed)), encoding="utf-8")
    text = file.read_text(encoding="utf-8")
    moves = [line.removeprefix(MOVE) for line in text.splitlines() if line.startswith(MOVE)]
    assert text == write(game, seed, moves)
    assert "\nend    Outcome(" in text
    assert len(text.splitlines()) < 300
