"""Reading a board in a real browser: dropped, pasted, chosen, captured and followed, into the editor and beyond."""

import base64
from collections.abc import Iterator

import pytest
from browsing import ARGUMENTS, cell, chromium, ready, visit
from playwright.sync_api import Browser, Page, expect

import boyi
from boyi.web.process import ServerProcess

PATIENCE_MS = 120_000
"""The first picture starts a process, and may compile rules in it."""
OTHELLO = boyi.game("othello").start().play("d3").play("c3").play("c4")
TICTACTOE = boyi.game("tictactoe").start().play("b2").play("a1")
DROP = """([content, type]) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "picture", { type }));
    for (const name of ["dragover", "drop"])
        document.querySelector(".stage").dispatchEvent(
            new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
PASTE = """([content, type]) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "picture", { type }));
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""


def picture(position: boyi.Position, size: int = 480) -> bytes:
    return boyi.draw.png(position.svg(size=size))


def in_browser(content: bytes, type: str = "image/png") -> list[str]:
    return [base64.b64encode(content).decode(), type]


def expect_read(page: Page, title: str) -> None:
    expect(page.locator("[data-game-read]")).to_contain_text(title, timeout=PATIENCE_MS)


@pytest.fixture
def capturing(browser: Browser, server: ServerProcess) -> Iterator[tuple[Page, Page]]:
    """The page that reads, and a tab called "Board", in a Chromium that lets that tab be captured without asking."""
    flag = "--auto-select-tab-capture-source-by-title=Board"
    own = browser.browser_type.launch(executable_path=chromium(), args=[*ARGUMENTS, flag])
    context = own.new_context(base_url=server.url, viewport={"width": 1000, "height": 800}, locale="en-US")
    context.set_default_timeout(60_000)
    board = context.new_page()
    board.set_content("<!doctype html><title>Board</title><body style='margin:40px;background:#887'>")
    reading = context.new_page()
    wrong: list[str] = []
    reading.on("pageerror", lambda error: wrong.append(str(error)))
    visit(reading, "/recognise")
    yield reading, board
    own.close()
    assert not wrong


def put(board: Page, position: boyi.Position) -> None:
    """Show a position in the tab that is captured."""
    board.evaluate("(svg) => { document.body.innerHTML = svg }", position.svg(size=480))


def test_a_dropped_picture_opens_in_the_editor_and_then_in_analysis(page: Page) -> None:
    visit(page, "/recognise")
    expect(page.locator(".nav [aria-current]")).to_have_text("image_searchRead")
    page.evaluate(DROP, in_browser(picture(OTHELLO)))
    expect_read(page, "Othello")
    assert cell(page, "d3").startswith("d3, Black")
    assert cell(page, "c3").startswith("c3, White")
    expect(page.locator(".stage__corner")).to_have_count(4)
    page.locator('[data-editor] [role=radio][aria-label="White"]').click()
    page.locator('.board__cell[aria-label^="a1,"]').click()
    expect(page.locator('.board__cell[aria-label^="a1, White"]')).to_have_count(1)
    page.locator('.board__cell[aria-label^="a1,"]').click()
    page.click("[data-editor-done]")
    page.wait_for_url("**/position?*")
    ready(page)
    expect(page.locator("[data-caption]")).to_have_text("White to move")
    assert cell(page, "d3").startswith("d3, Black")


def test_a_pasted_picture_is_suggested_a_move_and_played_on(page: Page) -> None:
    visit(page, "/recognise")
    page.evaluate(PASTE, in_browser(picture(TICTACTOE)))
    expect_read(page, "Tic-tac-toe")
    page.click("[data-suggest]")
    expect(page.locator("[data-suggestion]")).to_contain_text("Try", timeout=PATIENCE_MS)
    expect(page.locator(".stage__here text")).to_have_text("Here")
    page.click("[data-play-on]")
    page.click("[data-confirm]")
    page.wait_for_url("**/game/*")
    ready(page)
    assert cell(page, "b2").startswith("b2, X")
    assert cell(page, "a1").startswith("a1, O")


def test_corners_are_dragged_and_the_board_is_read_again(page: Page) -> None:
    visit(page, "/recognise")
    page.set_input_files("[data-choose]", {"name": "a.png", "mimeType": "image/png", "buffer": picture(OTHELLO)})
    expect_read(page, "Othello")
    corner = page.locator(".stage__corner").nth(2)
    box = corner.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 170, y - 170, steps=4)
    page.mouse.up()
    expect(page.locator("[data-refused], [data-unknown]").first).to_be_visible(timeout=PATIENCE_MS)
    page.click("[data-search]")
    expect(page.locator("[data-refused], [data-unknown]")).to_have_count(0, timeout=PATIENCE_MS)
    expect_read(page, "Othello")
    corner.focus()
    before = corner.get_attribute("style")
    page.keyboard.press("ArrowLeft")
    assert corner.get_attribute("style") != before
    expect(page.locator("[data-search]")).to_be_visible()
    expect_read(page, "Othello")


def test_a_doubtful_square_is_marked_and_settled(page: Page) -> None:
    svg = OTHELLO.svg(size=480)
    sign = '<circle cx="329" cy="366" r="20" fill="#c33"/>'  # a red disc on f7
    visit(page, "/recognise")
    page.evaluate(DROP, in_browser(boyi.draw.png(svg.replace("</svg>", f"{sign}</svg>"))))
    expect_read(page, "Othello")
    expect(page.locator("[data-unknown]")).to_contain_text("Doubtful squares")
    doubtful = page.locator('.board__cell[aria-label*="not sure"]')
    expect(page.locator(".stage__doubt")).to_have_count(doubtful.count())
    page.locator('[data-editor] [data-piece="eraser"]').click()
    for left in range(doubtful.count(), 0, -1):
        doubtful.first.click()
        expect(doubtful).to_have_count(left - 1)
    page.click("[data-editor-done]")
    page.wait_for_url("**/position?*")


@pytest.mark.parametrize(
    ("content", "type", "words"),
    [
        (b"", "image/png", "The file is empty"),
        (b"this is a text", "text/plain", "is no picture of a known kind"),
        (picture(OTHELLO)[:400], "image/png", "is broken"),
        (b"BM" + bytes(16) + b"\0\0\1\0\0\0\1\0" + bytes(40), "image/bmp", "at most"),
    ],
)
def test_bad_files_are_told_apart(page: Page, content: bytes, type: str, words: str) -> None:
    visit(page, "/recognise")
    page.evaluate(DROP, in_browser(content, type))
    expect(page.locator("[data-problem]")).to_contain_text(words, timeout=PATIENCE_MS)
    page.evaluate(DROP, in_browser(picture(TICTACTOE)))
    expect_read(page, "Tic-tac-toe")


def test_a_picture_without_a_board_is_refused_in_ones_language(page: Page) -> None:
    visit(page, "/recognise")
    blank = boyi.draw.png('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"/>')
    page.evaluate(DROP, in_browser(blank))
    expect(page.locator("[data-refused=no_board]")).to_contain_text("No board was found", timeout=PATIENCE_MS)
    page.click("[data-by-hand]")
    expect(page.locator(".stage__corner")).to_have_count(4)


def test_the_screen_is_captured_into_the_editor(capturing: tuple[Page, Page]) -> None:
    page, board = capturing
    put(board, OTHELLO)
    page.click("[data-capture]")
    expect_read(page, "Othello")
    assert cell(page, "c3").startswith("c3, White")


def test_a_window_is_followed_and_moves_are_suggested(capturing: tuple[Page, Page]) -> None:
    page, board = capturing
    put(board, TICTACTOE)
    page.click("[data-follow]")
    expect(page.locator("[data-caption]")).to_have_text("X to move", timeout=PATIENCE_MS)
    expect(page.locator(".stage__here text")).to_have_text("Here", timeout=PATIENCE_MS)
    expect(page.locator(".read__study")).to_contain_text("Do not use it against people")
    page.locator('[role=radiogroup][aria-label="Suggest moves for"] [role=radio]', has_text="O").last.click()
    expect(page.locator(".stage__here text")).to_have_count(0)
    put(board, TICTACTOE.play("c3"))
    expect(page.locator("[data-seen]")).to_have_text("Seen: c3", timeout=PATIENCE_MS)
    expect(page.locator("[data-caption]")).to_have_text("O to move")
    expect(page.locator("[data-suggestion]")).to_contain_text("Try", timeout=PATIENCE_MS)
    page.click("[data-stop]")
    expect(page.locator("[data-following]")).to_have_count(0)
