"""Game files: opened by file, by drag and drop or pasted; their games to choose from, and kept."""

import base64
from typing import Any

from nicegui import events, ui

from boyi.games.errors import GameError
from boyi.service.errors import ServiceError
from boyi.service.views_records import FILE_BYTES, ImportRequest, RecordContents, RecordEntry, RecordFile
from boyi.web.i18n.phrases import game_title, rules_words
from boyi.web.pages.controls import Words, button, heading, link, select
from boyi.web.pages.controls import field as form_field
from boyi.web.pages.shell import Visit, frame

MOST_KEPT = 100
"""Games that are kept at once."""


class RecordsPage:
    def __init__(self, visit: Visit, names: dict[str, str]) -> None:
        self.visit, self.t, self.names = visit, visit.t, names
        self.content, self.file_name, self.rules = b"", "", ""
        self.found: RecordContents | None = None
        self.problem = ""

    def build(self) -> None:
        t = self.t
        with frame(self.visit, t("records.title"), current="games"):
            link(t("nav.games"), "/games", icon="arrow_back", style="back")
            heading(t("records.title"), level=1).classes("lab__title")
            Words(t("records.text"), "p").classes("lead lab__text")
            with ui.element("div").classes("lab"):
                with ui.element("section").classes("panel"):
                    self.form()
                with ui.element("section").props("data-found"):
                    self.listing()

    def form(self) -> None:
        """The ways in: a file, or a text."""
        t = self.t
        with form_field(t("records.file")):
            upload = ui.upload(
                label=t("records.drop"),
                auto_upload=True,
                max_file_size=FILE_BYTES,
                on_upload=self.uploaded,
                on_rejected=lambda: self.visit.notice("records.too_large", kind="bad"),
            )
            upload.props("flat bordered data-upload").classes("upload")
        with form_field(t("records.paste")):
            self.text = ui.textarea().props("outlined dense rows=6 maxlength=500000 data-paste").classes("keyfield")
            self.text.props["aria-label"] = t("records.paste")
        with form_field(t("records.game")):
            names = {"": t("records.told")} | self.names
            select(t("records.game"), names, "", self.set_rules).props("data-game")
            Words(t("records.game_help")).classes("fine")
        with ui.element("div").classes("start__bar"):
            made = button(t("records.read"), self.pasted, icon="menu_book", style="main")
            made.classes("start__go").props("data-read")

    async def set_rules(self, rules: str) -> None:
        self.rules = rules
        if self.content:
            await self.read()

    async def uploaded(self, event: events.UploadEventArguments) -> None:
        self.content, self.file_name = await event.file.read(), event.file.name
        event.sender.reset()  # type: ignore[attr-defined]
        await self.read()

    async def pasted(self) -> None:
        if self.text.value:
            self.content, self.file_name = str(self.text.value).encode("utf-8", "replace"), ""
        if self.content:
            await self.read()

    def asked(self) -> dict[str, Any]:
        return {
            "content": base64.b64encode(self.content),
            "file_name": self.file_name[:100],
            "rules": self.rules or None,
        }

    async def read(self) -> None:
        """See what is in the file."""
        self.found, self.problem = None, ""
        try:
            self.found = await self.visit.service.read_records(RecordFile(**self.asked()))
        except (GameError, ServiceError, ValueError) as error:
            self.problem = str(error)
        self.listing.refresh()

    @ui.refreshable_method
    def listing(self) -> None:
        """The games of the file."""
        t, found = self.t, self.found
        if self.problem:
            Words(t("records.unreadable", reason=self.problem), "p").classes("banner banner--bad").props("role=alert")
            return
        if found is None:
            Words(t("records.formats"), "p").classes("fine")
            return
        with ui.element("div").classes("bar"):
            heading(t("records.found", count=len(found.records), format=found.title)).props("data-count")
            if 1 < len(found.records) <= MOST_KEPT:
                button(t("records.keep_all"), self.keep_all, icon="playlist_add").props("data-keep-all")
        if found.more:
            Words(t("records.more"), "p").classes("fine")
        for skipped in found.skipped:
            text = t("records.skipped", line=skipped.line, reason=skipped.reason)
            Words(text, "p").classes("banner banner--bad").props("data-skipped")
        with ui.element("ul").classes("runs"):
            for entry in found.records:
                with ui.element("li").classes("panel run").props(f"data-record={entry.number}"):
                    self.entry(entry)

    def entry(self, entry: RecordEntry) -> None:
        t = self.t
        with ui.element("div").classes("entry__text"):
            players = [name or t("records.unknown") for name in entry.players]
            Words(t("games.versus", first=players[0], second=players[1]), "b")
            game = " · ".join(filter(None, (game_title(t, entry.rules, entry.title), rules_words(t, entry.rules))))
            told = [game, t("games.plies", count=entry.plies), entry.result.replace("draw", "½-½")]
            Words(" · ".join(filter(None, told))).classes("fine")
            where = " · ".join(
                filter(None, (entry.event, entry.date, t("records.annotated") if entry.annotated else ""))
            )
            if where:
                Words(where).classes("fine")
        opened = button(t("records.open"), lambda: self.keep([entry.number]), icon="insights")
        opened.props(f"data-open={entry.number}")

    async def keep_all(self) -> None:
        assert self.found is not None
        await self.keep([entry.number for entry in self.found.records])

    async def keep(self, numbers: list[int]) -> None:
        """Keep games, and look at one or at all of them."""
        async with self.visit.guarded():
            wanted = ImportRequest(**self.asked(), numbers=numbers)
            kept = (await self.visit.service.import_records(self.visit.visitor, wanted)).games
            ui.navigate.to(f"/analyse/{kept[0].id}?ply=0" if len(kept) == 1 else "/games")


async def build(visit: Visit) -> None:
    catalogue = await visit.service.catalogue()
    RecordsPage(visit, {game.name: game_title(visit.t, game.name, game.title) for game in catalogue.games}).build()
