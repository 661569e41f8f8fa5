"""One training run: how it goes, its curves, its nets to play against, and its latest games against itself."""

import shlex
from contextlib import aclosing
from typing import Any

from nicegui import ui

from boyi.games.errors import GameError
from boyi.service.errors import NotFound, ServiceError
from boyi.service.views import NewGame
from boyi.service.views_training import RunView
from boyi.web.board import position_picture
from boyi.web.pages import curves
from boyi.web.pages.controls import Words, button, heading, link, picture, select
from boyi.web.pages.controls import field as form_field
from boyi.web.pages.shell import Visit, frame, keep_running, lost
from boyi.web.pages.train import (
    MORE,
    NAME,
    PLAIN,
    duration,
    how_far,
    progress,
    run_title,
    status_chip,
    unbounded,
)

LONGEST = 28
"""Runs with longer names, made by other programs, have no seat at a board; their nets can be promoted."""

NEWEST = -1
"""In the list of nets: whichever is the newest when it is needed."""


class RunPage:
    def __init__(self, visit: Visit, view: RunView, other: RunView | None) -> None:
        self.visit, self.t, self.view, self.other = visit, visit.t, view, other
        self.charts: dict[str, ui.echart] = {}
        self.generation = NEWEST
        self.select: ui.select | None = None
        self.code: Words | None = None

    async def build(self) -> None:
        t = self.t
        with frame(self.visit, self.view.id, current="train"):
            link(t("train.all"), "/train", icon="arrow_back", style="back")
            heading(self.view.id, level=1).classes("lab__title")
            title = t("run.title", game=run_title(t, self.view), method=t(f"method.{self.view.method}"))
            Words(title, "p").classes("lead lab__text").props(f"data-method={self.view.method}")
            with ui.element("div").classes("lab lab--wide lab--run"):
                with ui.element("div").classes("lab__main"):
                    with ui.element("section").classes("panel"):
                        self.state()
                        self.actions()
                    await self.compare()
                    with ui.element("div").classes("curves"):
                        for kind in curves.kinds(self.runs):
                            with ui.element("section").classes("panel panel--graph"):
                                Words(t(f"curve.{kind}"), "h2").classes("field__label")
                                if kind == "strength":
                                    self.unmeasured = Words(t("curve.unmeasured")).classes("fine")
                                    self.unmeasured.set_visibility(not self.is_measured)
                                self.chart(kind)
                with ui.element("div").classes("lab__side"):
                    with ui.element("section").classes("panel"):
                        self.nets()
                    with ui.element("section").classes("panel"):
                        heading(t("run.selfplay"))
                        await self.selfplay()
                    with ui.element("section").classes("panel"):
                        self.facts()
        keep_running(self.visit, self.follow(), f"run {self.view.id}")

    @property
    def runs(self) -> list[RunView]:
        return [self.view] if self.other is None else [self.view, self.other]

    @property
    def is_measured(self) -> bool:
        return any(point.anchor for run in self.runs for point in run.points)

    def chart(self, kind: str) -> None:
        made = ui.echart(curves.options(self.t, kind, self.runs), renderer="svg").classes("graph graph--curve")
        made.props(f'role="img" data-curve="{kind}"')
        made.props["aria-label"] = self.t(f"curve.{kind}")
        self.charts[kind] = made

    async def follow(self) -> None:
        """Show the run as it changes."""
        stream = self.visit.service.watch_run(self.view.id)
        try:
            async with aclosing(stream) as views:  # type: ignore[type-var]
                async for view in views:
                    await self.take(view)
        except (GameError, ServiceError) as error:
            self.visit.refuse(error)

    async def take(self, view: RunView) -> None:
        before, self.view = self.view, view
        with self.visit.client:
            self.state.refresh()
            if view.status != before.status:
                self.actions.refresh()
            if view.points != before.points:
                for kind, chart in self.charts.items():
                    chart.props["options"] = curves.options(self.t, kind, self.runs)
                    chart.update()
                self.unmeasured.set_visibility(not self.is_measured)
            if view.checkpoints != before.checkpoints:
                self.renew_nets()
            if view.files != before.files:
                await self.selfplay.refresh()
            if view.notes != before.notes:
                self.facts.refresh()

    # How it goes

    @ui.refreshable_method
    def state(self) -> None:
        """Status, progress, and whether it still gets better."""
        t, view = self.t, self.view
        with ui.element("div").classes("run__head"):
            status_chip(t, view)
            told = how_far(t, view)
            if view.left_s is not None and view.status in ("running", "waiting", "paused"):
                told.append(t("run.left", time=duration(t, view.left_s)))
            Words(" · ".join(told)).classes("run__told").props("data-told")
        progress(view.share)
        if view.stage and view.stage.name == "starting":
            Words(t("run.starting"), "p").classes("fine").props("data-stage")
        elif view.stage:
            percent = round(100 * min(1.0, view.stage.done / max(view.stage.total, 1e-9)))
            stage = t.either(f"stage.{view.stage.name}", view.stage.name)
            Words(t("run.stage", stage=stage, percent=percent), "p").classes("fine").props("data-stage")
        if view.message:
            Words(view.message, "p").classes("banner banner--bad").props("role=alert")
        if view.plateau:
            known = view.plateau
            text = t(
                "run.plateau",
                since=known.since,
                anchor=known.anchor,
                before=round(100 * known.before),
                best=round(100 * known.best),
            )
            Words(text, "p").classes("banner").props("data-plateau role=status")

    @ui.refreshable_method
    def actions(self) -> None:
        """What can be done about it; drawn anew only when that changes, since a redrawn button loses its click."""
        t, view = self.t, self.view
        with ui.element("div").classes("actions run__actions"):
            if view.status in ("running", "waiting"):
                button(t("run.pause"), lambda: self.act("pause"), icon="pause", style="main").props("data-pause")
                button(t("run.stop"), lambda: self.act("stop"), icon="stop").props("data-stop")
            elif view.status in ("paused", "stopped", "failed"):
                button(t("run.resume"), lambda: self.act("resume"), icon="play_arrow", style="main").props(
                    "data-resume"
                )
            if view.status in ("paused", "stopped", "failed", "finished"):
                button(t("run.delete"), self.delete, icon="delete", style="bad").props("data-delete")

    async def act(self, what: str) -> None:
        service, run = self.visit.service, self.view.id
        async with self.visit.guarded():
            if what == "pause":
                view = await service.pause_run(run)
            elif what == "stop":
                view = await service.stop_run(run)
            else:
                view = await service.resume_run(run)
            await self.take(view)

    async def delete(self) -> None:
        with self.visit.client, ui.dialog() as dialog, ui.element("div").classes("dialog"):
            heading(self.t("run.delete"))
            Words(self.t("run.delete_text"), "p")
            with ui.element("div").classes("dialog__buttons"):
                button(self.t("action.cancel"), dialog.close)
                button(self.t("run.delete"), lambda: dialog.submit(True), style="bad").props("data-confirm")
        if await dialog:
            async with self.visit.guarded():
                await self.visit.service.delete_run(self.view.id)
                with self.visit.client:
                    ui.navigate.to("/train")

    async def compare(self) -> None:
        """Another run whose curves are drawn too."""
        others = [run.id for run in (await self.visit.service.list_runs()).runs if run.id != self.view.id]
        if not others:
            return
        names = {"": self.t("run.alone")} | {name: name for name in others}
        with ui.element("div").classes("bar run__compare"):
            Words(self.t("run.compare")).classes("field__label")
            chosen = self.other.id if self.other else ""
            select(self.t("run.compare"), names, chosen, self.set_other).props("data-compare")

    def set_other(self, name: str) -> None:
        ui.navigate.to(f"/train/{self.view.id}" + (f"?other={name}" if name else ""))

    # Its nets

    @ui.refreshable_method
    def nets(self) -> None:
        """Every net of the run that is kept: play against it, or promote it."""
        t, known = self.t, self.view.checkpoints
        heading(t("run.checkpoints"))
        if not known:
            Words(t("run.no_checkpoint"), "p").classes("fine")
            return
        with form_field(t("run.checkpoint")):
            self.select = select(
                t("run.checkpoint"),
                self.generations(),
                self.generation,
                self.choose,
            )
            self.select.props("data-generation")
        with ui.element("div").classes("actions run__actions"):
            if len(self.view.id) <= LONGEST:
                button(t("run.play"), self.play, icon="sports_esports", style="main").props("data-play")
            button(t("run.promote"), self.promote, icon="military_tech").props("data-promote")
            button(t("run.download"), self.download, icon="download").props("data-download")
        Words(t("run.promote_help"), "p").classes("fine")
        if self.view.folder:
            with ui.expansion(t("run.elsewhere")).classes("more").props("data-elsewhere"):
                Words(t("run.elsewhere_text"), "p").classes("fine")
                with ui.element("pre"):
                    self.code = Words(self.commands(), "code")

    def choose(self, generation: int) -> None:
        self.generation = generation
        self.renew_commands()

    def commands(self) -> str:
        newest = self.view.checkpoints[-1]
        return commands(self.view, newest if self.generation == NEWEST else self.generation)

    def renew_commands(self) -> None:
        if self.code is not None:
            self.code.text = self.commands()

    def generations(self) -> dict[int, str]:
        known = self.view.checkpoints
        newest = self.t("run.newest", generation=known[-1])
        return {NEWEST: newest} | {number: str(number) for number in reversed(known)}

    def renew_nets(self) -> None:
        """A new net in the list; the buttons stay as they are."""
        if self.select is None or not self.view.checkpoints:
            self.nets.refresh()
            return
        if self.generation not in self.view.checkpoints:
            self.generation = NEWEST
        self.select.set_options(self.generations(), value=self.generation)
        self.renew_commands()

    async def chosen(self) -> int:
        """The chosen net, or the newest: asked for when it is needed, since a fast run drops its nets in a second."""
        if self.generation != NEWEST:
            return self.generation
        return (await self.visit.service.show_run(self.view.id)).checkpoints[-1]

    async def play(self) -> None:
        """A game against the chosen net, as it is at this moment."""
        async with self.visit.guarded():
            seat = f"run:{self.view.id}@{await self.chosen()}"
            made = await self.visit.service.create_game(
                self.visit.visitor, NewGame(rules=self.view.rules, seats=("human", seat))
            )
            with self.visit.client:  # the button may be gone: a new net has redrawn its panel
                ui.navigate.to(f"/game/{made.id}")

    async def download(self) -> None:
        """The files of the chosen net."""
        async with self.visit.guarded():
            found = await self.visit.service.export_net(self.view.id, await self.chosen())
            with self.visit.client:
                ui.download.content(found.content, found.file_name, found.media_type)

    async def promote(self) -> None:
        with self.visit.client, ui.dialog() as dialog, ui.element("div").classes("dialog"):
            heading(self.t("run.promote"))
            Words(self.t("run.promote_text"), "p")
            suggested = (self.view.id if self.generation == NEWEST else f"{self.view.id}-{self.generation}")[:LONGEST]
            entry = ui.input(value=suggested).props("outlined dense maxlength=28 autofocus").classes("typed")
            entry.props["aria-label"] = self.t("train.name")
            Words(self.t("train.name_wrong"), "p").classes("fine")
            with ui.element("div").classes("dialog__buttons"):
                button(self.t("action.cancel"), dialog.close)
                button(self.t("action.save"), lambda: dialog.submit(entry.value), style="main").props("data-confirm")
        name = await dialog
        if name is None:
            return
        if not NAME.fullmatch(str(name)):
            self.visit.notice("train.name_wrong", kind="bad")
            return
        async with self.visit.guarded():
            await self.visit.service.promote_checkpoint(self.view.id, await self.chosen(), str(name))
            self.visit.notice("run.promoted", name=str(name))

    # What it plays and says

    @ui.refreshable_method
    async def selfplay(self) -> None:
        """The ends of the latest games, small."""
        try:
            found = (await self.visit.service.run_positions(self.view.id)).positions
        except (GameError, ServiceError):
            found = []
        if not found:
            Words(self.t("run.no_selfplay"), "p").classes("fine")
        with ui.element("div").classes("boards"):
            for position in found:
                svg = position_picture(position, theme=self.visit.preferences.theme, size=140, coordinates=False)
                picture(svg, style="bare", label=position.caption)

    @ui.refreshable_method
    def facts(self) -> None:
        """The options of the run, and what it said."""
        t = self.t
        heading(t("run.options"))
        with ui.element("dl").classes("facts"):
            for name in PLAIN + MORE:
                value: Any = getattr(self.view.options, name)
                if value is not None and not (name == "generations" and unbounded(self.view)):
                    Words(t(f"option.{name}"), "dt")
                    Words(f"{value:g}", "dd")
        if self.view.notes:
            Words(t("run.notes"), "h3").classes("field__label")
            for note in self.view.notes[-5:]:
                Words(note, "p").classes("fine")


def commands(view: RunView, generation: int) -> str:
    """How to meet a net of a run outside of the app."""
    kind = "quick" if view.method == "quick" else "net"
    player = f"{kind}:model={view.folder}/checkpoints/{generation:06}/model"
    game, named = shlex.quote(view.game), shlex.quote(player)
    return "\n\n".join(
        (
            f"boyi play {game} --against {named}",
            f"boyi match {named} mcts:sims=1000 --game {game}",
            f"boyi analyse {game} --player {named}",
            f"import boyi\ngame = boyi.game({view.game!r})\nplayer = boyi.player({player!r}, game)\n"
            "print(player.choose(game.start()))",
        )
    )


async def build(visit: Visit, run: str, other: str) -> None:
    try:
        view = await visit.service.show_run(run)
        second = await visit.service.show_run(other) if other and other != run else None
    except NotFound:
        lost(visit, "lost.run")
        return
    await RunPage(visit, view, second).build()
