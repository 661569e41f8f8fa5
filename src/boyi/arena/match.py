"""Matches between two players. Start at `play_match`.

Games 2k and 2k + 1 are a pair: the same set-up, the same opening moves and the same dice (the n-th roll of both games
is the same), with colours exchanged. What luck a start has to give, both players are given. Every game has its own
freshly made players, so it depends on nothing but its number and the match's seed.
"""

import functools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from boyi.arena.control import Control
from boyi.arena.openings import opening_start, random_opening, usual_openings
from boyi.arena.play import Factory, Play, Thought, roll
from boyi.arena.statistics import Estimate, estimate, pentanomial, superiority
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.generics import CHANCE
from boyi.games.position import Position
from boyi.games.randomness import generator
from boyi.players import Limit


@dataclass(frozen=True)
class GameRow:
    """One game of a match. Seats are 0 and 1; pairs of numbers belong to the first and the second player."""

    number: int
    seed: int
    """Shared by both games of a pair."""
    seat: int
    """Where the match's first player sat."""
    winner: int | None
    """The seat that won, None for a draw."""
    reason: str
    """Why the game ended; for a failure such as a crash or an illegal move, whose and what."""
    score: int
    """The margin for seat 0; 0 where a player was forfeit."""
    start: str
    """The key of the starting position."""
    history: tuple[str, ...]
    """Every move and roll from there, the opening included."""
    num_moves: tuple[int, int]
    seconds: tuple[float, float]
    forfeit: bool = False
    """Whether a player lost by a failure or on time."""
    players: tuple[int, int] = (0, 1)
    """Who the first and the second player are, by their numbers in a tournament."""
    thoughts: tuple[Thought | None, ...] = ()
    """What each entry of the history took and was thought of; None for the opening and for rolls."""

    @property
    def points(self) -> float:
        """1, 1/2 or 0, for the match's first player."""
        return 0.5 if self.winner is None else float(self.winner == self.seat)


@dataclass(frozen=True)
class MatchResult:
    """The games of a match in order, and what they add up to, from the first player's side."""

    rows: tuple[GameRow, ...]
    wanted: int
    """How many games were asked for; more than `games` where the match was stopped."""

    @property
    def games(self) -> int:
        return len(self.rows)

    @property
    def wins(self) -> int:
        return sum(row.points == 1 for row in self.rows)

    @property
    def draws(self) -> int:
        return sum(row.winner is None for row in self.rows)

    @property
    def losses(self) -> int:
        return sum(row.points == 0 for row in self.rows)

    @functools.cached_property
    def pairs(self) -> list[list[float]]:
        """The points of the games of each pair, both or one."""
        return [[row.points for row in pair] for _, pair in groupby(self.rows, lambda row: row.number // 2)]

    @property
    def estimate(self) -> Estimate:
        """The score with its 95 % interval; its `elo` has both as differences of Elo."""
        return estimate(self.pairs)

    @property
    def superiority(self) -> float:
        """How likely it is that the first player is the better one."""
        return superiority(self.pairs)

    @property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """How many pairs gave the first player 0, 1/2, 1, 3/2 and 2 points."""
        return pentanomial(self.pairs)

    @property
    def forfeits(self) -> tuple[int, int]:
        """Games that the first and the second player lost by a failure or on time."""
        lost = [row.points for row in self.rows if row.forfeit]
        return lost.count(0.0), lost.count(1.0)

    @property
    def seat_wins(self) -> tuple[int, int]:
        """Games that seats 0 and 1 won, whoever sat there: whether openings are fair."""
        winners = [row.winner for row in self.rows]
        return winners.count(0), winners.count(1)

    @property
    def num_moves(self) -> tuple[int, int]:
        """Moves that each player chose in the whole match."""
        return sum(row.num_moves[0] for row in self.rows), sum(row.num_moves[1] for row in self.rows)

    @property
    def seconds_per_move(self) -> tuple[float | None, float | None]:
        """Mean thinking time of each player, None where it never had to move."""
        spent = sum(row.seconds[0] for row in self.rows), sum(row.seconds[1] for row in self.rows)
        moves = self.num_moves
        return (spent[0] / moves[0] if moves[0] else None, spent[1] / moves[1] if moves[1] else None)

    @property
    def mean_length(self) -> float | None:
        """Mean number of moves and rolls of a game."""
        return sum(len(row.history) for row in self.rows) / self.games if self.rows else None


@dataclass(frozen=True)
class Schedule:
    """What decides the games of a match, but for the players."""

    game: Game
    games: int
    seed: int = 0
    control: Control = field(default_factory=Control)
    openings: int | None = None
    """Random plies at the start of each game; None for the game's usual number."""
    lines: Sequence[str] = ()
    """Openings to take in turn instead, in an order drawn by the seed; see `openings`."""
    adjudicate: int = 0
    """Nodes of exact search that may end a decided game early; 0 for none."""

    def __post_init__(self) -> None:
        if self.games < 1:
            raise GameError(f"games={self.games} is not possible; a match has at least 1 game")
        if self.openings is not None and self.openings < 0:
            raise GameError(f"openings={self.openings} is not possible; it must be 0 or more")
        if self.adjudicate < 0:
            raise GameError(f"adjudicate={self.adjudicate} is not possible; it must be 0 or more nodes")

    @property
    def num_pairs(self) -> int:
        return (self.games + 1) // 2

    def play_pair(
        self, pair: int, first: Factory, second: Factory, stopped: Callable[[], bool] = lambda: False
    ) -> Iterator[GameRow]:
        """Play the games of a pair, both or at the end of a match perhaps one; `Stopped` where asked to stop."""
        for number in range(2 * pair, min(2 * pair + 2, self.games)):
            yield self.play(pair, number % 2, first, second, stopped=stopped)

    def play(
        self,
        pair: int,
        seat: int,
        first: Factory,
        second: Factory,
        *,
        stopped: Callable[[], bool] = lambda: False,
        on_move: Callable[[Position], None] | None = None,
    ) -> GameRow:
        """Play the game of a pair where the first player has this seat; `Stopped` where asked to stop."""
        seed = int(generator(self.seed, pair)[0] >> 33)
        dice = random.Random(f"dice {seed}")
        start, position = self._opened(pair, seed, dice)
        seeds = [int(generator(seed, 1 + 2 * seat + which)[0] >> 33) for which in (0, 1)]
        sides = [(first, seeds[0]), (second, seeds[1])]
        play = Play(
            sides[::-1] if seat else sides,
            self.control,
            adjudicate=self.adjudicate,
            stopped=stopped,
            on_move=on_move,
        )
        num_opening = len(position.history)
        try:
            last, end = play.run(position, dice)
        finally:
            play.close()
        return GameRow(
            number=2 * pair + seat,
            seed=seed,
            seat=seat,
            winner=end.winner,
            reason=end.reason,
            score=end.score,
            start=start.key,
            history=last.history,
            num_moves=_turned(play.num_moves, seat),
            seconds=_turned(play.seconds, seat),
            forfeit=play.forfeit,
            thoughts=(None,) * num_opening + tuple(play.thoughts),
        )

    def _opened(self, pair: int, seed: int, dice: random.Random) -> tuple[Position, Position]:
        """Where a pair starts, and the position after its opening; rolls among random plies come from the dice."""
        if self.lines:
            order = random.Random(f"order {self.seed} {pair // len(self.lines)}")
            line = order.sample(range(len(self.lines)), len(self.lines))[pair % len(self.lines)]
            start, opening = opening_start(self.game, self.lines[line])
            position = start
            for move in opening:
                position = position.play(move)
            return start, position
        openings = usual_openings(self.game) if self.openings is None else self.openings
        start = position = self.game.start(seed=seed)
        for move in random_opening(self.game, seed, openings):
            position = position.play(roll(position, dice) if position.turn == CHANCE else move)
        return start, position


def play_match(
    game: Game,
    first: Factory,
    second: Factory,
    *,
    games: int,
    seed: int = 0,
    limit: Limit | None = None,
    openings: int | None = None,
    on_game: Callable[[GameRow], None] | None = None,
) -> MatchResult:
    """Play a match; colours alternate, the first player begins with seat 0.

    `limit` holds for every move of both players. `openings` random plies precede each game, without it as many as the
    game needs for variety. `on_game` is told every finished game. A player that raises an error or answers with an
    illegal move loses that game. Ctrl-C ends the match and returns the games played so far.
    """
    schedule = Schedule(game, games, seed, Control(limit or Limit()), openings)
    rows: list[GameRow] = []
    try:
        for pair in range(schedule.num_pairs):
            for row in schedule.play_pair(pair, first, second):
                rows.append(row)
                if on_game:
                    on_game(row)
    except KeyboardInterrupt:
        pass
    return MatchResult(tuple(rows), games)


def _turned(by_seat: list[Any], seat: int) -> tuple[Any, Any]:
    """Numbers of seats 0 and 1 as the first and the second player's."""
    return by_seat[seat], by_seat[1 - seat]
