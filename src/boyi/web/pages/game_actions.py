"""What can be done with a game besides moving: take back, ask, resign, pause, play again, share, take away."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from nicegui import ui

from boyi.service.views import GameView
from boyi.web.i18n.phrases import HUMAN
from boyi.web.pages.controls import Words, button, heading, link
from boyi.web.pages.sharing import export_menu, share

if TYPE_CHECKING:
    from boyi.web.pages.game import GamePage


class GameActions:
    """The buttons of a game's page."""

    def __init__(self, page: GamePage) -> None:
        self.page, self.visit, self.t = page, page.visit, page.visit.t

    @ui.refreshable_method
    def build(self) -> None:
        page, t, view = self.page, self.t, self.page.view
        with ui.element("div").classes("actions"):
            if not page.mine:
                return
            if view.status == "over":
                button(t("action.rematch"), lambda: self.rematch(False), icon="replay", style="main").props(
                    "data-rematch"
                )
                button(t("action.rematch_swap"), lambda: self.rematch(True), icon="swap_vert")
            elif HUMAN in view.seats:
                self.for_players()
            elif view.paused:
                service = self.visit.service
                button(t("action.go_on"), self.doing(service.go_on), icon="play_arrow", style="main").props(
                    "data-go-on"
                )
            else:
                button(t("action.pause"), self.doing(self.visit.service.pause), icon="pause").props("data-pause")
            link(
                t("action.analyse"), f"/analyse/{view.id}", icon="insights", style="link-button link-button--quiet"
            ).props("data-analyse")
            self.menu()

    def for_players(self) -> None:
        """What somebody who plays can do."""
        page, t, view = self.page, self.t, self.page.view
        if view.paused:
            button(t("action.go_on"), self.doing(self.visit.service.go_on), style="main").props("data-go-on")
        self.undo_button = button(t("action.undo"), self.undo, icon="undo").props("data-undo")
        self.hint_button = button(t("action.hint"), page.ask_hint, icon="lightbulb").props("data-hint-button")
        button(t("action.resign"), self.resign, icon="flag", style="bad").props("data-resign")

    def update(self) -> None:
        """Enable what is possible; the buttons stay, so that none vanishes under a finger."""
        view = self.page.view
        if self.page.mine and view.status == "running" and HUMAN in view.seats:
            self.undo_button.set_enabled(view.can_undo)
            self.hint_button.set_enabled(self.page.plays and view.position.turn != -1)

    def menu(self) -> None:
        """What is wanted less often."""
        view, t = self.page.view, self.t
        with button(t("action.more"), icon="more_horiz"), ui.menu().classes("menu"):
            if view.status == "running" and view.seats.count(HUMAN) == 1:
                ui.menu_item(t("action.swap_sides"), self.doing(self.visit.service.swap_sides))
            ui.menu_item(t("action.share"), lambda: share(self.visit, view.id))
            export_menu(t, view.id, self.visit.preferences.theme)

    def doing(self, action: Callable[[str, str], Awaitable[GameView]]) -> Callable[[], Awaitable[None]]:
        """What a button without further questions does."""

        async def do() -> None:
            async with self.visit.guarded():
                self.page.take(await action(self.visit.visitor, self.page.view.id))

        return do

    async def undo(self) -> None:
        async with self.visit.guarded():
            self.page.ply = None
            self.page.take(await self.visit.service.undo(self.visit.visitor, self.page.view.id))

    async def resign(self) -> None:
        """Give up, after a question."""
        with ui.dialog() as dialog, ui.element("div").classes("dialog"):
            heading(self.t("resign.title"))
            Words(self.t("resign.text"), "p")
            with ui.element("div").classes("dialog__buttons"):
                button(self.t("action.cancel"), lambda: dialog.submit(False))
                button(self.t("action.resign"), lambda: dialog.submit(True), style="bad").props("data-confirm")
        if await dialog:
            async with self.visit.guarded():
                self.page.take(await self.visit.service.resign(self.visit.visitor, self.page.view.id))
        dialog.delete()

    async def rematch(self, swap: bool) -> None:
        async with self.visit.guarded():
            made = await self.visit.service.rematch(self.visit.visitor, self.page.view.id, swap=swap)
            ui.navigate.to(f"/game/{made.id}")
