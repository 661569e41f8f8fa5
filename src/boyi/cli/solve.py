"""`boyi solve GAME`: the exact value of a position, or of every position in a file."""

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from boyi.cli.output import announce_compilation, notes, print_json, print_table
from boyi.exact.solution import NotSolvable, Solution
from boyi.exact.solve import solve as find_solution
from boyi.games import Game, GameError, Position
from boyi.games import game as find_game
from boyi.records import Skipped, positions_of

PLAIN_SUFFIXES = ("", ".txt", ".obf", ".keys", ".pos")
"""Files with a position a line; others are game files."""


def solve(
    game: str,
    *,
    position: str | None = None,
    file: Path | None = None,
    ply: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int | None = None,
) -> None:
    """Find the exact value of a position, a best move and a best line of play.

    Parameters
    ----------
    game
        A game, with parameters if wanted: einstein, tictactoe, gomoku:size=5,win=4, or the path of a rules file.
    position
        The position's key. Default: the start.
    file
        Solve every position of this file instead: a text file with a key a line (for Othello also OBF; % begins a
        comment), or a file of games, of which the last positions are solved.
    ply
        With a file of games: the position after so many moves of each.
    seconds
        Stop searching a position after so long.
    nodes
        Stop searching a position after so many nodes.
    json
        Print the solution as JSON.
    seed
        Start from the random set-up of this seed, where the game has one.
    """
    if position and file:
        raise ValueError("--position and --file exclude each other")
    chosen = find_game(game)
    announce_compilation()
    if file is None:
        start = chosen.position(position) if position else chosen.start(seed=seed)
        found = find_solution(start, seconds=seconds, nodes=nodes)
        if json:
            print_json(report(start, found))
        else:
            print(f"{start}\n")
            print_table(["value#", "score#", "move", "line", "by", "nodes#", "seconds#"], [_row(found)])
        return
    rows = [_solve_line(chosen, number, line, seconds, nodes) for number, line in read_positions(file, chosen, ply)]
    failed = [row for row in rows if "error" in row]
    if json:
        print_json({"game": chosen.name, "results": rows, "solved": len(rows) - len(failed), "failed": len(failed)})
    else:
        print_table(
            ["line#", "value#", "score#", "move", "line", "by", "nodes#", "seconds#"],
            [[str(row["number"]), *_row(row)] for row in rows if "error" not in row],
        )
    for row in failed:
        notes.print(f"line {row['number']}: {row['error']}", style="red", markup=False, highlight=False, soft_wrap=True)
    if failed:
        raise NotSolvable(f"{len(failed)} of {len(rows)} positions in {str(file)!r} were not solved")


def read_positions(file: Path, game: Game, ply: int | None) -> list[tuple[int, str | Skipped]]:
    """The positions of a file as keys, with the number of their line, or of their game in a file of games."""
    if file.suffix.lower() not in PLAIN_SUFFIXES:
        found = enumerate(positions_of(file, game=game, at=ply), 1)
        return [(number, at if isinstance(at, Skipped) else at.key) for number, at in found]
    if ply is not None:
        raise ValueError(f"--ply is for files of games; {str(file)!r} has a position a line")
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise GameError(f"{str(file)!r} is no text file of positions") from None
    lines = (
        (number, line.partition("%")[0].partition(";")[0].strip()) for number, line in enumerate(text.splitlines(), 1)
    )
    return [(number, line) for number, line in lines if line]


def _solve_line(
    game: Game, number: int, line: str | Skipped, seconds: float | None, nodes: int | None
) -> dict[str, Any]:
    if isinstance(line, Skipped):
        return {"number": number, "position": "", "error": line.reason}
    try:
        start = game.position(line)
        found = find_solution(start, seconds=seconds, nodes=nodes)
    except GameError as error:
        return {"number": number, "position": line, "error": str(error)}
    return {"number": number, **report(start, found)}


def report(position: Position, found: Solution) -> dict[str, Any]:
    """A solution as JSON has it: `value` and `score` for player 0, `win` for player 0 from 0 to 1."""
    facts = vars(found) | {"line": list(found.line), "win": (1 + found.value) / 2}
    return {"game": position.game.name, "position": position.key, "turn": position.turn, **facts}


def _row(found: Any) -> list[str]:
    facts = vars(found) if isinstance(found, Solution) else found
    score = "" if facts["score"] is None else f"{facts['score']:+d}"
    line = " ".join(facts["line"])
    return [
        f"{facts['value']:+.5f}",
        score,
        facts["move"] or "",
        line,
        facts["exact_by"],
        f"{facts['nodes']:,}",
        f"{facts['seconds']:.2f}",
    ]
