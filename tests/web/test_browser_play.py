"""Playing in a real browser: whole games, passes, dice, two stones, undo, clocks, lost connections."""

import random
import re

import pytest
from browsing import (
    LEGAL,
    MOVABLE,
    TURN,
    act,
    api,
    cell,
    create,
    expect_caption,
    play_out,
    plies,
    ready,
    square,
    start,
    stones,
    visit,
)
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from boyi.web.process import ServerProcess


@pytest.mark.parametrize(
    ("game", "size"), [("othello", 6), ("gomoku", 7), ("connect6", 7), ("einstein", None), ("tictactoe", None)]
)
def test_a_whole_game(page: Page, game: str, size: int | None) -> None:
    start(page, game, size=size)
    result = play_out(page, seed=7)
    assert re.search("You have (won|lost)|A draw", result)
    kept = api(page, f"/games/{page.url.rsplit('/', 1)[1]}")
    assert kept["status"] == "over"
    assert len(kept["moves"]) == plies(page)


def test_a_pass_is_announced(page: Page) -> None:
    create(page, rules="othello:size=6", seats=["human", "random"], start="-XX----OOOOO--OOO---OOOX--O-O------- X e2")
    square(page, "f5")
    expect(page.locator(".notice")).to_contain_text("White has no legal move and passes")
    expect(page.locator("[data-live]")).to_contain_text("White passes")
    expect_caption(page, "Black to move")


def test_an_own_pass_is_announced(page: Page) -> None:
    create(page, rules="othello:size=6", seats=["human", "human"], start="-XX----OOOOO--OOO---OOOX--O-O------- X e2")
    square(page, "f5")
    expect_caption(page, "White has no legal move and must pass")
    expect(page.locator("[data-live]")).to_contain_text("White passes")
    expect_caption(page, "Black to move")


def test_both_stones_of_connect6(page: Page) -> None:
    create(page, rules="connect6:size=9", seats=["human", "human"])
    expect_caption(page, "Black to move: one stone")
    square(page, "e5")
    expect_caption(page, "White to move: two stones")
    square(page, "e6")
    expect_caption(page, "White to move: one stone")
    page.click("[data-undo]")
    expect_caption(page, "White to move: two stones")
    assert stones(page) == 1
    square(page, "d5")
    expect_caption(page, "White to move: one stone")
    square(page, "d6")
    expect_caption(page, "Black to move: two stones")
    assert stones(page) == 3


def test_a_die_by_hand(page: Page) -> None:
    create(page, rules="einstein", seats=["human", "random"], dice="hand")
    page.click("[data-die='6']")
    expect_caption(page, "Red rolled 6")
    assert page.locator(MOVABLE).count() == 1
    page.locator(MOVABLE).click()
    page.locator(LEGAL).first.click()
    expect_caption(page, "Blue rolls the die")
    page.keyboard.press("2")
    expect_caption(page, "Red rolls the die")
    assert plies(page) == 4


def test_a_stone_is_dragged(page: Page) -> None:
    create(page, rules="einstein", seats=["human", "human"], start="1 2 3 6 7 11 / 25 24 20 23 19 15 red 5")
    stone, target = page.locator(MOVABLE), page.locator('.board__cell[aria-label^="c3,"]')
    assert stone.get_attribute("aria-label").startswith("b4, Red 5")
    stone.drag_to(target)
    expect_caption(page, "Blue rolls the die")
    assert "Red 5" in cell(page, "c3")


def test_stones_are_placed_before_the_game(page: Page) -> None:
    visit(page, "/?game=einstein")
    page.click("[role=radio][data-value=placed]")
    page.locator('.board__cell[aria-label^="a5,"]').drag_to(page.locator('.board__cell[aria-label^="a3,"]'))
    expect(page.locator('.board__cell[aria-label="a5, Red 6"]')).to_have_count(1)
    page.locator('.board__cell[aria-label^="e1,"]').click()
    page.locator('.board__cell[aria-label^="d2,"]').click()
    expect(page.locator('.board__cell[aria-label="e1, Blue 5"]')).to_have_count(1)
    page.click("[data-start]")
    page.wait_for_url("**/game/*")
    assert str(api(page, f"/games/{page.url.rsplit('/', 1)[1]}")["start"]).startswith(
        "11 2 3 6 7 1 / 19 24 20 23 25 15"
    )


def test_keyboard_and_typed_moves(page: Page) -> None:
    create(page, rules="tictactoe", seats=["human", "human"])
    page.locator(".board__cell[tabindex='0']").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator('.board__cell[aria-label^="a3, X"]')).to_have_count(1)
    page.get_by_label("Type a move").fill("b2")
    page.keyboard.press("Enter")
    expect(page.locator('.board__cell[aria-label^="b2, O"]')).to_have_count(1)
    page.get_by_label("Type a move").fill("b2")
    page.keyboard.press("Enter")
    expect(page.locator(".notice")).to_contain_text("b2 is not possible here")
    assert "O: b2." in page.locator("[data-live]").inner_text()


def test_hint_undo_resign_rematch(page: Page) -> None:
    create(page, rules="tictactoe", seats=["human", "random"])
    page.click("[data-hint-button]")
    expect(page.locator("[data-hint]")).to_contain_text("Try")
    act(page, random.Random(1))
    page.wait_for_function("document.querySelectorAll('.moves__move').length === 2")
    page.click("[data-undo]")
    expect(page.locator(".moves__move")).to_have_count(0)
    page.click("[data-resign]")
    page.click("[data-confirm]")
    expect(page.locator("[data-result]")).to_contain_text("You have lost")
    before = page.url
    page.click("[data-rematch]")
    page.wait_for_url(lambda url: url != before)
    expect_caption(page, "to move")


def test_sides_are_swapped(page: Page) -> None:
    create(page, rules="tictactoe", seats=["human", "random"], moves=["b2", "a1"])
    page.get_by_role("button", name="More").click()
    page.get_by_text("Swap sides").click()
    expect(page.locator("[data-player='1']")).to_contain_text("You")
    expect(page.locator(".moves__move")).to_have_count(3)
    expect_caption(page, "O to move")


def test_earlier_positions_are_only_looked_at(page: Page) -> None:
    create(page, rules="tictactoe", seats=["human", "human"], moves=["a1", "b2", "c3"])
    assert stones(page) == 3
    page.locator(".moves__move").first.click()
    expect(page.locator('.board__cell[aria-label*=", empty"]')).to_have_count(8)
    assert page.locator(LEGAL).count() == 0
    page.keyboard.press("End")
    expect(page.locator('.board__cell[aria-label*=", empty"]')).to_have_count(6)
    assert page.locator(LEGAL).count() == 6


def settled(page: Page) -> int:
    """Wait until no more moves come; how many there are."""
    seen = -1
    while plies(page) != seen:
        seen = plies(page)
        page.wait_for_timeout(1500)
    return seen


def test_two_computers_with_a_pause(page: Page) -> None:
    create(page, rules="othello", seats=["hard", "hard"])
    page.click("[data-pause]")
    expect(page.locator("[data-go-on]")).to_be_visible()
    seen = settled(page)
    page.wait_for_timeout(600)
    assert plies(page) == seen
    page.click("[data-go-on]")
    page.wait_for_function(f"document.querySelectorAll('.moves__move').length > {seen + 1}")


def test_clocks_run(page: Page) -> None:
    create(page, rules="tictactoe", seats=["human", "human"], clock={"minutes": 5})
    first = page.locator("[data-player='0'] [data-clock]")
    expect(first).to_have_text(re.compile(r"4:[0-5]\d"))
    square(page, "b2")
    expect(page.locator("[data-player='1'] [data-clock]")).to_have_text(re.compile(r"4:[0-5]\d"))


def test_reload_restores_everything(page: Page) -> None:
    create(page, rules="einstein", seats=["human", "random"])
    luck = random.Random(3)
    while plies(page) < 9:
        act(page, luck)
        page.wait_for_timeout(30)
    page.wait_for_function(TURN)
    before = page.locator(".board__grid").evaluate(
        "grid => [...grid.querySelectorAll('[role=gridcell]')].map(c => c.ariaLabel)"
    )
    moves = page.locator(".moves").inner_text()
    page.reload()
    ready(page)
    after = page.locator(".board__grid").evaluate(
        "grid => [...grid.querySelectorAll('[role=gridcell]')].map(c => c.ariaLabel)"
    )
    assert after == before
    assert page.locator(".moves").inner_text() == moves


def test_two_windows_see_the_same_game(page: Page) -> None:
    create(page, rules="tictactoe", seats=["human", "human"])
    other = page.context.new_page()
    visit(other, page.url)
    square(page, "b2")
    expect(other.locator('.board__cell[aria-label^="b2, X"]')).to_have_count(1)
    square(other, "a1")
    expect(page.locator('.board__cell[aria-label^="a1, O"]')).to_have_count(1)


def test_two_visitors_do_not_meet(page: Page, browser: Browser, server: ServerProcess) -> None:
    game = create(page, rules="tictactoe", seats=["human", "human"])
    with browser.new_context(base_url=server.url) as context:
        other = context.new_page()
        visit(other, f"/game/{game}")
        expect(other.locator("h1")).to_have_text("Nothing here")
        create(other, rules="tictactoe", seats=["human", "human"])
        square(other, "c3")
        square(page, "a1")
        expect(page.locator('.board__cell[aria-label^="a1, X"]')).to_have_count(1)
        assert stones(page) == 1
        assert stones(other) == 1


def test_a_dropped_connection_comes_back(page: Page) -> None:
    create(page, rules="tictactoe", seats=["human", "human"])
    square(page, "b2")
    expect(page.locator('.board__cell[aria-label^="b2, X"]')).to_have_count(1)
    page.context.set_offline(True)
    page.wait_for_timeout(1500)
    page.context.set_offline(False)
    page.wait_for_timeout(500)
    ready(page)
    square(page, "a1")
    expect(page.locator('.board__cell[aria-label^="a1, O"]')).to_have_count(1, timeout=30_000)
    assert stones(page) == 2


def test_a_shared_game_can_be_watched(page: Page, browser: Browser, server: ServerProcess) -> None:
    game = create(page, rules="tictactoe", seats=["human", "human"])
    token = page.request.post(f"/api/v1/games/{game}/share").json()["share"]
    with browser.new_context(base_url=server.url) as context:
        other = context.new_page()
        visit(other, f"/shared/{token}")
        assert other.locator(LEGAL).count() == 0
        square(page, "b2")
        expect(other.locator('.board__cell[aria-label^="b2, X"]')).to_have_count(1)


def test_the_stone_shows_at_once(page: Page) -> None:
    """Before the server has said anything: its messages are held back."""
    held: list[str | bytes] = []
    sockets: list[WebSocketRoute] = []
    holding = False

    def connect(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server().on_message(lambda said: held.append(said) if holding else socket.send(said))

    page.route_web_socket(re.compile("_nicegui_ws"), connect)
    create(page, rules="gomoku", seats=["human", "human"])
    for number, name in enumerate(("h8", "a1", "h9")):
        holding = True
        square(page, name)
        expect(page.locator(".ghost-stone")).to_have_count(1)
        assert plies(page) == number
        holding = False
        while held:
            sockets[-1].send(held.pop(0))
        expect(page.locator(".moves__move")).to_have_count(number + 1)
        expect(page.locator(".ghost-stone")).to_have_count(0)
