"""Matches between scripted players, whose results are known."""

import os
import signal
import time
from collections.abc import Callable, Iterator

import pytest

import boyi
from boyi.arena import GameRow, MatchResult, play_match, play_named_match, usual_openings
from boyi.players import Choice, Limit, Player, player

TICTACTOE = boyi.game("tictactoe")
EINSTEIN = boyi.game("einstein")


class Nth(Player):
    """Always the n-th legal move; tictactoe's first moves go along the top row, its last along the bottom row."""

    def __init__(self, game: boyi.Game, *, seed: int = 0, nth: int = 0) -> None:
        super().__init__(game, seed=seed)
        self.nth = nth

    def think(self, position: boyi.Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        yield Choice(position.moves[self.nth])


class Winner(Player):
    """Wins at once where it can, else takes the first move."""

    def think(self, position: boyi.Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        for move in position.moves:
            end = position.play(move).outcome
            if end and end.winner == position.turn:
                yield Choice(move)
                return
        yield Choice(position.moves[0])


class Crasher(Player):
    def think(self, position: boyi.Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        raise RuntimeError("out of ideas")


class Cheat(Player):
    def think(self, position: boyi.Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        yield Choice("z9")


class Interrupter(Player):
    """Presses Ctrl-C on its n-th thought."""

    thoughts = 0

    def think(self, position: boyi.Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
        type(self).thoughts += 1
        if self.thoughts == 8:
            os.kill(os.getpid(), signal.SIGINT)
        yield Choice(position.moves[0])


def make(kind: type[Player], game: boyi.Game = TICTACTOE, **options: int) -> Callable[[int], Player]:
    return lambda seed: kind(game, seed=seed, **options)


def test_known_players_give_a_known_tally() -> None:
    """Top row against bottom row, without openings: whoever begins has three in a row first."""
    result = play_match(TICTACTOE, make(Nth), make(Nth, nth=-1), games=7, openings=0)
    assert (result.games, result.wins, result.draws, result.losses) == (7, 4, 0, 3)
    assert [row.seat for row in result.rows] == [0, 1, 0, 1, 0, 1, 0]
    assert [row.winner for row in result.rows] == [0] * 7
    assert {row.reason for row in result.rows} == {"line"}
    assert [row.score for row in result.rows] == [1] * 7
    assert result.rows[0].history == ("a3", "c1", "b3", "b1", "c3")
    assert result.rows[1].history == ("c1", "a3", "b1", "b3", "a1")
    assert result.num_moves == (4 * 3 + 3 * 2, 4 * 2 + 3 * 3)
    assert result.mean_length == 5
    assert result.estimate.score == pytest.approx(4 / 7)
    assert result.forfeits == (0, 0)
    assert result.seat_wins == (7, 0)


def test_draws_are_counted() -> None:
    """A fixed drawn line, played by both."""
    line = ["b2", "a3", "c3", "a1", "a2", "c2", "b3", "b1", "c1"]

    class Line(Player):
        def think(self, position: boyi.Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
            yield Choice(line[len(position.history)])

    result = play_match(TICTACTOE, make(Line), make(Line), games=4, openings=0)
    assert (result.wins, result.draws, result.losses) == (0, 4, 0)
    assert result.estimate.score == 0.5
    assert result.rows[0].points == 0.5
    assert result.rows[0].reason == "full board"


def test_times_belong_to_the_player_not_the_seat() -> None:
    class Slow(Nth):
        def think(self, position: boyi.Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
            time.sleep(0.02)
            yield from super().think(position, limit, every_s)

    slow, quick = play_match(TICTACTOE, make(Slow), make(Nth, nth=-1), games=2, openings=0).seconds_per_move
    assert slow is not None
    assert quick is not None
    assert slow >= 0.02 > quick


def test_the_limit_reaches_both_players() -> None:
    seen = []

    class Spy(Nth):
        def think(self, position: boyi.Position, limit: Limit, every_s: float | None) -> Iterator[Choice]:
            seen.append(limit)
            yield from super().think(position, limit, every_s)

    play_match(TICTACTOE, make(Spy), make(Spy, nth=-1), games=1, openings=0, limit=Limit(simulations=17))
    assert seen == [Limit(simulations=17)] * 5


def random_match(game: boyi.Game, **options: int) -> MatchResult:
    def maker(seed: int) -> Player:
        return player("random", game, seed=seed)

    return play_match(game, maker, maker, **options)


def test_the_games_of_a_pair_have_the_same_setup_and_dice() -> None:
    result = random_match(EINSTEIN, games=12, seed=5)
    starts = []
    for even, odd in zip(result.rows[::2], result.rows[1::2], strict=True):
        assert (even.seed, even.start) == (odd.seed, odd.start)
        rolls = [row.history[::2] for row in (even, odd)]
        common = min(map(len, rolls))
        assert common >= 6
        assert rolls[0][:common] == rolls[1][:common]
        assert even.history[1::2] != odd.history[1::2]
        starts.append(even.start)
    assert len(set(starts)) == 6
    assert len({row.history[:12:2] for row in result.rows}) == 6


def test_the_games_of_a_pair_have_the_same_opening() -> None:
    result = random_match(TICTACTOE, games=40, openings=3)
    openings = [row.history[:3] for row in result.rows]
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) > 15
    assert [row.num_moves for row in result.rows] == [
        (len(row.history[3 + (row.seat == 0) :: 2]), len(row.history[3 + (row.seat == 1) :: 2])) for row in result.rows
    ]


def test_openings_among_dice_keep_to_the_dice() -> None:
    with_opening, without = (random_match(EINSTEIN, games=2, openings=k, seed=3) for k in (4, 0))
    for row in (*with_opening.rows, *without.rows):
        assert row.history[:12:2] == without.rows[0].history[:12:2]
    assert with_opening.rows[0].history[1:8:2] == with_opening.rows[1].history[1:8:2]
    assert sum(with_opening.rows[0].num_moves) == len(with_opening.rows[0].history) // 2 - 4


def test_a_match_is_decided_by_its_seed() -> None:
    def histories(seed: int) -> list[tuple[str, ...]]:
        return [row.history for row in random_match(TICTACTOE, games=6, seed=seed).rows]

    assert histories(1) == histories(1)
    assert histories(1) != histories(2)


def test_usual_openings_give_variety_where_nothing_else_does() -> None:
    found = {name: usual_openings(boyi.game(name)) for name in boyi.games()}
    assert found == {"connect6": 2, "einstein": 0, "gomoku": 2, "othello": 5, "tictactoe": 4}


@pytest.mark.parametrize(
    ("kind", "reason"),
    [(Crasher, "crashed: RuntimeError: out of ideas"), (Cheat, "played the illegal move 'z9'")],
)
def test_a_crash_or_an_illegal_move_loses_the_game(kind: type[Player], reason: str) -> None:
    result = play_match(TICTACTOE, make(Nth), make(kind), games=4, openings=0)
    assert (result.wins, result.losses) == (4, 0)
    assert result.forfeits == (0, 4)
    assert [row.reason for row in result.rows] == [f"O {reason}", f"X {reason}"] * 2
    assert [row.winner for row in result.rows] == [0, 1, 0, 1]
    assert [row.history for row in result.rows[:2]] == [("a3",), ()]
    turned = play_match(TICTACTOE, make(kind), make(Nth), games=4, openings=0)
    assert (turned.wins, turned.losses, turned.forfeits) == (0, 4, (4, 0))


def test_a_player_that_cannot_be_made_loses() -> None:
    def broken(seed: int) -> Player:
        raise OSError("no such program")

    result = play_match(TICTACTOE, broken, make(Nth), games=2)
    assert (result.wins, result.losses, result.forfeits) == (0, 2, (2, 0))
    assert result.rows[0].reason == "X could not be made: OSError: no such program"
    assert result.seconds_per_move == (None, None)


def test_interruption_returns_the_games_so_far() -> None:
    Interrupter.thoughts = 0
    seen: list[GameRow] = []
    result = play_match(TICTACTOE, make(Interrupter), make(Nth, nth=-1), games=50, openings=0, on_game=seen.append)
    assert result.games == 2  # after 3 and 2 thoughts; the eighth was the last of the third game
    assert result.wanted == 50
    assert tuple(seen) == result.rows


def test_a_better_player_wins() -> None:
    result = play_match(TICTACTOE, make(Winner), make(Nth), games=60, seed=2)
    assert result.estimate.low > 0.5
    assert result.estimate.elo[1] > 0


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"games": 0}, "games=0"),
        ({"games": 2, "openings": -1}, "openings=-1"),
        ({"games": 2, "openings": 9}, "openings=9"),
    ],
)
def test_impossible_matches_are_refused(options: dict[str, int], named: str) -> None:
    with pytest.raises(boyi.GameError, match=named):
        play_match(TICTACTOE, make(Nth), make(Nth), **options)


def test_workers_do_not_change_the_result() -> None:
    def outline(workers: int) -> list[tuple[object, ...]]:
        result = play_named_match("einstein", "random", "random", games=7, seed=4, workers=workers)
        return [(row.number, row.seed, row.seat, row.start, row.history, row.winner) for row in result.rows]

    alone = outline(1)
    assert [row[0] for row in alone] == list(range(7))
    assert outline(2) == alone


def test_wrong_names_are_errors_not_losses() -> None:
    with pytest.raises(boyi.GameError, match="unknown player 'nobody'"):
        play_named_match("tictactoe", "random", "nobody", games=2)
    with pytest.raises(boyi.GameError, match="unknown game 'chess'"):
        play_named_match("chess", "random", "random", games=2)
    with pytest.raises(boyi.GameError, match="workers=0"):
        play_named_match("tictactoe", "random", "random", games=2, workers=0)
