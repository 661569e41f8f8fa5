"""Add a game, in a real browser: a bad rules file is told with its line, the good one is played and analysed."""

from pathlib import Path

from browsing import api, ready, square, visit
from playwright.sync_api import Page, expect

from boyi.web.process import ServerProcess

PATIENT = 600_000
"""A check compiles the rules and a search over them, on a computer that may be busy."""
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "connect_four.py"


def test_a_game_is_added_checked_and_played(page: Page, server: ServerProcess) -> None:
    file = server.folder / "games" / "connect_four.py"
    visit(page, "/")
    page.click("a[href='/own-games']")
    page.wait_for_url("**/own-games")
    ready(page)
    expect(page.locator("[data-none]")).to_be_visible()
    expect(page.locator("[data-folder]")).to_contain_text(str(server.folder / "games"))
    entry = page.locator("[data-own=connect_four]")
    status = entry.locator("[data-status]")

    file.write_text(EXAMPLE.read_text() + "\ndef unfinished(:\n")
    expect(status).to_have_text("failed", timeout=PATIENT)
    line = EXAMPLE.read_text().count("\n") + 2
    expect(entry.locator("[data-failure]")).to_contain_text(f"connect_four.py, line {line}")
    expect(entry.locator("[data-failure]")).to_contain_text("no Python")
    assert "connect_four" not in [game["name"] for game in api(page, "/catalogue")["games"]]
    entry.locator("[data-check]").click()
    expect(status).not_to_have_text("failed", timeout=PATIENT)
    expect(status).to_have_text("failed", timeout=PATIENT)

    file.write_text(EXAMPLE.read_text())
    try:
        expect(status).to_have_text("passed", timeout=PATIENT)
        expect(entry).to_contain_text("Connect Four")
        expect(entry.locator("svg").first).to_be_visible()
        entry.locator("a[href='/?game=connect_four']").click()
        page.wait_for_url("**/?game=connect_four")
        ready(page)
        expect(page.locator("[data-game=connect_four]")).to_have_attribute("aria-checked", "true")
        page.click("[data-opponent=random]")
        page.click("[data-start]")
        page.wait_for_url("**/game/*")
        ready(page)
        square(page, "d1")
        expect(page.locator(".moves__move")).to_have_count(2, timeout=PATIENT)

        visit(page, "/position?rules=connect_four&moves=d+d+e")
        expect(page.locator("h1")).to_contain_text("Connect Four")
        page.click("[data-analysing]")
        page.locator(".found").first.wait_for(timeout=PATIENT)
        page.click("[data-analysing]")
        for path in ("/train?game=connect_four", "/compete?game=connect_four"):
            visit(page, path)
            expect(page.locator("[data-form]")).to_contain_text("Connect Four")
        visit(page, "/games")
        expect(page.locator("[data-entry]").first).to_contain_text("Connect Four")
    finally:
        file.unlink()
    visit(page, "/own-games")
    expect(entry).to_have_count(0)
    visit(page, "/games")
    expect(page.locator("[data-entry]").first).to_contain_text("connect_four")
