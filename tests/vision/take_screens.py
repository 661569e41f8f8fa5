"""Takes pictures of programs that nobody here wrote: `python tests/vision/take_screens.py FOLDER [PART ...]`.

Programs of Debian 12 under a virtual screen, pages in Chromium, windows of Python packages, printed boards. A part is a
program, a few that belong together, or a module of `programs`, which holds several; `--list` shows them all with what
they need. Debian's packages must be there; those of pip and npm go into FOLDER/parts only. What stands on the boards is
what the programs were told to show or the moves that were played in them, and is written to FOLDER/screens.toml beside
what stands there already; `python -m boyi.bench.vision FOLDER` measures them.
"""

import argparse
import os
import sys
import traceback
from pathlib import Path

from programs import (
    browser,
    clicks,
    components,
    drawings,
    game_pages,
    go_pages,
    hosted,
    no_boards,
    own_moves,
    printed,
    records,
    screen,
    servers,
    terminals,
    windows,
)
from programs.part import Part
from programs.truth import Truth

MODULES = (
    go_pages, game_pages, components, servers, windows, drawings, records, clicks, hosted, terminals, printed,
    no_boards, own_moves,
)  # fmt: skip
GROUPS: dict[str, tuple[Part, ...]] = {module.__name__.rpartition(".")[2]: module.PARTS for module in MODULES}
PARTS = {part.name: part for parts in GROUPS.values() for part in parts}


def listed() -> None:
    """Print every part with what it needs."""
    print("a screen needs Debian's", *sorted(screen.NEEDS.values()))
    print("Chromium needs Debian's", *browser.NEEDS.values(), "and packages of npm need", *browser.NPM_NEEDS.values())
    for group, parts in GROUPS.items():
        print(group)
        for part in parts:
            needs = ["a screen"] * part.screen + ["Chromium"] * part.browser
            for source, names in (
                ("Debian", sorted(set(part.debian.values()))),
                ("pip", (*part.pip, *part.alone)),
                ("npm", (*part.npm, *part.unpacked)),
            ):
                needs += [" ".join((f"{source}:", *names))] * bool(names)
            print(f"  {part.name}: {'; '.join(needs)}")


def wanted(names: list[str]) -> list[Part]:
    """The parts of these names, all without a name."""
    if unknown := [name for name in names if name not in GROUPS and name not in PARTS]:
        raise SystemExit(f"no part is called {', '.join(unknown)}; --list shows all")
    chosen = {part.name: part for name in names or GROUPS for part in GROUPS.get(name) or (PARTS[name],)}
    return list(chosen.values())


def main() -> None:
    parser = argparse.ArgumentParser(description="Takes pictures of programs that nobody here wrote.")
    parser.add_argument("folder", type=Path, nargs="?", help="where the pictures go")
    parser.add_argument("parts", nargs="*", metavar="PART", help="what to show, instead of everything")
    parser.add_argument("--list", action="store_true", help="show the parts and what they need")
    arguments = parser.parse_args()
    if arguments.list:
        return listed()
    if arguments.folder is None:
        parser.error("write where the pictures go")
    os.environ["PATH"] += ":/usr/games"
    parts = wanted(arguments.parts)
    if missing := dict(sorted({lack for part in parts for lack in part.missing()})):
        names = "\n".join(f"{name} is missing, which Debian's {package} has" for name, package in missing.items())
        raise SystemExit(f"{names}\napt-get install {' '.join(sorted(set(missing.values())))}")
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    truth = Truth(folder)
    failed = []
    for part in parts:
        print(part.name, flush=True)
        try:
            part.run(folder, truth)
        except Exception:  # the other parts' pictures are wanted all the same
            traceback.print_exc()
            failed.append(part.name)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
