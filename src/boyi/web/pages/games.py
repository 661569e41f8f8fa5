"""The visitor's games: find, open, rename, delete them."""

from urllib.parse import urlencode

from nicegui import ui

from boyi.games.errors import GameError
from boyi.service.errors import ServiceError
from boyi.service.views import GameList, GameSummary
from boyi.web.board import position_picture
from boyi.web.i18n.phrases import base_name, game_title, result_words, rules_words, seat_name, side_names
from boyi.web.pages.controls import Words, button, heading, icon_button, link, picture, select
from boyi.web.pages.shell import Visit, frame

PAGE = 12
"""Games on a page."""


class GamesPage:
    def __init__(self, visit: Visit, rules: str, after: str) -> None:
        self.visit = visit
        self.t = visit.t
        self.rules = rules
        self.after = after

    async def build(self) -> None:
        t, service = self.t, self.visit.service
        catalogue = await service.catalogue()
        self.players = {game.name: game.players for game in catalogue.games}
        names = {"": t("games.all")} | {game.name: game_title(t, game.name, game.title) for game in catalogue.games}
        if self.rules not in names:
            self.rules = ""
        with frame(self.visit, t("nav.games"), current="games"):
            heading(t("nav.games"), level=1)
            with ui.element("div").classes("bar"):
                select(t("games.filter"), names, self.rules, lambda value: ui.navigate.to(self.address(value)))
                link(t("records.title"), "/records", icon="upload_file", style="link-button link-button--quiet")
                link(t("learn.title"), "/learn", icon="school", style="link-button link-button--quiet")
            await self.entries()

    def address(self, rules: str, after: str = "") -> str:
        """This page for other games, or its next part."""
        query = {name: value for name, value in (("rules", rules), ("after", after)) if value}
        return "/games" + (f"?{urlencode(query)}" if query else "")

    @ui.refreshable_method
    async def entries(self) -> None:
        t = self.t
        try:
            found = await self.visit.service.list_games(
                self.visit.visitor, rules=self.rules or None, after=self.after or None, limit=PAGE
            )
        except (ServiceError, ValueError):
            found = GameList(games=[], next=None)
        if not found.games:
            with ui.element("div").classes("empty"):
                Words(t("games.none"), "p")
                link(t("games.first"), "/", icon="play_arrow")
            return
        with ui.element("ul").classes("list").props('style="list-style:none;margin:0;padding:0"'):
            for summary in found.games:
                with ui.element("li").classes("panel entry").props("data-entry"):
                    await self.entry(summary)
        with ui.element("div").classes("pages"):
            if self.after:
                link(t("games.newest"), self.address(self.rules), style="link-button link-button--quiet")
            if found.next:
                link(t("games.more"), self.address(self.rules, found.next), style="link-button link-button--quiet")

    async def entry(self, summary: GameSummary) -> None:
        """One game."""
        t = self.t
        try:
            game = await self.visit.service.show_game(self.visit.visitor, summary.id)
            board = position_picture(game.position, theme=self.visit.preferences.theme, size=200, coordinates=False)
        except (GameError, ServiceError):  # deleted meanwhile, or of an own game whose rules are gone
            board = ""
        sides = side_names(t, self.players.get(base_name(summary.rules), ("X", "O")))
        with (
            ui.element("a").classes("entry__board").props(f'href="/game/{summary.id}" tabindex="-1" aria-hidden="true"')
        ):
            picture(board, style="bare")
        with ui.element("div").classes("entry__text"):
            title = game_title(t, summary.rules, summary.title)
            link(summary.name or title, f"/game/{summary.id}", style="entry__title")
            variant = rules_words(t, summary.rules)
            if summary.name or variant:
                Words(" · ".join(filter(None, (title if summary.name else "", variant)))).classes("fine")
            alone = summary.seats.count("human") == 1
            first, second = (seat_name(t, seat, alone=alone) for seat in summary.seats)
            Words(t("games.versus", first=first, second=second)).classes("fine")
            state = (
                t("games.running")
                if summary.outcome is None
                else result_words(t, summary.outcome, summary.seats, sides)
            )
            Words(f"{state} · {t('games.plies', count=summary.plies)} · {summary.updated:%Y-%m-%d}").classes("fine")
            with ui.element("div").classes("entry__tools"):
                icon_button("insights", t("action.analyse"), lambda: ui.navigate.to(f"/analyse/{summary.id}"))
                icon_button("edit", t("games.rename"), lambda: self.rename(summary)).props("data-rename")
                icon_button("delete", t("games.delete"), lambda: self.delete(summary)).props("data-delete")

    async def rename(self, summary: GameSummary) -> None:
        with ui.dialog() as dialog, ui.element("div").classes("dialog"):
            heading(self.t("games.rename"))
            entry = ui.input(value=summary.name).props("outlined dense maxlength=100 autofocus").classes("typed")
            entry.props["aria-label"] = self.t("games.name")
            with ui.element("div").classes("dialog__buttons"):
                button(self.t("action.cancel"), dialog.close)
                button(self.t("action.save"), lambda: dialog.submit(entry.value), style="main").props("data-confirm")
            entry.on("keydown.enter", lambda: dialog.submit(entry.value))
        name = await dialog
        if name is not None:
            async with self.visit.guarded():
                await self.visit.service.rename_game(self.visit.visitor, summary.id, str(name).strip()[:100])
            await self.entries.refresh()

    async def delete(self, summary: GameSummary) -> None:
        with ui.dialog() as dialog, ui.element("div").classes("dialog"):
            heading(self.t("games.delete"))
            Words(self.t("games.delete_text"), "p")
            with ui.element("div").classes("dialog__buttons"):
                button(self.t("action.cancel"), dialog.close)
                button(self.t("games.delete"), lambda: dialog.submit(True), style="bad").props("data-confirm")
        if await dialog:
            async with self.visit.guarded():
                await self.visit.service.delete_game(self.visit.visitor, summary.id)
            await self.entries.refresh()


async def build(visit: Visit, rules: str, after: str) -> None:
    await GamesPage(visit, rules, after).build()
