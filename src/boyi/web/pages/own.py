"""Own games: the rules files in the owner's folder, what their check says, and the way to a game of those that pass."""

import contextlib
from functools import partial

from nicegui import ui
from nicegui.element import Element

from boyi.games.errors import GameError
from boyi.service.errors import ServiceError
from boyi.service.views_own import OwnGameView
from boyi.web.pages.controls import Words, button, heading, link, picture
from boyi.web.pages.play import card_picture
from boyi.web.pages.shell import Visit, frame

LOOK_S = 1.0
"""How often the folder is looked at."""
CHIPS = {"checking": "running", "waiting": "waiting", "passed": "finished", "failed": "failed", "no_game": "stopped"}


class OwnPage:
    def __init__(self, visit: Visit) -> None:
        self.visit, self.t = visit, visit.t
        self.shown: dict[str, tuple[OwnGameView, Element]] = {}
        self.list: Element | None = None
        self.none: Element | None = None

    async def build(self) -> None:
        t = self.t
        found = await self.visit.service.own_games()
        with frame(self.visit, t("own.title")):
            link(t("own.back"), "/", icon="arrow_back", style="back")
            heading(t("own.title"), level=1).classes("lab__title")
            Words(t("own.text"), "p").classes("lead lab__text")
            if not found.allowed:
                Words(t("own.not_allowed"), "p").classes("banner").props("data-not-allowed")
                return
            with ui.element("section").classes("panel own__how"):
                with ui.element("ol").classes("own__steps"):
                    Words(t("own.step_folder", folder=found.folder or t("own.folder")), "li").props("data-folder")
                    Words(t("own.step_file"), "li")
                    Words(t("own.step_check"), "li")
                Words(t("own.trust"), "p").classes("fine")
            heading(t("own.files"))
            self.none = Words(t("own.none"), "p").classes("fine").props("data-none")
            self.list = ui.element("ul").classes("runs")
            await self.take(found.games)
            ui.timer(LOOK_S, self.look)

    async def look(self) -> None:
        try:
            found = await self.visit.service.own_games()
        except (GameError, ServiceError):
            return
        await self.take(found.games)

    async def take(self, games: list[OwnGameView]) -> None:
        """Draw what has changed, and nothing else: a button that is drawn anew loses its click."""
        assert self.list is not None
        assert self.none is not None
        self.none.set_visibility(not games)
        for name in set(self.shown) - {view.name for view in games}:
            self.shown.pop(name)[1].delete()
        for view in games:
            before = self.shown.get(view.name)
            if before is not None and before[0] == view:
                continue
            if before is None:
                with self.list:
                    entry = ui.element("li").classes("panel run own").props(f'data-own="{view.name}"')
            else:
                entry = before[1]
                entry.clear()
            self.shown[view.name] = (view, entry)
            with entry:
                await self.entry(view)

    async def entry(self, view: OwnGameView) -> None:
        """One rules file."""
        t = self.t
        if view.offered:
            with contextlib.suppress(GameError, ServiceError):
                picture(await card_picture(self.visit, view.name), style="run__board bare")
        with ui.element("div").classes("entry__text"):
            Words(view.title or f"{view.name}.py", "b").classes("entry__title")
            if view.title:
                Words(f"{view.name}.py").classes("fine")
            if view.status == "checking":
                stage = t("own.stage", stage=t(f"own_stage.{view.stage}"))
                Words(stage).classes("fine").props("data-stage role=status")
            elif view.status == "no_game":
                Words(t("own.no_game_text")).classes("fine")
            elif view.status == "failed":
                self.failure(view)
            if view.offered and view.status != "passed":
                Words(t("own.earlier")).classes("fine").props("data-earlier")
            with ui.element("div").classes("actions own__actions"):
                if view.offered:
                    link(t("own.play"), f"/?game={view.name}", icon="sports_esports")
                    training = f"/train?game={view.name}"
                    link(t("nav.train"), training, icon="model_training", style="link-button link-button--quiet")
                if view.status in ("passed", "failed"):
                    again = button(t("own.again"), partial(self.check, view.name), icon="refresh")
                    again.props("data-check")
        chip = CHIPS[view.status]
        Words(t(f"own.{view.status}")).classes(f"chip chip--{chip}").props(f'data-status="{view.status}"')

    def failure(self, view: OwnGameView) -> None:
        """What is wrong, and where."""
        t = self.t
        with ui.element("div").classes("banner banner--bad").props("role=alert data-failure"):
            stage = t(f"own_stage.{view.stage}")
            if view.file and view.line is not None:
                Words(t("own.wrong_at", stage=stage, file=view.file, line=view.line)).classes("banner__text")
            else:
                Words(t("own.wrong", stage=stage)).classes("banner__text")
            Words(view.message, "code").classes("own__message")

    async def check(self, name: str) -> None:
        async with self.visit.guarded():
            found = await self.visit.service.check_own_game(name)
            await self.take(found.games)


async def build(visit: Visit) -> None:
    await OwnPage(visit).build()
