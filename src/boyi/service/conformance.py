"""What every game promises, checked on random games of a user's own: `CHECKS`, from the plainest promise to the last.

Rules run as plain Python first, where a wrong index is an error with a line; only then compiled, where it would end the
process. What a rules file raises itself goes through; a promise that it does not keep is `Wrong`. Start at `CHECKS`.
"""

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from boyi.games import (
    CHANCE,
    RUNNING,
    BadParameter,
    Game,
    IllegalMove,
    Position,
    Symmetry,
    chance,
    init,
    legal,
    observe,
    outcome,
    setup,
    step,
    turn,
)
from boyi.games.generics import has_rule
from boyi.games.randomness import generator
from boyi.games.registry import OWN_NAME
from boyi.players import Limit, player
from boyi.quick.tuples import symbol_planes

NEEDED = (init, turn, legal, step, outcome, observe)
GAMES = 3
LOOKED_AT = 12
"""Positions looked at in each random game, spread over it; the first and the last are always among them."""
PLAIN_S = 8.0
"""How long rules run as plain Python, at most: a large board would take minutes."""
MOST_COLUMNS, MOST_ROWS = 26, 26
MOST_ACTIONS, MOST_ENTRIES = 20_000, 20_000
LONGEST_MOVE, LONGEST_KEY, LONGEST_CELL, LONGEST_REASON, LONGEST_NAME = 20, 4000, 4, 40, 40
"""What fits into the app's database and on its pages."""


class Wrong(Exception):
    """A promise that a game does not keep."""


def demand(kept: object, told: str) -> None:
    if not kept:
        raise Wrong(told)


def most_plies(game: Game) -> int:
    """No game may be longer."""
    return max(200, 8 * game.num_squares)


# Facts


def check_facts(game: Game, name: str) -> None:
    """Names, sizes and parameters."""
    demand(OWN_NAME.fullmatch(name), f"{name!r} is no name for a game; use small letters, digits and _")
    demand(game.name == name, f"the game calls itself {game.name!r}; its name must be that of the file, {name!r}")
    demand(_is_text(game.title, LONGEST_NAME), f"title is a text of up to {LONGEST_NAME} letters, not {game.title!r}")
    demand(
        len(game.players) == 2 and all(_is_text(side, 20) for side in game.players),
        f"players are two names of up to 20 letters, not {game.players!r}",
    )
    rules = game.rules
    named = isinstance(rules, tuple) and hasattr(rules, "_fields")
    demand(named, "the parameters of GAME are no NamedTuple; write GAME = YourGame(YourRules())")
    for needed in NEEDED:
        title = needed.__name__
        known = has_rule(needed, type(rules))
        demand(known, f"there is no rule {title!r}: add a function with @rule({title}, {type(rules).__name__})")
    fields = set(rules._fields)
    demand(
        set(game.parameters) == fields,
        f"parameters has {sorted(game.parameters)}, the rules have {sorted(fields)}; they must be the same",
    )
    for parameter, value in game.options().items():
        demand(value in game.parameters[parameter], f"{parameter}={value!r} is the default and not among the allowed")
    rows, columns = game.shape
    demand(
        _is_number(rows, 1, MOST_ROWS) and _is_number(columns, 1, MOST_COLUMNS),
        f"shape is rows and columns, up to {MOST_ROWS} and {MOST_COLUMNS}, not {game.shape!r}",
    )
    demand(_is_number(game.num_actions, 1, MOST_ACTIONS), f"num_actions is a number, not {game.num_actions!r}")
    demand(_is_number(game.state_size, 1, MOST_ENTRIES), f"state_size is a number, not {game.state_size!r}")
    demand(_is_number(game.num_core, 1, game.state_size), f"num_core is at most state_size, not {game.num_core!r}")
    demand(np.issubdtype(game.state_dtype, np.integer), f"state_dtype is a kind of integer, not {game.state_dtype!r}")
    demand(
        game.observers and all(_is_number(count, 1, 500) for count in game.observers.values()),
        f"observers are names with their number of planes, not {game.observers!r}",
    )
    demand(len(set(game.squares)) == game.num_squares, f"squares are {game.num_squares} different names")


def _is_text(value: object, longest: int) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable() and len(value) <= longest


def _is_number(value: object, least: int, most: int) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and least <= int(value) <= most


# Rules as plain Python


def check_plain_rules(game: Game, name: str) -> None:
    """Random games by the rules as they are written, not compiled."""
    end = time.monotonic() + PLAIN_S
    for seed in range(GAMES):
        if time.monotonic() < end:
            _play_plainly(game, random.Random(seed), end)


def _play_plainly(game: Game, luck: random.Random, end: float) -> None:
    rules, state, plies = game.rules, game.blank(), 0
    setup(rules, state, generator(1))
    while time.monotonic() < end:
        result = outcome(rules, state)
        demand(result in (RUNNING, -1, 0, 1), f"outcome is RUNNING, 1, 0 or -1, not {result!r} after {plies} moves")
        if result != RUNNING:
            return
        demand(plies < most_plies(game), f"a random game is not over after {plies} moves; it must end")
        mover = turn(rules, state)
        demand(mover in (0, 1, CHANCE), f"turn is 0, 1 or CHANCE, not {mover!r} after {plies} moves")
        actions = _plain_actions(game, state, plies)
        if mover == CHANCE:
            _check_chances(game, state, actions)
        else:
            for view, count in enumerate(game.observers.values()):
                planes = np.zeros((count, *game.shape), np.float32)
                observe(rules, state, view, planes)
                demand(np.isfinite(planes).all(), f"observe writes numbers that are not finite after {plies} moves")
        before = state.copy()
        action = luck.choice(actions)
        step(rules, state, action)
        demand(not (state == before).all(), f"step changes nothing: action {action} after {plies} moves")
        plies += 1


def _plain_actions(game: Game, state: Any, plies: int) -> list[int]:
    mask = np.full(game.num_actions, 7, np.uint8)
    kept = state.copy()
    count = legal(game.rules, state, mask)
    demand((state == kept).all(), f"legal changes the state after {plies} moves")
    demand(np.isin(mask, (0, 1)).all(), f"legal must set all of mask, to 0 or 1; it does not after {plies} moves")
    actions = [int(action) for action in np.flatnonzero(mask)]
    demand(count == len(actions), f"legal returns {count!r} and marks {len(actions)} actions after {plies} moves")
    demand(actions, f"there is no legal action after {plies} moves, and outcome says that the game runs")
    return actions


def _check_chances(game: Game, state: Any, actions: list[int]) -> None:
    demand(has_rule(chance, type(game.rules)), "turn says CHANCE, and there is no rule 'chance'")
    probabilities = np.zeros(game.num_actions)
    count = chance(game.rules, state, probabilities)
    marked = [int(action) for action in np.flatnonzero(probabilities)]
    demand(marked == actions and count == len(actions), "chance and legal mark different outcomes")
    demand(abs(probabilities.sum() - 1) < 1e-9, f"the probabilities of chance add up to {probabilities.sum():g}, not 1")


# Compiled rules


def random_game(game: Game, seed: int) -> list[Position]:
    """Every position of a random game, from a random set-up where there is one."""
    luck, played = random.Random(seed), [game.start(seed=seed)]
    while played[-1].turn is not None:
        demand(len(played) <= most_plies(game), f"a random game is not over after {len(played)} moves; it must end")
        played.append(played[-1].play_action(luck.choice(played[-1].actions)))
    return played


def positions(game: Game) -> Iterator[Position]:
    """Some positions of several random games, their ends included."""
    for seed in range(GAMES):
        played = random_game(game, seed)
        every = max(1, len(played) // LOOKED_AT)
        yield from (*played[::every], played[-1])


def check_compiled_rules(game: Game, name: str) -> None:
    """Compiled rules say what the plain ones say."""
    rules = game.rules
    for seed in range(GAMES):
        played = random_game(game, seed)
        end = played[-1].outcome
        demand(end is not None and _is_text(end.reason, LONGEST_REASON), f"reason is a short text, not {end!r}")
        for position in played[:LOOKED_AT]:
            result = outcome(rules, position.state)
            demand((result == RUNNING) == (position.turn is not None), _other("outcome", position))
            if result == RUNNING:
                demand(turn(rules, position.state) == position.turn, _other("turn", position))
                mask = np.zeros(game.num_actions, np.uint8)
                legal(rules, position.state, mask)
                demand(tuple(np.flatnonzero(mask)) == position.actions, _other("legal", position))
                state = position.state.copy()
                step(rules, state, position.actions[0])
                demand((state == position.play_action(position.actions[0]).state).all(), _other("step", position))


def _other(rule: str, position: Position) -> str:
    return f"{rule} says something else compiled than as plain Python {_after(position)}"


def _after(position: Position) -> str:
    return f"after {' '.join(position.history)}"[:200] if position.history else "at the start"


# Texts


def check_texts(game: Game, name: str) -> None:
    """Moves, keys, cells and captions."""
    for position in positions(game):
        where = _after(position)
        demand(len(set(position.moves)) == len(position.moves), f"two actions are written alike {where}")
        for action, move in zip(position.actions, position.moves, strict=True):
            demand(
                _is_text(move, LONGEST_MOVE) and not set(move) & set(" ,"),
                f"a move is a text of up to {LONGEST_MOVE} letters without spaces and commas, not {move!r} {where}",
            )
            read = game.read_move(position.state, move)
            demand(read == action, f"the move {move!r} is read back as {read!r}, not as {action} {where}")
            squares = game.touched(position.state, action)
            demand(
                all(_is_number(square, 0, game.num_squares - 1) for square in squares) and len(squares) <= 2,
                f"touched are at most two squares of the board, not {squares!r} for {move!r} {where}",
            )
        try:
            position.play("nonsense")
            raise Wrong(f"'nonsense' is read as a move {where}")
        except IllegalMove:
            pass
        key = position.key
        demand(_is_text(key, LONGEST_KEY), f"a key is a text of up to {LONGEST_KEY} letters, not {key[:60]!r} {where}")
        demand(game.position(key) == position, f"the key {key[:60]!r} is read back as another position {where}")
        cells = position.cells
        demand(
            len(cells) == game.shape[0] and all(len(row) == game.shape[1] for row in cells),
            f"cells are {game.shape[0]} rows of {game.shape[1]} {where}",
        )
        for cell in {cell for row in cells for cell in row if cell}:
            drawn = cell in game.pieces and len(cell) <= LONGEST_CELL
            demand(drawn, f"cells has {cell!r}, which is not in pieces {where}")
        demand(_is_text(position.caption, 200), f"caption is a text, not {position.caption!r} {where}")


def check_pictures(game: Game, name: str) -> None:
    """Boards as SVG and as text."""
    for position in positions(game):
        where = _after(position)
        demand(position.svg(legal=True).startswith("<svg"), f"svg draws nothing {where}")
        demand(str(position).endswith(position.caption), f"the board as text does not end with its caption {where}")


# Symmetries


def check_symmetries(game: Game, name: str) -> None:
    """Symmetric positions are the same game."""
    found = {symmetry.name: symmetry for symmetry in game.symmetries}
    demand(game.symmetries[0].name == "identity", "the first of symmetries is the identity")
    demand(len(found) == len(game.symmetries), "two symmetries have the same name")
    for symmetry in game.symmetries:
        _check_tables(game, symmetry)
    luck = random.Random(0)
    for position in positions(game):
        for symmetry in game.symmetries:
            other = Position(game, game.transform(position.state, symmetry))
            where = f"under the symmetry {symmetry.name!r} {_after(position)}"
            ended, otherwise = position.outcome, other.outcome
            demand((ended is None) == (otherwise is None), f"one game is over and the other not, {where}")
            if ended is not None and otherwise is not None:
                winner = ended.winner if ended.winner is None else ended.winner ^ int(symmetry.turns)
                demand(otherwise.winner == winner, f"the winner is another one, {where}")
                continue
            rolling = position.turn == CHANCE
            expected = CHANCE if rolling else int(position.turn or 0) ^ int(symmetry.turns)
            demand(other.turn == expected, f"turn is {other.turn}, not {expected}, {where}")
            table = symmetry.outcomes if rolling and symmetry.outcomes is not None else symmetry.actions
            images = sorted(int(table[action]) for action in position.actions)
            demand(images == list(other.actions), f"other actions are legal, {where}")
            for view in symmetry.planes:
                same = (symmetry.observation(view, position.observe(view)) == other.observe(view)).all()
                demand(same, f"the planes {view!r} are not those of the other position, {where}")
            following = symmetry if rolling else found[symmetry.next or symmetry.name]
            action = luck.choice(position.actions)
            after = game.transform(position.play_action(action).state, following)
            same = (other.play_action(int(table[action])).state == after).all()
            demand(same, f"action {action} leads elsewhere, {where}")


def _check_tables(game: Game, symmetry: Symmetry) -> None:
    told = f"of the symmetry {symmetry.name!r} is no permutation"
    demand(sorted(symmetry.squares) == list(range(game.num_squares)), f"squares {told}")
    demand(sorted(symmetry.actions) == list(range(game.num_actions)), f"actions {told}")
    for view, (planes, squares) in symmetry.planes.items():
        demand(sorted(planes) == list(range(game.observers[view])), f"planes of {view!r} {told}")
        demand(sorted(squares) == list(range(game.num_squares)), f"squares of {view!r} {told}")


# Parameters, nets and players


def check_variants(game: Game, name: str) -> None:
    """The least and the greatest value of every parameter."""
    for parameter, values in game.parameters.items():
        for value in {values[0], values[-1]}:
            try:
                other = game.variant(**{parameter: value})
                check_facts(other, name)
                random_game(other, 0)
            except BadParameter:
                continue  # not possible with the other defaults, which a game may say
            except Wrong as error:
                raise Wrong(f"with {parameter}={value}: {error}") from None


def check_nets(game: Game, name: str) -> None:
    """What a net sees tells what stands on the squares."""
    demand(
        symbol_planes(game),
        "observe has no plane that is 1 where a stone stands and 0 elsewhere; nets could not see the board",
    )


def check_players(game: Game, name: str) -> None:
    """Search finds a legal move."""
    start = game.start(seed=0)
    while start.turn == CHANCE:
        start = start.play_action(start.actions[0])
    found = player("mcts", game).choose(start, Limit(simulations=200))
    demand(found.move in start.moves, f"search plays {found.move!r}, which is not legal at the start")


CHECKS: dict[str, Callable[[Game, str], None]] = {
    "facts": check_facts,
    "rules": check_plain_rules,
    "compiled": check_compiled_rules,
    "texts": check_texts,
    "pictures": check_pictures,
    "symmetries": check_symmetries,
    "variants": check_variants,
    "nets": check_nets,
    "players": check_players,
}
"""By the names that progress is told with."""
