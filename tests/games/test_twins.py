"""Random games and hand-made positions against the slow twins of `twins.py`.

Every ply compares the board, whose turn it is, the legal moves, and at the end winner, margin and reason.
"""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from twins import Connect6Twin, GomokuTwin, OthelloTwin, Twin, has_line, perft

import boyi
from boyi.games.perft import perft as our_perft

Choose = Callable[[Twin, random.Random], Any]


def number(size: int, move: Any) -> int:
    """The action of a twin's move."""
    return size * size if move == "pass" else move[0] * size + move[1]


def name(size: int, move: Any, *, row_one_on_top: bool = False) -> str:
    """A twin's move as people write it."""
    if move == "pass":
        return "pass"
    return "abcdefghijklmnopqrst"[move[1]] + str(move[0] + 1 if row_one_on_top else size - move[0])


def margin(twin: Twin) -> int:
    """The score for player 0 of a finished game."""
    if isinstance(twin, OthelloTwin):
        return twin.margin()
    return 0 if twin.winner is None else 1 - 2 * twin.winner


def agree(position: boyi.Position, twin: Twin) -> None:
    assert position.cells == twin.rows()
    assert position.turn == twin.turn
    assert position.actions == tuple(sorted(number(twin.size, move) for move in twin.moves))
    if twin.turn is None:
        assert position.outcome == boyi.Outcome(twin.winner, margin(twin), str(twin.reason))
    else:
        assert position.outcome is None


def play_both(game: boyi.Game, twin: Twin, choose: Choose, rng: random.Random) -> None:
    """A game to its end, the twin choosing, ours following by the moves' names."""
    position = game.start()
    agree(position, twin)
    while twin.turn is not None:
        move = choose(twin, rng)
        twin.play(move)
        position = position.play(name(twin.size, move, row_one_on_top=game.name == "othello"))
        agree(position, twin)


def anywhere(twin: Twin, rng: random.Random) -> Any:
    return rng.choice(twin.moves)


def near_stones(twin: Twin, rng: random.Random) -> Any:
    """A move drawn by how many stones of the mover are around it, so that long rows come about."""
    stone = "XO"[twin.turn or 0]
    weights = []
    for row, column in twin.moves:
        around = [twin.board.get((r, c)) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)]
        weights.append(0.05 + around.count(stone) ** 2)
    return rng.choices(twin.moves, weights)[0]


def without_winning(twin: Twin, rng: random.Random) -> Any:
    """Like `near_stones`, but a move that wins is mostly drawn again: games grow long and full of patterns."""
    for _ in range(6):
        move = near_stones(twin, rng)
        if twin.after(move).winner is None:
            break
    return move


@pytest.mark.parametrize("choose", [anywhere, near_stones, without_winning])
@pytest.mark.parametrize(
    ("size", "win", "variant", "count"),
    [
        (5, 3, "freestyle", 60),
        (6, 4, "freestyle", 60),
        (6, 5, "freestyle", 60),
        (9, 5, "freestyle", 30),
        (15, 5, "freestyle", 6),
        (20, 6, "freestyle", 2),
        (5, 4, "standard", 60),
        (6, 3, "standard", 60),
        (7, 5, "standard", 50),
        (9, 5, "standard", 30),
        (15, 5, "standard", 6),
        (8, 6, "standard", 30),
    ],
)
def test_gomoku_games(size: int, win: int, variant: str, count: int, choose: Choose) -> None:
    game = boyi.game("gomoku", size=size, win=win, variant=variant)
    rng = random.Random(f"{size} {win} {variant} {choose.__name__}")
    for _ in range(count):
        play_both(game, GomokuTwin(size, win, variant), choose, rng)


def test_standard_overlines_are_nothing() -> None:
    """Games of the standard variant in which a row longer than five came about and did not win."""
    game = boyi.game("gomoku", size=7, variant="standard")
    rng = random.Random(1)
    overlines = 0
    for _ in range(150):
        twin = GomokuTwin(7, 5, "standard")
        play_both(game, twin, without_winning, rng)
        overlines += any(has_line(twin.board, 7, stone, 6, exact=False) for stone in "XO")
    assert overlines > 10


@pytest.mark.parametrize(("size", "count"), [(5, 60), (6, 120), (7, 90), (9, 40), (15, 4)])
def test_renju_games(size: int, count: int) -> None:
    game = boyi.game("gomoku", size=size, variant="renju")
    rng = random.Random(size)
    for index in range(count):
        choose = (anywhere, near_stones, without_winning)[index % 3]
        play_both(game, GomokuTwin(size, 5, "renju"), choose, rng)


def test_renju_games_end_in_every_way() -> None:
    """On 6x6, games drawn because every empty point is forbidden to Black are among those compared."""
    game = boyi.game("gomoku", size=6, variant="renju")
    rng = random.Random(7)
    endings: Counter[tuple[int | None, str | None]] = Counter()
    for _ in range(180):
        twin = GomokuTwin(6, 5, "renju")
        play_both(game, twin, without_winning, rng)
        endings[twin.winner, twin.reason] += 1
    assert set(endings) == {(0, "line"), (1, "line"), (None, "full board"), (None, "no legal point")}


def test_a_line_wins_whatever_the_number_of_stones() -> None:
    """A key may describe a board with few stones of the other side; a line made on it wins all the same."""
    position = boyi.game("gomoku", size=6).position("6/6/XXXX2/6/6/6 X").play("e4")
    assert position.outcome == boyi.Outcome(0, 1, "line")


@pytest.mark.parametrize("choose", [anywhere, near_stones, without_winning])
@pytest.mark.parametrize(("size", "count"), [(6, 60), (7, 60), (9, 30), (19, 2)])
def test_connect6_games(size: int, count: int, choose: Choose) -> None:
    game = boyi.game("connect6", size=size)
    rng = random.Random(f"{size} {choose.__name__}")
    for _ in range(count):
        play_both(game, Connect6Twin(size), choose, rng)


def test_connect6_turns_end_early_only_by_winning() -> None:
    """Wins by the first stone of a turn, by the second, and draws are among the games compared."""
    game = boyi.game("connect6", size=6)
    rng = random.Random(6)
    endings: Counter[tuple[str | None, int]] = Counter()
    for _ in range(200):
        twin = Connect6Twin(6)
        play_both(game, twin, near_stones, rng)
        endings[twin.reason, len(twin.board) % 2] += 1
    assert min(endings["line", 0], endings["line", 1], endings["full board", 0]) > 10


@pytest.mark.parametrize(("size", "count"), [(4, 400), (6, 150), (8, 20)])
def test_othello_games(size: int, count: int) -> None:
    game = boyi.game("othello", size=size)
    rng = random.Random(size)
    for _ in range(count):
        play_both(game, OthelloTwin(size), anywhere, rng)


def test_othello_4x4_everywhere() -> None:
    """Every position that can come about on 4x4 after the first move b1, passes and all endings included.

    The other three first moves are mirror images of it.
    """
    reached = set()
    waiting = [(boyi.game("othello", size=4).start().play("b1"), OthelloTwin(4).after((0, 1)))]
    endings: Counter[int | None] = Counter()
    while waiting:
        position, twin = waiting.pop()
        if (place := (twin.rows(), twin.turn)) in reached:
            continue
        reached.add(place)
        agree(position, twin)
        for move in twin.moves:
            waiting.append((position.play(name(4, move, row_one_on_top=True)), twin.after(move)))
        if twin.turn is None:
            endings[twin.winner] += 1
    assert set(endings) == {0, 1, None}
    assert min(endings.values()) > 100


def after(game: boyi.Game, twin: Twin, stones: int, rng: random.Random) -> tuple[boyi.Position, Twin]:
    """Both sides after a random opening that leaves the game running."""
    while True:
        position, at = game.start(), twin
        while at.turn is not None and len(at.board) < stones:
            move = without_winning(at, rng)
            position, at = position.play(name(at.size, move)), at.after(move)
        if at.turn is not None:
            return position, at


@pytest.mark.parametrize(
    ("game", "twin", "stones", "depth"),
    [
        (boyi.game("gomoku", size=5, win=3), GomokuTwin(5, 3), 0, 3),
        (boyi.game("gomoku", size=7), GomokuTwin(7), 0, 3),
        (boyi.game("gomoku", size=5, win=4), GomokuTwin(5, 4), 18, 7),
        (boyi.game("gomoku", size=5, win=3), GomokuTwin(5, 3), 5, 4),
        (boyi.game("gomoku", size=6, win=4, variant="standard"), GomokuTwin(6, 4, "standard"), 29, 7),
        (boyi.game("gomoku", size=6, variant="renju"), GomokuTwin(6, 5, "renju"), 29, 7),
        (boyi.game("gomoku", size=7, variant="renju"), GomokuTwin(7, 5, "renju"), 34, 4),
        (boyi.game("connect6", size=6), Connect6Twin(6), 0, 3),
        (boyi.game("connect6", size=6), Connect6Twin(6), 29, 7),
        (boyi.game("connect6", size=7), Connect6Twin(7), 30, 3),
    ],
)
def test_perft(game: boyi.Game, twin: Twin, stones: int, depth: int) -> None:
    """Lines of play from the start, and from the middle of a game to its end where `depth` reaches it."""
    rng = random.Random(depth)
    for _ in range(1 if stones == 0 else 3):
        position, at = after(game, twin, stones, rng)
        assert [(found.nodes, found.finished) for found in our_perft(position, depth)] == perft(at, depth)


@pytest.mark.parametrize(("size", "depth"), [(4, 7), (6, 5)])
def test_othello_perft(size: int, depth: int) -> None:
    found = our_perft(boyi.game("othello", size=size).start(), depth)
    assert [(each.nodes, each.finished) for each in found] == perft(OthelloTwin(size), depth)
