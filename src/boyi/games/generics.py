"""The generic rules. Each game implements them for its own parameter tuple; search is written over them once.

    @rule(legal, Othello)
    def othello_legal(rules, state, mask): ...

Inside a kernel, a generic is resolved at compile time by the class of its first argument and compiled into the
caller. From interpreted Python it runs the same implementation as plain Python.

A state is a row of integers. Player 0 moves first unless a game says otherwise; values are player 0's.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import types
from numba.extending import overload

from boyi.games.kernels import INLINED, kernel
from boyi.games.randomness import below, uniform

CHANCE = -1
"""What `turn` answers when the dice decide."""
RUNNING = 2
"""What `outcome` answers while the game goes on."""

F = TypeVar("F", bound=Callable[..., Any])
_implementations: dict[tuple[str, type], Callable[..., Any]] = {}
_named: dict[tuple[str, tuple[str, ...]], type] = {}


def rule(generic_rule: Callable[..., Any], *rules_classes: type) -> Callable[[F], F]:
    """Register a function as the implementation of a generic rule for one or more classes of parameters."""
    expected = list(inspect.signature(generic_rule).parameters)

    def register(function: F) -> F:
        names = list(inspect.signature(function).parameters)
        if names != expected:
            raise TypeError(
                f"{function.__name__} implements {generic_rule.__name__} and must take "
                f"({', '.join(expected)}), not ({', '.join(names)})"
            )
        for rules_class in rules_classes:
            _make_distinct(rules_class)
            _implementations[generic_rule.__name__, rules_class] = function
        return function

    return register


def _make_distinct(rules_class: type) -> None:
    """Rename a class that shares name and fields with another: Numba's dispatcher looks at nothing else."""
    while _named.setdefault((rules_class.__name__, rules_class._fields), rules_class) is not rules_class:  # type: ignore[attr-defined]
        rules_class.__name__ += "_"


def has_rule(generic_rule: Callable[..., Any], rules_class: type) -> bool:
    """Whether a game brings its own implementation of a generic rule."""
    return (generic_rule.__name__, rules_class) in _implementations


def generic(default: Callable[..., Any] | None = None, *, options: dict[str, Any] = INLINED) -> Callable[[F], F]:
    """Turn a documented signature into a generic function, with an optional default implementation.

    It dispatches on the class, a NamedTuple, of its first argument: a game's parameters here, elsewhere also the
    parameters of a static evaluation or of a playout policy.
    """

    def decorate(signature: F) -> F:
        name = signature.__name__

        def implementation(rules_class: type | None) -> Callable[..., Any] | None:
            return _implementations.get((name, rules_class), default) if rules_class else None

        @functools.wraps(signature)
        def call(rules: Any, *arguments: Any) -> Any:
            found = implementation(type(rules))
            if found is None:
                raise TypeError(f"no rule {name!r} is registered for {type(rules).__name__}: use @rule({name}, ...)")
            return found(rules, *arguments)

        def choose(rules: types.Type, *arguments: types.Type) -> Callable[..., Any] | None:
            return implementation(getattr(rules, "instance_class", None))

        choose.__signature__ = inspect.signature(signature)  # type: ignore[attr-defined]
        overload(call, jit_options=options)(choose)  # type: ignore[arg-type]
        return call  # type: ignore[return-value]

    return decorate


@generic()
def init(rules, state):
    """Write the starting position into `state`."""


def _same_start(rules, state, rng):
    init(rules, state)


@generic(_same_start)
def setup(rules, state, rng):
    """Write a random starting position into `state`, where the game has a choice of them. Default: `init`."""


@generic()
def turn(rules, state):
    """Whose decision it is: 0, 1 or CHANCE. Only asked while the game runs."""


@generic()
def legal(rules, state, mask):
    """Set `mask[action]` to 1 for the legal actions and 0 for the others; return how many are legal.

    At a chance decision the actions are its outcomes. Only asked while the game runs.
    """


@generic()
def step(rules, state, action):
    """Play a legal action, or let a chance outcome happen, changing `state` in place."""


def _no_chance(rules, state, probabilities):
    return 0


@generic(_no_chance)
def chance(rules, state, probabilities):
    """At a chance decision: write each outcome's probability into `probabilities[action]`; return their number."""


@generic()
def outcome(rules, state):
    """RUNNING, or the result for player 0: 1 won, 0 drawn, -1 lost."""


def _plain_score(rules, state):
    return outcome(rules, state)


@generic(_plain_score)
def score(rules, state):
    """The margin of a finished game for player 0, where the game counts one. Default: `outcome`."""


@generic()
def observe(rules, state, view, planes):
    """Fill `planes[C, H, W]` (float32, zero on entry) with what a net sees, from the mover's side.

    `view` is the index of the observer among the game's `observers`.
    """


@kernel
def nth_set(mask, index):
    """The position of the `index`-th entry that is set, counting from 0."""
    at = 0
    while not mask[at] or index > 0:
        index -= mask[at]
        at += 1
    return at


def _sample_by_mask(rules, state, mask, rng):
    if turn(rules, state) == CHANCE:
        probabilities = np.zeros(mask.shape[0])
        chance(rules, state, probabilities)
        left = uniform(rng)
        last = 0
        for action in range(mask.shape[0]):
            if probabilities[action] > 0.0:
                last = action
                left -= probabilities[action]
                if left < 0.0:
                    break
        return last
    return nth_set(mask, below(rng, legal(rules, state, mask)))


@generic(_sample_by_mask)
def sample(rules, state, mask, rng):
    """Draw a legal action uniformly, or a chance outcome by its probability. `mask` is scratch space.

    The default goes through `legal`. A game overrides it where playouts gain from it.
    """


def _nothing_urgent(rules, state, rng):
    return -1


@generic(_nothing_urgent)
def urgent(rules, state, rng):
    """A move that wins at once, or else one that stops the opponent from doing so, where one is quickly found; or -1.

    A hint for playouts, not a proof: a game looks only where its last moves were. Default: none.
    """


def _never(rules, state, action):
    return False


@generic(_never)
def wins_at_once(rules, state, action):
    """Whether a legal action wins on the spot, if the game can tell quickly. Default: no. `state` stays as it was."""
