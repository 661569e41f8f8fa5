"""How much winning chance a player gives away per move, against the exact values of the EinStein tablebase.

The positions are decisions of random games, one of each game so that they are independent, in which the table knows
every move and not all moves are equally good. Players know the usual table only: with 5 stones they are measured by
one that they do not have.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boyi.bench.result import Result
from boyi.exact.einstein import move_values, num_stones
from boyi.exact.einstein_table import Entries, open_table, table_path, without_larger_tables
from boyi.games.einstein import EinStein
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.position import Position
from boyi.games.registry import game as find_game
from boyi.players.player import Player
from boyi.players.registry import player as find_player

PEERS = ("random", "mc")
UNIT = "% of winning chance a move"


@dataclass(frozen=True)
class Regret(Result):
    """A mean over positions, with its interval of 95 %, the share of moves that are not best, and the worst loss."""

    low: float = 0.0
    high: float = 0.0
    positions: int = 0
    mistakes: float = 0.0
    worst: float = 0.0


def bench_regret(
    *, game: str = "einstein", player: str = "mc", stones: int = 4, positions: int | str = 500, seed: int = 0
) -> Iterator[Regret]:
    """A player's regret in positions of up to so many stones beside that of each peer, then by number of stones."""
    found = find_game(game)
    if not isinstance(found.rules, EinStein):
        raise GameError(f"regret is measured against the EinStein tablebase; --game {game} has none")
    if not str(positions).isdecimal() or int(positions) < 2:
        raise GameError(f"--positions {positions} is not possible; it must be 2 or more")
    decisions = sample_decisions(found, table_of(stones), stones, int(positions), seed)
    with without_larger_tables():
        losses = regrets(find_player(player, found, seed=seed), decisions)
        peer_losses = [regrets(find_player(peer, found, seed=seed), decisions) for peer in PEERS]
    for peer, its_losses in zip(PEERS, peer_losses, strict=True):
        yield summary(player, losses, peer, float(its_losses.mean()))
    counts = np.array([num_stones(position.state) for position, _ in decisions])
    for count in range(2, stones + 1):
        if (counts == count).sum() > 1:
            yield summary(f"{player}, {count} stones", losses[counts == count])


def table_of(stones: int) -> Entries:
    """The table of so many stones; the usual one is built where it is missing, a larger one has to be there."""
    if stones not in (4, 5):
        raise GameError(f"--stones {stones} is not possible; allowed: 4, 5")
    if stones == 5 and not table_path(5).is_file():
        raise GameError("there is no table of 5 stones; build it with `boyi tablebase build einstein --stones 5`")
    return open_table(stones)


def sample_decisions(
    game: Game, table: Entries, stones: int, positions: int, seed: int
) -> list[tuple[Position, dict[str, float]]]:
    """Decisions of random games and the mover's chance, 0 to 1, after each move."""
    random = np.random.default_rng(seed)
    found: list[tuple[Position, dict[str, float]]] = []
    while len(found) < positions:
        position = game.start(seed=int(random.integers(2**62)))
        met = []
        while position.turn is not None:
            if not position.chances and num_stones(position.state) <= stones and len(position.moves) > 1:
                met.append(position)
            position = position.play_action(int(random.choice(position.actions)))
        if met:
            chosen = met[int(random.integers(len(met)))]
            sign = 1 - 2 * (chosen.turn or 0)
            values = {move: (1 + sign * value) / 2 for move, value in move_values(chosen, table).items()}
            if max(values.values()) > min(values.values()):
                found.append((chosen, values))
    return found


def regrets(player: Player, decisions: list[tuple[Position, dict[str, float]]]) -> NDArray[np.float64]:
    """What a player's move gives away in each position, in per cent of winning chance."""
    losses = [max(values.values()) - values[player.choose(position).move] for position, values in decisions]
    return 100.0 * np.array(losses)


def summary(name: str, losses: NDArray[np.float64], peer: str | None = None, peer_value: float | None = None) -> Regret:
    """Mean, interval and shape of some losses."""
    mean = float(losses.mean())
    margin = 1.96 * float(losses.std(ddof=1)) / math.sqrt(len(losses))
    mistakes, worst = float((losses > 0.01).mean()), float(losses.max())
    return Regret(
        name, mean, UNIT, peer, peer_value, max(0.0, mean - margin), mean + margin, len(losses), mistakes, worst
    )
