"""Training lines as document 000 has them, from Monte-Carlo games of our own: the winner's moves only.

Start at `play_lines`, which writes files in the document's format, and `read_lines`, which reads them as arrays.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boyi.games.einstein import ALIVE, DIE, DIRECTIONS, MOVABLE, MOVER, RESULT, STONES, EinSteinGame
from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.generics import RUNNING, setup
from boyi.games.randomness import below, generator
from boyi.games.registry import game as find_game
from boyi.quick.einstein_engine import EinsteinEngine
from boyi.quick.einstein_net import NO_MOVE, move_chances
from boyi.quick.library import engine
from boyi.search.flat import play_out_moves
from boyi.search.playouts import Uniform
from boyi.search.selfplay import legal_masks
from boyi.search.thesis import play_all
from boyi.train.files import write_file
from boyi.train.samples import Samples

FILE_GAMES = 500
"""Games of one file: what is lost at most when the study is stopped."""
NUMBERS = 15
"""Numbers of a line, besides the side: die, six squares of Blue, six of Red, from, to."""


@dataclass(frozen=True)
class Lines:
    """N decisions after the roll."""

    states: NDArray[np.int16]
    """[N, 42]"""
    actions: NDArray[np.int64]
    """[N] the move that was played."""

    def __len__(self) -> int:
        return len(self.actions)

    def __getitem__(self, rows: slice) -> "Lines":
        return Lines(self.states[rows], self.actions[rows])


def einstein() -> EinSteinGame:
    found = find_game("einstein")
    assert isinstance(found, EinSteinGame)
    return found


def play_lines(
    folder: Path,
    positions: int,
    *,
    sims: int,
    seed: int,
    on_file: Callable[[int], None] = lambda found: None,
) -> list[Path]:
    """Files of games of flat Monte Carlo with itself that hold at least so many lines; those that exist are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    total = 0
    while total < positions:
        file = folder / f"{len(files):05d}.thesis"
        if not file.is_file():
            rng = generator(seed, len(files))
            write_file(file, "".join(line for _ in range(FILE_GAMES) for line in winner_lines(sims, rng)))
        files.append(file)
        total += file.read_bytes().count(b"\n")
        on_file(total)
    return files


def winner_lines(sims: int, rng: NDArray[np.uint64]) -> list[str]:
    """The winner's moves of one game from a random set-up, as lines of document 000."""
    game = einstein()
    state, scratch = game.blank(), game.blank()
    mask = np.zeros(game.num_actions, np.uint8)
    setup(game.rules, state, rng)
    sides: tuple[list[str], list[str]] = ([], [])
    while state[RESULT] == RUNNING:
        play_all(game.rules, state[None], np.array([below(rng, 6)]))
        legal_masks(game.rules, state[None], mask[None])
        actions = np.flatnonzero(mask)
        tallies = np.zeros((len(actions), 3), np.int64)
        if len(actions) > 1:
            rounds = -(-sims // len(actions))
            play_out_moves(Uniform(), game.rules, state, actions, scratch, mask, rng, rounds, tallies)
        sign = 1 - 2 * int(state[MOVER])
        action = int(actions[np.argmax(sign * (tallies[:, 2] - tallies[:, 0]))])
        sides[int(state[MOVER])].append(line_of(game, state, action))
        play_all(game.rules, state[None], np.array([action]))
    return sides[0 if state[RESULT] > 0 else 1]


def line_of(game: EinSteinGame, state: NDArray[Any], action: int) -> str:
    """A decision as a line: side, die, Blue's squares, Red's, from, to."""
    squares = (state[STONES : STONES + 12] + 1).tolist()
    red, blue = (" ".join(map(str, squares[at : at + 6])) for at in (0, 6))
    source, target = (square + 1 for square in game.touched(state, action))
    return f"({'RB'[int(state[MOVER])]})({int(state[DIE])})({blue})({red})({source})({target})\n"


def read_lines(files: Sequence[Path]) -> Lines:
    """The lines of files as arrays. For files of unknown origin use `boyi.records`, which checks every move."""
    parts = []
    for file in files:
        words = file.read_text(encoding="utf-8").translate(str.maketrans("RB()", "01  ")).split()
        if len(words) % (NUMBERS + 1):
            raise GameError(f"{file} is damaged: its lines have not {NUMBERS} numbers each; delete it")
        parts.append(np.array(words, np.int16).reshape(-1, NUMBERS + 1))
    found = np.concatenate(parts)
    side, die, blue, red = found[:, 0], found[:, 1], found[:, 2:8], found[:, 8:14]
    squares = np.concatenate([red, blue], axis=1) - 1
    states = np.zeros((len(found), einstein().state_size), np.int16)
    states[:, STONES : STONES + 12] = squares
    rows, stones = np.nonzero(squares >= 0)
    states[rows, squares[rows, stones]] = stones + 1
    np.add.at(states, (rows, ALIVE + stones // 6), (1 << stones % 6).astype(np.int16))
    states[:, MOVER], states[:, DIE], states[:, RESULT] = side, die, RUNNING
    seen, goal = (np.where(side == 0, found[:, at] - 1, 25 - found[:, at]).astype(np.int64) for at in (14, 15))
    directions = np.select([goal - seen == 1, goal - seen == 5], [0, 1], 2)
    return Lines(states, 3 * seen + directions)


def samples_of(game: Game, lines: Lines, actions: NDArray[np.int64]) -> Samples:
    """Lines as rows to learn from, with these actions as the policy."""
    count = len(lines)
    policies = np.zeros((count, game.num_actions), np.float16)
    policies[np.arange(count), actions] = 1
    movers = lines.states[:, MOVER].astype(np.int8)
    return Samples(
        states=lines.states,
        policies=policies,
        values=np.zeros(count, np.float32),
        draws=np.zeros(count, np.float32),
        movers=movers,
        games=np.arange(count, dtype=np.int32),
        outcomes=(1 - 2 * movers).astype(np.int8),
        finals=lines.states,
        known=np.zeros(count, np.bool_),
    )


def action_chances(lines: Lines) -> NDArray[np.float32]:
    """[N, 75] the mover's winning chance after each legal move, -1 for the others: by the tablebase where it reaches,
    else by the shipped quick net, whose choices give away a few thousandths at most."""
    game = einstein()
    _, found = engine(game, "shipped")
    assert isinstance(found, EinsteinEngine)
    chances = np.full((len(lines), game.num_actions), NO_MOVE, np.float32)
    moves = np.zeros(18)
    for row, state in enumerate(lines.states):
        move_chances(found.net, found.table, found.most_stones, state, moves, found.room)
        mover = int(state[MOVER])
        for stone in MOVABLE[int(state[ALIVE + mover]), int(state[DIE]) - 1]:
            if stone >= 0:
                square = int(state[STONES + 6 * mover + stone])
                seen = square if mover == 0 else 24 - square
                ways = [way for way in range(3) if DIRECTIONS[seen] >> way & 1]
                for way in ways:
                    chances[row, 3 * seen + way] = moves[3 * int(stone) + way]
    return chances
