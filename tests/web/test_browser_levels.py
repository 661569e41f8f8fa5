"""Strength levels in a real browser: the dial, and the opponent that follows."""

from browsing import choose, ready, square, visit
from playwright.sync_api import Page, expect


def test_the_dial_and_the_follower(page: Page) -> None:
    visit(page, "/?game=tictactoe")
    choose(page, "Strength", "Level")
    told = page.locator("[data-level-told]")
    expect(told).to_contain_text("Level 3")
    page.locator(".q-slider__track-container").focus()
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("Level 4")
    page.click("[data-start]")
    page.wait_for_url("**/game/*")
    ready(page)
    expect(page.locator(".seat", has_text="Level 4")).to_be_visible()
    square(page, "b2")
    expect(page.locator(".moves__move")).to_have_count(2, timeout=120_000)

    for _ in range(4):
        wanted = {"rules": "tictactoe", "seats": ["human", "level:8"], "moves": ["b2", "b1", "a1", "a2", "c3"]}
        assert page.request.post("/api/v1/games", data=wanted).ok
    visit(page, "/?game=tictactoe")
    choose(page, "Strength", "As strong as I am")
    expect(page.locator("[data-follow]")).to_contain_text("By your last 4 games")
    choose(page, "Strength", "Level")
    expect(page.locator("[data-suggested]")).to_contain_text("suits you")
