"""Games to learn from that another player plays: distillation of, say, a quick net into a deep one. Start at `teach`.

The teacher's move is the policy of a position and its value the search's value. So that the student learns what to do
after its own mistakes too, some moves of a game, and its first few, are the student's own, drawn by its policy; after
the first few, what the teacher would have played instead is learnt all the same.
"""

import time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.games.generics import CHANCE
from boyi.games.position import Position
from boyi.games.randomness import generator
from boyi.players import Player, player
from boyi.players.net import draw_action
from boyi.search.evaluators import Evaluator
from boyi.train.config import SelfPlayConfig
from boyi.train.samples import Samples, join
from boyi.train.selfplay import Tally


class Lesson(NamedTuple):
    """One row to be."""

    state: NDArray[Any]
    action: int
    """The teacher's move; -1 at the dice."""
    value: float | None
    """The teacher's for player 0, where it has one."""
    mover: int
    """Who decides, there or after the dice."""
    known: bool = False
    """Whether the value is exact."""


def teach(game: Game, student: Evaluator, config: SelfPlayConfig, *, games: int, seed: int) -> tuple[Samples, Tally]:
    """So many games of `config.teacher`, as samples."""
    began = time.perf_counter()
    with player(config.teacher, game, seed=int(generator(seed)[0] >> 33)) as teacher:
        played = [taught_game(teacher, student, config, np.random.default_rng([seed, n])) for n in range(games)]
    samples = join(game, played)
    tally = Tally(
        games=games,
        rows=samples.num_rows,
        plies=samples.num_rows,
        seconds=time.perf_counter() - began,
        searched=int(samples.searched.sum()),
        first_player=float(((samples.outcomes.astype(float) + 1) / 2).sum()),
    )
    return samples, tally


def taught_game(teacher: Player, student: Evaluator, config: SelfPlayConfig, random: np.random.Generator) -> Samples:
    """One game, from an opening of the student's."""
    game = teacher.game
    position = game.start(seed=int(random.integers(2**31)))
    alone = int(random.integers(config.opening + 1))
    lessons: list[Lesson] = []
    plies = 0
    while position.turn is not None and plies < config.max_plies:
        plies += 1
        turn = position.turn
        if turn == CHANCE:
            odds = position.chances or {}
            before, position = position, position.play(str(random.choice(list(odds), p=list(odds.values()))))
            lessons.append(Lesson(before.state, -1, None, max(position.turn or 0, 0)))
            continue
        legal = np.array(position.actions)
        if len(legal) == 1:
            position = position.play_action(int(legal[0]))
            continue
        own = draw_action(random, legal, _logits(student, position)[legal], 1.0)
        if plies > alone:
            choice = teacher.choose(position)
            best = position.action(choice.move)
            lessons.append(Lesson(position.state, best, choice.value, turn, choice.exact))
            own = own if random.random() < config.strays else best
        position = position.play_action(own)
    return _samples(game, lessons, position)


def _logits(student: Evaluator, position: Position) -> NDArray[np.float32]:
    logits, _ = student(position.state[None], position.observe(student.observer)[None])
    return np.asarray(logits[0])


def _samples(game: Game, lessons: list[Lesson], last: Position) -> Samples:
    """The lessons of a game. Where the teacher has no opinion, the result is the value; what a value leaves open is a
    draw in games that were drawn."""
    outcome = {None: 0, 0: 1, 1: -1}[last.outcome.winner if last.outcome else None]
    policies = np.zeros((len(lessons), game.num_actions), np.float16)
    for row, lesson in enumerate(lessons):
        policies[row, lesson.action] = lesson.action >= 0
    values = np.array([outcome if lesson.value is None else lesson.value for lesson in lessons], np.float32)
    return Samples(
        states=np.array([lesson.state for lesson in lessons], game.state_dtype).reshape(-1, game.state_size),
        policies=policies,
        values=values,
        draws=(1 - np.abs(values)) * np.float32(outcome == 0),
        movers=np.array([lesson.mover for lesson in lessons], np.int8),
        games=np.zeros(len(lessons), np.int32),
        outcomes=np.array([outcome], np.int8),
        finals=last.state[None].copy(),
        known=np.array([lesson.known for lesson in lessons], np.bool_),
    )
