"""The one door to exact play: `solve(position)`. Which methods solve which game stands in the table at the end, and a
user's own game registers for the class of its rules:

    @solver(MyRules)
    def solve_mine(position, *, seconds, nodes): ...     # a Solution, or raise NotSolvable

A game's solvers are asked in turn. Games without any are searched plainly to their end, which succeeds near it.
"""

import time
from collections.abc import Callable

from boyi.exact.dice import solve_by_expectimax
from boyi.exact.einstein import in_table, solve_einstein
from boyi.exact.einstein_table import open_table
from boyi.exact.othello import empties, feasible_empties, solve_endgame
from boyi.exact.proof import solve_by_proof
from boyi.exact.small import solve_small
from boyi.exact.solution import NotSolvable, Solution
from boyi.exact.threats import solve_by_threats
from boyi.games.connect6 import Connect6
from boyi.games.einstein import EinStein
from boyi.games.errors import GameError
from boyi.games.generics import chance, has_rule
from boyi.games.gomoku import Gomoku, Renju
from boyi.games.othello import Othello
from boyi.games.position import Position
from boyi.games.tictactoe import TicTacToe
from boyi.search.evaluation import Nothing

Solver = Callable[..., Solution]
"""Called as `solver(position, seconds=..., nodes=...)` with a running position; either limit may be None."""
OTHELLO_S = 10.0
"""How long an Othello endgame may take where no limit is given."""
ENDGAME_SHARE, LOOK_SHARE = 0.8, 0.15
"""The parts of its time that a player gives to an endgame it expects to solve, and to a look for a forced win."""
LAST_SQUARES, ENDGAME_NODES = 14, 5_000_000
"""The endgames that a player without a clock solves; such a one takes 0.2 million nodes on average."""
LOOK_NODES = 20_000
"""The look for a forced win of a player without a clock: a few hundredths of a second."""
NODES = 500_000
"""How far plain search goes where no limit is given: about a second."""


def solver(*rules_classes: type) -> Callable[[Solver], Solver]:
    """Register a solver for games by the classes of their rules."""

    def register(function: Solver) -> Solver:
        for rules_class in rules_classes:
            _SOLVERS.setdefault(rules_class, []).append(function)
        return function

    return register


def solve(position: Position, *, seconds: float | None = None, nodes: int | None = None) -> Solution:
    """The exact value of a position, a best move and line; `NotSolvable` says why there is none.

    `seconds` and `nodes` limit the search; without them a method's own limits hold.
    """
    for name, limit in (("seconds", seconds), ("nodes", nodes)):
        if limit is not None and not limit >= 0:
            raise GameError(f"{name}={limit!r} is not possible; it must be 0 or more")
    if end := position.outcome:
        value = 0.0 if end.winner is None else 1.0 - 2.0 * end.winner
        return Solution(value, end.score, None, (), "rules", 0, 0.0)
    began = time.perf_counter()
    reasons = []
    for attempt in _SOLVERS.get(type(position.game.rules), [search_to_the_end]):
        left_s = None if seconds is None else max(0.0, seconds - (time.perf_counter() - began))
        try:
            return attempt(position, seconds=left_s, nodes=nodes)
        except NotSolvable as reason:
            reasons.append(str(reason))
    raise NotSolvable(f"{position.key[:80]!r} of {position.game.name} is not solved: {'; '.join(reasons)}")


def search_to_the_end(position: Position, *, seconds: float | None = None, nodes: int | None = None) -> Solution:
    """Search without any estimate until every line that matters has ended."""
    if seconds is None and nodes is None:
        nodes = NODES
    if has_rule(chance, type(position.game.rules)):
        return solve_by_expectimax(position, Nothing(), seconds=seconds, nodes=nodes)
    return solve_by_proof(position, seconds=seconds, nodes=nodes)


def solve_othello(position: Position, *, seconds: float | None = None, nodes: int | None = None) -> Solution:
    """An endgame to the last disc; without limits, what a few seconds suffice for."""
    if seconds is None and nodes is None:
        seconds = OTHELLO_S
    found = solve_endgame(position, nodes=nodes, seconds=seconds)
    if not found.exact or found.score is None:
        raise NotSolvable(
            f"{empties(position)} empty squares did not come to an end in {found.nodes:,} nodes "
            f"(the score is from {found.low} to {found.high}); allow more nodes or seconds"
        )
    value = float((found.score > 0) - (found.score < 0))
    return Solution(value, found.score, found.move, found.line, "endgame search", found.nodes, found.seconds)


def at_hand(position: Position, seconds: float | None, nodes: int | None = None) -> Solution | None:
    """What is known of a position, for players that look before they search and have so many seconds for both.

    EinStein in the tablebase, Othello endgames that most of the time usually suffices for, and within a part of it wins
    by threats, small boards and the ends of users' own games. Without a clock the looks are of fixed size, so that the
    answer is always the same; where the search has few nodes, a look for a win has a part of them.
    """
    rules = position.game.rules
    if isinstance(rules, EinStein) and not in_table(position, open_table()):
        return None
    look = LOOK_NODES if nodes is None else min(LOOK_NODES, int(LOOK_SHARE * nodes))
    nodes = look if seconds is None else None
    if isinstance(rules, Othello):
        return endgame_at_hand(position, seconds)
    if seconds is not None:
        seconds *= LOOK_SHARE
    for method in _SOLVERS.get(type(rules), [own_game_at_hand]):
        if method is search_to_the_end:
            continue
        try:
            return method(position, seconds=seconds, nodes=nodes)
        except NotSolvable:
            continue
    return None


def own_game_at_hand(position: Position, *, seconds: float | None, nodes: int | None) -> Solution:
    """The proof that a user's own game is won or drawn; a loss is no answer, because some moves make it harder for the
    opponent than others."""
    if has_rule(chance, type(position.game.rules)):
        raise NotSolvable("dice")
    found = solve_by_proof(position, seconds=seconds, nodes=nodes, with_line=False)
    if found.value == (-1 if position.turn == 0 else 1):
        raise NotSolvable("a loss")
    return found


def endgame_at_hand(position: Position, seconds: float | None) -> Solution | None:
    """An Othello endgame: to the last disc, or where there is time for less only who wins. A loss of unknown size is no
    answer, because some moves make it harder for the opponent than others."""
    left, nodes = empties(position), ENDGAME_NODES if seconds is None else None
    if seconds is None:
        kinds = ["score"] if left <= LAST_SQUARES else []
    else:
        seconds, size = seconds * ENDGAME_SHARE, position.game.rules.size
        kinds = [kind for kind in ("score", "wdl") if left <= feasible_empties(seconds, kind=kind, size=size)]
    if not kinds:
        return None
    found = solve_endgame(position, kind=kinds[0], seconds=seconds, nodes=nodes)
    wins = found.result == (1 if position.turn == 0 else -1)
    if found.result is None or (found.score is None and not wins):
        return None
    return Solution(
        float(found.result), found.score, found.move, found.line, "endgame search", found.nodes, found.seconds
    )


_SOLVERS: dict[type, list[Solver]] = {
    EinStein: [solve_einstein],
    Gomoku: [solve_small, solve_by_threats, search_to_the_end],
    Renju: [solve_by_threats, search_to_the_end],
    Connect6: [solve_by_threats, search_to_the_end],
    Othello: [solve_othello],
    TicTacToe: [solve_small],
}
