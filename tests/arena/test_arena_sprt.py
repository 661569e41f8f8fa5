"""The sequential test against published matches and against its own promises."""

import math
import random
from collections import Counter

import numpy as np
import pytest

from boyi.arena import Sprt
from boyi.arena.sprt import SCORES, with_mean, with_normalised_mean
from boyi.games.errors import GameError


# Pull requests of Stockfish from 2020 and 2021, when its testing framework used logistic Elo: 3209 (twice), 3098, 2493,
# 2920, 2951, 2971 (twice).
@pytest.mark.parametrize(
    ("pairs", "bounds", "ratio"),
    [
        ((253, 4282, 17604, 4431, 286), (-0.25, 1.25), 2.94),
        ((58, 3302, 33130, 3518, 84), (0.25, 1.25), 2.97),
        ((491, 7345, 29693, 7670, 465), (-0.25, 1.25), 2.96),
        ((424, 2948, 5832, 3045, 460), (-1, 3), 2.94),
        ((665, 4806, 9333, 4893, 747), (-0.5, 1.5), 2.95),
        ((59, 754, 2467, 865, 75), (-0.5, 1.5), 2.95),
        ((17, 253, 1042, 337, 39), (-0.5, 1.5), 2.96),
        ((11, 407, 3238, 513, 11), (0.25, 1.75), 2.93),
    ],
)
def test_logistic_ratios_are_the_published_ones(
    pairs: tuple[int, ...], bounds: tuple[float, float], ratio: float
) -> None:
    assert Sprt(*bounds).ratio(pairs) == pytest.approx(ratio, abs=0.006)


# Published with normalised Elo: pull requests Eleanor 87 and 33, PlentyChess 334 and 95, spaghet 58, Lizard 103,
# integral 220, fastchess 783 (whose own program printed 2.94598), and a match of the program Zeno.
@pytest.mark.parametrize(
    ("pairs", "bounds", "ratio"),
    [
        ((74, 450, 987, 580, 85), (0, 5), 3.08),
        ((23, 147, 264, 222, 63), (0, 5), 3.03),
        ((214, 8992, 19871, 9102, 235), (0, 2.5), 0.16),
        ((46, 936, 2083, 1043, 63), (0, 5), 2.91),
        ((67, 1799, 4062, 1970, 88), (0, 3), 2.91),
        ((117, 4099, 8771, 4344, 123), (0, 3), 2.97),
        ((11, 3119, 7527, 3317, 12), (0, 4), 2.91),
        ((379, 10170, 21828, 10640, 343), (0, 2), 2.946),
        ((120, 246, 645, 386, 302), (40, 45), 2.95),
    ],
)
def test_normalised_ratios_are_the_published_ones(
    pairs: tuple[int, ...], bounds: tuple[float, float], ratio: float
) -> None:
    assert Sprt(*bounds, normalised=True).ratio(pairs) == pytest.approx(ratio, abs=0.006)


def test_bounds_are_walds() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=5e-4)
    assert Sprt(0, 5, alpha=0.05, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.95), math.log(18)))


def test_hypothetical_shares_have_the_mean_they_should() -> None:
    seen = np.full(5, 0.2)
    for elo in (-100.0, 0.0, 40.0):
        score = 1 / (1 + 10 ** (-elo / 400))
        shares = with_mean(seen, score)
        assert shares.sum() == pytest.approx(1)
        assert shares @ SCORES == pytest.approx(score)
        shares = with_normalised_mean(seen, elo)
        mean = shares @ SCORES
        deviation = math.sqrt(2 * shares @ (SCORES - mean) ** 2)
        assert (mean - 0.5) / deviation * 800 / math.log(10) == pytest.approx(elo, abs=1e-4)


def test_exchanging_players_and_bounds_turns_the_sign() -> None:
    assert Sprt(-3, 8).ratio((5, 20, 40, 33, 9)) == pytest.approx(-Sprt(-8, 3).ratio((9, 33, 40, 20, 5)))


def test_no_games_and_few_games_decide_nothing() -> None:
    test = Sprt(0, 20)
    assert test.ratio((0, 0, 0, 0, 0)) == 0
    assert test.verdict((0, 0, 0, 0, 0)) is None
    assert test.verdict((0, 0, 2, 0, 0)) is None
    assert test.verdict((0, 0, 0, 0, 200)) == 20
    assert test.verdict((200, 0, 0, 0, 0)) == 0


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, 60.0), (60.0, 0.0)])
def test_the_test_is_wrong_as_rarely_as_it_says(truth: float, wrong: float) -> None:
    """With 5 % allowed, 200 simulated matches go wrong more than 20 times once in 800 such tests."""
    draw = random.Random(3)
    test = Sprt(0, 60)
    score = 1 / (1 + 10 ** (-truth / 400))
    win, half = score - 0.15, 0.3
    shares = [(1 - win - half) ** 2, 2 * (1 - win - half) * half, half**2 + 2 * win * (1 - win - half)]
    shares += [2 * win * half, win**2]
    mistakes = 0
    for _ in range(200):
        counts: Counter[int] = Counter()
        verdict = None
        while verdict is None:
            counts.update(draw.choices(range(5), shares, k=25))
            verdict = test.verdict([counts[kind] for kind in range(5)])
        mistakes += verdict == wrong
    assert mistakes <= 20


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"low": 5, "high": 5}, "sprt 5 5"),
        ({"low": 5, "high": 0}, "sprt 5 0"),
        ({"low": math.nan, "high": 1}, "sprt nan 1"),
        ({"low": 0, "high": 1e9}, "sprt 0 1e"),
        ({"low": 0, "high": 5, "alpha": 0}, "alpha=0"),
        ({"low": 0, "high": 5, "beta": 0.7}, "beta=0.7"),
    ],
)
def test_impossible_tests_are_refused(options: dict[str, float], named: str) -> None:
    with pytest.raises(GameError, match=named):
        Sprt(**options)  # type: ignore[arg-type]
