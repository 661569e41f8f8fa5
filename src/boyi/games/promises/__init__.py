"""What every game promises, each promise a function that takes a game: `PROMISES`, from the plainest to the last.

`boyi.service.conformance` adds what players need of a game; the app, `boyi check` and the tests run them all. A promise
that is not kept is a `BrokenPromise`; what a rules file raises itself goes through. The order matters: rules run as
plain Python first, where a wrong index is an error with a line, and only then compiled, where it would end the process.
"""

from collections.abc import Callable

from boyi.games.game import Game
from boyi.games.promises.facts import check_facts, check_variants
from boyi.games.promises.rules import check_compiled, check_core, check_rules, check_sampling
from boyi.games.promises.symmetries import check_symmetries
from boyi.games.promises.texts import check_copies, check_keys, check_pictures, check_texts

Promise = Callable[[Game], None]
PROMISES: dict[str, Promise] = {
    "facts": check_facts,
    "rules": check_rules,
    "compiled": check_compiled,
    "sampling": check_sampling,
    "core": check_core,
    "texts": check_texts,
    "keys": check_keys,
    "copies": check_copies,
    "pictures": check_pictures,
    "symmetries": check_symmetries,
    "variants": check_variants,
}
"""By the names that progress is told with; the docstring of each says what is promised."""
