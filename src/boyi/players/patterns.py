"""The EinStein player with learnt box patterns, and the table that comes with it.

The shipped table is what `boyi study patterns --out src/boyi/players/data/einstein_patterns.npz` writes.
"""

import functools
import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.einstein import EinStein
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.players.montecarlo import TreePlayer
from boyi.search.patterns import BOXES, CODES, PatternUct

SHIPPED = Path(__file__).parent / "data" / "einstein_patterns.npz"


class PatternPlayer(TreePlayer):
    """UCT that starts from learnt win rates of 2x3 and 3x2 boxes, for EinStein (Chu 2017; document 000, section 2.7).

    sims: simulations a move; c: the constant of UCB; cp: the weight of the learnt rate; gain: how far the rates are
    drawn apart; start: for how many tries of a move its rate counts; table: a file that `boyi study patterns` wrote,
    or `shipped`; playout, playouts, memory_mb, reuse: as in mcts.
    """

    def __init__(
        self,
        game: Game,
        *,
        sims: int = 1000,
        c: float = 0.5,
        cp: float = 1.0,
        gain: float = 4.0,
        start: float = 30.0,
        table: str = "shipped",
        playout: str = "uniform",
        playouts: int = 1,
        memory_mb: float = 512.0,
        reuse: bool = True,
        seed: int = 0,
    ) -> None:
        if not isinstance(game.rules, EinStein):
            raise GameError(f"the player patterns has learnt einstein only, not {game.name}")
        for name, value in (("cp", cp), ("gain", gain)):
            if not 0 <= value < float("inf"):
                raise GameError(f"{name}={value!r} is not possible; it must be 0 or more")
        if not 0 < start < float("inf"):
            raise GameError(f"start={start!r} is not possible; it must be above 0")
        self.rates = read_table(SHIPPED if table == "shipped" else Path(table).expanduser())
        self.weights = float(cp), float(gain), float(start)
        super().__init__(
            game, sims=sims, c=c, playout=playout, playouts=playouts, memory_mb=memory_mb, reuse=reuse, seed=seed
        )

    def _method(self, c: float) -> NamedTuple:
        return PatternUct(self.rates, float(c), *self.weights)


@functools.cache
def read_table(path: Path) -> NDArray[np.uint8]:
    """The table of a file, `uint8` [12, 7**6]; read once a process."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            table = file["table"]
    except OSError as error:
        raise GameError(f"no table of patterns can be read from {str(path)!r}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile):
        raise GameError(f"{str(path)!r} is no table of patterns; `boyi study patterns --out` writes one") from None
    if table.shape != (BOXES, CODES) or table.dtype != np.uint8:
        raise GameError(f"{str(path)!r} is no table of patterns: it holds {table.dtype} {table.shape}")
    return np.ascontiguousarray(table)
