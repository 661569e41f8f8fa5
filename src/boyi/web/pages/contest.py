"""One match or tournament: its table with Elo, who beat whom, and the games that are being played."""

from contextlib import aclosing

from nicegui import ui

from boyi.games.errors import GameError
from boyi.service.errors import NotFound, ServiceError
from boyi.service.views_contests import ContestView, MeetingView
from boyi.web.board import position_picture
from boyi.web.pages.compete import contest_chip, entrant_name
from boyi.web.pages.controls import Words, button, heading, link, picture
from boyi.web.pages.shell import Visit, frame, keep_running, lost
from boyi.web.pages.train import progress, rules_title


class ContestPage:
    def __init__(self, visit: Visit, view: ContestView) -> None:
        self.visit, self.t, self.view = visit, visit.t, view
        self.names = [entrant_name(visit.t, name) for name in view.entrants]

    def build(self) -> None:
        t = self.t
        with frame(self.visit, self.view.id, current="compete"):
            link(t("compete.all"), "/compete", icon="arrow_back", style="back")
            heading(self.view.id, level=1).classes("lab__title")
            Words(rules_title(t, self.view.rules, self.view.title), "p").classes("lead lab__text")
            with ui.element("div").classes("lab lab--wide"):
                with ui.element("div").classes("lab__main"):
                    with ui.element("section").classes("panel"):
                        self.state()
                        self.actions()
                    with ui.element("section").classes("panel"):
                        self.table()
                    with ui.element("section").classes("panel"):
                        self.crosstable()
                with ui.element("div").classes("lab__side"):
                    with ui.element("section").classes("panel"):
                        heading(t("contest.games"))
                        self.games()
                    with ui.element("section").classes("panel"):
                        self.files()
        keep_running(self.visit, self.follow(), f"contest {self.view.id}")

    async def follow(self) -> None:
        """Show the contest as it changes."""
        stream = self.visit.service.watch_contest(self.view.id)
        try:
            async with aclosing(stream) as views:  # type: ignore[type-var]
                async for view in views:
                    self.take(view)
        except (GameError, ServiceError) as error:
            self.visit.refuse(error)

    def take(self, view: ContestView) -> None:
        before, self.view = self.view, view
        with self.visit.client:
            if view.running != before.running:
                self.games.refresh()
            if (view.done, view.status) != (before.done, before.status):
                for part in (self.state, self.table, self.crosstable):
                    part.refresh()
            if bool(view.done) != bool(before.done):
                self.files.refresh()
            if view.status != before.status:
                self.actions.refresh()

    @ui.refreshable_method
    def state(self) -> None:
        """Status and progress."""
        t, view = self.t, self.view
        with ui.element("div").classes("run__head"):
            contest_chip(t, view)
            Words(t("contest.played", done=view.done, total=view.total)).classes("run__told").props("data-told")
        progress(view.done / max(1, view.total))
        if view.message:
            Words(view.message, "p").classes("banner banner--bad").props("role=alert")

    @ui.refreshable_method
    def actions(self) -> None:
        """What can be done about it; drawn anew only when that changes, since a redrawn button loses its click."""
        t, view = self.t, self.view
        with ui.element("div").classes("actions run__actions"):
            if view.status in ("running", "waiting"):
                button(t("run.stop"), lambda: self.act("stop"), icon="stop", style="main").props("data-stop")
            elif view.status in ("stopped", "failed"):
                button(t("run.resume"), lambda: self.act("resume"), icon="play_arrow", style="main").props(
                    "data-resume"
                )
            if view.status in ("stopped", "failed", "finished"):
                button(t("run.delete"), self.delete, icon="delete", style="bad").props("data-delete")

    async def act(self, what: str) -> None:
        service, contest = self.visit.service, self.view.id
        async with self.visit.guarded():
            if what == "stop":
                self.take(await service.stop_contest(contest))
            else:
                self.take(await service.resume_contest(contest))

    async def delete(self) -> None:
        with self.visit.client, ui.dialog() as dialog, ui.element("div").classes("dialog"):
            heading(self.t("run.delete"))
            Words(self.t("contest.delete_text"), "p")
            with ui.element("div").classes("dialog__buttons"):
                button(self.t("action.cancel"), dialog.close)
                button(self.t("run.delete"), lambda: dialog.submit(True), style="bad").props("data-confirm")
        if await dialog:
            async with self.visit.guarded():
                await self.visit.service.delete_contest(self.view.id)
                with self.visit.client:
                    ui.navigate.to("/compete")

    @ui.refreshable_method
    def table(self) -> None:
        """The standings, the best first."""
        t = self.t
        heading(t("contest.standings"))
        with ui.element("div").classes("table"), ui.element("table").props("data-standings"):
            with ui.element("thead"), ui.element("tr"):
                for name in ("place", "player", "elo", "points", "record"):
                    Words(t(f"contest.{name}"), "th").props("scope=col")
            with ui.element("tbody"):
                for place, entry in enumerate(self.view.standings, 1):
                    with ui.element("tr"):
                        Words(str(place), "td")
                        Words(self.names[entry.number], "th").props("scope=row")
                        Words(_elo(entry.elo, entry.low, entry.high) if entry.games else "–", "td")
                        Words(f"{entry.points:g} / {entry.games}", "td")
                        Words(f"{entry.wins} – {entry.draws} – {entry.losses}", "td")
        Words(t("contest.elo_help"), "p").classes("fine")

    @ui.refreshable_method
    def crosstable(self) -> None:
        """Points of each row's player against each column's."""
        t = self.t
        heading(t("contest.crosstable"))
        order = [entry.number for entry in self.view.standings]
        with ui.element("div").classes("table"), ui.element("table").props("data-crosstable"):
            with ui.element("thead"), ui.element("tr"):
                Words(t("contest.player"), "th").props("scope=col")
                for place, _ in enumerate(order, 1):
                    Words(str(place), "th").props("scope=col")
            with ui.element("tbody"):
                for place, row in enumerate(order, 1):
                    with ui.element("tr"):
                        Words(f"{place}. {self.names[row]}", "th").props("scope=row")
                        for column in order:
                            Words(_met(self.view.crosstable[row][column]), "td")

    @ui.refreshable_method
    def games(self) -> None:
        """The games that are being played."""
        t = self.t
        if not self.view.running:
            Words(t("contest.no_games"), "p").classes("fine")
        for game in self.view.running:
            first, second = (entrant_name(t, name) for name in game.players)
            svg = position_picture(game.position, theme=self.visit.preferences.theme, size=300, coordinates=False)
            picture(svg, style="bare contest__board", label=t("games.versus", first=first, second=second))
            Words(t("games.versus", first=first, second=second), "p").props("data-running")
            Words(t("games.plies", count=game.plies), "p").classes("fine")

    @ui.refreshable_method
    def files(self) -> None:
        """The records of the games so far."""
        t, view = self.t, self.view
        heading(t("contest.records"))
        if not view.done:
            Words(t("contest.no_records"), "p").classes("fine")
            return
        with ui.element("div").classes("actions"):
            for format in view.formats:
                made = link(
                    format.upper(),
                    f"/api/v1/contests/{view.id}/records/{format}",
                    icon="download",
                    style="link-button link-button--quiet",
                )
                made.props("download").props["data-records"] = format


def _elo(elo: float, low: float, high: float) -> str:
    return f"{elo:+.0f} ({low:+.0f} … {high:+.0f})"


def _met(met: MeetingView | None) -> str:
    return "" if met is None else f"{met.points:g} / {met.games}" if met.games else "–"


async def build(visit: Visit, contest: str) -> None:
    try:
        view = await visit.service.show_contest(contest)
    except NotFound:
        lost(visit, "lost.contest")
        return
    ContestPage(visit, view).build()
