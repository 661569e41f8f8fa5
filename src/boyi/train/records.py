"""Game records as samples: what people or programs played, learnt by the same learner. Start at `samples_of`.

Files may be of every format that `boyi.records` reads; the simplest is a text file with the moves of one game a line.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.generics import CHANCE
from boyi.games.position import Position
from boyi.records import BadRecord, Record, Skipped, game_text
from boyi.records import read_records as read_file
from boyi.train.samples import Samples, empty_samples, join


def samples_of(game: Game, records: Iterable[Record], *, winner_only: bool = False) -> Samples:
    """The positions of games.

    A policy is the move that was played. With `winner_only` the loser's moves are not learnt, as in document 000; the
    positions count for the value all the same.
    """
    return join(game, [sample_game(game, record, winner_only=winner_only) for record in records])


def sample_game(game: Game, record: Record, *, winner_only: bool = False) -> Samples:
    """The positions of one game; `BadRecord` where it cannot be replayed or has no result."""
    positions = list(record.positions(game))
    path = list(itertools.pairwise(positions))
    outcome = _outcome(record, positions[-1])
    if not path:
        return empty_samples(game)
    states = np.stack([before.state for before, _ in path])
    policies = np.zeros((len(path), game.num_actions), np.float16)
    movers = np.array([_viewer(before, after) for before, after in path], np.int8)
    for row, (before, after) in enumerate(path):
        won = outcome == (1 if movers[row] == 0 else -1)
        if before.turn != CHANCE and (won or not winner_only):
            policies[row, before.action(after.move)] = 1
    return Samples(
        states=states,
        policies=policies,
        values=np.full(len(path), outcome, np.float32),
        draws=np.full(len(path), outcome == 0, np.float32),
        movers=movers,
        games=np.zeros(len(path), np.int32),
        outcomes=np.array([outcome], np.int8),
        finals=positions[-1].state[None].copy(),
        known=np.zeros(len(path), np.bool_),
    )


def _outcome(record: Record, last: Position) -> int:
    """The result for player 0."""
    result = record.result or last.outcome
    if result is None:
        raise BadRecord("the game is not over and its record names no result")
    return {None: 0, 0: 1, 1: -1}[result.winner]


def _viewer(before: Position, after: Position) -> int:
    """The player from whose side a net sees a position: who decides, there or after the dice."""
    while before.turn == CHANCE:
        before, after = after, after
        if before.turn == CHANCE:
            before = before.play(before.moves[0])
    return before.turn or 0


def read_records(game: Game, files: Iterable[Path], *, on_bad: Callable[[str], None]) -> Iterator[Record]:
    """The games of files. What cannot be learnt from is told to `on_bad` by file and line, and left out."""
    for file in files:
        for found in read_file(file, game=game):
            if isinstance(found, Skipped):
                on_bad(f"{found.file}:{found.line}: left out: {found.reason}")
                continue
            if game_text(found.game) != game_text(game):
                on_bad(f"{file}: left out: a game of {found.game}, not {game_text(game)}")
                continue
            try:
                _outcome(found, found.position(game))
            except GameError as error:
                on_bad(f"{file}: left out: {error}")
                continue
            yield found
