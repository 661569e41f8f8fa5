"""`boyi placements`: how to place the stones of EinStein, what each placement is worth, and what the book gains."""

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.progress import Progress

from boyi.cli.output import announce_compilation, notes, print_json, print_table

if TYPE_CHECKING:
    from boyi.quick.einstein_setup import Book


def placements(
    *,
    top: int = 5,
    make: Annotated[bool, Parameter(negative="")] = False,
    measure: int = 0,
    player: str = "quick:nodes=300",
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Show how to place the stones of EinStein when both sides place freely and unseen.

    The quick net values all 720 x 720 placements; the book is their equilibrium, which no reply exploits. Engines that
    are asked to place (boyi engine ewn) draw from it.

    Parameters
    ----------
    top
        How many placements of each side.
    make
        Value all placements with the shipped net anew and write the book.
    measure
        Instead, play so many games, one side placed by the book and the other at random.
    player
        Who plays them, both sides.
    json
        Print the result as JSON.
    seed
        Seed of the games.
    """
    if top < 1:
        raise ValueError(f"--top must be 1 or more, not {top}")
    if measure < 0 or measure % 2:
        raise ValueError(f"--measure takes an even number of games, not {measure}")
    announce_compilation()
    if measure:
        _measure(measure, player, json, seed)
        return
    import boyi
    from boyi.games.einstein import EinSteinGame
    from boyi.quick.einstein_setup import book, setup_matrix, write_book
    from boyi.quick.library import engine

    game = boyi.game("einstein")
    assert isinstance(game, EinSteinGame)
    matrix = setup_matrix(game, engine(game, "shipped")[1].net)  # type: ignore[attr-defined]
    found = book(matrix)
    if make:
        write_book(found)
    rows = [row for side in range(2) for row in _rows(found, matrix, side, top)]
    if json:
        print_json({"red_wins": [found.low, found.high], "placements": rows})
        return
    print(f"Red, who begins, wins {100 * found.low:.2f} % with both books.")
    print_table(
        ["side", "squares of stones 1..6", "in the book#", "against the book#", "against any#"],
        [[r["side"], r["squares"], *(f"{100 * r[k]:.1f} %" for k in ("book", "chance", "any"))] for r in rows],
    )


def _rows(found: "Book", matrix: Any, side: int, top: int) -> list[dict[str, Any]]:
    """The best placements of a side: chances to be played, and to win against the other's book and any placement."""
    from boyi.quick.einstein_setup import SIDES
    from boyi.quick.einstein_setup import placements as all_placements

    table = matrix if side == 0 else 1 - matrix.T
    own, other = (found.red, found.blue) if side == 0 else (found.blue, found.red)
    chances, anyhow = table @ other, table.mean(1)
    order = sorted(range(len(own)), key=lambda i: (-round(float(own[i]), 3), -float(chances[i])))[:top]
    squares = all_placements() + 1
    return [
        {
            "side": SIDES[side],
            "squares": " ".join(str(s if side == 0 else 26 - s) for s in squares[i]),
            "book": float(own[i]),
            "chance": float(chances[i]),
            "any": float(anyhow[i]),
        }
        for i in order
    ]


def _measure(games: int, player: str, json: bool, seed: int) -> None:
    from boyi.arena import estimate
    from boyi.arena.placements import measure_book

    with Progress(console=notes, transient=True, disable=not notes.is_terminal) as progress:
        task = progress.add_task("playing", total=None)
        groups = measure_book(
            player, games, seed=seed, on_pair=lambda done, total: progress.update(task, completed=done, total=total)
        )
    worth = estimate(groups)
    facts = {"player": player, "games": games, "score": worth.score, "low": worth.low, "high": worth.high}
    if json:
        print_json(facts)
    else:
        print(
            f"The side placed by the book won {100 * worth.score:.1f} % of {games} games "
            f"({100 * worth.low:.1f} .. {100 * worth.high:.1f} %)"
        )
