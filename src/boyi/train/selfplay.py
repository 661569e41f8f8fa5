"""Self-play with an evaluator: many games in lock step of evaluations, recorded as samples. Start at `play_games`.

The work between two batches is done by `boyi.search.selfplay`; here are the loop over batches, the harvest of finished
games, and the options as the kernels want them. The same seed and options give the same games, bit by bit: every game
has its own random numbers, by its number.
"""

import dataclasses
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.games.errors import GameError
from boyi.games.game import Game
from boyi.games.randomness import generator
from boyi.search.evaluators import Evaluator, UniformEvaluator
from boyi.search.mcts import BatchSearch
from boyi.search.selection import Gumbel, Puct, halving
from boyi.search.selfplay import Habits, begin, grow, keep_roots, make_slots, tend
from boyi.search.tree import NONE, make_tree
from boyi.train.config import SelfPlayConfig
from boyi.train.samples import Samples, half

ROWS = 128
SPARE_ROWS = 32
"""Room that is kept for the rows which one move may add: forced moves and rolls."""


@dataclass(frozen=True)
class Tally:
    """What some self-play came to."""

    games: int = 0
    rows: int = 0
    plies: int = 0
    evaluations: int = 0
    batches: int = 0
    seconds: float = 0.0
    evaluator_seconds: float = 0.0
    entropy: float = 0.0
    """Sum over the rows with a policy of its entropy in nats."""
    searched: int = 0
    first_player: float = 0.0
    """Sum over games of player 0's points: 1, 1/2 or 0."""

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(mine + theirs for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True)))


class Metered:
    """An evaluator that counts what it is asked, and the time it takes."""

    def __init__(self, inner: Evaluator) -> None:
        self.inner = inner
        self.observer = inner.observer
        self.evaluations = self.batches = 0
        self.seconds = 0.0

    def __call__(self, states: NDArray[Any], planes: Any) -> tuple[Any, Any]:
        began = time.perf_counter()
        answer = self.inner(states, planes)
        self.seconds += time.perf_counter() - began
        self.evaluations += len(states)
        self.batches += 1
        return answer


def method_of(config: SelfPlayConfig) -> NamedTuple:
    """The selection rule that a configuration asks for."""
    if config.search == "gumbel":
        return Gumbel(halving(config.considered, config.simulations), config.visit_scale, config.value_scale)
    return Puct(config.exploration)


def habits_of(config: SelfPlayConfig) -> Habits:
    """The options as the kernels want them."""
    return Habits(
        simulations=config.simulations,
        fast_simulations=config.fast_simulations,
        full_share=config.full_share,
        opening=config.opening,
        noise_alpha=config.noise_alpha,
        noise_share=config.noise_share,
        temperature=config.temperature,
        temperature_plies=config.temperature_plies,
        resign=config.resign,
        resign_share=config.resign_share,
        max_plies=config.max_plies,
        reuse=config.search == "puct" and config.reuse,
    )


def play_games(
    game: Game, evaluator: Evaluator, config: SelfPlayConfig, *, games: int, seed: int
) -> tuple[Samples, Tally]:
    """Play so many games against itself, `config.parallel` at a time; a finished one makes room for the next."""
    return SelfPlay(game, evaluator, config, seed=seed).play(games)


def warm_up(game: Game, observer: str, config: SelfPlayConfig) -> None:
    """Compile what self-play needs, before several processes would do it at once."""
    aimless_games(game, observer, dataclasses.replace(config, max_plies=2), games=1, seed=0)


def aimless_games(game: Game, observer: str, config: SelfPlayConfig, *, games: int, seed: int) -> Samples:
    """Games without any knowledge: two simulations a move, all moves and positions alike."""
    blind = UniformEvaluator(game)
    blind.observer = observer
    small = dataclasses.replace(config, parallel=games, simulations=2, fast_simulations=2, considered=2)
    return play_games(game, blind, small, games=games, seed=seed)[0]


class SelfPlay:
    """Games in progress with one evaluator."""

    def __init__(self, game: Game, evaluator: Evaluator, config: SelfPlayConfig, *, seed: int) -> None:
        self.game, self.seed = game, seed
        self.metered = Metered(evaluator)
        self.method, self.habits = method_of(config), habits_of(config)
        self.slots = make_slots(game, config.parallel, ROWS)
        nodes = (4 if self.habits.reuse else 1) * max(config.simulations, config.fast_simulations) + 4
        trees, edges = config.parallel, nodes * game.num_actions
        self.search = BatchSearch(game, self.metered, method=self.method, trees=trees, nodes=nodes, edges=edges)
        self.spare = make_tree(game.num_core, trees, nodes, edges) if self.habits.reuse else None
        self.mask, self.scratch = np.zeros(game.num_actions, np.uint8), game.blank()
        self.numbers = np.zeros(config.parallel, np.int64)
        self.done: dict[int, tuple[NDArray[Any], ...]] = {}

    def play(self, games: int) -> tuple[Samples, Tally]:
        """Play games 0..games-1."""
        began = time.perf_counter()
        started = self._start(0, games)
        while self.slots.live.any():
            made, why = self.search.wave(self.slots.left)
            ended = tend(
                self.method,
                self.game.rules,
                self.habits,
                self.search.tree,
                self.slots,
                self.search.states,
                made,
                why,
                self.mask,
                self.scratch,
            )
            if self.spare is not None and (self.slots.kept != NONE).any():
                keep_roots(self.search.tree, self.slots, self.spare)
            if ended:
                self._harvest()
                started = self._start(started, games)
            if self.slots.length.max() + SPARE_ROWS > self.slots.value.shape[1]:
                self.slots = grow(self.slots, 2 * self.slots.value.shape[1])
        return self._finish(time.perf_counter() - began)

    def _start(self, started: int, games: int) -> int:
        """Begin games in free slots; returns how many have been begun."""
        for g in np.flatnonzero(~self.slots.live)[: games - started]:
            self.slots.rng[g] = generator(self.seed, started)
            self.numbers[g] = started
            tree, states = self.search.tree, self.search.states
            if not begin(self.game.rules, self.habits, tree, self.slots, g, states, self.mask, self.scratch):
                raise GameError(f"opening={self.habits.opening} is too many: {self.game.name} is over by then")
            started += 1
        return started

    def _harvest(self) -> None:
        """Copy the rows of games that ended."""
        slots = self.slots
        for g in np.flatnonzero(~slots.live & (slots.length >= 0)):
            rows = slice(0, int(slots.length[g]))
            self.done[int(self.numbers[g])] = (
                slots.state[g, rows].copy(),
                half(slots.policy[g, rows] * slots.searched[g, rows, None]),
                slots.value[g, rows].copy(),
                slots.draw[g, rows].copy(),
                slots.mover[g, rows].copy(),
                slots.result[g].copy(),
                self.search.states[g].copy(),
                slots.plies[g].copy(),
            )
            slots.length[g] = -1

    def _finish(self, seconds: float) -> tuple[Samples, Tally]:
        games = [self.done[number] for number in sorted(self.done)]
        columns = (list(column) for column in zip(*games, strict=True))
        states, policies, values, draws, movers, outcomes, finals, plies = columns
        samples = Samples(
            states=np.concatenate(states),
            policies=np.concatenate(policies),
            values=np.concatenate(values),
            draws=np.concatenate(draws),
            movers=np.concatenate(movers),
            games=np.repeat(np.arange(len(games), dtype=np.int32), [len(rows) for rows in states]),
            outcomes=np.array(outcomes, np.int8),
            finals=np.stack(finals),
            known=np.zeros(sum(map(len, states)), np.bool_),
        )
        shares = samples.policies.astype(np.float32)
        tally = Tally(
            games=len(games),
            rows=samples.num_rows,
            plies=int(sum(plies)),
            evaluations=self.metered.evaluations,
            batches=self.metered.batches,
            seconds=seconds,
            evaluator_seconds=self.metered.seconds,
            entropy=float(-(shares * np.log(np.maximum(shares, 1e-9))).sum()),
            searched=int(samples.searched.sum()),
            first_player=float(((samples.outcomes.astype(float) + 1) / 2).sum()),
        )
        return samples, tally
