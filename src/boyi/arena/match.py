"""Matches between two players. Start at `play_match`.

Games 2k and 2k + 1 are a pair: the same random set-up, the same random opening moves and the same dice (the n-th roll
of both games is the same), with colours exchanged. What luck a start has to give, both players are given. Every game
has its own freshly made players, so it depends on nothing but its number and the match's seed.
"""

import contextlib
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from boyi.arena.statistics import Estimate, estimate
from boyi.games.errors import GameError, IllegalMove
from boyi.games.game import Game
from boyi.games.generics import CHANCE, chance, has_rule, setup
from boyi.games.position import Position
from boyi.games.randomness import generator
from boyi.players import Limit, Player

Factory = Callable[[int], Player]
"""Makes a player from a seed."""

ENOUGH_LINES = 1000
"""How many different openings there should be where nothing else is random: 4 plies in tic-tac-toe, 5 in Othello,
2 in Gomoku and Connect6."""


class Stopped(Exception):
    """A game was left because the match was asked to stop."""


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
    """Why the game ended; for a crash or an illegal move, whose and what."""
    score: int
    """The margin for seat 0; 0 where a player was forfeit."""
    start: str
    """The key of the starting position."""
    history: tuple[str, ...]
    """Every move and roll from there, the random opening included."""
    num_moves: tuple[int, int]
    seconds: tuple[float, float]
    forfeit: bool = False

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

    @property
    def estimate(self) -> Estimate:
        """The score with its 95 % interval; its `elo` has both as differences of Elo."""
        return estimate([[row.points for row in pair] for _, pair in groupby(self.rows, lambda row: row.number // 2)])

    @property
    def forfeits(self) -> tuple[int, int]:
        """Games that the first and the second player lost by a crash or an illegal move."""
        lost = [row.points for row in self.rows if row.forfeit]
        return lost.count(0.0), lost.count(1.0)

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
    limit: Limit | None = None
    openings: int | None = None
    """Random plies at the start of each game; None for the game's usual number."""

    def __post_init__(self) -> None:
        if self.games < 1:
            raise GameError(f"games={self.games} is not possible; a match has at least 1 game")
        if self.openings is not None and self.openings < 0:
            raise GameError(f"openings={self.openings} is not possible; it must be 0 or more")

    @property
    def num_pairs(self) -> int:
        return (self.games + 1) // 2

    def play_pair(
        self, pair: int, first: Factory, second: Factory, stopped: Callable[[], bool] = lambda: False
    ) -> Iterator[GameRow]:
        """Play the games of a pair, both or at the end of a match perhaps one; `Stopped` where asked to stop."""
        seed = int(generator(self.seed, pair)[0] >> 33)
        openings = usual_openings(self.game) if self.openings is None else self.openings
        opening = random_opening(self.game, seed, openings)
        for number in range(2 * pair, min(2 * pair + 2, self.games)):
            seat = number % 2
            dice = random.Random(f"dice {seed}")
            position = self.game.start(seed=seed)
            start = position.key
            for move in opening:
                position = position.play(roll(position, dice) if position.turn == CHANCE else move)
            seeds = [int(generator(seed, 1 + 2 * seat + which)[0] >> 33) for which in (0, 1)]
            sides = [(first, seeds[0]), (second, seeds[1])]
            game = _Play(sides[::-1] if seat else sides, self.limit, stopped)
            try:
                end = game.run(position, dice)
            finally:
                game.close()
            yield GameRow(
                number=number,
                seed=seed,
                seat=seat,
                start=start,
                history=end.history,
                num_moves=_turned(game.num_moves, seat),
                seconds=_turned(game.seconds, seat),
                **game.verdict(end),
            )


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
    schedule = Schedule(game, games, seed, limit, openings)
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


def usual_openings(game: Game) -> int:
    """How many random plies a match should begin with: none where dice or set-ups give variety, else a few."""
    if has_rule(chance, type(game.rules)) or has_rule(setup, type(game.rules)):
        return 0
    position, plies, lines = game.start(), 0, 1
    while lines < ENOUGH_LINES and position.turn is not None:
        lines *= len(position.moves)
        position, plies = position.play(position.moves[0]), plies + 1
    return plies


def random_opening(game: Game, seed: int, plies: int) -> tuple[str, ...]:
    """Random moves after which the game still runs, `plies` of them besides the rolls between."""
    choose = random.Random(f"opening {seed}")
    for _ in range(100):
        position, dice, played = game.start(seed=seed), random.Random(f"dice {seed}"), 0
        while position.turn is not None and played < plies:
            if position.turn == CHANCE:
                position = position.play(roll(position, dice))
            else:
                position, played = position.play(choose.choice(position.moves)), played + 1
        if position.turn is not None:
            return position.history
    raise GameError(f"openings={plies} is too many: {game.name} is over by then")


def roll(position: Position, dice: random.Random) -> str:
    """A chance outcome. Takes exactly one number from `dice`."""
    chances = position.chances or {}
    return dice.choices(list(chances), list(chances.values()))[0]


class _Play:
    """One game between the players in seats 0 and 1, each made by its factory from its seed."""

    def __init__(self, sides: Sequence[tuple[Factory, int]], limit: Limit | None, stopped: Callable[[], bool]) -> None:
        self.sides = sides
        self.limit = limit
        self.stopped = stopped
        self.players: dict[int, Player] = {}
        self.num_moves = [0, 0]
        self.seconds = [0.0, 0.0]
        self.loser: int | None = None
        self.failure = ""

    def run(self, position: Position, dice: random.Random) -> Position:
        """Play on to the end, or to a forfeit; the last position."""
        for seat, (factory, seed) in enumerate(self.sides):
            try:
                self.players[seat] = factory(seed)
            except Exception as error:
                return self._forfeit(position, seat, f"could not be made: {_told(error)}")
        while (mover := position.turn) is not None:
            if self.stopped():
                raise Stopped
            if mover == CHANCE:
                position = position.play(roll(position, dice))
                continue
            began = time.perf_counter()
            try:
                move = self.players[mover].choose(position, self.limit).move
            except Exception as error:
                return self._forfeit(position, mover, f"crashed: {_told(error)}")
            self.seconds[mover] += time.perf_counter() - began
            self.num_moves[mover] += 1
            try:
                position = position.play(move)
            except IllegalMove:
                return self._forfeit(position, mover, f"played the illegal move {str(move)[:80]!r}")
        return position

    def close(self) -> None:
        """Let the players give back what they hold; one that fails in it has played its game."""
        for made in self.players.values():
            with contextlib.suppress(Exception):
                made.close()

    def _forfeit(self, position: Position, loser: int, failure: str) -> Position:
        self.loser = loser
        self.failure = f"{position.game.players[loser]} {failure}"
        return position

    def verdict(self, end: Position) -> dict[str, Any]:
        """The fields of a row that say how it ended."""
        if self.loser is not None:
            return {"winner": 1 - self.loser, "reason": self.failure, "score": 0, "forfeit": True}
        result = end.outcome
        assert result is not None
        return {"winner": result.winner, "reason": result.reason, "score": result.score}


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:200]}"


def _turned(by_seat: list[Any], seat: int) -> tuple[Any, Any]:
    """Numbers of seats 0 and 1 as the first and the second player's."""
    return by_seat[seat], by_seat[1 - seat]
