"""Elo of many players: known numbers, and simulated tournaments of known strength."""

import math
import random

import pytest

from boyi.arena.ratings import Group, rate
from boyi.arena.statistics import elo, estimate, superiority


def singles(first: int, second: int, wins: int, draws: int, losses: int) -> list[Group]:
    points = [(1.0,)] * wins + [(0.5,)] * draws + [(0.0,)] * losses
    return [Group(first, second, point) for point in points]


def test_two_players_have_the_elo_of_their_match() -> None:
    found = rate(2, singles(0, 1, 64, 0, 36), anchor=1)
    assert found.elo == (pytest.approx(elo(0.64), abs=0.3), 0)
    low, high = found.interval(0)
    # The information of n games at score p is n p (1 - p): hand-computed standard error 36.19 Elo.
    error = 1.96 * 400 / math.log(10) / math.sqrt(100 * 0.64 * 0.36)
    assert (high - low) / 2 == pytest.approx(error, rel=0.01)
    assert found.interval(1) == (0, 0)


def test_a_chain_adds_up() -> None:
    """A scores 3/4 against B and B 10/11 against C: 190.85 and 400 Elo."""
    found = rate(3, singles(0, 1, 75, 0, 25) + singles(1, 2, 200, 0, 20), anchor=2)
    assert found.elo == pytest.approx((590.85, 400, 0), abs=4)


# Agresti, Categorical Data Analysis (2002), table 10.10: baseball in 1987, wins of the row's team. His Bradley-Terry
# estimates relative to the last team, as logarithms of odds.
WINS = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]
ESTIMATES = [1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0]


def test_baseball_of_1987() -> None:
    groups = [group for a in range(7) for b in range(a + 1, 7) for group in singles(a, b, WINS[a][b], 0, WINS[b][a])]
    found = rate(7, groups, anchor=6)
    assert [value * math.log(10) / 400 for value in found.elo] == pytest.approx(ESTIMATES, abs=0.006)


def test_the_mean_is_zero_without_an_anchor() -> None:
    found = rate(3, singles(0, 1, 9, 3, 2) + singles(1, 2, 5, 5, 5))
    assert sum(found.elo) == pytest.approx(0)
    assert found.interval(0)[0] < found.elo[0] < found.interval(0)[1]


def test_winning_every_game_stays_finite_and_uncertain() -> None:
    found = rate(2, [Group(0, 1, (1.0, 1.0))] * 10, anchor=1)
    assert 400 < found.elo[0] < 1500
    low, high = found.interval(0)
    assert high - low > 800
    assert found.superiority(0, 1) > 0.9


def test_players_who_never_met_anyone_are_unknown() -> None:
    found = rate(3, singles(0, 1, 10, 0, 10))
    low, high = found.interval(2)
    assert low < -1000
    assert high > 1000
    assert found.superiority(2, 0) == pytest.approx(0.5, abs=0.01)


def test_superiority() -> None:
    """30-20 without draws: (30 - 20) / sqrt(50) = 1.414 standard errors, 92.1 %."""
    assert rate(2, singles(0, 1, 30, 0, 20)).superiority(0, 1) == pytest.approx(0.921, abs=0.004)
    assert superiority([[1.0]] * 30 + [[0.0]] * 20) == pytest.approx(0.921, abs=0.006)
    assert superiority([]) == 0.5
    assert superiority([[1.0, 0.0]] * 20) == pytest.approx(0.5)


# Likelihoods of superiority that fastchess printed for published counts of pairs.
@pytest.mark.parametrize(
    ("counts", "likelihood"), [((307, 619, 1202, 725, 353), 0.9992), ((134, 448, 1012, 492, 196), 0.9998)]
)
def test_superiority_of_published_matches(counts: tuple[int, ...], likelihood: float) -> None:
    kinds = ([0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [1.0, 0.5], [1.0, 1.0])
    pairs = [pair for kind, count in zip(kinds, counts, strict=True) for pair in [kind] * count]
    assert superiority(pairs) == pytest.approx(likelihood, abs=1e-4)


TRUE_ELO = (150.0, 40.0, -30.0, -160.0)


def simulated(draw: random.Random, num_pairs: int, luck: float, drawn: float) -> list[Group]:
    """A round robin of players with TRUE_ELO. `luck` is how often a pair is decided by its start alone, once for each;
    of the other games, some are drawn without a change of the expected score."""
    groups = []
    for a in range(4):
        for b in range(a + 1, 4):
            score = 1 / (1 + 10 ** ((TRUE_ELO[b] - TRUE_ELO[a]) / 400))
            fair = (score - luck / 2) / (1 - luck)
            for _ in range(num_pairs):
                if draw.random() < luck:
                    groups.append(Group(a, b, (1.0, 0.0)))
                    continue
                half = drawn * min(fair, 1 - fair)
                shares = (fair - half / 2, half, 1 - fair - half / 2)
                groups.append(Group(a, b, tuple(draw.choices((1.0, 0.5, 0.0), shares, k=2))))
    return groups


@pytest.mark.parametrize(("luck", "drawn"), [(0.0, 0.0), (0.0, 1.0), (0.3, 0.5)])
@pytest.mark.parametrize("num_pairs", [10, 60])
def test_intervals_hold_the_truth_as_often_as_they_say(num_pairs: int, luck: float, drawn: float) -> None:
    draw = random.Random(5)
    held = anchored = 0
    tries = 150
    for _ in range(tries):
        groups = simulated(draw, num_pairs, luck, drawn)
        found, fixed = rate(4, groups), rate(4, groups, anchor=3)
        for player in range(4):
            low, high = found.interval(player)
            held += low <= TRUE_ELO[player] <= high
            low, high = fixed.interval(player)
            anchored += low <= TRUE_ELO[player] - TRUE_ELO[3] <= high
    assert 0.92 <= held / (4 * tries) <= 0.99
    assert 0.92 <= (anchored - tries) / (3 * tries) <= 0.99


def test_pairs_that_share_their_luck_say_more() -> None:
    draw = random.Random(1)
    paired = rate(4, simulated(draw, 100, 0.5, 0.0))
    apart = rate(4, simulated(draw, 100, 0.0, 0.0))
    width = [found.interval(0)[1] - found.interval(0)[0] for found in (paired, apart)]
    assert width[0] < 0.8 * width[1]


def test_a_match_and_its_rating_agree() -> None:
    draw = random.Random(2)
    groups = [Group(0, 1, tuple(draw.choices((1.0, 0.5, 0.0), (0.5, 0.2, 0.3), k=2))) for _ in range(100)]
    worth = estimate([list(group.points) for group in groups])
    found = rate(2, groups, anchor=1)
    assert found.elo[0] == pytest.approx(worth.elo[0], abs=1)
    assert found.interval(0) == pytest.approx(worth.elo[1:], abs=4)
