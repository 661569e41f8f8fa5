"""Players that do not search."""

import random
from collections.abc import Iterator

from boyi.games.game import Game
from boyi.games.position import Position
from boyi.players.player import Choice, Limit, Player


class RandomPlayer(Player):
    """Any legal move, each as likely as the other."""

    def __init__(self, game: Game, *, seed: int = 0) -> None:
        super().__init__(game, seed=seed)
        self.random = random.Random(seed)

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        yield Choice(self.random.choice(position.moves))
