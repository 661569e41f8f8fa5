"""Which player is the best for a game, to play against and to analyse with. The tables are data: docs/players.md has
the matches behind them for EinStein and Othello."""

from collections.abc import Iterator

from boyi.games.game import Game
from boyi.games.generics import chance, has_rule
from boyi.games.position import Position
from boyi.players.player import Choice, Limit, Player, at_least_zero
from boyi.quick.library import has_shipped
from boyi.search.evaluations import has_own_evaluation

STRONGEST = {
    "connect6": "alphabeta",
    "einstein": "expectimax",
    "gomoku": "alphabeta",
    "othello": "alphabeta",
    "tictactoe": "alphabeta",
}
"""The best player of each game without a quick net. For a user's game: minimax where it has an evaluation of its own,
else `mcts`."""
QUICK = ("connect6", "einstein", "gomoku", "othello")
"""Games whose quick net was measured to be the best player, where one with the game's parameters comes with Boyi."""
ANALYST = {"connect6": "alphabeta:lines=5", "gomoku": "alphabeta:lines=5"}
"""Who analyses, where it is not the strongest with true values of all moves: on large boards those cost depth."""


def strongest(game: Game) -> str:
    """The name of the best player of a game."""
    if type(game).__module__.startswith("boyi.games.") and game.name in STRONGEST:
        return "quick" if game.name in QUICK and has_shipped(game) else STRONGEST[game.name]
    if not has_own_evaluation(game):
        return "mcts"
    return "expectimax" if has_rule(chance, type(game.rules)) else "alphabeta"


def analyst(game: Game) -> str:
    """The name of the player that analyses positions of a game: the strongest, told to value many moves."""
    best = strongest(game)
    if best in ("alphabeta", "expectimax", "quick"):
        return ANALYST.get(game.name, f"{best}:lines=0")
    return best


class StrongestPlayer(Player):
    """The best player there is for the game.

    seconds: thinking time for a move where no other limit is set; without it, as long as that player usually takes.
    """

    def __init__(self, game: Game, *, seconds: float | None = None, seed: int = 0) -> None:
        from boyi.players.registry import player

        super().__init__(game, seed=seed)
        self.seconds = at_least_zero("seconds", seconds)
        self.inner = player(strongest(game), game, seed=seed)

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        if limit.simulations is None and limit.nodes is None and limit.seconds is None:
            limit = Limit(seconds=self.seconds, memory_mb=limit.memory_mb)
        yield from self.inner.think(position, limit, every_s)

    def close(self) -> None:
        self.inner.close()
