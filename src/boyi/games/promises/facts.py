"""Promises about what a game says of itself: its names, sizes and parameters."""

import os
import sys
from pathlib import Path

import numpy as np

from boyi.games.errors import BadParameter, BrokenPromise
from boyi.games.game import Game
from boyi.games.generics import has_rule, init, legal, observe, outcome, step, turn
from boyi.games.promises.played import demand, is_number, is_text, random_game
from boyi.games.registry import OWN_NAME

NEEDED = (init, turn, legal, step, outcome, observe)
MOST_COLUMNS, MOST_ROWS = 26, 26
MOST_ACTIONS, MOST_ENTRIES = 20_000, 20_000
LONGEST_NAME, LONGEST_SIDE = 40, 20
"""What fits into the app's database and on its pages."""


def check_facts(game: Game) -> None:
    """Names, sizes and parameters are ones that all of Boyi can work with."""
    name, file = game.name, file_of(game)
    demand(isinstance(name, str) and OWN_NAME.fullmatch(name), f"{name!r} is no name; use small letters, digits and _")
    demand(not file or file.stem == name, f"the game calls itself {name!r}; its name must be that of the file")
    demand(is_text(game.title, LONGEST_NAME), f"title is a text of up to {LONGEST_NAME} letters, not {game.title!r}")
    demand(
        len(game.players) == 2 and all(is_text(side, LONGEST_SIDE) for side in game.players),
        f"players are two names of up to {LONGEST_SIDE} letters, not {game.players!r}",
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
        is_number(rows, 1, MOST_ROWS) and is_number(columns, 1, MOST_COLUMNS),
        f"shape is rows and columns, up to {MOST_ROWS} and {MOST_COLUMNS}, not {game.shape!r}",
    )
    demand(is_number(game.num_actions, 1, MOST_ACTIONS), f"num_actions is a number, not {game.num_actions!r}")
    demand(is_number(game.state_size, 1, MOST_ENTRIES), f"state_size is a number, not {game.state_size!r}")
    demand(is_number(game.num_core, 1, game.state_size), f"num_core is at most state_size, not {game.num_core!r}")
    demand(np.issubdtype(game.state_dtype, np.integer), f"state_dtype is a kind of integer, not {game.state_dtype!r}")
    demand(
        game.observers and all(is_number(count, 1, 500) for count in game.observers.values()),
        f"observers are names with their number of planes, not {game.observers!r}",
    )
    demand(len(set(game.squares)) == game.num_squares, f"squares are {game.num_squares} different names")


def file_of(game: Game) -> Path | None:
    """The file that defines a game; None for one that was typed into a console or a notebook."""
    file = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    return Path(file) if file and os.path.isfile(file) else None


def check_variants(game: Game) -> None:
    """The least and the greatest value of every parameter make a game, too."""
    for parameter, values in game.parameters.items():
        for value in {values[0], values[-1]}:
            try:
                other = game.variant(**{parameter: value})
                check_facts(other)
                random_game(other, 0)
            except BadParameter:
                continue  # not possible with the other defaults, which a game may say
            except BrokenPromise as error:
                raise BrokenPromise(f"with {parameter}={value}: {error}") from None
