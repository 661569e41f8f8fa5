"""Matches between players given by name, which can be spread over processes."""

import contextlib
import functools
import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple

from boyi.arena.match import Factory, GameRow, MatchResult, Schedule, Stopped, play_match
from boyi.games.errors import GameError
from boyi.games.generics import CHANCE
from boyi.games.position import Position
from boyi.games.registry import game as find_game
from boyi.players import Limit, Player, player

_stop: Any = None
"""In a worker process: the event that asks it to leave its game."""


def play_named_match(
    game: str,
    first: str,
    second: str,
    *,
    games: int,
    seed: int = 0,
    limit: Limit | None = None,
    openings: int | None = None,
    workers: int = 1,
    on_game: Callable[[GameRow], None] | None = None,
) -> MatchResult:
    """`play_match` with the game and the players by name, such as `gomoku:size=9` and `mcts:sims=500`.

    With several workers each pair of games goes to the next free process. Where players do not look at the clock, the
    result is the same for any number of workers; `on_game` hears of games in the order in which they end.
    """
    if workers < 1:
        raise GameError(f"workers={workers} is not possible; it must be 1 or more")
    job = Job(game, first, second, games, seed, limit, openings)
    schedule = job.schedule()
    _warm_up_job(job)
    if workers > 1 and schedule.num_pairs > 1:
        return MatchResult(tuple(_spread(job, schedule.num_pairs, workers, on_game)), games)
    return play_match(
        schedule.game, *job.factories(), games=games, seed=seed, limit=limit, openings=openings, on_game=on_game
    )


class Job(NamedTuple):
    """A match as a worker is told about it."""

    game: str
    first: str
    second: str
    games: int
    seed: int
    limit: Limit | None
    openings: int | None

    def schedule(self) -> Schedule:
        return Schedule(find_game(self.game), self.games, self.seed, self.limit, self.openings)

    def factories(self) -> tuple[Factory, Factory]:
        game = find_game(self.game)
        return lambda seed: player(self.first, game, seed=seed), lambda seed: player(self.second, game, seed=seed)


def warm_up(thinker: Player, position: Position) -> None:
    """Let a player think for an instant, as in a game: twice about a position, then after two moves, so that nothing is
    compiled or loaded on the clock later.

    It cannot be used for play afterwards: it has seen positions and used random numbers.
    """
    with contextlib.suppress(Exception):  # a broken player shows in the game that it loses
        for _ in range(2):
            while position.turn == CHANCE:
                position = position.play(position.moves[0])
            mover = position.turn
            for _ in range(2):
                move = thinker.choose(position, Limit(simulations=40, nodes=40, seconds=0.02)).move
            position = position.play(move)
            while position.turn not in (mover, None):
                position = position.play(position.moves[0])


@functools.cache
def _warm_up_job(job: Job) -> None:
    """Once a process. A wrong name or option is an error here, not a lost game."""
    for thinker in [make(job.seed) for make in job.factories()]:
        with thinker:
            warm_up(thinker, find_game(job.game).start(seed=job.seed))


def _spread(job: Job, num_pairs: int, workers: int, on_game: Callable[[GameRow], None] | None) -> list[GameRow]:
    """The rows of all pairs, or of those that ended before Ctrl-C, in order."""
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    rows: list[GameRow] = []
    with ProcessPoolExecutor(min(workers, num_pairs), context, _begin, (stop,)) as pool:
        try:
            for done in as_completed([pool.submit(_play_pair, job, pair) for pair in range(num_pairs)]):
                for row in done.result():
                    rows.append(row)
                    if on_game:
                        on_game(row)
        except KeyboardInterrupt:
            pass
        except BrokenProcessPool as error:
            raise ChildProcessError("a worker process died, perhaps for want of memory; try fewer workers") from error
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
    return sorted(rows, key=lambda row: row.number)


def _begin(stop: Any) -> None:
    """In a new worker: Ctrl-C is the parent's business, which sets the event."""
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_pair(job: Job, pair: int) -> list[GameRow]:
    """In a worker: the games of one pair that end before the match is stopped."""
    _warm_up_job(job)
    rows: list[GameRow] = []
    with contextlib.suppress(Stopped):
        for row in job.schedule().play_pair(pair, *job.factories(), _stop.is_set):
            rows.append(row)
    return rows
