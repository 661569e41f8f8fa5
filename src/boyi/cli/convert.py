"""`boyi convert IN... OUT`: game files from one format to another."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from boyi.cli.output import announce_compilation, notes, print_json, print_table
from boyi.games import GameError
from boyi.games import game as find_game
from boyi.records import FORMATS, Skipped, convert_records

SHOWN = 20
"""How many games that were left out are named on screen."""


def convert(
    *files: Path,
    read_as: Annotated[str | None, Parameter("--from")] = None,
    write_as: Annotated[str | None, Parameter("--to")] = None,
    game: str | None = None,
    formats: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Read games from files and write them all to one, leaving out what cannot be read or written.

    What is left out is told with file, line and reason; one bad game never loses the rest.

    Parameters
    ----------
    files
        The files to read, and last the one to write.
    read_as
        The format to read. Default: told by each file's name and beginning.
    write_as
        The format to write. Default: told by the file's name.
    game
        The game, with parameters if wanted, where files do not say it: gomoku:size=15, or the path of a rules file.
    formats
        List the formats and do nothing else.
    json
        Print the report as JSON.
    seed
        Accepted by every command; nothing here is random.
    """
    if formats:
        show_formats(json)
        return
    if len(files) < 2:
        raise GameError("convert takes files to read and one to write: boyi convert games.sgf games.ggf")
    chosen = find_game(game) if game else None
    announce_compilation()
    shown: list[Skipped] = []

    def tell(skipped: Skipped) -> None:
        if len(shown) < SHOWN:
            shown.append(skipped)
            notes.print(str(skipped), style="yellow", markup=False, highlight=False, soft_wrap=True)

    *inputs, output = files
    report = convert_records(inputs, output, read_as=read_as, write_as=write_as, game=chosen, on_skip=tell)
    if report.skipped > len(shown):
        notes.print(f"and {report.skipped - len(shown):,} more", style="yellow")
    if json:
        print_json(
            {
                "output": str(output),
                "read": report.read,
                "written": report.written,
                "skipped": report.skipped,
                "reasons": [vars(skipped) for skipped in report.reasons],
                "lost": dict(report.lost),
            }
        )
    else:
        print(f"{report.written:,} games written to {output}, {report.skipped:,} left out")
        for what, count in sorted(report.lost.items()):
            print(f"{what} of {count:,} games are lost: the format cannot hold them")
    if report.skipped and not report.written:
        raise OSError(f"no game could be converted, and {str(output)!r} is not written")


def show_formats(json: bool) -> None:
    rows = [
        {"name": each.name, "title": each.title, "suffixes": list(each.suffixes), "holds": list(each.holds)}
        for each in FORMATS.values()
    ]
    if json:
        print_json({"formats": rows})
    else:
        columns = ["format", "what it is", "files", "holds beside moves"]
        print_table(
            columns,
            [[r["name"], r["title"], " ".join(r["suffixes"]), ", ".join(r["holds"])] for r in rows],  # type: ignore[list-item]
        )
