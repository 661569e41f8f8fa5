"""Pictures of every page, in all languages, light and dark, on a phone and on a desk: to be looked at.

python tests/web/screenshots.py FOLDER [only-names-that-contain-this]
"""

import itertools
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from browsing import create, launch, touch, visit
from playwright.sync_api import Page, sync_playwright

import boyi
from boyi.web.process import ServerProcess

SCREENS = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 800}}
TICTACTOE = ["b2", "b1", "a1", "a2", "c3"]
GOMOKU = ["h8", "i9", "i8", "g8", "j8", "k8", "h9", "h10", "g9", "f10", "j9", "k9", "j10", "k11", "j7", "j11"]
CONNECT6 = ["j10", "k10", "k11", "i9", "l12", "h8", "m13", "j11", "i12"]


def line(rules: str, plies: int, seed: int) -> list[str]:
    """Random moves from the start."""
    position, luck = boyi.game(rules).start(), random.Random(seed)
    while len(position.history) < plies:
        position = position.play(luck.choice(position.moves))
    return list(position.history)


OTHELLO = line("othello", 24, 4)
EINSTEIN = line("einstein", 13, 3)


def play_page(page: Page, game: str) -> None:
    visit(page, f"/?game={game}")


def running(page: Page, **wanted: object) -> None:
    create(page, seats=["human", "strongest"], **wanted)


def hinted(page: Page) -> None:
    running(page, rules="othello", moves=OTHELLO)
    page.click("[data-hint-button]")
    page.locator("[data-hint]").wait_for()


def einstein(page: Page) -> None:
    create(page, rules="einstein", seats=["human", "human"], dice="hand", moves=EINSTEIN)


def finished(page: Page) -> None:
    create(page, rules="tictactoe", seats=["human", "random"], moves=TICTACTOE)


def clocked(page: Page) -> None:
    running(page, rules="gomoku", moves=GOMOKU, clock={"minutes": 10, "increment_s": 5})


def kept(page: Page) -> None:
    visit(page, "/about")
    for rules, moves in (
        ("othello", OTHELLO),
        ("gomoku", GOMOKU),
        ("tictactoe", TICTACTOE),
        ("connect6", CONNECT6),
        ("einstein", EINSTEIN),
    ):
        page.request.post(
            "/api/v1/games", data={"rules": rules, "seats": ["human", "human"], "moves": moves, "dice": "hand"}
        )
    visit(page, "/games")


def analysis(page: Page, rules: str, moves: list[str]) -> None:
    visit(page, f"/position?rules={rules}&moves={'+'.join(moves)}")
    page.click("[data-analysing]")
    page.locator(".found").first.wait_for()
    page.wait_for_timeout(2500)
    page.click("[data-analysing]")


def reviewed(page: Page) -> None:
    game = create(page, rules="othello", seats=["human", "human"], moves=OTHELLO)
    visit(page, f"/analyse/{game}?ply=12")
    page.click("[data-review]")
    page.locator(".mistake").first.wait_for(timeout=60_000)
    page.wait_for_timeout(800)


def editing(page: Page) -> None:
    visit(page, "/position?rules=einstein")
    page.click("[data-edit]")
    touch(page, 12)


def placing(page: Page) -> None:
    visit(page, "/?game=einstein")
    page.click("[data-value=placed]")
    page.wait_for_timeout(500)


SGF = "(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bob];B[hh]C[The middle];W[hg](;B[ig];W[gi])(;B[gg]C[Quieter];W[ii]))"


def imported(page: Page) -> None:
    """A game of a file, with its tree."""
    visit(page, "/records")
    page.fill("textarea", SGF)
    page.click("[data-read]")
    page.click("[data-open='1']")
    page.locator("[data-tree]").wait_for()


def recognised(page: Page) -> None:
    """A board read off a picture of another program, with a suggested move."""
    visit(page, "/recognise")
    page.set_input_files("[data-choose]", Path(__file__).parents[1] / "vision" / "screens" / "shudan.webp")
    page.locator("[data-game-read]").wait_for(timeout=120_000)
    page.click("[data-suggest]")
    page.locator(".stage__here text").wait_for(timeout=60_000)
    page.wait_for_timeout(3500)
    page.evaluate("scrollTo(0, 0)")


def lesson(page: Page) -> None:
    """A mistake of the visitor's own."""
    create(page, rules="tictactoe", seats=["random", "human"], moves=TICTACTOE)
    visit(page, "/learn")
    page.click("[data-review]")
    page.locator("[data-ask]").wait_for(timeout=60_000)


def contest(page: Page) -> None:
    """A tournament, the same one for all pictures."""
    visit(page, "/about")
    wanted = {"rules": "tictactoe", "entrants": ["random", "beginner", "easy"], "games": 20, "name": "cup"}
    page.request.post("/api/v1/contests", data=wanted)
    visit(page, "/compete/cup")
    page.locator("[data-records]").first.wait_for(timeout=120_000)


def training(page: Page) -> None:
    """A training run, the same one for all pictures."""
    visit(page, "/about")
    page.request.post("/api/v1/runs", data={"rules": "tictactoe", "name": "first", "minutes": 2})
    visit(page, "/train/first")
    page.locator(".boards svg").first.wait_for(timeout=120_000)
    page.wait_for_timeout(1500)


def quick_training(page: Page) -> None:
    """A run of a quick net, the same one for all pictures."""
    visit(page, "/about")
    page.request.post("/api/v1/runs", data={"rules": "tictactoe", "method": "quick", "name": "swift", "minutes": 1})
    visit(page, "/train/swift")
    page.locator(".boards svg").first.wait_for(timeout=300_000)
    page.locator("[data-curve=error] svg path[stroke='#7a6cf0']").first.wait_for(timeout=300_000)


def own(page: Page) -> None:
    """The owner's games, one of which is wrong."""
    visit(page, "/own-games")
    page.locator("[data-status=failed]").wait_for(timeout=600_000)
    page.locator("[data-status=passed]").wait_for(timeout=600_000)


EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "connect_four.py"
OWN = {
    "connect_four": EXAMPLE.read_text(),
    "unfinished": EXAMPLE.read_text().replace('"connect_four"', '"unfinished"').replace("action):", "action", 1),
}


PAGES: dict[str, Callable[[Page], None]] = {
    "play": lambda page: play_page(page, "othello"),
    "play-einstein": placing,
    "game-othello": hinted,
    "game-einstein": einstein,
    "game-gomoku": clocked,
    "game-connect6": lambda page: running(page, rules="connect6", moves=CONNECT6),
    "game-over": finished,
    "games": kept,
    "analyse": lambda page: analysis(page, "othello", OTHELLO),
    "analyse-gomoku": lambda page: analysis(page, "gomoku", GOMOKU),
    "analyse-einstein": lambda page: analysis(page, "einstein", [*EINSTEIN[:12], "5"]),
    "review": reviewed,
    "editor": editing,
    "records": imported,
    "recognise": recognised,
    "learn": lesson,
    "compete": lambda page: visit(page, "/compete"),
    "contest": contest,
    "train": lambda page: visit(page, "/train"),
    "run": training,
    "quick-run": quick_training,
    "own": own,
    "play-own": lambda page: play_page(page, "connect_four"),
    "about": lambda page: visit(page, "/about"),
    "lost": lambda page: visit(page, "/nowhere"),
}


def main(folder: Path, only: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        ServerProcess(Path(data), "--workers", "2") as server,
        sync_playwright() as playwright,
    ):
        for rules, text in OWN.items():
            (server.folder / "games" / f"{rules}.py").write_text(text)
        browser = launch(playwright)
        for (name, prepare), language, theme, screen in itertools.product(
            PAGES.items(), ("en-US", "zh-TW", "zh-CN"), ("light", "dark"), SCREENS
        ):
            file = folder / f"{name}-{language[:2]}{language[3:].lower()}-{theme}-{screen}.png"
            if only not in file.name:
                continue
            with browser.new_context(
                base_url=server.url,
                locale=language,
                color_scheme=theme,
                viewport=SCREENS[screen],
                has_touch=screen == "phone",
            ) as context:
                page = context.new_page()
                prepare(page)
                page.wait_for_timeout(700)
                page.screenshot(path=file)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
