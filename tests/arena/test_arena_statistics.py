"""Scores, intervals and Elo against published numbers."""

import math
import random
from collections import Counter

import pytest

from boyi.arena import Estimate, elo, estimate


def singles(wins: int, losses: int, draws: int = 0) -> list[list[float]]:
    return [[1.0]] * wins + [[0.0]] * losses + [[0.5]] * draws


def pairs(*counts: int) -> list[list[float]]:
    """From the numbers of pairs with 0, 1/2, 1, 3/2 and 2 points."""
    kinds = ([0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [1.0, 0.5], [1.0, 1.0])
    return [pair for kind, count in zip(kinds, counts, strict=True) for pair in [kind] * count]


# Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I:
# Wilson's interval without continuity correction.
@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_single_games_without_draws_have_wilsons_interval(wins: int, games: int, low: float, high: float) -> None:
    found = estimate(singles(wins, games - wins))
    assert found.score == pytest.approx(wins / games)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


# Elo with its error and the counts of pairs, as their authors published them: fixed-length and SPRT matches of the
# programs RubiChess (pull request 468), PlentyChess (292), Zeno, Stockfish's small nets, and a match between Othello
# programs.
@pytest.mark.parametrize(
    ("counts", "difference", "error", "digits"),
    [
        ((23, 2079, 5440, 2431, 27), 6.25, 2.33, 0.011),
        ((13, 628, 1284, 566, 9), -4.86, 4.87, 0.02),
        ((25, 925, 1898, 811, 23), -5.57, 4.06, 0.02),
        ((6, 2134, 5313, 2338, 5), 3.58, 2.34, 0.011),
        ((352, 579, 1264, 743, 464), 19.83, 6.77, 0.02),
        ((2410, 367, 5075, 327, 2605), 5.6, 4.5, 0.06),
        ((1, 10, 78, 48, 13), 72.85, 22.33, 0.7),
    ],
)
def test_pairs_have_the_pentanomial_error_of_published_matches(
    counts: tuple[int, ...], difference: float, error: float, digits: float
) -> None:
    found, low, high = estimate(pairs(*counts)).elo
    assert found == pytest.approx(difference, abs=0.05 if digits > 0.05 else 0.005)
    assert (high - low) / 2 == pytest.approx(error, abs=digits)


def test_pairs_of_exchanged_colours_say_more_than_single_games() -> None:
    always_white = [[1.0, 0.0]] * 99 + [[1.0, 1.0]]
    together, apart = estimate(always_white), estimate(singles(101, 99))
    assert together.score == apart.score == pytest.approx(0.505)
    assert apart.high - apart.low == pytest.approx(0.137, abs=0.001)
    assert together.high - together.low < 0.04
    assert together.low < 0.505 < together.high


def test_draws_say_more_than_wins_and_losses() -> None:
    drawish, wild = estimate(singles(20, 20, 160)), estimate(singles(100, 100))
    assert drawish.high - drawish.low == pytest.approx(2 * 1.96 * math.sqrt(0.05 / 200), rel=0.05)
    assert drawish.high - drawish.low < 0.5 * (wild.high - wild.low)


def test_ten_wins_in_a_row_are_no_certainty() -> None:
    for found in (estimate(singles(10, 0)), estimate(pairs(0, 0, 0, 0, 5))):
        assert found.score == found.high == 1
        assert found.low == pytest.approx(0.7225, abs=1e-4)
        assert found.elo == (math.inf, pytest.approx(elo(found.low)), math.inf)
    lost = estimate(pairs(5, 0, 0, 0, 0))
    assert (lost.low, lost.score) == (0, 0)
    assert lost.high == pytest.approx(1 - 0.7225, abs=1e-4)


def test_a_few_equal_pairs_are_no_certainty() -> None:
    few, many = estimate(pairs(0, 0, 3, 0, 0)), estimate(pairs(0, 0, 300, 0, 0))
    assert few.low < 0.35
    assert few.high > 0.65
    assert 0.49 < many.low < 0.5 < many.high < 0.51


def test_a_lone_game_beside_pairs_counts_as_one_game() -> None:
    found = estimate([*pairs(0, 0, 0, 0, 2), [0.0]])
    assert found.score == pytest.approx(0.8)
    assert found.low < 0.45


def test_exchanging_the_players_mirrors_everything() -> None:
    ours, theirs = estimate(pairs(1, 2, 3, 9, 5)), estimate(pairs(5, 9, 3, 2, 1))
    assert (ours.score, ours.low, ours.high) == pytest.approx((1 - theirs.score, 1 - theirs.high, 1 - theirs.low))
    assert ours.elo == pytest.approx((-theirs.elo[0], -theirs.elo[2], -theirs.elo[1]))


@pytest.mark.parametrize("num_pairs", [5, 20, 80])
@pytest.mark.parametrize(
    "shares",
    [
        (0.25, 0, 0.5, 0, 0.25),
        (0.05, 0, 0.9, 0, 0.05),
        (0.01, 0.12, 0.7, 0.16, 0.01),
        (0, 0.1, 0.2, 0.4, 0.3),
        (0.0025, 0, 0.095, 0, 0.9025),
    ],
    ids=["equal", "the colour wins", "drawish", "better", "much better"],
)
def test_the_interval_holds_the_true_score(shares: tuple[float, ...], num_pairs: int) -> None:
    draw = random.Random(1)
    truth = sum(share * points / 4 for points, share in enumerate(shares))
    held = 0
    for _ in range(1000):
        drawn = Counter(draw.choices(range(5), shares, k=num_pairs))
        found = estimate(pairs(*(drawn[kind] for kind in range(5))))
        held += found.low <= truth + 1e-9 and truth - 1e-9 <= found.high
    assert held >= 890


def test_no_games_say_nothing() -> None:
    assert estimate([]) == Estimate(0.5, 0.0, 1.0)


@pytest.mark.parametrize(
    ("score", "difference"), [(0.5, 0), (0.75, 190.85), (0.64, 99.95), (0.25, -190.85), (10 / 11, 400), (1 / 11, -400)]
)
def test_elo(score: float, difference: float) -> None:
    assert elo(score) == pytest.approx(difference, abs=0.005)


def test_elo_of_certainty_is_infinite() -> None:
    assert (elo(0), elo(1)) == (-math.inf, math.inf)
