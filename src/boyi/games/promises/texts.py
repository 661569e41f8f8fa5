"""Promises about the Python side of a game: texts, keys, copies and pictures."""

import copy
import pickle

from boyi.games.errors import BrokenPromise, IllegalMove
from boyi.games.game import Game
from boyi.games.promises.played import after, demand, is_number, is_text, positions, random_game

LONGEST_MOVE, LONGEST_KEY, LONGEST_CELL, LONGEST_CAPTION, LONGEST_REASON = 20, 4000, 4, 200, 40
"""What fits into the app's database and on its pages."""


def check_texts(game: Game) -> None:
    """Every move has a text of its own, which is read back; cells name pieces; there are words for how a game ends."""
    for position in positions(game):
        where = after(position)
        demand(len(set(position.moves)) == len(position.moves), f"two actions are written alike {where}")
        for action, move in zip(position.actions, position.moves, strict=True):
            demand(
                is_text(move, LONGEST_MOVE) and not set(move) & set(" ,"),
                f"a move is a text of up to {LONGEST_MOVE} letters without spaces and commas, not {move!r} {where}",
            )
            read = game.read_move(position.state, move)
            demand(read == action, f"the move {move!r} is read back as {read!r}, not as {action} {where}")
            squares = game.touched(position.state, action)
            demand(
                all(is_number(square, 0, game.num_squares - 1) for square in squares) and len(squares) <= 2,
                f"touched are at most two squares of the board, not {squares!r} for {move!r} {where}",
            )
        try:
            position.play("nonsense")
            raise BrokenPromise(f"'nonsense' is read as a move {where}")
        except IllegalMove:
            pass
        cells = position.cells
        demand(
            len(cells) == game.shape[0] and all(len(row) == game.shape[1] for row in cells),
            f"cells are {game.shape[0]} rows of {game.shape[1]} {where}",
        )
        for cell in {cell for row in cells for cell in row if cell}:
            drawn = cell in game.pieces and len(cell) <= LONGEST_CELL
            demand(drawn, f"cells has {cell!r}, which is not in pieces {where}")
        demand(is_text(position.caption, LONGEST_CAPTION), f"caption is a text, not {position.caption!r} {where}")
        end = position.outcome
        demand(end is None or is_text(end.reason, LONGEST_REASON), f"reason is a short text, not {end!r} {where}")


def check_keys(game: Game) -> None:
    """The key of a position is a text from which the same position is made again."""
    for position in positions(game):
        key, where = position.key, after(position)
        demand(is_text(key, LONGEST_KEY), f"a key is a text of up to {LONGEST_KEY} letters, not {key[:60]!r} {where}")
        same = game.position(f" {key} ") == position
        demand(same, f"the key {key[:60]!r} is read back as another position {where}")


def check_copies(game: Game) -> None:
    """Positions can be copied and sent to other processes, with their history."""
    for position in (random_game(game, 0)[0], random_game(game, 0)[-1]):
        try:
            copies = copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise BrokenPromise(f"positions cannot be sent to other processes: {error}") from error
        for copied in copies:
            same = copied == position and copied.history == position.history
            demand(same and not copied.state.flags.writeable, f"a copy is another position {after(position)}")


def check_pictures(game: Game) -> None:
    """The board is drawn, as SVG and as text."""
    for position in positions(game):
        where = after(position)
        demand(position.svg(legal=True).startswith("<svg"), f"svg draws nothing {where}")
        demand(str(position).endswith(position.caption), f"the board as text does not end with its caption {where}")
