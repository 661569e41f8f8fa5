"""Game files in a real browser: a file is dropped, a game pasted, and its tree of variations walked."""

from browsing import visit
from playwright.sync_api import Page, expect

SGF = (
    "(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bob];B[hh]C[<b>The middle</b>];W[hg](;B[ig];W[gi])(;B[gg];W[ii]))(;GM[4]SZ[15];B[aa])"
)


def test_a_file_is_opened_and_its_variations_shown(page: Page) -> None:
    visit(page, "/games")
    page.get_by_role("link", name="Open game files").click()
    page.set_input_files(
        "[data-upload] input[type=file]", {"name": "a.sgf", "mimeType": "text/plain", "buffer": SGF.encode()}
    )
    expect(page.locator("[data-record]")).to_have_count(2)
    expect(page.locator("[data-record='1']")).to_contain_text("Ann – Bob")
    page.click("[data-open='1']")
    page.wait_for_url("**/analyse/*")
    tree = page.locator("[data-tree]")
    expect(tree).to_contain_text("<b>The middle</b>")
    tree.get_by_role("button", name="i7").click()
    expect(page.locator("[data-ply-shown]")).to_have_text("4 of 4")
    expect(page.locator("[data-variation] .moves__move")).to_have_count(2)
    tree.get_by_role("button", name="h9").click()
    expect(page.locator("[data-ply-shown]")).to_have_text("2 of 4")
    page.get_by_role("button", name="More").click()
    link = page.locator("[data-export=sgf]")
    answer = page.request.get(link.get_attribute("href") or "")
    assert b"The middle" in answer.body()


def test_a_pasted_game_and_a_bad_one(page: Page) -> None:
    visit(page, "/records")
    page.fill("textarea", "this is not a game")
    page.click("[data-read]")
    expect(page.locator("[data-found] [role=alert]")).to_contain_text("cannot be read")
    page.fill("textarea", "f5d6c3d3c4")
    page.click("[data-read]")
    page.click("[data-open='1']")
    page.wait_for_url("**/analyse/*")
    expect(page.locator(".moves__move")).to_have_count(5)
