"""What the results of a match are worth: the score with a 95 % interval, both as Elo, and who is likely better.

Games that share a seed with colours exchanged are not independent, so a group of games, not a game, is the unit of
variance: for pairs that is the pentanomial variance of chess testing, for single games the trinomial one.

The interval is Wilson's (1927), the scores that the observed one does not contradict, with the number of games
replaced by the number of independent games without draws that would have the same variance. For single games without
draws it is Wilson's interval exactly; for many games it is the usual `score +- 1.96 standard errors`. A few games
without any variance (10-0, or every pair shared) say little about the variance: it is estimated together with
`Z * Z` imagined independent games. The tests simulate how often the interval holds the true score: 90 to 99 %.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z = 1.959963984540054
"""How many standard errors the middle 95 % of a normal distribution reach to each side."""


@dataclass(frozen=True)
class Estimate:
    """A score from 0 to 1 and its 95 % interval."""

    score: float
    low: float
    high: float

    @property
    def elo(self) -> tuple[float, float, float]:
        """Score, low and high end as differences of Elo; infinite for scores of 0 and 1."""
        return elo(self.score), elo(self.low), elo(self.high)


def estimate(groups: Sequence[Sequence[float]]) -> Estimate:
    """The score of a match and its interval, from the points (0, 1/2, 1) of the games of each group.

    Games of one group may depend on each other in any way, groups are independent. Without games nothing is known:
    the score is 1/2, the interval 0..1.
    """
    score, num_games, _ = _worth(groups)
    return wilson(score, num_games) if num_games else Estimate(0.5, 0.0, 1.0)


def superiority(groups: Sequence[Sequence[float]]) -> float:
    """How likely it is that the first player is the better one, were both as likely to be so beforehand."""
    score, num_games, guess = _worth(groups)
    return normal((score - 0.5) / math.sqrt(guess * (1 - guess) / num_games)) if num_games else 0.5


def pentanomial(groups: Sequence[Sequence[float]]) -> tuple[int, int, int, int, int]:
    """How many pairs gave the first player 0, 1/2, 1, 3/2 and 2 points; lone games do not count."""
    doubled = [round(2 * sum(group)) for group in groups if len(group) == 2]
    zero, half, one, more, two = (doubled.count(points) for points in range(5))
    return zero, half, one, more, two


def normal(x: float) -> float:
    """The share of a normal distribution below x standard deviations."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


def _worth(groups: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """The score, how many independent games without draws say as much about it, and the score as Laplace guesses it."""
    groups = [group for group in groups if group]
    num_games = sum(map(len, groups))
    if not num_games:
        return 0.5, 0.0, 0.5
    score = sum(map(sum, groups)) / num_games
    spread = sum((sum(group) - len(group) * score) ** 2 for group in groups)
    independent = num_games * score * (1 - score)
    guess = (num_games * score + 1) / (num_games + 2)  # Laplace's, which is never 0 or 1
    imagined = Z * Z * guess * (1 - guess)
    return score, num_games * (independent + imagined) / (spread + imagined), guess


def wilson(score: float, num_games: float) -> Estimate:
    """Wilson's interval for a share of wins among independent games without draws."""
    doubt = Z * Z / num_games
    centre = (score + doubt / 2) / (1 + doubt)
    reach = math.sqrt(doubt * (score * (1 - score) + doubt / 4)) / (1 + doubt)
    return Estimate(score, max(0.0, min(score, centre - reach)), min(1.0, max(score, centre + reach)))


def elo(score: float) -> float:
    """The difference of Elo at which a score is expected."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))
