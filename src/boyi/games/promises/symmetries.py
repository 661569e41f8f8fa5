"""The promise that symmetric positions are the same game: what one move does here, its image does there."""

import random

from boyi.games.game import Game
from boyi.games.generics import CHANCE
from boyi.games.grid import Symmetry
from boyi.games.position import Position
from boyi.games.promises.played import after, demand, positions

MOVES = 3
"""Moves that are played in each pair of positions."""


def check_symmetries(game: Game) -> None:
    """Symmetric positions have the same moves, planes, successors and results."""
    found = {symmetry.name: symmetry for symmetry in game.symmetries}
    demand(game.symmetries[0].name == "identity", "the first of symmetries is the identity")
    demand(len(found) == len(game.symmetries), "two symmetries have the same name")
    luck = random.Random(0)
    for symmetry in game.symmetries:
        _check_tables(game, symmetry)
        for position in positions(game):
            _check_pair(position, symmetry, found[symmetry.next or symmetry.name], luck)


def _check_tables(game: Game, symmetry: Symmetry) -> None:
    told = f"of the symmetry {symmetry.name!r} is no permutation"
    demand(sorted(symmetry.squares) == list(range(game.num_squares)), f"squares {told}")
    demand(sorted(symmetry.actions) == list(range(game.num_actions)), f"actions {told}")
    outcomes = symmetry.outcomes
    demand(outcomes is None or sorted(outcomes) == list(range(len(outcomes))), f"outcomes {told}")
    for view, (planes, squares) in symmetry.planes.items():
        demand(sorted(planes) == list(range(game.observers[view])), f"planes of {view!r} {told}")
        demand(sorted(squares) == list(range(game.num_squares)), f"squares of {view!r} {told}")


def _check_pair(position: Position, symmetry: Symmetry, following: Symmetry, luck: random.Random) -> None:
    """`following` relates the positions after a move."""
    game, turns = position.game, int(symmetry.turns)
    other = Position(game, game.transform(position.state, symmetry))
    where = f"under the symmetry {symmetry.name!r} {after(position)}"
    demand(symmetry.name != "identity" or other == position, f"something changes {where}")
    ended, otherwise = position.outcome, other.outcome
    demand((ended is None) == (otherwise is None), f"one game is over and the other not, {where}")
    if ended is not None and otherwise is not None:
        winner = ended.winner if ended.winner is None else ended.winner ^ turns
        demand(otherwise.winner == winner, f"the winner is another one, {where}")
        demand(otherwise.score == (1 - 2 * turns) * ended.score, f"the score is another one, {where}")
        return
    rolling = position.turn == CHANCE
    expected = CHANCE if rolling else int(position.turn or 0) ^ turns
    demand(other.turn == expected, f"turn is {other.turn}, not {expected}, {where}")
    table = symmetry.outcomes if rolling and symmetry.outcomes is not None else symmetry.actions
    images = {int(table[action]): action for action in position.actions}
    demand(sorted(images) == list(other.actions), f"other actions are legal, {where}")
    if rolling:
        chances = dict(zip(position.actions, (position.chances or {}).values(), strict=True))
        same = [chances[images[action]] for action in other.actions] == list((other.chances or {}).values())
        demand(same, f"the probabilities of chance are others, {where}")
    for view in symmetry.planes:
        same = (symmetry.observation(view, position.observe(view)) == other.observe(view)).all()
        demand(same, f"the planes {view!r} are not those of the other position, {where}")
    for action in luck.sample(position.actions, min(MOVES, len(position.actions))):
        reached = game.transform(position.play_action(action).state, symmetry if rolling else following)
        same = (other.play_action(int(table[action])).state == reached).all()
        demand(same, f"action {action} leads elsewhere, {where}")
