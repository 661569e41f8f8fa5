"""EinStein würfelt nicht!: six numbered stones a side and a die, on a board of 5x5.

Red (player 0) starts in the top left corner and moves right, down or diagonally down-right, one square; Blue
(player 1) starts in the bottom right and moves the other way. A turn is a roll of the die and a move. The stone
with the rolled number moves; if it is gone, the player chooses between the survivor with the next lower and the
one with the next higher number, however near they are. Whatever stands on the target square is removed, own
stones too. A stone on the opponent's corner wins, and so does taking the last enemy stone. There are no draws
and no passes.

Squares 0..24 row by row; people write a5 (top left) to e1, the thesis (document 000) and set-ups 1..25:

    5   0  1  2  3  4
    4   5  6  7  8  9
    3  10 11 12 13 14
    2  15 16 17 18 19
    1  20 21 22 23 24
        a  b  c  d  e

The roll is a chance decision with the actions 0..5 for 1..6. A move is the action 3 * square + direction, both
seen by the mover: Blue's board is turned by half a circle, so that for either side direction 0 is horizontal,
1 vertical and 2 diagonal, away from the own corner.

State: 25 cells (0 empty, 1..6 Red's stones, 7..12 Blue's), the square of each of the 12 stones or -1, the set of
living stones of each side as bits, mover, die (0 before the roll), result.
"""

import functools
import itertools
import re
from typing import Any, NamedTuple

import numpy as np

from boyi import draw
from boyi.games.errors import BadParameter, BadPosition
from boyi.games.game import Game, State
from boyi.games.generics import (
    CHANCE,
    RUNNING,
    chance,
    init,
    legal,
    observe,
    outcome,
    rule,
    sample,
    setup,
    step,
    turn,
    urgent,
    wins_at_once,
)
from boyi.games.grid import Symmetry, square_tables
from boyi.games.kernels import inline_kernel
from boyi.games.position import Position
from boyi.games.randomness import below
from boyi.games.thesis_planes import ORI, SIM, SIM_RENUMBERED, SIM_TRANSPOSED, SIM_TURNED, ori_planes, sim_planes

STONES, ALIVE, MOVER, DIE, RESULT = 25, 37, 39, 40, 41
HOMES = np.array([[0, 1, 2, 5, 6, 10], [24, 23, 19, 22, 18, 14]], np.int16)
"""Where stones 1..6 of Red and of Blue stand in the thesis's starting position."""


def _movable() -> np.ndarray:
    """[alive set, die, 2]: the stones (0..5) that a roll allows; the second is -1 where there is no choice."""
    table = np.full((64, 6, 2), -1, np.int8)
    for alive in range(1, 64):
        living = [stone for stone in range(6) if alive >> stone & 1]
        for die in range(6):
            lower = [stone for stone in living if stone < die]
            higher = [stone for stone in living if stone > die]
            allowed = [die] if die in living else lower[-1:] + higher[:1]
            table[alive, die, : len(allowed)] = allowed
    return table


MOVABLE = _movable()
COUNTS = np.array(
    [[sum(stone in MOVABLE[alive, die] for die in range(6)) for stone in range(6)] for alive in range(64)]
)
"""[alive set, stone]: for how many of the six die values a stone may move."""
DIRECTIONS = np.array([0b010 if s % 5 == 4 else 0b001 if s // 5 == 4 else 0b111 for s in range(24)] + [0], np.int8)
"""The directions open to a stone, as bits, by its square in the mover's view."""


class EinStein(NamedTuple):
    """EinStein würfelt nicht! has no parameters."""


@inline_kernel
def view_of(square, mover):
    """A square as a player sees it; its own inverse."""
    return square if mover == 0 else 24 - square


@inline_kernel
def remove(state, square):
    """Take away whatever stands on a square."""
    stone = state[square] - 1
    if stone >= 0:
        state[STONES + stone] = -1
        state[ALIVE + stone // 6] &= ~(1 << stone % 6)


@rule(init, EinStein)
def einstein_init(rules, state):
    state[:] = 0
    for stone in range(12):
        square = HOMES[stone // 6, stone % 6]
        state[square] = stone + 1
        state[STONES + stone] = square
    state[ALIVE] = state[ALIVE + 1] = 63
    state[RESULT] = RUNNING


@rule(setup, EinStein)
def einstein_setup(rules, state, rng):
    """Each side's stones on its six squares in random order."""
    init(rules, state)
    for side in range(2):
        for last in range(5, 0, -1):
            first, second = side * 6 + below(rng, last + 1), side * 6 + last
            here, there = state[STONES + first], state[STONES + second]
            state[STONES + first], state[STONES + second] = there, here
            state[here], state[there] = second + 1, first + 1


@rule(turn, EinStein)
def einstein_turn(rules, state):
    return state[MOVER] if state[DIE] else CHANCE


@rule(legal, EinStein)
def einstein_legal(rules, state, mask):
    mask[:] = 0
    if not state[DIE]:
        mask[:6] = 1
        return 6
    count = 0
    mover = state[MOVER]
    for choice in range(2):
        stone = MOVABLE[state[ALIVE + mover], state[DIE] - 1, choice]
        if stone >= 0:
            square = view_of(state[STONES + 6 * mover + stone], mover)
            for direction in range(3):
                if DIRECTIONS[square] >> direction & 1:
                    mask[3 * square + direction] = 1
                    count += 1
    return count


@rule(step, EinStein)
def einstein_step(rules, state, action):
    if not state[DIE]:
        state[DIE] = action + 1
        return
    mover = state[MOVER]
    seen = action // 3
    direction = action - 3 * seen
    goal = seen + (1 if direction == 0 else 4 + direction)
    source, target = view_of(seen, mover), view_of(goal, mover)
    stone = state[source]
    remove(state, target)
    state[source] = 0
    state[target] = stone
    state[STONES + stone - 1] = target
    state[MOVER] = 1 - mover
    state[DIE] = 0
    if goal == 24 or state[ALIVE + 1 - mover] == 0:
        state[RESULT] = 1 - 2 * mover


@rule(chance, EinStein)
def einstein_chance(rules, state, probabilities):
    probabilities[:6] = 1 / 6
    return 6


@rule(outcome, EinStein)
def einstein_outcome(rules, state):
    return state[RESULT]


@inline_kernel
def mark_movable(state, movable):
    """Set a flag for the square of each stone that the roll allows to move; none before the roll."""
    movable[:] = 0
    mover = state[MOVER]
    if state[DIE]:
        for choice in range(2):
            stone = MOVABLE[state[ALIVE + mover], state[DIE] - 1, choice]
            if stone >= 0:
                movable[state[STONES + 6 * mover + stone]] = 1


@rule(observe, EinStein)
def einstein_observe(rules, state, view, planes):
    """`stones`, from the mover's side: 6 planes for the own stones, 6 for the other side's, the stones that may move,
    and for how many sixths of the rolls each own and each other stone may move. `ori` and `sim`: see
    `boyi.games.thesis_planes`.
    """
    movable = np.zeros(25, np.uint8)
    mark_movable(state, movable)
    if view == 1:
        ori_planes(state, movable, planes)
    elif view == 2:
        sim_planes(state, movable, planes)
    else:
        mover = state[MOVER]
        for stone in range(12):
            square = state[STONES + stone]
            if square >= 0:
                other = stone // 6 != mover
                seen = view_of(square, mover)
                row, column = seen // 5, seen % 5
                planes[6 * other + stone % 6, row, column] = 1
                planes[12, row, column] = movable[square]
                planes[13 + other, row, column] = COUNTS[state[ALIVE + stone // 6], stone % 6] / 6


@rule(sample, EinStein)
def einstein_sample(rules, state, mask, rng):
    if not state[DIE]:
        return below(rng, 6)
    mover = state[MOVER]
    allowed = MOVABLE[state[ALIVE + mover], state[DIE] - 1]
    square = view_of(state[STONES + 6 * mover + allowed[0]], mover)
    count = 3 if DIRECTIONS[square] == 7 else 1
    total = count
    other = square
    if allowed[1] >= 0:
        other = view_of(state[STONES + 6 * mover + allowed[1]], mover)
        total += 3 if DIRECTIONS[other] == 7 else 1
    pick = below(rng, total) if total > 1 else 0
    if pick >= count:
        square = other
        pick -= count
    return 3 * square + (pick if DIRECTIONS[square] == 7 else DIRECTIONS[square] >> 1)


@rule(wins_at_once, EinStein)
def einstein_wins_at_once(rules, state, action):
    if not state[DIE]:
        return False
    mover = state[MOVER]
    direction = action % 3
    goal = action // 3 + (1 if direction == 0 else 4 + direction)
    enemies = state[ALIVE + 1 - mover]
    taken = state[view_of(goal, mover)] - 1 - 6 * (1 - mover)
    return goal == 24 or (0 <= taken < 6 and enemies == 1 << taken)


@rule(urgent, EinStein)
def einstein_urgent(rules, state, rng):
    """Into the corner, if the roll allows it."""
    mover = state[MOVER]
    if state[DIE]:
        for choice in range(2):
            stone = MOVABLE[state[ALIVE + mover], state[DIE] - 1, choice]
            if stone >= 0:
                seen = np.int64(view_of(state[STONES + 6 * mover + stone], mover))
                if seen == 18:
                    return 3 * seen + 2
                if seen == 19 or seen == 23:
                    return 3 * seen + (1 if seen == 19 else 0)
    return -1


class EinSteinGame(Game):
    name = "einstein"
    title = "EinStein würfelt nicht!"
    players = ("Red", "Blue")
    observers = {"stones": 15, "ori": ORI, "sim": SIM}
    shape = (5, 5)
    num_actions = 75
    state_size = 42
    surface = "slate"
    composed_with = ("die",)
    pieces = {
        f"{letter}{number}": draw.Piece("tile", colour, label=str(number), symbol=f"{letter}{number}")
        for letter, colour in (("R", "red"), ("B", "blue"))
        for number in range(1, 7)
    }

    def arrange(self, state: State, **arrangement: Any) -> None:
        """Options of `start`: `setup`, the squares 1..25 of stones 1..6 as `red / blue`, 0 for a captured one;
        `first`, the side that rolls first, "red" or "blue"."""
        for name in arrangement:
            if name not in ("setup", "first"):
                raise BadParameter(f"einstein has no set-up option {name!r}; it has setup, first and seed")
        first = arrangement.get("first", "red")
        if first not in ("red", "blue"):
            raise BadParameter(f"first={first!r} is not possible in einstein; allowed: 'red', 'blue'")
        if "setup" in arrangement:
            self._place(state, str(arrangement["setup"]), ["red", "blue"].index(first))
        state[MOVER] = ["red", "blue"].index(first)

    def _place(self, state: State, text: str, mover: int) -> None:
        sides = [side.split() for side in text.split("/")]
        if [len(side) for side in sides] != [6, 6] or not all(re.fullmatch(r"\d{1,2}", w) for s in sides for w in s):
            raise BadPosition(
                f"{text[:80]!r} is no set-up: it takes six squares of Red, '/', six of Blue, 1..25 or 0 for a captured "
                "stone, such as '1 2 3 6 7 11 / 25 24 20 23 19 15'"
            )
        squares = [int(word) - 1 for side in sides for word in side]
        standing = [square for square in squares if square >= 0]
        if len(set(standing)) < len(standing) or max(squares) > 24:
            raise BadPosition(f"{text[:80]!r} is no set-up: two stones on one square, or a square above 25")
        state[:] = 0
        state[STONES : STONES + 12] = squares
        for stone, square in enumerate(squares):
            if square >= 0:
                state[square] = stone + 1
                state[ALIVE + stone // 6] |= 1 << stone % 6
        won = [24 in squares[:6] or not state[ALIVE + 1], 0 in squares[6:] or not state[ALIVE]]
        if all(won) or won[mover]:
            raise BadPosition(
                f"{text[:80]!r} is no position with {self.players[mover]} to move: it has won, or both have"
            )
        state[RESULT] = (1 if won[0] else -1) if any(won) else RUNNING

    def write_key(self, position: Position) -> str:
        """The set-up as the thesis numbers squares, the side to move and the die, `-` before the roll:
        `1 2 3 6 7 11 / 25 24 20 23 19 15 red -`."""
        state = position.state
        red, blue = (" ".join(str(square + 1) for square in state[at : at + 6].tolist()) for at in (STONES, STONES + 6))
        return f"{red} / {blue} {['red', 'blue'][state[MOVER]]} {state[DIE] or '-'}"

    def read_key(self, key: str) -> Position:
        found = re.fullmatch(r"([\d /]+?) +(red|blue)(?: +([1-6-]))?", key.lower())
        if not found:
            raise BadPosition(
                f"{key[:80]!r} is no position: it takes a set-up, red or blue, and the die or '-', "
                "such as '1 2 3 6 7 11 / 25 24 20 23 19 15 red -'"
            )
        state = self.blank()
        mover = ["red", "blue"].index(found[2])
        self._place(state, found[1], mover)
        state[MOVER] = mover
        state[DIE] = 0 if found[3] in (None, "-") else int(found[3])
        if state[DIE] and state[RESULT] != RUNNING:
            raise BadPosition(f"{key[:80]!r} is no position: the game is over, so nobody rolls")
        return Position(self, state)

    def composed_key(self, cells: tuple[tuple[str, ...], ...], turn: int, **known: Any) -> str:
        squares = dict.fromkeys(self.pieces, 0)
        for number, cell in enumerate((cell for row in cells for cell in row), 1):
            if cell and squares[cell]:
                raise BadPosition(
                    f"{cell} stands on {self.squares[squares[cell] - 1]} and on {self.squares[number - 1]}"
                )
            if cell:
                squares[cell] = number
        if known["die"] not in (None, *range(1, 7)):
            raise BadPosition(f"die={known['die']!r} is not possible; allowed: 1..6, or None before the roll")
        red, blue = (" ".join(str(squares[f"{side}{number}"]) for number in range(1, 7)) for side in "RB")
        return f"{red} / {blue} {['red', 'blue'][turn]} {known['die'] or '-'}"

    def write_move(self, state: State, action: int) -> str:
        if not state[DIE]:
            return str(action + 1)
        source, target = self.touched(state, action)
        return f"{self.squares[source]}-{self.squares[target]}"

    def read_move(self, state: State, move: str) -> int | None:
        """A roll, or from and to as `b4-c3`, or with the thesis's numbers as `7-13`."""
        if not state[DIE]:
            return int(move) - 1 if move.strip() in ("1", "2", "3", "4", "5", "6") else None
        words = re.split(r"\s*[- ]\s*", move.strip())
        squares = [int(w) - 1 if re.fullmatch(r"[1-9]|1\d|2[0-5]", w) else self.square(w) for w in words]
        if len(squares) != 2 or None in squares:
            return None
        mover = int(state[MOVER])
        seen, goal = (int(view_of(square, mover)) for square in squares if square is not None)
        direction = {1: 0, 5: 1, 6: 2}.get(goal - seen)
        return None if direction is None else 3 * seen + direction

    def touched(self, state: State, action: int) -> tuple[int, ...]:
        if not state[DIE]:
            return ()
        mover = int(state[MOVER])
        seen, direction = divmod(action, 3)
        if seen + (1, 5, 6)[direction] > 24:
            return ()
        return int(view_of(seen, mover)), int(view_of(seen + (1, 5, 6)[direction], mover))

    def cells(self, state: State) -> tuple[tuple[str, ...], ...]:
        texts = ["", *self.pieces]
        return tuple(tuple(texts[cell] for cell in state[row : row + 5].tolist()) for row in range(0, 25, 5))

    def reason(self, state: State) -> str:
        return "elimination" if 0 in state[ALIVE : ALIVE + 2] else "corner"

    def caption(self, position: Position) -> str:
        if position.outcome:
            return super().caption(position)
        side = self.players[position.state[MOVER]]
        die = position.state[DIE]
        return f"{side} rolled {die}" if die else f"{side} rolls"

    def last(self, position: Position) -> tuple[int, ...]:
        """The last move, not the last roll."""
        moved = position.previous if position.state[DIE] else position
        return super().last(moved) if moved else ()

    def diagram(self, state: State) -> draw.Diagram:
        plain = super().diagram(state)
        return draw.Diagram(
            plain.rows,
            plain.pieces,
            plain.lattice,
            plain.surface,
            plain.columns,
            plain.row_labels,
            areas={0: "red", 24: "blue"},
        )

    @functools.cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Transposing, renumbering the own or the other stones 1..6 as 6..1, turning the board with the colours."""
        parts = itertools.product(("", "transpose"), ("", "renumber own"), ("", "renumber other"), ("", "turn"))
        return tuple(self._symmetry(*found) for found in parts)

    def _symmetry(self, transpose: str, own: str, other: str, turned: str) -> Symmetry:
        tables = square_tables(5, 5)
        same = np.arange(25, dtype=np.int32)
        seen = tables["transpose"] if transpose else same
        squares = tables["half turn"][seen] if turned else seen
        directions = np.array([1, 0, 2] if transpose else [0, 1, 2], np.int32)
        actions = (3 * seen[:, None] + directions).ravel().astype(np.int32)
        reverse, forward = np.arange(5, -1, -1), np.arange(6)
        stones = np.concatenate([reverse if own else forward, 6 + (reverse if other else forward), [12, 13, 14]])
        planes = {"stones": (stones.astype(np.int32), seen)}
        if bool(own) == bool(other):
            sim = np.arange(SIM, dtype=np.int32)
            for table, wanted in ((SIM_TRANSPOSED, transpose), (SIM_RENUMBERED, own), (SIM_TURNED, turned)):
                sim = table[sim] if wanted else sim
            planes["sim"] = (sim, squares)
        if not (own or other or turned):
            planes["ori"] = (np.arange(ORI, dtype=np.int32), squares)
        after = (transpose, other and "renumber own", own and "renumber other", turned)
        return Symmetry(
            name=", ".join(filter(None, (transpose, own, other, turned))) or "identity",
            squares=squares,
            actions=actions,
            planes=planes,
            outcomes=(reverse if own else forward).astype(np.int32),
            turns=bool(turned),
            next=", ".join(filter(None, after)) or "identity",
        )

    def transform(self, state: State, symmetry: Symmetry) -> State:
        mover = int(state[MOVER])
        moved = self.blank()
        for stone in range(12):
            square = int(state[STONES + stone])
            side, number = divmod(stone, 6)
            if f"renumber {'own' if side == mover else 'other'}" in symmetry.name:
                number = 5 - number
            became = 6 * (side ^ symmetry.turns) + number
            moved[STONES + became] = -1 if square < 0 else symmetry.squares[square]
            if square >= 0:
                moved[symmetry.squares[square]] = became + 1
                moved[ALIVE + became // 6] |= 1 << number
        moved[MOVER] = mover ^ symmetry.turns
        moved[DIE] = symmetry.outcomes[state[DIE] - 1] + 1 if state[DIE] and symmetry.outcomes is not None else 0
        moved[RESULT] = -state[RESULT] if symmetry.turns and state[RESULT] != RUNNING else state[RESULT]
        return moved


GAME = EinSteinGame(EinStein())
