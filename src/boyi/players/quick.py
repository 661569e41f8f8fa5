"""The player over a quick net: the net's own search, with what is known exactly before it."""

from collections.abc import Iterator
from typing import Any

from boyi.games.game import Game
from boyi.games.position import Position
from boyi.players.exact import known_choice
from boyi.players.player import Choice, Limit, Line, Player, at_least_zero
from boyi.quick.library import engine
from boyi.quick.thought import Thought
from boyi.search.deepening import Report, RootMove

THINKING_S = 0.2


class QuickPlayer(Player):
    """A quick net under the search that suits the game: alpha-beta, or for dice a tree with exact chances.

    model: `shipped`, the path of a net without its suffix, or `hand` for tables of Gomoku and Connect6 set by hand.
    seconds, nodes: thinking time and positions for a move;
    where nothing else limits it, a fifth of a second. depth: plies to search, 0 for as deep as the time allows. lines:
    how many of the best moves get a true value, 0 for all; line tables value one. exact: look first, for
    half of the time at most, whether endgame solver, threat search or tablebase know the answer.
    """

    def __init__(
        self,
        game: Game,
        *,
        model: str = "shipped",
        seconds: float | None = None,
        nodes: int = 0,
        depth: int = 0,
        lines: int = 1,
        exact: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(game, seed=seed)
        self.seconds, self.nodes = at_least_zero("seconds", seconds), at_least_zero("nodes", nodes)
        self.depth, self.exact = at_least_zero("depth", depth), exact
        self.card, self.engine = engine(game, model, lines=at_least_zero("lines", lines))

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        limits = [count for count in (limit.nodes, limit.simulations) if count is not None]
        nodes: int | None = min(limits) if limits else None
        seconds = limit.seconds
        if nodes is None and seconds is None:
            nodes, seconds = self.nodes or None, self.seconds
            if nodes is None and seconds is None and not self.depth:
                seconds = THINKING_S
        if self.exact:
            half_s = None if seconds is None else seconds / 2
            found, left = known_choice(position, Limit(seconds=half_s, nodes=nodes))
            if found is not None:
                yield found
                return
            seconds = None if half_s is None or left.seconds is None else half_s + left.seconds
        depth = self.depth
        for report in self.engine.search(position, nodes=nodes, seconds=seconds, depth=depth, every_s=every_s):
            yield choice_of(position, report)


def choice_of(position: Position, report: Report) -> Choice:
    """What an engine reports, in the words of players. Moves of which only a bound is known have no line."""
    facts: dict[str, Any] = {
        "nodes": report.nodes,
        "depth": report.depth,
        "seconds": report.seconds,
        "stopped": report.stopped,
        "score": report.score if isinstance(report, Thought) else None,
    }
    known = tuple(move for move in report.moves if move.known)
    if not known:
        return Choice(position.game.write_move(position.state, report.promising), **facts)
    lines = tuple(_line(position, move) for move in known)
    return Choice(lines[0].move, lines[0].value, lines=lines, exact=report.exact, **facts)


def _line(position: Position, move: RootMove) -> Line:
    moves, at = [], position
    for action in move.line:
        moves.append(at.game.write_move(at.state, action))
        at = at.play_action(action)
    return Line(moves[0], move.value, moves=tuple(moves), exact=move.exact)
