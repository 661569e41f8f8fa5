"""Forced wins by threats: puzzles, and that no win is claimed that a defence refutes."""

import itertools
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import boyi
from boyi.exact.fours import WON, win_by_fours
from boyi.exact.threats import ThreatSearch, find_win
from boyi.exact.windows import set_up
from boyi.games.errors import GameError
from boyi.games.position import Position

FREESTYLE = boyi.game("gomoku")
STANDARD = boyi.game("gomoku", variant="standard")
RENJU = boyi.game("gomoku", variant="renju")
CONNECT6 = boyi.game("connect6")
NODES = 3_000


def place(game: boyi.Game, black: str, white: str, mover: str, rest: str = "") -> Position:
    """A position from the names of the occupied points."""
    cells = ["." for _ in game.squares]
    for stone, names in (("X", black), ("O", white)):
        for name in names.split():
            cells[game.squares.index(name)] = stone
    rows = ["".join(cells[start : start + game.shape[1]]) for start in range(0, len(cells), game.shape[1])]
    packed = [
        "".join(str(len(list(run))) if c == "." else c * len(list(run)) for c, run in itertools.groupby(row))
        for row in rows
    ]
    return game.position(f"{'/'.join(packed)} {mover}{rest}")


def random_positions(game: boyi.Game, count: int, seed: int) -> Iterator[Position]:
    """Crowded random positions: stones close together, so that threats abound."""
    rng = random.Random(seed)
    middle = game.shape[0] // 2
    made = 0
    while made < count:
        position, span = game.start(), rng.randint(2, 4)
        for _ in range(rng.randint(6, 40)):
            near = [
                move
                for move, action in zip(position.moves, position.actions, strict=True)
                if max(abs(action // game.shape[1] - middle), abs(action % game.shape[1] - middle)) <= span
            ]
            if position.outcome is not None or not near:
                break
            position = position.play(rng.choice(near))
        if position.outcome is None:
            made += 1
            yield position


def points_of_five(position: Position, side: int) -> set[str]:
    """Where a side would make the row if it were to move, by the rules of the game alone."""
    state = position.state.copy()
    state[position.game.num_squares] = side
    asked = Position(position.game, state)
    ends = ((move, asked.play(move).outcome) for move in asked.moves)
    return {move for move, end in ends if end is not None and end.winner == side}


def check_fours(position: Position, line: tuple[str, ...]) -> None:
    """A win by fours holds: every move threatens five, every answer is the only one, the last has none."""
    side = position.turn
    assert side is not None
    for ply, move in enumerate(line):
        if ply % 2 == 0 and move in points_of_five(position, side):
            return
        if ply % 2 == 0:
            assert points_of_five(position, 1 - side) <= {move}, f"the defender makes five in {position!r}"
        position = position.play(move)
        open_ = points_of_five(position, side)
        if ply % 2 == 0:
            assert open_, f"{move} is no four in {position!r}"
            if len(open_) > 1 or not open_ & set(position.moves):
                return
            assert ply + 1 < len(line), f"the line ends before the win in {position!r}"
            assert open_ == {line[ply + 1]}
    raise AssertionError(f"no win at the end of {line} in {position!r}")


def check_gomoku(position: Position, search: ThreatSearch, depth: int = 0) -> None:
    """A claimed win holds: after its first move every legal answer leaves the attacker a win, found afresh."""
    side = position.turn
    assert side is not None
    assert depth < 12, "the win does not come nearer"
    found = search.find(position, nodes=100_000)
    assert found is not None, f"no win after all in {position!r}"
    if found.kind == "fours":
        check_fours(position, found.line)
        return
    after = position.play(found.line[0])
    five = points_of_five(after, side)
    assert not points_of_five(after, 1 - side), f"the defender makes five in {after!r}"
    for action, answer in zip(after.actions, after.moves, strict=True):
        reply = after.play_action(action)
        assert reply.outcome is None
        if five - {answer}:
            continue
        set_up(search.board, reply.state)
        if win_by_fours(search.board, search.sides, side, search.room, 3_000)[0] != WON:
            check_gomoku(reply, search, depth + 1)


def windows(game: boyi.Game) -> list[list[int]]:
    height, width = game.shape
    found = []
    for row, column in itertools.product(range(height), range(width)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if 0 <= row + 5 * down < height and 0 <= column + 5 * right < width:
                found.append([(row + i * down) * width + column + i * right for i in range(6)])
    return found


ALL_WINDOWS = windows(CONNECT6)


def threats(position: Position, side: int) -> list[set[int]]:
    """The empty points of each window that two stones of a side would complete."""
    cells = [(cell == "XO"[side]) - 2 * (cell == "XO"[1 - side]) for row in position.cells for cell in row]
    alive = [w for w in ALL_WINDOWS if min(cells[p] for p in w) >= 0]
    return [{p for p in w if cells[p] == 0} for w in alive if sum(cells[p] for p in w) >= 4]


def check_connect6(position: Position, search: ThreatSearch, depth: int = 0) -> None:
    """A claimed win holds against every pair of stones that stops all threats; the others lose at once."""
    side = position.turn
    assert side is not None
    assert depth < 20, "the win does not come nearer"
    found = search.find(position, nodes=400_000)
    assert found is not None, f"no win after all in {position!r}"
    after = position
    while after.turn == side and after.outcome is None:
        after = after.play(found.line[len(after.history) - len(position.history)])
    if after.outcome is not None:
        assert after.outcome.winner == side
        return
    assert not threats(after, 1 - side), f"the defender wins in {after!r}"
    open_ = threats(after, side)
    points = sorted(set().union(*open_))
    assert not any(all(point in window for window in open_) for point in points), f"one stone stops all in {after!r}"
    for first, second in itertools.combinations(points, 2):
        if all(first in window or second in window for window in open_):
            check_connect6(after.play_action(first).play_action(second), search, depth + 1)


class TestPuzzles:
    def test_makes_an_open_four(self):
        found = find_win(place(FREESTYLE, "h8 i8 j8", "h7 i7 a1", "X"))
        assert found is not None
        assert found.kind == "fours"
        assert found.line[0] in ("g8", "k8")

    def test_two_threes_at_once(self):
        position = place(FREESTYLE, "h8 i8 k6 k5", "a1 b5 c9 n2", "X")
        found = find_win(position)
        assert found is not None
        assert found.kind == "threats"
        check_gomoku(position, ThreatSearch(FREESTYLE))

    def test_four_and_three_win_by_fours(self):
        position = place(FREESTYLE, "d8 e8 f8 g9 g10 c3", "c8 d3 l12 m2 n4 o7", "X")
        found = find_win(position, nodes=2_000)
        assert found is not None
        assert found.line[0] in ("g8", "h8", "g7", "g11")
        check_gomoku(position, ThreatSearch(FREESTYLE))

    def test_six_in_a_row_is_no_win_where_five_is_asked(self):
        black, white = "d8 e8 f8 h8 i8", "a1 a3 a5 a7 a9"
        assert find_win(place(FREESTYLE, black, white, "X")).line == ("g8",)
        standard = find_win(place(STANDARD, black, white, "X"), nodes=2_000)
        assert standard is None or standard.line[0] != "g8"

    def test_black_may_not_win_by_two_fours_in_renju(self):
        # h8 makes a four in the row and one in the column: the win of freestyle, forbidden in renju
        black, white = "e8 f8 g8 h9 h10 h11", "d8 h12 a1 o15 c1 m3"
        assert find_win(place(FREESTYLE, black, white, "X"), nodes=500).kind == "fours"
        renju = find_win(place(RENJU, black, white, "X"), nodes=500)
        assert renju is None or renju.line[0] != "h8"

    def test_white_wins_where_black_may_not_answer(self):
        # White's four in the column can be stopped only at h6, an overline for Black
        position = place(RENJU, "h11 e6 f6 g6 i6 j6 a1", "h7 h8 h9 h10 a3 a5", "O")
        assert find_win(position).line == ("h6",)
        earlier = place(RENJU, "h11 e6 f6 g6 i6 j6", "h7 h8 h9 a3 a5", "O")
        found = find_win(earlier)
        assert found is not None
        assert found.line[0] == "h10"

    def test_defender_with_a_four_must_be_stopped_first(self):
        # Black has an open three, but White four in a row with one end open
        position = place(FREESTYLE, "h8 i8 j8 c3", "c2 d2 e2 f2", "X")
        found = find_win(position, nodes=2_000)
        assert found is None or found.line[0] in ("b2", "g2")

    def test_connect6_two_stones_complete_four(self):
        found = find_win(place(CONNECT6, "j10 j11 j12 j13", "a1 a2 b5 c9", "X", " 2"))
        assert found is not None
        assert set(found.line) <= {"j8", "j9", "j14", "j15"}
        assert len(found.line) == 2

    def test_connect6_one_stone_left_needs_five(self):
        four = place(CONNECT6, "j10 j11 j12 j13", "a1 b4 c9 m2", "X", " 1")
        found = find_win(four)
        assert found is None or len(found.line) > 1
        assert find_win(place(CONNECT6, "j10 j11 j12 j13 j14", "a1 b4 c9 m2", "X", " 1")).line in (("j9",), ("j15",))

    def test_connect6_three_threats_cannot_be_stopped(self):
        position = place(CONNECT6, "j10 k10 l10 j12 k12 l12", "a1 b4 c9 m2 q3 r7", "X", " 2")
        found = find_win(position)
        assert found is not None
        check_connect6(position, ThreatSearch(CONNECT6))

    def test_quiet_positions_have_no_win(self):
        for game in (FREESTYLE, STANDARD, RENJU, CONNECT6):
            assert find_win(game.start(), nodes=1_000) is None


class TestNoFalseWins:
    @pytest.mark.parametrize("game", [FREESTYLE, STANDARD, RENJU], ids=["freestyle", "standard", "renju"])
    def test_gomoku(self, game, pytestconfig):
        search, wins = ThreatSearch(game), 0
        for position in random_positions(game, pytestconfig.getoption("--threat-positions"), seed=1):
            found = search.find(position, nodes=NODES)
            if found is not None:
                wins += 1
                check_gomoku(position, search)
        assert wins >= 5

    def test_connect6(self, pytestconfig):
        search, wins = ThreatSearch(CONNECT6), 0
        for position in random_positions(CONNECT6, pytestconfig.getoption("--threat-positions"), seed=1):
            found = search.find(position, nodes=NODES)
            if found is not None:
                wins += 1
                check_connect6(position, search)
        assert wins >= 5

    @pytest.mark.parametrize("game", [FREESTYLE, CONNECT6], ids=["gomoku", "connect6"])
    def test_the_board_is_as_before(self, game):
        search = ThreatSearch(game)
        for position in random_positions(game, 20, seed=2):
            search.find(position, nodes=500)
            assert search.board.cells.tolist() == position.state[: game.num_squares].tolist()


class TestLimits:
    def test_no_nodes_no_answer(self):
        assert find_win(place(FREESTYLE, "h8 i8 j8", "h7 i7 a1", "X"), nodes=0) is None

    def test_time_is_kept(self):
        position = place(FREESTYLE, "h8 i9 g10 j7 e6 k12", "i8 g8 h9 f5 l10", "X")
        find_win(position, seconds=0.01)
        found = find_win(position, seconds=0.05)
        assert found is None or found.seconds < 5

    def test_threads_do_not_disturb_each_other(self):
        won = place(FREESTYLE, "h8 i8 j8", "h7 i7 a1", "X")
        quiet = place(FREESTYLE, "h8 a15", "h7 i7", "X")
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda number: find_win(quiet if number % 2 else won, nodes=3000), range(40)))
        assert [win is None for win in found] == [bool(number % 2) for number in range(40)]

    def test_finished_games_have_no_win(self):
        over = place(FREESTYLE, "h8 i8 j8 k8 l8", "a1 b2 c5 d7", "O")
        assert over.outcome is not None
        assert find_win(over) is None

    def test_other_games_are_refused(self):
        with pytest.raises(GameError, match="threat search is for Gomoku"):
            find_win(boyi.game("othello").start())
        with pytest.raises(GameError, match="threat search is for Gomoku"):
            find_win(boyi.game("gomoku", win=4).start())
