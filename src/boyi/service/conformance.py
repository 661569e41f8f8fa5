"""All that a game is checked for: what it promises, and that nets and search can do something with it.

`CHECKS` is run by the app for its owner's rules files, by `boyi check`, and by the tests for every game there is.
"""

import inspect

from boyi.games import CHANCE, Game
from boyi.games.promises import PROMISES, Promise
from boyi.games.promises.played import demand
from boyi.players import Limit, player
from boyi.quick.tuples import symbol_planes


def check_nets(game: Game) -> None:
    """What a net sees tells what stands on the squares."""
    demand(
        symbol_planes(game),
        "observe has no plane that is 1 where a stone stands and 0 elsewhere; nets could not see the board",
    )


def check_players(game: Game) -> None:
    """Search finds a legal move."""
    start = game.start(seed=0)
    while start.turn == CHANCE:
        start = start.play_action(start.actions[0])
    found = player("mcts", game).choose(start, Limit(simulations=200))
    demand(found.move in start.moves, f"search plays {found.move!r}, which is not legal at the start")


CHECKS: dict[str, Promise] = {**PROMISES, "nets": check_nets, "players": check_players}
"""By the names that progress is told with, in the order in which they are made."""


def sentence(check: str) -> str:
    """What a check is about, for people."""
    return inspect.cleandoc(CHECKS[check].__doc__ or "").splitlines()[0]
