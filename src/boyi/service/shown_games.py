"""Games that the newest net of a quick run plays against itself, to be looked at: such a run keeps none of its own.

They are in `shown.json` of the run's folder: the generation, and the keys of the last positions.
"""

import contextlib
import json
import random
import time
from pathlib import Path

from boyi.games import CHANCE, Game, Position
from boyi.games.errors import GameError
from boyi.players import Limit
from boyi.players.quick import QuickPlayer

FILE = "shown.json"
GAMES = 6
NODES = 40
"""For each move: enough to see what the net wants, and no time lost for the training."""
RANDOM_PLIES = 2
LONGEST = 600
PAUSE_S = 5.0
"""Not more often than anybody would look."""


class ShownGames:
    """Plays such games for a run that is being trained."""

    def __init__(self, folder: Path, game: Game) -> None:
        self.folder, self.game = folder, game
        self.played = 0.0

    def play(self, generation: int) -> None:
        """Games of a generation's net, unless there are some of a moment ago."""
        if not generation or time.monotonic() - self.played < PAUSE_S:
            return
        with contextlib.suppress(OSError, GameError):  # a full disk is told by what matters more
            keys = play_games(self.game, self.folder / "checkpoints" / f"{generation:06}" / "model", seed=generation)
            partial = self.folder / f".{FILE}.part"
            partial.write_text(json.dumps({"generation": generation, "keys": keys}))
            partial.replace(self.folder / FILE)
        self.played = time.monotonic()


def play_games(game: Game, stem: Path, *, seed: int) -> list[str]:
    """The last positions of games of a net against itself, each from a few random moves."""
    player, luck = QuickPlayer(game, model=str(stem), exact=False, seed=seed), random.Random(seed)
    return [_end(game.start(seed=luck.getrandbits(31)), player, luck).key for _ in range(GAMES)]


def _end(position: Position, player: QuickPlayer, luck: random.Random) -> Position:
    decisions = 0
    while position.turn is not None and decisions < LONGEST:
        if position.turn == CHANCE:
            chances = position.chances or {}
            move = luck.choices(list(chances), list(chances.values()))[0]
        elif decisions < RANDOM_PLIES:
            move, decisions = luck.choice(position.moves), decisions + 1
        else:
            move, decisions = player.choose(position, Limit(nodes=NODES)).move, decisions + 1
        position = position.play(move)
    return position


def read(folder: Path) -> tuple[int, list[str]]:
    """The generation and the keys of the games that were shown last; 0 and none before."""
    try:
        found = json.loads((folder / FILE).read_text())
        return int(found["generation"]), [str(key) for key in found["keys"]][:GAMES]
    except (OSError, ValueError, KeyError, TypeError):
        return 0, []
