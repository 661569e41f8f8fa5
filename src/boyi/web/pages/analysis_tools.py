"""What can be done with an analysed position: choose a game, edit, enter, keep, play on, share, take away."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlencode

from nicegui import ui

from boyi.games.errors import GameError
from boyi.service.errors import ServiceError
from boyi.service.views import NewGame, PictureRequest, PositionRequest
from boyi.web.i18n.phrases import HUMAN, base_name, facts, game_title, seat_name
from boyi.web.pages.controls import Words, button, field, heading, picture, select
from boyi.web.pages.sharing import export_menu, share, show_link

if TYPE_CHECKING:
    from boyi.web.pages.analyse import AnalysePage


class AnalysisTools:
    """Tools for the page they belong to."""

    def __init__(self, page: AnalysePage) -> None:
        self.page, self.t = page, page.visit.t

    def game_choice(self) -> None:
        """Which game an entered position belongs to."""
        page, t = self.page, self.t
        names = {game.name: game_title(t, game.name, game.title) for game in page.catalogue.games}
        select(
            t("play.game"),
            names,
            base_name(page.position.rules),
            lambda name: ui.navigate.to(f"/position?rules={name}"),
        )

    def die(self, draw: Callable[[int | None, int], str]) -> None:
        """The die as it lies."""
        position = self.page.position
        known = facts(position).die
        picture(draw(known, position.mover or 0), style="dice__die", label=self.t("die.shows", die=known))

    def build(self) -> None:
        """The panel with everything."""
        self.controls()

    @ui.refreshable_method
    def controls(self) -> None:
        page, t = self.page, self.t
        with ui.element("div").classes("actions"):
            button(t("analysis.play_on"), self.play_on, icon="play_arrow", style="main").props(
                "data-play-on"
            ).set_enabled(page.position.outcome is None)
            if page.rules_view.can_compose:
                button(t("editor.open"), page.edit, icon="grid_on").props("data-edit")
            button(t("analysis.enter"), self.enter, icon="keyboard").props("data-enter")
            if page.course.line and (page.game is None or page.course.varies):
                button(t("analysis.keep"), self.keep, icon="bookmark_add").props("data-keep")
            with button(t("action.more"), icon="more_horiz"), ui.menu().classes("menu"):
                ui.menu_item(t("action.share"), self.share)
                ui.menu_item(t("export.copy_key"), lambda: self.copy(page.position.key)).props("data-copy-key")
                ui.menu_item(t("export.copy_moves"), lambda: self.copy(" ".join(page.course.played)))
                ui.menu_item(t("export.position_svg"), lambda: self.download("svg"))
                ui.menu_item(t("export.position_png"), lambda: self.download("png"))
                if page.game:
                    ui.separator()
                    formats = page.record.formats if page.record else []
                    export_menu(t, page.game.id, page.visit.preferences.theme, formats)

    async def play_on(self) -> None:
        """Ask who to play against, then begin."""
        page, t = self.page, self.t
        names = self.opponents()
        chosen = {"name": list(names)[len(names) // 2]}
        with ui.dialog() as dialog, ui.element("div").classes("dialog"):
            heading(t("analysis.play_on"))
            Words(t("analysis.play_on_text", side=page.sides[page.position.mover or 0]), "p").classes("fine")
            with field(t("play.opponent")):
                select(t("play.opponent"), names, chosen["name"], lambda name: chosen.update(name=name))
            with ui.element("div").classes("dialog__buttons"):
                button(t("action.cancel"), dialog.close)
                button(t("play.start"), lambda: dialog.submit(True), style="main").props("data-confirm")
        if await dialog:
            await self.begin(chosen["name"])

    async def enter(self) -> None:
        """Ask for a key or moves."""
        page, t = self.page, self.t
        with ui.dialog() as dialog, ui.element("div").classes("dialog"):
            heading(t("analysis.enter"))
            Words(t("analysis.enter_text"), "p").classes("fine")
            entry = ui.textarea(value=page.position.key).props("outlined autogrow maxlength=8000").classes("keyfield")
            entry.props["aria-label"] = t("analysis.enter")
            with ui.element("div").classes("dialog__buttons"):
                button(t("action.cancel"), dialog.close)
                button(t("analysis.take"), lambda: dialog.submit(entry.value), style="main").props("data-confirm")
        text = await dialog
        if text:
            await self.open_text(str(text))

    async def share(self) -> None:
        page = self.page
        if page.game and not page.course.varies:
            await share(page.visit, page.game.id)
        else:
            await show_link(page.visit, page.address())

    def copy(self, text: str) -> None:
        ui.clipboard.write(text)
        self.page.visit.notice("notice.copied")

    async def download(self, format: Literal["svg", "png"]) -> None:
        """The position as a picture, with what is shown of the analysis."""
        page = self.page
        theme = page.visit.preferences.theme
        async with page.visit.guarded():
            made = await page.visit.service.picture(
                PictureRequest(
                    rules=page.position.rules,
                    key=page.position.key,
                    format=format,
                    theme="light" if theme == "auto" else theme,
                    size=720,
                    values=page.shown if page.showing and page.found else "none",
                )
            )
            ui.download(made.content, made.file_name, made.media_type)

    async def open_text(self, text: str) -> None:
        """Take a key, or the moves of a game, as text."""
        words = text.split()
        service, rules = self.page.visit.service, self.page.position.rules
        try:
            view = await service.show_position(PositionRequest(rules=rules, key=text.strip()[:4000] or "usual"))
            query = {"rules": rules, "key": view.key}
        except (GameError, ServiceError, ValueError) as wrong_key:
            try:
                await service.show_position(PositionRequest(rules=rules, moves=words[:1000]))
                query = {"rules": rules, "moves": " ".join(words[:1000])}
            except (GameError, ServiceError, ValueError):
                self.page.visit.refuse(wrong_key)
                return
        ui.navigate.to(f"/position?{urlencode(query)}")

    async def keep(self) -> None:
        """Keep the line as a game, so that it can be reviewed."""
        async with self.page.visit.guarded():
            made = await self.page.visit.service.create_game(
                self.page.visit.visitor,
                NewGame(
                    rules=self.page.course.rules,
                    seats=(HUMAN, HUMAN),
                    start=self.page.course.start,
                    moves=self.page.course.line,
                    dice="hand" if self.page.rules_view.has_dice else "screen",
                ),
            )
            ui.navigate.to(f"/analyse/{made.id}")

    async def begin(self, opponent: str) -> None:
        """A game from here: the visitor has the side to move."""
        page = self.page
        seats = (HUMAN, opponent) if page.position.mover == 0 else (opponent, HUMAN)
        wanted = NewGame(rules=page.course.rules, seats=seats, start=page.course.start, moves=page.course.played)
        async with page.visit.guarded():
            made = await page.visit.service.create_game(page.visit.visitor, wanted)
            ui.navigate.to(f"/game/{made.id}")

    def opponents(self) -> dict[str, str]:
        """Who can be played against from here: people too."""
        name = base_name(self.page.position.rules)
        known = [found for found in self.page.catalogue.opponents if found.games is None or name in found.games]
        return {found.name: seat_name(self.t, found.name) for found in known} | {HUMAN: self.t("mode.people")}
