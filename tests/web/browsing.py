"""What the browser tests do again and again: start games, find legal squares the way a screen reader does, play."""

import random
import shutil
import time

import httpx
from playwright.sync_api import Browser, Page, Playwright, expect

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
CELL = ".board__cell"
LEGAL = f'{CELL}[aria-label*=", legal"]'
MOVABLE = f'{CELL}[aria-label*=", may move"]'


def chromium() -> str:
    """The path of the system's Chromium."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    assert found, "browser tests need Chromium: apt-get install chromium"
    return found


def launch(playwright: Playwright) -> Browser:
    """The system's Chromium."""
    return playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)


def ready(page: Page) -> None:
    """Wait until the page listens."""
    page.wait_for_function("window.did_handshake === true")


def visit(page: Page, path: str) -> None:
    page.goto(path)
    ready(page)


def start(page: Page, game: str, opponent: str = "random", *, size: int | None = None) -> None:
    """Start a game from the first page."""
    visit(page, f"/?game={game}")
    if size:
        choose(page, "Board", f"{size} × {size}")
    page.click(f"[data-opponent={opponent}]")
    page.click("[data-start]")
    page.wait_for_url("**/game/*")
    ready(page)


def choose(page: Page, label: str, text: str) -> None:
    """Choose in a segmented control or in a list."""
    segment = page.locator(f'[role=radiogroup][aria-label="{label}"] [role=radio]', has_text=text)
    if segment.count():
        segment.first.click()
    else:
        page.locator(f'.q-select:has([aria-label="{label}"])').click()
        page.locator(".q-menu .q-item", has_text=text).first.click()


def create(page: Page, **wanted: object) -> str:
    """Make a game by the API for the page's visitor and open it."""
    if not page.url.startswith("http"):
        visit(page, "/about")
    answer = page.request.post("/api/v1/games", data=wanted)
    assert answer.ok, answer.text()
    path = f"/game/{answer.json()['id']}"
    visit(page, path)
    return str(answer.json()["id"])


def square(page: Page, name: str) -> None:
    """Click a square by its name."""
    page.locator(f'{CELL}[aria-label^="{name},"]').click()


def cell(page: Page, name: str) -> str:
    """What a screen reader says of a square."""
    return page.locator(f'{CELL}[aria-label^="{name},"]').get_attribute("aria-label") or ""


def stones(page: Page) -> int:
    """Squares that are not empty."""
    return page.locator(CELL).count() - page.locator(f'{CELL}[aria-label*=", empty"]').count()


def plies(page: Page) -> int:
    return page.locator(".moves__move").count()


LOOK = """() => {
    const found = (words) => [...document.querySelectorAll('.board__cell')]
        .filter((cell) => cell.ariaLabel.includes(words)).map((cell) => +cell.dataset.square);
    return {
        plies: document.querySelectorAll('.moves__move').length,
        over: document.querySelector('[data-result]')?.innerText,
        roll: !!document.querySelector('[data-roll]'),
        movable: found(', may move'),
        legal: found(', legal'),
    };
}"""

TURN = f"""() => {{
    const seen = ({LOOK})();
    return seen.roll || seen.movable.length || seen.legal.length || seen.over;
}}"""
"""Whether the visitor has something to do, or the game is over."""


def touch(page: Page, number: int) -> None:
    """Click a square by its number."""
    page.locator(f'{CELL}[data-square="{number}"]').click()


def act(page: Page, luck: random.Random) -> bool:
    """Do one thing of the visitor's: roll, or a random legal move, and wait for it; says whether there was any."""
    seen = page.evaluate(LOOK)
    if seen["roll"]:
        page.locator("[data-roll]").click()
    elif seen["movable"]:
        touch(page, luck.choice(seen["movable"]))
        touch(page, luck.choice(page.evaluate(LOOK)["legal"]))
    elif seen["legal"]:
        touch(page, luck.choice(seen["legal"]))
    else:
        return False
    page.wait_for_function(f"document.querySelectorAll('.moves__move').length !== {seen['plies']}")
    return True


def play_out(page: Page, *, seed: int = 0, within_s: float = 60) -> str:
    """Play random moves until the result stands there; gives its text."""
    luck = random.Random(seed)
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        seen = page.evaluate(LOOK)
        if seen["over"]:
            return str(seen["over"])
        if not act(page, luck):
            page.wait_for_timeout(20)
    raise AssertionError(f"no result after {within_s} s")


def api(page: Page, path: str) -> dict[str, object]:
    """What the API says to the same visitor."""
    answer = page.request.get(f"/api/v1{path}")
    assert answer.status == httpx.codes.OK, answer.text()
    return dict(answer.json())


def expect_caption(page: Page, text: str) -> None:
    expect(page.locator("[data-caption]")).to_contain_text(text)
