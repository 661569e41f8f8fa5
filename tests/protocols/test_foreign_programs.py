"""Programs that nobody here wrote play whole games: OpenSpiel's MCTS bot in a few lines, and what Debian has."""

import shlex
import shutil
import sys
from pathlib import Path

import pytest

import boyi
from boyi.arena import play_named_match
from boyi.players import Limit, player

GAMES_FOLDER = "/usr/games"
"""Where Debian puts its games, which is not on everybody's path."""


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path=GAMES_FOLDER)
    if found is None:
        pytest.skip(f"{name} is not installed; on Debian it is a package")
    return found


@pytest.mark.parametrize("game", ["othello", "tictactoe"])
def test_openspiel(game: str, at_root: Path) -> None:
    engine = f"cmd:gtp,startup_s=120,grace_s=60:{shlex.quote(sys.executable)} examples/openspiel_gtp.py {game} 5"
    result = play_named_match(game, engine, "random", games=2, seed=4, openings=3)
    assert result.games == 2
    assert result.forfeits == (0, 0), [row.reason for row in result.rows]
    assert min(result.num_moves) >= 4


def test_grhino_plays_othello_through_passes() -> None:
    """GRhino infers passes from the colours and knows no word for them."""
    game = boyi.game("othello")
    with player(f"cmd:gtp:{program('gtp-rhino')}", game) as engine, player("random", game, seed=1) as other:
        passes = 0
        for seats in ((engine, other), (other, engine)):
            position = game.start()
            while position.turn is not None:
                position = position.play(seats[position.turn].choose(position, Limit(seconds=0.05)).move)
            assert position.outcome is not None
            passes += position.history.count("pass")
        assert passes > 0


def test_gnugo_is_understood() -> None:
    """It plays Go, but its answers are points all the same."""
    game = boyi.game("gomoku:size=9")
    with player(f"cmd:gtp:{program('gnugo')} --mode gtp --level 0", game) as engine:
        position = game.start().play("e5")
        for _ in range(3):
            position = position.play(engine.choose(position, Limit(seconds=1)).move)
            position = position.play(position.moves[0])
    assert len(position.history) == 7
