"""The frame in a real browser: languages, themes, phones, the list of games, no foreign resources."""

import re
from pathlib import Path

import pytest
from browsing import create, ready, square, visit
from playwright.sync_api import Browser, Page, expect

import boyi.web
from boyi.draw.themes import contrast
from boyi.web.process import ServerProcess

STYLE = (Path(boyi.web.__file__).parent / "pages" / "static" / "style.css").read_text(encoding="utf-8")
PAIRS = [
    *(("ink", paper) for paper in ("bg", "surface", "sunk", "raised", "accent-soft", "good-soft", "bad-soft")),
    *(("muted", paper) for paper in ("bg", "surface", "sunk")),
    ("accent", "accent-soft"),
    ("accent-ink", "accent"),
    ("good", "good-soft"),
    ("bad", "bad-soft"),
    ("bad", "surface"),
]
"""Which ink stands on which paper."""
PATHS = ("/", "/games", "/analyse", "/about", "/nowhere")


def test_the_language_is_switched_and_remembered(page: Page) -> None:
    create(page, rules="tictactoe", seats=["human", "human"])
    page.get_by_role("button", name="Language").click()
    page.click('[data-language="zh-Hant"]')
    expect(page.locator("[data-caption]")).to_have_text("輪到X 方")
    assert page.locator("html").get_attribute("lang") == "zh-TW"
    assert page.title() == "井字棋 · 博弈"
    visit(page, "/games")
    expect(page.locator("h1")).to_have_text("我的棋局")
    page.get_by_role("button", name="語言").click()
    page.click('[data-language="zh-Hans"]')
    expect(page.locator("h1")).to_have_text("我的棋局")
    expect(page.locator(".nav")).to_contain_text("关于")


@pytest.mark.parametrize(
    ("locale", "heading"), [("zh-TW", "今天下什麼棋？"), ("zh-CN", "今天下什么棋？"), ("de-DE", "What shall we play?")]
)
def test_the_first_visit_is_in_the_browsers_language(
    browser: Browser, server: ServerProcess, locale: str, heading: str
) -> None:
    with browser.new_context(base_url=server.url, locale=locale) as context:
        page = context.new_page()
        visit(page, "/")
        expect(page.locator("h1")).to_have_text(heading)


def test_themes(page: Page) -> None:
    visit(page, "/about")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("[data-theme-button]")
    page.wait_for_function("document.documentElement.dataset.theme === 'light'")
    ready(page)
    page.click("[data-theme-button]")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light


@pytest.mark.parametrize("width", [360, 1600])
def test_nothing_is_wider_than_the_screen(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 780})
    game = create(page, rules="connect6", seats=["human", "human"])
    for path in (*PATHS, f"/game/{game}", f"/analyse/{game}"):
        page.goto(path)
        ready(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_nothing_comes_from_elsewhere(page: Page, server: ServerProcess) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in PATHS:
        visit(page, path)
    assert len(asked) > 20
    assert [
        url for url in asked if not url.startswith((server.url, "data:", "blob:", server.url.replace("http", "ws")))
    ] == []


def test_the_list_of_games(page: Page) -> None:
    create(page, rules="tictactoe", seats=["human", "human"])
    create(page, rules="othello", seats=["human", "human"])
    visit(page, "/games")
    expect(page.locator("[data-entry]")).to_have_count(2)
    page.locator("[data-rename]").first.click()
    page.get_by_role("textbox", name="Name").fill("<b>Sunday</b>")
    page.click("[data-confirm]")
    expect(page.locator("[data-entry]").first).to_contain_text("<b>Sunday</b>")
    visit(page, "/games?rules=tictactoe")
    expect(page.locator("[data-entry]")).to_have_count(1)
    page.locator("[data-delete]").first.click()
    page.click("[data-confirm]")
    expect(page.locator("[data-entry]")).to_have_count(0)
    expect(page.get_by_text("No games here yet.")).to_be_visible()


def test_older_games_are_on_the_next_page(page: Page) -> None:
    visit(page, "/about")
    for number in range(14):
        wanted = {"rules": "tictactoe", "seats": ["human", "human"], "name": f"game {number}"}
        assert page.request.post("/api/v1/games", data=wanted).ok
    visit(page, "/games")
    expect(page.locator("[data-entry]")).to_have_count(12)
    page.get_by_role("link", name="Older games").click()
    expect(page.locator("[data-entry]")).to_have_count(2)
    expect(page.locator("[data-entry]").last).to_contain_text("game 0")
    page.get_by_role("link", name="Newest games").click()
    expect(page.locator("[data-entry]").first).to_contain_text("game 13")


def test_settings_show_at_once(page: Page) -> None:
    create(page, rules="tictactoe", seats=["human", "human"])
    labels = page.locator(".board__picture .muted text")
    expect(labels).to_have_count(6)
    page.get_by_role("button", name="Settings").click()
    page.click('[data-setting="show_coordinates"]')
    expect(labels).to_have_count(0)
    page.reload()
    expect(labels).to_have_count(0)


def test_large_boards_on_a_phone(browser: Browser, server: ServerProcess) -> None:
    """A finger on a small board plays; on a large one it asks, or the board is enlarged first."""
    with browser.new_context(base_url=server.url, viewport={"width": 390, "height": 844}, has_touch=True) as context:
        page = context.new_page()
        create(page, rules="connect6", seats=["human", "human"])
        page.locator('.board__cell[aria-label^="j10,"]').tap()
        assert page.locator(".moves__move").count() == 0
        page.locator(".board__yes").tap()
        expect(page.locator(".moves__move")).to_have_count(1)
        page.locator(".board__zoom").tap()
        page.locator('.board__cell[aria-label^="c17,"]').tap()
        expect(page.locator(".moves__move")).to_have_count(2)
        expect(page.locator('.board__cell[aria-label^="c17, White"]')).to_have_count(1)


def test_downloads(page: Page) -> None:
    create(page, rules="tictactoe", seats=["human", "human"], moves=["b2"])
    for kind, start in (("key", b"3/1X1/3"), ("moves", b"b2"), ("svg", b"<svg"), ("png", b"\x89PNG"), ("json", b"{")):
        page.get_by_role("button", name="More").click()
        link = page.locator(f"[data-export={kind}]")
        answer = page.request.get(link.get_attribute("href") or "")
        assert answer.ok
        assert answer.body().startswith(start)
        page.keyboard.press("Escape")
        expect(link).to_have_count(0)


def test_moves_are_confirmed_where_wanted(page: Page) -> None:
    visit(page, "/about")
    page.get_by_role("button", name="Settings").click()
    page.click('[data-setting="confirm_moves"]')
    page.wait_for_function("async () => (await (await fetch('/api/v1/preferences')).json()).confirm_moves")
    create(page, rules="tictactoe", seats=["human", "human"])
    square(page, "b2")
    expect(page.locator(".board__confirm")).to_be_visible()
    assert page.locator(".moves__move").count() == 0
    page.click(".board__yes")
    expect(page.locator(".moves__move")).to_have_count(1)
    square(page, "a1")
    square(page, "a1")
    expect(page.locator(".moves__move")).to_have_count(2)


def colours(text: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", text))


def test_texts_stand_out_in_both_themes() -> None:
    """The contrast that WCAG asks for, 4.5; and the two ways to be dark are one."""
    light = STYLE.partition("}")[0]
    dark, system_dark = re.findall(r'data-theme="(?:dark|auto)"\] \{(.*?)\}', STYLE, re.DOTALL)
    assert colours(dark) == colours(system_dark)
    for theme in (colours(light), colours(dark)):
        for ink, paper in PAIRS:
            assert contrast(theme[ink], theme[paper]) >= 4.5, (ink, paper)


def test_the_skip_link_and_the_focus(page: Page) -> None:
    visit(page, "/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className").startswith("skip-link")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
