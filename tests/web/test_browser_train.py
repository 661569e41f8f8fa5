"""Training in a real browser: a run of tic-tac-toe is started, watched, paused, resumed, and played against."""

import secrets
from collections.abc import Iterator

import pytest
from browsing import api, choose, ready, square, visit
from playwright.sync_api import Page, expect

PATIENT = 240_000
"""A trainer begins with loading PyTorch and may find the computer busy."""


@pytest.fixture(autouse=True)
def none_goes_on(page: Page) -> Iterator[None]:
    """No run outlives its test, however that ends."""
    yield
    for run in page.request.get("/api/v1/runs").json()["runs"]:
        page.request.post(f"/api/v1/runs/{run['id']}/stop")


def unique(name: str) -> str:
    """A name that an earlier try of a test has not taken."""
    return f"{name}-{secrets.token_hex(3)}"


def fill(page: Page, option: str, value: str) -> None:
    page.fill(f"input[data-option={option}]", value)


def test_a_run_is_started_watched_paused_resumed_and_played_against(page: Page) -> None:
    run, pupil = unique("run"), unique("pupil")
    visit(page, "/train")
    choose(page, "Game", "Tic-tac-toe")
    choose(page, "Kind of net", "Deep")
    page.locator("[data-numbers='deep tictactoe']").wait_for()
    fill(page, "name", "No Good")
    page.click("[data-start]")
    expect(page.locator(".q-notification")).to_contain_text("small letters")
    fill(page, "name", run)
    fill(page, "generations", "4000")
    page.click("[data-more] .q-item")
    for option, value in (("simulations", "4"), ("games", "16"), ("blocks", "1"), ("channels", "4")):
        fill(page, option, value)
    page.click("[data-start]")
    page.wait_for_url(f"**/train/{run}")
    ready(page)
    status = page.locator("[data-status]")
    expect(status).to_have_text("training")
    page.locator("[data-curve=loss] svg path[stroke='#7a6cf0']").first.wait_for(timeout=PATIENT)
    page.locator("[data-play]").wait_for()
    page.locator(".boards svg").first.wait_for(timeout=PATIENT)
    assert page.locator(".boards svg").count() == 6

    page.click("[data-promote]")
    page.fill(".dialog input", pupil)
    page.click("[data-confirm]")
    expect(page.locator(".q-notification", has_text=pupil)).to_be_visible(timeout=30_000)

    page.click("[data-play]")
    page.wait_for_url("**/game/*", timeout=PATIENT)
    ready(page)
    expect(page.locator(".seat", has_text=f"{run}, generation")).to_be_visible()
    square(page, "b2")
    expect(page.locator(".moves__move")).to_have_count(2, timeout=PATIENT)

    visit(page, f"/train/{run}")
    page.click("[data-pause]")
    expect(status).to_have_text("paused", timeout=PATIENT)
    generation = api(page, f"/runs/{run}")["generation"]
    expect(page.locator("[data-told]")).to_contain_text(f"Generation {generation} of 4000")
    visit(page, "/train")
    expect(page.locator(f"[data-run={run}] [data-status]")).to_have_text("paused")
    visit(page, f"/train/{run}")
    page.click("[data-resume]")
    expect(status).to_have_text("training")
    page.wait_for_function(
        f"!document.querySelector('[data-told]').innerText.startsWith('Generation {generation} ')", timeout=PATIENT
    )
    page.click("[data-stop]")
    expect(status).to_have_text("stopped", timeout=PATIENT)
    page.click("[data-delete]")
    page.click("[data-confirm]")
    page.wait_for_url("**/train")
    expect(page.locator(f"[data-run={run}]")).to_have_count(0)

    visit(page, "/?game=tictactoe")
    page.click(f"[data-opponent='player:{pupil}']")
    page.click("[data-start]")
    page.wait_for_url("**/game/*")
    visit(page, "/train")
    page.click(f"[data-player='player:{pupil}'] [data-dismiss]")
    expect(page.locator(f"[data-player='player:{pupil}']")).to_have_count(0)


def test_a_quick_run_is_started_watched_compared_and_played_against(page: Page) -> None:
    swift, other, runner = unique("swift"), unique("other"), unique("runner")
    visit(page, "/train?game=tictactoe")
    expect(page.locator("[data-method-help]")).to_contain_text("very small net")
    fill(page, "name", swift)
    fill(page, "minutes", "1")
    page.click("[data-start]")
    page.wait_for_url(f"**/train/{swift}")
    ready(page)
    status = page.locator("[data-status]")
    expect(page.locator("[data-method=quick]")).to_have_text("Tic-tac-toe · Quick")
    page.locator("[data-curve=error] svg path[stroke='#7a6cf0']").first.wait_for(timeout=PATIENT)
    assert page.locator("[data-curve]").evaluate_all("all => all.map((one) => one.dataset.curve)") == [
        "strength",
        "error",
        "positions",
    ]
    page.locator(".boards svg").first.wait_for(timeout=PATIENT)
    expect(page.locator("[data-told]")).not_to_contain_text("100000")

    page.click("[data-play]")
    page.wait_for_url("**/game/*", timeout=PATIENT)
    ready(page)
    expect(page.locator(".seat", has_text=f"{swift}, generation")).to_be_visible()
    square(page, "b2")
    expect(page.locator(".moves__move")).to_have_count(2, timeout=PATIENT)

    visit(page, f"/train/{swift}")
    page.click("[data-pause]")
    expect(status).to_have_text("paused", timeout=PATIENT)
    generation = api(page, f"/runs/{swift}")["generation"]
    page.click("[data-resume]")
    page.wait_for_function(
        f"document.querySelector('[data-told]').innerText.startsWith('Generation') && "
        f"!document.querySelector('[data-told]').innerText.startsWith('Generation {generation} ')",
        timeout=PATIENT,
    )
    expect(page.locator("[data-elsewhere]")).to_contain_text("In the terminal and in Python")
    page.click("[data-elsewhere] .q-item")
    expect(page.locator("[data-elsewhere] code")).to_contain_text("boyi play tictactoe --against quick:model=/")
    with page.expect_download() as taken:
        page.click("[data-download]")
    assert taken.value.suggested_filename.startswith(f"{swift}-")
    page.click("[data-promote]")
    page.fill(".dialog input", runner)
    page.click("[data-confirm]")
    expect(page.locator(".q-notification", has_text=runner)).to_be_visible(timeout=30_000)
    page.click("[data-stop]")
    expect(status).to_have_text("stopped", timeout=PATIENT)

    answer = page.request.post("/api/v1/runs", data={"rules": "tictactoe", "name": other, "minutes": 30})
    assert answer.ok, answer.text()
    page.request.post(f"/api/v1/runs/{other}/stop")
    visit(page, f"/train/{swift}?other={other}")
    expect(page.locator("[data-curve=loss]")).to_be_visible()
    expect(page.locator("[data-curve=error]")).to_be_visible()
    page.request.delete(f"/api/v1/runs/{other}")
    page.request.delete(f"/api/v1/runs/{swift}")
    visit(page, "/train")
    page.click(f"[data-player='player:{runner}'] [data-dismiss]")
    expect(page.locator(f"[data-player='player:{runner}']")).to_have_count(0)


def test_there_is_no_such_run(page: Page) -> None:
    visit(page, "/train/nothing")
    expect(page.locator("#main")).to_contain_text("There is no such run.")
