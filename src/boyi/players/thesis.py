"""The player of document 000: a narrow tree by a policy, Monte Carlo at its leaves."""

import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from boyi.games.einstein import EinStein
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.position import Position
from boyi.games.randomness import generator
from boyi.players.player import Choice, Limit, Line, Player, at_least_zero, budget
from boyi.search.clock import Progress, clock
from boyi.search.evaluations import evaluation
from boyi.search.policies import playout_policy
from boyi.search.simulate import DONE
from boyi.search.thesis import ROLLS, Chooser, Leaves, expand, play_out_leaves, static_policy

DEEPEST = 6
"""More plies than this would not fit into memory."""


class ThesisPlayer(Player):
    """Document 000 (section 4.6), for EinStein: all moves of the roll, below them the policy's best move of each stone,
    Monte Carlo at the leaves, results weighted by how many rolls allow each stone.

    depth: plies below the first one, 0 for flat Monte Carlo; sims: playouts a move, equally many at every leaf and at
    least one; playout: as in mc; eval: the static evaluation that is the policy, "" for the game's default; weights:
    `stones` as in the document, or `dice` for the true chances of each set of movable stones.

    The document's policy is a net: any `Chooser` may replace `policy`.
    """

    def __init__(
        self,
        game: Game,
        *,
        depth: int = 2,
        sims: int = 2000,
        playout: str = "uniform",
        eval: str = "",
        weights: str = "stones",
        seed: int = 0,
    ) -> None:
        super().__init__(game, seed=seed)
        if not isinstance(game.rules, EinStein):
            raise GameError(f"thesis plays einstein only, not {game.name}")
        if not 0 <= depth <= DEEPEST:
            raise GameError(f"depth={depth!r} of thesis is not possible; it must be from 0 to {DEEPEST}")
        if weights not in ROLLS:
            raise GameError(f"weights={weights!r} of thesis is not possible; allowed: {', '.join(ROLLS)}")
        self.depth, self.sims, self.rolls = depth, at_least_zero("sims", sims), ROLLS[weights]
        self.policy: Chooser = static_policy(game.rules, evaluation(game, eval), game.num_actions)
        self.playouts = playout_policy(game, playout)
        self.rng = generator(seed)

    def think(self, position: Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        began = time.perf_counter()
        leaves = expand(self.game.rules, position.state, list(position.actions), self.depth, self.rolls, self.policy)
        running = leaves.running
        totals = np.zeros(len(leaves.states), np.int64)
        state, mask = self.game.blank(), np.zeros(self.game.num_actions, np.uint8)
        sims = budget(limit, self.sims)
        played = 0

        def play(count: int) -> tuple[int, int]:
            """Whole rounds, and after the first one not beyond the budget."""
            nonlocal played
            room = None if sims is None else sims // max(1, len(running)) - played
            rounds = -(-count // max(1, len(running)))
            rounds = rounds if room is None else min(rounds, max(room, 0 if played else 1))
            play_out_leaves(
                self.playouts, self.game.rules, leaves.states, running, state, mask, self.rng, rounds, totals
            )
            played += rounds
            return rounds * len(running), DONE

        for progress in clock(play, seconds=limit.seconds, every_s=every_s, simulations=sims, began=began):
            yield self._choice(position, leaves, leaves.values(totals, played), played, progress)

    def _choice(
        self, position: Position, leaves: Leaves, values: NDArray[np.float64], played: int, progress: Progress
    ) -> Choice:
        """The move with the best weighted mean; where the game is over at its leaves, that needs no playout."""
        num_running = np.bincount(leaves.moves[leaves.running], minlength=len(values))
        values = np.clip(values, -1.0, 1.0)
        order = np.argsort(values if position.turn == 1 else -values, kind="stable").tolist()
        texts = position.moves
        lines = tuple(
            Line(texts[row], float(values[row]), played * int(num_running[row]), None, (texts[row],)) for row in order
        )
        value = lines[0].value if progress.made or not num_running[order[0]] else None
        wdl = None if value is None else ((1 + value) / 2, 0.0, (1 - value) / 2)
        return Choice(
            lines[0].move,
            value,
            wdl,
            lines,
            simulations=progress.made,
            nodes=len(leaves.states),
            depth=self.depth + 1,
            seconds=progress.seconds,
            stopped=progress.stopped,
        )
