"""Links and files to take away: share links, exports."""

import json
from collections.abc import Sequence
from urllib.parse import urlencode

from nicegui import ui

from boyi.service.views import Theme
from boyi.service.views_records import FormatView
from boyi.web.i18n import Translator
from boyi.web.pages.controls import Words, button, heading
from boyi.web.pages.shell import Visit

FORMATS = ("key", "moves", "json", "svg", "png")


def export_menu(t: Translator, game: str, theme: Theme, formats: Sequence[FormatView] = ()) -> None:
    """Menu entries that download a game; `formats` are those of game files that it can be written in."""
    query = urlencode({"theme": "light" if theme == "auto" else theme})
    for format in FORMATS:
        entry = ui.element("a").classes("menu__link").props("download")
        entry.props["href"] = f"/api/v1/games/{game}/export/{format}?{query}"
        entry.props["data-export"] = format
        with entry:
            Words(t(f"export.{format}"))
    for file in formats:
        entry = ui.element("a").classes("menu__link").props("download")
        entry.props["href"] = f"/api/v1/games/{game}/record/{file.name}"
        entry.props["data-export"] = file.name
        with entry:
            Words(t("export.record", format=file.title))


async def share(visit: Visit, game: str) -> None:
    """Make a game's share link and show it."""
    async with visit.guarded():
        view = await visit.service.share_game(visit.visitor, game)
        await show_link(visit, f"/shared/{view.share}")


async def show_link(visit: Visit, path: str) -> None:
    """A dialog with a link to copy."""
    base = str(visit.client.request.base_url).rstrip("/")
    with ui.dialog() as dialog, ui.element("div").classes("dialog"):
        heading(visit.t("share.title"))
        Words(visit.t("share.text"), "p").classes("fine")
        entry = ui.input(value=base + path).props("readonly outlined dense").classes("typed")
        entry.props["aria-label"] = visit.t("share.title")
        entry.props["data-share"] = "true"
        with ui.element("div").classes("dialog__buttons"):
            button(visit.t("action.close"), dialog.close)
            button(visit.t("share.copy"), icon="content_copy", style="main").on(
                "click", js_handler=f"() => boyi.copy({json.dumps(base + path)})"
            )
    dialog.open()
