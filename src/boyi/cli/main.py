"""The entry point: finds the verb, and turns what goes wrong into a message and an exit code.

0 done, 1 failed, 2 wrong usage.
"""

import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError
from rich.console import Console

import boyi
from boyi.games.errors import BrokenPromise

app = App(
    name="boyi",
    help="Boyi (博弈): play, analyse, train and measure board-game AI on an ordinary computer.",
    version=boyi.__version__,
    help_format="plaintext",
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)
VERBS = {
    "analyse": "Say what a player thinks of a position.",
    "bench": "Measure speed on this computer.",
    "check": "Check that a game keeps what every game promises.",
    "convert": "Convert game files between formats.",
    "doctor": "Show versions, the compile cache, and what is missing.",
    "engine": "Serve a player to other programs by an engine protocol.",
    "levels": "Show or measure the strength levels of a game.",
    "match": "Measure one player against another.",
    "openings": "Show or make the balanced openings of a game.",
    "perft": "Count every line of play to a depth.",
    "placements": "Show how to place the stones of EinStein.",
    "play": "Play a game in the terminal.",
    "recognise": "Read a board off a picture or the screen.",
    "serve": "Serve the app: play and analyse in the browser.",
    "solve": "Find the exact value of a position.",
    "study": "Repeat an experiment of the source documents.",
    "tablebase": "Build, inspect or ask the EinStein tablebase.",
    "tournament": "Rank many players by Elo.",
    "train": "Train a net by self-play or from game records.",
}
for verb, summary in VERBS.items():  # by path, so that a command loads only what it needs
    app.command(f"boyi.cli.{verb}:{verb}", name=verb, help=summary)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    errors = Console(stderr=True)
    try:
        app(arguments, exit_on_error=False, error_console=errors)
    except CycloptsError:
        return 2
    except ValueError as error:
        errors.print(f"boyi: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        return 1 if isinstance(error, boyi.NotSolvable | BrokenPromise) else 2
    except OSError as error:
        errors.print(f"boyi: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        return 1
    except KeyboardInterrupt:
        errors.print("boyi: stopped")
        return 1
    return 0


def run() -> None:
    sys.exit(main())
