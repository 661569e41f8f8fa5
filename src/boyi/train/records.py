"""Game records as samples: what people or programs played, learnt by the same learner. Start at `samples_from_games`.

A plain text file holds one game a line: its moves as texts separated by spaces, rolls included where there are dice,
and if wanted the result at the end: `1-0`, `0-1` or `1/2-1/2` from the first player's side. A game that is played to
its end needs no result. Lines that are empty or begin with `#` are skipped.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.generics import CHANCE
from boyi.games.position import Position
from boyi.train.samples import Samples, empty_samples, join

RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
LONGEST_LINE = 100_000


class BadRecord(GameError):
    """A game that cannot be replayed."""


def samples_from_games(
    game: Game, games: Iterable[tuple[Sequence[str], int | None]], *, winner_only: bool = False
) -> Samples:
    """The positions of games, given as moves and player 0's outcome (None where the last position tells it).

    A policy is the move that was played. With `winner_only` the loser's moves are not learnt, as in document 000; the
    positions count for the value all the same.
    """
    return join(game, [sample_game(game, moves, outcome, winner_only=winner_only) for moves, outcome in games])


def sample_game(game: Game, moves: Sequence[str], outcome: int | None, *, winner_only: bool = False) -> Samples:
    """The positions of one game; `BadRecord` where it cannot be replayed or has no result."""
    position, path = game.start(), []
    for number, move in enumerate(moves, 1):
        try:
            after = position.play(move)
        except GameError as error:
            raise BadRecord(f"move {number}: {error}") from None
        path.append((position, after))
        position = after
    outcome = _result(position) if outcome is None else outcome
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
        finals=position.state[None].copy(),
    )


def _result(position: Position) -> int:
    if position.outcome is None:
        raise BadRecord("the game is not over and its line names no result; end it with 1-0, 0-1 or 1/2-1/2")
    return {None: 0, 0: 1, 1: -1}[position.outcome.winner]


def _viewer(before: Position, after: Position) -> int:
    """The player from whose side a net sees a position: who decides, there or after the dice."""
    while before.turn == CHANCE:
        before, after = after, after
        if before.turn == CHANCE:
            before = before.play(before.moves[0])
    return before.turn or 0


def read_records(
    game: Game, files: Iterable[Path], *, on_bad: Callable[[str], None]
) -> Iterator[tuple[list[str], int | None]]:
    """The games of text files. A line that cannot be replayed is told to `on_bad` by file and number, and left out."""
    for file in files:
        with Path(file).open(encoding="utf-8", errors="replace") as lines:
            for number, text in enumerate(lines, 1):
                words = text.split() if len(text) <= LONGEST_LINE else []
                if len(text) > LONGEST_LINE:
                    on_bad(f"{file}:{number}: longer than {LONGEST_LINE:,} characters, left out")
                if not words or words[0].startswith("#"):
                    continue
                outcome = RESULTS.get(words[-1])
                moves = words if outcome is None else words[:-1]
                try:
                    sample_game(game, moves, outcome)
                except GameError as error:
                    on_bad(f"{file}:{number}: left out: {error}")
                    continue
                yield moves, outcome
