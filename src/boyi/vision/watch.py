"""Follows a board on the screen: what changed is believed when two frames agree and the rules allow the change.

Meant for study and for one's own programs, not for use against people on rated sites.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from boyi.games import CHANCE, Game, GameError, Position
from boyi.vision.recognise import Reading, recognise

STUDY_ONLY = "Meant for study and for your own programs; do not use it against people on rated sites."
JUMP = 4
"""So many equal frames are believed even where the rules do not explain the change: another game was begun."""
MOST_PLIES = 4
"""How many moves may have been made between two looks."""

Frame = NDArray[np.uint8]
Texts = tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True)
class Seen:
    """A board that is believed."""

    reading: Reading
    position: Position
    """With the moves since the last one, where the rules explain the change."""
    moves: tuple[str, ...]
    legal: bool
    """Whether the rules explain the change; False for the first board, and for another game."""


@dataclass(frozen=True)
class Belief:
    """What is known between two looks: the board that is believed, what the last frame showed, and how often."""

    position: Position | None = None
    texts: Texts = ()
    equal: int = 0
    """So many frames in a row have shown these texts."""

    def after(self, reading: Reading) -> tuple["Belief", Seen | None]:
        """What is known after another look; and the board, once, when it has changed and is believed."""
        equal = self.equal + 1 if reading.cells and reading.texts == self.texts else 1
        looked = replace(self, texts=reading.texts, equal=equal)
        found, before = reading.position, self.position
        if reading.refused is not None or found is None or equal < 2:
            return looked, None
        if before is None:
            return replace(looked, position=found), Seen(reading, found, (), legal=False)
        if found.cells == before.cells:
            return looked, None
        explained = explain(before, found.cells) if found.game == before.game else None
        if explained is not None:
            moves = explained.history[len(before.history) :]
            return replace(looked, position=explained), Seen(reading, explained, moves, legal=True)
        if equal >= JUMP:
            return replace(looked, position=found), Seen(reading, found, (), legal=False)
        return looked, None


class Follower:
    """Looks at frames one by one."""

    def __init__(self, *, game: Game | None = None, turn: int | None = None) -> None:
        self.game, self.turn = game, turn
        self.belief = Belief()
        self._last: Frame | None = None
        self._reading: Reading | None = None

    def see(self, frame: Frame) -> Seen | None:
        """Look at a frame; the board, once, when it has changed and is believed."""
        unchanged = self._last is not None and frame.shape == self._last.shape and np.array_equal(frame, self._last)
        if not unchanged or self._reading is None:
            turn = self.turn if self.belief.position is None else None
            self._last, self._reading = frame, recognise(frame, game=self.game, turn=turn)
        self.belief, seen = self.belief.after(self._reading)
        return seen


def explain(position: Position, cells: tuple[tuple[str, ...], ...]) -> Position | None:
    """The position after the fewest moves that turn this board into `cells`, or None; rolls count as no move.

    Only moves that touch squares that differ are tried, so the number of ways stays small.
    """
    before, after = _flat(position.cells), _flat(cells)
    changed = {square for square, (old, new) in enumerate(zip(before, after, strict=True)) if old != new}
    layer = [position]
    for _ in range(MOST_PLIES):
        following: list[Position] = []
        for here in layer:
            for decided in _rolled(here):
                for action in decided.actions:
                    touched = decided.game.touched(decided.state, action)
                    if not set(touched) <= changed:
                        continue
                    made = decided.play_action(action)
                    if made.cells == cells:
                        return made
                    following.append(made)
        layer = following[:2000]
    return None


def _rolled(position: Position) -> list[Position]:
    """The position itself, or after each roll where dice decide."""
    if position.turn == CHANCE:
        return [position.play_action(action) for action in position.actions]
    return [position] if position.turn is not None else []


def _flat(cells: tuple[tuple[str, ...], ...]) -> list[str]:
    return [cell for row in cells for cell in row]


def follow(frames: Iterable[Frame], *, game: Game | None = None, turn: int | None = None) -> Iterator[Seen]:
    """Every board that is believed, in turn."""
    follower = Follower(game=game, turn=turn)
    for frame in frames:
        seen = follower.see(frame)
        if seen is not None:
            yield seen


def screen_frames(*, region: tuple[int, int, int, int] | None = None, every_s: float = 0.5) -> Iterator[Frame]:
    """Pictures of the whole first screen, or of a region x, y, width, height, again and again. Needs `mss`."""
    try:
        import mss  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise GameError("watching the screen needs the package mss: pip install mss") from error
    with mss.mss() as screen:
        area = screen.monitors[1]
        if region is not None:
            x, y, width, height = region
            area = {"left": x, "top": y, "width": width, "height": height}
        while True:
            start = time.monotonic()
            yield np.ascontiguousarray(np.asarray(screen.grab(area), np.uint8)[..., :3])
            time.sleep(max(0.0, every_s - (time.monotonic() - start)))
