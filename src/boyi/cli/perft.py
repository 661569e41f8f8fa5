"""`boyi perft GAME DEPTH`: count every line of play to a depth."""

import time
from typing import Annotated

from cyclopts import Parameter

from boyi.cli.output import announce_compilation, print_json, print_table
from boyi.games import game as find_game
from boyi.games.perft import perft as count


def perft(
    game: str,
    depth: int,
    *,
    position: str | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int | None = None,
) -> None:
    """Count every line of play to a depth: the exact test of rules.

    Parameters
    ----------
    game
        A game, with parameters if wanted: othello, gomoku:size=9, or the path of a rules file.
    depth
        Plies to look ahead; a roll and its move are one ply.
    position
        Start from the position with this key instead of the start.
    json
        Print the result as JSON.
    seed
        Start from the random set-up of this seed, where the game has one.
    """
    announce_compilation()
    chosen = find_game(game)
    start = chosen.position(position) if position else chosen.start(seed=seed)
    began = time.perf_counter()
    levels = count(start, depth)
    spent = time.perf_counter() - began
    if json:
        rows = [{**vars(level), "leaves": level.leaves} for level in levels]
        print_json({"game": chosen.name, "position": start.key, **rows[-1], "levels": rows, "seconds": spent})
    else:
        print_table(
            ["depth#", "lines#", "finished before#", "both#"],
            [[f"{n:,}" for n in (level.depth, level.nodes, level.finished, level.leaves)] for level in levels],
        )
