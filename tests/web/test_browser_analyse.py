"""Analysing in a real browser: live analysis, variations, the graph, mistakes, the editor, entering, playing on."""

import re

import pytest
from browsing import cell, create, expect_caption, square, stones, touch, visit
from playwright.sync_api import Page, expect

GAME = ["b2", "b1", "a1", "c3", "c1", "a3", "b3"]
"""Tic-tac-toe: O's b1 loses at once, as X's a1 makes two threats."""


def marked(page: Page) -> int:
    """Numbers on the board's squares."""
    return page.locator(".board__picture svg > text[font-weight='600']").count()


def test_live_analysis_and_its_switches(page: Page) -> None:
    visit(page, "/position?rules=tictactoe&moves=b2+b1")
    page.click("[data-analysing]")
    expect(page.locator(".found").first).to_be_visible()
    expect(page.locator("[data-summary]")).to_contain_text("X wins for certain")
    expect(page.locator("[data-summary] .exact")).to_have_text("exact")
    assert marked(page) > 1
    page.click("[data-showing]")
    expect(page.locator(".found")).to_have_count(0)
    expect(page.locator(".board__picture svg > text[font-weight='600']")).to_have_count(0)
    page.click("[data-analysing]")
    page.click("[data-showing]")
    expect(page.locator(".found").first).to_be_visible()
    page.click("[data-value=visits]")
    expect(page.locator(".board__picture svg > text[font-weight='600']").first).to_be_visible()


def test_a_line_becomes_a_variation(page: Page) -> None:
    visit(page, "/position?rules=tictactoe&moves=b2+b1")
    page.click("[data-analysing]")
    page.locator(".found").first.click()
    expect(page.locator("[data-variation]")).to_be_visible()
    expect(page.locator('.board__cell[aria-label*=", empty"]')).to_have_count(6)
    page.wait_for_url(re.compile(r"moves=b2\+b1\+"))
    shown = page.url
    page.reload()
    expect(page.locator('.board__cell[aria-label*=", empty"]')).to_have_count(6)
    assert page.url == shown


def test_moves_on_the_board_leave_the_game_and_come_back(page: Page) -> None:
    game = create(page, rules="tictactoe", seats=["human", "human"], moves=GAME)
    visit(page, f"/analyse/{game}?ply=2")
    assert stones(page) == 2
    square(page, "c3")
    expect(page.locator("[data-variation]")).to_contain_text("c3")
    page.get_by_text("Back to the main line").click()
    expect(page.locator("[data-variation]")).to_have_count(0)
    expect(page.locator('.board__cell[aria-label*=", empty"]')).to_have_count(7)
    page.keyboard.press("ArrowRight")
    expect(page.locator('.board__cell[aria-label^="a1, X"]')).to_have_count(1)
    page.wait_for_url(re.compile("ply=3$"))


def test_the_graph_and_the_mistakes(page: Page) -> None:
    game = create(page, rules="tictactoe", seats=["human", "human"], moves=GAME)
    visit(page, f"/analyse/{game}")
    page.click("[data-review]")
    mistake = page.locator(".mistake", has_text="O: b1")
    expect(mistake).to_contain_text(re.compile("Better was [ac][13]"), timeout=120_000)
    mistake.click()
    expect(page.locator("[data-ply-shown]")).to_have_text("1 of 7")
    assert page.locator('.board__cell[aria-label^="b2, X"]').count() == 1
    graph = page.locator("[data-graph]")
    box = graph.bounding_box()
    assert box
    graph.click(position={"x": 36 + (box["width"] - 48) * 4 / 7, "y": 60})
    expect(page.locator("[data-ply-shown]")).to_have_text("4 of 7")
    page.reload()
    expect(page.locator("[data-graph]")).to_be_visible()
    expect(page.locator(".mistake").first).to_be_visible()


@pytest.mark.parametrize(
    ("rules", "touches", "caption"),
    [
        ("othello", [("X", 27), ("O", 28)], "to move"),
        ("gomoku", [("X", 112), ("O", 113)], "to move"),
        ("connect6", [("X", 180), ("O", 181)], "two stones"),
        ("tictactoe", [("X", 4), ("O", 0)], "X to move"),
        ("einstein", [("R3", 12), ("B5", 8)], "Red rolled 4"),
    ],
)
def test_the_editor(page: Page, rules: str, touches: list[tuple[str, int]], caption: str) -> None:
    visit(page, f"/position?rules={rules}")
    page.click("[data-edit]")
    page.click("[data-editor-clear]")
    for piece, number in touches:
        page.click(f'[data-piece="{piece}"]')
        touch(page, number)
    if rules == "einstein":
        page.click('[role=radiogroup][aria-label="Die"] [data-value="4"]')
    if rules == "connect6":
        page.click('[role=radiogroup][aria-label^="Stones still"] [data-value="2"]')
    expect(page.locator('.board__cell[aria-label*=", empty"]')).to_have_count(page.locator(".board__cell").count() - 2)
    page.click("[data-editor-done]")
    page.wait_for_url(re.compile("key="))
    expect_caption(page, caption)
    assert stones(page) == 2


def test_the_editor_says_what_is_wrong(page: Page) -> None:
    visit(page, "/position?rules=tictactoe")
    page.click("[data-edit]")
    expect(page.locator("[data-editor-done]")).to_be_visible()
    for number in (0, 1, 2):
        touch(page, number)
        expect(page.locator('.board__cell[aria-label*=", empty"]')).to_have_count(8 - number)
    page.click("[data-editor-done]")
    expect(page.locator("[role=alert]")).to_contain_text("not a position of the game")


def test_entering_a_key_or_moves(page: Page) -> None:
    visit(page, "/analyse?rules=othello")
    page.click("[data-enter]")
    page.get_by_role("textbox", name="Enter a position").fill("f5 d6 c3")
    page.click("[data-confirm]")
    page.wait_for_url(re.compile("moves="))
    assert stones(page) == 7
    page.click("[data-enter]")
    page.get_by_role("textbox", name="Enter a position").fill("nonsense")
    page.click("[data-confirm]")
    expect(page.locator(".notice")).to_contain_text("refused")


def test_playing_on_and_keeping(page: Page) -> None:
    visit(page, "/position?rules=tictactoe&moves=b2+a1")
    page.click("[data-keep]")
    page.wait_for_url("**/analyse/*")
    page.click("[data-play-on]")
    page.click("[data-confirm]")
    page.wait_for_url("**/game/*")
    assert "X" in cell(page, "b2")
    expect_caption(page, "X to move")


def test_a_die_is_chosen_in_analysis(page: Page) -> None:
    visit(page, "/analyse?rules=einstein")
    page.click("[data-die='1']")
    expect_caption(page, "Red rolled 1")
    assert "may move" in cell(page, "a5")


def test_bad_addresses_are_lost(page: Page) -> None:
    for path in (
        "/position?rules=chess",
        "/position?rules=othello&key=what",
        "/analyse/nothing",
        "/shared/x",
        "/nowhere",
    ):
        answer = page.goto(path)
        assert answer
        assert answer.status == 404
        expect(page.locator("h1")).to_have_text("Nothing here")
