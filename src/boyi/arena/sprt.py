"""Wald's sequential probability ratio test between two differences of Elo, over pairs of games.

The test compares "the first player is `low` Elo stronger" with "it is `high` Elo stronger" and stops as soon as the
games decide. Its statistic is the generalised likelihood ratio: each hypothesis is granted the shares of pair results
(0, 1/2, 1, 3/2, 2 points) that fit the games best among those with its mean (Van den Bergh, "The generalised SPRT",
2019). With `normalised`, Elo is measured in standard deviations of a game instead of its mean, so that a bound means
the same effort whatever share of the games is drawn: this is what chess testing publishes today.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boyi.games.errors import GameError

Shares = NDArray[np.float64]
"""[5], the share of pairs with 0, 1/2, 1, 3/2 and 2 points."""

SCORES = np.arange(5) / 4
"""[5], the mean score of a game in such a pair."""
UNSEEN = 1e-3
"""What a kind of result that never came counts as, so that no hypothesis is impossible."""
NORMALISED_ELO = 800 / math.log(10)
"""Normalised Elo per standard deviation of a game."""


@dataclass(frozen=True)
class Sprt:
    """The test's two hypotheses, and how often it may be wrong about each."""

    low: float
    high: float
    alpha: float = 0.05
    """The chance to accept `high` where `low` is true."""
    beta: float = 0.05
    """The chance to accept `low` where `high` is true."""
    normalised: bool = False

    def __post_init__(self) -> None:
        if not -1000 <= self.low < self.high <= 1000:
            raise GameError(
                f"sprt {self.low:g} {self.high:g} is not possible; the first must be less than the second, "
                "both from -1000 to 1000 Elo"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise GameError(f"{name}={value!r} is not possible; it must be above 0 and below 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """At or below the first the test accepts `low`, at or above the second `high`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """The logarithm of the likelihood ratio, from the number of pairs with 0, 1/2, 1, 3/2 and 2 points."""
        if not sum(pairs):
            return 0.0
        counts = np.where(np.array(pairs) == 0, UNSEEN, np.array(pairs, np.float64))
        seen = counts / counts.sum()
        if self.normalised:
            low, high = (with_normalised_mean(seen, elo) for elo in (self.low, self.high))
        else:
            low, high = (with_mean(seen, 1 / (1 + 10 ** (-elo / 400))) for elo in (self.low, self.high))
        return float(counts @ np.log(high / low))

    def verdict(self, pairs: Sequence[int]) -> float | None:
        """The accepted difference of Elo, `low` or `high`; None while the games do not decide."""
        ratio = self.ratio(pairs)
        accept_low, accept_high = self.bounds
        return self.high if ratio >= accept_high else self.low if ratio <= accept_low else None


def with_mean(seen: Shares, score: float) -> Shares:
    """The shares with a mean score that make what was seen most likely."""
    return _tilted(seen, SCORES - score)


def with_normalised_mean(seen: Shares, elo: float) -> Shares:
    """The shares with a normalised Elo that make what was seen most likely, found by repeating its linear form."""
    wanted = elo / NORMALISED_ELO * math.sqrt(2)  # a pair's mean varies less than a game, by this factor
    shares = np.full(5, 0.2)
    for _ in range(100):
        mean = shares @ SCORES
        deviation = math.sqrt(shares @ (SCORES - mean) ** 2)
        pull = SCORES - 0.5 - wanted * deviation * (1 + ((SCORES - mean) / deviation) ** 2) / 2
        found = _tilted(seen, pull)
        if np.abs(found - shares).max() < 1e-10:
            break
        shares = found
    return shares


def _tilted(seen: Shares, pull: Shares) -> Shares:
    """`seen / (1 + x * pull)` with the x that makes its mean pull 0: the method of Lagrange multipliers."""
    low, high = -1 / pull.max(), -1 / pull.min()
    margin = 1e-12 * (high - low)
    x = _zero(lambda x: float((seen * pull / (1 + x * pull)).sum()), low + margin, high - margin)
    tilted: Shares = seen / (1 + x * pull)
    return tilted


def _zero(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is 0, by bisection."""
    while high - low > 1e-13 * max(1.0, abs(low), abs(high)):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
