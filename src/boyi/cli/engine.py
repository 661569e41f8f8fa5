"""`boyi engine PROTOCOL`: serve a player to other programs, over standard input and output."""

import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from boyi.cli.output import announce_compilation, print_json
from boyi.games import game as find_game
from boyi.players import Limit
from boyi.protocols.serve import USUAL_GAMES, make_server

STDIN = 0


def engine(
    protocol: Literal["gtp", "nboard", "gomocup", "ewn", "connect6", "botzone", "json"],
    *,
    game: str | None = None,
    player: str = "strongest",
    seconds: float | None = None,
    simulations: int | None = None,
    memory_mb: float | None = None,
    workers: int = 1,
    keep_running: Annotated[bool, Parameter(negative="")] = False,
    swap: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Serve a player as an engine: commands come in line by line on standard input, answers go to standard output.

    Parameters
    ----------
    protocol
        gtp, nboard, gomocup, ewn, connect6, botzone or json; docs/engines.md says which games each has.
    game
        A game, with parameters if wanted: othello, gomoku:size=15,variant=renju. Default: the protocol's usual one.
    player
        Who plays, by name. Default: the strongest there is.
    seconds
        Thinking time a move where the protocol sets none, and the most where it does.
    simulations
        Simulations a move.
    memory_mb
        Room for the player's tables.
    workers
        With json: how many positions are thought about at once.
    keep_running
        With botzone: ask to be kept alive between moves.
    swap
        With botzone's Renju: exchange colours at the fourth ply where that is better.
    json
        Print what would be served as JSON, and end.
    seed
        Seed of the player.
    """
    announce_compilation()
    chosen = find_game(game or USUAL_GAMES[protocol])
    limit = Limit(simulations=simulations, seconds=seconds, memory_mb=memory_mb)
    server = make_server(
        protocol, chosen, player, limit=limit, seed=seed, workers=workers, keep_running=keep_running, swap=swap
    )
    if json:
        server.close()
        print_json({"protocol": protocol, "game": chosen.name, "options": chosen.options(), "player": player})
        return
    with open(STDIN, "rb", buffering=0, closefd=False) as source:  # a buffer could not be left while a thread reads
        server.run(source, sys.stdout)
