"""Learning from mistakes in a real browser: a lost game is reviewed, its mistake asked, failed, and solved."""

from browsing import create, square, visit
from playwright.sync_api import Page, expect

PATIENT = 120_000


def test_a_mistake_is_found_failed_and_solved(page: Page) -> None:
    create(page, rules="tictactoe", seats=["random", "human"], moves=["b2", "b1", "a1", "a2", "c3"])
    visit(page, "/games")
    page.get_by_role("link", name="Learn from mistakes").click()
    expect(page.locator("[data-none]")).to_contain_text("nothing to learn")
    page.click("[data-review]")
    expect(page.locator("[data-ask]")).to_contain_text("You played b1 here", timeout=PATIENT)
    square(page, "b3")
    expect(page.locator("[data-answer]")).to_contain_text("Not better", timeout=PATIENT)
    expect(page.locator("[data-answer]")).to_contain_text("Better is")
    page.click("[data-again]")
    square(page, "a1")
    expect(page.locator("[data-answer]")).to_contain_text("Right", timeout=PATIENT)
    page.click("[data-next]")
    expect(page.locator("[data-count=learnt]")).to_have_text("1")
    expect(page.locator("[data-count=today]")).to_have_text("1 / 2")
