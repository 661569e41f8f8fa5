"""Forced wins in Gomoku and Connect6 by threats: start at `find_win`; the searches are `fours` and `double_threats`."""

import threading
import time
from dataclasses import dataclass

import numpy as np

from boyi.exact import double_threats, fours
from boyi.exact.solution import NotSolvable, Solution
from boyi.exact.windows import make_board, set_up
from boyi.games import connect6, gomoku
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.position import Position

NODES = 200_000
"""Positions looked at where nothing else limits the search: well under a second."""
ATTACKS = (0, 1, 2, 3, 4, 6, 8)
"""How many threats may come before the fours, tried in this order, so that short wins are found first."""
TURNS = (1, 2, 3, 4, 6, 8, 12, 16)
"""The same for turns in Connect6."""
FOURS_LIMIT = 3_000
"""Positions of one search by fours inside a search by threats."""
FIRST_BUDGET = 4_000
"""Positions of a first try of each stage; what stays open is tried again with twice as many."""
KEPT_SEARCHES = 4
_local = threading.local()


@dataclass(frozen=True)
class ThreatWin:
    """A forced win of the side to move: moves and forced answers, up to the last attacking move."""

    line: tuple[str, ...]
    kind: str
    """`fours`, `threats` or `double threats`."""
    nodes: int
    seconds: float


class ThreatSearch:
    """Looks for forced wins in one game; what it learns of positions is kept between calls."""

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self.game = game
        self.connect6 = isinstance(rules, connect6.Connect6)
        self.stages = list(TURNS if self.connect6 else ATTACKS)
        if not can_search(game):
            raise GameError(f"threat search is for Gomoku with five in a row and for Connect6, not {game!r}")
        if self.connect6:
            self.board = make_board(rules.size, rules.size, connect6.WIN)
            self.pairs = double_threats.make_room()
        else:
            self.board = make_board(rules.size, rules.size, rules.win)
            exact = np.array([rules.variant != gomoku.FREESTYLE, rules.variant == gomoku.STANDARD])
            self.sides = fours.Sides(exact, rules.variant == gomoku.RENJU)
            self.room = fours.make_room(rules.size * rules.size)
        empty = game.start()
        set_up(self.board, empty.state)
        for stage in self.stages[:2]:  # what has to be compiled is compiled here, before any clock runs
            self._run(empty, stage, 1)

    def find(self, position: Position, *, nodes: int | None = None, seconds: float | None = None) -> ThreatWin | None:
        """A forced win of the side to move, or None where none was found within the limits."""
        if position.game != self.game:
            raise GameError(f"this search is for {self.game!r}, not {position.game!r}")
        if position.outcome is not None:
            return None
        began, spent = time.perf_counter(), 0
        limit = NODES if nodes is None and seconds is None else nodes
        set_up(self.board, position.state)
        budget, stages = FIRST_BUDGET, self.stages
        while stages:
            unsettled = []
            for stage in stages:
                left = budget if limit is None else min(budget, limit - spent)
                before = time.perf_counter()
                if left <= 0 or (seconds is not None and before - began >= seconds):
                    return None
                result, actions, looked = self._run(position, stage, left)
                spent += looked
                if result == fours.WON:
                    moves = _texts(position, actions)
                    return ThreatWin(moves, self._kind(stage), spent, time.perf_counter() - began)
                if result == fours.GAVE_UP:
                    unsettled.append(stage)
                    took = time.perf_counter() - before
                    if seconds is not None and before - began + 3 * took > seconds:
                        return None
            budget, stages = 2 * budget, unsettled
        return None

    def _kind(self, stage: int) -> str:
        return "double threats" if self.connect6 else "threats" if stage else "fours"

    def _run(self, position: Position, stage: int, limit: int) -> tuple[int, list[int], int]:
        """One search of a stage: how it ended, the winning actions, and the positions looked at."""
        if self.connect6:
            side, stones = int(position.turn or 0), int(position.state[self.board.cells.size + connect6.LEFT])
            self.pairs.nodes[:] = 0, limit
            result, length = double_threats.win_by_double_threats(self.board, side, stones, self.pairs, stage)
            line, looked = self.pairs.best[0], int(self.pairs.nodes[0])
        else:
            side = int(position.turn or 0)
            self.room.nodes[:] = 0, limit
            if stage == 0:
                result, length = fours.win_by_fours(self.board, self.sides, side, self.room, limit)
                line = self.room.line
            else:
                result, length = fours.win_by_threats(
                    self.board, self.sides, side, self.room, stage, min(FOURS_LIMIT, limit)
                )
                line = self.room.best[0]
            looked = int(self.room.nodes[0])
        return result, [action for action in line[:length].tolist() if action >= 0], looked


def find_win(position: Position, *, nodes: int | None = None, seconds: float | None = None) -> ThreatWin | None:
    """A forced win of the side to move by threats, or None where none was found within the limits."""
    return _search(position.game).find(position, nodes=nodes, seconds=seconds)


def solve_by_threats(position: Position, *, seconds: float | None, nodes: int | None) -> Solution:
    """The win of the side to move, where threats force one."""
    if not can_search(position.game):
        raise NotSolvable("threat search is for Gomoku with five in a row and for Connect6")
    found = find_win(position, nodes=nodes, seconds=seconds)
    if found is None:
        raise NotSolvable("no win by threats was found; allow more nodes or seconds")
    winner = int(position.turn or 0)
    return Solution(
        1.0 - 2.0 * winner, 1 - 2 * winner, found.line[0], found.line, found.kind, found.nodes, found.seconds
    )


def can_search(game: Game) -> bool:
    """Whether threat search knows the game."""
    rules = game.rules
    return isinstance(rules, connect6.Connect6) or (isinstance(rules, gomoku.Gomoku | gomoku.Renju) and rules.win == 5)


def _search(game: Game) -> ThreatSearch:
    """The search of this thread for a game, as its working space must not be shared."""
    searches: dict[Game, ThreatSearch] = _local.__dict__.setdefault("searches", {})
    if game not in searches:
        while len(searches) >= KEPT_SEARCHES:
            del searches[next(iter(searches))]
        searches[game] = ThreatSearch(game)
    return searches[game]


def _texts(position: Position, actions: list[int]) -> tuple[str, ...]:
    """The moves of a line; a stone that stands for a forbidden answer ends it."""
    moves: list[str] = []
    for action in actions:
        if position.outcome is not None or action not in position.actions:
            break
        position = position.play_action(action)
        moves.append(position.move)
    return tuple(moves)
