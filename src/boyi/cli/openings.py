"""`boyi openings GAME`: show the balanced openings of a game, or make a set."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.progress import Progress

import boyi
from boyi.arena.openings import BALANCED, find_openings, make_openings, write_openings
from boyi.cli.output import announce_compilation, notes, print_json

DATA = Path(boyi.__file__).parent / "arena" / "data"


def openings(
    game: str,
    *,
    make: Annotated[bool, Parameter(negative="")] = False,
    count: int = 300,
    tries: int = 1500,
    nodes: int = 20_000,
    plies: int | None = None,
    judge: str = "",
    most_uneven: float = 0.25,
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Print the set of about even openings that matches of a game use, or make one.

    Parameters
    ----------
    game
        A game, with parameters if wanted: othello, gomoku:size=9, or the path of a rules file.
    make
        Make a set: of random openings, those that a search finds closest to even.
    count
        How many openings.
    tries
        Among how many random ones.
    nodes
        How far the search looks at each.
    plies
        Moves of an opening. Default: what suits the game.
    judge
        The player that judges, by name. Default: the strongest there is.
    most_uneven
        How far from 0 the value of an opening may be, 0 to 1.
    out
        The file to write. Default for a game with its usual parameters: where boyi match looks for it.
    json
        Print the openings as JSON.
    seed
        Seed of the random openings.
    """
    announce_compilation()
    found_game = boyi.game(game)
    if not make:
        lines = find_openings(found_game, BALANCED)
        if json:
            print_json({"game": game, "openings": list(lines)})
        else:
            print("\n".join(lines))
        return
    if out is None:
        if found_game.name != game:
            raise ValueError(f"openings of {game!r} need a place of their own; give --out FILE")
        out = DATA / f"{game}.openings"
        out.parent.mkdir(exist_ok=True)
    with Progress(console=notes, transient=True, disable=not notes.is_terminal) as progress:
        task = progress.add_task("judging", total=None)
        made = make_openings(
            found_game, count=count, tries=tries, nodes=nodes, plies=plies, judge=judge, most_uneven=most_uneven,
            seed=seed,
            on_progress=lambda done, total: progress.update(task, completed=done, total=total),
        )  # fmt: skip
    if not made:
        raise ValueError(f"no opening is within most_uneven={most_uneven:g} of even; raise it, or tries={tries}")
    options = {"count": count, "tries": tries, "nodes": nodes, "plies": plies, "judge": judge or None}
    options |= {"most-uneven": str(most_uneven), "seed": seed}
    written = " ".join(f"--{name} {value}" for name, value in options.items() if value is not None)
    write_openings(out, made, f"boyi openings {game} --make {written}")
    facts = {"game": game, "file": str(out), "openings": len(made), "most_uneven": made[-1].uneven}
    if json:
        print_json(facts)
    else:
        print(f"{len(made)} openings in {out}; the most uneven is {facts['most_uneven']:.3f} from even")
