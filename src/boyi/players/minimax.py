"""Players by static evaluation: alone (`greedy`), under alpha-beta, and under expectimax."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from boyi.games.game import Game
from boyi.games.generics import chance, has_rule
from boyi.games.position import Position
from boyi.games.randomness import below, generator
from boyi.players.exact import knowing_evaluation, known_choice
from boyi.players.player import Choice, Limit, Line, Player, at_least_zero
from boyi.search.alphabeta import AlphaBeta
from boyi.search.deepening import Deepening, Report, RootMove
from boyi.search.evaluation import child_values
from boyi.search.evaluations import evaluation
from boyi.search.expectimax import Expectimax

THINKING_S = 0.2
TABLE_MB = 32.0
WIDTH = 20
MANY_ACTIONS = 100
"""Games with more actions than this are searched over the WIDTH most promising moves only."""


class GreedyPlayer(Player):
    """The move whose resulting position the static evaluation likes best, before any roll; the seed breaks ties.

    eval: the evaluation, as `huang` or `neighbours/kind=3`; "" is the game's default.
    """

    def __init__(self, game: Game, *, eval: str = "", seed: int = 0) -> None:
        super().__init__(game, seed=seed)
        self.evaluation = evaluation(game, eval)
        self.rng = generator(seed)

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        started = time.perf_counter()
        actions = np.array(position.actions, np.int16)
        values = np.zeros(len(actions))
        state = position.state
        child_values(self.evaluation, self.game.rules, state, state.copy(), actions, values, len(actions))
        luck = [below(self.rng, 1 << 30) for _ in actions]
        order = np.lexsort((luck, values if position.turn == 1 else -values)).tolist()
        lines = tuple(Line(position.moves[i], float(values[i]), moves=(position.moves[i],)) for i in order)
        seconds = time.perf_counter() - started
        yield Choice(lines[0].move, lines[0].value, lines=lines, nodes=len(actions), depth=1, seconds=seconds)


class SearchPlayer(Player):
    """What the searching players share.

    depth: plies to search, 0 for as deep as the time allows. seconds, nodes: thinking time and positions for a move;
    where nothing else limits it, a fifth of a second. eval: the static evaluation at the leaves, "" for the game's
    default. lines: how many of the best moves get a true value, 0 for all. width: how many moves are tried in a
    position, 0 for all; on large boards 20 unless set. exact: look first whether endgame solver, threat search or
    tablebase know the answer, and use the tablebase at the leaves.
    """

    kind: type[Deepening]

    def __init__(
        self,
        game: Game,
        *,
        depth: int = 0,
        seconds: float | None = None,
        eval: str = "",
        nodes: int = 0,
        lines: int = 1,
        width: int | None = None,
        exact: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__(game, seed=seed)
        at_least_zero("width", width)
        self.depth, self.seconds = at_least_zero("depth", depth), at_least_zero("seconds", seconds)
        self.nodes, self.lines = at_least_zero("nodes", nodes), at_least_zero("lines", lines)
        self.width = (WIDTH if game.num_actions > MANY_ACTIONS else 0) if width is None else width
        self.exact = exact
        self.evaluation = knowing_evaluation(game, evaluation(game, eval)) if exact else evaluation(game, eval)
        self.searches: dict[float, Deepening] = {}
        self._search(None)

    def _search(self, memory_mb: float | None) -> Deepening:
        """The search with a table of at most that size; the last one is kept."""
        size = TABLE_MB if memory_mb is None else min(memory_mb, TABLE_MB)
        if size not in self.searches:
            made = self.kind(
                self.game, self.evaluation, lines=self.lines, width=self.width, table_mb=size, seed=self.seed
            )
            self.searches = {size: made}
        return self.searches[size]

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        if self.exact:
            found, limit = known_choice(position, limit)
            if found is not None:
                yield found
                return
        limits = [count for count in (limit.nodes, limit.simulations) if count is not None]
        nodes: int | None = min(limits) if limits else None
        seconds = limit.seconds
        if nodes is None and seconds is None:
            nodes, seconds = self.nodes or None, self.seconds
            if nodes is None and seconds is None and not self.depth:
                seconds = THINKING_S
        search = self._search(limit.memory_mb)
        for report in search.search(position, depth=self.depth, nodes=nodes, seconds=seconds, every_s=every_s):
            yield _choice(position, report)


class AlphaBetaPlayer(SearchPlayer):
    """Alpha-beta search, for games without chance."""

    kind = AlphaBeta


class ExpectimaxPlayer(SearchPlayer):
    """Expectimax search with Star1 and Star2 pruning, for games with dice and without."""

    kind = Expectimax


def _choice(position: Position, report: Report) -> Choice:
    """What a search reports, in the words of players. Moves of which only a bound is known have no line."""
    facts: dict[str, Any] = {
        "nodes": report.nodes,
        "depth": report.depth,
        "seconds": report.seconds,
        "stopped": report.stopped,
    }
    if not report.moves:
        return Choice(position.game.write_move(position.state, report.promising), **facts)
    lines = tuple(_line(position, move) for move in report.moves if move.known)
    best = lines[0]
    wdl = None
    if report.exact and (abs(best.value) == 1.0 or not has_rule(chance, type(position.game.rules))):
        wdl = (float(best.value > 0), float(best.value == 0), float(best.value < 0))
    return Choice(best.move, best.value, wdl=wdl, lines=lines, exact=report.exact, **facts)


def _line(position: Position, move: RootMove) -> Line:
    moves, at = [], position
    for action in move.line:
        moves.append(at.game.write_move(at.state, action))
        at = at.play_action(action)
    return Line(moves[0], move.value, moves=tuple(moves), exact=move.exact)
