"""The planes of the thesis (document 000) against a slow reading of its text and figures.

The figures are quoted as the thesis prints them: bands of three lines, diagrams of 3x3 side by side, the stone at the
bottom right, Blue's view (藍 Blue, 紅 Red). A stone that a diagram shows must stand there, and an empty square
between it and the stone in question must be empty; other squares do not matter, since the figures are about
directions. Red sees the board turned by half a circle and the colours exchanged.
"""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import boyi
from boyi.games import Position
from boyi.games.randomness import below, generator

GAME = boyi.game("einstein")

FIGURE_4_3_1 = """
0 0 紅 紅 0 0 0 0 0 0 藍 0
0 0 紅 0 紅 0 0 0 0 0 0 0
0 0 藍 0 0 藍 紅 紅 藍 0 0 藍
0 0 藍 藍 0 0 0 0 0 0 紅 0
0 0 紅 0 紅 0 0 0 0 0 0 0
0 0 藍 0 0 藍 藍 紅 藍 0 0 藍
0 0 紅 紅 0 0 0 0 0 0 0 0
0 0 藍 0 藍 0 0 0 0 藍 0 0
0 0 藍 0 0 藍 紅 藍 藍 0 0 藍
0 0 藍 藍 0 0 0 0 0 0 0 0
0 0 藍 0 藍 0 0 0 0 紅 0 0
0 0 藍 0 0 藍 藍 藍 藍 0 0 藍
0 0 藍 藍 0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0 0 0 0 0
0 0 藍 0 0 藍 藍 0 藍 0 0 藍
0 0 紅 紅 0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0 0 0 0 0
0 0 藍 0 0 藍 紅 0 藍 0 0 藍
"""
FIGURE_4_3_2 = """
0 0 0 0 0 0 0 0 0
0 0 藍 0 藍 0 0 0 0
0 0 藍 0 0 藍 0 藍 藍
0 0 0 0 0 0 0 0 0
0 0 紅 0 紅 0 0 0 0
0 0 藍 0 0 藍 0 紅 藍
"""

Pattern = dict[tuple[int, int], str]
"""What must stand at (rows ahead, columns ahead) of a stone: "friend", "enemy" or "empty"."""


def pattern_of(diagram: list[list[str]]) -> Pattern:
    """What a diagram of 3x3 asks for; nothing if it shows the stone alone."""
    words = {"藍": "friend", "紅": "enemy", "0": "empty"}
    seen = {(2 - row, 2 - column): words[diagram[row][column]] for row in range(3) for column in range(3)}
    assert seen.pop((0, 0)) == "friend"
    wanted = {at: word for at, word in seen.items() if word != "empty"}
    for down, right in list(wanted):
        if max(down, right) == 2 and down % 2 == right % 2 == 0:
            between = down // 2, right // 2
            wanted[between] = seen[between]
    return wanted


def patterns_of(figure: str) -> list[Pattern]:
    """The patterns of a figure, band by band from the left."""
    rows = [line.split() for line in figure.strip().splitlines()]
    diagrams = [
        [row[left : left + 3] for row in rows[top : top + 3]]
        for top in range(0, len(rows), 3)
        for left in range(0, len(rows[0]), 3)
    ]
    return [pattern for pattern in map(pattern_of, diagrams) if pattern]


BOX, NEXT = patterns_of(FIGURE_4_3_1), patterns_of(FIGURE_4_3_2)


def stones_of(position: Position) -> dict[tuple[int, int], str]:
    """Texts such as "R3" by row and column."""
    return {(r, c): cell for r, row in enumerate(position.cells) for c, cell in enumerate(row) if cell}


def movable_of(position: Position) -> set[str]:
    """The stones that the roll allows to move, by the rule of the next lower and the next higher number."""
    *_, side, die = position.key.split()
    if die == "-":
        return set()
    letter, rolled = side[0].upper(), int(die)
    own = sorted(int(stone[1]) for stone in stones_of(position).values() if stone[0] == letter)
    chosen = [rolled] if rolled in own else [n for n in own if n < rolled][-1:] + [n for n in own if n > rolled][:1]
    return {f"{letter}{number}" for number in chosen}


def ahead(at: tuple[int, int], stone: str, down: int, right: int) -> tuple[int, int]:
    """The place some rows and columns in front of a stone: towards the top left for Blue."""
    sign = -1 if stone[0] == "B" else 1
    return at[0] + sign * down, at[1] + sign * right


def slow_ori(position: Position) -> NDArray[np.float32]:
    planes = np.zeros((3, 5, 5), np.float32)
    stones, movable = stones_of(position), movable_of(position)
    for at, stone in stones.items():
        number = int(stone[1]) + (0 if stone[0] == "B" else 6)
        planes[(0, *at)] = -number if stone in movable else number
        planes[(1, *at)] = 1 if stone[0] == "B" else -1
        planes[(2, *at)] = sum(ahead(at, stone, down, right) in stones for down in range(3) for right in range(3))
    return planes


def slow_sim(position: Position) -> NDArray[np.float32]:
    stones, movable = stones_of(position), movable_of(position)

    def stands(at: tuple[int, int], stone: str, offset: tuple[int, int], wanted: str) -> bool:
        place = ahead(at, stone, *offset)
        if not (0 <= place[0] < 5 and 0 <= place[1] < 5):
            return False
        if place not in stones:
            return wanted == "empty"
        return wanted == ("friend" if stones[place][0] == stone[0] else "enemy")

    numbers = [f"{letter}{number}" for letter in "BR" for number in range(1, 7)]
    planes = np.zeros((12 + 1 + 2 + 22 + 6, 5, 5), np.float32)
    for at, stone in stones.items():
        planes[(numbers.index(stone), *at)] = 1
        planes[(12, *at)] = stone in movable
        planes[("BR".index(stone[0]) + 13, *at)] = 1
        for number, pattern in enumerate(BOX + NEXT):
            planes[(15 + number, *at)] = all(stands(at, stone, *wanted) for wanted in pattern.items())
    return planes


def random_positions(count: int, seed: int) -> list[Position]:
    """The positions of random games from random set-ups, either side first, before and after each roll."""
    rng = generator(seed)
    found = []
    for number in range(count):
        position = GAME.start(seed=seed + number, first=("red", "blue")[number % 2])
        while True:
            found.append(position)
            if position.outcome:
                break
            position = position.play(position.moves[below(rng, len(position.moves))])
    return found


def test_the_figures_hold_22_and_6_patterns() -> None:
    assert (len(BOX), len(NEXT)) == (22, 6)
    assert len({tuple(sorted(pattern.items())) for pattern in BOX + NEXT}) == 28
    assert GAME.observers["ori"] == 3
    assert GAME.observers["sim"] == 43


@pytest.mark.parametrize(("observer", "slow"), [("ori", slow_ori), ("sim", slow_sim)])
def test_planes_of_random_positions(observer: str, slow: Callable[[Position], NDArray[np.float32]]) -> None:
    positions = random_positions(120, seed=1)
    seen = np.zeros((GAME.observers[observer], 5, 5), bool)
    for position in positions:
        planes = position.observe(observer)
        assert np.array_equal(planes, slow(position)), position.key
        seen |= planes != 0
    assert seen.any(axis=(1, 2)).all()  # every plane shows something somewhere
    assert {position.turn for position in positions} == {0, 1, boyi.CHANCE, None}


def test_ori_by_hand() -> None:
    """Blue rolled 2 and has 1, 3 and 6 left, so 1 and 3 may move."""
    position = GAME.position("7 0 10 0 8 9 / 20 0 25 0 0 13 blue 2")
    number, colour, ahead_of = position.observe("ori").astype(int).tolist()
    assert number == [
        [0, 0, 0, 0, 0],
        [0, 7, 11, 12, 9],
        [0, 0, 6, 0, 0],
        [0, 0, 0, 0, -1],
        [0, 0, 0, 0, -3],
    ]
    assert colour == [[0] * 5, [0, -1, -1, -1, -1], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 1]]
    assert ahead_of == [[0] * 5, [0, 4, 5, 3, 2], [0, 0, 3, 0, 0], [0, 0, 0, 0, 5], [0, 0, 0, 0, 3]]
