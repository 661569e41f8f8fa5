"""Elo of many players from the games between them, by maximum likelihood. Start at `rate`.

The model is Bradley and Terry's (1952): a player of strength a is expected to score 1 / (1 + exp(b - a)) against one
of strength b; a draw is half a win and half a loss, so that a difference of Elo means here what it means in a match.
The two games of a pair depend on each other and draws vary less than wins; both show in how far the results of pairs
stray from the model, one factor for all, by which the variance is corrected (Wedderburn 1974, quasi-likelihood).
A wide normal prior, PRIOR Elo, keeps players who won or lost every game finite, and is next to nothing otherwise.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boyi.arena.statistics import Z, normal

ELO = 400 / math.log(10)
"""Elo per unit of strength."""
PRIOR = 1500.0


class Group(NamedTuple):
    """Games with one opening between two players, by number: a pair of games, or a single one."""

    first: int
    second: int
    points: tuple[float, ...]
    """1, 1/2 or 0 for the first player, game by game."""


@dataclass(frozen=True)
class Ratings:
    """Elo of every player, relative to the anchor or to the mean of all, and what is known of its error."""

    elo: tuple[float, ...]
    covariance: NDArray[np.floating[Any]]
    """[players, players], in Elo squared."""
    anchor: int | None = None

    def _deviation(self, first: int, second: int | None) -> float:
        weights = np.zeros(len(self.elo))
        weights[first] += 1
        if second is None:
            weights -= 1 / len(weights)
        else:
            weights[second] -= 1
        return math.sqrt(max(0.0, float(weights @ self.covariance @ weights)))

    def interval(self, player: int) -> tuple[float, float]:
        """The 95 % interval of a player's Elo."""
        reach = Z * self._deviation(player, self.anchor)
        return self.elo[player] - reach, self.elo[player] + reach

    def superiority(self, first: int, second: int) -> float:
        """How likely it is that the first is the stronger one."""
        if first == second:
            return 0.5
        deviation = self._deviation(first, second)
        return normal((self.elo[first] - self.elo[second]) / deviation) if deviation else 0.5


def rate(num_players: int, groups: Sequence[Group], *, anchor: int | None = None) -> Ratings:
    """The most likely Elo of every player; the anchor, or else the mean of all, has 0."""
    tallies = _tallies(groups)
    firsts, seconds = (np.array([pair[side] for pair in tallies], np.int64) for side in (0, 1))
    scored, games = (np.array([tally[k] for tally in tallies.values()], np.float64) for k in (0, 1))
    prior = np.eye(num_players) * (ELO / PRIOR) ** 2
    strength = np.zeros(num_players)
    for _ in range(200):
        expected = 1 / (1 + np.exp(strength[seconds] - strength[firsts]))
        slope = -prior @ strength
        np.add.at(slope, firsts, scored - games * expected)
        np.add.at(slope, seconds, games * expected - scored)
        information = _information(prior, firsts, seconds, games * expected * (1 - expected))
        step = np.linalg.solve(information, slope)
        strength += step * min(1.0, 1.0 / max(1e-12, float(np.abs(step).max())))
        if np.abs(step).max() < 1e-9:
            break
    elo = ELO * (strength - (strength.mean() if anchor is None else strength[anchor]))
    return Ratings(tuple(elo.tolist()), ELO**2 * dispersion(strength, groups) * np.linalg.inv(information), anchor)


def dispersion(strength: NDArray[np.float64], groups: Sequence[Group]) -> float:
    """How far results of groups stray from the model, 1 for independent games without draws.

    Estimated together with Z * Z imagined games that keep to the model, as for a match.
    """
    strayed = allowed = Z * Z / 4
    for first, second, points in groups:
        expected = 1 / (1 + math.exp(min(700.0, strength[second] - strength[first])))
        strayed += (sum(points) - len(points) * expected) ** 2
        allowed += len(points) * expected * (1 - expected)
    return strayed / allowed


def _tallies(groups: Sequence[Group]) -> dict[tuple[int, int], list[float]]:
    """Points and games of the first player, for each two that met."""
    found: dict[tuple[int, int], list[float]] = {}
    for first, second, points in groups:
        tally = found.setdefault((first, second), [0.0, 0.0])
        tally[0] += sum(points)
        tally[1] += len(points)
    return found


def _information(
    prior: NDArray[np.float64], firsts: NDArray[np.int64], seconds: NDArray[np.int64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    matrix = prior.copy()
    for rows, columns, sign in (
        (firsts, firsts, 1),
        (seconds, seconds, 1),
        (firsts, seconds, -1),
        (seconds, firsts, -1),
    ):
        np.add.at(matrix, (rows, columns), sign * weights)
    return matrix
