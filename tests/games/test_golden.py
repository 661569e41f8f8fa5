"""Numbers that others published or that were computed by other programs: perft, sizes, whole games, exact values."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import boyi
from boyi.games import RUNNING, kernel, legal, outcome, sample, setup, step
from boyi.games.einstein import ALIVE, DIE, MOVER
from boyi.games.perft import perft
from boyi.games.randomness import generator

TICTACTOE = boyi.game("tictactoe")
OTHELLO = boyi.game("othello")
EINSTEIN = boyi.game("einstein")


# Tic-tac-toe


def test_tictactoe_perft() -> None:
    found = perft(TICTACTOE.start(), 9)
    assert [each.nodes for each in found] == [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]
    ended = [after.finished - before.finished for before, after in itertools.pairwise(found)]
    assert ended == [0, 0, 0, 0, 1_440, 5_328, 47_952, 72_576]  # games of 1, 2 ... 8 moves


def orientations(cells: tuple[tuple[str, ...], ...]) -> list[tuple[tuple[str, ...], ...]]:
    """A square board turned and mirrored in all eight ways."""
    found = []
    for _ in range(4):
        cells = tuple(zip(*cells[::-1], strict=True))
        found += [cells, cells[::-1]]
    return found


def test_tictactoe_games_and_positions() -> None:
    """255,168 games and 5,478 positions, by length and result."""
    layer = {TICTACTOE.start().cells: (TICTACTOE.start(), 1)}
    positions = Counter[int | str | None]()
    lengths, results = Counter[int](), Counter[int | None]()
    classes = set()
    for length in range(10):
        following: dict[tuple[tuple[str, ...], ...], tuple[boyi.Position, int]] = {}
        for cells, (position, ways) in layer.items():
            classes.add(min(orientations(cells)))
            end = position.outcome
            positions["running" if end is None else end.winner] += 1
            if end is not None:
                lengths[length] += ways
                results[end.winner] += ways
            for move in position.moves:
                after = position.play(move)
                following[after.cells] = after, ways + following.get(after.cells, (after, 0))[1]
        layer = following
    assert positions == {"running": 5_478 - 958, 0: 626, 1: 316, None: 16}
    assert len(classes) == 765
    assert lengths == {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}
    assert results == {0: 131_184, 1: 77_904, None: 46_080}


# Othello


def test_othello_perft() -> None:
    """A finished game counted as a leaf (Egaroucid, Bik), and not counted (Edax)."""
    found = perft(OTHELLO.start(), 10)
    same = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288]
    assert [each.leaves for each in found] == [*same, 24_571_284]
    assert [each.nodes for each in found] == [*same, 24_571_056]
    assert found[-1].finished == 228


def test_othello_positions_up_to_symmetry() -> None:
    counts = []
    layer = [OTHELLO.start()]
    for _ in range(6):
        counts.append(len(layer))
        unique = {min(orientations(after.cells)): after for at in layer for after in map(at.play, at.moves)}
        layer = list(unique.values())
    assert counts == [1, 1, 3, 14, 60, 322]


FFO = """
01 --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X e=14 +18 G8 next +12
04 -XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X e=14 +0 H8/A5 next -4
09 --XOXX--O-OOXXXX-OOOXXXX-XOXXXOXXXOXOOOXOXXOXOXX--OXOO----OOOO-- O e=15 -8 G7/A4 next -16
20 XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X e=6 +6 H5 next -2
28 --O-------OOO--X-XOOOOXXXXXXOXOX-XXOXOOXXXOXOOXX-OOOOO-X---OOO-- X e=20 +0 F1/B2/E1 next -4
39 O-OOOO--XOXXOX--XOOOXXX-XOOOXX--XOOXOX--XOXXX---X-XX------------ O e=26 +64 A8/B1/G1/G5/G6/C8/H3/E8/H4 next +62
40 O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X e=20 +38 A2 next +36
51 ----O-X------X-----XXXO-OXXXXXOO-XXOOXOOXXOXXXOO--OOOO-O----OO-- O e=27 +6 E2/A3 next +4
55 --------X-X------XXXXOOOOOXOXX--OOOXXXX-OOXXXX--O-OOOX-----OO--- O e=29 +0 G6/B7/E2/G4 next -2
59 -----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X e=34 +64 H4/G8/E8 next +62
""".strip().splitlines()
"""Endgames of the FFO suite: number, board, side to move, empties, score, best moves, score of the next best move."""


@pytest.mark.parametrize("line", FFO, ids=[line[:2] for line in FFO])
def test_ffo_best_moves_are_legal(line: str) -> None:
    _, board, side, empties, _, best, *_ = line.split()
    position = OTHELLO.position(f"{board} {side}")
    assert position.turn == "XO".index(side)
    assert sum(cell == "" for row in position.cells for cell in row) == int(empties[2:])
    assert set(best.lower().split("/")) < set(position.moves)


def best_score(position: boyi.Position) -> int:
    """The score for Black with best play."""
    if (end := position.outcome) is not None:
        return end.score
    scores = [best_score(position.play(move)) for move in position.moves]
    return max(scores) if position.turn == 0 else min(scores)


def test_ffo_20_solved() -> None:
    """Six empty squares, Black to move: h5 gains 6, everything else loses at least 2."""
    position = OTHELLO.position(" ".join(FFO[3].split()[1:3]))
    scores = {move: best_score(position.play(move)) for move in position.moves}
    assert scores.pop("h5") == 6
    assert max(scores.values()) == -2


# EinStein

THESIS_START = "1 2 3 6 7 11 / 25 24 20 23 19 15"


def test_einstein_perft() -> None:
    """Every roll with every move counts; set-up of the thesis's figure 4-1-1."""
    found = perft(EINSTEIN.start(setup=THESIS_START), 4)
    assert [each.nodes for each in found] == [18, 324, 6_162, 117_369]


def movable(alive: set[int], die: int, side: str) -> set[int]:
    """The numbers of the stones that may move, out of those that are alive on their home squares."""
    homes = dict(zip(("red", "blue"), (half.split() for half in THESIS_START.split("/")), strict=True))
    setups = dict(homes)
    setups[side] = [home if stone in alive else "0" for stone, home in enumerate(homes[side], 1)]
    position = EINSTEIN.position(f"{' '.join(setups['red'])} / {' '.join(setups['blue'])} {side} {die}")
    names = {EINSTEIN.squares[int(home) - 1]: stone for stone, home in enumerate(homes[side], 1)}
    return {names[move.split("-")[0]] for move in position.moves}


ALIVE_SETS = [set(chosen) for count in range(1, 7) for chosen in itertools.combinations(range(1, 7), count)]


@pytest.mark.parametrize("side", ["red", "blue"])
def test_einstein_movable_counts(side: str) -> None:
    """Stone p(i) of the survivors p(1) < p(2) < ... moves for p(i+1) - p(i-1) - 1 rolls, with p(0) = 0, the last 7."""
    assert len(ALIVE_SETS) == 63
    for alive in ALIVE_SETS:
        counts = Counter(stone for die in range(1, 7) for stone in movable(alive, die, side))
        bounds = [0, *sorted(alive), 7]
        assert counts == {bounds[i]: bounds[i + 1] - bounds[i - 1] - 1 for i in range(1, len(bounds) - 1)}


@pytest.mark.parametrize(
    ("alive", "die", "allowed"),
    [
        ({1, 2, 3, 6}, 4, {3, 6}),
        ({1, 2, 5}, 4, {2, 5}),
        ({1, 4, 6}, 3, {1, 4}),
        ({1, 5, 6}, 2, {1, 5}),
        ({1, 5, 6}, 3, {1, 5}),
        ({1, 5, 6}, 4, {1, 5}),
        ({2, 3}, 1, {2}),
        ({2, 3}, 6, {3}),
        ({4}, 1, {4}),
        ({1, 2, 3, 4, 5, 6}, 5, {5}),
    ],
)
def test_einstein_missing_stone(alive: set[int], die: int, allowed: set[int]) -> None:
    """A missing number gives the choice between the next lower and the next higher, however far they are."""
    assert movable(alive, die, "red") == movable(alive, die, "blue") == allowed


GAME_RECORD = """
4  4 A4 | (R)(4)(15 24 19 20 25 23)(7 3 6 1 11 2)(1)(6)
6  6 B2 | (B)(6)(15 24 19 20 25 23)(7 3 0 6 11 2)(23)(17)
5  5 A2 | (R)(5)(15 24 19 20 25 17)(7 3 0 6 11 2)(11)(16)
6  6 A3 | (B)(6)(15 24 19 20 25 17)(7 3 0 6 16 2)(17)(11)
6  6 C5 | (R)(6)(15 24 19 20 25 11)(7 3 0 6 16 2)(2)(3)
6  6 A4 | (B)(6)(15 24 19 20 25 11)(7 0 0 6 16 3)(11)(6)
4  5 B1 | (R)(4)(15 24 19 20 25 6)(7 0 0 0 16 3)(16)(22)
2  2 D2 | (B)(2)(15 24 19 20 25 6)(7 0 0 0 22 3)(24)(19)
3  1 B3 | (R)(3)(15 19 0 20 25 6)(7 0 0 0 22 3)(7)(12)
5  5 D2 | (B)(5)(15 19 0 20 25 6)(12 0 0 0 22 3)(25)(19)
4  5 C1 | (R)(4)(15 0 0 20 19 6)(12 0 0 0 22 3)(22)(23)
6  6 A5 | (B)(6)(15 0 0 20 19 6)(12 0 0 0 23 3)(6)(1)
""".strip().splitlines()
"""Die, stone moved, its target; then the ply in the thesis's format: side, die, Blue, Red, from, to."""


def test_einstein_golden_game() -> None:
    position = EINSTEIN.start(setup="7 3 6 1 11 2 / 15 24 19 20 25 23")
    for line in GAME_RECORD:
        (die, stone, target), fields = line.split("|")[0].split(), line.split("(")[1:]
        letter, rolled, blue, red, source, goal = (field.strip(") ") for field in fields)
        assert position.turn == boyi.CHANCE
        position = position.play(rolled)
        assert die == rolled
        assert position.key == f"{red} / {blue} {'red' if letter == 'R' else 'blue'} {rolled}"
        row, column = divmod(int(source) - 1, 5)
        assert position.cells[row][column] == letter + stone
        assert EINSTEIN.squares[int(goal) - 1] == target.lower()
        position = position.play(f"{source}-{goal}")
    assert position.key == "12 0 0 0 23 3 / 15 0 0 20 19 1 red -"
    assert position.outcome == boyi.Outcome(1, -1, "corner")
    assert position.turn is None
    assert position.moves == ()


def test_einstein_golden_game_choices() -> None:
    """Rolls of missing numbers in that game offer stones 1 and 5, with all their moves."""
    position = EINSTEIN.position("7 0 0 0 16 3 / 15 24 19 20 25 6 red 4")
    assert set(position.moves) == {"b4-c4", "b4-b3", "b4-c3", "a2-b2", "a2-a1", "a2-b1"}


KNOWN: dict[boyi.Position, Fraction] = {}
"""Values before the roll, kept for all tests."""


def red_wins(position: boyi.Position) -> Fraction:
    """The exact probability that Red wins with best play of both."""
    if (end := position.outcome) is not None:
        return Fraction(end.winner == 0)
    if position.turn != boyi.CHANCE:
        values = [red_wins(position.play_action(action)) for action in position.actions]
        return max(values) if position.turn == 0 else min(values)
    if position not in KNOWN:
        rolled = [position.play_action(roll) for roll in position.actions]
        representatives = {after.actions: after for after in rolled}  # rolls that allow the same are worth the same
        worth = {actions: red_wins(after) for actions, after in representatives.items()}
        KNOWN[position] = sum((worth[after.actions] for after in rolled), Fraction(0)) / len(rolled)
    return KNOWN[position]


@pytest.mark.parametrize(
    ("setup_text", "side", "expected"),
    [
        ("1 0 0 0 0 0 / 25 0 0 0 0 0", "red", "1"),
        ("1 0 0 0 0 0 / 25 0 0 0 0 0", "blue", "0"),
        ("13 0 0 0 0 0 / 14 0 0 0 0 0", "red", "1"),
        ("7 0 0 0 0 13 / 19 0 0 0 0 14", "red", "137/162"),
    ],
)
def test_einstein_exact_values(setup_text: str, side: str, expected: str) -> None:
    assert red_wins(EINSTEIN.position(f"{setup_text} {side} -")) == Fraction(expected)


def test_einstein_exact_move_values() -> None:
    """The values of single moves in the last of those positions."""
    for die, expected in {
        "1": {"7-12": "2/27", "7-8": "11/1296", "7-13": "0"},
        "6": {"13-19": "1", "13-18": "350/2187", "13-14": "0"},
    }.items():
        position = EINSTEIN.position(f"7 0 0 0 0 13 / 19 0 0 0 0 14 red {die}")
        assert len(position.moves) == 3
        values = {move: red_wins(position.play(move)) for move in expected}
        assert values == {move: Fraction(value) for move, value in expected.items()}


@pytest.mark.parametrize(("side", "won"), [("red", 1), ("blue", 0)])
def test_einstein_one_stone_each(side: str, won: int) -> None:
    """The side to move wins 370 of the 553 placements of one stone each."""
    placements = [(red, blue) for red in range(1, 25) for blue in range(2, 26) if red != blue]
    values = [red_wins(EINSTEIN.position(f"{red} 0 0 0 0 0 / {blue} 0 0 0 0 0 {side} -")) for red, blue in placements]
    assert len(placements) == 553
    assert Counter(values) == {Fraction(won): 370, Fraction(1 - won): 183}


@kernel
def random_statistics(rules, state, mask, rng, count, wins, lengths, choices, captures):
    """Play random games from random set-ups, Red first, and count.

    wins[2] by player, lengths[81] games by plies, choices[7] decisions by number of legal moves, captures[2] own and
    enemy stones. Returns the number of games that ended with a side out of stones.
    """
    eliminated = 0
    for _ in range(count):
        setup(rules, state, rng)
        plies = 0
        while outcome(rules, state) == RUNNING:
            if state[DIE] == 0:
                step(rules, state, sample(rules, state, mask, rng))
                continue
            mover = state[MOVER]
            own, other = state[ALIVE + mover], state[ALIVE + 1 - mover]
            choices[legal(rules, state, mask)] += 1
            step(rules, state, sample(rules, state, mask, rng))
            captures[0] += own != state[ALIVE + mover]
            captures[1] += other != state[ALIVE + 1 - mover]
            plies += 1
        wins[(1 - outcome(rules, state)) // 2] += 1
        lengths[plies] += 1
        eliminated += state[ALIVE] == 0 or state[ALIVE + 1] == 0
    return eliminated


def test_einstein_random_play() -> None:
    """A million random games against 2 million of another program."""
    games = 1_000_000
    wins, captures = np.zeros(2, np.int64), np.zeros(2, np.int64)
    lengths, choices = np.zeros(81, np.int64), np.zeros(7, np.int64)
    state, mask = EINSTEIN.blank(), np.zeros(EINSTEIN.num_actions, np.uint8)
    eliminated = random_statistics(
        EINSTEIN.rules, state, mask, generator(2017), games, wins, lengths, choices, captures
    )
    assert wins.sum() == lengths.sum() == games
    assert wins[0] / games == pytest.approx(0.5317, abs=0.003)
    assert lengths @ np.arange(81) / games == pytest.approx(21.58, abs=0.1)
    assert np.flatnonzero(lengths)[0] == 5  # three diagonal steps
    assert 1 - eliminated / games == pytest.approx(0.988, abs=0.001)
    assert captures / games == pytest.approx([3.58, 2.84], abs=0.02)
    assert np.flatnonzero(choices).tolist() == [1, 2, 3, 4, 6]
    assert choices[[1, 2, 3, 4, 6]] / choices.sum() == pytest.approx([0.105, 0.006, 0.754, 0.040, 0.096], abs=0.001)
