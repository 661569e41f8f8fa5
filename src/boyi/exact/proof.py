"""Who wins, in any game of two players without chance, by proof. Start at `solve_by_proof`.

One question is asked at a time, whether player 0 gets at least a win, or at least a draw, so that a position is either
proven or disproven and nothing needs an estimate. Two searches take turns at it, over one table. What they find never
gets old: with a clock the table is kept, and a game's next positions are answered faster. A game that can go on for
more than `MAX_PLIES` plies from a position is given up.
"""

import itertools
import threading
import time

from boyi.exact.proof_frames import (
    ENOUGH,
    ENTRY_BYTES,
    MAX_PLIES,
    NODES,
    REPLY,
    TOO_LONG,
    make_search,
    make_table,
    open_root,
)
from boyi.exact.proof_search import DONE, by_depth, by_numbers, keep
from boyi.exact.solution import NotSolvable, Solution
from boyi.games.game import Game
from boyi.games.generics import has_rule, score
from boyi.games.position import Position

SLICE, NARROW_SHARE = 20_000, 3
"""Positions that a search looks at in its turn, and how many turns the one by numbers has to one by depth."""
LEAST_SLICE, SLICE_S = 50, 0.005
"""With a clock, turns are as short as this."""
LINE_NODES = 100_000
"""How far each move of the line is searched again."""
KEPT_MB = 128.0


class Prover:
    """A game's search and its table of proven positions, of about so many megabytes."""

    def __init__(self, game: Game, *, table_mb: float = 64.0) -> None:
        self.game = game
        self.narrow, self.deep = make_search(game), make_search(game)
        self.proven = make_table(table_mb)
        self.nodes = 0
        """Positions looked at so far, in all searches."""

    def value(
        self, position: Position, *, nodes: int | None = None, seconds: float | None = None
    ) -> tuple[int, int | None]:
        """The result for player 0 with best play, and a move of the player to move that gets it; None where all lose.

        `NotSolvable` where the limits are reached before.
        """
        end = None if seconds is None else time.perf_counter() + seconds
        last = None if nodes is None else self.nodes + nodes
        first = position.turn == 0
        for question in (1, 0) if first else (0, 1):
            enough, action = self._ask(position, question, last, end)
            if enough == first:
                return question if first else question - 1, action
        return (-1 if first else 1), None

    def _ask(self, position: Position, question: int, last: int | None, end: float | None) -> tuple[bool, int]:
        """Whether player 0 gets so much, and the move that settles it."""
        rules, proven, begun = self.game.rules, self.proven, self.nodes
        for search in (self.narrow, self.deep):
            search.states[0, : self.game.state_size] = position.state
            answer = open_root(rules, search, proven, question)
            if answer >= 0:
                return bool(answer), int(search.control[REPLY])
        size = SLICE if end is None else LEAST_SLICE
        for kind, search in itertools.cycle([(by_numbers, self.narrow)] * NARROW_SHARE + [(by_depth, self.deep)]):
            left, now = size if last is None else min(size, last - self.nodes), time.perf_counter()
            if left <= 0 or (end is not None and now >= end):
                break
            before = int(search.control[NODES])
            state = kind(rules, search, proven, question, before + left)
            self.nodes += int(search.control[NODES]) - before
            if state == DONE:
                return bool(search.control[ENOUGH]), int(search.control[REPLY])
            if state == TOO_LONG:
                raise NotSolvable(f"games of {self.game.name} can last more than {MAX_PLIES} plies from here")
            if end is not None:
                size = int(min(SLICE, max(LEAST_SLICE, left * SLICE_S / max(time.perf_counter() - now, 1e-6))))
        keep(self.narrow, proven, question)
        raise NotSolvable(
            f"a proof did not come to an end in {self.nodes - begun:,} positions; allow more nodes or seconds"
        )


_kept = threading.local()


def solve_by_proof(
    position: Position, *, seconds: float | None = None, nodes: int | None = None, with_line: bool = True
) -> Solution:
    """The value of a position, a best move and, where wanted, a line; `NotSolvable` where the limits are too small.

    With seconds, what was proven before about the same game is remembered; with nodes alone the answer never depends
    on what was asked before.
    """
    began, game = time.perf_counter(), position.game
    if seconds is None:
        prover = Prover(game, table_mb=min(KEPT_MB, max(1.0, (nodes or 0) * ENTRY_BYTES / 2**19)))
    else:
        if getattr(_kept, "game", None) != game:
            _kept.game, _kept.prover = game, Prover(game, table_mb=KEPT_MB)
        prover = _kept.prover
    before = prover.nodes
    value, action = prover.value(position, seconds=seconds, nodes=nodes)
    line = [position.play_action(int(action) if action is not None else position.actions[0])]
    while with_line and line[-1].turn is not None:
        at = line[-1]
        try:
            _, action = prover.value(at, nodes=LINE_NODES)
        except NotSolvable:  # the table has lost it
            break
        line.append(at.play_action(at.actions[0] if action is None else action))
    moves = tuple(at.move for at in line)
    margin = None if has_rule(score, type(game.rules)) else value
    return Solution(float(value), margin, moves[0], moves, "proof", prover.nodes - before, time.perf_counter() - began)
