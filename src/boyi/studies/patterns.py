"""Learn the win rates of EinStein's box patterns from self-play (Chu 2017, in document 000, section 2.7).

Start at `learn_patterns`. `boyi.search.patterns` says what a pattern is.
"""

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boyi.games import game as find_game
from boyi.games.errors import GameError
from boyi.games.randomness import generator
from boyi.search.patterns import BOXES, CODES, Greedy, learn_games, play_off, rate_table
from boyi.search.playouts import Uniform
from boyi.search.policies import Scored

EPSILON = 0.2
"""The share of random moves, so that a table learns of bad moves, too."""
LEAST = 20
"""A box seen less often is left out: the standard error of its rate is above 0.1."""
TEST_GAMES = 10_000


@dataclass(frozen=True)
class Generation:
    """What was learnt up to one generation."""

    number: int
    games: int
    codes: int
    """Patterns with a rate."""
    beats_random: float
    """The share of test games that the best move by the table, without search, wins against random moves."""
    beats_scored: float
    """The same against the rule-based moves of document 000, section 2.6."""


def learn_patterns(
    *, games: int, generations: int, seed: int, on_generation: Callable[[Generation], None] = lambda generation: None
) -> tuple[NDArray[np.uint8], list[Generation]]:
    """Learn a table in generations of so many games each; the same for the same seed.

    The first generation plays random moves. Every later one plays by the table so far, with some random moves, and
    what was counted before counts half.
    """
    for name, value in (("games", games), ("generations", generations)):
        if value < 1:
            raise GameError(f"{name}={value} is not possible; it must be 1 or more")
    einstein = find_game("einstein")
    state, mask = einstein.blank(), np.zeros(einstein.num_actions, np.uint8)
    rng = generator(seed)
    total, won = np.zeros((BOXES, CODES), np.int64), np.zeros((BOXES, CODES), np.int64)
    table = np.zeros((BOXES, CODES), np.uint8)
    found: list[Generation] = []
    for number in range(generations):
        total, won = total // 2, won // 2
        policy = Greedy(table, EPSILON if number else 1.0)
        learn_games(policy, einstein.rules, state, mask, rng, games, total, won, np.zeros((2, BOXES, CODES), np.int64))
        table = rate_table(total, won, LEAST)
        random, scored = (
            play_off(Greedy(table, 0.0), peer, einstein.rules, state, mask, rng, TEST_GAMES) / TEST_GAMES
            for peer in (Uniform(), Scored())
        )
        found.append(Generation(number, games, int(np.count_nonzero(table)), random, scored))
        on_generation(found[-1])
    return table, found


def check_target(path: Path) -> None:
    """Raise an error where a file cannot be written, before games are played for its content."""
    if path.is_dir():
        raise GameError(f"{str(path)!r} is a folder; --out takes the name of a file")
    if not path.parent.is_dir():
        raise GameError(f"{str(path)!r} cannot be written: there is no folder {str(path.parent)!r}")
    if not os.access(path.parent, os.W_OK):
        raise GameError(f"{str(path)!r} cannot be written: the folder is read-only")


def write_table(path: Path, table: NDArray[np.uint8]) -> int:
    """Write a table, wholly or not at all; the bytes written."""
    check_target(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez_compressed(file, table=table)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return path.stat().st_size
