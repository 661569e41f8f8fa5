"""Evaluators: one batched call from states to policy logits and win / draw / loss, whatever is behind it.

`evaluator(states, planes)` takes states [B, state_size] and planes [B, C, H, W] of its `observer` (None where the
observer is None, because it looks at the states alone) and returns logits [B, num_actions] and wdl [B, 3], the
probabilities that the mover wins, draws and loses; where chance decides, player 0's. Nets on ONNX Runtime, playouts,
caches and the fake for tests are all of this kind.
"""

from collections import OrderedDict
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from boyi.games.game import Game
from boyi.games.generics import turn
from boyi.games.kernels import kernel
from boyi.games.randomness import generator
from boyi.search.playouts import Uniform, playout

UNIFORM = Uniform()
Floats = NDArray[np.float32]


class Evaluator(Protocol):
    """What search asks of an evaluator."""

    observer: str | None

    def __call__(self, states: NDArray[Any], planes: Floats | None) -> tuple[Floats, Floats]: ...


class UniformEvaluator:
    """Knows nothing: every move is as good as the other, every position a draw. Measures the search itself."""

    observer: str | None = None

    def __init__(self, game: Game) -> None:
        self.num_actions = game.num_actions

    def __call__(self, states: NDArray[Any], planes: Floats | None) -> tuple[Floats, Floats]:
        logits = np.zeros((len(states), self.num_actions), np.float32)
        return logits, np.tile(np.array([0, 1, 0], np.float32), (len(states), 1))


class PlayoutEvaluator:
    """Equal priors, and the results of some playouts from each position."""

    observer: str | None = None

    def __init__(self, game: Game, *, playouts: int = 1, policy: NamedTuple = UNIFORM, seed: int = 0) -> None:
        self.game = game
        self.playouts = playouts
        self.policy = policy
        self.rng = generator(seed)

    def __call__(self, states: NDArray[Any], planes: Floats | None) -> tuple[Floats, Floats]:
        logits = np.zeros((len(states), self.game.num_actions), np.float32)
        wdl = np.zeros((len(states), 3), np.float32)
        state, mask = self.game.blank(), np.zeros(self.game.num_actions, np.uint8)
        _play_out(self.policy, self.game.rules, states, state, mask, self.rng, self.playouts, wdl)
        return logits, wdl


@kernel
def _play_out(policy, rules, states, state, mask, rng, playouts, wdl):
    for row in range(states.shape[0]):
        second = turn(rules, states[row]) == 1
        for _ in range(playouts):
            state[:] = states[row]
            result = playout(policy, rules, state, mask, rng)
            wdl[row, 1 + result if second else 1 - result] += 1.0 / playouts


class FakeEvaluator:
    """Made-up but fixed opinions, a hash of each state: for tests of search that need a deterministic net."""

    observer: str | None = None

    def __init__(self, game: Game, *, seed: int = 0) -> None:
        self.game = game
        self.seed = seed

    def __call__(self, states: NDArray[Any], planes: Floats | None) -> tuple[Floats, Floats]:
        logits = np.empty((len(states), self.game.num_actions), np.float32)
        wdl = np.empty((len(states), 3), np.float32)
        for row, state in enumerate(states):
            made = np.random.default_rng([self.seed, *state[: self.game.num_core].tobytes()])
            logits[row] = made.normal(size=self.game.num_actions)
            wdl[row] = made.dirichlet((1.0, 0.5, 1.0))
        return logits, wdl


class CachedEvaluator:
    """Remembers the newest evaluations of another evaluator."""

    def __init__(self, inner: Evaluator, *, entries: int = 100_000) -> None:
        self.inner = inner
        self.observer = inner.observer
        self.entries = entries
        self.known: OrderedDict[bytes, tuple[Floats, Floats]] = OrderedDict()
        self.hits = self.misses = 0

    def __call__(self, states: NDArray[Any], planes: Floats | None) -> tuple[Floats, Floats]:
        keys = [state.tobytes() for state in states]
        missing = [row for row, key in enumerate(keys) if key not in self.known]
        self.misses += len(missing)
        self.hits += len(keys) - len(missing)
        if missing:
            logits, wdl = self.inner(states[missing], None if planes is None else planes[missing])
            for row, found in zip(missing, zip(logits, wdl, strict=True), strict=True):
                self.known[keys[row]] = found
        answers = [self.known[key] for key in keys]
        for key in keys:
            self.known.move_to_end(key)
        while len(self.known) > self.entries:
            self.known.popitem(last=False)
        return np.stack([a[0] for a in answers]), np.stack([a[1] for a in answers])
