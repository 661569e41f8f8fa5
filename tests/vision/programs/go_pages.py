"""Go boards of npm packages in Chromium. They show positions of Gomoku and Connect6."""

from collections.abc import Iterator
from pathlib import Path

from programs.browser import SIDES, bundle, sized
from programs.part import Part, Place
from programs.positions import COLOURS, STAGES, Cells, line_of_play, living_positions, square, stones

ESBUILD = "esbuild@0.25.0"
THEMES: dict[str, tuple[str, ...]] = {
    "besogo": ("flat", "wood", "dark", "bold", "book", "eidogo", "glift", "kibitz", "sensei"),
    "shudan": ("circle", "point", "square"),
    "goban": (
        "Plain/Plain/Plain", "Night Play/Slate/Shell", "HNG/Glass/Glass", "HNG Night/Night/Night", "Book/Plain/Plain",
        "Kaya/Slate/Shell", "Red Oak/Glass/Worn Glass", "Persimmon/Worn Glass/Shell", "Black Walnut/Slate/Glass",
        "Granite/Plain/Shell", "Anime/Glass/Glass", "Bright Kaya/Plain/Shell",
    ),
    "react-goban": ("classic", "paper"),
    "react-go-board": ("#ffffff", "#e8c27a", "#9fc5a0"),
    "react-baduk": ("hybrid",),
    "wgo": ("glass", "modern", "simple"),
    "go-board": ("kaya",),
}  # fmt: skip
"""Those of goban are board, black and white stones; textures that it loads from elsewhere stay away."""
THEMED = ("gomoku:size=15", "connect6", "gomoku:size=19", "gomoku:size=13", "gomoku:size=9")
LARGE_ONLY = ("go-board",)
"""Boards that know only 19 by 19."""
THEMED_PAPERS = ("#ffffff", "#e8ecef", "#202428", "#c8ffff")
THEMED_PAGE = """<!doctype html><meta charset=utf-8><title>Board</title>
<link rel=stylesheet href=/besogo/css/besogo.css>
<link rel=stylesheet href=/@sabaki/shudan/css/goban.css><link rel=stylesheet href=/wgo/dist/style.css>
<script src=/besogo/besogo.all.js></script><body style="margin:30px"><div id=at></div>
<script src=/boards.js></script><script src=/go-board/public/go-board.min.js></script>"""
LOOKS = {"svgoban": ("classic", "night", "paper"), "gobo": ("wood", "pale", "sketch", "simple")}
DRAWN = ("gomoku:size=19", "gomoku:size=13", "gomoku:size=9", "connect6", "gomoku:size=15")
DRAWN_PAPERS = ("#ffffff", "#163a0c", "#e8ecef")
DRAWN_PAGE = """<!doctype html><meta charset=utf-8><body style="margin:30px"><div id=at></div>
<script src=/gobo/bin/gobo.js></script><script src=/boards.js></script>"""
GIVEN = {
    "mei-goban": ("gomoku:size=19", "gomoku:size=13", "gomoku:size=9"),
    "vue-goban": ("gomoku:size=19", "gomoku:size=15", "gomoku:size=9", "connect6"),
}
GIVEN_PAPERS = ("#ffffff", "#dcb579", "#e8ecef", "#c9d8b6")
GIVEN_PAGE = """<!doctype html><meta charset=utf-8><title>Board</title><link rel=stylesheet href=/boards.css>
<link rel=stylesheet href=/@karabella/vue-goban/dist/vue-goban.css><body style="margin:24px"><div id=at></div>
<script src=/boards.js></script>"""
DIAGRAM = """<!doctype html><body style="margin:30px;background:#d8dde0"><script src=/boards.js></script><script>
window.show = async (size, moves, options) => document.body.append(await diagrams.renderDiagram(size, moves, options))
</script>"""
SHOW = """([name, board, options]) => { document.body.style.background = options.paper; show(name, board, options) }"""


def prepare(place: Place, page: str, script: str, *more: str) -> None:
    """Write the page, and bundle the script that shows boards on it."""
    (place.modules / "boards.html").write_text(page, encoding="utf-8")
    bundle(place.modules, Path(__file__).with_name(script), "boards.js", "--main-fields=browser,module,main", *more)


def themed_boards() -> Iterator[tuple[str, str, str, Cells, dict[str, object]]]:
    """File name, program, game, cells and options of every picture."""
    number = 0
    for board, themes in THEMES.items():
        for theme in themes:
            short = "".join(letter for letter in theme.split("/")[0].lower() if letter.isalnum())
            for stage in STAGES:
                games = ("connect6", "gomoku:size=19") if board in LARGE_ONLY else THEMED
                game = games[number % len(games)]
                cells = line_of_play(game, stage, number).cells
                full = [(row, column) for row, column, _ in stones(cells)]
                options = {
                    "theme": theme,
                    "last": full[number % len(full)] if number % 2 else None,
                    "labels": number % 3 > 0,
                    "side": (600, 460, 760)[number // 3 % 3],
                    "paper": THEMED_PAPERS[number // 2 % len(THEMED_PAPERS)],
                }
                yield f"{board}-{short}-{stage}", f"{board} {short}", game, cells, options
                number += 1


def themed(place: Place) -> None:
    """Every theme of eight packages, with and without marks and coordinates."""
    prepare(place, THEMED_PAGE, "themed_boards.js", "--define:global=window")
    place.page.set_viewport_size({"width": 1060, "height": 860})
    for name, program, game, cells, options in themed_boards():
        place.page.goto(f"{place.address}/boards.html")
        place.page.evaluate(SHOW, [program.split()[0], cells, options])
        place.page.wait_for_timeout(500)
        place.page.screenshot(path=place.file(name))
        place.note(name, game, cells, program=program)


def drawn(place: Place) -> None:
    """Every look of svgoban and gobo, with and without marks and coordinates."""
    prepare(place, DRAWN_PAGE, "drawn_boards.js")
    place.page.set_viewport_size({"width": 900, "height": 840})
    number = 0
    for program, looks in LOOKS.items():
        for look in looks:
            for stage in STAGES:
                game = DRAWN[number % len(DRAWN)]
                cells = line_of_play(game, stage, number + 500).cells
                placed = list(stones(cells))
                options = {
                    "size": len(cells),
                    "look": look,
                    "side": (620, 480, 760)[number % 3],
                    "last": placed[number % len(placed)][:2] if number % 2 else None,
                    "labels": number % 3 > 0,
                    "paper": DRAWN_PAPERS[number // 2 % len(DRAWN_PAPERS)],
                }
                place.page.goto(f"{place.address}/boards.html")
                place.page.evaluate(SHOW, [program, placed, options])
                place.page.wait_for_timeout(300)
                name = f"{program}-{look}-{stage}"
                place.page.screenshot(path=place.file(name))
                place.note(name, game, cells, program=f"{program} {look}")
                number += 1


def given(place: Place) -> None:
    """mei-goban and vue-goban, some with coordinates, panels and a mark of the last move."""
    prepare(place, GIVEN_PAGE, "vue_boards.js")
    for program, games in GIVEN.items():
        for number, (game, position) in enumerate(living_positions(games, 900)):
            with sized(place.page, number // 2 * 4) as page:
                page.goto(f"{place.address}/boards.html")
                options = {
                    "size": len(position.cells),
                    "side": SIDES[number % 4],
                    "last": square(position, position.history[-1]) if number % 2 else None,
                    "labels": number % 3 > 0,
                    "paper": GIVEN_PAPERS[number // 2 % 4],
                }
                page.evaluate(SHOW, [program, list(stones(position.cells)), options])
                place.pictured(page, f"{program}-{number}", game, position.cells)


def sgf_to_image(place: Place) -> None:
    """With or without coordinates, move numbers and a mark of the last move."""
    (place.modules / "boards.html").write_text(DIAGRAM)
    (place.modules / "empty.js").write_text("export const readFileSync = undefined;")
    more = ("--global-name=diagrams", "--format=iife", "--external:canvas", "--alias:fs=./empty.js")
    bundle(place.modules, "sgf-to-image/dist/index.js", "boards.js", *more)
    place.page.set_viewport_size({"width": 1000, "height": 820})
    number = 0
    for game in ("gomoku:size=19", "gomoku:size=13", "gomoku:size=9"):
        for stage in STAGES:
            position = line_of_play(game, stage, number + 200, alive=True)
            moves = []
            for turn, move in enumerate(position.history, 1):
                row, column = square(position, move)
                spot = {"x": column, "y": row}
                moves.append({"color": COLOURS["OX"[turn % 2]], "position": spot, "moveNumber": turn})
            options = {
                "size": {"width": (420, 560, 760)[number % 3], "height": (420, 560, 760)[number % 3]},
                "showCoordinates": number % 2 == 1,
                "move": len(position.history),
                "lastMoveLabel": number % 4 > 1,
            }
            place.page.goto(f"{place.address}/boards.html")
            place.page.evaluate(
                "([size, moves, options]) => show(size, moves, options)", [len(position.cells), moves, options]
            )
            place.page.screenshot(path=place.file(f"sgf-to-image-{number}"))
            place.note(f"sgf-to-image-{number}", game, position.cells)
            number += 1


PARTS = (
    Part(
        "themed-go-boards",
        themed,
        npm=(
            "besogo@0.0.2-alpha", "@sabaki/shudan@1.7.1", "preact@10", "goban@8.3.64", "react-goban@1.0.0",
            "react-go-board@0.9.0", "godash@2.1.0", "react-baduk@1.1.2", "wgo@3.0.0-alpha.10", "go-board@2.7.6",
            "react@15", "react-dom@15", ESBUILD,
        ),
        browser=True,
    ),
    Part("svgoban-gobo", drawn, npm=("svgoban@1.0.0", "gobo@0.7.0", ESBUILD), browser=True),
    Part(
        "mei-goban-vue-goban",
        given,
        npm=("mei-goban@0.1.10", "@karabella/vue-goban@2.0.5", "vue@3.5.13", ESBUILD),
        browser=True,
    ),
    Part("sgf-to-image", sgf_to_image, npm=("sgf-to-image@0.2.2", "buffer@4.9.2", ESBUILD), browser=True),
)  # fmt: skip
