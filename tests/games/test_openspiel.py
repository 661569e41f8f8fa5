"""Random games replayed in OpenSpiel, another group's rules: turn, legal moves, dice and results agree at every ply.

Each game maps our actions to OpenSpiel's by the conventions that OpenSpiel documents. What was found about them:

- Othello: a player without a move passes (action 64), and the game is over as soon as neither side has a move; no
  second pass is played. Ours is the same.
- Gomoku: six or more in a row win, which is our `freestyle`; `connect` is our `win`.
- EinStein: White (player 1, bottom right) is our Blue and moves first. Two chance nodes place the stones, then a die
  node comes before every move. Numbers 0 and 1 of the players are the same as ours.
"""

import itertools
import math
from collections import Counter
from typing import Any

import pyspiel
import pytest
from recorder import Ply, Record, random_games

import boyi
from boyi.games.position import Position


def their_actions(ply: Ply) -> list[int]:
    """The legal actions of a game that OpenSpiel numbers as we do."""
    return ply.legal


def replay(record: Record, state: Any, translate: Any = their_actions) -> None:
    """Follow a game in OpenSpiel, comparing every ply and the result. Our actions are translated in their order."""
    for ply in record.plies:
        assert not state.is_terminal()
        assert state.current_player() == ply.turn  # a chance node is -1 in both
        theirs = translate(ply)
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            assert list(outcomes) == theirs
            assert all(math.isclose(a, b, rel_tol=1e-12) for a, b in zip(odds, ply.chances, strict=True))
        else:
            assert state.legal_actions() == sorted(theirs)
        state.apply_action(theirs[ply.legal.index(ply.action)])
    assert state.is_terminal()
    assert state.returns() == [record.outcome, -record.outcome]


def cells_of(game: boyi.Game, record: Record) -> list[str]:
    """The final board, row by row, as "x", "o" and "."."""
    return ["".join(cell or "." for cell in row).lower() for row in game.cells(record.final)]


def test_tictactoe() -> None:
    game = boyi.game("tictactoe")
    theirs = pyspiel.load_game("tic_tac_toe")
    results: Counter[int] = Counter()
    for record in random_games(game, [game.start().state] * 10_000, longest=9, seed=1):
        state = theirs.new_initial_state()
        replay(record, state)
        assert str(state).splitlines() == cells_of(game, record)
        results[record.outcome] += 1
    shares = [results[outcome] / 10_000 for outcome in (1, -1, 0)]
    assert shares == pytest.approx([0.585, 0.288, 0.127], abs=0.02)


@pytest.mark.parametrize(
    ("size", "win", "count", "endings"),
    [
        (15, 5, 2_000, {1, -1}),
        (5, 5, 1_000, {1, 0, -1}),
        (5, 3, 500, {1, -1}),
        (6, 4, 1_000, {1, 0, -1}),
        (7, 5, 1_000, {1, 0, -1}),
        (9, 6, 500, {1, 0, -1}),
        (20, 5, 100, {1, -1}),
    ],
)
def test_gomoku_freestyle(size: int, win: int, count: int, endings: set[int]) -> None:
    """`endings`: how games end at this size, so that draws and both sides' wins are among those compared."""
    game = boyi.game("gomoku", size=size, win=win)
    theirs = pyspiel.load_game(f"gomoku(size={size},connect={win})")
    seen = set()
    for record in random_games(game, [game.start().state] * count, longest=size * size, seed=size * 10 + win):
        state = theirs.new_initial_state()
        replay(record, state)
        assert str(state).splitlines()[1:] == [
            row.replace("x", "b").replace("o", "w") for row in cells_of(game, record)
        ]
        seen.add(record.outcome)
    assert seen == endings


def test_gomoku_overline_wins_in_both() -> None:
    """Six in a row made by filling a gap: OpenSpiel's gomoku is freestyle."""
    position = boyi.game("gomoku").start()
    state = pyspiel.load_game("gomoku(size=15)").new_initial_state()
    for action in (0, 30, 1, 32, 2, 34, 4, 36, 5, 60, 3):
        assert not state.is_terminal()
        assert position.outcome is None
        position = position.play_action(action)
        state.apply_action(action)
    assert state.returns() == [1.0, -1.0]
    assert position.outcome == boyi.Outcome(0, 1, "line")


def test_othello() -> None:
    game = boyi.game("othello")
    theirs = pyspiel.load_game("othello")
    passes, early, results = 0, 0, set()  # early: games that end before the board is full
    for record in random_games(game, [game.start().state] * 4_000, longest=128, seed=3):
        state = theirs.new_initial_state()
        replay(record, state)
        board = [line.split()[1:9] for line in str(state).splitlines()[2:10]]
        assert ["".join(row).replace("-", ".") for row in board] == cells_of(game, record)
        passes += sum(ply.legal == [64] for ply in record.plies)
        early += any("-" in row for row in board)
        results.add(record.outcome)
    assert results == {1, 0, -1}
    assert passes > 1_000
    assert early > 20


OWN_SQUARES = ((0, 1, 2, 5, 6, 10), (14, 18, 19, 22, 23, 24))
"""The squares of Black (Red) and White (Blue) row by row, as OpenSpiel fills them with a permutation of 1..6."""
DIRECTIONS = {0: {(0, 1): 2, (1, 0): 1, (1, 1): 0}, 1: {(0, -1): 5, (-1, 0): 3, (-1, -1): 4}}
"""OpenSpiel's number of a step (rows, columns) for either player."""
PERMUTATIONS = list(itertools.permutations(range(1, 7)))


def placements(start: Position) -> list[int]:
    """The outcomes of OpenSpiel's two placement nodes that lead to a starting position."""
    flat = [cell for row in start.cells for cell in row]
    return [PERMUTATIONS.index(tuple(int(flat[square][1]) for square in own)) for own in OWN_SQUARES]


def their_cells(start: Position) -> list[str]:
    names = {"R": "b", "B": "w"}
    return ["".join(f"|{names[cell[0]] + cell[1] if cell else '__'}|" for cell in row) for row in start.cells]


def their_einstein_actions(ply: Ply) -> list[int]:
    """OpenSpiel's ((row * 5 + column) * 6 + direction) * 2 + whether something stands on the target.

    Ours are 3 * square + (0 horizontal, 1 vertical, 2 diagonal), squares counted from the mover's own corner.
    """
    if ply.turn == boyi.CHANCE:
        return ply.legal
    forward = 1 if ply.turn == 0 else -1
    found = []
    for action in ply.legal:
        seen, kind = divmod(action, 3)
        square = seen if ply.turn == 0 else 24 - seen
        rows, columns = (0 if kind == 0 else forward), (0 if kind == 1 else forward)
        capture = ply.state[square + 5 * rows + columns] > 0
        found.append((square * 6 + DIRECTIONS[ply.turn][rows, columns]) * 2 + int(capture))
    return found


def test_einstein() -> None:
    game = boyi.game("einstein")
    theirs = pyspiel.load_game("einstein_wurfelt_nicht")
    starts = [game.start(seed=seed, first="blue") for seed in range(4_000)]
    winners: Counter[int] = Counter()
    missing = captures = 0  # missing: decisions between two stones because the rolled one is gone
    records = random_games(game, [start.state for start in starts], longest=160, seed=4)
    for start, record in zip(starts, records, strict=True):
        state = theirs.new_initial_state()
        for outcome in placements(start):
            state.apply_action(outcome)
        assert str(state).splitlines() == their_cells(start)
        replay(record, state, their_einstein_actions)
        assert str(state).splitlines() == their_cells(Position(game, record.final))
        winners[record.outcome] += 1
        missing += sum(len(ply.legal) > 3 for ply in record.plies if ply.turn != boyi.CHANCE)
        captures += 12 - sum(cell != "" for row in game.cells(record.final) for cell in row)
    assert winners[1] + winners[-1] == 4_000
    assert winners[-1] / 4_000 == pytest.approx(0.532, abs=0.03)  # Blue moves first
    assert missing > 5_000
    assert captures > 20_000


def test_einstein_placements() -> None:
    """All 720 arrangements of either side, as a set-up of ours and as a chance outcome of OpenSpiel."""
    game = boyi.game("einstein")
    theirs = pyspiel.load_game("einstein_wurfelt_nicht")
    for outcome, permutation in enumerate(PERMUTATIONS):
        other = 719 - outcome
        state = theirs.new_initial_state()
        assert len(state.chance_outcomes()) == 720
        state.apply_action(outcome)
        state.apply_action(other)
        red = [OWN_SQUARES[0][permutation.index(stone)] + 1 for stone in range(1, 7)]
        blue = [OWN_SQUARES[1][PERMUTATIONS[other].index(stone)] + 1 for stone in range(1, 7)]
        start = game.start(setup=f"{' '.join(map(str, red))} / {' '.join(map(str, blue))}", first="blue")
        assert placements(start) == [outcome, other]
        assert str(state).splitlines() == their_cells(start)
