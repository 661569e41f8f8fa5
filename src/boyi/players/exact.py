"""The player that knows, and the evaluation `exact` for the players that search."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from boyi.exact.einstein import exact_evaluation, with_table
from boyi.exact.leaf_endgames import with_endgames
from boyi.exact.leaf_threats import with_threats
from boyi.exact.solution import NotSolvable, Solution
from boyi.exact.solve import at_hand, solve
from boyi.exact.threats import can_search
from boyi.games.einstein import EinStein
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.generics import chance, has_rule
from boyi.games.othello import Othello
from boyi.games.position import Position
from boyi.players.player import Choice, Limit, Line, Player
from boyi.search.evaluations import register_evaluation

register_evaluation(EinStein, "exact", exact_evaluation)


class ExactPlayer(Player):
    """A best move by tablebase or solver, where `boyi.solve` has an answer.

    fallback: the player that is asked elsewhere, such as `mcts:sims=2000`; without one that is an error. nodes,
    seconds: how far a solver may search for a move, 0 for its own limit; the limit of a match takes their place, and
    with a fallback half of its time.
    """

    def __init__(self, game: Game, *, fallback: str = "", nodes: int = 0, seconds: float = 0.0, seed: int = 0) -> None:
        from boyi.players.registry import player

        super().__init__(game, seed=seed)
        for name, value in (("nodes", nodes), ("seconds", seconds)):
            if not value >= 0:
                raise GameError(f"{name}={value!r} is not possible; it must be 0 or more")
        self.nodes, self.seconds = nodes, seconds
        self.fallback = player(fallback, game, seed=seed) if fallback else None

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        seconds = self.seconds or None if limit.seconds is None else limit.seconds
        counts = [count for count in (limit.nodes, limit.simulations) if count is not None]
        nodes = min(counts) if counts else self.nodes or None
        if self.fallback and limit.seconds is not None:
            seconds = limit.seconds / 2
        try:
            found = solve(position, seconds=seconds, nodes=nodes)
        except NotSolvable as reason:
            if self.fallback is None:
                raise GameError(f"{reason}; for such positions name a player, as in exact:fallback=mcts") from None
            if limit.seconds is not None:
                limit = replace(limit, seconds=limit.seconds / 2)
            yield from self.fallback.watch(position, limit, every_s=every_s)
            return
        yield solved_choice(position, found)


def solved_choice(position: Position, found: Solution) -> Choice:
    """A solution of a position where a player decides, as a choice."""
    assert found.move is not None
    drawn = float(found.value == 0.0 and not has_rule(chance, type(position.game.rules)))
    wdl = ((1.0 + found.value - drawn) / 2, drawn, (1.0 - found.value - drawn) / 2)
    return Choice(
        found.move,
        found.value,
        wdl,
        (Line(found.move, found.value, moves=found.line, exact=True),),
        nodes=found.nodes,
        depth=len(found.line),
        seconds=found.seconds,
        exact=True,
        score=found.score,
        stopped="proven",
    )


def known_choice(position: Position, limit: Limit) -> tuple[Choice | None, Limit]:
    """What a searching player with `exact=yes` knows before it searches, and the limit that is left for the search."""
    began = time.perf_counter()
    found = at_hand(position, limit.seconds, limit.nodes)
    if found is not None:
        return solved_choice(position, found), limit
    if limit.seconds is not None:
        limit = replace(limit, seconds=max(0.0, limit.seconds - (time.perf_counter() - began)))
    return None, limit


def knowing_evaluation(game: Game, evaluation: NamedTuple) -> NamedTuple:
    """A static evaluation that knows what the game's tables know."""
    return with_table(evaluation) if isinstance(game.rules, EinStein) else evaluation


def knowing_policy(game: Game, policy: NamedTuple, *, empties: int = 7) -> NamedTuple:
    """A playout policy with which a tree knows positions of EinStein's table, Othello's endgames of so many empty
    squares, wins by fours in Gomoku and by double threats in Connect6."""
    if isinstance(game.rules, EinStein):
        return with_table(policy)
    if isinstance(game.rules, Othello):
        return with_endgames(game, policy, empties)
    if can_search(game):
        return with_threats(game, policy)
    return policy
