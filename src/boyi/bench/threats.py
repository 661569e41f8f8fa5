"""Puzzles with a forced win in Gomoku and Connect6: does the threat search find it, and does a player play it?

The puzzles stand in `data/puzzles.txt`, one a line: a game, how many plies the win takes, and the position's key. They
were made by `make_puzzles`: games of the quick player against itself, walked back from their end to the earliest
position in which a long search finds a forced win.
"""

import time
from collections.abc import Iterator
from importlib import resources
from typing import NamedTuple

import numpy as np

from boyi.bench.result import Result
from boyi.exact.threats import ThreatSearch
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.position import Position
from boyi.games.registry import game as find_game
from boyi.players.player import Limit, Player
from boyi.players.registry import player as find_player

GAMES = ("gomoku", "gomoku:variant=standard", "gomoku:variant=renju", "connect6")
NODES = 1_000_000
"""Positions that the threat search may look at in each puzzle."""
LONG = 300_000
"""The same while puzzles are made."""
SHORTEST, HARDEST = 7, 100
"""Puzzles take at least so many plies and so many nodes to solve."""
DEFENCE = "quick:nodes=2000"
SPARE_PLIES = 12
"""A player may take so many plies more than the known win."""


class Puzzle(NamedTuple):
    """A position in which the side to move has a forced win of so many plies."""

    game: str
    plies: int
    key: str

    @property
    def position(self) -> Position:
        return find_game(self.game).position(self.key)


def puzzles(game: str | None = None) -> list[Puzzle]:
    """The shipped puzzles, of one game or of all."""
    text = (resources.files("boyi.bench") / "data" / "puzzles.txt").read_text("ascii")
    rows = [line.split(maxsplit=2) for line in text.splitlines()]
    found = [Puzzle(name, int(plies), key) for name, plies, key in rows if game in (None, name)]
    if not found:
        raise GameError(f"there are no puzzles of --game {game}; there are of {', '.join(GAMES)}")
    return found


def bench_threats(
    *, game: str | None = None, player: str | None = None, seconds: float = 0.5, seed: int = 0
) -> Iterator[Result]:
    """The share of puzzles that the threat search solves, with its time; or that a player wins."""
    for name in dict.fromkeys(puzzle.game for puzzle in puzzles(game)):
        found = puzzles(name)
        if player is not None:
            with find_player(player, find_game(name), seed=seed) as attacker:
                won = sum(wins(attacker, puzzle, seconds) for puzzle in found)
            yield Result(f"{name}: won by {player}", 100 * won / len(found), f"% of {len(found)} puzzles")
            continue
        search = ThreatSearch(find_game(name))
        began = time.process_time()
        wins_found = [search.find(puzzle.position, nodes=NODES) for puzzle in found]
        spent = time.process_time() - began
        solved = [win for win in wins_found if win is not None]
        yield Result(f"{name}: solved", 100 * len(solved) / len(found), f"% of {len(found)} puzzles")
        yield Result(f"{name}: time", 1000 * spent / len(found), "ms a puzzle")
        yield Result(f"{name}: longest", max((len(win.line) for win in solved), default=0), "plies")


def wins(attacker: Player, puzzle: Puzzle, seconds: float) -> bool:
    """Whether a player with so much time a move wins a puzzle against a tough defence, about as fast as it can be."""
    position = puzzle.position
    side, defender = position.turn, find_player(DEFENCE, attacker.game)
    for _ in range(puzzle.plies + SPARE_PLIES):
        if position.outcome is not None:
            break
        own = position.turn == side
        choice = attacker.choose(position, Limit(seconds=seconds)) if own else defender.choose(position)
        position = position.play(choice.move)
    return position.outcome is not None and position.outcome.winner == side


def make_puzzles(game: Game, name: str, *, count: int, seed: int = 0) -> Iterator[Puzzle]:
    """Puzzles from games of the quick player against itself, from openings of random stones near the centre."""
    random = np.random.default_rng(seed)
    search, quick = ThreatSearch(game), find_player("quick:nodes=300,exact=no", game)
    made = 0
    while made < count:
        end = _played(game, quick, random)
        if end.outcome is None or end.outcome.winner is None:
            continue
        best, at = None, end.previous
        while at is not None:
            if at.turn == end.outcome.winner and (at.previous is None or at.previous.turn != at.turn):
                win = search.find(at, nodes=LONG if best else 5_000)
                if win is None:
                    break
                best = (at, win)
            at = at.previous
        if best and len(best[1].line) >= SHORTEST and best[1].nodes >= HARDEST:
            made += 1
            yield Puzzle(name, len(best[1].line), best[0].key)


def _played(game: Game, quick: Player, random: np.random.Generator) -> Position:
    position, height = game.start(), game.shape[0]
    opening = int(random.integers(3, 9))
    while position.turn is not None:
        if len(position.history) < opening:
            rows = np.array(position.actions) // height - height // 2
            columns = np.array(position.actions) % height - height // 2
            near = np.flatnonzero(np.maximum(abs(rows), abs(columns)) <= 2)
            position = position.play_action(position.actions[int(random.choice(near))])
        else:
            position = position.play(quick.choose(position).move)
    return position


if __name__ == "__main__":
    for named in GAMES:
        for puzzle in make_puzzles(find_game(named), named, count=20):
            print(*puzzle, flush=True)
