"""Any game by its n-tuple tables: alpha-beta, or expectimax where there are dice, over them."""

from collections.abc import Iterator

from boyi.games.game import Game
from boyi.games.generics import chance, has_rule
from boyi.games.position import Position
from boyi.quick.store import Arrays
from boyi.quick.tuples import tuple_net
from boyi.search.alphabeta import AlphaBeta
from boyi.search.deepening import Deepening, Report
from boyi.search.expectimax import Expectimax

WIDTH, MANY_ACTIONS = 20, 100
"""Games with more actions than this are searched over the most promising moves only."""


class TuplesEngine:
    """Tables under the deepening search of `boyi.search`; `lines` is how many moves get a true value, 0 for all."""

    def __init__(self, game: Game, arrays: Arrays, *, lines: int = 1, table_mb: float = 32.0) -> None:
        kind: type[Deepening] = Expectimax if has_rule(chance, type(game.rules)) else AlphaBeta
        width = WIDTH if game.num_actions > MANY_ACTIONS else 0
        self.inner = kind(game, tuple_net(game, arrays), lines=lines, width=width, table_mb=table_mb)

    def search(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int = 0,
        every_s: float | None = None,
    ) -> Iterator[Report]:
        """Deepen until a limit is reached or the value is exact."""
        yield from self.inner.search(position, depth=depth, nodes=nodes, seconds=seconds, every_s=every_s)
