"""Puzzles made from games: the threat search finds forced wins in them, and the quick player wins them."""

import pytest

from boyi.bench.threats import GAMES, Puzzle, bench_threats, make_puzzles, puzzles, wins
from boyi.exact.threats import ThreatSearch
from boyi.games.errors import GameError
from boyi.games.registry import game as find_game
from boyi.players import player


@pytest.mark.parametrize("name", GAMES)
def test_forced_wins_are_found(name: str) -> None:
    """Those whose search is short; `boyi bench threats` takes them all."""
    found = sorted(puzzles(name), key=lambda puzzle: puzzle.plies)
    assert len(found) >= 10
    assert found[0].plies >= 7
    assert len({puzzle.key for puzzle in found}) == len(found)
    search = ThreatSearch(find_game(name))
    solved = [search.find(puzzle.position, nodes=100_000) is not None for puzzle in found[:6]]
    assert sum(solved) >= 5


@pytest.mark.parametrize("name", GAMES)
def test_the_quick_player_wins_them(name: str) -> None:
    attacker = player("quick:nodes=20000", find_game(name))
    puzzle = min(puzzles(name), key=lambda puzzle: puzzle.plies)
    assert wins(attacker, puzzle, seconds=5.0)
    assert not wins(player("random", find_game(name)), puzzle, seconds=5.0)


def test_puzzles_are_made_from_games() -> None:
    made = next(make_puzzles(find_game("connect6"), "connect6", count=1, seed=7))
    assert isinstance(made, Puzzle)
    assert made.position.outcome is None
    assert ThreatSearch(find_game("connect6")).find(made.position, nodes=1_000_000) is not None


def test_there_are_no_puzzles_of_other_games() -> None:
    with pytest.raises(GameError, match="--game othello"):
        list(bench_threats(game="othello"))
