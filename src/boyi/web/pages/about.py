"""What this is, the shortcuts, and the way to the API."""

from nicegui import ui

from boyi.web.i18n.phrases import game_title
from boyi.web.pages.controls import Words, heading, link
from boyi.web.pages.shell import Visit, frame

EXAMPLE = """curl -s -X POST {address}api/v1/positions \\
     -H 'content-type: application/json' \\
     -d '{"rules": "othello", "moves": ["f5", "d6"]}'"""
"""`{address}` is where this page was found."""


async def build(visit: Visit) -> None:
    t = visit.t
    catalogue = await visit.service.catalogue()
    status = await visit.service.status()
    with frame(visit, t("nav.about"), current="about"), ui.element("article").classes("prose"):
        heading(t("about.title"), level=1)
        Words(t("about.text"), "p")
        heading(t("about.games"))
        for game in catalogue.games:
            with ui.element("p"):
                Words(game_title(t, game.name, game.title), "b")
                Words(" " + t.either(f"game.{game.name}.sentence", ""))
        heading(t("about.keys"))
        with ui.element("ul").props('style="margin:0"'):
            for name in ("arrows", "enter", "space", "steps", "digits"):
                Words(t(f"about.key_{name}"), "li")
        heading(t("about.api"))
        Words(t("about.api_text"), "p")
        with ui.element("pre"):
            Words(EXAMPLE.replace("{address}", str(visit.client.request.base_url)), "code")
        link(t("about.api_link"), "/api/v1/", icon="api")
        heading(t("about.server"))
        Words(t("about.status", version=status.version, workers=status.workers, busy=status.busy), "p").classes("fine")
