"""`boyi tablebase build|probe|info`: the exact values of EinStein endgames."""

import time
from typing import Annotated, Any

from cyclopts import App, Parameter
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from boyi.cli.output import announce_compilation, notes, print_json, print_table
from boyi.games import CHANCE
from boyi.games import game as find_game

tablebase = App(
    name="tablebase",
    help="Build, inspect or ask the EinStein tablebase.",
    help_epilogue="Tables lie in BOYI_TABLES_DIR, or in Boyi's cache folder. All three verbs take --seed and --json.",
    help_format="plaintext",
    result_action="return_value",
)
Json = Annotated[bool, Parameter(negative="")]


def _check(game: str) -> None:
    if game != "einstein":
        raise ValueError(f"there is no tablebase of {game!r}; there is one of einstein")


@tablebase.command
def build(game: str = "einstein", *, stones: int = 4, json: Json = False, seed: int = 0) -> None:
    """Build a table anew: about 2 seconds and 39 MB for 4 stones, a minute and 1.9 GB for 5.

    Parameters
    ----------
    game
        The game: einstein.
    stones
        The most stones, of both sides, in its positions: 4 or 5.
    json
        Print the result as JSON.
    seed
        Not used: nothing here is random.
    """
    from boyi.exact.einstein_table import build_file, table_path

    _check(game)
    if stones not in (4, 5):
        raise ValueError(f"--stones {stones} is not possible; allowed: 4, 5")
    announce_compilation()
    path = table_path(stones)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    began = time.perf_counter()
    with Progress(*columns, console=notes, transient=True) as bar:
        task = bar.add_task(f"{stones} stones", total=None)
        entries = build_file(stones, progress=lambda done, total: bar.update(task, completed=done, total=total))
    if not path.is_file():
        raise OSError(f"{path} could not be written")
    spent = time.perf_counter() - began
    if json:
        size = path.stat().st_size
        print_json({"stones": stones, "file": str(path), "entries": len(entries), "bytes": size, "seconds": spent})
    else:
        print(f"{path}: {len(entries):,} entries, {path.stat().st_size / 1e6:,.0f} MB, {spent:.1f} s")


@tablebase.command
def probe(game: str = "einstein", *, position: str, json: Json = False, seed: int = 0) -> None:
    """Ask for the exact value of a position, and of every move or roll in it.

    Parameters
    ----------
    game
        The game: einstein.
    position
        The position's key, such as "7 0 0 0 0 13 / 19 0 0 0 0 14 red -".
    json
        Print the result as JSON.
    seed
        Not used: nothing here is random.
    """
    from boyi.exact.einstein import move_values, num_stones, solve_einstein
    from boyi.exact.einstein_layout import END
    from boyi.exact.einstein_table import open_table

    _check(game)
    announce_compilation()
    here = find_game(game).position(position)
    table = open_table()
    if END[num_stones(here.state)] > len(table):
        raise ValueError(
            f"{position!r} has {num_stones(here.state)} stones, more than the table; `boyi tablebase info` shows "
            "which there are, and `boyi solve einstein` searches beyond them"
        )
    found = solve_einstein(here, table=table)
    values = move_values(here, table)
    if json:
        moves = {move: {"value": value, "win": (1 + value) / 2} for move, value in values.items()}
        facts: dict[str, Any] = {"position": here.key, "value": found.value, "win": (1 + found.value) / 2}
        print_json({**facts, "move": found.move, "moves": moves})
        return
    print(f"{here}\n")
    print_table(
        ["roll" if here.turn == CHANCE else "move", "Red wins %#"],
        [[move, f"{50 + 50 * value:.3f}"] for move, value in values.items()],
    )
    print(f"\nRed wins {50 + 50 * found.value:.3f} %" + (f"; best is {found.move}" if found.move else ""))


@tablebase.command
def info(*, json: Json = False, seed: int = 0) -> None:
    """Show which tables there are, after checking each.

    Parameters
    ----------
    json
        Print the result as JSON.
    seed
        Not used: nothing here is random.
    """
    from boyi.exact.einstein_table import table_infos

    found = table_infos()
    if json:
        print_json({"tables": [vars(table) for table in found]})
        return
    print_table(
        ["stones#", "entries#", "MB#", "state", "file"],
        [
            [
                str(table.stones),
                f"{table.entries:,}",
                f"{table.bytes / 1e6:,.0f}",
                table.problem or ("checked" if table.present else "not built"),
                table.path,
            ]
            for table in found
        ],
    )
