"""A tournament in a real browser: started, watched, killed with the server, resumed; records while it runs."""

import signal
from pathlib import Path

from browsing import api, choose, ready, visit
from playwright.sync_api import Browser, Page, expect

from boyi.web.process import ServerProcess

PATIENT = 240_000


def opened(browser: Browser, server: ServerProcess) -> Page:
    page = browser.new_context(base_url=server.url, locale="en-US").new_page()
    page.set_default_timeout(60_000)
    return page


def test_a_tournament_killed_with_the_server_goes_on(browser: Browser, tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--workers", "1") as server:
        page = opened(browser, server)
        visit(page, "/compete")
        choose(page, "Game", "Tic-tac-toe")
        page.locator("[data-rules=tictactoe]").wait_for()
        page.locator("[data-entrant=random]").click()
        page.fill("input[data-option=games]", "2000")
        page.fill("input[data-option=name]", "cup")
        page.click("[data-start]")
        page.wait_for_url("**/compete/cup")
        ready(page)
        page.locator("[data-records=jsonl]").wait_for(timeout=PATIENT)
        assert page.locator("[data-standings] tbody tr").count() == 3
        link = page.locator("[data-records=jsonl]").get_attribute("href") or ""
        assert page.request.get(link).body().startswith(b"{")
        known = int(str(api(page, "/contests/cup")["done"]))
        assert known < 6000
        server.stop(number=signal.SIGKILL)
        page.context.close()
    with ServerProcess(tmp_path, "--workers", "1") as server:
        page = opened(browser, server)
        visit(page, "/compete/cup")
        expect(page.locator("[data-status]")).to_have_text("playing")
        page.wait_for_function(f"parseInt(document.querySelector('[data-told]').innerText) > {known}", timeout=PATIENT)
        page.click("[data-stop]")
        expect(page.locator("[data-status]")).to_have_text("stopped", timeout=PATIENT)
        page.click("[data-delete]")
        page.click("[data-confirm]")
        page.wait_for_url("**/compete")
        expect(page.locator("[data-contest]")).to_have_count(0)
        page.context.close()
