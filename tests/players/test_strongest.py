"""The best player of each game, who analyses it, and that players are closed."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

import boyi
from boyi.arena import play_match
from boyi.players import Choice, Limit, Player
from boyi.players.strongest import STRONGEST, analyst, strongest

EXAMPLE = "examples/connect_four.py"


def test_every_game_has_a_strongest_player() -> None:
    assert set(STRONGEST) == set(boyi.games())
    for name in boyi.games():
        game = boyi.game(name)
        assert boyi.player(analyst(game), game).game == game


@pytest.mark.usefixtures("at_root")
def test_users_games_are_searched_with_playouts() -> None:
    game = boyi.game(EXAMPLE)
    assert strongest(game) == analyst(game) == "mcts"
    choice = boyi.player("strongest", game).choose(game.start(), Limit(simulations=50))
    assert choice.simulations == 50


def test_strongest_delegates_and_keeps_limits() -> None:
    game = boyi.game("tictactoe")
    choice = boyi.player("strongest", game).choose(game.start())
    assert (choice.exact, choice.value, choice.stopped) == (True, 0.0, "proven")
    game = boyi.game("othello")
    player = boyi.player("strongest:seconds=0.05", game)
    player.choose(game.start(), Limit(nodes=10))
    choice = player.choose(game.start())
    assert choice.stopped == "seconds"
    assert choice.seconds < 10
    assert player.choose(game.start(), Limit(nodes=300)).nodes <= 300
    with pytest.raises(boyi.GameError, match="seconds"):
        boyi.player("strongest:seconds=-1", game)


@pytest.mark.parametrize("name", ["othello", "gomoku:size=9", "einstein"])
def test_an_analysis_has_values_of_many_moves(name: str) -> None:
    position = boyi.game(name).start(seed=1)
    position = position.play(position.moves[2])
    choice = boyi.player(analyst(position.game), position.game).choose(position, Limit(nodes=3000))
    assert len(choice.lines) >= min(3, len(position.moves))
    assert choice.lines[0].move == choice.move


def test_players_are_closed_after_their_game() -> None:
    closed: list[int] = []

    class Holder(Player):
        def think(self, position: boyi.Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
            yield Choice(position.moves[0])

        def close(self) -> None:
            closed.append(self.seed)

    game = boyi.game("tictactoe")
    play_match(game, lambda seed: Holder(game, seed=seed), lambda seed: Holder(game, seed=seed), games=3, openings=0)
    assert len(closed) == 6
    with Holder(game, seed=-1):
        pass
    assert closed[-1] == -1


WARM = """
import gc, sys
import boyi
from boyi.arena import warm_up
from boyi.players import Limit
from numba.core.dispatcher import Dispatcher

def versions():
    return {id(d): (d.py_func.__name__, len(d.overloads)) for d in gc.get_objects() if isinstance(d, Dispatcher)}

name, game = sys.argv[1], boyi.game(sys.argv[2])
position = game.start(seed=1)
warm_up(boyi.player(name, game), position)
position.svg()
player, known = boyi.player(name, game), versions()
while position.turn is not None:
    if position.chances:
        position = position.play(position.moves[0])
    elif position.turn == 0:
        position = position.play(player.choose(position, Limit(simulations=5000, nodes=5000)).move)
    else:
        position = position.play(position.moves[0])
late = {known.get(key, ("", 0))[0] or found[0] for key, found in versions().items() if known.get(key) != found}
print(sorted(late - {"_score"}))
"""


@pytest.mark.parametrize(
    ("name", "game"), [("mcts", "othello:size=4"), ("alphabeta", "tictactoe"), ("mc", "tictactoe")]
)
def test_nothing_is_compiled_in_the_first_game_after_warming_up(name: str, game: str) -> None:
    done = subprocess.run([sys.executable, "-c", WARM, name, game], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
