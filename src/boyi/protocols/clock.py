"""How much of its time a player should spend on a move."""

from boyi.games import Position

SAFETY_S = 0.05
"""What is left unused of every move's time for the way from the player to the other program."""
FEWEST, MOST = 10, 25
"""How many moves of its own a player expects to make yet."""


def allotment(position: Position, *, turn_s: float | None = None, left_s: float | None = None) -> float | None:
    """Seconds for a move, where `turn_s` is the most for a move and `left_s` what is left for the game, each None where
    there is no such limit; None where there is neither. Never more than there is, and not negative."""
    if turn_s is None and left_s is None:
        return None
    limits = []
    if turn_s is not None:
        limits.append(turn_s - min(SAFETY_S, turn_s / 10))
    if left_s is not None:
        usable = left_s - SAFETY_S * moves_to_come(position)
        limits.append(min(max(usable, left_s / 10) / moves_to_come(position), left_s - SAFETY_S))
    return max(0.0, min(limits))


def moves_to_come(position: Position) -> int:
    """A guess: half of what would fill the board, within reason."""
    empty = sum(not cell for row in position.cells for cell in row)
    return max(FEWEST, min(MOST, empty // 2))
