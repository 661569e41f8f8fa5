"""`boyi check GAME`: does a game keep what every game promises?"""

import asyncio
import os
from typing import Annotated

from cyclopts import Parameter

from boyi.cli.output import notes, print_json, print_table
from boyi.games.errors import BadParameter, BrokenPromise
from boyi.games.registry import game as find_game
from boyi.games.registry import rules_file


def check(game: str, *, json: Annotated[bool, Parameter(negative="")] = False, seed: int = 0) -> None:
    """Check that a game keeps what every game promises; a broken promise is told with file and line.

    The rules run in a process of their own with limits of time and memory, as in the app.

    Parameters
    ----------
    game
        The path of a rules file, or a game; with parameters if wanted: my_game.py, gomoku:size=9.
    json
        Print what was found as JSON.
    seed
        Not used: the same games are played every time.
    """
    from boyi.service.conformance import CHECKS, sentence
    from boyi.service.rules_check import PARAMETERS, folder_of
    from boyi.service.rules_process import Check

    file = rules_file(game)
    if file is None:
        find_game(game)
    elif not os.path.isfile(file):
        raise ValueError(f"no rules file {str(file)!r}; write the path of a Python file, or the name of a game")

    def tell(stage: str) -> None:
        if stage in CHECKS:
            notes.print(sentence(stage), style="dim", highlight=False)

    found = asyncio.run(Check(game).run(tell))
    if not found["passed"] and found["stage"] == PARAMETERS:
        raise BadParameter(found["message"])
    names = list(CHECKS)
    reached = len(names) if found["passed"] else names.index(found["stage"]) if found["stage"] in CHECKS else -1
    kept = [True if number < reached else False if number == reached else None for number in range(len(names))]
    checked = [(name, one, sentence(name)) for name, one in zip(names, kept, strict=True)]
    if json:
        rows = [{"name": name, "kept": one, "promise": says} for name, one, says in checked]
        print_json({"game": game, **found, "promises": rows})
    else:
        words = {True: "yes", False: "no", None: "-"}
        print_table(["promise", "what it says", "kept#"], [[name, says, words[one]] for name, one, says in checked])
    if not found["passed"]:
        place = str(folder_of(game) / found["file"]) if found["file"] else game
        line = f", line {found['line']}" if found["line"] else ""
        promised = f"; promised is: {sentence(found['stage'])}" if found["stage"] in CHECKS else ""
        raise BrokenPromise(f"{place}{line}: {found['message']}{promised}")
